// SPDX-License-Identifier: MIT
/* Contexts: section 4.4 of the specification. */
#include "api/api.h"
#include "api/icd.h"
#include "core/device/context.h"

API_CREATE(context, clCreateContext,
	(const cl_context_properties *properties, cl_uint num_devices, const cl_device_id *devices,
		void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t, void *),
		void *user_data, cl_int *errcode_ret),
	NULL, context_create(properties, num_devices, devices, pfn_notify, user_data, &made))

cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties *properties,
	cl_device_type device_type,
	void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t, void *), void *user_data,
	cl_int *errcode_ret)
{
	const struct _cl_icd_dispatch *heir = icd_heir();
	if (heir)
		return heir->clCreateContextFromType(
			properties, device_type, pfn_notify, user_data, errcode_ret);
	API_RETURN_MADE(context, NULL,
		context_create_from_type(properties, device_type, pfn_notify, user_data, &made));
}

API_ENTRY(clSetContextDestructorCallback,
	(cl_context context, void(CL_CALLBACK *pfn_notify)(cl_context, void *), void *user_data),
	context, context_add_destructor(context_from(context), pfn_notify, user_data))
