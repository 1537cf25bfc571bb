// SPDX-License-Identifier: MIT
#include "spirv_fixture.h"

#include "compile/build/compile.h"
#include "compile/build/helper_build.h"
#include "compile/zebin/reflect.h"
#include "compile/spirv/spirv_spec.h"
#include "compile/spirv/spirv_module.h"
#include "test_settings.h"

#include <stdio.h>

/* Linking, validating and specializing SPIR-V, by the real helper. */

static struct compile_result parts[4], linked;
static size_t order[4] = { 0, 1, 2, 3 };

static int finish(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		compile_result_finish(&parts[i]);
		order[i] = i;
	}
	compile_result_finish(&linked);
	return 0;
}

static const char *options = "-cl-std=CL2.0";

static void compile(size_t number, const char *source)
{
	const struct compile_request request = { .source = source,
		.source_size = strlen(source),
		.options = options,
		.family = "tgllp",
		.outputs = COMPILE_SPIRV };

	compile_result_finish(&parts[number]);
	if (compile_build(&request, &parts[number]) != COMPILE_OK)
		fail_msg("%s", parts[number].log);
}

static enum compile_status link_parts(size_t n, unsigned outputs)
{
	struct compile_module modules[4];
	const struct compile_request request = {
		.modules = modules, .n_modules = n, .family = "tgllp", .outputs = outputs
	};

	for (size_t i = 0; i < n; i++)
		modules[i] = (struct compile_module){ parts[order[i]].spirv,
			parts[order[i]].spirv_size };
	compile_result_finish(&linked);
	memset(&linked, 0xa5, sizeof linked);
	return compile_build(&request, &linked);
}

static void assert_log(const char *part)
{
	assert_non_null(linked.log);
	if (!strstr(linked.log, part))
		fail_msg("no \"%s\" in the log: %s", part, linked.log);
}

/* The result as the validator and IGC see it. */
static void assert_valid(void)
{
	struct compile_result again = { 0 };
	struct compile_request request = {
		.spirv = linked.spirv, .spirv_size = linked.spirv_size, .family = "tgllp"
	};

	helper_build(&request, -1, &again);
	if (again.status != COMPILE_OK)
		fail_msg("%s", again.log);
	compile_result_finish(&again);
	request.outputs = COMPILE_NATIVE;
	if (compile_build(&request, &again) != COMPILE_OK)
		fail_msg("%s", again.log);
	compile_result_finish(&again);
}

#define SHAPE                                                                                      \
	"typedef struct { float4 a; int b; global int *c; } shape;\n"                              \
	"typedef struct __attribute__((packed)) { char a; int b; } tight;\n"

static void functions_and_variables_are_found(void **state)
{
	struct reflection read;

	(void)state;
	compile(0, SHAPE "float twice(float x, shape *s, tight *t);\n"
			 "extern constant float table[4];\n"
			 "kernel void k(global float *a) { size_t i = get_global_id(0);\n"
			 "shape s = { (float4)(1), 2, 0 }; tight t = { 1, 2 };\n"
			 "a[i] = twice(a[i], &s, &t) + table[i & 3]; }\n");
	compile(1, SHAPE "constant float table[4] = { 1, 2, 3, 4 };\n"
			 "float half_of(float x);\n"
			 "float twice(float x, shape *s, tight *t)\n"
			 "{ return half_of(x) * 4 + s->b + t->b + s->a.x + get_global_id(0); }\n");
	compile(2, "float half_of(float x) { return x / 2; }\n"
		   "kernel void other(global float *a) { a[get_global_id(1)] = half_of(3); }\n");
	if (link_parts(3, COMPILE_SPIRV | COMPILE_NATIVE) != COMPILE_OK)
		fail_msg("%s", linked.log);
	assert_valid();
	assert_int_equal(compile_reflect(linked.spirv, linked.spirv_size, linked.native,
				 linked.native_size, &read, NULL, 0),
		COMPILE_OK);
	assert_int_equal(read.n_kernels, 2);
	assert_non_null(reflection_find(&read, "k"));
	assert_non_null(reflection_find(&read, "other"));
	assert_string_equal(read.kernels[0].args[0].type, "float*");
	reflection_finish(&read);
	/* In any order, and in two steps. */
	order[0] = 2;
	order[2] = 0;
	assert_int_equal(link_parts(3, COMPILE_SPIRV | COMPILE_NATIVE), COMPILE_OK);
	assert_int_equal(link_parts(2, COMPILE_SPIRV), COMPILE_OK);
	parts[3] = linked;
	linked = (struct compile_result){ 0 };
	order[0] = 3;
	order[1] = 0;
	assert_int_equal(link_parts(2, COMPILE_SPIRV | COMPILE_NATIVE), COMPILE_OK);
	assert_valid();
}

