// SPDX-License-Identifier: MIT
#include "compile/build/kernel_lines.h"

#include "compile/spirv/spirv_split.h"

#include <stdlib.h>
#include <string.h>

void kernel_lines_find(struct dwarf_lines *lines, const struct compile_request *module,
	const void *native, size_t native_size, const char *kernel)
{
	struct compile_request request = *module;
	struct compile_result alone = { 0 };
	size_t size, alone_size;
	const void *code = dwarf_lines_code(native, native_size, kernel, &size);

	dwarf_lines_read(lines, native, native_size, kernel);
	if (lines->n || !code || !module->spirv)
		return;
	void *spirv =
		spirv_split_kernel(module->spirv, module->spirv_size, kernel, &request.spirv_size);
	request.spirv = spirv;
	request.outputs = COMPILE_NATIVE;
	if (spirv && compile_build(&request, &alone) == COMPILE_OK) {
		const void *same =
			dwarf_lines_code(alone.native, alone.native_size, kernel, &alone_size);
		if (same && alone_size == size && !memcmp(same, code, size))
			dwarf_lines_read(lines, alone.native, alone.native_size, kernel);
	}
	compile_result_finish(&alone);
	free(spirv);
}
