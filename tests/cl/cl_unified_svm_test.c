// SPDX-License-Identifier: MIT
/* cl_khr_unified_svm: types, allocations, what is told of pointers, and all that takes them. */
#include "cl/cl_case.h"

#include <stdlib.h>
#include <string.h>

enum { N = 1024, MOST_TYPES = 16 };

/* Of Khronos's registry: not in all headers. */
enum {
	PLATFORM_TYPES = 0x0909,
	DEVICE_TYPES = 0x1077,
	INDIRECT_ACCESS = 0x11BB,
	OF_DEVICE = 0x2078,
	ACCESS_FLAGS = 0x2079,
	ALIGNMENT = 0x207A,
	INFO_TYPE = 0x2088,
	INFO_CAPABILITIES = 0x2089,
	INFO_PROPERTIES = 0x208A,
	INFO_ACCESS_FLAGS = 0x208B,
	INFO_BASE = 0x419B,
	INFO_SIZE = 0x419C,
	INFO_DEVICE = 0x419D,
	ONE_ADDRESS = 1 << 0,
	DEVICE_OWNED = 1 << 2,
	UNASSOCIATED = 1 << 3,
	HOST_OWNED = 1 << 5,
	HOST_READ = 1 << 6,
	HOST_WRITE = 1 << 7,
	HOST_MAP = 1 << 8,
	DEVICE_READ = 1 << 9,
	DEVICE_WRITE = 1 << 10,
	INDIRECT = 1 << 14,
};

static struct {
	void *(CL_API_CALL *clSVMAllocWithPropertiesKHR)(
		cl_context, const cl_ulong *, cl_uint, size_t, cl_int *);
	cl_int(CL_API_CALL *clSVMFreeWithPropertiesKHR)(
		cl_context, const cl_ulong *, cl_ulong, void *);
	cl_int(CL_API_CALL *clGetSVMPointerInfoKHR)(
		cl_context, cl_device_id, const void *, cl_uint, size_t, void *, size_t *);
	cl_int(CL_API_CALL *clGetSVMSuggestedTypeIndexKHR)(
		cl_context, cl_ulong, cl_ulong, const cl_ulong *, size_t, cl_uint *);
} f;

#define EXT(name) f.name

static cl_ulong types[MOST_TYPES];
static cl_uint n_types;
static cl_program program;

static const char source[] = "kernel void add(global uint *p, uint v)\n"
			     "{ p[get_global_id(0)] += v; }\n"
			     "kernel void follow(global ulong *p, uint v)\n"
			     "{ ((global uint *)*p)[get_global_id(0)] += v; }\n";

static void load(const char *name, void *function)
{
	void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);

	assert_non_null(found);
	memcpy(function, &found, sizeof found);
}

static int begin(void **state)
{
	size_t size = 0;

	(void)state;
	if (!cl_has("cl_khr_unified_svm"))
		exit(cl.ours ? 1 : 77);
	load("clSVMAllocWithPropertiesKHR", &f.clSVMAllocWithPropertiesKHR);
	load("clSVMFreeWithPropertiesKHR", &f.clSVMFreeWithPropertiesKHR);
	load("clGetSVMPointerInfoKHR", &f.clGetSVMPointerInfoKHR);
	load("clGetSVMSuggestedTypeIndexKHR", &f.clGetSVMSuggestedTypeIndexKHR);
	CL(clGetDeviceInfo(cl.device, DEVICE_TYPES, sizeof types, types, &size));
	n_types = (cl_uint)(size / sizeof *types);
	program = cl_build(source, "-cl-std=CL3.0");
	return 0;
}

static int end(void **state)
{
	(void)state;
	return clReleaseProgram(program);
}

/* Properties that memory of the type needs. */
static const cl_ulong *needed(cl_uint type)
{
	static cl_ulong of_device[3];

	of_device[0] = OF_DEVICE;
	of_device[1] = (uintptr_t)cl.device;
	return types[type] & UNASSOCIATED ? NULL : of_device;
}

