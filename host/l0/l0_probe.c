// SPDX-License-Identifier: MIT
#include "l0/l0_probe.h"

#include "l0/l0_private.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 10000

static bool look(char *why, size_t size)
{
	const char *reason = why;

	if (!l0_loader_load(&reason, NULL)) {
		snprintf(why, size, "%s", reason);
		return false;
	}
	return l0_devices_find(why, size);
}

/* Where it is noted that `gpu` worked since the machine was started; false: nowhere. */
static bool note_path(char *path, size_t size)
{
	const char *folder = secure_getenv("XDG_RUNTIME_DIR");

	return folder && snprintf(path, size, "%s/zerocl-gpu", folder) < (int)size;
}

static bool is_noted(const char *gpu)
{
	char path[PATH_MAX], text[512] = "";
	FILE *file = note_path(path, sizeof(path)) ? fopen(path, "re") : NULL;

	if (!file)
		return false;
	size_t length = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	return length && !strcmp(text, gpu);
}

void l0_probe_note(const char *gpu)
{
	char path[PATH_MAX], other[PATH_MAX + 16];

	if (!note_path(path, sizeof(path)))
		return;
	snprintf(other, sizeof(other), "%s.%ld", path, (long)getpid());
	FILE *file = *gpu ? fopen(other, "wxe") : NULL;
	if (!file) {
		unlink(path);
		return;
	}
	fputs(gpu, file);
	if (fclose(file) || rename(other, path))
		unlink(other);
}

bool l0_probe(const char *gpu, char *why, size_t size)
{
	if (is_noted(gpu))
		return true;
	if (!l0_probe_by(look, why, size))
		return false;
	l0_probe_note(gpu);
	return true;
}

/* In the child: writes '+', or '-' and the reason. */
__attribute__((noreturn)) static void tell(int fd, bool (*look_)(char *why, size_t size))
{
	char text[256] = "-";

	if (look_(text + 1, sizeof(text) - 1))
		text[0] = '+';
	_exit(write(fd, text, strlen(text)) < 0);
}

bool l0_probe_by(bool (*look_)(char *why, size_t size), char *why, size_t size)
{
	char text[256] = "";
	int ends[2];
	pid_t child = -1;

	if (!pipe2(ends, O_CLOEXEC)) {
		child = fork();
		if (child == 0)
			tell(ends[1], look_);
		close(ends[1]);
		struct pollfd end = { .fd = ends[0], .events = POLLIN };
		if (child > 0 && poll(&end, 1, PATIENCE_MS) > 0 &&
			read(ends[0], text, sizeof(text) - 1) < 0)
			text[0] = '\0';
		close(ends[0]);
	}
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	/* Without a child there is no answer: the driver is tried here. */
	if (child < 0 || text[0] == '+')
		return true;
	snprintf(why, size, "%s", text[0] == '-' ? text + 1 : "it does not come back from zeInit");
	return false;
}
