// SPDX-License-Identifier: MIT
#ifndef COMMAND_BUFFER_KHR_H
#define COMMAND_BUFFER_KHR_H

/*
 * cl_khr_command_buffer 0.9.8 and cl_khr_command_buffer_mutable_dispatch 0.9.5. Distributions have
 * headers of other versions, whose functions take other arguments under the same names; here is
 * what those headers lack, under names of our own where they would collide.
 */

#include <CL/cl_ext.h>

#define COMMAND_BUFFER_VERSION	       CL_MAKE_VERSION(0, 9, 8)
#define COMMAND_BUFFER_MUTABLE_VERSION CL_MAKE_VERSION(0, 9, 5)

#ifndef CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#endif
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif
#ifndef CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
#define CL_COMMAND_BUFFER_STATE_FINALIZED_KHR 2
#endif
#ifndef CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR
#define CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR 0x12A2
#endif
#ifndef CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B7
#endif
#ifndef CL_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_MUTABLE_DISPATCH_ASSERTS_KHR				 0x12B8
#define CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR (1 << 0)
#endif

/* cl_command_properties_khr, cl_command_buffer_update_type_khr */
typedef cl_properties command_buffer_property;
typedef cl_uint command_buffer_update_type;

#define COMMAND_BUFFER_UPDATE_DISPATCH 0 /* CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR */

/* cl_mutable_dispatch_config_khr */
struct command_buffer_dispatch_config {
	cl_mutable_command_khr command;
	cl_uint num_args;
	cl_uint num_svm_args;
	cl_uint num_exec_infos;
	cl_uint work_dim;
	const cl_mutable_dispatch_arg_khr *arg_list;
	const cl_mutable_dispatch_arg_khr *arg_svm_list;
	const cl_mutable_dispatch_exec_info_khr *exec_info_list;
	const size_t *global_work_offset;
	const size_t *global_work_size;
	const size_t *local_work_size;
};

/* What may be updated: CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR. */
#define COMMAND_BUFFER_FIELDS                                                                      \
	(CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |             \
		CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |           \
		CL_MUTABLE_DISPATCH_EXEC_INFO_KHR)

/* What the queues may be: CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR. */
#define COMMAND_BUFFER_QUEUES (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)

#endif
