// SPDX-License-Identifier: MIT
#include "core/program/program_names.h"

#include "compile/build/kernel_lines.h"
#include "compile/base/compile_options.h"
#include "compile/spirv/spirv_look.h"
#include "l0/l0_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the SPIR-V of the code tells of all its kernels. */
static void tell_spirv(const struct program_code *code, struct l0_code *told, size_t *local_bytes)
{
	struct spirv_module module;

	told->has_sub_group_barriers = true;
	for (size_t i = 0; i < code->reflection.n_kernels; i++)
		local_bytes[i] = SIZE_MAX;
	if (!code->spirv)
		return;
	if (spirv_module_open(code->spirv, code->spirv_size, &module) == COMPILE_OK) {
		told->has_sub_group_barriers = spirv_has_sub_group_barriers(&module);
		for (size_t i = 0; i < code->reflection.n_kernels; i++)
			local_bytes[i] =
				spirv_local_bytes(&module, code->reflection.kernels[i].name);
	}
	spirv_module_finish(&module);
}

static void tell_code(
	struct l0_module *module, struct l0_code *code, const struct dwarf_lines *lines)
{
	struct l0_line *rows = calloc(lines->n + 1, sizeof *rows);

	for (size_t i = 0; rows && i < lines->n; i++)
		rows[i] = (struct l0_line){ (uint32_t)lines->rows[i].address, lines->rows[i].line,
			lines->rows[i].column };
	code->lines = rows;
	code->n_lines = rows ? lines->n : 0;
	l0_module_name_kernel(module, code);
	free(rows);
}

/*
 * Makes *module a request for the code once more, with the lines of the source: `code` itself if it
 * has them, else what `request` is built to with -g. False when it has none. The caller finishes
 * *built and frees *options.
 */
static bool find_module(const struct program_code *code, const struct compile_request *request,
	struct compile_request *module, struct compile_result *built, char **options)
{
	*module = program_code_request(code, code->options);
	module->implicit_args = true;
	if (compile_options_have_word(code->options, "-g"))
		return true;
	if (!request || request->modules || asprintf(options, "%s -g", code->options) < 0)
		return false;
	module->options = *options;
	if (!request->source)
		return true;
	struct compile_request again = *request;
	again.options = *options;
	again.outputs = COMPILE_SPIRV;
	if (compile_build(&again, built) != COMPILE_OK)
		return false;
	module->spirv = built->spirv;
	module->spirv_size = built->spirv_size;
	return true;
}

void program_names_tell(const struct program_code *code, const struct compile_request *request)
{
	struct compile_request module;
	struct compile_result built = { 0 };
	char *options = NULL;
	size_t *local_bytes = calloc(code->reflection.n_kernels + 1, sizeof *local_bytes);

	if (!local_bytes || !l0_module_wants_names(code->module)) {
		free(local_bytes);
		return;
	}
	bool has_lines = find_module(code, request, &module, &built, &options);
	struct l0_code told = { .source = request ? request->source : NULL };
	tell_spirv(code, &told, local_bytes);
	for (size_t i = 0; i < code->reflection.n_kernels; i++) {
		const char *kernel = code->reflection.kernels[i].name;
		struct dwarf_lines lines = { 0 };
		void *alone = NULL;
		told.binary = has_lines
				      ? kernel_debug_find(&module, code->native, code->native_size,
						kernel, &told.binary_size, &alone)
				      : NULL;
		if (told.binary)
			dwarf_lines_read(&lines, told.binary, told.binary_size, kernel);
		told.kernel = kernel;
		told.hidden_end = (uint32_t)code->reflection.kernels[i].local_bytes;
		told.hidden_first = local_bytes[i] < told.hidden_end ? (uint32_t)local_bytes[i]
								     : told.hidden_end;
		dwarf_lines_code(code->native, code->native_size, kernel, &told.size);
		tell_code(code->module, &told, &lines);
		dwarf_lines_finish(&lines);
		free(alone);
	}
	compile_result_finish(&built);
	free(options);
	free(local_bytes);
}
