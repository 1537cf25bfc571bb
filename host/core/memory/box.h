// SPDX-License-Identifier: MIT
#ifndef BOX_H
#define BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A box of bytes in linear memory: origin in bytes, rows and slices, pitches in bytes. */
struct box {
	char *address; /* of the allocation that the origin counts from */
	size_t origin[3];
	size_t row_pitch, slice_pitch;
};

/* A copy of region[0] x region[1] x region[2] bytes; { size, 1, 1 } for one piece. */
struct box_copy {
	struct box to, from;
	size_t region[3];
	bool from_host, to_host; /* that end is memory of the application that the device lacks */
};

/* Returns the address of the first byte. */
static inline char *box_start(const struct box *box)
{
	return box->address + box->origin[0] + box->origin[1] * box->row_pitch +
	       box->origin[2] * box->slice_pitch;
}

/* Bytes of the region of a copy. */
static inline size_t box_bytes(const size_t region[3])
{
	return region[0] * region[1] * region[2];
}

/* The region, tightly packed. */
static inline struct box box_packed(char *address, const size_t region[3])
{
	return (struct box){
		.address = address, .row_pitch = region[0], .slice_pitch = region[0] * region[1]
	};
}

/* Returns whether the bytes are contiguous at both ends. */
bool box_copy_is_plain(const struct box_copy *copy);

/* Returns whether they are not, and Level Zero's sizes and pitches of 32 bits are too short. */
bool box_copy_is_wide(const struct box_copy *copy);

/*
 * Returns whether the ends share a byte, exactly, and stores the address of one in *shared. Rows
 * must not overlap within an end, slices neither, and a slice pitch is a multiple of the row pitch.
 * Ends of equal pitches take constant time, others time proportional to the number of rows.
 */
bool box_copy_overlaps(const struct box_copy *copy, uintptr_t *shared);

/* Copies with the processor. */
void box_copy_run(const struct box_copy *copy);

#endif
