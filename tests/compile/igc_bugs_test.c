// SPDX-License-Identifier: MIT
#include "spirv_fixture.h"

#include "compile/build/compile.h"
#include "compile/spirv/igc_bugs.h"

#include <stdio.h>

/* What becomes of faulty modules; cl_igc_bug_test runs them. */

static const char faulty[] =
	"typedef struct { int a[9]; } some;\n"
	"__attribute__((noinline)) int change(some s, int i) { s.a[i] = 3; return s.a[1]; }\n"
	"kernel void k(global int *d, some s)\n"
	"{ d[get_global_id(d[1])] = change(s, d[0]) + s.a[d[2]] + get_local_size(0); }\n";

static struct compile_result build(const char *source)
{
	const struct compile_request request = { .source = source,
		.source_size = strlen(source),
		.family = "tgllp",
		.outputs = COMPILE_SPIRV };
	struct compile_result result;

	assert_int_equal(compile_build(&request, &result), COMPILE_OK);
	return result;
}

static enum compile_status mend(
	const void *spirv, size_t size, struct spirv_module *module, bool *is_changed)
{
	enum compile_status status = spirv_module_open(spirv, size, module);

	*is_changed = false;
	return status == COMPILE_OK ? igc_bugs_mend(module, true, is_changed) : status;
}

static void faults_are_mended(void **state)
{
	struct compile_result program = build(faulty);
	struct spirv_module before, module;
	bool is_changed;

	(void)state;
	assert_int_equal(spirv_module_open(program.spirv, program.spirv_size, &before), COMPILE_OK);
	assert_int_equal(mend(program.spirv, program.spirv_size, &module, &is_changed), COMPILE_OK);
	assert_true(is_changed);
	assert_int_equal(spirv_count(&module, SpvOpCopyMemorySized),
		spirv_count(&before, SpvOpCopyMemorySized) + 1);
	assert_int_equal(spirv_count(&module, SpvOpSelect), spirv_count(&before, SpvOpSelect) + 2);
	assert_int_equal(spirv_count(&module, SpvOpDecorate), spirv_count(&before, SpvOpDecorate));
	spirv_module_finish(&before);
	spirv_module_finish(&module);
	compile_result_finish(&program);
}

/* Decorations of ids that nothing defines. */
static unsigned count_lost(const struct spirv_module *module)
{
	struct spirv_inst inst, made;
	unsigned n = 0;

	SPIRV_EACH(module, SPIRV_START, module->n_words, inst)
		n += inst.op == SpvOpDecorate && !spirv_definition(module, inst.operands[0], &made);
	return n;
}

/* The translator of older compilers gives these decorations to ids that nothing defines. */
static void conversions_get_their_decorations(void **state)
{
	struct compile_result program =
		build("kernel void k(global short *d, global const int *s, global const float *f, "
		      "int n)\n"
		      "{ size_t g = get_global_id(0); short a = 0; int b = 0, c = 0; char e = 0;\n"
		      "  for (int i = 0; i < n; i++) { int now = s[g + i]; e = (char)now;\n"
		      "    a = convert_short_sat(now); b = c; c = convert_int_rtp(f[g]); }\n"
		      "  d[g] = a + b + c + e + convert_short_sat(s[0]); }\n");
	struct spirv_module module;
	struct spirv_inst inst, made;
	unsigned n = 0, lost;
	bool is_changed;

	(void)state;
	assert_int_equal(spirv_module_open(program.spirv, program.spirv_size, &module), COMPILE_OK);
	lost = count_lost(&module);
	spirv_module_finish(&module);
	assert_int_equal(mend(program.spirv, program.spirv_size, &module, &is_changed), COMPILE_OK);
	assert_int_equal(is_changed, lost > 0);
	SPIRV_EACH(&module, SPIRV_START, module.n_words, inst) {
		if (inst.op != SpvOpDecorate ||
			(inst.operands[1] != SpvDecorationSaturatedConversion &&
				inst.operands[1] != SpvDecorationFPRoundingMode))
			continue;
		n++;
		assert_true(spirv_definition(&module, inst.operands[0], &made));
		/* to short, not to char */
		if (inst.operands[1] == SpvDecorationSaturatedConversion)
			assert_int_equal(module.ids[made.operands[0]].size, 2);
		assert_int_equal(made.op, inst.operands[1] == SpvDecorationFPRoundingMode
						  ? SpvOpConvertFToS
						  : SpvOpSConvert);
	}
	assert_int_equal(n, 3);
	spirv_module_finish(&module);
	compile_result_finish(&program);
}

