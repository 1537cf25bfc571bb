// SPDX-License-Identifier: MIT
/* Allocations of more than 4 GB, of which few pages are touched. */
#include "cl/cl_case.h"

#include <string.h>

#ifndef CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL
#define CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL (1 << 23)
#endif
#ifndef CL_MEM_FLAGS_INTEL
#define CL_MEM_FLAGS_INTEL 0x10001
#endif

#define MB   ((size_t)1 << 20)
#define SIZE ((size_t)5 << 30)
/* 256 steps are 4 GB: an address cut to 32 bits meets another one's place. */
#define STEP (16 * MB)
#define N    (SIZE / STEP)
#define HIGH ((size_t)9 << 29)

#define WIDE "-cl-std=CL3.0 -cl-intel-greater-than-4GB-buffer-required"
/* ZeroCL's kernels need no option. */
#define options (cl.ours ? "-cl-std=CL3.0" : WIDE)
static const char source[] =
	"kernel void mark(global uint *p, ulong step)\n"
	"{ p[get_global_id(0) * step] = get_global_id(0) * 3 + 1; }\n"
	"kernel void sum(global uint *p, ulong step, global uint *o)\n"
	"{ o[get_global_id(0)] = p[get_global_id(0) * step]; }\n"
	/* bytes, vectors, atomics, and blocks of a sub-group */
	"__attribute__((intel_reqd_sub_group_size(16)))\n"
	"kernel void kinds(global uint *p, ulong at, global uint *o)\n"
	"{ uint i = get_local_id(0); global uint *q = p + at;\n"
	"  ((global uchar *)q)[i] = (uchar)(i * 7);\n"
	"  atomic_add(q + 16, i); vstore4((uint4)(i, i + 1, i + 2, i + 3), i, q + 32);\n"
	"  barrier(CLK_GLOBAL_MEM_FENCE);\n"
	"  o[i] = ((global uchar *)q)[15 - i]; o[16 + i] = vload4(15 - i, q + 32).y;\n"
	"  o[32 + i] = intel_sub_group_block_read(q + 32);\n"
	"  intel_sub_group_block_write(q + 128, i + 40); o[48 + i] = q[16]; }\n";

static bool fits(void)
{
	cl_ulong memory = 0;

	CL(clGetDeviceInfo(cl.device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL));
	return memory >= SIZE + 256 * MB;
}

static cl_mem make(void)
{
	cl_int rc;
	cl_mem buffer =
		clCreateBuffer(cl.context, CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL, SIZE, NULL, &rc);

	CL(rc);
	return buffer;
}

static void set_ulong(cl_kernel kernel, cl_uint index, cl_ulong value)
{
	CL(clSetKernelArg(kernel, index, sizeof value, &value));
}

static cl_uint at(cl_mem buffer, size_t offset)
{
	cl_uint value = 0xeeeeeeee;

	CL(clEnqueueReadBuffer(
		cl.queue, buffer, CL_TRUE, offset, sizeof value, &value, 0, NULL, NULL));
	return value;
}

static void test_limits(void **state)
{
	cl_ulong most, memory;
	cl_int rc;

	(void)state;
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL));
	CL_ROW_MADE(CL_INVALID_BUFFER_SIZE, clCreateBuffer(cl.context, 0, most + 1, NULL, &rc));
	if (cl.ours)
		CL_ROW_MADE(CL_INVALID_BUFFER_SIZE,
			clCreateBuffer(cl.context, CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL, memory + 1,
				NULL, &rc));
	cl_rows_end();
}

static void test_kernels(void **state)
{
	cl_uint got[64];
	size_t sixteen = 16;

	(void)state;
	skip_if(!fits());
	cl_kernel mark = cl_make_kernel(source, options, "mark");
	cl_kernel sum = cl_make_kernel(source, options, "sum");
	cl_kernel kinds = cl_make_kernel(source, options, "kinds");
	cl_mem buffer = make(), out = cl_make_buffer(N * 4, NULL);
	cl_set_buffer(mark, 0, buffer);
	set_ulong(mark, 1, STEP / 4);
	cl_launch(mark, N, 0);
	for (size_t i = 0; i < N; i++)
		assert_int_equal(at(buffer, i * STEP), i * 3 + 1);
	cl_set_buffer(sum, 0, buffer);
	set_ulong(sum, 1, STEP / 4);
	cl_set_buffer(sum, 2, out);
	cl_launch(sum, N, 0);
	for (size_t i = 0; i < N; i++)
		assert_int_equal(at(out, i * 4), i * 3 + 1);

	CL(clEnqueueFillBuffer(cl.queue, buffer, &(cl_uint){ 5 }, 4, HIGH + 64, 64, 0, NULL, NULL));
	cl_set_buffer(kinds, 0, buffer);
	set_ulong(kinds, 1, HIGH / 4);
	cl_set_buffer(kinds, 2, out);
	CL(clEnqueueNDRangeKernel(cl.queue, kinds, 1, NULL, &sixteen, &sixteen, 0, NULL, NULL));
	memset(got, 0xee, sizeof got);
	cl_read(out, sizeof got, got);
	for (cl_uint i = 0; i < 16; i++) {
		assert_int_equal(got[i], (15 - i) * 7);
		assert_int_equal(got[16 + i], 15 - i + 1);
		assert_int_equal(got[32 + i], i / 4 + i % 4);
		assert_int_equal(got[48 + i], 5 + 120);
		assert_int_equal(at(buffer, HIGH + 512 + i * 4), i + 40);
	}
	/* what lies 4 GB lower is as it was */
	assert_int_equal(at(buffer, HIGH - 256 * STEP), (HIGH / STEP - 256) * 3 + 1);
	CL(clReleaseMemObject(buffer));
	CL(clReleaseMemObject(out));
	cl_kernel_done(mark);
	cl_kernel_done(sum);
	cl_kernel_done(kinds);
}

