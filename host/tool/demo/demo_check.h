// SPDX-License-Identifier: MIT
#ifndef DEMO_CHECK_H
#define DEMO_CHECK_H

#include <stddef.h>

#include "tool/demo/demo_run.h"

/* Blocks are read from an odd word on, since reads need no more than a word's alignment. */
#define DEMO_BLOCK_BIAS 1

/* A run's buffers on the host. Memory belongs to who made them. */
struct demo_buffers {
	uint32_t *in;
	uint32_t *out;
	uint32_t *place; /* sub-group id and lane of each work-item */
	size_t in_words;
	size_t out_words;
	size_t place_words;
};

/* The sizes that a case needs over a range; buffers are not touched. */
void demo_check_sizes(
	struct demo_buffers *buffers, const struct demo_case *row, const struct demo_range *range);

/* What word `index` of an output holds before the kernel runs. */
uint32_t demo_poison(size_t index);

/*
 * Compares what a kernel left in the buffers with what the case wants; see demo_run. Sets all of
 * outcome. Touches no OpenCL.
 */
void demo_check(const struct demo_case *row, const struct demo_range *range, unsigned width,
	const struct demo_buffers *buffers, struct demo_outcome *outcome);

#endif