/* How many functions of the module have the name. */
static unsigned functions_named(const char *name)
{
	struct spirv_module module;
	struct spirv_inst inst;
	unsigned n = 0;

	assert_int_equal(spirv_module_open(linked.spirv, linked.spirv_size, &module), COMPILE_OK);
	SPIRV_EACH(&module, SPIRV_START, module.n_words, inst)
		n += inst.op == SpvOpName && spirv_function_of(&module, inst.operands[0]) &&
		     !strcmp((const char *)(inst.operands + 1), name);
	spirv_module_finish(&module);
	return n;
}

/* Functions of one name and several types, of which one module exports one at most. */
static void functions_of_one_name_differ(void **state)
{
	static const char *const types[] = { "float", "ulong2", "int4" };
	char source[400];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		snprintf(source, sizeof source,
			"%s __attribute__((noinline)) %s same(%s x) { return x + (%s)%zu; }\n"
			"kernel void k%zu(global %s *a) { a[0] = same(a[1]); }\n",
			i == 1 ? "" : "static", types[i], types[i], types[i], i + 1, i, types[i]);
		compile(i, source);
	}
	for (size_t first = 0; first < 3; first++) {
		for (size_t i = 0; i < 3; i++)
			order[i] = (first + i) % 3;
		if (link_parts(3, COMPILE_SPIRV | COMPILE_NATIVE) != COMPILE_OK)
			fail_msg("%s", linked.log);
		assert_valid();
		assert_int_equal(functions_named("same"), 1);
	}
}

/* Debug information of each module, and modules of several versions, stay usable. */
static void debug_information_is_linked(void **state)
{
	(void)state;
	options = "-g -cl-std=CL2.0";
	compile(0, SHAPE "float f(shape *s) { float a = s->b; return a * 2; }");
	compile(1, SHAPE "float f(shape *s); kernel void k(global float *a) {\n"
			 "size_t i = get_global_id(0); shape s = { 1, 2, 0 }; a[i] = f(&s); }");
	options = "-cl-std=CL2.0";
	((uint32_t *)parts[0].spirv)[1] = 0x10200;
	if (link_parts(2, COMPILE_SPIRV | COMPILE_NATIVE) != COMPILE_OK)
		fail_msg("%s", linked.log);
}

/* Types that are equal are one; built-in variables of all modules too. */
static void nothing_is_there_twice(void **state)
{
	struct spirv_module spirv;
	struct spirv_inst inst;
	unsigned floats = 0, ints = 0, ids = 0, models = 0;

	(void)state;
	compile(0, "void f(global float4 *a) { a[get_global_id(0)] *= 2; }");
	compile(1, "void f(global float4 *a); kernel void k(global float4 *a) { f(a);"
		   "a[get_global_id(0)] += get_global_id(0); }");
	assert_int_equal(link_parts(2, COMPILE_SPIRV), COMPILE_OK);
	assert_true(spirv_module_open(linked.spirv, linked.spirv_size, &spirv) == COMPILE_OK);
	for (uint32_t at = SPIRV_START; spirv_at(&spirv, at, &inst); at = inst.next) {
		floats += inst.op == SpvOpTypeFloat;
		ints += inst.op == SpvOpTypeInt && inst.operands[1] == 64;
		ids += inst.op == SpvOpVariable;
		models += inst.op == SpvOpMemoryModel;
	}
	spirv_module_finish(&spirv);
	assert_int_equal(floats, 1);
	assert_int_equal(ints, 1);
	assert_int_equal(ids, 1);
	assert_int_equal(models, 1);
	assert_valid();
}

/* Of two variables for one built-in, the first is left; of others, each. What spirv_lower calls is
 * not exported. */
