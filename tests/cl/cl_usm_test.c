// SPDX-License-Identifier: MIT
/* cl_intel_unified_shared_memory and cl_ext_buffer_device_address. */
#include "cl/cl_case.h"

#include <stdlib.h>
#include <string.h>

#define N 4096

/* Not in all headers. */
#define DEVICE_PRIVATE_ADDRESS 0x5000
#define DEVICE_ADDRESS	       0x5001
#define DEVICE_PTRS	       0x5002

#define FUNCTIONS                                                                                  \
	F(clHostMemAllocINTEL)                                                                     \
	F(clDeviceMemAllocINTEL)                                                                   \
	F(clSharedMemAllocINTEL)                                                                   \
	F(clMemFreeINTEL)                                                                          \
	F(clMemBlockingFreeINTEL)                                                                  \
	F(clGetMemAllocInfoINTEL)                                                                  \
	F(clSetKernelArgMemPointerINTEL)                                                           \
	F(clEnqueueMemFillINTEL)                                                                   \
	F(clEnqueueMemcpyINTEL)                                                                    \
	F(clEnqueueMigrateMemINTEL)                                                                \
	F(clEnqueueMemAdviseINTEL)

static struct {
#define F(name) name##_fn name;
	FUNCTIONS
#undef F
	cl_int(CL_API_CALL *set_device_pointer)(cl_kernel, cl_uint, cl_ulong);
	cl_int(CL_API_CALL *memset)(
		cl_command_queue, void *, cl_int, size_t, cl_uint, const cl_event *, cl_event *);
} f;

static const char source[] = "struct node { global struct node *next; uint value; uint pad; };\n"
			     "kernel void add(global uint *p, uint v)\n"
			     "{ p[get_global_id(0)] += v; }\n"
			     "kernel void walk(global struct node *list, global uint *sum)\n"
			     "{ uint s = 0; for (; list; list = list->next) s += list->value++;\n"
			     "  *sum = s; }\n"
			     "kernel void give(global ulong *p, global uint *q)\n"
			     "{ *p = (ulong)(q + get_global_id(0)); }\n"
			     "kernel void take(global ulong *p, uint v)\n"
			     "{ global uint *q = (global uint *)*p; q[get_global_id(0)] = v; }\n";
static cl_program program;

struct node {
	struct node *next;
	cl_uint value, pad;
};

static void load(const char *name, void *function)
{
	void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);

	memcpy(function, &found, sizeof found);
}

static int open_usm(void **state)
{
	(void)state;
	if (!cl_has("cl_intel_unified_shared_memory"))
		exit(cl.ours ? 1 : 77);
#define F(name)                                                                                    \
	load(#name, &f.name);                                                                      \
	assert_non_null(f.name);
	FUNCTIONS
#undef F
	load("clSetKernelArgDevicePointerEXT", &f.set_device_pointer);
	load("clEnqueueMemsetINTEL", &f.memset);
	program = cl_build(source, "-cl-std=CL3.0");
	return 0;
}

static int close_usm(void **state)
{
	(void)state;
	return clReleaseProgram(program);
}

static cl_kernel make(const char *name)
{
	cl_kernel kernel = cl_kernel_of(program, name);

	return kernel;
}

enum kind { HOST, DEVICE, SHARED, UNOWNED, N_KINDS };

static void *alloc(enum kind kind, const cl_mem_properties_intel *properties, size_t size,
	cl_uint align, cl_int *rc)
{
	switch (kind) {
	case HOST:
		return f.clHostMemAllocINTEL(cl.context, properties, size, align, rc);
	case DEVICE:
		return f.clDeviceMemAllocINTEL(cl.context, cl.device, properties, size, align, rc);
	case SHARED:
		return f.clSharedMemAllocINTEL(cl.context, cl.device, properties, size, align, rc);
	default:
		return f.clSharedMemAllocINTEL(cl.context, NULL, properties, size, align, rc);
	}
}

static void *get(enum kind kind, size_t size)
{
	cl_int rc = 4711;
	void *p = alloc(kind, NULL, size, 0, &rc);

	CL(rc);
	assert_non_null(p);
	return p;
}

static void test_capabilities(void **state)
{
	cl_bitfield bits;

	(void)state;
	for (cl_device_info info = CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL;
		info <= CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL; info++) {
		size_t size = 0;

		bits = 0xdead;
		CL(clGetDeviceInfo(cl.device, info, sizeof bits, &bits, &size));
		assert_int_equal(size, sizeof bits);
		if (info < CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL)
			assert_int_equal(bits & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL, 1);
		assert_int_equal(bits & ~(cl_bitfield)15, 0);
	}
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, sizeof bits,
		&bits, NULL));
	assert_int_equal(bits, 0);
}

