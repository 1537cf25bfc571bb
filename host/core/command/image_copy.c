// SPDX-License-Identifier: MIT
#include "core/command/image_copy.h"

#include "core/command/copy.h"
#include "core/base/error.h"
#include "core/memory/image.h"

#include <string.h>

static cl_int check_image(const struct queue *queue, const struct mem *mem)
{
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(mem && mem->image, CL_INVALID_MEM_OBJECT);
	REQUIRE(mem->context == queue->context, CL_INVALID_CONTEXT);
	return CL_SUCCESS;
}

static cl_int check_region(const struct image *image, const size_t *origin, const size_t *region)
{
	REQUIRE(origin && region, CL_INVALID_VALUE);
	for (int i = 0; i < 3; i++)
		REQUIRE(region[i] && origin[i] <= image->extent[i] &&
				region[i] <= image->extent[i] - origin[i],
			error_say(CL_INVALID_VALUE,
				"%zu from %zu in direction %d, where the image has %zu", region[i],
				origin[i], i, image->extent[i]));
	return CL_SUCCESS;
}

/* The application's memory: default pitches and their rules. */
static cl_int make_memory(
	const struct mem *mem, const struct image_span *span, char *address, struct box *box)
{
	const struct image *image = mem->image;
	size_t row = span->region[0] * image->format->size;
	bool lines = mem->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;

	REQUIRE(!span->row_pitch || span->row_pitch >= row,
		error_say(CL_INVALID_VALUE, "row pitch %zu for rows of %zu bytes", span->row_pitch,
			row));
	if (span->row_pitch)
		row = span->row_pitch;
	size_t slice = lines ? row : row * span->region[1];
	REQUIRE(!span->slice_pitch || image->slice_pitch,
		error_say(CL_INVALID_VALUE, "a slice pitch for an image without slices"));
	REQUIRE(!span->slice_pitch || span->slice_pitch >= slice,
		error_say(CL_INVALID_VALUE, "slice pitch %zu for slices of %zu bytes",
			span->slice_pitch, slice));
	if (span->slice_pitch)
		slice = span->slice_pitch;
	*box = (struct box){ .address = address,
		.row_pitch = lines ? slice : row,
		.slice_pitch = lines ? slice * span->region[1] : slice };
	return CL_SUCCESS;
}

/* A command between a region of an image and memory, which is the application's or not. */
static void make_transfer(struct command *command, struct mem *mem, const size_t *origin,
	const size_t *region, const struct box *memory, bool to_image, bool is_host)
{
	struct image *image = mem->image;

	command->mems[0] = mem;
	if (image->is_linear) {
		struct box ours = image_box(image, mem->address, origin);

		command->kind = COMMAND_COPY;
		command->copy = (struct box_copy){ .to = to_image ? ours : *memory,
			.from = to_image ? *memory : ours,
			.from_host = to_image && is_host,
			.to_host = !to_image && is_host };
		image_byte_region(image, region, command->copy.region);
		return;
	}
	command->kind = COMMAND_IMAGE;
	command->image =
		(struct command_image){ .op = to_image ? COMMAND_IMAGE_WRITE : COMMAND_IMAGE_READ,
			.image = image,
			.memory = *memory,
			.is_host = is_host };
	memcpy(command->image.origin, origin, sizeof command->image.origin);
	memcpy(command->image.region, region, sizeof command->image.region);
}

static cl_int transfer(struct queue *queue, struct mem *mem, struct command *command,
	const struct image_span *span, char *host, const struct event_args *events)
{
	bool write = command->type == CL_COMMAND_WRITE_IMAGE;
	struct box memory;
	cl_int rc;

	if ((rc = check_image(queue, mem)) ||
		(rc = check_region(mem->image, span->origin, span->region)))
		return rc;
	REQUIRE(host, CL_INVALID_VALUE);
	if ((rc = make_memory(mem, span, host, &memory)) ||
		(rc = mem_check_access(mem, write ? MEM_NO_WRITE : MEM_NO_READ)))
		return rc;

	make_transfer(command, mem, span->origin, span->region, &memory, write, true);
	return queue_submit(queue, command, events);
}

cl_int image_read(struct queue *queue, struct mem *mem, cl_bool blocking,
	const struct image_span *span, void *to, const struct event_args *events)
{
	struct command command = { .type = CL_COMMAND_READ_IMAGE, .blocking = blocking };

	return transfer(queue, mem, &command, span, to, events);
}

cl_int image_write(struct queue *queue, struct mem *mem, cl_bool blocking,
	const struct image_span *span, const void *from, const struct event_args *events)
{
	struct command command = { .type = CL_COMMAND_WRITE_IMAGE, .blocking = blocking };

	/* the copy reads it only */
	return transfer(queue, mem, &command, span, (char *)(uintptr_t)from, events);
}

