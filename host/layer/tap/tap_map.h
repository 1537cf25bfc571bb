// SPDX-License-Identifier: MIT
#ifndef TAP_MAP_H
#define TAP_MAP_H

#include <stddef.h>
#include <stdint.h>

/* Numbers by keys of 128 bits. Nothing is ever removed. Zeroed, a map is empty. */
struct tap_key {
	uint64_t low, high;
};

struct tap_map {
	struct tap_slot {
		struct tap_key key;
		uint64_t value; /* 0: free */
	} * slots;
	size_t n, room;
};

/* The value, or 0. */
uint64_t tap_map_get(const struct tap_map *map, struct tap_key key);
/* Sets a value that is not 0; what cannot be kept for lack of memory is not there. */
void tap_map_set(struct tap_map *map, struct tap_key key, uint64_t value);

#endif
