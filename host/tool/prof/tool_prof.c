// SPDX-License-Identifier: MIT
#include "tool/base/tool_command.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/base/tool_child.h"
#include "tool/base/tool_env.h"
#include "tool/prof/prof_format.h"

static const char usage[] =
	"usage: zerocl prof [--format FORM] [--output FILE] [--source FILE]…\n"
	"                   [--baseline FILE [--threshold PERCENT]] -- PROGRAM [ARGUMENT…]\n"
	"Runs a program, and all that it starts, on the virtual device and counts what its "
	"kernels\n"
	"execute: the same numbers in every run. docs/PROF.md says what is counted.\n"
	"  --format FORM        text (the default), html, json, callgrind or folded\n"
	"  --output FILE        where to write to, instead of standard error (text) or output\n"
	"  --source FILE        a file that kernels may be from, to be named in reports\n"
	"  --baseline FILE      what --format json has written earlier, to compare with\n"
	"  --threshold PERCENT  by how much a count may have grown since; default 0\n"
	"The exit status is the program's, or 1 when a count grew.\n";

enum { MOST_SOURCES = 64 };

struct options {
	const char *output, *baseline;
	const struct prof_format *format;
	const char *sources[MOST_SOURCES];
	size_t n_sources;
	double threshold;
};

static bool read_threshold(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && !*end && *value >= 0;
}

/* Reads options up to "--"; returns the first word of the program, or 0 for wrong usage. */
static int read_options(int argc, char **argv, struct options *options)
{
	static const struct option names[] = { { "format", 1, NULL, 'f' },
		{ "output", 1, NULL, 'o' }, { "source", 1, NULL, 's' },
		{ "baseline", 1, NULL, 'b' }, { "threshold", 1, NULL, 't' },
		{ "help", 0, NULL, 'h' }, { 0 } };
	int letter;

	*options = (struct options){ .format = prof_format_find("text") };
	while ((letter = getopt_long(argc, argv, "+h", names, NULL)) != -1)
		switch (letter) {
		case 'f':
			options->format = prof_format_find(optarg);
			if (!options->format)
				return 0;
			break;
		case 'o':
			options->output = optarg;
			break;
		case 's':
			if (options->n_sources < MOST_SOURCES)
				options->sources[options->n_sources++] = optarg;
			break;
		case 'b':
			options->baseline = optarg;
			break;
		case 't':
			if (!read_threshold(optarg, &options->threshold))
				return 0;
			break;
		default:
			return 0;
		}
	return optind < argc ? optind : 0;
}

static bool write_all(
	const struct options *options, const struct prof_report *report, const char *command)
{
	bool is_text = options->format == prof_format_find("text");
	FILE *file = options->output ? fopen(options->output, "w") : is_text ? stderr : stdout;

	if (!file) {
		fprintf(stderr, "zerocl prof: %s: %s\n", options->output, strerror(errno));
		return false;
	}
	options->format->write(file, report, command);
	bool failed = ferror(file) || fflush(file);
	if (options->output)
		failed |= fclose(file) != 0;
	if (failed)
		fprintf(stderr, "zerocl prof: the report could not be written whole\n");
	return !failed;
}

/* Reads what the program has counted, writes and compares it. Returns the exit status. */
static int report(const struct options *options, const char *path, const char *command, int status)
{
	struct prof_report all;
	bool done = prof_report_read(&all, path, options->sources, options->n_sources) &&
		    write_all(options, &all, command);

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
	struct options options;
	char path[PATH_MAX];
	int first = read_options(argc, argv, &options);

	if (!first) {
		bool help = argc > 1 && (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"));
		fputs(usage, help ? stdout : stderr);
		return help ? 0 : TOOL_USAGE;
	}
	if (!tool_env_need("prof"))
		return TOOL_FAILED;
	if (!tool_child_file("prof", path))
		return TOOL_FAILED;
	setenv("ZEROCL_VGPU_PROFILE", path, 1);
	setenv("ZEROCL_DEVICE", "vgpu", 0);
	int status = report(&options, path, argv[first], tool_child_run("prof", argv + first));
	unlink(path);
	return status;
}
