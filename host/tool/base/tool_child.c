// SPDX-License-Identifier: MIT
#include "tool/base/tool_child.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/base/tool_output.h"

int tool_child_become(const char *command, char *const *argv)
{
	execvp(argv[0], argv);
	int why = errno;
	fprintf(stderr, "zerocl %s: %s: %s\n", command, argv[0], strerror(why));
	return why == ENOENT ? TOOL_NOT_FOUND : TOOL_CANNOT_RUN;
}

int tool_child_status(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : TOOL_SIGNAL + WTERMSIG(status);
}

/* What waitpid tells; of a child that is not there, as if it had ended so. */
static int wait_for(pid_t pid)
{
	int status = TOOL_CANNOT_RUN << 8;

	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

int tool_child_wait(pid_t pid)
{
	return tool_child_status(wait_for(pid));
}

/* ---- programs that are reported about ---- */

static const int passed[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
enum { PASSED = sizeof passed / sizeof *passed };
static volatile pid_t attended;

/* The terminal tells both; a process that tells this one means the program. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code <= 0 && attended > 0)
		kill(attended, number);
}

/* Instead of what the signals did before, which `old` gets; those that are ignored stay so. */
static void attend(struct sigaction old[PASSED])
{
	struct sigaction now = { .sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART };

	for (unsigned i = 0; i < PASSED; i++)
		if (!sigaction(passed[i], NULL, &old[i]) && old[i].sa_handler != SIG_IGN)
			sigaction(passed[i], &now, NULL);
}

static void leave(const struct sigaction old[PASSED])
{
	for (unsigned i = 0; i < PASSED; i++)
		sigaction(passed[i], &old[i], NULL);
}

int tool_child_run(const char *command, char *const *argv)
{
	struct sigaction old[PASSED] = { 0 };
	sigset_t all, mask;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &mask); /* until it is known whom to tell */
	attend(old);
	pid_t pid = attended = fork();
	if (pid == 0)
		leave(old);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (pid == 0)
		_exit(tool_child_become(command, argv));
	int status = wait_for(pid), number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	attended = 0;
	leave(old);
	if (number)
		fprintf(stderr, "zerocl %s: %s was ended by signal %d (%s)\n", command, argv[0],
			number, strsignal(number));
	return tool_child_status(status);
}

char *tool_child_text(void (*body)(const void *data), const void *data, int *status)
{
	int fd = memfd_create("zerocl", MFD_CLOEXEC);
	char path[64];

	fflush(NULL); /* what the child would write too */
	pid_t pid = fd < 0 ? -1 : fork();
	if (pid == 0) {
		dup2(fd, STDOUT_FILENO);
		body(data);
		fflush(stdout);
		_exit(0);
	}
	*status = tool_child_wait(pid);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	char *text = fd < 0 ? NULL : tool_output_read(path);
	if (fd >= 0)
		close(fd);
	return text;
}

void tool_child_own(char path[PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);

	path[length > 0 ? length : 0] = 0;
}

/* Makes a file or a folder of a new name. */
static bool make(const char *command, char path[PATH_MAX], bool is_folder)
{
	const char *folder = getenv("TMPDIR");
	int length =
		snprintf(path, PATH_MAX, "%s/zerocl-%s-XXXXXX", folder ? folder : "/tmp", command);
	int fd = -1;

	if (length < PATH_MAX && (is_folder ? mkdtemp(path) != NULL : (fd = mkstemp(path)) >= 0)) {
		if (fd >= 0)
			close(fd);
		return true;
	}
	fprintf(stderr, "zerocl %s: no temporary %s can be made in %s\n", command,
		is_folder ? "folder" : "file", folder ? folder : "/tmp");
	return false;
}

bool tool_child_file(const char *command, char path[PATH_MAX])
{
	return make(command, path, false);
}

bool tool_child_folder(const char *command, char path[PATH_MAX])
{
	return make(command, path, true);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status, (void)type, (void)walk;
	return remove(path);
}

void tool_child_clean(const char *folder)
{
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
