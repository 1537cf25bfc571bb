// SPDX-License-Identifier: MIT
#include "tool/record/replay.h"

#include <stdlib.h>
#include <string.h>

enum { POISON = 0xa5, PAGE = 4096, MOST_HOST_BYTES = 1 << 30 };

/* The state of one call that is being made. */
struct making {
	struct replay *replay;
	struct record_memory *memory;
	const struct record_call *call;
	struct call_param params[CALL_MOST_PARAMS];
	uint64_t *words;
	struct replay_output *output;
	size_t count; /* of elements of arrays */
};

static uint64_t address(const void *pointer)
{
	return (uintptr_t)pointer;
}

size_t replay_pixel(uint64_t image, bool *is_array_1d)
{
	cl_mem mem = (cl_mem)(uintptr_t)image;
	cl_mem_object_type type = 0;
	size_t size = 0;

	if (clGetMemObjectInfo(mem, CL_MEM_TYPE, sizeof type, &type, NULL) ||
		clGetImageInfo(mem, CL_IMAGE_ELEMENT_SIZE, sizeof size, &size, NULL))
		return 0;
	*is_array_1d = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
	return size;
}

/* Memory for as long as the command of `event` runs, or up to the end. False: no memory. */
static bool keep(struct replay *replay, cl_event event, void *memory)
{
	size_t kept = 0;

	for (size_t i = 0; i < replay->n_kept && replay->n_kept % 64 == 63; i++) {
		cl_int status = CL_QUEUED;
		struct replay_kept *old = &replay->kept[i];
		if (old->event)
			clGetEventInfo(old->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
				&status, NULL);
		if (status > CL_COMPLETE) {
			replay->kept[kept++] = *old;
		} else {
			clReleaseEvent(old->event);
			free(old->memory);
		}
	}
	if (replay->n_kept % 64 == 63)
		replay->n_kept = kept;
	struct replay_kept *grown =
		realloc(replay->kept, (replay->n_kept + 1) * sizeof *replay->kept);
	if (!grown)
		return false;
	replay->kept = grown;
	grown[replay->n_kept++] = (struct replay_kept){ event, memory };
	return true;
}

void replay_relocate(struct replay *replay, void *bytes, size_t size, bool as_recorded)
{
	for (uint64_t id = 1; replay->has_shared && id < replay->n_objects; id++) {
		const struct replay_object *object = &replay->objects[id];
		if (object->letter != 'V' || object->recorded == object->handle)
			continue;
		uint64_t from = as_recorded ? object->handle : object->recorded;
		uint64_t to = as_recorded ? object->recorded : object->handle;
		for (size_t at = 0; at + sizeof from <= size; at += sizeof from) {
			uint64_t word;
			memcpy(&word, (char *)bytes + at, sizeof word);
			if (word - from >= object->size)
				continue;
			word += to - from;
			memcpy((char *)bytes + at, &word, sizeof word);
		}
	}
}

/* A content as bytes, with a NUL behind it. NULL: no memory. */
static void *bytes_of(struct making *making, const struct record_content *content)
{
	void *bytes = content->size < SIZE_MAX
			      ? record_allocate(making->memory, content->size + 1, 1)
			      : NULL;

	if (bytes)
		record_content_copy(making->replay->record, content, bytes);
	return bytes;
}

static bool handle(struct making *making, char letter, uint64_t id, uint64_t *word)
{
	const struct replay_object *object = replay_object(making->replay, id, letter);

	*word = object ? object->handle : 0;
	return object || !id;
}

static bool numbers(struct making *making, unsigned i)
{
	const struct record_value *value = &making->call->values[i];
	char letter = making->params[i].letter;
	char element = call_element(letter);
	size_t want = letter == '2' || letter == '3' ? (size_t)(letter - '0') : making->count;

	if (value->count != want)
		return false;
	uint64_t *words = record_allocate(making->memory, value->count, sizeof *words);
	for (uint32_t n = 0; words && n < value->count; n++) {
		words[n] = value->numbers[n];
		if (element && !handle(making, element, words[n], &words[n]))
			return false;
	}
	making->words[i] = address(words);
	return words;
}

static bool sync_points(struct making *making, unsigned i)
{
	const struct record_value *value = &making->call->values[i];
	uint32_t *points = record_allocate(making->memory, value->count, sizeof *points);

	for (uint32_t n = 0; points && n < value->count; n++)
		points[n] = (uint32_t)value->numbers[n];
	making->words[i] = address(points);
	return points && value->count == making->count;
}

