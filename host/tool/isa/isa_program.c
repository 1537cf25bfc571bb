// SPDX-License-Identifier: MIT
#include "tool/isa/isa.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/build/kernel_lines.h"
#include "tool/base/tool_output.h"

/* Names, or their beginnings with a star, of what is shown beside its instructions. */
static const char *const shown[] = { "intel_sub_group_*", "intel_work_group_*", "sub_group_*",
	"work_group_*", "get_sub_group_*", "get_max_sub_group_size", "get_num_sub_groups",
	"get_enqueued_num_sub_groups", "barrier", "mem_fence", "read_mem_fence", "write_mem_fence",
	"atomic_work_item_fence" };

static bool is_shown(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		size_t size = strlen(shown[i]);
		bool star = shown[i][size - 1] == '*';
		size -= star;
		if (star ? length > size : length == size)
			if (!strncmp(name, shown[i], size))
				return true;
	}
	return false;
}

static void add_call(
	struct isa_call **calls, size_t *n, unsigned line, const char *name, size_t length)
{
	struct isa_call *more = reallocarray(*calls, *n + 1, sizeof *more);

	if (!more)
		return;
	*calls = more;
	more[*n].line = line;
	snprintf(more[(*n)++].name, sizeof more->name, "%.*s", (int)length, name);
}

/* Behind a comment or literal that begins at `at`; `at` itself if none does. */
static const char *skip_quiet(const char *at, bool *in_comment)
{
	if (*in_comment || (at[0] == '/' && at[1] == '*')) {
		const char *end = strstr(*in_comment ? at : at + 2, "*/");
		*in_comment = !end;
		return end ? end + 2 : at + strlen(at);
	}
	if (at[0] == '/' && at[1] == '/')
		return at + strlen(at);
	if (*at != '"' && *at != '\'')
		return at;
	char quote = *at++;
	while (*at && *at != quote)
		at += *at == '\\' && at[1] ? 2 : 1;
	return *at ? at + 1 : at;
}

void isa_program_scan(
	const char *text, unsigned line, bool *in_comment, struct isa_call **calls, size_t *n)
{
	const char *at = text;

	while (*at) {
		const char *next = skip_quiet(at, in_comment);
		if (next != at) {
			at = next;
			continue;
		}
		if (!isalpha((unsigned char)*at) && *at != '_') {
			at += isdigit((unsigned char)*at) ? strspn(at, "0123456789abcdefABCDEFxX")
							  : 1;
			continue;
		}
		size_t length = 1;
		while (isalnum((unsigned char)at[length]) || at[length] == '_')
			length++;
		const char *behind = at + length + strspn(at + length, " \t");
		if (*behind == '(' && is_shown(at, length))
			add_call(calls, n, line, at, length);
		at += length;
	}
}

/* The calls of each line. Directives define names, and call nothing. */
static void scan_lines(struct isa_program *program)
{
	bool in_comment = false, directive = false;

	for (size_t i = 0; i < program->n_lines; i++) {
		const char *line = program->lines[i];
		size_t length = strlen(line);
		directive = directive || line[strspn(line, " \t")] == '#';
		if (!directive)
			isa_program_scan(line, (unsigned)i + 1, &in_comment, &program->calls,
				&program->n_calls);
		directive = directive && length && line[length - 1] == '\\';
	}
}

/* The options, what comes behind them, and the folder of the file, where headers may be. */
static char *options_of(const struct isa_program *program, const char *options, const char *more)
{
	char *all = NULL;
	const char *slash = strrchr(program->path, '/');
	int folder = slash ? (int)(slash - program->path) : 0;

	if (asprintf(&all, "%s%s -I \"%.*s\"", options, more, folder ? folder : 1,
		    folder ? program->path : ".") < 0)
		return NULL;
	return all;
}

/* Builds the source; `more` goes behind the options. */
static enum compile_status build(const struct isa_program *program, const char *options,
	const char *more, unsigned outputs, struct compile_result *result)
{
	char *all = options_of(program, options, more);
	const struct compile_request request = { .source = program->source,
		.source_size = strlen(program->source),
		.options = all,
		.family = program->family,
		.outputs = outputs };

	*result = (struct compile_result){ .status = COMPILE_NO_MEMORY };
	if (all)
		compile_build(&request, result);
	free(all);
	return result->status;
}

