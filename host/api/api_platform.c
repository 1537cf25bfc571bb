// SPDX-License-Identifier: MIT
/* Platform and devices: sections 4.1 to 4.3 of the specification. */
#include "api/api.h"
#include "api/icd.h"
#include "core/device/device.h"
#include "core/device/platform.h"
#include "core/device/sub_device.h"
#include "l0/l0_device.h"

API_EXPORT cl_int CL_API_CALL clGetPlatformInfo(
	cl_platform_id platform, cl_platform_info param_name, API_INFO_PARAMS)
{
	const struct _cl_icd_dispatch *heir = icd_heir();

	if (heir)
		return heir->clGetPlatformInfo(
			platform, param_name, param_value_size, param_value, param_value_size_ret);
	return API_DONE(NULL, platform_info(platform_from(platform), param_name, API_INFO));
}

cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type,
	cl_uint num_entries, cl_device_id *devices, cl_uint *num_devices)
{
	const struct _cl_icd_dispatch *heir = icd_heir();

	if (heir)
		return heir->clGetDeviceIDs(
			platform, device_type, num_entries, devices, num_devices);
	return API_DONE(NULL, platform_devices(platform_from(platform), device_type, num_entries,
				      devices, num_devices));
}

API_ENTRY(clRetainDevice, (cl_device_id device), NULL, sub_device_retain(device))

API_ENTRY(clReleaseDevice, (cl_device_id device), NULL, sub_device_release(device))

API_ENTRY(clCreateSubDevices,
	(cl_device_id in_device, const cl_device_partition_property *properties,
		cl_uint num_devices, cl_device_id *out_devices, cl_uint *num_devices_ret),
	NULL,
	sub_device_create(
		device_from(in_device), properties, num_devices, out_devices, num_devices_ret))

API_ENTRY(clRetainDeviceEXT, (cl_device_id device), NULL, sub_device_retain(device))

API_ENTRY(clReleaseDeviceEXT, (cl_device_id device), NULL, sub_device_release(device))

/* Of cl_ext_device_fission, which no device reports: its lists have another form. */
static cl_int partition_ext(cl_device_id device)
{
	REQUIRE(device_from(device), CL_INVALID_DEVICE);
	return error_say(CL_INVALID_VALUE, "the device has no cl_ext_device_fission");
}

API_ENTRY(clCreateSubDevicesEXT,
	(cl_device_id in_device, const cl_device_partition_property_ext *properties,
		cl_uint num_entries, cl_device_id *out_devices, cl_uint *num_devices),
	NULL, partition_ext(in_device))

static cl_int timers(struct device *device, cl_ulong *device_time, cl_ulong *host_time)
{
	REQUIRE(device, CL_INVALID_DEVICE);
	REQUIRE(host_time, CL_INVALID_VALUE);

	/* Device times are given on the host's clock, as those of events are. */
	*host_time = l0_host_clock();
	if (device_time)
		*device_time = *host_time;
	return CL_SUCCESS;
}

static cl_int both_timers(struct device *device, cl_ulong *device_time, cl_ulong *host_time)
{
	REQUIRE(device, CL_INVALID_DEVICE);
	REQUIRE(device_time, CL_INVALID_VALUE);
	return timers(device, device_time, host_time);
}

API_ENTRY(clGetDeviceAndHostTimer,
	(cl_device_id device, cl_ulong *device_timestamp, cl_ulong *host_timestamp), NULL,
	both_timers(device_from(device), device_timestamp, host_timestamp))

API_ENTRY(clGetHostTimer, (cl_device_id device, cl_ulong *host_timestamp), NULL,
	timers(device_from(device), NULL, host_timestamp))
