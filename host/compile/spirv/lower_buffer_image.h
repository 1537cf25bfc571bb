// SPDX-License-Identifier: MIT
#ifndef LOWER_BUFFER_IMAGE_H
#define LOWER_BUFFER_IMAGE_H

#include "compile/spirv/spirv_module.h"

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

/* Whether the module declares a type of such images. */
bool lower_buffer_image_wanted(const struct spirv_module *module);

/*
 * Makes reads, writes and queries of sizes anew, so that images of buffers have rows; all else
 * follows from the images' type. The module does not become smaller. Returns COMPILE_OK,
 * COMPILE_ERROR (such an image is used as only others can be), COMPILE_NO_MEMORY.
 */
enum compile_status lower_buffer_image(struct spirv_module *module);

#endif
