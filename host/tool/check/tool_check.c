// SPDX-License-Identifier: MIT
#include "tool/base/tool_command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/check/check.h"
#include "tool/base/tool_child.h"
#include "tool/base/tool_env.h"
#include "tool/base/tool_options.h"
#include "tool/base/tool_output.h"

struct options {
	const char *tools, *output, *suppressions;
	struct tool_formats formats;
	struct tool_list sources;
	uint64_t status;
};

/* A list of which all words are names of tools. */
static bool take_tools(void *to, const char *list)
{
	static const char *const names[] = { "1", "races", "memory", "init", "barriers", "lanes",
		"numbers", "nan" };

	*(const char **)to = list;
	while (*list) {
		size_t length = strcspn(list, ","), i = 0;
		while (i < sizeof names / sizeof *names &&
			(strlen(names[i]) != length || strncmp(list, names[i], length) != 0))
			i++;
		if (i == sizeof names / sizeof *names)
			return false;
		list += length + (list[length] != 0);
	}
	return true;
}

/* Runs the program with a file for findings, and reports what is in there. */
static int check(const struct options *options, char **program, const char *suppressions)
{
	struct check_findings findings = { 0 };
	char path[PATH_MAX];

	if (!tool_child_file("check", path))
		return TOOL_FAILED;
	setenv("ZEROCL_VGPU_CHECK", options->tools, 1);
	setenv("ZEROCL_VGPU_CHECK_OUTPUT", path, 1);
	tool_env_put_vgpu();
	int status = tool_child_run("check", program);
	bool done = check_findings_read(&findings, path, options->sources.items, options->sources.n,
			    suppressions) &&
		    tool_output_report("check", options->output, &options->formats, &findings);
	if (json_array_size(findings.list))
		status = (int)options->status;
	check_findings_finish(&findings);
	unlink(path);
	return done ? status : TOOL_FAILED;
}

int tool_check(int argc, char **argv)
{
	struct options options = { .tools = "1", .formats.rows = check_formats, .status = 1 };
	const struct tool_option rows[] = { { "tools", 0, take_tools, &options.tools },
		{ "format", 0, tool_option_format, &options.formats },
		{ "output", 'o', tool_option_output, &options.output },
		{ "source", 0, tool_option_files, &options.sources },
		{ "suppressions", 0, tool_option_text, &options.suppressions },
		{ "error-exitcode", 0, tool_option_status, &options.status }, { 0 } };
	int first = tool_options_read("check", rows, 1, INT_MAX, argc, argv);

	if (first <= 0)
		return -first;
	if (!tool_env_need("check"))
		return TOOL_FAILED;
	char *suppressions = options.suppressions ? tool_output_read(options.suppressions) : NULL;
	if (options.suppressions && !suppressions) {
		fprintf(stderr, "zerocl check: %s: %s\n", options.suppressions, strerror(errno));
		return TOOL_FAILED;
	}
	int status = check(&options, argv + first, suppressions);
	free(suppressions);
	return status;
}
