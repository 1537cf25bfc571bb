// SPDX-License-Identifier: MIT
#include "test.h"
#include "test_random.h"

#include "compile/build/compile.h"
#include "compile/base/helper_protocol.h"
#include "compile/build/compile_helper.h"

#include "test_files.h"
#include "test_settings.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * What the library does when the compiler or its process fails. FAKE_OCLOC_FOLDER holds a
 * libocloc.so that fails on demand, FAKE_CC_PATH is a helper that misbehaves.
 */

static const char good[] = "kernel void k(global int *a) { a[0] = 1; }";
static struct compile_result result;

static enum compile_status build(const char *source)
{
	const struct compile_request request = {
		.source = source,
		.source_size = strlen(source),
		.family = "tgllp",
		.outputs = COMPILE_SPIRV | COMPILE_NATIVE,
	};

	compile_result_finish(&result);
	memset(&result, 0xa5, sizeof result);
	return compile_build(&request, &result);
}

static void assert_log(const char *part)
{
	assert_non_null(result.log);
	if (!strstr(result.log, part))
		fail_msg("no \"%s\" in the log: %s", part, result.log);
}

/* Ends all helpers, so that the next ones see the environment of now. */
static void restart(void)
{
	pid_t pids[64];
	struct compile_helper *helper;
	char *why;

	test_setting("ZEROCL_CC", REAL_CC_PATH);
	while (compile_helper_pids(pids, 64)) {
		assert_int_equal(compile_helper_acquire(false, -1, &helper, &why), COMPILE_OK);
		compile_helper_release(helper, false);
	}
}

static void use_fake_ocloc(void)
{
	restart();
	test_setting("LD_LIBRARY_PATH", FAKE_OCLOC_FOLDER);
}

static int reset(void **state)
{
	(void)state;
	restart();
	test_setting("LD_LIBRARY_PATH", NULL);
	test_setting("ZEROCL_CC", NULL);
	test_setting("ZEROCL_BUILD_TIMEOUT", NULL);
	test_setting("ZEROCL_BUILD_MEMORY", NULL);
	unsetenv("FAKE_CC");
	compile_result_finish(&result);
	return 0;
}

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
}

/* Whether the process runs: it is nobody's child, so it may stay a zombie. */
static bool is_running(pid_t pid)
{
	char path[64], line[256] = "";

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	FILE *file = fopen(path, "r");
	if (!file)
		return false;
	char *got = fgets(line, sizeof line, file);
	fclose(file);
	const char *end = got ? strrchr(line, ')') : NULL;
	return end && end[1] && end[2] != 'Z' && end[2] != 'X';
}

static void assert_ends(pid_t pid)
{
	for (int i = 0; i < 1000 && is_running(pid); i++)
		nap();
	assert_false(is_running(pid));
}

static void crash_is_a_build_error(void **state)
{
	(void)state;
	use_fake_ocloc();
	assert_int_equal(build("segv"), COMPILE_CRASHED);
	assert_log("about to fail\nerror: the compiler crashed: Segmentation fault\n");
	assert_int_equal(build("divide"), COMPILE_CRASHED);
	assert_log("error: the compiler crashed: Floating point exception\n");
	assert_int_equal(build("abort"), COMPILE_CRASHED);
	assert_log("said before\nerror: the compiler crashed: Aborted\n");
	assert_int_equal(build("leave"), COMPILE_CRASHED);
	assert_log("the compiler process ended in the middle of the build");
	/* And it is there again. */
	assert_int_equal(build("fail"), COMPILE_ERROR);
	reset(state);
	assert_int_equal(build(good), COMPILE_OK);
}

static void success_without_output_is_an_error(void **state)
{
	(void)state;
	use_fake_ocloc();
	assert_int_equal(build("nothing"), COMPILE_ERROR);
	assert_null(result.native);
}

static void time_limit_ends_the_helper(void **state)
{
	pid_t pid;

	(void)state;
	use_fake_ocloc();
	assert_int_equal(build("fail"), COMPILE_ERROR);
	assert_int_equal(compile_helper_pids(&pid, 1), 1);
	assert_true(is_running(pid));
	test_setting("ZEROCL_BUILD_TIMEOUT", "1");
	assert_int_equal(build("hang"), COMPILE_CRASHED);
	assert_log("ZEROCL_BUILD_TIMEOUT=1");
	assert_ends(pid);
	assert_int_equal(build("fail"), COMPILE_ERROR);
}

