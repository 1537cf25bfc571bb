// SPDX-License-Identifier: MIT
#include "core/queue/schedule.h"

#include "core/memory/usm.h"
#include "core/queue/queue.h"

/* Transfers up to this size go through staging memory when the device is busy. */
#define STAGE_MAX ((size_t)1024 * 1024)

bool schedule_is_sync(const struct command *command, unsigned n_waits)
{
	return !n_waits &&
	       (command->type == CL_COMMAND_MARKER || command->type == CL_COMMAND_BARRIER);
}

bool schedule_is_fence(const struct command *command)
{
	return command->type == CL_COMMAND_BARRIER;
}

bool schedule_must_defer(const struct queue *queue, struct event *const *waits, unsigned n_waits)
{
	for (unsigned i = 0; i < n_waits; i++) {
		enum event_stage stage = event_stage(waits[i]);

		if (stage == EVENT_DEFERRED)
			return true;
		/* the device never waits for another one, which may be lost meanwhile */
		if (stage != EVENT_DONE && waits[i]->queue->place != queue->place)
			return true;
		/* who sees this command complete shall find the host's part of that one done */
		if (stage != EVENT_DONE && waits[i]->queue != queue &&
			atomic_load(&waits[i]->has_epilogue))
			return true;
	}
	return false;
}

/* Whether the newest barrier of an out-of-order queue may still be before the device. */
static bool fence_is_pending(const struct queue *queue)
{
	const struct batch *oldest = queue->first ? queue->first : queue->open;

	return oldest && oldest->serial <= queue->fence;
}

/* Whether nothing that the command waits for is left. */
static bool is_free(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits)
{
	for (unsigned i = 0; i < n_waits; i++)
		if (event_stage(waits[i]) != EVENT_DONE)
			return false;
	if (queue->out_of_order && !schedule_is_sync(command, n_waits))
		return !fence_is_pending(queue);
	return queue_is_idle(queue);
}

static bool reads_host(const struct command *command)
{
	return command->image.op == COMMAND_IMAGE_WRITE && command->image.is_host;
}

/* The host's part of a command before it may write what this one reads. */
static bool follows_epilogues(const struct queue *queue, unsigned n_waits)
{
	return queue->n_epilogues && (!queue->out_of_order || n_waits || fence_is_pending(queue));
}

/* Whether the device can not do it. */
static bool needs_host(struct queue *queue, const struct command *command, unsigned n_waits)
{
	const struct box_copy *copy = &command->copy;

	if (command->kind == COMMAND_IMAGE)
		return reads_host(command) && follows_epilogues(queue, n_waits);
	if (command->where == COMMAND_ON_HOST && command->kind != COMMAND_NOTHING)
		return true;
	if (command->kind != COMMAND_COPY)
		return false;
	if (box_copy_is_wide(copy))
		return true;
	if (!copy->from_host && !copy->to_host)
		return false;
	if (copy->from_host && follows_epilogues(queue, n_waits))
		return true;
	if (box_bytes(copy->region) <= STAGE_MAX)
		return false;
	return !usm_is_reached(queue->context, queue->device,
		copy->from_host ? copy->from.address : copy->to.address);
}

enum schedule_turn schedule_choose(struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits)
{
	if (command->kind == COMMAND_REPLAY || command->kind == COMMAND_LAUNCH)
		return SCHEDULE_DEVICE;
	if (command->kind != COMMAND_IMAGE && is_free(queue, command, waits, n_waits))
		return command->where == COMMAND_ON_DEVICE && command->kind != COMMAND_NOTHING
			       ? SCHEDULE_DEVICE
			       : SCHEDULE_HOST;
	return needs_host(queue, command, n_waits) ? SCHEDULE_LATER : SCHEDULE_DEVICE;
}

/*
 * Has the batch wait for what is on the device in other queues, and depend on what is there in its
 * own.
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

/* Whether one of the events is of this batch and no barrier stands behind it. */
static bool waits_in(const struct batch *batch, struct event *const *waits, unsigned n_waits)
{
	for (unsigned i = 0; i < n_waits; i++)
		if (waits[i]->queue == batch->queue && waits[i]->batch == batch &&
			waits[i]->position > batch->n_ordered)
			return true;
	return false;
}

cl_int schedule_append(struct batch *batch, const struct command *command,
	struct event *const *waits, unsigned n_waits)
{
	struct queue *queue = batch->queue;
	bool barrier = batch->n_works > batch->n_ordered;
	cl_int rc = append_waits(batch, waits, n_waits);

	if (rc)
		return rc;
	if (!queue->out_of_order)
		/* a place in the queue is a barrier itself, if anybody wants to know */
		return barrier && command->kind != COMMAND_NOTHING ? batch_barrier(batch, NULL)
								   : CL_SUCCESS;
	if (schedule_is_fence(command))
		queue->fence = batch->serial;
	else if (command->kind == COMMAND_NOTHING)
		return CL_SUCCESS; /* it is done when the batch is, and position says after what */
	if (!schedule_is_sync(command, n_waits))
		barrier = waits_in(batch, waits, n_waits);
	return barrier ? batch_barrier(batch, NULL) : CL_SUCCESS;
}