/* A line of the listing: "/" "* [00F0]  *" "/ (W) mov …", or a label. */
static void add_instruction(struct isa_kernel *kernel, char *line, const struct dwarf_lines *lines)
{
	struct isa_instruction *all =
		reallocarray(kernel->instructions, kernel->n + 1, sizeof *all);
	char *bracket = strchr(line, '['), *text = strstr(line, "*/");

	if (!all)
		return;
	kernel->instructions = all;
	struct isa_instruction *one = &all[kernel->n++];
	*one = (struct isa_instruction){ .text = line };
	if (line[0] != '/' || !bracket || !text)
		return;
	one->is_code = true;
	one->text = text + 2 + (text[2] == ' ');
	one->address = strtoul(bracket + 1, NULL, 16);
	one->line = dwarf_lines_at(lines, one->address);
}

/* The lines of a kernel, if with -g it has the same code. */
static void find_lines(const struct isa_program *program, struct isa_kernel *kernel,
	const char *options, const struct compile_result *module, struct dwarf_lines *lines)
{
	char *all = options_of(program, options, " -g");
	const struct compile_request request = { .spirv = module->spirv,
		.spirv_size = module->spirv_size,
		.options = all,
		.family = program->family };

	if (all)
		kernel_lines_find(lines, &request, program->built.native,
			program->built.native_size, kernel->info->name);
	kernel->has_lines = lines->n;
	free(all);
}

static bool open_kernel(struct isa_program *program, struct isa_kernel *kernel,
	const struct disasm *disasm, const char *options, const struct compile_result *module)
{
	char why[256] = "out of memory";
	struct dwarf_lines lines = { 0 };

	kernel->listing = disasm_kernel(disasm, program->built.native, program->built.native_size,
		kernel->info->name, true, why, sizeof why);
	if (!kernel->listing) {
		if (asprintf(&program->why, "%s: %s", kernel->info->name, why) < 0)
			program->why = NULL;
		return false;
	}
	find_lines(program, kernel, options, module, &lines);
	for (char *line = kernel->listing, *next; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		add_instruction(kernel, line, &lines);
	}
	dwarf_lines_finish(&lines);
	return true;
}

static bool open_kernels(
	struct isa_program *program, const struct disasm *disasm, const char *options)
{
	struct compile_result module;
	bool right = true;

	program->n_kernels = program->reflection.n_kernels;
	program->kernels = calloc(program->n_kernels + 1, sizeof *program->kernels);
	if (!program->kernels)
		return false;
	build(program, options, " -g", COMPILE_SPIRV, &module);
	for (size_t i = 0; i < program->n_kernels && right; i++) {
		program->kernels[i].info = &program->reflection.kernels[i];
		right = open_kernel(program, &program->kernels[i], disasm, options, &module);
	}
	compile_result_finish(&module);
	return right;
}

/* The compiler's log, with the file's path where it has a number. NULL if there is no memory. */
static char *name_file(const char *log, const char *path)
{
	char *text = NULL;
	size_t size, length;
	FILE *file = open_memstream(&text, &size);

	for (; file && *log; log += length + (log[length] != 0)) {
		bool is_own = !strncmp(log, "1:", 2);
		length = strcspn(log, "\n");
		fprintf(file, "%s%.*s\n", is_own ? path : "", (int)(length - is_own), log + is_own);
	}
	return file && !fclose(file) ? text : NULL;
}

bool isa_program_open(struct isa_program *program, const struct disasm *disasm, const char *path,
	const char *family, const char *options)
{
	char why[256] = "";

	*program = (struct isa_program){ .path = path, .family = family };
	program->source = tool_output_read(path);
	if (!program->source) {
		if (asprintf(&program->why, "%s cannot be read", path) < 0)
			program->why = NULL;
		return false;
	}
	if (build(program, options, "", COMPILE_SPIRV | COMPILE_NATIVE, &program->built)) {
		program->why =
			name_file(program->built.log ? program->built.log : "out of memory", path);
		return false;
	}
	if (compile_reflect(program->built.spirv, program->built.spirv_size, program->built.native,
		    program->built.native_size, &program->reflection, why, sizeof why)) {
		program->why = strdup(why);
		return false;
	}
	/* The source is whole while builds need it. */
	if (!open_kernels(program, disasm, options))
		return false;
	program->lines = tool_output_lines(program->source, &program->n_lines);
	scan_lines(program);
	return program->lines;
}

void isa_program_finish(struct isa_program *program)
{
	for (size_t i = 0; i < program->n_kernels && program->kernels; i++) {
		free(program->kernels[i].instructions);
		free(program->kernels[i].listing);
	}
	free(program->kernels);
	free(program->why);
	free(program->calls);
	free(program->lines);
	free(program->source);
	compile_result_finish(&program->built);
	reflection_finish(&program->reflection);
}
