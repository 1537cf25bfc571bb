// SPDX-License-Identifier: MIT
#ifndef TOOL_CL_H
#define TOOL_CL_H

#include <stdbool.h>
#include <stddef.h>

#include <CL/cl.h>

/*
 * A text that a query returns, allocated; "" when the query fails. The caller frees it.
 * NULL only when memory is exhausted.
 */
char *tool_cl_platform_text(cl_platform_id platform, cl_platform_info param);
char *tool_cl_device_text(cl_device_id device, cl_device_info param);
char *tool_cl_build_log(cl_program program, cl_device_id device);

/* The binary of a program with one device, which the caller frees; NULL if there is none. */
unsigned char *tool_cl_binary(cl_program program, size_t *size);

/* A device and what programs run it by. */
struct tool_cl {
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	char *platform_name, *name, *driver;
};

/*
 * Opens the first device of the first platform whose name contains `platform`. False with a
 * sentence in why if there is none or it refuses. Close it in either case.
 */
bool tool_cl_open(struct tool_cl *cl, const char *platform, char *why, size_t size);
void tool_cl_close(struct tool_cl *cl);

/* A number that a query returns, `otherwise` when it fails. */
cl_uint tool_cl_device_uint(cl_device_id device, cl_device_info param, cl_uint otherwise);

/*
 * The first platform whose name contains `name` (upper and lower case are equal), NULL if none.
 * The names of all platforms are put into found, separated by commas.
 */
cl_platform_id tool_cl_platform(const char *name, char *found, size_t found_size);

#endif
