// SPDX-License-Identifier: MIT
#include "core/batch/image_append.h"

#include "compile/zebin/reflect.h"
#include "compile/spirv/lower_buffer_image.h"
#include "core/batch/append.h"
#include "core/memory/image.h"
#include "core/kernel/image_arg.h"

#include <string.h>

#define STRIP_BYTES ((size_t)1024 * 1024)

/* What the batch's device has of the image. */
static struct l0_image *l0_of(const struct batch *batch, const struct image *image)
{
	return image->l0[batch->target.place];
}

static bool is_packed(const struct command_image *command)
{
	const struct box *box = &command->memory;
	size_t row = command->region[0] * command->image->format->size;

	return (command->region[1] == 1 || box->row_pitch == row) &&
	       (command->region[2] == 1 || box->slice_pitch == row * command->region[1]);
}

/* Whether the device reaches the memory. */
static bool is_reached(const struct batch *batch, const struct command_image *command)
{
	return !command->is_host || batch_reaches(batch, command->memory.address);
}

static cl_int append_read(
	struct batch *batch, const struct command_image *command, struct l0_event *signal)
{
	struct l0_image_box box = image_l0_box(command->origin, command->region);
	struct l0_image *image = l0_of(batch, command->image);
	struct box_copy copy = { .to = command->memory };
	bool reached = is_reached(batch, command);
	cl_int rc;

	if (reached && is_packed(command))
		return l0_list_image_read(
			batch->list, box_start(&command->memory), image, &box, signal);
	image_byte_region(command->image, command->region, copy.region);
	if ((rc = batch_stage_box(batch, copy.region, &copy.from)))
		return rc;
	rc = l0_list_image_read(
		batch->list, copy.from.address, image, &box, reached ? NULL : signal);
	if (rc)
		return rc;
	if (reached)
		return (rc = l0_list_barrier(batch->list, NULL))
			       ? rc
			       : append_box(batch->list, &copy, signal);
	batch_add_epilogue(batch, &copy);
	return CL_SUCCESS;
}

static cl_int append_write(
	struct batch *batch, const struct command_image *command, struct l0_event *signal)
{
	struct l0_image_box box = image_l0_box(command->origin, command->region);
	struct l0_image *image = l0_of(batch, command->image);
	struct box_copy copy = { .from = command->memory };
	bool reached = is_reached(batch, command);
	cl_int rc;

	if (reached && is_packed(command))
		return l0_list_image_write(
			batch->list, image, &box, box_start(&command->memory), signal);
	image_byte_region(command->image, command->region, copy.region);
	if ((rc = batch_stage_box(batch, copy.region, &copy.to)))
		return rc;
	if (!reached)
		box_copy_run(&copy);
	else if ((rc = append_box(batch->list, &copy, NULL)) ||
		 (rc = l0_list_barrier(batch->list, NULL)))
		return rc;
	return l0_list_image_write(batch->list, image, &box, copy.to.address, signal);
}

static cl_int append_copy(
	struct batch *batch, const struct command_image *command, struct l0_event *signal)
{
	struct l0_image_box box = image_l0_box(command->origin, command->region);
	uint32_t place[3];

	for (int i = 0; i < 3; i++)
		place[i] = (uint32_t)command->to_origin[i];
	return l0_list_image_copy(batch->list, l0_of(batch, command->to), place,
		l0_of(batch, command->image), &box, signal);
}

/* One strip of a fill: `rows` rows, which are at `packed` already, from row y of slice z on. */
static cl_int append_strip(struct batch *batch, const struct command_image *command,
	const struct box *packed, size_t y, size_t z, size_t rows)
{
	const size_t region[3] = { command->region[0], rows, 1 };

	if (command->image->is_linear) {
		struct box_copy copy = { .to = command->memory, .from = *packed };

		copy.to.origin[1] += y;
		copy.to.origin[2] += z;
		image_byte_region(command->image, region, copy.region);
		return append_box(batch->list, &copy, NULL);
	}
	const size_t origin[3] = { command->origin[0], command->origin[1] + y,
		command->origin[2] + z };
	struct l0_image_box box = image_l0_box(origin, region);

	return l0_list_image_write(
		batch->list, l0_of(batch, command->image), &box, packed->address, NULL);
}

/* Rows of the colour are made once and copied to all places. */
static cl_int append_fill(
	struct batch *batch, const struct command_image *command, struct l0_event *signal)
{
	size_t row = command->region[0] * command->image->format->size;
	size_t rows = STRIP_BYTES / row ? STRIP_BYTES / row : 1;
	struct command_fill fill = { .pattern_size = command->image->format->size };
	cl_int rc;