static cl_uint *get(cl_uint type, size_t bytes)
{
	cl_int rc = 4711;
	cl_uint *p = EXT(clSVMAllocWithPropertiesKHR)(cl.context, needed(type), type, bytes, &rc);

	CL(rc);
	assert_non_null(p);
	return p;
}

/* The platform's list is what all devices have in common that have the type at all. */
static void test_types(void **state)
{
	cl_ulong platform[MOST_TYPES], common[MOST_TYPES], own[MOST_TYPES];
	cl_device_id devices[16];
	cl_uint n;
	size_t size;

	(void)state;
	CL(clGetPlatformInfo(cl.platform, PLATFORM_TYPES, sizeof platform, platform, &size));
	assert_int_equal(size, n_types * sizeof *types);
	assert_in_range(n_types, 4, MOST_TYPES);
	memset(common, 0xff, sizeof common);
	CL(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 16, devices, &n));
	for (cl_uint i = 0; i < n; i++) {
		memset(own, 0xa5, sizeof own);
		CL(clGetDeviceInfo(devices[i], DEVICE_TYPES, sizeof own, own, &size));
		assert_int_equal(size, n_types * sizeof *types);
		for (cl_uint t = 0; t < n_types; t++)
			common[t] &= own[t] ? own[t] : common[t];
	}
	assert_memory_equal(platform, common, n_types * sizeof *types);
	for (cl_uint t = 0; t < n_types; t++)
		assert_int_equal(types[t] & (ONE_ADDRESS | DEVICE_READ | DEVICE_WRITE),
			ONE_ADDRESS | DEVICE_READ | DEVICE_WRITE);
}

/* In and out by the way of the type: the host itself, maps, or copies. */
static void put(cl_uint type, cl_uint *p, const cl_uint *words)
{
	if (types[type] & HOST_MAP)
		CL(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, p,
			N * sizeof *p, 0, NULL, NULL));
	if (types[type] & (HOST_MAP | HOST_WRITE))
		memcpy(p, words, N * sizeof *p);
	else
		CL(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, p, words, N * sizeof *p, 0, NULL, NULL));
	if (types[type] & HOST_MAP)
		CL(clEnqueueSVMUnmap(cl.queue, p, 0, NULL, NULL));
}

static void expect(cl_uint type, cl_uint *p, cl_uint first)
{
	static cl_uint words[N];

	memset(words, 0xcd, sizeof words);
	CL(clFinish(cl.queue));
	if (types[type] & HOST_MAP)
		CL(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, p, sizeof words, 0, NULL, NULL));
	if (types[type] & (HOST_MAP | HOST_READ))
		memcpy(words, p, sizeof words);
	else
		CL(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, words, p, sizeof words, 0, NULL, NULL));
	if (types[type] & HOST_MAP)
		CL(clEnqueueSVMUnmap(cl.queue, p, 0, NULL, NULL));
	CL(clFinish(cl.queue));
	for (cl_uint i = 0; i < N; i++)
		assert_int_equal(words[i], first + i);
}

static void test_kernels(void **state)
{
	static cl_uint words[N];
	cl_kernel add = cl_kernel_of(program, "add");

	(void)state;
	for (cl_uint i = 0; i < N; i++)
		words[i] = i;
	for (cl_uint type = 0; type < n_types; type++) {
		cl_uint *p = get(type, 2 * N * sizeof *p);

		for (unsigned half = 0; half < 2; half++) {
			cl_uint *at = p + half * N;

			put(type, at, words);
			CL(clSetKernelArgSVMPointer(add, 0, at));
			cl_set_uint(add, 1, 100 + half);
			cl_launch(add, N, 64);
			expect(type, at, 100 + half);
		}
		expect(type, p, 100);
		CL(EXT(clSVMFreeWithPropertiesKHR)(cl.context, NULL, 0, p));
	}
	CL(clReleaseKernel(add));
}

