// SPDX-License-Identifier: MIT
#ifndef IMAGE_DESC_H
#define IMAGE_DESC_H

#include "core/memory/image.h"

enum image_desc_size { IMAGE_WIDTH, IMAGE_HEIGHT, IMAGE_DEPTH, IMAGE_LAYERS, IMAGE_N_SIZES };

/* Whether images of that type have the size. */
bool image_desc_has(cl_mem_object_type type, enum image_desc_size size);
/* The devices' limit of it; without a type, the smallest of all. */
size_t image_desc_limit(
	const struct device_images *max, cl_mem_object_type type, enum image_desc_size size);
/* The sizes as they are given; 0 where the type has none. */
void image_desc_sizes(const cl_image_desc *desc, size_t sizes[IMAGE_N_SIZES]);

/*
 * The checks of clCreateImage, in the order of section 5.3.1; fills *image but for its pixels.
 * is_imported: these are those of another API.
 */
cl_int image_desc_check(struct context *context, cl_mem_flags flags, const cl_image_format *format,
	const cl_image_desc *desc, const void *host_ptr, bool is_imported, struct image *image);

#endif
