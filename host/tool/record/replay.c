// SPDX-License-Identifier: MIT
#include "tool/record/replay.h"

#include <stdlib.h>
#include <string.h>

#include "tool/base/tool_cl.h"
#include "tool/record/replay_call.h"
#include "tool/record/replay_header.h"
#include "tool/record/replay_result.h"

static void device(struct replay *replay, const struct record_item *item)
{
	struct record_cursor cursor;
	char found[1024];
	cl_device_id devices[64];
	cl_uint n = 0;

	record_cursor_init(&cursor, replay->record, item);
	uint64_t id = record_get_number(&cursor);
	const char *platform = record_get_text(&cursor), *name = record_get_text(&cursor);
	record_get_text(&cursor);
	uint64_t index = record_get_number(&cursor);
	if (cursor.bad)
		return;
	const char *wanted = replay->platform_name ? replay->platform_name : platform;
	cl_platform_id chosen = tool_cl_platform(wanted, found, sizeof found);
	if (!chosen && !replay->platform_name && !clGetPlatformIDs(1, &chosen, NULL) && chosen)
		replay_say(
			replay, "the platform \"%s\" is not here, another one replays", platform);
	if (!chosen || clGetDeviceIDs(chosen, CL_DEVICE_TYPE_ALL, 64, devices, &n) || !n) {
		replay->failures++;
		replay_say(replay, "no device for \"%s\"; platforms: %s", name, found);
		return;
	}
	replay->platform = chosen;
	replay_object_create(
		replay, id, 'D', (uintptr_t)devices[index < n && index < 64 ? index : 0]);
}

/* Whether a call that failed must be made again, because that is a result too. */
static bool is_repeated(const struct record_call *call)
{
	return !call->error || call->call->kind == CALL_ENQUEUE ||
	       (call->call->kind == CALL_WAIT && strstr(call->call->name, "Program"));
}

/* The context of a queue, also of one that is released. */
static uint64_t context_of(const struct replay *replay, uint64_t queue)
{
	return queue < replay->n_objects ? replay->objects[queue].parent : 0;
}

/*
 * Calls that wait for whatever was enqueued. Of several threads, one may have enqueued meanwhile
 * what it sets free only later: in one thread that would wait for ever. So only commands are
 * waited for whose calls had returned before this one began.
 */
static bool is_left_out(struct replay *replay, const struct record_call *call)
{
	bool is_finish = !strcmp("clFinish", call->call->name);
	size_t kept = 0;

	replay->has_gates |= !strcmp(call->call->name, "clCreateUserEvent");
	if (!replay->has_threads ||
		(!is_finish && strcmp("clMemBlockingFreeINTEL", call->call->name) != 0))
		return false;
	for (size_t i = 0; i < replay->n_commands; i++) {
		struct replay_command *command = &replay->commands[i];
		if (command->end <= call->begin &&
			(is_finish ? command->queue == replay_queue_of(call)
				   : context_of(replay, command->queue) ==
						call->values[0].number)) {
			clWaitForEvents(1, &command->event);
			clReleaseEvent(command->event);
		} else {
			replay->commands[kept++] = *command;
		}
	}
	replay->n_commands = kept;
	return true;
}

static bool has_threads(const struct record *record)
{
	bool has = false;

	for (size_t i = 0; i < record->n && !has; i++) {
		struct record_cursor cursor;
		struct record_call call;

		record_cursor_init(&cursor, record, &record->items[i]);
		has = record->items[i].type == RECORD_CALL && record_get_call(&cursor, &call) &&
		      call.thread > 0;
		record_cursor_finish(&cursor);
	}
	return has;
}

