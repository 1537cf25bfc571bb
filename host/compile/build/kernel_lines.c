// SPDX-License-Identifier: MIT
#include "compile/build/kernel_lines.h"

#include "compile/build/compile_rewrite.h"
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
	/* Whether kernels have the implicit argument is decided for all of a module. */
	size_t whole_size;
	void *longer = NULL;
	if (module->implicit_args &&
		compile_rewrite_implicit(module, &longer, &whole_size) != COMPILE_OK)
		return;
	void *spirv = spirv_split_kernel(longer ? longer : module->spirv,
		longer ? whole_size : module->spirv_size, kernel, &request.spirv_size);
	request.spirv = spirv;
	request.implicit_args = false;
	request.outputs = COMPILE_NATIVE;
	if (spirv && compile_build(&request, &alone) == COMPILE_OK) {
		const void *same =
			dwarf_lines_code(alone.native, alone.native_size, kernel, &alone_size);
		if (same && alone_size == size && !memcmp(same, code, size))
			dwarf_lines_read(lines, alone.native, alone.native_size, kernel);
	}
	compile_result_finish(&alone);
	free(longer);
	free(spirv);
}
