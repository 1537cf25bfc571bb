// SPDX-License-Identifier: MIT
#ifndef COMMAND_BUFFER_RECORDING_H
#define COMMAND_BUFFER_RECORDING_H

#include "core/queue/batch.h"
#include "core/base/obj.h"

#include <stdatomic.h>

struct command_buffer;

/*
 * What a command buffer replays: its commands in a sealed list, with what they use. It never
 * changes: after an update the command buffer makes another, and whoever replays this one holds a
 * reference. `batch` is in no queue's hands and never submitted itself.
 */
struct recording {
	struct obj base;
	struct queue *queue; /* a reference: that of the buffer, in which `batch` was made */
	struct batch *batch;
	atomic_uint flights; /* replays, on the device or on their way there, of one that prints */
};

OBJ_DEFINE(recording, void *, OBJ_RECORDING)

/* Whether a command of the queue's can be recorded: the device must do all of it. CL_INVALID_VALUE,
 * CL_OUT_OF_RESOURCES. */
cl_int recording_check(const struct queue *queue, const struct command *command);

/* Records the commands of the buffer as they are now; buffer->lock is held. CL_OUT_OF_*. */
cl_int recording_create(struct command_buffer *buffer, struct recording **out);

/* Whether it would do anything. */
static inline bool recording_is_empty(const struct recording *recording)
{
	return !recording->batch->n_works;
}

#endif