/* The command of a blocking call, which is further on in the record, enters its queue. */
static void enter(struct replay *replay, size_t at, uint64_t number)
{
	bool found = false;

	for (size_t i = at + 1; replay->has_threads && i < replay->record->n && !found; i++) {
		struct record_cursor cursor;
		struct record_call call;

		record_cursor_init(&cursor, replay->record, &replay->record->items[i]);
		found = replay->record->items[i].type == RECORD_CALL &&
			record_get_call(&cursor, &call) && call.number == number;
		if (found && call.n && is_repeated(&call)) {
			replay->is_entering = true;
			replay_call(replay, &cursor, &call);
			replay->is_entering = false;
		}
		record_cursor_finish(&cursor);
	}
}

/* Waits for a blocking call that was made when it entered its queue; false: it was not. */
static bool complete(struct replay *replay, const struct record_call *call)
{
	struct replay_output *output = replay_output(replay, call->number, false);

	if (!output || !output->is_made)
		return false;
	if (output->entered) {
		const uint64_t words[CALL_MOST_PARAMS] = { 0 };
		cl_int error = clWaitForEvents(1, &output->entered);
		if (error)
			clGetEventInfo(output->entered, CL_EVENT_COMMAND_EXECUTION_STATUS,
				sizeof(error), &error, NULL);
		replay_check_error(replay, call, words, error);
		clReleaseEvent(output->entered);
	}
	output->entered = NULL;
	return true;
}

static void replay_item(struct replay *replay, size_t at)
{
	const struct record_item *item = &replay->record->items[at];
	struct record_cursor cursor;
	struct record_call call;
	struct replay_object *object;

	record_cursor_init(&cursor, replay->record, item);
	switch (item->type) {
	case RECORD_CALL:
		if (!record_get_call(&cursor, &call)) {
			replay->failures++;
			replay_say(replay, "a call is damaged");
		} else if (call.n && is_repeated(&call) && !complete(replay, &call) &&
			   !is_left_out(replay, &call)) {
			replay_call(replay, &cursor, &call);
		}
		break;
	case RECORD_RESULT:
		replay_result(replay, &cursor);
		break;
	case RECORD_DEVICE:
		device(replay, item);
		break;
	case RECORD_HEADER:
		replay_header(replay, item);
		break;
	case RECORD_KERNEL:
		object = replay_object(replay, record_get_number(&cursor), 'K');
		if (object)
			object->name = record_get_text(&cursor);
		break;
	case RECORD_BASE:
		object = replay_object(replay, record_get_number(&cursor), 'V');
		if (object)
			object->recorded = record_get_number(&cursor);
		break;
	case RECORD_HOST_WROTE:
	case RECORD_DEVICE_WROTE:
		replay_wrote(replay, &cursor, item->type == RECORD_HOST_WROTE);
		break;
	case RECORD_ENTERED:
		enter(replay, at, record_get_number(&cursor));
		break;
	case RECORD_BUFFER:
		replay_buffer(replay, &cursor);
		break;
	default:
		break;
	}
	record_cursor_finish(&cursor);
}

bool replay_run(struct replay *replay)
{
	replay->has_threads = has_threads(replay->record);
	for (size_t i = 0; i < replay->record->n && !replay->has_ended; i++) {
		replay_item(replay, i);
		if (replay->record->items[i].type == RECORD_DEVICE && !replay->platform)
			return false;
	}
	return true;
}

void replay_finish(struct replay *replay)
{
	for (uint64_t id = 1; id < replay->n_objects; id++)
		if (replay->objects[id].letter == 'Q')
			clFinish((cl_command_queue)(uintptr_t)replay->objects[id].handle);
	for (uint32_t i = 0; i < replay->n_outputs; i++)
		replay_output_finish(&replay->outputs[i]);
	for (size_t i = 0; i < replay->n_kept; i++) {
		if (replay->kept[i].event)
			clReleaseEvent(replay->kept[i].event);
		else
			continue; /* a buffer may still have it */
		free(replay->kept[i].memory);
	}
	while (replay->n_commands)
		clReleaseEvent(replay->commands[--replay->n_commands].event);
	free(replay->commands);
	free(replay->kept);
	free(replay->outputs);
	free(replay->objects);
	replay_headers_finish(replay);
}