/* A kernel on every kind of memory; copies bring the bytes in and out. */
static void test_kinds(void **state)
{
	cl_kernel kernel = make("add");
	cl_uint bytes[N], back[N];

	(void)state;
	for (unsigned round = 0; round < 2 * N_KINDS; round++) {
		enum kind kind = round % N_KINDS;
		cl_uint *p = get(kind, sizeof bytes);
		unsigned first = round * 13;

		for (unsigned i = 0; i < N; i++)
			bytes[i] = i * 7 + round;
		memset(back, 0xee, sizeof back);
		CL(f.clEnqueueMemcpyINTEL(
			cl.queue, round >= N_KINDS, p, bytes, sizeof bytes, 0, NULL, NULL));
		CL(f.clSetKernelArgMemPointerINTEL(kernel, 0, p + first));
		cl_set_uint(kernel, 1, 99);
		cl_launch(kernel, N - first, 0);
		CL(f.clEnqueueMemcpyINTEL(cl.queue, CL_TRUE, back, p, sizeof back, 0, NULL, NULL));
		for (unsigned i = 0; i < N; i++)
			assert_int_equal(back[i], i * 7 + round + (i >= first ? 99 : 0));
		if (kind != DEVICE)
			assert_memory_equal(p, back, sizeof back);
		CL(f.clMemFreeINTEL(cl.context, p));
	}
	CL(clReleaseKernel(kernel));
}

/* Between all pairs of kinds, and memory of the system's, at odd places. */
static void test_copies(void **state)
{
	static unsigned char bytes[100000], back[100000];

	(void)state;
	for (unsigned pair = 0; pair < 25; pair++) {
		unsigned a = pair / 5, b = pair % 5;
		unsigned char *from = a == N_KINDS ? malloc(sizeof bytes) : get(a, sizeof bytes);
		unsigned char *to = b == N_KINDS ? malloc(sizeof bytes) : get(b, sizeof bytes);
		size_t size = 77777 - pair;

		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (unsigned char)(i * 3 + pair);
		memset(back, 0xee, sizeof back);
		CL(f.clEnqueueMemcpyINTEL(
			cl.queue, CL_FALSE, from, bytes, sizeof bytes, 0, NULL, NULL));
		/* Intel's driver does not fill memory of the system's */
		if (b == N_KINDS && cl.intel)
			memset(to, 0x55, sizeof bytes);
		else
			CL(f.clEnqueueMemFillINTEL(
				cl.queue, to, "\x55", 1, sizeof bytes, 0, NULL, NULL));
		CL(f.clEnqueueMemcpyINTEL(
			cl.queue, CL_FALSE, to + 5, from + 3, size, 0, NULL, NULL));
		CL(f.clEnqueueMemcpyINTEL(cl.queue, CL_TRUE, back, to, sizeof back, 0, NULL, NULL));
		for (size_t i = 0; i < sizeof back; i++)
			assert_int_equal(back[i], i < 5 || i >= 5 + size
							  ? 0x55
							  : (unsigned char)((i - 2) * 3 + pair));
		a == N_KINDS ? free(from) : (void)f.clMemFreeINTEL(cl.context, from);
		b == N_KINDS ? free(to) : (void)f.clMemFreeINTEL(cl.context, to);
	}
}

