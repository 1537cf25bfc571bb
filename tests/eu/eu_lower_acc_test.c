// SPDX-License-Identifier: MIT
/*
 * Which kernels may read what they have not written to the accumulator: they start with it cleared,
 * and their products stay in two. That the others do not see what was there is compared by
 * eu_engines_test, over mutants of real kernels.
 */
#include "test.h"

#include "eu/code/eu_code.h"
#include "eu_test_program.h"
#include "test_device.h"

#define WRITE_WORDS  "(f0.0) sel (16|M16) acc0.0<1>:uw r20.0<0;1,0>:uw 0x0:uw\n"
#define READ_WORDS   "and (16|M16) (ne)f0.0 null<1>:uw acc0.0<16;16,1>:uw r22.0<16;16,1>:uw\n"
#define WRITE_FLOATS "(f1.0) sel (16|M0) acc0.0<1>:f r24.0<8;8,1>:f 2.0:f\n"
#define READ_FLOATS  "add (16|M0) r30.0<1>:f acc0.0<8;8,1>:f r32.0<8;8,1>:f\n"
#define READ_HALVES  "add (16|M0) r30.0<1>:hf acc0.0<16;16,1>:hf r32.0<16;16,1>:hf\n"

static const struct {
	const char *text;
	bool keeps;
} programs[] = {
	{ WRITE_WORDS READ_WORDS, false },
	{ WRITE_FLOATS READ_FLOATS, false },
	{ "mul (16|M0) acc0.0<1>:hf r20.0<16;16,1>:hf r22.0<16;16,1>:hf\n" READ_HALVES, false },
	{ READ_WORDS, true },
	{ WRITE_WORDS READ_HALVES, true },			    /* other channels */
	{ WRITE_FLOATS READ_HALVES, true },			    /* other elements */
	{ WRITE_FLOATS "L1:\n" READ_FLOATS "(W) jmpi L1\n", true }, /* another block */
	{ "(f1.0) mov (16|M0) acc0.0<1>:f r24.0<8;8,1>:f\n" READ_FLOATS, true },
	{ "mov (16|M0) acc0.0<1>:uw r20.0<16;16,1>:uw\n"
	  "add (16|M0) r30.0<1>:uw acc0.1<0;1,0>:uw r32.0<16;16,1>:uw\n",
		true },
	{ "mov (16|M0) acc0.0<1>:uw r20.0<16;16,1>:uw\n"
	  "add (16|M0) r30.0<1>:uw acc0.0<16;8,2>:uw r32.0<16;16,1>:uw\n",
		true },
};

static void only_these_keep_it(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		struct gen_fault fault = { 0 };
		struct gen_program *program = test_assemble(programs[i].text);
		struct eu_kernel *kernel = eu_kernel_create(test_device(), program, &fault);
		assert_non_null(kernel);
		if (kernel->keeps_acc != programs[i].keeps)
			fail_msg("%s\n%s", programs[i].text,
				kernel->keeps_acc ? "keeps the accumulator" : "does not keep it");
		eu_kernel_destroy(kernel);
		gen_program_destroy(program);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_these_keep_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
