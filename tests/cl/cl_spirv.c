// SPDX-License-Identifier: MIT
#include "cl/cl_spirv.h"

#include "cl/cl_case.h"

#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t *cl_spirv_assemble(const char *text, unsigned minor, size_t *size)
{
	static const spv_target_env versions[] = { SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1,
		SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3, SPV_ENV_UNIVERSAL_1_4,
		SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6 };
	spv_context context = spvContextCreate(versions[minor]);
	spv_diagnostic diagnostic = NULL;
	spv_binary binary = NULL;

	if (spvTextToBinary(context, text, strlen(text), &binary, &diagnostic)) {
		fprintf(stderr, "%s\n", text);
		spvDiagnosticPrint(diagnostic);
		fail();
	}
	*size = binary->wordCount * sizeof *binary->code;
	uint32_t *words = malloc(*size);
	assert_true(words);
	memcpy(words, binary->code, *size);
	spvBinaryDestroy(binary);
	spvContextDestroy(context);
	return words;
}
