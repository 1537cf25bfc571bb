// SPDX-License-Identifier: MIT
#ifndef REPLAY_RESULT_H
#define REPLAY_RESULT_H

#include "tool/record/replay_object.h"

/* What items of a record say of memory. Compares what the call has read. */
void replay_result(struct replay *replay, struct record_entry *entry);
/* What the host wrote is written again; what the device has left is compared. */
void replay_wrote(struct replay *replay, struct record_entry *entry);
/* Compares what a buffer holds at its end. */
void replay_buffer(struct replay *replay, struct record_entry *entry);

#endif
