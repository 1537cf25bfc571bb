// SPDX-License-Identifier: MIT
#include "compile/build/compile_helper.h"
#include "compile/cache/compiler_fingerprint.h"
#include "compile/base/helper_protocol.h"
#include "util/util_log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_HELPERS   16
#define HELLO_MS      20000
#define CHILD_CHANNEL 3 /* the helper's end of the socket */

extern char **environ;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
static struct compile_helper helpers[MAX_HELPERS]; /* under lock, as all below */
static pid_t owner;				   /* whose helpers these are */

static void stop_helper(struct compile_helper *helper)
{
	if (helper->channel >= 0)
		close(helper->channel);
	if (helper->output >= 0)
		close(helper->output);
	free(helper->fingerprint);
	helper->fingerprint = NULL;
	helper->channel = helper->output = -1;
	helper->pid = 0;
}

/* After a fork the helpers are the other process's. */
static void own_pool(void)
{
	if (owner == getpid())
		return;
	for (size_t i = 0; i < MAX_HELPERS; i++) {
		if (owner)
			stop_helper(&helpers[i]);
		helpers[i] = (struct compile_helper){ .channel = -1, .output = -1 };
	}
	owner = getpid();
}

static size_t pool_size(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > MAX_HELPERS ? MAX_HELPERS : (size_t)n;
}

/* The environment without LD_PRELOAD: what is preloaded is meant for the application. */
static char **helper_environment(void)
{
	size_t n = 0, out = 0;

	while (environ && environ[n])
		n++;
	char **copy = calloc(n + 1, sizeof(*copy));
	for (size_t i = 0; copy && i < n; i++)
		if (strncmp(environ[i], "LD_PRELOAD=", strlen("LD_PRELOAD=")) != 0)
			copy[out++] = environ[i];
	return copy;
}

static int prepare(
	posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int channel, int output)
{
	sigset_t none, all;
	int rc = 0;

	sigemptyset(&none);
	sigfillset(&all);
	/* In this order: 0, 1 and 2 may be where our own descriptors are. */
	rc |= posix_spawn_file_actions_adddup2(actions, channel, CHILD_CHANNEL);
	rc |= posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
	rc |= posix_spawn_file_actions_adddup2(actions, STDOUT_FILENO, STDERR_FILENO);
	rc |= posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	rc |= posix_spawn_file_actions_addclosefrom_np(actions, CHILD_CHANNEL + 1);
	rc |= posix_spawnattr_setsigmask(attributes, &none);
	rc |= posix_spawnattr_setsigdefault(attributes, &all);
	rc |= posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	return rc;
}

static int spawn(const char *path, int channel, int output)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	char **environment = helper_environment();
	char fd[16], parent[16];
	char *argv[] = { "zerocl-cc", fd, parent, NULL };
	pid_t pid;
	int rc = ENOMEM;

	snprintf(fd, sizeof(fd), "%d", CHILD_CHANNEL);
	snprintf(parent, sizeof(parent), "%d", (int)getpid());
	if (!environment)
		return rc;
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	rc = prepare(&actions, &attributes, channel, output);
	if (!rc)
		rc = posix_spawn(&pid, path, &actions, &attributes, argv, environment);
	/* It forks at once and ends; fails if the application has waited for it already. */
	while (!rc && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	free(environment);
	return rc;
}

/* A copy of `fd` above those that the helper gets new ones for; closes `fd`. */
static int move_up(int fd)
{
	if (fd < 0)
		return -1;
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, CHILD_CHANNEL + 1);
	close(fd);
	return copy;
}

/* Waits for the first message. COMPILE_CRASHED with a text in *why, COMPILE_MISSING too. */
static enum compile_status receive_hello(
	struct compile_helper *helper, const char *path, int64_t deadline_ms, char **why)
{
	struct helper_message hello = { 0 };
	enum compile_status status = COMPILE_CRASHED;
	const int64_t latest_ms = compile_clock_ms() + HELLO_MS;
	const bool is_limited = deadline_ms >= 0 && deadline_ms < latest_ms;
	enum helper_receive rc = helper_message_receive(
		helper->channel, &hello, is_limited ? deadline_ms : latest_ms);
	const char *what = rc == HELPER_RECEIVE_TIMEOUT && is_limited
				   ? "was stopped before it was ready: ZEROCL_BUILD_TIMEOUT"
			   : rc == HELPER_RECEIVE_GARBAGE || rc == HELPER_RECEIVED
				   ? "is of another version of ZeroCL"
				   : "did not start";

	if (rc == HELPER_RECEIVED && hello.type == HELPER_MESSAGE_HELLO) {
		status = hello.result.status;
		pthread_mutex_lock(&lock);
		helper->pid = (pid_t)hello.number;
		pthread_mutex_unlock(&lock);
		if (*hello.text)
			helper->fingerprint = strdup(hello.text);
		if (status == COMPILE_MISSING)
			*why = strdup(hello.result.log);
	}
	if (status != COMPILE_OK && status != COMPILE_MISSING) {
		status = COMPILE_CRASHED;
		if (asprintf(why, "%s %s", path, what) < 0)
			*why = NULL;
	}
	helper_message_finish(&hello);
	return status;
}

/* The helper's socket, whose other end is *channel, and the file for its output. */
static bool connect_to(struct compile_helper *helper, int *channel)
{
	int ends[2];

	*channel = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return false;
	helper->channel = ends[0];
	*channel = move_up(ends[1]);
	helper->output = move_up(memfd_create("zerocl-cc", MFD_CLOEXEC));
	return *channel >= 0 && helper->output >= 0;
}

