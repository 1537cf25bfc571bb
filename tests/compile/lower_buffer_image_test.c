// SPDX-License-Identifier: MIT
#include "test.h"
#include "test_random.h"

#include "elf_view.h"
#include "compile/build/compile.h"
#include "compile/zebin/buffer_image_mark.h"
#include "compile/zebin/zebin_patch.h"
#include "compile/zebin/reflect.h"
#include "compile/spirv/lower_buffer_image.h"
#include "compile/spirv/spirv_module.h"

#include <byteswap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* lower_buffer_image of words that are no module yet. */
static enum compile_status lower(
	const void *spirv, size_t size, void **out, size_t *out_size, char *why, size_t why_size)
{
	struct spirv_module module;
	bool is_changed;
	enum compile_status status = spirv_module_open(spirv, size, &module);

	*out = NULL;
	*out_size = 0;
	if (status == COMPILE_OK)
		status = lower_buffer_image(&module, &is_changed);
	if (why)
		snprintf(why, why_size, "%s", module.why);
	if (status == COMPILE_OK)
		*out = spirv_module_take(&module, out_size);
	spirv_module_finish(&module);
	return status;
}

static bool is_wanted(const void *spirv, size_t size)
{
	struct spirv_module module;
	bool wanted = false;

	if (spirv_module_open(spirv, size, &module) == COMPILE_OK)
		(void)lower_buffer_image(&module, &wanted);

	spirv_module_finish(&module);
	return wanted;
}

/* Images of buffers in rows: the module, read by a small interpreter, and the code made of it. */

#define OP(length, op) ((uint32_t)(length) << 16 | (uint32_t)(op))

enum {
	ID_VOID = 1,
	ID_UINT,
	ID_UINT4,
	ID_BUFFER, /* an image type */
	ID_FLAT,   /* another one, of two dimensions */
	ID_UINT2,
	ID_FUNCTION_TYPE,
	ID_FUNCTION,
	ID_IMAGE, /* parameters */
	ID_OTHER,
	ID_X,
	ID_XY,
	ID_LABEL,
	ID_PIXEL,
	ID_FLAT_PIXEL,
	ID_SIZE,
	ID_FLAT_SIZE,
	ID_ORDER,
	ID_ULONG,
	ID_LONG,
	ID_BOUND
};

/* A function with a use of each kind, of an image of a buffer and of one that is none. */
static const uint32_t module[] = {
	0x07230203,
	0x00010000,
	0,
	ID_BOUND,
	0,
	OP(2, SpvOpCapability),
	SpvCapabilityKernel,
	OP(3, SpvOpMemoryModel),
	SpvAddressingModelPhysical64,
	SpvMemoryModelOpenCL,
	OP(2, SpvOpTypeVoid),
	ID_VOID,
	OP(4, SpvOpTypeInt),
	ID_UINT,
	32,
	0,
	OP(4, SpvOpTypeInt),
	ID_ULONG,
	64,
	0,
	OP(4, SpvOpTypeVector),
	ID_UINT4,
	ID_UINT,
	4,
	OP(4, SpvOpTypeVector),
	ID_UINT2,
	ID_UINT,
	2,
	OP(10, SpvOpTypeImage),
	ID_BUFFER,
	ID_VOID,
	SpvDimBuffer,
	0,
	0,
	0,
	0,
	0,
	2,
	OP(10, SpvOpTypeImage),
	ID_FLAT,
	ID_VOID,
	SpvDim2D,
	0,
	0,
	0,
	0,
	0,
	2,
	OP(8, SpvOpTypeFunction),
	ID_FUNCTION_TYPE,
	ID_VOID,
	ID_BUFFER,
	ID_FLAT,
	ID_UINT,
	ID_UINT2,
	ID_ULONG,
	OP(5, SpvOpFunction),
	ID_VOID,
	ID_FUNCTION,
	0,
	ID_FUNCTION_TYPE,
	OP(3, SpvOpFunctionParameter),
	ID_BUFFER,
	ID_IMAGE,
	OP(3, SpvOpFunctionParameter),
	ID_FLAT,
	ID_OTHER,
	OP(3, SpvOpFunctionParameter),
	ID_UINT,
	ID_X,
	OP(3, SpvOpFunctionParameter),
	ID_UINT2,
	ID_XY,
	OP(3, SpvOpFunctionParameter),
	ID_ULONG,
	ID_LONG,
	OP(2, SpvOpLabel),
	ID_LABEL,
	OP(5, SpvOpImageRead),
	ID_UINT4,
	ID_PIXEL,
	ID_IMAGE,
	ID_X,
	OP(5, SpvOpImageRead),
	ID_UINT4,
	ID_FLAT_PIXEL,
	ID_OTHER,
	ID_XY,
	OP(4, SpvOpImageWrite),
	ID_IMAGE,
	ID_X,
	ID_FLAT_PIXEL,
	OP(4, SpvOpImageWrite),
	ID_OTHER,
	ID_XY,
	ID_PIXEL,
	OP(4, SpvOpImageQuerySize),
	ID_UINT,
	ID_SIZE,
	ID_IMAGE,
	OP(4, SpvOpImageQuerySize),
	ID_UINT2,
	ID_FLAT_SIZE,
	ID_OTHER,
	OP(4, SpvOpImageQueryOrder),
	ID_UINT,
	ID_ORDER,
	ID_IMAGE,
	OP(1, SpvOpReturn),
	OP(1, SpvOpFunctionEnd),
};

