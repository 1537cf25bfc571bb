// SPDX-License-Identifier: MIT
#ifndef EU_BUS_H
#define EU_BUS_H

#include <stdbool.h>
#include <stdint.h>

/* A run of GPU addresses [first, end) that is contiguous in host memory, starting at `host`. */
struct eu_range {
	uint64_t first, end;
	uint8_t *host;
	uint64_t born; /* eu_allocation_moment when the buffer was made */
	/* Where the buffer keeps which of its lines of 64 bytes are noted as cleared (eu_clear.h):
	 * a bit for each, in memory of calloc, NULL until there is a note. NULL: it keeps none. */
	uint64_t *_Atomic *cleared;
};

/*
 * How EU threads and the command streamer see memory. Addresses are 48-bit (bits 63:48 already
 * cleared). A range that was found stays valid until the submission that looked it up has ended.
 */
struct eu_bus {
	void *self;
	/* Finds the bound buffer that holds `address`; false when none does. Thread-safe. */
	bool (*find)(void *self, uint64_t address, struct eu_range *range);
};

#define EU_ADDRESS_MASK UINT64_C(0xffffffffffff)

#endif
