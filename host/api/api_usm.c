// SPDX-License-Identifier: MIT
/* cl_intel_unified_shared_memory and cl_ext_buffer_device_address. */
#include "api/icd.h"
#include "core/kernel/kernel_pointer.h"
#include "core/memory/usm.h"
#include "core/command/usm_command.h"

API_ADDRESS(clHostMemAllocINTEL,
	(cl_context context, const cl_mem_properties_intel *properties, size_t size,
		cl_uint alignment, cl_int *errcode_ret),
	context,
	usm_alloc(context_from(context), USM_HOST, NULL, properties, size, alignment, &address))

API_ADDRESS(clDeviceMemAllocINTEL,
	(cl_context context, cl_device_id device, const cl_mem_properties_intel *properties,
		size_t size, cl_uint alignment, cl_int *errcode_ret),
	context,
	usm_alloc(context_from(context), USM_DEVICE, device, properties, size, alignment, &address))

API_ADDRESS(clSharedMemAllocINTEL,
	(cl_context context, cl_device_id device, const cl_mem_properties_intel *properties,
		size_t size, cl_uint alignment, cl_int *errcode_ret),
	context,
	usm_alloc(context_from(context), USM_SHARED, device, properties, size, alignment, &address))

API_ENTRY(clMemFreeINTEL, (cl_context context, void *ptr), context,
	usm_free(context_from(context), ptr))

API_ENTRY(clMemBlockingFreeINTEL, (cl_context context, void *ptr), context,
	usm_free_blocking(context_from(context), ptr))

API_ENTRY(clGetMemAllocInfoINTEL,
	(cl_context context, const void *ptr, cl_mem_info_intel param_name, API_INFO_PARAMS),
	context, usm_info(context_from(context), ptr, param_name, API_INFO))

API_ENTRY(clSetKernelArgMemPointerINTEL,
	(cl_kernel kernel, cl_uint arg_index, const void *arg_value), kernel,
	kernel_set_usm_pointer(kernel_from(kernel), arg_index, arg_value))

cl_int CL_API_CALL clEnqueueMemsetINTEL(
	cl_command_queue command_queue, void *dst_ptr, cl_int value, size_t size, API_EVENT_PARAMS)
{
	unsigned char byte = (unsigned char)value;

	return API_DONE(command_queue, usm_fill(queue_from(command_queue), CL_COMMAND_MEMFILL_INTEL,
					       dst_ptr, &byte, 1, size, API_EVENTS));
}

API_ENTRY(clEnqueueMemFillINTEL,
	(cl_command_queue command_queue, void *dst_ptr, const void *pattern, size_t pattern_size,
		size_t size, API_EVENT_PARAMS),
	command_queue,
	usm_fill(queue_from(command_queue), CL_COMMAND_MEMFILL_INTEL, dst_ptr, pattern,
		pattern_size, size, API_EVENTS))

API_ENTRY(clEnqueueMemcpyINTEL,
	(cl_command_queue command_queue, cl_bool blocking, void *dst_ptr, const void *src_ptr,
		size_t size, API_EVENT_PARAMS),
	command_queue,
	usm_copy(queue_from(command_queue), CL_COMMAND_MEMCPY_INTEL, blocking, dst_ptr, src_ptr,
		size, API_EVENTS))

API_ENTRY(clEnqueueMigrateMemINTEL,
	(cl_command_queue command_queue, const void *ptr, size_t size, cl_mem_migration_flags flags,
		API_EVENT_PARAMS),
	command_queue, usm_migrate(queue_from(command_queue), ptr, size, flags, API_EVENTS))

API_ENTRY(clEnqueueMemAdviseINTEL,
	(cl_command_queue command_queue, const void *ptr, size_t size, cl_mem_advice_intel advice,
		API_EVENT_PARAMS),
	command_queue, usm_advise(queue_from(command_queue), ptr, size, advice, API_EVENTS))

API_ENTRY(clSetKernelArgDevicePointerEXT, (cl_kernel kernel, cl_uint arg_index, cl_ulong arg_value),
	kernel, kernel_set_device_pointer(kernel_from(kernel), arg_index, arg_value))
