// SPDX-License-Identifier: MIT
/*
 * cl_khr_spirv_queries: what is listed works, by a kernel for each capability, and what the
 * extensions that are reported demand is listed.
 */
#include "cl/cl_capability_row.h"
#include "cl/cl_case.h"
#include "cl/cl_spirv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N CAPABILITY_ITEMS

static const char decorations[] =
	"%std = OpExtInstImport \"OpenCL.std\"\n"
	"OpMemoryModel Physical64 OpenCL\n"
	"OpEntryPoint Kernel %k \"k\" %gid %maxsize\n"
	"OpExecutionMode %k SubgroupSize 16\n"
	"OpDecorate %gid BuiltIn GlobalInvocationId\nOpDecorate %gid Constant\n"
	"OpDecorate %maxsize BuiltIn SubgroupMaxSize\nOpDecorate %maxsize Constant\n"
	"OpDecorate %times5 LinkageAttributes \"times5\" Export\n";

static const char types[] =
	"%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n"
	"%float = OpTypeFloat 32\n%uint4 = OpTypeVector %uint 4\n%ulong3 = OpTypeVector %ulong 3\n"
	"%pi = OpTypePointer Input %ulong3\n%pu = OpTypePointer Input %uint\n"
	"%pg = OpTypePointer CrossWorkgroup %uint\n"
	"%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n%c2 = OpConstant %uint 2\n"
	"%c3 = OpConstant %uint 3\n%c4 = OpConstant %uint 4\n%c5 = OpConstant %uint 5\n"
	"%c7 = OpConstant %uint 7\n%c8 = OpConstant %uint 8\n%c32 = OpConstant %uint 32\n"
	"%acquire = OpConstant %uint 258\n%release = OpConstant %uint 260\n"
	"%ordered = OpConstant %uint 272\n"
	"%gold = OpConstant %uint 2654435761\n"
	"%gid = OpVariable %pi Input\n%maxsize = OpVariable %pu Input\n"
	"%kt = OpTypeFunction %void %pg\n%ut = OpTypeFunction %uint %uint\n";

#define BODY                                                                                       \
	"%kl = OpLabel\n%g = OpLoad %ulong3 %gid Aligned 32\n%g0 = OpCompositeExtract %ulong %g "  \
	"0\n"                                                                                      \
	"%i = OpUConvert %uint %g0\n%p = OpInBoundsPtrAccessChain %pg %o %i\n"                     \
	"%x = OpLoad %uint %p Aligned 4\n"

static const char body[] =
	"%times5 = OpFunction %uint None %ut\n%in = OpFunctionParameter %uint\n%fl = OpLabel\n"
	"%five = OpIMul %uint %in %c5\nOpReturnValue %five\nOpFunctionEnd\n"
	"%k = OpFunction %void None %kt\n%o = OpFunctionParameter %pg\n" BODY;

static const char image_body[] =
	"%f0 = OpConstant %float 0\n%uint2 = OpTypeVector %uint 2\n"
	"%it = OpTypeFunction %void %pg %ti %tw\n"
	"%times5 = OpFunction %uint None %ut\n%in = OpFunctionParameter %uint\n%fl = OpLabel\n"
	"OpReturnValue %in\nOpFunctionEnd\n"
	"%k = OpFunction %void None %it\n%o = OpFunctionParameter %pg\n"
	"%a = OpFunctionParameter %ti\n%b = OpFunctionParameter %tw\n" BODY;

/* The words of a row's module, to be freed. */
static uint32_t *assemble(const struct capability_row *row, const char *start, size_t *size)
{
	static char text[16384];
	char names[256], *save = NULL;
	size_t used = 0;

	used += (size_t)snprintf(text, sizeof text,
		"OpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\n"
		"OpCapability Linkage\nOpCapability SubgroupDispatch\n");
	snprintf(names, sizeof names, "%s", row->capability);
	for (char *at = strtok_r(names, " ", &save); at; at = strtok_r(NULL, " ", &save))
		used += (size_t)snprintf(text + used, sizeof text - used, "OpCapability %s\n", at);
	if (row->extension)
		used += (size_t)snprintf(
			text + used, sizeof text - used, "OpExtension \"%s\"\n", row->extension);
	used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s%s%s%s", decorations,
		types, row->types, start, row->body,
		"OpStore %p %r Aligned 4\nOpReturn\nOpFunctionEnd\n");
	assert_true(used < sizeof text);
	uint32_t *words = cl_spirv_assemble(text, 6, size);
	/* the version of the instructions named GroupNonUniform */
	words[1] = 0x00010300;
	return words;
}

/* The program of a row; NULL, and the log on stderr, if it cannot be built. */
static cl_program build(const struct capability_row *row, const char *start)
{
	size_t size;
	uint32_t *words = assemble(row, start, &size);
	char log[4096] = "";
	cl_int rc;

	cl_program program = clCreateProgramWithIL(cl.context, words, size, &rc);
	CL(rc);
	free(words);
	rc = clBuildProgram(program, 1, &cl.device, "", NULL, NULL);
	if (!rc)
		return program;
	clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
	fprintf(stderr, "%s: build: %d: %s\n", row->capability, rc, log);
	CL(clReleaseProgram(program));
	return NULL;
}

