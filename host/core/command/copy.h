// SPDX-License-Identifier: MIT
#ifndef COPY_H
#define COPY_H

#include "core/command/enqueue.h"

/*
 * The entry points that move bytes, after their handles were converted: an object is NULL when the
 * handle was bad, and every check of sections 5.2.2 to 5.2.4 and 5.4 is made here.
 */

/* clEnqueueReadBuffer, clEnqueueWriteBuffer. */
cl_int copy_read(struct queue *queue, struct mem *mem, cl_bool blocking, size_t offset, size_t size,
	void *to, const struct event_args *events);
cl_int copy_write(struct queue *queue, struct mem *mem, cl_bool blocking, size_t offset,
	size_t size, const void *from, const struct event_args *events);

/* The arguments of the rect entry points that are not objects. */
struct copy_rect {
	const size_t *from_origin, *to_origin, *region; /* 3 each */
	size_t from_row_pitch, from_slice_pitch;	/* 0: the default */
	size_t to_row_pitch, to_slice_pitch;
};

#define COPY_RECT(...) (&(const struct copy_rect){ __VA_ARGS__ })

/* clEnqueueReadBufferRect (from the buffer), clEnqueueWriteBufferRect (to the buffer). */
cl_int copy_read_rect(struct queue *queue, struct mem *mem, cl_bool blocking,
	const struct copy_rect *rect, void *to, const struct event_args *events);
cl_int copy_write_rect(struct queue *queue, struct mem *mem, cl_bool blocking,
	const struct copy_rect *rect, const void *from, const struct event_args *events);

/* clEnqueueCopyBuffer, clEnqueueCopyBufferRect, clEnqueueFillBuffer. */
cl_int copy_buffer(struct queue *queue, struct mem *from, struct mem *to, size_t from_offset,
	size_t to_offset, size_t size, const struct event_args *events);
cl_int copy_buffer_rect(struct queue *queue, struct mem *from, struct mem *to,
	const struct copy_rect *rect, const struct event_args *events);
cl_int copy_fill(struct queue *queue, struct mem *mem, const void *pattern, size_t pattern_size,
	size_t offset, size_t size, const struct event_args *events);

/* clEnqueueMapBuffer: *out is the pointer. clEnqueueUnmapMemObject. */
cl_int copy_map(struct queue *queue, struct mem *mem, cl_bool blocking, cl_map_flags flags,
	size_t offset, size_t size, const struct event_args *events, void **out);
cl_int copy_unmap(
	struct queue *queue, struct mem *mem, void *pointer, const struct event_args *events);

#endif
