// SPDX-License-Identifier: MIT
#include "test.h"

#include "l0/l0_probe.h"
#include "l0_fake.h"

#include "test_files.h"
#include "test_settings.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t parent;

static bool finds_one(char *why, size_t size)
{
	(void)why;
	(void)size;
	return getpid() != parent;
}

static bool finds_none(char *why, size_t size)
{
	snprintf(why, size, "nothing in %s", getpid() == parent ? "here" : "a child");
	return false;
}

static bool dies(char *why, size_t size)
{
	snprintf(why, size, "not told");
	_exit(0);
}

static void a_child_looks(void **state)
{
	char why[64] = "";

	(void)state;
	assert_true(l0_probe_by(finds_one, why, sizeof(why)));
	assert_string_equal(why, "");
	assert_false(l0_probe_by(finds_none, why, sizeof(why)));
	assert_string_equal(why, "nothing in a child");
	assert_false(l0_probe_by(dies, why, sizeof(why)));
	assert_non_null(strstr(why, "does not come back"));
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* nobody is left */
}

static volatile sig_atomic_t alarms;

static void ring(int signal)
{
	(void)signal;
	alarms++;
}

static bool finds_one_slowly(char *why, size_t size)
{
	(void)why;
	(void)size;
	nanosleep(&(struct timespec){ 0, 50000000 }, NULL);
	return true;
}

/* Signals of the application change nothing, and neither does one that takes no notice of children.
 */
static void signals_do_not_matter(void **state)
{
	const struct sigaction action = { .sa_handler = ring };
	const struct itimerval often = { { 0, 5000 }, { 0, 5000 } }, never = { { 0, 0 }, { 0, 0 } };
	char why[64] = "";

	(void)state;
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	setitimer(ITIMER_REAL, &often, NULL);
	assert_true(l0_probe_by(finds_one_slowly, why, sizeof(why)));
	setitimer(ITIMER_REAL, &never, NULL);
	assert_true(alarms > 1);
	signal(SIGCHLD, SIG_IGN);
	assert_true(l0_probe_by(finds_one, why, sizeof(why)));
	assert_false(l0_probe_by(finds_none, why, sizeof(why)));
	signal(SIGCHLD, SIG_DFL);
}

static void level_zero_is_asked(void **state)
{
	char why[128] = "", folder[TEST_FOLDER_MAX];

	(void)state;
	test_folder_make(folder, "probe");
	test_setting("XDG_RUNTIME_DIR", NULL);
	assert_true(l0_probe("a", why, sizeof(why)));
	l0_fake.fail_after = 1;
	assert_false(l0_probe("a", why, sizeof(why)));
	assert_non_null(strstr(why, "zeInit"));

	/* once it worked, nobody is asked, until it did not or it is another */
	test_setting("XDG_RUNTIME_DIR", folder);
	assert_false(l0_probe("a", why, sizeof(why)));
	l0_fake.fail_after = 0;
	assert_true(l0_probe("a", why, sizeof(why)));
	l0_fake.fail_after = 1;
	assert_true(l0_probe("a", why, sizeof(why)));
	assert_false(l0_probe("b", why, sizeof(why)));
	assert_true(l0_probe("a", why, sizeof(why)));
	l0_probe_note("");
	assert_false(l0_probe("a", why, sizeof(why)));
	l0_fake.fail_after = 0;
	assert_int_equal(test_folder_remove(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_looks),
		cmocka_unit_test(signals_do_not_matter),
		cmocka_unit_test(level_zero_is_asked),
	};

	parent = getpid();
	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
