// SPDX-License-Identifier: MIT
#include "core/memory/image_desc.h"

#include "core/base/error.h"

/* The types that have a size, bits by their distance from CL_MEM_OBJECT_BUFFER. */
#define TYPE(name) (1u << (CL_MEM_OBJECT_IMAGE##name - CL_MEM_OBJECT_BUFFER))
static const unsigned types_with[IMAGE_N_SIZES] = {
	[IMAGE_WIDTH] = ~0u,
	[IMAGE_HEIGHT] = TYPE(2D) | TYPE(2D_ARRAY) | TYPE(3D),
	[IMAGE_DEPTH] = TYPE(3D),
	[IMAGE_LAYERS] = TYPE(1D_ARRAY) | TYPE(2D_ARRAY),
};

bool image_desc_has(cl_mem_object_type type, enum image_desc_size size)
{
	return types_with[size] >> (type - CL_MEM_OBJECT_BUFFER) & 1;
}

size_t image_desc_limit(
	const struct device_images *max, cl_mem_object_type type, enum image_desc_size size)
{
	if (size == IMAGE_LAYERS)
		return max->layers;
	if (size == IMAGE_DEPTH || !type || type == CL_MEM_OBJECT_IMAGE3D)
		return max->size_3d;
	return type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? max->buffer : max->size_2d;
}

void image_desc_sizes(const cl_image_desc *desc, size_t sizes[IMAGE_N_SIZES])
{
	const size_t given[IMAGE_N_SIZES] = { desc->image_width, desc->image_height,
		desc->image_depth, desc->image_array_size };

	for (enum image_desc_size i = 0; i < IMAGE_N_SIZES; i++)
		sizes[i] = image_desc_has(desc->image_type, i) ? given[i] : 0;
}

static cl_int check_flags(cl_mem_flags flags, const struct mem *parent, bool is_imported)
{
	cl_int rc = mem_check_flags(flags, MEM_ACCESS_FLAGS | MEM_HOST_ACCESS_FLAGS |
						   MEM_HOST_PTR_FLAGS | CL_MEM_IMMUTABLE_EXT);

	if (rc || (rc = mem_check_contents(flags, parent || is_imported)) || !parent)
		return rc;
	REQUIRE(flags & CL_MEM_IMMUTABLE_EXT || !(parent->flags & CL_MEM_IMMUTABLE_EXT),
		error_say(CL_INVALID_VALUE, "an image of immutable memory must be immutable"));
	REQUIRE(!(flags & MEM_HOST_PTR_FLAGS), CL_INVALID_VALUE);
	REQUIRE(!mem_flags_widen(flags, parent->flags),
		error_say(CL_INVALID_VALUE, "the flags grant what those of its memory deny"));
	return CL_SUCCESS;
}

/* What the image may be made of. */
static cl_int check_parent(const cl_image_desc *desc, const struct context *context,
	const struct mem *parent, bool is_imported)
{
	cl_mem_object_type type = desc->image_type;
	bool buffer = type == CL_MEM_OBJECT_IMAGE1D_BUFFER;

	REQUIRE(!buffer || desc->mem_object,
		error_say(CL_INVALID_IMAGE_DESCRIPTOR, "the image needs a buffer"));
	if (!desc->mem_object)
		return CL_SUCCESS;
	REQUIRE(!is_imported, error_say(CL_INVALID_IMAGE_DESCRIPTOR,
				      "the image cannot have imported memory and a parent's"));
	REQUIRE(parent && parent->context == context, CL_INVALID_IMAGE_DESCRIPTOR);
	REQUIRE(parent->type == CL_MEM_OBJECT_BUFFER ||
			(type == CL_MEM_OBJECT_IMAGE2D && parent->type == CL_MEM_OBJECT_IMAGE2D),
		CL_INVALID_IMAGE_DESCRIPTOR);
	return CL_SUCCESS;
}

static cl_int check_shape(const cl_image_desc *desc, const size_t sizes[IMAGE_N_SIZES])
{
	REQUIRE(desc->num_mip_levels == 0 && desc->num_samples == 0,
		error_say(CL_INVALID_IMAGE_DESCRIPTOR,
			"the device has no images with mip levels or several samples"));
	for (enum image_desc_size i = 0; i < IMAGE_N_SIZES; i++)
		REQUIRE(sizes[i] || !image_desc_has(desc->image_type, i),
			CL_INVALID_IMAGE_DESCRIPTOR);
	return CL_SUCCESS;
}

static cl_int check_sizes(const cl_image_desc *desc, const size_t sizes[IMAGE_N_SIZES],
	const struct device_images *max)
{
	static const char *const names[IMAGE_N_SIZES] = { "columns", "rows", "slices", "layers" };

	for (enum image_desc_size i = 0; i < IMAGE_N_SIZES; i++) {
		const size_t limit = image_desc_limit(max, desc->image_type, i);

		REQUIRE(sizes[i] <= limit, error_say(CL_INVALID_IMAGE_SIZE, "%zu %s, at most %zu",
						   sizes[i], names[i], limit));
	}
	return CL_SUCCESS;
}

/*
 * The pitches of the application's memory, or of the buffer; the default ones without any. `wrong`
 * is the error.
 */
