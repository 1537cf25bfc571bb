// SPDX-License-Identifier: MIT
#include "test.h"
#include "test_random.h"

#include "compile/zebin/reflect.h"
#include "compile/build/compile.h"
#include "compile/spirv/implicit_args.h"
#include "compile/spirv/spirv_module.h"

#include <spirv/unified1/OpenCL.std.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The hidden argument, in programs that the real front end made and in some that it does not. */

static const char source[] =
	"global int state = 1;\n"
	"uint helper(uint d) { return get_global_id(d) + get_num_groups(d) * 3; }\n"
	"__attribute__((noinline)) size_t deep(void) { return get_enqueued_local_size(1); }\n"
	"__attribute__((noinline)) size_t middle(int n) { return n ? deep() + n : 0; }\n"
	"size_t unrelated(size_t a) { return a * 2 + get_local_id(0); }\n"
	"kernel void none(global ulong *o) { o[unrelated(1)] = get_local_size(0); }\n"
	"kernel void id(global ulong *o) { o[get_global_id(0)] = unrelated(2); }\n"
	"kernel void far(global ulong *o, int n) { o[0] = middle(n); }\n"
	"kernel void dim(global ulong *o) { o[0] = get_work_dim(); }\n"
	"kernel void all(global ulong *o, uint d) {\n"
	"	o[0] = get_work_dim(); o[1] = get_global_size(d); o[2] = get_global_id(d);\n"
	"	o[3] = get_enqueued_local_size(d); o[4] = get_num_groups(2); o[5] = "
	"get_group_id(d);\n"
	"	o[6] = get_global_offset(1); o[7] = get_global_linear_id();\n"
	"	o[8] = get_enqueued_num_sub_groups() + state; o[9] = helper(d);\n"
	"}\n"
	"__attribute__((reqd_work_group_size(8, 4, 1)))\n"
	"kernel void sized(global ulong *o) { o[0] = get_group_id(0); }\n"
	"kernel void calls(global ulong *o, uint d) { all(o + 1, d); o[0] = helper(d); }\n";

#define ALL_USES 511

static const struct {
	const char *name;
	unsigned uses;
	size_t n_args;
} kernels[] = {
	{ "none", 0, 1 },
	{ "id", IMPLICIT_ARGS_GLOBAL_ID, 1 },
	{ "far", IMPLICIT_ARGS_ENQUEUED_SIZE, 2 },
	{ "dim", IMPLICIT_ARGS_WORK_DIM, 1 },
	{ "all", ALL_USES, 2 },
	{ "sized", IMPLICIT_ARGS_GROUP_ID, 1 },
	{ "calls", ALL_USES, 2 },
};

#define N_KERNELS (sizeof kernels / sizeof *kernels)

static struct compile_result program;
static struct reflection reflection;

static void make(
	const char *text, const void *spirv, size_t spirv_size, struct compile_result *result)
{
	const struct compile_request request = {
		.source = text,
		.source_size = text ? strlen(text) : 0,
		.spirv = spirv,
		.spirv_size = spirv_size,
		.options = "-cl-std=CL3.0",
		.family = "tgllp",
		.outputs = COMPILE_NATIVE | (text ? COMPILE_SPIRV : 0),
	};

	if (compile_build(&request, result) != COMPILE_OK)
		fail_msg("%s", result->log);
}

static void reflect(const struct compile_result *result, const void *spirv, size_t spirv_size,
	struct reflection *out)
{
	char why[256];

	if (compile_reflect(spirv, spirv_size, result->native, result->native_size, out, why,
		    sizeof why) != COMPILE_OK)
		fail_msg("%s", why);
}

static int setup(void **state)
{
	(void)state;
	make(source, NULL, 0, &program);
	reflect(&program, program.spirv, program.spirv_size, &reflection);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	reflection_finish(&reflection);
	compile_result_finish(&program);
	return 0;
}

/* Khronos' validator must have nothing to say. */
static void validate(const void *spirv, size_t size)
{
	char path[] = "/tmp/zerocl-hidden-XXXXXX", command[128];
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, spirv, size), size);
	close(fd);
	snprintf(command, sizeof command, "spirv-val %s", path);
	int rc = system(command);
	unlink(path);
	if (rc)
		fail_msg("spirv-val: %d", rc);
}

