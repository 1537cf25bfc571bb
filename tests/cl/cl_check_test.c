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
static cl_uint byte; /* counted from the buffer's end: what kernels with an argument more reach */
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

/* What the log says of one launch of 64 items in a group, with a buffer of `size` bytes. */
static const char *log_of_size(cl_program program, const char *kernel_name, size_t size)
{
	static char log[1 << 14];
	static cl_uint values[1 << 14];
	cl_uint count;

	for (cl_uint i = 0; i < sizeof values / sizeof *values; i++)
		values[i] = i;
	assert_true(size <= sizeof values);
	cl_mem buffer = cl_make_buffer(size, values);
	cl_kernel kernel = cl_kernel_of(program, kernel_name);
	cl_set_buffer(kernel, 0, buffer);
	CL(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
	if (count > 1)
		CL(clSetKernelArg(kernel, 1, sizeof byte, &byte));
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

static const char *log_of(cl_program program, const char *kernel_name)
{
	return log_of_size(program, kernel_name, 4 * sizeof(cl_uint) * ITEMS);
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

/*
 * Programs that are checked have lines, with -g or without. Intel's driver names no code, and -g
 * changes none: its second program would be the first again, which has been reported.
 */
static void reports_name_kernel_and_line(void **state)
{
	(void)state;
	check("-cl-std=CL3.0 -g", cl.ours);
	if (cl.ours)
		check("-cl-std=CL3.0", true);
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

/*
 * Buffers end where they end, be they a few bytes among many such: the byte behind is reported,
 * reached as one of the buffer or by its address. To Intel's driver buffers end with a dword.
 */
static void bounds_are_exact(void **state)
{
	static const size_t sizes[] = { 1, 100, 127, 128, 4092, 65000 };
	static const char *const kernels[] = { "writes_at", "reads_at", "writes_by_address",
		"reads_by_address" };
	char options[64], text[128];

	(void)state;
	for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		size_t size = sizes[s];
		if (!cl.ours && size % 4)
			continue;
		snprintf(options, sizeof options, "-cl-std=CL3.0 -DSIZE=%zu%s", size,
			size == 100 ? " -g" : "");
		cl_program program = cl_build(source, options);
		for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++) {
			byte = (cl_uint)-1;
			assert_string_equal(log_of_size(program, kernels[k], size), "");
			byte = 0;
			const char *log = log_of_size(program, kernels[k], size);
			snprintf(text, sizeof text, ", bytes %zu to %zu of the %zu of ", size, size,
				size);
			assert_has(log, text);
			assert_has(log, "work-item (37, 0, 0) of it");
			assert_has(log, "instruction at 0x");
			snprintf(text, sizeof text, ", kernel %s, ", kernels[k]);
			if (cl.ours)
				assert_has(log, text);
			snprintf(text, sizeof text, ", line %u, ", line_of(kernels[k]));
			if (cl.ours && size == 100)
				assert_has(log, text);
		}
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
		cmocka_unit_test_setup(reports_name_kernel_and_line, open_once),
		cmocka_unit_test_setup(bounds_are_exact, open_once),
		cmocka_unit_test_setup(other_code_has_other_names, open_once),
	};

	return CL_RUN(argc, argv, tests);
}
