// SPDX-License-Identifier: MIT
/*
 * Contexts over several devices: everything is made once and used from each of them, and what one
 * device did, the next one sees behind its event. ZEROCL_VGPU says which devices there are.
 */
#include "cl/cl_several.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static cl_kernel make_kernel(const char *name)
{
	return cl_kernel_of(several.program, name);
}

static void check_step(uint32_t *model, uint32_t k)
{
	for (uint32_t i = 0; i < N; i++)
		model[i] = model[i] * k + i;
}

static void compare(const uint32_t *got, const uint32_t *want, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_int_equal(got[i], want[i]);
}

/* A chain over all devices, ordered by events alone; nothing is waited for in between. */
static void run_chain(cl_mem buffer, cl_kernel kernel, uint32_t *model, unsigned times)
{
	static const size_t global = N;
	cl_event last = NULL, next;

	for (unsigned t = 0; t < times; t++) {
		cl_uint k = 3 + 2 * t;

		CL(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
		CL(clSetKernelArg(kernel, 1, sizeof k, &k));
		CL(clEnqueueNDRangeKernel(several.queues[t % several.n], kernel, 1, NULL, &global,
			NULL, last ? 1 : 0, last ? &last : NULL, &next));
		if (last)
			CL(clReleaseEvent(last));
		last = next;
		check_step(model, k);
	}
	CL(clWaitForEvents(1, &last));
	CL(clReleaseEvent(last));
}

static void test_buffers(void **state)
{
	static const cl_mem_flags flags[] = { 0, CL_MEM_ALLOC_HOST_PTR, CL_MEM_USE_HOST_PTR,
		CL_MEM_COPY_HOST_PTR };
	static uint32_t host[N], model[N], got[N];
	cl_kernel kernel = make_kernel("step");

	(void)state;
	for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
		bool has_host = flags[f] & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
		cl_int rc;

		for (uint32_t i = 0; i < N; i++)
			host[i] = model[i] = 7 * i;
		cl_mem buffer = clCreateBuffer(
			several.context, flags[f], sizeof host, has_host ? host : NULL, &rc);
		CL(rc);
		if (!has_host)
			CL(clEnqueueWriteBuffer(several.queues[0], buffer, CL_TRUE, 0, sizeof host,
				host, 0, NULL, NULL));
		run_chain(buffer, kernel, model, 3 * several.n);
		for (cl_uint d = 0; d < several.n; d++) {
			memset(got, 0xee, sizeof got);
			CL(clEnqueueReadBuffer(several.queues[d], buffer, CL_TRUE, 0, sizeof got,
				got, 0, NULL, NULL));
			compare(got, model, N);
			/* mapped for one device, changed by the host, seen by the next */
			uint32_t *mapped = clEnqueueMapBuffer(several.queues[d], buffer, CL_TRUE,
				CL_MAP_READ | CL_MAP_WRITE, 0, sizeof got, 0, NULL, NULL, &rc);
			cl_event done;
			CL(rc);
			compare(mapped, model, N);
			mapped[d] = ++model[d];
			CL(clEnqueueUnmapMemObject(
				several.queues[d], buffer, mapped, 0, NULL, &done));
			CL(clEnqueueMigrateMemObjects(several.queues[(d + 1) % several.n], 1,
				&buffer, 0, 1, &done, NULL));
			CL(clFinish(several.queues[(d + 1) % several.n]));
			CL(clReleaseEvent(done));
		}
		CL(clReleaseMemObject(buffer));
	}
	CL(clReleaseKernel(kernel));
}

