// SPDX-License-Identifier: MIT
#ifndef REPLAY_STATE_H
#define REPLAY_STATE_H

#include "tool/record/replay_watch.h"

/*
 * What memory holds after each launch of a replay: a line for each buffer, image and allocation,
 * "launch call id size hash kernel", so that two replays can be compared; and one object's bytes.
 */
struct replay_state {
	FILE *lines;	       /* NULL: none */
	bool finds_failures;   /* launches that end with an error are differences */
	uint64_t stop;	       /* the last launch that is made; 0: all */
	uint64_t dumped;       /* an object's id; 0: none */
	const char *dump_path; /* what it holds after the last launch */
	struct replay_watch watch;
};

/* For replay->after_launch, with a struct replay_state as data. */
bool replay_state_after_launch(struct replay *replay, const struct record_call *call);

#endif
