// SPDX-License-Identifier: MIT
#ifndef DEMO_RANGE_H
#define DEMO_RANGE_H

#include <stdbool.h>
#include <stddef.h>

/* An ND-range that the samples run over. Unused dimensions have size 1. */
struct demo_range {
	unsigned dims;
	size_t global[3];
	size_t local[3];
	size_t offset[3];
};

extern const struct demo_range demo_ranges[];
extern const unsigned demo_range_count;

/* Whether a dimension's global size is no multiple of its local size. */
bool demo_range_is_uniform(const struct demo_range *range);

/* Work-items in the range, work-groups in it, work-items of a whole work-group. */
size_t demo_range_items(const struct demo_range *range);
size_t demo_range_groups(const struct demo_range *range);
size_t demo_range_local(const struct demo_range *range);

/* Words that each work-group has of its own: room for whole sub-groups of up to 32 lanes. */
size_t demo_range_capacity(const struct demo_range *range);

/* Work-items in work-group `group`, fewer than demo_range_local at a ragged edge. */
size_t demo_range_members(const struct demo_range *range, size_t group);

/*
 * The number in the range of a work-group's work-item. Numbers count x first, then y, then z: of
 * work-groups in the range, of members in their work-group, of work-items in the range.
 */
size_t demo_range_item(const struct demo_range *range, size_t group, size_t member);

/* "36x10 / 12x5", with "+13" behind it for an offset in x. Returns text. */
const char *demo_range_name(const struct demo_range *range, char *text, size_t size);

#endif
