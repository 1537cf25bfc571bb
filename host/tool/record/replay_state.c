// SPDX-License-Identifier: MIT
#include "tool/record/replay.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compile/base/error_name.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* A command that is not submitted may wait for what the record does later. */
enum { PATIENCE_QUEUED_MS = 300 };

/* Waits for the launch; false if it waits for something that comes later. */
static bool wait_for(const struct replay *replay, cl_event event)
{
	const struct timespec pause = { 0, 200000 };
	struct timespec begin, now;
	cl_command_queue queue = NULL;
	cl_int status = CL_QUEUED;

	if (!replay->has_gates) {
		clWaitForEvents(1, &event);
		return true;
	}
	clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL);
	clFlush(queue);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (;;) {
		clGetEventInfo(
			event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
		clock_gettime(CLOCK_MONOTONIC, &now);
		int64_t waited = (now.tv_sec - begin.tv_sec) * 1000 +
				 (now.tv_nsec - begin.tv_nsec) / 1000000;
		if (status <= CL_COMPLETE || (status == CL_QUEUED && waited > PATIENCE_QUEUED_MS))
			return status <= CL_COMPLETE;
		nanosleep(&pause, NULL);
	}
}

/* A launch that ended with an error. */
static void look_for_failure(struct replay *replay, const struct record_call *call)
{
	cl_int status = CL_COMPLETE;

	clGetEventInfo(
		replay->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
	if (status >= 0)
		return;
	replay->failures++;
	replay_say(replay, "call %u, %s, ended with %s", call->number, call->call->name,
		error_name(status));
}

/* The pixels of an image, to be freed; NULL if they cannot be read. */
static void *read_image(cl_command_queue queue, cl_mem image, size_t *size)
{
	const size_t zero[3] = { 0 };
	size_t region[3] = { 0 }, layers = 0;
	bool is_array_1d = false;
	size_t pixel = replay_pixel((uintptr_t)image, &is_array_1d);

	clGetImageInfo(image, CL_IMAGE_WIDTH, sizeof(size_t), &region[0], NULL);
	clGetImageInfo(image, CL_IMAGE_HEIGHT, sizeof(size_t), &region[1], NULL);
	clGetImageInfo(image, CL_IMAGE_DEPTH, sizeof(size_t), &region[2], NULL);
	clGetImageInfo(image, CL_IMAGE_ARRAY_SIZE, sizeof layers, &layers, NULL);
	region[1] = is_array_1d ? layers : region[1] ? region[1] : 1;
	region[2] = layers && !is_array_1d ? layers : region[2] ? region[2] : 1;
	*size = region[0] * region[1] * region[2] * pixel;
	void *bytes = calloc(1, *size + 1);
	if (bytes && !clEnqueueReadImage(
			     queue, image, CL_TRUE, zero, region, 0, 0, bytes, 0, NULL, NULL))
		return bytes;
	free(bytes);
	return NULL;
}

/* What an object holds, to be freed; NULL if it cannot be read, or is part of another one. */
static void *contents_of(struct replay *replay, const struct replay_object *object, size_t *size)
{
	cl_mem mem = (cl_mem)(uintptr_t)object->handle, whole = NULL;
	cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;

	*size = object->size;
	if (object->letter == 'M') {
		clGetMemObjectInfo(mem, CL_MEM_TYPE, sizeof type, &type, NULL);
		clGetMemObjectInfo(mem, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole, NULL);
	}
	if (whole || type == CL_MEM_OBJECT_PIPE)
		return NULL;
	if (type != CL_MEM_OBJECT_BUFFER) {
		cl_command_queue queue = replay_queue_create(replay, object);
		void *pixels = queue ? read_image(queue, mem, size) : NULL;
		if (queue)
			clReleaseCommandQueue(queue);
		return pixels;
	}
	void *bytes = calloc(1, *size + 1);
	if (bytes && replay_move(replay, object, *size, bytes, false)) {
		replay_relocate(replay, bytes, *size, true);
		return bytes;
	}
	free(bytes);
	return NULL;
}

static void dump(const struct replay_state *state, const void *bytes, size_t size)
{
	FILE *file = fopen(state->dump_path, "wb");

	if (file) {
		fwrite(bytes, 1, size, file);
		fclose(file);
	}
}

bool replay_state_after_launch(struct replay *replay, const struct record_call *call)
{
	const struct replay_state *state = replay->data;
	int kernel = call_param_find(call->call, 'K');
	bool is_last = state->stop && replay->launches >= state->stop;
	size_t size = 0;

	if (!state->lines && !is_last && !state->finds_failures)
		return true;
	if (!replay->event || !wait_for(replay, replay->event))
		return !is_last;
	if (state->finds_failures)
		look_for_failure(replay, call);
	struct replay_object *object =
		kernel < 0 ? NULL : replay_object(replay, call->values[kernel].number, 'K');
	const char *name = object && object->name && *object->name ? object->name : "?";
	object = replay_object(replay, replay_queue_of(call), 'Q');
	uint64_t context = object ? object->parent : 0;
	for (uint64_t id = 1; id < replay->n_objects; id++) {
		object = &replay->objects[id];
		bool is_shared = object->letter == 'V' && object->parent == context;
		bool is_wanted = state->lines || (is_last && state->dumped == id);
		void *bytes = is_wanted && (object->letter == 'M' || is_shared)
				      ? contents_of(replay, object, &size)
				      : NULL;
		if (bytes && state->lines)
			fprintf(state->lines, "%llu %u %llu %zu %016llx %s\n",
				(unsigned long long)replay->launches, call->number,
				(unsigned long long)id, size,
				(unsigned long long)XXH3_64bits(bytes, size), name);
		if (bytes && is_last && state->dumped == id)
			dump(state, bytes, size);
		free(bytes);
	}
	return !is_last;
}
