// SPDX-License-Identifier: MIT
#include "core/program/program_names.h"

#include "compile/build/kernel_lines.h"
#include "compile/base/compile_options.h"
#include "l0/l0_module.h"

#include <stdlib.h>
#include <string.h>

static bool has_debug(const char *options)
{
	struct compile_word word;
	bool is_open;

	while (compile_options_next(&options, &word, &is_open))
		if (word.size == 2 && !memcmp(word.text, "-g", 2))
			return true;
	return false;
}

static void tell_lines(
	struct l0_module *module, const char *kernel, size_t size, const struct dwarf_lines *lines)
{
	struct l0_line *rows = calloc(lines->n + 1, sizeof *rows);

	for (size_t i = 0; rows && i < lines->n; i++)
		rows[i] = (struct l0_line){ (uint32_t)lines->rows[i].address, lines->rows[i].line };
	l0_module_name_kernel(module, kernel, size, rows, rows ? lines->n : 0);
	free(rows);
}

void program_names_tell(const struct program_code *code)
{
	if (!l0_module_wants_names(code->module))
		return;
	const struct compile_request request = { .spirv = code->spirv,
		.spirv_size = code->spirv_size,
		.options = code->options,
		.implicit_args = true,
		.family = code->context->devices[0]->compiler_family };

	for (size_t i = 0; i < code->reflection.n_kernels; i++) {
		const char *kernel = code->reflection.kernels[i].name;
		struct dwarf_lines lines = { 0 };
		if (has_debug(code->options))
			kernel_lines_find(
				&lines, &request, code->native, code->native_size, kernel);
		size_t size;
		dwarf_lines_code(code->native, code->native_size, kernel, &size);
		tell_lines(code->module, kernel, size, &lines);
		dwarf_lines_finish(&lines);
	}
}
