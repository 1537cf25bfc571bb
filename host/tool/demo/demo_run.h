// SPDX-License-Identifier: MIT
#ifndef DEMO_RUN_H
#define DEMO_RUN_H

#include "tool/demo/demo_case.h"
#include "tool/demo/demo_device.h"
#include "tool/demo/demo_range.h"

/* What came of running a sample over a range. */
struct demo_outcome {
	bool right;
	unsigned long elements; /* compared with the reference */
	char wrong[320];	/* the first difference or the call that failed */
};

/*
 * Runs a kernel over a range on data that depends on the seed only, and compares every word of its
 * buffers: results with the reference, places with the rules for sub-groups, and words that it had
 * no business to write with the poison that was there before. `width` is the kernel's sub-group
 * size, 0 if the case needs none.
 */
void demo_run(const struct demo_device *device, const struct demo_case *row, cl_kernel kernel,
	const struct demo_range *range, unsigned width, uint64_t seed,
	struct demo_outcome *outcome);

#endif
