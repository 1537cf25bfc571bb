// SPDX-License-Identifier: MIT
#include "core/command_buffer/command_buffer_recording.h"

#include "core/command_buffer/command_buffer.h"
#include "core/command/copy.h"
#include "core/base/error.h"
#include "core/memory/usm.h"
#include "core/batch/append.h"
#include "l0/l0_error.h"

#include <stdlib.h>

#define MAX_IDLE 8 /* recordings of one command buffer */

struct replay {
	struct recording recording;
	struct command_buffer *buffer; /* a reference */
	unsigned version;	       /* of the buffer's commands */
};

/* Returns whether the batch was kept for the next replay. */
static bool keep_idle(struct command_buffer *buffer, struct batch *batch, unsigned version)
{
	pthread_mutex_lock(&buffer->lock);
	bool keep = buffer->version == version && buffer->n_idle < MAX_IDLE;
	if (keep) {
		batch->next = buffer->idle;
		buffer->idle = batch;
		buffer->n_idle++;
	}
	pthread_mutex_unlock(&buffer->lock);
	return keep;
}

static void replay_destroy(struct obj *obj)
{
	struct replay *replay = (struct replay *)(void *)obj;
	struct batch *batch = replay->recording.batch;

	if (!keep_idle(replay->buffer, batch, replay->version))
		batch_destroy(batch);
	command_buffer_put(replay->buffer);
	free(replay);
}

void recording_destroy_idle(struct batch *idle)
{
	while (idle) {
		struct batch *next = idle->next;

		batch_destroy(idle);
		idle = next;
	}
}

static bool is_reached(const struct queue *queue, bool is_host, const struct box *box)
{
	return !is_host || usm_is_reached(queue->context, queue->device, box->address);
}

cl_int recording_check(const struct queue *queue, const struct command *command)
{
	const struct box_copy *copy = &command->copy;

	if (command->kind != COMMAND_COPY)
		return CL_SUCCESS;
	REQUIRE(is_reached(queue, copy->to_host, &copy->to) &&
			is_reached(queue, copy->from_host, &copy->from),
		error_say(CL_INVALID_VALUE, "the device does not reach the memory"));
	REQUIRE(!box_copy_is_wide(copy),
		error_say(CL_OUT_OF_RESOURCES,
			"the device cannot copy rows or slices that are 4 GB apart"));
	return CL_SUCCESS;
}

/* What the device is to do for a recorded command. */
static struct command command_of(const struct recorded *recorded)
{
	const struct ndrange *range = &recorded->range;

	if (recorded->command)
		return *recorded->command;
	if (!recorded->kernel || !range->groups[0] || !range->groups[1] || !range->groups[2])
		return (struct command){ .kind = COMMAND_NOTHING, .type = recorded->type };
	return (struct command){ .kind = COMMAND_LAUNCH,
		.type = recorded->type,
		.launch = { .kernel = recorded->kernel, .range = *range } };
}

/*
 * Whether it must not overlap with what comes before it: in an in-order queue with anything, else
 * with what it waits for, if no barrier stands behind that.
 */
static bool recorded_waits(const struct command_buffer *buffer, const struct recorded *recorded,
	const struct batch *batch)
{
	if (!buffer->queue->out_of_order || recorded->is_barrier)
		return true;
	for (cl_uint i = 0; i < recorded->n_waits; i++)
		if (buffer->commands[recorded->waits[i] - 1]->position > batch->n_ordered)
			return true;
	return false;
}

static cl_int record_all(struct command_buffer *buffer, struct batch *batch)
{
	for (cl_uint i = 0; i < buffer->n_commands; i++) {
		struct recorded *recorded = buffer->commands[i];
		struct command command = command_of(recorded);
		bool is_place = command.kind == COMMAND_NOTHING && !recorded->is_barrier;
		cl_int rc = append_record(
			batch, &command, !is_place && recorded_waits(buffer, recorded, batch));

		if (rc)
			return rc;
		recorded->position = batch->n_works;
	}
	return batch->n_works > batch->n_ordered ? batch_barrier(batch, NULL) : CL_SUCCESS;
}

cl_int recording_prepare(struct command_buffer *buffer)
{
	struct batch *batch = NULL;
	cl_int rc;

	if (buffer->idle)
		return CL_SUCCESS;
	const struct batch_target target = queue_target(buffer->queue);
	TRY(batch_create(&target, &batch));
	TRY(record_all(buffer, batch));
	TRY(l0_list_seal(batch->list));
	buffer->idle = batch;
	buffer->n_idle = 1;
	return CL_SUCCESS;
fail:
	batch_destroy(batch);
	return error_say(rc, "%s", l0_error_text());
}

cl_int recording_acquire(struct command_buffer *buffer, struct recording **out)
{
	struct replay *replay;
	cl_int rc = recording_prepare(buffer);

	if (rc)
		return rc;
	replay = calloc(1, sizeof(*replay));
	if (!replay)
		return CL_OUT_OF_HOST_MEMORY;
	obj_init(&replay->recording.base, OBJ_RECORDING, &buffer->queue->context->base,
		replay_destroy);
	replay->buffer = command_buffer_get(buffer);
	replay->version = buffer->version;
	replay->recording.batch = buffer->idle;
	buffer->idle = buffer->idle->next;
	buffer->n_idle--;
	replay->recording.batch->next = NULL;
	*out = &replay->recording;
	return CL_SUCCESS;
}
