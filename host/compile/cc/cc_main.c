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

/* As the kernel counts; only by calls that a signal handler may make. */
static uint64_t used_memory(void)
{
	char text[256];
	uint64_t pages = 0;
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC), field = 0;
	ssize_t size = fd < 0 ? 0 : read(fd, text, sizeof text);

	/* The sixth number. */
	for (ssize_t i = 0; i < size && field < 6; i++) {
		if (text[i] == ' ')
			field++;
		else if (field == 5)
			pages = pages * 10 + (uint64_t)(text[i] - '0');
	}
	if (fd >= 0)
		close(fd);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The compiler ends itself when it gets no memory; the limit is nearly full then. */
static bool is_at_limit(void)
{
	return memory_limit && used_memory() > memory_limit - memory_limit / 8;
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

/* Written beforehand: a signal handler cannot put a message together. */
static struct helper_message crash_message;

static void crashed(int number)
{
	/* The field's number is the last thing in the message but its closing zero. */
	uint32_t value = (uint32_t)number;

	if (is_at_limit())
		crash_message.type = HELPER_MESSAGE_NO_MEMORY;
	memcpy(crash_message.data + crash_message.size - 1 - sizeof value, &value, sizeof value);
	helper_message_send(channel, &crash_message);
	_exit(128 + number);
}

static bool catch_crashes(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
	static char stack[64 * 1024];
	const stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction action = { .sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_RESETHAND };

	crash_message.type = HELPER_MESSAGE_CRASH;
	helper_message_put_number(&crash_message, HELPER_FIELD_SIGNAL, 0);
	if (crash_message.broken || sigaltstack(&alternate, NULL))
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
	struct helper_message hello = { .type = HELPER_MESSAGE_HELLO };

	helper_message_put_number(&hello, HELPER_FIELD_PID, (uint32_t)getpid());
	helper_message_put_number(
		&hello, HELPER_FIELD_STATUS, ready ? COMPILE_OK : COMPILE_MISSING);
	if (!ready)
		helper_message_put_text(&hello, HELPER_FIELD_LOG, why);
	if (identity)
		helper_message_put_text(&hello, HELPER_FIELD_FINGERPRINT, identity);
	bool sent = helper_message_send(channel, &hello);
	helper_message_finish(&hello);
	return sent;
}

static bool read_headers(const struct helper_message *message, struct compile_header **out,
	struct compile_request *request)
{
	struct helper_view view;
	size_t n = 0, at = 0;

	while (helper_message_next(message, &at, &view))
		n += view.tag == HELPER_FIELD_HEADER_NAME;
	*out = calloc(n + 1, sizeof **out);
	if (!*out)
		return false;
	request->headers = *out;
	for (at = 0; helper_message_next(message, &at, &view);) {
		if (view.tag != HELPER_FIELD_HEADER_NAME)
			continue;
		struct compile_header *header = &(*out)[request->n_headers++];
		header->name = view.data;
		if (!helper_message_next(message, &at, &view) ||
			view.tag != HELPER_FIELD_HEADER_TEXT)
			return false;
		header->text = view.data;
		header->size = view.size;
	}
	return true;
}

static bool read_request(const struct helper_message *message, struct compile_header **headers,
	struct compile_request *request)
{
	struct helper_view source, spirv, view;

	*request = (struct compile_request){ 0 };
	if (helper_message_find(message, HELPER_FIELD_SOURCE, &source)) {
		request->source = source.data;
		request->source_size = source.size;
	} else if (helper_message_find(message, HELPER_FIELD_SPIRV, &spirv)) {
		request->spirv = spirv.data;
		request->spirv_size = spirv.size;
	} else if (!helper_message_find(message, HELPER_FIELD_MODULE, &view)) {
		return false;
	}
	helper_message_find(message, HELPER_FIELD_OPTIONS, &view);
	request->options = view.data;
	helper_message_find(message, HELPER_FIELD_FAMILY, &view);
	request->family = view.data;
	request->outputs = helper_message_number(message, HELPER_FIELD_OUTPUTS, 0);
	request->soft_double = helper_message_number(message, HELPER_FIELD_SOFT_DOUBLE, 0);
	return read_headers(message, headers, request);
}

/* What was printed since the last request, and an empty file for the next one. */
static void take_output(struct helper_message *reply)
{
	char text[4096];

	fflush(stdout);
	ssize_t size = pread(STDOUT_FILENO, text, sizeof text, 0);
	if (size > 0)
		helper_message_put(reply, HELPER_FIELD_OUTPUT, text, (size_t)size);
	if (ftruncate(STDOUT_FILENO, 0) == 0)
		lseek(STDOUT_FILENO, 0, SEEK_SET);
}

static bool send_result(const struct compile_result *result)
{
	struct helper_message reply = { .type = HELPER_MESSAGE_RESULT };

	helper_message_put_number(&reply, HELPER_FIELD_STATUS, result->status);
	if (result->log)
		helper_message_put_text(&reply, HELPER_FIELD_LOG, result->log);
	if (result->spirv)
		helper_message_put(&reply, HELPER_FIELD_SPIRV, result->spirv, result->spirv_size);
	if (result->native)
		helper_message_put(
			&reply, HELPER_FIELD_NATIVE, result->native, result->native_size);
	take_output(&reply);
	bool sent = helper_message_send(channel, &reply);
	helper_message_finish(&reply);
	return sent;
}

/* The modules of the message, each at an address for words; NULL when out of memory. */
static struct compile_module *read_modules(const struct helper_message *message, size_t *n)
{
	struct compile_module *modules = NULL;
	struct helper_view view;
	size_t count = 0, words = 0;

	for (size_t at = 0; helper_message_next(message, &at, &view);)
		if (view.tag == HELPER_FIELD_MODULE || view.tag == HELPER_FIELD_SPIRV) {
			count++;
			words += view.size / 4 + 1;
		}
	*n = 0;
	modules = malloc((count + 1) * sizeof *modules + words * sizeof(uint32_t));
	uint32_t *next = modules ? (uint32_t *)(void *)(modules + count + 1) : NULL;
	for (size_t at = 0; modules && helper_message_next(message, &at, &view);)
		if (view.tag == HELPER_FIELD_MODULE || view.tag == HELPER_FIELD_SPIRV) {
			memcpy(next, view.data, view.size);
			modules[(*n)++] = (struct compile_module){ next, view.size };
			next += view.size / 4 + 1;
		}
	return modules;
}

/* Builds from the request and the modules of the message; `result` is to be finished. */
static void build(const struct helper_message *message, struct compile_request *request,
	const char *prefix, struct compile_result *result)
{
	size_t n;
	struct compile_module *modules = read_modules(message, &n);

	*result = (struct compile_result){ .status = COMPILE_NO_MEMORY };
	if (!modules)
		return;
	if (request->spirv) {
		request->spirv = modules->spirv;
	} else {
		request->modules = modules;
		request->n_modules = n;
	}
	cc_build(request, prefix, result);
	free(modules);
}

/* False when the other side does not speak as it should or is gone. */
static bool serve(const struct helper_message *message)
{
	const struct helper_message accepted = { .type = HELPER_MESSAGE_ACCEPTED };
	struct compile_request request;
	struct compile_header *headers = NULL;
	struct helper_view view;
	bool ok =
		message->type == HELPER_MESSAGE_BUILD && read_request(message, &headers, &request);

	if (ok) {
		struct compile_result result;
		/* Relative paths in -I mean the application's directory, which may be gone. */
		if ((!helper_message_find(message, HELPER_FIELD_DIRECTORY, &view) ||
			    chdir(view.data) != 0) &&
			chdir("/") != 0)
			_exit(1);
		helper_message_find(message, HELPER_FIELD_PREFIX, &view);
		ok = helper_message_send(channel, &accepted);
		if (ok) {
			limit_memory(helper_message_number(message, HELPER_FIELD_MEMORY, 0));
			build(message, &request, view.data, &result);
			ok = send_result(&result);
			compile_result_finish(&result);
		}
	}
	free(headers);
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
