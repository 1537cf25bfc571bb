// SPDX-License-Identifier: MIT
#include "core/kernel/image_arg.h"

#include "compile/zebin/reflect.h"
#include "core/base/error.h"
#include "core/memory/image.h"
#include "core/program/program_code.h"
#include "util/util_bits.h"

#include <string.h>

/* What the parameters' types take; those of depths are apart. */
static const struct {
	const char *name;
	cl_mem_object_type type;
	bool depth;
} types[] = {
	{ "image1d_t", CL_MEM_OBJECT_IMAGE1D, false },
	{ "image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER, false },
	{ "image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, false },
	{ "image2d_t", CL_MEM_OBJECT_IMAGE2D, false },
	{ "image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, false },
	{ "image2d_depth_t", CL_MEM_OBJECT_IMAGE2D, true },
	{ "image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, true },
	{ "image3d_t", CL_MEM_OBJECT_IMAGE3D, false },
};

/* A type whose name is not known takes any image, unless the module tells of the type. */
static cl_int check_type(const struct compile_arg *info, const struct mem *mem)
{
	bool depth = mem->image->format->cl.image_channel_order == CL_DEPTH;

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(types); i++)
		if (!strcmp(types[i].name, info->type))
			REQUIRE(types[i].type == mem->type && types[i].depth == depth,
				error_say(CL_INVALID_ARG_VALUE,
					"the parameter is of type %s, the image is not",
					info->type));
	REQUIRE(!info->is_buffer_image || mem->type == CL_MEM_OBJECT_IMAGE1D_BUFFER,
		error_say(CL_INVALID_ARG_VALUE,
			"the parameter is an image of a buffer, the image is not"));
	return CL_SUCCESS;
}

bool image_arg_has_rows(const struct kernel_form *form, cl_uint index)
{
	return form->info->args[index].is_buffer_image && form->code->reflection.has_rows;
}

/* Whether one of the kernel's forms takes the image as a line. */
static bool has_line(const struct kernel *kernel, cl_uint index)
{
	for (cl_uint i = 0; i < kernel->base.context->n_devices; i++)
		if (kernel->forms[i].code && !image_arg_has_rows(&kernel->forms[i], index))
			return true;
	return false;
}

static cl_int check_access(const struct compile_arg *info, const struct mem *mem)
{
	bool reads = info->access != CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
	bool writes = info->access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY ||
		      info->access == CL_KERNEL_ARG_ACCESS_READ_WRITE;

	REQUIRE(!(reads && mem->flags & CL_MEM_WRITE_ONLY) &&
			!(writes && mem->flags & (CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT)),
		error_say(CL_INVALID_ARG_VALUE,
			"the kernel wants another access than the image's flags, 0x%llx, allow",
			(unsigned long long)mem->flags));
	return CL_SUCCESS;
}

cl_int image_arg_set(struct kernel *kernel, cl_uint index, size_t size, const void *value)
{
	const struct compile_arg *info = &kernel->info->args[index];
	struct kernel_arg *arg = &kernel->args[index];
	cl_mem handle = NULL;
	cl_int rc;

	REQUIRE(size == sizeof(handle),
		error_say(CL_INVALID_ARG_SIZE, "an image has %zu bytes, %zu were given",
			sizeof(handle), size));
	if (value)
		memcpy(&handle, value, sizeof(handle));
	struct mem *mem = mem_from(handle);
	REQUIRE(mem && mem->image,
		error_say(CL_INVALID_MEM_OBJECT, "the parameter wants an image"));
	REQUIRE(mem->context == kernel->base.context,
		error_say(CL_INVALID_MEM_OBJECT, "the image is of another context"));
	if ((rc = check_type(info, mem)) || (rc = check_access(info, mem)))
		return rc;
	if (has_line(kernel, index) && (rc = image_make_line(mem)))
		return rc;

	/* Always sent anew: an equal address may be a new image. */
	if (arg->mem != mem)
		kernel->version++;
	arg->mem = mem;
	arg->size = size;
	arg->state = kernel->state;
	return CL_SUCCESS;
}

cl_int image_arg_set_sampler(struct kernel *kernel, cl_uint index, size_t size, const void *value)
{
	struct kernel_arg *arg = &kernel->args[index];
	cl_sampler handle = NULL;

	REQUIRE(size == sizeof(handle),
		error_say(CL_INVALID_ARG_SIZE, "a sampler has %zu bytes, %zu were given",
			sizeof(handle), size));
	if (value)
		memcpy(&handle, value, sizeof(handle));
	struct sampler *sampler = sampler_from(handle);
	REQUIRE(sampler && sampler->context == kernel->base.context,
		error_say(CL_INVALID_SAMPLER, "the parameter wants a sampler of the context"));

	if (arg->sampler != sampler)
		kernel->version++;
	arg->sampler = sampler;
	arg->size = size;
	arg->state = kernel->state;
	return CL_SUCCESS;
}
