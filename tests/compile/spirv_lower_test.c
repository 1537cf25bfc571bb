// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_lower.h"

#include "test.h"
#include "test_random.h"

#include <stdlib.h>
#include <string.h>

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>

#define START                                                                                      \
	"OpCapability Kernel\nOpCapability Addresses\nOpCapability Int8\n"                         \
	"OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\"\n"                          \
	"%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%uchar = OpTypeInt 8 0\n"                     \
	"%float = OpTypeFloat 32\n%v3 = OpTypeVector %uint 3\n%c4 = OpTypeVector %uchar 4\n"       \
	"%one = OpConstant %uint 1\n%f = OpConstant %float 1\n%byte = OpConstant %uchar 1\n"       \
	"%bytes = OpConstantComposite %c4 %byte %byte %byte %byte\n"                               \
	"%three = OpConstantComposite %v3 %one %one %one\n"                                        \
	"%t = OpTypeFunction %void\n%k = OpFunction %void None %t\n%l = OpLabel\n"
#define END "OpReturn\nOpFunctionEnd\n"

static const char all[] = START "%a = OpBitReverse %uint %one\n%b = OpBitReverse %uint %a\n"
				"%c = OpBitFieldInsert %v3 %three %three %one %one\n"
				"%d = OpBitFieldSExtract %uint %one %one %one\n"
				"%e = OpGroupNonUniformRotateKHR %float %one %f %one\n"
				"%g = OpGroupNonUniformRotateKHR %v3 %one %three %one %one\n"
				"%h = OpSUDotAccSatKHR %uint %bytes %bytes %one\n"
				"%i = OpUDotKHR %uint %one %one PackedVectorFormat4x8BitKHR\n" END;

static spv_binary assemble(const char *text)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	spv_binary binary = NULL;

	assert_int_equal(spvTextToBinary(context, text, strlen(text), &binary, NULL), SPV_SUCCESS);
	spvContextDestroy(context);
	return binary;
}

/* What spirv_lower makes of words that are no module yet. */
struct lowered {
	struct spirv_module module;
	char *source; /* NULL: nothing was done */
};

static enum compile_status lower_words(const void *spirv, size_t size, struct lowered *lower)
{
	lower->source = NULL;
	enum compile_status status = spirv_module_open(spirv, size, &lower->module);
	return status == COMPILE_OK
		       ? spirv_lower(&lower->module, SPIRV_LOWER_LACKING | SPIRV_LOWER_FAST,
				 &lower->source)
		       : status;
}

static void finish_lowered(struct lowered *lower)
{
	spirv_module_finish(&lower->module);
	free(lower->source);
}

static unsigned count(const void *spirv, size_t size, unsigned op)
{
	const uint32_t *words = spirv;
	unsigned n = 0;

	for (size_t at = 5; at < size / 4; at += words[at] >> 16)
		n += (words[at] & 0xffff) == op;
	return n;
}

static void instructions_become_calls(void **state)
{
	spv_binary binary = assemble(all);
	struct lowered lower;

	(void)state;
	assert_int_equal(lower_words(binary->code, binary->wordCount * 4, &lower), COMPILE_OK);
	assert_non_null(lower.source);
	assert_int_equal(count(lower.module.words, lower.module.n_words * 4, SpvOpFunctionCall), 8);
	assert_int_equal(count(lower.module.words, lower.module.n_words * 4, SpvOpBitReverse), 0);
	assert_int_equal(count(lower.module.words, lower.module.n_words * 4, 4431), 0);
	/* one function for both reversals */
	assert_int_equal(count(lower.module.words, lower.module.n_words * 4, SpvOpFunction), 1 + 7);
	assert_non_null(strstr(lower.source,
		"uint zerocl_lower_0(uint a)\n{ return LOWER_REVERSE(uint, int, ); }"));
	assert_non_null(
		strstr(lower.source, "uint3 zerocl_lower_1(uint3 a, uint3 b, uint c, uint d)\n"
				     "{ return LOWER_INSERT(uint3, int3, 3); }"));
	assert_non_null(strstr(lower.source, "return LOWER_SIGNED_EXTRACT(uint, int, )"));
	assert_non_null(strstr(lower.source, "float zerocl_lower_3(float a, uint b)\n"
					     "{ return LOWER_ROTATE(float, float, ); }"));
	assert_non_null(strstr(lower.source, "uint3 zerocl_lower_4(uint3 a, uint b, uint c)\n"
					     "{ return LOWER_CLUSTER(uint3, int3, 3); }"));
	assert_non_null(strstr(lower.source, "uint zerocl_lower_5(uchar4 a, uchar4 b, uint c)\n"
					     "{ return LOWER_SUM_SU(uint, int, ); }"));
	assert_non_null(strstr(lower.source, "uint zerocl_lower_6(uint a, uint b)\n"
					     "{ return LOWER_DOT_UU(uint, int, ); }"));
	/* what they are made of, once */
	const char *bits = strstr(lower.source, "#define bit_reverse ");
	assert_non_null(bits);
	assert_null(strstr(bits + 1, "#define bit_reverse "));
	assert_non_null(strstr(lower.source, "#define LOWER_REVERSE("));
	/* all that is decorated so goes, and nothing else */
	unsigned decorations = count(lower.module.words, lower.module.n_words * 4, SpvOpDecorate);
	spirv_lower_hide(&lower.module);
	size_t size = lower.module.n_words * 4;
	assert_int_equal(decorations, 7);
	assert_int_equal(count(lower.module.words, size, SpvOpDecorate), 0);
	assert_int_equal(count(lower.module.words, size, SpvOpFunctionCall), 8);
	finish_lowered(&lower);
	spvBinaryDestroy(binary);
}

