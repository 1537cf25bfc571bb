// SPDX-License-Identifier: MIT
#ifndef LOWER_BUFFER_IMAGE_H
#define LOWER_BUFFER_IMAGE_H

#include "compile/spirv/spirv_module.h"

/*
 * Images of buffers (image1d_buffer_t) for a driver that has none. As an image of one dimension it
 * could have no more than 16384 pixels; so it is one of two dimensions, with rows of
 * BUFFER_IMAGE_WIDTH pixels. Pixel x is at (x % BUFFER_IMAGE_WIDTH, x / BUFFER_IMAGE_WIDTH). How
 * many there are, its own width tells: that of an image with several rows is the number of pixels
 * in the last two, so that some of its columns have none.
 */
#define BUFFER_IMAGE_SHIFT   13u
#define BUFFER_IMAGE_WIDTH   (1u << BUFFER_IMAGE_SHIFT)
#define BUFFER_IMAGE_ROWS(n) (((n) + BUFFER_IMAGE_WIDTH - 1) >> BUFFER_IMAGE_SHIFT)
/* The width of the image for n pixels, 2 * BUFFER_IMAGE_WIDTH at most. */
#define BUFFER_IMAGE_COLUMNS(n)                                                                    \
	(BUFFER_IMAGE_ROWS(n) < 2 ? (n) : (n) - ((BUFFER_IMAGE_ROWS(n) - 2) << BUFFER_IMAGE_SHIFT))

/*
 * Makes reads, writes and queries of sizes anew, so that images of buffers have rows; all else
 * follows from the images' type. *is_changed: the module has such images; it does not become
 * smaller. Returns COMPILE_OK, COMPILE_ERROR (such an image is used as only others can be),
 * COMPILE_NO_MEMORY.
 */
enum compile_status lower_buffer_image(struct spirv_module *module, bool *is_changed);

#endif