/* Where in `module` the instruction starts. */
static uint32_t find(SpvOp op, unsigned nth)
{
	uint32_t at = SPIRV_START;

	for (;; at += module[at] >> SpvWordCountShift)
		if ((module[at] & SpvOpCodeMask) == (uint32_t)op && !nth--)
			return at;
}

static void *rewrite(const void *spirv, size_t size, size_t *out_size)
{
	char why[256];
	void *out = NULL;

	if (lower(spirv, size, &out, out_size, why, sizeof why) != COMPILE_OK)
		fail_msg("%s", why);
	assert_true(*out_size >= size);
	return out;
}

/* What the interpreter is told, and what it saw. */
struct run {
	uint32_t x, width, height;
	uint32_t values[64][2]; /* by id */
	uint32_t read[2], written[2], flat_read[2], flat_written[2];
	unsigned n_reads, n_writes, n_queries;
};

static void see(struct run *run, const struct spirv_inst *inst)
{
	const uint32_t *at = inst->operands;
	uint32_t *to = inst->n > 1 && at[1] < 64 ? run->values[at[1]] : NULL;

	switch (inst->op) {
	case SpvOpConstant:
		to[0] = at[2];
		break;
	case SpvOpBitwiseAnd:
		to[0] = run->values[at[2]][0] & run->values[at[3]][0];
		break;
	case SpvOpShiftRightLogical:
		to[0] = run->values[at[2]][0] >> run->values[at[3]][0];
		break;
	case SpvOpShiftLeftLogical:
		to[0] = run->values[at[2]][0] << run->values[at[3]][0];
		break;
	case SpvOpIAdd:
		to[0] = run->values[at[2]][0] + run->values[at[3]][0];
		break;
	case SpvOpISub:
		to[0] = run->values[at[2]][0] - run->values[at[3]][0];
		break;
	case SpvOpULessThan:
		to[0] = run->values[at[2]][0] < run->values[at[3]][0];
		break;
	case SpvOpSelect:
		to[0] = run->values[at[run->values[at[2]][0] ? 3 : 4]][0];
		break;
	case SpvOpCompositeExtract:
		to[0] = run->values[at[2]][at[3]];
		break;
	case SpvOpCompositeConstruct:
		to[0] = run->values[at[2]][0];
		to[1] = run->values[at[3]][0];
		break;
	case SpvOpImageRead:
		memcpy(at[2] == ID_IMAGE ? run->read : run->flat_read, run->values[at[3]], 8);
		run->n_reads++;
		break;
	case SpvOpImageWrite:
		memcpy(at[0] == ID_IMAGE ? run->written : run->flat_written, run->values[at[1]], 8);
		run->n_writes++;
		break;
	case SpvOpImageQuerySize:
		assert_int_equal(at[2], ID_OTHER);
		break;
	case SpvOpImageQuerySizeLod:
		assert_int_equal(at[2], ID_IMAGE);
		assert_int_equal(run->values[at[3]][0], 0);
		to[0] = run->width;
		to[1] = run->height;
		run->n_queries++;
		break;
	default:
		break;
	}
}