static void memory_limit_ends_the_helper(void **state)
{
	(void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip_because("a sanitizer's shadow counts as data, so there is no limit");
#endif
	use_fake_ocloc();
	test_setting("ZEROCL_BUILD_MEMORY", "300");
	assert_int_equal(build("greedy"), COMPILE_CRASHED);
	assert_log("LLVM ERROR: out of memory");
	assert_log("it may use 300 MiB (ZEROCL_BUILD_MEMORY)");
	/* A crash for another reason is still told apart. */
	assert_int_equal(build("abort"), COMPILE_CRASHED);
	assert_log("the compiler crashed: Aborted");
	reset(state);
	/* The real compiler, with too little to begin and then with enough. */
	test_setting("ZEROCL_BUILD_MEMORY", "30");
	assert_int_not_equal(build(good), COMPILE_OK);
	test_setting("ZEROCL_BUILD_MEMORY", NULL);
	assert_int_equal(build(good), COMPILE_OK);
}

static void *build_hanging(void *unused)
{
	(void)unused;
	return (void *)(intptr_t)build("hang");
}

static void kill_in_the_middle(void **state)
{
	pthread_t thread;
	pid_t pid = 0;
	void *status;

	use_fake_ocloc();
	assert_int_equal(pthread_create(&thread, NULL, build_hanging, NULL), 0);
	while (!compile_helper_pids(&pid, 1))
		nap();
	for (int i = 0; i < 20; i++)
		nap();
	assert_int_equal(kill(pid, SIGKILL), 0);
	pthread_join(thread, &status);
	assert_int_equal((intptr_t)status, COMPILE_CRASHED);
	assert_log("killed");
	reset(state);
	assert_int_equal(build(good), COMPILE_OK);
}

static void idle_helper_that_died_is_replaced(void **state)
{
	pid_t pid, next;

	(void)state;
	assert_int_equal(build(good), COMPILE_OK);
	assert_int_equal(compile_helper_pids(&pid, 1), 1);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_ends(pid);
	assert_int_equal(build(good), COMPILE_OK);
	assert_string_equal(result.log, "");
	assert_int_equal(compile_helper_pids(&next, 1), 1);
	assert_int_not_equal(pid, next);
}

/* A compiler process that starts and says nothing is stopped as a build is. */
static void a_silent_start_is_stopped(void **state)
{
	(void)state;
	restart();
	test_setting("ZEROCL_CC", FAKE_CC_PATH);
	setenv("FAKE_CC", "mute", 1);
	test_setting("ZEROCL_BUILD_TIMEOUT", "1");
	enum compile_status status = build(good);
	test_setting("ZEROCL_CC", NULL);
	assert_int_equal(status, COMPILE_CRASHED);
	assert_log("ZEROCL_BUILD_TIMEOUT");
	test_setting("ZEROCL_BUILD_TIMEOUT", NULL);
	assert_int_equal(build(good), COMPILE_OK);
}

/*
 * The limit is one of the whole build: a start of a second and a half and an answer after another
 * have two seconds together. Without a limit, the answer is heard.
 */
static void time_limit_counts_for_all_parts(void **state)
{
	(void)state;
	restart();
	test_setting("ZEROCL_CC", FAKE_CC_PATH);
	setenv("FAKE_CC", "slow", 1);
	test_setting("ZEROCL_CACHE", "0");
	test_setting("ZEROCL_BUILD_TIMEOUT", "2");
	enum compile_status limited = build(good);
	char *log = result.log;
	result.log = NULL;
	test_setting("ZEROCL_BUILD_TIMEOUT", NULL);
	build(good);
	test_setting("ZEROCL_CC", NULL);
	test_setting("ZEROCL_CACHE", NULL);
	assert_int_equal(limited, COMPILE_CRASHED);
	assert_non_null(log);
	assert_non_null(strstr(log, "ZEROCL_BUILD_TIMEOUT"));
	free(log);
	assert_true(!result.log || !strstr(result.log, "ZEROCL_BUILD_TIMEOUT"));
}

static void missing_compiler_names_the_package(void **state)
{
	char folder[TEST_FOLDER_MAX], path[TEST_FOLDER_MAX + 16];

	restart();
	test_folder_make(folder, "helper");
	snprintf(path, sizeof path, "%s/libocloc.so", folder);
	test_write_text(path, "");
	test_setting("LD_LIBRARY_PATH", folder);
	enum compile_status status = build(good);
	assert_int_equal(test_folder_remove(folder), 0);
	assert_int_equal(status, COMPILE_MISSING);
	assert_log("intel-opencl-icd");
	reset(state);
	assert_int_equal(build(good), COMPILE_OK);
}

static void missing_helper_is_reported(void **state)
{
	restart();
	test_setting("ZEROCL_CC", "/nonexistent/zerocl-cc");
	assert_int_equal(build(good), COMPILE_MISSING);
	assert_log("/nonexistent/zerocl-cc");
	test_setting("ZEROCL_CC", "/etc/passwd");
	assert_int_equal(build(good), COMPILE_MISSING);
	test_setting("ZEROCL_CC", "/tmp");
	assert_int_equal(build(good), COMPILE_CRASHED);
	assert_log("cannot start /tmp");
	reset(state);
	assert_int_equal(build(good), COMPILE_OK);
}

static void helper_may_answer_anything(void **state)
{
	static const struct {
		const char *mode;
		enum compile_status status;
		const char *log;
	} modes[] = {
		{ "silent", COMPILE_CRASHED, "did not start" },
		{ "noise", COMPILE_CRASHED, "another version" },
		{ "version", COMPILE_CRASHED, "another version" },
		{ "deaf", COMPILE_CRASHED, "as soon as a build is asked" },
		{ "unaccepted", COMPILE_CRASHED, "garbage" },
		{ "answer-noise", COMPILE_CRASHED, "garbage" },
		{ "huge", COMPILE_CRASHED, "garbage" },
		{ "cut", COMPILE_CRASHED, "ended in the middle" },
		{ "bad-field", COMPILE_CRASHED, "garbage" },
		{ "bad-status", COMPILE_CRASHED, "garbage" },
		{ "nothing", COMPILE_CRASHED, "less than it was asked" },
	};

	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		restart();
		test_setting("ZEROCL_CC", FAKE_CC_PATH);
		setenv("FAKE_CC", modes[i].mode, 1);
		enum compile_status status = build(good);
		if (status != modes[i].status)
			fail_msg("%s: status %d", modes[i].mode, status);
		assert_log(modes[i].log);
		assert_null(result.native);
		assert_null(result.spirv);
		/* The last one is still there and sane; it must not be asked again. */
		reset(state);
	}
	assert_int_equal(build(good), COMPILE_OK);
}

