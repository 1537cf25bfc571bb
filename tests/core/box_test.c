// SPDX-License-Identifier: MIT
/* Every byte of both ends is marked, for thousands of small rects, and more by hand. */
#include "core/memory/box.h"

#include "test.h"
#include "test_random.h"

#include <string.h>

#define ROOM  20000
#define PAIRS 200000

static uint64_t seed = 1;

static unsigned random_below(unsigned n)
{
	return test_random_below(&seed, n);
}

/* Writes `bit` to each byte of the end, one at a time, and returns whether another was there. */
static bool mark(unsigned char *marks, const char *base, const struct box *box,
	const size_t region[3], unsigned char bit)
{
	bool met = false;

	for (size_t z = 0; z < region[2]; z++)
		for (size_t y = 0; y < region[1]; y++)
			for (size_t x = 0; x < region[0]; x++) {
				const char *at =
					box->address + (box->origin[2] + z) * box->slice_pitch +
					(box->origin[1] + y) * box->row_pitch + box->origin[0] + x;
				unsigned char *byte = &marks[at - base];

				assert_in_range(at - base, 0, ROOM - 1);
				met |= *byte && *byte != bit;
				*byte |= bit;
			}
	return met;
}

static void random_box(struct box *box, char *base, const size_t region[3])
{
	*box = (struct box){ .address = base + random_below(60) };
	for (int i = 0; i < 3; i++)
		box->origin[i] = random_below(5);
	box->row_pitch = region[0] + random_below(3) * random_below(9);
	box->slice_pitch = box->row_pitch * (region[1] + random_below(4));
}

static void check_random(bool same_pitches, unsigned *overlapping)
{
	static char base[ROOM];
	static unsigned char marks[ROOM];
	struct box_copy copy = { 0 };
	uintptr_t shared = 0;

	for (int i = 0; i < 3; i++)
		copy.region[i] = 1 + random_below(i ? 5 : 7);
	random_box(&copy.from, base, copy.region);
	random_box(&copy.to, base, copy.region);
	if (same_pitches) {
		copy.to.row_pitch = copy.from.row_pitch;
		copy.to.slice_pitch = copy.from.slice_pitch;
	}
	memset(marks, 0, sizeof marks);
	(void)mark(marks, base, &copy.from, copy.region, 1);
	bool want = mark(marks, base, &copy.to, copy.region, 2);
	assert_int_equal(box_copy_overlaps(&copy, &shared), want);
	if (want) {
		assert_in_range(shared - (uintptr_t)base, 0, ROOM - 1);
		assert_int_equal(marks[shared - (uintptr_t)base], 3);
	}
	*overlapping += want;
}

static void equal_pitches(void **state)
{
	unsigned overlapping = 0;

	(void)state;
	for (int i = 0; i < PAIRS; i++)
		check_random(true, &overlapping);
	assert_in_range(overlapping, PAIRS / 8, PAIRS - PAIRS / 8);
}

static void other_pitches(void **state)
{
	unsigned overlapping = 0;

	(void)state;
	for (int i = 0; i < PAIRS; i++)
		check_random(false, &overlapping);
	assert_in_range(overlapping, PAIRS / 8, PAIRS - PAIRS / 8);
}

/* Of a buffer of gigabytes, where products would not fit in 32 bits. */
static void large_rects(void **state)
{
	char *base = (char *)(uintptr_t)(1ull << 40);
	struct box_copy copy = {
		.from = { .address = base, .row_pitch = 70000, .slice_pitch = 70000ull * 70000 },
		.region = { 1000, 1000, 1000 },
	};
	uintptr_t shared = 0;

	(void)state;
	copy.to = copy.from;
	copy.to.origin[0] = 999;
	copy.to.origin[1] = 999;
	copy.to.origin[2] = 999;
	assert_true(box_copy_overlaps(&copy, &shared));
	assert_int_equal(shared, (uintptr_t)base + 999 * (1 + 70000ull + 70000ull * 70000));
	for (int i = 0; i < 3; i++) {
		copy.to.origin[i] = 1000;
		assert_false(box_copy_overlaps(&copy, &shared));
		copy.to.origin[i] = 999;
	}
	/* the last row of the one and the first of the other touch across a gap */
	copy.to.origin[0] = 70000 - 999;
	copy.to.origin[1] = 998;
	assert_true(box_copy_overlaps(&copy, &shared));
	copy.to.origin[0] = 70000 - 1000;
	assert_false(box_copy_overlaps(&copy, &shared));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_pitches),
		cmocka_unit_test(other_pitches),
		cmocka_unit_test(large_rects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
