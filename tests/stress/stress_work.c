// SPDX-License-Identifier: MIT
#include "test_random.h"
#include "stress_worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void stress_note(struct item *item, const char *what)
{
	item->done[item->n_done++ % STRESS_HISTORY] = what;
}

unsigned stress_chance(struct worker *w, unsigned n)
{
	return test_random_below(&w->self->seed, n);
}

cl_command_queue stress_any_queue(struct worker *w)
{
	return w->context->queues[stress_chance(w, STRESS_QUEUES)];
}

void stress_set_pending(struct worker *w)
{
	while (w->n_pending) {
		cl_event event = w->pending[--w->n_pending];

		STRESS(clSetUserEventStatus(event, CL_COMPLETE));
		STRESS(clReleaseEvent(event));
	}
}

/* The item's last event, and by chance another's and a user event that comes later. */
struct waits stress_waits(struct worker *w, struct item *item, bool blocking)
{
	struct waits waits = { 0 };
	cl_event other;
	cl_int rc;

	if (blocking)
		stress_set_pending(w);
	if (item->last) {
		STRESS(clRetainEvent(item->last));
		waits.events[waits.n++] = item->last;
	}
	if (stress_chance(w, 4) == 0 &&
		(other = stress_context_recent(w->context, stress_chance(w, 1000))))
		waits.events[waits.n++] = other;
	if (!blocking && w->n_pending < STRESS_MAX_PENDING && stress_chance(w, 16) == 0) {
		cl_event user = clCreateUserEvent(w->context->context, &rc);
		STRESS(rc);
		STRESS(clRetainEvent(user));
		w->pending[w->n_pending++] = user;
		waits.events[waits.n++] = user;
	}
	return waits;
}

const cl_event *stress_list(const struct waits *waits)
{
	return waits->n ? waits->events : NULL;
}

static void CL_CALLBACK called(cl_event event, cl_int status, void *data)
{
	struct stress_context *context = data;

	(void)event;
	if (status != CL_COMPLETE)
		stress_fail("a callback's status", status);
	atomic_fetch_add(&context->callbacks_called, 1);
}

/* The command is the item's last one now. */
void stress_enqueued(struct worker *w, struct item *item, struct waits *waits, cl_event event)
{
	for (cl_uint i = 0; i < waits->n; i++)
		STRESS(clReleaseEvent(waits->events[i]));
	if (item->last)
		STRESS(clReleaseEvent(item->last));
	item->last = event;
	if (stress_chance(w, 8) == 0)
		stress_context_publish(w->context, event, stress_chance(w, 1000));
	if (stress_chance(w, 16) == 0) {
		atomic_fetch_add(&w->context->callbacks_set, 1);
		STRESS(clSetEventCallback(event, CL_COMPLETE, called, w->context));
	}
}

static void launch(struct worker *w, struct item *item)
{
	static const size_t global = STRESS_ITEMS, locals[] = { 16, 64, 128 };
	size_t local = locals[stress_chance(w, 3)];
	uint32_t value = stress_chance(w, 1000), factor = 1 + 2 * stress_chance(w, 5);
	unsigned which = stress_chance(w, 3);
	cl_kernel kernel = which == 0 ? w->add : which == 1 ? w->affine : w->swap;
	uint32_t old[STRESS_ITEMS];
	struct waits waits = stress_waits(w, item, false);
	cl_event event;

	memcpy(old, item->model, sizeof(old));
	STRESS(clSetKernelArg(kernel, 0, sizeof(cl_mem), &item->mem));
	if (which == 0) {
		STRESS(clSetKernelArg(kernel, 1, sizeof(value), &value));
	} else if (which == 1) {
		STRESS(clSetKernelArg(kernel, 1, sizeof(factor), &factor));
		STRESS(clSetKernelArg(kernel, 2, sizeof(value), &value));
	} else {
		STRESS(clSetKernelArg(kernel, 1, local * sizeof(uint32_t), NULL));
	}
	STRESS(clEnqueueNDRangeKernel(stress_any_queue(w), kernel, 1, NULL, &global,
		which < 2 && stress_chance(w, 2) ? NULL : &local, waits.n, stress_list(&waits),
		&event));
	for (uint32_t i = 0; i < STRESS_ITEMS; i++)
		item->model[i] = which == 0   ? old[i] + value
				 : which == 1 ? old[i] * factor + value + i
					      : old[i / local * local + local - 1 - i % local];
	static const char *const names[] = { "add", "affine", "swap" };
	stress_note(item, names[which]);
	stress_enqueued(w, item, &waits, event);
}

