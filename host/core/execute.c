// SPDX-License-Identifier: MIT
#include "core/execute.h"

#include "core/copy.h"
#include "core/error.h"
#include "core/kernel_launch.h"
#include "core/queue.h"
#include "l0/l0_error.h"
#include "l0/l0_memory.h"

/* Transfers up to this size go through staging memory when the device is busy. */
#define STAGE_MAX  ((size_t)1024 * 1024)
#define TILE_BYTES ((size_t)64 * 1024)

/* Brings one event of the wait list on its way; hold no lock. */
static void prepare(struct queue *queue, struct event *event)
{
	if (!event->queue || event->queue == queue)
		return;
	if (event_stage(event) == EVENT_OPEN)
		(void)queue_flush(event->queue);
	/* who sees this command complete shall find the host's part of that one done */
	if (atomic_load(&event->after))
		(void)event_wait_done(event);
}

static bool is_prepared(struct queue *queue, struct event *event)
{
	enum event_stage stage = event_stage(event);

	if (!event->queue || event->queue == queue)
		return true;
	return stage == EVENT_HELD || stage == EVENT_DONE ||
	       (stage == EVENT_DEVICE && !atomic_load(&event->after));
}

void execute_lock(struct queue *queue, struct event *const *waits, unsigned n_waits)
{
	bool all;

	do {
		for (unsigned i = 0; i < n_waits; i++)
			prepare(queue, waits[i]);
		pthread_mutex_lock(&queue->lock);
		/* in the meantime one that was held may have been appended */
		all = true;
		for (unsigned i = 0; i < n_waits; i++)
			all &= is_prepared(queue, waits[i]);
		if (!all)
			pthread_mutex_unlock(&queue->lock);
	} while (!all);
}

static bool too_wide(const struct command_copy *copy)
{
	return copy->to.row_pitch > UINT32_MAX || copy->to.slice_pitch > UINT32_MAX ||
	       copy->from.row_pitch > UINT32_MAX || copy->from.slice_pitch > UINT32_MAX ||
	       copy->region[0] > UINT32_MAX || copy->region[1] > UINT32_MAX ||
	       copy->region[2] > UINT32_MAX;
}

/* Whether the device can do a copy in its turn, or the host must do it once the queue is idle. */
static bool needs_host(struct queue *queue, const struct command *command)
{
	const struct command_copy *copy = &command->copy;

	if (command->kind != COMMAND_COPY)
		return false;
	if (!copy_is_plain(copy) && too_wide(copy))
		return true;
	if (!copy->from_host && !copy->to_host)
		return false;
	/* an earlier command's host part may write what this one reads */
	if (copy->from_host && queue->n_afters)
		return true;
	if (copy->region[0] * copy->region[1] * copy->region[2] <= STAGE_MAX)
		return false;
	return !l0_memory_is_shared(
		queue->context->l0, copy->from_host ? copy->from.address : copy->to.address);
}

static void run_on_host(const struct command *command)
{
	if (command->kind == COMMAND_COPY)
		copy_on_host(&command->copy);
	else if (command->kind == COMMAND_FILL)
		copy_fill_on_host(&command->fill);
}

static cl_int append_box(
	struct l0_list *list, const struct command_copy *copy, struct l0_event *signal)
{
	if (copy_is_plain(copy))
		return l0_list_copy(list, copy_box_start(&copy->to), copy_box_start(&copy->from),
			copy->region[0] * copy->region[1] * copy->region[2], signal);
	const struct l0_box box = {
		.to = copy_box_start(&copy->to),
		.from = copy_box_start(&copy->from),
		.region = { (uint32_t)copy->region[0], (uint32_t)copy->region[1],
			(uint32_t)copy->region[2] },
		.to_row_pitch = (uint32_t)copy->to.row_pitch,
		.to_slice_pitch = (uint32_t)copy->to.slice_pitch,
		.from_row_pitch = (uint32_t)copy->from.row_pitch,
		.from_slice_pitch = (uint32_t)copy->from.slice_pitch,
	};
	return l0_list_copy_box(list, &box, signal);
}

