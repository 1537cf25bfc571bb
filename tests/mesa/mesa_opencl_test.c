// SPDX-License-Identifier: MIT
#include "cl/cl_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesa_case.h"

/*
 * The computations of mesa_case.c over OpenCL: rusticl, ZeroCL and Intel's driver, each on the
 * virtual device. An image, a copy and shared descriptors are Vulkan's part (mesa_vulkan_test).
 */

struct row {
	const struct mesa_case *which;
	unsigned simd; /* 0: the driver's choice */
	char name[32];
};

static bool by_intel; /* the compiler of Intel's driver and of ZeroCL */

static char *append_file(char *at, const char *end, const char *name)
{
	char path[512];

	snprintf(path, sizeof path, "%s/%s", MESA_SOURCES, name);
	FILE *file = fopen(path, "r");
	if (!file)
		fail_msg("%s is not there", path);
	at += fread(at, 1, (size_t)(end - at), file);
	fclose(file);
	*at = 0;
	return at;
}

static cl_kernel make_kernel(const struct row *row)
{
	static char source[1 << 16];
	const char *end = source + sizeof source - 16;
	char name[64], options[64] = "-DOUTS=16";

	if (row->simd)
		snprintf(options, sizeof options, "-DOUTS=16 -DSIMD=%u", row->simd);
	snprintf(name, sizeof name, row->which->fragment ? "fragments/%s.inc" : "%s.cl",
		row->which->name);
	if (row->which->fragment) {
		char *at = append_file(source, end, "dialect.cl");
		strcpy(append_file(at, end, name), "}\n");
	} else {
		append_file(source, end, name);
	}
	return cl_make_kernel(source, options, "compute");
}

static void compute(void **state)
{
	const struct row *row = *state;
	const struct mesa_case *which = row->which;
	uint32_t a[MESA_MOST_ITEMS], b[MESA_MOST_ITEMS];
	static uint32_t result[MESA_MOST_ITEMS * MESA_OUTS + 8];
	size_t bytes = which->items * sizeof *a, words = which->words * sizeof *result;

	for (uint32_t i = 0; i < which->words; i++)
		result[i] = MESA_POISON;
	if (which->prepare)
		which->prepare(result);
	mesa_case_inputs(which, a, b);
	cl_kernel kernel = make_kernel(row);
	cl_mem first = cl_make_buffer(bytes, a), second = cl_make_buffer(bytes, b),
	       out = cl_make_buffer(words, result);
	cl_set_buffer(kernel, 0, first);
	cl_set_buffer(kernel, 1, second);
	cl_set_buffer(kernel, 2, out);
	cl_set_uint(kernel, 3, which->items);
	cl_launch(kernel, (which->items + which->group - 1) / which->group * which->group,
		which->group);
	cl_read(out, words, result);
	mesa_case_check(
		which, by_intel ? MESA_OPENCL_BY_INTEL : MESA_OPENCL, row->simd, a, b, result);
	cl_kernel_done(kernel);
	clReleaseMemObject(first);
	clReleaseMemObject(second);
	clReleaseMemObject(out);
}

int main(int argc, char **argv)
{
	static struct row rows[64];
	static struct CMUnitTest tests[64];
	/* rusticl 22.3 has neither sub-groups nor a choice of their size. */
	bool sizes = argc < 2 || strcmp(argv[1], "rusticl") != 0;
	size_t count = 0;

	by_intel = sizes;
	for (unsigned i = 0; i < mesa_case_count; i++)
		for (unsigned simd = sizes ? 8 : 0; simd <= (sizes ? 32 : 0);
			simd += !simd + simd) {
			struct row *row = &rows[count];
			row->which = &mesa_cases[i];
			row->simd = simd;
			if (simd == 0 && !strcmp(row->which->name, "subgroup"))
				continue;
			snprintf(row->name, sizeof row->name, "%s at %u", row->which->name, simd);
			tests[count++] = (struct CMUnitTest){
				.name = row->name, .test_func = compute, .initial_state = row
			};
		}
	return cl_run(argc, argv, "mesa_opencl", tests, count);
}
