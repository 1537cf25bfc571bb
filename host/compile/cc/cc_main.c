// SPDX-License-Identifier: MIT
#include "compile/cc/cc_build.h"
#include "compile/cache/compile_cache_folder.h"
#include "compile/cc/clang_pch.h"
#include "compile/cache/compiler_fingerprint.h"
#include "compile/base/helper_protocol.h"
#include "compile/cc/cc_ocloc.h"
#include "util/util_settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * zerocl-cc --prepare FOLDER: makes what serves all programs, for compile_cache_load_shipped.
 *
 * zerocl-cc SOCKET PARENT: the compiler of an application, in a process of its own.
 * compile_helper.c starts it, with stdout and stderr on a file in memory that it reads if we crash.
 * Serves one request after the other until the socket closes, the application ends, or nobody asked
 * for long.
 */

#define IDLE_MS 60000

static int channel;
static pid_t parent;

/*
 * Ends the process with the application, also in the middle of a build. PR_SET_PDEATHSIG would not
 * do: it fires when the thread that started us ends.
 */
static void *watch(void *process_fd)
{
	int process = *(int *)process_fd;
	struct pollfd fds[2] = { { .fd = channel }, { .fd = process, .events = POLLIN } };

	while (poll(fds, 2, -1) <= 0)
		;
	_exit(0);
}

/* Bytes of data that a build may use. */
static uint64_t memory_limit;

/* The compiler ends itself when it gets no memory; the limit is nearly full then. */
static bool is_at_limit(void)
{
	return memory_limit &&
	       mmap(NULL, memory_limit / 8, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED;
}

static void limit_memory(uint32_t mib)
{
	struct rlimit limit;

#ifdef CC_SANITIZED /* a sanitizer's shadow counts as data */
	mib = 0;
#endif
	memory_limit = (uint64_t)mib << 20;
	if (!mib || getrlimit(RLIMIT_DATA, &limit))
		return;
	limit.rlim_cur = memory_limit < limit.rlim_max ? memory_limit : limit.rlim_max;
	setrlimit(RLIMIT_DATA, &limit);
}

static void crashed(int number)
{
	helper_message_send_head(channel,
		is_at_limit() ? HELPER_MESSAGE_NO_MEMORY : HELPER_MESSAGE_CRASH, (uint32_t)number);
	_exit(128 + number);
}

static bool catch_crashes(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
	static char stack[64 * 1024];
	const stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction action = { .sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_RESETHAND };

	if (sigaltstack(&alternate, NULL))
		return false;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (sigaction(signals[i], &action, NULL))
			return false;
	/* A write beyond a limit that the application has fails, and ends nobody. */
	return signal(SIGXFSZ, SIG_IGN) != SIG_ERR;
}

/* The fingerprint of the libraries in memory; those on disk may be newer. */
static char *identity;

static bool send_hello(bool ready, const char *why)
{
	const struct helper_message hello = { .type = HELPER_MESSAGE_HELLO,
		.number = (uint32_t)getpid(),
		.result = { .status = ready ? COMPILE_OK : COMPILE_MISSING,
			.log = ready ? NULL : (char *)(uintptr_t)why },
		.text = identity };

	return helper_message_send(channel, &hello);
}

/* With what was printed since the last request; the next one finds an empty file. */
static bool send_result(const struct compile_result *result)
{
	char text[4096];

	fflush(stdout);
	const ssize_t size = pread(STDOUT_FILENO, text, sizeof text - 1, 0);
	text[size > 0 ? size : 0] = '\0';
	if (ftruncate(STDOUT_FILENO, 0) == 0)
		lseek(STDOUT_FILENO, 0, SEEK_SET);
	const struct helper_message reply = {
		.type = HELPER_MESSAGE_RESULT, .result = *result, .text = text
	};
	return helper_message_send(channel, &reply);
}

/* False when the other side does not speak as it should or is gone. */
static bool serve(const struct helper_message *message)
{
	const struct compile_request *request = &message->request;
	struct compile_result result;

	if (message->type != HELPER_MESSAGE_BUILD ||
		!(request->source || request->spirv || request->n_modules))
		return false;
	/* Relative paths in -I mean the application's directory, which may be gone. */
	if ((!*message->directory || chdir(message->directory) != 0) && chdir("/") != 0)
		_exit(1);
	if (!helper_message_send_head(channel, HELPER_MESSAGE_ACCEPTED, 0))
		return false;
	limit_memory(message->number);
	cc_build(request, message->prefix, &result);
	const bool ok = send_result(&result);
	compile_result_finish(&result);
	return ok;
}

static int application; /* its pidfd, or -1 */

static bool start_watch(void)
{
	pthread_t watcher;

	return !pthread_create(&watcher, NULL, watch, &application);
}

/*
 * Leaves the application's children: an application that waits for all of them must not wait for
 * this process.
 */
static void detach(void)
{
	pid_t child = fork();

	if (child)
		_exit(child < 0);
	setsid();
}

/* The families and options that programs use most. */
static const struct {
	const char *family, *options;
} usual[] = { { "tgllp", "" }, { "tgllp", "-cl-std=CL1.2" }, { "tgllp", "-cl-std=CL2.0" },
	{ "tgllp", "-cl-std=CL3.0" }, { "icllp", "" }, { "skl", "" } };

static int prepare_usual(const char *folder)
{
	static const char source[] = "kernel void k(global float *a) { *a = sqrt(*a); }";
	const char *why = NULL;
	char path[PATH_MAX];

	if (*folder != '/')
		return 2;
	setenv("ZEROCL_CACHE_DIR", folder, 1);
	unsetenv("ZEROCL_CACHE");
	unsetenv("ZEROCL_FRONTEND");
	util_settings_read();
	int cache = compile_cache_open(true, path, sizeof path);
	if (cache < 0 || !cc_ocloc_load(&why)) {
		printf("nothing is prepared: %s\n", why ? why : path);
		return 0;
	}
	close(cache);
	clang_pch_prepare();
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
		const struct compile_request request = { .source = source,
			.source_size = sizeof source - 1,
			.options = usual[i].options,
			.family = usual[i].family,
			.outputs = COMPILE_SPIRV };
		struct compile_result result;

		cc_ocloc_build(&request, "", &result);
		compile_result_finish(&result);
	}
	return 0;
}