/* Whether the objects' pixels are the same bytes. */
static bool share_pixels(const struct mem *a, const struct mem *b)
{
	const struct mem *owner_a = a->parent && a->parent->image ? a->parent : a;
	const struct mem *owner_b = b->parent && b->parent->image ? b->parent : b;

	return owner_a == owner_b;
}

static bool regions_overlap(const size_t *a, const size_t *b, const size_t *region)
{
	for (int i = 0; i < 3; i++)
		if (a[i] + region[i] <= b[i] || b[i] + region[i] <= a[i])
			return false;
	return true;
}

static cl_int check_pair(struct queue *queue, const struct mem *from, const struct mem *to)
{
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(from && to, CL_INVALID_MEM_OBJECT);
	REQUIRE(from->context == queue->context && to->context == queue->context,
		CL_INVALID_CONTEXT);
	return CL_SUCCESS;
}

cl_int image_copy(struct queue *queue, struct mem *from, struct mem *to, const size_t *from_origin,
	const size_t *to_origin, const size_t *region, const struct event_args *events)
{
	struct command command = { .type = CL_COMMAND_COPY_IMAGE };
	cl_int rc = check_pair(queue, from, to);

	if (rc)
		return rc;
	REQUIRE(from->image && to->image, CL_INVALID_MEM_OBJECT);
	REQUIRE(!memcmp(&from->image->format->cl, &to->image->format->cl, sizeof(cl_image_format)),
		error_say(CL_IMAGE_FORMAT_MISMATCH, "the images have different formats"));
	if ((rc = check_region(from->image, from_origin, region)) ||
		(rc = check_region(to->image, to_origin, region)))
		return rc;
	REQUIRE(!share_pixels(from, to) || !regions_overlap(from_origin, to_origin, region),
		CL_MEM_COPY_OVERLAP);
	if ((rc = mem_check_access(to, CL_MEM_IMMUTABLE_EXT)))
		return rc;

	if (from->image->is_linear) {
		struct box memory = image_box(from->image, from->address, from_origin);

		make_transfer(&command, to, to_origin, region, &memory, true, false);
	} else if (to->image->is_linear) {
		struct box memory = image_box(to->image, to->address, to_origin);

		make_transfer(&command, from, from_origin, region, &memory, false, false);
	} else {
		command.kind = COMMAND_IMAGE;
		command.mems[0] = from;
		command.image = (struct command_image){
			.op = COMMAND_IMAGE_COPY, .image = from->image, .to = to->image
		};
		memcpy(command.image.origin, from_origin, sizeof command.image.origin);
		memcpy(command.image.to_origin, to_origin, sizeof command.image.to_origin);
		memcpy(command.image.region, region, sizeof command.image.region);
	}
	command.mems[0] = from;
	command.mems[1] = to;
	return queue_submit(queue, &command, events);
}

/* clEnqueueCopyImageToBuffer and clEnqueueCopyBufferToImage. */
static cl_int copy_packed(struct queue *queue, struct mem *mem, struct mem *buffer,
	cl_command_type type, const struct image_span *span, size_t offset,
	const struct event_args *events)
{
	struct command command = { .type = type };
	struct box memory;
	cl_int rc = check_pair(queue, mem, buffer);

	if (rc)
		return rc;
	REQUIRE(mem->image, CL_INVALID_MEM_OBJECT);
	REQUIRE(buffer->type == CL_MEM_OBJECT_BUFFER, CL_INVALID_MEM_OBJECT);
	if ((rc = check_region(mem->image, span->origin, span->region)))
		return rc;
	size_t size = image_region_bytes(mem->image, span->region);
	REQUIRE(offset <= buffer->size && size <= buffer->size - offset,
		error_say(CL_INVALID_VALUE, "%zu bytes at %zu of a buffer of %zu", size, offset,
			buffer->size));
	bool to_image = type == CL_COMMAND_COPY_BUFFER_TO_IMAGE;
	if ((rc = make_memory(mem, span, buffer->address + offset, &memory)) ||
		(rc = mem_check_access(to_image ? mem : buffer, CL_MEM_IMMUTABLE_EXT)))
		return rc;

	make_transfer(&command, mem, span->origin, span->region, &memory, to_image, false);
	command.mems[1] = buffer;
	return queue_submit(queue, &command, events);
}

cl_int image_copy_to_buffer(struct queue *queue, struct mem *from, struct mem *to,
	const struct image_span *span, size_t offset, const struct event_args *events)
{
	return copy_packed(queue, from, to, CL_COMMAND_COPY_IMAGE_TO_BUFFER, span, offset, events);
}

cl_int image_copy_from_buffer(struct queue *queue, struct mem *from, struct mem *to,
	const struct image_span *span, size_t offset, const struct event_args *events)
{
	return copy_packed(queue, to, from, CL_COMMAND_COPY_BUFFER_TO_IMAGE, span, offset, events);
}

