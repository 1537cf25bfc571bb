// SPDX-License-Identifier: MIT
#include "core/command_buffer/command_buffer.h"

#include "compile/base/pool.h"
#include "core/command_buffer/command_buffer_recording.h"
#include "core/base/error.h"
#include "core/base/info.h"

#include <stdlib.h>
#include <string.h>

#define KNOWN_FLAGS   (CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR)
#define FOREIGN_FLAGS 4 /* CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR, of another extension */

static void command_buffer_destroy(struct obj *obj)
{
	struct command_buffer *buffer = (struct command_buffer *)(void *)obj;

	recording_destroy_idle(buffer->idle);
	for (cl_uint i = 0; i < buffer->n_commands; i++)
		recorded_put(buffer->commands[i]);
	free(buffer->commands);
	free(buffer->properties);
	pthread_mutex_destroy(&buffer->lock);
	queue_put(buffer->queue);
	obj_free(buffer);
}

static cl_int check_flags(cl_command_buffer_flags_khr flags)
{
	REQUIRE(!(flags & ~(cl_command_buffer_flags_khr)(KNOWN_FLAGS | FOREIGN_FLAGS)),
		error_say(CL_INVALID_VALUE, "0x%llx are no flags of a command buffer",
			(unsigned long long)flags));
	REQUIRE(!(flags & FOREIGN_FLAGS),
		error_say(CL_INVALID_PROPERTY, "a command buffer is of one queue here"));
	return CL_SUCCESS;
}

/* *n counts the list with the 0 at its end; 0 if there is none. */
static cl_int parse_properties(const cl_command_buffer_properties_khr *list,
	cl_command_buffer_flags_khr *flags, bool *keeps_groups, size_t *n)
{
	bool has_flags = false, has_asserts = false;

	*n = 0;
	for (; list && list[*n]; *n += 2) {
		cl_command_buffer_properties_khr value = list[*n + 1];
		bool *has = list[*n] == CL_COMMAND_BUFFER_FLAGS_KHR ? &has_flags : &has_asserts;

		if (list[*n] == CL_COMMAND_BUFFER_FLAGS_KHR) {
			*flags = value;
		} else {
			REQUIRE(list[*n] == CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR,
				error_say(CL_INVALID_VALUE,
					"0x%llx is no property of a command buffer",
					(unsigned long long)list[*n]));
			REQUIRE(value <= CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR,
				CL_INVALID_VALUE);
			*keeps_groups = value;
		}
		REQUIRE(!*has, error_say(CL_INVALID_VALUE, "a property is there twice"));
		*has = true;
	}
	*n += list != NULL;
	return check_flags(*flags);
}

/* What the recorder gets, a command of a clCommand* whose handles and sizes are all right. */
static cl_int recorder_take(struct queue *recorder, const struct command *command)
{
	struct command_buffer *buffer =
		UTIL_CONTAINER_OF(recorder, struct command_buffer, recorder);
	cl_int rc = recording_check(recorder, command);
	return rc ? rc : command_keep(command, &buffer->next->command);
}

cl_int command_buffer_create(cl_uint n_queues, const cl_command_queue *queues,
	const cl_command_buffer_properties_khr *properties, struct command_buffer **out)
{
	cl_command_buffer_flags_khr flags = 0;
	bool keeps_groups = false;
	size_t n;

	REQUIRE(queues, CL_INVALID_VALUE);
	REQUIRE(n_queues == 1, error_say(CL_INVALID_VALUE, "a command buffer has one queue"));
	struct queue *queue = queue_from(queues[0]);
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	cl_int rc = parse_properties(properties, &flags, &keeps_groups, &n);
	if (rc)
		return rc;

	struct command_buffer *buffer = calloc(1, sizeof(*buffer));
	if (!buffer)
		return CL_OUT_OF_HOST_MEMORY;
	obj_init(&buffer->base, OBJ_COMMAND_BUFFER, &queue->context->base, command_buffer_destroy);
	pthread_mutex_init(&buffer->lock, NULL);
	buffer->queue = queue_get(queue);
	buffer->flags = flags;
	buffer->keeps_groups = keeps_groups;
	buffer->recorder.context = queue->context;
	buffer->recorder.device = queue->device;
	buffer->recorder.place = queue->place;
	buffer->recorder.record = recorder_take;
	buffer->properties = bytes_copy(properties, n * sizeof(*properties));
	if (!buffer->properties) {
		command_buffer_put(buffer);
		return CL_OUT_OF_HOST_MEMORY;
	}
	buffer->n_properties = n;
	*out = buffer;
	return CL_SUCCESS;
}

