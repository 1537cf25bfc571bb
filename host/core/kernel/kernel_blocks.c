// SPDX-License-Identifier: MIT
#include "core/kernel/kernel_blocks.h"

#include "compile/spirv/spirv_look.h"
#include "compile/zebin/reflect.h"
#include "core/device/context.h"
#include "core/memory/image.h"
#include "core/program/program_code.h"

#include <stdio.h>

enum { READ_ALIGN = 4, WRITE_ALIGN = 16, IMAGE_ALIGN = 32, IMAGE_PITCH = 64 };

static void warn(
	const struct kernel *kernel, cl_uint index, const char *what, size_t value, size_t wanted)
{
	char text[256];

	snprintf(text, sizeof text,
		"argument %u of kernel '%s' has %s 0x%zx, which is no multiple of the %zu bytes "
		"that sub-group block functions want",
		index, kernel->info->name, what, value, wanted);
	context_report(kernel->base.context, text);
}

/* Where the application sees the bytes start. */
static size_t start_of(const struct mem *mem)
{
	return (size_t)(mem->host_ptr ? mem->host_ptr : mem->address);
}

static void check_buffer(
	struct kernel *kernel, cl_uint index, const struct kernel_arg *arg, unsigned blocks)
{
	const struct compile_arg *info = &kernel->info->args[index];
	size_t start = arg->mem ? start_of(arg->mem) : (size_t)arg->pointer;
	bool is_written = info->address == CL_KERNEL_ARG_ADDRESS_GLOBAL &&
			  !(info->qualifiers & CL_KERNEL_ARG_TYPE_CONST);
	size_t wanted = blocks & COMPILE_BLOCKS_WRITE && is_written ? WRITE_ALIGN : READ_ALIGN;

	if (blocks & (COMPILE_BLOCKS_READ | COMPILE_BLOCKS_WRITE) && start % wanted)
		warn(kernel, index, "the address", start, wanted);
}

static void check_image(struct kernel *kernel, cl_uint index, const struct mem *mem)
{
	if (!mem->image->is_linear || !mem->parent || mem->type != CL_MEM_OBJECT_IMAGE2D)
		return;
	if (mem->image->row_pitch % IMAGE_PITCH)
		warn(kernel, index, "the row pitch", mem->image->row_pitch, IMAGE_PITCH);
	if (start_of(mem) % IMAGE_ALIGN)
		warn(kernel, index, "the address", start_of(mem), IMAGE_ALIGN);
}

void kernel_blocks_check(struct kernel *kernel, cl_uint index)
{
	const struct kernel_form *form = kernel->forms;
	while (!form->code)
		form++;
	const unsigned char blocks = form->info->blocks;

	if (!blocks)
		return;
	pthread_mutex_lock(&kernel->lock);
	struct kernel_arg arg = kernel->args[index];
	pthread_mutex_unlock(&kernel->lock);

	if (arg.kind == KERNEL_ARG_BUFFER)
		check_buffer(kernel, index, &arg, blocks);
	else if (arg.kind == KERNEL_ARG_IMAGE && blocks & COMPILE_BLOCKS_IMAGE)
		check_image(kernel, index, arg.mem);
}
