// SPDX-License-Identifier: MIT
/* Compiling, linking, specializing and building on the side: the real compiler, a fake driver. */
#include "queue_fixture.h"

#include "core/base/info.h"
#include "compile/spirv/spirv_module.h"
#include "core/base/error.h"
#include "core/kernel/kernel.h"
#include "core/program/program.h"
#include "test_settings.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct program *from_source(struct queue_fixture *f, const char *source)
{
	struct program *program = NULL;

	assert_int_equal(program_create_source(f->context, 1, &source, NULL, &program), CL_SUCCESS);
	return program;
}

static cl_int compile(struct program *program, const char *options)
{
	return program_compile(program, 0, NULL, options, 0, NULL, NULL, NULL, NULL);
}

static cl_uint build_info(struct program *program, cl_program_build_info param)
{
	cl_uint value = 0xa5a5;
	cl_device_id device = device_handle(program->context->devices[0]);

	assert_int_equal(
		program_build_info(program, device, param, INFO(sizeof value, &value, NULL)),
		CL_SUCCESS);
	return value;
}

static void *read_binary(struct program *program, size_t *size)
{
	assert_int_equal(
		program_info(program, CL_PROGRAM_BINARY_SIZES, INFO(8, size, NULL)), CL_SUCCESS);
	void *binary = malloc(*size + 1);
	assert_int_equal(
		program_info(program, CL_PROGRAM_BINARIES, INFO(8, &binary, NULL)), CL_SUCCESS);
	return binary;
}

