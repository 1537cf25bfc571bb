// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "gen/gen_fault.h"

static void keeps_the_first_kind_and_all_lines(void **state)
{
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };

	(void)state;
	gen_fault_add(&fault, GEN_FAULT_PAGE, "lane %d", 7);
	gen_fault_add(&fault, GEN_FAULT_HANG, "group %s", "1,2,3\n");
	assert_int_equal(fault.kind, GEN_FAULT_PAGE);
	assert_string_equal(fault.report, "lane 7\ngroup 1,2,3\n");
}

static void cuts_what_does_not_fit(void **state)
{
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };
	struct gen_fault *guarded = &fault;

	(void)state;
	for (int i = 0; i < 400; i++) {
		size_t length;

		gen_fault_add(guarded, GEN_FAULT_PAGE, "line number %d", i);
		length = strnlen(fault.report, sizeof(fault.report));
		assert_true(length < sizeof(fault.report));
		assert_int_equal(fault.report[length - 1], '\n');
	}
	assert_int_equal(memcmp(fault.report, "line number 0\nline number 1\n", 28), 0);
	assert_true(strlen(fault.report) > sizeof(fault.report) - 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_first_kind_and_all_lines),
		cmocka_unit_test(cuts_what_does_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
