// SPDX-License-Identifier: MIT
#ifndef TESTS_CL_COMMAND_BUFFER_H
#define TESTS_CL_COMMAND_BUFFER_H

/*
 * cl_khr_command_buffer 0.9.8 and cl_khr_command_buffer_mutable_dispatch 0.9.5 for programs: the
 * functions as these versions declare them, which the header of a distribution may not.
 */

#include "cl/cl_case.h"

#define COMMAND_HEAD                                                                               \
	cl_command_buffer_khr buffer, cl_command_queue queue, const cl_properties *properties
#define COMMAND_TAIL                                                                               \
	cl_uint n_waits, const cl_sync_point_khr *waits, cl_sync_point_khr *point,                 \
		cl_mutable_command_khr *handle

struct dispatch_config {
	cl_mutable_command_khr command;
	cl_uint num_args, num_svm_args, num_exec_infos, work_dim;
	const cl_mutable_dispatch_arg_khr *arg_list;
	const cl_mutable_dispatch_arg_khr *arg_svm_list;
	const cl_mutable_dispatch_exec_info_khr *exec_info_list;
	const size_t *global_work_offset;
	const size_t *global_work_size;
	const size_t *local_work_size;
};

#define CB_CONTEXT	   0x1299 /* CL_COMMAND_BUFFER_CONTEXT_KHR */
#define CB_STATE_FINALIZED 2
#define CB_ASSERTS	   0x12B7 /* of a buffer */
#define CB_LAUNCH_ASSERTS  0x12B8
#define CB_SUPPORTED	   0x129A /* CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR */

struct command_buffer_api {
	cl_command_buffer_khr (*create)(cl_uint n, const cl_command_queue *queues,
		const cl_command_buffer_properties_khr *properties, cl_int *rc);
	cl_int (*finalize)(cl_command_buffer_khr buffer);
	cl_int (*retain)(cl_command_buffer_khr buffer);
	cl_int (*release)(cl_command_buffer_khr buffer);
	cl_int (*enqueue)(cl_uint n, cl_command_queue *queues, cl_command_buffer_khr buffer,
		cl_uint n_wait, const cl_event *wait, cl_event *event);
	cl_int (*info)(cl_command_buffer_khr buffer, cl_command_buffer_info_khr param, size_t size,
		void *value, size_t *size_ret);
	cl_int (*barrier)(COMMAND_HEAD, COMMAND_TAIL);
	cl_int (*copy)(COMMAND_HEAD, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
		size_t size, COMMAND_TAIL);
	cl_int (*copy_rect)(COMMAND_HEAD, cl_mem from, cl_mem to, const size_t *from_origin,
		const size_t *to_origin, const size_t *region, size_t from_row, size_t from_slice,
		size_t to_row, size_t to_slice, COMMAND_TAIL);
	cl_int (*fill)(COMMAND_HEAD, cl_mem mem, const void *pattern, size_t pattern_size,
		size_t offset, size_t size, COMMAND_TAIL);
	cl_int (*to_image)(COMMAND_HEAD, cl_mem from, cl_mem to, size_t offset,
		const size_t *origin, const size_t *region, COMMAND_TAIL);
	cl_int (*copy_image)(COMMAND_HEAD, cl_mem from, cl_mem to, const size_t *from_origin,
		const size_t *to_origin, const size_t *region, COMMAND_TAIL);
	cl_int (*from_image)(COMMAND_HEAD, cl_mem from, cl_mem to, const size_t *origin,
		const size_t *region, size_t offset, COMMAND_TAIL);
	cl_int (*fill_image)(COMMAND_HEAD, cl_mem image, const void *color, const size_t *origin,
		const size_t *region, COMMAND_TAIL);
	cl_int (*launch)(COMMAND_HEAD, cl_kernel kernel, cl_uint dims, const size_t *offset,
		const size_t *global, const size_t *local, COMMAND_TAIL);
	cl_int (*svm_copy)(COMMAND_HEAD, void *to, const void *from, size_t size, COMMAND_TAIL);
	cl_int (*svm_fill)(COMMAND_HEAD, void *to, const void *pattern, size_t pattern_size,
		size_t size, COMMAND_TAIL);
	cl_int (*update)(cl_command_buffer_khr buffer, cl_uint n, const cl_uint *types,
		const void **configs);
	cl_int (*command_info)(cl_mutable_command_khr command, cl_mutable_command_info_khr param,
		size_t size, void *value, size_t *size_ret);
};
extern struct command_buffer_api cb;

/* Finds the functions, or skips the test. */
void cb_load(void);
/* Of the case's queue, with those flags; finalized, enqueued and waited for by the others. */
cl_command_buffer_khr cb_create(cl_command_buffer_flags_khr flags);
void cb_run(cl_command_buffer_khr buffer);

#endif