/* The same bytes, tightly packed in staging memory. */
static cl_int make_tight(
	struct batch *batch, const struct command_copy *copy, struct command_box *tight)
{
	*tight = (struct command_box){ .row_pitch = copy->region[0],
		.slice_pitch = copy->region[0] * copy->region[1] };
	return batch_stage(batch, tight->slice_pitch * copy->region[2], &tight->address);
}

static cl_int append_copy(struct batch *batch, const struct command_copy *copy,
	struct l0_event *signal, struct event *event)
{
	struct l0_context *l0 = batch->queue->context->l0;
	struct command_copy device = *copy, host = *copy;
	cl_int rc;

	if (copy->from_host && !l0_memory_is_shared(l0, copy->from.address)) {
		if ((rc = make_tight(batch, copy, &host.to)))
			return rc;
		copy_on_host(&host);
		device.from = host.to;
	} else if (copy->to_host && !l0_memory_is_shared(l0, copy->to.address)) {
		if ((rc = make_tight(batch, copy, &device.to)) ||
			(rc = append_box(batch->list, &device, signal)))
			return rc;
		host.from = device.to;
		batch_add_after(batch, &host);
		batch->queue->n_afters++;
		if (event)
			atomic_store(&event->after, true);
		return CL_SUCCESS;
	}
	return append_box(batch->list, &device, signal);
}

/* A tile of the pattern is copied in, then what is there is copied on, twice as much each time. */
static cl_int append_fill(
	struct batch *batch, const struct command_fill *fill, struct l0_event *signal)
{
	struct command_fill tile = *fill;
	cl_int rc;

	tile.size = fill->size < TILE_BYTES ? fill->size : TILE_BYTES;
	if ((rc = batch_stage(batch, tile.size, &tile.to)))
		return rc;
	copy_fill_on_host(&tile);
	size_t done = tile.size;
	rc = l0_list_copy(batch->list, fill->to, tile.to, done, done == fill->size ? signal : NULL);
	while (!rc && done < fill->size) {
		size_t part = fill->size - done < done ? fill->size - done : done;

		if ((rc = l0_list_barrier(batch->list, NULL)))
			return rc;
		rc = l0_list_copy(batch->list, fill->to + done, fill->to, part,
			done + part == fill->size ? signal : NULL);
		done += part;
	}
	return rc;
}

static cl_int append_launch(struct batch *batch, const struct command_launch *launch,
	struct l0_event *signal, struct event *event)
{
	bool timed = signal && batch->queue->properties & CL_QUEUE_PROFILING_ENABLE;
	struct l0_event *begin = NULL;
	cl_int rc = CL_SUCCESS;

	if (timed && ndrange_n_parts(&launch->range) > 1)
		rc = l0_event_acquire(batch->queue->context->l0, true, &begin);
	if (!rc)
		rc = kernel_launch(
			batch->list, launch->kernel, &launch->range, launch->args, begin, signal);
	if (begin) {
		/* what was appended may name it, even if the rest failed */
		batch_add_signal(batch, l0_event_retain(begin));
		if (!rc)
			event->begin = l0_event_retain(begin);
		l0_event_release(begin);
	}
	return rc;
}

static cl_int append_kind(struct batch *batch, const struct command *command,
	struct l0_event *signal, struct event *event)
{
	switch (command->kind) {
	case COMMAND_NOTHING:
		return l0_list_barrier(batch->list, signal);
	case COMMAND_COPY:
		return append_copy(batch, &command->copy, signal, event);
	case COMMAND_FILL:
		return append_fill(batch, &command->fill, signal);
	case COMMAND_LAUNCH:
		return append_launch(batch, &command->launch, signal, event);
	}
	return CL_INVALID_OPERATION;
}

