// SPDX-License-Identifier: MIT
#include "compile/build/kernel_lines.h"

#include "compile/base/pool.h"
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

/*
 * Takes what is built, and of it the part that has the debug information of that code: native code,
 * or a file within it. NULL: it has other code, or none.
 */
static void *take_same(struct compile_result *built, const char *kernel, const void *code,
	size_t code_size, size_t *size)
{
	size_t same_size;
	const void *same = dwarf_lines_code(built->native, built->native_size, kernel, &same_size);
	void *found = NULL;

	if (!same || same_size != code_size || memcmp(same, code, code_size) != 0)
		return NULL;
	const void *within = dwarf_lines_within(
		built->native, built->native_size, kernel, code, code_size, size);
	if (within) {
		found = bytes_copy(within, *size);
	} else if (has_lines(built->native, built->native_size, kernel)) {
		found = built->native;
		*size = built->native_size;
		built->native = NULL;
	}
	return found;
}

/* Builds the module once more, or the kernel alone, and takes that. */
static void *build_again(const struct compile_request *module, bool is_alone, const char *kernel,
	const void *code, size_t code_size, size_t *size)
{
	struct compile_request request = *module;
	struct compile_result built = { 0 };
	void *longer = NULL, *spirv = NULL, *found = NULL;
	size_t whole_size;

	/* Whether kernels have the implicit argument is decided for all of a module. */
	if (is_alone && module->implicit_args &&
		compile_rewrite(module, COMPILE_REWRITE_IMPLICIT, &longer, &whole_size) !=
			COMPILE_OK)
		return NULL;
	if (is_alone) {
		spirv = spirv_split_kernel(longer ? longer : module->spirv,
			longer ? whole_size : module->spirv_size, kernel, &request.spirv_size);
		request.spirv = spirv;
		request.implicit_args = false;
	}
	request.outputs = COMPILE_NATIVE;
	if (request.spirv && compile_build(&request, &built) == COMPILE_OK)
		found = take_same(&built, kernel, code, code_size, size);
	compile_result_finish(&built);
	free(longer);
	free(spirv);
	return found;
}

const void *kernel_debug_find(const struct compile_request *module, const void *native,
	size_t native_size, const char *kernel, size_t *size, void **again)
{
	size_t code_size;
	const void *code = dwarf_lines_code(native, native_size, kernel, &code_size);

	*again = NULL;
	*size = native_size;
	if (has_lines(native, native_size, kernel))
		return native;
	const void *within =
		code ? dwarf_lines_within(native, native_size, kernel, code, code_size, size)
		     : NULL;
	for (int is_alone = 0; !within && code && module->spirv && is_alone < 2 && !*again;
		is_alone++)
		*again = build_again(module, is_alone, kernel, code, code_size, size);
	if (!within && !*again)
		*size = 0;
	return within ? within : *again;
}

void kernel_lines_find(struct dwarf_lines *lines, const struct compile_request *module,
	const void *native, size_t native_size, const char *kernel)
{
	void *again;
	size_t size;
	const void *found = kernel_debug_find(module, native, native_size, kernel, &size, &again);

	*lines = (struct dwarf_lines){ 0 };
	if (found)
		dwarf_lines_read(lines, found, size, kernel);
	free(again);
}
