// SPDX-License-Identifier: MIT
#include "tool/record/replay.h"

#include <dlfcn.h>
#include <ffi.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "compile/base/error_name.h"
#include "tool/base/tool_cl.h"

enum { MOST_SAID = 20 };

void replay_say(struct replay *replay, const char *format, ...)
{
	va_list list;
	uint64_t said = replay->differences + replay->failures;

	if (!replay->log || said > MOST_SAID)
		return;
	va_start(list, format);
	vfprintf(replay->log, format, list);
	va_end(list);
	fputs(said == MOST_SAID ? "\nfurther ones are not shown\n" : "\n", replay->log);
}

struct replay_object *replay_object(struct replay *replay, uint64_t id, char letter)
{
	return id && id < replay->n_objects && replay->objects[id].letter == letter
		       ? &replay->objects[id]
		       : NULL;
}

/* An object that begins now. NULL: an id that cannot be. */
static struct replay_object *create(
	struct replay *replay, uint64_t id, char letter, uint64_t handle)
{
	if (!id || id > replay->record->n * CALL_MOST_PARAMS + 64)
		return NULL;
	if (id >= replay->n_objects) {
		uint64_t n = id + id / 2 + 64;
		struct replay_object *grown = realloc(replay->objects, n * sizeof *grown);
		if (!grown)
			return NULL;
		memset(grown + replay->n_objects, 0, (n - replay->n_objects) * sizeof *grown);
		replay->objects = grown;
		replay->n_objects = n;
	}
	replay->objects[id] =
		(struct replay_object){ .letter = letter, .references = 1, .handle = handle };
	return &replay->objects[id];
}

/* What the call writes to is kept up to its result. */
static struct replay_output *output_of(struct replay *replay, uint32_t number, bool make)
{
	if (number > replay->record->n || (!make && number >= replay->n_outputs))
		return NULL;
	if (number >= replay->n_outputs) {
		uint32_t n = number + number / 2 + 64;
		struct replay_output *grown = realloc(replay->outputs, n * sizeof *grown);
		if (!grown)
			return NULL;
		memset(grown + replay->n_outputs, 0, (n - replay->n_outputs) * sizeof *grown);
		replay->outputs = grown;
		replay->n_outputs = n;
	}
	return &replay->outputs[number];
}

static void output_finish(struct replay_output *output)
{
	if (output->event)
		clReleaseEvent(output->event);
	if (output->entered)
		clReleaseEvent(output->entered);
	free(output->memory);
	*output = (struct replay_output){ 0 };
}

/* Of an extension, from the platform; else the loader's. */
static void (*function_of(struct replay *replay, const struct call *call))(void)
{
	void (*function)(void);
	void *found = call->slot == CALL_NO_SLOT ? clGetExtensionFunctionAddressForPlatform(
							   replay->platform, call->name)
						 : dlsym(RTLD_DEFAULT, call->name);

	memcpy(&function, &found, sizeof found);
	return function;
}

static bool invoke(
	struct replay *replay, const struct call *call, uint64_t *words, uint64_t *result)
{
	struct call_param params[CALL_MOST_PARAMS];
	unsigned n = call_params(call, params);
	void (*function)(void) = function_of(replay, call);
	uint32_t halves[CALL_MOST_PARAMS];
	void *values[CALL_MOST_PARAMS];
	ffi_type *types[CALL_MOST_PARAMS];
	ffi_cif cif;
	ffi_arg returned = 0;

	for (unsigned i = 0; i < n; i++) {
		bool is_half = call_bits(params[i].letter) == 32;
		halves[i] = (uint32_t)words[i];
		values[i] = is_half ? (void *)&halves[i] : (void *)&words[i];
		types[i] = is_half ? &ffi_type_uint32 : &ffi_type_uint64;
	}
	char letter = call->signature[0];
	if (!function || ffi_prep_cif(&cif, FFI_DEFAULT_ABI, n,
				 letter == 'v'	 ? &ffi_type_void
				 : letter == 'i' ? &ffi_type_sint32
						 : &ffi_type_pointer,
				 types) != FFI_OK)
		return false;
	ffi_call(&cif, function, &returned, values);
	*result = returned;
	return true;
}

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
	create(replay, id, 'D', (uintptr_t)devices[index < n && index < 64 ? index : 0]);
}

