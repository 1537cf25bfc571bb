// SPDX-License-Identifier: MIT
#include "core/memory/image.h"

#include "compile/spirv/lower_buffer_image.h"
#include "core/base/error.h"
#include "core/memory/image_desc.h"
#include "core/memory/image_upload.h"
#include "core/base/info.h"

#include <stdio.h>
#include <stdlib.h>

size_t image_region_bytes(const struct image *image, const size_t region[3])
{
	return region[0] * region[1] * region[2] * image->format->size;
}

struct box image_box(const struct image *image, char *address, const size_t origin[3])
{
	return (struct box){ .address = address,
		.origin = { origin[0] * image->format->size, origin[1], origin[2] },
		.row_pitch = image->stride[0],
		.slice_pitch = image->stride[1] };
}

void image_byte_region(const struct image *image, const size_t region[3], size_t bytes[3])
{
	bytes[0] = region[0] * image->format->size;
	bytes[1] = region[1];
	bytes[2] = region[2];
}

struct l0_image_box image_l0_box(const size_t origin[3], const size_t region[3])
{
	return (struct l0_image_box){
		.origin = { (uint32_t)origin[0], (uint32_t)origin[1], (uint32_t)origin[2] },
		.region = { (uint32_t)region[0], (uint32_t)region[1], (uint32_t)region[2] },
	};
}

/*
 * The device's image of the images of a buffer that are alike. They share it, so that what a kernel
 * writes through one of them is in what another one is carried back from.
 */
struct image_shadow {
	struct image_shadow *next; /* of the buffer; under its lock, as is `refs` */
	unsigned refs;
	struct mem *buffer; /* not a reference: the images have one */
	const struct image_format *format;
	size_t row_pitch;
	struct l0_image_desc desc;
	struct l0_image *l0;
	_Atomic(struct l0_image *) line; /* for image_for */
};

static void shadow_put(struct image_shadow *shadow)
{
	struct mem *buffer = shadow->buffer;
	struct image_shadow **link = &buffer->shadows;

	pthread_mutex_lock(&buffer->lock);
	bool is_last = !--shadow->refs;
	while (is_last && *link != shadow)
		link = &(*link)->next;
	if (is_last)
		*link = shadow->next;
	pthread_mutex_unlock(&buffer->lock);
	if (!is_last)
		return;
	l0_image_destroy(shadow->l0);
	l0_image_destroy(atomic_load(&shadow->line));
	free(shadow);
}

static bool is_alike(const struct image_shadow *shadow, const struct image *image,
	const struct l0_image_desc *desc)
{
	return shadow->format == image->format && shadow->row_pitch == image->row_pitch &&
	       shadow->desc.type == desc->type && shadow->desc.width == desc->width &&
	       shadow->desc.height == desc->height && shadow->desc.levels == desc->levels &&
	       shadow->desc.writable == desc->writable;
}

static cl_int shadow_get(struct mem *buffer, struct image *image, const struct l0_image_desc *desc)
{
	cl_int rc = CL_SUCCESS;

	pthread_mutex_lock(&buffer->lock);
	struct image_shadow *shadow = buffer->shadows;
	while (shadow && !is_alike(shadow, image, desc))
		shadow = shadow->next;
	if (!shadow) {
		shadow = calloc(1, sizeof(*shadow));
		rc = shadow ? l0_image_create(buffer->context->l0, desc, &shadow->l0)
			    : CL_OUT_OF_HOST_MEMORY;
		if (rc) {
			free(shadow);
			goto out;
		}
		shadow->buffer = buffer;
		shadow->format = image->format;
		shadow->row_pitch = image->row_pitch;
		shadow->desc = *desc;
		shadow->next = buffer->shadows;
		buffer->shadows = shadow;
	}
	shadow->refs++;
	image->shadow = shadow;
	image->l0 = shadow->l0;
out:
	pthread_mutex_unlock(&buffer->lock);
	return rc;
}

static void image_finish(struct mem *mem)
{
	struct image *image = mem->image;

	if (image->shadow)
		shadow_put(image->shadow);
	else
		l0_image_destroy(image->l0);
	free(image);
}

