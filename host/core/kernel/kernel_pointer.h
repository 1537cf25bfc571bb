// SPDX-License-Identifier: MIT
#ifndef KERNEL_POINTER_H
#define KERNEL_POINTER_H

#include "core/kernel/kernel.h"

/* Pointers as arguments of kernels, and what kernels reach beyond their arguments. */

/* clSetKernelArgSVMPointer: NULL, or into an allocation of the context. */
cl_int kernel_set_svm_pointer(struct kernel *kernel, cl_uint index, const void *pointer);
/* clSetKernelArgMemPointerINTEL, version 1.1: any pointer. */
cl_int kernel_set_usm_pointer(struct kernel *kernel, cl_uint index, const void *pointer);
/* clSetKernelArgDevicePointerEXT: any pointer. */
cl_int kernel_set_device_pointer(struct kernel *kernel, cl_uint index, cl_ulong address);

/*
 * clSetKernelExecInfo. What one kernel was said to reach all of the context may reach for ever:
 * that costs time only, and commands that are held need not be told apart from later ones.
 */
cl_int kernel_set_exec_info(
	struct kernel *kernel, cl_kernel_exec_info param, size_t size, const void *value);

#endif
