// SPDX-License-Identifier: MIT
#ifndef ICD_H
#define ICD_H

#include "api/api.h"
#include "core/device/device_ext.h"
#include "core/device/platform.h"

#include <CL/cl_icd.h>

/* cl_khr_icd 2.0: what a loader looks for in the slots of clGetPlatformIDs and clUnloadCompiler. */
#define ICD_TAG ((intptr_t)0x4F50454E434C3331)

/* OpenCL 3.1, whose name the headers of 3.0 lack. */
cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue command_queue,
	cl_kernel kernel, cl_uint work_dim, const size_t *global_work_offset,
	const size_t *global_work_size, size_t *suggested_local_work_size);

/* The dispatch table of OpenCL 3.1: that of the headers, and what it adds. */
struct icd_table {
	struct _cl_icd_dispatch header;
#ifndef ICD_HEADER_HAS_3_1
	__typeof__(&clGetKernelSuggestedLocalWorkSize) clGetKernelSuggestedLocalWorkSize;
#endif
};

extern const struct icd_table icd_dispatch;

/* The platform, with the dispatch table set. Any thread. */
struct platform *icd_platform(void);

/* The entry point or extension function of that name, or NULL. */
void *icd_find(const char *name);

typedef void (*icd_any)(void);

struct icd_function {
	const char *name;
	icd_any function;
	const char *extension; /* "": OpenCL itself */
};

/* Those of cl_khr_command_buffer and cl_khr_command_buffer_mutable_dispatch, up to a name of NULL.
 */
extern const struct icd_function icd_command_buffer[];

/*
 * In a process that was forked from one that had opened the device: the entry points of the heir
 * (l0_process.h), which the first call loads; the platform is its from then on. NULL in other
 * processes, and if it cannot be loaded.
 */
const struct _cl_icd_dispatch *icd_heir(void);

/* What the heir is called with: the platform, and the file that it is a copy of. */
const struct icd_table *zerocl_inherit(struct platform *platform, const char *path);

/* Not in the headers of every distribution. */
cl_int CL_API_CALL clIcdGetPlatformIDsKHR(
	cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms);
void *CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(
	cl_platform_id platform, const char *function_name);
cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void *disp_data);

/* cl_ext_buffer_device_address. */
cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(
	cl_kernel kernel, cl_uint arg_index, cl_ulong arg_value);

/* cl_khr_unified_svm. */
void *CL_API_CALL clSVMAllocWithPropertiesKHR(cl_context context,
	const cl_svm_alloc_properties_khr *properties, cl_uint svm_type_index, size_t size,
	cl_int *errcode_ret);
cl_int CL_API_CALL clSVMFreeWithPropertiesKHR(cl_context context,
	const cl_svm_free_properties_khr *properties, cl_svm_free_flags_khr flags, void *ptr);
cl_int CL_API_CALL clGetSVMPointerInfoKHR(cl_context context, cl_device_id device, const void *ptr,
	cl_svm_pointer_info_khr param_name, API_INFO_PARAMS);
cl_int CL_API_CALL clGetSVMSuggestedTypeIndexKHR(cl_context context,
	cl_svm_capabilities_khr required_capabilities, cl_svm_capabilities_khr desired_capabilities,
	const cl_svm_alloc_properties_khr *properties, size_t size,
	cl_uint *suggested_svm_type_index);

/* An early version of cl_intel_unified_shared_memory, which programs still look for. */
cl_int CL_API_CALL clEnqueueMemsetINTEL(
	cl_command_queue command_queue, void *dst_ptr, cl_int value, size_t size, API_EVENT_PARAMS);

#endif