static struct l0_image_desc l0_desc(const struct mem *mem)
{
	static const enum l0_image_type types[] = {
		[CL_MEM_OBJECT_IMAGE1D - CL_MEM_OBJECT_BUFFER] = L0_IMAGE_1D,
		[CL_MEM_OBJECT_IMAGE1D_BUFFER - CL_MEM_OBJECT_BUFFER] = L0_IMAGE_1D, /* line */
		[CL_MEM_OBJECT_IMAGE1D_ARRAY - CL_MEM_OBJECT_BUFFER] = L0_IMAGE_1D_ARRAY,
		[CL_MEM_OBJECT_IMAGE2D - CL_MEM_OBJECT_BUFFER] = L0_IMAGE_2D,
		[CL_MEM_OBJECT_IMAGE2D_ARRAY - CL_MEM_OBJECT_BUFFER] = L0_IMAGE_2D_ARRAY,
		[CL_MEM_OBJECT_IMAGE3D - CL_MEM_OBJECT_BUFFER] = L0_IMAGE_3D,
	};
	const struct image *image = mem->image;

	return (struct l0_image_desc){
		.type = types[mem->type - CL_MEM_OBJECT_BUFFER],
		.format = image->format->l0,
		.width = (uint32_t)image->width,
		.height = image->height ? (uint32_t)image->height : 1,
		.depth = image->depth ? (uint32_t)image->depth : 1,
		.layers = (uint32_t)image->layers,
		.writable = !(mem->flags & CL_MEM_READ_ONLY),
	};
}

/* A 1D image of a buffer in rows: if the last row is shorter, `levels` passes the
 * width to kernels. */
static void make_rows(struct l0_image_desc *desc)
{
	const uint32_t n = desc->width;

	desc->type = L0_IMAGE_2D;
	desc->width = n < BUFFER_IMAGE_WIDTH ? n : BUFFER_IMAGE_WIDTH;
	desc->height = (n + BUFFER_IMAGE_WIDTH - 1) / BUFFER_IMAGE_WIDTH;
	desc->levels = n == desc->width * desc->height ? 0 : BUFFER_IMAGE_LEVELS(n);
}

struct l0_image *image_for(const struct mem *mem, bool has_rows)
{
	struct image *image = mem->image;

	return mem->type == CL_MEM_OBJECT_IMAGE1D_BUFFER && !has_rows
		       ? atomic_load(&image->shadow->line)
		       : image->l0;
}

cl_int image_make_line(struct mem *mem)
{
	struct image *image = mem->image;
	struct l0_image_desc desc = l0_desc(mem);
	struct l0_image *line, *none = NULL;
	size_t limit = mem->context->devices[0]->images.line;
	cl_int rc;

	if (mem->type != CL_MEM_OBJECT_IMAGE1D_BUFFER || atomic_load(&image->shadow->line))
		return CL_SUCCESS;
	REQUIRE(image->width <= limit,
		error_say(CL_INVALID_ARG_VALUE,
			"native code that ZeroCL did not make takes images of buffers of at most "
			"%zu pixels, this one has %zu",
			limit, image->width));
	if ((rc = l0_image_create(mem->context->l0, &desc, &line)))
		return rc;
	if (!atomic_compare_exchange_strong(&image->shadow->line, &none, line))
		l0_image_destroy(line);
	return CL_SUCCESS;
}

