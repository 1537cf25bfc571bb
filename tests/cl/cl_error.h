// SPDX-License-Identifier: MIT
#ifndef TESTS_CL_ERROR_H
#define TESTS_CL_ERROR_H

/*
 * For tests of error lists: functions by their names, for those that a loader does not have. In
 * rows (CL_ROW) they stand as EXT(name)(arguments …), or, where headers of several versions declare
 * them differently, as CB(name, member)(arguments …), the member being that of `cb`; by these forms
 * a test of tests/api knows which functions have rows.
 */

#include "cl/cl_command_buffer.h"

#include <string.h>

#define EXT(name)	 ((__typeof__(name) *)(cl_any_function)cl_error_function(#name))
#define CB(name, member) cb.member

typedef void (*cl_any_function)(void);

/* Not in all headers. */
cl_int clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void *data);
cl_int clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint index, cl_ulong value);

static inline cl_any_function cl_error_function(const char *name)
{
	void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);
	cl_any_function function;

	assert_non_null(found);
	memcpy(&function, &found, sizeof function);
	return function;
}

#endif
