// SPDX-License-Identifier: MIT
#ifndef API_H
#define API_H

/* What every entry point needs. Only this folder defines cl* symbols; they convert handles, call
 * core, and end with API_DONE or API_MADE, most of them by API_ENTRY and API_CREATE. */

#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS

#include "core/base/info.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

/* What the device does not have, or ignores, has parameters that nothing reads. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Exported from the library; all else is reached through the dispatch table. */
#define API_EXPORT __attribute__((visibility("default")))

/* The code of an entry point; errors go to the context of `handle` and to the log. */
#define API_DONE(handle, code) error_done(__func__, (handle), (code))

/* The same for an entry point that gives its code through errcode_ret. */
static inline void api_made(
	cl_int *errcode_ret, const char *function, const void *handle, cl_int code)
{
	error_done(function, handle, code);
	if (errcode_ret)
		*errcode_ret = code;
}

#define API_MADE(handle, code) api_made(errcode_ret, __func__, (handle), (code))

/* Returns the handle of the object that `code`, a call, puts into the pointer `made`. */
#define API_RETURN_MADE(type, handle, code)                                                        \
	do {                                                                                       \
		struct type *made = NULL;                                                          \
		API_MADE(handle, code);                                                            \
		return type##_handle(made);                                                        \
	} while (0)

/*
 * An entry point that only converts handles: its parameters in parentheses, the handle that errors
 * are about, and the call of core. API_CREATE: one that makes an object, of API_RETURN_MADE.
 * API_ADDRESS: one that returns what the call puts into the pointer `address`.
 */
#define API_ENTRY(name, parameters, handle, code)                                                  \
	cl_int CL_API_CALL name parameters                                                         \
	{                                                                                          \
		return API_DONE(handle, code);                                                     \
	}
#define API_CREATE(type, name, parameters, handle, code)                                           \
	__typeof__(type##_handle(NULL)) CL_API_CALL name parameters                                \
	{                                                                                          \
		API_RETURN_MADE(type, handle, code);                                               \
	}
#define API_ADDRESS(name, parameters, handle, code)                                                \
	void *CL_API_CALL name parameters                                                          \
	{                                                                                          \
		void *address = NULL;                                                              \
		API_MADE(handle, code);                                                            \
		return address;                                                                    \
	}

/* The last parameters of every clEnqueue*, as the specification names them, and what they hold. */
#define API_EVENT_PARAMS                                                                           \
	cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event
#define API_EVENTS (&(struct event_args){ num_events_in_wait_list, event_wait_list, event })

/* The same of every clGet*Info. */
#define API_INFO_PARAMS size_t param_value_size, void *param_value, size_t *param_value_size_ret
#define API_INFO	INFO(param_value_size, param_value, param_value_size_ret)

#endif
