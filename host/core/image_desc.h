// SPDX-License-Identifier: MIT
#ifndef CORE_IMAGE_DESC_H
#define CORE_IMAGE_DESC_H

#include "core/image.h"

/* CL_DEVICE_IMAGE_PITCH_ALIGNMENT and CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, pixels. */
#define IMAGE_PITCH_ALIGN 4
#define IMAGE_BASE_ALIGN  4

/* CL_DEVICE_IMAGE_MAX_BUFFER_SIZE: such an image is a line, which is no longer than others. */
static inline size_t image_max_buffer(const struct device *device)
{
	return device->hw->image_1d;
}

/*
 * The checks of clCreateImage, in the order of section 5.3.1; fills *image but for its pixels.
 */
cl_int image_desc_check(struct context *context, cl_mem_flags flags, const cl_image_format *format,
	const cl_image_desc *desc, const void *host_ptr, struct image *image);

#endif
