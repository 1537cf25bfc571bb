// SPDX-License-Identifier: MIT
#include "core/command_buffer/command_buffer_record.h"

#include "compile/base/pool.h"
#include "core/base/error.h"

#include <stdlib.h>
#include <string.h>

static void recorded_destroy(struct obj *obj)
{
	struct recorded *recorded = (struct recorded *)(void *)obj;

	command_drop(recorded->command);
	kernel_put(recorded->kernel);
	kernel_put(recorded->original);
	free(recorded->waits);
	free(recorded->properties);
	obj_free(recorded);
}

static cl_int record_check(const struct record *record)
{
	const struct command_buffer *buffer = record->buffer;

	REQUIRE(!buffer->finalized,
		error_say(CL_INVALID_OPERATION, "the command buffer was finalized"));
	REQUIRE(record->type == CL_COMMAND_NDRANGE_KERNEL || !record->properties ||
			!record->properties[0],
		error_say(CL_INVALID_VALUE, "the command has no properties"));
	REQUIRE(record->type == CL_COMMAND_NDRANGE_KERNEL || !record->handle,
		error_say(CL_INVALID_VALUE, "only kernels can be updated"));
	REQUIRE(!record->n_waits == !record->waits, CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
	for (cl_uint i = 0; i < record->n_waits; i++)
		REQUIRE(record->waits[i] && record->waits[i] <= buffer->n_commands,
			error_say(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
				"%u is no sync point of the command buffer", record->waits[i]));
	return CL_SUCCESS;
}

/* Room for one command more, and the command. */
static cl_int record_prepare(const struct record *record)
{
	struct command_buffer *buffer = record->buffer;

	if (buffer->n_commands == buffer->max_commands) {
		cl_uint max = buffer->max_commands * 2 + 16;
		struct recorded **commands = reallocarray(buffer->commands, max, sizeof(*commands));

		if (!commands)
			return CL_OUT_OF_HOST_MEMORY;
		buffer->commands = commands;
		buffer->max_commands = max;
	}
	struct recorded *recorded = calloc(1, sizeof(*recorded));
	if (!recorded)
		return CL_OUT_OF_HOST_MEMORY;
	obj_init(&recorded->base, OBJ_RECORDED, &buffer->base, recorded_destroy);
	recorded->buffer = buffer;
	recorded->type = record->type;
	recorded->waits = bytes_copy(record->waits, record->n_waits * sizeof(*recorded->waits));
	if (!recorded->waits) {
		recorded_put(recorded);
		return CL_OUT_OF_HOST_MEMORY;
	}
	recorded->n_waits = record->n_waits;
	buffer->next = recorded;
	return CL_SUCCESS;
}

cl_int record_begin(const struct record *record)
{
	struct command_buffer *buffer = record->buffer;

	REQUIRE(buffer, CL_INVALID_COMMAND_BUFFER_KHR);
	REQUIRE(!record->queue,
		error_say(CL_INVALID_COMMAND_QUEUE, "a command buffer has one queue, which is not "
						    "named"));

	pthread_mutex_lock(&buffer->lock);
	cl_int rc = record_check(record);
	if (!rc)
		rc = record_prepare(record);
	if (rc)
		pthread_mutex_unlock(&buffer->lock);
	return rc;
}

cl_int record_end(const struct record *record, cl_int rc)
{
	struct command_buffer *buffer = record->buffer;
	struct recorded *recorded = buffer->next;

	if (rc) {
		recorded_put(recorded);
	} else {
		buffer->commands[buffer->n_commands++] = recorded;
		if (record->sync_point)
			*record->sync_point = buffer->n_commands;
		if (record->handle)
			*record->handle = recorded_handle(recorded);
	}
	buffer->next = NULL;
	pthread_mutex_unlock(&buffer->lock);
	return rc;
}

cl_int record_barrier(const struct record *record)
{
	record->buffer->next->is_barrier = true;
	return CL_SUCCESS;
}

static cl_int read_fields(
	struct recorded *recorded, command_buffer_property value, bool *may_lack_args)
{
	const cl_mutable_dispatch_fields_khr known =
		CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |
		CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |
		CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;

	REQUIRE(!(value & ~known), CL_INVALID_VALUE);
	REQUIRE(!(value & ~(command_buffer_property)COMMAND_BUFFER_FIELDS),
		error_say(CL_INVALID_OPERATION, "0x%llx cannot be updated",
			(unsigned long long)value));
	recorded->fields = value;
	*may_lack_args = value & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR &&
			 recorded->buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR;
	return CL_SUCCESS;
}

static cl_int read_properties(
	struct recorded *recorded, const command_buffer_property *list, bool *may_lack_args)
{
	size_t n = 0;

	recorded->fields = COMMAND_BUFFER_FIELDS;
	recorded->keeps_groups = recorded->buffer->keeps_groups;
	for (; list && list[n]; n += 2) {
		command_buffer_property value = list[n + 1];
		cl_int rc = CL_SUCCESS;

		if (list[n] == CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR) {
			rc = read_fields(recorded, value, may_lack_args);
		} else {
			REQUIRE(list[n] == CL_MUTABLE_DISPATCH_ASSERTS_KHR,
				error_say(CL_INVALID_VALUE, "0x%llx is no property of a launch",
					(unsigned long long)list[n]));
			REQUIRE(value <= CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR,
				CL_INVALID_VALUE);
			recorded->keeps_groups |= value != 0;
		}
		if (rc)
			return rc;
	}
	if (!list)
		return CL_SUCCESS;
	recorded->n_properties = n + 1;
	recorded->properties = bytes_copy(list, (n + 1) * sizeof(*list));
	return recorded->properties ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

cl_int record_launch(const struct record *record, struct kernel *kernel, cl_uint dims,
	const size_t *offset, const size_t *global, const size_t *local)
{
	struct recorded *recorded = record->buffer->next;
	const struct queue *queue = record->buffer->queue;
	bool may_lack_args = false;

	REQUIRE(kernel, CL_INVALID_KERNEL);
	REQUIRE(kernel->base.context == queue->context, CL_INVALID_CONTEXT);
	cl_int rc = read_properties(recorded, record->properties, &may_lack_args);
	if (rc)
		return rc;
	REQUIRE(local || !recorded->keeps_groups,
		error_say(
			CL_INVALID_VALUE, "a number of groups was promised, but no size of them"));

	if ((rc = kernel_clone(kernel, &recorded->kernel)))
		return rc;
	recorded->original = kernel_get(kernel);
	recorded->has_local = local;
	rc = ndrange_check_args(recorded->kernel, queue->device);
	if (rc == CL_INVALID_KERNEL_ARGS && may_lack_args)
		rc = CL_SUCCESS;
	if (!rc)
		rc = ndrange_resolve_sizes(recorded->kernel, queue->device, dims, offset, global,
			local, &recorded->range);
	return rc;
}