static bool properties(struct making *making, unsigned i)
{
	const struct record_value *value = &making->call->values[i];
	uint64_t *words = record_allocate(making->memory, value->count + 1, sizeof *words);

	if (!words || value->count % 2)
		return false;
	memcpy(words, value->numbers, value->count * sizeof *words);
	for (uint32_t n = 0; n < value->count; n += 2)
		if (words[n] == CL_CONTEXT_PLATFORM)
			words[n + 1] = address(making->replay->platform);
		else if (words[n] == CALL_PROPERTY_OF_DEVICE &&
			 !handle(making, 'D', value->numbers[n + 1], &words[n + 1]))
			return false;
	making->words[i] = address(words);
	return true;
}

static bool shared_array(struct making *making, unsigned i)
{
	const struct record_value *value = &making->call->values[i];
	uint64_t *words = record_allocate(making->memory, value->count, sizeof *words);

	if (!words || value->count != 2 * making->count)
		return false;
	for (size_t n = 0; n < making->count; n++) {
		if (!handle(making, 'V', value->numbers[2 * n], &words[n]))
			return false;
		words[n] += value->numbers[2 * n + 1];
	}
	making->words[i] = address(words);
	return true;
}

static bool image(struct making *making, unsigned i)
{
	const struct record_value *value = &making->call->values[i];
	const uint64_t *n = value->numbers;
	cl_image_format *format;
	cl_image_desc *desc;
	uint64_t mem = 0;

	if (making->params[i].letter == 'F') {
		format = record_allocate(making->memory, 1, sizeof *format);
		if (!format || value->count != 2)
			return false;
		*format = (cl_image_format){ (cl_uint)n[0], (cl_uint)n[1] };
		making->words[i] = address(format);
		return true;
	}
	desc = record_allocate(making->memory, 1, sizeof *desc);
	if (!desc || value->count != 10 || !handle(making, 'M', n[9], &mem))
		return false;
	*desc = (cl_image_desc){ .image_type = (cl_mem_object_type)n[0],
		.image_width = n[1],
		.image_height = n[2],
		.image_depth = n[3],
		.image_array_size = n[4],
		.image_row_pitch = n[5],
		.image_slice_pitch = n[6],
		.num_mip_levels = (cl_uint)n[7],
		.num_samples = (cl_uint)n[8] };
	desc->mem_object = (cl_mem)(uintptr_t)mem;
	making->words[i] = address(desc);
	return true;
}

/* Strings with their lengths behind them, binaries with theirs before them, or names. */
static bool strings(struct making *making, unsigned i)
{
	const struct record_value *value = &making->call->values[i];
	char letter = making->params[i].letter;
	void **texts = record_allocate(making->memory, value->count, sizeof *texts);
	uint64_t *lengths = record_allocate(making->memory, value->count, sizeof *lengths);

	if (!texts || !lengths || value->count != (letter == 'c' ? 1 : making->count))
		return false;
	for (uint32_t n = 0; n < value->count; n++) {
		texts[n] = bytes_of(making, &value->contents[n]);
		lengths[n] = value->contents[n].size;
		/* Of none, some drivers would look for a NUL. */
		if (!texts[n] || (letter == 's' && !lengths[n] && (lengths[n] = 1, false)))
			return false;
	}
	making->words[i] = letter == 'c' ? address(texts[0]) : address(texts);
	if (letter == 's')
		making->words[i + 1] = address(lengths);
	if (letter == 'b')
		making->words[i - 1] = address(lengths);
	return true;
}

/* Bytes of the host that the call reads. Those that outlive the call are kept. */
static bool source(struct making *making, unsigned i)
{
	const struct record_value *value = &making->call->values[i];
	struct call_box box;
	void *memory;

	making->words[i] = 1; /* not NULL */
	if (!call_box_find(making->call->call, making->words, i, replay_pixel, &box) ||
		value->count != 1 || call_box_packed(&box) != value->contents->size ||
		call_box_span(&box) > MOST_HOST_BYTES)
		return false;
	size_t room = (call_box_span(&box) + 2 * PAGE - 1) / PAGE * PAGE;
	if (posix_memalign(&memory, PAGE, room))
		return false;
	memset(memory, 0, room);
	if (!keep(making->replay, NULL, memory))
		return false;
	making->output->has_source = true;
	void *packed = bytes_of(making, value->contents);
	if (!packed)
		return false;
	replay_relocate(making->replay, packed, value->contents->size, false);
	call_box_scatter(&box, memory, packed);
	making->words[i] = address(memory);
	return true;
}