/* What the call created, and what it takes to use it. */
static void created(struct replay *replay, const struct record_call *call, const uint64_t *words,
	uint64_t result)
{
	char letter = call->call->signature[0];
	struct replay_object *object =
		strchr("CQMSGKEHAV", letter) ? create(replay, call->result, letter, result) : NULL;
	int size = call_param_find(call->call, 'z'), name = call_param_find(call->call, 'c');

	if (object && letter == 'V' && size >= 0)
		object->size = words[size];
	if (object && letter == 'V')
		replay->has_shared = true;
	if (object && letter == 'M') {
		clGetMemObjectInfo((cl_mem)(uintptr_t)result, CL_MEM_SIZE, sizeof object->size,
			&object->size, NULL);
		object->parent = call->values[0].number;
	}
	if (object && letter == 'K' && name >= 0)
		object->name = record_content_text(replay->record, call->values[name].contents);
	if (object && letter == 'K' && call->values[0].number < replay->n_objects && name < 0)
		object->name = replay->objects[call->values[0].number].name;
	if (object && letter == 'Q')
		object->parent = call->values[0].number;
	if (object && letter == 'A' &&
		!call_box_mapped(call->call, words, replay_pixel, &object->box))
		object->letter = 0;
	if (object && replay->after_create && strchr("MV", letter))
		replay->after_create(replay, call->result);
	int array = call_param_find(call->call, 'j');
	for (uint32_t i = 0; array >= 0 && i < call->values[array].count; i++)
		create(replay, call->values[array].numbers[i], 'K',
			((const uint64_t *)(uintptr_t)words[array])[i]);
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
	object->references += retains ? 1 : (uint32_t)-1;
	if (!object->references || frees)
		object->letter = 0;
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

static void *prepare(struct replay *replay, struct record_cursor *cursor,
	const struct record_call *call, uint64_t *words, struct answers *answers)
{
	struct call_param params[CALL_MOST_PARAMS];
	unsigned n = call_params(call->call, params), used = 0;
	void *kernels = NULL;

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
			kernels = record_allocate(cursor, (uint32_t)words[i - 1] & 0xffff, 8);
			words[i] = (uintptr_t)kernels;
			break;
		case 'c':
			/* Linkers take none of the options that we add. */
			if (call->call->kind == CALL_WAIT && call->call->signature[0] == 'i') {
				char *options = replay_options(
					replay, cursor, (const char *)(uintptr_t)words[i]);
				words[i] = options ? (uintptr_t)options : words[i];
			}
			break;
		default:
			break;
		}
	return kernels;
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
		create(replay, call->values[event].number, 'E', (uintptr_t)answers->event);
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

static uint64_t queue_of(const struct record_call *call)
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
	grown[replay->n_commands++] = (struct replay_command){ queue_of(call), call->end, event };
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
			(is_finish ? command->queue == queue_of(call)
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

/* Counts a failure where the call's result is not what it was, or must not be. */
static void check_error(
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

static void make_call(
	struct replay *replay, struct record_cursor *cursor, const struct record_call *call)
{
	struct replay_output spare = { 0 }, *output = output_of(replay, call->number, true);
	struct answers answers = { 0 };
	uint64_t words[CALL_MOST_PARAMS] = { 0 }, result = 0;
	char letter = call->call->signature[0];

	output = output ? output : &spare;
	output_finish(output);
	if (!replay_words(replay, cursor, call, words, output)) {
		output_finish(output);
		/* It failed because of what it was given; a free cannot say so. */
		if (call->error || strstr(call->call->name, "Free"))
			return;
		replay->missing++;
		replay->failures++;
		replay_say(replay, "call %u, %s, cannot be made: the record lacks what it needs",
			call->number, call->call->name);
		output_finish(output);
		return;
	}
	prepare(replay, cursor, call, words, &answers);
	if (cursor->bad || !invoke(replay, call->call, words, &result)) {
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
		check_error(replay, call, words, error);
	if (error) {
		output_finish(output);
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
			make_call(replay, &cursor, &call);
			replay->is_entering = false;
		}
		record_cursor_finish(&cursor);
	}
}

/* Waits for a blocking call that was made when it entered its queue; false: it was not. */
static bool complete(struct replay *replay, const struct record_call *call)
{
	struct replay_output *output = output_of(replay, call->number, false);

	if (!output || !output->is_made)
		return false;
	if (output->entered) {
		const uint64_t words[CALL_MOST_PARAMS] = { 0 };
		cl_int error = clWaitForEvents(1, &output->entered);
		if (error)
			clGetEventInfo(output->entered, CL_EVENT_COMMAND_EXECUTION_STATUS,
				sizeof(error), &error, NULL);
		check_error(replay, call, words, error);
		clReleaseEvent(output->entered);
	}
	output->entered = NULL;
	return true;
}

/* Compares bytes with a content. */
static void compare(struct replay *replay, const struct record_content *content, void *bytes,
	size_t size, const char *what, uint64_t number)
{
	struct record_cursor cursor = { .record = replay->record };
	unsigned char *want = record_allocate(&cursor, content->size + 1, 1), *got = bytes;
	size_t at = 0;

	if (replay->ignores_results)
		return;
	replay->results++;
	if (want && size == content->size) {
		record_content_copy(replay->record, content, want);
		replay_relocate(replay, bytes, size, true);
		while (at < size && want[at] == got[at])
			at++;
	}
	if (!want || size != content->size || at < size) {
		replay->first_launch =
			replay->differences ? replay->first_launch : replay->launches;
		replay->differences++;
		if (want && at < size)
			replay_say(replay,
				"%s %llu differs: byte %zu of %zu is 0x%02x, recorded was 0x%02x",
				what, (unsigned long long)number, at, size, got[at], want[at]);
		else
			replay_say(replay, "%s %llu differs: %zu bytes, recorded were %llu", what,
				(unsigned long long)number, size,
				(unsigned long long)content->size);
	}
	record_cursor_finish(&cursor);
}

static void result(struct replay *replay, struct record_cursor *cursor)
{
	struct record_content content;
	uint64_t number = record_get_number(cursor);

	record_get_content(cursor, &content);
	struct replay_output *output =
		number <= UINT32_MAX ? output_of(replay, (uint32_t)number, false) : NULL;
	if (cursor->bad || !output || !output->address)
		return;
	if (output->event)
		clWaitForEvents(1, &output->event);
	size_t size = call_box_packed(&output->box);
	void *packed = record_allocate(cursor, size + 1, 1);
	if (!packed)
		return;
	call_box_gather(&output->box, (const void *)(uintptr_t)output->address, packed);
	compare(replay, &content, packed, size, "the result of call", number);
	output_finish(output);
}

/*
 * Reads or writes the first bytes of a buffer through a queue of its own, whatever else runs.
 * False: it failed.
 */
static bool move_buffer(const struct replay_object *object, size_t size, void *bytes, bool is_write)
{
	cl_mem mem = (cl_mem)(uintptr_t)object->handle;
	cl_context context = NULL;
	cl_device_id devices[64] = { NULL };
	cl_int error = CL_SUCCESS;

	clGetMemObjectInfo(mem, CL_MEM_CONTEXT, sizeof context, &context, NULL);
	clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, NULL);
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(context, devices[0], NULL, &error);
	if (!queue)
		return false;
	error = is_write ? clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, size, bytes, 0, NULL, NULL)
			 : clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, size, bytes, 0, NULL, NULL);
	clReleaseCommandQueue(queue);
	return !error;
}

