// SPDX-License-Identifier: MIT
#include "eu/engine/eu_run.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "eu/state/eu_float_mode.h"
#include "eu/ops/eu_branch.h"
#include "eu/ops/eu_uop_tmpl.h"
#include "util/util_bits.h"

/* Sixteen bytes at a time: what is cleared here is small, and it is cleared often. */
typedef uint64_t piece __attribute__((vector_size(16), aligned(16), may_alias));

static inline void clear(void *from, const void *end)
{
	for (piece *at = from; at != (const piece *)end; at++)
		*at = (piece){ 0 };
}

static_assert(offsetof(struct eu_thread, a0_words) % sizeof(piece) == 0 &&
		      (offsetof(struct eu_thread, zero) + sizeof((struct eu_thread *)0)->zero) %
				      sizeof(piece) ==
			      0,
	"registers are cleared in pieces");

/* sr0.0 says where a thread runs: Xe-HPG takes its number from there, without bits 3 and 6. */
static uint32_t place_of(uint32_t fftid)
{
	uint32_t place = (fftid & 7) | (fftid & ~7u) << 1;

	return (place & 63) | (place & ~63u) << 1;
}

/* All that starts the same for each thread of a walker. */
static void reset_state(struct eu_thread *thread, uint32_t dispatch_mask, uint32_t cr0)
{
	clear(thread->a0_words, &thread->zero + 1);
	thread->sr[2] = dispatch_mask;
	thread->cr[0] = thread->started_cr0 = cr0;
	thread->float_mode = eu_float_mode_of(cr0);
	thread->dispatch_mask = dispatch_mask;
	thread->depth = 0;
	thread->watched = 0;
	thread->frame_count = 0;
}

void eu_thread_start(struct eu_thread *thread, const struct eu_kernel *kernel,
	uint32_t dispatch_mask, uint32_t cr0)
{
	uint32_t on = dispatch_mask & kernel->lanes;
	bool same = thread->kernel == kernel && thread->kernel_serial == kernel->serial;
	/* A thread that ran to its end has left `act` whole: there is little to do. */
	bool whole = same && thread->status == EU_DONE && thread->act.bits == on;

	cr0 |= kernel->entry_cr0;
	if (!same)
		eu_branch_set_kernel(thread, kernel);
	/* Accumulators, flags and a0 start undefined: what another thread left must not show. */
	if (kernel->keeps_acc)
		clear(thread->acc, thread->a0_words);
	if (!whole || kernel->changes_state || thread->dispatch_mask != dispatch_mask ||
		thread->started_cr0 != cr0)
		reset_state(thread, dispatch_mask, cr0);
	else
		memset(thread->flag, 0, sizeof(thread->flag));
	clear(thread->wait, thread->wait + util_align_up(kernel->label_count, 4));
	thread->sr[0] = place_of(thread->fftid);
	thread->barrier_pending = thread->held = false;
	thread->meets = EU_MEETS_NOBODY;
	thread->sweep.groups = 0;
	thread->line = 0;
	if (!whole)
		mask_set(&thread->act, on);
	thread->status = EU_RUN;
	thread->resume = kernel->uops + (on == thread->full ? 0 : kernel->uop_count);
}

enum eu_status eu_thread_go(struct eu_thread *thread, uint32_t budget)
{
	struct eu_worker *worker = thread->worker;
	const struct eu_uop *uop = thread->resume;

	if (thread->float_mode != worker->float_mode)
		eu_float_mode_set(thread->float_mode);
	thread->budget = budget;
	thread->instructions = 0;
	while (uop)
		uop = uop->run(thread, uop);
	worker->float_mode = thread->float_mode;
	worker->instructions += thread->instructions;
	return (enum eu_status)thread->status;
}

enum eu_status eu_thread_run(struct eu_thread *thread, uint32_t budget)
{
	unsigned host = eu_float_mode_get();

	thread->worker->float_mode = host;
	enum eu_status status = eu_thread_go(thread, budget);
	eu_float_mode_set(host);
	return status;
}
