// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "eu_fake_kernel.h"

#include "eu/code/eu_cache.h"

static int setup(void **state)
{
	fake_reset(FAKE_COUNT);
	*state = eu_cache_create(gen_device_find(NULL));
	assert_non_null(*state);
	return 0;
}

static int teardown(void **state)
{
	eu_cache_destroy(*state);
	assert_int_equal(fake.kernels_made, fake.kernels_destroyed);
	return 0;
}

static struct eu_kernel *find(struct eu_cache *cache, uint32_t offset)
{
	struct gen_fault fault = { 0 };
	struct eu_kernel *kernel = eu_cache_find(cache, &fake_bus, FAKE_CODE + offset,
		(struct eu_options){ .probes = 0 }, NULL, &fault);

	assert_non_null(kernel);
	assert_int_equal(fault.kind, GEN_FAULT_NONE);
	return kernel;
}

static void content_decides(void **state)
{
	struct eu_kernel *first = find(*state, 0);

	assert_ptr_equal(find(*state, 0), first);
	/* The same code elsewhere. */
	fake_put_code(6400, FAKE_COUNT, 0);
	assert_ptr_equal(find(*state, 6400), first);
	/* Other code, different only at its end, where the first was. */
	fake_put_code(0, FAKE_COUNT, 1);
	struct eu_kernel *second = find(*state, 0);
	assert_ptr_not_equal(second, first);
	assert_ptr_equal(find(*state, 6400), first);
	fake_put_code(0, FAKE_COUNT, 0);
	assert_ptr_equal(find(*state, 0), first);
	assert_int_equal(fake.kernels_made, 2);
}

static void the_oldest_goes_first(void **state)
{
	for (uint32_t i = 0; i < EU_CACHE_KERNELS; i++) {
		fake_put_code(0, FAKE_COUNT, i);
		find(*state, 0);
	}
	assert_int_equal(fake.kernels_destroyed, 0);
	/* Number 0 is used again, so that number 1 is the oldest. */
	fake_put_code(0, FAKE_COUNT, 0);
	find(*state, 0);
	fake_put_code(0, FAKE_COUNT, EU_CACHE_KERNELS);
	find(*state, 0);
	assert_int_equal(fake.kernels_made, EU_CACHE_KERNELS + 1);
	assert_int_equal(fake.kernels_destroyed, 1);
	fake_put_code(0, FAKE_COUNT, 0);
	find(*state, 0);
	assert_int_equal(fake.kernels_made, EU_CACHE_KERNELS + 1);
	fake_put_code(0, FAKE_COUNT, 1);
	find(*state, 0);
	assert_int_equal(fake.kernels_made, EU_CACHE_KERNELS + 2);
}

/* They stay while the walker runs, however many, and go when the next one begins. */
static void functions_do_not_stay(void **state)
{
	const unsigned count = 5 * EU_CACHE_KERNELS;
	struct gen_fault fault = { 0 };
	struct eu_dispatch dispatch = { .bus = &fake_bus };
	struct eu_worker worker = { .cache = *state, .dispatch = &dispatch, .fault = &fault };

	find(*state, 0);
	for (uint32_t i = 1; i <= count; i++) {
		fake_put_code(6400, FAKE_COUNT, i);
		assert_non_null(eu_cache_find_function(&worker, FAKE_CODE + 6400));
	}
	assert_int_equal(fault.kind, GEN_FAULT_NONE);
	assert_int_equal(fake.kernels_made, count + 1);
	assert_int_equal(fake.kernels_destroyed, 0);
	find(*state, 0);
	assert_int_equal(fake.kernels_made, count + 1);
	assert_int_equal(fake.kernels_made - fake.kernels_destroyed, EU_CACHE_KERNELS);
}

static void what_cannot_be_run_faults(void **state)
{
	struct gen_fault fault = { 0 };

	assert_null(eu_cache_find(
		*state, &fake_bus, 0x1000, (struct eu_options){ .probes = 0 }, NULL, &fault));
	assert_int_equal(fault.kind, GEN_FAULT_PAGE);
	assert_int_equal(fault.address, 0x1000);
	memset(&fault, 0, sizeof fault);
	fake_put_code(0, FAKE_UNDECODABLE, 0);
	assert_null(eu_cache_find(
		*state, &fake_bus, FAKE_CODE, (struct eu_options){ .probes = 0 }, NULL, &fault));
	assert_int_equal(fault.kind, GEN_FAULT_BAD_INSTRUCTION);
	assert_non_null(strstr(fault.report, "kernel at 0x800100000000"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(content_decides),
		TEST(the_oldest_goes_first),
		TEST(functions_do_not_stay),
		TEST(what_cannot_be_run_faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
