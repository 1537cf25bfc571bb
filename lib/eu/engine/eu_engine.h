// SPDX-License-Identifier: MIT
#ifndef EU_ENGINE_H
#define EU_ENGINE_H

#include <stdatomic.h>

#include "eu/state/eu_dispatch.h"
#include "gen/gen_device.h"
#include "gen/gen_fault.h"

struct eu_engine;

/* What an engine has done so far, for benchmarks and tests. */
struct eu_statistics {
	uint64_t instructions, threads, groups;
};

/*
 * Makes an engine with `workers` host threads (0: one for each core that the process may use), a
 * kernel cache, and nothing else. Returns NULL when memory or threads cannot be had.
 */
struct eu_engine *eu_engine_create(const struct gen_device *device, unsigned workers);
void eu_engine_destroy(struct eu_engine *engine);

/*
 * Runs all groups of the walker and returns when the last thread has ended and all its stores are
 * visible. Returns 0, or -1 with *fault filled; then no thread of it runs any more. *stop, when it
 * becomes non-zero, ends the run with GEN_FAULT_HANG. Calls from several threads are served in
 * turn.
 */
int eu_engine_run(struct eu_engine *engine, const struct eu_dispatch *dispatch,
	const atomic_int *stop, struct gen_fault *fault);

void eu_engine_statistics(struct eu_engine *engine, struct eu_statistics *out);

#endif
