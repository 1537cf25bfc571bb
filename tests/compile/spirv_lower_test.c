// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_lower.h"

#include "spirv_fixture.h"

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

static char *source; /* NULL: nothing was done */

static enum compile_status lower(struct spirv_module *module)
{
	return spirv_lower(module, SPIRV_LOWER_LACKING | SPIRV_LOWER_FAST, &source);
}

static void instructions_become_calls(void **state)
{
	struct spirv_module module;

	(void)state;
	spirv_open_text(all, &module);
	assert_int_equal(lower(&module), COMPILE_OK);
	assert_non_null(source);
	assert_int_equal(spirv_count(&module, SpvOpFunctionCall), 8);
	assert_int_equal(spirv_count(&module, SpvOpBitReverse), 0);
	assert_int_equal(spirv_count(&module, 4431), 0);
	/* one function for both reversals */
	assert_int_equal(spirv_count(&module, SpvOpFunction), 1 + 7);
	assert_int_equal(spirv_count(&module, SpvOpDecorate), 7);
	assert_non_null(strstr(
		source, "uint zerocl_lower_0(uint a)\n{ return LOWER_REVERSE(uint, int, ); }"));
	assert_non_null(strstr(source, "uint3 zerocl_lower_1(uint3 a, uint3 b, uint c, uint d)\n"
				       "{ return LOWER_INSERT(uint3, int3, 3); }"));
	assert_non_null(strstr(source, "return LOWER_SIGNED_EXTRACT(uint, int, )"));
	assert_non_null(strstr(source, "float zerocl_lower_3(float a, uint b)\n"
				       "{ return LOWER_ROTATE(float, float, ); }"));
	assert_non_null(strstr(source, "uint3 zerocl_lower_4(uint3 a, uint b, uint c)\n"
				       "{ return LOWER_CLUSTER(uint3, int3, 3); }"));
	assert_non_null(strstr(source, "uint zerocl_lower_5(uchar4 a, uchar4 b, uint c)\n"
				       "{ return LOWER_SUM_SU(uint, int, ); }"));
	assert_non_null(strstr(source, "uint zerocl_lower_6(uint a, uint b)\n"
				       "{ return LOWER_DOT_UU(uint, int, ); }"));
	/* what they are made of, once */
	const char *bits = strstr(source, "#define bit_reverse ");
	assert_non_null(bits);
	assert_null(strstr(bits + 1, "#define bit_reverse "));
	assert_non_null(strstr(source, "#define LOWER_REVERSE("));
	free(source);
	spirv_module_finish(&module);
}

/* Nothing to be done: no such instruction, or of types for which there is no function. */
static void others_stay(void **state)
{
	static const char *const texts[] = { START END, START "%a = OpIAdd %uint %one %one\n" END,
		START "%a = OpBitCount %uint %one\n" END,
		START "%a = OpUDotKHR %uint %three %three\n" END };
	struct spirv_module module;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		spirv_open_text(texts[i], &module);
		assert_int_equal(lower(&module), COMPILE_OK);
		assert_null(source);
		spirv_module_finish(&module);
	}
}

static bool changes(struct spirv_module *module)
{
	const bool is_changed = lower(module) == COMPILE_OK && source;

	free(source);
	return is_changed;
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
		cmocka_unit_test(instructions_become_calls),
		cmocka_unit_test(others_stay),
		cmocka_unit_test(damage_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
