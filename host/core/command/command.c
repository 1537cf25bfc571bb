// SPDX-License-Identifier: MIT
#include "core/command/command.h"

#include "core/command_buffer/command_buffer_recording.h"
#include "core/base/error.h"

#include <stdlib.h>
#include <string.h>

cl_int command_ndrange(struct queue *queue, struct kernel *kernel, cl_command_type type,
	cl_uint dims, const size_t *offset, const size_t *global, const size_t *local,
	cl_uint n_wait, const cl_event *wait, cl_event *event)
{
	struct command command = { .kind = COMMAND_LAUNCH, .type = type };
	struct ndrange *range = &command.launch.range;

	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(kernel, CL_INVALID_KERNEL);
	REQUIRE(kernel->program->context == queue->context, CL_INVALID_CONTEXT);

	pthread_mutex_lock(&kernel->lock);
	cl_int rc = ndrange_resolve(kernel, queue->device, dims, offset, global, local, range);
	pthread_mutex_unlock(&kernel->lock);
	if (rc)
		return rc;
	command.launch.kernel = kernel;
	if (!range->groups[0] || !range->groups[1] || !range->groups[2])
		command.kind = COMMAND_NOTHING;
	return queue_submit(queue, &command, n_wait, wait, event);
}

cl_int command_marker(struct queue *queue, cl_command_type type, cl_uint n_wait,
	const cl_event *wait, cl_event *event)
{
	struct command command = { .kind = COMMAND_NOTHING, .type = type };

	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);

	return queue_submit(queue, &command, n_wait, wait, event);
}

cl_int command_migrate(struct queue *queue, cl_uint n, const cl_mem *mems,
	cl_mem_migration_flags flags, cl_uint n_wait, const cl_event *wait, cl_event *event)
{
	/* host and device share the memory: nothing moves */
	struct command command = { .kind = COMMAND_NOTHING,
		.type = CL_COMMAND_MIGRATE_MEM_OBJECTS };
	const cl_mem_migration_flags known =
		CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;

	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(n && mems, CL_INVALID_VALUE);
	REQUIRE(!(flags & ~known), CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n; i++)
		REQUIRE(mem_from(mems[i]), CL_INVALID_MEM_OBJECT);
	for (cl_uint i = 0; i < n; i++)
		REQUIRE(mem_from(mems[i])->context == queue->context, CL_INVALID_CONTEXT);

	return queue_submit(queue, &command, n_wait, wait, event);
}

static void drop_args(struct kernel_arg *args, cl_uint n)
{
	for (cl_uint i = 0; args && i < n; i++) {
		obj_put(kernel_arg_obj(&args[i]));
		if (args[i].kind == KERNEL_ARG_VALUE)
			free(args[i].value);
	}
	free(args);
}

/* A copy of the arguments as they are, with references and memory of its own. */
static struct kernel_arg *keep_args(const struct kernel_arg *args, cl_uint n)
{
	struct kernel_arg *copy = calloc(n + 1, sizeof(*copy));

	for (cl_uint i = 0; copy && i < n; i++) {
		copy[i] = args[i];
		copy[i].value = NULL;
		if (kernel_arg_obj(&args[i]))
			obj_get(kernel_arg_obj(&args[i]));
		if (args[i].kind != KERNEL_ARG_VALUE)
			continue;
		copy[i].value = malloc(args[i].size + 1);
		if (!copy[i].value) {
			drop_args(copy, i);
			return NULL;
		}
		memcpy(copy[i].value, args[i].value, args[i].size);
	}
	return copy;
}

cl_int command_keep(const struct command *command, struct command **out)
{
	struct command *copy = malloc(sizeof(*copy));

	if (!copy)
		return CL_OUT_OF_HOST_MEMORY;
	*copy = *command;
	if (command->kind == COMMAND_LAUNCH) {
		struct kernel *kernel = command->launch.kernel;
		const struct kernel_arg *args =
			command->launch.args ? command->launch.args : kernel->args;

		pthread_mutex_lock(&kernel->lock);
		copy->launch.args = keep_args(args, kernel->n_args);
		pthread_mutex_unlock(&kernel->lock);
		if (!copy->launch.args) {
			free(copy);
			return CL_OUT_OF_HOST_MEMORY;
		}
		kernel_get(kernel);
	}
	if (command->kind == COMMAND_REPLAY)
		recording_get(copy->recording);
	for (int i = 0; i < COMMAND_MAX_MEMS; i++)
		if (copy->mems[i])
			mem_get(copy->mems[i]);
	*out = copy;
	return CL_SUCCESS;
}

void command_drop(struct command *command)
{
	if (!command)
		return;
	for (int i = 0; i < COMMAND_MAX_MEMS; i++)
		mem_put(command->mems[i]);
	if (command->kind == COMMAND_REPLAY)
		recording_put(command->recording);
	if (command->kind == COMMAND_LAUNCH) {
		drop_args(command->launch.args, command->launch.kernel->n_args);
		kernel_put(command->launch.kernel);
	}
	free(command);
}