/* What the command uses lives until the batch is done. */
static void add_objects(struct batch *batch, const struct command *command)
{
	for (int i = 0; i < COMMAND_MAX_MEMS; i++)
		if (command->mems[i])
			batch_add_obj(batch, &command->mems[i]->base);
	if (command->kind != COMMAND_LAUNCH)
		return;
	struct kernel *kernel = command->launch.kernel;
	const struct kernel_arg *args = command->launch.args;

	batch_add_obj(batch, &kernel->base);
	pthread_mutex_lock(&kernel->lock);
	for (cl_uint i = 0; i < kernel->n_args; i++) {
		const struct kernel_arg *arg = args ? &args[i] : &kernel->args[i];

		if (arg->kind == KERNEL_ARG_BUFFER && arg->mem)
			batch_add_obj(batch, &arg->mem->base);
	}
	pthread_mutex_unlock(&kernel->lock);
}

/*
 * Has the batch wait for what is on the device in other queues, and depend on what is there in its
 * own; there is room for the signals.
 */
static cl_int append_waits(struct batch *batch, struct event *const *waits, unsigned n_waits)
{
	for (unsigned i = 0; i < n_waits; i++) {
		bool own = waits[i]->queue == batch->queue;
		unsigned losses;
		struct l0_event *signal = event_signal(waits[i], &losses);

		if (!signal)
			continue;
		batch_add_signal(batch, signal);
		cl_int rc = l0_list_wait(batch->list, own ? 0 : 1, &signal, losses);
		if (rc)
			return rc;
	}
	return CL_SUCCESS;
}

static cl_int append(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event, struct aftermath *aftermath)
{
	bool timed = queue->properties & CL_QUEUE_PROFILING_ENABLE;
	unsigned n_args = command->kind == COMMAND_LAUNCH ? command->launch.kernel->n_args : 0;
	struct l0_event *signal = NULL;
	cl_int rc;

	TRY(queue_open(queue, aftermath));
	struct batch *batch = queue->open;
	TRY(batch_reserve(batch, COMMAND_MAX_MEMS + 1 + n_args, 1, n_waits + 2, 1));
	if (event)
		TRY(l0_event_acquire(queue->context->l0, timed, &signal));
	TRY(append_waits(batch, waits, n_waits));
	if (batch->dirty && command->kind != COMMAND_NOTHING)
		TRY(l0_list_barrier(batch->list, NULL));
	add_objects(batch, command);
	TRY(append_kind(batch, command, signal, event));
	batch->dirty = true;
	batch->n_commands++;
	if (event) {
		batch_add_signal(batch, l0_event_retain(signal));
		batch_add_event(batch, event);
		event->signal = signal;
		event_opened(event, aftermath);
	}
	return CL_SUCCESS;
fail:
	l0_event_release(signal);
	return error_say(rc, "%s", l0_error_text());
}

static void finish_on_host(
	const struct command *command, struct event *event, struct aftermath *aftermath)
{
	if (event)
		event->times[EVENT_SUBMIT] = event->times[EVENT_START] = l0_host_clock();
	run_on_host(command);
	if (event)
		event_done(event, CL_COMPLETE, aftermath);
}

/* An event in the wait list that was lost is told by the command's own event. */
static cl_int end_if_lost(cl_int rc, struct event *event, struct aftermath *aftermath)
{
	if (rc != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
		return rc;
	if (event)
		event_done(event, rc, aftermath);
	return CL_SUCCESS;
}

cl_int execute(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event, struct aftermath *aftermath)
{
	bool waiting = false;

	for (unsigned i = 0; i < n_waits; i++) {
		if (event_result(waits[i]) < 0) {
			if (event)
				event_done(event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
					aftermath);
			return CL_SUCCESS;
		}
		waiting |= event_stage(waits[i]) != EVENT_DONE;
	}
	if (command->kind != COMMAND_LAUNCH && !waiting && queue_is_idle(queue)) {
		finish_on_host(command, event, aftermath);
		return CL_SUCCESS;
	}
	if (!needs_host(queue, command)) {
		cl_int rc = append(queue, command, waits, n_waits, event, aftermath);

		return end_if_lost(rc, event, aftermath);
	}
	const struct command nothing = { .kind = COMMAND_NOTHING };
	cl_int rc = append(queue, &nothing, waits, n_waits, NULL, aftermath);
	if (rc)
		return end_if_lost(rc, event, aftermath);
	queue_drain(queue, aftermath);
	finish_on_host(command, event, aftermath);
	return CL_SUCCESS;
}
