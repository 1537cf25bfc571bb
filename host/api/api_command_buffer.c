// SPDX-License-Identifier: MIT
/*
 * Command buffers: section 5.17 of the specification. The functions are static and have names of
 * ours, since the header of a distribution may declare those of another version of the extensions.
 */
#include "api/icd.h"

#include "core/command_buffer/command_buffer.h"
#include "core/command_buffer/command_buffer_record.h"
#include "core/command/copy.h"
#include "core/command/image_copy.h"
#include "core/command/usm_command.h"

static cl_command_buffer_khr CL_API_CALL own_clCreateCommandBufferKHR(cl_uint num_queues,
	const cl_command_queue *queues, const cl_command_buffer_properties_khr *properties,
	cl_int *errcode_ret)
{
	struct command_buffer *buffer = NULL;

	api_made(errcode_ret, "clCreateCommandBufferKHR", queues && num_queues ? queues[0] : NULL,
		command_buffer_create(num_queues, queues, properties, &buffer));
	return command_buffer_handle(buffer);
}

/* As API_ENTRY. */
#define ENTRY(name, parameters, handle, code)                                                      \
	static cl_int CL_API_CALL own_##name parameters                                            \
	{                                                                                          \
		return error_done(#name, (handle), (code));                                        \
	}

ENTRY(clFinalizeCommandBufferKHR, (cl_command_buffer_khr command_buffer), command_buffer,
	command_buffer_finalize(command_buffer_from(command_buffer)))

ENTRY(clRetainCommandBufferKHR, (cl_command_buffer_khr command_buffer), command_buffer,
	obj_retain(command_buffer, OBJ_COMMAND_BUFFER))

ENTRY(clReleaseCommandBufferKHR, (cl_command_buffer_khr command_buffer), NULL,
	obj_release(command_buffer, OBJ_COMMAND_BUFFER))

ENTRY(clEnqueueCommandBufferKHR,
	(cl_uint num_queues, cl_command_queue *queues, cl_command_buffer_khr command_buffer,
		API_EVENT_PARAMS),
	command_buffer,
	command_buffer_enqueue(num_queues, queues, command_buffer_from(command_buffer), API_EVENTS))

ENTRY(clGetCommandBufferInfoKHR,
	(cl_command_buffer_khr command_buffer, cl_command_buffer_info_khr param_name,
		API_INFO_PARAMS),
	command_buffer,
	command_buffer_info(command_buffer_from(command_buffer), param_name, API_INFO))

ENTRY(clUpdateMutableCommandsKHR,
	(cl_command_buffer_khr command_buffer, cl_uint num_configs,
		const command_buffer_update_type *config_types, const void **configs),
	command_buffer,
	command_buffer_update(
		command_buffer_from(command_buffer), num_configs, config_types, configs))

ENTRY(clGetMutableCommandInfoKHR,
	(cl_mutable_command_khr command, cl_mutable_command_info_khr param_name, API_INFO_PARAMS),
	command, recorded_info(recorded_from(command), param_name, API_INFO))

/* What every recorded command begins and ends with. */
#define HEAD                                                                                       \
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue,                      \
		const command_buffer_property *properties
#define TAIL                                                                                       \
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,       \
		cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle

/* A recorded command: `how` checks it and gives it to record_queue(&record), or is a record_*. */
#define RECORDED(name, parameters, type_, how)                                                     \
	static cl_int CL_API_CALL own_##name parameters                                            \
	{                                                                                          \
		const struct record record = { command_buffer_from(command_buffer), command_queue, \
			properties, num_sync_points_in_wait_list, sync_point_wait_list,            \
			sync_point, mutable_handle, (type_) };                                     \
		cl_int rc = record_begin(&record);                                                 \
                                                                                                   \
		if (!rc)                                                                           \
			rc = record_end(&record, (how));                                           \
		return error_done(#name, command_buffer, rc);                                      \
	}

RECORDED(clCommandBarrierWithWaitListKHR, (HEAD, TAIL), CL_COMMAND_BARRIER, record_barrier(&record))

RECORDED(clCommandCopyBufferKHR,
	(HEAD, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset, size_t dst_offset,
		size_t size, TAIL),
	CL_COMMAND_COPY_BUFFER,
	copy_buffer(record_queue(&record), mem_from(src_buffer), mem_from(dst_buffer), src_offset,
		dst_offset, size, NO_EVENTS))

RECORDED(clCommandCopyBufferRectKHR,
	(HEAD, cl_mem src_buffer, cl_mem dst_buffer, const size_t *src_origin,
		const size_t *dst_origin, const size_t *region, size_t src_row_pitch,
		size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch, TAIL),
	CL_COMMAND_COPY_BUFFER_RECT,
	copy_buffer_rect(record_queue(&record), mem_from(src_buffer), mem_from(dst_buffer),
		COPY_RECT(src_origin, dst_origin, region, src_row_pitch, src_slice_pitch,
			dst_row_pitch, dst_slice_pitch),
		NO_EVENTS))

RECORDED(clCommandCopyBufferToImageKHR,
	(HEAD, cl_mem src_buffer, cl_mem dst_image, size_t src_offset, const size_t *dst_origin,
		const size_t *region, TAIL),
	CL_COMMAND_COPY_BUFFER_TO_IMAGE,
	image_copy_from_buffer(record_queue(&record), mem_from(src_buffer), mem_from(dst_image),
		IMAGE_SPAN(dst_origin, region, 0, 0), src_offset, NO_EVENTS))

RECORDED(clCommandCopyImageKHR,
	(HEAD, cl_mem src_image, cl_mem dst_image, const size_t *src_origin,
		const size_t *dst_origin, const size_t *region, TAIL),
	CL_COMMAND_COPY_IMAGE,
	image_copy(record_queue(&record), mem_from(src_image), mem_from(dst_image), src_origin,
		dst_origin, region, NO_EVENTS))

RECORDED(clCommandCopyImageToBufferKHR,
	(HEAD, cl_mem src_image, cl_mem dst_buffer, const size_t *src_origin, const size_t *region,
		size_t dst_offset, TAIL),
	CL_COMMAND_COPY_IMAGE_TO_BUFFER,
	image_copy_to_buffer(record_queue(&record), mem_from(src_image), mem_from(dst_buffer),
		IMAGE_SPAN(src_origin, region, 0, 0), dst_offset, NO_EVENTS))

RECORDED(clCommandFillBufferKHR,
	(HEAD, cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset, size_t size,
		TAIL),
	CL_COMMAND_FILL_BUFFER,
	copy_fill(record_queue(&record), mem_from(buffer), pattern, pattern_size, offset, size,
		NO_EVENTS))

RECORDED(clCommandFillImageKHR,
	(HEAD, cl_mem image, const void *fill_color, const size_t *origin, const size_t *region,
		TAIL),
	CL_COMMAND_FILL_IMAGE,
	image_fill(record_queue(&record), mem_from(image), fill_color,
		IMAGE_SPAN(origin, region, 0, 0), NO_EVENTS))

RECORDED(clCommandNDRangeKernelKHR,
	(HEAD, cl_kernel kernel, cl_uint work_dim, const size_t *global_work_offset,
		const size_t *global_work_size, const size_t *local_work_size, TAIL),
	CL_COMMAND_NDRANGE_KERNEL,
	record_launch(&record, kernel_from(kernel), work_dim, global_work_offset, global_work_size,
		local_work_size))

RECORDED(clCommandSVMMemcpyKHR, (HEAD, void *dst_ptr, const void *src_ptr, size_t size, TAIL),
	CL_COMMAND_SVM_MEMCPY,
	usm_copy(record_queue(&record), CL_COMMAND_SVM_MEMCPY, CL_FALSE, dst_ptr, src_ptr, size,
		NO_EVENTS))

RECORDED(clCommandSVMMemFillKHR,
	(HEAD, void *svm_ptr, const void *pattern, size_t pattern_size, size_t size, TAIL),
	CL_COMMAND_SVM_MEMFILL,
	usm_fill(record_queue(&record), CL_COMMAND_SVM_MEMFILL, svm_ptr, pattern, pattern_size,
		size, NO_EVENTS))

#define ICD_ENTRY(name)
#define ICD_TAGGED(name)
#define ICD_ABSENT(name)
#define ICD_EXTENSION(name, extension)
#define ICD_COMMAND_BUFFER(name, extension) { #name, (icd_any)own_##name, #extension },
const struct icd_function icd_command_buffer[] = {
#include "api/icd.def"
	{ 0 },
};
