// SPDX-License-Identifier: MIT
#include "core/command/copy.h"

#include "core/base/error.h"
#include "core/command/image_copy.h"

#include <stdint.h>
#include <string.h>

static struct box plain_box(char *address, size_t size)
{
	return (struct box){ .address = address, .row_pitch = size, .slice_pitch = size };
}

static bool is_within(const struct mem *mem, size_t offset, size_t size)
{
	return offset <= mem->size && size <= mem->size - offset;
}

/* What clEnqueueReadBuffer and clEnqueueWriteBuffer have in common. */
static cl_int transfer(struct queue *queue, struct mem *mem, struct command *command, size_t offset,
	size_t size, char *host, const struct event_args *events)
{
	bool write = command->type == CL_COMMAND_WRITE_BUFFER;
	cl_int rc;

	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(mem && mem->type == CL_MEM_OBJECT_BUFFER, CL_INVALID_MEM_OBJECT);
	REQUIRE(mem->context == queue->context, CL_INVALID_CONTEXT);
	REQUIRE(host, CL_INVALID_VALUE);
	REQUIRE(is_within(mem, offset, size),
		error_say(CL_INVALID_VALUE, "%zu bytes at %zu of a buffer of %zu", size, offset,
			mem->size));
	if ((rc = mem_check_access(mem, write ? MEM_NO_WRITE : MEM_NO_READ)))
		return rc;

	struct box ours = plain_box(mem->address + offset, size);
	struct box theirs = plain_box(host, size);
	command->kind = size ? COMMAND_COPY : COMMAND_NOTHING;
	command->mems[0] = mem;
	command->copy = (struct box_copy){ .to = write ? ours : theirs,
		.from = write ? theirs : ours,
		.region = { size, 1, 1 },
		.from_host = write,
		.to_host = !write };
	return queue_submit(queue, command, events);
}

cl_int copy_read(struct queue *queue, struct mem *mem, cl_bool blocking, size_t offset, size_t size,
	void *to, const struct event_args *events)
{
	struct command command = { .type = CL_COMMAND_READ_BUFFER, .blocking = blocking };

	return transfer(queue, mem, &command, offset, size, to, events);
}

cl_int copy_write(struct queue *queue, struct mem *mem, cl_bool blocking, size_t offset,
	size_t size, const void *from, const struct event_args *events)
{
	struct command command = { .type = CL_COMMAND_WRITE_BUFFER, .blocking = blocking };

	/* the copy reads it only */
	return transfer(queue, mem, &command, offset, size, (char *)(uintptr_t)from, events);
}

/* *sum += a * b; false if that is more than a size_t. */
static bool add_product(size_t a, size_t b, size_t *sum)
{
	size_t product;

	return !__builtin_mul_overflow(a, b, &product) &&
	       !__builtin_add_overflow(*sum, product, sum);
}

/*
 * One end of a rect: the default pitches, their rules, and the room in `mem` (NULL: memory of the
 * application's, whose size nobody knows).
 */
static cl_int make_box(struct box *box, char *address, const struct mem *mem, const size_t *origin,
	const size_t *region, size_t row_pitch, size_t slice_pitch)
{
	size_t end = 0;

	row_pitch = row_pitch ? row_pitch : region[0];
	REQUIRE(row_pitch >= region[0], CL_INVALID_VALUE);
	size_t least = 0;
	REQUIRE(add_product(row_pitch, region[1], &least), CL_INVALID_VALUE);
	slice_pitch = slice_pitch ? slice_pitch : least;
	REQUIRE(slice_pitch >= least && slice_pitch % row_pitch == 0, CL_INVALID_VALUE);
	REQUIRE(add_product(origin[0], 1, &end) && add_product(region[0], 1, &end) &&
			add_product(origin[1], row_pitch, &end) &&
			add_product(region[1] - 1, row_pitch, &end) &&
			add_product(origin[2], slice_pitch, &end) &&
			add_product(region[2] - 1, slice_pitch, &end),
		CL_INVALID_VALUE);
	REQUIRE(!mem || end <= mem->size,
		error_say(CL_INVALID_VALUE, "the region ends at %zu of a buffer of %zu", end,
			mem ? mem->size : 0));
	*box = (struct box){ .address = address,
		.origin = { origin[0], origin[1], origin[2] },
		.row_pitch = row_pitch,
		.slice_pitch = slice_pitch };
	return CL_SUCCESS;
}

/* Checks a rect and makes its copy; `to` or `from` is NULL where the end is `host`. */
static cl_int make_rect(struct command *command, const struct copy_rect *rect, struct mem *to,
	struct mem *from, char *host)
{
	struct box_copy *copy = &command->copy;
	cl_int rc;

