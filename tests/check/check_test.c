// SPDX-License-Identifier: MIT
/*
 * What ZEROCL_VGPU_CHECK finds in kernels, on ZeroCL: each mistake of wrong.cl at its line, and
 * nothing in right.cl. A kernel is a row of a table that is made of those files; their first lines
 * say how mistakes and ranges are written.
 */
#include "check_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_files.h"

enum { MOST_ROWS = 200, ELEMENTS = 4096, BUFFERS = 4, SIDE = 16 };

struct row {
	char name[64];
	size_t global, local;
	unsigned line; /* that must be reported; 0: none */
	char tool[16];
	char lacking[16]; /* the device that cannot show it */
};

static unsigned read_rows(const char *source, struct row *rows)
{
	unsigned count = 0, number = 1;

	for (const char *line = source; *line; number++) {
		const char *end = strchr(line, '\n'), *at = strstr(line, "kernel void ");
		size_t length = end ? (size_t)(end - line) : strlen(line);
		if (at && at < line + length && line[0] != '/' && line[0] != '#') {
			struct row *row = &rows[count++];
			const char *range = strstr(line, "// @ ");
			assert_true(count < MOST_ROWS);
			*row = (struct row){ .global = 256, .local = 64 };
			assert_int_equal(sscanf(at, "kernel void %63[a-z0-9_](", row->name), 1);
			const char *mark = strstr(line, "// not ");
			if (mark && mark < line + length)
				assert_int_equal(sscanf(mark, "// not %15s", row->lacking), 1);
			if (range && range < line + length)
				assert_int_equal(
					sscanf(range, "// @ %zu %zu", &row->global, &row->local),
					2);
		}
		const char *mistake = strstr(line, "//! ");
		if (mistake && mistake < line + length && line[0] != '/') {
			assert_true(count > 0);
			assert_int_equal(sscanf(mistake, "//! %15s", rows[count - 1].tool), 1);
			rows[count - 1].line = number;
		}
		line = end ? end + 1 : line + length;
	}
	return count;
}

/* Whether a finding of the row's tool has its line. */
static bool has_line(const char *findings, const struct row *row)
{
	char tool[32], line[32];

	snprintf(tool, sizeof tool, "\"tool\":\"%s\"", row->tool);
	snprintf(line, sizeof line, "\"line\":%u,", row->line);
	while (*findings) {
		const char *end = strchr(findings, '\n');
		const char *is_tool = strstr(findings, tool), *is_line = strstr(findings, line);
		if (is_tool && is_tool < end && is_line && is_line < end)
			return true;
		findings = end + 1;
	}
	return false;
}

/* A buffer that nobody has written, or an image. */
static cl_mem make_fourth(const char *kernel)
{
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE
	};
	cl_int error;
	cl_mem made = strncmp(kernel, "image_", 6)
			      ? clCreateBuffer(cl.context, 0, ELEMENTS * sizeof(int), NULL, &error)
			      : clCreateImage(cl.context, 0, &format, &desc, NULL, &error);

	CL(error);
	return made;
}

/* Whether the device, as ZEROCL_VGPU names it, cannot run the kernel, or cannot show the mistake.
 */
static bool is_lacking(cl_program program, const struct row *row)
{
	const char *device = getenv("ZEROCL_VGPU");
	cl_kernel kernel = cl_kernel_of(program, row->name);
	size_t most;

	CL(clGetKernelWorkGroupInfo(
		kernel, cl.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL));
	clReleaseKernel(kernel);
	return row->local > most || (device && strcmp(device, row->lacking) == 0);
}

static const char *findings_of(cl_program program, const struct row *row)
{
	static int zeros[ELEMENTS], numbers[ELEMENTS];
	cl_kernel kernel = cl_kernel_of(program, row->name);
	cl_mem buffers[BUFFERS];
	cl_uint count;

	for (int i = 0; i < ELEMENTS; i++)
		numbers[i] = i;
	CL(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
	assert_in_range(count, 3, BUFFERS);
	for (cl_uint i = 0; i < count; i++) {
		if (i < 3)
			buffers[i] = cl_make_buffer(sizeof zeros, i == 1 ? numbers : zeros);
		else
			buffers[i] = make_fourth(row->name);
		CL(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]));
	}
	CL(clEnqueueNDRangeKernel(
		cl.queue, kernel, 1, NULL, &row->global, &row->local, 0, NULL, NULL));
	CL(clFinish(cl.queue));
	for (unsigned i = 0; i < count; i++)
		clReleaseMemObject(buffers[i]);
	clReleaseKernel(kernel);
	return new_findings();
}

/* With some tools only, mistakes of others are left out. */
static bool is_looked_for(const struct row *row)
{
	const char *tools = getenv("ZEROCL_VGPU_CHECK");

	return !row->line || tools[0] == '1' || strcmp(tools, row->tool) == 0;
}

/* Runs all kernels of a file and prints those of which the wrong thing is reported. */
static void check_file(const char *name)
{
	static struct row rows[MOST_ROWS];
	char path[512];
	unsigned failures = 0;

	snprintf(path, sizeof path, "%s/%s", CHECK_FOLDER, name);
	size_t size;
	char *source = test_read_file(path, &size);
	source = realloc(source, size + 1);
	assert_non_null(source);
	source[size] = 0;
	unsigned count = read_rows(source, rows);
	cl_program program = cl_build(source, "-cl-std=CL3.0");
	assert_true(count > 0);
	new_findings();
	for (unsigned i = 0; i < count; i++) {
		if (!is_looked_for(&rows[i]))
			continue;
		if (is_lacking(program, &rows[i])) {
			print_message("not here: %s\n", rows[i].name);
			continue;
		}
		const char *found = findings_of(program, &rows[i]);
		if (rows[i].line ? has_line(found, &rows[i]) : !*found)
			continue;
		print_error("%s, line %u: %s:\n%s\n", name, rows[i].line, rows[i].name,
			*found ? found : "nothing");
		failures++;
	}
	clReleaseProgram(program);
	free(source);
	assert_int_equal(failures, 0);
}

static void mistakes_are_found_at_their_lines(void **state)
{
	(void)state;
	check_file("wrong.cl");
}

static void right_kernels_are_not_reported(void **state)
{
	(void)state;
	check_file("right.cl");
	check_file("right_sub_group.cl");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_are_found_at_their_lines),
		cmocka_unit_test(right_kernels_are_not_reported),
	};

	if (!check_begin())
		return 1;
	return CL_RUN(argc, argv, tests);
}
