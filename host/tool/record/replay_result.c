// SPDX-License-Identifier: MIT
#include "tool/record/replay.h"

#include <CL/cl_ext.h>
#include <string.h>

/* Compares bytes with a content. */
static void compare(struct replay *replay, const struct record_content *content, void *bytes,
	size_t size, const char *what, uint64_t number)
{
	struct record_memory memory = { 0 };
	unsigned char *want = record_allocate(&memory, content->size + 1, 1), *got = bytes;
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
	record_free(&memory);
}

void replay_result(struct replay *replay, struct record_entry *entry)
{
	uint64_t number = entry->numbers[0];
	struct replay_output *output =
		number <= UINT32_MAX ? replay_output(replay, (uint32_t)number, false) : NULL;
	if (entry->is_bad || !output || !output->address)
		return;
	if (output->event)
		clWaitForEvents(1, &output->event);
	size_t size = call_box_packed(&output->box);
	void *packed = record_allocate(&entry->memory, size + 1, 1);
	if (!packed)
		return;
	call_box_gather(&output->box, (const void *)(uintptr_t)output->address, packed);
	compare(replay, &entry->content, packed, size, "the result of call", number);
	replay_output_finish(output);
}

static cl_int move_shared(
	struct replay *replay, cl_command_queue queue, void *to, const void *from, size_t size)
{
	clEnqueueMemcpyINTEL_fn copy;
	void *found;
	cl_int error = clEnqueueSVMMemcpy(queue, CL_TRUE, to, from, size, 0, NULL, NULL);

	if (!error)
		return error;
	found = clGetExtensionFunctionAddressForPlatform(replay->platform, "clEnqueueMemcpyINTEL");
	memcpy(&copy, &found, sizeof found);
	return found ? copy(queue, CL_TRUE, to, from, size, 0, NULL, NULL) : error;
}

cl_command_queue replay_queue_create(struct replay *replay, const struct replay_object *object)
{
	cl_mem mem = object->letter == 'M' ? (cl_mem)(uintptr_t)object->handle : NULL;
	cl_context context = (cl_context)(uintptr_t)replay->objects[object->parent].handle;
	cl_device_id devices[64] = { NULL };

	if (mem)
		clGetMemObjectInfo(mem, CL_MEM_CONTEXT, sizeof context, &context, NULL);
	clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, NULL);
	return clCreateCommandQueueWithProperties(context, devices[0], NULL, NULL);
}

bool replay_move(struct replay *replay, const struct replay_object *object, size_t size,
	void *bytes, bool is_write)
{
	void *at = (void *)(uintptr_t)object->handle;
	cl_mem mem = object->letter == 'M' ? at : NULL;
	cl_command_queue queue = replay_queue_create(replay, object);
	cl_int error;

	if (!queue)
		return false;
	error = !mem ? move_shared(
			       replay, queue, is_write ? at : bytes, is_write ? bytes : at, size)
		: is_write
			? clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, size, bytes, 0, NULL, NULL)
			: clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, size, bytes, 0, NULL, NULL);
	clReleaseCommandQueue(queue);
	return !error;
}

void replay_wrote(struct replay *replay, struct record_entry *entry)
{
	const struct record_content content = entry->content;
	bool is_host = entry->type == RECORD_HOST_WROTE;
	uint64_t id = entry->numbers[0], offset = entry->numbers[1], number = entry->numbers[2];
	struct replay_object *mapped = is_host ? replay_object(replay, id, 'A') : NULL;
	struct replay_object *shared = replay_object(replay, id, 'V');
	struct replay_object *memory = is_host ? replay_object(replay, id, 'M') : NULL;
	unsigned char *bytes = record_allocate(&entry->memory, content.size + 1, 1);

	if (entry->is_bad || !bytes)
		return;
	record_content_copy(replay->record, &content, bytes);
	if (mapped && content.size == call_box_packed(&mapped->box)) {
		replay_relocate(replay, bytes, content.size, false);
		call_box_scatter(&mapped->box, (void *)(uintptr_t)mapped->handle, bytes);
	}
	if (memory && content.size <= memory->size)
		replay_move(replay, memory, content.size, bytes, true);
	if (!shared || offset > shared->size || content.size > shared->size - offset)
		return;
	if (is_host && !shared->recorded) { /* what it held by chance */
		replay_move(replay, shared, content.size, bytes, true);
		return;
	}
	unsigned char *at = (unsigned char *)(uintptr_t)(shared->handle + offset);
	if (number && number < replay->n_outputs && replay->outputs[number].event)
		clWaitForEvents(1, &replay->outputs[number].event);
	if (is_host)
		replay_relocate(replay, bytes, content.size, false);
	memcpy(is_host ? at : bytes, is_host ? bytes : at, content.size);
	if (!is_host)
		compare(replay, &content, bytes, content.size, "shared memory", id);
}

void replay_buffer(struct replay *replay, struct record_entry *entry)
{
	struct replay_object *object = replay_object(replay, entry->numbers[0], 'M');
	size_t size = entry->content.size;
	void *bytes = record_allocate(&entry->memory, size + 1, 1);

	if (entry->is_bad || !object || !bytes || size > object->size)
		return;
	if (replay_move(replay, object, size, bytes, false))
		compare(replay, &entry->content, bytes, size, "buffer", entry->numbers[0]);
}
