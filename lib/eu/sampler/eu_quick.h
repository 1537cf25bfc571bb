// SPDX-License-Identifier: MIT
#ifndef EU_QUICK_H
#define EU_QUICK_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/gen_format.h"
#include "gen/gen_inst.h"

/*
 * What most messages to images are made of, eight lanes at a time in registers of the host: texels
 * of one level, all in one buffer, whose formats vectors can take apart. Results are those of
 * eu_sample.c and eu_typed.c, which do all that is not tried here.
 */
struct eu_image;
struct eu_request;
struct eu_send;
struct eu_thread;

enum { EU_QUICK_RUNS = 5 };

/*
 * What an index adds to an offset, in any tiling: runs of its bits move up, and what is above them
 * counts `stride` bytes each.
 */
struct eu_spread {
	uint32_t runs, mask[EU_QUICK_RUNS], shift[EU_QUICK_RUNS];
	uint32_t above, stride; /* stride 0: there is nothing above */
};

/* What the bits of a channel are; WHOLE: 32 of them, which are the value. */
enum eu_quick_kind {
	EU_QUICK_WHOLE,
	EU_QUICK_UINT,
	EU_QUICK_SINT,
	EU_QUICK_UNORM,
	EU_QUICK_SNORM,
	EU_QUICK_HALF,
	EU_QUICK_NONE /* not for vectors */
};

struct eu_quick_format {
	uint8_t kind;	 /* enum eu_quick_kind */
	uint8_t present; /* the channels, as bits, that it has */
	struct eu_quick_channel {
		uint8_t dword;	  /* of the texel */
		uint8_t up, down; /* shifts that leave the channel's bits alone, with their sign */
		uint8_t shift;	  /* where they begin … */
		uint32_t mask;	  /* … and what they are, from there on */
		float most;	  /* what a normalized one is divided by */
		uint32_t absent;
	} channel[4];
};

struct eu_quick {
	bool ready;	 /* else nothing else counts */
	uint8_t sources; /* channels that a message needs to write texels; 0: it is not for here */
	uint8_t source[4]; /* which one becomes each of the texels' */
	uint8_t log_bytes; /* of a texel */
	uint8_t axes;	   /* that are filtered */
	int8_t row, layer; /* which coordinates these are; -1: they are 0 */
	struct eu_spread columns, rows, slices;
	uint32_t left, top, front; /* texels before the first; slices */
	uint32_t step;		   /* rows between layers, and slices without tiles of their own */
	uint32_t size[3];	   /* columns, rows, and layers or slices */
	struct eu_quick_format format, typed; /* of typed reads */
};

/* Fills image->quick, from the rest of it, for a device of that generation. */
void eu_quick_describe(struct eu_image *image, enum gen_generation generation);

/*
 * Do the whole of a message whose image is `ready`, in the host's plain floating point modes;
 * false: nothing was done. Of typed ones, `enabled` are lanes of the eight.
 */
bool eu_quick_read(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, uint32_t enabled);
bool eu_quick_write(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, uint32_t enabled);
bool eu_quick_sample(struct eu_request *request);

#endif
