// SPDX-License-Identifier: MIT
#ifndef EU_PAYLOAD_H
#define EU_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eu/state/eu_dispatch.h"
#include "gen/gen_fault.h"

/*
 * The payloads of one walker's threads: what the thread dispatcher of the hardware writes into a
 * thread's registers. r0 is a header, then come the thread's own registers (local ids), then the
 * registers that all threads share (arguments), or the other way round (eu_dispatch.cross_first).
 * Read-only while threads are started from it.
 */
struct eu_payload;

/* Registers in the order in which a thread gets them. */
struct eu_payload_block {
	const uint8_t *data;  /* of thread 0 */
	size_t bytes, stride; /* of a thread; from one to the next, 0: all share them */
};

/*
 * Writes the payload of thread `index` of a group to its registers. `barrier` (7 bits) tells the
 * resident groups apart, `fftid` (10 bits) the resident threads.
 */
typedef void eu_payload_writer(const struct eu_payload *payload, const uint32_t group_id[3],
	uint32_t barrier, uint32_t index, uint32_t fftid, uint8_t *grf);

struct eu_payload {
	uint32_t header[8];	/* r0, complete but for group id, barrier id and thread id */
	uint32_t barrier_mask;	/* bits of the barrier id in dword 2, */
	uint32_t index_mask;	/* and of the thread's number */
	uint32_t scratch_bytes; /* per thread */
	struct eu_payload_block blocks[2];
	uint8_t *data; /* of both blocks; owned */
	size_t data_capacity;
	eu_payload_writer *write; /* for the host's processor */
};

/*
 * Reads the walker's payload from memory; what lies beyond dispatch->payload_bytes is 0. *payload
 * is zero or was prepared before: its memory is used again. Returns false with *fault filled when
 * the payload is not bound, is larger than the register file, the scratch space of all threads
 * does not fit 32-bit offsets, or memory is short.
 */
bool eu_payload_prepare(struct eu_payload *payload, const struct eu_dispatch *dispatch,
	uint32_t resident_threads, struct gen_fault *fault);
/*
 * Writes what a thread that draws knows of its pixels to r1, and for 32 channels r2: places of
 * blocks of 2 x 2 pixels, and which pixels are of the rectangle. Returns those.
 */
uint32_t eu_payload_pixels(
	const struct eu_dispatch *dispatch, const uint32_t group_id[3], uint8_t *grf);
void eu_payload_finish(struct eu_payload *payload);

/* The same by what suits the host best. */
static inline void eu_payload_write(const struct eu_payload *payload, const uint32_t group_id[3],
	uint32_t barrier, uint32_t index, uint32_t fftid, uint8_t *grf)
{
	payload->write(payload, group_id, barrier, index, fftid, grf);
}

#endif
