// SPDX-License-Identifier: MIT
#include "tool/demo/demo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_ext.h>

#include "compile/base/error_name.h"
#include "tool/base/tool_cl.h"

/* cl_intel_required_subgroup_size; not in every version of the headers. */
#define DEVICE_SUB_GROUP_SIZES_INTEL 0x4108

/* OpenCL's version as 10 * major + minor, from "OpenCL 3.1 …". */
static int version_of(cl_device_id device)
{
	int major = 1, minor = 0;
	char *text = tool_cl_device_text(device, CL_DEVICE_VERSION);

	if (text)
		sscanf(text, "OpenCL %d.%d", &major, &minor);
	free(text);
	return 10 * major + minor;
}

static int compare_sizes(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

static void read_sizes(struct demo_device *device)
{
	size_t bytes = 0;

	if (clGetDeviceInfo(device->device, DEVICE_SUB_GROUP_SIZES_INTEL, sizeof(device->sizes),
		    device->sizes, &bytes) != CL_SUCCESS)
		bytes = 0;
	device->size_count = (unsigned)(bytes / sizeof(size_t));
	qsort(device->sizes, device->size_count, sizeof(size_t), compare_sizes);
}

static void read_abilities(struct demo_device *device)
{
	int version = version_of(device->device);
	char *extensions = tool_cl_device_text(device->device, CL_DEVICE_EXTENSIONS);
	const char *words = extensions ? extensions : "";
	bool intel = tool_cl_lists(words, "cl_intel_subgroups");

	device->c_version = version >= 30   ? "-cl-std=CL3.0"
			    : version >= 20 ? "-cl-std=CL2.0"
					    : "-cl-std=CL1.2";
	if (version >= 20)
		device->can |= NEED_C20;
	if (intel)
		device->can |= NEED_SUB_GROUPS | NEED_INTEL | NEED_BLOCK;
	if (tool_cl_lists(words, "cl_khr_subgroups"))
		device->can |= NEED_SUB_GROUPS;
	if (version >= 21) {
		if (tool_cl_device_uint(device->device, CL_DEVICE_MAX_NUM_SUB_GROUPS, 0))
			device->can |= NEED_SUB_GROUPS;
		device->info_core = clGetKernelSubGroupInfo;
	}
	device->non_uniform = version >= 30 ? tool_cl_device_uint(device->device,
						      CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, 0)
					    : version >= 20;
	if (tool_cl_lists(words, "cl_intel_required_subgroup_size"))
		read_sizes(device);
	void *khr = clGetExtensionFunctionAddressForPlatform(
		device->platform, "clGetKernelSubGroupInfoKHR");
	memcpy(&device->info_khr, &khr, sizeof(khr));
	free(extensions);
}

static bool say(char *why, size_t size, const char *what, cl_int code)
{
	snprintf(why, size, "%s: %s", what, error_name(code));
	return false;
}

bool demo_device_open(struct demo_device *device, const char *platform, char *why, size_t size)
{
	char found[512];
	cl_int code;

	memset(device, 0, sizeof(*device));
	device->platform = tool_cl_platform(platform, found, sizeof(found));
	if (!device->platform) {
		snprintf(why, size, "no platform is called \"%s\"; found: %s", platform,
			found[0] ? found : "none");
		return false;
	}
	code = clGetDeviceIDs(device->platform, CL_DEVICE_TYPE_ALL, 1, &device->device, NULL);
	if (code != CL_SUCCESS)
		return say(why, size, "clGetDeviceIDs", code);
	device->platform_name = tool_cl_platform_text(device->platform, CL_PLATFORM_NAME);
	device->name = tool_cl_device_text(device->device, CL_DEVICE_NAME);
	device->driver = tool_cl_device_text(device->device, CL_DRIVER_VERSION);
	read_abilities(device);
	device->context = clCreateContext(NULL, 1, &device->device, NULL, NULL, &code);
	if (!device->context)
		return say(why, size, "clCreateContext", code);
	device->queue =
		clCreateCommandQueueWithProperties(device->context, device->device, NULL, &code);
	if (!device->queue)
		return say(why, size, "clCreateCommandQueueWithProperties", code);
	return true;
}

void demo_device_close(struct demo_device *device)
{
	if (device->queue)
		clReleaseCommandQueue(device->queue);
	if (device->context)
		clReleaseContext(device->context);
	free(device->platform_name);
	free(device->name);
	free(device->driver);
	memset(device, 0, sizeof(*device));
}
