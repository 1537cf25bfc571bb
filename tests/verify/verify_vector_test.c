// SPDX-License-Identifier: MIT
/*
 * The vectors of `zerocl verify`: that they are what the tables say, for each generation, and that
 * Intel's assembler and our decoder both take them as such.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/gen_decode.h"
#include "tool/base/disasm.h"
#include "tool/verify/verify.h"
#include "tool/verify/verify_report.h"

static const struct {
	enum gen_op op;
	int first, last;
} forms[] = {
#define FORM(op, function, sources, shape, first, last, ...)                                       \
	{ GEN_OP_##op, GEN_##first, GEN_##last },
#define NOT(op, why)
#include "tool/verify/verify_form.def"
#undef FORM
#undef NOT
};

static const enum gen_op nots[] = {
#define FORM(...)
#define NOT(op, why) GEN_OP_##op,
#include "tool/verify/verify_form.def"
#undef FORM
#undef NOT
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct gen_device *device_of(unsigned generation)
{
	static const char *const names[] = { "skl", "icl", "tgllp", "dg2" };

	return gen_device_find(names[generation]);
}

/* Each operation of arithmetic has rows, or one that says why not; and not both. */
static void every_operation_is_in_the_table(void **state)
{
	(void)state;
	for (unsigned op = 0; op < GEN_OP_COUNT; op++) {
		unsigned is_verified = 0, is_not = 0;

		for (size_t i = 0; i < COUNT(forms); i++)
			is_verified += forms[i].op == op;
		for (size_t i = 0; i < COUNT(nots); i++)
			is_not += nots[i] == op;
		if (gen_ops[op].class != GEN_CLASS_ALU)
			assert_int_equal(is_verified + is_not, 0);
		else if (!is_verified == !is_not || is_not > 1)
			fail_msg("%s: in %u rows, and in %u that say why not", gen_ops[op].name,
				is_verified, is_not);
	}
}

/* Whether an instruction is the one of the vector that is compared. */
static bool is_subject(const struct gen_inst *inst, const struct verify_vector *v)
{
	size_t length = strcspn(v->name, ".");

	return !inst->no_mask && strlen(gen_ops[inst->op].name) == length &&
	       !strncmp(gen_ops[inst->op].name, v->name, length) && inst->has_dst &&
	       inst->dst.file == GEN_FILE_GRF && inst->dst.reg == 40 &&
	       inst->exec_size == v->lanes && inst->channel_offset == v->first &&
	       inst->dst.hstride == v->stride;
}

/* Registers below 30 that are read have been loaded or written before. */
static void reads_what_it_has(const struct gen_program *program, const char *text)
{
	bool has[GEN_GRF_COUNT] = { [0] = true };

	for (unsigned i = 0; i < program->count; i++) {
		const struct gen_inst *inst = &program->inst[i];
		unsigned back = inst->op == GEN_OP_send ? inst->rlen : 2;

		for (unsigned s = 0; s < inst->source_count; s++)
			if (inst->src[s].file == GEN_FILE_GRF && !has[inst->src[s].reg])
				fail_msg("r%u is read, which has nothing: %s", inst->src[s].reg,
					text);
		for (unsigned r = 0; inst->has_dst && inst->dst.file == GEN_FILE_GRF && r < back;
			r++)
			has[inst->dst.reg + r] = true;
	}
}

/* One vector as a program: the assembler takes it, and the decoder finds the instruction in it. */
static void check_vector(
	const struct disasm *disasm, const struct gen_device *device, const struct verify_vector *v)
{
	struct verify_vector copy = *v;
	const struct verify_vectors one = { &copy, 1, device->family->generation };
	char *text = verify_code(&one, 0, 1), why[256];
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };
	unsigned found = 0;
	size_t size;

	assert_non_null(text);
	void *code =
		disasm_assemble(disasm, device->family->iga_platform, text, &size, why, sizeof why);
	if (!code)
		fail_msg("%s", why);
	struct gen_program *program = gen_decode(device, code, size, &fault);
	if (!program)
		fail_msg("%s: %s", v->text, fault.report);
	for (unsigned i = 0; i < program->count; i++)
		found += is_subject(&program->inst[i], v);
	if (v->type && found != 1)
		fail_msg("%u instructions of %s are: %s", found, v->name, v->text);
	reads_what_it_has(program, v->text);
	gen_program_destroy(program);
	free(code);
	free(text);
}

static void vectors_are_what_they_say(void **state)
{
	char why[256];
	unsigned generation = (unsigned)(uintptr_t)*state;
	struct disasm *disasm = disasm_open(why, sizeof why);
	struct verify_vectors vectors;

	assert_non_null(disasm);
	assert_true(verify_vectors_make(&vectors, (enum gen_generation)generation, NULL));
	assert_in_range(vectors.n, 1400, VERIFY_MOST);
	for (size_t i = 0; i < vectors.n && !vectors.rows[i].image.kind; i++)
		check_vector(disasm, device_of(generation), &vectors.rows[i]);
	/* Each row of the generation gave some. */
	for (size_t f = 0; f < COUNT(forms); f++) {
		size_t n = 0, length = strlen(gen_ops[forms[f].op].name);
		for (size_t i = 0; i < vectors.n; i++)
			n += !strncmp(vectors.rows[i].name, gen_ops[forms[f].op].name, length);
		bool is_there =
			(int)generation >= forms[f].first && (int)generation <= forms[f].last;
		if (is_there && (!n || gen_ops[forms[f].op].opcode[generation] == GEN_OPCODE_NONE))
			fail_msg("%s: %zu vectors", gen_ops[forms[f].op].name, n);
	}
	verify_vectors_finish(&vectors);
	disasm_close(disasm);
}

