// SPDX-License-Identifier: MIT
#ifndef EU_PROBE_H
#define EU_PROBE_H

#include "eu/state/eu_send.h"

struct eu_thread;
struct eu_worker;

/* Texels of an image that a message reads or writes, at offsets from the image's base. */
struct eu_texels {
	uint64_t base;
	unsigned bytes, count;	/* of each; of them */
	const uint64_t *offset; /* UINT64_MAX: there is none */
	bool writes, atomic;
};

/*
 * How tools see a kernel's threads at work (eu/watch). A kernel that is lowered for a probe has a
 * micro-operation that calls `step` before each instruction for which it is wanted; other kernels
 * have none. Whoever executes threads calls the rest through worker->probe, which is NULL when
 * nothing watches. From any worker's host thread. Members other than step and destroy may be NULL.
 */
struct eu_probe {
	/* A thread is about to execute its first instruction, or has ended. */
	void (*thread_begin)(const struct eu_probe *probe, struct eu_thread *thread);
	void (*thread_end)(const struct eu_probe *probe, struct eu_thread *thread);
	/* The first thread of a group is; of groups without local memory, not of all of them. */
	void (*group_begin)(const struct eu_probe *probe, struct eu_thread *thread);
	/*
	 * `inst`: of the code that the thread executes; it has not been executed yet. Of a message
	 * whose lanes were found to lie in line, thread->line says from where; `step` clears it.
	 * Where thread->held is set, it is not, and `step` is called for it again in a later run.
	 */
	void (*step)(const struct eu_probe *probe, struct eu_thread *thread, uint32_t inst);
	/*
	 * `step` need not be called for a message of the worker's kernel to a surface if all lanes
	 * are on and lie side by side, whole or by dwords, or all at one place, from one of the
	 * `quiet_count` offsets on that begin with `quiet_first` of its place in
	 * worker->translations.
	 */
	bool is_quiet;
	/*
	 * A lane of a message to an image (EU_ACCESS_TYPED) means a texel that does not exist; the
	 * image is as large as `extent`. Both have x in the low half and y in the high one.
	 */
	void (*no_texel)(const struct eu_probe *probe, const struct eu_thread *thread,
		const struct eu_send *send, unsigned lane, uint64_t texel, uint64_t extent);
	/* A message to an image has found its texels; sampler reads, all that a filter takes. */
	void (*texels)(const struct eu_probe *probe, struct eu_thread *thread,
		const struct eu_send *send, const struct eu_texels *texels);
	/* The thread has failed; worker->fault says why. */
	void (*fault)(const struct eu_probe *probe, struct eu_thread *thread);
	/*
	 * Kernels with counts (eu_tally): where a worker's threads count. The same place each time;
	 * NULL when memory is short, which is found out before a thread executes the kernel.
	 */
	uint64_t *(*tallies)(const struct eu_probe *probe, const struct eu_worker *worker);
	/*
	 * All threads of the walker have ended; called for each of the `workers` that have worked
	 * on it, by ascending number.
	 */
	void (*walker_end)(
		const struct eu_probe *probe, const struct eu_worker *worker, unsigned workers);
	void (*destroy)(struct eu_probe *probe);
};

#endif
