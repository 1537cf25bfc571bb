// SPDX-License-Identifier: MIT
#ifndef LOWER_BUFFER_IMAGE_H
#define LOWER_BUFFER_IMAGE_H

#include "compile/base/request.h"

/*
 * Images of buffers (image1d_buffer_t) for a driver that has none. As an image of one dimension it
 * could have no more than 16384 pixels; so it is one of two dimensions, with rows of so many
 * pixels, the last of which may be shorter than the image has it. Pixel x is at
 * (x % BUFFER_IMAGE_WIDTH, x / BUFFER_IMAGE_WIDTH). How many there are, the image tells as its
 * number of mip levels, see BUFFER_IMAGE_LEVELS: drivers give that of a view to kernels. 0 stands
 * for width * height.
 */
#define BUFFER_IMAGE_SHIFT 14u
#define BUFFER_IMAGE_WIDTH (1u << BUFFER_IMAGE_SHIFT)

/*
 * The number of mip levels for fewer pixels than the rows have. Drivers since 2023 have the device
 * use the level of the low four bits less 1: there is the first one, always.
 */
#define BUFFER_IMAGE_LEVEL_BITS 4u
#define BUFFER_IMAGE_LEVELS(n)	((uint32_t)(n) << BUFFER_IMAGE_LEVEL_BITS | 1)

/* Whether the module, which spirv_module_check takes, declares a type of such images. */
bool lower_buffer_image_wanted(const void *spirv, size_t size);

/*
 * The module with rows for images of buffers: reads, writes and queries of sizes are made anew, all
 * else follows from the images' type. It is not smaller than it was. *out is malloc'ed.
 * COMPILE_OK, COMPILE_ERROR (malformed, or such an image is used as only others can be; a sentence
 * without a period goes to `why`, at most `why_size` bytes; may be NULL), COMPILE_NO_MEMORY.
 */
enum compile_status lower_buffer_image(
	const void *spirv, size_t size, void **out, size_t *out_size, char *why, size_t why_size);

#endif
