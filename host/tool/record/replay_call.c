// SPDX-License-Identifier: MIT
#include "tool/record/replay.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "compile/base/error_name.h"
#include "tool/base/tool_cl.h"

/* Of an extension, from the platform; else the loader's. False: there is no such function. */
static bool invoke(
	struct replay *replay, const struct call *call, const uint64_t *words, uint64_t *result)
{
	struct call_frame frame;
	call_function function;
	void *found = call->slot == CALL_NO_SLOT ? clGetExtensionFunctionAddressForPlatform(
							   replay->platform, call->name)
						 : dlsym(RTLD_DEFAULT, call->name);

	memcpy(&function, &found, sizeof found);
	if (!function || !call_frame_init(&frame, call))
		return false;
	*result = call_invoke(&frame, call, function, words);
	return true;
}

/*
 * What made an object stays valid as long as the object, also for a program that has released it:
 * it asks for CL_KERNEL_PROGRAM. A clone is its program's, no matter what becomes of its original.
 */
static void belong(
	struct replay *replay, struct replay_object *object, const struct record_call *call)
{
	char letter = call->call->signature[2];
	uint64_t parent = call->values[0].number;

	if (!strchr("CQMGK", letter) || parent >= replay->n_objects)
		return;
	object->parent = letter == 'K' ? replay->objects[parent].parent : parent;
	if (object->letter != 'V')
		replay->objects[object->parent].references++;
}

/* Takes a reference of the object, and with its last one a reference of what made it. */
static void let_go(struct replay *replay, uint64_t id)
{
	while (id && replay->objects[id].references && !--replay->objects[id].references) {
		replay->objects[id].letter = 0;
		id = replay->objects[id].parent;
	}
}

/* What the call created, and what it takes to use it. */
static void created(struct replay *replay, const struct record_call *call, const uint64_t *words,
	uint64_t result)
{
	char letter = call->call->signature[0];
	struct replay_object *object =
		strchr("CQMSGKEHAV", letter)
			? replay_object_create(replay, call->result, letter, result)
			: NULL;
	int size = call_param_find(call->call, 'z'), name = call_param_find(call->call, 'c');

	if (object && letter != 'A')
		belong(replay, object, call);
	if (object && letter == 'V' && size >= 0)
		object->size = words[size];
	if (object && letter == 'V')
		replay->has_shared = true;
	if (object && letter == 'M')
		clGetMemObjectInfo((cl_mem)(uintptr_t)result, CL_MEM_SIZE, sizeof object->size,
			&object->size, NULL);
	if (object && letter == 'K' && name >= 0)
		object->name = record_content_text(replay->record, call->values[name].contents);
	if (object && letter == 'K' && call->values[0].number < replay->n_objects && name < 0)
		object->name = replay->objects[call->values[0].number].name;
	if (object && letter == 'A' &&
		!call_box_mapped(call->call, words, replay_pixel, &object->box))
		object->letter = 0;
	if (object && replay->after_create && strchr("MV", letter))
		replay->after_create(replay, call->result);
	int array = call_param_find(call->call, 'j');
	for (uint32_t i = 0; array >= 0 && i < call->values[array].count; i++) {
		object = replay_object_create(replay, call->values[array].numbers[i], 'K',
			((const uint64_t *)(uintptr_t)words[array])[i]);
		if (object)
			belong(replay, object, call);
	}
}

/* References, so that nothing is used that is gone. */
static void count_reference(struct replay *replay, const struct record_call *call)
{
	const char *name = call->call->name;
	bool retains = !strncmp(name, "clRetain", 8);
	bool releases = !strncmp(name, "clRelease", 9);
	bool frees = strstr(name, "Free");
	char letter = call->call->signature[2];

	for (unsigned i = 0; frees && i < call->n; i++)
		for (uint32_t n = 0; n < call->values[i].count; n += 2) {
			struct replay_object *object = replay_object(replay,
				call->values[i].numbers ? call->values[i].numbers[n] : 0, 'V');
			if (object)
				object->letter = 0;
		}
	if (!retains && !releases && !frees)
		return;
	if (frees && call->values[1].tag != RECORD_SHARED)
		return;
	letter = frees ? 'V' : letter;
	struct replay_object *object =
		replay_object(replay, call->values[frees ? 1 : 0].number, letter);
	if (!object)
		return;
	if (frees)
		object->letter = 0;
	else if (retains)
		object->references++;
	else
		let_go(replay, call->values[0].number);
}