/* Code that lacks implicit arguments because a build with them crashed once is not kept. */
static void lesser_code_is_not_kept(void **state)
{
	static const char source[] = "kernel void k(global int *a) { a[0] = get_work_dim(); }";
	struct compile_request request = {
		.family = "tgllp", .implicit_args = true, .outputs = COMPILE_NATIVE
	};
	struct compile_result front;
	char folder[TEST_FOLDER_MAX], once[TEST_FOLDER_MAX + 8];
	size_t sizes[3];

	test_folder_make(folder, "lesser");
	snprintf(once, sizeof once, "%s/once", folder);
	restart();
	test_setting("ZEROCL_CACHE_DIR", folder);
	test_setting("ZEROCL_CACHE", NULL);
	setenv("FAKE_CC", "once", 1);
	setenv("FAKE_CC_ONCE", once, 1);
	setenv("FAKE_CC_REAL", REAL_CC_PATH, 1);
	test_setting("ZEROCL_CC", FAKE_CC_PATH);
	/* so that it is known which compiler this is */
	assert_int_equal(build(source), COMPILE_OK);
	front = result;
	result = (struct compile_result){ .status = COMPILE_OK };
	request.spirv = front.spirv;
	request.spirv_size = front.spirv_size;
	restart();
	test_setting("ZEROCL_CC", FAKE_CC_PATH);
	test_write_text(once, "");
	for (size_t i = 0; i < 3; i++) {
		compile_result_finish(&result);
		assert_int_equal(compile_build(&request, &result), COMPILE_OK);
		sizes[i] = result.native_size;
	}
	compile_result_finish(&front);
	assert_true(sizes[0] < sizes[1]);
	assert_int_equal(sizes[1], sizes[2]);
	test_setting("ZEROCL_CACHE", "0");
	test_setting("ZEROCL_CACHE_DIR", NULL);
	reset(state);
	assert_int_equal(test_folder_remove(folder), 0);
}

/* A real helper that is told nonsense ends, without a crash. */
static void helper_survives_garbage(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 8; round++) {
		unsigned char bytes[512];
		int channel[2];
		char fd[16], parent[16];
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, channel), 0);
		pid_t pid = fork();
		if (!pid) {
			close(channel[0]);
			snprintf(fd, sizeof fd, "%d", channel[1]);
			snprintf(parent, sizeof parent, "%d", (int)getppid());
			execl(REAL_CC_PATH, "zerocl-cc", fd, parent, (char *)NULL);
			_exit(127);
		}
		close(channel[1]);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		test_random_bytes(&seed, bytes, sizeof bytes);
		/* Later rounds get past the magic number, the version, the size. */
		const uint32_t head[6] = { 0x0063637a, HELPER_MESSAGE_VERSION, (uint32_t)round, 0,
			400, 0 };
		memcpy(bytes, head, round > 2 ? sizeof head : round > 0 ? 8 : 0);
		assert_true(send(channel[0], bytes, sizeof bytes, MSG_NOSIGNAL) > 0);
		shutdown(channel[0], SHUT_WR);
		while (recv(channel[0], bytes, sizeof bytes, 0) > 0)
			;
		close(channel[0]);
	}
}