static void interpret(const void *spirv, size_t size, struct run *run)
{
	struct spirv_module opened;
	struct spirv_inst inst;

	memset(run->values, 0xee, sizeof run->values);
	run->values[ID_X][0] = run->x;
	run->values[ID_XY][0] = 71;
	run->values[ID_XY][1] = 72;
	assert_true(spirv_module_open(spirv, size, &opened) == COMPILE_OK);
	assert_true(opened.bound <= 64);
	for (uint32_t at = SPIRV_START; spirv_at(&opened, at, &inst); at = inst.next)
		see(run, &inst);
	spirv_module_finish(&opened);
}

static void places_are_in_rows(void **state)
{
	static const uint32_t xs[] = { 0, 1, 8191, 8192, 8193, 16384, 32767, 32768, 65536 + 7,
		268434943, INT32_MAX, (uint32_t)-1, (uint32_t)INT32_MIN };
	size_t size;
	void *out = rewrite(module, sizeof module, &size);

	(void)state;
	for (size_t i = 0; i < sizeof xs / sizeof *xs; i++) {
		struct run run = { .x = xs[i] };

		interpret(out, size, &run);
		assert_int_equal(run.n_reads, 2);
		assert_int_equal(run.n_writes, 2);
		assert_int_equal(run.read[0], xs[i] % 8192);
		assert_int_equal(run.read[1], xs[i] / 8192);
		assert_memory_equal(run.written, run.read, sizeof run.read);
		assert_int_equal(run.flat_read[0], 71);
		assert_int_equal(run.flat_read[1], 72);
		assert_memory_equal(run.flat_written, run.flat_read, sizeof run.flat_read);
	}
	free(out);
}

static void sizes_are_told(void **state)
{
	static const struct {
		uint32_t n, width, height;
	} rows[] = { { 1, 1, 1 }, { 8191, 8191, 1 }, { 8192, 8192, 1 }, { 8193, 8193, 2 },
		{ 16383, 16383, 2 }, { 16384, 16384, 2 }, { 16385, 8193, 3 }, { 40000, 15424, 5 },
		{ 1u << 27, 16384, 16384 } };
	size_t size;
	void *out = rewrite(module, sizeof module, &size);

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct run run = { .width = rows[i].width, .height = rows[i].height };

		assert_int_equal(BUFFER_IMAGE_COLUMNS(rows[i].n), rows[i].width);
		assert_int_equal(BUFFER_IMAGE_ROWS(rows[i].n), rows[i].height);
		interpret(out, size, &run);
		assert_int_equal(run.n_queries, 1);
		assert_int_equal(run.values[ID_SIZE][0], rows[i].n);
	}
	free(out);
}

/* With a level, as translators of other versions write it; it is the same. */
static void sizes_of_levels_too(void **state)
{
	uint32_t words[sizeof module / sizeof *module + 1], at = find(SpvOpImageQuerySize, 0);
	size_t size;

	(void)state;
	memcpy(words, module, (at + 4) * sizeof *words);
	words[at] = OP(5, SpvOpImageQuerySizeLod);
	words[at + 4] = ID_X;
	memcpy(words + at + 5, module + at + 4, sizeof module - (at + 4) * sizeof *words);
	void *out = rewrite(words, sizeof words, &size);
	struct run run = { .width = 15424, .height = 5 };
	interpret(out, size, &run);
	assert_int_equal(run.values[ID_SIZE][0], 40000);
	free(out);
}

