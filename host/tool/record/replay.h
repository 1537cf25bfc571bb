// SPDX-License-Identifier: MIT
#ifndef REPLAY_H
#define REPLAY_H

#include "tool/record/replay_object.h"

/*
 * Makes the calls of a record again, in one thread, and compares what they give with what is
 * recorded. They are made in the order in which they returned; commands of several threads enter
 * their queues in the order in which they did, and blocking calls are waited for where they
 * returned, so that nothing is waited for that the record completes later.
 */

/* Sets what the replay finds. False: nothing could be replayed; a sentence is in the log. */
bool replay_run(struct replay *replay);
/* Frees what replay_run made. The device may still work on it: that is waited for. */
void replay_finish(struct replay *replay);

#endif
