// SPDX-License-Identifier: MIT
#ifndef IMAGE_H
#define IMAGE_H

#include "core/memory/box.h"
#include "core/memory/image_format.h"
#include "core/memory/mem.h"

#include <stdatomic.h>

/*
 * The part of a mem that only images have. The device stores the pixels in an order of its own, and
 * `address` of the mem is NULL. Level Zero has no images over buffers, and none of several devices:
 * an image of a buffer, or in a context of several devices, (is_linear) keeps its pixels at
 * mem->address, and the devices' images are shadows, which are filled before each kernel that uses
 * them and copied back after each that may write to them.
 *
 * CL_MEM_USE_HOST_PTR: as with buffers, the application's memory is a second copy, which maps bring
 * up to date. Its pitches are the ones below.
 */
struct image {
	const struct image_format *format;
	size_t width, height, depth, layers; /* as queries say it: 0 where the type has none */
	size_t row_pitch, slice_pitch;	     /* the same; bytes */
	size_t extent[3];		     /* of regions; 1 where the type has none */
	size_t stride[2];		     /* bytes from one row, slice or layer to the next */
	bool is_linear;
	/*
	 * By the device's place in the context; NULL where that has no images. Of 1D images of
	 * buffers: in rows of BUFFER_IMAGE_WIDTH pixels, see lower_buffer_image.h.
	 */
	struct l0_image *const *l0;
	struct l0_image *own;	     /* `l0`, unless the image is linear */
	struct image_shadow *shadow; /* of a linear image: has `l0`; else NULL */
};

/* clCreateImageWithProperties, section 5.3.1; properties may be NULL. */
cl_int image_create(struct context *context, const cl_mem_properties *properties,
	cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc,
	void *host_ptr, struct mem **out);

/* clCreateImage2D, clCreateImage3D: the same with their own error for a bad size. */
cl_int image_create_old(struct context *context, cl_mem_flags flags, const cl_image_format *format,
	const cl_image_desc *desc, void *host_ptr, struct mem **out);

/*
 * The image on the device at `place` of the context as a form of a kernel wants it, whose parameter
 * is or is not one in rows. NULL: see image_make_line.
 */
struct l0_image *image_for(const struct mem *mem, unsigned place, bool has_rows);

/*
 * Makes the images of one dimension for a 1D image of a buffer, unless they are there.
 * CL_INVALID_ARG_VALUE for one that is too long to be a line, and as l0_image_create. From any
 * thread.
 */
cl_int image_make_line(struct mem *mem);

cl_int image_info(struct mem *mem, cl_image_info param, const struct info *info);

/* Bytes of a packed region. */
size_t image_region_bytes(const struct image *image, const size_t region[3]);

/* A region of the image in linear memory at `address` with the image's own pitches. */
struct box image_box(const struct image *image, char *address, const size_t origin[3]);

/* The region as copies of bytes want it. */
void image_byte_region(const struct image *image, const size_t region[3], size_t bytes[3]);

/* For Level Zero. */
struct l0_image_box image_l0_box(const size_t origin[3], const size_t region[3]);

#endif