/* Not every device has doubles. */
static bool is_offered(const struct capability_row *row)
{
	return strcmp(row->capability, "Float64") != 0 || cl_has("cl_khr_fp64");
}

/* Whether the module is built and gives what the row wants. */
static bool works(const struct capability_row *row)
{
	cl_uint data[N * 4], got[N];
	cl_program program = build(row, body);
	bool ok = true;

	if (!program)
		return false;
	cl_kernel kernel = cl_kernel_of(program, "k");
	memset(data, 0, sizeof data);
	for (cl_uint i = 0; i < N; i++)
		data[i] = i * 0x01234567 + 89 * i * i;
	cl_mem buffer = cl_make_buffer(sizeof data, data);
	cl_set_buffer(kernel, 0, buffer);
	cl_launch(kernel, N, N);
	memset(got, 0xee, sizeof got);
	cl_read(buffer, sizeof got, got);
	for (cl_uint i = 0; i < N && ok; i++)
		if (got[i] != row->want(i, data)) {
			fprintf(stderr, "%s: item %u: 0x%x, wanted 0x%x of 0x%x\n", row->capability,
				i, got[i], row->want(i, data), data[i]);
			ok = false;
		}
	CL(clReleaseMemObject(buffer));
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(program));
	return ok;
}

static void test_capabilities(void **state)
{
	unsigned failures = 0;

	(void)state;
	for (size_t i = 0; i < capability_n_rows; i++)
		failures += is_offered(&capability_rows[i]) && !works(&capability_rows[i]);
	assert_int_equal(failures, 0);
}

/* Images need other arguments: (read, written, buffer of uints). */
static const struct image_row {
	const char *capability;
	uint32_t value, type; /* of the images */
	const char *types, *body;
} image_rows[] = {
	{ "Image1D Sampled1D ImageBasic LiteralSampler", 44, CL_MEM_OBJECT_IMAGE1D,
		"%ti = OpTypeImage %void 1D 0 0 0 0 Unknown ReadOnly\n"
		"%tw = OpTypeImage %void 1D 0 0 0 0 Unknown WriteOnly\n"
		"%ts = OpTypeSampler\n%tsi = OpTypeSampledImage %ti\n"
		"%smp = OpConstantSampler %ts ClampToEdge 0 Nearest\n",
		"%si = OpSampledImage %tsi %a %smp\n"
		"%v = OpImageSampleExplicitLod %uint4 %si %i Lod %f0\n"
		"OpImageWrite %b %i %v\n%r = OpCompositeExtract %uint %v 0\n" },
	{ "ImageBuffer SampledBuffer ImageBasic", 47, CL_MEM_OBJECT_IMAGE1D_BUFFER,
		"%ti = OpTypeImage %void Buffer 0 0 0 0 Unknown ReadOnly\n"
		"%tw = OpTypeImage %void Buffer 0 0 0 0 Unknown WriteOnly\n",
		"%v = OpImageRead %uint4 %a %i\n"
		"OpImageWrite %b %i %v\n%r = OpCompositeExtract %uint %v 0\n" },
	{ "Image1D ImageBasic ImageReadWrite", 14, CL_MEM_OBJECT_IMAGE1D,
		"%ti = OpTypeImage %void 1D 0 0 0 0 Unknown ReadWrite\n"
		"%tw = OpTypeImage %void 1D 0 0 0 0 Unknown WriteOnly\n",
		"%v = OpImageRead %uint4 %a %i\nOpImageWrite %b %i %v\n"
		"%w = OpImageRead %uint4 %a %i\n%r = OpCompositeExtract %uint %w 0\n" },
	{ "ImageBasic SubgroupImageBlockIOINTEL", 5570, CL_MEM_OBJECT_IMAGE2D,
		"%ti = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n"
		"%tw = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly\n",
		/* the second 16 items take the second row */
		"%sh = OpShiftRightLogical %uint %i %c4\n"
		"%at = OpCompositeConstruct %uint2 %c0 %sh\n"
		"%r = OpSubgroupImageBlockReadINTEL %uint %a %at\n"
		"OpSubgroupImageBlockWriteINTEL %b %at %r\n" },
};

static cl_mem make_image(cl_uint type, cl_mem buffer, cl_uint *texels)
{
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
	bool square = type == CL_MEM_OBJECT_IMAGE2D;
	const cl_image_desc desc = { .image_type = type,
		.image_width = square ? CAPABILITY_SUB_GROUP : N,
		.image_height = square ? N / CAPABILITY_SUB_GROUP : 0,
		.buffer = buffer };
	cl_int rc;
	cl_mem image =
		clCreateImage(cl.context, CL_MEM_READ_WRITE | (buffer ? 0 : CL_MEM_COPY_HOST_PTR),
			&format, &desc, buffer ? NULL : texels, &rc);

	CL(rc);
	return image;
}