/* Fills and copies between all types. */
static void test_copies(void **state)
{
	static cl_uint words[N];

	(void)state;
	for (cl_uint i = 0; i < N; i++)
		words[i] = 7 + i;
	for (cl_uint from = 0; from < n_types; from++)
		for (cl_uint to = 0; to < n_types; to++) {
			const cl_uint pattern = 0xbadc0de;
			cl_uint *a = get(from, sizeof words), *b = get(to, sizeof words);
			cl_command_type type = 0;
			cl_event event;

			put(from, a, words);
			CL(clEnqueueSVMMemFill(cl.queue, b, &pattern, sizeof pattern, sizeof words,
				0, NULL, NULL));
			CL(clEnqueueSVMMemcpy(
				cl.queue, CL_FALSE, b, a, sizeof words, 0, NULL, &event));
			CL(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
			assert_int_equal(type, CL_COMMAND_SVM_MEMCPY);
			CL(clReleaseEvent(event));
			expect(to, b, 7);
			CL(clEnqueueSVMMigrateMem(
				cl.queue, 1, (const void **)&b, NULL, 0, 0, NULL, NULL));
			CL(clEnqueueSVMFree(cl.queue, 1, (void **)&a, NULL, NULL, 0, NULL, NULL));
			CL(clFinish(cl.queue));
			clSVMFree(cl.context, b);
		}
}

/* Memory that only a pointer in memory leads to. */
static void test_indirect(void **state)
{
	static cl_uint words[N];
	const cl_bool yes = CL_TRUE;
	cl_kernel follow = cl_kernel_of(program, "follow");

	(void)state;
	for (cl_uint i = 0; i < N; i++)
		words[i] = i;
	for (cl_uint type = 0; type < n_types; type++)
		for (unsigned listed = 0; listed < 2; listed++) {
			if (!listed && !(types[type] & INDIRECT))
				continue;
			cl_uint *p = get(type, sizeof words), *inside = p + 5;
			cl_ulong address = (uintptr_t)p;
			cl_mem holder = cl_make_buffer(sizeof address, &address);

			put(type, p, words);
			if (listed)
				CL(clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_SVM_PTRS,
					sizeof inside, &inside));
			else
				CL(clSetKernelExecInfo(follow, INDIRECT_ACCESS, sizeof yes, &yes));
			cl_set_buffer(follow, 0, holder);
			cl_set_uint(follow, 1, 40);
			cl_launch(follow, N, 64);
			expect(type, p, 40);
			CL(clReleaseMemObject(holder));
			CL(EXT(clSVMFreeWithPropertiesKHR)(cl.context, NULL, 0, p));
		}
	CL_ROW(CL_INVALID_VALUE, clSetKernelExecInfo(follow, INDIRECT_ACCESS, 1, &yes));
	CL_ROW(CL_INVALID_VALUE, clSetKernelExecInfo(follow, INDIRECT_ACCESS, sizeof yes, NULL));
	cl_rows_end();
	CL(clReleaseKernel(follow));
}

/* Each query of a pointer, whose room is poisoned. */
#define EXPECT_INFO(device, pointer, param, type, wanted)                                          \
	do {                                                                                       \
		type value_;                                                                       \
		size_t size_ = 0;                                                                  \
		memset(&value_, 0xa5, sizeof value_);                                              \
		CL(EXT(clGetSVMPointerInfoKHR)(cl.context, (device), (pointer), (param),           \
			sizeof value_, &value_, &size_));                                          \
		assert_int_equal(size_, sizeof value_);                                            \
		assert_true(value_ == (wanted));                                                   \
	} while (0)

static void test_pointer_info(void **state)
{
	(void)state;
	for (cl_uint type = 0; type < n_types; type++)
		for (unsigned told = 0; told < 2; told++)
			for (unsigned offset = 0; offset < 5000; offset += 4999) {
				const cl_ulong properties[] = { ALIGNMENT, 64, ACCESS_FLAGS, 2,
					OF_DEVICE, (uintptr_t)cl.device, 0 };
				cl_device_id device = told ? cl.device : NULL;
				cl_ulong got[8];
				size_t size = 0;
				cl_int rc = 4711;
				char *p = EXT(clSVMAllocWithPropertiesKHR)(
					cl.context, properties, type, 5000, &rc);

				CL(rc);
				assert_int_equal((uintptr_t)p % 64, 0);
				EXPECT_INFO(device, p + offset, INFO_TYPE, cl_uint, type);
				EXPECT_INFO(cl.device, p + offset, INFO_CAPABILITIES, cl_ulong,
					types[type]);
				EXPECT_INFO(device, p + offset, INFO_ACCESS_FLAGS, cl_ulong, 2);
				EXPECT_INFO(device, p + offset, INFO_BASE, char *, p);
				EXPECT_INFO(device, p + offset, INFO_SIZE, size_t, 5000);
				EXPECT_INFO(
					device, p + offset, INFO_DEVICE, cl_device_id, cl.device);
				memset(got, 0xa5, sizeof got);
				CL(EXT(clGetSVMPointerInfoKHR)(cl.context, device, p + offset,
					INFO_PROPERTIES, sizeof got, got, &size));
				assert_int_equal(size, sizeof properties);
				assert_memory_equal(got, properties, size);
				CL(EXT(clSVMFreeWithPropertiesKHR)(
					cl.context, (cl_ulong[]){ 0 }, 0, p));
			}
}

