// SPDX-License-Identifier: MIT
#include "core/memory/image_requirements.h"

#include "core/base/error.h"
#include "core/base/info.h"
#include "core/memory/image_desc.h"

#include <CL/cl_ext.h>

/* A question: of which images, by pixels of how many bytes. */
struct question {
	const struct context *context;
	const cl_image_desc *desc; /* NULL: of any */
	size_t pixel;
};

/* The limit of one size, when the others are as they are given, or as large as can be: what the
 * device has, and what one allocation holds. */
static cl_int answer_limit(
	const struct question *question, enum image_desc_size which, const struct info *info)
{
	const cl_image_desc *desc = question->desc;
	cl_mem_object_type type = desc ? desc->image_type : 0;
	const struct device_images *max = &question->context->images;
	size_t limit = image_desc_limit(max, type, which), given[IMAGE_N_SIZES];
	cl_ulong held = question->context->max_alloc_size / question->pixel;

	REQUIRE(!type || image_desc_has(type, which),
		error_say(CL_INVALID_IMAGE_DESCRIPTOR, "images of that type have no such size"));
	if (type)
		image_desc_sizes(desc, given);
	for (enum image_desc_size i = 0; i < IMAGE_N_SIZES && type; i++)
		if (i != which && image_desc_has(type, i))
			held /= given[i] ? given[i] : image_desc_limit(max, type, i);
	/* Of any type: as of the largest, whose other sizes nobody gave. */
	if (!type)
		held /= max->size_3d * max->size_3d;
	cl_uint answer = (cl_uint)(held < limit ? held : limit);
	return info_bytes(info, &answer, sizeof answer);
}

/* Bytes of the buffer that the image would need, of the pitch that is given or the least. */
static cl_int answer_size(const struct question *question, struct context *context,
	cl_mem_flags flags, const cl_image_format *format, const struct info *info)
{
	cl_image_desc desc;
	struct image image;

	REQUIRE(format && question->desc, CL_INVALID_VALUE);
	desc = *question->desc;
	desc.image_row_pitch = desc.image_slice_pitch = 0;
	desc.mem_object = NULL;
	if (desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
		size_t bytes = desc.image_width * question->pixel;

		REQUIRE(desc.image_width, CL_INVALID_IMAGE_DESCRIPTOR);
		REQUIRE(desc.image_width <= question->context->images.buffer,
			CL_INVALID_IMAGE_DESCRIPTOR);
		return info_bytes(info, &bytes, sizeof bytes);
	}
	cl_int rc = image_desc_check(context, flags, format, &desc, NULL, false, &image);
	if (rc)
		return rc == CL_INVALID_IMAGE_SIZE ? CL_INVALID_IMAGE_DESCRIPTOR : rc;
	size_t row = question->desc->image_row_pitch;
	REQUIRE(!row || (row >= image.row_pitch && row % question->pixel == 0),
		error_say(CL_INVALID_IMAGE_DESCRIPTOR, "row pitch %zu for %zu bytes", row,
			image.row_pitch));
	size_t slice = question->desc->image_slice_pitch;
	size_t n = image.depth ? image.depth : image.layers;
	size_t least = (row ? row : image.row_pitch) * (image.height ? image.height : 1);
	REQUIRE(!slice || !n || slice >= least,
		error_say(CL_INVALID_IMAGE_DESCRIPTOR, "slice pitch %zu for %zu bytes", slice,
			least));
	size_t bytes = !n ? least : (slice ? slice : least) * n;
	return info_bytes(info, &bytes, sizeof bytes);
}

cl_int image_requirements(struct context *context, const cl_mem_properties *properties,
	cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc, cl_uint param,
	const struct info *info)
{
	struct question question = { NULL, desc, DEVICE_MAX_PIXEL };
	cl_int rc = CL_SUCCESS;
	size_t bytes;

	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(!properties || !properties[0], CL_INVALID_PROPERTY);
	if ((rc = mem_check_flags(flags, MEM_ACCESS_FLAGS | CL_MEM_KERNEL_READ_AND_WRITE |
						 MEM_HOST_ACCESS_FLAGS | MEM_HOST_PTR_FLAGS |
						 CL_MEM_IMMUTABLE_EXT)))
		return rc;
	REQUIRE(!desc || !desc->image_type || image_is_type(desc->image_type),
		CL_INVALID_IMAGE_DESCRIPTOR);
	if (format) {
		const struct image_format *found = image_format_find(format,
			desc && desc->image_type ? desc->image_type : CL_MEM_OBJECT_IMAGE2D, &rc);

		REQUIRE(found, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
		question.pixel = found->size;
	}
	question.context = context;
	REQUIRE(context->has_images,
		error_say(CL_INVALID_OPERATION, "no device of the context has images"));
	switch (param) {
	case CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT:
	case CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT:
		bytes = context->images.pitch_align * question.pixel;
		return info_bytes(info, &bytes, sizeof bytes);
	case CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT:
		bytes = 1; /* shadows are copied from wherever it is */
		return info_bytes(info, &bytes, sizeof bytes);
	case CL_IMAGE_REQUIREMENTS_SIZE_EXT:
		return answer_size(&question, context, flags & MEM_ACCESS_FLAGS, format, info);
	case CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT:
		return answer_limit(&question, IMAGE_WIDTH, info);
	case CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT:
		return answer_limit(&question, IMAGE_HEIGHT, info);
	case CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT:
		return answer_limit(&question, IMAGE_DEPTH, info);
	case CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT:
		return answer_limit(&question, IMAGE_LAYERS, info);
	default:
		return error_say(CL_INVALID_VALUE, "there is no query 0x%x", param);
	}
}
