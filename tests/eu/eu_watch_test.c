// SPDX-License-Identifier: MIT
#include "eu/watch/eu_watch.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "eu/memory/eu_memory.h"
#include "eu/message/eu_message.h"
#include "eu/watch/eu_form.h"
#include "eu_test_program.h"
#include "util/util_settings.h"
#include "test_settings.h"

static char log_path[] = P_tmpdir "/zerocl-watch-XXXXXX";
static struct test_thread t;

static int open_log(void **state)
{
	int fd = mkstemp(log_path);

	(void)state;
	if (fd < 0)
		return -1;
	close(fd);
	test_setting("ZEROCL_LOG", "trace");
	test_setting("ZEROCL_LOG_FILE", log_path);
	return 0;
}

static int remove_log(void **state)
{
	(void)state;
	return unlink(log_path);
}

static const char *read_log(void)
{
	static char log[1 << 16];
	FILE *file = fopen(log_path, "r");

	assert_non_null(file);
	log[fread(log, 1, sizeof log - 1, file)] = 0;
	fclose(file);
	return log;
}

/* Runs t with the variable set; its end is to be `expected`. Returns what was logged. */
static const char *log_of_thread(
	const char *text, const char *variable, const char *value, enum eu_status expected)
{
	struct gen_program *program = test_assemble(text);

	assert_int_equal(truncate(log_path, 0), 0);
	test_setting(variable, value);
	struct eu_kernel *kernel =
		eu_kernel_create_for(gen_device_find(NULL), program, eu_options_select(), &t.fault);
	assert_non_null(kernel);
	assert_int_equal(test_thread_run(&t, kernel, 0xffff), expected);
	eu_kernel_destroy(kernel);
	gen_program_destroy(program);
	test_setting(variable, NULL);
	return read_log();
}

/* Runs with ZEROCL_VGPU_TRACE=trace; returns what was logged. */
static const char *log_of(const char *text, const char *trace)
{
	test_thread_init(&t, 7);
	memset(t.thread.grf + 2 * GEN_GRF_BYTES, 0x11, 2 * GEN_GRF_BYTES);
	return log_of_thread(text, "ZEROCL_VGPU_TRACE", trace, EU_DONE);
}

#define PROGRAM                                                                                    \
	"add (16|M0) r10.0<1>:d r2.0<8;8,1>:d 5:d\n"                                               \
	"cmp (16|M0) (eq)f0.0 null<1>:d r10.0<8;8,1>:d r2.0<8;8,1>:d\n"                            \
	"(f0.0) mov (16|M0) r20.0<1>:d 1:d\n"

static void assert_has(const char *log, const char *word)
{
	if (!strstr(log, word))
		fail_msg("no \"%s\" in:\n%s", word, log);
}

static void instructions_show_their_results(void **state)
{
	const char *log = log_of(PROGRAM, "packets,instructions");

	(void)state;
	assert_has(log, "channels 0000ffff");
	assert_has(log, "add (16|M0)");
	assert_has(log, "is r10 11111116 11111116");
	assert_has(log, "is r11 11111116");
	assert_has(log, "cmp (16|M0)");
	assert_has(log, "send.ts");
	assert_null(strstr(log, "sends r"));
}

static void messages_show_their_payload(void **state)
{
	const char *log = log_of(PROGRAM, "messages");

	(void)state;
	assert_null(strstr(log, "add (16|M0)"));
	assert_has(log, "end of thread");
	assert_has(log, "sends r127");
}

static void nothing_is_watched_unasked(void **state)
{
	(void)state;
	assert_string_equal(log_of(PROGRAM, ""), "");
	/* A word that only begins like one of them. */
	assert_string_equal(log_of(PROGRAM, "instruction"), "");
	assert_int_equal(eu_watch_wanted(), 0);
}

int test_bind(const struct gen_device *device, struct eu_send *send, struct gen_fault *fault)
{
	const char *problem = eu_access_decode(device, send, &send->access);

	send->run = problem ? NULL : eu_scatter_handler(&send->access);
	if (problem)
		gen_fault_add(fault, GEN_FAULT_BAD_MESSAGE, "%s", problem);
	return problem ? -1 : 0;
}

