// SPDX-License-Identifier: MIT
#include "intel_group.h"

#include <stdlib.h>

struct intel intel;

int intel_begin(void **state)
{
	(void)state;
	intel_open(&intel);
	return 0;
}

int intel_end(void **state)
{
	(void)state;
	intel_close(&intel);
	return 0;
}

void intel_filter(void)
{
	const char *only = getenv("ZEROCL_TEST_ONLY");

	if (only)
		cmocka_set_test_filter(only);
}
