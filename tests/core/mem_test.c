// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include "core/base/info.h"
#include "core/memory/mem.h"
#include "l0/l0_slab.h"

#include <stdlib.h>
#include <string.h>

static void test_flags(void **state)
{
	static const struct {
		cl_mem_flags given, reported;
	} rows[] = {
		{ 0, CL_MEM_READ_WRITE },
		{ CL_MEM_READ_ONLY, CL_MEM_READ_ONLY },
		{ CL_MEM_ALLOC_HOST_PTR, CL_MEM_ALLOC_HOST_PTR | CL_MEM_READ_WRITE },
		{ CL_MEM_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
			CL_MEM_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS },
	};
	struct queue_fixture *f = *state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct mem *mem;
		cl_mem_flags flags = 4711;

		assert_int_equal(mem_create_buffer(f->context, NULL, rows[i].given, 64, NULL, &mem),
			CL_SUCCESS);
		assert_int_equal(
			mem_info(mem, CL_MEM_FLAGS, INFO(sizeof flags, &flags, NULL)), CL_SUCCESS);
		assert_int_equal(flags, rows[i].reported);
		assert_int_equal((uintptr_t)mem->address % 128, 0);
		mem_put(mem);
	}
}

/* What a sub-buffer takes from its parent: flags, bytes, host pointer. */
static void test_sub_buffer(void **state)
{
	struct queue_fixture *f = *state;
	char host[1024];
	struct mem *parent, *sub;
	const cl_buffer_region region = { 256, 512 };

	memset(host, 0x5a, sizeof host);
	assert_int_equal(mem_create_buffer(f->context, NULL,
				 CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY,
				 sizeof host, host, &parent),
		CL_SUCCESS);
	assert_memory_equal(parent->address, host, sizeof host);
	assert_int_equal(
		mem_create_sub_buffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &sub),
		CL_SUCCESS);
	assert_int_equal(
		sub->flags, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY);
	assert_ptr_equal(sub->address, parent->address + 256);
	assert_ptr_equal(sub->host_ptr, host + 256);
	mem_put(parent);
	memset(sub->address, 1, 512); /* still there */
	mem_put(sub);
}

static cl_int map_bytes(struct mem *mem, size_t offset, size_t size, cl_map_flags flags)
{
	const struct mem_map map = { .pointer = mem->address + offset,
		.offset = offset,
		.size = size,
		.flags = flags,
		.origin = { offset },
		.region = { size, 1, 1 } };

	return mem_map_record(mem, &map);
}

static void test_maps(void **state)
{
	struct queue_fixture *f = *state;
	struct mem_map map;

	assert_int_equal(map_bytes(f->a, 0, 16, CL_MAP_READ), CL_SUCCESS);
	assert_int_equal(map_bytes(f->a, 0, 32, CL_MAP_WRITE), CL_SUCCESS);
	assert_int_equal(map_bytes(f->a, 8, 8, CL_MAP_READ), CL_SUCCESS);
	assert_int_equal(f->a->map_count, 3);
	assert_int_equal(mem_map_take(f->a, f->a->address, &map), CL_SUCCESS);
	assert_int_equal(map.size, 32);
	assert_int_equal(map.flags, CL_MAP_WRITE);
	assert_int_equal(mem_map_take(f->a, f->a->address, &map), CL_SUCCESS);
	assert_int_equal(map.size, 16);
	assert_int_equal(mem_map_take(f->a, f->a->address, &map), CL_INVALID_VALUE);
	assert_int_equal(mem_map_take(f->a, f->a->address + 8, &map), CL_SUCCESS);
	assert_int_equal(map.offset, 8);
	assert_int_equal(f->a->map_count, 0);
	/* One that nobody undoes goes with the buffer. */
	assert_int_equal(map_bytes(f->a, 0, 16, CL_MAP_READ), CL_SUCCESS);
}

/* Whatever fails, nothing stays behind: the teardown counts what lives. */
static void test_failures(void **state)
{
	struct queue_fixture *f = *state;
	static char host[2 * L0_SLAB_MAX];
	int live = l0_fake.live;

	for (unsigned n = 1; n < 20; n++) {
		struct mem *mem = NULL;

		l0_fake.failed = false;
		l0_fake.fail_after = n;
		cl_int rc = mem_create_buffer(
			f->context, NULL, CL_MEM_COPY_HOST_PTR, sizeof host, host, &mem);
		l0_fake.fail_after = 0;
		assert_int_equal(rc != CL_SUCCESS, l0_fake.failed);
		assert_int_equal(mem == NULL, l0_fake.failed);
		mem_put(mem);
		assert_int_equal(l0_fake.live, live);
		if (!l0_fake.failed) {
			assert_true(n > 1);
			return;
		}
	}
	fail();
}

int main(void)
{
#define TEST(name)                                                                                 \
	cmocka_unit_test_setup_teardown(name, queue_fixture_setup, queue_fixture_teardown)
	static const struct CMUnitTest tests[] = {
		TEST(test_flags),
		TEST(test_sub_buffer),
		TEST(test_maps),
		TEST(test_failures),
	};
#undef TEST

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