/* What the host wrote is written again; what the device has left is compared. */
static void wrote(struct replay *replay, struct record_cursor *cursor, bool is_host)
{
	struct record_content content;
	uint64_t id = record_get_number(cursor);
	struct replay_object *mapped = is_host ? replay_object(replay, id, 'A') : NULL;
	struct replay_object *shared = replay_object(replay, id, 'V');
	struct replay_object *memory = is_host ? replay_object(replay, id, 'M') : NULL;
	uint64_t offset = record_get_number(cursor);

	record_get_content(cursor, &content);
	uint64_t number = record_get_number(cursor);
	unsigned char *bytes = record_allocate(cursor, content.size + 1, 1);
	if (cursor->bad || !bytes)
		return;
	record_content_copy(replay->record, &content, bytes);
	if (mapped && content.size == call_box_packed(&mapped->box)) {
		replay_relocate(replay, bytes, content.size, false);
		call_box_scatter(&mapped->box, (void *)(uintptr_t)mapped->handle, bytes);
	}
	if (memory && content.size <= memory->size)
		move_buffer(memory, content.size, bytes, true);
	if (!shared || offset > shared->size || content.size > shared->size - offset)
		return;
	unsigned char *at = (unsigned char *)(uintptr_t)(shared->handle + offset);
	if (number && number < replay->n_outputs && replay->outputs[number].event)
		clWaitForEvents(1, &replay->outputs[number].event);
	if (is_host)
		replay_relocate(replay, bytes, content.size, false);
	memcpy(is_host ? at : bytes, is_host ? bytes : at, content.size);
	if (!is_host)
		compare(replay, &content, bytes, content.size, "shared memory", id);
}

static void buffer(struct replay *replay, struct record_cursor *cursor)
{
	struct record_content content;
	uint64_t id = record_get_number(cursor);
	struct replay_object *object = replay_object(replay, id, 'M');

	record_get_content(cursor, &content);
	void *bytes = record_allocate(cursor, content.size + 1, 1);
	if (cursor->bad || !object || !bytes || content.size > object->size)
		return;
	if (move_buffer(object, content.size, bytes, false))
		compare(replay, &content, bytes, content.size, "buffer", id);
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
			make_call(replay, &cursor, &call);
		}
		break;
	case RECORD_RESULT:
		result(replay, &cursor);
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
		wrote(replay, &cursor, item->type == RECORD_HOST_WROTE);
		break;
	case RECORD_ENTERED:
		enter(replay, at, record_get_number(&cursor));
		break;
	case RECORD_BUFFER:
		buffer(replay, &cursor);
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
		output_finish(&replay->outputs[i]);
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