static void helper_ends_with_its_application(void **state)
{
	int pipe_fds[2];
	pid_t helper = 0;

	(void)state;
	restart();
	test_setting("LD_LIBRARY_PATH", FAKE_OCLOC_FOLDER);
	assert_int_equal(pipe(pipe_fds), 0);
	pid_t child = fork();
	if (!child) {
		pthread_t thread;
		pid_t pid = 0;
		pthread_create(&thread, NULL, build_hanging, NULL);
		while (!compile_helper_pids(&pid, 1))
			nap();
		if (write(pipe_fds[1], &pid, sizeof pid) != sizeof pid)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(read(pipe_fds[0], &helper, sizeof helper), sizeof helper);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_ends(helper);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
}

static void fork_does_not_share_helpers(void **state)
{
	int status = -1;

	(void)state;
	assert_int_equal(build(good), COMPILE_OK);
	pid_t child = fork();
	if (!child)
		_exit(build(good) != COMPILE_OK || build(good) != COMPILE_OK);
	for (int i = 0; i < 3; i++)
		assert_int_equal(build(good), COMPILE_OK);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(build(good), COMPILE_OK);
}

/* The application does not see that there is another process. */
static void helper_is_invisible(void **state)
{
	char line[32];
	int out = memfd_create("out", MFD_CLOEXEC);
	/* Not to be inherited, though it could. */
	int own = fcntl(out, F_DUPFD, 100);

	use_fake_ocloc();
	assert_int_equal(build("fds"), COMPILE_ERROR);
	/* The usual three, the socket, and what tells the end of the application. */
	assert_string_equal(result.log, "fd 0\nfd 1\nfd 2\nfd 3\nfd 4\n");
	snprintf(line, sizeof line, "fd %d\n", own);
	assert_null(strstr(result.log, line));
	close(own);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	reset(state);

	/* The compiler prints on a failure; not here. */
	fflush(stdout);
	int saved = dup(STDOUT_FILENO);
	dup2(out, STDOUT_FILENO);
	enum compile_status status = build("kernel void k() { nosuch(); }");
	dup2(saved, STDOUT_FILENO);
	close(saved);
	assert_int_equal(status, COMPILE_ERROR);
	assert_int_equal(lseek(out, 0, SEEK_END), 0);
	close(out);
}

/* No descriptor and no process is left over. */
static void many_failures_leak_nothing(void **state)
{
	(void)state;
	use_fake_ocloc();
	assert_int_equal(build("leave"), COMPILE_CRASHED);
	int before = dup(0);
	close(before);
	for (int i = 0; i < 10; i++)
		assert_int_equal(build("leave"), COMPILE_CRASHED);
	int after = dup(0);
	close(after);
	assert_int_equal(before, after);
}

static int start(void **state)
{
	/* A helper that dies under our hands must not take us with it. */
	signal(SIGPIPE, SIG_DFL);
	return reset(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(crash_is_a_build_error, reset),
		cmocka_unit_test_teardown(success_without_output_is_an_error, reset),
		cmocka_unit_test_teardown(time_limit_ends_the_helper, reset),
		cmocka_unit_test_teardown(memory_limit_ends_the_helper, reset),
		cmocka_unit_test_teardown(kill_in_the_middle, reset),
		cmocka_unit_test_teardown(idle_helper_that_died_is_replaced, reset),
		cmocka_unit_test_teardown(a_silent_start_is_stopped, reset),
		cmocka_unit_test_teardown(time_limit_counts_for_all_parts, reset),
		cmocka_unit_test_teardown(missing_compiler_names_the_package, reset),
		cmocka_unit_test_teardown(missing_helper_is_reported, reset),
		cmocka_unit_test_teardown(helper_may_answer_anything, reset),
		cmocka_unit_test_teardown(lesser_code_is_not_kept, reset),
		cmocka_unit_test_teardown(helper_survives_garbage, reset),
		cmocka_unit_test_teardown(helper_ends_with_its_application, reset),
		cmocka_unit_test_teardown(fork_does_not_share_helpers, reset),
		cmocka_unit_test_teardown(helper_is_invisible, reset),
		cmocka_unit_test_teardown(many_failures_leak_nothing, reset),
	};

	/* The compiler is what is tested here. */
	test_setting("ZEROCL_CACHE", "0");
	return cmocka_run_group_tests_name("compile_helper", tests, start, NULL);
}
