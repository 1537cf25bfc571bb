// SPDX-License-Identifier: MIT
#include "test.h"
#include "test_random.h"

#include <stdlib.h>
#include <string.h>

#include "eu/state/eu_bus.h"
#include "eu/watch/eu_allocation.h"
#include "eu/watch/eu_written.h"

enum { PAGES = 256, STEPS = 20000 };

static void assert_found(uint64_t address, uint64_t first, uint64_t end)
{
	struct eu_allocation extent = { .first = 1, .end = 1 };

	assert_true(eu_allocation_find(address, &extent));
	assert_int_equal(extent.first, first);
	assert_int_equal(extent.end, end);
}

static void the_last_before_is_found(void **state)
{
	struct eu_allocation extent;

	(void)state;
	assert_false(eu_allocation_find(0x5000, &extent));
	assert_true(eu_allocation_add(0x5000 | ~EU_ADDRESS_MASK, 100));
	assert_true(eu_allocation_add(0x3000, 1));
	assert_false(eu_allocation_find(0x2fff, &extent));
	assert_found(0x3000, 0x3000, 0x3001);
	assert_found(0x4fff, 0x3000, 0x3001);
	assert_found(0x5000, 0x5000, 0x5064);
	assert_found(EU_ADDRESS_MASK, 0x5000, 0x5064);
	/* Only of what begins there. */
	eu_allocation_remove(0x5001);
	assert_found(0x5001, 0x5000, 0x5064);
	eu_allocation_remove(0x5000 | ~EU_ADDRESS_MASK);
	assert_found(0x5001, 0x3000, 0x3001);
	/* What is there now was not told to have gone. */
	assert_true(eu_allocation_add(0x2ff0, 0x20));
	assert_found(0x3000, 0x2ff0, 0x3010);
	eu_allocation_remove(0x2ff0);
	assert_false(eu_allocation_find(0x5000, &extent));
}

/* Against a table of where each page's allocation begins. */
static void many_come_and_go(void **state)
{
	static unsigned sizes[PAGES]; /* of the allocation that begins at this page; 0: none does */
	struct eu_allocation extent;
	uint64_t seed = 7;

	(void)state;
	for (unsigned step = 0; step < STEPS; step++) {
		unsigned page = (unsigned)test_random(&seed) % PAGES, last = page;
		if (test_random(&seed) % 2) {
			unsigned size = 1 + (unsigned)test_random(&seed) % 8;
			for (unsigned i = 0; i < PAGES; i++)
				if (i < page + size && page < i + sizes[i])
					sizes[i] = 0;
			sizes[page] = size;
			assert_true(eu_allocation_add(page * 4096, size * 4096));
		} else {
			sizes[page] = 0;
			eu_allocation_remove(page * 4096);
		}
		page = (unsigned)test_random(&seed) % PAGES;
		for (last = page; last > 0 && !sizes[last];)
			last--;
		if (sizes[last])
			assert_found(page * 4096 + 5, last * 4096, (last + sizes[last]) * 4096);
		else
			assert_false(eu_allocation_find(page * 4096 + 5, &extent));
	}
}

static bool is_written(uint64_t first, uint64_t end)
{
	struct eu_allocation extent;

	assert_true(eu_allocation_find(first, &extent));
	return !extent.written ||
	       eu_written_has(extent.written, first - extent.first, end - extent.first);
}

static void bytes_are_written_one_by_one(void **state)
{
	(void)state;
	assert_true(eu_allocation_add(0x700000, 1000));
	assert_true(is_written(0x700000, 0x7003e8));
	eu_allocation_clear(0x700000);
	assert_false(is_written(0x700000, 0x700001));
	eu_allocation_write(0x70003f, 3);
	assert_true(is_written(0x70003f, 0x700042));
	assert_false(is_written(0x70003e, 0x700042));
	assert_false(is_written(0x70003f, 0x700043));
	/* No further than to the end. */
	eu_allocation_write(0x7003e0, 5000);
	assert_true(is_written(0x7003e0, 0x7003e8));
	assert_false(is_written(0x7003df, 0x7003e8));
	/* What is there next begins anew, in the same place. */
	struct eu_allocation extent;
	uint64_t moment = eu_allocation_moment();
	eu_allocation_own(0x700000);
	assert_true(eu_allocation_find(0x700000, &extent) && extent.is_programs);
	assert_true(extent.born <= moment);
	eu_allocation_remove(0x700000);
	assert_true(eu_allocation_add(0x700000, 1000));
	assert_true(eu_allocation_find(0x700000, &extent) && !extent.is_programs);
	assert_true(extent.born > moment);
	eu_allocation_clear(0x700000);
	assert_false(is_written(0x70003f, 0x700042));
	eu_allocation_write(0x700100, 0);
	assert_true(is_written(0x700000, 0x7003e8));
	eu_allocation_remove(0x700000);
}

static void is_released(uint64_t address, bool wanted)
{
	struct eu_allocation extent;

	for (unsigned i = 0; i < 2; i++) { /* the second time, by what the first has found */
		if (eu_allocation_find(address, &extent))
			assert_true(extent.first <= address);
		assert_int_equal(eu_allocation_find_released(address, &extent), wanted);
		assert_true(!wanted || (address >= extent.first && address < extent.end));
	}
}

/* Memory of the program's that is gone is found until it is in use again, and no other. */
static void the_released_are_found(void **state)
{
	(void)state;
	assert_true(eu_allocation_add(0x800000, 64));
	assert_true(eu_allocation_add(0x801000, 64));
	assert_true(eu_allocation_add(0x802000, 64));
	eu_allocation_own(0x801000);
	is_released(0x801008, false);
	is_released(0x800100, false);
	eu_allocation_remove(0x801000);
	is_released(0x801008, true);
	is_released(0x80103f, true);
	is_released(0x801040, false);
	is_released(0x800100, false);
	assert_true(eu_allocation_add(0x801020, 8));
	is_released(0x801008, false);
	is_released(0x801024, false);
	eu_allocation_remove(0x802000); /* no program's */
	is_released(0x802000, false);
	eu_allocation_own(0x800000);
	eu_allocation_remove(0x800000); /* the first of all */
	is_released(0x800000, true);
	is_released(0x800040, false);
	eu_allocation_remove(0x801020);
	is_released(0x801024, false);
	is_released(0x800008, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_before_is_found),
		cmocka_unit_test(many_come_and_go),
		cmocka_unit_test(bytes_are_written_one_by_one),
		cmocka_unit_test(the_released_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
