// SPDX-License-Identifier: MIT
#include "compile/spirv/lower_version.h"

#include "spirv_fixture.h"

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

/* Nothing of 1.4 is left, and what is there is valid as 1.3. */
static void all_is_lowered(void **state)
{
	struct spirv_module module;

	(void)state;
	spirv_open_text(all, &module);
	assert_int_equal(lower_version(&module), COMPILE_OK);
	assert_int_equal(spirv_count(&module, SpvOpPtrDiff), 0);
	assert_int_equal(spirv_count(&module, SpvOpCopyLogical), 0);
	assert_int_equal(spirv_count(&module, SpvOpSDiv), 2);
	assert_int_equal(spirv_count(&module, SpvOpIEqual), 1);
	assert_int_equal(spirv_count(&module, SpvOpINotEqual), 1);
	assert_int_equal(spirv_count(&module, SpvOpCompositeConstruct), 2);
	assert_int_equal(spirv_count(&module, SpvOpCopyMemory), 0);
	assert_int_equal(spirv_count(&module, SpvOpLoad), 3);
	check_last_copy(&module);
	module.words[1] = 0x10300;
	spirv_assert_valid(&module);
	spirv_module_finish(&module);
}

/* The same words, and not only equal ones. */
static bool changes(struct spirv_module *module)
{
	const uint32_t *before = module->words;

	return lower_version(module) == COMPILE_OK && module->words != before;
}

static void others_stay(void **state)
{
	struct spirv_module module;

	(void)state;
	spirv_open_text(START "%r = OpImageRead %v4 %i %at\n" END, &module);
	assert_false(changes(&module));
	spirv_module_finish(&module);
	spirv_open_text(START END, &module);
	assert_false(changes(&module));
	spirv_module_finish(&module);
}

static void damage_is_survived(void **state)
{
	struct spirv_module whole;

	(void)state;
	spirv_open_text(all, &whole);
	spirv_damage(&whole, changes, 100, 3900);
	spirv_module_finish(&whole);
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
