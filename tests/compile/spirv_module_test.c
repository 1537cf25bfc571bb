// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/zebin/reflect.h"
#include "compile/spirv/spirv_module.h"

#include <stdio.h>
#include <string.h>

/* Modules written by hand: what no front end of ours makes. */

#define OP(op, words) ((uint32_t)(words) << 16 | (uint32_t)Spv##op)

#define HEAD 0x07230203, 0x00010000, 0, 100, 0, OP(OpMemoryModel, 3), 2, 2

static bool takes(const uint32_t *words, size_t size, char *why, size_t why_size)
{
	return spirv_module_check(words, size, why, why_size);
}

/* clang-format off */
static const uint32_t types[] = {
	HEAD,
	OP(OpDecorate, 3), 21, SpvDecorationCPacked,
	OP(OpTypeInt, 4), 1, 8, 0,
	OP(OpTypeInt, 4), 2, 16, 0,
	OP(OpTypeInt, 4), 3, 32, 0,
	OP(OpTypeInt, 4), 4, 64, 0,
	OP(OpTypeFloat, 3), 5, 16,
	OP(OpTypeVector, 4), 6, 5, 3,
	OP(OpTypeVector, 4), 7, 4, 16,
	OP(OpConstant, 4), 3, 8, 5,
	OP(OpTypeArray, 4), 9, 6, 8,
	OP(OpTypePointer, 4), 10, SpvStorageClassCrossWorkgroup, 3,
	OP(OpTypeStruct, 5), 20, 1, 4, 1, /* 1 (7) 8 1 (7) */
	OP(OpTypeStruct, 5), 21, 1, 4, 1, /* the same, packed */
	OP(OpTypeStruct, 5), 22, 21, 2, 10, /* 10, 2, (4) 8 */
	OP(OpTypeStruct, 2), 23,
	OP(OpTypeStruct, 4), 24, 9, 1,
	OP(OpTypeForwardPointer, 3), 30, SpvStorageClassCrossWorkgroup,
	OP(OpTypeStruct, 4), 25, 30, 1,
	OP(OpTypePointer, 4), 30, SpvStorageClassCrossWorkgroup, 25,
	OP(OpTypeInt, 4), 26, 128, 0,
	OP(OpTypeInt, 4), 27, 352, 0,
	OP(OpTypeVector, 4), 28, 3, 1, /* clang makes it of as_ushort2(0x80000000u) */
};
/* clang-format on */

static void sizes_follow_the_rules(void **state)
{
	static const struct {
		uint32_t id;
		uint64_t size;
	} expected[] = { { 1, 1 }, { 2, 2 }, { 3, 4 }, { 4, 8 }, { 5, 2 }, { 6, 8 }, { 7, 128 },
		{ 9, 40 }, { 10, 8 }, { 20, 24 }, { 21, 10 }, { 22, 24 }, { 23, 0 }, { 24, 48 },
		{ 25, 16 }, { 30, 8 }, { 26, 16 }, { 27, 44 }, { 28, 4 } };
	struct spirv_module spirv;

	(void)state;
	if (spirv_module_open(types, sizeof types, &spirv) != COMPILE_OK)
		fail_msg("%s", spirv.why);
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		if (spirv.ids[expected[i].id].size != expected[i].size)
			fail_msg("type %u: %lu bytes", expected[i].id,
				(unsigned long)spirv.ids[expected[i].id].size);
	spirv_module_finish(&spirv);
}

#define MALFORMED(what, ...)                                                                       \
	{                                                                                          \
		what, { __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ })                         \
	}

static void malformed_modules_are_refused(void **state)
{
	static const struct {
		const char *what;
		uint32_t words[24];
		size_t size;
	} modules[] = {
		MALFORMED("its size", 0x07230203, 0, 0, 100),
		MALFORMED("magic number", 0x07230204, 0, 0, 100, 0),
		MALFORMED("bound", 0x07230203, 0, 0, 0, 0),
		MALFORMED("bound", 0x07230203, 0, 0, 0xffffffff, 0),
		MALFORMED("no memory model", 0x07230203, 0, 0, 100, 0),
		MALFORMED("not whole", HEAD, OP(OpTypeInt, 4), 1, 8),
		MALFORMED("not whole", HEAD, 0),
		MALFORMED("text does not end", HEAD, OP(OpName, 3), 1, 0x61616161),
		MALFORMED("text does not end", HEAD, OP(OpName, 2), 1),
		MALFORMED("text does not end", HEAD, OP(OpEntryPoint, 4), 6, 1, 0x61616161),
		MALFORMED("out of bounds", HEAD, OP(OpName, 3), 100, 0),
		MALFORMED("out of bounds", HEAD, OP(OpDecorate, 3), 100, 10),
		MALFORMED("out of bounds", HEAD, OP(OpTypeInt, 4), 100, 32, 0),
		MALFORMED("out of bounds", HEAD, OP(OpTypeVoid, 1)),
		MALFORMED("out of bounds", HEAD, OP(OpFunctionParameter, 3), 100, 1),
		MALFORMED("defined twice", HEAD, OP(OpTypeInt, 4), 1, 32, 0, OP(OpTypeVoid, 2), 1),
		MALFORMED("type is not right", HEAD, OP(OpTypeInt, 4), 1, 33, 0),
		MALFORMED("type is not right", HEAD, OP(OpTypeInt, 4), 1, 4096, 0),
		MALFORMED("type is not right", HEAD, OP(OpTypeVector, 4), 1, 2, 4),
		MALFORMED("type is not right", HEAD, OP(OpTypeStruct, 3), 1, 1),
		MALFORMED("type is not right", HEAD, OP(OpTypeStruct, 3), 1, 500),
		MALFORMED("type is not right", HEAD, OP(OpTypePointer, 4), 1, 5, 100),
		MALFORMED("type is not right", HEAD, OP(OpTypeInt, 4), 1, 64, 0, OP(OpConstant, 5),
			1, 2, 0, 0x80000000, OP(OpTypeArray, 4), 3, 1, 2),
		MALFORMED("do not follow", HEAD, OP(OpFunctionEnd, 1)),
		MALFORMED("does not end", HEAD, OP(OpFunction, 5), 1, 2, 0, 3),
		MALFORMED("do not follow", HEAD, OP(OpFunction, 5), 1, 2, 0, 3, OP(OpFunction, 5),
			1, 4, 0, 3),
	};
	const uint32_t right[] = { HEAD };

	(void)state;
	assert_true(takes(right, sizeof right, NULL, 0));
	assert_false(takes(right, sizeof right - 1, NULL, 0));
	for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
		char why[128] = "";
		if (takes(modules[i].words, modules[i].size, why, sizeof why))
			fail_msg("%zu (%s) passes", i, modules[i].what);
		if (!strstr(why, modules[i].what))
			fail_msg("%zu (%s): %s", i, modules[i].what, why);
	}
}

