// SPDX-License-Identifier: MIT
#include "tool/demo/demo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/base/native_tally.h"
#include "tool/base/tool_cl.h"

extern const char sample_sample_cl[];
extern const char sample_barrier_cl[];
extern const char sample_work_group_barrier_cl[];
extern const char sample_sub_group_cl[];
extern const char sample_shuffle_cl[];
extern const char sample_block_cl[];

/* The files of kernels/samples, each behind a line that gives it its name in messages. */
static const struct sample {
	const char *line;
	const char *text;
	unsigned needs;
} samples[] = {
	{ "#line 1 \"barrier.cl\"\n", sample_barrier_cl, 0 },
	{ "#line 1 \"work_group_barrier.cl\"\n", sample_work_group_barrier_cl, NEED_C20 },
	{ "#line 1 \"sub_group.cl\"\n", sample_sub_group_cl, NEED_SUB_GROUPS },
	{ "#line 1 \"shuffle.cl\"\n", sample_shuffle_cl, NEED_SUB_GROUPS | NEED_INTEL },
	{ "#line 1 \"block.cl\"\n", sample_block_cl, NEED_SUB_GROUPS | NEED_INTEL | NEED_BLOCK },
};

#define SAMPLE_COUNT (sizeof(samples) / sizeof(samples[0]))

static cl_program create(const struct demo_device *device, bool blocks, cl_int *code)
{
	const char *texts[2 * SAMPLE_COUNT + 2] = { "#line 1 \"sample.cl\"\n", sample_sample_cl };
	cl_uint count = 2;

	for (size_t i = 0; i < SAMPLE_COUNT; i++) {
		if ((samples[i].needs & ~device->can) ||
			blocks != !!(samples[i].needs & NEED_BLOCK))
			continue;
		texts[count++] = samples[i].line;
		texts[count++] = samples[i].text;
	}
	return clCreateProgramWithSource(device->cl.context, count, texts, NULL, code);
}

static cl_int build(cl_program program, const struct demo_device *device, size_t width,
	const char *more, char **log)
{
	char options[128];
	int length = snprintf(options, sizeof(options), "%s%s%s", device->c_version,
		device->can & NEED_SUB_GROUPS ? " -DSUB_GROUPS" : "", more);

	if (width)
		snprintf(options + length, sizeof(options) - (size_t)length, " -DWIDTH=%zu", width);
	cl_int code = clBuildProgram(program, 1, &device->cl.device, options, NULL, NULL);
	if (code != CL_SUCCESS)
		*log = tool_cl_build_log(program, device->cl.device);
	return code;
}

/* Builds the samples without their built-ins, for their native code only. */
static void build_plain(
	struct demo_program *program, const struct demo_device *device, size_t width, bool blocks)
{
	char *log = NULL;
	cl_int code;
	cl_program plain = create(device, blocks, &code);

	if (!plain)
		return;
	if (build(plain, device, width, " -DPLAIN", &log) == CL_SUCCESS)
		program->plain = tool_cl_binary(plain, &program->plain_size);
	free(log);
	clReleaseProgram(plain);
}

cl_int demo_program_build(struct demo_program *program, const struct demo_device *device,
	size_t width, bool blocks, bool native, char **log)
{
	cl_int code;

	memset(program, 0, sizeof(*program));
	program->program = create(device, blocks, &code);
	if (!program->program)
		return code;
	code = build(program->program, device, width, "", log);
	if (code == CL_SUCCESS && native) {
		program->binary = tool_cl_binary(program->program, &program->binary_size);
		build_plain(program, device, width, blocks);
	}
	return code;
}

void demo_program_finish(struct demo_program *program)
{
	if (program->program)
		clReleaseProgram(program->program);
	free(program->binary);
	free(program->plain);
	memset(program, 0, sizeof(*program));
}

/* Writes the instructions that `with` has more of than `without`. */
static void write_difference(const char *with, const char *without, char *text, size_t size)
{
	struct native_tally *tally = native_tally_create();

	snprintf(text, size, "out of memory");
	if (!tally)
		return;
	native_tally_add(tally, with, 1);
	native_tally_add(tally, without, -1);
	native_tally_write(tally, text, size);
	native_tally_destroy(tally);
	if (!text[0])
		snprintf(text, size, "no instruction");
}

bool demo_program_native(const struct demo_program *program, const struct disasm *disasm,
	const char *kernel, char *text, size_t size)
{
	char *with = NULL, *without = NULL;

	snprintf(text, size, "the platform gives no native code");
	if (program->binary && program->plain) {
		with = disasm_kernel(
			disasm, program->binary, program->binary_size, kernel, false, text, size);
		if (with)
			without = disasm_kernel(disasm, program->plain, program->plain_size, kernel,
				false, text, size);
	}
	if (without)
		write_difference(with, without, text, size);
	free(with);
	free(without);
	return without != NULL;
}
