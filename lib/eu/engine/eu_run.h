// SPDX-License-Identifier: MIT
#ifndef EU_RUN_H
#define EU_RUN_H

#include <string.h>

#include "eu/ops/eu_kernel.h"
#include "eu/state/eu_thread.h"

/*
 * Puts a thread before the first instruction of `kernel`. Sets all architectural state but the
 * general registers, which hold whatever the caller put there (payload) or what was there before.
 * `dispatch_mask` has a bit for each channel that exists; cr0 is the initial control register.
 *
 */
void eu_thread_start(struct eu_thread *thread, const struct eu_kernel *kernel,
	uint32_t dispatch_mask, uint32_t cr0);

/*
 * The same for a thread that has run to its end with all its channels on, and whose start is not to
 * be another one than it was then, of a kernel with neither keeps_acc nor changes_state.
 */
static inline void eu_thread_again(struct eu_thread *thread)
{
	const struct eu_kernel *kernel = thread->kernel;

	memset(thread->flag, 0, sizeof(thread->flag));
	for (uint32_t i = 0; i < kernel->label_count; i++)
		thread->wait[i] = 0;
	thread->status = EU_RUN;
	thread->resume = kernel->uops + (thread->act.bits == thread->full ? 0 : kernel->uop_count);
}

/*
 * Runs a thread until one of these:
 *   EU_DONE     it ended.
 *   EU_BLOCKED  it is at a barrier that is not complete: thread->barrier_pending, and
 *               group->generation still equals thread->barrier_generation. Run it again when that
 *               has changed.
 *   EU_YIELD    about `budget` instructions have been executed (looked at when branching back
 *               only).
 *   EU_FAULT    worker->fault says why.
 * thread->status keeps what it returns. thread->group and thread->worker must be set. Adds to
 * worker->instructions. The host's floating point modes are as before when it returns.
 */
enum eu_status eu_thread_run(struct eu_thread *thread, uint32_t budget);

/*
 * The same for many runs in a row: worker->float_mode says what the host's modes are, before and
 * after, and whoever set it at first puts the host's own modes back in the end.
 */
enum eu_status eu_thread_go(struct eu_thread *thread, uint32_t budget);

#endif
