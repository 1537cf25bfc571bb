// SPDX-License-Identifier: MIT
#ifndef IMAGE_ARG_H
#define IMAGE_ARG_H

#include "core/kernel/kernel.h"

/* clSetKernelArg for images and samplers; kernel->lock is held. */
cl_int image_arg_set(struct kernel *kernel, cl_uint index, size_t size, const void *value);
cl_int image_arg_set_sampler(struct kernel *kernel, cl_uint index, size_t size, const void *value);

/* Whether that form of the kernel has images of buffers in rows, and the parameter is one. */
bool image_arg_has_rows(const struct kernel *kernel, cl_uint index, bool is_second);

#endif
