// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdlib.h>

#include "tool/demo/demo.h"

static const struct demo_range ragged = { 2, { 50, 9, 1 }, { 16, 4, 1 }, { 0, 0, 0 } };

static void every_item_is_in_one_group(void **state)
{
	(void)state;
	for (unsigned i = 0; i < demo_range_count; i++) {
		const struct demo_range *range = &demo_ranges[i];
		size_t items = demo_range_items(range), total = 0;
		unsigned char *seen = calloc(items, 1);

		assert_non_null(seen);
		for (size_t group = 0; group < demo_range_groups(range); group++) {
			size_t members = demo_range_members(range, group);
			assert_in_range(members, 1, demo_range_local(range));
			for (size_t member = 0; member < members; member++) {
				size_t item = demo_range_item(range, group, member);
				assert_in_range(item, 0, items - 1);
				assert_int_equal(seen[item]++, 0);
			}
			total += members;
		}
		assert_int_equal(total, items);
		free(seen);
	}
}

static void counts_of_a_ragged_range(void **state)
{
	(void)state;
	assert_false(demo_range_is_uniform(&ragged));
	assert_int_equal(demo_range_items(&ragged), 450);
	assert_int_equal(demo_range_groups(&ragged), 12);
	assert_int_equal(demo_range_capacity(&ragged), 64);
	assert_int_equal(demo_range_members(&ragged, 0), 64);
	assert_int_equal(demo_range_members(&ragged, 3), 8);  /* 2 x 4 */
	assert_int_equal(demo_range_members(&ragged, 8), 16); /* 16 x 1 */
	assert_int_equal(demo_range_members(&ragged, 11), 2);
	assert_int_equal(demo_range_item(&ragged, 1, 0), 16);
	assert_int_equal(demo_range_item(&ragged, 5, 17), 5 * 50 + 17);
	assert_int_equal(demo_range_item(&ragged, 11, 1), 8 * 50 + 49);
}

static void capacity_holds_whole_sub_groups(void **state)
{
	(void)state;
	for (unsigned i = 0; i < demo_range_count; i++)
		for (size_t width = 8; width <= 32; width *= 2) {
			size_t local = demo_range_local(&demo_ranges[i]);
			assert_true((local + width - 1) / width * width <=
				    demo_range_capacity(&demo_ranges[i]));
		}
}

static void names(void **state)
{
	const struct demo_range shifted = { 3, { 8, 6, 6 }, { 4, 3, 2 }, { 3, 2, 1 } };
	char text[96];

	(void)state;
	assert_string_equal(demo_range_name(&ragged, text, sizeof(text)), "50x9/16x4");
	assert_string_equal(demo_range_name(&shifted, text, sizeof(text)), "8x6x6/4x3x2+3x2x1");
}

/* The demo must show what it says: partial sub-groups at every width, and one to three dimensions.
 */
static void ranges_reach_the_corners(void **state)
{
	unsigned dims = 0, ragged_ones = 0, offsets = 0;

	(void)state;
	for (unsigned i = 0; i < demo_range_count; i++) {
		dims |= 1u << demo_ranges[i].dims;
		ragged_ones += !demo_range_is_uniform(&demo_ranges[i]);
		offsets += demo_ranges[i].offset[0] != 0;
	}
	assert_int_equal(dims, 1 << 1 | 1 << 2 | 1 << 3);
	assert_true(ragged_ones && offsets);
	for (size_t width = 8; width <= 32; width *= 2) {
		unsigned partial = 0, whole = 0;
		for (unsigned i = 0; i < demo_range_count; i++) {
			size_t local = demo_range_local(&demo_ranges[i]);
			whole += local % width == 0;
			partial += local > width && local % width != 0;
		}
		assert_true(partial && whole);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_item_is_in_one_group),
		cmocka_unit_test(counts_of_a_ragged_range),
		cmocka_unit_test(capacity_holds_whole_sub_groups),
		cmocka_unit_test(names),
		cmocka_unit_test(ranges_reach_the_corners),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
