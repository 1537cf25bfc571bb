// SPDX-License-Identifier: MIT
#ifndef USM_H
#define USM_H

#include "core/device/device.h"
#include "core/device/svm_type.h"

#include <CL/cl_ext.h>
#include <stdbool.h>

struct context;

/*
 * Memory that the application knows by pointers: shared virtual memory (clSVMAlloc, svm.h) and
 * unified shared memory (cl_intel_unified_shared_memory). The context's table finds an allocation
 * by any pointer into it.
 */

enum { USM_MOST_PROPERTIES = 7 }; /* of cl_khr_unified_svm: each once, and the 0 at the end */

struct usm_block {
	char *address;
	size_t size;
	enum usm_type type;
	struct device *device; /* as the application named it; NULL if it named none */
	bool is_kept;	       /* in l0_memory_keep */
	uint64_t flags;	       /* cl_mem_alloc_flags_intel; of USM_SVM cl_svm_mem_flags */
	cl_ulong location;     /* of cl_intel_mem_alloc_buffer_location: kept and told */
	bool is_svm;	       /* of clSVMAlloc or clSVMAllocWithPropertiesKHR, not of Intel's */
	size_t n_properties;   /* that the latter got */
	cl_svm_alloc_properties_khr properties[USM_MOST_PROPERTIES];
};

/*
 * `block` has type, size, device and flags, all checked; this allocates, enters and fills in the
 * address. `align` is a power of two, or 0. CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY.
 */
cl_int usm_add(struct context *context, struct usm_block *block, size_t align);

/* The allocation that `pointer` points into: true, and *out is a copy; else *out is left alone. */
bool usm_find(struct context *context, const void *pointer, struct usm_block *out);

/* Whether the device reaches what `pointer` points to because it is in such an allocation. */
bool usm_is_reached(struct context *context, const struct device *device, const void *pointer);

/* Frees the allocation that begins at `pointer` if is_svm is its. Returns false if there is no such
 * allocation. */
bool usm_remove(struct context *context, const void *pointer, bool is_svm);

/* Make the allocation that `pointer` points into, or all of a type, resident for every later
 * launch, even if no argument names it. CL_INVALID_VALUE if there is no such allocation. */
cl_int usm_keep(struct context *context, const void *pointer);
cl_int usm_keep_type(struct context *context, enum usm_type type);

/* A property that an allocation may have, and the bits of its value that it may have. */
struct usm_property {
	uint64_t name, *value, known;
};

/* Reads a list, NULL or ended by 0, of properties that are rows, each at most once.
 * CL_INVALID_PROPERTY. */
cl_int usm_read_properties(const uint64_t *list, const struct usm_property *rows, size_t n);

/* clHostMemAllocINTEL, clDeviceMemAllocINTEL, clSharedMemAllocINTEL. `type` says which; `device` is
 * the handle as given. */
cl_int usm_alloc(struct context *context, enum usm_type type, cl_device_id device,
	const cl_mem_properties_intel *properties, size_t size, cl_uint align, void **out);

/* clMemFreeINTEL, and its errors alone: see usm_free_blocking in usm_command.h. */
cl_int usm_free(struct context *context, void *pointer);
cl_int usm_check_free(struct context *context, const void *pointer);

/* clGetMemAllocInfoINTEL. */
cl_int usm_info(struct context *context, const void *pointer, cl_mem_info_intel param,
	const struct info *info);

/* What all devices of the context can do. */
cl_bitfield usm_context_capabilities(const struct context *context, enum usm_type type);

#endif
