// SPDX-License-Identifier: MIT
#ifndef SUB_DEVICE_H
#define SUB_DEVICE_H

#include "core/device/device.h"

/*
 * Sub-devices (section 4.3): the tiles of a device, where Level Zero has such below it. A tile has
 * one handle as long as anybody holds it. A parent is never destroyed before them.
 */

/*
 * clCreateSubDevices. The tiles are what CL_DEVICE_AFFINITY_DOMAIN_NUMA divides a device into, and
 * CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE; it divides into nothing else. `out` and `n_ret` may
 * be NULL. CL_INVALID_DEVICE; CL_INVALID_VALUE: properties that the device has not, or no room for
 * all in `out`; CL_OUT_OF_HOST_MEMORY.
 */
cl_int sub_device_create(struct device *parent, const cl_device_partition_property *properties,
	cl_uint n, cl_device_id *out, cl_uint *n_ret);

/* clRetainDevice, clReleaseDevice: devices of the platform are not counted. CL_INVALID_DEVICE. */
cl_int sub_device_retain(cl_device_id handle);
cl_int sub_device_release(cl_device_id handle);

/* CL_DEVICE_PARTITION_TYPE: nothing of what is no sub-device. */
cl_int sub_device_answer_type(const void *device, const struct info *info);

/* The `destroy` of a sub-device. */
void sub_device_destroy(struct obj *obj);

#endif
