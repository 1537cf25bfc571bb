// SPDX-License-Identifier: MIT
#include "queue_fixture.h"
#include "test_random.h"

#include "compile/spirv/implicit_args.h"
#include "core/program/program_code.h"
#include "core/kernel/ndrange.h"

#include <stdlib.h>
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
	struct compile_kernel info = { .name = "set", .n_args = 2 };
	struct ndrange range;
	struct kernel *kernel = f->set;

	memcpy(info.work_group_size, row->required, sizeof info.work_group_size);
	kernel->info = kernel->forms->info = &info;
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
	struct compile_kernel info = { .name = "set", .n_args = 2 };
	struct device *device = f->context->devices[0];
	struct ndrange range;
	size_t n = 8;

	f->set->info = f->set->forms->info = &info;
	assert_int_equal(
		ndrange_resolve(NULL, device, 1, NULL, &n, NULL, &range), CL_INVALID_KERNEL);
	f->set->args[0].set = true;
	f->set->args[1].set = false;
	assert_int_equal(
		ndrange_resolve(f->set, device, 1, NULL, &n, NULL, &range), CL_INVALID_KERNEL_ARGS);
	f->set->args[1].set = true;
	assert_int_equal(ndrange_resolve(f->set, device, 1, NULL, &n, NULL, &range), CL_SUCCESS);
	kernel_touch(f->set);
	f->set->forms->checked = 0;
	info.local_bytes = device->local_mem_size + 1;
	assert_int_equal(
		ndrange_resolve(f->set, device, 1, NULL, &n, NULL, &range), CL_OUT_OF_RESOURCES);
}

