// SPDX-License-Identifier: MIT
#ifndef COMMAND_BUFFER_RECORDING_H
#define COMMAND_BUFFER_RECORDING_H

#include "core/queue/batch.h"
#include "core/base/obj.h"

struct command_buffer;

/*
 * What one replay of a command buffer executes: the commands in a closed list, with what they use.
 * Level Zero forbids to execute a list that the device may still reference, so that each replay in
 * flight has a recording of its own. When its last reference goes, `batch` returns to the command
 * buffer for the next replay, unless the commands were updated in between.
 */
struct recording {
	struct obj base;
	struct command_buffer *buffer; /* a reference */
	struct batch *batch;	       /* in no queue's list, and never submitted itself */
	unsigned version;	       /* of the buffer's commands */
};

OBJ_DEFINE(recording, void *, OBJ_RECORDING)

/* Whether a command of the queue's can be recorded: the device must do all of it. CL_INVALID_VALUE,
 * CL_OUT_OF_RESOURCES. */
cl_int recording_check(const struct queue *queue, const struct command *command);

/*
 * Sees to it that the buffer has an idle recording of its commands, so that the next replay need
 * not record them. Locks: buffer->lock is held. Errors: CL_OUT_OF_*.
 */
cl_int recording_prepare(struct command_buffer *buffer);

/*
 * Returns in *out a recording that no other replay uses: an idle one, or a new one if there is
 * none. Ownership: the caller gets a reference. Locks: buffer->lock is held. Errors: CL_OUT_OF_*.
 */
cl_int recording_acquire(struct command_buffer *buffer, struct recording **out);

/*
 * Destroys a list of idle recordings (command_buffer.idle). Locks: none may be held, for objects
 * are destroyed.
 */
void recording_destroy_idle(struct batch *idle);

/* Whether it would do anything. */
static inline bool recording_is_empty(const struct recording *recording)
{
	return !recording->batch->n_works;
}

#endif
