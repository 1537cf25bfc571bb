// SPDX-License-Identifier: MIT
#include "tool/demo/demo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_ext.h>

#include "compile/base/compile_options.h"
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

	if (clGetDeviceInfo(device->cl.device, DEVICE_SUB_GROUP_SIZES_INTEL, sizeof(device->sizes),
		    device->sizes, &bytes) != CL_SUCCESS)
		bytes = 0;
	device->size_count = (unsigned)(bytes / sizeof(size_t));
	qsort(device->sizes, device->size_count, sizeof(size_t), compare_sizes);
}

static void read_abilities(struct demo_device *device)
{
	int version = version_of(device->cl.device);
	char *extensions = tool_cl_device_text(device->cl.device, CL_DEVICE_EXTENSIONS);
	const char *words = extensions ? extensions : "";
	bool intel = compile_list_has(words, "cl_intel_subgroups");

	device->c_version = version >= 30   ? "-cl-std=CL3.0"
			    : version >= 20 ? "-cl-std=CL2.0"
					    : "-cl-std=CL1.2";
	if (version >= 20)
		device->can |= NEED_C20;
	if (intel)
		device->can |= NEED_SUB_GROUPS | NEED_INTEL | NEED_BLOCK;
	if (compile_list_has(words, "cl_khr_subgroups"))
		device->can |= NEED_SUB_GROUPS;
	if (version >= 21) {
		if (tool_cl_device_uint(device->cl.device, CL_DEVICE_MAX_NUM_SUB_GROUPS, 0))
			device->can |= NEED_SUB_GROUPS;
		device->info_core = clGetKernelSubGroupInfo;
	}
	device->non_uniform = version >= 30 ? tool_cl_device_uint(device->cl.device,
						      CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, 0)
					    : version >= 20;
	if (compile_list_has(words, "cl_intel_required_subgroup_size"))
		read_sizes(device);
	void *khr = clGetExtensionFunctionAddressForPlatform(
		device->cl.platform, "clGetKernelSubGroupInfoKHR");
	memcpy(&device->info_khr, &khr, sizeof(khr));
	free(extensions);
}

bool demo_device_open(struct demo_device *device, const char *platform, char *why, size_t size)
{
	*device = (struct demo_device){ 0 };
	if (!tool_cl_open(&device->cl, platform, why, size))
		return false;
	read_abilities(device);
	return true;
}