/* Sizes that are no multiples, where the kernel may have them. */
static void test_ragged(void **state)
{
	struct queue_fixture *f = *state;
	struct compile_kernel info = { .name = "set", .n_args = 2, .simd_size = 16 };
	struct device *device = f->context->devices[0];
	const size_t global[] = { 50, 9, 1 }, local[] = { 16, 4, 1 }, prime[] = { 1, 1, 1000003 };
	struct ndrange range;

	f->set->info = f->set->forms->info = &info;
	f->set->args[0].set = f->set->args[1].set = true;
	assert_int_equal(ndrange_resolve(f->set, device, 2, NULL, global, local, &range),
		CL_INVALID_WORK_GROUP_SIZE);
	f->set->forms->may_be_ragged = true;
	assert_int_equal(
		ndrange_resolve(f->set, device, 2, NULL, global, local, &range), CL_SUCCESS);
	assert_int_equal(range.groups[0], 4);
	assert_int_equal(range.groups[1], 3);
	assert_int_equal(range.groups[2], 1);
	assert_int_equal(ndrange_n_parts(&range), 4);
	/* left to us, groups are not tiny, unless the kernel asks for their number */
	l0_fake.fail_after = 1;
	assert_int_equal(ndrange_resolve(f->set, device, 3, NULL, prime, NULL, &range), CL_SUCCESS);
	assert_true(range.local[2] >= 32 && range.local[0] == 1 && range.local[1] == 1);
	f->set->forms->uses = IMPLICIT_ARGS_NUM_GROUPS;
	f->set->forms->is_implicit = true;
	l0_fake.fail_after = 1;
	assert_int_equal(ndrange_resolve(f->set, device, 3, NULL, prime, NULL, &range), CL_SUCCESS);
	assert_int_equal(1000003 % range.local[2], 0);
	info.work_group_size[0] = 16;
	info.work_group_size[1] = info.work_group_size[2] = 1;
	assert_int_equal(ndrange_resolve(f->set, device, 2, NULL, global, local, &range),
		CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(
		ndrange_resolve(f->set, device, 2, NULL, global, NULL, &range), CL_SUCCESS);
	assert_int_equal(range.local[0], 16);
	assert_int_equal(range.groups[0], 4);
}

static struct ndrange make_range(const size_t global[3], const size_t local[3])
{
	struct ndrange range = { .dims = 3 };

	for (int i = 0; i < 3; i++) {
		range.global[i] = global[i];
		range.local[i] = local[i];
		range.groups[i] = (uint32_t)((global[i] + local[i] - 1) / local[i]);
	}
	return range;
}

/* The parts together are the range: every work-item once, in its group, at its place. */
static void cover(const struct ndrange *range)
{
	static unsigned char seen[32 * 32 * 32];
	size_t n = ndrange_n_parts(range);

	memset(seen, 0, sizeof seen);
	assert_in_range(n, 1, 8);
	for (size_t p = 0; p < n; p++) {
		struct ndrange_part part;

		memset(&part, 0xee, sizeof part);
		ndrange_part(range, p, &part);
		for (int i = 0; i < 3; i++)
			assert_int_equal(part.first_item[i], part.first_group[i] * range->local[i]);
		for (size_t z = 0; z < part.groups[2] * part.local[2]; z++)
			for (size_t y = 0; y < part.groups[1] * part.local[1]; y++)
				for (size_t x = 0; x < part.groups[0] * part.local[0]; x++)
					seen[((part.first_item[2] + z) * 32 + part.first_item[1] +
						     y) *
							32 +
						part.first_item[0] + x]++;
	}
	for (size_t i = 0; i < sizeof seen; i++)
		assert_int_equal(seen[i], i % 32 < range->global[0] &&
						  i / 32 % 32 < range->global[1] &&
						  i / 1024 < range->global[2]);
}

static void test_parts(void **state)
{
	uint64_t seed = 5;

	(void)state;
	for (int round = 0; round < 300; round++) {
		size_t global[3], local[3];

		for (int i = 0; i < 3; i++) {
			global[i] = 1 + (size_t)test_random(&seed) % 32;
			local[i] = 1 + (size_t)test_random(&seed) % 40;
		}
		struct ndrange range = make_range(global, local);
		cover(&range);
	}
	const struct ndrange none = make_range((size_t[]){ 4, 0, 4 }, (size_t[]){ 2, 2, 2 });
	assert_int_equal(ndrange_n_parts(&none), 0);
}

static void regroup(
	struct queue_fixture *f, const size_t *global, const size_t *local, struct ndrange *range)
{
	*range = make_range(global, local);
	ndrange_regroup(f->set, f->context->devices[0], range);
}

/* Groups that the kernel does not see become such that fill sub-groups, or stay. */
static void test_regroup(void **state)
{
	static const struct {
		size_t global[3], local[3];
		bool stays;
	} cases[] = {
		{ { 1000, 1, 1 }, { 1, 1, 1 }, false },
		{ { 3001, 100, 1 }, { 1, 100, 1 }, false },
		{ { 7, 5, 3 }, { 7, 1, 1 }, false },
		{ { 1, 1, 1000 }, { 1, 1, 10 }, false },
		{ { 1000, 2, 1 }, { 8, 2, 1 }, true },
		{ { 1024, 1, 1 }, { 256, 1, 1 }, true },
		{ { 15, 1, 1 }, { 15, 1, 1 }, true },
		{ { 1, 1, 1 }, { 1, 1, 1 }, true },
	};
	struct queue_fixture *f = *state;
	struct compile_kernel info = { .name = "set", .n_args = 2, .simd_size = 16 };
	struct ndrange range, before;
	uint64_t seed = 77;

	f->set->info = f->set->forms->info = &info;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		before = make_range(cases[i].global, cases[i].local);
		info.sees_no_groups = false;
		regroup(f, cases[i].global, cases[i].local, &range);
		assert_memory_equal(&range, &before, sizeof range);
		info.sees_no_groups = true;
		regroup(f, cases[i].global, cases[i].local, &range);
		if ((memcmp(&range, &before, sizeof range) == 0) != cases[i].stays)
			fail_msg("case %zu", i);
		info.work_group_size[0] = 1;
		regroup(f, cases[i].global, cases[i].local, &range);
		assert_memory_equal(&range, &before, sizeof range);
		info.work_group_size[0] = 0;
	}
	for (int round = 0; round < 300; round++) {
		size_t global[3], local[3], items = 1;

		f->set->forms->uses = test_random(&seed) % 2 ? IMPLICIT_ARGS_GLOBAL_SIZE : 0;
		for (int i = 0; i < 3; i++) {
			local[i] = 1 + (size_t)test_random(&seed) % 3;
			global[i] = local[i] * (1 + (size_t)test_random(&seed) % (32 / local[i]));
		}
		regroup(f, global, local, &range);
		cover(&range);
		for (int i = 0; i < 3; i++)
			items *= range.local[i];
		assert_true(items <= 128);
		/* Who asks for the size of the range is told that of a launch. */
		if (f->set->forms->uses)
			assert_int_equal(ndrange_n_parts(&range), 1);
	}
}

/* More work-items than Level Zero can count are launched in runs. */
static void test_wide(void **state)
{
	struct queue_fixture *f = *state;
	struct compile_kernel info = { .name = "set", .n_args = 2 };
	size_t global = ((size_t)1 << 35) + 7, local = 256, items = 0, huge[3];
	struct ndrange range;

	f->set->info = f->set->forms->info = &info;
	f->set->forms->may_be_ragged = true;
	f->set->args[0].set = f->set->args[1].set = true;
	assert_int_equal(
		ndrange_resolve(f->set, f->context->devices[0], 1, NULL, &global, &local, &range),
		CL_SUCCESS);
	size_t n = ndrange_n_parts(&range);
	for (size_t p = 0; p < n; p++) {
		struct ndrange_part part;

		ndrange_part(&range, p, &part);
		assert_int_equal(part.first_item[0], items);
		assert_int_equal(part.first_group[0], items / local);
		size_t size = part.groups[0] * part.local[0];
		assert_true(size > 0 && size <= UINT32_MAX);
		items += size;
	}
	assert_int_equal(items, global);
	for (int i = 0; i < 3; i++)
		huge[i] = (size_t)UINT32_MAX * 100;
	assert_int_equal(ndrange_resolve(f->set, f->context->devices[0], 3, NULL, huge,
				 (size_t[]){ 128, 2, 1 }, &range),
		CL_INVALID_GLOBAL_WORK_SIZE);
	for (int i = 0; i < 3; i++)
		huge[i] = (size_t)UINT32_MAX * 7;
	assert_int_equal(ndrange_resolve(f->set, f->context->devices[0], 3, NULL, huge,
				 (size_t[]){ 8, 8, 8 }, &range),
		CL_SUCCESS);
	for (int i = 0; i < 2; i++)
		huge[i] = (size_t)UINT32_MAX * 60;
	assert_int_equal(ndrange_resolve(f->set, f->context->devices[0], 2, NULL, huge,
				 (size_t[]){ 64, 64 }, &range),
		CL_INVALID_WORK_GROUP_SIZE);
}

