// SPDX-License-Identifier: MIT
#include "core/command/usm_command.h"

#include "core/base/error.h"
#include "core/command/svm_command.h"
#include "core/memory/usm.h"

#include <string.h>

/* Advice that the extension keeps numbers for; it has given none a meaning. */
#define FIRST_ADVICE 0x4208
#define LAST_ADVICE  0x420f

/* One end of a copy: whether the device reaches it, and whether the host does. Neither: another
 * device has it for itself. */
struct end {
	bool device, host;
};

static struct end look_up(struct queue *queue, const void *pointer)
{
	struct usm_block block;

	if (!usm_find(queue->context, pointer, &block))
		return (struct end){ .host = true };
	if (block.type != USM_DEVICE)
		return (struct end){ .device = true, .host = true };
	return (struct end){ .device = block.device == queue->device };
}

static cl_int check_end(const struct end *end)
{
	REQUIRE(end->device || end->host,
		error_say(CL_INVALID_OPERATION, "the memory is of another device"));
	return CL_SUCCESS;
}

static cl_int check_queue(struct queue *queue, cl_command_type type)
{
	if (type == CL_COMMAND_SVM_MEMCPY || type == CL_COMMAND_SVM_MEMFILL)
		return svm_check_queue(queue);
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	return CL_SUCCESS;
}

cl_int usm_copy(struct queue *queue, cl_command_type type, cl_bool blocking, void *to,
	const void *from, size_t size, const struct event_args *events)
{
	struct command command = { .kind = COMMAND_COPY, .type = type, .blocking = blocking };
	cl_int rc = check_queue(queue, type);

	if (rc)
		return rc;
	REQUIRE((to && from) || !size, CL_INVALID_VALUE);
	uintptr_t a = (uintptr_t)from, b = (uintptr_t)to;
	REQUIRE(!size || (a < b ? b - a : a - b) >= size, CL_MEM_COPY_OVERLAP);

	struct end at_to = look_up(queue, to), at_from = look_up(queue, from);
	if ((rc = check_end(&at_to)) || (rc = check_end(&at_from)))
		return rc;
	command.copy = (struct box_copy){
		.to = { .address = to, .row_pitch = size, .slice_pitch = size },
		.from = { .address = (char *)(uintptr_t)from,
			.row_pitch = size,
			.slice_pitch = size },
		.region = { size, 1, 1 },
		.to_host = !at_to.device,
		.from_host = !at_from.device,
	};
	if (!at_to.host || !at_from.host)
		command.where = COMMAND_ON_DEVICE;
	else if (!at_to.device && !at_from.device)
		command.where = COMMAND_ON_HOST;
	if (!size)
		command.kind = COMMAND_NOTHING;
	return queue_submit(queue, &command, events);
}

cl_int usm_fill(struct queue *queue, cl_command_type type, void *to, const void *pattern,
	size_t pattern_size, size_t size, const struct event_args *events)
{
	struct command command = { .type = type };
	cl_int rc = check_queue(queue, type);

	if (rc)
		return rc;
	REQUIRE(to || !size, CL_INVALID_VALUE);
	struct end end = look_up(queue, to);
	rc = command_set_fill(&command, to, size ? (uintptr_t)to : 0, pattern, pattern_size, size);
	if (rc || (rc = check_end(&end)))
		return rc;
	command.where = !end.host     ? COMMAND_ON_DEVICE
			: !end.device ? COMMAND_ON_HOST
				      : COMMAND_ANYWHERE;
	return queue_submit(queue, &command, events);
}

cl_int usm_migrate(struct queue *queue, const void *pointer, size_t size,
	cl_mem_migration_flags flags, const struct event_args *events)
{
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(pointer, CL_INVALID_VALUE);
	REQUIRE(size, CL_INVALID_VALUE);
	REQUIRE(!(flags & ~COMMAND_MIGRATION_FLAGS), CL_INVALID_VALUE);

	/* host and device share the memory, or the driver moves it when it is touched */
	return command_marker(queue, CL_COMMAND_MIGRATEMEM_INTEL, events);
}

cl_int usm_advise(struct queue *queue, const void *pointer, size_t size, cl_mem_advice_intel advice,
	const struct event_args *events)
{
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(pointer, CL_INVALID_VALUE);
	REQUIRE(size, CL_INVALID_VALUE);
	REQUIRE(!advice || (advice >= FIRST_ADVICE && advice <= LAST_ADVICE), CL_INVALID_VALUE);

	return command_marker(queue, CL_COMMAND_MEMADVISE_INTEL, events);
}

cl_int usm_free_blocking(struct context *context, void *pointer)
{
	cl_int rc = usm_check_free(context, pointer);

	if (rc || !pointer)
		return rc;
	queue_finish_all(context);
	return usm_free(context, pointer);
}
