// SPDX-License-Identifier: MIT
#ifndef EU_WATCHER_H
#define EU_WATCHER_H

#include "eu/state/eu_send.h"

struct eu_thread;

/*
 * What a tool that watches threads wants to know. Whoever executes threads calls these through
 * worker->watcher, which is NULL when nothing watches. From any worker's host thread.
 */
struct eu_watcher {
	/*
	 * A lane's access [offset, offset + bytes) is not within the `limit` bytes of a surface or
	 * of local memory, the first of which is at `base`. `lane` is of the message.
	 */
	void (*out_of_bounds)(const struct eu_thread *thread, const struct eu_send *send,
		unsigned lane, uint64_t offset, unsigned bytes, uint64_t base, uint64_t limit);
	/* A thread has ended. */
	void (*thread_end)(const struct eu_thread *thread);
};

#endif
