// SPDX-License-Identifier: MIT
/*
 * The device's reports of what programs must not do: over ZeroCL they name the kernel and, of what
 * was built with -g, the line of the source; over any driver the instruction, which `zerocl isa`
 * lists beside that line.
 */
#include "cl/cl_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS = 64 };

static const char *log_path;
static char source[1 << 14], listing[1 << 20];

static const struct fault {
	const char *kernel, *says;
} faults[] = {
	{ "local_beyond", "of 1024 of local memory" },
	{ "misaligned", "which is not a multiple of 16" },
	{ "divergent", "do not reach it with the others" },
	{ "inactive", "which is not active" },
};

enum { FAULTS = sizeof faults / sizeof *faults };

static void read_stream(FILE *file, char *text, size_t size)
{
	assert_non_null(file);
	text[fread(text, 1, size - 1, file)] = '\0';
}

static int open_files(void **state)
{
	char command[2048];
	FILE *file = fopen(CHECK_KERNELS, "r");

	(void)state;
	log_path = getenv("ZEROCL_LOG_FILE");
	if (!log_path || !getenv("ZEROCL_VGPU_CHECK"))
		return -1;
	read_stream(file, source, sizeof source);
	fclose(file);
	snprintf(command, sizeof command, "ZEROCL_LOG= ZEROCL_VGPU_CHECK= LD_PRELOAD= %s isa %s",
		ZEROCL_TOOL, CHECK_KERNELS);
	file = popen(command, "r");
	read_stream(file, listing, sizeof listing);
	return pclose(file);
}

/* The line that says that it is the kernel's. */
static unsigned line_of(const char *kernel)
{
	char mark[64];

	snprintf(mark, sizeof mark, "// here: %s\n", kernel);
	const char *at = strstr(source, mark);
	unsigned line = 1;
	assert_non_null(at);
	for (const char *c = source; c < at; c++)
		line += *c == '\n';
	return line;
}

/* What the log says of one launch of 64 items in a group. */
static const char *log_of(cl_program program, const char *kernel_name)
{
	static char log[1 << 14];
	cl_uint values[4 * ITEMS];
	cl_int rc;

	for (cl_uint i = 0; i < 4 * ITEMS; i++)
		values[i] = i;
	cl_mem buffer = cl_make_buffer(sizeof values, values);
	cl_kernel kernel = clCreateKernel(program, kernel_name, &rc);
	CL(rc);
	cl_set_buffer(kernel, 0, buffer);
	assert_int_equal(truncate(log_path, 0), 0);
	cl_launch(kernel, ITEMS, ITEMS);
	CL(clFinish(cl.queue));
	FILE *file = fopen(log_path, "r");
	read_stream(file, log, sizeof log);
	fclose(file);
	CL(clReleaseKernel(kernel));
	CL(clReleaseMemObject(buffer));
	return log;
}

static void assert_has(const char *log, const char *text)
{
	if (!strstr(log, text))
		fail_msg("no \"%s\" in:\n%s", text, log);
}

/* `zerocl isa` puts the line beside the instruction that the log names. */
static void assert_listed(const char *log, const char *kernel, unsigned line)
{
	char text[128];
	const char *at = strstr(log, "instruction at 0x");

	assert_non_null(at);
	unsigned long offset = strtoul(at + strlen("instruction at "), NULL, 16);
	snprintf(text, sizeof text, "kernel %s on ", kernel);
	const char *part = strstr(listing, text);
	if (!part)
		fail_msg("no \"%s\" in:\n%s", text, listing);
	snprintf(text, sizeof text, "\n%6u | 0x%04lx  ", line, offset);
	assert_has(part, text);
}

static void check(const char *options, bool has_lines)
{
	cl_program program = cl_build(source, options);
	char text[128];

	assert_string_equal(log_of(program, "good"), "");
	for (unsigned i = 0; i < FAULTS; i++) {
		const struct fault *fault = &faults[i];
		const char *log = log_of(program, fault->kernel);
		unsigned line = line_of(fault->kernel);
		assert_has(log, fault->says);
		assert_has(log, "group (0, 0, 0), thread ");
		snprintf(text, sizeof text, ", kernel %s, ", fault->kernel);
		if (cl.ours)
			assert_has(log, text);
		snprintf(text, sizeof text, ", line %u, instruction at 0x", line);
		if (has_lines)
			assert_has(log, text);
		else
			assert_null(strstr(log, ", line "));
		assert_listed(log, fault->kernel, line);
	}
	CL(clReleaseProgram(program));
}

static void reports_name_the_kernel(void **state)
{
	(void)state;
	if (cl.ours)
		check("-cl-std=CL3.0", false);
}

static void reports_name_the_line(void **state)
{
	(void)state;
	check("-cl-std=CL3.0 -g", cl.ours);
}

/* Code that has gone takes its names along. */
static void other_code_has_other_names(void **state)
{
	static const char text[] = "\n\n\n__attribute__((intel_reqd_sub_group_size(16)))\n"
				   "kernel void misaligned2(global uint *a)\n"
				   "{ intel_sub_group_block_write(a + a[3], 5); }\n";

	(void)state;
	for (unsigned round = 0; round < 4; round++) {
		cl_program program = cl_build(round % 2 ? text : text + 2, "-g");
		const char *log = log_of(program, "misaligned2");
		/* Equal code without a name is reported once. */
		if (cl.ours)
			assert_has(log, round % 2 ? ", kernel misaligned2, line 6, instruction at"
						  : ", kernel misaligned2, line 4, instruction at");
		CL(clReleaseProgram(program));
	}
}

static int open_once(void **state)
{
	static bool is_open;
	int rc = is_open ? 0 : open_files(state);

	is_open = true;
	return rc;
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(reports_name_the_kernel, open_once),
		cmocka_unit_test_setup(reports_name_the_line, open_once),
		cmocka_unit_test_setup(other_code_has_other_names, open_once),
	};

	return CL_RUN(argc, argv, tests);
}
