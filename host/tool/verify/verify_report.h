// SPDX-License-Identifier: MIT
#ifndef VERIFY_REPORT_H
#define VERIFY_REPORT_H

#include <stdio.h>

#include <jansson.h>

#include "tool/verify/verify.h"

/* What became of the batches of the device under test. */
struct verify_outcome {
	const struct verify_vectors *vectors;
	const struct verify_side *device, *expected;
	char *const *errors; /* of each batch of the device: a sentence, or NULL */
	const char *info;    /* what `zerocl info` prints there; NULL: nothing */
	const char *demo;    /* the last line of `zerocl demo` there */
};

/*
 * Compares, prints what differs (a line for each vector, and one at the end), and returns the
 * report: docs/VERIFY.md describes it. The number of vectors that differ or failed goes to
 * *different. NULL without memory.
 */
json_t *verify_report(FILE *out, const struct verify_outcome *outcome, size_t *different);

/* Whether two numbers of a type are the same, NaNs being one, or `ulp` units apart at most. */
bool verify_same(uint8_t type, uint64_t a, uint64_t b, unsigned ulp);

#endif