/* Of what is no such memory, and of memory that was made without properties. */
static void test_other_pointers(void **state)
{
	cl_uint local = 0, type;
	size_t size = 4711;
	char *plain = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 4096, 0);
	const void *const unknown[] = { &local, NULL, plain ? plain + 4096 * 64 : NULL };

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		for (unsigned told = 0; told < 2; told++) {
			cl_device_id device = told ? cl.device : NULL;

			EXPECT_INFO(device, unknown[i], INFO_TYPE, cl_uint, CL_UINT_MAX);
			EXPECT_INFO(device, unknown[i], INFO_CAPABILITIES, cl_ulong, 0);
			EXPECT_INFO(device, unknown[i], INFO_ACCESS_FLAGS, cl_ulong, 0);
			EXPECT_INFO(device, unknown[i], INFO_BASE, void *, NULL);
			EXPECT_INFO(device, unknown[i], INFO_SIZE, size_t, 0);
			EXPECT_INFO(device, unknown[i], INFO_DEVICE, cl_device_id, NULL);
			CL(EXT(clGetSVMPointerInfoKHR)(
				cl.context, device, unknown[i], INFO_PROPERTIES, 0, NULL, &size));
			assert_int_equal(size, 0);
		}
	CL(EXT(clGetSVMSuggestedTypeIndexKHR)(cl.context, HOST_MAP, 0, NULL, 0, &type));
	assert_non_null(plain);
	EXPECT_INFO(NULL, plain + 9, INFO_TYPE, cl_uint, type);
	EXPECT_INFO(NULL, plain + 9, INFO_BASE, char *, plain);
	EXPECT_INFO(NULL, plain + 9, INFO_DEVICE, cl_device_id, NULL);
	clSVMFree(cl.context, plain);
}

/* An allocation by clDeviceMemAllocINTEL is of its device by either extension's words. */
static void test_pointers_of_intel(void **state)
{
	void *(CL_API_CALL * alloc)(
		cl_context, cl_device_id, const cl_ulong *, size_t, cl_uint, cl_int *);
	cl_int(CL_API_CALL * release)(cl_context, void *);
	cl_int rc = 4711;

	(void)state;
	load("clDeviceMemAllocINTEL", &alloc);
	load("clMemBlockingFreeINTEL", &release);
	char *p = alloc(cl.context, cl.device, NULL, 4096, 0, &rc);
	CL(rc);
	EXPECT_INFO(NULL, p + 9, INFO_BASE, char *, p);
	EXPECT_INFO(NULL, p + 9, INFO_DEVICE, cl_device_id, cl.device);
	CL(release(cl.context, p));
}

