// SPDX-License-Identifier: MIT
#ifndef REPLAY_RESULT_H
#define REPLAY_RESULT_H

#include "tool/record/replay_object.h"

/* What items of a record say of memory. Compares what the call has read. */
void replay_result(struct replay *replay, struct record_entry *entry);
/* What the host wrote is written again; what the device has left is compared. */
void replay_wrote(struct replay *replay, struct record_entry *entry);
/* A new queue on a device that has the memory object; NULL: there is none. */
cl_command_queue replay_queue(struct replay *replay, const struct replay_object *object);
/*
 * Reads or writes the first bytes of a buffer, or of shared memory, through a queue of its own,
 * whatever else runs. False: it failed.
 */
bool replay_move(struct replay *replay, const struct replay_object *object, size_t size,
	void *bytes, bool is_write);
/* Compares what a buffer holds at its end. */
void replay_buffer(struct replay *replay, struct record_entry *entry);

#endif
