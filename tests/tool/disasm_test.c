// SPDX-License-Identifier: MIT
#include "test.h"
#include "test_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_files.h"
#include "tool/base/disasm.h"

/* Two kernels, compiled to native code by ocloc into a folder of their own. */
static const char source[] = "__attribute__((intel_reqd_sub_group_size(16)))\n"
			     "kernel void exchange(global int *p, local int *q)\n"
			     "{ size_t i = get_local_id(0); q[i] = p[i]; "
			     "barrier(CLK_LOCAL_MEM_FENCE); p[i] = q[i ^ 1]; }\n"
			     "kernel void add(global int *p) { p[get_global_id(0)] += 1; }\n";

struct fixture {
	struct disasm *disasm;
	char folder[TEST_FOLDER_MAX];
	char *binary;
	size_t size;
};

/* Runs a program in a folder; its exit status, -1 if it did not exit. */
static int run_in(const char *folder, char *const *argv)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		if (!chdir(folder) && freopen("/dev/null", "w", stdout))
			execvp(argv[0], argv);
		_exit(127);
	}
	if (child > 0)
		waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void compile(struct fixture *f)
{
	char path[96];
	char *argv[] = { "ocloc", "compile", "-file", "k.cl", "-device", "tgllp", "--format",
		"zebin", "-q", "-output", "k", "-output_no_suffix", NULL };

	snprintf(path, sizeof(path), "%s/k.cl", f->folder);
	test_write_text(path, source);
	assert_int_equal(run_in(f->folder, argv), 0);
	snprintf(path, sizeof(path), "%s/k", f->folder);
	if (access(path, F_OK)) /* newer ones have a suffix nevertheless */
		strcat(path, ".bin");
	f->binary = test_read_file(path, &f->size);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	char why[256];

	assert_non_null(f);
	f->disasm = disasm_open(why, sizeof(why));
	assert_non_null(f->disasm);
	test_folder_make(f->folder, "disasm");
	compile(f);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	int status = test_folder_remove(f->folder);

	disasm_close(f->disasm);
	free(f->binary);
	free(f);
	return status;
}

static void kernels_end_with_their_thread(void **state)
{
	const struct fixture *f = *state;
	const char *names[] = { "exchange", "add" };
	char why[256];

	for (int i = 0; i < 2; i++) {
		char *text = disasm_kernel(
			f->disasm, f->binary, f->size, names[i], false, why, sizeof(why));
		assert_non_null(text);
		assert_non_null(strstr(text, "{EOT"));
		assert_null(strstr(text, "illegal"));
		assert_int_equal(strstr(text, "sync.bar") != NULL, i == 0);
		free(text);
	}
}

static void refusals_have_a_reason(void **state)
{
	const struct fixture *f = *state;
	char why[256];

	assert_null(disasm_kernel(f->disasm, f->binary, f->size, "exch", false, why, sizeof(why)));
	assert_string_equal(why, "the program binary has no section .text.exch");
	assert_null(disasm_kernel(f->disasm, f->binary, 0, "add", false, why, sizeof(why)));
	assert_string_equal(why, "the program binary is no zebin");
	assert_null(
		disasm_kernel(f->disasm, source, sizeof(source), "add", false, why, sizeof(why)));
	assert_string_equal(why, "the program binary is no zebin");
}

/* What is assembled for the platform of a binary is an instruction of it; errors name the line. */
static void text_becomes_code(void **state)
{
	const struct fixture *f = *state;
	const uint32_t mov[] = { 0x00030061, 0x01050aa0, 0x00460205, 0x00000000 };
	uint32_t platform = disasm_platform(f->binary, f->size);
	size_t size = 0;
	char why[256] = "";

	assert_int_equal(disasm_platform(source, sizeof(source)), 0);
	void *code = disasm_assemble(f->disasm, platform, "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f\n",
		&size, why, sizeof(why));
	assert_non_null(code);
	assert_int_equal(size, sizeof(mov));
	assert_memory_equal(code, mov, sizeof(mov));
	free(code);
	assert_null(disasm_assemble(
		f->disasm, platform, "nop\nmoo (8|M0) r1\nnop\n", &size, why, sizeof(why)));
	assert_string_equal(why, "invalid mnemonic: moo (8|M0) r1");
	assert_null(disasm_assemble(f->disasm, 7, "nop\n", &size, why, sizeof(why)));
	assert_string_equal(why, "libiga64 could not assemble the code");
}

/* Damaged and cut binaries give a text or a reason, never a crash. */
static void damage_is_survived(void **state)
{
	const struct fixture *f = *state;
	char *copy = malloc(f->size), why[256];
	uint64_t seed = 1, random = 0;

	assert_non_null(copy);
	for (int round = 0; round < 400; round++) {
		memcpy(copy, f->binary, f->size);
		size_t size = f->size;
		for (int i = 0; i < 8; i++) {
			random = test_random(&seed);
			/* Half of the damage goes to the header and the section table. */
			size_t at = round % 2	      ? random % size
				    : random >> 8 & 1 ? random % 64
						      : size - 1 - random % 1024;
			copy[at] = (char)(random >> 16);
		}
		if (round % 3 == 0)
			size = random % size;
		why[0] = 0;
		char *text =
			disasm_kernel(f->disasm, copy, size, "exchange", false, why, sizeof(why));
		assert_true(text || why[0]);
		free(text);
	}
	free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_end_with_their_thread),
		cmocka_unit_test(refusals_have_a_reason),
		cmocka_unit_test(text_becomes_code),
		cmocka_unit_test(damage_is_survived),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