/* No bytes are anywhere. */
static void test_nothing(void **state)
{
	static const cl_uint word = 7;
	void *const nowhere[] = { NULL, (void *)(uintptr_t)0xdeadbeef };
	const void *const none[] = { NULL, nowhere[1] };
	const size_t sizes[2] = { 0 };
	cl_uint here = 0;

	(void)state;
	for (cl_uint type = 0; type < n_types; type++) {
		cl_int rc = 4711;

		assert_null(
			EXT(clSVMAllocWithPropertiesKHR)(cl.context, needed(type), type, 0, &rc));
		CL(rc);
	}
	for (unsigned i = 0; i < 2; i++) {
		void *p = nowhere[i];

		CL(clEnqueueSVMMemcpy(cl.queue, 1, p, &here, 0, 0, NULL, NULL));
		CL(clEnqueueSVMMemcpy(cl.queue, 1, &here, p, 0, 0, NULL, NULL));
		CL(clEnqueueSVMMemFill(cl.queue, p, &word, sizeof word, 0, 0, NULL, NULL));
	}
	CL(clEnqueueSVMMigrateMem(cl.queue, 2, (const void **)none, sizes, 0, 0, NULL, NULL));
	CL(clEnqueueSVMMigrateMem(cl.queue, 2, (const void **)none, NULL, 0, 0, NULL, NULL));
	CL(clFinish(cl.queue));
	assert_int_equal(here, 0);
}

static void test_suggestions(void **state)
{
	cl_ulong all = 0;
	cl_uint type;

	(void)state;
	for (cl_uint t = 0; t < n_types; t++) {
		all |= types[t];
		type = 4711;
		CL(EXT(clGetSVMSuggestedTypeIndexKHR)(
			cl.context, types[t], 0, needed(t), 64, &type));
		assert_true(type < n_types);
		assert_int_equal(types[type] & types[t], types[t]);
		type = 4711; /* what is wished for chooses among all */
		CL(EXT(clGetSVMSuggestedTypeIndexKHR)(
			cl.context, 0, types[t], needed(t), 64, &type));
		assert_int_equal(types[type] & types[t], types[t]);
	}
	CL(EXT(clGetSVMSuggestedTypeIndexKHR)(cl.context, ~all, 0, NULL, 64, &type));
	assert_int_equal(type, CL_UINT_MAX);
	CL(EXT(clGetSVMSuggestedTypeIndexKHR)(
		cl.context, DEVICE_OWNED | HOST_OWNED, 0, NULL, 64, &type));
	assert_int_equal(type, CL_UINT_MAX);
	CL(EXT(clGetSVMSuggestedTypeIndexKHR)(cl.context, HOST_OWNED, 0, NULL, 64, &type));
	assert_true(types[type] & HOST_OWNED);
	CL_ROW(CL_INVALID_CONTEXT, EXT(clGetSVMSuggestedTypeIndexKHR)(NULL, 0, 0, NULL, 64, &type));
	CL_ROW(CL_INVALID_VALUE,
		EXT(clGetSVMSuggestedTypeIndexKHR)(cl.context, 0, 0, NULL, 64, NULL));
	CL_ROW(CL_INVALID_PROPERTY, EXT(clGetSVMSuggestedTypeIndexKHR)(
					    cl.context, 0, 0, (cl_ulong[]){ 1, 2, 0 }, 64, &type));
	cl_rows_end();
}

/* In a context of one device what that one can do is found, whatever others of the platform can. */
static void test_suggestions_of_each(void **state)
{
	cl_device_id devices[16];
	cl_uint n;

	(void)state;
	CL(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 16, devices, &n));
	for (cl_uint i = 0; i < n; i++) {
		cl_ulong own[MOST_TYPES];
		size_t size;
		cl_int rc;
		cl_context context = clCreateContext(NULL, 1, &devices[i], NULL, NULL, &rc);

		CL(rc);
		CL(clGetDeviceInfo(devices[i], DEVICE_TYPES, sizeof own, own, &size));
		for (cl_uint t = 0; t < size / sizeof *own; t++) {
			cl_uint type = 4711;

			CL(EXT(clGetSVMSuggestedTypeIndexKHR)(context, own[t], 0, NULL, 64, &type));
			assert_in_range(type, 0, n_types - 1);
			assert_int_equal(own[type] & own[t], own[t]);
		}
		CL(clReleaseContext(context));
	}
}