static void builtins_are_merged(void **state)
{
	struct spirv_module module;
	struct spirv_inst inst;
	uint32_t from[3];
	size_t n = 0;

	(void)state;
	spirv_open_text(
		"OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n"
		"OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %a\n"
		"OpName %b \"again\"\nOpDecorate %k LinkageAttributes \"zerocl_lower_0\" Export\n"
		"OpDecorate %a BuiltIn SubgroupMaxSize\nOpDecorate %b BuiltIn SubgroupMaxSize\n"
		"OpDecorate %b Constant\nOpDecorate %c BuiltIn SubgroupSize\n"
		"%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%p = OpTypePointer Input %uint\n"
		"%a = OpVariable %p Input\n%b = OpVariable %p Input\n%c = OpVariable %p Input\n"
		"%t = OpTypeFunction %void\n%k = OpFunction %void None %t\n%l = OpLabel\n"
		"%x = OpLoad %uint %a\n%y = OpLoad %uint %b\n%z = OpLoad %uint %c\n"
		"OpReturn\nOpFunctionEnd\n",
		&module);
	parts[0].spirv = spirv_module_take(&module, &parts[0].spirv_size);
	assert_int_equal(link_parts(1, COMPILE_SPIRV), COMPILE_OK);
	assert_int_equal(spirv_module_open(linked.spirv, linked.spirv_size, &module), COMPILE_OK);
	assert_int_equal(spirv_count(&module, SpvOpVariable), 2);
	assert_int_equal(spirv_count(&module, SpvOpDecorate), 2);
	assert_int_equal(spirv_count(&module, SpvOpName), 0);
	SPIRV_EACH(&module, SPIRV_START, module.n_words, inst)
		if (inst.op == SpvOpLoad)
			from[n++] = inst.operands[2];
	assert_int_equal(n, 3);
	assert_int_equal(from[0], from[1]);
	assert_int_not_equal(from[0], from[2]);
	spirv_module_finish(&module);
}

static void mistakes_are_named(void **state)
{
	(void)state;
	compile(0, "void f(global int *a) { a[0] = 1; }");
	compile(1, "void f(global int *a) { a[0] = 2; }");
	compile(2, "void nobody(int *a); kernel void k() { int a; nobody(&a); }");
	compile(3, "kernel void k() {}");
	assert_int_equal(link_parts(2, COMPILE_SPIRV), COMPILE_ERROR);
	assert_log("'f' is defined in module 1 and in module 2");
	order[0] = 2;
	assert_int_equal(link_parts(1, COMPILE_SPIRV), COMPILE_OK);
	assert_int_equal(link_parts(1, COMPILE_SPIRV | COMPILE_NATIVE), COMPILE_ERROR);
	assert_log("undefined reference to 'nobody'");
	order[1] = 3;
	assert_int_equal(link_parts(2, COMPILE_SPIRV), COMPILE_ERROR);
	assert_log("'k' is defined in module 1 and in module 2");
	order[0] = 0;
	order[1] = 1;
	/* A word of the first module's functions is destroyed: whatever comes, no crash. */
	for (size_t at = parts[0].spirv_size - 80; at < parts[0].spirv_size; at += 4) {
		uint32_t word, bad = 0x7fffffff;
		memcpy(&word, (char *)parts[0].spirv + at, 4);
		memcpy((char *)parts[0].spirv + at, &bad, 4);
		assert_int_not_equal(link_parts(1, COMPILE_SPIRV), COMPILE_CRASHED);
		memcpy((char *)parts[0].spirv + at, &word, 4);
	}
}

/* Of a module that crashes the compiler, the validator says why it does: a type is stored. */
static void crashes_are_explained(void **state)
{
	struct spirv_module module;
	struct spirv_inst inst;
	uint32_t type = 0;

	(void)state;
	compile(0, "kernel void k(global int *a) { a[get_global_id(0)] = 1; }");
	assert_int_equal(
		spirv_module_open(parts[0].spirv, parts[0].spirv_size, &module), COMPILE_OK);
	SPIRV_EACH(&module, SPIRV_START, module.n_words, inst) {
		if (inst.op == SpvOpTypeVoid)
			type = inst.operands[0];
		if (inst.op == SpvOpStore)
			((uint32_t *)parts[0].spirv)[inst.at + 2] = type;
	}
	assert_int_not_equal(type, 0);
	spirv_module_finish(&module);
	const struct compile_request request = { .spirv = parts[0].spirv,
		.spirv_size = parts[0].spirv_size,
		.family = "tgllp",
		.outputs = COMPILE_NATIVE };
	compile_result_finish(&linked);
	assert_int_equal(compile_build(&request, &linked), COMPILE_ERROR);
	assert_log("error: SPIR-V: ");
	order[0] = 0;
	assert_int_equal(link_parts(1, COMPILE_SPIRV), COMPILE_OK);
	assert_int_equal(link_parts(1, COMPILE_NATIVE), COMPILE_ERROR);
	assert_log("error: SPIR-V: ");
}

