// SPDX-License-Identifier: MIT
#ifndef L0_PROCESS_H
#define L0_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>

/*
 * The life of the process. The driver's memory is copied by a fork, but its threads are not, and
 * neither is the device's side: a child of a process that had opened the device can do nothing with
 * it, and locks may be taken for ever. At exit the driver ends while threads go on: while there are
 * any of the application's, the process ends before the driver does.
 */

/* The names of threads that are not the application's begin so. */
#define L0_PROCESS_THREAD "zerocl-"

/* The device is about to be opened: who is forked from now on is an orphan … */
void l0_process_begin(void);
/* … unless there is none, after all. */
void l0_process_cancel(void);

/* The process exits, on the calling thread: threads of ours stop. */
void l0_process_end(void);

/* The calling thread is one of ours: the application waits for its end nowhere. */
void l0_process_adopt_thread(void);

extern atomic_int l0_process_state; /* private to the functions below; 0 most of the time */
bool l0_process_is_over_slowly(void);

/* Whether the calling thread may use the driver no more. It may take a while to say so to a thread
 * of ours while the process exits. Cheap. */
static inline bool l0_process_is_over(void)
{
	return atomic_load_explicit(&l0_process_state, memory_order_relaxed) &&
	       l0_process_is_over_slowly();
}

/*
 * Whether the process is an orphan. An orphan may load this library again: the copy, its heir, has
 * nothing of the parent's but the platform's handle, and opens the device anew, by a copy of the
 * driver.
 */
bool l0_process_is_orphan(void);
void l0_process_inherit(void); /* this copy is an heir */
bool l0_process_is_heir(void);

/* Does not return to a thread of ours that would go on to use the driver while the process exits.
 */
void l0_process_stop_here(void);

#endif
