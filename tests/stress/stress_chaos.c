// SPDX-License-Identifier: MIT
#include "stress_worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What threads share beyond queues and events, and what goes while it is in flight: a kernel and a
 * buffer of all, programs built beside launches, queues and contexts of a moment, parts of buffers,
 * prints, and faults on a device of their own.
 */

#define PART	64 /* items; as many bytes as sub-buffers are aligned to, or more */
#define KNOWN	16 /* programs that the cache has */
#define OPTIONS 64

static void launch_on(cl_command_queue queue, cl_kernel kernel, size_t global,
	const struct waits *waits, cl_event *event)
{
	STRESS(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, waits ? waits->n : 0,
		waits ? stress_list(waits) : NULL, event));
}

static void set_add(cl_kernel kernel, cl_mem mem, uint32_t value)
{
	STRESS(clSetKernelArg(kernel, 0, sizeof(cl_mem), &mem));
	STRESS(clSetKernelArg(kernel, 1, sizeof(value), &value));
}

static void add_to_model(struct item *item, size_t first, size_t n, uint32_t value)
{
	for (size_t i = first; i < first + n; i++)
		item->model[i] += value;
}

/* All threads launch one kernel, whose arguments nobody sets any more, on one buffer. */
void stress_tally(struct worker *w, struct item *item)
{
	unsigned n = 1 + stress_chance(w, 4), which = stress_chance(w, STRESS_QUEUES);
	struct stress_tally *tally = &w->context->tallies[which % w->context->n_devices];
	cl_event event;

	(void)item;
	for (unsigned i = 0; i < n; i++) {
		launch_on(w->context->queues[which], tally->kernel, STRESS_ITEMS, NULL, &event);
		if (stress_chance(w, 4) == 0)
			stress_context_publish(w->context, event, stress_chance(w, 1000));
		STRESS(clReleaseEvent(event));
	}
	atomic_fetch_add(&tally->launches, n);
}

/* A copy of the kernel that others launch, for memory of our own. */
void stress_clone(struct worker *w, struct item *item)
{
	struct waits waits = stress_waits(w, item, false);
	cl_event event;
	cl_int rc;
	cl_kernel copy = clCloneKernel(w->context->tallies[0].kernel, &rc);

	STRESS(rc);
	STRESS(clSetKernelArg(copy, 0, sizeof(cl_mem), &item->mem));
	launch_on(stress_any_queue(w), copy, STRESS_ITEMS, &waits, &event);
	STRESS(clReleaseKernel(copy));
	add_to_model(item, 0, STRESS_ITEMS, 1);
	stress_note(item, "clone");
	stress_enqueued(w, item, &waits, event);
}

void stress_part(struct worker *w, struct item *item)
{
	const unsigned first = stress_chance(w, STRESS_ITEMS / PART) * PART;
	const unsigned n = (1 + stress_chance(w, (STRESS_ITEMS - first) / PART)) * PART;
	const cl_buffer_region region = { first * sizeof(uint32_t), n * sizeof(uint32_t) };
	uint32_t value = stress_chance(w, 1000);
	struct waits waits = stress_waits(w, item, false);
	cl_event event;
	cl_int rc;
	cl_mem part = clCreateSubBuffer(
		item->mem, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);

	STRESS(rc);
	set_add(w->add, part, value);
	launch_on(stress_any_queue(w), w->add, n, &waits, &event);
	STRESS(clReleaseMemObject(part));
	add_to_model(item, first, n, value);
	stress_note(item, "part");
	stress_enqueued(w, item, &waits, event);
}

/* The queue goes before its command has begun. */
void stress_queue(struct worker *w, struct item *item)
{
	const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES, stress_chance(w, 4), 0 };
	cl_device_id device = w->context->devices[stress_chance(w, w->context->n_devices)];
	uint32_t value = stress_chance(w, 1000);
	struct waits waits = stress_waits(w, item, false);
	cl_event event;
	cl_int rc;
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(w->context->context, device, list, &rc);

	STRESS(rc);
	set_add(w->add, item->mem, value);
	launch_on(queue, w->add, STRESS_ITEMS, &waits, &event);
	STRESS(clReleaseCommandQueue(queue));
	add_to_model(item, 0, STRESS_ITEMS, value);
	stress_note(item, "own-queue");
	stress_enqueued(w, item, &waits, event);
}

