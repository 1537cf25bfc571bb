// SPDX-License-Identifier: MIT
#include "tool/base/tool_command.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compile/base/error_name.h"
#include "tool/machine/machine.h"
#include "tool/base/tool_cl.h"
#include "tool/base/tool_env.h"
#include "tool/base/tool_options.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* cl_intel_required_subgroup_size; not in every version of the headers. */
#define DEVICE_SUB_GROUP_SIZES_INTEL 0x4108

static void print_own_files(void)
{
	char path[PATH_MAX];

	printf("ZeroCL %s\n", ZEROCL_VERSION);
	for (enum tool_file i = 0; i < TOOL_FILE_COUNT; i++) {
		bool found = tool_env_find(i, path);
		printf("  %-19s %s%s\n", tool_env_name(i), path, found ? "" : " is missing");
	}
}

static void print_parts(void)
{
	printf("\nIntel's stack and the loader\n");
	for (unsigned i = 0; i < INFO_PARTS; i++) {
		char text[PATH_MAX + 512];
		const char *what;

		info_part_find(i, &what, text, sizeof(text));
		printf("  %-19s %s\n", what, text);
	}
}

/* The variables that change what is used. */
static void print_environment(char *const *environment)
{
	static const char *const prefixes[] = { "ZEROCL_", "OCL_ICD_", "OPENCL_", "ZE_", "NEO" };
	unsigned count = 0;

	printf("\nenvironment\n");
	for (; *environment; environment++)
		for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
			if (!strncmp(*environment, prefixes[i], strlen(prefixes[i]))) {
				printf("  %s\n", *environment);
				count++;
			}
	if (!count)
		printf("  nothing set\n");
}

static const char *type_name(cl_device_id device)
{
	cl_device_type type = 0;

	clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type), &type, NULL);
	return type & CL_DEVICE_TYPE_GPU ? "GPU" : type & CL_DEVICE_TYPE_CPU ? "CPU" : "other";
}

static void print_sub_group_sizes(cl_device_id device)
{
	size_t sizes[16], bytes = 0;

	if (clGetDeviceInfo(device, DEVICE_SUB_GROUP_SIZES_INTEL, sizeof(sizes), sizes, &bytes))
		bytes = 0;
	printf("  %-19s", "sub-group sizes");
	for (size_t i = 0; i < bytes / sizeof(size_t); i++)
		printf(" %zu", sizes[i]);
	printf("%s\n", bytes ? "" : " unknown");
}

static void print_device(cl_device_id device)
{
	static const struct row {
		const char *what;
		cl_device_info param;
	} rows[] = {
		{ "version", CL_DEVICE_VERSION },
		{ "driver version", CL_DRIVER_VERSION },
	};
	char *name = tool_cl_device_text(device, CL_DEVICE_NAME);

	printf("  %-19s %s, type %s\n", "device", name ? name : "?", type_name(device));
	free(name);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *text = tool_cl_device_text(device, rows[i].param);
		printf("  %-19s %s\n", rows[i].what, text ? text : "?");
		free(text);
	}
	printf("  %-19s %u\n", "compute units",
		tool_cl_device_uint(device, CL_DEVICE_MAX_COMPUTE_UNITS, 0));
	print_sub_group_sizes(device);
}

/* Prints our platform's devices; false if there is none. */
static bool print_platform(void)
{
	char found[512];
	cl_device_id devices[8];
	cl_uint count = 0;
	cl_platform_id platform = tool_cl_platform(TOOL_PLATFORM, found, sizeof(found));

	printf("\nOpenCL\n");
	if (!platform) {
		printf("  no platform is called %s; found: %s\n", TOOL_PLATFORM,
			found[0] ? found : "none");
		return false;
	}
	cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 8, devices, &count);
	if (code != CL_SUCCESS)
		printf("  platform %s, no device: %s\n", TOOL_PLATFORM, error_name(code));
	for (cl_uint i = 0; i < count && i < 8 && code == CL_SUCCESS; i++)
		print_device(devices[i]);
	return code == CL_SUCCESS && count;
}

/*
 * The runtime says in its log what it found and why it chose so; catches that in memory. Returns a
 * file descriptor, or -1 if the user directs the log.
 */
static int catch_log(void)
{
	char path[64];

	if (getenv("ZEROCL_LOG") || getenv("ZEROCL_LOG_FILE"))
		return -1;
	int fd = memfd_create("zerocl info", MFD_CLOEXEC);
	if (fd < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	setenv("ZEROCL_LOG", "info", 1);
	setenv("ZEROCL_LOG_FILE", path, 1);
	return fd;
}

static void print_log(int fd)
{
	char text[4096];
	off_t at = 0;
	ssize_t got;

	if (fd < 0)
		return;
	while ((got = pread(fd, text, sizeof(text), at)) > 0) {
		if (at == 0)
			printf("\nwhat the runtime says\n");
		fwrite(text, 1, (size_t)got, stdout);
		at += got;
	}
	close(fd);
}

int tool_info(int argc, char **argv)
{
	extern char **environ;

	int first = tool_options_read("info", NULL, 0, 0, argc, argv);

	if (first <= 0)
		return -first;
	print_own_files();
	print_parts();
	printf("\nrender nodes\n");
	info_dri_print(stdout, "/dev/dri", "/sys/class/drm");
	print_environment(environ);
	fflush(stdout);
	int log = catch_log();
	tool_env_prepare();
	bool found = print_platform();
	print_log(log);
	return found ? 0 : TOOL_FAILED;
}
