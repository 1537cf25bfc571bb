// SPDX-License-Identifier: MIT
/*
 * A program that uses much of the library, over the fake Level Zero, again and again: each time the
 * next of its Level Zero calls, or of its allocations, fails. It must get an error or right
 * results, give everything back, and leave a library that still works. (Leaks of memory are for the
 * address sanitizer.)
 */
#include "api/icd.h"

#include "test.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure_program.h"
#include "failure_scene.h"
#include "l0_fake.h"

#define ITEMS 256
#define BYTES (ITEMS * sizeof(cl_uint))

static struct failure_program built[2];
static cl_device_id devices[2];
static cl_uint n_devices; /* of the context; the second queue is the last one's */
static const char source[] = "kernel void set(global uint *b, uint v)\n"
			     "{ b[get_global_id(0)] = v + get_global_id(0); }\n";

/* What the program has, and the first error that it got. */
struct run {
	cl_int rc;
	cl_context context;
	cl_command_queue queue, other;
	cl_mem a, b, part, host, image;
	cl_sampler sampler;
	cl_program program;
	cl_kernel kernel, clone;
	void *svm, *usm;
	cl_event events[16], user;
	unsigned n_events;
	atomic_uint calls;
	cl_uint storage[ITEMS], data[ITEMS];
};

/* Keeps the first error; whether to go on. */
static bool go(struct run *r, cl_int rc)
{
	if (!r->rc)
		r->rc = rc;
	return !r->rc;
}

static cl_event *next_event(struct run *r)
{
	return &r->events[r->n_events];
}

/* The same for a call that made an event. */
static bool go_event(struct run *r, cl_int rc)
{
	if (rc)
		assert_null(r->events[r->n_events]);
	else
		r->n_events++;
	return go(r, rc);
}

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *data)
{
	(void)event;
	(void)status;
	atomic_fetch_add(&((struct run *)data)->calls, 1);
}

static void CL_CALLBACK on_destroy(cl_mem mem, void *data)
{
	(void)mem;
	atomic_fetch_add(&((struct run *)data)->calls, 1);
}

static void CL_CALLBACK on_free(cl_command_queue queue, cl_uint n, void *pointers[], void *data)
{
	(void)queue;
	for (cl_uint i = 0; i < n; i++)
		clSVMFree(((struct run *)data)->context, pointers[i]);
}

static bool make_objects(struct run *r)
{
	cl_queue_properties properties[] = { CL_QUEUE_PROPERTIES,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, 0 };
	cl_context_properties none[] = { CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0 };
	cl_buffer_region region = { 128, 256 };
	cl_int rc = 0;

	r->context = clCreateContext(none, n_devices, devices, NULL, NULL, &rc);
	if (!go(r, rc))
		return false;
	r->queue = clCreateCommandQueueWithProperties(r->context, devices[0], NULL, &rc);
	if (!go(r, rc))
		return false;
	r->other = clCreateCommandQueueWithProperties(
		r->context, devices[n_devices - 1], properties, &rc);
	if (!go(r, rc))
		return false;
	r->a = clCreateBuffer(r->context, 0, BYTES, NULL, &rc);
	if (!go(r, rc))
		return false;
	r->b = clCreateBuffer(r->context, CL_MEM_COPY_HOST_PTR, BYTES, r->storage, &rc);
	if (!go(r, rc))
		return false;
	r->host = clCreateBuffer(r->context, CL_MEM_USE_HOST_PTR, BYTES, r->storage, &rc);
	if (!go(r, rc))
		return false;
	r->part = clCreateSubBuffer(r->a, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
	if (!go(r, rc))
		return false;
	if (!go(r, clSetMemObjectDestructorCallback(r->b, on_destroy, r)))
		return false;
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8
	};
	r->image = clCreateImage(r->context, CL_MEM_COPY_HOST_PTR, &format, &desc, r->storage, &rc);
	if (!go(r, rc))
		return false;
	r->sampler =
		clCreateSampler(r->context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &rc);
	return go(r, rc);
}