static void run_image_row(const struct image_row *row)
{
	const struct capability_row same = { row->capability, row->value,
		row->value == 5570 ? "SPV_INTEL_subgroups" : NULL, row->types, row->body, NULL };
	bool buffers = row->type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
	bool square = row->type == CL_MEM_OBJECT_IMAGE2D;
	const size_t zero[3] = { 0 },
		     all[3] = { square ? CAPABILITY_SUB_GROUP : N, square ? 2 : 1, 1 };
	cl_uint data[N], nothing[N] = { 0 }, got[N];

	for (cl_uint i = 0; i < N; i++)
		data[i] = i * 2654435761u + 1;
	cl_program program = build(&same, image_body);
	assert_non_null(program);
	cl_kernel kernel = cl_kernel_of(program, "k");
	cl_mem o = cl_make_buffer(sizeof nothing, nothing);
	cl_mem from = buffers ? cl_make_buffer(sizeof data, data) : NULL;
	cl_mem to = buffers ? cl_make_buffer(sizeof nothing, nothing) : NULL;
	cl_mem a = make_image(row->type, from, data), b = make_image(row->type, to, nothing);
	cl_set_buffer(kernel, 0, o);
	cl_set_buffer(kernel, 1, a);
	cl_set_buffer(kernel, 2, b);
	cl_launch(kernel, N, N);
	memset(got, 0xee, sizeof got);
	cl_read(o, sizeof got, got);
	assert_memory_equal(got, data, sizeof got);
	memset(got, 0xee, sizeof got);
	CL(clEnqueueReadImage(cl.queue, b, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL));
	assert_memory_equal(got, data, sizeof got);
	cl_mem all_mems[] = { a, b, o, from, to };
	for (int i = 0; i < 5; i++)
		if (all_mems[i])
			CL(clReleaseMemObject(all_mems[i]));
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(program));
}

static void test_images(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof image_rows / sizeof *image_rows; i++)
		run_image_row(&image_rows[i]);
}

static bool has_word(const char *words, uint32_t value)
{
	char names[256], *save = NULL;

	snprintf(names, sizeof names, "%s", words);
	for (char *at = strtok_r(names, " ", &save); at; at = strtok_r(NULL, " ", &save)) {
		char text[128];
		size_t size;

		snprintf(text, sizeof text, "OpCapability %s\n", at);
		uint32_t *binary = cl_spirv_assemble(text, 6, &size);
		bool same = binary[6] == value;
		free(binary);
		if (same)
			return true;
	}
	return false;
}

/* Nothing is listed that no row runs, or that another test does. */
static void test_lists(void **state)
{
	const cl_uint elsewhere[] = { 6 /* Kernel: all */,
		5579 /* cl_spirv_test.c: media blocks */ };
	cl_uint list[128];
	const char *names[64];
	char il[256];
	size_t size;

	(void)state;
	assert_true(cl_has("cl_khr_spirv_queries"));
	CL(clGetDeviceInfo(cl.device, 0x12BB, sizeof list, list, &size));
	assert_true(size / sizeof *list > 30);
	for (size_t i = 0; i < size / sizeof *list; i++) {
		bool is_run = list[i] == elsewhere[0] || list[i] == elsewhere[1];

		for (size_t k = 0; k < capability_n_rows && !is_run; k++)
			is_run = has_word(capability_rows[k].capability, list[i]);
		for (size_t k = 0; k < sizeof image_rows / sizeof *image_rows && !is_run; k++)
			is_run = has_word(image_rows[k].capability, list[i]);
		if (!is_run)
			fail_msg("capability %u is listed and not tried", list[i]);
	}
	for (size_t k = 0; k < capability_n_rows; k++) {
		bool is_listed = !is_offered(&capability_rows[k]);

		for (size_t i = 0; i < size / sizeof *list; i++)
			is_listed |= list[i] == capability_rows[k].value;
		assert_true(is_listed);
	}
	CL(clGetDeviceInfo(cl.device, 0x12B9, sizeof names, names, &size));
	assert_int_equal(size, 2 * sizeof *names);
	assert_string_equal(names[0], "OpenCL.std");
	CL(clGetDeviceInfo(cl.device, 0x12BA, sizeof names, names, &size));
	for (size_t k = 0; k < capability_n_rows; k++) {
		bool is_listed = !capability_rows[k].extension;

		for (size_t i = 0; i < size / sizeof *names && !is_listed; i++)
			is_listed = !strcmp(names[i], capability_rows[k].extension);
		assert_true(is_listed);
	}
	/* of which the instructions named GroupNonUniform are */
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_IL_VERSION, sizeof il, il, NULL));
	assert_non_null(strstr(il, "SPIR-V_1.3"));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_capabilities),
		cmocka_unit_test(test_images),
		cmocka_unit_test(test_lists),
	};

	return CL_RUN(argc, argv, tests);
}