/* implicit_args_look of words that are no module yet. */
static enum compile_status look(
	const void *spirv, size_t size, struct reflection *facts, char *why, size_t why_size)
{
	struct spirv_module module;
	enum compile_status status = spirv_module_open(spirv, size, &module);

	*facts = (struct reflection){ .n_kernels = module.n_kernels };
	if (status == COMPILE_OK) {
		facts->kernels = pool_get(&facts->pool, module.n_kernels * sizeof(*facts->kernels));
		assert_non_null(facts->kernels);
		assert_true(implicit_args_look(&module, facts));
	}
	if (why)
		snprintf(why, why_size, "%s", module.why);
	spirv_module_finish(&module);
	return status;
}

static enum compile_status append(
	const void *spirv, size_t size, void **out, size_t *out_size, char *why, size_t why_size)
{
	struct spirv_module module;
	enum compile_status status = spirv_module_open(spirv, size, &module);

	*out = NULL;
	*out_size = 0;
	if (status == COMPILE_OK)
		status = implicit_args_append(&module);
	if (why)
		snprintf(why, why_size, "%s", module.why);
	if (status == COMPILE_OK)
		*out = spirv_module_take(&module, out_size);
	spirv_module_finish(&module);
	return status;
}

static void *rewrite(const void *spirv, size_t size, size_t *out_size)
{
	char why[256];
	void *out;

	if (append(spirv, size, &out, out_size, why, sizeof why) != COMPILE_OK)
		fail_msg("%s", why);
	return out;
}

static void uses_are_found(void **state)
{
	struct reflection facts;

	(void)state;
	assert_int_equal(look(program.spirv, program.spirv_size, &facts, NULL, 0), COMPILE_OK);
	assert_int_equal(facts.n_kernels, N_KERNELS);
	for (size_t i = 0; i < N_KERNELS; i++) {
		assert_string_equal(reflection.kernels[i].name, kernels[i].name);
		if (facts.kernels[i].uses != kernels[i].uses)
			fail_msg("%s uses 0x%x, not 0x%x", kernels[i].name, facts.kernels[i].uses,
				kernels[i].uses);
	}
	assert_false(facts.is_uniform);
	reflection_finish(&facts);
	reflection_finish(&facts);
}

static void versions_are_told_apart(void **state)
{
	static const struct {
		const char *text, *options;
		bool is_uniform;
	} rows[] = {
		{ "kernel void f(global int *p) { p[0] = 1; }", "", true },
		{ "kernel void f(global int *p) { p[0] = 1; }", "-cl-std=CL1.2", true },
		{ "kernel void f(global int *p) { p[0] = 1; }", "-cl-std=CL2.0", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct compile_request request = {
			.source = rows[i].text,
			.source_size = strlen(rows[i].text),
			.options = rows[i].options,
			.family = "tgllp",
			.outputs = COMPILE_SPIRV,
		};
		struct reflection facts;
		struct compile_result result;

		assert_int_equal(compile_build(&request, &result), COMPILE_OK);
		assert_int_equal(
			look(result.spirv, result.spirv_size, &facts, NULL, 0), COMPILE_OK);
		if (facts.is_uniform != rows[i].is_uniform)
			fail_msg("row %zu", i);
		reflection_finish(&facts);
		compile_result_finish(&result);
	}
}

/* Loads of a built-in variable, by its number. */
static unsigned count_loads(const struct spirv_module *spirv, SpvBuiltIn builtin)
{
	struct spirv_inst inst;
	uint32_t variable = 0;
	unsigned n = 0;

	for (uint32_t at = SPIRV_START; spirv_at(spirv, at, &inst); at = inst.next) {
		if (inst.op == SpvOpDecorate && inst.n == 3 &&
			inst.operands[1] == SpvDecorationBuiltIn &&
			inst.operands[2] == (uint32_t)builtin)
			variable = inst.operands[0];
		n += inst.op == SpvOpLoad && variable && inst.operands[2] == variable;
	}
	return n;
}

static void only_what_a_launch_knows_is_loaded(void **state)
{
	static const SpvBuiltIn gone[] = { SpvBuiltInWorkDim, SpvBuiltInGlobalSize,
		SpvBuiltInGlobalOffset, SpvBuiltInNumWorkgroups, SpvBuiltInEnqueuedWorkgroupSize,
		SpvBuiltInGlobalLinearId, SpvBuiltInNumEnqueuedSubgroups };
	static const SpvBuiltIn kept[] = { SpvBuiltInGlobalInvocationId, SpvBuiltInWorkgroupId,
		SpvBuiltInWorkgroupSize, SpvBuiltInLocalInvocationId };
	struct spirv_module before, after;
	size_t size;

	(void)state;
	void *out = rewrite(program.spirv, program.spirv_size, &size);
	validate(out, size);
	assert_true(spirv_module_open(program.spirv, program.spirv_size, &before) == COMPILE_OK);
	assert_true(spirv_module_open(out, size, &after) == COMPILE_OK);
	for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
		assert_true(count_loads(&before, gone[i]) > 0);
		if (count_loads(&after, gone[i]))
			fail_msg("built-in %d is still loaded", (int)gone[i]);
	}
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		assert_true(count_loads(&after, kept[i]) >= count_loads(&before, kept[i]));
	spirv_module_finish(&before);
	spirv_module_finish(&after);
	free(out);
}

