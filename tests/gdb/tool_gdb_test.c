// SPDX-License-Identifier: MIT
/*
 * tool_gdb_test ZEROCL GDB_RUN FILE: an unmodified GDB, driven through its machine interface, over
 * the kernels of a file.
 */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE_BYTES = 1 << 16, DONE = 7 };

static const char *zerocl, *runner, *kernels, *times = "1";

/* A session: `zerocl gdb`, and its lines. */
static struct {
	pid_t pid;
	FILE *to, *from;
	char line[LINE_BYTES];
} gdb;

static void start(const char *kernel, const char *option)
{
	const char *argv[] = { zerocl, "gdb", "--source", kernels, "--gdb-arg", "-nx", "--gdb-arg",
		"--interpreter=mi3", "--gdb-arg", "-iex", "--gdb-arg", "set mi-async on", option,
		"--", runner, kernels, kernel, times, NULL };
	int in[2], out[2];

	assert_int_equal(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC), 0);
	gdb.pid = fork();
	if (!gdb.pid) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		execv(zerocl, (char **)argv);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	gdb.to = fdopen(in[1], "w");
	gdb.from = fdopen(out[0], "r");
}

/* Reads up to a line that begins with `head`, and has `word`; the line stays in gdb.line. */
static void await(const char *head, const char *word)
{
	while (fgets(gdb.line, sizeof gdb.line, gdb.from))
		if (!strncmp(gdb.line, head, strlen(head))) {
			if (!strstr(gdb.line, word))
				fail_msg("no \"%s\" in: %s", word, gdb.line);
			return;
		}
	fail_msg("GDB has ended before \"%s\" with \"%s\"", head, word);
}

/* A command, and what its result has. */
static void tell(const char *command, const char *word)
{
	fprintf(gdb.to, "%s\n", command);
	fflush(gdb.to);
	await("^", word);
}

/* A command, and what is printed before its result. */
static void look(const char *command, const char *word)
{
	bool seen = false;

	fprintf(gdb.to, "%s\n", command);
	fflush(gdb.to);
	while (fgets(gdb.line, sizeof gdb.line, gdb.from) && gdb.line[0] != '^')
		seen = seen || strstr(gdb.line, word);
	if (!seen)
		fail_msg("no \"%s\" before: %s", word, gdb.line);
}

/* A command that lets the kernel run, and why it stops. */
static void run(const char *command, const char *why)
{
	tell(command, "^running");
	await("*stopped", why);
}

static void evaluate(const char *expression, const char *value)
{
	char command[512], want[256];

	snprintf(command, sizeof command, "-data-evaluate-expression \"%s\"", expression);
	snprintf(want, sizeof want, "value=\"%s\"", value);
	tell(command, want);
}

/* Where the line with a mark is. */
static unsigned line_of(const char *mark)
{
	FILE *file = fopen(kernels, "r");
	char line[512];
	unsigned number = 0;

	assert_non_null(file);
	while (fgets(line, sizeof line, file)) {
		number++;
		if (strstr(line, mark)) {
			fclose(file);
			return number;
		}
	}
	fclose(file);
	fail_msg("no \"%s\" in %s", mark, kernels);
	return 0;
}

static const char *at_line(const char *mark)
{
	static char text[64];

	snprintf(text, sizeof text, "line=\"%u\"", line_of(mark));
	return text;
}

static void break_at(const char *mark)
{
	char command[512];

	snprintf(command, sizeof command, "-break-insert scan.cl:%u", line_of(mark));
	tell(command, at_line(mark));
}

static void end(int status)
{
	int got;

	fclose(gdb.to);
	while (fgets(gdb.line, sizeof gdb.line, gdb.from))
		;
	fclose(gdb.from);
	assert_int_equal(waitpid(gdb.pid, &got, 0), gdb.pid);
	assert_true(WIFEXITED(got));
	gdb.pid = 0;
	assert_int_equal(WEXITSTATUS(got), status);
}

/* What a test that failed has left. */
static int reap(void **state)
{
	(void)state;
	if (gdb.pid > 0) {
		kill(gdb.pid, SIGKILL);
		waitpid(gdb.pid, NULL, 0);
		gdb.pid = 0;
	}
	return 0;
}

/* The first stop is before the first instruction, and all threads of the group are there. */
static void test_threads(void **state)
{
	(void)state;
	start("scan", "--gdb-arg=-q");
	await("*stopped", "func=\"scan\"");
	evaluate("$ip", "0");
	tell("-gdb-set $lane = 5", "^done");
	evaluate("$g1.uw[5] == $lid[0]", "1"); /* the payload: local ids, a word each */
	tell("-thread-info", "name=\"scan (0,0,0).0\"");
	assert_non_null(strstr(gdb.line, "name=\"scan (0,0,0).1\""));
	assert_non_null(strstr(gdb.line, "name=\"scan (0,0,0).3\""));
	assert_null(strstr(gdb.line, "(1,0,0)"));
	run("-exec-continue", "exit-code=\"07\"");
	end(DONE);
}