void stress_print(struct worker *w, struct item *item)
{
	const unsigned n = 1 + stress_chance(w, PART);
	uint32_t value = stress_chance(w, 1u << 16);
	struct waits waits = stress_waits(w, item, false);
	cl_event event;

	set_add(w->print, item->mem, value);
	launch_on(stress_any_queue(w), w->print, n, &waits, &event);
	atomic_fetch_add(&stress_printed.lines, n);
	for (unsigned i = 0; i < n; i++)
		atomic_fetch_add(&stress_printed.sum, (long)(value + i));
	add_to_model(item, 0, n, value);
	stress_note(item, "print");
	stress_enqueued(w, item, &waits, event);
}

/* Asks for all there is to know of what others made. */
void stress_ask(struct worker *w, struct item *item)
{
	cl_event event = stress_context_recent(w->context, stress_chance(w, 1000));
	cl_ulong times[4];
	cl_int status = CL_SUCCESS;

	(void)item;
	if (!event)
		return;
	STRESS(clGetEventInfo(
		event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
	if (status < 0)
		stress_fail("the status of another's event", status);
	for (cl_uint i = 0; i < 4; i++)
		if (clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof(*times),
			    &times[i], NULL))
			times[0] = 0;
	for (cl_uint i = 0; i < 3 && times[0] && status == CL_COMPLETE; i++)
		if (times[i] > times[i + 1])
			stress_fail("times go backwards", (long)i);
	STRESS(clReleaseEvent(event));
}

static void CL_CALLBACK built(cl_program program, void *data)
{
	(void)program;
	STRESS(clSetUserEventStatus(data, CL_COMPLETE));
	STRESS(clReleaseEvent(data));
}

/* Returns when it is built, on this thread or another. */
static void build(struct worker *w, cl_program program, const char *options)
{
	cl_int rc;

	if (stress_chance(w, 2)) {
		STRESS(clBuildProgram(program, 0, NULL, options, NULL, NULL));
		return;
	}
	cl_event event = clCreateUserEvent(w->context->context, &rc);
	STRESS(rc);
	STRESS(clRetainEvent(event));
	STRESS(clBuildProgram(program, 0, NULL, options, built, event));
	STRESS(clWaitForEvents(1, &event));
	STRESS(clReleaseEvent(event));
}

/* A program of our own, which goes while its kernel runs. */
void stress_build(struct worker *w, struct item *item)
{
	static const char text[] = "kernel void put(global uint *a)"
				   "{ a[get_global_id(0)] += VALUE; }";
	const char *source = text;
	uint32_t value = stress_chance(w, stress_chance(w, 4) ? KNOWN : 1u << 30);
	char options[OPTIONS];
	cl_event event;
	cl_int rc;
	cl_program program = clCreateProgramWithSource(w->context->context, 1, &source, NULL, &rc);

	STRESS(rc);
	stress_set_pending(w);
	snprintf(options, sizeof(options), "-DVALUE=%uu", value);
	build(w, program, options);
	cl_kernel kernel = clCreateKernel(program, "put", &rc);
	STRESS(rc);
	struct waits waits = stress_waits(w, item, false);
	STRESS(clSetKernelArg(kernel, 0, sizeof(cl_mem), &item->mem));
	launch_on(stress_any_queue(w), kernel, STRESS_ITEMS, &waits, &event);
	STRESS(clReleaseKernel(kernel));
	STRESS(clReleaseProgram(program));
	add_to_model(item, 0, STRESS_ITEMS, value);
	stress_note(item, "built");
	stress_enqueued(w, item, &waits, event);
}

/* The first of the devices that a program has, from a binary of it. */
static cl_program load(struct worker *w, cl_context context)
{
	unsigned char *binaries[STRESS_DEVICES] = { NULL };
	size_t sizes[STRESS_DEVICES];
	cl_int rc;

	STRESS(clGetProgramInfo(
		w->context->program, CL_PROGRAM_BINARY_SIZES, sizeof(sizes), sizes, NULL));
	for (cl_uint i = 0; i < w->context->n_devices; i++)
		if (!(binaries[i] = malloc(sizes[i])))
			stress_fail("malloc", 0);
	STRESS(clGetProgramInfo(
		w->context->program, CL_PROGRAM_BINARIES, sizeof(binaries), binaries, NULL));
	cl_program program = clCreateProgramWithBinary(context, 1, w->context->devices, sizes,
		(const unsigned char **)binaries, NULL, &rc);
	STRESS(rc);
	for (cl_uint i = 0; i < w->context->n_devices; i++)
		free(binaries[i]);
	STRESS(clBuildProgram(program, 0, NULL, "", NULL, NULL));
	return program;
}

/* A context of a moment; all but the event is released while its commands run. */
void stress_world(struct worker *w, struct item *item)
{
	const uint32_t value = stress_chance(w, 1u << 30), more = stress_chance(w, 1000);
	uint32_t *data = w->room;
	cl_event event;
	cl_int rc;
	cl_context context = clCreateContext(NULL, 1, w->context->devices, NULL, NULL, &rc);

	(void)item;
	STRESS(rc);
	stress_set_pending(w);
	cl_program program = load(w, context);
	cl_kernel kernel = clCreateKernel(program, "add", &rc);
	STRESS(rc);
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(context, w->context->devices[0], NULL, &rc);
	STRESS(rc);
	for (size_t i = 0; i < STRESS_ITEMS; i++)
		data[i] = value;
	cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, STRESS_BYTES, data, &rc);
	STRESS(rc);
	memset(data, 0xee, STRESS_BYTES);
	set_add(kernel, mem, more);
	launch_on(queue, kernel, STRESS_ITEMS, NULL, NULL);
	STRESS(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, STRESS_BYTES, data, 0, NULL, &event));
	STRESS(clReleaseMemObject(mem));
	STRESS(clReleaseKernel(kernel));
	STRESS(clReleaseProgram(program));
	STRESS(clReleaseCommandQueue(queue));
	STRESS(clReleaseContext(context));
	STRESS(clWaitForEvents(1, &event));
	STRESS(clReleaseEvent(event));
	for (size_t i = 0; i < STRESS_ITEMS; i++)
		if (data[i] != value + more)
			stress_fail("a context of a moment", (long)i);
}

