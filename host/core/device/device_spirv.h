// SPDX-License-Identifier: MIT
#ifndef DEVICE_SPIRV_H
#define DEVICE_SPIRV_H

#include <CL/cl.h>

struct info;

/*
 * Answers of cl_khr_spirv_queries, of a struct device: what modules may import, declare and be of.
 * What an extension of OpenCL brings is listed when that is reported.
 */
cl_int device_spirv_sets(const void *device, const struct info *info);
cl_int device_spirv_extensions(const void *device, const struct info *info);
cl_int device_spirv_capabilities(const void *device, const struct info *info);

#endif
