// SPDX-License-Identifier: MIT
#include "spirv_fixture.h"

#include <spirv-tools/libspirv.h>

void spirv_open_text(const char *text, struct spirv_module *module)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	spv_binary binary = NULL;
	spv_diagnostic why = NULL;

	if (spvTextToBinary(context, text, strlen(text), &binary, &why) != SPV_SUCCESS)
		fail_msg("%s", why ? why->error : "the text is no SPIR-V");
	assert_int_equal(
		spirv_module_open(binary->code, binary->wordCount * 4, module), COMPILE_OK);
	spvBinaryDestroy(binary);
	spvContextDestroy(context);
}

void spirv_assert_valid(const struct spirv_module *module)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
	spv_const_binary_t words = { module->words, module->n_words };
	spv_diagnostic why = NULL;

	if (spvValidate(context, &words, &why) != SPV_SUCCESS)
		fail_msg("%s", why ? why->error : "not valid");
	spvContextDestroy(context);
}