/* No two are the same, and --only chooses. */
static void vectors_are_distinct(void **state)
{
	struct verify_vectors all, some;
	size_t n = 0;

	(void)state;
	assert_true(verify_vectors_make(&all, GEN_12, NULL));
	for (size_t i = 0; i < all.n; i++) {
		n += strstr(all.rows[i].name, "xor") || strstr(all.rows[i].text, "xor");
		for (size_t k = 0; k < i; k++)
			if (!strcmp(all.rows[i].text, all.rows[k].text) &&
				!memcmp(all.rows[i].types, all.rows[k].types, VERIFY_SLOTS))
				fail_msg("twice: %s", all.rows[i].text);
	}
	assert_true(verify_vectors_make(&some, GEN_12, "xor"));
	assert_int_equal(some.n, n);
	assert_in_range(n, 1, all.n - 1);
	verify_vectors_finish(&some);
	verify_vectors_finish(&all);
}

/* The first two sources meet in all pairs of corners, of each type. */
static void operands_meet_in_pairs(void **state)
{
	static uint8_t bytes[VERIFY_OPERANDS_BYTES];

	(void)state;
	verify_operands_fill(bytes, 0);
	for (uint8_t type = GEN_TYPE_UB; type <= GEN_TYPE_DF; type++) {
		unsigned size = gen_type_size(type), lanes = size == 8 ? 8 : 16, n = 0,
			 distinct = 0;
		static uint64_t pairs[VERIFY_GROUPS * 16][2];
		for (unsigned g = 0; g < VERIFY_GROUPS; g++)
			for (unsigned lane = 0; lane < lanes; lane++, n++)
				for (unsigned s = 0; s < 2; s++) {
					pairs[n][s] = 0;
					memcpy(&pairs[n][s],
						bytes + verify_operand_at(type, s) +
							g * VERIFY_OPERAND + lane * size,
						size);
				}
		for (unsigned i = 0; i < n; i++) {
			bool is_new = true;
			for (unsigned k = 0; k < i && is_new; k++)
				is_new = memcmp(pairs[i], pairs[k], sizeof *pairs) != 0;
			distinct += is_new;
		}
		/* Narrow types have some corners twice. */
		assert_in_range(distinct, size == 1 ? 120 : 225, 17 * 17);
	}
}

static void numbers_are_compared_by_type(void **state)
{
	(void)state;
	assert_true(verify_same(GEN_TYPE_UD, 5, 5, 0));
	assert_false(verify_same(GEN_TYPE_UD, 5, 6, 4));
	assert_true(verify_same(GEN_TYPE_F, 0x7fc00000, 0xff800001, 0)); /* NaNs */
	assert_false(verify_same(GEN_TYPE_F, 0x7f800000, 0x7f800001, 8));
	assert_false(verify_same(GEN_TYPE_F, 0x3f800000, 0x3f800001, 0));
	assert_true(verify_same(GEN_TYPE_F, 0x3f800000, 0x3f800001, 1));
	assert_false(verify_same(GEN_TYPE_F, 0x3f800000, 0x3f800002, 1));
	assert_true(verify_same(GEN_TYPE_F, 0x80000001, 0x00000001, 2)); /* across 0 */
	assert_false(verify_same(GEN_TYPE_F, 0x80000001, 0x00000002, 2));
	assert_false(verify_same(GEN_TYPE_F, 0x80000000, 0, 0));
	assert_true(verify_same(GEN_TYPE_HF, 0x7e00, 0xfc01, 0));
	assert_false(verify_same(GEN_TYPE_HF, 0x7bff, 0x7c01, 1));
	assert_true(verify_same(
		GEN_TYPE_DF, UINT64_C(0x7ff8000000000000), UINT64_C(0xfff0000000000001), 0));
	assert_false(verify_same(
		GEN_TYPE_DF, UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000), 9));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_operation_is_in_the_table),
		cmocka_unit_test_prestate(vectors_are_what_they_say, (void *)GEN_9),
		cmocka_unit_test_prestate(vectors_are_what_they_say, (void *)GEN_11),
		cmocka_unit_test_prestate(vectors_are_what_they_say, (void *)GEN_12),
		cmocka_unit_test_prestate(vectors_are_what_they_say, (void *)GEN_HPG),
		cmocka_unit_test(vectors_are_distinct),
		cmocka_unit_test(operands_meet_in_pairs),
		cmocka_unit_test(numbers_are_compared_by_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