static void test_steps(void **state)
{
	struct queue_fixture *f = *state;
	struct program *main_part =
		from_source(f, "#include \"a/h.h\"\n"
			       "kernel void set(global T *a, uint v, local ulong *l)\n"
			       "{ l[0] = v; a[0] = twice(a[1]) + l[0]; }");
	struct program *header = from_source(f, "#define T int\nT twice(T x);");
	struct program *rest = from_source(f, "int twice(int x) { return 2 * x; }");
	struct program *library = NULL, *again = NULL, *whole = NULL;
	cl_program handle = program_handle(header), inputs[2];
	const char *name = "a/h.h";
	struct kernel *kernel;
	size_t size;

	assert_int_equal(
		program_compile(main_part, 0, NULL, "", 1, &handle, &name, NULL, NULL), CL_SUCCESS);
	assert_int_equal(build_info(main_part, CL_PROGRAM_BINARY_TYPE),
		CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
	assert_int_equal(kernel_create(main_part, "set", &kernel), CL_INVALID_PROGRAM_EXECUTABLE);
	assert_int_equal(compile(rest, "-cl-mad-enable"), CL_SUCCESS);
	inputs[0] = program_handle(rest);
	assert_int_equal(program_link(f->context, 0, NULL, "-create-library", 1, inputs, NULL, NULL,
				 &library),
		CL_SUCCESS);
	assert_int_equal(
		build_info(library, CL_PROGRAM_BINARY_TYPE), CL_PROGRAM_BINARY_TYPE_LIBRARY);

	/* By way of a file. */
	void *binary = read_binary(library, &size);
	const unsigned char *bytes = binary;
	cl_device_id device = device_handle(f->context->devices[0]);
	assert_int_equal(program_create_binary(f->context, 1, &device, &size, &bytes, NULL, &again),
		CL_SUCCESS);
	assert_int_equal(build_info(again, CL_PROGRAM_BINARY_TYPE), CL_PROGRAM_BINARY_TYPE_LIBRARY);
	inputs[0] = program_handle(main_part);
	inputs[1] = program_handle(again);
	assert_int_equal(
		program_link(f->context, 0, NULL, "", 2, inputs, NULL, NULL, &whole), CL_SUCCESS);
	assert_int_equal(
		build_info(whole, CL_PROGRAM_BINARY_TYPE), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
	assert_int_equal(kernel_create(whole, "set", &kernel), CL_SUCCESS);
	assert_int_equal(kernel->n_args, 3);
	kernel_put(kernel);
	/* What a link made has nothing to be built from. */
	assert_int_equal(program_build(whole, 0, NULL, "", NULL, NULL), CL_INVALID_OPERATION);
	program_put(whole);

	/* Without the library nothing is complete; there is a program that says so. */
	assert_int_equal(program_link(f->context, 0, NULL, "", 1, inputs, NULL, NULL, &whole),
		CL_LINK_PROGRAM_FAILURE);
	assert_int_equal(build_info(whole, CL_PROGRAM_BUILD_STATUS), (cl_uint)CL_BUILD_ERROR);
	assert_non_null(strstr(whole->forms[0].log, "twice"));
	program_put(whole);
	program_put(again);
	program_put(library);
	program_put(main_part);
	program_put(header);
	program_put(rest);
	free(binary);
}

static void test_mistakes(void **state)
{
	struct queue_fixture *f = *state;
	struct program *good = from_source(f, "kernel void k() {}"), *out = NULL;
	struct program *bad = from_source(f, "kernel void k() { nosuch(; }");
	cl_program inputs[1] = { program_handle(good) };
	const char *name = "h.h";

	assert_int_equal(compile(NULL, ""), CL_INVALID_PROGRAM);
	assert_int_equal(compile(good, "-nosuch"), CL_INVALID_COMPILER_OPTIONS);
	assert_int_equal(
		program_compile(good, 0, NULL, "", 1, NULL, NULL, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(
		program_compile(good, 0, NULL, "", 0, inputs, &name, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(compile(bad, ""), CL_COMPILE_PROGRAM_FAILURE);
	assert_int_equal(build_info(bad, CL_PROGRAM_BUILD_STATUS), (cl_uint)CL_BUILD_ERROR);
	assert_int_equal(build_info(bad, CL_PROGRAM_BINARY_TYPE), CL_PROGRAM_BINARY_TYPE_NONE);
	assert_non_null(strstr(bad->forms[0].log, "error: "));

	/* Not compiled; nothing; options of another step. */
	assert_int_equal(program_link(f->context, 0, NULL, "", 1, inputs, NULL, NULL, &out),
		CL_INVALID_OPERATION);
	assert_null(out);
	assert_int_equal(
		program_link(f->context, 0, NULL, "", 0, NULL, NULL, NULL, &out), CL_INVALID_VALUE);
	assert_int_equal(program_link(f->context, 0, NULL, "-DX=1", 1, inputs, NULL, NULL, &out),
		CL_INVALID_LINKER_OPTIONS);
	assert_int_equal(program_build(good, 0, NULL, "", NULL, NULL), CL_SUCCESS);
	/* An executable is no part of another one. */
	assert_int_equal(program_link(f->context, 0, NULL, "", 1, inputs, NULL, NULL, &out),
		CL_INVALID_OPERATION);
	inputs[0] = NULL;
	assert_int_equal(program_link(f->context, 0, NULL, "", 1, inputs, NULL, NULL, &out),
		CL_INVALID_PROGRAM);
	assert_null(out);
	program_put(good);
	program_put(bad);
}

struct notes {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int calls;
	cl_program program;
	pthread_t thread;
	cl_uint status;
};

static void CL_CALLBACK note(cl_program handle, void *data)
{
	struct notes *notes = data;

	pthread_mutex_lock(&notes->lock);
	notes->calls++;
	notes->program = handle;
	notes->thread = pthread_self();
	notes->status = build_info(program_from(handle), CL_PROGRAM_BUILD_STATUS);
	pthread_cond_broadcast(&notes->changed);
	pthread_mutex_unlock(&notes->lock);
}

static void wait_for(struct notes *notes, int calls)
{
	pthread_mutex_lock(&notes->lock);
	while (notes->calls < calls)
		pthread_cond_wait(&notes->changed, &notes->lock);
	pthread_mutex_unlock(&notes->lock);
}

static void test_on_the_side(void **state)
{
	struct queue_fixture *f = *state;
	struct notes notes = { .lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER };
	struct program *good = from_source(f, "kernel void k() {}"), *out = NULL;
	struct program *bad = from_source(f, "kernel void k() { nosuch(; }");
	cl_program inputs[1] = { program_handle(good) };

	/* What is wrong from the start is said at once, and nobody is called. */
	assert_int_equal(
		program_build(good, 0, NULL, "-nosuch", note, &notes), CL_INVALID_BUILD_OPTIONS);
	assert_int_equal(program_build(good, 0, NULL, "", NULL, &notes), CL_INVALID_VALUE);
	assert_int_equal(notes.calls, 0);
	assert_int_equal(build_info(good, CL_PROGRAM_BUILD_STATUS), (cl_uint)CL_BUILD_NONE);
	/* The callback cannot end before we let it. */
	pthread_mutex_lock(&notes.lock);
	assert_int_equal(program_build(bad, 0, NULL, "", note, &notes), CL_SUCCESS);
	pthread_mutex_unlock(&notes.lock);
	wait_for(&notes, 1);
	assert_ptr_equal(notes.program, program_handle(bad));
	assert_int_equal(notes.status, (cl_uint)CL_BUILD_ERROR);
	assert_false(pthread_equal(notes.thread, pthread_self()));
	assert_int_equal(
		program_compile(good, 0, NULL, "", 0, NULL, NULL, note, &notes), CL_SUCCESS);
	wait_for(&notes, 2);
	assert_int_equal(notes.status, CL_BUILD_SUCCESS);
	assert_int_equal(
		program_link(f->context, 0, NULL, "", 1, inputs, note, &notes, &out), CL_SUCCESS);
	assert_non_null(out);
	wait_for(&notes, 3);
	assert_ptr_equal(notes.program, program_handle(out));
	assert_int_equal(
		build_info(out, CL_PROGRAM_BINARY_TYPE), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
	/* A build in the call says no less than one on the side. */
	assert_int_equal(
		program_build(bad, 0, NULL, "-nosuch", NULL, NULL), CL_INVALID_BUILD_OPTIONS);
	assert_string_equal(
		error_sentence(CL_INVALID_BUILD_OPTIONS), "error: build option -nosuch: unknown");
	program_put(out);
	program_put(good);
	program_put(bad);
	/* The threads give back their references after the callback. */
	const struct timespec while_they_do = { .tv_nsec = 100000000 };
	nanosleep(&while_they_do, NULL);
}

/* int s [[SpecId 3]] = 5; kernel void k() {} */
static const uint32_t special[] = { SpvMagicNumber, 0x10000, 0, 9, 0, 2 << 16 | SpvOpCapability,
	SpvCapabilityKernel, 2 << 16 | SpvOpCapability, SpvCapabilityAddresses,
	2 << 16 | SpvOpCapability, SpvCapabilityLinkage, 3 << 16 | SpvOpMemoryModel,
	SpvAddressingModelPhysical64, SpvMemoryModelOpenCL, 4 << 16 | SpvOpEntryPoint,
	SpvExecutionModelKernel, 6, 'k', 4 << 16 | SpvOpDecorate, 2, SpvDecorationSpecId, 3,
	4 << 16 | SpvOpTypeInt, 1, 32, 0, 4 << 16 | SpvOpSpecConstant, 1, 2, 5,
	2 << 16 | SpvOpTypeVoid, 3, 3 << 16 | SpvOpTypeFunction, 4, 3, 5 << 16 | SpvOpFunction, 3,
	6, 0, 4, 2 << 16 | SpvOpLabel, 7, 1 << 16 | SpvOpReturn, 1 << 16 | SpvOpFunctionEnd };

static void test_il(void **state)
{
	struct queue_fixture *f = *state;
	struct program *program = NULL, *source = from_source(f, "kernel void k() {}");
	uint32_t value = 77, bad[sizeof special / 4];
	unsigned char il[sizeof special];

	assert_int_equal(
		program_create_il(f->context, special, sizeof special, &program), CL_SUCCESS);
	assert_int_equal(build_info(program, CL_PROGRAM_BINARY_TYPE), CL_PROGRAM_BINARY_TYPE_NONE);
	assert_int_equal(program_specialize(source, 3, 4, &value), CL_INVALID_PROGRAM);
	assert_int_equal(program_specialize(program, 4, 4, &value), CL_INVALID_SPEC_ID);
	assert_int_equal(program_specialize(program, 3, 2, &value), CL_INVALID_VALUE);
	assert_int_equal(program_specialize(program, 3, 4, NULL), CL_INVALID_VALUE);
	assert_int_equal(program_specialize(program, 3, 4, &value), CL_SUCCESS);
	value = 78;
	assert_int_equal(program_specialize(program, 3, 4, &value), CL_SUCCESS);
	assert_int_equal(program->n_specs, 1);
	assert_int_equal(program_build(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
	/* What was given is kept as it was, and what was built has the value. */
	assert_int_equal(
		program_info(program, CL_PROGRAM_IL, INFO(sizeof il, il, NULL)), CL_SUCCESS);
	assert_memory_equal(il, special, sizeof il);
	size_t size;
	void *binary = read_binary(program, &size);
	const uint32_t set[] = { 4 << 16 | SpvOpSpecConstant, 1, 2, 78 };
	assert_non_null(memmem(binary, size, set, sizeof set));
	free(binary);
	program_put(program);

	/* The validator's sentence is in the log. */
	memcpy(bad, special, sizeof bad);
	bad[sizeof bad / 4 - 5] = 1; /* the type of the function is an int */
	program = NULL;
	assert_int_equal(program_create_il(f->context, bad, sizeof bad, &program), CL_SUCCESS);
	assert_int_equal(program_build(program, 0, NULL, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
	assert_non_null(strstr(program->forms[0].log, "error: SPIR-V: "));
	program_put(program);
	assert_int_equal(program_create_il(f->context, bad, 24, &program), CL_INVALID_VALUE);
	program_put(source);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_steps),
		TEST(test_mistakes),
		TEST(test_on_the_side),
		TEST(test_il),
	};

	test_setting("ZEROCL_CACHE", "0");
	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