/* Two devices work on two halves of a buffer at the same time. */
static void test_sub_buffers(void **state)
{
	static const size_t global = N / 2;
	static uint32_t model[N], got[N];
	cl_kernel kernel = make_kernel("step");
	cl_uint k = 5;
	cl_mem halves[2];
	cl_int rc;

	(void)state;
	for (uint32_t i = 0; i < N; i++)
		model[i] = i;
	cl_mem whole =
		clCreateBuffer(several.context, CL_MEM_COPY_HOST_PTR, sizeof model, model, &rc);
	CL(rc);
	for (int h = 0; h < 2; h++) {
		const cl_buffer_region region = { (size_t)h * N * 2, N * 2 };

		halves[h] = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
		CL(rc);
		CL(clSetKernelArg(kernel, 0, sizeof halves[h], &halves[h]));
		CL(clSetKernelArg(kernel, 1, sizeof k, &k));
		CL(clEnqueueNDRangeKernel(
			several.queues[h], kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
	}
	for (uint32_t i = 0; i < N; i++)
		model[i] = model[i] * k + i % (N / 2);
	CL(clFinish(several.queues[0]));
	CL(clFinish(several.queues[1]));
	memset(got, 0xee, sizeof got);
	CL(clEnqueueReadBuffer(
		several.queues[1], whole, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
	compare(got, model, N);
	for (int h = 0; h < 2; h++)
		CL(clReleaseMemObject(halves[h]));
	CL(clReleaseMemObject(whole));
	CL(clReleaseKernel(kernel));
}

#define SIDE 32u

/* The second image by a read of each device, and the first by a copy and a map. */
static void check_pixels(const cl_mem *images, void *host, const cl_uint4 *model, cl_event last)
{
	static const size_t origin[3], region[3] = { SIDE, SIDE, 1 };
	static cl_uint4 got[SIDE * SIDE];
	cl_int rc;

	for (cl_uint d = 0; d < several.n; d++) {
		size_t pitch;

		memset(got, 0xee, sizeof got);
		CL(clEnqueueReadImage(several.queues[d], images[1], CL_TRUE, origin, region, 0, 0,
			got, 1, &last, NULL));
		assert_memory_equal(got, model, sizeof got);
		CL(clEnqueueCopyImage(several.queues[d], images[1], images[0], origin, origin,
			region, 0, NULL, NULL));
		void *mapped = clEnqueueMapImage(several.queues[d], images[0], CL_TRUE, CL_MAP_READ,
			origin, region, &pitch, NULL, 0, NULL, NULL, &rc);
		CL(rc);
		assert_ptr_equal(mapped, host);
		assert_int_equal(pitch, SIDE * sizeof *got);
		assert_memory_equal(mapped, model, sizeof got);
		CL(clEnqueueUnmapMemObject(several.queues[d], images[0], mapped, 0, NULL, NULL));
		CL(clFinish(several.queues[d]));
		memset(host, 0xdd, sizeof got);
	}
}

/* Images are turned into one another, by each device in turn. */
static void test_images(void **state)
{
	static const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT32 };
	static const size_t region[3] = { SIDE, SIDE, 1 };
	static cl_uint4 model[SIDE * SIDE], host[SIDE * SIDE];
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE
	};
	cl_kernel kernel = make_kernel("turn");
	cl_event last = NULL, next;
	cl_mem images[2];
	cl_int rc;

	(void)state;
	for (cl_uint i = 0; i < SIDE * SIDE; i++)
		host[i] = model[i] = (cl_uint4){ { i, 2 * i, 3 * i, 4 * i } };
	cl_sampler sampler = clCreateSampler(
		several.context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &rc);
	CL(rc);
	images[0] = clCreateImage(several.context, CL_MEM_USE_HOST_PTR, &format, &desc, host, &rc);
	CL(rc);
	images[1] = clCreateImage(several.context, 0, &format, &desc, NULL, &rc);
	CL(rc);
	for (cl_uint t = 0; t < 2 * several.n + 1; t++) {
		cl_uint k = t + 2;

		CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), &images[t % 2]));
		CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), &images[1 - t % 2]));
		CL(clSetKernelArg(kernel, 2, sizeof sampler, &sampler));
		CL(clSetKernelArg(kernel, 3, sizeof k, &k));
		CL(clEnqueueNDRangeKernel(several.queues[t % several.n], kernel, 2, NULL, region,
			NULL, last ? 1 : 0, last ? &last : NULL, &next));
		if (last)
			CL(clReleaseEvent(last));
		last = next;
		for (cl_uint i = 0; i < SIDE * SIDE; i++)
			model[i] = (cl_uint4){ { model[i].s[0] * k + i % SIDE,
				model[i].s[1] * k + i / SIDE, model[i].s[2] * k + 1,
				model[i].s[3] * k + 2 } };
	}
	check_pixels(images, host, model, last);
	CL(clReleaseEvent(last));
	for (int i = 0; i < 2; i++)
		CL(clReleaseMemObject(images[i]));
	CL(clReleaseSampler(sampler));
	CL(clReleaseKernel(kernel));
}