static bool waits(const struct call *call, const uint64_t *words)
{
	int blocking = call_param_find(call, 'B');

	return call->kind != CALL_ENQUEUE || (blocking >= 0 && words[blocking]);
}

/* Where the call puts what it gives: the event of a command is always ours too. */
struct answers {
	cl_event event;
	cl_int error;
	cl_uint point;
	uint64_t rest[4]; /* pitches, counts */
};

static void prepare(struct replay *replay, struct record_memory *memory,
	const struct record_call *call, uint64_t *words, struct answers *answers)
{
	struct call_param params[CALL_MOST_PARAMS];
	unsigned n = call_params(call->call, params), used = 0;

	for (unsigned i = 0; i < n; i++)
		switch (params[i].letter) {
		case 'B':
			words[i] = replay->is_entering ? CL_FALSE : words[i];
			break;
		case 'e':
			words[i] = (uintptr_t)&answers->event;
			break;
		case 'r':
			words[i] = (uintptr_t)&answers->error;
			break;
		case 'O': /* numbers of sync points are the driver's, and the same each time */
			words[i] = (uintptr_t)&answers->point;
			break;
		case 'p':
			if (call->call->kind == CALL_ENQUEUE && used < 4)
				words[i] = (uintptr_t)&answers->rest[used++];
			break;
		case 'j':
			if (call->values[i].tag != RECORD_NUMBERS)
				break;
			words[i] = (uintptr_t)record_allocate(
				memory, (uint32_t)words[i - 1] & 0xffff, 8);
			break;
		case 'c':
			/* Linkers take none of the options that we add. */
			if (call->call->kind == CALL_WAIT && call->call->signature[0] == 'i') {
				char *options = replay_options(
					replay, memory, (const char *)(uintptr_t)words[i]);
				words[i] = options ? (uintptr_t)options : words[i];
			}
			break;
		default:
			break;
		}
}

static void say_log(struct replay *replay, const struct record_call *call, const uint64_t *words)
{
	bool is_build = !strcmp(call->call->name, "clBuildProgram");
	cl_program program = (cl_program)(uintptr_t)words[0];
	cl_device_id device = NULL;

	if (!is_build ||
		clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof device, &device, NULL))
		return;
	char *text = tool_cl_build_log(program, device);
	if (text && replay->log)
		fprintf(replay->log, "%s\n", text);
	free(text);
}

/* The event of a command: ours, and if the program wanted it, an object. */
static void follow(struct replay *replay, const struct record_call *call, const uint64_t *words,
	struct answers *answers, struct replay_output *output)
{
	int event = call_param_find(call->call, 'e');

	if (event >= 0 && answers->event && call->values[event].number) {
		struct replay_object *object = replay_object_create(
			replay, call->values[event].number, 'E', (uintptr_t)answers->event);
		if (object)
			belong(replay, object, call);
		clRetainEvent(answers->event);
	}
	if (call->call->signature[0] == 'A')
		output->address = replay->objects[call->result].handle;
	if (call->call->signature[0] == 'A')
		output->box = replay->objects[call->result].box;
	if (answers->event && !waits(call->call, words) &&
		(output->address || replay->has_shared)) {
		output->event = answers->event;
		clRetainEvent(answers->event);
	}
}