static enum compile_status start_helper(
	struct compile_helper *helper, int64_t deadline_ms, char **why)
{
	int channel;
	char *path = compile_helper_find(why);
	enum compile_status status = COMPILE_NO_MEMORY;

	if (!path)
		return *why ? COMPILE_MISSING : COMPILE_NO_MEMORY;
	if (connect_to(helper, &channel)) {
		int rc = spawn(path, channel, helper->output);
		/* So that its end is an end of file for us. */
		close(channel);
		channel = -1;
		if (rc == 0) {
			status = receive_hello(helper, path, deadline_ms, why);
		} else {
			status = COMPILE_CRASHED;
			if (asprintf(why, "cannot start %s: %s", path, strerror(rc)) < 0)
				*why = NULL;
		}
	}
	if (channel >= 0)
		close(channel);
	util_log(UTIL_LOG_DEBUG, "compile", "%s as process %d: %s", path, (int)helper->pid,
		status == COMPILE_OK ? "ready"
		: *why		     ? *why
				     : "out of memory");
	free(path);
	return status;
}

/* An idle helper that runs; else a place for one; else NULL. */
static struct compile_helper *choose_helper(void)
{
	struct compile_helper *place = NULL;

	for (size_t i = 0; i < pool_size(); i++) {
		if (helpers[i].is_busy)
			continue;
		if (helpers[i].channel >= 0)
			return &helpers[i];
		if (!place)
			place = &helpers[i];
	}
	return place;
}

size_t compile_helper_room(void)
{
	size_t room = 0;

	pthread_mutex_lock(&lock);
	own_pool();
	for (size_t i = 0; i < pool_size(); i++)
		room += !helpers[i].is_busy;
	pthread_mutex_unlock(&lock);
	return room;
}

static void hash_environment(unsigned char digest[COMPILE_HASH_SIZE])
{
	struct sha256_ctx hash;

	sha256_init(&hash);
	compiler_fingerprint_hash_environment(&hash);
	sha256_digest(&hash, COMPILE_HASH_SIZE, digest);
}

static bool is_current(const struct compile_helper *helper, const unsigned char *environment)
{
	return !memcmp(helper->environment, environment, COMPILE_HASH_SIZE) &&
	       (!helper->fingerprint || compiler_fingerprint_is_current(helper->fingerprint));
}

/* Waits for a place; false when the deadline passes. Under lock. */
static bool wait_for_place(int64_t deadline_ms)
{
	const struct timespec until = { .tv_sec = deadline_ms / 1000,
		.tv_nsec = deadline_ms % 1000 * 1000000 };

	if (deadline_ms < 0)
		return !pthread_cond_wait(&released, &lock);
	return pthread_cond_clockwait(&released, &lock, CLOCK_MONOTONIC, &until) != ETIMEDOUT;
}

enum compile_status compile_helper_acquire(
	bool fresh, int64_t deadline_ms, struct compile_helper **out, char **why)
{
	struct compile_helper *helper;
	enum compile_status status = COMPILE_OK;
	unsigned char environment[COMPILE_HASH_SIZE];

	*why = NULL;
	hash_environment(environment);
	pthread_mutex_lock(&lock);
	own_pool();
	while (!(helper = choose_helper()) && wait_for_place(deadline_ms))
		;
	if (!helper) {
		pthread_mutex_unlock(&lock);
		*why = strdup("no compiler process was free within ZEROCL_BUILD_TIMEOUT");
		return COMPILE_CRASHED;
	}
	helper->is_busy = true;
	if (fresh || !is_current(helper, environment))
		stop_helper(helper);
	pthread_mutex_unlock(&lock);

	memcpy(helper->environment, environment, sizeof(environment));
	if (helper->channel < 0)
		status = start_helper(helper, deadline_ms, why);
	if (status != COMPILE_OK)
		compile_helper_release(helper, false);
	else
		*out = helper;
	return status;
}

void compile_helper_release(struct compile_helper *helper, bool healthy)
{
	pthread_mutex_lock(&lock);
	if (!healthy)
		stop_helper(helper);
	helper->is_busy = false;
	pthread_cond_signal(&released);
	pthread_mutex_unlock(&lock);
}

char *compile_helper_output(const struct compile_helper *helper)
{
	const size_t limit = 64 * 1024;
	char *text = malloc(limit + 1);
	ssize_t size = text ? pread(helper->output, text, limit, 0) : 0;

	if (size <= 0) {
		free(text);
		return NULL;
	}
	text[size] = '\0';
	return text;
}

size_t compile_helper_pids(pid_t *pids, size_t n)
{
	size_t found = 0;

	pthread_mutex_lock(&lock);
	own_pool();
	for (size_t i = 0; i < MAX_HELPERS && found < n; i++)
		if (helpers[i].pid)
			pids[found++] = helpers[i].pid;
	pthread_mutex_unlock(&lock);
	return found;
}

/* For a library that is unloaded; at the end of the process the sockets would close anyway. */
__attribute__((destructor)) static void stop_idle(void)
{
	if (pthread_mutex_trylock(&lock))
		return;
	for (size_t i = 0; owner == getpid() && i < MAX_HELPERS; i++)
		if (!helpers[i].is_busy)
			stop_helper(&helpers[i]);
	pthread_mutex_unlock(&lock);
}
