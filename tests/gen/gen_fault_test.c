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

static void text_says_what_is_known(void **state)
{
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };
	char text[2048];

	(void)state;
	gen_fault_add(&fault, GEN_FAULT_PAGE, "lane 7 reads");
	gen_fault_add(&fault, GEN_FAULT_PAGE, "packet");
	assert_int_equal(gen_fault_text(&fault, text, sizeof text), 20);
	assert_string_equal(text, "lane 7 reads\npacket\n");
	fault.place = (struct gen_fault_place){ .kernel = 0x1000,
		.has_thread = true,
		.has_instruction = true,
		.offset = 0x30,
		.line = 9,
		.group = { 1, 2, 3 },
		.thread = 4,
		.name = "k",
		.code = "send" };
	gen_fault_text(&fault, text, sizeof text);
	assert_string_equal(text,
		"lane 7 reads\nkernel k, line 9, instruction at 0x30: send\n"
		"thread 4 of group (1, 2, 3), kernel at 0x000000001000\npacket\n");
	fault.place.name[0] = 0;
	fault.place.in_function = true;
	gen_fault_place_text(&fault.place, text, sizeof text);
	assert_string_equal(text, "in a called function, instruction at 0x30: send");
}

static void text_is_cut(void **state)
{
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };
	char text[64];

	(void)state;
	gen_fault_add(&fault, GEN_FAULT_PAGE, "lane 7 reads");
	fault.place = (struct gen_fault_place){ .has_instruction = true, .code = "send" };
	for (size_t size = 1; size < sizeof text; size++) {
		memset(text, 'x', sizeof text);
		size_t length = gen_fault_text(&fault, text, size);
		assert_true(length < size);
		assert_int_equal(strlen(text), length);
		assert_int_equal(text[size], 'x');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_first_kind_and_all_lines),
		cmocka_unit_test(cuts_what_does_not_fit),
		cmocka_unit_test(text_says_what_is_known),
		cmocka_unit_test(text_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
