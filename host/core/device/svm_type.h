// SPDX-License-Identifier: MIT
#ifndef SVM_TYPE_H
#define SVM_TYPE_H

#include "core/device/device_ext.h"

#include <stdbool.h>

/*
 * The types of shared virtual memory that cl_khr_unified_svm numbers. An index means the same for
 * the platform and for each device, which may lack the type.
 */

struct device;
struct info;

/* Where memory is that the application knows by pointers; see usm.h. */
enum usm_type { USM_HOST, USM_DEVICE, USM_SHARED, USM_SVM, USM_N_TYPES };

/* What the device can do with allocations of a kind, as the queries
 * CL_DEVICE_*_MEM_CAPABILITIES_INTEL say it; USM_SVM is CL_DEVICE_SVM_CAPABILITIES. */
cl_bitfield usm_capabilities(const struct device *device, enum usm_type memory);

/* The number of types that some device of the platform has. */
cl_uint svm_type_count(void);

/* What the device can do with the type of an index; NULL: what all can do that have the type. 0:
 * the device does not have it, or there is none. */
cl_svm_capabilities_khr svm_type_capabilities(const struct device *device, cl_uint index);

/* Where memory of the type is, and whether it is fine-grained. False if there is no such index. */
bool svm_type_memory(cl_uint index, enum usm_type *memory, bool *is_fine);

/* The index of such memory; CL_UINT_MAX if no device has the type. */
cl_uint svm_type_find(enum usm_type memory, bool is_fine);

/* CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR; of NULL, CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR. */
cl_int svm_type_answer(const struct device *device, const struct info *info);

#endif
