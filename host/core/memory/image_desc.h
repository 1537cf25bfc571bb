// SPDX-License-Identifier: MIT
#ifndef IMAGE_DESC_H
#define IMAGE_DESC_H

#include "core/memory/image.h"

/*
 * The checks of clCreateImage, in the order of section 5.3.1; fills *image but for its pixels.
 * is_imported: these are those of another API.
 */
cl_int image_desc_check(struct context *context, cl_mem_flags flags, const cl_image_format *format,
	const cl_image_desc *desc, const void *host_ptr, bool is_imported, struct image *image);

#endif
