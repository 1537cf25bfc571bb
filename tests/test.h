// SPDX-License-Identifier: MIT
#ifndef TEST_H
#define TEST_H

/* cmocka.h and the four headers that it expects to be included before it. Every test starts here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/*
 * A test that cannot run here says why in a line "skipped: …", which ci/skipped collects and
 * counts: nothing is skipped silently. test_lacks is for a part of a test, the rest of which runs;
 * the other two end the running test.
 */
#define test_lacks(reason) print_message("skipped: %s\n", reason)
#define skip_because(reason)                                                                       \
	do {                                                                                       \
		test_lacks(reason);                                                                \
		skip();                                                                            \
	} while (0)
/* The condition is the reason. */
#define skip_if(condition)                                                                         \
	do {                                                                                       \
		if (condition)                                                                     \
			skip_because(#condition);                                                  \
	} while (0)

#endif
