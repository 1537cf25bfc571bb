// SPDX-License-Identifier: MIT
#ifndef EU_FAKE_KERNEL_H
#define EU_FAKE_KERNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "eu/engine/eu_engine.h"

/*
 * Stands in for the decoder, the lowering and the execution of threads, so that the dispatcher is
 * tested alone: a "kernel" is a C function that is called for every slice of a thread.
 */
enum fake_kind {
	FAKE_COUNT,	    /* ends at once */
	FAKE_BARRIERS,	    /* writes shared memory, waits, reads what the others wrote; 3 times */
	FAKE_LEAVERS,	    /* as before, but odd threads end at once or after signalling */
	FAKE_SPIN_THREADS,  /* spins until all threads of the group have started */
	FAKE_SPLIT_BARRIER, /* signals, spins until all have signalled or passed by, waits */
	FAKE_SPIN_GROUPS,   /* spins until all groups have started */
	FAKE_FAULT,	    /* thread 2 of group 5 faults */
	FAKE_LOST_BARRIER,  /* thread 0 waits for a barrier that it has not signalled right */
	FAKE_ENDLESS,
	FAKE_UNDECODABLE,
};

enum { FAKE_BOX = 12 };
#define FAKE_CODE UINT64_C(0x800100000000)

/* What the fake threads saw and did. */
extern struct fake {
	enum fake_kind kind;
	atomic_uint threads;  /* ended */
	atomic_uint mistakes; /* whatever is not as it should be */
	atomic_uint groups_started;
	atomic_uint fftid_max;
	atomic_uint fftids[1024]; /* residents with that number */
	atomic_uint ran[FAKE_BOX][FAKE_BOX][FAKE_BOX];
	unsigned kernels_made, kernels_destroyed;
} fake;

extern const struct eu_bus fake_bus;

/* Clears `fake` and puts a kernel of that kind at FAKE_CODE. */
void fake_reset(enum fake_kind kind);
/* Puts code at FAKE_CODE + offset; kernels with different `variant` are different. */
void fake_put_code(uint32_t offset, enum fake_kind kind, uint32_t variant);

#endif
