// SPDX-License-Identifier: MIT
/* Copies by all work-items of a group: cl_khr_extended_async_copies and its fence. */
#include "cl/cl_case.h"
#include "test_random.h"

#include <string.h>

/*
 * Boxes of elements of 1 to 13 bytes, into local memory and out of it again, at offsets, with gaps
 * between lines and planes; a fence between the two copies is all that orders them. What is not of
 * a box stays as it was.
 */
static void test_async_copies(void **state)
{
	static const char source[] =
		"#if !defined(cl_khr_extended_async_copies) || \\\n"
		"  !defined(cl_khr_async_work_group_copy_fence)\n#error none\n#endif\n"
		"kernel void k(global uchar *to, global const uchar *from, uint size, uint planes) "
		"{\n"
		"  local uchar l[4096];\n"
		"  uint at = get_local_id(0) + get_local_size(0) * get_local_id(1);\n"
		"  for (uint i = at; i < 4096; i += get_local_size(0) * get_local_size(1))\n"
		"    l[i] = 0x5a;\n"
		"  barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  event_t e;\n"
		"  if (planes == 1)\n"
		"    e = async_work_group_copy_2D2D(l, 2, from, 3, size, 5, 4, 7, 6, 0);\n"
		"  else e = async_work_group_copy_3D3D(l, 2, from, 3, size, 5, 4, planes, 7, 30, "
		"6, 25, 0);\n"
		"  async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);\n"
		"  if (planes == 1)\n"
		"    e = async_work_group_copy_2D2D(to, 1, l, 2, size, 5, 4, 6, 8, e);\n"
		"  else e = async_work_group_copy_3D3D(to, 1, l, 2, size, 5, 4, planes, 6, 25, 8, "
		"40, e);\n"
		"  wait_group_events(1, &e); }\n";
	static const char *const options[] = { "", "-cl-std=CL3.0", "-cl-opt-disable" };
	unsigned char from[4096], to[4096], want[4096];
	uint64_t seed = 7;

	(void)state;
	skip_if(!cl_has("cl_khr_extended_async_copies"));
	test_random_bytes(&seed, from, sizeof from);
	for (unsigned t = 0; t < 3 * 3 * 7; t++) {
		static const unsigned sizes[] = { 1, 2, 3, 4, 8, 12, 13 };
		const unsigned size = sizes[t % 7], planes = 1 + t / 7 % 3;
		const size_t local[] = { 3, 5 };
		cl_kernel k = cl_make_kernel(source, options[t / 21], "k");
		cl_mem a = cl_make_buffer(sizeof from, from), b;

		memset(want, 0xee, sizeof want);
		b = cl_make_buffer(sizeof want, want);
		for (unsigned n = 0; n < planes * 4 * 5 * size; n++) {
			const unsigned x = n / size % 5, y = n / size / 5 % 4, z = n / size / 20;

			want[(1 + x + 8 * y + 40 * z) * size + n % size] =
				from[(3 + x + 7 * y + 30 * z) * size + n % size];
		}
		cl_set_buffer(k, 0, b);
		cl_set_buffer(k, 1, a);
		cl_set_uint(k, 2, size);
		cl_set_uint(k, 3, planes);
		CL(clEnqueueNDRangeKernel(cl.queue, k, 2, NULL, local, local, 0, NULL, NULL));
		cl_read(b, sizeof to, to);
		assert_memory_equal(to, want, sizeof to);
		CL(clReleaseMemObject(a));
		CL(clReleaseMemObject(b));
		cl_kernel_done(k);
	}
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_async_copies),
	};

	return CL_RUN(argc, argv, tests);
}
