// SPDX-License-Identifier: MIT
#ifndef EU_FILTER_H
#define EU_FILTER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "eu/memory/eu_memory.h"
#include "eu/sampler/eu_image.h"
#include "eu/sampler/eu_sampler.h"

enum { EU_SAMPLE_LANES = 16 };

/* The parameters that sampler messages have. */
enum eu_parameter {
	EU_COORDINATES,			   /* u, v, r, and the layer of an array of cubes */
	EU_GRADIENTS = EU_COORDINATES + 4, /* of u, v and r: along x and along y */
	EU_OFFSETS = EU_GRADIENTS + 2 * 3, /* in texels, along u, v and r */
	EU_REFERENCE = EU_OFFSETS + 3,	   /* that texels are compared with */
	EU_LOD,				   /* a level of detail, */
	EU_BIAS,			   /* what is added to the one that was found, */
	EU_MIN_LOD,			   /* and the least that it may be */
	EU_PARAMETERS
};

/* What a type of message does. */
struct eu_request;
struct eu_request_kind {
	bool (*run)(struct eu_request *request);
	bool has_sampler;
	bool has_quads; /* four lanes, of two rows, tell the level of detail by their coordinates */
	bool gathers;	/* a channel of the texels that a filter would mix */
	bool selects;	/* the surface chooses which channels come back */
};

/* One sampler message at work. */
struct eu_request {
	struct eu_thread *thread;
	const struct eu_send *send;
	const struct eu_request_kind *kind;
	const struct eu_image *image;
	const struct eu_sampler *sampler;
	unsigned count;	  /* lanes of the message: 8 or 16, … */
	uint32_t enabled; /* of which these matter */
	uint32_t given;	  /* the parameters, as bits, that the message has: others are not set */
	bool shifted;	  /* there are offsets */
	unsigned channel; /* that is gathered */
	uint32_t parameter[EU_PARAMETERS][EU_SAMPLE_LANES];
	/* What comes back, by channel of the surface. */
	uint32_t value[4][EU_SAMPLE_LANES];
};

static inline bool eu_request_has(const struct eu_request *request, enum eu_parameter parameter)
{
	return request->given >> parameter & 1;
}

/* A dword of the header; 0 without one. */
static inline uint32_t eu_request_header(const struct eu_request *request, unsigned index)
{
	const struct eu_send *send = request->send;

	return send->access.has_header ? eu_payload_dword(request->thread->grf + send->src0, index)
				       : 0;
}

/* Whether a channel is left out of the answer. */
static inline bool eu_request_lacks(const struct eu_request *request, unsigned channel)
{
	return eu_request_header(request, 2) >> (12 + channel) & 1;
}

static inline bool eu_request_is_full(const struct eu_request *request)
{
	return request->enabled == UINT32_MAX >> (32 - request->count);
}

/* The dwords of 8 or 16 lanes. */
static inline void eu_request_copy(const struct eu_request *request, void *to, const void *from)
{
	if (request->count == EU_SAMPLE_LANES)
		memcpy(to, from, EU_SAMPLE_LANES * 4);
	else
		memcpy(to, from, EU_SAMPLE_LANES * 2);
}

/* What a channel select of the surface chooses: a channel's values, of `stride` dwords each, or a
 * constant. */
static inline void eu_request_select(const struct eu_request *request, unsigned select,
	const uint32_t *values, unsigned stride, uint32_t *out)
{
	if (select >= 4) {
		eu_request_copy(request, out, values + (select - 4) * stride);
		return;
	}
	for (unsigned i = 0; i < request->count; i++)
		out[i] = select == 1 ? gen_format_absent(request->image->format, 3) : 0;
}

/* How many axes of an image are filtered: layers are not. Of a cube, those of a face. */
unsigned eu_filter_axes(const struct eu_image *image);

/*
 * Fill request->value; false with worker->fault filled when no buffer is bound where a texel is:
 * the texels whose numbers the parameters are; what the sampler's filters make at a level of
 * detail, which is limited in place; the four texels that a filter would mix at level 0.
 */
bool eu_filter_texels(struct eu_request *request);
bool eu_filter_sample(struct eu_request *request, float *lod);
bool eu_filter_gather(struct eu_request *request);

/*
 * Puts levels of detail within what the sampler and the image have. Returns the lanes, as bits,
 * whose texels are smaller than pixels.
 */
uint32_t eu_filter_limit(const struct eu_request *request, float *lod);

#endif
