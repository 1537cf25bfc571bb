// SPDX-License-Identifier: MIT
#ifndef IMAGE_REQUIREMENTS_H
#define IMAGE_REQUIREMENTS_H

#include "core/device/context.h"

/*
 * clGetImageRequirementsInfoEXT (cl_ext_image_requirements_info): what an image would demand that
 * is not made. `format` and `desc` may be NULL, and sizes of `desc` 0: the answer holds for all
 * then.
 */
cl_int image_requirements(struct context *context, const cl_mem_properties *properties,
	cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc, cl_uint param,
	const struct info *info);

#endif