static bool make_program(struct run *r)
{
	const unsigned char *bytes[] = { built[0].binary, built[1].binary };
	const size_t sizes[] = { built[0].size, built[1].size };
	cl_int rc = 0;
	cl_uint value = 3;

	r->program =
		clCreateProgramWithBinary(r->context, n_devices, devices, sizes, bytes, NULL, &rc);
	if (!go(r, rc) || !go(r, clBuildProgram(r->program, n_devices, devices, "", NULL, NULL)))
		return false;
	r->kernel = clCreateKernel(r->program, "set", &rc);
	if (!go(r, rc) || !go(r, clSetKernelArg(r->kernel, 0, sizeof r->a, &r->a)) ||
		!go(r, clSetKernelArg(r->kernel, 1, sizeof value, &value)))
		return false;
	r->clone = clCloneKernel(r->kernel, &rc);
	return go(r, rc);
}

static bool launch(struct run *r, cl_command_queue queue, cl_kernel kernel, cl_uint value,
	cl_uint n_wait, const cl_event *wait)
{
	size_t global = ITEMS, local = 64;

	return go(r, clSetKernelArg(kernel, 1, sizeof value, &value)) &&
	       go_event(r, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, n_wait,
				   wait, next_event(r)));
}

/* Reads a buffer that a launch has set, and looks. */
static bool check(struct run *r, cl_command_queue queue, cl_mem buffer, cl_uint first)
{
	memset(r->data, 0xcd, BYTES);
	if (!go(r, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, r->data, 0, NULL, NULL)))
		return false;
	for (cl_uint i = 0; i < ITEMS; i++)
		if (r->data[i] != first + i)
			return go(r, FAILURE_BAD_DATA);
	return true;
}

/* Launches, events of both queues, callbacks, a command that is held. */
static bool run_commands(struct run *r)
{
	cl_int rc = 0;

	if (!launch(r, r->queue, r->kernel, 10, 0, NULL) ||
		!launch(r, r->other, r->clone, 20, 1, r->events) || !go(r, clFlush(r->other)) ||
		!go(r, clSetEventCallback(r->events[1], CL_COMPLETE, on_event, r)))
		return false;
	r->user = clCreateUserEvent(r->context, &rc);
	if (!go(r, rc))
		return false;
	/* behind the other queue's launch, which writes the same */
	const cl_event before[] = { r->user, r->events[1] };
	if (!launch(r, r->queue, r->kernel, 30, 2, before) ||
		!go_event(r, clEnqueueCopyBuffer(r->queue, r->a, r->b, 0, 0, BYTES, 2,
				     r->events + 1, next_event(r))))
		return false;
	if (!go(r, clSetUserEventStatus(r->user, CL_COMPLETE)) ||
		!go(r, clWaitForEvents(r->n_events, r->events)))
		return false;
	return check(r, r->queue, r->b, 30);
}

/* All that has an event has worked. */
static bool wait(struct run *r)
{
	return go(r, clWaitForEvents(r->n_events, r->events));
}

/* Transfers with the device busy, so that they are staged; fills; maps. */
static bool run_transfers(struct run *r)
{
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { 16, 4, 2 };
	cl_uint pattern[4] = { 1, 2, 3, 4 };
	cl_int rc = 0;

	for (cl_uint i = 0; i < ITEMS; i++)
		r->storage[i] = 77 + i;
	if (!launch(r, r->queue, r->kernel, 40, 0, NULL) ||
		!go_event(r, clEnqueueWriteBuffer(r->queue, r->b, CL_FALSE, 0, BYTES, r->storage, 0,
				     NULL, next_event(r))) ||
		!go(r, clEnqueueReadBuffer(
			       r->queue, r->a, CL_FALSE, 0, BYTES, r->data, 0, NULL, NULL)) ||
		!go(r, clEnqueueFillBuffer(r->queue, r->a, pattern, 16, 0, 256, 0, NULL, NULL)) ||
		!go(r, clEnqueueCopyBufferRect(r->queue, r->a, r->b, origin, origin, region, 64,
			       256, 32, 128, 0, NULL, NULL)) ||
		!go(r, clFinish(r->queue)) || !wait(r))
		return false;
	for (cl_uint i = 0; i < ITEMS; i++)
		if (r->data[i] != 40 + i)
			return go(r, FAILURE_BAD_DATA);
	cl_uint *mapped = clEnqueueMapBuffer(r->queue, r->host, CL_FALSE,
		CL_MAP_READ | CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &rc);
	if (!go(r, rc) || !go(r, clFinish(r->queue)))
		return false;
	mapped[0] = 4711;
	return go(r, clEnqueueUnmapMemObject(r->queue, r->host, mapped, 0, NULL, NULL)) &&
	       go(r, clFinish(r->queue));
}

