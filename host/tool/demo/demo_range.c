// SPDX-License-Identifier: MIT
#include "tool/demo/demo.h"

#include <stdio.h>

/* One to three dimensions, whole and partial last sub-groups for every width, a sub-group that is
 * shorter than every width, a single work-item, an offset, a ragged edge. */
const struct demo_range demo_ranges[] = {
	{ 1, { 320, 1, 1 }, { 64, 1, 1 }, { 0, 0, 0 } },
	{ 1, { 308, 1, 1 }, { 44, 1, 1 }, { 13, 0, 0 } },
	{ 1, { 512, 1, 1 }, { 256, 1, 1 }, { 0, 0, 0 } },
	{ 1, { 5, 1, 1 }, { 1, 1, 1 }, { 0, 0, 0 } },
	{ 2, { 36, 10, 1 }, { 12, 5, 1 }, { 0, 0, 0 } },
	{ 3, { 8, 6, 6 }, { 4, 3, 2 }, { 3, 2, 1 } },
	{ 2, { 50, 9, 1 }, { 16, 4, 1 }, { 0, 0, 0 } },
};
const unsigned demo_range_count = sizeof(demo_ranges) / sizeof(demo_ranges[0]);

/* A work-group's place in the range and its size, by dimension. */
struct extent {
	size_t origin[3];
	size_t size[3];
};

static size_t groups_along(const struct demo_range *range, unsigned dim)
{
	return (range->global[dim] + range->local[dim] - 1) / range->local[dim];
}

static struct extent extent_of(const struct demo_range *range, size_t group)
{
	struct extent extent;

	for (unsigned dim = 0; dim < 3; dim++) {
		size_t along = groups_along(range, dim);
		extent.origin[dim] = group % along * range->local[dim];
		extent.size[dim] = range->global[dim] - extent.origin[dim];
		if (extent.size[dim] > range->local[dim])
			extent.size[dim] = range->local[dim];
		group /= along;
	}
	return extent;
}

bool demo_range_is_uniform(const struct demo_range *range)
{
	for (unsigned dim = 0; dim < 3; dim++)
		if (range->global[dim] % range->local[dim])
			return false;
	return true;
}

size_t demo_range_items(const struct demo_range *range)
{
	return range->global[0] * range->global[1] * range->global[2];
}

size_t demo_range_groups(const struct demo_range *range)
{
	return groups_along(range, 0) * groups_along(range, 1) * groups_along(range, 2);
}

size_t demo_range_local(const struct demo_range *range)
{
	return range->local[0] * range->local[1] * range->local[2];
}

size_t demo_range_capacity(const struct demo_range *range)
{
	return (demo_range_local(range) + 31) / 32 * 32;
}

size_t demo_range_members(const struct demo_range *range, size_t group)
{
	struct extent extent = extent_of(range, group);

	return extent.size[0] * extent.size[1] * extent.size[2];
}

size_t demo_range_item(const struct demo_range *range, size_t group, size_t member)
{
	struct extent extent = extent_of(range, group);
	size_t x = extent.origin[0] + member % extent.size[0];
	size_t y = extent.origin[1] + member / extent.size[0] % extent.size[1];
	size_t z = extent.origin[2] + member / extent.size[0] / extent.size[1];

	return (z * range->global[1] + y) * range->global[0] + x;
}

/* Appends "36x10" to text. */
static int write_sizes(char *text, size_t size, const size_t *sizes, unsigned dims)
{
	int length = 0;

	for (unsigned dim = 0; dim < dims && (size_t)length < size; dim++)
		length += snprintf(
			text + length, size - (size_t)length, dim ? "x%zu" : "%zu", sizes[dim]);
	return length;
}

const char *demo_range_name(const struct demo_range *range, char *text, size_t size)
{
	char global[64], local[64], offset[64] = "";

	write_sizes(global, sizeof(global), range->global, range->dims);
	write_sizes(local, sizeof(local), range->local, range->dims);
	if (range->offset[0]) {
		offset[0] = '+';
		write_sizes(offset + 1, sizeof(offset) - 1, range->offset, range->dims);
	}
	snprintf(text, size, "%s/%s%s", global, local, offset);
	return text;
}
