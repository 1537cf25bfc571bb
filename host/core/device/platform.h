// SPDX-License-Identifier: MIT
#ifndef PLATFORM_H
#define PLATFORM_H

#include "core/base/obj.h"

struct device;

/* The one platform. It and its devices live as long as the library. */
struct platform {
	struct obj base;
	const char *name;
	const char *vendor;
	const char *version;
	cl_version numeric_version;
};

OBJ_DEFINE(platform, cl_platform_id, OBJ_PLATFORM)

/*
 * The platform; made by the first call (thread-safe). Never NULL once obj_set_dispatch was called.
 * Costs no device work.
 */
struct platform *platform_default(void);

/* In an heir (l0_process.h): `inherited` becomes the platform. Before platform_default. */
void platform_inherit(struct platform *inherited);

/*
 * The first device, from which `next` leads to the others; the first call finds them (thread-safe),
 * which initialises Level Zero. ZEROCL_VISIBLE_DEVICES=number,… chooses, and gives the order. NULL
 * when there is none, and then `why` (may be NULL) gets a sentence, valid for the life of the
 * library.
 */
struct device *platform_device(struct platform *platform, const char **why);

/* cl_khr_icd 2.0: the loader's word for the platform, its devices, and what is made from them. */
void platform_set_loader_data(struct platform *platform, void *data);

cl_int platform_info(struct platform *platform, cl_platform_info param, const struct info *info);

/* clGetDeviceIDs: devices of `type`, CL_DEVICE_NOT_FOUND when there is none. */
cl_int platform_devices(struct platform *platform, cl_device_type type, cl_uint n,
	cl_device_id *devices, cl_uint *n_ret);

#endif