static bool run_pointers(struct run *r)
{
	void *freed[1];
	cl_uint pattern = 9;

	r->svm = clSVMAlloc(r->context, 0, BYTES, 0);
	if (!r->svm)
		return go(r, CL_OUT_OF_HOST_MEMORY);
	cl_int rc = 0;
	r->usm = clHostMemAllocINTEL(r->context, NULL, BYTES, 0, &rc);
	if (!go(r, rc) || !go(r, clSetKernelArgSVMPointer(r->kernel, 0, r->svm)) ||
		!go(r, clSetKernelExecInfo(
			       r->kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof r->usm, &r->usm)) ||
		!launch(r, r->queue, r->kernel, 50, 0, NULL) ||
		!go(r, clEnqueueSVMMemcpy(
			       r->queue, CL_TRUE, r->data, r->svm, BYTES, 0, NULL, NULL)) ||
		!wait(r))
		return false;
	for (cl_uint i = 0; i < ITEMS; i++)
		if (r->data[i] != 50 + i)
			return go(r, FAILURE_BAD_DATA);
	freed[0] = r->svm;
	if (!go(r, clEnqueueMemFillINTEL(r->queue, r->usm, &pattern, 4, BYTES, 0, NULL, NULL)) ||
		!go_event(r,
			clEnqueueSVMFree(r->queue, 1, freed, on_free, r, 0, NULL, next_event(r))))
		return false;
	r->svm = NULL;
	return go(r, clFinish(r->queue));
}

static void release_all(struct run *r)
{
	if (r->user)
		(void)clSetUserEventStatus(r->user, CL_COMPLETE);
	if (r->queue)
		(void)clFinish(r->queue);
	if (r->other)
		(void)clFinish(r->other);
	if (r->svm)
		clSVMFree(r->context, r->svm);
	if (r->usm)
		(void)clMemBlockingFreeINTEL(r->context, r->usm);
	for (unsigned i = 0; i < r->n_events; i++)
		(void)clReleaseEvent(r->events[i]);
	if (r->user)
		(void)clReleaseEvent(r->user);
	cl_mem mems[] = { r->part, r->a, r->b, r->host, r->image };
	for (unsigned i = 0; i < 5; i++)
		if (mems[i])
			(void)clReleaseMemObject(mems[i]);
	if (r->sampler)
		(void)clReleaseSampler(r->sampler);
	cl_kernel kernels[] = { r->kernel, r->clone };
	for (unsigned i = 0; i < 2; i++)
		if (kernels[i])
			(void)clReleaseKernel(kernels[i]);
	if (r->program)
		(void)clReleaseProgram(r->program);
	if (r->queue)
		(void)clReleaseCommandQueue(r->queue);
	if (r->other)
		(void)clReleaseCommandQueue(r->other);
	if (r->context)
		(void)clReleaseContext(r->context);
}

static cl_int run_all(const void *unused)
{
	static struct run r;

	(void)unused;
	memset(&r, 0, sizeof r);
	if (make_objects(&r) && make_program(&r) && run_commands(&r) && run_transfers(&r))
		(void)run_pointers(&r);
	release_all(&r);
	return r.rc;
}

static void test_all(void **state)
{
	(void)state;
	n_devices = 1;
	failure_play(run_all, NULL, 1, 100, 50);
}

static void test_two_devices(void **state)
{
	(void)state;
	if (!devices[1])
		skip_because("the compiler does not know skl");
	n_devices = 2;
	failure_play(run_all, NULL, 1, 150, 60);
}

static int setup(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		if (i && system("ocloc ids skl >/dev/null 2>&1"))
			break; /* newer compilers know Gen12 and later */
		built[i] = failure_program_build(i, source, "");
		devices[i] = built[i].device;
	}
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	free(built[0].binary);
	free(built[1].binary);
	return 0;
}

int main(void)
{
	static const enum l0_fake_model_number models[] = { L0_FAKE_TGL, L0_FAKE_SKL };
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_two_devices),
	};

	l0_fake_install();
	l0_fake_list(models, 2);
	return cmocka_run_group_tests(tests, setup, teardown);
}
