// SPDX-License-Identifier: MIT
#ifndef REPLAY_CALL_H
#define REPLAY_CALL_H

#include "tool/record/replay_object.h"

/* Makes a call of the record: does not wait for its command where replay->is_entering is set. */
void replay_call(struct replay *replay, struct record_entry *entry);

/* Counts a failure where the call's result is not what it was, or must not be. */
void replay_check_error(
	struct replay *replay, const struct record_call *call, const uint64_t *words, cl_int error);

/* The id of the queue that a call is for; 0: none. */
uint64_t replay_queue_of(const struct record_call *call);

#endif