/* Whether all its kernels have all their arguments; the lock is held. */
static bool is_complete(const struct command_buffer *buffer)
{
	for (cl_uint i = 0; i < buffer->n_commands; i++) {
		const struct kernel *kernel = buffer->commands[i]->kernel;

		for (cl_uint arg = 0; kernel && arg < kernel->n_args; arg++)
			if (!kernel->args[arg].set)
				return false;
	}
	return true;
}

static cl_int finalize_locked(struct command_buffer *buffer)
{
	REQUIRE(!buffer->finalized,
		error_say(CL_INVALID_OPERATION, "the command buffer was finalized before"));

	buffer->executable = is_complete(buffer);
	cl_int rc = buffer->executable ? recording_prepare(buffer) : CL_SUCCESS;
	buffer->finalized = !rc;
	return rc;
}

cl_int command_buffer_finalize(struct command_buffer *buffer)
{
	REQUIRE(buffer, CL_INVALID_COMMAND_BUFFER_KHR);

	pthread_mutex_lock(&buffer->lock);
	cl_int rc = finalize_locked(buffer);
	pthread_mutex_unlock(&buffer->lock);
	return rc;
}

/* The queue to use: the one of the list, or the one that the buffer was made with. */
static cl_int choose_queue(const struct command_buffer *buffer, cl_uint n,
	const cl_command_queue *queues, struct queue **out)
{
	REQUIRE(!n == !queues, CL_INVALID_VALUE);
	REQUIRE(n <= 1, error_say(CL_INVALID_VALUE, "the command buffer has one queue"));
	struct queue *queue = n ? queue_from(queues[0]) : buffer->queue;
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(!(queue->properties & ~(cl_command_queue_properties)COMMAND_BUFFER_QUEUES),
		CL_INCOMPATIBLE_COMMAND_QUEUE_KHR);
	REQUIRE(queue->device == buffer->queue->device, CL_INVALID_DEVICE);
	REQUIRE(queue->context == buffer->queue->context, CL_INVALID_CONTEXT);
	*out = queue;
	return CL_SUCCESS;
}

/* The lock is held. Updates may complete the arguments, and never unset one. */
static bool is_executable(struct command_buffer *buffer)
{
	buffer->executable = buffer->executable || is_complete(buffer);
	return buffer->executable;
}

static cl_int check_executable(struct command_buffer *buffer)
{
	REQUIRE(buffer->finalized,
		error_say(CL_INVALID_OPERATION, "the command buffer was not finalized"));
	REQUIRE(is_executable(buffer), error_say(CL_INVALID_OPERATION,
					       "a kernel of the command buffer lacks an argument"));
	return CL_SUCCESS;
}

cl_int command_buffer_enqueue(cl_uint n_queues, const cl_command_queue *queues,
	struct command_buffer *buffer, const struct event_args *events)
{
	struct command command = { .type = CL_COMMAND_COMMAND_BUFFER_KHR };
	struct recording *recording = NULL;
	struct queue *queue = NULL;

	REQUIRE(buffer, CL_INVALID_COMMAND_BUFFER_KHR);

	pthread_mutex_lock(&buffer->lock);
	cl_int rc = check_executable(buffer);
	if (!rc)
		rc = choose_queue(buffer, n_queues, queues, &queue);
	if (!rc)
		rc = recording_acquire(buffer, &recording);
	pthread_mutex_unlock(&buffer->lock);
	if (rc)
		return rc;
	command.kind = recording_is_empty(recording) ? COMMAND_NOTHING : COMMAND_REPLAY;
	command.recording = recording;
	rc = queue_submit(queue, &command, events);
	recording_put(recording);
	return rc;
}

static cl_int answer_state(const void *object, const struct info *info)
{
	struct command_buffer *buffer = (struct command_buffer *)(uintptr_t)object;

	pthread_mutex_lock(&buffer->lock);
	cl_command_buffer_state_khr state =
		!buffer->finalized	? CL_COMMAND_BUFFER_STATE_RECORDING_KHR
		: is_executable(buffer) ? CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR
					: CL_COMMAND_BUFFER_STATE_FINALIZED_KHR;
	pthread_mutex_unlock(&buffer->lock);
	return info_bytes(info, &state, sizeof(state));
}

static const struct info_row rows[] = {
	INFO_CONSTANT(CL_COMMAND_BUFFER_NUM_QUEUES_KHR, cl_uint, 1),
	INFO_FIELD(CL_COMMAND_BUFFER_QUEUES_KHR, struct command_buffer, queue),
	INFO_FN(CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, info_references),
	INFO_FN(CL_COMMAND_BUFFER_STATE_KHR, answer_state),
	INFO_LIST(CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, struct command_buffer, properties,
		n_properties),
	INFO_VIA(CL_COMMAND_BUFFER_CONTEXT_KHR, struct command_buffer, queue, context),
};

INFO_DEFINE(command_buffer, cl_command_buffer_info_khr, CL_INVALID_COMMAND_BUFFER_KHR)
