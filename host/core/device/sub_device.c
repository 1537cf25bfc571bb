// SPDX-License-Identifier: MIT
#include "core/device/sub_device.h"

#include "core/base/error.h"
#include "core/base/info.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void sub_device_destroy(struct obj *obj)
{
	struct device *device = (struct device *)(void *)obj;
	struct device *parent = device->parent;

	pthread_mutex_lock(&lock);
	for (cl_uint i = 0; i < parent->n_tiles; i++)
		if (parent->tiles[i] == device)
			parent->tiles[i] = NULL;
	pthread_mutex_unlock(&lock);
	device_destroy(device);
	device_put(parent);
}

/* The sub-device, with a reference of the application's more; NULL: no memory. */
static struct device *take_tile(struct device *parent, cl_uint index)
{
	pthread_mutex_lock(&lock);
	struct device *tile = parent->tiles[index];
	if (tile && obj_try_get(&tile->base)) {
		(void)obj_retain(tile, OBJ_DEVICE);
		device_put(tile); /* the application's reference holds it */
	} else if ((tile = device_create(
			    parent->platform, parent, l0_device_tile(parent->l0, index)))) {
		parent->tiles[index] = tile;
		device_get(parent);
	}
	pthread_mutex_unlock(&lock);
	return tile;
}

static cl_int check_properties(
	const struct device *parent, const cl_device_partition_property *properties)
{
	REQUIRE(properties, CL_INVALID_VALUE);
	REQUIRE(parent->n_tiles, error_say(CL_INVALID_VALUE, "the device cannot be partitioned"));
	/* a list ends at its first 0, which may be the first word */
	REQUIRE(properties[0] == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN && !properties[2],
		error_say(CL_INVALID_VALUE, "the device is partitioned by "
					    "CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN alone"));
	const cl_device_affinity_domain wanted = (cl_device_affinity_domain)properties[1];
	REQUIRE(wanted == CL_DEVICE_AFFINITY_DOMAIN_NUMA ||
			wanted == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE,
		error_say(CL_INVALID_VALUE, "the device has no affinity domain 0x%llx",
			(unsigned long long)wanted));
	return CL_SUCCESS;
}

cl_int sub_device_create(struct device *parent, const cl_device_partition_property *properties,
	cl_uint n, cl_device_id *out, cl_uint *n_ret)
{
	REQUIRE(parent, CL_INVALID_DEVICE);
	cl_int rc = check_properties(parent, properties);
	if (rc)
		return rc;
	REQUIRE(!out || n >= parent->n_tiles,
		error_say(CL_INVALID_VALUE, "there are %u sub-devices, and room for %u",
			parent->n_tiles, n));
	for (cl_uint i = 0; out && i < parent->n_tiles; i++) {
		if (take_tile(parent, i))
			continue;
		while (i)
			(void)sub_device_release(device_handle(parent->tiles[--i]));
		return CL_OUT_OF_HOST_MEMORY;
	}
	for (cl_uint i = 0; out && i < parent->n_tiles; i++)
		out[i] = device_handle(parent->tiles[i]); /* the reference holds it there */
	if (n_ret)
		*n_ret = parent->n_tiles;
	return CL_SUCCESS;
}

cl_int sub_device_retain(cl_device_id handle)
{
	const struct device *device = device_from(handle);

	REQUIRE(device, CL_INVALID_DEVICE);
	return device->parent ? obj_retain(handle, OBJ_DEVICE) : CL_SUCCESS;
}

cl_int sub_device_release(cl_device_id handle)
{
	const struct device *device = device_from(handle);

	REQUIRE(device, CL_INVALID_DEVICE);
	return device->parent ? obj_release(handle, OBJ_DEVICE) : CL_SUCCESS;
}

cl_int sub_device_answer_type(const void *object, const struct info *info)
{
	static const cl_device_partition_property type[] = { CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
		CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0 };
	const struct device *device = object;

	return info_bytes(info, type, device->parent ? sizeof type : 0);
}
