// SPDX-License-Identifier: MIT
#include "hostile.h"

#include <stdio.h>
#include <string.h>

/* Handles that are gone, very many of them, and kernels that no device can run. */

enum { MANY = 100000, MANY_QUEUES = 5000 };

static void expect(const char *what, cl_int got, cl_int wanted)
{
	if (got != wanted)
		hostile_fail(what, got);
}

static void use_released(const struct hostile *h)
{
	size_t size = 0;
	cl_int rc, v = 0;

	expect("clRetainMemObject", clRetainMemObject(h->buffer), CL_INVALID_MEM_OBJECT);
	expect("clGetMemObjectInfo",
		clGetMemObjectInfo(h->buffer, CL_MEM_SIZE, sizeof size, &size, NULL),
		CL_INVALID_MEM_OBJECT);
	expect("clReleaseKernel", clReleaseKernel(h->kernel), CL_INVALID_KERNEL);
	expect("clSetKernelArg", clSetKernelArg(h->kernel, 1, sizeof v, &v), CL_INVALID_KERNEL);
	expect("clReleaseProgram", clReleaseProgram(h->program), CL_INVALID_PROGRAM);
	expect("clFinish", clFinish(h->queue), CL_INVALID_COMMAND_QUEUE);
	(void)clCreateBuffer(h->context, 0, 64, NULL, &rc);
	expect("clCreateBuffer", rc, CL_INVALID_CONTEXT);
}

int hostile_released(void)
{
	struct hostile h, other;
	cl_int rc = hostile_open(&h);
	cl_sampler sampler;
	cl_event event;

	if (rc)
		hostile_fail("hostile_open", rc);
	event = clCreateUserEvent(h.context, &rc);
	sampler = clCreateSampler(h.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &rc);
	hostile_close(&h);
	(void)clReleaseEvent(event);
	(void)clReleaseSampler(sampler);
	expect("clReleaseEvent", clReleaseEvent(event), CL_INVALID_EVENT);
	expect("clWaitForEvents", clWaitForEvents(1, &event), CL_INVALID_EVENT);
	expect("clReleaseSampler", clReleaseSampler(sampler), CL_INVALID_SAMPLER);
	use_released(&h);
	/* nor after others took memory */
	if ((rc = hostile_open(&other)) || (rc = hostile_launch(&other, other.queue, 5)))
		hostile_fail("hostile_open", rc);
	use_released(&h);
	hostile_close(&other);
	return 0;
}

/* Queues that have all run something, and are released oldest first. */
static void release_queues(struct hostile *h)
{
	static cl_command_queue queues[MANY_QUEUES];
	cl_int rc;

	for (int i = 0; i < MANY_QUEUES; i++) {
		queues[i] = clCreateCommandQueueWithProperties(h->context, h->device, NULL, &rc);
		expect("clCreateCommandQueueWithProperties", rc, CL_SUCCESS);
		expect("launch", hostile_launch(h, queues[i], i), CL_SUCCESS);
	}
	for (int i = 0; i < MANY_QUEUES; i++)
		expect("clReleaseCommandQueue", clReleaseCommandQueue(queues[i]), CL_SUCCESS);
	expect("launch", hostile_launch(h, h->queue, 7), CL_SUCCESS);
}

/* What takes a time that grows with the square of a number takes minutes here. */
int hostile_many(void)
{
	static cl_kernel kernels[MANY];
	static cl_event gates[MANY], markers[MANY];
	struct hostile h;
	cl_int rc = hostile_open(&h);

	if (rc)
		hostile_fail("hostile_open", rc);
	for (int i = 0; i < MANY; i++)
		kernels[i] = clCreateKernel(h.program, "put", &rc);
	for (int i = 0; i < MANY; i++)
		expect("clReleaseKernel", clReleaseKernel(kernels[i]), CL_SUCCESS);
	const cl_queue_properties properties[] = { CL_QUEUE_PROPERTIES,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0 };
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(h.context, h.device, properties, &rc);
	for (int i = 0; i < MANY; i++) {
		gates[i] = clCreateUserEvent(h.context, &rc);
		expect("marker", clEnqueueMarkerWithWaitList(queue, 1, &gates[i], &markers[i]), 0);
	}
	for (int i = MANY - 1; i >= 0; i--)
		expect("gate", clSetUserEventStatus(gates[i], CL_COMPLETE), CL_SUCCESS);
	expect("clFinish", clFinish(queue), CL_SUCCESS);
	for (int i = 0; i < MANY; i++) {
		(void)clReleaseEvent(gates[i]);
		(void)clReleaseEvent(markers[i]);
	}
	(void)clReleaseCommandQueue(queue);
	release_queues(&h);
	hostile_close(&h);
	return 0;
}

/* More private memory than there is. */
int hostile_private(void)
{
	static const unsigned megabytes[] = { 1, 8, 80, 800 };
	struct hostile h;
	cl_int rc = hostile_open(&h);

	if (rc)
		hostile_fail("hostile_open", rc);
	for (size_t i = 0; i < sizeof megabytes / sizeof *megabytes; i++) {
		char text[512];
		const char *source = text;
		const size_t size = 16;

		snprintf(text, sizeof text,
			"kernel void put(global int *b, int v) { volatile int p[%u];"
			"for (int i = 0; i < 1000; i++) p[(i * 7919 + v) %% %u] = i;"
			"b[get_global_id(0)] = p[v]; }",
			megabytes[i] << 18, megabytes[i] << 18);
		cl_program program = clCreateProgramWithSource(h.context, 1, &source, NULL, &rc);
		rc = clBuildProgram(program, 0, NULL, "", NULL, NULL);
		cl_kernel kernel = rc ? NULL : clCreateKernel(program, "put", &rc);
		cl_int v = 3;
		if (kernel) {
			(void)clSetKernelArg(kernel, 0, sizeof h.buffer, &h.buffer);
			(void)clSetKernelArg(kernel, 1, sizeof v, &v);
			rc = clEnqueueNDRangeKernel(
				h.queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
			if (!rc)
				rc = clFinish(h.queue);
			(void)clReleaseKernel(kernel);
		}
		printf("%u MB: %d\n", megabytes[i], rc);
		(void)clReleaseProgram(program);
	}
	if ((rc = hostile_launch(&h, h.queue, 4)))
		hostile_fail("the device is not usable", rc);
	hostile_close(&h);
	return 0;
}
