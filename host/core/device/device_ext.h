// SPDX-License-Identifier: MIT
#ifndef DEVICE_EXT_H
#define DEVICE_EXT_H

#include <CL/cl_ext.h>

/* Of Khronos's registry, where the headers are older. */

/* cl_ext_float_atomics 1.0.0 */
#ifndef CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT
#define CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT 0x4231
#define CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT 0x4232
#define CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT   0x4233
#define CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT   (1 << 0)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT	    (1 << 1)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT	    (1 << 2)
#define CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT    (1 << 16)
#define CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT	    (1 << 17)
#define CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT	    (1 << 18)
#endif

/* cl_khr_kernel_clock 1.0.0 */
#ifndef CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR	   0x1076
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR (1 << 2)
#endif

/* cl_khr_spirv_queries 1.0.0 */
#ifndef CL_DEVICE_SPIRV_CAPABILITIES_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR		      0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR	      0x12BB
#endif

/* cl_ext_immutable_memory_objects 1.0.0 */
#ifndef CL_MEM_IMMUTABLE_EXT
#define CL_MEM_IMMUTABLE_EXT (1 << 6)
#endif

/* cl_khr_external_memory 1.0.1 */
#ifndef CL_MEM_DEVICE_HANDLE_LIST_KHR
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR 0x2052
#define CL_MEM_DEVICE_HANDLE_LIST_KHR					       0x2051
#define CL_MEM_DEVICE_HANDLE_LIST_END_KHR				       0
#endif

/* cl_khr_unified_svm 0.9.0, which Khronos calls experimental */
#ifndef CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR
typedef cl_bitfield cl_svm_capabilities_khr;
typedef cl_properties cl_svm_alloc_properties_khr;
typedef cl_bitfield cl_svm_alloc_access_flags_khr;
typedef cl_properties cl_svm_free_properties_khr;
typedef cl_bitfield cl_svm_free_flags_khr;
typedef cl_uint cl_svm_pointer_info_khr;

#define CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR	       0x0909
#define CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR	       0x1077
#define CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR    0x11BB
#define CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR      0x2078
#define CL_SVM_ALLOC_ACCESS_FLAGS_KHR		       0x2079
#define CL_SVM_ALLOC_ALIGNMENT_KHR		       0x207A
#define CL_SVM_INFO_TYPE_INDEX_KHR		       0x2088
#define CL_SVM_INFO_CAPABILITIES_KHR		       0x2089
#define CL_SVM_INFO_PROPERTIES_KHR		       0x208A
#define CL_SVM_INFO_ACCESS_FLAGS_KHR		       0x208B
#define CL_SVM_INFO_BASE_PTR_KHR		       0x419B
#define CL_SVM_INFO_SIZE_KHR			       0x419C
#define CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR       0x419D
#define CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR     (1 << 0)
#define CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR	       (1 << 1)
#define CL_SVM_CAPABILITY_DEVICE_OWNED_KHR	       (1 << 2)
#define CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR      (1 << 3)
#define CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR	       (1 << 4)
#define CL_SVM_CAPABILITY_HOST_OWNED_KHR	       (1 << 5)
#define CL_SVM_CAPABILITY_HOST_READ_KHR		       (1 << 6)
#define CL_SVM_CAPABILITY_HOST_WRITE_KHR	       (1 << 7)
#define CL_SVM_CAPABILITY_HOST_MAP_KHR		       (1 << 8)
#define CL_SVM_CAPABILITY_DEVICE_READ_KHR	       (1 << 9)
#define CL_SVM_CAPABILITY_DEVICE_WRITE_KHR	       (1 << 10)
#define CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR     (1 << 11)
#define CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR	       (1 << 12)
#define CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR (1 << 13)
#define CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR	       (1 << 14)
#define CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR	       (1 << 0)
#define CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR	       (1 << 1)
#define CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR	       (1 << 8)
#define CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR	       (1 << 9)
#endif

/*
 * Of Intel's driver, which has no extension for it: what is allocated with the flag may be larger
 * than CL_DEVICE_MAX_MEM_ALLOC_SIZE, up to CL_DEVICE_GLOBAL_MEM_SIZE.
 */
#ifndef CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL
#define CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL (1 << 23)
#endif
#ifndef CL_MEM_FLAGS_INTEL
#define CL_MEM_FLAGS_INTEL 0x10001
#endif

#endif
