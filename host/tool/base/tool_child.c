// SPDX-License-Identifier: MIT
#include "tool/base/tool_child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* As shells say it. */
enum { STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127, STATUS_SIGNAL = 128 };

int tool_child_run(const char *command, char *const *argv)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execvp(argv[0], argv);
		fprintf(stderr, "zerocl %s: %s: %s\n", command, argv[0], strerror(errno));
		_exit(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			pid = -1;
	if (pid < 0)
		return STATUS_CANNOT_RUN;
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_SIGNAL + WTERMSIG(status);
}

bool tool_child_file(const char *command, char path[PATH_MAX])
{
	const char *folder = getenv("TMPDIR");
	int length =
		snprintf(path, PATH_MAX, "%s/zerocl-%s-XXXXXX", folder ? folder : "/tmp", command);
	int fd = length < PATH_MAX ? mkstemp(path) : -1;

	if (fd < 0) {
		fprintf(stderr, "zerocl %s: no temporary file can be made in %s\n", command,
			folder ? folder : "/tmp");
		return false;
	}
	close(fd);
	return true;
}
