// SPDX-License-Identifier: MIT
#include "tool/base/tool_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/base/error_name.h"
#include "tool/demo/demo.h"
#include "tool/base/tool_cl.h"
#include "tool/base/tool_env.h"
#include "tool/base/tool_options.h"

#define BLOCKS_REFUSED_AT 32 /* Intel's compiler has no block messages at this width */

struct options {
	const char *platform;
	uint64_t seed;
	uint64_t size; /* only this one, 0: all */
};

struct demo {
	struct options options;
	struct demo_device device;
	struct disasm *disasm; /* NULL if there is none */
	unsigned checks;
	unsigned passed;
};

static bool fits(const struct demo *demo, cl_kernel kernel, const struct demo_range *range)
{
	size_t most = 0;

	if (!demo_range_is_uniform(range) && !demo->device.non_uniform)
		return false;
	clGetKernelWorkGroupInfo(kernel, demo->device.cl.device, CL_KERNEL_WORK_GROUP_SIZE,
		sizeof(most), &most, NULL);
	return demo_range_local(range) <= most;
}

/* Runs a kernel over all ranges; the row's columns tell of them. */
static void run_ranges(struct demo *demo, const struct demo_case *row, cl_kernel kernel,
	size_t width, struct demo_table_row *line)
{
	for (unsigned i = 0; i < demo_range_count; i++) {
		const struct demo_range *range = &demo_ranges[i];
		struct demo_outcome outcome;

		if (!fits(demo, kernel, range)) {
			demo_table_add_groups(line, 0);
			continue;
		}
		demo_table_add_groups(
			line, width ? (demo_range_local(range) + width - 1) / width : 0);
		demo_run(&demo->device, row, kernel, range,
			row->needs & NEED_SUB_GROUPS ? (unsigned)width : 0, demo->options.seed + i,
			&outcome);
		demo->checks++;
		demo->passed += outcome.right;
		line->elements += outcome.elements;
		if (!outcome.right && !line->wrong[0])
			snprintf(line->wrong, sizeof(line->wrong), "%s", outcome.wrong);
	}
}

static void run_kernel(struct demo *demo, const struct demo_case *row, cl_kernel kernel,
	struct demo_table_row *line)
{
	unsigned checks = 0;
	bool asks = demo->device.can & NEED_SUB_GROUPS;

	if (asks) {
		line->got = demo_query(&demo->device, kernel, line->asked, &checks, line->wrong,
			sizeof(line->wrong));
		demo->checks += checks;
		demo->passed += line->got ? checks : checks - 1;
	}
	if (line->got || !asks)
		run_ranges(demo, row, kernel, line->got, line);
}

static void run_case(struct demo *demo, const struct demo_case *row,
	const struct demo_program *program, size_t size)
{
	struct demo_table_row line = { .kernel = row->kernel, .asked = size };
	cl_int code;
	cl_kernel kernel = clCreateKernel(program->program, row->kernel, &code);

	if (kernel) {
		run_kernel(demo, row, kernel, &line);
		clReleaseKernel(kernel);
	} else {
		demo->checks++;
		snprintf(line.wrong, sizeof(line.wrong), "clCreateKernel: %s", error_name(code));
	}
	if (!demo->disasm || !demo_program_native(program, demo->disasm, row->kernel, line.native,
				     sizeof(line.native)))
		line.native[0] = 0;
	demo_table_print(&line);
}

/*
 * The compiler's sentence when it refuses block operations at a width for which there are no
 * messages; NULL if that is not what happened.
 */
static const char *find_refusal(cl_int code, const char *log, size_t size, bool blocks)
{
	if (!blocks || size != BLOCKS_REFUSED_AT || code != CL_BUILD_PROGRAM_FAILURE || !log)
		return NULL;
	return strstr(log, "Block reads not supported in SIMD32");
}

static void report_build(struct demo *demo, cl_int code, const char *log, size_t size, bool blocks)
{
	struct demo_table_row line = { .kernel = blocks ? "block_read, block_write" : "(build)",
		.asked = size };
	const char *refusal = find_refusal(code, log, size, blocks);

	demo->checks++;
	if (refusal) {
		demo->passed++;
		line.refused = true;
		snprintf(line.native, sizeof(line.native), "the compiler: %.*s",
			(int)strcspn(refusal, "\n"), refusal);
		demo_table_print(&line);
		return;
	}
	snprintf(line.wrong, sizeof(line.wrong), "clBuildProgram: %s", error_name(code));
	demo_table_print(&line);
	printf("%s\n", log ? log : "");
}

/* Runs the samples of one program: those with block reads and writes, or the others. */
static void run_program(struct demo *demo, size_t size, bool blocks)
{
	struct demo_program program;
	char *log = NULL;
	cl_int code = demo_program_build(
		&program, &demo->device, size, blocks, demo->disasm != NULL, &log);

	if (code != CL_SUCCESS)
		report_build(demo, code, log, size, blocks);
	for (unsigned i = 0; i < demo_case_count && code == CL_SUCCESS; i++) {
		const struct demo_case *row = &demo_cases[i];
		if (!(row->needs & ~demo->device.can) && blocks == !!(row->needs & NEED_BLOCK))
			run_case(demo, row, &program, size);
	}
	demo_program_finish(&program);
	free(log);
}

static void run_size(struct demo *demo, size_t size)
{
	if (demo->options.size && demo->options.size != size)
		return;
	run_program(demo, size, false);
	if (demo->device.can & NEED_BLOCK)
		run_program(demo, size, true);
}

static void run_sizes(struct demo *demo)
{
	const struct demo_device *device = &demo->device;

	for (unsigned i = 0; i < device->size_count; i++)
		run_size(demo, device->sizes[i]);
	if (!device->size_count)
		run_size(demo, 0);
}

int tool_demo(int argc, char **argv)
{
	struct demo demo = { .options = { .platform = TOOL_PLATFORM, .seed = 1 } };
	const struct tool_option rows[] = { { "platform", 0, tool_option_text,
						    &demo.options.platform },
		{ "seed", 0, tool_option_number, &demo.options.seed },
		{ "size", 0, tool_option_number, &demo.options.size }, { 0 } };
	char why[640] = "";
	int first = tool_options_read("demo", rows, 0, 0, argc, argv);

	if (first <= 0)
		return -first;
	if (!strcasecmp(demo.options.platform, TOOL_PLATFORM) && !tool_env_prepare())
		fprintf(stderr, "demo: zerocl.icd is neither beside this program nor installed\n");
	if (demo_device_open(&demo.device, demo.options.platform, why, sizeof(why))) {
		demo.disasm = disasm_open(why, sizeof(why));
		demo_table_head(&demo.device, demo.options.seed, demo.disasm ? NULL : why);
		run_sizes(&demo);
		demo_table_foot(&demo.device);
		printf("demo: %u of %u checks passed\n", demo.passed, demo.checks);
	} else {
		fprintf(stderr, "demo: %s\n", why);
	}
	disasm_close(demo.disasm);
	tool_cl_close(&demo.device.cl);
	return demo.checks && demo.passed == demo.checks ? 0 : TOOL_FAILED;
}