static void test_lines_and_registers(void **state)
{
	(void)state;
	start("scan", "--gdb-arg=-q");
	await("*stopped", "func=\"scan\"");
	break_at("int v = t[i]");
	run("-exec-continue", at_line("int v = t[i]"));
	assert_non_null(strstr(gdb.line, "reason=\"breakpoint-hit\""));
	evaluate("$mask", "65535");
	evaluate("$simd", "16");
	evaluate("id == $gid[0]", "1");
	evaluate("l == $lid[0]", "1");
	tell("-gdb-set $lane = 5", "^done");
	evaluate("l - $thread * 16", "5");
	evaluate("id == $gid[0]", "1");
	evaluate("$gid[0] == $group[0] * 64 + l", "1");
	tell("-gdb-set $g100.ud[3] = 0x12345678", "^done");
	evaluate("$g100.uw[6]", "22136");
	tell("-gdb-set $ip = 0", "^error");
	run("-exec-step-instruction", "reason=\"end-stepping-range\"");
	tell("-break-delete", "^done");
	break_at("if (l & 1)");
	run("-exec-continue", at_line("if (l & 1)"));
	tell("-break-delete", "^done");
	run("-exec-next", "reason=\"end-stepping-range\"");
	assert_null(strstr(gdb.line, at_line("if (l & 1)")));
	tell("-thread-select 2", "^done");
	tell("-thread-info", "^done"); /* asks for the registers of all threads */
	look("-interpreter-exec console \"monitor lanes\"", "(16,0,0)");
	tell("-thread-select 1", "^done");
	tell("-interpreter-exec console \"monitor code 3\"", "^done");
	tell("-interpreter-exec console \"monitor where\"", "^done");
	tell("-interpreter-exec console \"monitor nonsense\"", "^done");
	run("-exec-continue", "exit-code=\"07\"");
	end(DONE);
}

/*
 * A breakpoint on a kernel is where its body begins, and its arguments are there: also in a program
 * of several kernels, with a table of constants and printf.
 */
static void test_break_at_kernel(void **state)
{
	(void)state;
	start("tells", "--unoptimized");
	await("*stopped", "func=\"tells\"");
	tell("-break-insert tells", at_line("int place ="));
	run("-exec-continue", at_line("int place ="));
	evaluate("in[5]", "16");
	tell("-break-delete", "^done");
	break_at("out[place] =");
	run("-exec-continue", at_line("out[place] ="));
	evaluate("place == $gid[0]", "1");
	tell("-break-delete", "^done");
	run("-exec-continue", "exit-code=\"07\"");
	end(DONE);
	start("scan", "--gdb-arg=-q");
	await("*stopped", "func=\"scan\"");
	tell("-break-insert scan", "func=\"scan\"");
	run("-exec-continue", "reason=\"breakpoint-hit\"");
	tell("-break-delete", "^done");
	run("-exec-continue", "exit-code=\"07\"");
	end(DONE);
}

/* With -cl-opt-disable all variables have a place, and functions are called. */
static void test_variables(void **state)
{
	(void)state;
	start("scan", "--unoptimized");
	await("*stopped", "func=\"scan\"");
	break_at("sum += v");
	run("-exec-continue", "reason=\"breakpoint-hit\"");
	evaluate("in[5]", "16");
	evaluate("v", "1");
	evaluate("l == $lid[0]", "1");
	tell("-data-read-memory-bytes &in[5] 8", "contents=\"1000000013000000\"");
	tell("-gdb-set var in[120] = in[120]", "^done");
	tell("-break-delete", "^done");
	tell("-break-insert helper", at_line("int y = x * 3"));
	run("-exec-continue", "func=\"helper\"");
	evaluate("x & 1", "1");
	evaluate("b[1]", "4");
	tell("-stack-list-frames", "func=\"scan\"");
	assert_non_null(strstr(gdb.line, "func=\"helper\""));
	tell("-stack-select-frame 1", "^done");
	evaluate("l & 1", "1");
	evaluate("l == $lid[0]", "1");
	tell("-break-delete", "^done");
	tell("-stack-select-frame 0", "^done");
	run("-exec-finish", "reason=\"function-finished\"");
	run("-exec-continue", "exit-code=\"07\"");
	end(DONE);
}