static void test_fills(void **state)
{
	unsigned char pattern[128], back[20000];

	(void)state;
	for (unsigned i = 0; i < sizeof pattern; i++)
		pattern[i] = (unsigned char)(i * 9 + 2);
	for (unsigned kind = 0; kind < N_KINDS; kind++) {
		unsigned char *p = get(kind, sizeof back);

		for (size_t size = 1; size <= 128; size *= 2) {
			size_t begin = 128, bytes = 19000 / size * size;

			CL(f.clEnqueueMemFillINTEL(
				cl.queue, p, "\xee", 1, sizeof back, 0, NULL, NULL));
			CL(f.clEnqueueMemFillINTEL(
				cl.queue, p + begin, pattern, size, bytes, 0, NULL, NULL));
			memset(back, 0, sizeof back);
			CL(f.clEnqueueMemcpyINTEL(
				cl.queue, CL_TRUE, back, p, sizeof back, 0, NULL, NULL));
			for (size_t i = 0; i < sizeof back; i++)
				assert_int_equal(back[i], i < begin || i >= begin + bytes
								  ? 0xee
								  : pattern[(i - begin) % size]);
		}
		if (f.memset) {
			CL(f.memset(cl.queue, p, 0x1234, 100, 0, NULL, NULL));
			CL(f.clEnqueueMemcpyINTEL(
				cl.queue, CL_TRUE, back, p, sizeof back, 0, NULL, NULL));
			assert_int_equal(back[99], 0x34);
			assert_int_equal(back[100], 0xee);
		}
		CL(f.clMemFreeINTEL(cl.context, p));
	}
}

static void check_info(void *p, cl_uint type, void *base, size_t size, cl_device_id device,
	cl_mem_alloc_flags_intel flags)
{
	cl_unified_shared_memory_type_intel got_type = 1;
	cl_mem_alloc_flags_intel got_flags = 99;
	cl_device_id got_device = (cl_device_id)(void *)&got_type;
	void *got_base = &got_type;
	size_t got_size = 4711, bytes = 0;

	CL(f.clGetMemAllocInfoINTEL(
		cl.context, p, CL_MEM_ALLOC_TYPE_INTEL, sizeof got_type, &got_type, &bytes));
	assert_int_equal(bytes, sizeof got_type);
	CL(f.clGetMemAllocInfoINTEL(
		cl.context, p, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof got_base, &got_base, NULL));
	CL(f.clGetMemAllocInfoINTEL(
		cl.context, p, CL_MEM_ALLOC_SIZE_INTEL, sizeof got_size, &got_size, NULL));
	CL(f.clGetMemAllocInfoINTEL(
		cl.context, p, CL_MEM_ALLOC_DEVICE_INTEL, sizeof got_device, &got_device, NULL));
	CL(f.clGetMemAllocInfoINTEL(
		cl.context, p, CL_MEM_ALLOC_FLAGS_INTEL, sizeof got_flags, &got_flags, NULL));
	assert_int_equal(got_type, type);
	assert_ptr_equal(got_base, base);
	assert_int_equal(got_size, size);
	assert_ptr_equal(got_device, device);
	assert_int_equal(got_flags, flags);
}