/* A build needs again what the last one freed: to get it from the kernel anew takes long. */
static void keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 256 << 20);
	mallopt(M_TOP_PAD, 4 << 20);
}

int main(int argc, char **argv)
{
	const char *why = NULL;
	struct stat status;

	if (argc == 3 && !strcmp(argv[1], "--prepare"))
		return prepare_usual(argv[2]);
	channel = argc == 3 ? atoi(argv[1]) : -1;
	parent = argc == 3 ? (pid_t)atol(argv[2]) : 0;
	if (channel < 0 || fstat(channel, &status) || !S_ISSOCK(status.st_mode)) {
		fputs("zerocl-cc is started by ZeroCL when a program is built; it is of no use "
		      "alone.\n",
			stderr);
		return 2;
	}
	detach();
	keep_memory();
	setvbuf(stdout, NULL, _IONBF, 0);
	application = (int)syscall(SYS_pidfd_open, parent, 0);
	bool ready = cc_ocloc_load(&why);
	identity = ready && cc_ocloc_is_whole() ? compiler_fingerprint_create() : NULL;
	if (!catch_crashes() || !start_watch() || !send_hello(ready, why))
		return 1;
	for (;;) {
		struct helper_message message = { 0 };
		if (helper_message_receive(channel, &message, compile_clock_ms() + IDLE_MS) !=
			HELPER_RECEIVED)
			return 0;
		bool ok = serve(&message);
		helper_message_finish(&message);
		if (!ok)
			return 1;
	}
}