/* Reads a dword of local memory for each of 16 channels, whose addresses take two registers. */
static const char *log_of_read(const char *message, enum eu_status expected)
{
	static uint8_t slm[4096];
	const struct eu_dispatch dispatch = { .simd = 16, .slm_bytes = sizeof slm };

	test_thread_init(&t, 7);
	t.worker.dispatch = &dispatch;
	t.group.slm = slm;
	memset(t.thread.grf + 122 * GEN_GRF_BYTES, 0, 6 * GEN_GRF_BYTES);
	return log_of_thread(message, "ZEROCL_VGPU_CHECK", "memory,init,lanes,barriers", expected);
}

/* What lies behind the last register is not judged: it is none of the kernel's. */
static void refused_messages_are_not_judged(void **state)
{
	(void)state;
	assert_has(log_of_read("send.dc1 (16|M0) r10 r122 null 0x0 0x04205EFE\n", EU_DONE),
		"local memory");
	/* One register is not enough. */
	assert_string_equal(
		log_of_read("send.dc1 (16|M0) r10 r127 null 0x0 0x02205EFE\n", EU_FAULT), "");
	assert_int_equal(t.fault.kind, GEN_FAULT_BAD_MESSAGE);
}

static const char *form_of(const char *text, uint32_t index)
{
	static char form[256];
	struct gen_program *program = test_assemble(text);
	struct eu_kernel *kernel =
		eu_kernel_create_for(gen_device_find(NULL), program, eu_options_select(), &t.fault);

	assert_non_null(kernel);
	eu_form_text(kernel, index, form, sizeof form);
	eu_kernel_destroy(kernel);
	gen_program_destroy(program);
	return form;
}

static void forms_name_what_matters(void **state)
{
	(void)state;
	assert_string_equal(form_of(PROGRAM, 0), "add (16) d d imm:d");
	assert_string_equal(form_of(PROGRAM, 1), "cmp (16) (eq) null:d d d");
	assert_string_equal(form_of(PROGRAM, 2), "(f) mov (16) d imm:d");
	assert_string_equal(form_of("(W&~f0.0.any8h) mad (8|M8) (gt)f0.0 (sat)r1.0<1>:f "
				    "r2.0<8;1>:f -r3.0<8;1>:f (abs)r4.0<1>:f\n",
				    0),
		"(~any8h) mad.sat.w (8) (gt) f f -f (abs)f");
	assert_string_equal(
		form_of(PROGRAM, 3), "send.w (8) end of thread, 1+0 in, 0 out, end of thread");
}

/* As a program ends whose threads live on: libraries are not ended. */
static void end_at_once(void)
{
	_exit(0);
}

static void forms_are_counted(void **state)
{
	char path[] = P_tmpdir "/zerocl-forms-XXXXXX", line[300];
	int fd = mkstemp(path), status;
	unsigned executed = 0, lines = 0;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	setenv("ZEROCL_VGPU_FORMS", path, 1);
	pid_t child = fork();
	if (child == 0) {
		atexit(end_at_once);
		/* The mov that the goto passes over is not executed. */
		log_of("goto (16|M0) over over\nmov (16|M0) r20.0<1>:d r2.0<8;8,1>:ud\n"
		       "over:\njoin (16|M0) over2\nover2:\n",
			"");
		exit(0);
	}
	unsetenv("ZEROCL_VGPU_FORMS");
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof line, file)) {
		lines++;
		executed += strstr(line, "\t1\t") != NULL;
		assert_true(!strstr(line, "mov") == (strstr(line, "\t1\t") != NULL));
	}
	fclose(file);
	unlink(path);
	assert_int_equal(lines, 4);
	assert_int_equal(executed, 3);
}

static void walkers_are_lines(void **state)
{
	const struct eu_dispatch dispatch = { .kernel = 0x1234,
		.simd = 16,
		.threads_per_group = 4,
		.group_end = { 7, 8, 9 },
		.slm_bytes = 4096 };

	(void)state;
	assert_int_equal(truncate(log_path, 0), 0);
	eu_watch_walker(&dispatch);
	const char *log = read_log();
	assert_has(
		log, "kernel 0x000000001234, SIMD16, 4 threads in a group, groups 0,0,0 to 7,8,9");
	assert_has(log, "4096 bytes of local memory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_show_their_results),
		cmocka_unit_test(messages_show_their_payload),
		cmocka_unit_test(nothing_is_watched_unasked),
		cmocka_unit_test(refused_messages_are_not_judged),
		cmocka_unit_test(forms_name_what_matters),
		cmocka_unit_test(forms_are_counted),
		cmocka_unit_test(walkers_are_lines),
	};

	return cmocka_run_group_tests(tests, open_log, remove_log);
}
