// SPDX-License-Identifier: MIT
#include "stress.h"
#include "test_drivers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALLBACK_SECONDS 60

static const char source[] =
	"kernel void add(global uint *a, uint v) { a[get_global_id(0)] += v; }\n"
	"kernel void affine(global uint *a, uint m, uint v)\n"
	"{ size_t i = get_global_id(0); a[i] = a[i] * m + v + (uint)i; }\n"
	"kernel void swap(global uint *a, local uint *l)\n"
	"{ size_t i = get_global_id(0), j = get_local_id(0), n = get_local_size(0);\n"
	"  l[j] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); a[i] = l[n - 1 - j]; }\n"
	"kernel void pixels(read_only image2d_t i, global uint *a, uint v)\n"
	"{ int x = get_global_id(0), y = get_global_id(1);\n"
	"  a[y * get_global_size(0) + x] = read_imageui(i, (int2)(x, y)).x + v; }\n"
	"kernel void tally(global volatile uint *a) { atomic_inc(a + get_global_id(0)); }\n"
	"kernel void print(global uint *a, uint v)\n"
	"{ size_t i = get_global_id(0); a[i] += v; printf(\"print %u\\n\", v + (uint)i); }\n"
	"kernel void astray(global uint *a, ulong far)\n"
	"{ a[0] = *(global uint *)(a[1] + far + get_global_id(0) * 4); }\n";

static void find_devices(struct stress_context *context)
{
	cl_device_id devices[STRESS_DEVICES + 1];
	cl_platform_id platforms[8];
	cl_uint n = 0;
	char name[64];

	STRESS(clGetPlatformIDs(8, platforms, &n));
	for (cl_uint i = 0; i < n && i < 8 && !context->n_devices; i++) {
		STRESS(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(name), name, NULL));
		if (strstr(name, getenv("STRESS_PLATFORM") ? getenv("STRESS_PLATFORM") : "ZeroCL"))
			STRESS(clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, STRESS_DEVICES + 1,
				devices, &context->n_devices));
	}
	if (!context->n_devices)
		stress_fail("no device", 0);
	if (context->n_devices > STRESS_DEVICES) {
		context->victim = devices[STRESS_DEVICES];
		context->n_devices = STRESS_DEVICES;
	}
	memcpy(context->devices, devices, context->n_devices * sizeof(*devices));
}

cl_program stress_program(cl_context context)
{
	const char *text = source;
	cl_int rc;
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &rc);

	STRESS(rc);
	STRESS(clBuildProgram(program, 0, NULL, "", NULL, NULL));
	return program;
}

static void open_tally(struct stress_context *context, struct stress_tally *tally)
{
	static const uint32_t zeros[STRESS_ITEMS];
	cl_int rc;

	tally->kernel = clCreateKernel(context->program, "tally", &rc);
	STRESS(rc);
	tally->mem = clCreateBuffer(context->context, CL_MEM_COPY_HOST_PTR, sizeof(zeros),
		(void *)(uintptr_t)zeros, &rc);
	STRESS(rc);
	STRESS(clSetKernelArg(tally->kernel, 0, sizeof(cl_mem), &tally->mem));
}

/* Nothing is in flight. The first queues are those of the devices. */
static void check_tally(struct stress_context *context, cl_uint device)
{
	struct stress_tally *tally = &context->tallies[device];
	uint32_t got[STRESS_ITEMS], want = (uint32_t)atomic_load(&tally->launches);

	memset(got, 0xee, sizeof(got));
	STRESS(clEnqueueReadBuffer(
		context->queues[device], tally->mem, CL_TRUE, 0, sizeof(got), got, 0, NULL, NULL));
	for (size_t i = 0; i < STRESS_ITEMS; i++)
		if (got[i] != want)
			stress_fail("launches of the shared kernel", (long)got[i] - (long)want);
}

void stress_context_open(struct stress_context *context)
{
	static const cl_command_queue_properties flags[STRESS_QUEUES] = { 0, 0,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE };
	cl_int rc;

	find_devices(context);
	context->context =
		clCreateContext(NULL, context->n_devices, context->devices, NULL, NULL, &rc);
	test_models_share_driver(rc);
	STRESS(rc);
	for (int i = 0; i < STRESS_QUEUES; i++) {
		const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES, flags[i], 0 };
		context->queues[i] = clCreateCommandQueueWithProperties(context->context,
			context->devices[(cl_uint)i % context->n_devices], list, &rc);
		STRESS(rc);
	}
	context->program = stress_program(context->context);
	for (cl_uint i = 0; i < context->n_devices; i++)
		open_tally(context, &context->tallies[i]);
	pthread_mutex_init(&context->lock, NULL);
}

void stress_context_settle(struct stress_context *context)
{
	for (int i = 0; i < STRESS_QUEUES; i++)
		STRESS(clFinish(context->queues[i]));
	for (int i = 0; i < STRESS_RECENT; i++) {
		if (context->recent[i])
			STRESS(clReleaseEvent(context->recent[i]));
		context->recent[i] = NULL;
	}
	for (cl_uint i = 0; i < context->n_devices; i++)
		check_tally(context, i);
	for (int i = 0; i < CALLBACK_SECONDS * 1000; i++) {
		if (atomic_load(&context->callbacks_called) == atomic_load(&context->callbacks_set))
			return;
		usleep(1000);
	}
	stress_fail("callbacks that never came",
		atomic_load(&context->callbacks_set) - atomic_load(&context->callbacks_called));
}

void stress_context_close(struct stress_context *context)
{
	for (int i = 0; i < STRESS_QUEUES; i++)
		STRESS(clReleaseCommandQueue(context->queues[i]));
	for (cl_uint i = 0; i < context->n_devices; i++) {
		STRESS(clReleaseKernel(context->tallies[i].kernel));
		STRESS(clReleaseMemObject(context->tallies[i].mem));
	}
	STRESS(clReleaseProgram(context->program));
	STRESS(clReleaseContext(context->context));
	pthread_mutex_destroy(&context->lock);
}

cl_event stress_context_recent(struct stress_context *context, unsigned chance)
{
	pthread_mutex_lock(&context->lock);
	cl_event event = context->recent[chance % STRESS_RECENT];
	if (event)
		STRESS(clRetainEvent(event));
	pthread_mutex_unlock(&context->lock);
	return event;
}

void stress_context_publish(struct stress_context *context, cl_event event, unsigned chance)
{
	STRESS(clRetainEvent(event));
	pthread_mutex_lock(&context->lock);
	cl_event old = context->recent[chance % STRESS_RECENT];
	context->recent[chance % STRESS_RECENT] = event;
	pthread_mutex_unlock(&context->lock);
	if (old)
		STRESS(clReleaseEvent(old));
}
