// SPDX-License-Identifier: MIT
/* The error lists of the specification: kernels, queues, events, commands. */
#include "cl/cl_case.h"

#include <stdlib.h>
#include <string.h>

#define BAD(type) ((type)(void *)cl.context) /* a live handle of another kind */

static const char source[] =
	"struct s { char a; long b; };\n"
	"kernel void args(global int *p, uint n, local int *l, struct s v, constant int *c)\n"
	"{ p[0] = n + l[0] + v.a + c[0]; }\n"
	"__attribute__((reqd_work_group_size(8, 2, 1)))\n"
	"kernel void fixed(global int *p) { p[get_global_id(0)] = 1; }\n"
	"__attribute__((reqd_work_group_size(64, 32, 1)))\n"
	"kernel void huge(global int *p) { p[get_global_id(0)] = 1; }\n"
	"kernel void two(local int *a, local int *b) { a[0] = b[0]; }\n"
	"kernel void plain(global int *p) { p[get_global_id(0)] = 1; }\n";

static cl_program program;
static cl_mem buffer;

static cl_kernel kernel_of(const char *name)
{
	cl_kernel kernel = cl_kernel_of(program, name);

	return kernel;
}

static void test_set_arg(void **state)
{
	struct {
		cl_char a;
		cl_long b;
	} value = { 1, 2 };
	cl_kernel k = kernel_of("args");
	cl_mem wrong = BAD(cl_mem), null = NULL;
	cl_uint n = 5;

	(void)state;
	CL_ROW(CL_INVALID_KERNEL, clSetKernelArg(NULL, 0, sizeof buffer, &buffer));
	CL_ROW(CL_INVALID_ARG_INDEX, clSetKernelArg(k, 5, sizeof buffer, &buffer));
	CL_ROW(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 0, 4, &buffer));
	CL_ROW(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 1, 8, &n));
	CL_ROW(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 1, 3, &n));
	CL_ROW(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 1, 4, NULL));
	/* of OpenCL 3.1 */
	CL_ROW(cl.ours ? CL_SUCCESS : CL_INVALID_ARG_SIZE, clSetKernelArg(k, 2, 0, NULL));
	CL_ROW(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 2, 4, &n));
	CL_ROW(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 3, 15, &value));
	CL_ROW(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 3, 17, &value));
	CL_ROW(CL_SUCCESS, clSetKernelArg(k, 3, sizeof value, &value));
	CL_ROW(CL_SUCCESS, clSetKernelArg(k, 0, sizeof null, NULL));
	CL_ROW(CL_SUCCESS, clSetKernelArg(k, 0, sizeof null, &null));
	CL_ROW(CL_SUCCESS, clSetKernelArg(k, 4, sizeof null, &null));
	if (cl.ours) {
		CL_ROW(CL_INVALID_KERNEL, clSetKernelArg(BAD(cl_kernel), 0, 8, &buffer));
		CL_ROW(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof wrong, &wrong));
		CL_ROW(CL_INVALID_KERNEL, clRetainKernel(BAD(cl_kernel)));
		CL_ROW(CL_INVALID_KERNEL, clReleaseKernel(BAD(cl_kernel)));
	}
	CL(clReleaseKernel(k));
	cl_rows_end();
}

