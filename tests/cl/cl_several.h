// SPDX-License-Identifier: MIT
#ifndef TESTS_CL_SEVERAL_H
#define TESTS_CL_SEVERAL_H

#include "cl/cl_case.h"

/* A context over several devices, a queue on each, and a program that is built for all of them. */
#define SEVERAL_MOST 4	   /* devices of the platform, all of which are the context's */
#define N	     1024u /* items */

struct several {
	cl_uint n;
	cl_device_id devices[SEVERAL_MOST];
	cl_context context;
	cl_command_queue queues[SEVERAL_MOST];
	cl_program program; /* its kernels: see the source */
};
extern struct several several;

/* Setup and teardown, and a test that has them. */
int several_open(void **state);
int several_close(void **state);
#define SEVERAL(test) cmocka_unit_test_setup_teardown(test, several_open, several_close)

/* Fills N items of the buffer, runs the kernel, whose argument it is, by the device, and asserts
 * that each item is add + i * times. */
void several_check(cl_kernel kernel, cl_mem buffer, cl_uint device, cl_uint add, cl_uint times);

#define FIND(to, name) *(void **)&(to) = clGetExtensionFunctionAddressForPlatform(cl.platform, name)

#endif
