// SPDX-License-Identifier: MIT
#ifndef IMAGE_ARG_H
#define IMAGE_ARG_H

#include "core/kernel/kernel.h"

/* clSetKernelArg for images and samplers; kernel->lock is held. */
cl_int image_arg_set(struct kernel *kernel, cl_uint index, size_t size, const void *value);
cl_int image_arg_set_sampler(struct kernel *kernel, cl_uint index, size_t size, const void *value);

/* Whether the parameter is an image of a buffer, and the kernel has these in rows. */
bool image_arg_has_rows(const struct kernel_form *form, cl_uint index);

#endif
