// SPDX-License-Identifier: MIT
/* Groups of all sizes, for kernels that cannot see them: each work-item is there once. */
#include "cl/cl_case.h"
#include "test_random.h"

#include <string.h>

enum { SIDE = 40, ITEMS = SIDE * SIDE * SIDE };

static const char source[] =
	"kernel void ids(global uint *o)\n"
	"{ size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
	"  global uint *p = o + (z * 40 + y) * 40 + x;\n"
	"  *p += 1 + x * 2 + y * 128 + z * 8192; }\n"
	"kernel void sizes(global uint *o)\n"
	"{ size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
	"  global uint *p = o + (z * 40 + y) * 40 + x;\n"
	"  *p += 1 + get_global_size(0) * 3 + get_global_size(2) * 5\n"
	"    + get_global_offset(1) * 7; }\n";

static uint32_t value_of(bool sizes, const size_t *at, const size_t *offset, const size_t *global)
{
	if (!sizes)
		return (uint32_t)(1 + at[0] * 2 + at[1] * 128 + at[2] * 8192);
	return (uint32_t)(1 + global[0] * 3 + global[2] * 5 + offset[1] * 7);
}

static void check_range(cl_kernel kernel, bool sizes, uint64_t *seed, bool ragged)
{
	static uint32_t got[ITEMS], want[ITEMS];
	size_t offset[3], global[3], local[3], at[3];
	const bool free = test_random(seed) % 4 == 0;

	for (int i = 0; i < 3; i++) {
		local[i] = 1 + test_random(seed) % 5;
		offset[i] = test_random(seed) % 8;
		global[i] = 1 + test_random(seed) % (SIDE - offset[i] - 1);
		if (!ragged && !free)
			global[i] =
				global[i] < local[i] ? local[i] : global[i] / local[i] * local[i];
	}
	memset(got, 0xa5, sizeof got);
	memcpy(want, got, sizeof want);
	for (at[2] = offset[2]; at[2] < offset[2] + global[2]; at[2]++)
		for (at[1] = offset[1]; at[1] < offset[1] + global[1]; at[1]++)
			for (at[0] = offset[0]; at[0] < offset[0] + global[0]; at[0]++)
				want[(at[2] * SIDE + at[1]) * SIDE + at[0]] +=
					value_of(sizes, at, offset, global);
	cl_int rc;
	cl_mem buffer = clCreateBuffer(
		cl.context, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_WRITE, sizeof got, got, &rc);
	CL(rc);
	cl_set_buffer(kernel, 0, buffer);
	CL(clEnqueueNDRangeKernel(
		cl.queue, kernel, 3, offset, global, free ? NULL : local, 0, NULL, NULL));
	cl_read(buffer, sizeof got, got);
	for (size_t i = 0; i < ITEMS; i++)
		if (got[i] != want[i])
			fail_msg("(%zu, %zu, %zu) of %zu x %zu x %zu in %zu x %zu x %zu: %u, "
				 "should be %u",
				i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE, global[0], global[1],
				global[2], local[0], local[1], local[2], got[i], want[i]);
	CL(clReleaseMemObject(buffer));
}

static void items_are_there_once(void **state)
{
	uint64_t seed = 2026;

	(void)state;
	for (int version = 0; version < 2; version++)
		for (int sizes = 0; sizes < 2; sizes++) {
			cl_kernel kernel =
				cl_make_kernel(source, version ? "-cl-std=CL3.0" : "-cl-std=CL1.2",
					sizes ? "sizes" : "ids");

			for (int round = 0; round < 25; round++)
				check_range(kernel, sizes, &seed, version && round % 2);
			cl_kernel_done(kernel);
		}
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(items_are_there_once) };

	return CL_RUN(argc, argv, tests);
}