void stress_compare(const struct item *item, size_t first, size_t n, const uint32_t *got)
{
	for (size_t i = 0; i < n; i++) {
		if (got[i] == item->model[first + i])
			continue;
		size_t wrong = 0;
		for (size_t k = i; k < n; k++)
			wrong += got[k] != item->model[first + k];
		fprintf(stderr,
			"stress: 0x%x for 0x%x, %zu of %zu wrong; the last commands:", got[i],
			item->model[first + i], wrong, n);
		for (unsigned k = 0; k < STRESS_HISTORY && k < item->n_done; k++)
			fprintf(stderr, " %s", item->done[(item->n_done - 1 - k) % STRESS_HISTORY]);
		fputs(", the newest first\n", stderr);
		stress_fail("a wrong value at", (long)(first + i));
	}
}

static void any_part(struct worker *w, size_t *first, size_t *n)
{
	*first = stress_chance(w, STRESS_ITEMS);
	*n = 1 + stress_chance(w, (unsigned)(STRESS_ITEMS - *first));
}

static void read_back(struct worker *w, struct item *item)
{
	struct waits waits = stress_waits(w, item, true);
	cl_event event;
	size_t first, n;

	any_part(w, &first, &n);
	memset(w->room, 0xee, STRESS_BYTES);
	bool blocking = stress_chance(w, 2);
	STRESS(clEnqueueReadBuffer(stress_any_queue(w), item->mem, blocking, first * 4, n * 4,
		w->room, waits.n, stress_list(&waits), &event));
	if (!blocking)
		STRESS(clWaitForEvents(1, &event));
	stress_compare(item, first, n, w->room);
	stress_note(item, blocking ? "blocking-read" : "read");
	stress_enqueued(w, item, &waits, event);
}

static void CL_CALLBACK free_data(cl_event event, cl_int status, void *data)
{
	(void)event;
	(void)status;
	free(data);
}

static void write_part(struct worker *w, struct item *item)
{
	bool blocking = stress_chance(w, 2);
	struct waits waits = stress_waits(w, item, blocking);
	uint32_t *data = malloc(STRESS_BYTES);
	cl_event event;
	size_t first, n;

	if (!data)
		stress_fail("malloc", 0);
	any_part(w, &first, &n);
	for (size_t i = 0; i < n; i++)
		data[i] = item->model[first + i] = stress_chance(w, 1u << 30);
	STRESS(clEnqueueWriteBuffer(stress_any_queue(w), item->mem, blocking, first * 4, n * 4,
		data, waits.n, stress_list(&waits), &event));
	/* the memory lives until the command is done, and not longer */
	if (blocking)
		free(data);
	else
		STRESS(clSetEventCallback(event, CL_COMPLETE, free_data, data));
	stress_note(item, blocking ? "blocking-write" : "write");
	stress_enqueued(w, item, &waits, event);
}

static void fill_part(struct worker *w, struct item *item)
{
	struct waits waits = stress_waits(w, item, false);
	uint32_t value = stress_chance(w, 1u << 30);
	cl_event event;
	size_t first, n;

	any_part(w, &first, &n);
	STRESS(clEnqueueFillBuffer(stress_any_queue(w), item->mem, &value, 4, first * 4, n * 4,
		waits.n, stress_list(&waits), &event));
	for (size_t i = 0; i < n; i++)
		item->model[first + i] = value;
	stress_note(item, "fill");
	stress_enqueued(w, item, &waits, event);
}