static void CL_CALLBACK hear(const char *text, const void *data, size_t size, void *user)
{
	(void)data;
	(void)size;
	(void)user;
	if (!*text)
		stress_fail("an empty report", 0);
}

/* Of one device that does nothing else. Others may lose it meanwhile: all else may fail, too. */
static void stray(struct worker *w, cl_context context, cl_program program, cl_command_queue queue)
{
	const cl_ulong far = 0x7f0000000000;
	uint32_t value = stress_chance(w, 1000);
	cl_event events[2];
	cl_int rc;
	cl_kernel bad = clCreateKernel(program, "astray", &rc);

	STRESS(rc);
	cl_kernel good = clCreateKernel(program, "add", &rc);
	STRESS(rc);
	memset(w->room, 0, STRESS_BYTES);
	cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, STRESS_BYTES, w->room, &rc);
	STRESS(rc);
	set_add(good, mem, value);
	launch_on(queue, good, STRESS_ITEMS, NULL, &events[0]);
	rc = clWaitForEvents(1, events);
	if (!rc &&
		!clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, STRESS_BYTES, w->room, 0, NULL, NULL))
		for (size_t i = 0; i < STRESS_ITEMS; i++)
			if (w->room[i] != value)
				stress_fail("beside a fault", (long)i);
	STRESS(clSetKernelArg(bad, 0, sizeof(cl_mem), &mem));
	STRESS(clSetKernelArg(bad, 1, sizeof(far), &far));
	launch_on(queue, bad, STRESS_ITEMS, NULL, &events[1]);
	if (clWaitForEvents(1, &events[1]) != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
		stress_fail("a fault is not told", 0);
	(void)clFinish(queue);
	STRESS(clReleaseEvent(events[0]));
	STRESS(clReleaseEvent(events[1]));
	STRESS(clReleaseKernel(bad));
	STRESS(clReleaseKernel(good));
	STRESS(clReleaseMemObject(mem));
}

void stress_fault(struct worker *w, struct item *item)
{
	cl_device_id victim = w->context->victim;
	cl_int rc;

	(void)item;
	if (!victim)
		return;
	stress_set_pending(w);
	cl_context context = clCreateContext(NULL, 1, &victim, hear, NULL, &rc);
	STRESS(rc);
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, victim, NULL, &rc);
	STRESS(rc);
	cl_program program = stress_program(context);
	stray(w, context, program, queue);
	STRESS(clReleaseProgram(program));
	STRESS(clReleaseCommandQueue(queue));
	STRESS(clReleaseContext(context));
}
