// SPDX-License-Identifier: MIT
#include "core/command_buffer/command_buffer.h"

#include "core/command_buffer/command_buffer_recording.h"
#include "core/base/error.h"
#include "core/base/info.h"
#include "core/kernel/kernel_pointer.h"

#include <stdlib.h>
#include <string.h>

/* What a recorded launch becomes when all of the update is right. */
struct change {
	struct recorded *recorded;
	struct kernel *kernel; /* a clone of the clone */
	struct ndrange range;
	bool has_local;
};

struct changes {
	cl_uint n;
	struct change *items;
};

static bool is_ragged(const struct ndrange *range)
{
	for (int i = 0; i < 3; i++)
		if (range->local[i] && range->global[i] % range->local[i])
			return true;
	return false;
}

/* Whether the list and its length agree, and the command was recorded so that it may be updated. */
static cl_int check_list(const struct recorded *recorded, cl_uint n, const void *list,
	cl_mutable_dispatch_fields_khr field)
{
	REQUIRE(!n || recorded->fields & field,
		error_say(CL_INVALID_OPERATION, "the command was not recorded as one in which "
						"this can be updated"));
	REQUIRE(!n == !list, CL_INVALID_VALUE);
	return CL_SUCCESS;
}

static cl_int check_sizes(
	const struct recorded *recorded, const size_t *sizes, cl_mutable_dispatch_fields_khr field)
{
	return check_list(recorded, sizes != NULL, sizes, field);
}

static cl_int check_config(
	const struct command_buffer *buffer, const struct command_buffer_dispatch_config *config)
{
	struct recorded *recorded = recorded_from(config->command);
	cl_int rc;

	REQUIRE(recorded && recorded->buffer == buffer && recorded->kernel,
		CL_INVALID_MUTABLE_COMMAND_KHR);
	REQUIRE(!config->work_dim || config->work_dim == recorded->range.dims,
		error_say(CL_INVALID_OPERATION, "the command was recorded with %u dimensions",
			recorded->range.dims));
	(void)((rc = check_sizes(recorded, config->global_work_offset,
			CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR)) ||
		(rc = check_sizes(recorded, config->global_work_size,
			 CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR)) ||
		(rc = check_sizes(
			 recorded, config->local_work_size, CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR)) ||
		(rc = check_list(recorded, config->num_args, config->arg_list,
			 CL_MUTABLE_DISPATCH_ARGUMENTS_KHR)) ||
		(rc = check_list(recorded, config->num_svm_args, config->arg_svm_list,
			 CL_MUTABLE_DISPATCH_ARGUMENTS_KHR)) ||
		(rc = check_list(recorded, config->num_exec_infos, config->exec_info_list,
			 CL_MUTABLE_DISPATCH_EXEC_INFO_KHR)));
	return rc;
}

/* The change of that command: of an earlier configuration of the same update, or a new one. */
static cl_int find_change(struct changes *changes, struct recorded *recorded, struct change **out)
{
	for (cl_uint i = 0; i < changes->n; i++)
		if (changes->items[i].recorded == recorded) {
			*out = &changes->items[i];
			return CL_SUCCESS;
		}
	struct change *change = &changes->items[changes->n];
	*change = (struct change){
		.recorded = recorded, .range = recorded->range, .has_local = recorded->has_local
	};
	cl_int rc = kernel_clone(recorded->kernel, &change->kernel);
	if (rc)
		return rc;
	changes->n++;
	*out = change;
	return CL_SUCCESS;
}

static cl_int change_args(
	struct kernel *kernel, const struct command_buffer_dispatch_config *config)
{
	cl_int rc = CL_SUCCESS;

	for (cl_uint i = 0; !rc && i < config->num_args; i++)
		rc = kernel_set_arg(kernel, config->arg_list[i].arg_index,
			config->arg_list[i].arg_size, config->arg_list[i].arg_value);
	for (cl_uint i = 0; !rc && i < config->num_svm_args; i++)
		rc = kernel_set_svm_pointer(kernel, config->arg_svm_list[i].arg_index,
			config->arg_svm_list[i].arg_value);
	for (cl_uint i = 0; !rc && i < config->num_exec_infos; i++)
		rc = kernel_set_exec_info(kernel, config->exec_info_list[i].param_name,
			config->exec_info_list[i].param_value_size,
			config->exec_info_list[i].param_value);
	return rc;
}

static cl_int change_resolve(struct change *change, const struct device *device,
	const struct command_buffer_dispatch_config *config)
{
	struct kernel *kernel = change->kernel;
	const struct ndrange old = change->range;
	const size_t *offset = config->global_work_offset ? config->global_work_offset : old.offset;
	const size_t *global = config->global_work_size ? config->global_work_size : old.global;
	const size_t *local = config->local_work_size ? config->local_work_size
			      : change->has_local     ? old.local
						      : NULL;
	cl_int rc = ndrange_check_args(kernel, device);

	/* arguments that were never set may come with another update */
	if (rc && rc != CL_INVALID_KERNEL_ARGS)
		return rc;
	rc = ndrange_resolve_sizes(kernel, device, old.dims, offset, global, local, &change->range);
	if (rc)
		return rc;
	REQUIRE(!change->has_local || is_ragged(&old) == is_ragged(&change->range),
		error_say(CL_INVALID_OPERATION,
			"work-groups of one size cannot become ones of several, nor the reverse"));
	change->has_local = local;
	return CL_SUCCESS;
}

