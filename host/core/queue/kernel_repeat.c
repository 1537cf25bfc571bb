// SPDX-License-Identifier: MIT
#include "core/queue/kernel_repeat.h"

#include "core/kernel/ndrange.h"
#include "l0/l0_module.h"

#include <sched.h>
#include <string.h>
#include <time.h>

#define YIELDS	 100
#define PAUSE_NS 20000

bool kernel_repeat_begin(struct kernel *kernel)
{
	if (!atomic_load_explicit(&kernel->repeats, memory_order_relaxed))
		return false;
	/* together with the order in kernel_repeat_pause: one of the two sees the other */
	atomic_fetch_add(&kernel->n_repeating, 1);
	if (atomic_load(&kernel->repeats))
		return true;
	kernel_repeat_end(kernel);
	return false;
}

void kernel_repeat_end(struct kernel *kernel)
{
	atomic_fetch_sub_explicit(&kernel->n_repeating, 1, memory_order_release);
}

void kernel_repeat_pause(struct kernel *kernel)
{
	/* who stopped it last has seen everybody leave, and nobody has come since */
	if (!atomic_load_explicit(&kernel->repeats, memory_order_relaxed))
		return;
	atomic_store(&kernel->repeats, false);
	/* an append takes a microsecond, unless its thread lost the core, to this one maybe */
	for (unsigned i = 0; atomic_load(&kernel->n_repeating); i++) {
		if (i < YIELDS)
			sched_yield();
		else
			nanosleep(&(struct timespec){ 0, PAUSE_NS }, NULL);
	}
}

void kernel_repeat_stop(struct kernel *kernel)
{
	kernel_repeat_pause(kernel);
	kernel->n_launched = 0;
}

/* A kernel that is made where another was has other numbers. */
static void start(struct kernel *kernel)
{
	static _Atomic uint64_t last;

	kernel->repeat_id = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
	atomic_store(&kernel->repeats, true);
}

void kernel_repeat_allow(struct kernel *kernel, const struct ndrange *range)
{
	/* who changes something before each launch pays nothing for this */
	if (!kernel->n_launched++)
		return;
	/* for private memory, the driver puts a new address into the l0_kernel at each launch */
	if (range->is_second || kernel->prints || kernel->driver_prints ||
		l0_kernel_info(kernel->l0)->private_size || ndrange_n_parts(range) != 1)
		kernel->n_launched = 0;
	else if (kernel->n_launched > 2 && kernel_repeat_is(kernel, range))
		start(kernel);
	else
		kernel->repeated = *range;
}

static bool is_found(const struct ndrange *range, cl_uint dims, const size_t *offset,
	const size_t *global, const size_t *local)
{
	if (range->dims != dims || range->is_chosen != !local)
		return false;
	for (cl_uint i = 0; i < dims; i++)
		if (range->global[i] != global[i] || range->offset[i] != (offset ? offset[i] : 0) ||
			(local && range->local[i] != local[i]))
			return false;
	return true;
}

bool kernel_repeat_find(struct kernel *kernel, cl_uint dims, const size_t *offset,
	const size_t *global, const size_t *local, struct ndrange *out)
{
	if (!global || !kernel_repeat_begin(kernel))
		return false;
	bool found = is_found(&kernel->repeated, dims, offset, global, local);
	if (found)
		*out = kernel->repeated;
	kernel_repeat_end(kernel);
	return found;
}

bool kernel_repeat_is(const struct kernel *kernel, const struct ndrange *range)
{
	const struct ndrange *last = &kernel->repeated;

	return !range->is_second && range->dims == last->dims &&
	       range->is_chosen == last->is_chosen &&
	       !memcmp(last->groups, range->groups, sizeof last->groups) &&
	       !memcmp(last->local, range->local, sizeof last->local) &&
	       !memcmp(last->global, range->global, sizeof last->global) &&
	       !memcmp(last->offset, range->offset, sizeof last->offset);
}

uint64_t kernel_repeat_id(struct kernel *kernel, const struct ndrange *range)
{
	if (!kernel_repeat_begin(kernel))
		return 0;
	uint64_t id = kernel_repeat_is(kernel, range) ? kernel->repeat_id : 0;
	kernel_repeat_end(kernel);
	return id;
}
