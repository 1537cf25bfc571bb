// SPDX-License-Identifier: MIT
#include "core/memory/image.h"

#include "compile/spirv/lower_buffer_image.h"
#include "core/base/error.h"
#include "core/memory/image_desc.h"
#include "core/memory/image_upload.h"
#include "core/memory/mem_properties.h"
#include "core/base/info.h"
#include "l0/l0_memory.h"

#include <stdio.h>
#include <stdlib.h>

size_t image_region_bytes(const struct image *image, const size_t region[3])
{
	return box_bytes(region) * image->format->size;
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
 * The devices' images of the linear images of the same bytes that are alike. They share them, so
 * that what a kernel writes through one of them is in what another one is carried back from.
 */
struct image_shadow {
	struct image_shadow *next; /* of the owner; under its lock, as is `refs` */
	unsigned refs;
	struct mem *owner; /* of the bytes: a buffer, or an image; not a reference */
	const struct image_format *format;
	size_t row_pitch, slice_pitch;
	struct l0_image_desc desc;
	_Atomic(struct l0_image *) *lines; /* for image_for; these two are for each device */
	struct l0_image *l0[];
};

static void shadow_destroy(struct image_shadow *shadow)
{
	for (cl_uint i = 0; i < shadow->owner->context->n_devices; i++) {
		l0_image_destroy(shadow->l0[i]);
		if (shadow->lines)
			l0_image_destroy(atomic_load(&shadow->lines[i]));
	}
	free(shadow->lines);
	free(shadow);
}

static void shadow_put(struct image_shadow *shadow)
{
	struct mem *owner = shadow->owner;
	struct image_shadow **link = &owner->shadows;

	pthread_mutex_lock(&owner->lock);
	bool is_last = !--shadow->refs;
	while (is_last && *link != shadow)
		link = &(*link)->next;
	if (is_last)
		*link = shadow->next;
	pthread_mutex_unlock(&owner->lock);
	if (is_last)
		shadow_destroy(shadow);
}

static bool is_alike(const struct image_shadow *shadow, const struct image *image,
	const struct l0_image_desc *desc)
{
	return shadow->format == image->format && shadow->row_pitch == image->row_pitch &&
	       shadow->slice_pitch == image->slice_pitch && shadow->desc.type == desc->type &&
	       shadow->desc.width == desc->width && shadow->desc.height == desc->height &&
	       shadow->desc.depth == desc->depth && shadow->desc.layers == desc->layers &&
	       shadow->desc.writable == desc->writable;
}

static cl_int shadow_create(struct mem *owner, const struct image *image,
	const struct l0_image_desc *desc, struct image_shadow **out)
{
	struct context *context = owner->context;
	struct image_shadow *shadow =
		calloc(1, sizeof *shadow + context->n_devices * sizeof shadow->l0[0]);
	cl_int rc;

	REQUIRE(shadow, CL_OUT_OF_HOST_MEMORY);
	shadow->owner = owner;
	shadow->format = image->format;
	shadow->row_pitch = image->row_pitch;
	shadow->slice_pitch = image->slice_pitch;
	shadow->desc = *desc;
	shadow->lines = calloc(context->n_devices, sizeof *shadow->lines);
	TRY(shadow->lines ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	for (cl_uint i = 0; i < context->n_devices; i++)
		if (context->devices[i]->has_images)
			TRY(l0_image_create(context->on[i], desc, &shadow->l0[i]));
	*out = shadow;
	return CL_SUCCESS;
fail:
	shadow_destroy(shadow);
	return rc;
}

static cl_int shadow_get(struct mem *owner, struct image *image, const struct l0_image_desc *desc)
{
	cl_int rc = CL_SUCCESS;

	pthread_mutex_lock(&owner->lock);
	struct image_shadow *shadow = owner->shadows;
	while (shadow && !is_alike(shadow, image, desc))
		shadow = shadow->next;
	if (!shadow) {
		TRY(shadow_create(owner, image, desc, &shadow));
		shadow->next = owner->shadows;
		owner->shadows = shadow;
	}
	shadow->refs++;
	l0_memory_written(owner->context->l0, owner->address, 0);
	image->shadow = shadow;
	image->l0 = shadow->l0;
fail:
	pthread_mutex_unlock(&owner->lock);
	return rc;
}

static void image_finish(struct mem *mem)
{
	struct image *image = mem->image;

	if (image->shadow)
		shadow_put(image->shadow);
	else
		l0_image_destroy(image->own);
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
		.writable = !(mem->flags & (CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT)),
	};
}

/* A 1D image of a buffer in rows. */
static void make_rows(struct l0_image_desc *desc)
{
	const uint32_t n = desc->width;

	desc->type = L0_IMAGE_2D;
	desc->width = BUFFER_IMAGE_COLUMNS(n);
	desc->height = BUFFER_IMAGE_ROWS(n);
}

struct l0_image *image_for(const struct mem *mem, unsigned place, bool has_rows)
{
	struct image *image = mem->image;

	return mem->type == CL_MEM_OBJECT_IMAGE1D_BUFFER && !has_rows
		       ? atomic_load(&image->shadow->lines[place])
		       : image->l0[place];
}

cl_int image_make_line(struct mem *mem)
{
	struct context *context = mem->context;
	struct image *image = mem->image;
	struct l0_image_desc desc = l0_desc(mem);
	size_t limit = context->images.line;

	if (mem->type != CL_MEM_OBJECT_IMAGE1D_BUFFER)
		return CL_SUCCESS;
	REQUIRE(image->width <= limit,
		error_say(CL_INVALID_ARG_VALUE,
			"native code that ZeroCL did not make takes images of buffers of at most "
			"%zu pixels, this one has %zu",
			limit, image->width));
	for (cl_uint i = 0; i < context->n_devices; i++) {
		struct l0_image *line, *none = NULL;
		cl_int rc;

		if (!image->l0[i] || atomic_load(&image->shadow->lines[i]))
			continue;
		if ((rc = l0_image_create(context->on[i], &desc, &line)))
			return rc;
		if (!atomic_compare_exchange_strong(&image->shadow->lines[i], &none, line))
			l0_image_destroy(line);
	}
	return CL_SUCCESS;
}

/* New bytes, in the order in which the application has them. */
static cl_int make_linear(struct mem *mem, char *host_ptr)
{
	static const size_t origin[3];
	const struct image *image = mem->image;
	struct box_copy copy;
	cl_int rc = l0_memory_alloc(
		mem->context->l0, L0_MEMORY_SHARED, mem->size, 0, (void **)&mem->address);

	if (rc || !host_ptr)
		return rc;
	copy = (struct box_copy){ .from = image_box(image, host_ptr, origin),
		.to = image_box(image, mem->address, origin) };
	image_byte_region(image, image->extent, copy.region);
	box_copy_run(&copy);
	return CL_SUCCESS;
}

/* The bytes are those of another image, of a buffer, imported, or new ones. */
static cl_int make_pixels(struct mem *mem, const struct mem_properties *properties, char *host_ptr)
{
	struct l0_image_desc desc = l0_desc(mem);
	struct l0_context *l0 = mem->context->l0;
	struct mem *parent = mem->parent;

	mem->image->is_linear = mem->context->n_devices > 1 || properties->importer ||
				(parent && (!parent->image || parent->image->is_linear));
	if (!mem->image->is_linear) {
		mem->image->l0 = &mem->image->own;
		if (parent)
			return l0_image_view(l0, parent->image->own, &desc, &mem->image->own);
		cl_int rc = l0_image_create(l0, &desc, &mem->image->own);
		return rc || !host_ptr ? rc : image_upload(mem, host_ptr);
	}
	if (parent) {
		mem->address = parent->address;
		mem->host_ptr = parent->host_ptr;
		mem->only = parent->only;
	} else {
		cl_int rc = properties->importer ? mem_properties_import(mem, properties, mem->size)
						 : make_linear(mem, host_ptr);

		if (rc)
			return rc;
	}
	if (mem->type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
		make_rows(&desc);
	struct mem *owner = mem;
	while (owner->image && owner->parent)
		owner = owner->parent;
	return shadow_get(owner, mem->image, &desc);
}

cl_int image_create(struct context *context, const cl_mem_properties *properties,
	cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc,
	void *host_ptr, struct mem **out)
{
	struct mem_properties read;
	struct image image;
	cl_int rc;

	REQUIRE(context, CL_INVALID_CONTEXT);
	if ((rc = mem_properties_read(context, properties, flags, CL_MEM_OBJECT_IMAGE2D, &read)) ||
		(rc = image_desc_check(
			 context, flags, format, desc, host_ptr, read.importer != NULL, &image)))
		return rc;
	struct mem *parent = mem_from(desc->mem_object);
	size_t size = image.extent[2] > 1   ? image.stride[1] * image.extent[2]
		      : image.extent[1] > 1 ? image.stride[0] * image.extent[1]
					    : image.row_pitch;

	cl_ulong limit = context->max_alloc_size;
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
	if (!(mem->flags & (MEM_ACCESS_FLAGS | CL_MEM_IMMUTABLE_EXT)))
		mem->flags |= CL_MEM_READ_WRITE;
	mem->parent = parent ? mem_get(parent) : NULL;
	TRY(mem_properties_keep(mem, &read));
	TRY(make_pixels(mem, &read, host_ptr));
	if (flags & CL_MEM_USE_HOST_PTR)
		mem->host_ptr = host_ptr;
	mem_properties_take(&read);
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

INFO_ANSWER(answer_buffer, struct mem *mem, const struct mem *,
	mem->parent && mem->parent->type == CL_MEM_OBJECT_BUFFER ? mem->parent : NULL)

/* Of struct mem. */
static const struct info_row rows[] = {
	INFO_FN(CL_IMAGE_BUFFER, answer_buffer),
	INFO_CONSTANT(CL_IMAGE_NUM_MIP_LEVELS, cl_uint, 0),
	INFO_CONSTANT(CL_IMAGE_NUM_SAMPLES, cl_uint, 0),
};

/* Of struct image. */
static const struct info_row image_rows[] = {
	INFO_VIA(CL_IMAGE_FORMAT, struct image, format, cl),
	INFO_VIA(CL_IMAGE_ELEMENT_SIZE, struct image, format, size),
	INFO_FIELD(CL_IMAGE_ROW_PITCH, struct image, row_pitch),
	INFO_FIELD(CL_IMAGE_SLICE_PITCH, struct image, slice_pitch),
	INFO_FIELD(CL_IMAGE_WIDTH, struct image, width),
	INFO_FIELD(CL_IMAGE_HEIGHT, struct image, height),
	INFO_FIELD(CL_IMAGE_DEPTH, struct image, depth),
	INFO_FIELD(CL_IMAGE_ARRAY_SIZE, struct image, layers),
};

cl_int image_info(struct mem *mem, cl_image_info param, const struct info *info)
{
	REQUIRE(mem && mem->image, CL_INVALID_MEM_OBJECT);

	if (info_find(image_rows, UTIL_ARRAY_SIZE(image_rows), param))
		return INFO_GET(image_rows, mem->image, param, info);
	return INFO_GET(rows, mem, param, info);
}
