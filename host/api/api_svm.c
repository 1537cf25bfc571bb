// SPDX-License-Identifier: MIT
/* Shared virtual memory: section 5.6 of the specification. */
#include "api/icd.h"
#include "core/kernel/kernel_pointer.h"
#include "core/command/svm_command.h"
#include "core/memory/svm.h"
#include "core/command/usm_command.h"

void *CL_API_CALL clSVMAlloc(
	cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
	void *pointer = NULL;

	API_DONE(context, svm_alloc(context_from(context), flags, size, alignment, &pointer));
	return pointer;
}

void CL_API_CALL clSVMFree(cl_context context, void *svm_pointer)
{
	svm_free(context_from(context), svm_pointer);
}

API_ENTRY(clEnqueueSVMFree,
	(cl_command_queue command_queue, cl_uint num_svm_pointers, void *svm_pointers[],
		void(CL_CALLBACK *pfn_free_func)(cl_command_queue queue, cl_uint num_svm_pointers,
			void *svm_pointers[], void *user_data),
		void *user_data, API_EVENT_PARAMS),
	command_queue,
	svm_enqueue_free(queue_from(command_queue), num_svm_pointers, svm_pointers, pfn_free_func,
		user_data, API_EVENTS))

API_ENTRY(clEnqueueSVMMemcpy,
	(cl_command_queue command_queue, cl_bool blocking_copy, void *dst_ptr, const void *src_ptr,
		size_t size, API_EVENT_PARAMS),
	command_queue,
	usm_copy(queue_from(command_queue), CL_COMMAND_SVM_MEMCPY, blocking_copy, dst_ptr, src_ptr,
		size, API_EVENTS))

API_ENTRY(clEnqueueSVMMemFill,
	(cl_command_queue command_queue, void *svm_ptr, const void *pattern, size_t pattern_size,
		size_t size, API_EVENT_PARAMS),
	command_queue,
	usm_fill(queue_from(command_queue), CL_COMMAND_SVM_MEMFILL, svm_ptr, pattern, pattern_size,
		size, API_EVENTS))

API_ENTRY(clEnqueueSVMMap,
	(cl_command_queue command_queue, cl_bool blocking_map, cl_map_flags flags, void *svm_ptr,
		size_t size, API_EVENT_PARAMS),
	command_queue,
	svm_map(queue_from(command_queue), blocking_map, flags, svm_ptr, size, API_EVENTS))

API_ENTRY(clEnqueueSVMUnmap, (cl_command_queue command_queue, void *svm_ptr, API_EVENT_PARAMS),
	command_queue, svm_unmap(queue_from(command_queue), svm_ptr, API_EVENTS))

API_ENTRY(clEnqueueSVMMigrateMem,
	(cl_command_queue command_queue, cl_uint num_svm_pointers, const void **svm_pointers,
		const size_t *sizes, cl_mem_migration_flags flags, API_EVENT_PARAMS),
	command_queue,
	svm_migrate(queue_from(command_queue), num_svm_pointers, svm_pointers, sizes, flags,
		API_EVENTS))

API_ENTRY(clSetKernelArgSVMPointer, (cl_kernel kernel, cl_uint arg_index, const void *arg_value),
	kernel, kernel_set_svm_pointer(kernel_from(kernel), arg_index, arg_value))

API_ENTRY(clSetKernelExecInfo,
	(cl_kernel kernel, cl_kernel_exec_info param_name, size_t param_value_size,
		const void *param_value),
	kernel,
	kernel_set_exec_info(kernel_from(kernel), param_name, param_value_size, param_value))

API_ADDRESS(clSVMAllocWithPropertiesKHR,
	(cl_context context, const cl_svm_alloc_properties_khr *properties, cl_uint svm_type_index,
		size_t size, cl_int *errcode_ret),
	context,
	svm_alloc_of_type(context_from(context), properties, svm_type_index, size, &address))

API_ENTRY(clSVMFreeWithPropertiesKHR,
	(cl_context context, const cl_svm_free_properties_khr *properties,
		cl_svm_free_flags_khr flags, void *ptr),
	context, svm_free_checked(context_from(context), properties, flags, ptr))

API_ENTRY(clGetSVMPointerInfoKHR,
	(cl_context context, cl_device_id device, const void *ptr,
		cl_svm_pointer_info_khr param_name, API_INFO_PARAMS),
	context, svm_pointer_info(context_from(context), device, ptr, param_name, API_INFO))

cl_int CL_API_CALL clGetSVMSuggestedTypeIndexKHR(cl_context context,
	cl_svm_capabilities_khr required_capabilities, cl_svm_capabilities_khr desired_capabilities,
	const cl_svm_alloc_properties_khr *properties, size_t size,
	cl_uint *suggested_svm_type_index)
{
	(void)size; /* types do not differ in what they can hold */
	return API_DONE(
		context, svm_suggest_type(context_from(context), required_capabilities,
				 desired_capabilities, properties, suggested_svm_type_index));
}
