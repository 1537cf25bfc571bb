// SPDX-License-Identifier: MIT
#ifndef VERIFY_IMAGE_H
#define VERIFY_IMAGE_H

#include "tool/base/tool_cl.h"
#include "tool/verify/verify.h"

/*
 * Vectors of images: a read through a sampler, a read without one, or a write, of one format and
 * shape. They are kernels in OpenCL C, because a sampler's state and an image's surface are made by
 * the driver; Intel's compiler makes the sampler's and the typed messages of them. The image has 32
 * texels.
 */

/* What runs them on a device; zeroed, it is not open. */
struct verify_images {
	const struct tool_cl *cl;
	cl_program program;
	cl_mem coordinates, results;
};

/* Adds the vectors; a part of verify_vectors_make. False without memory. */
bool verify_images_add(struct verify_vectors *vectors, const char *only);

/* Opens `images` the first time. The result of all groups goes to `result`. Returns OpenCL's error.
 */
cl_int verify_image_run(struct verify_images *images, const struct verify_vector *vector,
	uint8_t result[VERIFY_GROUPS][VERIFY_RESULT]);

/* How many coordinates its image has; 0: it has none. */
unsigned verify_image_axes(const struct verify_vector *vector);
/* Where lane (of 32, four to a texel) of a group reads: x, y, z. */
float verify_image_coordinate(
	const struct verify_vector *vector, unsigned group, unsigned lane, unsigned axis);

#endif