static void refuse(const uint32_t *words, const char *want)
{
	char why[256] = "";
	size_t size = 4711;
	void *out = &size;

	assert_int_equal(lower(words, sizeof module, &out, &size, why, sizeof why), COMPILE_ERROR);
	assert_null(out);
	assert_int_equal(size, 0);
	if (!strstr(why, want))
		fail_msg("says '%s' instead of '%s'", why, want);
	assert_int_equal(lower(words, sizeof module, &out, &size, NULL, 0), COMPILE_ERROR);
}

static void other_uses_are_refused(void **state)
{
	uint32_t words[sizeof module / sizeof *module];
	uint32_t read = find(SpvOpImageRead, 0), query = find(SpvOpImageQuerySize, 0);
	uint32_t write = find(SpvOpImageWrite, 0), type = find(SpvOpTypeImage, 0);

	(void)state;
	static const SpvOp reads[] = { SpvOpSampledImage, SpvOpSubgroupImageBlockReadINTEL,
		SpvOpImageSparseRead };
	for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
		memcpy(words, module, sizeof module);
		words[read] = OP(5, reads[i]);
		refuse(words, "as only others can be");
	}
	memcpy(words, module, sizeof module);
	words[query] = OP(4, SpvOpImageQueryLevels);
	refuse(words, "as only others can be");
	memcpy(words, module, sizeof module);
	words[write] = OP(4, SpvOpSubgroupImageBlockWriteINTEL);
	refuse(words, "as only others can be");
	memcpy(words, module, sizeof module);
	words[read + 4] = ID_LONG;
	refuse(words, "32 bits");
	words[read + 4] = ID_XY;
	refuse(words, "32 bits");
	memcpy(words, module, sizeof module);
	words[query + 1] = ID_ULONG;
	refuse(words, "32 bits");
	for (unsigned k = 4; k < 7; k++) {
		memcpy(words, module, sizeof module);
		words[type + k] = 1;
		refuse(words, "depths, layers or samples");
	}
	memcpy(words, module, sizeof module);
	words[0]++;
	refuse(words, "magic");
}

static void only_buffers_are_wanted(void **state)
{
	uint32_t words[sizeof module / sizeof *module];
	uint32_t type = find(SpvOpTypeImage, 0);

	(void)state;
	assert_true(is_wanted(module, sizeof module));
	for (size_t i = 0; i < sizeof module / sizeof *module; i++)
		words[i] = bswap_32(module[i]);
	assert_true(is_wanted(words, sizeof words));
	memcpy(words, module, sizeof module);
	words[type + 3] = SpvDim2D;
	assert_false(is_wanted(words, sizeof words));
	words[type + 3] = SpvDim1D;
	assert_false(is_wanted(words, sizeof words));
	for (size_t size = 0; size < (type + 10) * sizeof(uint32_t); size++)
		assert_false(is_wanted(module, size));
}

static void mutations_do_no_harm(void **state)
{
	uint32_t words[sizeof module / sizeof *module];
	const size_t n = sizeof module / sizeof *module;
	uint64_t seed = 99, accepted = 0;

	(void)state;
	for (unsigned i = 0; i < 30000; i++) {
		size_t size = 0;
		void *out = NULL;
		char why[128];

		memcpy(words, module, sizeof module);
		for (int k = test_random(&seed) % 3; k >= 0; k--) {
			size_t at = 3 + (size_t)test_random(&seed) % (n - 3);
			uint32_t other = module[5 + (size_t)test_random(&seed) % (n - 5)];
			uint32_t kinds[] = { words[at] ^ 1u << test_random(&seed) % 32, other,
				(uint32_t)test_random(&seed) % ID_BOUND,
				(words[at] & 0xffff0000) | (other & 0xffff) };
			words[at] = kinds[test_random(&seed) % 4];
		}
		(void)is_wanted(words, sizeof words);
		if (lower(words, sizeof words, &out, &size, why, sizeof why) != COMPILE_OK)
			continue;
		accepted++;
		if (!spirv_module_check(out, size, why, sizeof why))
			fail_msg("round %u: %s", i, why);
		free(out);
	}
	assert_in_range(accepted, 300, 29999);
}

