// SPDX-License-Identifier: MIT
#ifndef L0_IMAGE_H
#define L0_IMAGE_H

#include "l0/l0_list.h"

/*
 * Images and samplers. The bytes of an image are the driver's, in a layout that only the device
 * knows; they are reached by kernels and by the copies below.
 */
struct l0_image;
struct l0_sampler;

enum l0_image_type { L0_IMAGE_1D, L0_IMAGE_1D_ARRAY, L0_IMAGE_2D, L0_IMAGE_2D_ARRAY, L0_IMAGE_3D };

/* Sizes of the components, in the order of their bits in memory. */
enum l0_layout {
	L0_LAYOUT_8,
	L0_LAYOUT_16,
	L0_LAYOUT_32,
	L0_LAYOUT_8_8,
	L0_LAYOUT_8_8_8_8,
	L0_LAYOUT_16_16,
	L0_LAYOUT_16_16_16_16,
	L0_LAYOUT_32_32,
	L0_LAYOUT_32_32_32_32,
	L0_LAYOUT_10_10_10_2,
	L0_LAYOUT_5_6_5,
	L0_LAYOUT_5_5_5_1
};

enum l0_component { L0_UINT, L0_SINT, L0_UNORM, L0_SNORM, L0_FLOAT };

struct l0_image_format {
	enum l0_layout layout;
	enum l0_component component;
	/* What a kernel gets as red, green, blue and alpha: 'r', 'g', 'b', 'a' of the memory, '0'
	 * or '1'. The driver tells kernels the channel order that it takes from this. */
	char channels[5];
};

struct l0_image_desc {
	enum l0_image_type type;
	struct l0_image_format format;
	uint32_t width, height, depth; /* 1 where the type has none */
	uint32_t layers;	       /* of the arrays, else 0 */
	bool writable;		       /* by kernels */
};

/*
 * An image with undefined content. CL_IMAGE_FORMAT_NOT_SUPPORTED, CL_MEM_OBJECT_ALLOCATION_FAILURE,
 * CL_OUT_OF_*.
 */
cl_int l0_image_create(
	struct l0_context *context, const struct l0_image_desc *desc, struct l0_image **out);

/*
 * Another image on the bytes of `of`, which must outlive it. CL_INVALID_OPERATION when the driver
 * has no views.
 */
cl_int l0_image_view(struct l0_context *context, struct l0_image *of,
	const struct l0_image_desc *desc, struct l0_image **out);

/* The device must not be using it any more. NULL is allowed. */
void l0_image_destroy(struct l0_image *image);

/* In pixels; the layers of an array are counted by [1] for 1D arrays and by [2] for 2D arrays. */
struct l0_image_box {
	uint32_t origin[3];
	uint32_t region[3];
};

/* Copies between a box and packed bytes that the device reaches. `signal` may be NULL. */
cl_int l0_list_image_write(struct l0_list *list, struct l0_image *to,
	const struct l0_image_box *box, const void *from, struct l0_event *signal);
cl_int l0_list_image_read(struct l0_list *list, void *to, struct l0_image *from,
	const struct l0_image_box *box, struct l0_event *signal);

/* Copies a box to a place in an image with pixels of the same size. */
cl_int l0_list_image_copy(struct l0_list *list, struct l0_image *to, const uint32_t to_origin[3],
	struct l0_image *from, const struct l0_image_box *box, struct l0_event *signal);

enum l0_address {
	L0_ADDRESS_NONE,
	L0_ADDRESS_REPEAT,
	L0_ADDRESS_EDGE,
	L0_ADDRESS_BORDER,
	L0_ADDRESS_MIRROR
};

struct l0_sampler_desc {
	enum l0_address address;
	bool linear; /* else nearest */
	bool normalized;
};

cl_int l0_sampler_create(
	struct l0_context *context, const struct l0_sampler_desc *desc, struct l0_sampler **out);
/* NULL is allowed. */
void l0_sampler_destroy(struct l0_sampler *sampler);

/* Arguments of kernels, see l0_kernel_set_arg. */
cl_int l0_kernel_set_image(struct l0_kernel *kernel, uint32_t index, struct l0_image *image);
cl_int l0_kernel_set_sampler(struct l0_kernel *kernel, uint32_t index, struct l0_sampler *sampler);

#endif