static void map_part(struct worker *w, struct item *item)
{
	struct waits waits = stress_waits(w, item, true);
	cl_event event, unmapped;
	size_t first, n;
	cl_int rc;

	any_part(w, &first, &n);
	uint32_t *mapped = clEnqueueMapBuffer(stress_any_queue(w), item->mem, CL_TRUE,
		CL_MAP_READ | CL_MAP_WRITE, first * 4, n * 4, waits.n, stress_list(&waits), &event,
		&rc);
	STRESS(rc);
	stress_compare(item, first, n, mapped);
	for (size_t i = 0; i < n; i++)
		mapped[i] = item->model[first + i] = mapped[i] ^ 0x5a5a5a5a;
	STRESS(clEnqueueUnmapMemObject(
		stress_any_queue(w), item->mem, mapped, 1, &event, &unmapped));
	STRESS(clReleaseEvent(event));
	stress_note(item, "map");
	stress_enqueued(w, item, &waits, unmapped);
}

/* To the device of a queue, or to the host. */
static void migrate(struct worker *w, struct item *item)
{
	struct waits waits = stress_waits(w, item, false);
	cl_mem_migration_flags flags =
		stress_chance(w, 2) ? CL_MIGRATE_MEM_OBJECT_HOST : (cl_mem_migration_flags)0;
	cl_event event;

	STRESS(clEnqueueMigrateMemObjects(
		stress_any_queue(w), 1, &item->mem, flags, waits.n, stress_list(&waits), &event));
	stress_note(item, "migrate");
	stress_enqueued(w, item, &waits, event);
}

/* Of two items, which have one last event then. */
static void copy_between(struct worker *w, struct item *item)
{
	struct item *from = &w->items[stress_chance(w, STRESS_BUFFERS)];
	struct waits waits = stress_waits(w, item, false);
	cl_event event;
	size_t first, n;

	if (from != item && from->last && waits.n < STRESS_MAX_WAITS) {
		STRESS(clRetainEvent(from->last));
		waits.events[waits.n++] = from->last;
		any_part(w, &first, &n);
		STRESS(clEnqueueCopyBuffer(stress_any_queue(w), from->mem, item->mem, first * 4,
			first * 4, n * 4, waits.n, stress_list(&waits), &event));
		memcpy(item->model + first, from->model + first, n * 4);
		STRESS(clReleaseEvent(from->last));
		STRESS(clRetainEvent(event));
		from->last = event;
		stress_note(item, "copy");
	} else {
		STRESS(clEnqueueMarkerWithWaitList(
			stress_any_queue(w), waits.n, stress_list(&waits), &event));
	}
	stress_enqueued(w, item, &waits, event);
}