static void the_compiler_takes_it(void **state)
{
	struct reflection second;
	struct compile_result result;
	size_t size;

	(void)state;
	void *out = rewrite(program.spirv, program.spirv_size, &size);
	make(NULL, out, size, &result);
	reflect(&result, out, size, &second);
	assert_int_equal(second.n_kernels, N_KERNELS);
	for (size_t i = 0; i < N_KERNELS; i++) {
		const struct compile_kernel *kernel = &second.kernels[i];
		bool has_it = kernels[i].uses;

		assert_string_equal(kernel->name, kernels[i].name);
		assert_int_equal(kernel->n_args, kernels[i].n_args + has_it);
		assert_int_equal(kernel->work_group_size[0], 0);
		if (has_it) {
			assert_int_equal(kernel->args[kernel->n_args - 1].kind, COMPILE_ARG_VALUE);
			assert_int_equal(kernel->args[kernel->n_args - 1].size,
				sizeof(struct implicit_args_value));
		}
	}
	reflection_finish(&second);
	compile_result_finish(&result);
	free(out);
}

/* What has been rewritten has only what a launch knows; so it can be again, and stays valid. */
static void twice_is_valid(void **state)
{
	size_t size, size2;

	(void)state;
	void *once = rewrite(program.spirv, program.spirv_size, &size);
	void *twice = rewrite(once, size, &size2);
	validate(twice, size2);
	free(once);
	free(twice);
}

#define OP(op, words) ((uint32_t)(words) << 16 | (uint32_t)Spv##op)

/* clang-format off */
#define HEAD                                                                                       \
	0x07230203, 0x00010000, 0, 60, 0,                                                          \
	OP(OpCapability, 2), SpvCapabilityAddresses,                                               \
	OP(OpCapability, 2), SpvCapabilityKernel,                                                  \
	OP(OpCapability, 2), SpvCapabilityInt64,                                                   \
	OP(OpMemoryModel, 3), SpvAddressingModelPhysical64, SpvMemoryModelOpenCL,                  \
	OP(OpEntryPoint, 6), SpvExecutionModelKernel, 20, 0x6b, 10, 11

/* Types 1 void, 2 ulong, 3 ulong3, 4 and 5 pointers to them, 6 uint, 7 a function's, 8 to global
 * memory; constants 12 of 0, 13 of 2; variables 10 get_global_size, 11 get_global_linear_id. */
#define GLOBALS                                                                                    \
	OP(OpDecorate, 4), 10, SpvDecorationBuiltIn, SpvBuiltInGlobalSize,                         \
	OP(OpDecorate, 4), 11, SpvDecorationBuiltIn, SpvBuiltInGlobalLinearId,                     \
	OP(OpTypeVoid, 2), 1,                                                                      \
	OP(OpTypeInt, 4), 2, 64, 0,                                                                \
	OP(OpTypeVector, 4), 3, 2, 3,                                                              \
	OP(OpTypePointer, 4), 4, SpvStorageClassInput, 3,                                          \
	OP(OpTypePointer, 4), 5, SpvStorageClassInput, 2,                                          \
	OP(OpTypeInt, 4), 6, 32, 0,                                                                \
	OP(OpTypePointer, 4), 8, SpvStorageClassCrossWorkgroup, 2,                                 \
	OP(OpTypeFunction, 4), 7, 1, 8,                                                            \
	OP(OpConstant, 5), 2, 12, 0, 0,                                                            \
	OP(OpConstant, 5), 2, 13, 2, 0,                                                            \
	OP(OpVariable, 4), 4, 10, SpvStorageClassInput,                                            \
	OP(OpVariable, 4), 5, 11, SpvStorageClassInput

