// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "eu/state/eu_dispatch.h"
#include "eu/ops/eu_symbols.h"
#include "eu_test_program.h"

#define CODE UINT64_C(0x800100010000)

static struct test_thread t;
static struct eu_dispatch dispatch;
static struct eu_kernel *kernel, *function;

static const char *place(uint64_t address, uint32_t inst)
{
	static char text[512];
	struct gen_fault_place found = { 0 };

	dispatch.kernel = address;
	eu_name_find(&t.worker, t.thread.kernel, inst, &found);
	gen_fault_place_text(&found, text, sizeof text);
	return text;
}

static bool name(uint64_t address, uint64_t bytes, const char *text,
	const struct eu_name_line *lines, size_t count)
{
	const struct eu_name added = {
		.kernel = text, .lines = lines, .count = count, .source = "one\ntwo\n  three\nfour"
	};

	return eu_name_add(address, bytes, &added);
}

static void assert_begins(const char *text, const char *with)
{
	if (strncmp(text, with, strlen(with)) != 0)
		fail_msg("\"%s\" does not begin with \"%s\"", text, with);
}

static void instructions_have_names(void **state)
{
	const struct eu_name_line lines[] = { { 0, 3, 1 }, { 0x10, 4, 2 }, { 0x20, 0, 0 } };

	(void)state;
	assert_begins(place(CODE, 1), "instruction at 0x10: ");
	assert_string_equal(place(CODE, UINT32_MAX), "");
	assert_int_equal(eu_name_number(&t.worker), 0);
	assert_true(name(CODE | UINT64_C(0xffff) << 48, 0x40, "first", lines, 3));
	assert_begins(place(CODE, 0), "kernel first, line 3, instruction at 0x0: (W) ");
	assert_begins(place(CODE, 1), "kernel first, line 4, instruction at 0x10: (W) ");
	assert_begins(place(CODE, 2), "kernel first, instruction at 0x20: ");
	assert_string_equal(place(CODE, UINT32_MAX), "kernel first");
	/* Started behind its beginning. */
	assert_begins(place(CODE + 0x10, 0), "kernel first, line 4, instruction at 0x10: (W) ");
	assert_begins(place(CODE + 0x40, 0), "instruction at 0x0: (W) ");
	/* A function that the kernel calls has offsets of its own, and no lines. */
	t.thread.kernel = function;
	assert_begins(place(CODE, 1), "kernel first, in a called function, instruction at 0x10: ");
	t.thread.kernel = kernel;
}

static void lines_have_texts(void **state)
{
	char text[8];

	(void)state;
	assert_true(name(CODE, 0x40, "first", NULL, 0));
	dispatch.kernel = CODE;
	assert_true(eu_name_text(&t.worker, 3, text, sizeof text));
	assert_string_equal(text, "  three");
	assert_true(eu_name_text(&t.worker, 4, text, 4));
	assert_string_equal(text, "fou");
	assert_false(eu_name_text(&t.worker, 0, text, sizeof text));
	assert_false(eu_name_text(&t.worker, 5, text, sizeof text));
	assert_string_equal(text, "");
	assert_false(eu_name_traits(&t.worker).has_sub_group_barriers);
	eu_name_remove(CODE);
	assert_true(eu_name_traits(&t.worker).has_sub_group_barriers);
	assert_false(eu_name_text(&t.worker, 1, text, sizeof text));
}

static void hidden_memory_is_told(void **state)
{
	const struct eu_name told = { .kernel = "k", .hidden_first = 12, .hidden_end = 64 };

	(void)state;
	assert_true(eu_name_add(CODE, 0x40, &told));
	dispatch.kernel = CODE;
	assert_int_equal(eu_name_traits(&t.worker).hidden_first, 12);
	assert_int_equal(eu_name_traits(&t.worker).hidden_end, 64);
	eu_name_remove(CODE);
	assert_int_equal(eu_name_traits(&t.worker).hidden_end, 0);
}

static void names_come_and_go(void **state)
{
	(void)state;
	assert_true(name(CODE, 0x40, "first", NULL, 0));
	place(CODE, 0);
	uint64_t first = eu_name_number(&t.worker);
	assert_true(name(CODE + 0x40, 0x40, "second", NULL, 0));
	assert_int_equal(eu_name_number(&t.worker), first);
	/* What overlaps is gone. */
	assert_true(name(CODE - 0x40, 0x50, "third", NULL, 0));
	assert_begins(place(CODE, 0), "kernel third, ");
	assert_int_not_equal(eu_name_number(&t.worker), first);
	assert_begins(place(CODE + 0x20, 0), "instruction");
	assert_begins(place(CODE + 0x40, 0), "kernel second, ");
	eu_name_remove(CODE - 0x40);
	assert_begins(place(CODE, 0), "instruction");
	eu_name_remove(CODE + 0x40);
	eu_name_remove(CODE + 0x40);
	assert_begins(place(CODE + 0x40, 0), "instruction");
}

/* Reports are cut, never beyond the end. */
static void short_texts_are_cut(void **state)
{
	char text[64];

	(void)state;
	struct gen_fault_place found = { 0 };

	assert_true(name(CODE, 0x40, "a_name_of_some_length", NULL, 0));
	dispatch.kernel = CODE;
	eu_name_find(&t.worker, t.thread.kernel, 1, &found);
	for (size_t size = 1; size < sizeof text; size++) {
		memset(text, 'x', sizeof text);
		gen_fault_place_text(&found, text, size);
		assert_true(strlen(text) < size);
		assert_int_equal(text[size], 'x');
	}
	eu_name_remove(CODE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_have_names),
		cmocka_unit_test(lines_have_texts),
		cmocka_unit_test(hidden_memory_is_told),
		cmocka_unit_test(names_come_and_go),
		cmocka_unit_test(short_texts_are_cut),
	};
	struct gen_program *program = test_assemble("(W) mov (8|M0) r3.0<1>:d 1:d\n"
						    "(W) add (8|M0) r4.0<1>:d r3.0<8;8,1>:d 2:d\n");
	struct gen_program *other = test_assemble("(W) mov (8|M0) r3.0<1>:d 7:d\n"
						  "(W) add (8|M0) r4.0<1>:d r3.0<8;8,1>:d 3:d\n");

	test_thread_init(&t, 1);
	kernel = eu_kernel_create(gen_device_find(NULL), program, &t.fault);
	function = eu_kernel_create(gen_device_find(NULL), other, &t.fault);
	if (!kernel || !function)
		return 1;
	t.worker.dispatch = &dispatch;
	t.worker.kernel = kernel;
	t.thread.worker = &t.worker;
	t.thread.kernel = kernel;
	int failures = cmocka_run_group_tests(tests, NULL, NULL);
	eu_kernel_destroy(kernel);
	eu_kernel_destroy(function);
	gen_program_destroy(program);
	gen_program_destroy(other);
	return failures;
}
