// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "tool/isa/isa.h"

/* A line, and the calls in it with blanks between. */
static const struct {
	const char *line;
	const char *calls;
} lines[] = {
	{ "barrier(CLK_LOCAL_MEM_FENCE);", "barrier" },
	{ "x = intel_sub_group_shuffle (sub_group_broadcast(x, 1), 2);",
		"intel_sub_group_shuffle sub_group_broadcast" },
	{ "my_barrier(1); barriers(1); barrier; xbarrier(1); barrier_(2);", "" },
	{ "// barrier(1)", "" },
	{ "a(); /* barrier(1) */ mem_fence(1);", "mem_fence" },
	{ "f(\"barrier(1) \\\" barrier(2)\"); work_group_barrier(1, 2);", "work_group_barrier" },
	{ "/* begins", "" },
	{ "barrier(1);", "" },
	{ "ends */ get_sub_group_id()", "get_sub_group_id" },
	{ "0x12 + 3 * get_max_sub_group_size()", "get_max_sub_group_size" },
	{ "sub_group_(1) '\"' barrier(1) '\\''", "barrier" },
	{ "\"unfinished", "" },
	{ "", "" },
};

static void calls_are_found(void **state)
{
	bool in_comment = false;

	(void)state;
	for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct isa_call *calls = NULL;
		char text[256] = "";
		size_t n = 0;

		isa_program_scan(lines[i].line, i + 1, &in_comment, &calls, &n);
		for (size_t k = 0; k < n; k++) {
			strcat(text, k ? " " : "");
			strcat(text, calls[k].name);
			assert_int_equal(calls[k].line, i + 1);
		}
		assert_string_equal(text, lines[i].calls);
		free(calls);
	}
	assert_false(in_comment);
}

static struct isa_instruction instructions[] = {
	{ "L0:", 0, 7, false },
	{ "        mov (16|M0) r1.0<1>:d r2.0<0;1,0>:d", 0, 7, true },
	{ "        mov (16|M0) r1.0<1>:d r[a0.0]<1,0>:d", 16, 8, true },
	{ "        mov (16|M0) r3.0<1>:d r[a0.0]<1,0>:d", 32, 8, true },
	{ "        send.dc1 (16|M0) r1 r2 null 0 0 // wr:2+0, rd:2; byte scattering read", 48, 9,
		true },
};

static void what_calls_became(void **state)
{
	const struct isa_kernel kernel = { .instructions = instructions, .n = 5 };
	char text[64];

	(void)state;
	isa_program_became(&kernel, 7, text, sizeof text);
	assert_string_equal(text, "mov");
	isa_program_became(&kernel, 8, text, sizeof text);
	assert_string_equal(text, "2 mov r[a0]");
	isa_program_became(&kernel, 3, text, sizeof text);
	assert_string_equal(text, "");
	memset(text, 'x', sizeof text);
	isa_program_became(&kernel, 8, text, 4);
	assert_string_equal(text, "2 m");
}

static void warnings(void **state)
{
	struct isa_call call = { 9, "intel_sub_group_block_read" };
	struct compile_kernel info = { .simd_size = 16, .sub_group_size = 32, .spill_bytes = 64 };
	struct isa_kernel kernel = {
		.info = &info, .instructions = instructions, .n = 5, .has_lines = true
	};
	struct isa_program program = { .calls = &call, .n_calls = 1 };
	char text[128];

	(void)state;
	assert_true(isa_program_warning(&program, &kernel, 0, text, sizeof text));
	assert_string_equal(text, "sub-groups of 32 are required, and the compiler made 16");
	assert_true(isa_program_warning(&program, &kernel, 1, text, sizeof text));
	assert_string_equal(text, "64 bytes of registers for each thread are spilled to memory");
	assert_true(isa_program_warning(&program, &kernel, 2, text, sizeof text));
	assert_string_equal(
		text, "line 9: intel_sub_group_block_read fell back to messages that scatter");
	assert_false(isa_program_warning(&program, &kernel, 3, text, sizeof text));
	info = (struct compile_kernel){ .simd_size = 32 };
	kernel.has_lines = false;
	program.n_calls = 0;
	assert_true(isa_program_warning(&program, &kernel, 0, text, sizeof text));
	assert_non_null(strstr(text, "SIMD32"));
	assert_true(isa_program_warning(&program, &kernel, 1, text, sizeof text));
	assert_non_null(strstr(text, "no source lines"));
	assert_false(isa_program_warning(&program, &kernel, 2, text, sizeof text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_found),
		cmocka_unit_test(what_calls_became),
		cmocka_unit_test(warnings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
