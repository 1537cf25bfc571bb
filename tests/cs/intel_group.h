// SPDX-License-Identifier: MIT
#ifndef INTEL_GROUP_H
#define INTEL_GROUP_H

#include "cs/intel_bench.h"

/* A group of tests with one device, which intel_begin opens and intel_end closes. */
extern struct intel intel;

int intel_begin(void **state);
int intel_end(void **state);

/* Has the next group run only the tests that ZEROCL_TEST_ONLY matches, if that is set. */
void intel_filter(void);

/* Runs an array of tests; `begin` is intel_begin, or what calls it. Gives what main returns. */
#define INTEL_RUN_TESTS(tests, begin)                                                              \
	(intel_filter(), cmocka_run_group_tests(tests, begin, intel_end))

#endif