/* A command that waits for something that fails is not done. */
static void fail_one(struct worker *w, struct item *item)
{
	static const size_t one = 1;
	cl_int rc, status;
	uint32_t value = 12345;
	cl_event events[3] = { NULL };

	stress_set_pending(w);
	events[0] = clCreateUserEvent(w->context->context, &rc);
	STRESS(rc);
	STRESS(clSetKernelArg(w->add, 0, sizeof(cl_mem), &item->mem));
	STRESS(clSetKernelArg(w->add, 1, sizeof(value), &value));
	if (item->last)
		events[1] = item->last;
	STRESS(clEnqueueNDRangeKernel(stress_any_queue(w), w->add, 1, NULL, &one, NULL,
		events[1] ? 2 : 1, events, &events[2]));
	STRESS(clSetUserEventStatus(events[0], -77));
	if (clWaitForEvents(1, &events[2]) != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
		stress_fail("a failed command is not told", 0);
	STRESS(clGetEventInfo(
		events[2], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
	if (status >= 0)
		stress_fail("a failed command's status", status);
	STRESS(clReleaseEvent(events[0]));
	STRESS(clReleaseEvent(events[2]));
}

static void CL_CALLBACK destroyed(cl_mem mem, void *data)
{
	struct stress_context *context = data;

	(void)mem;
	atomic_fetch_add(&context->callbacks_called, 1);
}

static void make_item(struct worker *w, struct item *item)
{
	cl_int rc;

	for (size_t i = 0; i < STRESS_ITEMS; i++)
		item->model[i] = stress_chance(w, 1u << 30);
	item->last = NULL;
	item->n_done = 0;
	item->mem = clCreateBuffer(w->context->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
		STRESS_BYTES, item->model, &rc);
	STRESS(rc);
	atomic_fetch_add(&w->context->callbacks_set, 1);
	STRESS(clSetMemObjectDestructorCallback(item->mem, destroyed, w->context));
}

/* The buffer may go while its commands are in flight. */
static void drop_item(struct item *item)
{
	if (item->last)
		STRESS(clReleaseEvent(item->last));
	STRESS(clReleaseMemObject(item->mem));
}

static void replace_item(struct worker *w, struct item *item)
{
	drop_item(item);
	make_item(w, item);
}

static void synchronise(struct worker *w, struct item *item)
{
	cl_int status;

	switch (stress_chance(w, 4)) {
	case 0:
		STRESS(clFlush(stress_any_queue(w)));
		break;
	case 1:
		stress_set_pending(w);
		STRESS(clFinish(stress_any_queue(w)));
		break;
	case 2:
		STRESS(clEnqueueBarrierWithWaitList(stress_any_queue(w), 0, NULL, NULL));
		break;
	default:
		if (item->last)
			STRESS(clGetEventInfo(item->last, CL_EVENT_COMMAND_EXECUTION_STATUS,
				sizeof(status), &status, NULL));
	}
}

static void step(struct worker *w)
{
	static void (*const actions[])(struct worker *, struct item *) = { launch, launch, launch,
		launch, launch, launch, read_back, write_part, write_part, fill_part, map_part,
		migrate, copy_between, copy_between, stress_image, stress_svm, stress_usm,
		stress_record, stress_repeat, synchronise, synchronise, stress_tally, stress_tally,
		stress_clone, stress_part, stress_ask };
	/* of 256 steps each one */
	static void (*const seldom_done[])(struct worker *, struct item *) = { fail_one, fail_one,
		replace_item, replace_item, stress_queue, stress_print, stress_build, stress_world,
		stress_fault };
	struct item *item = &w->items[stress_chance(w, STRESS_BUFFERS)];
	unsigned seldom = stress_chance(w, 256);

	if (seldom < sizeof(seldom_done) / sizeof(*seldom_done))
		seldom_done[seldom](w, item);
	else
		actions[stress_chance(w, sizeof(actions) / sizeof(*actions))](w, item);
	if (stress_chance(w, 6) == 0)
		stress_set_pending(w);
}

static cl_kernel make_kernel(struct worker *w, const char *name)
{
	cl_int rc;
	cl_kernel kernel = clCreateKernel(w->context->program, name, &rc);

	STRESS(rc);
	return kernel;
}

void stress_work(struct stress_worker *self)
{
	struct worker *w = calloc(1, sizeof(*w));

	if (!w || !(w->room = malloc(STRESS_BYTES)))
		stress_fail("malloc", 0);
	w->self = self;
	w->context = self->context;
	w->add = make_kernel(w, "add");
	w->affine = make_kernel(w, "affine");
	w->swap = make_kernel(w, "swap");
	w->print = make_kernel(w, "print");
	stress_more_open(w);
	for (int i = 0; i < STRESS_BUFFERS; i++)
		make_item(w, &w->items[i]);
	for (; !atomic_load(&stress_over); self->steps++)
		step(w);
	stress_set_pending(w);
	for (int i = 0; i < STRESS_BUFFERS; i++) {
		struct item *item = &w->items[i];

		STRESS(clEnqueueReadBuffer(w->context->queues[0], item->mem, CL_TRUE, 0,
			STRESS_BYTES, w->room, item->last ? 1 : 0, item->last ? &item->last : NULL,
			NULL));
		stress_compare(item, 0, STRESS_ITEMS, w->room);
		drop_item(item);
	}
	stress_more_close(w);
	STRESS(clReleaseKernel(w->add));
	STRESS(clReleaseKernel(w->affine));
	STRESS(clReleaseKernel(w->swap));
	STRESS(clReleaseKernel(w->print));
	free(w->room);
	free(w);
}