	rows = rows < command->region[1] ? rows : command->region[1];
	fill.size = row * rows;
	memcpy(fill.pattern, command->pixel, fill.pattern_size);
	if ((rc = batch_stage(batch, fill.size, &fill.to)))
		return rc;
	command_fill_run(&fill);
	const struct box packed = {
		.address = fill.to, .row_pitch = row, .slice_pitch = fill.size
	};
	for (size_t z = 0; z < command->region[2]; z++)
		for (size_t y = 0; y < command->region[1]; y += rows) {
			size_t left = command->region[1] - y;

			rc = append_strip(batch, command, &packed, y, z, left < rows ? left : rows);
			if (rc)
				return rc;
		}
	return signal ? l0_list_barrier(batch->list, signal) : CL_SUCCESS;
}

cl_int image_append(
	struct batch *batch, const struct command_image *command, struct l0_event *signal)
{
	switch (command->op) {
	case COMMAND_IMAGE_READ:
		return append_read(batch, command, signal);
	case COMMAND_IMAGE_WRITE:
		return append_write(batch, command, signal);
	case COMMAND_IMAGE_COPY:
		return append_copy(batch, command, signal);
	case COMMAND_IMAGE_FILL:
		return append_fill(batch, command, signal);
	}
	return CL_INVALID_OPERATION;
}

/* A linear image as a whole. */
static cl_int append_plane(struct batch *batch, const struct mem *mem, enum command_image_op op)
{
	const size_t origin[3] = { 0 };
	struct command_image command = {
		.op = op, .image = mem->image, .memory = image_box(mem->image, mem->address, origin)
	};

	memcpy(command.region, mem->image->extent, sizeof command.region);
	return image_append(batch, &command, NULL);
}

/* So many rows of an image from the first pixel of row y on. */
static cl_int append_part(struct batch *batch, struct l0_image *image, enum command_image_op op,
	char *memory, size_t y, size_t width, size_t rows)
{
	const struct l0_image_box box = { .origin = { 0, (uint32_t)y, 0 },
		.region = { (uint32_t)width, (uint32_t)rows, 1 } };

	if (!width || !rows)
		return CL_SUCCESS;
	return op == COMMAND_IMAGE_READ
		       ? l0_list_image_read(batch->list, memory, image, &box, NULL)
		       : l0_list_image_write(batch->list, image, &box, memory, NULL);
}

/* The same of a 1D image of a buffer, in rows or as a line. */
static cl_int append_rows(
	struct batch *batch, const struct mem *mem, bool has_rows, enum command_image_op op)
{
	struct l0_image *image = image_for(mem, batch->target.place, has_rows);
	const size_t n = mem->image->width, row = has_rows ? BUFFER_IMAGE_WIDTH : n;
	const size_t full = n / row, rest = n % row;
	cl_int rc = image ? append_part(batch, image, op, mem->address, 0, row, full)
			  : CL_OUT_OF_RESOURCES;

	return rc ? rc
		  : append_part(batch, image, op,
			    (char *)mem->address + full * row * mem->image->format->size, full,
			    rest, 1);
}

/* The linear image that an argument is, or NULL. */
static const struct mem *shadowed(const struct kernel_arg *arg)
{
	return arg->kind == KERNEL_ARG_IMAGE && arg->mem->image->is_linear ? arg->mem : NULL;
}

static const struct kernel_arg *args_of(const struct command_launch *launch)
{
	return launch->args ? launch->args : launch->kernel->args;
}

bool image_has_shadows(const struct command_launch *launch)
{
	struct kernel *kernel = launch->kernel;
	bool any = false;

	if (!kernel->has_images)
		return false;
	for (cl_uint i = 0; !any && i < kernel->n_args; i++)
		any = shadowed(&args_of(launch)[i]);
	return any;
}

cl_int image_append_shadows(
	struct batch *batch, const struct command_launch *launch, enum command_image_op op)
{
	struct kernel *kernel = launch->kernel;
	const struct kernel_form *form = &kernel->forms[batch->target.place];
	cl_int rc = CL_SUCCESS;

	for (cl_uint i = 0; !rc && i < kernel->n_args; i++) {
		const struct mem *mem = shadowed(&args_of(launch)[i]);

		if (!mem || (op == COMMAND_IMAGE_READ &&
				    kernel->info->args[i].access == CL_KERNEL_ARG_ACCESS_READ_ONLY))
			continue;
		rc = mem->type == CL_MEM_OBJECT_IMAGE1D_BUFFER
			     ? append_rows(batch, mem, image_arg_has_rows(form, i), op)
			     : append_plane(batch, mem, op);
	}
	return rc;
}
