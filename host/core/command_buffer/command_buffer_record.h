// SPDX-License-Identifier: MIT
#ifndef COMMAND_BUFFER_RECORD_H
#define COMMAND_BUFFER_RECORD_H

#include "core/command_buffer/command_buffer.h"

/*
 * The clCommand* entry points: each begins, has the checks of the clEnqueue* of the same name made
 * on `recorder`, and ends:
 *
 *     rc = record_begin(&record);
 *     if (!rc)
 *             rc = record_end(&record, copy_buffer(record_queue(&record), …, 0, NULL, NULL));
 */

/* What all of them are given. */
struct record {
	struct command_buffer *buffer;
	cl_command_queue queue; /* must be NULL */
	const command_buffer_property *properties;
	cl_uint n_waits;
	const cl_sync_point_khr *waits;
	cl_sync_point_khr *sync_point;
	cl_mutable_command_khr *handle;

	cl_command_type type; /* that CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR gives */
};

/* Checks what the entry points have in common and locks the buffer; unless it fails, record_end
 * must follow. A handle and properties are for launches only. */
cl_int record_begin(const struct record *record);

/* Unlocks it, having taken the command down if `rc` says that all is well; gives rc on. */
cl_int record_end(const struct record *record, cl_int rc);

/* The queue that takes the command down. */
static inline struct queue *record_queue(const struct record *record)
{
	return record->buffer ? &record->buffer->recorder : NULL;
}

/* clCommandBarrierWithWaitListKHR, clCommandNDRangeKernelKHR, between the two. */
cl_int record_barrier(const struct record *record);
cl_int record_launch(const struct record *record, struct kernel *kernel, cl_uint dims,
	const size_t *offset, const size_t *global, const size_t *local);

#endif
