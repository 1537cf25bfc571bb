// SPDX-License-Identifier: MIT
#include "core/command/enqueue.h"

#include "core/base/error.h"
#include "core/queue/relaunch.h"

#include <string.h>

cl_int command_ndrange(struct queue *queue, struct kernel *kernel, cl_command_type type,
	cl_uint dims, const size_t *offset, const size_t *global, const size_t *local,
	const struct event_args *events)
{
	struct command command; /* most of it is for others */
	struct ndrange *range = &command.launch.range;

	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(kernel, CL_INVALID_KERNEL);
	REQUIRE(kernel->program->context == queue->context, CL_INVALID_CONTEXT);

	const struct relaunch again = { kernel, type, dims, offset, global, local };
	cl_int rc;
	if (relaunch(queue, &again, events, &rc))
		return rc;
	rc = ndrange_resolve(kernel, queue->device, dims, offset, global, local, range);
	if (rc)
		return rc;
	memset(&command, 0, offsetof(struct command, copy));
	command.kind = COMMAND_LAUNCH;
	command.type = type;
	command.launch.kernel = kernel;
	command.launch.is_chosen = !local;
	command.launch.args = NULL;
	if (!range->groups[0] || !range->groups[1] || !range->groups[2])
		command.kind = COMMAND_NOTHING;
	else
		ndrange_regroup(kernel, queue->device, range);
	return queue_submit(queue, &command, events);
}

cl_int command_marker(struct queue *queue, cl_command_type type, const struct event_args *events)
{
	struct command command = { .kind = COMMAND_NOTHING, .type = type };

	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);

	return queue_submit(queue, &command, events);
}

cl_int command_migrate(struct queue *queue, cl_uint n, const cl_mem *mems,
	cl_mem_migration_flags flags, const struct event_args *events)
{
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(n && mems, CL_INVALID_VALUE);
	REQUIRE(!(flags & ~COMMAND_MIGRATION_FLAGS), CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n; i++)
		REQUIRE(mem_from(mems[i]), CL_INVALID_MEM_OBJECT);
	for (cl_uint i = 0; i < n; i++)
		REQUIRE(mem_from(mems[i])->context == queue->context, CL_INVALID_CONTEXT);

	return command_marker(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, events);
}

cl_int command_set_fill(struct command *command, char *to, size_t offset, const void *pattern,
	size_t pattern_size, size_t size)
{
	REQUIRE(pattern, CL_INVALID_VALUE);
	REQUIRE(pattern_size && pattern_size <= COMMAND_MAX_PATTERN &&
			!(pattern_size & (pattern_size - 1)),
		CL_INVALID_VALUE);
	REQUIRE(offset % pattern_size == 0 && size % pattern_size == 0, CL_INVALID_VALUE);

	command->kind = size ? COMMAND_FILL : COMMAND_NOTHING;
	command->fill.to = to;
	command->fill.size = size;
	command->fill.pattern_size = pattern_size;
	memcpy(command->fill.pattern, pattern, pattern_size);
	return CL_SUCCESS;
}

cl_int command_hand_over(struct queue *queue, cl_command_type type, cl_uint n, const cl_mem *mems,
	const struct event_args *events)
{
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(!n == !mems, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n; i++) {
		const struct mem *mem = mem_from(mems[i]);

		REQUIRE(mem && mem->only && !mem->parent,
			error_say(CL_INVALID_MEM_OBJECT, "object %u was not imported", i));
	}
	for (cl_uint i = 0; i < n; i++)
		REQUIRE(mem_from(mems[i])->only == queue->device,
			error_say(CL_INVALID_COMMAND_QUEUE, "the memory is of another device"));

	/* the memory is where it was: its other users are behind a place in the queue */
	return command_marker(queue, type, events);
}
