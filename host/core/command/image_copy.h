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

#define IMAGE_SPAN(...) (&(const struct image_span){ __VA_ARGS__ })

/* clEnqueueReadImage, clEnqueueWriteImage. */
cl_int image_read(struct queue *queue, struct mem *mem, cl_bool blocking,
	const struct image_span *span, void *to, const struct event_args *events);
cl_int image_write(struct queue *queue, struct mem *mem, cl_bool blocking,
	const struct image_span *span, const void *from, const struct event_args *events);

/* clEnqueueCopyImage, clEnqueueCopyImageToBuffer, clEnqueueCopyBufferToImage. */
cl_int image_copy(struct queue *queue, struct mem *from, struct mem *to, const size_t *from_origin,
	const size_t *to_origin, const size_t *region, const struct event_args *events);
cl_int image_copy_to_buffer(struct queue *queue, struct mem *from, struct mem *to,
	const struct image_span *span, size_t offset, const struct event_args *events);
cl_int image_copy_from_buffer(struct queue *queue, struct mem *from, struct mem *to,
	const struct image_span *span, size_t offset, const struct event_args *events);

/* clEnqueueFillImage. */
cl_int image_fill(struct queue *queue, struct mem *mem, const void *color,
	const struct image_span *span, const struct event_args *events);

/* clEnqueueMapImage: *out is the pointer. */
cl_int image_map(struct queue *queue, struct mem *mem, cl_bool blocking, cl_map_flags flags,
	const struct image_span *span, size_t *row_pitch, size_t *slice_pitch,
	const struct event_args *events, void **out);

/* clEnqueueUnmapMemObject: what brings the map's content back, if there is something to bring. */
void image_unmap(struct command *command, struct mem *mem, const struct mem_map *map);

#endif