#define START OP(OpFunction, 5), 1, 20, 0, 7, OP(OpFunctionParameter, 3), 8, 21, OP(OpLabel, 2), 22
#define END OP(OpReturn, 1), OP(OpFunctionEnd, 1)

static const uint32_t chains[] = {
	HEAD, GLOBALS, START,
	OP(OpAccessChain, 5), 5, 30, 10, 13,
	OP(OpInBoundsAccessChain, 5), 5, 31, 10, 12,
	OP(OpInBoundsPtrAccessChain, 6), 5, 32, 10, 12, 13,
	OP(OpPtrAccessChain, 6), 5, 33, 10, 12, 12,
	OP(OpLoad, 4), 2, 40, 30,
	OP(OpLoad, 6), 2, 41, 31, SpvMemoryAccessAlignedMask, 8,
	OP(OpLoad, 4), 2, 42, 32,
	OP(OpLoad, 4), 2, 43, 33,
	OP(OpLoad, 4), 2, 44, 30,
	OP(OpLoad, 4), 2, 45, 11,
	OP(OpIAdd, 5), 2, 46, 40, 45,
	OP(OpStore, 3), 21, 46,
	END,
};

/* A function that calls itself, and one that nothing calls. */
static const uint32_t loops[] = {
	HEAD, GLOBALS, START,
	OP(OpFunctionCall, 5), 1, 30, 25, 21,
	END,
	OP(OpFunction, 5), 1, 25, 0, 7, OP(OpFunctionParameter, 3), 8, 26, OP(OpLabel, 2), 27,
	OP(OpFunctionCall, 5), 1, 31, 25, 26,
	OP(OpLoad, 4), 3, 40, 10,
	END,
	OP(OpFunction, 5), 1, 50, 0, 7, OP(OpFunctionParameter, 3), 8, 51, OP(OpLabel, 2), 52,
	OP(OpLoad, 4), 2, 41, 11,
	END,
};
/* clang-format on */

static void built_ins_are_followed_through_chains(void **state)
{
	struct reflection facts;
	struct spirv_module after;
	struct spirv_inst inst;
	size_t size;
	unsigned n_extracts = 0;

	(void)state;
	validate(chains, sizeof chains);
	assert_int_equal(look(chains, sizeof chains, &facts, NULL, 0), COMPILE_OK);
	assert_int_equal(facts.n_kernels, 1);
	assert_int_equal(
		facts.kernels[0].uses, IMPLICIT_ARGS_GLOBAL_SIZE | IMPLICIT_ARGS_GLOBAL_LINEAR_ID);
	reflection_finish(&facts);
	void *out = rewrite(chains, sizeof chains, &size);
	validate(out, size);
	assert_true(spirv_module_open(out, size, &after) == COMPILE_OK);
	for (uint32_t at = SPIRV_START; spirv_at(&after, at, &inst); at = inst.next) {
		n_extracts += inst.op == SpvOpVectorExtractDynamic;
		assert_int_not_equal(inst.op, SpvOpAccessChain);
		assert_int_not_equal(inst.op, SpvOpInBoundsPtrAccessChain);
		assert_false(inst.op == SpvOpDecorate && inst.n == 3 &&
			     inst.operands[2] == SpvBuiltInGlobalLinearId);
	}
	assert_int_equal(n_extracts, 5);
	assert_int_equal(count_loads(&after, SpvBuiltInGlobalInvocationId), 1);
	spirv_module_finish(&after);
	free(out);
}

