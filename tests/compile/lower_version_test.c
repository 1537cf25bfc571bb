// SPDX-License-Identifier: MIT
#include "compile/spirv/lower_version.h"

#include "test.h"
#include "test_random.h"

#include <stdlib.h>
#include <string.h>

#include <spirv-tools/libspirv.h>

#define START                                                                                      \
	"OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"                        \
	"OpCapability ImageBasic\nOpMemoryModel Physical64 OpenCL\n"                               \
	"OpEntryPoint Kernel %k \"k\"\n"                                                           \
	"%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n"                    \
	"%bool = OpTypeBool\n%v4 = OpTypeVector %uint 4\n%v2 = OpTypeVector %uint 2\n"             \
	"%two = OpConstant %uint 2\n%at = OpConstantComposite %v2 %two %two\n"                     \
	"%img = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n"                                   \
	"%out = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly\n"                                  \
	"%A = OpTypeArray %uint %two\n%B = OpTypeArray %uint %two\n"                               \
	"%S = OpTypeStruct %uint %A\n%T = OpTypeStruct %uint %B\n"                                 \
	"%array = OpConstantComposite %A %two %two\n"                                              \
	"%s = OpConstantComposite %S %two %array\n"                                                \
	"%p = OpTypePointer CrossWorkgroup %uint\n"                                                \
	"%t = OpTypeFunction %void %p %p %img %out\n%k = OpFunction %void None %t\n"               \
	"%a = OpFunctionParameter %p\n%b = OpFunctionParameter %p\n"                               \
	"%i = OpFunctionParameter %img\n%o = OpFunctionParameter %out\n%l = OpLabel\n"
#define END "OpReturn\nOpFunctionEnd\n"

static const char all[] = START "%d = OpPtrDiff %ulong %a %b\n%d32 = OpPtrDiff %uint %a %b\n"
				"%e = OpPtrEqual %bool %a %b\n%n = OpPtrNotEqual %bool %a %b\n"
				"%c = OpCopyLogical %T %s\n"
				"%r = OpImageRead %v4 %i %at SignExtend\n"
				"OpImageWrite %o %at %r ZeroExtend\n"
				"OpCopyMemory %a %b\nOpCopyMemory %a %b Volatile\n"
				"OpCopyMemory %a %b Volatile|Aligned 8 Aligned 4\n" END;

/* What the last copy, which has different operands for each side, becomes. */
static void check_last_copy(const struct spirv_module *module)
{
	struct spirv_inst inst, load = { 0 }, store = { 0 };

	SPIRV_EACH(module, SPIRV_START, module->n_words, inst) {
		if (inst.op == SpvOpLoad)
			load = inst;
		if (inst.op == SpvOpStore)
			store = inst;
	}
	assert_int_equal(load.n, 5);
	assert_int_equal(load.operands[3], SpvMemoryAccessAlignedMask);
	assert_int_equal(load.operands[4], 4);
	assert_int_equal(store.n, 4);
	assert_int_equal(
		store.operands[2], SpvMemoryAccessVolatileMask | SpvMemoryAccessAlignedMask);
	assert_int_equal(store.operands[3], 8);
	assert_int_equal(store.operands[1], load.operands[1]);
}

static spv_binary assemble(const char *text)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_4);
	spv_binary binary = NULL;

	assert_int_equal(spvTextToBinary(context, text, strlen(text), &binary, NULL), SPV_SUCCESS);
	spvContextDestroy(context);
	return binary;
}

static unsigned count(const struct spirv_module *module, SpvOp op)
{
	struct spirv_inst inst;
	unsigned n = 0;

	SPIRV_EACH(module, SPIRV_START, module->n_words, inst)
		n += inst.op == op;
	return n;
}

/* Nothing of 1.4 is left, and what is there is valid as 1.3. */
static void all_is_lowered(void **state)
{
	spv_binary binary = assemble(all);
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
	struct spirv_module module;

	(void)state;
	assert_int_equal(
		spirv_module_open(binary->code, binary->wordCount * 4, &module), COMPILE_OK);
	assert_true(lower_version_wanted(&module));
	assert_int_equal(lower_version(&module), COMPILE_OK);
	assert_false(lower_version_wanted(&module));
	assert_int_equal(count(&module, SpvOpPtrDiff), 0);
	assert_int_equal(count(&module, SpvOpCopyLogical), 0);
	assert_int_equal(count(&module, SpvOpSDiv), 2);
	assert_int_equal(count(&module, SpvOpIEqual), 1);
	assert_int_equal(count(&module, SpvOpINotEqual), 1);
	assert_int_equal(count(&module, SpvOpCompositeConstruct), 2);
	assert_int_equal(count(&module, SpvOpCopyMemory), 0);
	assert_int_equal(count(&module, SpvOpLoad), 3);
	check_last_copy(&module);
	module.words[1] = 0x10300;
	spv_const_binary_t words = { module.words, module.n_words };
	spv_diagnostic diagnostic = NULL;
	if (spvValidate(context, &words, &diagnostic) != SPV_SUCCESS)
		fail_msg("%s", diagnostic ? diagnostic->error : "not valid");
	spirv_module_finish(&module);
	spvContextDestroy(context);
	spvBinaryDestroy(binary);
}

static void others_stay(void **state)
{
	spv_binary binary = assemble(START "%r = OpImageRead %v4 %i %at\n" END);
	struct spirv_module module;

	(void)state;
	assert_int_equal(
		spirv_module_open(binary->code, binary->wordCount * 4, &module), COMPILE_OK);
	assert_false(lower_version_wanted(&module));
	spirv_module_finish(&module);
	spvBinaryDestroy(binary);
}

/* Damaged modules are refused or become something; the sanitizers see that no more happens. */
static void damage_is_survived(void **state)
{
	spv_binary binary = assemble(all);
	const size_t n = binary->wordCount;
	uint32_t *words = malloc(n * 4);
	uint64_t random = 1, seed;
	unsigned refused = 0, lowered = 0;

	(void)state;
	assert_non_null(words);
	for (int i = 0; i < 4000; i++) {
		struct spirv_module module;

		memcpy(words, binary->code, n * 4);
		for (int k = 0; k <= i % 3; k++) {
			seed = test_random(&random);
			words[(seed >> 8) % n] =
				i % 2 ? (uint32_t)(seed >> 20) : words[(seed >> 16) % n];
		}
		if (spirv_module_open(words, n * 4, &module) == COMPILE_OK &&
			lower_version_wanted(&module)) {
			bool is_refused = lower_version(&module) != COMPILE_OK;

			refused += is_refused;
			lowered += !is_refused;
		}
		spirv_module_finish(&module);
	}
	assert_in_range(refused, 10, 3000);
	assert_in_range(lowered, 100, 3900);
	free(words);
	spvBinaryDestroy(binary);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_lowered),
		cmocka_unit_test(others_stay),
		cmocka_unit_test(damage_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
