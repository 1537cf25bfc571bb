// SPDX-License-Identifier: MIT
#include "core/queue/submit.h"

#include "core/base/error.h"
#include "core/batch/append.h"
#include "core/batch/printf_buffer.h"
#include "core/memory/image.h"
#include "core/memory/usm.h"
#include "core/queue/deferred_work.h"
#include "core/queue/order.h"
#include "core/queue/queue.h"
#include "core/queue/schedule.h"
#include "l0/l0_error.h"

/* Data of the application up to this size is staged while the command is appended. */
#define STAGED_LATE ((size_t)64 * 1024)
/* A copy of so many bytes is shorter than to give up a lock and take it again. */
#define SHORT_BYTES ((size_t)4 * 1024)

/* Brings one event of the wait list on its way; hold no lock. */
static void prepare(struct queue *queue, struct event *event)
{
	if (event->queue && event->queue != queue && event_stage(event) == EVENT_OPEN)
		(void)queue_flush(event->queue);
}

static bool is_prepared(struct queue *queue, struct event *event)
{
	return !event->queue || event->queue == queue || event_stage(event) != EVENT_OPEN;
}

bool submit_is_prepared(struct queue *queue, struct event *const *waits, unsigned n_waits)
{
	for (unsigned i = 0; i < n_waits; i++)
		if (!is_prepared(queue, waits[i]))
			return false;
	return true;
}

void submit_lock(struct queue *queue, struct event *const *waits, unsigned n_waits)
{
	for (;;) {
		for (unsigned i = 0; i < n_waits; i++)
			prepare(queue, waits[i]);
		pthread_mutex_lock(&queue->lock);
		/* in the meantime one that was held may have been appended */
		if (submit_is_prepared(queue, waits, n_waits))
			return;
		pthread_mutex_unlock(&queue->lock);
	}
}

static void run_on_host(const struct command *command)
{
	if (command->kind == COMMAND_COPY)
		box_copy_run(&command->copy);
	else if (command->kind == COMMAND_FILL)
		command_fill_run(&command->fill);
}

/*
 * One for all events in an out-of-order queue: a signal for each would have the device end each
 * command before it goes on. Profiling wants them all the same.
 */
cl_int submit_signal(struct batch *batch, struct l0_event **out)
{
	struct queue *queue = batch->queue;
	bool timed = queue->properties & CL_QUEUE_PROFILING_ENABLE;
	cl_int rc;

	if (timed || !queue->out_of_order)
		return l0_queue_event(queue->l0, timed, out);
	if (!batch->signal) {
		if ((rc = l0_queue_event(queue->l0, false, &batch->signal)))
			return rc;
		batch_add_signal(batch, batch->signal);
	}
	*out = l0_event_retain(batch->signal);
	return CL_SUCCESS;
}

/* The command with what it waits for and what signals it; there is room for all. */
static cl_int append_signalled(struct batch *batch, const struct command *command,
	struct event *const *waits, unsigned n_waits, struct l0_event *signal, struct event *event)
{
	bool own = signal && signal != batch->signal;
	unsigned n_epilogues = batch->n_epilogues;
	cl_int rc = schedule_append(batch, command, waits, n_waits);

	if (!rc)
		rc = append_command(batch, command, own ? signal : NULL,
			own && event->is_profiled ? &event->profile->begin : NULL);
	batch->queue->n_epilogues += batch->n_epilogues - n_epilogues;
	return rc;
}

/*
 * A command could not be appended. If it was to be the first of its batch, that batch goes: nobody
 * would submit it, and what it holds may hold the queue.
 */
static void drop_failed(struct queue *queue, struct deferred_work *work)
{
	struct batch *batch = queue->open;

	if (!batch || batch->n_commands)
		return;
	queue->open = NULL;
	batch->next = work->retired;
	work->retired = batch;
}

/*
 * Opens the batch that a launch left, if the launch comes again; returns false if there is none.
 * The list of such a batch is closed, so that it must be submitted before the next command: only
 * where the queue submits a first command at once.
 */
static bool append_again(struct queue *queue, const struct command *command, unsigned n_waits,
	const struct event *event)
{
	struct kernel *kernel = command->launch.kernel;
	struct batch_launch launch;
	bool found;

	if (command->kind != COMMAND_LAUNCH || command->launch.args || n_waits || event ||
		queue->open || queue->first || queue->eager > 1)
		return false;
	pthread_mutex_lock(&kernel->lock);
	batch_launch_init(&launch, kernel->state, &command->launch.range);
	found = queue_open_again(queue, &launch, 1 + kernel->n_args);
	if (found)
		append_launch_objects(queue->open, kernel, NULL);
	pthread_mutex_unlock(&kernel->lock);
	if (found)
		queue->open->n_commands = queue->open->n_works = 1;
	return found;
}

/* Lets this thread work for a command without the lock: commands that must follow are deferred. */
static void begin_turn(struct queue *queue)
{
	queue->n_turns++;
	pthread_mutex_unlock(&queue->lock);
}

static void end_turn(struct queue *queue, struct deferred_work *work)
{
	pthread_mutex_lock(&queue->lock);
	queue->n_turns--;
	pthread_cond_broadcast(&queue->changed);
	if (queue->deferred)
		queue_wake(queue, work);
}

/* Describes the data of the application that the command reads; false if there is none. */
static bool has_input(const struct command *command, struct box_copy *copy)
{
	if (command->kind == COMMAND_COPY && command->copy.from_host) {
		*copy = command->copy;
		return true;
	}
	if (command->kind != COMMAND_IMAGE || command->image.op != COMMAND_IMAGE_WRITE ||
		!command->image.is_host)
		return false;
	*copy = (struct box_copy){ .from = command->image.memory };
	image_byte_region(command->image.image, command->image.region, copy->region);
	return true;
}