static void test_info(void **state)
{
	static const cl_uint types[N_KINDS] = { CL_MEM_TYPE_HOST_INTEL, CL_MEM_TYPE_DEVICE_INTEL,
		CL_MEM_TYPE_SHARED_INTEL, CL_MEM_TYPE_SHARED_INTEL };
	cl_mem_properties_intel properties[] = { CL_MEM_ALLOC_FLAGS_INTEL,
		CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0 };
	char here;

	(void)state;
	for (unsigned kind = 0; kind < N_KINDS; kind++) {
		cl_device_id device = kind == DEVICE || kind == SHARED ? cl.device : NULL;
		cl_int rc;
		char *p = alloc(kind, properties, 1000, 64, &rc);

		CL(rc);
		assert_int_equal((uintptr_t)p % 64, 0);
		check_info(p, types[kind], p, 1000, device, CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
		check_info(
			p + 999, types[kind], p, 1000, device, CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
		CL(f.clMemBlockingFreeINTEL(cl.context, p));
		check_info(p, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
	}
	check_info(&here, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
	check_info(NULL, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
}

/* cl_intel_mem_alloc_buffer_location: an allocation tells its location, 0 if it was given none. */
static void test_location(void **state)
{
	static const cl_mem_properties_intel locations[] = { CL_MEM_ALLOC_BUFFER_LOCATION_INTEL,
		0x300000007, CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0 };
	cl_ulong location = 99;

	(void)state;
	skip_if(!cl_has("cl_intel_mem_alloc_buffer_location"));
	for (unsigned kind = 0; kind < N_KINDS; kind++)
		for (int given = 0; given < 2; given++) {
			cl_int rc;
			char *p = alloc(kind, given ? locations : NULL, 64, 0, &rc);

			CL(rc);
			CL(f.clGetMemAllocInfoINTEL(cl.context, p,
				CL_MEM_ALLOC_BUFFER_LOCATION_INTEL, sizeof location, &location,
				NULL));
			assert_int_equal(location, given ? locations[1] : 0);
			CL(f.clMemFreeINTEL(cl.context, p));
		}
}

/* A list through allocations that no argument names, some made after the kernel was told. */
static void walk(enum kind kind, cl_kernel_exec_info how)
{
	cl_kernel kernel = make("walk");
	struct node *nodes[9], node = { 0 };
	cl_uint *sum = get(HOST, sizeof *sum), want = 0;
	cl_bool yes = CL_TRUE;

	*sum = 4711;
	for (unsigned i = 0; i < 9; i++) {
		if (i == 5 && how != CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL)
			CL(clSetKernelExecInfo(kernel, how, sizeof yes, &yes));
		nodes[i] = get(kind, sizeof node);
	}
	for (unsigned i = 0; i < 9; i++) {
		node = (struct node){ i < 8 ? nodes[i + 1] : NULL, i + 10, 0 };
		want += i + 10;
		CL(f.clEnqueueMemcpyINTEL(
			cl.queue, CL_TRUE, nodes[i], &node, sizeof node, 0, NULL, NULL));
	}
	if (how == CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL)
		CL(clSetKernelExecInfo(kernel, how, sizeof nodes, nodes));
	CL(f.clSetKernelArgMemPointerINTEL(kernel, 0, nodes[0]));
	CL(f.clSetKernelArgMemPointerINTEL(kernel, 1, sum));
	cl_launch(kernel, 1, 1);
	CL(clFinish(cl.queue));
	assert_int_equal(*sum, want);
	for (unsigned i = 0; i < 9; i++)
		CL(f.clMemFreeINTEL(cl.context, nodes[i]));
	CL(f.clMemFreeINTEL(cl.context, sum));
	CL(clReleaseKernel(kernel));
}

static void test_indirect(void **state)
{
	(void)state;
	for (unsigned kind = HOST; kind < UNOWNED; kind++)
		walk(kind, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL);
	walk(HOST, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL);
	walk(DEVICE, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL);
	walk(SHARED, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL);
}

/* The free waits for work of all queues that may use the memory. */
static void test_blocking_free(void **state)
{
	cl_kernel kernel = make("add");
	cl_int rc, status = 1;
	cl_command_queue other =
		clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &rc);
	cl_event event;
	size_t global = N;

	(void)state;
	CL(rc);
	for (unsigned round = 0; round < 20; round++) {
		cl_uint *p = get(round % UNOWNED, N * sizeof *p);

		CL(f.clSetKernelArgMemPointerINTEL(kernel, 0, p));
		cl_set_uint(kernel, 1, 1);
		CL(clEnqueueNDRangeKernel(round % 2 ? other : cl.queue, kernel, 1, NULL, &global,
			NULL, 0, NULL, &event));
		CL(f.clMemBlockingFreeINTEL(cl.context, p));
		CL(clGetEventInfo(
			event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
		assert_int_equal(status, CL_COMPLETE);
		CL(clReleaseEvent(event));
	}
	CL(f.clMemBlockingFreeINTEL(cl.context, NULL));
	CL(f.clMemFreeINTEL(cl.context, NULL));
	CL(clReleaseCommandQueue(other));
	CL(clReleaseKernel(kernel));
}

static void test_types(void **state)
{
	static const cl_command_type types[] = { CL_COMMAND_MEMFILL_INTEL, CL_COMMAND_MEMCPY_INTEL,
		CL_COMMAND_MIGRATEMEM_INTEL, CL_COMMAND_MEMADVISE_INTEL };
	char *p = get(SHARED, 256);
	cl_event events[4];

	(void)state;
	CL(f.clEnqueueMemFillINTEL(cl.queue, p, "x", 1, 256, 0, NULL, &events[0]));
	CL(f.clEnqueueMemcpyINTEL(cl.queue, CL_FALSE, p, p + 128, 128, 1, events, &events[1]));
	CL(f.clEnqueueMigrateMemINTEL(
		cl.queue, p, 256, CL_MIGRATE_MEM_OBJECT_HOST, 2, events, &events[2]));
	CL(f.clEnqueueMemAdviseINTEL(cl.queue, p, 256, 0, 3, events, &events[3]));
	CL(clWaitForEvents(4, events));
	for (unsigned i = 0; i < 4; i++) {
		cl_command_type type = 0;

		CL(clGetEventInfo(events[i], CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
		assert_int_equal(type, types[i]);
		CL(clReleaseEvent(events[i]));
	}
	CL(f.clMemFreeINTEL(cl.context, p));
}

/* A buffer over host and shared allocations is the allocation. */
static void test_buffer(void **state)
{
	cl_kernel kernel = make("add");

	(void)state;
	for (unsigned kind = HOST; kind <= SHARED; kind += SHARED) {
		cl_uint *p = get(kind, N * sizeof *p);
		cl_bool is_svm = 99;
		cl_int rc;

		for (unsigned i = 0; i < N; i++)
			p[i] = i;
		cl_mem buffer =
			clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, N * sizeof *p, p, &rc);
		CL(rc);
		CL(clGetMemObjectInfo(
			buffer, CL_MEM_USES_SVM_POINTER, sizeof is_svm, &is_svm, NULL));
		if (cl.ours)
			assert_int_equal(is_svm, CL_FALSE);
		cl_set_buffer(kernel, 0, buffer);
		cl_set_uint(kernel, 1, 3);
		cl_launch(kernel, N, 0);
		cl_uint *mapped = clEnqueueMapBuffer(cl.queue, buffer, CL_TRUE, CL_MAP_READ, 0,
			N * sizeof *p, 0, NULL, NULL, &rc);
		CL(rc);
		assert_ptr_equal(mapped, p);
		for (unsigned i = 0; i < N; i++)
			assert_int_equal(p[i], i + 3);
		CL(clEnqueueUnmapMemObject(cl.queue, buffer, mapped, 0, NULL, NULL));
		CL(clFinish(cl.queue));
		CL(clReleaseMemObject(buffer));
		CL(f.clMemFreeINTEL(cl.context, p));
	}
	CL(clReleaseKernel(kernel));
}

static void alloc_rows(enum kind kind, cl_ulong max)
{
	cl_mem_properties_intel unknown[] = { 0x4711, 0, 0 },
				flags[] = { CL_MEM_ALLOC_FLAGS_INTEL, 0x80, 0 },
				twice[] = { CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL,
					0, 0 },
				both[] = { CL_MEM_ALLOC_FLAGS_INTEL,
					CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
						CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL,
					0 },
				one[] = { CL_MEM_ALLOC_FLAGS_INTEL,
					CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, 0 },
				none[] = { 0 };
	cl_int rc;

	CL_ROW_MADE(CL_INVALID_PROPERTY, alloc(kind, unknown, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_PROPERTY, alloc(kind, flags, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_PROPERTY, alloc(kind, twice, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_PROPERTY, alloc(kind, both, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_BUFFER_SIZE, alloc(kind, NULL, 0, 0, &rc));
	CL_ROW_MADE(CL_INVALID_BUFFER_SIZE, alloc(kind, NULL, (size_t)max + 1, 0, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, alloc(kind, NULL, 64, 3, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, alloc(kind, NULL, 64, 256, &rc));
	if (kind == HOST || kind == DEVICE) {
		CL_ROW_MADE(CL_INVALID_PROPERTY, alloc(kind, one, 64, 0, &rc));
	} else {
		void *p = alloc(kind, one, 64, 0, &rc);

		CL_ROW(CL_SUCCESS, rc);
		CL_ROW(CL_SUCCESS, f.clMemFreeINTEL(cl.context, p));
	}
	void *p = alloc(kind, none, 64, 128, NULL);
	assert_non_null(p);
	assert_int_equal((uintptr_t)p % 128, 0);
	CL_ROW(CL_INVALID_VALUE, f.clMemFreeINTEL(cl.context, (char *)p + 1));
	CL_ROW(CL_INVALID_CONTEXT, f.clMemFreeINTEL(NULL, p));
	CL_ROW(CL_SUCCESS, f.clMemFreeINTEL(cl.context, p));
	CL_ROW(CL_INVALID_VALUE, f.clMemFreeINTEL(cl.context, p));
	CL_ROW(CL_INVALID_VALUE, f.clMemBlockingFreeINTEL(cl.context, p));
}

static void test_alloc_errors(void **state)
{
	cl_context c = cl.context, bad = (cl_context)(void *)cl.queue;
	cl_device_id wrong = (cl_device_id)(void *)cl.queue;
	cl_ulong max = 0;
	char room[8], *svm = clSVMAlloc(c, 0, 64, 0);
	cl_int rc;

	(void)state;
	skip_if(!cl.ours);
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof max, &max, NULL));
	for (unsigned kind = 0; kind < N_KINDS; kind++)
		alloc_rows(kind, max);
	CL_ROW_MADE(CL_INVALID_CONTEXT, f.clHostMemAllocINTEL(bad, NULL, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_CONTEXT, f.clDeviceMemAllocINTEL(bad, cl.device, NULL, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_CONTEXT, f.clSharedMemAllocINTEL(NULL, cl.device, NULL, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_DEVICE, f.clDeviceMemAllocINTEL(c, NULL, NULL, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_DEVICE, f.clDeviceMemAllocINTEL(c, wrong, NULL, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_DEVICE, f.clSharedMemAllocINTEL(c, wrong, NULL, 64, 0, &rc));
	CL_ROW(CL_INVALID_VALUE, f.clMemFreeINTEL(c, svm));
	CL_ROW(CL_INVALID_CONTEXT, f.clMemBlockingFreeINTEL(bad, svm));
	CL_ROW(CL_INVALID_CONTEXT, f.clGetMemAllocInfoINTEL(bad, svm, CL_MEM_ALLOC_TYPE_INTEL,
					   sizeof room, room, NULL));
	CL_ROW(CL_INVALID_VALUE, f.clGetMemAllocInfoINTEL(c, svm, 0x4711, sizeof room, room, NULL));
	CL_ROW(CL_INVALID_VALUE,
		f.clGetMemAllocInfoINTEL(c, svm, CL_MEM_ALLOC_TYPE_INTEL, 3, room, NULL));
	cl_rows_end();
	clSVMFree(c, svm);
}

static void test_command_errors(void **state)
{
	cl_command_queue q = cl.queue, bad = (cl_command_queue)(void *)cl.context;
	char *p = get(SHARED, 256);
	cl_event none = NULL;

	(void)state;
	skip_if(!cl.ours);
	CL_ROW(CL_INVALID_COMMAND_QUEUE,
		f.clEnqueueMemcpyINTEL(bad, 1, p, p + 8, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, f.clEnqueueMemcpyINTEL(q, 1, NULL, p, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, f.clEnqueueMemcpyINTEL(q, 1, p, NULL, 8, 0, NULL, NULL));
	CL_ROW(CL_MEM_COPY_OVERLAP, f.clEnqueueMemcpyINTEL(q, 1, p, p + 7, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
		f.clEnqueueMemcpyINTEL(q, 1, p, p + 8, 8, 1, &none, NULL));
	CL_ROW(CL_SUCCESS, f.clEnqueueMemcpyINTEL(q, 1, p, p + 8, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, f.clEnqueueMemFillINTEL(bad, p, p, 1, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, f.clEnqueueMemFillINTEL(q, NULL, p, 1, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, f.clEnqueueMemFillINTEL(q, p + 2, p, 4, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, f.clEnqueueMemFillINTEL(q, p, NULL, 1, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, f.clEnqueueMemFillINTEL(q, p, p, 3, 9, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, f.clEnqueueMemFillINTEL(q, p, p, 256, 256, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, f.clEnqueueMemFillINTEL(q, p, p, 4, 9, 0, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST, f.clEnqueueMemFillINTEL(q, p, p, 4, 8, 1, NULL, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, f.clEnqueueMigrateMemINTEL(NULL, p, 8, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, f.clEnqueueMigrateMemINTEL(q, p, 8, 64, 0, NULL, NULL));
	CL_ROW(CL_SUCCESS, f.clEnqueueMigrateMemINTEL(q, p, 8, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, f.clEnqueueMemAdviseINTEL(bad, p, 8, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, f.clEnqueueMemAdviseINTEL(q, p, 8, 77, 0, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST, f.clEnqueueMemAdviseINTEL(q, p, 8, 0, 0, &none, NULL));
	cl_rows_end();
	CL(clFinish(q));
	CL(f.clMemFreeINTEL(cl.context, p));
}

static void test_kernel_errors(void **state)
{
	cl_kernel kernel = make("add"), bad = (cl_kernel)(void *)cl.context;
	char here[8], *p = here;
	cl_bool yes = CL_TRUE;

	(void)state;
	skip_if(!cl.ours);
	CL_ROW(CL_INVALID_KERNEL, f.clSetKernelArgMemPointerINTEL(bad, 0, p));
	CL_ROW(CL_INVALID_ARG_INDEX, f.clSetKernelArgMemPointerINTEL(kernel, 2, p));
	CL_ROW(CL_INVALID_ARG_VALUE, f.clSetKernelArgMemPointerINTEL(kernel, 1, p));
	CL_ROW(CL_SUCCESS, f.clSetKernelArgMemPointerINTEL(kernel, 0, here));
	CL_ROW(CL_SUCCESS, f.clSetKernelArgMemPointerINTEL(kernel, 0, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
			sizeof yes - 1, &yes));
	CL_ROW(CL_INVALID_VALUE,
		clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
			sizeof yes, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 7, &p));
	CL_ROW(CL_SUCCESS,
		clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof p, &p));
	CL_ROW(CL_INVALID_KERNEL, f.set_device_pointer(bad, 0, 0));
	CL_ROW(CL_INVALID_ARG_INDEX, f.set_device_pointer(kernel, 2, 0));
	CL_ROW(CL_INVALID_ARG_INDEX, f.set_device_pointer(kernel, 1, 0));
	CL_ROW(CL_SUCCESS, f.set_device_pointer(kernel, 0, 0x123456789abc));
	CL_ROW(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, DEVICE_PTRS, 7, &p));
	cl_rows_end();
	CL(clReleaseKernel(kernel));
}

static cl_mem make_addressed(size_t size, cl_ulong *address)
{
	cl_mem_properties properties[] = { DEVICE_PRIVATE_ADDRESS, CL_TRUE, 0 };
	cl_int rc;
	cl_mem buffer = clCreateBufferWithProperties(cl.context, properties, 0, size, NULL, &rc);

	CL(rc);
	CL(clGetMemObjectInfo(buffer, DEVICE_ADDRESS, sizeof *address, address, NULL));
	assert_true(*address);
	return buffer;
}

/* The address is the one that kernels see, and kernels reach the buffer by it alone. */
static void test_device_address(void **state)
{
	cl_kernel give = make("give"), take = make("take");
	cl_ulong address = 0, sub_address = 0, told = 0;
	cl_buffer_region region = { 1024, 1024 };
	cl_uint bytes[N];
	cl_int rc;

	(void)state;
	skip_if(!cl_has("cl_ext_buffer_device_address"));
	cl_mem buffer = make_addressed(sizeof bytes, &address);
	cl_mem other = cl_make_buffer(sizeof told, &told);
	cl_mem sub = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
	CL(rc);
	CL(clGetMemObjectInfo(sub, DEVICE_ADDRESS, sizeof sub_address, &sub_address, NULL));
	assert_int_equal(sub_address, address + 1024);
	CL(f.set_device_pointer(give, 1, address + 16));
	cl_set_buffer(give, 0, other);
	cl_launch(give, 1, 1);
	cl_read(other, sizeof told, &told);
	assert_int_equal(told, address + 16);
	cl_set_buffer(take, 0, other);
	cl_set_uint(take, 1, 77);
	CL(clSetKernelExecInfo(take, DEVICE_PTRS, sizeof address, &address));
	bytes[0] = 5;
	CL(clEnqueueFillBuffer(cl.queue, buffer, bytes, 4, 0, sizeof bytes, 0, NULL, NULL));
	cl_launch(take, 100, 0);
	cl_read(buffer, sizeof bytes, bytes);
	for (unsigned i = 0; i < N; i++)
		assert_int_equal(bytes[i], i < 4 || i >= 104 ? 5 : 77);
	CL(clReleaseMemObject(sub));
	CL(clReleaseMemObject(buffer));
	CL(clReleaseMemObject(other));
	CL(clReleaseKernel(give));
	CL(clReleaseKernel(take));
}

static void test_address_errors(void **state)
{
	cl_mem_properties on[] = { DEVICE_PRIVATE_ADDRESS, CL_TRUE, 0 };
	cl_mem_properties off[] = { DEVICE_PRIVATE_ADDRESS, CL_FALSE, 0 };
	cl_mem_properties bad[] = { DEVICE_PRIVATE_ADDRESS, 2, 0 };
	cl_mem_properties twice[] = { DEVICE_PRIVATE_ADDRESS, 1, DEVICE_PRIVATE_ADDRESS, 1, 0 };
	cl_mem_properties got[5] = { 9, 9, 9, 9, 9 };
	cl_ulong address = 0;
	size_t size = 0;
	cl_int rc;

	(void)state;
	skip_if(!cl_has("cl_ext_buffer_device_address"));
	CL_ROW_MADE(CL_INVALID_PROPERTY,
		clCreateBufferWithProperties(cl.context, bad, 0, 64, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_PROPERTY,
		clCreateBufferWithProperties(cl.context, twice, 0, 64, NULL, &rc));
	cl_mem plain = clCreateBufferWithProperties(cl.context, off, 0, 64, NULL, &rc);
	CL_ROW(CL_SUCCESS, rc);
	CL_ROW(CL_INVALID_OPERATION,
		clGetMemObjectInfo(plain, DEVICE_ADDRESS, sizeof address, &address, NULL));
	cl_mem buffer = clCreateBufferWithProperties(cl.context, on, 0, 64, NULL, &rc);
	CL_ROW(CL_SUCCESS, rc);
	CL_ROW(CL_INVALID_VALUE, clGetMemObjectInfo(buffer, DEVICE_ADDRESS, 7, &address, NULL));
	CL_ROW(CL_SUCCESS, clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, sizeof got, got, &size));
	cl_rows_end();
	assert_int_equal(size, sizeof on);
	assert_memory_equal(got, on, sizeof on);
	CL(clReleaseMemObject(plain));
	CL(clReleaseMemObject(buffer));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_capabilities, open_usm),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_fills),
		cmocka_unit_test(test_info),
		cmocka_unit_test(test_location),
		cmocka_unit_test(test_indirect),
		cmocka_unit_test(test_blocking_free),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_buffer),
		cmocka_unit_test(test_alloc_errors),
		cmocka_unit_test(test_command_errors),
		cmocka_unit_test(test_kernel_errors),
		cmocka_unit_test(test_device_address),
		cmocka_unit_test_teardown(test_address_errors, close_usm),
	};

	return CL_RUN(argc, argv, tests);
}