/* "k" as entry point; the parameter's type is id 5. */
#define KERNEL(...)                                                                                \
	HEAD, OP(OpEntryPoint, 4), SpvExecutionModelKernel, 1, 'k', __VA_ARGS__,                   \
		OP(OpTypeVoid, 2), 3, OP(OpTypeFunction, 4), 4, 3, 5, OP(OpFunction, 5), 3, 1, 0,  \
		4, OP(OpFunctionParameter, 3), 5, 6, OP(OpFunctionEnd, 1)

static enum compile_status reflect(
	const uint32_t *words, size_t size, struct reflection *out, char *why)
{
	return compile_reflect(words, size, NULL, 0, out, why, 128);
}

static void kernels_without_annotations_reflect(void **state)
{
	const uint32_t module[] = { KERNEL(OP(OpTypeInt, 4), 5, 16, 0) };
	struct reflection read;
	char why[128];

	(void)state;
	assert_int_equal(reflect(module, sizeof module, &read, why), COMPILE_OK);
	assert_int_equal(read.n_kernels, 1);
	assert_string_equal(read.kernels[0].name, "k");
	assert_string_equal(read.kernels[0].attributes, "");
	assert_int_equal(read.kernels[0].n_args, 1);
	assert_int_equal(read.kernels[0].args[0].kind, COMPILE_ARG_VALUE);
	assert_int_equal(read.kernels[0].args[0].size, 2);
	assert_string_equal(read.kernels[0].args[0].name, "");
	assert_string_equal(read.kernels[0].args[0].type, "");
	reflection_finish(&read);
}

static void arguments_must_be_of_known_types(void **state)
{
	const uint32_t modules[][40] = {
		{ KERNEL(OP(OpTypeBool, 2), 5) },
		{ KERNEL(OP(OpTypeEvent, 2), 5) },
		{ KERNEL(OP(OpTypeStruct, 2), 5) },
		{ KERNEL(OP(OpTypePointer, 4), 5, SpvStorageClassGeneric, 3) },
		{ KERNEL(OP(OpTypePointer, 4), 5, SpvStorageClassFunction, 3) },
	};

	(void)state;
	for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
		struct reflection read;
		char why[128] = "";
		/* Words of zero that follow are no instructions: find the end. */
		size_t n = 40;
		while (!modules[i][n - 1])
			n--;
		if (reflect(modules[i], n * 4, &read, why) != COMPILE_ERROR)
			fail_msg("%zu passes", i);
		assert_string_equal(why, "argument 0 of kernel k has a type that is not known");
	}
}

static void entry_points_must_be_functions(void **state)
{
	const uint32_t none[] = { HEAD, OP(OpEntryPoint, 4), SpvExecutionModelKernel, 1, 'k' };
	const uint32_t twice[] = { HEAD, OP(OpEntryPoint, 4), SpvExecutionModelKernel, 1, 'k',
		OP(OpEntryPoint, 4), SpvExecutionModelKernel, 1, 'm', OP(OpTypeVoid, 2), 3,
		OP(OpTypeFunction, 3), 4, 3, OP(OpFunction, 5), 3, 1, 0, 4, OP(OpFunctionEnd, 1) };
	struct reflection read;
	char why[128];

	(void)state;
	assert_int_equal(reflect(none, sizeof none, &read, why), COMPILE_ERROR);
	assert_string_equal(why, "kernel k is no function");
	assert_int_equal(reflect(twice, sizeof twice, &read, why), COMPILE_ERROR);
	assert_string_equal(why, "kernel m is the same function as another one");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_follow_the_rules),
		cmocka_unit_test(malformed_modules_are_refused),
		cmocka_unit_test(kernels_without_annotations_reflect),
		cmocka_unit_test(arguments_must_be_of_known_types),
		cmocka_unit_test(entry_points_must_be_functions),
	};

	return cmocka_run_group_tests_name("compile_spirv", tests, NULL, NULL);
}
