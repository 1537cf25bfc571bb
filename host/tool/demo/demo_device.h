// SPDX-License-Identifier: MIT
#ifndef DEMO_DEVICE_H
#define DEMO_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include <CL/cl.h>

#define DEMO_SIZES_MAX 8

typedef cl_int(CL_API_CALL *demo_sub_group_info)(cl_kernel, cl_device_id, cl_kernel_sub_group_info,
	size_t, const void *, size_t, void *, size_t *);

/* The device that the demo runs on, and what it can do, as its queries say. */
struct demo_device {
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	char *platform_name;
	char *name;
	char *driver;
	const char *c_version;	       /* the option: -cl-std=… */
	unsigned can;		       /* of enum demo_need */
	bool non_uniform;	       /* ragged work-groups */
	size_t sizes[DEMO_SIZES_MAX];  /* of sub-groups that a kernel may require, ascending */
	unsigned size_count;	       /* 0: the platform chooses */
	demo_sub_group_info info_khr;  /* clGetKernelSubGroupInfoKHR, NULL if there is none */
	demo_sub_group_info info_core; /* clGetKernelSubGroupInfo, NULL before OpenCL 2.1 */
};

/*
 * Opens the first device of the first platform whose name contains `platform`. False with a
 * sentence in why if there is none or it refuses. Close it in either case.
 */
bool demo_device_open(struct demo_device *device, const char *platform, char *why, size_t size);
void demo_device_close(struct demo_device *device);

#endif
