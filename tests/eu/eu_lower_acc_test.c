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

/* Flags of all channels that are on, as IGC makes them; what comes between may change them. */
#define READ_DWORDS "mov (8|M0) r30.0<1>:ud acc0.0<8;8,1>:ud\n"
#define SET_FLAGS(between)                                                                         \
	"(W) mov (1|M0) f0.1<1>:uw 0x0:uw\n"                                                       \
	"cmp (16|M0) (eq)f0.1 null<1>:uw r2.0<0;1,0>:uw r2.0<0;1,0>:uw\n" between
#define MULTIPLY                                                                                   \
	"(W&f0.1) mul (8|M0) acc0.0<1>:d r20.0<8;8,1>:d r22.0<2;1,0>:uw\n"                         \
	"mach (8|M0) r30.0<1>:d r20.0<8;8,1>:d r22.0<8;8,1>:d\n"

static const struct {
	const char *text;
	bool keeps;
} programs[] = {
	{ SET_FLAGS("") MULTIPLY, false },
	{ SET_FLAGS("(W) mov (1|M0) f0.0<1>:uw r9.0<0;1,0>:uw\n") MULTIPLY, false },
	{ SET_FLAGS("cmp (16|M0) (lt)f0.0 null<1>:d r4.0<8;8,1>:d r6.0<8;8,1>:d\n") MULTIPLY,
		false },
	{ SET_FLAGS("cmp (8|M8) (lt)f0.1 null<1>:d r4.0<8;8,1>:d r6.0<8;8,1>:d\n") MULTIPLY,
		false },
	{ SET_FLAGS("(W) mov (1|M0) f0.1<1>:uw r9.0<0;1,0>:uw\n") MULTIPLY, true },
	{ SET_FLAGS("and (1|M0) (ne)f0.1 f1.0<1>:uw r9.0<0;1,0>:uw 0x1:uw\n") MULTIPLY, true },
	{ SET_FLAGS("(W) mov (1|M0) f0.0<1>:ud r9.0<0;1,0>:ud\n") MULTIPLY, true },
	{ SET_FLAGS("cmp (16|M16) (lt)f0.0 null<1>:d r4.0<8;8,1>:d r6.0<8;8,1>:d\n") MULTIPLY,
		true },
	{ SET_FLAGS("cmp (8|M0) (lt)f0.1 null<1>:d r4.0<8;8,1>:d r6.0<8;8,1>:d\n") MULTIPLY, true },
	{ WRITE_WORDS READ_WORDS, false },
	{ WRITE_FLOATS READ_FLOATS, false },
	{ "mul (16|M0) acc0.0<1>:hf r20.0<16;16,1>:hf r22.0<16;16,1>:hf\n" READ_HALVES, false },
	{ READ_WORDS, true },
	{ WRITE_WORDS READ_HALVES, true },			    /* other channels */
	{ WRITE_FLOATS READ_HALVES, true },			    /* other elements */
	{ WRITE_FLOATS "L1:\n" READ_FLOATS "(W) jmpi L1\n", true }, /* another block */
	{ "(f1.0) mov (16|M0) acc0.0<1>:f r24.0<8;8,1>:f\n" READ_FLOATS, true },
	{ "mov (8|M0) acc0.0<1>:f r20.0<8;8,1>:f\n"
	  "add (8|M0) r30.0<1>:f acc0.0<4;4,0>:f r32.0<8;8,1>:f\n",
		true }, /* of other channels */
	{ "mov (8|M0) acc0.0<1>:f r20.0<8;8,1>:f\n"
	  "add (8|M0) r30.0<1>:f acc0.0<0;1,0>:f r32.0<8;8,1>:f\n",
		true },
	{ "(W) mov (8|M0) acc0.0<1>:f r20.0<8;8,1>:f\n"
	  "add (8|M0) r30.0<1>:f acc0.0<4;4,0>:f r32.0<8;8,1>:f\n",
		false },
	{ "mov (16|M0) acc0.0<1>:uw r20.0<16;16,1>:uw\n"
	  "add (16|M0) r30.0<1>:uw acc0.1<0;1,0>:uw r32.0<16;16,1>:uw\n",
		true },
	{ "mov (16|M0) acc0.0<1>:uw r20.0<16;16,1>:uw\n"
	  "add (16|M0) r30.0<1>:uw acc0.0<16;8,2>:uw r32.0<16;16,1>:uw\n",
		true },
	{ "(f1.0) sel (8|M0) acc0.0<1>:ud r20.0<8;8,1>:ud r22.0<8;8,1>:ud\n" READ_DWORDS, false },
	{ "(f1.0) sel (8|M0) (ge)f1.0 acc0.0<1>:ud r20.0<8;8,1>:ud r22.0<8;8,1>:ud\n" READ_DWORDS,
		true },
	{ "addc (8|M0) r24.0<1>:ud r20.0<8;8,1>:ud r22.0<8;8,1>:ud {AccWrEn}\n" READ_DWORDS,
		false },
	{ "addc (8|M0) r24.0<1>:ud r20.0<8;8,1>:ud r22.0<8;8,1>:ud\n" READ_DWORDS, true },
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

#define PRODUCT	 "mach (8|M0) r30.0<1>:d r20.0<8;8,1>:d r22.0<8;8,1>:d\n"
#define ADD	 "add (8|M0) acc0.0<1>:d r24.0<8;8,1>:d r26.0<8;8,1>:d\n"
#define ADD_MORE "add (8|M0) acc0.0<1>:d acc0.0<8;8,1>:d r28.0<8;8,1>:d\n"

/* In a kernel that keeps the accumulator, sums that are replaced before its high dwords matter. */
static const struct {
	const char *text;
	unsigned general; /* instructions */
} sums[] = {
	{ PRODUCT ADD ADD_MORE ADD_MORE, 1 },
	{ PRODUCT ADD ADD_MORE PRODUCT, 1 },
	{ PRODUCT ADD "(f0.0) " ADD_MORE, 2 },
	{ PRODUCT "(W) " ADD ADD_MORE, 2 },
	{ PRODUCT ADD "(W) " ADD_MORE, 1 },
	{ PRODUCT ADD "L1:\n" ADD_MORE "(W) jmpi L1\n", 2 },
};

static void sums_that_are_replaced_are_low(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(sums) / sizeof(*sums); i++) {
		struct gen_fault fault = { 0 };
		struct gen_program *program = test_assemble(sums[i].text);
		struct eu_kernel *kernel = eu_kernel_create(test_device(), program, &fault);
		unsigned general = 0;
		assert_non_null(kernel);
		assert_true(kernel->keeps_acc);
		for (uint32_t k = 0; k < kernel->uop_count; k++)
			general += kernel->uops[k].code == EU_UOP_generic;
		if (general != sums[i].general)
			fail_msg("%s\n%u are general", sums[i].text, general);
		eu_kernel_destroy(kernel);
		gen_program_destroy(program);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_these_keep_it),
		cmocka_unit_test(sums_that_are_replaced_are_low),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
