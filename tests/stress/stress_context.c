// SPDX-License-Identifier: MIT
#include "stress.h"

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
	"  a[y * get_global_size(0) + x] = read_imageui(i, (int2)(x, y)).x + v; }\n";

static void find_devices(struct stress_context *context)
{
	cl_platform_id platforms[8];
	cl_uint n = 0;
	char name[64];

	STRESS(clGetPlatformIDs(8, platforms, &n));
	for (cl_uint i = 0; i < n && i < 8 && !context->n_devices; i++) {
		STRESS(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(name), name, NULL));
		if (strstr(name, getenv("STRESS_PLATFORM") ? getenv("STRESS_PLATFORM") : "ZeroCL"))
			STRESS(clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, STRESS_DEVICES,
				context->devices, &context->n_devices));
	}
	if (!context->n_devices)
		stress_fail("no device", 0);
	if (context->n_devices > STRESS_DEVICES)
		context->n_devices = STRESS_DEVICES;
}

void stress_context_open(struct stress_context *context)
{
	static const cl_command_queue_properties flags[STRESS_QUEUES] = { 0, 0,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE };
	const char *text = source;
	cl_int rc;

	find_devices(context);
	context->context =
		clCreateContext(NULL, context->n_devices, context->devices, NULL, NULL, &rc);
	STRESS(rc);
	for (int i = 0; i < STRESS_QUEUES; i++) {
		const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES, flags[i], 0 };
		context->queues[i] = clCreateCommandQueueWithProperties(context->context,
			context->devices[(cl_uint)i % context->n_devices], list, &rc);
		STRESS(rc);
	}
	context->program = clCreateProgramWithSource(context->context, 1, &text, NULL, &rc);
	STRESS(rc);
	STRESS(clBuildProgram(context->program, 0, NULL, "", NULL, NULL));
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