/* What the validator refuses and the compiler takes is built: a float of 64 bits, undeclared. */
static void validity_does_not_decide(void **state)
{
	static const uint32_t doubtful[] = { SpvMagicNumber, 0x10000, 0, 4, 0,
		2 << 16 | SpvOpCapability, SpvCapabilityKernel, 2 << 16 | SpvOpCapability,
		SpvCapabilityAddresses, 3 << 16 | SpvOpMemoryModel, SpvAddressingModelPhysical64,
		SpvMemoryModelOpenCL, 3 << 16 | SpvOpTypeFloat, 1, 64 };
	struct compile_request request = {
		.spirv = doubtful, .spirv_size = sizeof doubtful, .family = "tgllp"
	};

	(void)state;
	compile_result_finish(&linked);
	helper_build(&request, -1, &linked);
	assert_int_equal(linked.status, COMPILE_ERROR);
	assert_log("error: SPIR-V: ");
	request.outputs = COMPILE_NATIVE;
	compile_result_finish(&linked);
	assert_int_equal(compile_build(&request, &linked), COMPILE_OK);
}

/* A word, a signed half of one, and a bool. */
static void constants_are_set(void **state)
{
	static const uint32_t module[] = { SpvMagicNumber, 0x10000, 0, 8, 0,
		2 << 16 | SpvOpCapability, SpvCapabilityKernel, 3 << 16 | SpvOpMemoryModel,
		SpvAddressingModelPhysical64, SpvMemoryModelOpenCL, 4 << 16 | SpvOpDecorate, 1,
		SpvDecorationSpecId, 7, 4 << 16 | SpvOpDecorate, 2, SpvDecorationSpecId, 8,
		4 << 16 | SpvOpDecorate, 3, SpvDecorationSpecId, 9, 4 << 16 | SpvOpTypeInt, 4, 32,
		0, 4 << 16 | SpvOpTypeInt, 5, 16, 1, 2 << 16 | SpvOpTypeBool, 6,
		4 << 16 | SpvOpSpecConstant, 4, 1, 42, 4 << 16 | SpvOpSpecConstant, 5, 2, 1,
		3 << 16 | SpvOpSpecConstantFalse, 6, 3 };
	const struct spirv_spec specs[] = { { 7, { 0x78, 0x56, 0x34, 0x12 } },
		{ 8, { 0xfe, 0xff } }, { 9, { 1 } } };

	(void)state;
	assert_int_equal(spirv_spec_size(module, sizeof module, 7), 4);
	assert_int_equal(spirv_spec_size(module, sizeof module, 8), 2);
	assert_int_equal(spirv_spec_size(module, sizeof module, 9), 1);
	assert_int_equal(spirv_spec_size(module, sizeof module, 10), 0);
	uint32_t *made = spirv_spec_apply(module, sizeof module, specs, 3);
	assert_non_null(made);
	size_t n = sizeof module / 4;
	assert_int_equal(made[n - 8], 0x12345678);
	assert_int_equal(made[n - 4], 0xfffffffe);
	assert_int_equal(made[n - 3], 3 << 16 | SpvOpSpecConstantTrue);
	made[n - 8] = 42;
	made[n - 4] = 1;
	made[n - 3] = 3 << 16 | SpvOpSpecConstantFalse;
	assert_memory_equal(made, module, sizeof module);
	free(made);
}

static void link_options_are_checked(void **state)
{
	char words[] = "-create-library  -cl-no-signed-zeros -enable-link-options";
	char why[128];
	bool is_library;

	(void)state;
	assert_int_equal(
		compile_check_link_options(words, &is_library, why, sizeof why), COMPILE_OK);
	assert_true(is_library);
	compile_link_options(words);
	assert_null(strstr(words, "-create"));
	assert_null(strstr(words, "-enable"));
	assert_non_null(strstr(words, "-cl-no-signed-zeros"));
	assert_int_equal(compile_check_link_options(NULL, &is_library, NULL, 0), COMPILE_OK);
	assert_false(is_library);
	assert_int_equal(
		compile_check_link_options("-enable-link-options", &is_library, why, sizeof why),
		COMPILE_BAD_OPTIONS);
	assert_int_equal(compile_check_link_options("-DX=1", &is_library, why, sizeof why),
		COMPILE_BAD_OPTIONS);
	assert_non_null(strstr(why, "-DX=1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(functions_and_variables_are_found, finish),
		cmocka_unit_test_teardown(functions_of_one_name_differ, finish),
		cmocka_unit_test_teardown(debug_information_is_linked, finish),
		cmocka_unit_test_teardown(nothing_is_there_twice, finish),
		cmocka_unit_test_teardown(builtins_are_merged, finish),
		cmocka_unit_test_teardown(mistakes_are_named, finish),
		cmocka_unit_test_teardown(validity_does_not_decide, finish),
		cmocka_unit_test_teardown(crashes_are_explained, finish),
		cmocka_unit_test(constants_are_set),
		cmocka_unit_test(link_options_are_checked),
	};

	test_setting("ZEROCL_CACHE", "0");
	return cmocka_run_group_tests_name("compile_link", tests, NULL, NULL);
}