static cl_int check_pitches(
	const cl_image_desc *desc, bool has_memory, cl_int wrong, struct image *image)
{
	const bool slices = image->depth || image->layers;
	size_t size = image->format->size, row = desc->image_row_pitch;
	size_t slice = desc->image_slice_pitch;

	REQUIRE(has_memory || (!row && !slice),
		error_say(CL_INVALID_IMAGE_DESCRIPTOR, "pitches without a host pointer"));
	REQUIRE(!row || (row >= image->width * size && row % size == 0),
		error_say(wrong, "row pitch %zu for %zu pixels of %zu bytes", row, image->width,
			size));
	image->row_pitch = row ? row : image->width * size;
	size_t least, total, n = image->depth ? image->depth : image->layers;
	REQUIRE(!__builtin_mul_overflow(
			image->row_pitch, image->height ? image->height : 1, &least),
		error_say(wrong, "row pitch %zu for %zu rows", row, image->height));
	REQUIRE(!slice || !slices || (slice >= least && slice % image->row_pitch == 0),
		error_say(wrong, "slice pitch %zu for slices of %zu bytes", slice, least));
	image->slice_pitch = !slices ? 0 : slice ? slice : least;
	REQUIRE(!__builtin_mul_overflow(image->slice_pitch, n, &total),
		error_say(wrong, "slice pitch %zu for %zu slices", slice, n));
	return CL_SUCCESS;
}

static void fill_extent(const cl_image_desc *desc, struct image *image)
{
	bool lines = desc->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;

	image->extent[0] = image->width;
	image->extent[1] = lines ? image->layers : image->height ? image->height : 1;
	image->extent[2] = image->depth		     ? image->depth
			   : image->layers && !lines ? image->layers
						     : 1;
	image->stride[0] = lines ? image->slice_pitch : image->row_pitch;
	image->stride[1] = lines		? image->slice_pitch * image->layers
			   : image->slice_pitch ? image->slice_pitch
						: image->row_pitch * image->extent[1];
}

static cl_int check_buffer(const struct mem *buffer, const struct image *image)
{
	size_t size = image->format->size;
	const struct device_images *max = &buffer->context->images;
	size_t needed = image->stride[1] * (image->extent[2] - 1) +
			image->stride[0] * (image->extent[1] - 1) + image->width * size;

	REQUIRE(needed <= buffer->size,
		error_say(CL_INVALID_IMAGE_SIZE, "the image has %zu bytes, its buffer %zu", needed,
			buffer->size));
	REQUIRE((image->extent[1] == 1 && image->extent[2] == 1) ||
			image->row_pitch % (max->pitch_align * size) == 0,
		error_say(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
			"row pitch %zu is no multiple of %u pixels", image->row_pitch,
			max->pitch_align));
	return CL_SUCCESS;
}

/* An image of an image is the same image, at most taken for one of depths. */
static cl_int check_image(const struct mem *parent, const cl_image_desc *desc, struct image *image)
{
	const struct image *of = parent->image;
	cl_channel_order order = image->format->cl.image_channel_order;
	cl_channel_order parent_order = of->format->cl.image_channel_order;

	REQUIRE(of->width == image->width && of->height == image->height &&
			(!desc->image_row_pitch || desc->image_row_pitch == of->row_pitch),
		error_say(
			CL_INVALID_IMAGE_DESCRIPTOR, "the image has another size than its image"));
	REQUIRE(image->format->cl.image_channel_data_type ==
				of->format->cl.image_channel_data_type &&
			(order == parent_order || (order == CL_DEPTH && parent_order == CL_R)),
		error_say(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
			"the format does not go with that of its image"));
	image->row_pitch = of->row_pitch;
	return CL_SUCCESS;
}

cl_int image_desc_check(struct context *context, cl_mem_flags flags, const cl_image_format *format,
	const cl_image_desc *desc, const void *host_ptr, bool is_imported, struct image *image)
{
	bool wants_host = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
	struct mem *parent = desc ? mem_from(desc->mem_object) : NULL;
	size_t sizes[IMAGE_N_SIZES];
	cl_int rc = check_flags(flags, parent, is_imported), unsupported = CL_SUCCESS;

	if (rc)
		return rc;
	const struct image_format *found = image_format_find(
		format, desc ? desc->image_type : CL_MEM_OBJECT_IMAGE2D, &unsupported);
	if (!found && unsupported == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)
		return unsupported;
	REQUIRE(desc && image_is_type(desc->image_type), CL_INVALID_IMAGE_DESCRIPTOR);
	REQUIRE(context->has_images,
		error_say(CL_INVALID_OPERATION, "no device of the context has images"));
	image_desc_sizes(desc, sizes);
	if ((rc = check_shape(desc, sizes)) ||
		(rc = check_parent(desc, context, parent, is_imported)) ||
		(rc = check_sizes(desc, sizes, &context->images)))
		return rc;
	REQUIRE(!wants_host || host_ptr, CL_INVALID_HOST_PTR);
	REQUIRE(wants_host || !host_ptr, CL_INVALID_HOST_PTR);
	if (!found)
		return unsupported;

	*image = (struct image){ .format = found,
		.width = sizes[IMAGE_WIDTH],
		.height = sizes[IMAGE_HEIGHT],
		.depth = sizes[IMAGE_DEPTH],
		.layers = sizes[IMAGE_LAYERS] };
	bool of_buffer = parent && !parent->image;
	if ((rc = check_pitches(desc, host_ptr || parent || is_imported,
		     of_buffer ? CL_INVALID_IMAGE_FORMAT_DESCRIPTOR : CL_INVALID_IMAGE_DESCRIPTOR,
		     image)))
		return rc;
	if (parent && parent->image)
		rc = check_image(parent, desc, image);
	fill_extent(desc, image);
	if (!rc && of_buffer)
		rc = check_buffer(parent, image);
	return rc;
}
