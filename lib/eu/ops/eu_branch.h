// SPDX-License-Identifier: MIT
#ifndef EU_BRANCH_H
#define EU_BRANCH_H

#include "eu/ops/eu_kernel.h"

/* What the micro-operations of control flow do out of line. */

#define EU_BRANCH_NOWHERE UINT32_MAX

/*
 * No channel is on: turns those on that wait at the lowest label, looked for from `first` on, and
 * returns where they go on. EU_BRANCH_NOWHERE and a fault when no channel waits anywhere.
 * Sets thread->act.bits only.
 */
uint32_t eu_branch_resume(struct eu_thread *thread, uint32_t first);

/*
 * Enters an activation: writes the return pair and puts aside what waits in the activations
 * further out, whose labels may be the same. False and a fault when the thread is too deep.
 */
bool eu_branch_call(struct eu_thread *thread, const struct eu_uop *call);

/*
 * Goes on at an address: a call of a function, which may lie outside of the kernel
 * (worker->find_function). For jmpi it may as well be the way back from the function, or behind a
 * branch of the same kernel. Returns the micro-operation to go on with, or NULL when the run has
 * ended.
 */
const struct eu_uop *eu_branch_call_far(struct eu_thread *thread, const struct eu_uop *call);

/* Where the code that the thread executes begins, as an offset from the base of all code. */
uint32_t eu_branch_base(const struct eu_thread *thread);

/*
 * All running channels have returned: goes on with those that still wait in this activation, or
 * leaves it for the place and the channels in the return pair. Sets thread->act.bits only.
 */
uint32_t eu_branch_return(struct eu_thread *thread, const struct eu_uop *ret);

/*
 * Where the worker's threads count while they execute the kernel; NULL when it does not count, or
 * when memory is short.
 */
uint64_t *eu_branch_tallies(const struct eu_kernel *kernel, const struct eu_worker *worker);

/* Gets a thread ready to execute another kernel than the one that it executed last. */
void eu_branch_set_kernel(struct eu_thread *thread, const struct eu_kernel *kernel);

#endif
