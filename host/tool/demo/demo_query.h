// SPDX-License-Identifier: MIT
#ifndef DEMO_QUERY_H
#define DEMO_QUERY_H

#include "tool/demo/demo_device.h"

/*
 * Asks clGetKernelSubGroupInfoKHR (and, from OpenCL 2.1 on, clGetKernelSubGroupInfo) for the
 * greatest sub-group size and for the number of sub-groups of work-groups of one, two and three
 * dimensions, and checks the answers: the size is `asked` (any, if 0) whatever the dimensions, the
 * number is the work-group's size divided by it, rounded up. Adds the number of checks to *checks.
 * Returns the size, or 0 with a sentence in why.
 */
size_t demo_query(const struct demo_device *device, cl_kernel kernel, size_t asked,
	unsigned *checks, char *why, size_t size);

#endif