/* The bytes are those of another image, of a buffer, or new ones. */
static cl_int make_pixels(struct mem *mem, char *host_ptr)
{
	struct l0_image_desc desc = l0_desc(mem);
	struct l0_context *l0 = mem->context->l0;
	struct mem *parent = mem->parent;

	if (parent && parent->image && !parent->image->is_linear)
		return l0_image_view(l0, parent->image->l0, &desc, &mem->image->l0);
	if (parent) {
		mem->image->is_linear = true;
		mem->address = parent->address;
		mem->host_ptr = parent->host_ptr;
		if (mem->type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
			make_rows(&desc);
		while (parent->image)
			parent = parent->parent;
		return shadow_get(parent, mem->image, &desc);
	}
	cl_int rc = l0_image_create(l0, &desc, &mem->image->l0);
	return rc || !host_ptr ? rc : image_upload(mem, host_ptr);
}

cl_int image_create(struct context *context, const cl_mem_properties *properties,
	cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc,
	void *host_ptr, struct mem **out)
{
	struct image image;
	cl_int rc;

	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(!properties || !properties[0], CL_INVALID_PROPERTY);
	if ((rc = image_desc_check(context, flags, format, desc, host_ptr, &image)))
		return rc;
	struct mem *parent = mem_from(desc->mem_object);
	size_t size = image.extent[2] > 1   ? image.stride[1] * image.extent[2]
		      : image.extent[1] > 1 ? image.stride[0] * image.extent[1]
					    : image.row_pitch;

	cl_ulong limit = context->devices[0]->max_alloc_size;
	REQUIRE(size <= limit, error_say(CL_MEM_OBJECT_ALLOCATION_FAILURE,
				       "%zu bytes are more than CL_DEVICE_MAX_MEM_ALLOC_SIZE, %llu",
				       size, (unsigned long long)limit));

	struct mem *mem = mem_new(context, desc->image_type, size);
	REQUIRE(mem, CL_OUT_OF_HOST_MEMORY);
	mem->image = malloc(sizeof image);
	TRY(mem->image ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	*mem->image = image;
	mem->finish = image_finish;
	mem->flags = parent ? mem_inherit_flags(flags, parent->flags) : flags;
	if (!(mem->flags & MEM_ACCESS_FLAGS))
		mem->flags |= CL_MEM_READ_WRITE;
	mem->parent = parent ? mem_get(parent) : NULL;
	if (properties) {
		/* none is known, so that the list is its end */
		mem->properties = calloc(1, sizeof *properties);
		mem->n_properties = 1;
		TRY(mem->properties ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	}
	TRY(make_pixels(mem, host_ptr));
	if (flags & CL_MEM_USE_HOST_PTR)
		mem->host_ptr = host_ptr;
	*out = mem;
	return CL_SUCCESS;
fail:
	mem_put(mem);
	return rc;
}

cl_int image_create_old(struct context *context, cl_mem_flags flags, const cl_image_format *format,
	const cl_image_desc *desc, void *host_ptr, struct mem **out)
{
	cl_int rc = image_create(context, NULL, flags, format, desc, host_ptr, out);
	char why[256];

	if (rc != CL_INVALID_IMAGE_DESCRIPTOR)
		return rc;
	/* older than descriptors: what is wrong with one is the size */
	snprintf(why, sizeof why, "%s", error_sentence(rc) ? error_sentence(rc) : "");
	return error_say(CL_INVALID_IMAGE_SIZE, "%s", why);
}

#define IMAGE const struct image *image = ((const struct mem *)object)->image

static cl_int answer_format(const void *object, const struct info *info)
{
	IMAGE;
	return info_bytes(info, &image->format->cl, sizeof image->format->cl);
}

static cl_int answer_element_size(const void *object, const struct info *info)
{
	IMAGE;
	size_t size = image->format->size;

	return info_bytes(info, &size, sizeof size);
}

static cl_int answer_buffer(const void *object, const struct info *info)
{
	const struct mem *mem = object;
	struct mem *buffer =
		mem->parent && mem->parent->type == CL_MEM_OBJECT_BUFFER ? mem->parent : NULL;

	return info_bytes(info, &buffer, sizeof buffer);
}

/* Of struct mem. */
static const struct info_row rows[] = {
	INFO_FN(CL_IMAGE_FORMAT, answer_format),
	INFO_FN(CL_IMAGE_ELEMENT_SIZE, answer_element_size),
	INFO_FN(CL_IMAGE_BUFFER, answer_buffer),
	INFO_CONSTANT(CL_IMAGE_NUM_MIP_LEVELS, cl_uint, 0),
	INFO_CONSTANT(CL_IMAGE_NUM_SAMPLES, cl_uint, 0),
};

/* Of struct image. */
static const struct info_row image_rows[] = {
	INFO_FIELD(CL_IMAGE_ROW_PITCH, struct image, row_pitch),
	INFO_FIELD(CL_IMAGE_SLICE_PITCH, struct image, slice_pitch),
	INFO_FIELD(CL_IMAGE_WIDTH, struct image, width),
	INFO_FIELD(CL_IMAGE_HEIGHT, struct image, height),
	INFO_FIELD(CL_IMAGE_DEPTH, struct image, depth),
	INFO_FIELD(CL_IMAGE_ARRAY_SIZE, struct image, layers),
};

cl_int image_info(struct mem *mem, cl_image_info param, size_t size, void *value, size_t *size_ret)
{
	REQUIRE(mem && mem->image, CL_INVALID_MEM_OBJECT);

	if (info_find(image_rows, UTIL_ARRAY_SIZE(image_rows), param))
		return INFO_GET(image_rows, mem->image, param, size, value, size_ret);
	return INFO_GET(rows, mem, param, size, value, size_ret);
}