static bool target(struct making *making, unsigned i)
{
	struct replay_output *output = making->output;

	making->words[i] = 1;
	if (!call_box_find(making->call->call, making->words, i, replay_pixel, &output->box) ||
		call_box_span(&output->box) > MOST_HOST_BYTES)
		return false;
	output->memory = malloc(call_box_span(&output->box) + 1);
	if (!output->memory)
		return false;
	memset(output->memory, POISON, call_box_span(&output->box) + 1);
	output->address = making->words[i] = address(output->memory);
	return true;
}

static bool shared(struct making *making, unsigned i)
{
	const struct record_value *value = &making->call->values[i];
	bool is_mapped = making->params[i].letter == 'U';

	if (!handle(making, is_mapped ? 'A' : 'V', value->number, &making->words[i]) ||
		!value->number)
		return false;
	making->words[i] += value->offset;
	const struct replay_object *object =
		replay_object(making->replay, value->number, is_mapped ? 'A' : 'V');
	struct call_box box = { 0 };
	/* What a command moves must be inside. */
	if (strchr("ho", making->params[i].letter) &&
		!call_box_find(making->call->call, making->words, i, replay_pixel, &box))
		return false;
	return is_mapped || (value->offset <= object->size &&
				    call_box_span(&box) <= object->size - value->offset);
}

static bool argument(struct making *making, unsigned i)
{
	const struct record_value *value = &making->call->values[i];
	uint64_t *word = record_allocate(making->memory, 1, sizeof *word);

	if (!word)
		return false;
	if (value->tag == RECORD_NUMBER) {
		making->words[i] = address(word);
		return making->words[i - 1] == sizeof *word &&
		       (handle(making, 'M', value->number, word) ||
			       handle(making, 'S', value->number, word) ||
			       handle(making, 'Q', value->number, word));
	}
	if (value->tag != RECORD_CONTENTS || value->count != 1 ||
		value->contents->size != making->words[i - 1])
		return false;
	void *bytes = bytes_of(making, value->contents);
	if (bytes)
		replay_relocate(making->replay, bytes, value->contents->size, false);
	making->words[i] = address(bytes);
	return bytes;
}

/* By the tag, and the letter where that says more. */
static bool make(struct making *making, unsigned i)
{
	const struct record_value *value = &making->call->values[i];
	char letter = making->params[i].letter;

	switch (value->tag) {
	case RECORD_NULL:
		return true;
	case RECORD_NUMBER:
		making->words[i] = value->number;
		if (strchr("DCQMSGKEH", letter))
			return handle(making, letter, value->number, &making->words[i]);
		if (letter == 'P')
			making->words[i] = address(making->replay->platform);
		return letter == 'k' ? argument(making, i) : true;
	case RECORD_NUMBERS:
		return letter == 'y'		    ? properties(making, i)
		       : letter == 'W'		    ? sync_points(making, i)
		       : letter == 'X'		    ? shared_array(making, i)
		       : strchr("FI", letter)	    ? image(making, i)
		       : strchr("dqmgwx23", letter) ? numbers(making, i)
						    : true;
	case RECORD_CONTENTS:
		return letter == 'h'   ? source(making, i)
		       : letter == 'k' ? argument(making, i)
				       : strings(making, i);
	case RECORD_SHARED:
		return shared(making, i);
	default:
		return letter == 'o' ? target(making, i) : false;
	}
}

/* Host memory last: its size depends on what stands behind it. */
bool replay_words(struct replay *replay, struct record_memory *memory,
	const struct record_call *call, uint64_t *words, struct replay_output *output)
{
	struct making making = {
		.replay = replay, .memory = memory, .call = call, .words = words, .output = output
	};
	unsigned n = call_params(call->call, making.params);

	if (call->n != n)
		return false;
	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = 0; i < n; i++) {
			bool is_host = strchr("ho", making.params[i].letter);
			if (making.params[i].letter == 'n')
				making.count = (uint32_t)call->values[i].number;
			if (is_host == (pass == 1) && (!make(&making, i) || memory->failed))
				return false;
		}
	/* Kernels are counted; nobody waits for a count. */
	return true;
}
