// SPDX-License-Identifier: MIT
#ifndef EU_DISPATCH_H
#define EU_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "eu/state/eu_bus.h"

/* What pixels do to texels. Unless they draw, each stands for many. */
enum eu_pixel_effect {
	EU_PIXELS_DRAW,
	EU_PIXELS_RESOLVE, /* texels that are noted as cleared (eu_clear.h) get their colour */
	EU_PIXELS_NOTE,	   /* they are noted as such */
	EU_PIXELS_FORGET,  /* they no longer are, and stay as they are in memory */
};

/*
 * What is drawn: a rectangle of pixels. Each group is one thread, which covers two lines of
 * blocks of 2 x 2 pixels, simd / 4 of them side by side: x and y of its id count such threads, z
 * is the layer. The kernel's channels are the pixels of a block, then those of the next.
 */
struct eu_pixels {
	uint32_t left, top, right, bottom; /* the last two outside; right 0: nothing */
	uint8_t channels; /* of colours that are written: bit 0 red … bit 3 alpha */
	const struct gen_surface_state *depth; /* that is written too; NULL: it is not */
	uint8_t effect;			       /* enum eu_pixel_effect */
};

/*
 * One walker: a kernel over a box of thread groups, with all the state that its threads can see.
 * The command streamer fills it from the walker, the interface descriptor and the base addresses;
 * nothing in it refers to a packet. Addresses are GPU addresses of 48 bits.
 */
struct eu_dispatch {
	const struct eu_bus *bus;
	uint64_t kernel;	    /* address of the first instruction */
	uint64_t instruction_base;  /* for calls through pointers */
	uint8_t simd;		    /* 8, 16, 32 */
	uint32_t threads_per_group; /* at least 1 */
	uint32_t group_first[3];    /* x, y, z */
	uint32_t group_end[3];	    /* exclusive */
	uint32_t right_mask;	    /* lanes of the last thread of a group; others have all */
	/* Payload in memory: cross-thread block, then threads_per_group per-thread blocks. */
	uint64_t payload;
	uint32_t payload_bytes; /* readable from there */
	uint32_t cross_thread_registers;
	uint32_t per_thread_registers;
	bool cross_first; /* the cross-thread block comes first in registers too, not last */
	/*
	 * COMPUTE_WALKER: what threads start with, in the same order, is in memory of the host; the
	 * payload above they load themselves, by its offset from the general state base.
	 */
	const uint8_t *start; /* or NULL */
	uint32_t payload_pointer;
	bool numbers_threads; /* the header has the thread's number, and no barrier id */
	/* State. */
	uint64_t general_state_base, surface_state_base, dynamic_state_base;
	uint64_t bindless_surface_base, bindless_sampler_base;
	uint64_t binding_table_base;
	uint32_t binding_table; /* offset from binding_table_base */
	uint32_t sampler_state; /* offset from dynamic_state_base */
	uint64_t scratch;	/* offset from general_state_base of thread 0's scratch space */
	uint32_t scratch_bytes_per_thread; /* 0 when there is none; a power of two of at least 1 KiB
					    */
	uint32_t scratch_surface; /* or: offset of a scratch surface's state, as headers hold it */
	uint32_t slm_bytes;	  /* per group */
	bool barrier;
	uint32_t cr0; /* control register 0 at thread start */
	struct eu_pixels pixels;
};

/* The pixel of a channel. */
static inline void eu_dispatch_pixel(const struct eu_dispatch *dispatch, const uint32_t id[3],
	unsigned channel, uint32_t *x, uint32_t *y)
{
	*x = id[0] * (dispatch->simd / 2u) + channel / 4 * 2 + (channel & 1);
	*y = id[1] * 2 + (channel >> 1 & 1);
}

#endif