/* The last word of a vloadn is a number, though it be that of a variable. */
static void numbers_are_no_variables(void **state)
{
	/* clang-format off */
	static const uint32_t words[] = {
		HEAD, OP(OpExtInstImport, 5), 16, 0x6e65704f, 0x732e4c43, 0x00006474, GLOBALS, START,
		OP(OpLoad, 4), 2, 44, 11,
		OP(OpExtInst, 8), 3, 45, 16, OpenCLstd_Vloadn, 12, 21, 10,
		END,
	};
	/* clang-format on */
	struct reflection facts;
	size_t size;

	(void)state;
	assert_int_equal(look(words, sizeof words, &facts, NULL, 0), COMPILE_OK);
	assert_int_equal(facts.kernels[0].uses, IMPLICIT_ARGS_GLOBAL_LINEAR_ID);
	reflection_finish(&facts);
	free(rewrite(words, sizeof words, &size));
}

/* Debug information names the variables, too, and unoptimised code passes the argument on. */
static void all_ways_of_building_are_followed(void **state)
{
	static const char *const options[] = { "-cl-std=CL3.0 -g", "-cl-std=CL2.0 -cl-opt-disable",
		"-cl-std=CL3.0 -cl-opt-disable -g", "-cl-std=CL2.0 -cl-kernel-arg-info" };

	(void)state;
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		const struct compile_request request = {
			.source = source,
			.source_size = strlen(source),
			.options = options[i],
			.family = "tgllp",
			.outputs = COMPILE_SPIRV,
		};
		struct compile_result result;
		size_t size;

		assert_int_equal(compile_build(&request, &result), COMPILE_OK);
		void *out = rewrite(result.spirv, result.spirv_size, &size);
		/* the front end's own debug information is not valid */
		if (strstr(options[i], "-g"))
			assert_true(spirv_module_check(out, size, NULL, 0));
		else
			validate(out, size);
		free(out);
		compile_result_finish(&result);
	}
}

static void loops_of_calls_end(void **state)
{
	struct reflection facts;
	size_t size;

	(void)state;
	assert_int_equal(look(loops, sizeof loops, &facts, NULL, 0), COMPILE_OK);
	assert_int_equal(facts.kernels[0].uses, IMPLICIT_ARGS_GLOBAL_SIZE);
	reflection_finish(&facts);
	void *out = rewrite(loops, sizeof loops, &size);
	assert_true(spirv_module_check(out, size, NULL, 0));
	free(out);
}