/* Of the real front end; two kernels are large enough to be compiled apart. */
static const char source[] =
	"uint far(read_only image1d_buffer_t a, int i)\n"
	"{ return read_imageui(a, i).x + get_image_width(a); }\n"
	"kernel void lines(read_only image1d_buffer_t a, write_only image1d_buffer_t b,\n"
	"	read_only image2d_t c, global uint *o) {\n"
	"	int i = get_global_id(0);\n"
	"	write_imagef(b, i, read_imagef(a, i) + read_imagef(c, (int2)(i, 1)));\n"
	"	o[i] = far(a, i) + get_image_width(b) + get_image_width(c);\n"
	"}\n"
	"kernel void both(read_write image1d_buffer_t a)\n"
	"{ int i = get_global_id(0); write_imagei(a, i, read_imagei(a, i).yxwz); }\n"
	"kernel void none(read_only image2d_t a, global float4 *o)\n"
	"{ o[0] = read_imagef(a, (int2)(1, 2)); }\n";

static void build(const struct compile_request *wanted, struct compile_result *result)
{
	struct compile_request request = *wanted;

	request.options = "-cl-std=CL3.0";
	request.family = "tgllp";
	memset(result, 0xa5, sizeof *result);
	if (compile_build(&request, result) != COMPILE_OK)
		fail_msg("%s", result->log ? result->log : "out of memory");
}

static void build_source(const char *text, struct compile_result *result)
{
	build(&(struct compile_request){ .source = text,
		      .source_size = strlen(text),
		      .outputs = COMPILE_SPIRV | COMPILE_NATIVE },
		result);
}

static bool says(const struct compile_result *made, const char *words)
{
	const struct elf_file_section info =
		view_section(made->native, made->native_size, ELF_FILE_ZE_INFO, NULL);

	return memmem(info.data, info.size, words, strlen(words));
}

/* Of what was made: the mark, no other module than the application knows, and what the kernels are.
 */
