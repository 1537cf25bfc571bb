// SPDX-License-Identifier: MIT
#include "compile/cc/spirv_tools.h"

/* Defined in the header, for every file that includes it. */
#define kDefaultMaxIdBound spirv_tools_max_id_bound
#include <spirv-tools/libspirv.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Whether the validator stopped at a number that is younger than it: "Invalid opcode: 6090",
 * "Invalid decoration operand: 6141". What it says of operands that it does know begins otherwise
 * or has no number ("Expected int scalar or vector type as operand: BitReverse").
 */
static bool is_unknown(const char *error)
{
	static const char invalid[] = "Invalid ", operand[] = " operand: ";
	const char *number = strstr(error, operand);

	if (strncmp(error, invalid, strlen(invalid)) != 0)
		return false;
	error += strlen(invalid);
	return !strncmp(error, "opcode: ", 8) || !strncmp(error, "SPIR-V binary version", 21) ||
	       (number && isdigit((unsigned char)number[strlen(operand)]));
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
