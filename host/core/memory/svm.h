// SPDX-License-Identifier: MIT
#ifndef SVM_H
#define SVM_H

#include "core/device/context.h"
#include "core/device/device_ext.h"

/* Shared virtual memory, section 5.6 of the specification: its allocations. */

/* clSVMAlloc: *out, or an error of which the caller tells only that there is one. */
cl_int svm_alloc(
	struct context *context, cl_svm_mem_flags flags, size_t size, cl_uint align, void **out);

/* clSVMAllocWithPropertiesKHR, which makes NULL of no bytes, and clSVMFreeWithPropertiesKHR. */
cl_int svm_alloc_of_type(struct context *context, const cl_svm_alloc_properties_khr *properties,
	cl_uint type, size_t size, void **out);
cl_int svm_free_checked(struct context *context, const cl_svm_free_properties_khr *properties,
	cl_svm_free_flags_khr flags, void *pointer);

/* clGetSVMSuggestedTypeIndexKHR: *type is CL_UINT_MAX if no type is right. */
cl_int svm_suggest_type(struct context *context, cl_svm_capabilities_khr required,
	cl_svm_capabilities_khr desired, const cl_svm_alloc_properties_khr *properties,
	cl_uint *type);

/* clGetSVMPointerInfoKHR. */
cl_int svm_pointer_info(struct context *context, cl_device_id device, const void *pointer,
	cl_svm_pointer_info_khr param, const struct info *info);

/* clSVMFree. What is no allocation of the context is left alone. */
void svm_free(struct context *context, void *pointer);

#endif
