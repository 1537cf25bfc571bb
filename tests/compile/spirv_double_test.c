// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_double.h"

#include "compile/spirv/spirv_lower.h"
#include "spirv_fixture.h"

#define HEAD                                                                                       \
	"OpCapability Kernel\nOpCapability Addresses\nOpCapability Float64\nOpCapability Int64\n"  \
	"OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\"\n"
#define TYPES                                                                                      \
	"OpName %d \"double\"\nOpName %u \"ulong\"\nOpDecorate %i FPRoundingMode RTP\n"            \
	"%void = OpTypeVoid\n%bool = OpTypeBool\n%d = OpTypeFloat 64\n%d2 = OpTypeVector %d 2\n"   \
	"%f = OpTypeFloat 32\n%u = OpTypeInt 64 0\n%u2 = OpTypeVector %u 2\n"                      \
	"%b2 = OpTypeVector %bool 2\n%t = OpTypeStruct %d %u\n"                                    \
	"%fd = OpTypeFunction %void %d %d2\n%fu = OpTypeFunction %void %u %u2\n"                   \
	"%fv = OpTypeFunction %void\n%one = OpConstant %d 1\n%bits = OpConstant %u 7\n"            \
	"%two = OpConstantComposite %d2 %one %one\n"

static const char program[] =
	HEAD TYPES "%g = OpFunction %void None %fd\n%p = OpFunctionParameter %d\n"
		   "%q = OpFunctionParameter %d2\n%gl = OpLabel\n%a = OpFAdd %d2 %q %q\n"
		   "%c = OpFOrdLessThan %b2 %a %q\n%s = OpSelect %d2 %c %a %q\nOpReturn\n"
		   "OpFunctionEnd\n%k = OpFunction %void None %fv\n%l = OpLabel\n"
		   "%x = OpBitcast %u %one\n%y = OpBitcast %d %bits\n%z = OpFMul %d %y %one\n"
		   "%i = OpConvertFToS %u %z\n%n = OpFConvert %f %z\n"
		   "%w = OpFunctionCall %void %g %one %two\nOpReturn\nOpFunctionEnd\n";

/* Doubles are longs, in a type of their own until the linker merges equal ones. */
static void test_types(void **state)
{
	struct spirv_module module;
	char *source;

	(void)state;
	spirv_open_text(program, &module);
	assert_true(spirv_double_wanted(&module));
	assert_int_equal(spirv_double_types(&module), COMPILE_OK);
	assert_false(spirv_double_wanted(&module));
	assert_int_equal(spirv_count(&module, SpvOpTypeFloat), 1);
	assert_int_equal(spirv_count(&module, SpvOpTypeInt), 2);
	assert_int_equal(spirv_count(&module, SpvOpBitcast), 0);
	assert_int_equal(spirv_count(&module, SpvOpCopyObject), 2);
	/* what computes with them becomes calls */
	assert_int_equal(spirv_lower(&module, SPIRV_LOWER_DOUBLE_CORE, &source), COMPILE_OK);
	assert_non_null(source);
	assert_int_equal(spirv_count(&module, SpvOpFunctionCall), 6);
	assert_int_equal(spirv_count(&module, SpvOpFAdd) + spirv_count(&module, SpvOpFMul), 0);
	assert_non_null(strstr(source, "double_to_long(as_ulong(x), 2u, 0u)"));
	free(source);
	spirv_module_finish(&module);
}

static void test_refused(void **state)
{
	static const char computed[] =
		HEAD "%void = OpTypeVoid\n%d = OpTypeFloat 64\n%fv = OpTypeFunction %void\n"
		     "%one = OpSpecConstant %d 1\n%two = OpSpecConstantOp %d FAdd %one %one\n"
		     "%k = OpFunction %void None %fv\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
	static const char plain[] =
		HEAD "%void = OpTypeVoid\n%fv = OpTypeFunction %void\n"
		     "%k = OpFunction %void None %fv\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
	struct spirv_module module;

	(void)state;
	spirv_open_text(computed, &module);
	assert_int_equal(spirv_double_types(&module), COMPILE_ERROR);
	assert_non_null(strstr(module.why, "specialisation constant"));
	spirv_module_finish(&module);
	spirv_open_text(plain, &module);
	assert_false(spirv_double_wanted(&module));
	spirv_module_finish(&module);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