/* An array is written by one device and read by the next. */
static void test_arrays(void **state)
{
	static const cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
	static const size_t origin[3], lines[3] = { 128, 8, 1 };
	static uint32_t got[N];
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 128, .image_array_size = 8
	};
	cl_kernel kernel = make_kernel("layers");
	cl_event done;
	cl_int rc;

	(void)state;
	cl_mem image = clCreateImage(several.context, 0, &format, &desc, NULL, &rc);
	CL(rc);
	for (cl_uint d = 0; d < several.n; d++) {
		CL(clSetKernelArg(kernel, 0, sizeof image, &image));
		CL(clSetKernelArg(kernel, 1, sizeof d, &d));
		CL(clEnqueueNDRangeKernel(
			several.queues[d], kernel, 2, NULL, lines, NULL, 0, NULL, &done));
		memset(got, 0xee, sizeof got);
		CL(clEnqueueReadImage(several.queues[(d + 1) % several.n], image, CL_TRUE, origin,
			lines, 0, 0, got, 1, &done, NULL));
		CL(clReleaseEvent(done));
		for (cl_uint i = 0; i < N; i++)
			assert_int_equal(got[i], d + i % 128 + 100 * (i / 128));
	}
	CL(clReleaseMemObject(image));
	CL(clReleaseKernel(kernel));
}

/* Of three dimensions, and one of a buffer; a fill by one, a kernel by another. */
static void test_more_images(void **state)
{
	static const cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
	static const size_t origin[3], cube[3] = { 16, 16, 4 };
	static const size_t global = N;
	static uint32_t got[N];
	const cl_image_desc deep = { .image_type = CL_MEM_OBJECT_IMAGE3D,
		.image_width = 16,
		.image_height = 16,
		.image_depth = 4 };
	const cl_uint color[4] = { 21 }, k = 3;
	cl_int rc;

	(void)state;
	cl_mem buffer = clCreateBuffer(several.context, 0, sizeof got, NULL, &rc);
	CL(rc);
	const cl_image_desc line = {
		.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = N, .buffer = buffer
	};
	cl_mem images[] = { clCreateImage(several.context, 0, &format, &deep, NULL, &rc),
		clCreateImage(several.context, 0, &format, &line, NULL, &rc) };
	cl_kernel kernels[] = { make_kernel("deep"), make_kernel("line") };
	for (cl_uint d = 0; d < several.n; d++) {
		cl_command_queue one = several.queues[d],
				 other = several.queues[(d + 1) % several.n];
		cl_event done[2];

		CL(clEnqueueFillImage(one, images[0], color, origin, cube, 0, NULL, &done[0]));
		CL(clSetKernelArg(kernels[0], 0, sizeof(cl_mem), &images[0]));
		CL(clSetKernelArg(kernels[0], 1, sizeof(cl_mem), &buffer));
		CL(clSetKernelArg(kernels[0], 2, sizeof k, &k));
		CL(clEnqueueNDRangeKernel(
			other, kernels[0], 3, NULL, cube, NULL, 1, &done[0], &done[1]));
		CL(clReleaseEvent(done[0]));
		/* the buffer's image, on the first again */
		CL(clSetKernelArg(kernels[1], 0, sizeof(cl_mem), &images[1]));
		CL(clSetKernelArg(kernels[1], 1, sizeof k, &k));
		CL(clEnqueueNDRangeKernel(
			one, kernels[1], 1, NULL, &global, NULL, 1, &done[1], &done[0]));
		CL(clReleaseEvent(done[1]));
		memset(got, 0xee, sizeof got);
		CL(clEnqueueReadBuffer(
			other, buffer, CL_TRUE, 0, sizeof got, got, 1, &done[0], NULL));
		CL(clReleaseEvent(done[0]));
		for (cl_uint i = 0; i < N; i++)
			assert_int_equal(got[i], color[0] * k * k + 1);
	}
	for (int i = 0; i < 2; i++) {
		CL(clReleaseMemObject(images[i]));
		CL(clReleaseKernel(kernels[i]));
	}
	CL(clReleaseMemObject(buffer));
}

