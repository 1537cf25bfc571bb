// SPDX-License-Identifier: MIT
#include "core/memory/image.h"
#include "core/memory/usm.h"
#include "core/queue/submit.h"

#include "core/queue/deferred_work.h"

#include "core/queue/recording.h"
#include "core/base/error.h"
#include "core/queue/image_append.h"
#include "core/queue/kernel_launch.h"
#include "core/queue/order.h"
#include "core/queue/schedule.h"
#include "core/queue/printf_buffer.h"
#include "core/queue/queue.h"
#include "l0/l0_error.h"

#define TILE_BYTES ((size_t)64 * 1024)
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

cl_int submit_append_box(struct l0_list *list, const struct box_copy *copy, struct l0_event *signal)
{
	if (box_copy_is_plain(copy))
		return l0_list_copy(list, box_start(&copy->to), box_start(&copy->from),
			copy->region[0] * copy->region[1] * copy->region[2], signal);
	const struct l0_box box = {
		.to = box_start(&copy->to),
		.from = box_start(&copy->from),
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
static cl_int make_tight(struct batch *batch, const struct box_copy *copy, struct box *tight)
{
	*tight = (struct box){ .row_pitch = copy->region[0],
		.slice_pitch = copy->region[0] * copy->region[1] };
	return batch_stage(batch, tight->slice_pitch * copy->region[2], &tight->address);
}

static cl_int append_copy(struct batch *batch, const struct box_copy *copy, struct l0_event *signal)
{
	struct queue *queue = batch->queue;
	struct box_copy device = *copy, host = *copy;
	cl_int rc;

	if (copy->from_host && !usm_is_reached(queue->context, queue->device, copy->from.address)) {
		if ((rc = make_tight(batch, copy, &host.to)))
			return rc;
		box_copy_run(&host);
		device.from = host.to;
	} else if (copy->to_host &&
		   !usm_is_reached(queue->context, queue->device, copy->to.address)) {
		if ((rc = make_tight(batch, copy, &device.to)) ||
			(rc = submit_append_box(batch->list, &device, signal)))
			return rc;
		host.from = device.to;
		batch_add_epilogue(batch, &host);
		queue->n_epilogues++;
		return CL_SUCCESS;
	}
	return submit_append_box(batch->list, &device, signal);
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
	command_fill_run(&tile);
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

/* The kernel between what its images of buffers need; `begin` comes when it may start. */
static cl_int append_among_shadows(struct batch *batch, const struct command_launch *launch,
	struct l0_kernel *l0, void *print, struct l0_event *begin, struct l0_event *signal)
{
	const struct kernel_form *form = &launch->kernel->forms[batch->queue->place];
	cl_int rc = image_append_shadows(batch, launch, COMMAND_IMAGE_WRITE);

	if (!rc)
		rc = l0_list_barrier(batch->list, begin);
	if (!rc)
		rc = kernel_launch(batch->list, form, l0, &launch->range, print, NULL, NULL);
	if (!rc)
		rc = l0_list_barrier(batch->list, NULL);
	if (!rc)
		rc = image_append_shadows(batch, launch, COMMAND_IMAGE_READ);
	return rc ? rc : l0_list_barrier(batch->list, signal);
}

/* The kernel and what its arguments name live until the batch is done. kernel->lock is held. */
static void add_launch_objects(struct batch *batch, const struct command_launch *launch)
{
	struct kernel *kernel = launch->kernel;
	const struct kernel_form *form = &kernel->forms[batch->queue->place];
	const struct kernel_arg *args = launch->args;

	batch->driver_prints |= form->driver_prints;
	batch->prints |= form->driver_prints || form->prints;
	if (!args && batch->last_kernel == kernel &&
		batch->last_version == atomic_load(&kernel->version))
		return;
	batch->last_kernel = args ? NULL : kernel;
	batch->last_version = atomic_load(&kernel->version);
	batch_add_obj(batch, &kernel->base);
	for (cl_uint i = 0; i < kernel->n_args; i++) {
		struct obj *obj = kernel_arg_obj(args ? &args[i] : &kernel->args[i]);

		if (obj)
			batch_add_obj(batch, obj);
	}
}

/* Appends the launch by an instance that has its arguments. */
static cl_int append_instance(struct batch *batch, const struct command_launch *launch,
	struct l0_kernel *l0, bool shadows, struct l0_event *signal, struct event *event)
{
	const struct kernel_form *form = &launch->kernel->forms[batch->queue->place];
	bool timed = signal && batch->queue->properties & CL_QUEUE_PROFILING_ENABLE;
	struct l0_event *begin = NULL;
	cl_int rc = CL_SUCCESS;

	if (form->prints && (rc = print_begin(batch)))
		return rc;
	void *print = batch->print ? batch->print->address : NULL;
	if (timed && (shadows || ndrange_n_parts(&launch->range) > 1))
		rc = l0_queue_event(batch->queue->l0, true, &begin);
	if (!rc && shadows)
		rc = append_among_shadows(batch, launch, l0, print, begin, signal);
	else if (!rc)
		rc = kernel_launch(batch->list, form, l0, &launch->range, print, begin, signal);
	if (begin) {
		/* what was appended may name it, even if the rest failed */
		batch_add_signal(batch, l0_event_retain(begin));
		if (!rc)
			event->profile->begin = l0_event_retain(begin);
		l0_event_release(begin);
	}
	return rc;
}

/*
 * The lock keeps the arguments as they are until an instance has them. Shadows are copied by the
 * arguments, so that it is kept longer for them.
 */
static cl_int append_launch(struct batch *batch, const struct command_launch *launch,
	struct l0_event *signal, struct event *event)
{
	struct kernel *kernel = launch->kernel;
	bool alone = !batch->n_works && !batch->n_signals && !signal && !launch->args;
	struct kernel_instance *instance;

	pthread_mutex_lock(&kernel->lock);
	bool shadows = image_has_shadows(launch);
	add_launch_objects(batch, launch);
	cl_int rc = kernel_launch_begin(kernel, batch->queue->place, launch->args, &instance);
	if (rc || !shadows)
		pthread_mutex_unlock(&kernel->lock);
	if (rc)
		return rc;
	rc = append_instance(batch, launch, instance->l0, shadows, signal, event);
	if (shadows)
		pthread_mutex_unlock(&kernel->lock);
	if (!rc && alone && !kernel->has_images && !batch->prints)
		batch_launch_init(&batch->launch, instance->state, &launch->range);
	kernel_give(instance);
	return rc;
}

/* The recording ends with a barrier; it has no times of its own. */
static cl_int append_replay(struct batch *batch, const struct recording *recording,
	struct l0_event *signal, struct event *event)
{
	bool timed = signal && batch->queue->properties & CL_QUEUE_PROFILING_ENABLE;
	struct l0_event *begin = NULL;
	cl_int rc = CL_SUCCESS;

	if (timed) {
		if ((rc = l0_queue_event(batch->queue->l0, true, &begin)))
			return rc;
		batch_add_signal(batch, begin);
		rc = schedule_barrier(batch, begin);
	}
	if (!rc)
		rc = l0_list_call(batch->list, recording->batch->list);
	if (!rc && signal)
		rc = schedule_barrier(batch, signal);
	if (!rc && timed)
		event->profile->begin = l0_event_retain(begin);
	return rc;
}

/* `signal` comes with the command itself; NULL for none. */
static cl_int append_kind(struct batch *batch, const struct command *command,
	struct l0_event *signal, struct event *event)
{
	switch (command->kind) {
	case COMMAND_NOTHING:
		return signal ? schedule_barrier(batch, signal) : CL_SUCCESS;
	case COMMAND_COPY:
		return append_copy(batch, &command->copy, signal);
	case COMMAND_FILL:
		return append_fill(batch, &command->fill, signal);
	case COMMAND_IMAGE:
		return image_append(batch, &command->image, signal);
	case COMMAND_LAUNCH:
		return append_launch(batch, &command->launch, signal, event);
	case COMMAND_REPLAY:
		return append_replay(batch, command->recording, signal, event);
	}
	return CL_INVALID_OPERATION;
}

/* What the command uses lives until the batch is done. */
static void add_objects(struct batch *batch, const struct command *command)
{
	for (int i = 0; i < COMMAND_MAX_MEMS; i++)
		if (command->mems[i])
			batch_add_obj(batch, &command->mems[i]->base);
	if (command->kind == COMMAND_REPLAY) {
		batch_add_obj(batch, &command->recording->base);
		batch->prints |= command->recording->batch->prints;
		batch->driver_prints |= command->recording->batch->driver_prints;
	}
}

/*
 * The signal of an event of the batch, with a reference. One for all of them in an out-of-order
 * queue: a signal for each would have the device end each command before it goes on. Profiling
 * wants them all the same.
 */
static cl_int make_signal(struct batch *batch, struct l0_event **out)
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
	bool is_work = command->kind != COMMAND_NOTHING;
	cl_int rc = schedule_append(batch, command, waits, n_waits);

	if (rc)
		return rc;
	add_objects(batch, command);
	rc = append_kind(batch, command, own ? signal : NULL, event);
	batch->n_works += is_work;
	if (command->kind == COMMAND_REPLAY)
		batch->n_ordered = batch->n_works;
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
		add_launch_objects(queue->open, &command->launch);
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
	const size_t size = copy.region[0] * copy.region[1] * copy.region[2];
	if (size <= TILE_BYTES || usm_is_reached(queue->context, queue->device, copy.from.address))
		return CL_SUCCESS;
	begin_turn(queue);
	cl_int rc = batch_stage_create(queue, size, stage);
	if (!rc) {
		copy.to = (struct box){ .address = (*stage)->address,
			.row_pitch = copy.region[0],
			.slice_pitch = copy.region[0] * copy.region[1] };
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

static cl_int append(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event, struct deferred_work *work)
{
	unsigned n_args = command->kind == COMMAND_LAUNCH ? command->launch.kernel->n_args : 0;
	struct l0_event *signal = NULL;
	struct batch_stage *stage = NULL;
	struct command staged;
	cl_int rc;

	uint32_t order = order_add(queue, command, waits, n_waits, event);
	if (!order && append_again(queue, command, n_waits, event))
		return CL_SUCCESS;
	TRY(stage_input(queue, command, &staged, &stage, work));
	/* a command that prints is the only one in its batch */
	if (command_prints(queue, command) && queue->open && queue->open->prints)
		(void)queue_push(queue, work);
	TRY(queue_open(queue, work));
	struct batch *batch = queue->open;
	if (stage) {
		command = &staged;
		batch_add_stage(batch, stage);
		stage = NULL;
	}
	TRY(batch_reserve(batch, COMMAND_MAX_MEMS + 1 + n_args, 1, n_waits + 3, 1));
	if (event)
		TRY(make_signal(batch, &signal));
	TRY(append_signalled(batch, command, waits, n_waits, signal, event));
	if (batch->n_commands++)
		batch->launch.state = 0;
	if (event) {
		if (signal != batch->signal)
			batch_add_signal(batch, l0_event_retain(signal));
		batch_add_event(batch, event);
		event->signal = signal;
		event->position = batch->n_works;
		atomic_store(&event->has_epilogue, queue->n_epilogues > 0);
		event_opened(event, work);
	}
	batch->order = order;
	if (order)
		(void)queue_push(queue, work);
	return CL_SUCCESS;
fail:
	batch_stage_destroy(queue, stage);
	l0_event_release(signal);
	drop_failed(queue, work);
	return error_say(rc, "%s", l0_error_text());
}

cl_int submit_record(struct batch *batch, const struct command *command, bool barrier)
{
	unsigned n_args = command->kind == COMMAND_LAUNCH ? command->launch.kernel->n_args : 0;
	cl_int rc = batch_reserve(batch, COMMAND_MAX_MEMS + 1 + n_args, 0, 0, 0);

	if (!rc && barrier && batch->n_works > batch->n_ordered)
		rc = schedule_barrier(batch, NULL);
	if (rc || command->kind == COMMAND_NOTHING)
		return rc;
	add_objects(batch, command);
	batch->n_works++;
	return append_kind(batch, command, NULL, NULL);
}

static size_t host_bytes(const struct command *command)
{
	if (command->kind == COMMAND_FILL)
		return command->fill.size;
	return command->kind == COMMAND_COPY
		       ? command->copy.region[0] * command->copy.region[1] * command->copy.region[2]
		       : 0;
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
	for (unsigned i = 0; i < n_waits; i++) {
		if (event_result(waits[i]) >= 0)
			continue;
		if (event)
			event_done(event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, work);
		return CL_SUCCESS;
	}
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