	REQUIRE(rect->to_origin && rect->from_origin && rect->region, CL_INVALID_VALUE);
	REQUIRE(rect->region[0] && rect->region[1] && rect->region[2], CL_INVALID_VALUE);
	if ((rc = make_box(&copy->to, to ? to->address : host, to, rect->to_origin, rect->region,
		     rect->to_row_pitch, rect->to_slice_pitch)) ||
		(rc = make_box(&copy->from, from ? from->address : host, from, rect->from_origin,
			 rect->region, rect->from_row_pitch, rect->from_slice_pitch)))
		return rc;
	memcpy(copy->region, rect->region, sizeof(copy->region));
	copy->to_host = !to;
	copy->from_host = !from;
	command->kind = COMMAND_COPY;
	command->mems[0] = to;
	command->mems[1] = from;
	return CL_SUCCESS;
}

static cl_int transfer_rect(struct queue *queue, struct mem *mem, struct command *command,
	const struct copy_rect *rect, char *host, const struct event_args *events)
{
	bool write = command->type == CL_COMMAND_WRITE_BUFFER_RECT;
	cl_int rc;

	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(mem && mem->type == CL_MEM_OBJECT_BUFFER, CL_INVALID_MEM_OBJECT);
	REQUIRE(mem->context == queue->context, CL_INVALID_CONTEXT);
	REQUIRE(host, CL_INVALID_VALUE);
	if ((rc = make_rect(command, rect, write ? mem : NULL, write ? NULL : mem, host)) ||
		(rc = mem_check_access(mem, write ? MEM_NO_WRITE : MEM_NO_READ)))
		return rc;

	return queue_submit(queue, command, events);
}

cl_int copy_read_rect(struct queue *queue, struct mem *mem, cl_bool blocking,
	const struct copy_rect *rect, void *to, const struct event_args *events)
{
	struct command command = { .type = CL_COMMAND_READ_BUFFER_RECT, .blocking = blocking };

	return transfer_rect(queue, mem, &command, rect, to, events);
}

cl_int copy_write_rect(struct queue *queue, struct mem *mem, cl_bool blocking,
	const struct copy_rect *rect, const void *from, const struct event_args *events)
{
	struct command command = { .type = CL_COMMAND_WRITE_BUFFER_RECT, .blocking = blocking };

	return transfer_rect(queue, mem, &command, rect, (char *)(uintptr_t)from, events);
}

static cl_int check_pair(struct queue *queue, struct mem *from, struct mem *to)
{
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(from && from->type == CL_MEM_OBJECT_BUFFER, CL_INVALID_MEM_OBJECT);
	REQUIRE(to && to->type == CL_MEM_OBJECT_BUFFER, CL_INVALID_MEM_OBJECT);
	REQUIRE(from->context == queue->context && to->context == queue->context,
		CL_INVALID_CONTEXT);
	return CL_SUCCESS;
}

cl_int copy_buffer(struct queue *queue, struct mem *from, struct mem *to, size_t from_offset,
	size_t to_offset, size_t size, const struct event_args *events)
{
	struct command command = { .kind = size ? COMMAND_COPY : COMMAND_NOTHING,
		.type = CL_COMMAND_COPY_BUFFER };
	cl_int rc = check_pair(queue, from, to);

	if (rc)
		return rc;
	REQUIRE(is_within(from, from_offset, size), CL_INVALID_VALUE);
	REQUIRE(is_within(to, to_offset, size), CL_INVALID_VALUE);
	/* by address, so that sub-buffers of one buffer are found too */
	uintptr_t a = (uintptr_t)from->address + from_offset;
	uintptr_t b = (uintptr_t)to->address + to_offset;
	REQUIRE(a + size <= b || b + size <= a, CL_MEM_COPY_OVERLAP);
	if ((rc = mem_check_access(to, CL_MEM_IMMUTABLE_EXT)))
		return rc;

	command.mems[0] = to;
	command.mems[1] = from;
	command.copy = (struct box_copy){ .to = plain_box(to->address + to_offset, size),
		.from = plain_box(from->address + from_offset, size),
		.region = { size, 1, 1 } };
	return queue_submit(queue, &command, events);
}

cl_int copy_buffer_rect(struct queue *queue, struct mem *from, struct mem *to,
	const struct copy_rect *rect, const struct event_args *events)
{
	struct command command = { .type = CL_COMMAND_COPY_BUFFER_RECT };
	uintptr_t shared = 0;
	cl_int rc = check_pair(queue, from, to);

	if (rc || (rc = make_rect(&command, rect, to, from, NULL)))
		return rc;
	REQUIRE(from != to || (command.copy.to.row_pitch == command.copy.from.row_pitch &&
				      command.copy.to.slice_pitch == command.copy.from.slice_pitch),
		CL_INVALID_VALUE);
	REQUIRE(!box_copy_overlaps(&command.copy, &shared),
		error_say(CL_MEM_COPY_OVERLAP,
			"byte %zu of the destination is of the source too, rows of %zu bytes and "
			"slices of %zu",
			(size_t)(shared - (uintptr_t)to->address), command.copy.to.row_pitch,
			command.copy.to.slice_pitch));
	if ((rc = mem_check_access(to, CL_MEM_IMMUTABLE_EXT)))
		return rc;

	return queue_submit(queue, &command, events);
}

