// SPDX-License-Identifier: MIT
#include "l0/l0_probe.h"

#include "l0/l0_private.h"
#include "util/util_settings.h"

#include <errno.h>
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
	const char *folder = util_settings()->user_runtime_folder;

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

/* What the child wrote, "" if it ended without a word. False: it is late. */
static bool listen_to(int fd, char *text, size_t size)
{
	const uint64_t until = l0_host_clock() + PATIENCE_MS * 1000000ull;
	struct pollfd end = { .fd = fd, .events = POLLIN };
	ssize_t got = -1;

	text[0] = '\0';
	while (got < 0) {
		const uint64_t now = l0_host_clock();
		int rc = now < until ? poll(&end, 1, (int)((until - now) / 1000000) + 1) : 0;

		if (!rc)
			return false;
		got = rc > 0 ? read(fd, text, size - 1) : -1;
		if (got < 0 && errno != EINTR)
			got = 0;
	}
	text[got] = '\0';
	return true;
}

bool l0_probe_by(bool (*look_)(char *why, size_t size), char *why, size_t size)
{
	char text[256] = "+"; /* without a child there is no answer: the driver is tried here */
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC))
		return true;
	child = fork();
	if (child == 0)
		tell(ends[1], look_);
	close(ends[1]);
	/* Only a child that is late is surely there still: the application may take the others. */
	if (child > 0 && !listen_to(ends[0], text, sizeof(text)))
		kill(child, SIGKILL);
	close(ends[0]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	if (text[0] == '+')
		return true;
	snprintf(why, size, "%s", text[0] == '-' ? text + 1 : "it does not come back from zeInit");
	return false;
}
