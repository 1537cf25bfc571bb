// SPDX-License-Identifier: MIT
#include "core/memory/box.h"

#include <string.h>

bool box_copy_is_plain(const struct box_copy *copy)
{
	const size_t *region = copy->region;
	bool rows = region[1] == 1 ||
		    (copy->to.row_pitch == region[0] && copy->from.row_pitch == region[0]);
	bool slices = region[2] == 1 || (copy->to.slice_pitch == region[0] * region[1] &&
						copy->from.slice_pitch == region[0] * region[1]);

	return rows && slices;
}

bool box_copy_is_wide(const struct box_copy *copy)
{
	return !box_copy_is_plain(copy) &&
	       (copy->to.row_pitch | copy->to.slice_pitch | copy->from.row_pitch |
		       copy->from.slice_pitch | copy->region[0] | copy->region[1] |
		       copy->region[2]) > UINT32_MAX;
}

void box_copy_run(const struct box_copy *copy)
{
	char *to = box_start(&copy->to);
	const char *from = box_start(&copy->from);

	if (box_copy_is_plain(copy)) {
		memmove(to, from, box_bytes(copy->region));
		return;
	}
	for (size_t z = 0; z < copy->region[2]; z++)
		for (size_t y = 0; y < copy->region[1]; y++)
			memmove(to + z * copy->to.slice_pitch + y * copy->to.row_pitch,
				from + z * copy->from.slice_pitch + y * copy->from.row_pitch,
				copy->region[0]);
}

static size_t box_span(const struct box *box, const size_t region[3])
{
	return (region[2] - 1) * box->slice_pitch + (region[1] - 1) * box->row_pitch + region[0];
}

/*
 * Ends of equal pitches, `apart` bytes from each other, share a byte if that is dx + dy rows + dz
 * slices for some |dx| < region[0], |dy| < region[1] and |dz| < region[2]. Rows being no shorter
 * than the region, and slices neither, two values of dx and two of dy are possible. *offset is
 * where the byte is in the lower end.
 */
static bool equal_boxes_meet(
	size_t apart, const struct box *box, const size_t region[3], size_t *offset)
{
	size_t row = box->row_pitch, rows = box->slice_pitch / row;

	for (int left = 0; left < 2; left++) {
		size_t dx = left ? row - apart % row : apart % row;
		size_t high = left ? apart / row + 1 : apart / row;

		for (int up = 0; up < 2 && dx < region[0]; up++) {
			size_t dy = up ? rows - high % rows : high % rows;
			size_t dz = up ? high / rows + 1 : high / rows;

			if (dy >= region[1] || dz >= region[2])
				continue;
			*offset = (left ? 0 : dx) + (up ? 0 : dy) * row + dz * box->slice_pitch;
			return true;
		}
	}
	return false;
}

/*
 * The last row of a box that begins before `end`, which is not 0: all rows being of one length, no
 * other reaches further.
 */
static size_t last_row_before(size_t end, const struct box *box, const size_t region[3])
{
	size_t z = (end - 1) / box->slice_pitch;
	size_t y = (end - 1) % box->slice_pitch / box->row_pitch;

	if (z >= region[2])
		return box_span(box, region) - region[0];
	return z * box->slice_pitch + (y < region[1] ? y : region[1] - 1) * box->row_pitch;
}

static bool rows_meet(uintptr_t to, uintptr_t from, const struct box_copy *copy, uintptr_t *shared)
{
	const size_t *region = copy->region;

	for (size_t z = 0; z < region[2]; z++)
		for (size_t y = 0; y < region[1]; y++) {
			uintptr_t row = to + z * copy->to.slice_pitch + y * copy->to.row_pitch;

			if (row + region[0] <= from)
				continue;
			uintptr_t other =
				from + last_row_before(row + region[0] - from, &copy->from, region);
			if (other + region[0] <= row)
				continue;
			*shared = row > other ? row : other;
			return true;
		}
	return false;
}

bool box_copy_overlaps(const struct box_copy *copy, uintptr_t *shared)
{
	uintptr_t from = (uintptr_t)box_start(&copy->from);
	uintptr_t to = (uintptr_t)box_start(&copy->to);
	uintptr_t low = from < to ? from : to, high = from < to ? to : from;
	size_t offset;

	if (from + box_span(&copy->from, copy->region) <= to ||
		to + box_span(&copy->to, copy->region) <= from)
		return false;
	if (copy->from.row_pitch != copy->to.row_pitch ||
		copy->from.slice_pitch != copy->to.slice_pitch)
		return rows_meet(to, from, copy, shared);
	if (!equal_boxes_meet(high - low, &copy->to, copy->region, &offset))
		return false;
	*shared = low + offset;
	return true;
}
