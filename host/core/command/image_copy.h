// SPDX-License-Identifier: MIT
#ifndef IMAGE_COPY_H
#define IMAGE_COPY_H

#include "core/command/enqueue.h"

/*
 * The entry points that move pixels, after their handles were converted: an object is NULL when the
 * handle was bad, and every check of section 5.3.3 to 5.3.6 is made here.
 */

/* What an entry point says about one region; origins and region have 3 sizes in pixels. */
struct image_span {
	const size_t *origin, *region;
	size_t row_pitch, slice_pitch; /* of memory; 0: the default */
};

/* clEnqueueReadImage, clEnqueueWriteImage. */
cl_int image_read(struct queue *queue, struct mem *mem, cl_bool blocking,
	const struct image_span *span, void *to, cl_uint n_wait, const cl_event *wait,
	cl_event *event);
cl_int image_write(struct queue *queue, struct mem *mem, cl_bool blocking,
	const struct image_span *span, const void *from, cl_uint n_wait, const cl_event *wait,
	cl_event *event);

/* clEnqueueCopyImage, clEnqueueCopyImageToBuffer, clEnqueueCopyBufferToImage. */
cl_int image_copy(struct queue *queue, struct mem *from, struct mem *to, const size_t *from_origin,
	const size_t *to_origin, const size_t *region, cl_uint n_wait, const cl_event *wait,
	cl_event *event);
cl_int image_copy_to_buffer(struct queue *queue, struct mem *from, struct mem *to,
	const struct image_span *span, size_t offset, cl_uint n_wait, const cl_event *wait,
	cl_event *event);
cl_int image_copy_from_buffer(struct queue *queue, struct mem *from, struct mem *to,
	const struct image_span *span, size_t offset, cl_uint n_wait, const cl_event *wait,
	cl_event *event);

/* clEnqueueFillImage. */
cl_int image_fill(struct queue *queue, struct mem *mem, const void *color,
	const struct image_span *span, cl_uint n_wait, const cl_event *wait, cl_event *event);

/* clEnqueueMapImage: *out is the pointer. */
cl_int image_map(struct queue *queue, struct mem *mem, cl_bool blocking, cl_map_flags flags,
	const struct image_span *span, size_t *row_pitch, size_t *slice_pitch, cl_uint n_wait,
	const cl_event *wait, cl_event *event, void **out);

/* clEnqueueUnmapMemObject: what brings the map's content back, if there is something to bring. */
void image_unmap(struct command *command, struct mem *mem, const struct mem_map *map);

#endif
