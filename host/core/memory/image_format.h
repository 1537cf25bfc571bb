// SPDX-License-Identifier: MIT
#ifndef IMAGE_FORMAT_H
#define IMAGE_FORMAT_H

#include "core/device/context.h"
#include "l0/l0_image.h"

/*
 * The formats that images can have: those of which Level Zero can say all that a kernel may ask.
 * It has no sRGB, and no channel orders A, RA, RGBx, ARGB, INTENSITY and LUMINANCE that kernels
 * could read and write.
 */
struct image_format {
	cl_image_format cl;
	size_t size;	  /* of a pixel, bytes */
	uint8_t channels; /* in memory */
	struct l0_image_format l0;
};

#define IMAGE_FORMAT_MAX_SIZE DEVICE_MAX_PIXEL

/*
 * The row for a format of an image of that type; NULL with CL_INVALID_IMAGE_FORMAT_DESCRIPTOR in
 * *rc if there is no such format (table 5.6 and what follows it), or CL_IMAGE_FORMAT_NOT_SUPPORTED
 * if the device does not have it.
 */
const struct image_format *image_format_find(
	const cl_image_format *format, cl_mem_object_type type, cl_int *rc);

/* clGetSupportedImageFormats, section 5.3.2. */
cl_int image_format_list(struct context *context, cl_mem_flags flags, cl_mem_object_type type,
	cl_uint n, cl_image_format *formats, cl_uint *n_ret);

/*
 * A pixel of the colour that clEnqueueFillImage was given: four cl_float, cl_int or cl_uint as the
 * format has it, one cl_float for CL_DEPTH. Rounded as section 8.3 of the C specification wants.
 */
void image_format_pack(const struct image_format *format, const void *color,
	unsigned char pixel[IMAGE_FORMAT_MAX_SIZE]);

/* Whether `type` is that of an image. */
bool image_is_type(cl_mem_object_type type);

#endif
