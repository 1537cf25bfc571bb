// SPDX-License-Identifier: MIT
#include "tool/base/tool_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/base/disasm.h"
#include "tool/base/tool_options.h"
#include "tool/base/tool_output.h"
#include "tool/isa/isa.h"

struct options {
	const char *device, *width, *output, *path;
	bool html;
	char *build;
};

/* What stands behind "--", with blanks between. */
static bool join(struct options *options, int argc, char **argv)
{
	size_t size = 1;

	for (int i = 0; i < argc; i++)
		size += strlen(argv[i]) + 1;
	options->build = calloc(1, size);
	for (int i = 0; i < argc && options->build; i++) {
		strcat(options->build, i ? " " : "");
		strcat(options->build, argv[i]);
	}
	return options->build;
}

static bool take_width(void *to, const char *text)
{
	*(const char **)to = text;
	return !strcmp(text, "8") || !strcmp(text, "16") || !strcmp(text, "32");
}

/* Options may also stand behind the file. Returns 1, or the exit status, negative. */
static int parse(struct options *options, int argc, char **argv)
{
	const struct tool_option rows[] = { { "device", 0, tool_option_text, &options->device },
		{ "width", 0, take_width, &options->width },
		{ "output", 'o', tool_option_output, &options->output },
		{ "html", 0, tool_option_flag, &options->html }, { 0 } };
	int file = tool_options_read("isa", rows, 1, INT_MAX, argc, argv);

	if (file <= 0)
		return file;
	options->path = argv[file];
	int rest = tool_options_read("isa", rows, 0, INT_MAX, argc - file, argv + file);
	if (rest <= 0)
		return rest;
	bool is_closed = !strcmp(argv[file + rest - 1], "--");
	if (file + rest < argc && (rest == 1 || !is_closed))
		return -tool_help("isa", TOOL_USAGE);
	return join(options, argc - file - rest, argv + file + rest) ? 1 : -TOOL_FAILED;
}

enum { MOST_DEVICES = 8 };

/* What is shown: the same file for each device. */
struct programs {
	struct isa_program all[MOST_DEVICES];
	size_t n;
	char *names; /* of the devices, cut apart */
};

static void write_text(FILE *out, const struct programs *programs)
{
	for (size_t i = 0; i < programs->n; i++) {
		fputs(i ? "\n" : "", out);
		isa_report_text(out, &programs->all[i]);
	}
}

static bool write_report(const struct options *options, const struct programs *programs)
{
	FILE *out = tool_output_open("isa", options->output, stdout);

	if (!out)
		return false;
	if (options->html)
		isa_report_html(out, programs->all, programs->n);
	else
		write_text(out, programs);
	return tool_output_close("isa", options->output, out);
}

/* False with a sentence on stderr. */
static bool open_programs(
	struct programs *programs, const struct options *options, const struct disasm *disasm)
{
	char *rest = programs->names = strdup(options->device), *name;

	while (rest && (name = strsep(&rest, ",")) != NULL) {
		if (programs->n == MOST_DEVICES) {
			fprintf(stderr, "isa: more than %d devices\n", MOST_DEVICES);
			return false;
		}
		struct isa_program *program = &programs->all[programs->n++];
		if (!isa_program_open(program, disasm, options->path, name, options->build)) {
			fprintf(stderr, "isa: %s\n", program->why ? program->why : "out of memory");
			return false;
		}
	}
	return programs->n > 0;
}

static void close_programs(struct programs *programs)
{
	for (size_t i = 0; i < programs->n; i++)
		isa_program_finish(&programs->all[i]);
	free(programs->names);
}

int tool_isa(int argc, char **argv)
{
	struct options options = { .device = "tgllp" };
	struct programs programs = { .n = 0 };
	char why[256] = "";

	int parsed = parse(&options, argc, argv);
	if (parsed <= 0)
		return -parsed;
	struct disasm *disasm = disasm_open(why, sizeof why);
	if (!disasm) {
		fprintf(stderr, "isa: %s\n", why);
		free(options.build);
		return TOOL_FAILED;
	}
	if (options.width) /* for the compiler's process, and for the name in the cache */
		setenv("IGC_ForceOCLSIMDWidth", options.width, 1);
	bool right =
		open_programs(&programs, &options, disasm) && write_report(&options, &programs);
	close_programs(&programs);
	disasm_close(disasm);
	free(options.build);
	return right ? 0 : TOOL_FAILED;
}
