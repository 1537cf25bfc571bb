// SPDX-License-Identifier: MIT
#include "tool/record/replay.h"

#include <stdlib.h>
#include <string.h>

#include "tool/base/tool_cl.h"

static void device(struct replay *replay, const struct record_entry *entry)
{
	const char *platform = entry->texts[0], *name = entry->texts[1];
	uint64_t index = entry->numbers[1];
	char found[1024];
	cl_device_id devices[64];
	cl_uint n = 0;

	if (entry->is_bad)
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
	replay_object_create(replay, entry->numbers[0], 'D',
		(uintptr_t)devices[index < n && index < 64 ? index : 0]);
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
	struct record_entry entry = { 0 };
	bool has = false;

	while (record_next_call(record, &entry))
		has |= entry.call->thread > 0;
	return has;
}

/* The command of a blocking call, which is behind `at` in the record, enters its queue. */
static void enter(struct replay *replay, size_t at, uint64_t number)
{
	struct record_entry entry = { .next = at };

	while (replay->has_threads && record_next_call(replay->record, &entry))
		if (entry.call->number == number) {
			replay->is_entering = true;
			if (entry.call->n && is_repeated(entry.call))
				replay_call(replay, &entry);
			replay->is_entering = false;
			break;
		}
	record_free(&entry.memory);
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

static void replay_item(struct replay *replay, struct record_entry *entry)
{
	const struct record_call *call = entry->call;
	struct replay_object *object;

	switch (entry->type) {
	case RECORD_CALL:
		if (!call) {
			replay->failures++;
			replay_say(replay, "a call is damaged");
		} else if (call->n && is_repeated(call) && !complete(replay, call) &&
			   !is_left_out(replay, call)) {
			replay_call(replay, entry);
		}
		break;
	case RECORD_RESULT:
		replay_result(replay, entry);
		break;
	case RECORD_DEVICE:
		device(replay, entry);
		break;
	case RECORD_HEADER:
		replay_header(replay, entry);
		break;
	case RECORD_KERNEL:
		object = replay_object(replay, entry->numbers[0], 'K');
		if (object)
			object->name = entry->texts[0];
		break;
	case RECORD_BASE:
		object = replay_object(replay, entry->numbers[0], 'V');
		if (object)
			object->recorded = entry->numbers[1];
		break;
	case RECORD_HOST_WROTE:
	case RECORD_DEVICE_WROTE:
		replay_wrote(replay, entry);
		break;
	case RECORD_ENTERED:
		enter(replay, entry->next, entry->numbers[0]);
		break;
	case RECORD_BUFFER:
		replay_buffer(replay, entry);
		break;
	default:
		break;
	}
}

bool replay_run(struct replay *replay)
{
	struct record_entry entry = { 0 };
	bool has_device = true;

	replay->has_threads = has_threads(replay->record);
	while (has_device && !replay->has_ended && record_next(replay->record, &entry)) {
		replay_item(replay, &entry);
		has_device = entry.type != RECORD_DEVICE || replay->platform;
	}
	record_free(&entry.memory);
	return has_device;
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
