// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include "compile/compile_reflect.h"
#include "core/ndrange.h"

#include <string.h>

struct row {
	cl_int code;
	cl_uint dims;
	size_t offset[3], global[3], local[3]; /* local[0] 0: NULL */
	size_t required[3];
	size_t want[3]; /* local size chosen; want[0] 0: any that divides */
};

static const struct row rows[] = {
	{ CL_SUCCESS, 1, { 0 }, { 64 }, { 16 }, { 0 }, { 16, 1, 1 } },
	{ CL_SUCCESS, 3, { 1, 2, 3 }, { 8, 6, 4 }, { 4, 3, 2 }, { 0 }, { 4, 3, 2 } },
	{ CL_SUCCESS, 1, { 0 }, { 64 }, { 0 }, { 0 }, { 0 } },
	{ CL_SUCCESS, 2, { 0 }, { 997, 3 }, { 0 }, { 0 }, { 0 } },
	{ CL_SUCCESS, 3, { 0 }, { 1, 1, 1000003 }, { 0 }, { 0 }, { 0 } },
	{ CL_SUCCESS, 2, { 0 }, { 64, 64 }, { 0 }, { 8, 4, 1 }, { 8, 4, 1 } },
	{ CL_SUCCESS, 1, { 0 }, { 0 }, { 0 }, { 0 }, { 0 } },
	{ CL_SUCCESS, 1, { SIZE_MAX - 64 }, { 64 }, { 64 }, { 0 }, { 64, 1, 1 } },
	{ CL_INVALID_WORK_DIMENSION, 0, { 0 }, { 64 }, { 0 }, { 0 }, { 0 } },
	{ CL_INVALID_WORK_DIMENSION, 4, { 0 }, { 64 }, { 0 }, { 0 }, { 0 } },
	{ CL_INVALID_GLOBAL_OFFSET, 1, { SIZE_MAX - 63 }, { 64 }, { 64 }, { 0 }, { 0 } },
	{ CL_INVALID_WORK_GROUP_SIZE, 1, { 0 }, { 64 }, { 48 }, { 0 }, { 0 } },
	{ CL_INVALID_WORK_GROUP_SIZE, 2, { 0 }, { 64, 64 }, { 8, 0 }, { 0 }, { 0 } },
	{ CL_INVALID_WORK_GROUP_SIZE, 1, { 0 }, { 1 << 20 }, { 1 << 20 }, { 0 }, { 0 } },
	{ CL_INVALID_WORK_GROUP_SIZE, 2, { 0 }, { SIZE_MAX, SIZE_MAX }, { SIZE_MAX, SIZE_MAX },
		{ 0 }, { 0 } },
	{ CL_INVALID_WORK_GROUP_SIZE, 2, { 0 }, { 64, 64 }, { 4, 8 }, { 8, 4, 1 }, { 0 } },
	{ CL_INVALID_WORK_GROUP_SIZE, 1, { 0 }, { 64 }, { 0 }, { 8, 4, 1 }, { 0 } },
	{ CL_INVALID_GLOBAL_WORK_SIZE, 1, { 0 }, { (size_t)1 << 40 }, { 1 }, { 0 }, { 0 } },
};

static void check(struct queue_fixture *f, const struct row *row)
{
	struct compile_kernel info = { .name = "set" };
	struct ndrange range;
	struct kernel *kernel = f->set;

	memcpy(info.work_group_size, row->required, sizeof info.work_group_size);
	kernel->info = &info;
	kernel->args[0].set = kernel->args[1].set = true;
	memset(&range, 0xee, sizeof range);
	cl_int rc = ndrange_resolve(kernel, f->context->devices[0], row->dims, row->offset,
		row->global, row->local[0] ? row->local : NULL, &range);
	assert_int_equal(rc, row->code);
	if (rc)
		return;
	for (cl_uint i = 0; i < 3; i++) {
		size_t global = i < row->dims ? row->global[i] : 1;
		bool empty = !row->global[0];

		assert_int_equal(range.global[i], global);
		assert_int_equal(range.offset[i], i < row->dims ? row->offset[i] : 0);
		if (empty) {
			assert_int_equal(range.groups[i], 0);
			continue;
		}
		assert_true(range.local[i] > 0);
		assert_int_equal(range.groups[i] * range.local[i], global);
		if (row->want[0])
			assert_int_equal(range.local[i], row->want[i]);
	}
}

static void test_rows(void **state)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		print_message("row %zu\n", i);
		check(*state, &rows[i]);
	}
}

/* The driver's own advice may be missing, or bad. */
static void test_without_advice(void **state)
{
	for (size_t i = 0; i < 6; i++) {
		l0_fake.fail_after = 1;
		check(*state, &rows[i]);
		l0_fake.fail_after = 0;
	}
}

static void test_args(void **state)
{
	struct queue_fixture *f = *state;
	struct compile_kernel info = { .name = "set" };
	struct device *device = f->context->devices[0];
	struct ndrange range;
	size_t n = 8;

	f->set->info = &info;
	assert_int_equal(
		ndrange_resolve(NULL, device, 1, NULL, &n, NULL, &range), CL_INVALID_KERNEL);
	f->set->args[0].set = true;
	f->set->args[1].set = false;
	assert_int_equal(
		ndrange_resolve(f->set, device, 1, NULL, &n, NULL, &range), CL_INVALID_KERNEL_ARGS);
	f->set->args[1].set = true;
	assert_int_equal(ndrange_resolve(f->set, device, 1, NULL, &n, NULL, &range), CL_SUCCESS);
	info.local_bytes = device->local_mem_size + 1;
	assert_int_equal(
		ndrange_resolve(f->set, device, 1, NULL, &n, NULL, &range), CL_OUT_OF_RESOURCES);
}

int main(void)
{
#define TEST(name)                                                                                 \
	cmocka_unit_test_setup_teardown(name, queue_fixture_setup, queue_fixture_teardown)
	static const struct CMUnitTest tests[] = {
		TEST(test_rows),
		TEST(test_without_advice),
		TEST(test_args),
	};
#undef TEST

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
