// SPDX-License-Identifier: MIT
/* Shared virtual memory: allocations, commands, kernels, buffers over it. */
#include "cl/cl_case.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N 4096

static const char source[] = "struct node { global struct node *next; uint value; uint pad; };\n"
			     "kernel void add(global uint *p, uint v)\n"
			     "{ p[get_global_id(0)] += v; }\n"
			     "kernel void walk(global struct node *list, global uint *sum)\n"
			     "{ uint s = 0; for (; list; list = list->next) s += list->value++;\n"
			     "  *sum = s; }\n"
			     "kernel void bytes(global uchar *p, constant uchar *q)\n"
			     "{ p[get_global_id(0)] ^= q[get_global_id(0)]; }\n"
			     "kernel void maybe(global uint *p, global uint *out)\n"
			     "{ *out = p ? 1 : 2; }\n";
static cl_program program;

struct node {
	struct node *next;
	cl_uint value, pad;
};

static cl_kernel make(const char *name)
{
	cl_kernel kernel = cl_kernel_of(program, name);

	return kernel;
}

static void *alloc(size_t size)
{
	void *pointer = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, size, 0);

	assert_non_null(pointer);
	return pointer;
}

static int open_svm(void **state)
{
	cl_device_svm_capabilities can = 0;

	(void)state;
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL));
	if (!(can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
		exit(cl.ours ? 1 : 77);
	program = cl_build(source, "-cl-std=CL3.0");
	return 0;
}

static int close_svm(void **state)
{
	(void)state;
	return clReleaseProgram(program);
}

static void map(void *pointer, size_t size, cl_map_flags flags)
{
	CL(clEnqueueSVMMap(cl.queue, CL_TRUE, flags, pointer, size, 0, NULL, NULL));
}

static void unmap(void *pointer)
{
	CL(clEnqueueSVMUnmap(cl.queue, pointer, 0, NULL, NULL));
}

/* What the host writes the kernel sees, and the other way round, at offsets too. */
static void test_kernel(void **state)
{
	cl_kernel kernel = make("add");
	cl_uint *p = alloc(N * sizeof *p);

	(void)state;
	for (unsigned round = 0; round < 5; round++) {
		unsigned first = round * 77;

		map(p, N * sizeof *p, CL_MAP_WRITE_INVALIDATE_REGION);
		for (unsigned i = 0; i < N; i++)
			p[i] = i * 3 + round;
		unmap(p);
		CL(clSetKernelArgSVMPointer(kernel, 0, p + first));
		cl_set_uint(kernel, 1, 1000 + round);
		cl_launch(kernel, N - first, 0);
		map(p, N * sizeof *p, CL_MAP_READ);
		for (unsigned i = 0; i < N; i++)
			assert_int_equal(p[i], i * 3 + round + (i < first ? 0 : 1000 + round));
		unmap(p);
	}
	CL(clFinish(cl.queue));
	clSVMFree(cl.context, p);
	CL(clReleaseKernel(kernel));
}

/* An allocation at the address of one that was freed is another one: the argument is sent anew. */
static void test_address_again(void **state)
{
	cl_kernel kernel = make("add");
	cl_uint *before = NULL, one = 1;
	int n_again = 0;

	(void)state;
	CL(clSetKernelArg(kernel, 1, sizeof(one), &one));
	for (int i = 0; i < 10; i++) {
		/* of the size of no slab, so that the driver frees it */
		cl_uint *p = alloc(4 << 20);

		n_again += p == before;
		CL(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_WRITE, p, N * 4, 0, NULL, NULL));
		for (cl_uint k = 0; k < N; k++)
			p[k] = k * 3;
		CL(clEnqueueSVMUnmap(cl.queue, p, 0, NULL, NULL));
		CL(clSetKernelArgSVMPointer(kernel, 0, p));
		cl_launch(kernel, N, 0);
		CL(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, p, N * 4, 0, NULL, NULL));
		for (cl_uint k = 0; k < N; k++)
			assert_int_equal(p[k], k * 3 + 1);
		CL(clEnqueueSVMUnmap(cl.queue, p, 0, NULL, NULL));
		CL(clFinish(cl.queue));
		clSVMFree(cl.context, p);
		before = p;
	}
	if (!n_again)
		print_message("no address came again\n");
	CL(clReleaseKernel(kernel));
}

