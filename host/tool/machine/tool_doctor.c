// SPDX-License-Identifier: MIT
#include "tool/base/tool_command.h"

#include <CL/cl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/base/error_name.h"
#include "compile/cache/compile_cache.h"
#include "tool/machine/machine.h"
#include "tool/base/tool_cl.h"
#include "tool/base/tool_env.h"
#include "tool/base/tool_options.h"

#define ITEMS 1000

static const char source[] =
	"kernel void doctor(global uint *a, local uint *l)\n"
	"{ uint i = get_local_id(0); l[i] = a[get_global_id(0)] * 2654435761u;\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  a[get_global_id(0)] = l[get_local_size(0) - 1 - i] ^ get_group_id(0); }\n";

/* Runs the kernel on data[]; an error code. */
static cl_int run(cl_context context, cl_device_id device, cl_uint *data)
{
	const size_t global = ITEMS, local = 8, bytes = ITEMS * sizeof(*data);
	const char *text = source;
	cl_int rc;
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &rc);
	cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, data, NULL);
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
	cl_kernel kernel = NULL;

	if (!rc)
		rc = clBuildProgram(program, 1, &device, NULL, NULL, NULL);
	if (!rc)
		kernel = clCreateKernel(program, "doctor", &rc);
	if (!rc && !(rc = clSetKernelArg(kernel, 0, sizeof(buffer), &buffer)) &&
		!(rc = clSetKernelArg(kernel, 1, local * sizeof(*data), NULL)) &&
		!(rc = clEnqueueNDRangeKernel(
			  queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL)))
		rc = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseMemObject(buffer);
	clReleaseCommandQueue(queue);
	return rc;
}

static bool check_device(cl_device_id device, char *text, size_t size)
{
	static cl_uint data[ITEMS];
	char *name = tool_cl_device_text(device, CL_DEVICE_NAME);
	cl_int rc;

	for (cl_uint i = 0; i < ITEMS; i++)
		data[i] = i;
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	if (!rc)
		rc = run(context, device, data);
	clReleaseContext(context);
	unsigned wrong = 0;
	for (cl_uint i = 0; i < ITEMS; i++)
		wrong += data[i] != (((i ^ 7) * 2654435761u) ^ i / 8);
	if (rc)
		snprintf(text, size, "%s: %s", name ? name : "?", error_name(rc));
	else
		snprintf(text, size, "%s: a kernel ran, %u of %u results are right",
			name ? name : "?", ITEMS - wrong, ITEMS);
	free(name);
	return !rc && !wrong;
}

static unsigned check_devices(void)
{
	char text[512];
	cl_device_id devices[16];
	cl_uint n = 0;
	unsigned failures = 0;
	cl_platform_id platform = tool_cl_platform(TOOL_PLATFORM, text, sizeof(text));

	if (!platform || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices, &n)) {
		snprintf(text, sizeof(text), "%s",
			platform ? "no device; ZEROCL_LOG=info says why"
				 : "the platform ZeroCL is not found");
		doctor_print(stdout, DOCTOR_FAIL, "device", text);
		return 1;
	}
	for (cl_uint i = 0; i < n && i < 16; i++) {
		bool works = check_device(devices[i], text, sizeof(text));

		doctor_print(stdout, works ? DOCTOR_OK : DOCTOR_FAIL, "device", text);
		failures += !works;
	}
	return failures;
}

static bool count_one(const struct compile_cache_entry *entry, void *data)
{
	*(unsigned *)data += !entry->is_sound;
	return false;
}

static void check_cache(void)
{
	char folder[PATH_MAX], text[PATH_MAX + 64];
	unsigned damaged = 0;
	bool is_there = compile_cache_each(count_one, &damaged, folder, sizeof(folder));

	snprintf(text, sizeof(text), "%s%s", folder,
		damaged ? " has damaged entries; do: zerocl cache verify" : "");
	doctor_print(stdout, is_there && !damaged ? DOCTOR_OK : DOCTOR_REMARK, "cache", text);
}

int tool_doctor(int argc, char **argv)
{
	static const struct doctor_roots machine = { "/dev/dri", "/sys/class/drm",
		"/etc/OpenCL/vendors" };

	int first = tool_options_read("doctor", NULL, 0, 0, argc, argv);

	if (first <= 0)
		return -first;
	unsigned failures = doctor_machine(stdout, &machine);
	tool_env_prepare();
	failures += check_devices();
	check_cache();
	if (failures)
		printf("%u of these must be mended\n", failures);
	else
		printf("ZeroCL works\n");
	return failures ? TOOL_FAILED : 0;
}
