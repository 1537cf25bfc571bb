// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "tool/base/tool_command.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what;
} commands[] = {
#define COMMAND(name, what) { #name, tool_##name, what },
#include "tool/base/command.def"
#undef COMMAND
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static int print_help(FILE *file, int status)
{
	fprintf(file,
		"ZeroCL %s: OpenCL 3.1 for Intel Gen GPUs, real or virtual\n\n"
		"usage: zerocl COMMAND [--help]\n",
		ZEROCL_VERSION);
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(file, "  %-8s  %s\n", commands[i].name, commands[i].what);
	return status;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return print_help(stderr, TOOL_USAGE);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
		return print_help(stdout, 0);
	if (!strcmp(argv[1], "--version")) {
		printf("zerocl %s\n", ZEROCL_VERSION);
		return 0;
	}
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	fprintf(stderr, "zerocl: there is no command \"%s\"\n", argv[1]);
	return print_help(stderr, TOOL_USAGE);
}
