// SPDX-License-Identifier: MIT
#ifndef API_COMMAND_BUFFER_H
#define API_COMMAND_BUFFER_H

#include "api/api.h"
#include "core/device/command_buffer_khr.h"

/*
 * The entry points of cl_khr_command_buffer and cl_khr_command_buffer_mutable_dispatch under names
 * of ours, since the header of a distribution may declare those of another version; icd.def gives
 * them their own.
 */

cl_command_buffer_khr CL_API_CALL api_create_command_buffer(cl_uint num_queues,
	const cl_command_queue *queues, const cl_command_buffer_properties_khr *properties,
	cl_int *errcode_ret);
cl_int CL_API_CALL api_finalize_command_buffer(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL api_retain_command_buffer(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL api_release_command_buffer(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL api_enqueue_command_buffer(cl_uint num_queues, cl_command_queue *queues,
	cl_command_buffer_khr command_buffer, API_EVENT_PARAMS);
cl_int CL_API_CALL api_get_command_buffer_info(cl_command_buffer_khr command_buffer,
	cl_command_buffer_info_khr param_name, API_INFO_PARAMS);
cl_int CL_API_CALL api_update_mutable_commands(cl_command_buffer_khr command_buffer,
	cl_uint num_configs, const command_buffer_update_type *config_types, const void **configs);
cl_int CL_API_CALL api_get_mutable_command_info(
	cl_mutable_command_khr command, cl_mutable_command_info_khr param_name, API_INFO_PARAMS);

/* What every recorded command begins and ends with. */
#define API_RECORD_HEAD                                                                            \
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue,                      \
		const command_buffer_property *properties
#define API_RECORD_TAIL                                                                            \
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,       \
		cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle

cl_int CL_API_CALL api_command_barrier(API_RECORD_HEAD, API_RECORD_TAIL);
cl_int CL_API_CALL api_command_copy_buffer(API_RECORD_HEAD, cl_mem src_buffer, cl_mem dst_buffer,
	size_t src_offset, size_t dst_offset, size_t size, API_RECORD_TAIL);
cl_int CL_API_CALL api_command_copy_buffer_rect(API_RECORD_HEAD, cl_mem src_buffer,
	cl_mem dst_buffer, const size_t *src_origin, const size_t *dst_origin, const size_t *region,
	size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch,
	API_RECORD_TAIL);
cl_int CL_API_CALL api_command_copy_buffer_to_image(API_RECORD_HEAD, cl_mem src_buffer,
	cl_mem dst_image, size_t src_offset, const size_t *dst_origin, const size_t *region,
	API_RECORD_TAIL);
cl_int CL_API_CALL api_command_copy_image(API_RECORD_HEAD, cl_mem src_image, cl_mem dst_image,
	const size_t *src_origin, const size_t *dst_origin, const size_t *region, API_RECORD_TAIL);
cl_int CL_API_CALL api_command_copy_image_to_buffer(API_RECORD_HEAD, cl_mem src_image,
	cl_mem dst_buffer, const size_t *src_origin, const size_t *region, size_t dst_offset,
	API_RECORD_TAIL);
cl_int CL_API_CALL api_command_fill_buffer(API_RECORD_HEAD, cl_mem buffer, const void *pattern,
	size_t pattern_size, size_t offset, size_t size, API_RECORD_TAIL);
cl_int CL_API_CALL api_command_fill_image(API_RECORD_HEAD, cl_mem image, const void *fill_color,
	const size_t *origin, const size_t *region, API_RECORD_TAIL);
cl_int CL_API_CALL api_command_ndrange_kernel(API_RECORD_HEAD, cl_kernel kernel, cl_uint work_dim,
	const size_t *global_work_offset, const size_t *global_work_size,
	const size_t *local_work_size, API_RECORD_TAIL);
cl_int CL_API_CALL api_command_svm_memcpy(
	API_RECORD_HEAD, void *dst_ptr, const void *src_ptr, size_t size, API_RECORD_TAIL);
cl_int CL_API_CALL api_command_svm_mem_fill(API_RECORD_HEAD, void *svm_ptr, const void *pattern,
	size_t pattern_size, size_t size, API_RECORD_TAIL);

#endif
