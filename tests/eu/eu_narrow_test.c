// SPDX-License-Identifier: MIT
/*
 * Bytes, words and dwords that become each other: blocks leave out what clears bits that are 0
 * anyway. What an operation makes of numbers of a few bits is cut to each type, and is the same by
 * every instruction set of the host, as micro-operations and as stencils.
 */
#include "test.h"

#include "eu/code/eu_code.h"
#include "eu_test_program.h"
#include "test_device.h"

#include <stdio.h>
#include <string.h>

enum { BYTES = 65536, RESULTS = 12 };

static const unsigned bits[] = { 1, 7, 8, 9, 15, 16, 17, 24 };

/* Of r20, which has so many bits, and r22. */
static const char *const operations[] = {
	"mov (16|M0) r24.0<1>:ud r20.0<8;8,1>:ud\n",
	"add (16|M0) r24.0<1>:ud r20.0<8;8,1>:ud r22.0<8;8,1>:ud\n",
	"or (16|M0) r24.0<1>:ud r20.0<8;8,1>:ud r22.0<8;8,1>:ud\n",
	"xor (16|M0) r24.0<1>:ud r20.0<8;8,1>:ud r22.0<8;8,1>:ud\n",
	"and (16|M0) r24.0<1>:ud r20.0<8;8,1>:ud r22.0<8;8,1>:ud\n",
	"mul (16|M0) r24.0<1>:d r20.0<8;8,1>:d r22.0<16;8,2>:uw\n",
	"shl (16|M0) r24.0<1>:ud r20.0<8;8,1>:ud 1:uw\n",
	"shr (16|M0) r24.0<1>:ud r20.0<8;8,1>:ud 1:uw\n",
	"asr (16|M0) r24.0<1>:d r20.0<8;8,1>:d 1:uw\n",
	"sel (16|M0) (lt)f0.0 r24.0<1>:ud r20.0<8;8,1>:ud r22.0<8;8,1>:ud\n",
	"(f1.0) add (16|M0) r24.0<1>:ud r20.0<8;8,1>:ud r22.0<8;8,1>:ud\n",
	"mov (16|M0) r24.0<2>:uw r20.0<8;8,1>:ud\n",
	"mov (16|M0) r28.0<1>:uw r20.0<8;8,1>:ud\nmov (16|M0) r24.0<1>:ud r28.0<16;16,1>:uw\n",
	"mov (16|M0) r28.0<1>:uw r20.0<8;8,1>:ud\nmov (16|M0) r24.0<1>:d r28.0<16;16,1>:w\n",
};

/* From r24 to r26. */
static const char *const cuts[] = {
	"mov (16|M0) r26.0<1>:ud r24.0<8;8,1>:ud\n",
	"mov (16|M0) r26.0<1>:ud r24.0<32;8,4>:ub\n",
	"mov (16|M0) r26.0<1>:d r24.0<32;8,4>:b\n",
	"mov (16|M0) r26.0<1>:ud r24.0<16;8,2>:uw\n",
	"mov (16|M0) r26.0<1>:d r24.0<16;8,2>:w\n",
	"mov (16|M0) r28.0<1>:uw r24.0<8;8,1>:ud\nmov (16|M0) r26.0<1>:d r28.0<16;16,1>:w\n",
	"mov (16|M0) r26.0<4>:ub r24.0<8;8,1>:ud\n",
	/* where it comes from is where the other half goes, in some channels */
	"(f1.0) mov (16|M0) r23.0<1>:ud r24.0<32;8,4>:ub\n"
	"add (16|M0) r26.0<1>:ud r23.0<8;8,1>:ud r24.0<8;8,1>:ud\n",
};

#define COUNT(list) (sizeof(list) / sizeof(list[0]))

/* All operations with numbers of a_bits and of each other size; what they make is added up. */
static void make_program(char *text, size_t size, const char *operation, unsigned a_bits)
{
	unsigned results = 0;
	size_t at = (size_t)snprintf(text, size, "mov (1|M0) f1.0<1>:uw 0x3a5c:uw\n");

	for (unsigned b = 0; b < COUNT(bits); b++)
		for (unsigned cut = 0; cut < COUNT(cuts); cut++, results++)
			at += (size_t)snprintf(text + at, size - at,
				"and (16|M0) r20.0<1>:ud r%u.0<8;8,1>:ud 0x%x:ud\n"
				"and (16|M0) r22.0<1>:ud r%u.0<8;8,1>:ud 0x%x:ud\n"
				"and (16|M0) r24.0<1>:ud r22.0<8;8,1>:ud 0x%x:ud\n%s%s"
				"add (16|M0) r%u.0<1>:ud r%u.0<8;8,1>:ud r26.0<8;8,1>:ud\n",
				60 + 2 * (results % 7), (1u << a_bits) - 1, 74 + 2 * (results % 5),
				(1u << bits[b]) - 1, (1u << a_bits) - 1, operation, cuts[cut],
				100 + 2 * (results % RESULTS), 100 + 2 * (results % RESULTS));
	assert_true(at < size);
}

static void run(const struct gen_program *program, struct eu_target target, struct test_thread *t)
{
	struct gen_fault fault = { 0 };
	struct eu_kernel *kernel = eu_kernel_create_for(
		test_device(), program, (struct eu_options){ .target = target }, &fault);

	assert_non_null(kernel);
	test_thread_init(t, 1);
	assert_int_equal(test_thread_run(t, kernel, 0xffff), EU_DONE);
	eu_kernel_destroy(kernel);
}

static void compare(const char *text)
{
	static const char *const targets[] = { "threaded", "avx2", "stencil" };
	static struct test_thread expected, got;
	struct gen_program *program = test_assemble(text);

	run(program, (struct eu_target){ EU_HOST_BASE, false }, &expected);
	for (unsigned k = 0; k < COUNT(targets); k++) {
		run(program, eu_target_parse(targets[k]), &got);
		for (size_t at = 0; at < sizeof(got.thread.grf); at++)
			if (got.thread.grf[at] != expected.thread.grf[at])
				fail_msg("by %s: r%zu differs\n%s", targets[k], at / GEN_GRF_BYTES,
					text);
	}
	gen_program_destroy(program);
}

static void all_ways_give_the_same(void **state)
{
	static char text[BYTES];

	(void)state;
	for (unsigned i = 0; i < COUNT(operations); i++)
		for (unsigned a = 0; a < COUNT(bits); a++) {
			make_program(text, sizeof(text), operations[i], bits[a]);
			compare(text);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_ways_give_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