static void test_kernel_infos(void **state)
{
	cl_kernel k = kernel_of("args");
	cl_device_id foreign = BAD(cl_device_id);
	size_t room[3];

	(void)state;
	CL_ROW(CL_INVALID_VALUE, clGetKernelInfo(k, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, 1, room, NULL));
	CL_ROW(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(k, 5, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetKernelArgInfo(k, 0, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(k, cl.device, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clGetKernelWorkGroupInfo(k, cl.device, CL_KERNEL_WORK_GROUP_SIZE, 4, room, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(k, cl.device, CL_KERNEL_GLOBAL_WORK_SIZE,
					 sizeof room, room, NULL));
	CL_ROW(CL_SUCCESS, clGetKernelWorkGroupInfo(
				   k, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof *room, room, NULL));
	if (cl.ours) {
		CL_ROW(CL_INVALID_DEVICE, clGetKernelWorkGroupInfo(k, foreign,
						  CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL));
		CL_ROW(CL_INVALID_KERNEL,
			clGetKernelInfo(BAD(cl_kernel), CL_KERNEL_NUM_ARGS, 0, NULL, NULL));
		CL_ROW(CL_INVALID_KERNEL,
			clGetKernelArgInfo(BAD(cl_kernel), 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
		CL_ROW(CL_INVALID_KERNEL, clGetKernelWorkGroupInfo(BAD(cl_kernel), cl.device,
						  CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL));
	}
	CL(clReleaseKernel(k));
	cl_rows_end();
}

/* A kernel that requires larger groups than there are is a kernel: programs try such ones out. */
static void test_huge_group(void **state)
{
	cl_kernel k = kernel_of("huge");
	size_t global[3] = { 64, 32, 1 }, got[3] = { 0 }, most = 0;

	(void)state;
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL));
	assert_in_range(most, 1, 64 * 32 - 1);
	CL(clGetKernelWorkGroupInfo(
		k, cl.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof got, got, NULL));
	assert_memory_equal(got, global, sizeof got);
	CL(clGetKernelWorkGroupInfo(
		k, cl.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL));
	assert_in_range(most, 1, 64 * 32 - 1);
	cl_set_buffer(k, 0, buffer);
	CL_ROW(CL_INVALID_WORK_GROUP_SIZE,
		clEnqueueNDRangeKernel(cl.queue, k, 2, NULL, global, global, 0, NULL, NULL));
	CL_ROW(CL_INVALID_WORK_GROUP_SIZE,
		clEnqueueNDRangeKernel(cl.queue, k, 2, NULL, global, NULL, 0, NULL, NULL));
	clReleaseKernel(k);
}

static void test_ndrange(void **state)
{
	cl_command_queue q = cl.queue;
	cl_kernel k = kernel_of("plain"), fixed = kernel_of("fixed"), args = kernel_of("args");
	size_t n[4] = { 16, 16, 16, 16 }, one[3] = { 1, 1, 1 }, three[3] = { 3, 1, 1 };
	size_t zero[3] = { 0 }, huge[3] = { SIZE_MAX, 1, 1 }, right[3] = { 8, 2, 1 };
	size_t far[3] = { SIZE_MAX - 3, 0, 0 }, most, sizes[3];
	cl_event null = NULL;

	(void)state;
	CL(clGetKernelWorkGroupInfo(
		k, cl.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL));
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL));
	size_t wide[3] = { most * 2, 1, 1 }, deep[3] = { 1, 1, sizes[2] * 2 };
	CL_ROW(CL_INVALID_KERNEL_ARGS,
		clEnqueueNDRangeKernel(q, k, 1, NULL, n, NULL, 0, NULL, NULL));
	cl_set_buffer(k, 0, buffer);
	cl_set_buffer(fixed, 0, buffer);
	CL_ROW(CL_INVALID_COMMAND_QUEUE,
		clEnqueueNDRangeKernel(NULL, k, 1, NULL, n, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_KERNEL, clEnqueueNDRangeKernel(q, NULL, 1, NULL, n, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_WORK_DIMENSION,
		clEnqueueNDRangeKernel(q, k, 0, NULL, n, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_WORK_DIMENSION,
		clEnqueueNDRangeKernel(q, k, 4, NULL, n, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_WORK_GROUP_SIZE,
		clEnqueueNDRangeKernel(q, k, 1, NULL, n, zero, 0, NULL, NULL));
	CL_ROW(CL_INVALID_WORK_GROUP_SIZE,
		clEnqueueNDRangeKernel(q, k, 1, NULL, wide, wide, 0, NULL, NULL));
	CL_ROW(CL_INVALID_WORK_GROUP_SIZE,
		clEnqueueNDRangeKernel(q, fixed, 3, NULL, n, one, 0, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
		clEnqueueNDRangeKernel(q, k, 1, NULL, n, NULL, 1, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
		clEnqueueNDRangeKernel(q, k, 1, NULL, n, NULL, 0, &null, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
		clEnqueueNDRangeKernel(q, k, 1, NULL, n, NULL, 1, &null, NULL));
	if (cl.ours) {
		CL_ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueNDRangeKernel(BAD(cl_command_queue), k, 1,
							 NULL, n, NULL, 0, NULL, NULL));
		CL_ROW(CL_INVALID_KERNEL,
			clEnqueueNDRangeKernel(q, BAD(cl_kernel), 1, NULL, n, NULL, 0, NULL, NULL));
		CL_ROW(CL_INVALID_WORK_GROUP_SIZE,
			clEnqueueNDRangeKernel(q, k, 1, NULL, n, three, 0, NULL, NULL));
		/* The list has the size of the group before that of a dimension. */
		CL_ROW(deep[2] > most ? CL_INVALID_WORK_GROUP_SIZE : CL_INVALID_WORK_ITEM_SIZE,
			clEnqueueNDRangeKernel(q, k, 3, NULL, deep, deep, 0, NULL, NULL));
		CL_ROW(CL_INVALID_GLOBAL_OFFSET,
			clEnqueueNDRangeKernel(q, k, 1, far, n, NULL, 0, NULL, NULL));
		CL_ROW(CL_INVALID_GLOBAL_WORK_SIZE,
			clEnqueueNDRangeKernel(q, k, 1, NULL, huge, one, 0, NULL, NULL));
		CL_ROW(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(q, fixed, 0, NULL, NULL));
		CL_ROW(CL_INVALID_KERNEL_ARGS, clEnqueueTask(q, args, 0, NULL, NULL));
	}
	CL_ROW(CL_SUCCESS, clEnqueueNDRangeKernel(q, fixed, 3, NULL, n, right, 0, NULL, NULL));
	CL(clFinish(q));
	CL(clReleaseKernel(k));
	CL(clReleaseKernel(fixed));
	CL(clReleaseKernel(args));
	cl_rows_end();
}

static void test_local_memory(void **state)
{
	cl_kernel k = kernel_of("two");
	cl_ulong most;
	size_t one = 1;

	(void)state;
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most, &most, NULL));
	CL(clSetKernelArg(k, 0, most / 2 + 4096, NULL));
	CL(clSetKernelArg(k, 1, most / 2, NULL));
	if (cl.ours || cl.intel)
		CL_ROW(CL_OUT_OF_RESOURCES,
			clEnqueueNDRangeKernel(cl.queue, k, 1, NULL, &one, &one, 0, NULL, NULL));
	/* more than there is, and more than can be summed: it is the launch that fails */
	const size_t sizes[] = { most + 1, (size_t)1 << 33, SIZE_MAX - 15, SIZE_MAX };
	for (size_t i = 0; cl.ours && i < sizeof sizes / sizeof *sizes; i++) {
		CL_ROW(CL_SUCCESS, clSetKernelArg(k, 0, sizes[i], NULL));
		CL_ROW(CL_OUT_OF_RESOURCES,
			clEnqueueNDRangeKernel(cl.queue, k, 1, NULL, &one, &one, 0, NULL, NULL));
	}
	CL(clReleaseKernel(k));
	cl_rows_end();
}

static void test_queue(void **state)
{
	cl_queue_properties unknown[] = { 0x7777, 1, 0 };
	cl_queue_properties bad[] = { CL_QUEUE_PROPERTIES, 1 << 20, 0 };
	cl_queue_properties good[] = { CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0 };
	cl_queue_properties got[3];
	cl_command_queue_properties flags;
	char room[4];
	cl_int rc;

	(void)state;
	CL_ROW_MADE(
		CL_INVALID_CONTEXT, clCreateCommandQueueWithProperties(NULL, cl.device, NULL, &rc));
	CL_ROW_MADE(
		CL_INVALID_DEVICE, clCreateCommandQueueWithProperties(cl.context, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateCommandQueueWithProperties(cl.context, cl.device, unknown, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateCommandQueueWithProperties(cl.context, cl.device, bad, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateCommandQueue(cl.context, cl.device, 1 << 20, &rc));
	if (cl.ours) {
		cl_context wrong = (cl_context)(void *)cl.queue;

		CL_ROW_MADE(CL_INVALID_CONTEXT,
			clCreateCommandQueueWithProperties(wrong, cl.device, NULL, &rc));
		CL_ROW_MADE(CL_INVALID_DEVICE, clCreateCommandQueueWithProperties(
						       cl.context, BAD(cl_device_id), NULL, &rc));
		CL_ROW(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(BAD(cl_command_queue)));
		CL_ROW(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(BAD(cl_command_queue)));
		CL_ROW(CL_INVALID_COMMAND_QUEUE, clFlush(BAD(cl_command_queue)));
		CL_ROW(CL_INVALID_COMMAND_QUEUE, clFinish(BAD(cl_command_queue)));
		CL_ROW(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(BAD(cl_command_queue),
							 CL_QUEUE_CONTEXT, 0, NULL, NULL));
	}
	CL_ROW(CL_INVALID_VALUE, clGetCommandQueueInfo(cl.queue, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetCommandQueueInfo(cl.queue, CL_QUEUE_CONTEXT, 4, room, NULL));
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(cl.context, cl.device, good, &rc);
	CL(rc);
	CL(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof flags, &flags, NULL));
	assert_int_equal(flags, CL_QUEUE_PROFILING_ENABLE);
	CL(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof got, got, NULL));
	assert_memory_equal(got, good, sizeof got);
	CL(clReleaseCommandQueue(queue));
	cl_rows_end();
}

static void CL_CALLBACK hear(cl_event event, cl_int status, void *data)
{
	(void)event;
	(void)status;
	(void)data;
}

static void test_event(void **state)
{
	cl_event null = NULL, wrong = BAD(cl_event), made;
	cl_ulong time;
	char room[2];
	cl_int rc;

	(void)state;
	cl_event user = clCreateUserEvent(cl.context, &rc);
	CL(rc);
	CL_ROW(CL_INVALID_VALUE, clWaitForEvents(0, &user));
	CL_ROW(CL_INVALID_VALUE, clWaitForEvents(1, NULL));
	CL_ROW(CL_INVALID_EVENT, clWaitForEvents(1, &null));
	CL_ROW(CL_INVALID_VALUE, clGetEventInfo(user, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetEventInfo(user, CL_EVENT_COMMAND_TYPE, 2, room, NULL));
	CL_ROW(CL_PROFILING_INFO_NOT_AVAILABLE,
		clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_END, 8, &time, NULL));
	CL_ROW(CL_INVALID_VALUE, clSetEventCallback(user, CL_COMPLETE, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clSetEventCallback(user, CL_QUEUED, hear, NULL));
	CL_ROW(CL_INVALID_VALUE, clSetEventCallback(user, -5, hear, NULL));
	CL_ROW(CL_INVALID_VALUE, clSetUserEventStatus(user, CL_RUNNING));
	CL_ROW(CL_INVALID_VALUE, clSetUserEventStatus(user, CL_QUEUED));
	if (cl.ours) {
		cl_context not_one = (cl_context)(void *)cl.queue;

		CL_ROW_MADE(CL_INVALID_CONTEXT, clCreateUserEvent(not_one, &rc));
		CL_ROW(CL_INVALID_EVENT, clWaitForEvents(1, &wrong));
		CL_ROW(CL_INVALID_EVENT, clRetainEvent(wrong));
		CL_ROW(CL_INVALID_EVENT, clReleaseEvent(wrong));
		CL_ROW(CL_INVALID_EVENT, clSetUserEventStatus(wrong, CL_COMPLETE));
		CL_ROW(CL_INVALID_EVENT, clSetEventCallback(wrong, CL_COMPLETE, hear, NULL));
		CL_ROW(CL_INVALID_EVENT, clGetEventInfo(wrong, CL_EVENT_CONTEXT, 0, NULL, NULL));
		CL_ROW(CL_INVALID_EVENT,
			clGetEventProfilingInfo(wrong, CL_PROFILING_COMMAND_END, 8, &time, NULL));
	}
	CL(clSetUserEventStatus(user, CL_COMPLETE));
	CL_ROW(CL_INVALID_OPERATION, clSetUserEventStatus(user, CL_COMPLETE));
	CL(clReleaseEvent(user));
	CL(clEnqueueMarkerWithWaitList(cl.queue, 0, NULL, &made));
	CL_ROW(CL_INVALID_EVENT, clSetUserEventStatus(made, CL_COMPLETE));
	CL(clWaitForEvents(1, &made));
	CL_ROW(CL_INVALID_VALUE, clGetEventProfilingInfo(made, 0, 8, &time, NULL));
	CL(clReleaseEvent(made));
	cl_rows_end();
}

static void test_transfers(void **state)
{
	cl_command_queue q = cl.queue;
	cl_int rc;
	cl_mem none = clCreateBuffer(cl.context, CL_MEM_HOST_NO_ACCESS, 256, NULL, &rc);
	cl_mem host_ro = clCreateBuffer(cl.context, CL_MEM_HOST_READ_ONLY, 256, NULL, &rc);
	cl_mem host_wo = clCreateBuffer(cl.context, CL_MEM_HOST_WRITE_ONLY, 256, NULL, &rc);
	char b[256] = { 0 };

	(void)state;
	CL_ROW(CL_INVALID_COMMAND_QUEUE,
		clEnqueueReadBuffer(NULL, buffer, CL_TRUE, 0, 4, b, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(q, NULL, 1, 0, 4, b, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueReadBuffer(q, buffer, 1, 0, 4, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueReadBuffer(q, buffer, 1, 0, 257, b, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueReadBuffer(q, buffer, 1, 256, 1, b, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueReadBuffer(q, buffer, 1, 4, SIZE_MAX, b, 0, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
		clEnqueueReadBuffer(q, buffer, 1, 0, 4, b, 1, NULL, NULL));
	CL_ROW(CL_INVALID_OPERATION, clEnqueueReadBuffer(q, none, 1, 0, 4, b, 0, NULL, NULL));
	CL_ROW(CL_INVALID_OPERATION, clEnqueueReadBuffer(q, host_wo, 1, 0, 4, b, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT, clEnqueueWriteBuffer(q, NULL, 1, 0, 4, b, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueWriteBuffer(q, buffer, 1, 0, 4, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueWriteBuffer(q, buffer, 1, 0, 257, b, 0, NULL, NULL));
	CL_ROW(CL_INVALID_OPERATION, clEnqueueWriteBuffer(q, none, 1, 0, 4, b, 0, NULL, NULL));
	CL_ROW(CL_INVALID_OPERATION, clEnqueueWriteBuffer(q, host_ro, 1, 0, 4, b, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(q, NULL, buffer, 0, 0, 4, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(q, buffer, NULL, 0, 0, 4, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueCopyBuffer(q, buffer, none, 0, 253, 4, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueCopyBuffer(q, buffer, none, 253, 0, 4, 0, NULL, NULL));
	CL_ROW(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(q, buffer, buffer, 0, 3, 4, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueFillBuffer(q, buffer, NULL, 4, 0, 4, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueFillBuffer(q, buffer, b, 0, 0, 4, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueFillBuffer(q, buffer, b, 3, 0, 3, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueFillBuffer(q, buffer, b, 256, 0, 256, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueFillBuffer(q, buffer, b, 4, 2, 4, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueFillBuffer(q, buffer, b, 4, 0, 6, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueFillBuffer(q, buffer, b, 4, 256, 4, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT, clEnqueueFillBuffer(q, NULL, b, 4, 0, 4, 0, NULL, NULL));
	if (cl.ours) {
		CL_ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBuffer(BAD(cl_command_queue), buffer,
							 CL_TRUE, 0, 4, b, 0, NULL, NULL));
		CL_ROW(CL_INVALID_MEM_OBJECT,
			clEnqueueReadBuffer(q, BAD(cl_mem), 1, 0, 4, b, 0, NULL, NULL));
		CL_ROW(CL_INVALID_MEM_OBJECT,
			clEnqueueWriteBuffer(q, BAD(cl_mem), 1, 0, 4, b, 0, NULL, NULL));
		CL_ROW(CL_INVALID_MEM_OBJECT,
			clEnqueueFillBuffer(q, BAD(cl_mem), b, 4, 0, 4, 0, NULL, NULL));
	}
	CL(clReleaseMemObject(none));
	CL(clReleaseMemObject(host_ro));
	CL(clReleaseMemObject(host_wo));
	cl_rows_end();
}

static void test_maps(void **state)
{
	cl_command_queue q = cl.queue;
	cl_int rc;
	cl_mem none = clCreateBuffer(cl.context, CL_MEM_HOST_NO_ACCESS, 256, NULL, &rc);
	char b[4];

	(void)state;
	CL_ROW_MADE(CL_INVALID_COMMAND_QUEUE,
		clEnqueueMapBuffer(NULL, buffer, 1, CL_MAP_READ, 0, 4, 0, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_MEM_OBJECT,
		clEnqueueMapBuffer(q, NULL, 1, CL_MAP_READ, 0, 4, 0, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clEnqueueMapBuffer(q, buffer, 1, CL_MAP_READ, 0, 257, 0, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clEnqueueMapBuffer(q, buffer, 1, CL_MAP_READ, 0, 0, 0, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clEnqueueMapBuffer(q, buffer, 1, CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION, 0,
			4, 0, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clEnqueueMapBuffer(q, buffer, 1, 1 << 20, 0, 4, 0, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_OPERATION,
		clEnqueueMapBuffer(q, none, 1, CL_MAP_READ, 0, 4, 0, NULL, NULL, &rc));
	CL_ROW(CL_INVALID_VALUE, clEnqueueUnmapMemObject(q, buffer, b, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(q, NULL, b, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(q, 0, NULL, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(q, 1, &buffer, 1 << 20, 0, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(q, 1, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(q, 1, NULL, NULL));
	CL(clReleaseMemObject(none));
	cl_rows_end();
}

/* Objects of two contexts do not mix. */
static void test_two_contexts(void **state)
{
	size_t n = 4;
	char b[4];
	cl_int rc;
	cl_context other = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &rc);

	(void)state;
	CL(rc);
	cl_mem foreign = clCreateBuffer(other, 0, 64, NULL, &rc);
	CL(rc);
	cl_event event = clCreateUserEvent(other, &rc);
	CL(rc);
	cl_command_queue queue = clCreateCommandQueue(other, cl.device, 0, &rc);
	CL(rc);
	cl_kernel k = kernel_of("plain");
	cl_set_buffer(k, 0, buffer);
	CL_ROW(CL_INVALID_CONTEXT, clEnqueueNDRangeKernel(queue, k, 1, NULL, &n, NULL, 0, 0, 0));
	CL_ROW(CL_INVALID_CONTEXT,
		clEnqueueReadBuffer(cl.queue, foreign, CL_TRUE, 0, 4, b, 0, NULL, NULL));
	CL_ROW(CL_INVALID_CONTEXT,
		clEnqueueCopyBuffer(cl.queue, buffer, foreign, 0, 0, 4, 0, NULL, NULL));
	CL_ROW(CL_INVALID_CONTEXT, clEnqueueMarkerWithWaitList(cl.queue, 1, &event, NULL));
	if (cl.ours)
		CL_ROW(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof foreign, &foreign));
	CL(clReleaseKernel(k));
	CL(clReleaseMemObject(foreign));
	CL(clReleaseEvent(event));
	CL(clReleaseCommandQueue(queue));
	CL(clReleaseContext(other));
	cl_rows_end();
}

static void test_begin(void **state)
{
	(void)state;
	program = cl_build(source, "");
	buffer = cl_make_buffer(256, NULL);
}

static void test_end(void **state)
{
	(void)state;
	CL(clReleaseProgram(program));
	CL(clReleaseMemObject(buffer));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_begin),
		cmocka_unit_test(test_set_arg),
		cmocka_unit_test(test_kernel_infos),
		cmocka_unit_test(test_huge_group),
		cmocka_unit_test(test_ndrange),
		cmocka_unit_test(test_local_memory),
		cmocka_unit_test(test_queue),
		cmocka_unit_test(test_event),
		cmocka_unit_test(test_transfers),
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_two_contexts),
		cmocka_unit_test(test_end),
	};

	setenv("ZEROCL_STRICT", "1", 1);
	return CL_RUN(argc, argv, tests);
}
