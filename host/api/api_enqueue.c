// SPDX-License-Identifier: MIT
/* Commands: sections 5.2.2 to 5.2.4, 5.5.2, 5.10 and 5.12 of the specification. */
#include "api/api.h"
#include "core/command/enqueue.h"
#include "core/command/copy.h"

API_ENTRY(clEnqueueReadBuffer,
	(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read, size_t offset,
		size_t size, void *ptr, API_EVENT_PARAMS),
	command_queue,
	copy_read(queue_from(command_queue), mem_from(buffer), blocking_read, offset, size, ptr,
		API_EVENTS))

API_ENTRY(clEnqueueWriteBuffer,
	(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write, size_t offset,
		size_t size, const void *ptr, API_EVENT_PARAMS),
	command_queue,
	copy_write(queue_from(command_queue), mem_from(buffer), blocking_write, offset, size, ptr,
		API_EVENTS))

API_ENTRY(clEnqueueReadBufferRect,
	(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read,
		const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
		size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
		size_t host_slice_pitch, void *ptr, API_EVENT_PARAMS),
	command_queue,
	copy_read_rect(queue_from(command_queue), mem_from(buffer), blocking_read,
		COPY_RECT(buffer_origin, host_origin, region, buffer_row_pitch, buffer_slice_pitch,
			host_row_pitch, host_slice_pitch),
		ptr, API_EVENTS))

API_ENTRY(clEnqueueWriteBufferRect,
	(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write,
		const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
		size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
		size_t host_slice_pitch, const void *ptr, API_EVENT_PARAMS),
	command_queue,
	copy_write_rect(queue_from(command_queue), mem_from(buffer), blocking_write,
		COPY_RECT(host_origin, buffer_origin, region, host_row_pitch, host_slice_pitch,
			buffer_row_pitch, buffer_slice_pitch),
		ptr, API_EVENTS))

API_ENTRY(clEnqueueCopyBuffer,
	(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset,
		size_t dst_offset, size_t size, API_EVENT_PARAMS),
	command_queue,
	copy_buffer(queue_from(command_queue), mem_from(src_buffer), mem_from(dst_buffer),
		src_offset, dst_offset, size, API_EVENTS))

API_ENTRY(clEnqueueCopyBufferRect,
	(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer,
		const size_t *src_origin, const size_t *dst_origin, const size_t *region,
		size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
		size_t dst_slice_pitch, API_EVENT_PARAMS),
	command_queue,
	copy_buffer_rect(queue_from(command_queue), mem_from(src_buffer), mem_from(dst_buffer),
		COPY_RECT(src_origin, dst_origin, region, src_row_pitch, src_slice_pitch,
			dst_row_pitch, dst_slice_pitch),
		API_EVENTS))

API_ENTRY(clEnqueueFillBuffer,
	(cl_command_queue command_queue, cl_mem buffer, const void *pattern, size_t pattern_size,
		size_t offset, size_t size, API_EVENT_PARAMS),
	command_queue,
	copy_fill(queue_from(command_queue), mem_from(buffer), pattern, pattern_size, offset, size,
		API_EVENTS))

API_ADDRESS(clEnqueueMapBuffer,
	(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_map,
		cl_map_flags map_flags, size_t offset, size_t size, API_EVENT_PARAMS,
		cl_int *errcode_ret),
	command_queue,
	copy_map(queue_from(command_queue), mem_from(buffer), blocking_map, map_flags, offset, size,
		API_EVENTS, &address))

API_ENTRY(clEnqueueUnmapMemObject,
	(cl_command_queue command_queue, cl_mem memobj, void *mapped_ptr, API_EVENT_PARAMS),
	command_queue,
	copy_unmap(queue_from(command_queue), mem_from(memobj), mapped_ptr, API_EVENTS))

API_ENTRY(clEnqueueMigrateMemObjects,
	(cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
		cl_mem_migration_flags flags, API_EVENT_PARAMS),
	command_queue,
	command_migrate(queue_from(command_queue), num_mem_objects, mem_objects, flags, API_EVENTS))

API_ENTRY(clEnqueueNDRangeKernel,
	(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
		const size_t *global_work_offset, const size_t *global_work_size,
		const size_t *local_work_size, API_EVENT_PARAMS),
	command_queue,
	command_ndrange(queue_from(command_queue), kernel_from(kernel), CL_COMMAND_NDRANGE_KERNEL,
		work_dim, global_work_offset, global_work_size, local_work_size, API_EVENTS))

cl_int CL_API_CALL clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel, API_EVENT_PARAMS)
{
	static const size_t one = 1;

	return API_DONE(
		command_queue, command_ndrange(queue_from(command_queue), kernel_from(kernel),
				       CL_COMMAND_TASK, 1, NULL, &one, &one, API_EVENTS));
}

API_ENTRY(clEnqueueMarkerWithWaitList, (cl_command_queue command_queue, API_EVENT_PARAMS),
	command_queue, command_marker(queue_from(command_queue), CL_COMMAND_MARKER, API_EVENTS))

API_ENTRY(clEnqueueBarrierWithWaitList, (cl_command_queue command_queue, API_EVENT_PARAMS),
	command_queue, command_marker(queue_from(command_queue), CL_COMMAND_BARRIER, API_EVENTS))

static cl_int old_marker(struct queue *queue, cl_event *event)
{
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(event, CL_INVALID_VALUE);
	return command_marker(queue, CL_COMMAND_MARKER, &(struct event_args){ .event = event });
}

API_ENTRY(clEnqueueMarker, (cl_command_queue command_queue, cl_event *event), command_queue,
	old_marker(queue_from(command_queue), event))

API_ENTRY(clEnqueueBarrier, (cl_command_queue command_queue), command_queue,
	command_marker(queue_from(command_queue), CL_COMMAND_BARRIER, NO_EVENTS))

static cl_int old_wait(struct queue *queue, cl_uint n, const cl_event *events)
{
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(n > 0 && events, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n; i++)
		REQUIRE(event_from(events[i]), CL_INVALID_EVENT);
	return command_marker(queue, CL_COMMAND_BARRIER, &(struct event_args){ n, events, NULL });
}

API_ENTRY(clEnqueueWaitForEvents,
	(cl_command_queue command_queue, cl_uint num_events, const cl_event *event_list),
	command_queue, old_wait(queue_from(command_queue), num_events, event_list))

API_ENTRY(clEnqueueAcquireExternalMemObjectsKHR,
	(cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
		API_EVENT_PARAMS),
	command_queue,
	command_hand_over(queue_from(command_queue), CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR,
		num_mem_objects, mem_objects, API_EVENTS))

API_ENTRY(clEnqueueReleaseExternalMemObjectsKHR,
	(cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
		API_EVENT_PARAMS),
	command_queue,
	command_hand_over(queue_from(command_queue), CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR,
		num_mem_objects, mem_objects, API_EVENTS))