static void check_native(const struct compile_result *made, const void *spirv, size_t size)
{
	struct reflection reflection;
	struct zebin_patched loadable;
	char why[256];

	assert_true(buffer_image_is_marked(made->native, made->native_size));
	assert_null(view_section(made->native, made->native_size, ELF_FILE_SPIRV, NULL).data);
	/* IGC 2 goes by the names of types. */
	if (!says(made, "image_buffer"))
		assert_true(says(made, "image_2d"));
	for (int alone = 0; alone < 2; alone++) {
		assert_int_equal(compile_reflect(alone ? NULL : spirv, size, made->native,
					 made->native_size, &reflection, why, sizeof why),
			COMPILE_OK);
		assert_true(reflection.has_rows);
		const struct compile_kernel *lines = reflection_find(&reflection, "lines");
		assert_string_equal(lines->args[0].type, "image1d_buffer_t");
		assert_int_equal(lines->args[1].access, CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
		assert_true(lines->args[0].is_buffer_image && lines->args[1].is_buffer_image);
		assert_string_equal(lines->args[2].type, "image2d_t");
		assert_false(lines->args[2].is_buffer_image || lines->args[3].is_buffer_image);
		assert_true(zebin_patch(
			made->native, made->native_size, false, &reflection, &loadable));
		assert_non_null(loadable.code);
		assert_false(buffer_image_is_marked(loadable.code, loadable.size));
		zebin_patched_finish(&loadable);
		reflection_finish(&reflection);
	}
}

static void programs_are_made_so(void **state)
{
	struct compile_result made, again;

	(void)state;
	build_source(source, &made);
	assert_string_equal(made.log, "");
	assert_true(is_wanted(made.spirv, made.spirv_size));
	check_native(&made, made.spirv, made.spirv_size);
	build(&(struct compile_request){ .spirv = made.spirv,
		      .spirv_size = made.spirv_size,
		      .outputs = COMPILE_NATIVE },
		&again);
	check_native(&again, made.spirv, made.spirv_size);
	compile_result_finish(&again);
	const struct compile_module modules[] = { { made.spirv, made.spirv_size } };
	build(&(struct compile_request){ .modules = modules,
		      .n_modules = 1,
		      .outputs = COMPILE_SPIRV | COMPILE_NATIVE },
		&again);
	check_native(&again, again.spirv, again.spirv_size);
	compile_result_finish(&again);
	compile_result_finish(&made);
}

/* The word in the source is not what decides. */
static void words_do_not_decide(void **state)
{
	static const char none[] = "// image1d_buffer_t\nkernel void k(read_only image1d_t a,"
				   " global int4 *o) { o[0] = read_imagei(a, 5); }\n";
	static const char hidden[] = "#define T(x) image1d_##x##_t\n"
				     "kernel void k(read_only T(buffer) a, global int4 *o)"
				     " { o[0] = read_imagei(a, 5); }\n";
	struct compile_result made;

	(void)state;
	build_source(none, &made);
	assert_false(buffer_image_is_marked(made.native, made.native_size));
	compile_result_finish(&made);
	build_source(hidden, &made);
	assert_true(buffer_image_is_marked(made.native, made.native_size));
	compile_result_finish(&made);
}

/* Warnings and errors stay what they are. */
static void logs_are_kept(void **state)
{
	static const char warned[] = "kernel void k(read_only image1d_buffer_t a, global int4 *o)\n"
				     "{ int b[2]; o[0] = read_imagei(a, 5) + b[7]; }\n";
	static const char wrong[] = "kernel void k(read_only image1d_buffer_t a, global int4 *o)\n"
				    "{ o[0] = read_imagei(a, 5) + nothing; }\n";
	struct compile_request request = { .source = wrong,
		.source_size = sizeof wrong - 1,
		.family = "tgllp",
		.outputs = COMPILE_NATIVE };
	struct compile_result made;

	(void)state;
	build_source(warned, &made);
	assert_true(buffer_image_is_marked(made.native, made.native_size));
	const char *at = strstr(made.log, "past the end of the array");
	assert_non_null(at);
	assert_null(strstr(at + 1, "past the end of the array"));
	compile_result_finish(&made);
	assert_int_equal(compile_build(&request, &made), COMPILE_ERROR);
	assert_non_null(strstr(made.log, "nothing"));
	assert_null(made.native);
	compile_result_finish(&made);
}

static void only_zebins_are_marked(void **state)
{
	struct compile_result made;
	char text[64] = "no code at all";

	(void)state;
	assert_false(buffer_image_mark(text, sizeof text, true));
	assert_false(buffer_image_is_marked(text, sizeof text));
	assert_false(buffer_image_is_marked(NULL, 0));
	static const char text_of_one[] = "kernel void k(global int *o) { *o = 1; }";
	build(&(struct compile_request){ .source = text_of_one,
		      .source_size = sizeof text_of_one - 1,
		      .outputs = COMPILE_NATIVE },
		&made);
	unsigned char *before = malloc(made.native_size);
	assert_non_null(before);
	memcpy(before, made.native, made.native_size);
	assert_true(buffer_image_mark(made.native, made.native_size, true));
	assert_true(buffer_image_is_marked(made.native, made.native_size));
	assert_memory_not_equal(before, made.native, made.native_size);
	assert_true(buffer_image_mark(made.native, made.native_size, false));
	assert_memory_equal(before, made.native, made.native_size);
	free(before);
	compile_result_finish(&made);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_are_in_rows),
		cmocka_unit_test(sizes_are_told),
		cmocka_unit_test(sizes_of_levels_too),
		cmocka_unit_test(other_uses_are_refused),
		cmocka_unit_test(only_buffers_are_wanted),
		cmocka_unit_test(mutations_do_no_harm),
		cmocka_unit_test(programs_are_made_so),
		cmocka_unit_test(words_do_not_decide),
		cmocka_unit_test(logs_are_kept),
		cmocka_unit_test(only_zebins_are_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