/* When the second form is wanted. There is no program here to make it from. */
/* Ranges that a kernel without the implicit argument cannot be launched over. */
static void test_launches(void **state)
{
	static const struct {
		unsigned uses;
		cl_uint dims;
		size_t offset, global, local;
		bool is_refused;
	} launches[] = {
		{ 0, 1, 0, 64, 16, false },
		{ IMPLICIT_ARGS_NUM_GROUPS, 1, 9, 64, 16, false },
		{ IMPLICIT_ARGS_GLOBAL_ID, 1, 9, 60, 16, false },
		{ 0, 1, 0, 60, 16, false },
		{ IMPLICIT_ARGS_NUM_GROUPS, 1, 0, 60, 16, true },
		{ IMPLICIT_ARGS_GROUP_ID, 1, 0, 60, 16, true },
		{ IMPLICIT_ARGS_GLOBAL_LINEAR_ID, 1, 0, 60, 16, true },
		{ IMPLICIT_ARGS_WORK_DIM, 1, 0, 64, 16, true },
		{ 0, 1, UINT32_MAX, 64, 16, false },
		{ IMPLICIT_ARGS_GLOBAL_ID, 1, (size_t)UINT32_MAX - 64, 64, 16, false },
		{ IMPLICIT_ARGS_GLOBAL_ID, 1, (size_t)UINT32_MAX - 63, 64, 16, true },
		{ IMPLICIT_ARGS_GLOBAL_ID, 1, 0, (size_t)1 << 32, 16, true },
		{ PROGRAM_USES_UNKNOWN, 1, 0, 64, 16, false },
		{ PROGRAM_USES_UNKNOWN, 2, 0, 64, 16, true },
	};
	struct queue_fixture *f = *state;
	struct compile_kernel info = { .name = "set", .n_args = 2 };

	f->set->info = f->set->forms->info = &info;
	for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
		struct ndrange range = make_range((size_t[]){ launches[i].global, 1, 1 },
			(size_t[]){ launches[i].local, 1, 1 });

		range.offset[0] = launches[i].offset;
		range.dims = launches[i].dims;
		f->set->forms->uses = launches[i].uses;
		cl_int rc = ndrange_check_launch(f->set, f->context->devices[0], &range);
		if (rc != (launches[i].is_refused ? CL_OUT_OF_RESOURCES : CL_SUCCESS))
			fail_msg("row %zu", i);
		f->set->forms->is_implicit = true;
		assert_int_equal(
			ndrange_check_launch(f->set, f->context->devices[0], &range), CL_SUCCESS);
		f->set->forms->is_implicit = false;
	}
}

static void test_hidden(void **state)
{
	struct ndrange range = make_range((size_t[]){ 50, 9, 5 }, (size_t[]){ 16, 4, 2 });
	struct implicit_args_value value;
	struct ndrange_part part;

	(void)state;
	for (int i = 0; i < 3; i++)
		range.offset[i] = ((size_t)1 << 40) + (size_t)i;
	memset(&value, 0xee, sizeof value);
	assert_int_equal(sizeof value, 16 * sizeof(uint64_t));
	ndrange_part(&range, 7, &part);
	ndrange_hidden(&range, &part, 32, &value);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(value.global_size[i], range.global[i]);
		assert_int_equal(value.offset[i], range.offset[i]);
		assert_int_equal(value.enqueued_size[i], range.local[i]);
		assert_int_equal(value.groups[i].count, ((size_t[]){ 4, 3, 3 })[i]);
		assert_int_equal(value.groups[i].first, ((size_t[]){ 3, 2, 2 })[i]);
		assert_int_equal(
			value.first_item[i], ((size_t)1 << 40) + i + ((size_t[]){ 48, 8, 4 })[i]);
	}
	assert_int_equal(value.dims, 3);
	assert_int_equal(value.enqueued_sub_groups, 4);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_rows),
		TEST(test_without_advice),
		TEST(test_args),
		TEST(test_ragged),
		TEST(test_parts),
		TEST(test_regroup),
		TEST(test_wide),
		TEST(test_launches),
		TEST(test_hidden),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