static void test_commands(void **state)
{
	const size_t seam = (size_t)1 << 32;
	cl_uint words[64], got[64];
	cl_int rc;

	(void)state;
	skip_if(!fits());
	for (cl_uint i = 0; i < 64; i++)
		words[i] = i * i + 9;
	cl_mem buffer = make();
	/* over the seam, up from there, and down again */
	CL(clEnqueueWriteBuffer(
		cl.queue, buffer, CL_TRUE, seam - 128, sizeof words, words, 0, NULL, NULL));
	CL(clEnqueueCopyBuffer(
		cl.queue, buffer, buffer, seam - 128, HIGH + 4, sizeof words, 0, NULL, NULL));
	CL(clEnqueueFillBuffer(
		cl.queue, buffer, &(cl_uint){ 7 }, 4, seam - 64, 128, 0, NULL, NULL));
	CL(clEnqueueCopyBuffer(
		cl.queue, buffer, buffer, HIGH + 4, 4096, sizeof words, 0, NULL, NULL));
	memset(got, 0xee, sizeof got);
	CL(clEnqueueReadBuffer(cl.queue, buffer, CL_TRUE, 4096, sizeof got, got, 0, NULL, NULL));
	assert_memory_equal(got, words, sizeof got);
	for (cl_uint i = 0; i < 64; i++)
		assert_int_equal(at(buffer, seam - 128 + i * 4), i >= 16 && i < 48 ? 7 : words[i]);

	cl_uint *mapped = clEnqueueMapBuffer(cl.queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
		HIGH, 1024, 0, NULL, NULL, &rc);
	CL(rc);
	assert_memory_equal(mapped + 1, words, sizeof words);
	mapped[100] = 4711;
	CL(clEnqueueUnmapMemObject(cl.queue, buffer, mapped, 0, NULL, NULL));
	cl_buffer_region region = { HIGH, 1024 };
	cl_mem sub = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
	CL(rc);
	assert_int_equal(at(sub, 400), 4711);
	CL(clReleaseMemObject(sub));
	CL(clReleaseMemObject(buffer));
}

/*
 * A kernel that had a small argument, has a large one, of which it sees a part, and has a small one
 * again; a program with variables, which cannot be there twice.
 */
static void test_changes(void **state)
{
	static const char counts[] = "global uint n; kernel void count(global uint *p)\n"
				     "{ atomic_inc(&n); p[get_global_id(0)] = n; }\n";
	const cl_buffer_region region = { HIGH, 3 * STEP };
	cl_int rc;

	(void)state;
	skip_if(!cl.ours || !fits());
	cl_kernel mark = cl_make_kernel(source, options, "mark");
	cl_mem small = cl_make_buffer(4096, NULL), buffer = make();
	cl_mem sub = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
	CL(rc);
	/* what lies 4 GB lower shall stay */
	CL(clEnqueueFillBuffer(cl.queue, buffer, &(cl_uint){ 9 }, 4,
		HIGH + 2 * STEP - ((size_t)1 << 32), 4, 0, NULL, NULL));
	set_ulong(mark, 1, 16);
	cl_set_buffer(mark, 0, small);
	cl_launch(mark, 64, 0);
	cl_set_buffer(mark, 0, sub);
	set_ulong(mark, 1, STEP / 4);
	cl_launch(mark, 3, 0);
	assert_int_equal(at(buffer, HIGH + 2 * STEP), 7);
	assert_int_equal(at(buffer, HIGH + 2 * STEP - ((size_t)1 << 32)), 9);
	cl_set_buffer(mark, 0, small);
	set_ulong(mark, 1, 8);
	cl_launch(mark, 64, 0);
	/* 64 words from the second launch; of the first, those behind them */
	for (cl_uint i = 0; i < 64; i++) {
		assert_int_equal(at(small, i * 32), i * 3 + 1);
		if (i >= 32)
			assert_int_equal(at(small, i * 64), i * 3 + 1);
	}
	cl_kernel count = cl_make_kernel(counts, options, "count");
	CL_ROW(CL_OUT_OF_RESOURCES, clSetKernelArg(count, 0, sizeof buffer, &buffer));
	cl_rows_end();
	cl_set_buffer(count, 0, small);
	cl_kernel_done(count);
	count = cl_make_kernel(counts, WIDE, "count");
	cl_set_buffer(count, 0, buffer);
	cl_launch(count, 1, 0);
	assert_int_equal(at(buffer, 0), 1);
	cl_kernel_done(count);
	/* constants and texts are not variables */
	count = cl_make_kernel("constant uint t[] = { 7, 8 };\n"
			       "kernel void say(global uint *p, uint i)\n"
			       "{ if (!p) printf(\"%u\\n\", i); p[0] = t[i]; }\n",
		options, "say");
	cl_set_uint(count, 1, 1);
	cl_set_buffer(count, 0, small);
	cl_launch(count, 1, 0);
	cl_set_buffer(count, 0, buffer);
	cl_launch(count, 1, 0);
	assert_int_equal(at(small, 0), 8);
	assert_int_equal(at(buffer, 0), 8);
	cl_kernel_done(count);
	cl_kernel_done(mark);
	CL(clReleaseMemObject(sub));
	CL(clReleaseMemObject(buffer));
	CL(clReleaseMemObject(small));
}

