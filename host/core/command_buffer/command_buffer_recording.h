// SPDX-License-Identifier: MIT
#ifndef COMMAND_BUFFER_RECORDING_H
#define COMMAND_BUFFER_RECORDING_H

#include "core/batch/recording.h"
#include "core/queue/queue.h"

struct command_buffer;

/*
 * Recordings: what one replay of a command buffer executes, with all that it uses. Level Zero
 * forbids to execute a list that the device may still reference, so that each replay in flight has
 * a recording of its own. When its last reference goes, its batch returns to the command buffer for
 * the next replay, unless the commands were updated in between.
 */

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