static void test_watchpoint(void **state)
{
	(void)state;
	start("scan", "--unoptimized");
	await("*stopped", "func=\"scan\"");
	break_at("int sum = 0");
	run("-exec-continue", "reason=\"breakpoint-hit\"");
	tell("-break-delete", "^done");
	tell("-interpreter-exec console \"watch -l out[21]\"", "^done");
	run("-exec-continue", "reason=\"watchpoint-trigger\"");
	assert_non_null(strstr(gdb.line, "value={old=\"-1\""));
	evaluate("$gid[0]", "21");
	evaluate("out[21] != -1", "1");
	tell("-break-delete", "^done");
	tell("-interpreter-exec console \"rwatch -l in[2]\"", "^done");
	run("-exec-continue", "reason=\"read-watchpoint-trigger\"");
	tell("-break-delete", "^done");
	run("-exec-continue", "exit-code=\"07\"");
	end(DONE);
}

static void test_fault(void **state)
{
	(void)state;
	start("fails", "--unoptimized");
	await("*stopped", "func=\"fails\"");
	run("-exec-continue", "signal-name=\"SIGSEGV\"");
	assert_non_null(strstr(gdb.line, at_line("= nowhere[id]")));
	evaluate("nowhere", "0x0");
	run("-exec-continue", "exit-code=\"01\"");
	end(1);
}

static void test_race(void **state)
{
	(void)state;
	setenv("ZEROCL_VGPU_CHECK", "races", 1);
	start("races", "--gdb-arg=-q");
	await("*stopped", "func=\"races\"");
	run("-exec-continue", "signal-name=\"SIGTRAP\"");
	assert_non_null(strstr(gdb.line, at_line("out[id & 31]")));
	do /* each instruction that takes part */
		run("-exec-continue", "reason=");
	while (strstr(gdb.line, "SIGTRAP"));
	assert_non_null(strstr(gdb.line, "exit-code=\"07\""));
	end(DONE);
	unsetenv("ZEROCL_VGPU_CHECK");
}

static void test_interrupt(void **state)
{
	(void)state;
	start("waits", "--unoptimized");
	await("*stopped", "func=\"waits\"");
	break_at("while (unused[0]");
	run("-exec-continue", "reason=\"breakpoint-hit\"");
	tell("-break-delete", "^done");
	tell("-exec-continue", "^running");
	tell("-exec-interrupt", "^done");
	await("*stopped", "signal-name=\"SIGINT\"");
	evaluate("unused[0]", "-1");
	tell("-gdb-set var unused[0] = 5", "^done");
	run("-exec-continue", "exit-code=\"07\"");
	end(DONE);
}

/* A breakpoint is in code that comes later, too; what has gone is forgotten. */
static void test_later_code(void **state)
{
	(void)state;
	times = "3";
	start("scan", "--gdb-arg=-q");
	await("*stopped", "func=\"scan\"");
	tell("-break-insert -c \"$group[0] == 1\" scan.cl:22", "^done");
	for (int i = 0; i < 3 * 4; i++)
		run("-exec-continue", "reason=\"breakpoint-hit\"");
	run("-exec-continue", "exit-code=\"07\"");
	end(DONE);
	times = "1";
}

static void test_detach(void **state)
{
	(void)state;
	start("scan", "--gdb-arg=-q");
	await("*stopped", "func=\"scan\"");
	break_at("int v = t[i]");
	run("-exec-continue", "reason=\"breakpoint-hit\"");
	tell("-target-detach", "^done");
	tell("-gdb-exit", "^exit");
	end(DONE);
}

/* GDB goes away without a word: the kernel goes on. */
static void test_lost(void **state)
{
	(void)state;
	start("scan", "--gdb-arg=-q");
	await("*stopped", "func=\"scan\"");
	tell("-break-insert helper", "^done");
	fputs("-interpreter-exec console \"shell kill -9 $PPID\"\n", gdb.to);
	end(DONE);
}

static void test_kill(void **state)
{
	(void)state;
	start("scan", "--gdb-arg=-q");
	await("*stopped", "func=\"scan\"");
	tell("-interpreter-exec console \"kill\"", "^done");
	end(128 + SIGKILL);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_threads, reap),
		cmocka_unit_test_teardown(test_lines_and_registers, reap),
		cmocka_unit_test_teardown(test_break_at_kernel, reap),
		cmocka_unit_test_teardown(test_variables, reap),
		cmocka_unit_test_teardown(test_watchpoint, reap),
		cmocka_unit_test_teardown(test_fault, reap),
		cmocka_unit_test_teardown(test_race, reap),
		cmocka_unit_test_teardown(test_interrupt, reap),
		cmocka_unit_test_teardown(test_later_code, reap),
		cmocka_unit_test_teardown(test_detach, reap),
		cmocka_unit_test_teardown(test_lost, reap),
		cmocka_unit_test_teardown(test_kill, reap),
	};

	if (argc < 4)
		return 2;
	zerocl = argv[1];
	runner = argv[2];
	kernels = argv[3];
	if (argc > 4)
		cmocka_set_test_filter(argv[4]);
	if (system("gdb --version >/dev/null 2>&1") != 0) {
		test_lacks("gdb is not installed");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