/* What the flag may be given by, and what not. */
static void test_properties(void **state)
{
	const cl_mem_properties_intel flag = CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL;
	const cl_mem_properties_intel good[] = { CL_MEM_FLAGS, flag, 0 };
	const cl_mem_properties_intel twice[] = { CL_MEM_FLAGS_INTEL, flag, CL_MEM_FLAGS_INTEL,
		flag, 0 };
	const cl_mem_properties_intel other[] = { CL_MEM_FLAGS_INTEL, flag | flag << 1, 0 };
	clDeviceMemAllocINTEL_fn alloc;
	clMemFreeINTEL_fn release;
	cl_int rc;

	(void)state;
	skip_if(!cl.ours || !fits());
	alloc = (clDeviceMemAllocINTEL_fn)(uintptr_t)clGetExtensionFunctionAddressForPlatform(
		cl.platform, "clDeviceMemAllocINTEL");
	release = (clMemFreeINTEL_fn)(uintptr_t)clGetExtensionFunctionAddressForPlatform(
		cl.platform, "clMemFreeINTEL");
	void *usm = alloc(cl.context, cl.device, good, SIZE, 0, &rc);
	CL(rc);
	CL(release(cl.context, usm));
	CL_ROW_MADE(CL_INVALID_PROPERTY, alloc(cl.context, cl.device, twice, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_PROPERTY, alloc(cl.context, cl.device, other, 64, 0, &rc));
	cl_rows_end();
}

static void test_pointers(void **state)
{
	const cl_mem_properties_intel properties[] = { CL_MEM_FLAGS_INTEL,
		CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL, 0 };
	clDeviceMemAllocINTEL_fn alloc;
	clMemFreeINTEL_fn release;
	cl_uint value = 0xeeeeeeee;
	cl_int rc;

	(void)state;
	skip_if(!fits());
	alloc = (clDeviceMemAllocINTEL_fn)(uintptr_t)clGetExtensionFunctionAddressForPlatform(
		cl.platform, "clDeviceMemAllocINTEL");
	release = (clMemFreeINTEL_fn)(uintptr_t)clGetExtensionFunctionAddressForPlatform(
		cl.platform, "clMemFreeINTEL");
	cl_kernel mark = cl_make_kernel(source, options, "mark");
	set_ulong(mark, 1, STEP / 4);
	char *svm = clSVMAlloc(cl.context,
		(cl_svm_mem_flags)CL_MEM_READ_WRITE | CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL, SIZE,
		0);
	assert_non_null(svm);
	CL(clSetKernelArgSVMPointer(mark, 0, svm));
	cl_launch(mark, N, 0);
	CL(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, &value, svm + 300 * STEP, 4, 0, NULL, NULL));
	assert_int_equal(value, 901);
	CL(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, &value, svm + 44 * STEP, 4, 0, NULL, NULL));
	assert_int_equal(value, 44 * 3 + 1);
	CL(clFinish(cl.queue));
	clSVMFree(cl.context, svm);

	assert_null(alloc(cl.context, cl.device, NULL, SIZE, 0, &rc));
	assert_int_equal(rc, CL_INVALID_BUFFER_SIZE);
	char *usm = alloc(cl.context, cl.device, properties, SIZE, 0, &rc);
	CL(rc);
	CL(clSetKernelArgSVMPointer(mark, 0, usm));
	cl_launch(mark, N, 0);
	CL(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, &value, usm + 301 * STEP, 4, 0, NULL, NULL));
	assert_int_equal(value, 904);
	CL(clFinish(cl.queue));
	CL(release(cl.context, usm));
	cl_kernel_done(mark);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_properties),
		cmocka_unit_test(test_pointers),
	};

	return CL_RUN(argc, argv, tests);
}
