// SPDX-License-Identifier: MIT
/* Memory objects: sections 5.2 and 5.5 of the specification. */
#include "api/api.h"
#include "core/memory/mem.h"

API_CREATE(mem, clCreateBuffer,
	(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr, cl_int *errcode_ret),
	context, mem_create_buffer(context_from(context), NULL, flags, size, host_ptr, &made))

API_CREATE(mem, clCreateBufferWithProperties,
	(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags, size_t size,
		void *host_ptr, cl_int *errcode_ret),
	context, mem_create_buffer(context_from(context), properties, flags, size, host_ptr, &made))

API_CREATE(mem, clCreateSubBuffer,
	(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type buffer_create_type,
		const void *buffer_create_info, cl_int *errcode_ret),
	buffer,
	mem_create_sub_buffer(
		mem_from(buffer), flags, buffer_create_type, buffer_create_info, &made))

API_ENTRY(clSetMemObjectDestructorCallback,
	(cl_mem memobj, void(CL_CALLBACK *pfn_notify)(cl_mem, void *), void *user_data), memobj,
	mem_add_destructor(mem_from(memobj), pfn_notify, user_data))
