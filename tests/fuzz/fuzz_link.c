// SPDX-License-Identifier: MIT
/* SPIR-V that the compiler process validates and links with itself. */
#include "compile/cc/spirv_tools.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct compile_result result;
	uint32_t *words = malloc(size + 4);
	char *log;

	if (!words || !size) {
		free(words);
		return 0;
	}
	memcpy(words, data, size);
	const struct compile_module modules[2] = { { words, size / 4 * 4 },
		{ words, size / 4 * 4 } };
	spirv_link(modules, 1, &result);
	compile_result_finish(&result);
	spirv_link(modules, 2, &result);
	compile_result_finish(&result);
	spirv_tools_validate(words, size / 4 * 4, &log);
	free(log);
	free(words);
	return 0;
}