/*
 * Copies much data of the application, which the device does not reach, into staging memory, and
 * stores in *staged the command that reads it there. *stage is NULL if there is nothing to copy:
 * small data is copied while the command is appended. Releases the lock meanwhile.
 */
static cl_int stage_input(struct queue *queue, const struct command *command,
	struct command *staged, struct batch_stage **stage, struct deferred_work *work)
{
	struct box_copy copy;

	*stage = NULL;
	if (!has_input(command, &copy))
		return CL_SUCCESS;
	const size_t size = box_bytes(copy.region);
	if (size <= STAGED_LATE || usm_is_reached(queue->context, queue->device, copy.from.address))
		return CL_SUCCESS;
	const struct batch_target target = queue_target(queue);
	begin_turn(queue);
	cl_int rc = batch_stage_create(&target, size, stage);
	if (!rc) {
		copy.to = box_packed((*stage)->address, copy.region);
		box_copy_run(&copy);
	}
	end_turn(queue, work);
	*staged = *command;
	if (command->kind == COMMAND_COPY) {
		staged->copy.from = copy.to;
		staged->copy.from_host = false;
	} else {
		staged->image.memory = copy.to;
		staged->image.is_host = false;
	}
	return rc;
}

void submit_count(struct batch *batch, struct event *event, struct l0_event *signal)
{
	if (batch->n_commands++)
		batch->launch.state = 0;
	if (!event)
		return;
	if (signal != batch->signal)
		batch_add_signal(batch, l0_event_retain(signal));
	batch_add_event(batch, event_get(event));
	event->batch = batch;
	event->signal = signal;
	event->position = batch->n_works;
	atomic_store(&event->has_epilogue, batch->queue->n_epilogues > 0);
}

/* The command with its waits, its signal and its event, into the open batch. */
static cl_int append_event(struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits, struct event *event,
	struct deferred_work *work)
{
	struct batch *batch = queue->open;
	struct l0_event *signal = NULL;
	cl_int rc;

	TRY(append_reserve(batch, command, 1, n_waits + 3));
	if (event)
		TRY(submit_signal(batch, &signal));
	TRY(append_signalled(batch, command, waits, n_waits, signal, event));
	submit_count(batch, event, signal);
	if (event)
		event_opened(event, work);
	return CL_SUCCESS;
fail:
	l0_event_release(signal);
	drop_failed(queue, work);
	return error_say(rc, "%s", l0_error_text());
}

static cl_int append(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event, struct deferred_work *work)
{
	const struct batch_target target = queue_target(queue);
	struct batch_stage *stage = NULL;
	struct command staged;
	cl_int rc;

	uint32_t order = order_add(queue, command, waits, n_waits, event);
	if (!order && append_again(queue, command, n_waits, event))
		return CL_SUCCESS;
	TRY(stage_input(queue, command, &staged, &stage, work));
	/* a command that prints is the only one in its batch */
	if (command_prints(command, queue->place) && queue->open && queue->open->prints)
		(void)queue_push(queue, work);
	TRY(queue_open(queue, work));
	struct batch *batch = queue->open;
	if (stage) {
		command = &staged;
		batch_add_stage(batch, stage);
	}
	rc = append_event(queue, command, waits, n_waits, event, work);
	if (rc)
		return rc;
	batch->order = order;
	if (order)
		(void)queue_push(queue, work);
	return CL_SUCCESS;
fail:
	batch_stage_destroy(&target, stage);
	drop_failed(queue, work);
	return error_say(rc, "%s", l0_error_text());
}

static size_t host_bytes(const struct command *command)
{
	if (command->kind == COMMAND_FILL)
		return command->fill.size;
	return command->kind == COMMAND_COPY ? box_bytes(command->copy.region) : 0;
}

uint32_t submit_on_host(struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits, struct event *event,
	struct deferred_work *work)
{
	bool is_long = host_bytes(command) > SHORT_BYTES;
	uint32_t order = order_add(queue, command, waits, n_waits, event);

	if (event && event->is_profiled)
		event->profile->times[EVENT_SUBMIT] = event->profile->times[EVENT_START] =
			l0_host_clock();
	if (is_long)
		begin_turn(queue);
	run_on_host(command);
	order_touch(queue, command, order);
	if (is_long)
		end_turn(queue, work);
	if (event)
		event_done(event, CL_COMPLETE, work);
	return order;
}

/* An event in the wait list that was lost is told by the command's own event. */
static cl_int end_if_lost(cl_int rc, struct event *event, struct deferred_work *work)
{
	if (rc != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
		return rc;
	if (event)
		event_done(event, rc, work);
	return CL_SUCCESS;
}

cl_int submit_command(struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits, struct event *event,
	struct deferred_work *work)
{
	if (event_any_failed(waits, n_waits))
		return end_if_lost(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, event, work);
	if (schedule_choose(queue, command, waits, n_waits) == SCHEDULE_HOST) {
		(void)submit_on_host(queue, command, waits, n_waits, event, work);
		return CL_SUCCESS;
	}
	/* nobody can tell whether it is there */
	if (command->kind == COMMAND_NOTHING && !event && !n_waits && !queue->out_of_order &&
		!queue->order.is_wanted)
		return CL_SUCCESS;
	return end_if_lost(append(queue, command, waits, n_waits, event, work), event, work);
}
