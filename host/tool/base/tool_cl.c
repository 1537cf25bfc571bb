// SPDX-License-Identifier: MIT
#include "tool/base/tool_cl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/base/error_name.h"

/* Returns the text that a query answers. */
#define RETURN_TEXT(query, ...)                                                                    \
	do {                                                                                       \
		size_t size = 0;                                                                   \
		if (query(__VA_ARGS__, 0, NULL, &size))                                            \
			size = 0;                                                                  \
		char *text = calloc(1, size + 1);                                                  \
		if (text && size)                                                                  \
			query(__VA_ARGS__, size, text, NULL);                                      \
		return text;                                                                       \
	} while (0)

char *tool_cl_platform_text(cl_platform_id platform, cl_platform_info param)
{
	RETURN_TEXT(clGetPlatformInfo, platform, param);
}

char *tool_cl_device_text(cl_device_id device, cl_device_info param)
{
	RETURN_TEXT(clGetDeviceInfo, device, param);
}

char *tool_cl_build_log(cl_program program, cl_device_id device)
{
	RETURN_TEXT(clGetProgramBuildInfo, program, device, CL_PROGRAM_BUILD_LOG);
}

unsigned char *tool_cl_binary(cl_program program, size_t *size)
{
	unsigned char *binary = NULL;

	*size = 0;
	if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(*size), size, NULL) || !*size)
		return NULL;
	binary = calloc(1, *size);
	if (binary &&
		clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL)) {
		free(binary);
		return NULL;
	}
	return binary;
}

cl_uint tool_cl_device_uint(cl_device_id device, cl_device_info param, cl_uint otherwise)
{
	cl_uint value;

	if (clGetDeviceInfo(device, param, sizeof(value), &value, NULL) != CL_SUCCESS)
		return otherwise;
	return value;
}

/* Appends name to the comma-separated list in text. */
static void append(char *text, size_t size, const char *name)
{
	size_t length = strlen(text);

	if (length < size)
		snprintf(text + length, size - length, "%s%s", length ? ", " : "", name);
}

cl_platform_id tool_cl_platform(const char *name, char *found, size_t found_size)
{
	cl_platform_id platforms[32], match = NULL;
	cl_uint count = 0;

	found[0] = 0;
	if (clGetPlatformIDs(32, platforms, &count) != CL_SUCCESS)
		return NULL;
	for (cl_uint i = 0; i < count && i < 32; i++) {
		char *text = tool_cl_platform_text(platforms[i], CL_PLATFORM_NAME);
		if (text) {
			append(found, found_size, text);
			if (!match && strcasestr(text, name))
				match = platforms[i];
		}
		free(text);
	}
	return match;
}

bool tool_cl_open(struct tool_cl *cl, const char *platform, char *why, size_t size)
{
	const char *what = "clGetDeviceIDs";
	char found[512];
	cl_int rc;

	*cl = (struct tool_cl){ .platform = tool_cl_platform(platform, found, sizeof found) };
	if (!cl->platform) {
		snprintf(why, size, "no platform is called \"%s\"; found: %s", platform,
			found[0] ? found : "none");
		return false;
	}
	rc = clGetDeviceIDs(cl->platform, CL_DEVICE_TYPE_ALL, 1, &cl->device, NULL);
	if (!rc) {
		cl->platform_name = tool_cl_platform_text(cl->platform, CL_PLATFORM_NAME);
		cl->name = tool_cl_device_text(cl->device, CL_DEVICE_NAME);
		cl->driver = tool_cl_device_text(cl->device, CL_DRIVER_VERSION);
		what = "clCreateContext";
		cl->context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &rc);
	}
	if (!rc) {
		what = "clCreateCommandQueueWithProperties";
		cl->queue = clCreateCommandQueueWithProperties(cl->context, cl->device, NULL, &rc);
	}
	if (rc)
		snprintf(why, size, "%s: %s", what, error_name(rc));
	return !rc;
}

void tool_cl_close(struct tool_cl *cl)
{
	if (cl->queue)
		clReleaseCommandQueue(cl->queue);
	if (cl->context)
		clReleaseContext(cl->context);
	free(cl->platform_name);
	free(cl->name);
	free(cl->driver);
	*cl = (struct tool_cl){ 0 };
}
