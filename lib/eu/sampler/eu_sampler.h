// SPDX-License-Identifier: MIT
#ifndef EU_SAMPLER_H
#define EU_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "eu/state/eu_thread.h"
#include "gen/gen_state.h"

/* A sampler state, worked out once per walker and worker. */
struct eu_sampler {
	uint64_t address; /* of the SAMPLER_STATE, the key */
	uint32_t walker;  /* that it was looked up for */
	struct gen_sampler_state state;
	bool has_border;    /* an address mode needs it */
	uint32_t border[4]; /* colour outside of the image; else zeros */
};

/*
 * The sampler that a message names: desc[11:8] counts from the pointer in its header, or from the
 * thread's. Returns NULL with worker->fault filled when there is none or it asks for something that
 * is not implemented.
 */
const struct eu_sampler *eu_sampler_find(struct eu_thread *thread, const struct eu_send *send);

/*
 * Coordinates along one axis of `size` texels, as section 8.2 of the specification of OpenCL C
 * computes them, in single precision. An index that is not in the image means the border.
 */
void eu_sampler_nearest(enum gen_address_mode mode, bool unnormalized, uint32_t size,
	unsigned count, const float *coordinate, int32_t *index);

/* The same for the two texels that a linear filter mixes; `fraction` is the second one's share. */
void eu_sampler_linear(enum gen_address_mode mode, bool unnormalized, uint32_t size, unsigned count,
	const float *coordinate, int32_t *low, int32_t *high, float *fraction);

/*
 * Either, for texels that are gathered or have offsets, which count before an index is wrapped or
 * mirrored: `low` comes before `high` along the line that the mode makes of the image.
 */
void eu_sampler_shifted(enum gen_address_mode mode, bool unnormalized, uint32_t size,
	unsigned count, const float *coordinate, const int32_t *offset, bool is_linear,
	int32_t *low, int32_t *high, float *fraction);

/* The layer of an array: nearest even, clamped (section 8.4). */
void eu_sampler_layer(uint32_t layers, unsigned count, const float *coordinate, int32_t *index);

/*
 * The face of a cube that a vector goes through, numbered as layers are (+x, -x, +y …), and where,
 * from 0 to `size` along its columns and rows; NaN counts as 0 there.
 */
unsigned eu_sampler_face(const float *vector, uint32_t size, float *at);

/* How far a step of the vector leads along the face's columns and rows, whose size is 1. */
void eu_sampler_face_step(unsigned face, const float *vector, const float *step, float *out);

/*
 * The texel in column at[0] and row at[1] of a face, or by 1 beyond an edge of it: then of its
 * neighbour's, which a vector to its centre goes through. Returns the texel's face.
 */
unsigned eu_sampler_neighbour(unsigned face, uint32_t size, int32_t at[2]);

#endif
