// SPDX-License-Identifier: MIT
#ifndef CORE_IMAGE_ARG_H
#define CORE_IMAGE_ARG_H

#include "core/kernel.h"

/* clSetKernelArg for images and samplers; kernel->lock is held. */
cl_int image_arg_set(struct kernel *kernel, cl_uint index, size_t size, const void *value);
cl_int image_arg_set_sampler(struct kernel *kernel, cl_uint index, size_t size, const void *value);

#endif