/* A list over many allocations, which only clSetKernelExecInfo names; with a clone. */
static void test_linked(void **state)
{
	cl_kernel first = make("walk");
	struct node *nodes[40];
	cl_uint *sum = alloc(sizeof *sum);
	cl_uint want = 0;
	cl_int rc;

	(void)state;
	for (unsigned i = 0; i < 40; i++)
		nodes[i] = alloc(i % 2 ? sizeof **nodes : 70000);
	for (unsigned i = 0; i < 40; i++) {
		map(nodes[i], sizeof **nodes, CL_MAP_WRITE);
		*nodes[i] = (struct node){ i < 39 ? nodes[i + 1] : NULL, i * i, 0 };
		want += i * i;
		unmap(nodes[i]);
	}
	CL(clSetKernelArgSVMPointer(first, 0, nodes[0]));
	CL(clSetKernelArgSVMPointer(first, 1, sum));
	CL(clSetKernelExecInfo(first, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof nodes, nodes));
	cl_kernel clone = clCloneKernel(first, &rc);
	CL(rc);
	cl_kernel kernels[2] = { first, clone };
	for (unsigned k = 0; k < 2; k++) {
		map(sum, sizeof *sum, CL_MAP_WRITE);
		*sum = 0xdeadbeef;
		unmap(sum);
		cl_launch(kernels[k], 1, 1);
		map(sum, sizeof *sum, CL_MAP_READ);
		assert_int_equal(*sum, want + k * 40);
		unmap(sum);
	}
	CL(clFinish(cl.queue));
	if (!cl.intel)
		CL(clSetKernelExecInfo(first, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
	for (unsigned i = 0; i < 40; i++)
		clSVMFree(cl.context, nodes[i]);
	clSVMFree(cl.context, sum);
	CL(clReleaseKernel(first));
	CL(clReleaseKernel(clone));
}

/* Pointers that no type asks to be aligned, and NULL. */
static void test_odd_pointers(void **state)
{
	cl_kernel bytes = make("bytes"), maybe = make("maybe");
	unsigned char *p = alloc(N), *q = alloc(N);
	cl_uint *out = alloc(sizeof *out);

	(void)state;
	for (unsigned shift = 0; shift < 9; shift++) {
		map(p, N, CL_MAP_WRITE);
		map(q, N, CL_MAP_WRITE);
		for (unsigned i = 0; i < N; i++) {
			p[i] = (unsigned char)(i * 5);
			q[i] = (unsigned char)(i * 11 + 1);
		}
		unmap(p);
		unmap(q);
		CL(clSetKernelArgSVMPointer(bytes, 0, p + shift));
		CL(clSetKernelArgSVMPointer(bytes, 1, q + 2 * shift));
		cl_launch(bytes, 1000, 0);
		map(p, N, CL_MAP_READ);
		for (unsigned i = 0; i < N; i++) {
			unsigned char want = (unsigned char)(i * 5);

			if (i >= shift && i < shift + 1000)
				want ^= (unsigned char)((i + shift) * 11 + 1);
			assert_int_equal(p[i], want);
		}
		unmap(p);
	}
	CL(clSetKernelArgSVMPointer(maybe, 1, out));
	for (unsigned i = 0; i < 4; i++) {
		CL(clSetKernelArgSVMPointer(maybe, 0, i % 2 ? p : NULL));
		cl_launch(maybe, 1, 1);
		map(out, sizeof *out, CL_MAP_READ | CL_MAP_WRITE);
		assert_int_equal(*out, i % 2 ? 1 : 2);
		*out = 99;
		unmap(out);
	}
	CL(clFinish(cl.queue));
	clSVMFree(cl.context, p);
	clSVMFree(cl.context, q);
	clSVMFree(cl.context, out);
	CL(clReleaseKernel(bytes));
	CL(clReleaseKernel(maybe));
}

/* Copies between all kinds of memory, blocking or not, small and large, behind other work. */
static void test_copies(void **state)
{
	static const size_t sizes[] = { 1, 77, 4096, 65537, 3 << 20 };
	cl_kernel kernel = make("add");
	size_t max = 3 << 20;

	(void)state;
	for (unsigned round = 0; round < 4 * 5; round++) {
		size_t size = sizes[round / 4];
		bool from_svm = round & 1, to_svm = round & 2;
		unsigned char *from = from_svm ? alloc(max) : malloc(max);
		unsigned char *to = to_svm ? alloc(max) : malloc(max);
		cl_uint *other = alloc(4096);

		if (from_svm)
			map(from, size, CL_MAP_WRITE);
		for (size_t i = 0; i < size; i++)
			from[i] = (unsigned char)(i * 13 + round);
		if (from_svm)
			unmap(from);
		if (to_svm)
			map(to, max, CL_MAP_WRITE);
		memset(to, 0xee, max);
		if (to_svm)
			unmap(to);
		CL(clSetKernelArgSVMPointer(kernel, 0, other));
		cl_set_uint(kernel, 1, 1);
		cl_launch(kernel, 1024, 0);
		CL(clEnqueueSVMMemcpy(cl.queue, round % 3 == 0, to, from, size, 0, NULL, NULL));
		if (round % 3)
			CL(clFinish(cl.queue));
		if (to_svm)
			map(to, max, CL_MAP_READ);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(to[i], (unsigned char)(i * 13 + round));
		if (size < max)
			assert_int_equal(to[size], 0xee);
		if (to_svm)
			unmap(to);
		CL(clFinish(cl.queue));
		from_svm ? clSVMFree(cl.context, from) : free(from);
		to_svm ? clSVMFree(cl.context, to) : free(to);
		clSVMFree(cl.context, other);
	}
	CL(clReleaseKernel(kernel));
}

/* Every size of a pattern. */
static void test_fills(void **state)
{
	unsigned char pattern[128], *p = alloc(1 << 17);

	(void)state;
	for (unsigned i = 0; i < sizeof pattern; i++)
		pattern[i] = (unsigned char)(i * 7 + 3);
	for (size_t size = 1; size <= 128; size *= 2) {
		size_t offset = 256 - size, bytes = 100000 / size * size;

		map(p, 1 << 17, CL_MAP_WRITE);
		memset(p, 0xee, 1 << 17);
		unmap(p);
		CL(clEnqueueSVMMemFill(cl.queue, p + offset, pattern, size, bytes, 0, NULL, NULL));
		map(p, 1 << 17, CL_MAP_READ);
		for (size_t i = 0; i < 1 << 17; i++)
			assert_int_equal(p[i], i < offset || i >= offset + bytes
						       ? 0xee
						       : pattern[(i - offset) % size]);
		unmap(p);
	}
	CL(clFinish(cl.queue));
	clSVMFree(cl.context, p);
}

struct freed {
	cl_command_queue queue;
	cl_uint n;
	void *pointers[3];
	cl_uint seen;	       /* what the memory had then */
	_Atomic cl_uint calls; /* the last to change */
	cl_event event;
};

static void CL_CALLBACK on_free(cl_command_queue queue, cl_uint n, void *pointers[], void *data)
{
	struct freed *freed = data;

	freed->queue = queue;
	freed->n = n;
	memcpy(freed->pointers, pointers, n * sizeof *pointers);
	freed->seen = *(cl_uint *)pointers[0];
	for (cl_uint i = 0; i < n; i++)
		clSVMFree(cl.context, pointers[i]);
	freed->calls++;
}

static cl_command_type type_of(cl_event event)
{
	cl_command_type type = 0;

	CL(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
	return type;
}

static void test_release(void **state)
{
	struct freed freed = { 0 };
	cl_kernel kernel = make("add");
	cl_uint *p[3], zero = 0;
	void *list[3];
	cl_event event;
	cl_int status = 1;

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		list[i] = p[i] = alloc(N * sizeof **p);
	CL(clEnqueueSVMMemFill(cl.queue, p[0], &zero, 4, N * 4, 0, NULL, NULL));
	CL(clSetKernelArgSVMPointer(kernel, 0, p[0]));
	cl_set_uint(kernel, 1, 5);
	for (unsigned i = 0; i < 10; i++)
		cl_launch(kernel, N, 0);
	CL(clEnqueueSVMFree(cl.queue, 3, list, on_free, &freed, 0, NULL, &event));
	/* Intel's driver looks at it later */
	if (!cl.intel)
		memset(list, 0, sizeof list);
	CL(clWaitForEvents(1, &event));
	/* Intel's driver calls back beside the wait */
	for (int ms = 0; cl.intel && !freed.calls && ms < 10000; ms++)
		usleep(1000);
	assert_int_equal(freed.calls, 1);
	assert_ptr_equal(freed.queue, cl.queue);
	assert_int_equal(freed.n, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_ptr_equal(freed.pointers[i], p[i]);
	assert_int_equal(freed.seen, 50);
	assert_int_equal(type_of(event), CL_COMMAND_SVM_FREE);
	CL(clReleaseEvent(event));
	/* ours to free, behind a user event, with work behind it */
	for (unsigned i = 0; i < 3; i++)
		list[i] = alloc(100);
	cl_uint *q = alloc(4);
	cl_event user = clCreateUserEvent(cl.context, NULL);
	CL(clEnqueueSVMFree(cl.queue, 3, list, NULL, NULL, 1, &user, &event));
	cl_uint value = 42;
	CL(clEnqueueSVMMemFill(cl.queue, q, &value, 4, 4, 0, NULL, NULL));
	CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
	assert_true(status > CL_COMPLETE);
	CL(clSetUserEventStatus(user, CL_COMPLETE));
	CL(clFinish(cl.queue));
	CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
	assert_int_equal(status, CL_COMPLETE);
	map(q, 4, CL_MAP_READ);
	assert_int_equal(*q, 42);
	unmap(q);
	CL(clReleaseEvent(event));
	CL(clReleaseEvent(user));
	CL(clEnqueueSVMFree(cl.queue, 0, NULL, NULL, NULL, 0, NULL, NULL));
	CL(clFinish(cl.queue));
	clSVMFree(cl.context, q);
	clSVMFree(cl.context, NULL);
	CL(clReleaseKernel(kernel));
}

/* When what it waits for fails, nothing is freed. */
static void test_free_failed(void **state)
{
	struct freed freed = { 0 };
	void *p = alloc(100);
	cl_event user, event;
	cl_int status = 1;

	(void)state;
	skip_if(cl.intel);
	user = clCreateUserEvent(cl.context, NULL);
	CL(clEnqueueSVMFree(cl.queue, 1, &p, on_free, &freed, 1, &user, &event));
	CL(clSetUserEventStatus(user, -7));
	assert_int_equal(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
	assert_true(status < 0);
	assert_int_equal(freed.calls, 0);
	memset(p, 1, 100);
	CL(clReleaseEvent(user));
	CL(clReleaseEvent(event));
	CL(clFinish(cl.queue));
	clSVMFree(cl.context, p);
}

static void test_types(void **state)
{
	char *p = alloc(N), byte = 1;
	const void *list[2] = { p, p + 10 };
	size_t sizes[2] = { 0, 100 };
	cl_event events[7];
	static const cl_command_type types[7] = { CL_COMMAND_SVM_MAP, CL_COMMAND_SVM_UNMAP,
		CL_COMMAND_SVM_MEMFILL, CL_COMMAND_SVM_MEMCPY, CL_COMMAND_SVM_MIGRATE_MEM,
		CL_COMMAND_SVM_MIGRATE_MEM, CL_COMMAND_SVM_MAP };

	(void)state;
	CL(clEnqueueSVMMap(cl.queue, CL_FALSE, CL_MAP_READ, p, N, 0, NULL, &events[0]));
	CL(clEnqueueSVMUnmap(cl.queue, p, 0, NULL, &events[1]));
	CL(clEnqueueSVMMemFill(cl.queue, p, &byte, 1, N, 0, NULL, &events[2]));
	CL(clEnqueueSVMMemcpy(cl.queue, CL_FALSE, p, p + 64, 64, 0, NULL, &events[3]));
	CL(clEnqueueSVMMigrateMem(cl.queue, 2, list, NULL, 0, 0, NULL, &events[4]));
	CL(clEnqueueSVMMigrateMem(
		cl.queue, 2, list, sizes, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, &events[5]));
	CL(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_WRITE, p, N, 6, events, &events[6]));
	for (unsigned i = 0; i < 7; i++) {
		cl_ulong end = 0, start = 1;

		assert_int_equal(type_of(events[i]), types[i]);
		CL(clGetEventProfilingInfo(
			events[i], CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
		CL(clGetEventProfilingInfo(
			events[i], CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
		assert_true(start && end >= start);
		CL(clReleaseEvent(events[i]));
	}
	unmap(p);
	CL(clFinish(cl.queue));
	clSVMFree(cl.context, p);
}

static cl_bool uses_svm(cl_mem buffer)
{
	cl_bool uses = 77;

	CL(clGetMemObjectInfo(buffer, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL));
	return uses;
}

/* A buffer over an allocation is the allocation. */
static void test_buffer(void **state)
{
	cl_kernel kernel = make("add");
	cl_uint *p = alloc(N * sizeof *p), value = 7;
	cl_buffer_region region = { 1024, 2048 };
	void *host = NULL;
	cl_int rc;

	(void)state;
	cl_mem plain = clCreateBuffer(cl.context, 0, 64, NULL, &rc);
	CL(rc);
	assert_int_equal(uses_svm(plain), CL_FALSE);
	CL(clReleaseMemObject(plain));
	map(p, N * sizeof *p, CL_MAP_WRITE);
	for (unsigned i = 0; i < N; i++)
		p[i] = i;
	unmap(p);
	cl_mem buffer = clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, N * sizeof *p, p, &rc);
	CL(rc);
	cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
	CL(rc);
	assert_int_equal(uses_svm(buffer), CL_TRUE);
	assert_int_equal(uses_svm(part), CL_TRUE);
	CL(clGetMemObjectInfo(buffer, CL_MEM_HOST_PTR, sizeof host, &host, NULL));
	assert_ptr_equal(host, p);
	CL(clGetMemObjectInfo(part, CL_MEM_HOST_PTR, sizeof host, &host, NULL));
	assert_ptr_equal(host, (char *)p + 1024);
	cl_set_buffer(kernel, 0, part);
	cl_set_uint(kernel, 1, 100);
	cl_launch(kernel, 512, 0);
	CL(clSetKernelArgSVMPointer(kernel, 0, p));
	cl_launch(kernel, 300, 0);
	CL(clEnqueueFillBuffer(cl.queue, buffer, &value, 4, 0, 8, 0, NULL, NULL));
	map(p, N * sizeof *p, CL_MAP_READ);
	for (unsigned i = 0; i < N; i++)
		assert_int_equal(p[i],
			i < 2 ? 7 : i + (i < 300 ? 100 : 0) + (i >= 256 && i < 768 ? 100 : 0));
	unmap(p);
	cl_uint *mapped = clEnqueueMapBuffer(
		cl.queue, buffer, CL_TRUE, CL_MAP_WRITE, 4096, 64, 0, NULL, NULL, &rc);
	CL(rc);
	assert_ptr_equal(mapped, p + 1024);
	*mapped = 4711;
	CL(clEnqueueUnmapMemObject(cl.queue, buffer, mapped, 0, NULL, NULL));
	cl_read(buffer, sizeof value, &value);
	assert_int_equal(value, 7);
	CL(clEnqueueReadBuffer(cl.queue, buffer, CL_TRUE, 4096, 4, &value, 0, NULL, NULL));
	assert_int_equal(value, 4711);
	CL(clReleaseMemObject(part));
	CL(clReleaseMemObject(buffer));
	CL(clFinish(cl.queue));
	assert_int_equal(p[1024], 4711);
	clSVMFree(cl.context, p);
	CL(clReleaseKernel(kernel));
}

static void *many(void *data)
{
	for (unsigned i = 0; i < 300; i++) {
		size_t size = 1 + (i * 977) % 9000;
		unsigned char *p = clSVMAlloc(cl.context, 0, size, 0);

		if (!p)
			return data;
		memset(p, (int)i, size);
		if (p[size - 1] != (unsigned char)i)
			return data;
		clSVMFree(cl.context, p);
	}
	return NULL;
}

static void test_threads(void **state)
{
	pthread_t threads[4];
	void *bad;

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, many, &threads), 0);
	for (unsigned i = 0; i < 4; i++) {
		pthread_join(threads[i], &bad);
		assert_null(bad);
	}
}

static void test_alloc_errors(void **state)
{
	cl_device_svm_capabilities can = 0;
	cl_ulong max = 0;
	cl_context c = cl.context;

	(void)state;
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL));
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof max, &max, NULL));
	assert_null(clSVMAlloc(NULL, 0, 64, 0));
	assert_null(clSVMAlloc(c, 0, 0, 0));
	assert_null(clSVMAlloc(c, 0, (size_t)max + 1, 0));
	assert_null(clSVMAlloc(c, 0, SIZE_MAX, 0));
	assert_null(clSVMAlloc(c, 0, 64, 3));
	assert_null(clSVMAlloc(c, 0, 64, 1u << 31));
	assert_null(clSVMAlloc(c, CL_MEM_SVM_ATOMICS, 64, 0));
	assert_null(clSVMAlloc(c, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0));
	assert_null(clSVMAlloc(c, CL_MEM_USE_HOST_PTR, 64, 0));
	assert_null(clSVMAlloc(c, (cl_svm_mem_flags)1 << 40, 64, 0));
	if (!(can & CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
		assert_null(clSVMAlloc(c, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
	for (cl_uint align = 1; align <= 128; align *= 2) {
		void *p = clSVMAlloc(c, CL_MEM_READ_ONLY, 5, align);

		assert_non_null(p);
		assert_int_equal((uintptr_t)p % align, 0);
		clSVMFree(c, p);
	}
}

static void test_command_errors(void **state)
{
	cl_command_queue q = cl.queue, bad = (cl_command_queue)(void *)cl.context;
	char *p = alloc(256);
	const void *list[1] = { p };
	size_t sizes[1] = { 257 };
	void *free_list[1] = { p };
	cl_event none = NULL;
	const cl_map_flags wrong = CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION;

	(void)state;
	skip_if(cl.intel);
	CL_ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMemcpy(bad, 1, p, p + 8, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMemcpy(q, 1, NULL, p, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMemcpy(q, 1, p, NULL, 8, 0, NULL, NULL));
	CL_ROW(CL_MEM_COPY_OVERLAP, clEnqueueSVMMemcpy(q, 1, p, p + 7, 8, 0, NULL, NULL));
	CL_ROW(CL_MEM_COPY_OVERLAP, clEnqueueSVMMemcpy(q, 1, p + 7, p, 8, 0, NULL, NULL));
	CL_ROW(CL_SUCCESS, clEnqueueSVMMemcpy(q, 1, p, p + 8, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMemcpy(q, 1, p, p + 8, 8, 1, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMemcpy(q, 1, p, p + 8, 8, 1, &none, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMemFill(NULL, p, p, 1, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMemFill(q, NULL, p, 1, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMemFill(q, p, NULL, 1, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMemFill(q, p, p, 0, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMemFill(q, p, p, 3, 9, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMemFill(q, p, p, 256, 256, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMemFill(q, p + 1, p, 2, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMemFill(q, p, p, 4, 10, 0, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMemFill(q, p, p, 4, 8, 0, &none, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMap(bad, 1, 1, p, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMap(q, 1, 1, NULL, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMap(q, 1, 1, p, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMap(q, 1, 1 << 20, p, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMap(q, 1, wrong, p, 8, 0, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMap(q, 1, 1, p, 8, 1, NULL, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMUnmap(NULL, p, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMUnmap(q, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMUnmap(q, p, 1, NULL, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE,
		clEnqueueSVMFree(bad, 1, free_list, NULL, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMFree(q, 1, NULL, NULL, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMFree(q, 0, free_list, NULL, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
		clEnqueueSVMFree(q, 1, free_list, NULL, NULL, 1, NULL, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE,
		clEnqueueSVMMigrateMem(bad, 1, list, NULL, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(q, 0, list, NULL, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(q, 1, NULL, NULL, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(q, 1, list, NULL, 64, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(q, 1, list, sizes, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
		clEnqueueSVMMigrateMem(q, 1, list, NULL, 0, 1, NULL, NULL));
	cl_rows_end();
	CL(clFinish(q));
	clSVMFree(cl.context, p);
}

static void test_kernel_errors(void **state)
{
	cl_kernel kernel = make("add"), bad = (cl_kernel)(void *)cl.context;
	char *p = alloc(256), here[8];
	cl_bool yes = CL_TRUE, no = CL_FALSE;
	cl_int rc;

	(void)state;
	skip_if(cl.intel);
	CL_ROW(CL_INVALID_KERNEL, clSetKernelArgSVMPointer(bad, 0, p));
	CL_ROW(CL_INVALID_ARG_INDEX, clSetKernelArgSVMPointer(kernel, 2, p));
	CL_ROW(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(kernel, 1, p));
	CL_ROW(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(kernel, 0, here));
	CL_ROW(CL_SUCCESS, clSetKernelArgSVMPointer(kernel, 0, p + 255));
	CL_ROW(CL_INVALID_KERNEL,
		clSetKernelExecInfo(NULL, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof p, &p));
	CL_ROW(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, 0x4711, sizeof p, &p));
	CL_ROW(CL_INVALID_VALUE,
		clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof p, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof p - 1, &p));
	CL_ROW(CL_INVALID_VALUE,
		clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 3, &no));
	CL_ROW(CL_INVALID_OPERATION,
		clSetKernelExecInfo(
			kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
	CL_ROW(CL_SUCCESS, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
				   sizeof no, &no));
	CL_ROW_MADE(CL_INVALID_BUFFER_SIZE,
		clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, 257, p, &rc));
	CL_ROW_MADE(CL_INVALID_BUFFER_SIZE,
		clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, 257, p, &rc));
	cl_rows_end();
	clSVMFree(cl.context, p);
	CL(clReleaseKernel(kernel));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_kernel, open_svm),
		cmocka_unit_test(test_address_again),
		cmocka_unit_test(test_linked),
		cmocka_unit_test(test_odd_pointers),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_fills),
		cmocka_unit_test(test_release),
		cmocka_unit_test(test_free_failed),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_buffer),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_alloc_errors),
		cmocka_unit_test(test_command_errors),
		cmocka_unit_test_teardown(test_kernel_errors, close_svm),
	};

	return CL_RUN(argc, argv, tests);
}
