// SPDX-License-Identifier: MIT
#include "subgroups/sg_program.h"

#include "cl/cl_case.h"
#include "subgroups/sg_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prelude[] =
	"#define CALL(call, plain) call\n"
	"#define NONE(call, plain) plain\n"
	"#if CALLS == 3\n"
	"#define U CALL\n"
	"#else\n"
	"#define U NONE\n"
	"#endif\n"
	"#if CALLS & 1\n"
	"#define V CALL\n"
	"#else\n"
	"#define V NONE\n"
	"#endif\n"
	"#if CALLS & 2\n"
	"#define W CALL\n"
	"#else\n"
	"#define W NONE\n"
	"#endif\n"
	"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
	"#define CELL(name, T, E, O) __attribute__((intel_reqd_sub_group_size(S)))\\\n"
	"kernel void name(global const T *a, global const T *b, global const uint *w,\\\n"
	"global O *o, local E *l)\n"
	"#define IMAGE_CELL(name, T, E, O, A) __attribute__((intel_reqd_sub_group_size(S)))\\\n"
	"kernel void name(global const T *a, global const T *b, global const uint *w,\\\n"
	"global O *o, local E *l, A image2d_t q)\n"
	"#define BEGIN uint i = get_global_id(0), n = get_global_size(0), m = get_local_id(0);\\\n"
	"uint c = w[i];\n";

static const char *result_type(const struct sg_cell *cell, const char *type)
{
	switch (cell->row->shape->result) {
	case SG_RESULT_INT:
		return "int";
	case SG_RESULT_UINT:
		return "uint";
	case SG_RESULT_UINT4:
		return "uint4";
	case SG_IMAGE:
		return "uchar";
	default:
		return type;
	}
}

/* The body with what stands for its names. */
static void put_body(FILE *out, const struct sg_cell *cell, unsigned simd)
{
	char text[96];

	for (const char *at = cell->row->shape->body; *at; at++) {
		if (*at != '$') {
			fputc(*at, out);
			continue;
		}
		switch (*++at) {
		case 'F':
			sg_cell_function(cell, text, sizeof text);
			break;
		case 'T':
			sg_cell_type(cell, text, sizeof text);
			break;
		case 'E':
			snprintf(text, sizeof text, "%s", sg_types[cell->type].name);
			break;
		case 'B':
			snprintf(text, sizeof text, "%zu", sg_cell_block(cell, simd));
			break;
		case 'X':
			snprintf(text, sizeof text, "%u", sg_cell_columns(cell, simd));
			break;
		case 'Y':
			snprintf(text, sizeof text, "%u", sg_cell_rows(cell, simd));
			break;
		default:
			snprintf(text, sizeof text, "%zu", sg_read_bias(cell));
		}
		fputs(text, out);
	}
}

/* Every cell begins on a line of its own number, by which messages name it. */
char *sg_source(const struct sg_cell *const *cells, size_t n, unsigned simd)
{
	char *text = NULL, type[16];
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	fputs(prelude, out);
	for (size_t i = 0; i < n; i++) {
		sg_cell_type(cells[i], type, sizeof type);
		const char *image = cells[i]->row->shape->image;
		fprintf(out, "#line %u \"cells\"\n%s(c%u, %s, %s, %s%s%s) { BEGIN ",
			1 + 8 * cells[i]->index, image ? "IMAGE_CELL" : "CELL", cells[i]->index,
			type, sg_types[cells[i]->type].name, result_type(cells[i], type),
			image ? ", " : "", image ? image : "");
		put_body(out, cells[i], simd);
		fputs(" }\n", out);
	}
	fclose(out);
	return text;
}

cl_int sg_build(
	const char *source, unsigned simd, enum sg_calls calls, cl_program *program, char **log)
{
	char options[64];
	size_t size = 0;
	cl_int rc;

	*program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &rc);
	CL(rc);
	snprintf(options, sizeof options, "-cl-std=CL3.0 -DS=%u -DCALLS=%d", simd, (int)calls);
	rc = clBuildProgram(*program, 1, &cl.device, options, NULL, NULL);
	CL(clGetProgramBuildInfo(*program, cl.device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
	*log = calloc(1, size + 1);
	assert_non_null(*log);
	CL(clGetProgramBuildInfo(*program, cl.device, CL_PROGRAM_BUILD_LOG, size, *log, NULL));
	return rc;
}

bool sg_first_takes_vectors(void)
{
	static int takes = -1;
	cl_program program;
	char *log;

	if (takes < 0) {
		takes = !sg_build(
			"kernel void k(global float4 *o) { *o = sub_group_broadcast_first(*o); "
			"}",
			16, SG_ALL_CALLS, &program, &log);
		CL(clReleaseProgram(program));
		free(log);
	}
	return takes;
}

void *sg_binary(cl_program program, size_t *size)
{
	unsigned char *binary;

	CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL));
	binary = malloc(*size + 1);
	assert_non_null(binary);
	CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
	return binary;
}