/* These cannot be followed: the use is known, and rewriting says why it does not. */
static void what_cannot_be_followed_is_refused(void **state)
{
	/* clang-format off */
	static const uint32_t
	copied[] = { HEAD, GLOBALS, START, OP(OpCopyObject, 4), 4, 30, 10, OP(OpLoad, 4), 3, 40, 30,
		END },
	cast[] = { HEAD, GLOBALS, START, OP(OpConvertPtrToU, 4), 2, 30, 10, END },
	passed[] = { HEAD, GLOBALS, START, OP(OpFunctionCall, 5), 1, 30, 20, 10, END },
	far_element[] = { HEAD, GLOBALS, START, OP(OpPtrAccessChain, 6), 5, 30, 10, 13, 13,
		OP(OpLoad, 4), 2, 40, 30, END },
	chained[] = { HEAD, GLOBALS, START, OP(OpAccessChain, 5), 5, 30, 10, 13,
		OP(OpCopyObject, 4), 5, 31, 30, END },
	global[] = { HEAD, GLOBALS, OP(OpSpecConstantOp, 7), 5, 30, SpvOpInBoundsPtrAccessChain, 10,
		12, 13, START, OP(OpLoad, 4), 2, 40, 30, END },
	narrow[] = { HEAD, OP(OpDecorate, 4), 9, SpvDecorationBuiltIn, SpvBuiltInGlobalSize, GLOBALS,
		OP(OpTypePointer, 4), 15, SpvStorageClassInput, 6,
		OP(OpVariable, 4), 15, 9, SpvStorageClassInput, START, END },
	pointed[] = { HEAD, GLOBALS, OP(OpConstantFunctionPointerINTEL, 4), 2, 30, 20, START,
		OP(OpLoad, 4), 3, 40, 10, END };
	/* clang-format on */
	static const struct {
		const uint32_t *words;
		size_t size;
		const char *what;
	} rows[] = {
		{ copied, sizeof copied, "pointer" },
		{ cast, sizeof cast, "pointer" },
		{ passed, sizeof passed, "pointer" },
		{ far_element, sizeof far_element, "pointer" },
		{ chained, sizeof chained, "pointer" },
		{ global, sizeof global, "pointer" },
		{ narrow, sizeof narrow, "usual type" },
		{ pointed, sizeof pointed, "called through a pointer" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct reflection facts;
		char why[256] = "";
		void *out = why;
		size_t size = 1;

		assert_int_equal(
			look(rows[i].words, rows[i].size, &facts, why, sizeof why), COMPILE_OK);
		assert_int_equal(facts.kernels[0].uses, IMPLICIT_ARGS_GLOBAL_SIZE);
		reflection_finish(&facts);
		assert_int_equal(append(rows[i].words, rows[i].size, &out, &size, why, sizeof why),
			COMPILE_ERROR);
		if (!strstr(why, rows[i].what))
			fail_msg("row %zu: %s", i, why);
		assert_null(out);
		assert_int_equal(size, 0);
	}
}

static void malformed_modules_are_refused(void **state)
{
	struct reflection facts;
	uint32_t words[sizeof chains / 4];
	char why[256] = "";
	void *out;
	size_t size;

	(void)state;
	for (size_t n = 0; n < sizeof chains; n++) {
		if (spirv_module_check(chains, n, NULL, 0))
			continue;
		assert_int_equal(look(chains, n, &facts, why, sizeof why), COMPILE_ERROR);
		assert_true(*why);
		assert_int_equal(append(chains, n, &out, &size, why, sizeof why), COMPILE_ERROR);
		assert_true(*why);
	}
	memcpy(words, chains, sizeof words);
	words[3] = 0x400000; /* no ids are left */
	assert_int_equal(append(words, sizeof words, &out, &size, why, sizeof why), COMPILE_ERROR);
	assert_non_null(strstr(why, "ids"));
}

/* One change at a time: never a crash, and what is accepted is whole. */
static void mutate(const uint32_t *words, size_t size, unsigned rounds)
{
	uint32_t *copy = malloc(size);
	size_t n = size / sizeof *words;
	uint64_t seed = 4711, accepted = 0;

	assert_non_null(copy);
	for (unsigned i = 0; i < rounds; i++) {
		struct reflection facts;
		size_t out_size;
		void *out;
		char why[256];

		memcpy(copy, words, size);
		for (int k = test_random(&seed) % 3; k >= 0; k--) {
			size_t at = 5 + (size_t)test_random(&seed) % (n - 5);
			uint32_t other = words[5 + (size_t)test_random(&seed) % (n - 5)];
			uint32_t kinds[] = { copy[at] ^ 1u << test_random(&seed) % 32, other,
				(uint32_t)test_random(&seed) % words[3],
				(copy[at] & 0xffff0000) | (other & 0xffff) };
			copy[at] = kinds[test_random(&seed) % 4];
		}
		if (look(copy, size, &facts, why, sizeof why) == COMPILE_OK)
			reflection_finish(&facts);
		if (append(copy, size, &out, &out_size, why, sizeof why) != COMPILE_OK)
			continue;
		accepted++;
		if (!spirv_module_check(out, out_size, why, sizeof why))
			fail_msg("round %u: %s", i, why);
		free(out);
	}
	assert_true(accepted > rounds / 100 && accepted < rounds);
	free(copy);
}

static void mutations_do_no_harm(void **state)
{

	(void)state;
	mutate(chains, sizeof chains, 20000);
	mutate(loops, sizeof loops, 20000);
	mutate(program.spirv, program.spirv_size, 3000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(uses_are_found),
		cmocka_unit_test(versions_are_told_apart),
		cmocka_unit_test(only_what_a_launch_knows_is_loaded),
		cmocka_unit_test(the_compiler_takes_it),
		cmocka_unit_test(twice_is_valid),
		cmocka_unit_test(built_ins_are_followed_through_chains),
		cmocka_unit_test(numbers_are_no_variables),
		cmocka_unit_test(all_ways_of_building_are_followed),
		cmocka_unit_test(loops_of_calls_end),
		cmocka_unit_test(what_cannot_be_followed_is_refused),
		cmocka_unit_test(malformed_modules_are_refused),
		cmocka_unit_test(mutations_do_no_harm),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
