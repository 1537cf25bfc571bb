// SPDX-License-Identifier: MIT
/* Images: section 5.3 of the specification. */
#include "api/api.h"
#include "core/memory/image.h"
#include "core/memory/image_requirements.h"
#include "core/command/image_copy.h"

API_CREATE(mem, clCreateImage,
	(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
		const cl_image_desc *image_desc, void *host_ptr, cl_int *errcode_ret),
	context,
	image_create(context_from(context), NULL, flags, image_format, image_desc, host_ptr, &made))

API_CREATE(mem, clCreateImageWithProperties,
	(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
		const cl_image_format *image_format, const cl_image_desc *image_desc,
		void *host_ptr, cl_int *errcode_ret),
	context,
	image_create(context_from(context), properties, flags, image_format, image_desc, host_ptr,
		&made))

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
	const cl_image_format *image_format, size_t image_width, size_t image_height,
	size_t image_row_pitch, void *host_ptr, cl_int *errcode_ret)
{
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = image_width,
		.image_height = image_height,
		.image_row_pitch = image_row_pitch };
	API_RETURN_MADE(mem, context,
		image_create_old(
			context_from(context), flags, image_format, &desc, host_ptr, &made));
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
	const cl_image_format *image_format, size_t image_width, size_t image_height,
	size_t image_depth, size_t image_row_pitch, size_t image_slice_pitch, void *host_ptr,
	cl_int *errcode_ret)
{
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE3D,
		.image_width = image_width,
		.image_height = image_height,
		.image_depth = image_depth,
		.image_row_pitch = image_row_pitch,
		.image_slice_pitch = image_slice_pitch };
	API_RETURN_MADE(mem, context,
		image_create_old(
			context_from(context), flags, image_format, &desc, host_ptr, &made));
}

API_ENTRY(clGetSupportedImageFormats,
	(cl_context context, cl_mem_flags flags, cl_mem_object_type image_type, cl_uint num_entries,
		cl_image_format *image_formats, cl_uint *num_image_formats),
	context,
	image_format_list(context_from(context), flags, image_type, num_entries, image_formats,
		num_image_formats))

API_ENTRY(clEnqueueReadImage,
	(cl_command_queue command_queue, cl_mem image, cl_bool blocking_read, const size_t *origin,
		const size_t *region, size_t row_pitch, size_t slice_pitch, void *ptr,
		API_EVENT_PARAMS),
	command_queue,
	image_read(queue_from(command_queue), mem_from(image), blocking_read,
		IMAGE_SPAN(origin, region, row_pitch, slice_pitch), ptr, API_EVENTS))

API_ENTRY(clEnqueueWriteImage,
	(cl_command_queue command_queue, cl_mem image, cl_bool blocking_write, const size_t *origin,
		const size_t *region, size_t input_row_pitch, size_t input_slice_pitch,
		const void *ptr, API_EVENT_PARAMS),
	command_queue,
	image_write(queue_from(command_queue), mem_from(image), blocking_write,
		IMAGE_SPAN(origin, region, input_row_pitch, input_slice_pitch), ptr, API_EVENTS))

API_ENTRY(clEnqueueCopyImage,
	(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image,
		const size_t *src_origin, const size_t *dst_origin, const size_t *region,
		API_EVENT_PARAMS),
	command_queue,
	image_copy(queue_from(command_queue), mem_from(src_image), mem_from(dst_image), src_origin,
		dst_origin, region, API_EVENTS))

API_ENTRY(clEnqueueCopyImageToBuffer,
	(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_buffer,
		const size_t *src_origin, const size_t *region, size_t dst_offset,
		API_EVENT_PARAMS),
	command_queue,
	image_copy_to_buffer(queue_from(command_queue), mem_from(src_image), mem_from(dst_buffer),
		IMAGE_SPAN(src_origin, region, 0, 0), dst_offset, API_EVENTS))

API_ENTRY(clEnqueueCopyBufferToImage,
	(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_image, size_t src_offset,
		const size_t *dst_origin, const size_t *region, API_EVENT_PARAMS),
	command_queue,
	image_copy_from_buffer(queue_from(command_queue), mem_from(src_buffer), mem_from(dst_image),
		IMAGE_SPAN(dst_origin, region, 0, 0), src_offset, API_EVENTS))

API_ENTRY(clEnqueueFillImage,
	(cl_command_queue command_queue, cl_mem image, const void *fill_color, const size_t *origin,
		const size_t *region, API_EVENT_PARAMS),
	command_queue,
	image_fill(queue_from(command_queue), mem_from(image), fill_color,
		IMAGE_SPAN(origin, region, 0, 0), API_EVENTS))

API_ADDRESS(clEnqueueMapImage,
	(cl_command_queue command_queue, cl_mem image, cl_bool blocking_map, cl_map_flags map_flags,
		const size_t *origin, const size_t *region, size_t *image_row_pitch,
		size_t *image_slice_pitch, API_EVENT_PARAMS, cl_int *errcode_ret),
	command_queue,
	image_map(queue_from(command_queue), mem_from(image), blocking_map, map_flags,
		IMAGE_SPAN(origin, region, 0, 0), image_row_pitch, image_slice_pitch, API_EVENTS,
		&address))

API_ENTRY(clGetImageRequirementsInfoEXT,
	(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
		const cl_image_format *image_format, const cl_image_desc *image_desc,
		cl_image_requirements_info_ext param_name, API_INFO_PARAMS),
	context,
	image_requirements(context_from(context), properties, flags, image_format, image_desc,
		param_name, API_INFO))
