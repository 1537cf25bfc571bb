// SPDX-License-Identifier: MIT
#ifndef EU_IMAGE_FIXTURE_H
#define EU_IMAGE_FIXTURE_H

#include <stdint.h>

#include "eu/sampler/eu_image.h"
#include "eu/message/eu_message.h"
#include "eu/state/eu_thread.h"

/*
 * A thread that sees one image and one sampler. The image's memory is two buffers that adjoin in
 * GPU memory but not on the host.
 */
enum {
	IMAGE_INDEX = 5,   /* in the binding table */
	SAMPLER_INDEX = 3, /* from the thread's sampler state pointer */
	IMAGE_BYTES = 1 << 20,
	IMAGE_CUT = 5 * 4096 + 64, /* bytes of the first buffer */
};
#define IMAGE_BASE UINT64_C(0x7fff00000000)

struct image_fixture {
	struct eu_thread *thread;
	struct eu_worker worker;
	struct eu_group group;
	struct eu_dispatch dispatch;
	struct eu_bus bus;
	struct gen_fault fault;
	struct eu_translation translation;
	struct eu_surface surfaces[EU_SURFACES];
	uint8_t *low, *high;	      /* the two buffers */
	uint64_t *_Atomic cleared[2]; /* eu_range.cleared of them */
	uint32_t state[1024];	      /* binding table, surface states, samplers, border colour */
	uint64_t random;
};

/* What a surface state says; all that is 0 is left out. Sizes are real ones. */
struct image_form {
	unsigned type, format, tile, width, height, depth, pitch, qpitch;
	bool array;
	unsigned levels, min_lod;
	unsigned halign, valign; /* codes */
	unsigned first_layer;
};

/* A form by its first eight members in order, and more by name. */
#define IMAGE(t, f, tiling, w, h, d, p, q, ...)                                                    \
	{                                                                                          \
		.type = t, .format = f, .tile = tiling, .width = w, .height = h, .depth = d,       \
		.pitch = p, .qpitch = q, __VA_ARGS__                                               \
	}

int image_fixture_setup(void **state);
int image_fixture_teardown(void **state);
uint32_t image_random(struct image_fixture *fixture);

/* Writes the surface state (channel selects: identity) and forgets the one before. */
void image_fixture_surface(struct image_fixture *fixture, const struct image_form *form);
void image_fixture_sampler(struct image_fixture *fixture, const uint32_t dwords[4]);
/* The dwords of the surface state, and the GPU address of `offset` bytes from there. */
uint32_t *image_fixture_state(struct image_fixture *fixture);
uint64_t image_fixture_state_at(unsigned offset);
/* The image's memory, byte by byte. */
uint8_t *image_byte(struct image_fixture *fixture, uint64_t offset);
/* Random bytes everywhere in the image and in the thread's registers. */
void image_fixture_shuffle(struct image_fixture *fixture);

/*
 * Runs a message whose payload, of `payload` registers, is at r20 and is split after `cut`; the
 * result of `results` registers goes to r60. Fails the test when it cannot be bound.
 */
enum eu_status image_fixture_run(struct image_fixture *fixture, unsigned sfid, uint32_t desc,
	unsigned payload, unsigned cut, unsigned results, uint32_t lanes);
uint32_t *image_register(struct image_fixture *fixture, unsigned number);
enum { PAYLOAD = 20, SPLIT = 40, RESULT = 60 };

#endif
