// SPDX-License-Identifier: MIT
#include "compile/cc/spirv_tools.h"

/* Defined in the header, for every file that includes it. */
#define kDefaultMaxIdBound spirv_tools_max_id_bound
#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the validator says of parts of the format that are younger than it. */
static const char *const unknown[] = { "Invalid opcode:", "Invalid capability operand",
	"Invalid decoration operand", "Invalid execution mode operand",
	"operand: ", "Invalid SPIR-V binary version" };

static bool is_unknown(const char *error)
{
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
		if (strstr(error, unknown[i]))
			return true;
	return false;
}

bool spirv_tools_validate(const void *spirv, size_t size, char **log)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	spv_diagnostic diagnostic = NULL;
	spv_const_binary_t binary = { spirv, size / 4 };
	bool ok = true;

	*log = NULL;
	if (spvValidate(context, &binary, &diagnostic) != SPV_SUCCESS) {
		const char *error = diagnostic ? diagnostic->error : "the SPIR-V is not valid";
		ok = is_unknown(error);
		if (!ok && asprintf(log, "error: SPIR-V: %s\n", error) < 0)
			*log = NULL;
	}
	spvDiagnosticDestroy(diagnostic);
	spvContextDestroy(context);
	return ok;
}
