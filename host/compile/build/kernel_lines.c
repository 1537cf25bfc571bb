// SPDX-License-Identifier: MIT
#include "compile/build/kernel_lines.h"

#include "compile/build/compile_rewrite.h"
#include "compile/spirv/spirv_split.h"

#include <stdlib.h>
#include <string.h>

static bool has_lines(const void *native, size_t size, const char *kernel)
{
	struct dwarf_lines lines;

	dwarf_lines_read(&lines, native, size, kernel);
	bool has = lines.n > 0;
	dwarf_lines_finish(&lines);
	return has;
}

/* Builds the kernel alone. Returns its native code, to be freed, if its machine code is the same.
 */
static void *build_alone(const struct compile_request *module, const char *kernel, const void *code,
	size_t code_size, size_t *size)
{
	struct compile_request request = *module;
	struct compile_result alone = { 0 };
	void *longer = NULL, *native = NULL;
	size_t whole_size, alone_size;

	/* Whether kernels have the implicit argument is decided for all of a module. */
	if (module->implicit_args &&
		compile_rewrite_implicit(module, &longer, &whole_size) != COMPILE_OK)
		return NULL;
	void *spirv = spirv_split_kernel(longer ? longer : module->spirv,
		longer ? whole_size : module->spirv_size, kernel, &request.spirv_size);
	request.spirv = spirv;
	request.implicit_args = false;
	request.outputs = COMPILE_NATIVE;
	if (spirv && compile_build(&request, &alone) == COMPILE_OK) {
		const void *same =
			dwarf_lines_code(alone.native, alone.native_size, kernel, &alone_size);
		if (same && alone_size == code_size && !memcmp(same, code, code_size)) {
			native = alone.native;
			*size = alone.native_size;
			alone.native = NULL;
		}
	}
	compile_result_finish(&alone);
	free(longer);
	free(spirv);
	return native;
}

const void *kernel_debug_find(const struct compile_request *module, const void *native,
	size_t native_size, const char *kernel, size_t *size, void **alone)
{
	size_t code_size;
	const void *code = dwarf_lines_code(native, native_size, kernel, &code_size);

	*alone = NULL;
	*size = native_size;
	if (has_lines(native, native_size, kernel))
		return native;
	*size = 0;
	if (code && module->spirv)
		*alone = build_alone(module, kernel, code, code_size, size);
	return *alone;
}

void kernel_lines_find(struct dwarf_lines *lines, const struct compile_request *module,
	const void *native, size_t native_size, const char *kernel)
{
	void *alone;
	size_t size;
	const void *found = kernel_debug_find(module, native, native_size, kernel, &size, &alone);

	*lines = (struct dwarf_lines){ 0 };
	if (found)
		dwarf_lines_read(lines, found, size, kernel);
	free(alone);
}