/* Of two variables for one built-in, the first is left; of others, each. */
static void builtins_are_merged(void **state)
{
	spv_binary binary = assemble(
		"OpCapability Kernel\nOpCapability Addresses\n"
		"OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %a\n"
		"OpName %b \"again\"\n"
		"OpDecorate %a BuiltIn SubgroupMaxSize\nOpDecorate %b BuiltIn SubgroupMaxSize\n"
		"OpDecorate %b Constant\nOpDecorate %c BuiltIn SubgroupSize\n"
		"%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%p = OpTypePointer Input %uint\n"
		"%a = OpVariable %p Input\n%b = OpVariable %p Input\n%c = OpVariable %p Input\n"
		"%t = OpTypeFunction %void\n%k = OpFunction %void None %t\n%l = OpLabel\n"
		"%x = OpLoad %uint %a\n%y = OpLoad %uint %b\n%z = OpLoad %uint %c\n"
		"OpReturn\nOpFunctionEnd\n");
	struct spirv_module module;
	struct spirv_inst inst;
	uint32_t from[3];
	size_t n = 0;

	(void)state;
	assert_int_equal(
		spirv_module_open(binary->code, binary->wordCount * 4, &module), COMPILE_OK);
	spirv_lower_hide(&module);
	const size_t size = module.n_words * 4;
	assert_int_equal(count(module.words, size, SpvOpVariable), 2);
	assert_int_equal(count(module.words, size, SpvOpDecorate), 2);
	assert_int_equal(count(module.words, size, SpvOpName), 0);
	SPIRV_EACH(&module, SPIRV_START, module.n_words, inst)
		if (inst.op == SpvOpLoad)
			from[n++] = inst.operands[2];
	assert_int_equal(n, 3);
	assert_int_equal(from[0], from[1]);
	assert_int_not_equal(from[0], from[2]);
	spirv_module_finish(&module);
	spvBinaryDestroy(binary);
}

/* Nothing to be done: no such instruction, or of types for which there is no function. */
static void others_stay(void **state)
{
	static const char *const texts[] = { START END, START "%a = OpIAdd %uint %one %one\n" END,
		START "%a = OpBitCount %uint %one\n" END,
		START "%a = OpUDotKHR %uint %three %three\n" END };
	struct lowered lower;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		spv_binary binary = assemble(texts[i]);

		assert_int_equal(
			lower_words(binary->code, binary->wordCount * 4, &lower), COMPILE_OK);
		assert_null(lower.source);
		finish_lowered(&lower);
		spvBinaryDestroy(binary);
	}
}

/* Damaged modules are refused or become something; the sanitizers see that no more happens. */
static void damage_is_survived(void **state)
{
	spv_binary binary = assemble(all);
	const size_t n = binary->wordCount;
	uint32_t *words = malloc(n * 4);
	struct lowered lower;
	unsigned refused = 0;
	uint64_t random = 1, seed = 0;

	(void)state;
	assert_non_null(words);
	for (int i = 0; i < 4000; i++) {
		size_t size = n;

		memcpy(words, binary->code, n * 4);
		for (int k = 0; k <= i % 3; k++) {
			seed = test_random(&random);
			words[(seed >> 8) % n] =
				i % 2 ? (uint32_t)(seed >> 20) : words[(seed >> 16) % n];
		}
		if (i % 5 == 0)
			size = (seed >> 8) % n;
		refused += lower_words(words, size * 4, &lower) != COMPILE_OK;
		if (lower.source)
			spirv_lower_hide(&lower.module);
		finish_lowered(&lower);
	}
	assert_in_range(refused, 500, 3999);
	free(words);
	spvBinaryDestroy(binary);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_become_calls),
		cmocka_unit_test(builtins_are_merged),
		cmocka_unit_test(others_stay),
		cmocka_unit_test(damage_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