/* Memory of the second device, which no command for the first may name. */
static void check_foreign_memory(cl_kernel kernel, clEnqueueMemcpyINTEL_fn copy, void *p)
{
	static const size_t global = N;
	static uint32_t room[N];

	assert_int_equal(copy(several.queues[0], CL_TRUE, p, room, sizeof room, 0, NULL, NULL),
		CL_INVALID_OPERATION);
	assert_int_equal(copy(several.queues[0], CL_TRUE, room, p, sizeof room, 0, NULL, NULL),
		CL_INVALID_OPERATION);
	assert_int_equal(clEnqueueNDRangeKernel(
				 several.queues[0], kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
		CL_INVALID_OPERATION);
}

/* Memory by pointers: shared by all, and of one device. */
static void test_pointers(void **state)
{
	static const size_t global = N;
	static uint32_t model[N], got[N];
	cl_kernel kernel = make_kernel("step");
	clHostMemAllocINTEL_fn host_alloc;
	clSharedMemAllocINTEL_fn shared_alloc;
	clDeviceMemAllocINTEL_fn device_alloc;
	clMemBlockingFreeINTEL_fn release;
	clSetKernelArgMemPointerINTEL_fn set;
	clEnqueueMemcpyINTEL_fn copy;
	clGetMemAllocInfoINTEL_fn ask;
	cl_int rc;

	(void)state;
	FIND(host_alloc, "clHostMemAllocINTEL");
	FIND(shared_alloc, "clSharedMemAllocINTEL");
	FIND(device_alloc, "clDeviceMemAllocINTEL");
	FIND(release, "clMemBlockingFreeINTEL");
	FIND(set, "clSetKernelArgMemPointerINTEL");
	FIND(copy, "clEnqueueMemcpyINTEL");
	FIND(ask, "clGetMemAllocInfoINTEL");
	for (int kind = 0; kind < 5; kind++) {
		uint32_t *p = kind == 0	  ? clSVMAlloc(several.context, 0, sizeof model, 0)
			      : kind == 1 ? host_alloc(several.context, NULL, sizeof model, 0, &rc)
			      : kind == 2 ? shared_alloc(several.context, NULL, NULL, sizeof model,
						    0, &rc)
			      : kind == 3 ? shared_alloc(several.context, several.devices[1], NULL,
						    sizeof model, 0, &rc)
					  : device_alloc(several.context, several.devices[1], NULL,
						    sizeof model, 0, &rc);
		assert_non_null(p);
		for (uint32_t i = 0; i < N; i++)
			model[i] = 9 * i;
		CL(copy(several.queues[1], CL_TRUE, p, model, sizeof model, 0, NULL, NULL));
		for (cl_uint t = 0; t < 3 * several.n; t++) {
			/* memory of one device is for that one */
			cl_uint d = kind == 4 ? 1 : t % several.n, k = t + 3;

			CL(kind ? set(kernel, 0, p) : clSetKernelArgSVMPointer(kernel, 0, p));
			CL(clSetKernelArg(kernel, 1, sizeof k, &k));
			CL(clEnqueueNDRangeKernel(
				several.queues[d], kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
			CL(clFinish(several.queues[d]));
			check_step(model, k);
		}
		memset(got, 0xee, sizeof got);
		CL(copy(several.queues[1], CL_TRUE, got, p, sizeof got, 0, NULL, NULL));
		compare(got, model, N);
		if (kind == 4)
			check_foreign_memory(kernel, copy, p);
		cl_device_id of = several.devices[0];
		CL(ask(several.context, p, CL_MEM_ALLOC_DEVICE_INTEL, sizeof of, &of, NULL));
		assert_ptr_equal(of, kind < 3 ? NULL : several.devices[1]);
		if (kind)
			CL(release(several.context, p));
		else
			clSVMFree(several.context, p);
	}
	CL(clReleaseKernel(kernel));
}

/* Memory of another API is for the device that imports it. */
static void test_imports(void **state)
{
	static const size_t global = N;
	static uint32_t model[N];
	const cl_uint k = 5;
	cl_kernel kernel = make_kernel("step");
	int fd = memfd_create("import", MFD_ALLOW_SEALING);
	const cl_mem_properties list[] = { CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
		(cl_mem_properties)fd, 0x2051 /* CL_MEM_DEVICE_HANDLE_LIST_KHR */,
		(cl_mem_properties)several.devices[1], 0, 0 };
	const cl_mem_properties all[] = { list[0], list[1], 0 };
	clEnqueueAcquireExternalMemObjectsKHR_fn acquire;
	cl_int rc;

	(void)state;
	FIND(acquire, "clEnqueueAcquireExternalMemObjectsKHR");
	for (uint32_t i = 0; i < N; i++)
		model[i] = 11 * i;
	assert_int_equal(write(fd, model, sizeof model), sizeof model);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	assert_null(clCreateBufferWithProperties(several.context, all, 0, sizeof model, NULL, &rc));
	assert_int_equal(rc, CL_INVALID_DEVICE);
	cl_mem mem =
		clCreateBufferWithProperties(several.context, list, 0, sizeof model, NULL, &rc);
	CL(rc);
	CL(clSetKernelArg(kernel, 0, sizeof mem, &mem));
	CL(clSetKernelArg(kernel, 1, sizeof k, &k));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, acquire(several.queues[0], 1, &mem, 0, NULL, NULL));
	CL_ROW(CL_INVALID_OPERATION, clEnqueueNDRangeKernel(several.queues[0], kernel, 1, NULL,
					     &global, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_OPERATION,
		clEnqueueFillBuffer(several.queues[0], mem, &k, 4, 0, 4, 0, NULL, NULL));
	cl_rows_end();
	CL(acquire(several.queues[1], 1, &mem, 0, NULL, NULL));
	CL(clEnqueueNDRangeKernel(
		several.queues[1], kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
	check_step(model, k);
	static uint32_t got[N];
	CL(clEnqueueReadBuffer(several.queues[1], mem, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
	compare(got, model, N);
	CL(clReleaseMemObject(mem));
	CL(clReleaseKernel(kernel));
}

/* A user event holds a device, which holds another; a failure goes through all. */
static void test_events(void **state)
{
	cl_event events[SEVERAL_MOST], user;
	cl_int rc, status;

	(void)state;
	for (int bad = 0; bad < 2; bad++) {
		user = clCreateUserEvent(several.context, &rc);
		CL(rc);
		for (cl_uint d = 0; d < several.n; d++) {
			CL(clEnqueueMarkerWithWaitList(
				several.queues[d], 1, d ? &events[d - 1] : &user, &events[d]));
			CL(clFlush(several.queues[d]));
		}
		for (cl_uint d = 0; d < several.n; d++) {
			CL(clGetEventInfo(events[d], CL_EVENT_COMMAND_EXECUTION_STATUS,
				sizeof status, &status, NULL));
			assert_in_range(status, CL_SUBMITTED, CL_QUEUED);
		}
		CL(clSetUserEventStatus(user, bad ? -5 : CL_COMPLETE));
		assert_int_equal(clWaitForEvents(several.n, events),
			bad ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS);
		for (cl_uint d = 0; d < several.n; d++) {
			CL(clGetEventInfo(events[d], CL_EVENT_COMMAND_EXECUTION_STATUS,
				sizeof status, &status, NULL));
			assert_int_equal(status,
				bad ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE);
			CL(clReleaseEvent(events[d]));
		}
		CL(clReleaseEvent(user));
	}
}

/* A device that is lost fails what waits for it on another, which goes on. */
static void test_fault(void **state)
{
	static const size_t one = 1, global = N;
	static uint32_t model[N], got[N];
	cl_kernel astray = make_kernel("astray"), step = make_kernel("step");
	const cl_ulong far = 0x7f0000000000ull;
	const cl_uint k = 3;
	cl_int rc, status;

	(void)state;
	for (uint32_t i = 0; i < N; i++)
		model[i] = i;
	cl_mem buffers[2];
	for (int i = 0; i < 2; i++) {
		buffers[i] = clCreateBuffer(
			several.context, CL_MEM_COPY_HOST_PTR, sizeof model, model, &rc);
		CL(rc);
	}
	for (cl_uint d = 0; d < several.n; d++) {
		cl_command_queue other = several.queues[(d + 1) % several.n];
		cl_event lost, behind;

		CL(clSetKernelArg(astray, 0, sizeof(cl_mem), &buffers[0]));
		CL(clSetKernelArg(astray, 1, sizeof far, &far));
		CL(clSetKernelArg(step, 0, sizeof(cl_mem), &buffers[1]));
		CL(clSetKernelArg(step, 1, sizeof k, &k));
		CL(clEnqueueNDRangeKernel(
			several.queues[d], astray, 1, NULL, &one, NULL, 0, NULL, &lost));
		CL(clEnqueueNDRangeKernel(other, step, 1, NULL, &global, NULL, 1, &lost, &behind));
		assert_int_equal(
			clWaitForEvents(1, &behind), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
		CL(clGetEventInfo(
			lost, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
		assert_int_equal(status, CL_OUT_OF_RESOURCES);
		CL(clReleaseEvent(lost));
		CL(clReleaseEvent(behind));
		CL(clEnqueueNDRangeKernel(other, step, 1, NULL, &global, NULL, 0, NULL, NULL));
		memset(got, 0xee, sizeof got);
		CL(clEnqueueReadBuffer(
			other, buffers[1], CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
		check_step(model, k);
		compare(got, model, N);
	}
	for (int i = 0; i < 2; i++)
		CL(clReleaseMemObject(buffers[i]));
	CL(clReleaseKernel(astray));
	CL(clReleaseKernel(step));
}

static void test_info(void **state)
{
	cl_device_id got[SEVERAL_MOST] = { 0 };
	cl_uint n = 0;
	size_t size = 0;
	cl_int rc;

	(void)state;
	CL(clGetContextInfo(several.context, CL_CONTEXT_NUM_DEVICES, sizeof n, &n, NULL));
	assert_int_equal(n, several.n);
	CL(clGetContextInfo(several.context, CL_CONTEXT_DEVICES, sizeof got, got, &size));
	assert_int_equal(size, several.n * sizeof *got);
	assert_memory_equal(got, several.devices, size);
	/* twice the same is once */
	cl_device_id twice[] = { several.devices[1], several.devices[0], several.devices[1] };
	cl_context other = clCreateContext(NULL, 3, twice, NULL, NULL, &rc);
	CL(rc);
	CL(clGetContextInfo(other, CL_CONTEXT_DEVICES, sizeof got, got, &size));
	assert_int_equal(size, 2 * sizeof *got);
	assert_memory_equal(got, twice, size);
	CL(clReleaseContext(other));
	other = clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL, NULL, NULL, &rc);
	CL(rc);
	CL(clGetContextInfo(other, CL_CONTEXT_DEVICES, sizeof got, got, &size));
	assert_int_equal(size, several.n * sizeof *got);
	assert_memory_equal(got, several.devices, size);
	CL(clReleaseContext(other));
}

/* A semaphore is of one device, which must be named. */
static void test_semaphores(void **state)
{
	const cl_semaphore_properties_khr none[] = { CL_SEMAPHORE_TYPE_KHR,
		CL_SEMAPHORE_TYPE_BINARY_KHR, 0 };
	const cl_semaphore_properties_khr second[] = { CL_SEMAPHORE_TYPE_KHR,
		CL_SEMAPHORE_TYPE_BINARY_KHR, 0x2053 /* CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR */,
		(cl_semaphore_properties_khr)(uintptr_t)several.devices[1], 0, 0 };
	clCreateSemaphoreWithPropertiesKHR_fn create;
	clEnqueueSignalSemaphoresKHR_fn signal;
	clEnqueueWaitSemaphoresKHR_fn wait;
	clGetSemaphoreInfoKHR_fn ask;
	clReleaseSemaphoreKHR_fn release;
	cl_device_id of = NULL;
	cl_int rc;

	(void)state;
	FIND(create, "clCreateSemaphoreWithPropertiesKHR");
	FIND(signal, "clEnqueueSignalSemaphoresKHR");
	FIND(wait, "clEnqueueWaitSemaphoresKHR");
	FIND(ask, "clGetSemaphoreInfoKHR");
	FIND(release, "clReleaseSemaphoreKHR");
	assert_null(create(several.context, none, &rc));
	assert_int_equal(rc, CL_INVALID_PROPERTY);
	cl_semaphore_khr semaphore = create(several.context, second, &rc);
	CL(rc);
	CL(ask(semaphore, 0x2053, sizeof of, &of, NULL));
	assert_ptr_equal(of, several.devices[1]);
	assert_int_equal(signal(several.queues[0], 1, &semaphore, NULL, 0, NULL, NULL),
		CL_INVALID_COMMAND_QUEUE);
	CL(signal(several.queues[1], 1, &semaphore, NULL, 0, NULL, NULL));
	assert_int_equal(wait(several.queues[0], 1, &semaphore, NULL, 0, NULL, NULL),
		CL_INVALID_COMMAND_QUEUE);
	CL(wait(several.queues[1], 1, &semaphore, NULL, 0, NULL, NULL));
	CL(clFinish(several.queues[1]));
	CL(release(semaphore));
}

/* Sub-devices: there are no tiles. */
static void test_partition(void **state)
{
	static const cl_device_partition_property lists[][4] = { { CL_DEVICE_PARTITION_EQUALLY, 1,
									 0 },
		{ CL_DEVICE_PARTITION_BY_COUNTS, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0 },
		{ CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0 },
		{ 4711, 1, 0 } };
	cl_uint n;

	(void)state;
	for (cl_uint d = 0; d < several.n; d++)
		for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
			assert_int_equal(
				clCreateSubDevices(several.devices[d], lists[i], 0, NULL, &n),
				CL_INVALID_VALUE);
	assert_int_equal(clCreateSubDevices(NULL, lists[0], 0, NULL, &n), CL_INVALID_DEVICE);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		SEVERAL(test_info),
		SEVERAL(test_buffers),
		SEVERAL(test_sub_buffers),
		SEVERAL(test_images),
		SEVERAL(test_more_images),
		SEVERAL(test_arrays),
		SEVERAL(test_pointers),
		SEVERAL(test_imports),
		SEVERAL(test_semaphores),
		SEVERAL(test_events),
		SEVERAL(test_fault),
		SEVERAL(test_partition),
	};

	return CL_RUN(argc, argv, tests);
}