static cl_int changes_prepare(const struct command_buffer *buffer, struct changes *changes,
	const struct command_buffer_dispatch_config *config)
{
	struct change *change;
	cl_int rc = check_config(buffer, config);

	if (rc || (rc = find_change(changes, recorded_from(config->command), &change)) ||
		(rc = change_args(change->kernel, config)))
		return rc;
	return change_resolve(change, buffer->queue->device, config);
}

/*
 * Exchanges the kernels of the commands for those of the changes. Returns the idle recordings,
 * which are of the version before; the caller destroys them.
 */
static struct batch *changes_apply(struct command_buffer *buffer, struct changes *changes)
{
	struct batch *outdated = buffer->idle;

	for (cl_uint i = 0; i < changes->n; i++) {
		struct change *change = &changes->items[i];
		struct kernel *old = change->recorded->kernel;

		change->recorded->kernel = change->kernel;
		change->recorded->range = change->range;
		change->recorded->has_local = change->has_local;
		change->kernel = old;
	}
	if (!changes->n)
		return NULL;
	buffer->version++;
	buffer->idle = NULL;
	buffer->n_idle = 0;
	return outdated;
}

static cl_int update_dispatches(struct command_buffer *buffer, cl_uint n, const void **configs)
{
	struct changes changes = { .items = calloc((size_t)n + 1, sizeof(struct change)) };
	struct batch *outdated = NULL;
	cl_int rc = changes.items ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;

	pthread_mutex_lock(&buffer->lock);
	for (cl_uint i = 0; !rc && i < n; i++)
		rc = changes_prepare(buffer, &changes, configs[i]);
	if (!rc)
		outdated = changes_apply(buffer, &changes);
	pthread_mutex_unlock(&buffer->lock);
	recording_destroy_idle(outdated);
	for (cl_uint i = 0; i < changes.n; i++)
		kernel_put(changes.items[i].kernel);
	free(changes.items);
	return rc;
}

cl_int command_buffer_update(struct command_buffer *buffer, cl_uint n,
	const command_buffer_update_type *types, const void **configs)
{
	REQUIRE(buffer, CL_INVALID_COMMAND_BUFFER_KHR);
	pthread_mutex_lock(&buffer->lock);
	bool finalized = buffer->finalized;
	pthread_mutex_unlock(&buffer->lock);
	REQUIRE(finalized, error_say(CL_INVALID_OPERATION, "the command buffer was not finalized"));
	REQUIRE(buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR,
		error_say(CL_INVALID_OPERATION, "the command buffer was not made to be updated"));
	REQUIRE(!n == !types && !n == !configs, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n; i++)
		REQUIRE(types[i] == COMMAND_BUFFER_UPDATE_DISPATCH, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n; i++)
		REQUIRE(configs[i], CL_INVALID_VALUE);

	return update_dispatches(buffer, n, configs);
}

static cl_int answer_offset(const void *object, const struct info *info)
{
	const struct ndrange *range = &((const struct recorded *)object)->range;

	return info_bytes(info, range->offset, range->dims * sizeof(*range->offset));
}

static cl_int answer_global(const void *object, const struct info *info)
{
	const struct ndrange *range = &((const struct recorded *)object)->range;

	return info_bytes(info, range->global, range->dims * sizeof(*range->global));
}

static cl_int answer_local(const void *object, const struct info *info)
{
	static const size_t none[3];
	const struct recorded *recorded = object;

	return info_bytes(info, recorded->has_local ? recorded->range.local : none,
		recorded->range.dims * sizeof(*none));
}

/* Handles are given for launches only. */
static const struct info_row rows[] = {
	INFO_VIA(CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, struct recorded, buffer, queue),
	INFO_FIELD(CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, struct recorded, buffer),
	INFO_FIELD(CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, struct recorded, type),
	INFO_LIST(
		CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, struct recorded, properties, n_properties),
	INFO_FIELD(CL_MUTABLE_DISPATCH_KERNEL_KHR, struct recorded, original),
	INFO_FIELD(CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, struct recorded, range.dims),
	INFO_FN(CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, answer_offset),
	INFO_FN(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, answer_global),
	INFO_FN(CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, answer_local),
};

cl_int recorded_info(
	struct recorded *recorded, cl_mutable_command_info_khr param, const struct info *info)
{
	REQUIRE(recorded, CL_INVALID_MUTABLE_COMMAND_KHR);

	struct command_buffer *buffer = recorded->buffer;
	pthread_mutex_lock(&buffer->lock);
	cl_int rc = INFO_GET(rows, recorded, param, info);
	pthread_mutex_unlock(&buffer->lock);
	return rc;
}
