// SPDX-License-Identifier: MIT
#include "tool/base/tool_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/base/tool_child.h"
#include "tool/base/tool_env.h"
#include "tool/base/tool_options.h"
#include "tool/base/tool_output.h"
#include "tool/prof/prof.h"

struct options {
	const char *output, *baseline;
	struct tool_formats formats;
	struct tool_list sources;
	double threshold;
	bool is_timeline;
};

static bool take_format(void *to, const char *name)
{
	struct options *options = to;

	options->is_timeline = !strcmp(name, "chrome");
	return options->is_timeline || tool_option_format(&options->formats, name);
}

/* What zerocl timeline writes: when calls and commands began and ended. */
static int write_timeline(const struct options *options, int count, char **program)
{
	const char *output = options->output ? options->output : "/dev/stdout";
	char *head[] = { "timeline", "--output", (char *)(size_t)output, "--" };
	const int n = sizeof head / sizeof *head;
	char **argv = calloc((size_t)(n + count) + 1, sizeof *argv);

	if (!argv)
		return TOOL_FAILED;
	memcpy(argv, head, sizeof head);
	memcpy(argv + n, program, (size_t)count * sizeof *argv);
	int status = tool_timeline(n + count, argv);
	free(argv);
	return status;
}

static bool take_threshold(void *to, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	*(double *)to = value;
	return end != text && !*end && value >= 0;
}

/* Reads what the program has counted, writes and compares it. Returns the exit status. */
static int report(const struct options *options, const char *path, const char *command, int status)
{
	struct prof_report all;
	bool done = prof_report_read(&all, path, options->sources.items, options->sources.n);

	all.command = command;
	done = done && tool_output_report("prof", options->output, &options->formats, &all);
	if (done && options->baseline) {
		int grown = prof_compare(stderr, &all, options->baseline, options->threshold);
		status = grown && !status ? TOOL_FAILED : status;
		done = grown >= 0;
	}
	prof_report_finish(&all);
	return done ? status : TOOL_FAILED;
}

int tool_prof(int argc, char **argv)
{
	struct options options = { .formats.rows = prof_formats };
	const struct tool_option rows[] = { { "format", 0, take_format, &options },
		{ "output", 'o', tool_option_output, &options.output },
		{ "source", 0, tool_option_files, &options.sources },
		{ "baseline", 0, tool_option_file, &options.baseline },
		{ "threshold", 0, take_threshold, &options.threshold }, { 0 } };
	char path[PATH_MAX];
	int first = tool_options_read("prof", rows, 1, INT_MAX, argc, argv);

	if (first <= 0)
		return -first;
	if (options.is_timeline)
		return write_timeline(&options, argc - first, argv + first);
	if (!tool_env_need("prof"))
		return TOOL_FAILED;
	if (!tool_child_file("prof", path))
		return TOOL_FAILED;
	setenv("ZEROCL_VGPU_PROFILE", path, 1);
	tool_env_put_vgpu();
	int status = report(&options, path, argv[first], tool_child_run("prof", argv + first));
	unlink(path);
	return status;
}
