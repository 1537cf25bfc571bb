// SPDX-License-Identifier: MIT
#ifndef SVM_H
#define SVM_H

#include "core/device/context.h"

/* Shared virtual memory, section 5.6 of the specification: its allocations. */

/* clSVMAlloc: *out, or an error of which the caller tells only that there is one. */
cl_int svm_alloc(
	struct context *context, cl_svm_mem_flags flags, size_t size, cl_uint align, void **out);

/* clSVMFree. What is no allocation of the context is left alone. */
void svm_free(struct context *context, void *pointer);

#endif