cl_int copy_fill(struct queue *queue, struct mem *mem, const void *pattern, size_t pattern_size,
	size_t offset, size_t size, const struct event_args *events)
{
	struct command command = { .type = CL_COMMAND_FILL_BUFFER };

	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(mem && mem->type == CL_MEM_OBJECT_BUFFER, CL_INVALID_MEM_OBJECT);
	REQUIRE(mem->context == queue->context, CL_INVALID_CONTEXT);
	REQUIRE(is_within(mem, offset, size), CL_INVALID_VALUE);
	cl_int rc = command_set_fill(
		&command, mem->address + offset, offset, pattern, pattern_size, size);
	if (rc || (rc = mem_check_access(mem, CL_MEM_IMMUTABLE_EXT)))
		return rc;

	command.mems[0] = mem;
	return queue_submit(queue, &command, events);
}

/*
 * The memory that is mapped: the bytes themselves, the second copy that CL_MEM_USE_HOST_PTR has,
 * or memory of the map's own.
 */
static cl_int place_map(const struct mem *mem, struct mem_map *map)
{
	if (!mem->only) {
		map->pointer = (mem->host_ptr ? mem->host_ptr : mem->address) + map->offset;
		return CL_SUCCESS;
	}
	cl_int rc = mem_create_buffer(mem->context, NULL, 0, map->size, NULL, &map->memory);
	if (!rc)
		map->pointer = map->memory->address;
	return rc;
}

/* Brings what is mapped up to date, or the buffer. */
static void sync_map(
	struct command *command, struct mem *mem, const struct mem_map *map, bool to_map)
{
	struct box ours = plain_box(mem->address + map->offset, map->size);
	struct box theirs = plain_box(map->pointer, map->size);

	if (!mem->host_ptr && !map->memory)
		return;
	command->kind = COMMAND_COPY;
	command->mems[1] = map->memory;
	command->copy = (struct box_copy){ .to = to_map ? theirs : ours,
		.from = to_map ? ours : theirs,
		.region = { map->size, 1, 1 },
		.from_host = !to_map && !map->memory,
		.to_host = to_map && !map->memory };
}

cl_int copy_map(struct queue *queue, struct mem *mem, cl_bool blocking, cl_map_flags flags,
	size_t offset, size_t size, const struct event_args *events, void **out)
{
	struct command command = { .type = CL_COMMAND_MAP_BUFFER, .blocking = blocking };
	struct mem_map map = { .offset = offset,
		.size = size,
		.flags = flags,
		.origin = { offset },
		.region = { size, 1, 1 } };
	cl_int rc;

	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(mem && mem->type == CL_MEM_OBJECT_BUFFER, CL_INVALID_MEM_OBJECT);
	REQUIRE(mem->context == queue->context, CL_INVALID_CONTEXT);
	REQUIRE(size && is_within(mem, offset, size), CL_INVALID_VALUE);
	if ((rc = mem_check_map(mem, flags)) || (rc = place_map(mem, &map)))
		return rc;
	if ((rc = mem_map_record(mem, &map))) {
		mem_put(map.memory);
		return rc;
	}
	command.mems[0] = mem;
	command.map.address = mem->address + offset;
	command.map.size = size;
	command.map.writes = flags & MEM_MAP_WRITES;
	if (!(flags & CL_MAP_WRITE_INVALIDATE_REGION))
		sync_map(&command, mem, &map, true);
	rc = queue_submit(queue, &command, events);
	if (!rc)
		*out = map.pointer;
	else if (!mem_map_take(mem, map.pointer, &map))
		mem_put(map.memory);
	return rc;
}

cl_int copy_unmap(
	struct queue *queue, struct mem *mem, void *pointer, const struct event_args *events)
{
	struct command command = { .type = CL_COMMAND_UNMAP_MEM_OBJECT };
	struct mem_map map;
	cl_int rc;

	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(mem, CL_INVALID_MEM_OBJECT);
	REQUIRE(mem->context == queue->context, CL_INVALID_CONTEXT);
	if ((rc = mem_map_take(mem, pointer, &map)))
		return rc;

	command.mems[0] = mem;
	command.map.address = mem->image ? NULL : mem->address + map.offset;
	if (mem->image)
		image_unmap(&command, mem, &map);
	else if (map.flags & MEM_MAP_WRITES)
		sync_map(&command, mem, &map, false);
	rc = queue_submit(queue, &command, events);
	if (!rc || mem_map_record(mem, &map))
		mem_put(map.memory);
	return rc;
}