static void others_stay(void **state)
{
	struct compile_result program = build(
		"typedef struct { int a[9]; } some;\n"
		"kernel void k(global int *d, some s) { d[get_global_id(2)] = s.a[d[1]]; }\n");
	struct spirv_module module;
	bool is_changed;

	(void)state;
	assert_int_equal(mend(program.spirv, program.spirv_size, &module, &is_changed), COMPILE_OK);
	assert_false(is_changed);
	spirv_module_finish(&module);
	compile_result_finish(&program);
}

/* Functions that begin as those that the compiler inlines. */
static unsigned count_inlined(const struct spirv_module *module)
{
	struct spirv_inst inst;
	unsigned n = 0;

	SPIRV_EACH(module, SPIRV_START, module->n_words, inst)
		n += inst.op == SpvOpName && spirv_function_of(module, inst.operands[0]) &&
		     !strncmp(spirv_text(module, inst.at + 2), "__builtin_spirv_", 16);
	return n;
}

static void shared_functions_are_inlined(void **state)
{
	static const struct {
		const char *source;
		bool is_optimised;
		unsigned n;
	} rows[] = {
		{ "kernel void a(global int *d) { *d = f(1); } "
		  "kernel void b(global int *d) { *d = f(2); }",
			false, 2 },
		{ "kernel void a(global int *d) { *d = f(1); } "
		  "kernel void b(global int *d) { *d = f(2); }",
			true, 0 },
		{ "kernel void a(global int *d) { *d = f(1); } "
		  "kernel void b(global int *d) { *d = g(2); }",
			false, 1 },
		{ "kernel void a(global int *d) { *d = f(1) + f(2); } "
		  "kernel void b(global int *d) { *d = 2; }",
			false, 0 },
		{ "kernel void a(global int *d) { *d = f(1) + f(2); }", false, 0 },
	};
	char source[512];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(source, sizeof source,
			"static __attribute__((noinline)) int g(int a) { return a * 3; }\n"
			"__attribute__((noinline)) int f(int a) { return g(a) + 1; }\n%s",
			rows[i].source);
		struct compile_result program = build(source);
		struct spirv_module module;
		bool is_changed;

		assert_int_equal(
			spirv_module_open(program.spirv, program.spirv_size, &module), COMPILE_OK);
		assert_int_equal(
			igc_bugs_mend(&module, rows[i].is_optimised, &is_changed), COMPILE_OK);
		assert_int_equal(is_changed, rows[i].n > 0);
		assert_int_equal(count_inlined(&module), rows[i].n);
		spirv_module_finish(&module);
		compile_result_finish(&program);
	}
}

static bool changes(struct spirv_module *module)
{
	bool is_changed;

	(void)igc_bugs_mend(module, false, &is_changed);
	return is_changed;
}

static void damage_is_survived(void **state)
{
	struct compile_result program = build(faulty);
	struct spirv_module whole;

	(void)state;
	assert_int_equal(spirv_module_open(program.spirv, program.spirv_size, &whole), COMPILE_OK);
	spirv_damage(&whole, changes, 500, 3999);
	spirv_module_finish(&whole);
	compile_result_finish(&program);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_are_mended),
		cmocka_unit_test(conversions_get_their_decorations),
		cmocka_unit_test(others_stay),
		cmocka_unit_test(shared_functions_are_inlined),
		cmocka_unit_test(damage_is_survived),
	};

	return cmocka_run_group_tests_name("igc_bugs", tests, NULL, NULL);
}
