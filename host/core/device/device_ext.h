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