/* What the call has read is free again when it has, or with its command. */
static void release_source(struct replay *replay, const struct record_call *call,
	const uint64_t *words, cl_event event)
{
	struct replay_kept *last = &replay->kept[replay->n_kept - 1];
	int flags = call_param_find(call->call, 'l');
	bool lives_on =
		call->call->kind == CALL_STATE && flags >= 0 && words[flags] & CL_MEM_USE_HOST_PTR;

	if (lives_on)
		return;
	if (waits(call->call, words)) {
		free(last->memory);
		replay->n_kept--;
	} else if (event) {
		clRetainEvent(event);
		last->event = event;
	}
}

uint64_t replay_queue_of(const struct record_call *call)
{
	int queue = call_param_find(call->call, 'Q');

	return queue < 0 ? 0 : call->values[queue].number;
}

static void note_command(struct replay *replay, const struct record_call *call, cl_event event)
{
	size_t n = replay->n_commands;
	struct replay_command *grown =
		n & (n - 1) ? replay->commands
			    : realloc(replay->commands, (n ? 2 * n : 1) * sizeof *grown);

	if (!grown)
		return;
	replay->commands = grown;
	clRetainEvent(event);
	grown[replay->n_commands++] =
		(struct replay_command){ replay_queue_of(call), call->end, event };
}

void replay_check_error(
	struct replay *replay, const struct record_call *call, const uint64_t *words, cl_int error)
{
	if (replay->ignores_results && error && call->call->kind != CALL_STATE) {
		replay->failures++;
		replay_say(replay, "call %u, %s, returns %s", call->number, call->call->name,
			error_name(error));
	} else if (error != call->error && strcmp(call->call->name, "clSetUserEventStatus") != 0) {
		replay->failures++;
		replay_say(replay, "call %u, %s, returns %s; recorded was %s", call->number,
			call->call->name, error_name(error), error_name(call->error));
		say_log(replay, call, words);
	}
}

void replay_call(struct replay *replay, struct record_entry *entry)
{
	const struct record_call *call = entry->call;
	struct replay_output spare = { 0 }, *output = replay_output(replay, call->number, true);
	struct answers answers = { 0 };
	uint64_t words[CALL_MOST_PARAMS] = { 0 }, result = 0;
	char letter = call->call->signature[0];

	output = output ? output : &spare;
	replay_output_finish(output);
	if (!replay_words(replay, &entry->memory, call, words, output)) {
		replay_output_finish(output);
		/* It failed because of what it was given; a free cannot say so. */
		if (call->error || strstr(call->call->name, "Free"))
			return;
		replay->missing++;
		replay->failures++;
		replay_say(replay, "call %u, %s, cannot be made: the record lacks what it needs",
			call->number, call->call->name);
		replay_output_finish(output);
		return;
	}
	prepare(replay, &entry->memory, call, words, &answers);
	if (entry->memory.failed || !invoke(replay, call->call, words, &result)) {
		replay->failures++;
		replay_say(replay, "call %u: %s is not here", call->number, call->call->name);
		return;
	}
	replay->calls++;
	cl_int error = letter == 'i'			       ? (cl_int)result
		       : call_param_find(call->call, 'r') >= 0 ? answers.error
		       : letter == 'V' && !result	       ? CL_OUT_OF_RESOURCES
							       : CL_SUCCESS;
	if (output->has_source)
		release_source(replay, call, words, answers.event);
	if (error || !replay->is_entering)
		replay_check_error(replay, call, words, error);
	if (error) {
		replay_output_finish(output);
		output->is_made = replay->is_entering;
		return;
	}
	output->is_made = replay->is_entering;
	if (replay->is_entering && answers.event && !clRetainEvent(answers.event))
		output->entered = answers.event;
	created(replay, call, words, result);
	count_reference(replay, call);
	follow(replay, call, words, &answers, output);
	if (call_runs_kernels(call->call)) {
		replay->launches++;
		replay->event = answers.event;
		replay->has_ended = replay->after_launch && !replay->after_launch(replay, call);
	}
	if (answers.event && replay->has_threads)
		note_command(replay, call, answers.event);
	if (answers.event)
		clReleaseEvent(answers.event);
}
