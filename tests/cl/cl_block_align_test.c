// SPDX-License-Identifier: MIT
/* What cl_intel_subgroups asks of the memory that block functions are given: the context hears of
 * arguments that break it, and only of those. */
#include "cl/cl_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] =
	"#define SG16 __attribute__((intel_reqd_sub_group_size(16)))\n"
	"void put(global uint *p, uint v) { intel_sub_group_block_write(p, v); }\n"
	"SG16 kernel void copy(global const uint *from, global uint *to)\n"
	"{ put(to, intel_sub_group_block_read(from)); }\n"
	"SG16 kernel void image(read_only image2d_t from, global uint *to)\n"
	"{ to[get_global_id(0)] = intel_sub_group_block_read(from, (int2)(0, 0)); }\n"
	"kernel void plain(global uint *from, global uint *to)\n"
	"{ to[get_global_id(0)] = from[get_global_id(0)]; }\n";

static cl_context context;
static cl_program program;
static char heard[512];
static int n_heard;

static void CL_CALLBACK hear(const char *text, const void *info, size_t size, void *data)
{
	(void)info;
	(void)size;
	(void)data;
	n_heard++;
	snprintf(heard, sizeof heard, "%s", text);
}

static int open_context(void **state)
{
	const char *text = source;
	cl_int rc;

	(void)state;
	context = clCreateContext(NULL, 1, &cl.device, hear, NULL, &rc);
	assert_int_equal(rc, CL_SUCCESS);
	program = clCreateProgramWithSource(context, 1, &text, NULL, &rc);
	assert_int_equal(rc, CL_SUCCESS);
	CL(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
	return 0;
}

static int close_context(void **state)
{
	(void)state;
	CL(clReleaseProgram(program));
	CL(clReleaseContext(context));
	return 0;
}

static cl_kernel make(const char *name)
{
	cl_int rc;
	cl_kernel kernel = clCreateKernel(program, name, &rc);

	assert_int_equal(rc, CL_SUCCESS);
	return kernel;
}

/* Whether setting the argument, which must succeed, is heard of in these words. */
static void expect(cl_int rc, const char *words)
{
	assert_int_equal(rc, CL_SUCCESS);
	assert_int_equal(n_heard, words != NULL);
	if (words)
		assert_non_null(strstr(heard, words));
	n_heard = 0;
}

static void test_pointers(void **state)
{
	cl_kernel copy = make("copy"), plain = make("plain");
	char *memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 64);

	(void)state;
	assert_non_null(memory);
	n_heard = 0;
	expect(clSetKernelArgSVMPointer(copy, 0, memory), NULL);
	expect(clSetKernelArgSVMPointer(copy, 0, memory + 4), NULL);
	expect(clSetKernelArgSVMPointer(copy, 0, memory + 6), "argument 0 of kernel 'copy' has");
	expect(clSetKernelArgSVMPointer(copy, 1, memory + 16), NULL);
	expect(clSetKernelArgSVMPointer(copy, 1, memory + 20), "multiple of the 16 bytes");
	expect(clSetKernelArgSVMPointer(plain, 1, memory + 20), NULL);
	CL(clReleaseKernel(copy));
	CL(clReleaseKernel(plain));
	clSVMFree(context, memory);
}

static void test_host_pointers(void **state)
{
	cl_kernel copy = make("copy"), plain = make("plain");
	char *memory = aligned_alloc(4096, 8192);

	(void)state;
	n_heard = 0;
	for (size_t offset = 0; offset <= 16; offset += 8) {
		cl_int rc;
		cl_mem buffer =
			clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, memory + offset, &rc);

		assert_int_equal(rc, CL_SUCCESS);
		expect(clSetKernelArg(copy, 0, sizeof buffer, &buffer), NULL);
		expect(clSetKernelArg(copy, 1, sizeof buffer, &buffer),
			offset == 8 ? "argument 1 of kernel 'copy' has the address" : NULL);
		expect(clSetKernelArg(plain, 1, sizeof buffer, &buffer), NULL);
		CL(clReleaseMemObject(buffer));
	}
	CL(clReleaseKernel(copy));
	CL(clReleaseKernel(plain));
	free(memory);
}

static void test_pitch(void **state)
{
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
	cl_kernel image = make("image");
	cl_uint align;
	cl_int rc;
	cl_mem buffer = clCreateBuffer(context, 0, 65536, NULL, &rc);

	(void)state;
	assert_int_equal(rc, CL_SUCCESS);
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT, sizeof align, &align, NULL));
	n_heard = 0;
	for (size_t pitch = 256; pitch <= 256 + 64; pitch += 16) {
		cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
			.image_width = 32,
			.image_height = 8,
			.image_row_pitch = pitch,
			.mem_object = buffer };
		cl_mem made;

		if (pitch % (align * sizeof(cl_uint)))
			continue;
		made = clCreateImage(context, 0, &format, &desc, NULL, &rc);
		assert_int_equal(rc, CL_SUCCESS);
		expect(clSetKernelArg(image, 0, sizeof made, &made),
			pitch % 64 ? "has the row pitch" : NULL);
		CL(clReleaseMemObject(made));
	}
	CL(clReleaseMemObject(buffer));
	CL(clReleaseKernel(image));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_pointers, open_context, close_context),
		cmocka_unit_test_setup_teardown(test_host_pointers, open_context, close_context),
		cmocka_unit_test_setup_teardown(test_pitch, open_context, close_context),
	};

	return CL_RUN(argc, argv, tests);
}