cl_int image_fill(struct queue *queue, struct mem *mem, const void *color,
	const struct image_span *span, const struct event_args *events)
{
	struct command command = { .kind = COMMAND_IMAGE, .type = CL_COMMAND_FILL_IMAGE };
	cl_int rc = check_image(queue, mem);

	if (rc)
		return rc;
	REQUIRE(color, CL_INVALID_VALUE);
	if ((rc = check_region(mem->image, span->origin, span->region)) ||
		(rc = mem_check_access(mem, CL_MEM_IMMUTABLE_EXT)))
		return rc;

	command.mems[0] = mem;
	command.image = (struct command_image){ .op = COMMAND_IMAGE_FILL, .image = mem->image };
	memcpy(command.image.origin, span->origin, sizeof command.image.origin);
	memcpy(command.image.region, span->region, sizeof command.image.region);
	if (mem->image->is_linear)
		command.image.memory = image_box(mem->image, mem->address, span->origin);
	image_format_pack(mem->image->format, color, command.image.pixel);
	return queue_submit(queue, &command, events);
}

/* Where a map lies: in the application's memory, in the buffer's, or in memory of its own. */
static cl_int place_map(struct mem *mem, struct mem_map *map)
{
	struct image *image = mem->image;
	char *base = mem->host_ptr ? mem->host_ptr : mem->only ? NULL : mem->address;

	memcpy(map->stride, image->stride, sizeof map->stride);
	if (base) {
		struct box box = image_box(image, base, map->origin);

		map->pointer = box_start(&box);
		return CL_SUCCESS;
	}
	map->stride[0] = map->region[0] * image->format->size;
	map->stride[1] = map->stride[0] * map->region[1];
	cl_int rc = mem_create_buffer(
		mem->context, NULL, 0, image_region_bytes(image, map->region), NULL, &map->memory);
	if (!rc)
		map->pointer = map->memory->address;
	return rc;
}

/* The copy that a map or unmap needs, if any; a command without is of kind COMMAND_NOTHING. */
static void sync(struct command *command, struct mem *mem, const struct mem_map *map, bool to_image)
{
	const struct box memory = {
		.address = map->pointer, .row_pitch = map->stride[0], .slice_pitch = map->stride[1]
	};

	command->mems[0] = mem;
	if (mem->image->is_linear && !mem->host_ptr && !map->memory)
		return; /* it is the image itself */
	make_transfer(command, mem, map->origin, map->region, &memory, to_image, !map->memory);
	command->mems[1] = map->memory;
}

void image_unmap(struct command *command, struct mem *mem, const struct mem_map *map)
{
	if (map->flags & MEM_MAP_WRITES)
		sync(command, mem, map, true);
}

static cl_int check_map(const struct mem *mem, cl_map_flags flags, const size_t *row_pitch,
	const size_t *slice_pitch)
{
	cl_int rc = mem_check_map(mem, flags);

	if (rc)
		return rc;
	REQUIRE(row_pitch, CL_INVALID_VALUE);
	REQUIRE(slice_pitch || !mem->image->slice_pitch, CL_INVALID_VALUE);
	return CL_SUCCESS;
}

cl_int image_map(struct queue *queue, struct mem *mem, cl_bool blocking, cl_map_flags flags,
	const struct image_span *span, size_t *row_pitch, size_t *slice_pitch,
	const struct event_args *events, void **out)
{
	struct command command = { .type = CL_COMMAND_MAP_IMAGE, .blocking = blocking };
	struct mem_map map = { .flags = flags };
	cl_int rc;

	if ((rc = check_image(queue, mem)) ||
		(rc = check_region(mem->image, span->origin, span->region)) ||
		(rc = check_map(mem, flags, row_pitch, slice_pitch)))
		return rc;
	memcpy(map.origin, span->origin, sizeof map.origin);
	memcpy(map.region, span->region, sizeof map.region);
	if ((rc = place_map(mem, &map)))
		return rc;
	if ((rc = mem_map_record(mem, &map))) {
		mem_put(map.memory);
		return rc;
	}
	command.mems[0] = mem;
	if (!(flags & CL_MAP_WRITE_INVALIDATE_REGION))
		sync(&command, mem, &map, false);
	rc = queue_submit(queue, &command, events);
	if (rc) {
		if (!mem_map_take(mem, map.pointer, &map))
			mem_put(map.memory);
		return rc;
	}
	bool lines = mem->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
	*row_pitch = lines && !map.memory ? mem->image->row_pitch : map.stride[0];
	if (slice_pitch)
		*slice_pitch = !mem->image->slice_pitch ? 0 : map.stride[lines ? 0 : 1];
	*out = map.pointer;
	return CL_SUCCESS;
}
