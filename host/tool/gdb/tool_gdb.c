// SPDX-License-Identifier: MIT
#include "tool/base/tool_command.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/base/tool_child.h"
#include "tool/base/tool_env.h"
#include "tool/base/tool_options.h"

enum { WAIT_MICROSECONDS = 10000 };

struct options {
	const char *gdb;
	struct tool_list arguments;
	char sources[PATH_MAX]; /* with ':' between */
	bool is_unoptimized;
};

static bool take_source(void *to, const char *file)
{
	struct options *options = to;
	size_t length = strlen(options->sources);
	char path[PATH_MAX];

	return realpath(file, path) &&
	       snprintf(options->sources + length, sizeof options->sources - length, "%s%s",
		       length ? ":" : "", path) < (int)(sizeof options->sources - length);
}

/*
 * Starts a program, which ends with us. In a group of its own, what is typed for GDB does not reach
 * it.
 */
static pid_t start(char **argv, bool has_group)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (has_group)
		setpgid(0, 0);
	else
		signal(SIGINT, SIG_DFL);
	_exit(tool_child_become("gdb", argv));
}

/* Waits for the device to listen at the socket. False, with the exit status, if it never does. */
static bool wait_for_socket(pid_t program, const char *path, int *status)
{
	while (access(path, F_OK) != 0) {
		pid_t ended = waitpid(program, status, WNOHANG);
		if (ended) {
			*status = ended == program ? tool_child_status(*status) : TOOL_CANNOT_RUN;
			return false;
		}
		usleep(WAIT_MICROSECONDS);
	}
	return true;
}

/*
 * What GDB is to be told first, in a file. It tells the device which thread is meant when it reads
 * memory, but not for `monitor`: so that reads a byte, of the registers, first.
 */
static bool write_setup(const char *path)
{
	FILE *file = fopen(path, "we");

	if (!file)
		return false;
	fputs("set print thread-events off\nset breakpoint pending on\n"
	      "define hook-monitor\nset $_zerocl = *(char *)0x0b00000000000000\nend\n",
		file);
	return fclose(file) == 0;
}

static pid_t start_gdb(const struct options *options, const char *path)
{
	char target[PATH_MAX + 32], setup[PATH_MAX + 32];
	char *argv[sizeof options->arguments.items / sizeof(char *) + 8] = { (char *)options->gdb,
		"-q", "-x", setup, "-ex", target };
	size_t count = 6;

	snprintf(target, sizeof target, "target remote %s", path);
	snprintf(setup, sizeof setup, "%s.gdb", path);
	if (!write_setup(setup)) {
		perror("zerocl gdb");
		return -1;
	}
	for (size_t i = 0; i < options->arguments.n; i++)
		argv[count++] = (char *)options->arguments.items[i];
	argv[count] = NULL;
	return start(argv, false);
}

/* Runs both. The program goes on to its end when GDB has left it. */
static int debug(const struct options *options, char **argv, const char *path)
{
	pid_t program = start(argv, true);
	int status;

	if (program < 0) {
		perror("zerocl gdb");
		return TOOL_CANNOT_RUN;
	}
	if (!wait_for_socket(program, path, &status)) {
		if (status != TOOL_NOT_FOUND && status != TOOL_CANNOT_RUN)
			fprintf(stderr, "zerocl gdb: the program has ended and run no kernel\n");
		return status;
	}
	signal(SIGINT, SIG_IGN);
	pid_t gdb = start_gdb(options, path);
	int gdb_status = gdb > 0 ? tool_child_wait(gdb) : TOOL_CANNOT_RUN;
	if (gdb_status == TOOL_NOT_FOUND || gdb_status == TOOL_CANNOT_RUN) {
		kill(program, SIGKILL); /* it would wait for ever */
		tool_child_wait(program);
		return TOOL_FAILED;
	}
	return tool_child_wait(program);
}

int tool_gdb(int argc, char **argv)
{
	char folder[PATH_MAX], path[PATH_MAX + 8];
	struct options options = { .gdb = "gdb" };
	const struct tool_option rows[] = { { "source", 0, take_source, &options },
		{ "unoptimized", 0, tool_option_flag, &options.is_unoptimized },
		{ "gdb", 0, tool_option_text, &options.gdb },
		{ "gdb-arg", 0, tool_option_list, &options.arguments }, { 0 } };
	int first = tool_options_read("gdb", rows, 1, INT_MAX, argc, argv);

	if (first <= 0)
		return -first;
	if (!tool_env_need("gdb"))
		return TOOL_FAILED;
	if (!tool_child_folder("gdb", folder))
		return TOOL_FAILED;
	snprintf(path, sizeof path, "%s/socket", folder);
	setenv("ZEROCL_VGPU_GDB", path, 1);
	if (options.sources[0])
		setenv("ZEROCL_VGPU_GDB_SOURCE", options.sources, 1);
	if (options.is_unoptimized)
		setenv("ZEROCL_BUILD_OPTIONS", "-cl-opt-disable", 1);
	setenv("ZEROCL_DEVICE", "vgpu", 0);
	int status = debug(&options, argv + first, path);
	tool_child_clean(folder);
	return status;
}
