// SPDX-License-Identifier: MIT
#include "eu/eu_run.h"

#include <stddef.h>
#include <string.h>

#include "eu/eu_float_mode.h"
#include "eu/eu_uop.h"
#include "eu/eu_uop_tmpl.h"

/* Out of line: for a constant size the compiler chooses a slow string instruction. */
__attribute__((noinline, noclone)) static void clear(void *from, const void *end)
{
	memset(from, 0, (size_t)((const char *)end - (char *)from));
}

void eu_thread_start(struct eu_thread *thread, const struct eu_kernel *kernel,
	uint32_t dispatch_mask, uint32_t cr0)
{
	if (thread->kernel != kernel || thread->kernel_serial != kernel->serial) {
		thread->kernel = kernel;
		thread->kernel_serial = kernel->serial;
		thread->uops = kernel->uops;
		thread->uop_count = kernel->uop_count;
		thread->full = kernel->lanes;
		memcpy(thread->pool, kernel->pool, kernel->pool_count * sizeof thread->pool[0]);
	}
	/* Accumulators, flags and a0 start undefined: what another thread left must not show. */
	clear(thread->acc, &thread->zero + 1);
	/* Not when there are none: clearing no bytes of an untouched page is slow on some hosts. */
	if (kernel->label_count != 0)
		clear(thread->wait, thread->wait + kernel->label_count);
	thread->sr[2] = dispatch_mask;
	thread->cr[0] = cr0;
	thread->float_mode = eu_float_mode_of(cr0 | kernel->entry_cr0);
	thread->dispatch_mask = dispatch_mask;
	thread->depth = 0;
	thread->watched = 0;
	thread->frame_wait_count = 0;
	thread->barrier_pending = false;
	mask_set(&thread->act, dispatch_mask & kernel->lanes);
	bool full = thread->act.bits == thread->full;
	thread->resume = kernel->uops + (full ? 0 : kernel->uop_count);
}

enum eu_status eu_thread_run(struct eu_thread *thread, uint32_t budget)
{
	unsigned host = eu_float_mode_get();
	const struct eu_uop *uop = thread->resume;
	if (thread->float_mode != host)
		eu_float_mode_set(thread->float_mode);
	thread->budget = budget;
	thread->instructions = 0;
	while (uop)
		uop = uop->run(thread, uop);
	if (thread->float_mode != host)
		eu_float_mode_set(host);
	thread->worker->instructions += thread->instructions;
	return (enum eu_status)thread->status;
}