static void test_errors(void **state)
{
	cl_uint owned, local, type;
	cl_int rc;

	(void)state;
	CL(EXT(clGetSVMSuggestedTypeIndexKHR)(cl.context, DEVICE_OWNED, 0, NULL, 0, &owned));
	CL(EXT(clGetSVMSuggestedTypeIndexKHR)(cl.context, HOST_OWNED, 0, NULL, 0, &type));
	CL_ROW_MADE(
		CL_INVALID_CONTEXT, EXT(clSVMAllocWithPropertiesKHR)(NULL, NULL, type, 64, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		EXT(clSVMAllocWithPropertiesKHR)(cl.context, NULL, n_types, 64, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		EXT(clSVMAllocWithPropertiesKHR)(cl.context, NULL, CL_UINT_MAX, 64, &rc));
	CL_ROW_MADE(CL_INVALID_BUFFER_SIZE,
		EXT(clSVMAllocWithPropertiesKHR)(cl.context, NULL, type, SIZE_MAX / 2, &rc));
	CL_ROW_MADE(CL_INVALID_DEVICE,
		EXT(clSVMAllocWithPropertiesKHR)(cl.context, NULL, owned, 64, &rc));
#define ROW(code, ...)                                                                             \
	CL_ROW_MADE(code, EXT(clSVMAllocWithPropertiesKHR)(                                        \
				  cl.context, (cl_ulong[]){ __VA_ARGS__, 0 }, type, 64, &rc))
	ROW(CL_INVALID_DEVICE, OF_DEVICE, (uintptr_t)cl.context);
	ROW(CL_INVALID_VALUE, ALIGNMENT, 3);
	ROW(CL_INVALID_VALUE, ALIGNMENT, 1ull << 40);
	ROW(CL_INVALID_PROPERTY, ALIGNMENT, 64, ALIGNMENT, 64);
	ROW(CL_INVALID_PROPERTY, ACCESS_FLAGS, 4);
	ROW(CL_INVALID_PROPERTY, 0x1234, 4);
	cl_uint *p = get(type, 64);
	CL_ROW(CL_INVALID_CONTEXT, EXT(clSVMFreeWithPropertiesKHR)(NULL, NULL, 0, p));
	CL_ROW(CL_INVALID_PROPERTY,
		EXT(clSVMFreeWithPropertiesKHR)(cl.context, (cl_ulong[]){ 1, 2, 0 }, 0, p));
	CL_ROW(CL_INVALID_VALUE, EXT(clSVMFreeWithPropertiesKHR)(cl.context, NULL, 1, p));
	CL_ROW(CL_INVALID_VALUE, EXT(clSVMFreeWithPropertiesKHR)(cl.context, NULL, 0, p + 1));
	CL_ROW(CL_INVALID_VALUE, EXT(clSVMFreeWithPropertiesKHR)(cl.context, NULL, 0, &local));
	CL_ROW(CL_INVALID_CONTEXT,
		EXT(clGetSVMPointerInfoKHR)(NULL, NULL, p, INFO_TYPE, sizeof type, &type, NULL));
	CL_ROW(CL_INVALID_VALUE,
		EXT(clGetSVMPointerInfoKHR)(cl.context, NULL, p, 1, sizeof type, &type, NULL));
	CL_ROW(CL_INVALID_VALUE,
		EXT(clGetSVMPointerInfoKHR)(cl.context, NULL, p, INFO_TYPE, 1, &type, NULL));
	CL_ROW(CL_INVALID_DEVICE,
		EXT(clGetSVMPointerInfoKHR)(cl.context, (cl_device_id)(void *)cl.context, p,
			INFO_TYPE, sizeof type, &type, NULL));
	CL(EXT(clSVMFreeWithPropertiesKHR)(cl.context, NULL, 0, p));
	CL(EXT(clSVMFreeWithPropertiesKHR)(cl.context, NULL, 0, NULL));
	CL_ROW(CL_INVALID_VALUE, EXT(clSVMFreeWithPropertiesKHR)(cl.context, NULL, 0, p));
	cl_rows_end();
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_types, begin),
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_indirect),
		cmocka_unit_test(test_pointer_info),
		cmocka_unit_test(test_other_pointers),
		cmocka_unit_test(test_pointers_of_intel),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_suggestions),
		cmocka_unit_test(test_suggestions_of_each),
		cmocka_unit_test_teardown(test_errors, end),
	};

	return CL_RUN(argc, argv, tests);
}
