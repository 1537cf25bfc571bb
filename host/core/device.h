// SPDX-License-Identifier: MIT
#ifndef CORE_DEVICE_H
#define CORE_DEVICE_H

#include "core/obj.h"
#include "core/platform.h"

#include <stdbool.h>

struct l0_device;
struct device_family;

/* Extensions and features of OpenCL C in the forms in which queries want them. */
struct device_names {
	char *text; /* separated by spaces */
	cl_name_version *list;
	size_t n;
};

/*
 * The device. Everything is fixed when it is made. The answers of clGetDeviceInfo are fields here
 * (device_info.c has the rows) or functions over `l0` and `family`.
 */
struct device {
	struct obj base;
	struct platform *platform;
	struct l0_device *l0;
	const struct device_family *family; /* what differs between Gen9, Gen11, Gen12LP */
	const char *compiler_family;	    /* what host/compile calls it: "tgllp" … */
	bool is_virtual;
	cl_device_type type;
	char name[256];
	char driver_version[64];
	struct device_names extensions;
	struct device_names features;
	size_t sub_group_sizes[3]; /* 8, 16, 32 */
	size_t max_group_size;
	size_t max_group_sizes[3];
	cl_ulong max_alloc_size;
	cl_ulong global_mem_size;
	cl_ulong local_mem_size;
	cl_uint mem_base_addr_align; /* bits */
	cl_uint compute_units;
};

OBJ_DEFINE(device, cl_device_id, OBJ_DEVICE)

cl_int device_info(
	struct device *device, cl_device_info param, size_t size, void *value, size_t *size_ret);

/* True when the device reports the extension of that name. */
bool device_has_extension(const struct device *device, const char *name);

#endif
