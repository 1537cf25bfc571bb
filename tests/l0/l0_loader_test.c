// SPDX-License-Identifier: MIT
#include "test.h"

#include "l0/l0_loader.h"

#include <string.h>

static void the_real_loader_has_all_functions(void **state)
{
	const char *why = "", *path = NULL;

	(void)state;
	assert_true(l0_loader_load(&why, &path));
	assert_non_null(strstr(path, "libze_loader.so.1"));
#define L0_NEED(name) assert_non_null(l0_ze.name);
#define L0_MAY(name)
#include "l0/l0_api.def"
	/* a full table is left alone */
	struct l0_api before = l0_ze;
	assert_true(l0_loader_load(&why, &path));
	assert_memory_equal(&before, &l0_ze, sizeof(before));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_real_loader_has_all_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
