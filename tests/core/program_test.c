// SPDX-License-Identifier: MIT
/* Programs and kernels with the real compiler and the fake Level Zero: what happens on failure. */
#include "queue_fixture.h"

#include "core/base/info.h"
#include "compile/build/compile_helper.h"
#include "compile/zebin/reflect.h"
#include "core/kernel/kernel.h"
#include "core/program/program.h"
#include "test_settings.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *binary;
static size_t binary_size;

static cl_int from_binary(struct queue_fixture *f, struct program **out)
{
	cl_device_id device = device_handle(f->context->devices[0]);
	const unsigned char *data = binary;

	return program_create_binary(f->context, 1, &device, &binary_size, &data, NULL, out);
}

static void test_build(void **state)
{
	struct queue_fixture *f = *state;
	const char *source = "kernel void set(global uint *b, uint v, local ulong *l)\n"
			     "{ l[0] = v; b[get_global_id(0)] = v + l[0]; }\n";
	struct program *program;
	struct kernel *kernel;

	assert_int_equal(program_create_source(f->context, 1, &source, NULL, &program), CL_SUCCESS);
	assert_int_equal(program_build(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
	assert_int_equal(kernel_create(program, "set", &kernel), CL_SUCCESS);
	assert_int_equal(kernel->n_args, 3);
	assert_int_equal(kernel->args[0].kind, KERNEL_ARG_BUFFER);
	assert_int_equal(kernel->args[1].kind, KERNEL_ARG_VALUE);
	assert_int_equal(kernel->args[1].size, 4);
	assert_int_equal(kernel->args[2].kind, KERNEL_ARG_LOCAL);
	kernel_put(kernel);
	assert_int_equal(
		program_info(program, CL_PROGRAM_BINARY_SIZES, INFO(8, &binary_size, NULL)),
		CL_SUCCESS);
	binary = malloc(binary_size);
	assert_int_equal(
		program_info(program, CL_PROGRAM_BINARIES, INFO(8, &binary, NULL)), CL_SUCCESS);
	program_put(program);
}

/* An argument is sent again only when it changed; a buffer always, its bytes may have moved. */
static void test_changed(void **state)
{
	struct queue_fixture *f = *state;
	struct program *program;
	struct kernel *k;
	cl_uint v = 5;
	cl_mem a = mem_handle(f->a);

	assert_int_equal(from_binary(f, &program), CL_SUCCESS);
	assert_int_equal(program_build(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
	assert_int_equal(kernel_create(program, "set", &k), CL_SUCCESS);
	assert_int_equal(kernel_set_arg(k, 0, sizeof a, &a), CL_SUCCESS);
	assert_int_equal(kernel_set_arg(k, 1, 4, &v), CL_SUCCESS);
	assert_int_equal(kernel_set_arg(k, 2, 64, NULL), CL_SUCCESS);
	for (int i = 0; i < 3; i++) {
		assert_true(k->args[i].set && k->args[i].state);
		k->args[i].state = 0;
	}
	assert_int_equal(kernel_set_arg(k, 0, sizeof a, &a), CL_SUCCESS);
	assert_int_equal(kernel_set_arg(k, 1, 4, &v), CL_SUCCESS);
	assert_int_equal(kernel_set_arg(k, 2, 64, NULL), CL_SUCCESS);
	assert_true(k->args[0].state);
	assert_false(k->args[1].state);
	assert_false(k->args[2].state);
	/* What is refused changes nothing. */
	assert_int_equal(kernel_set_arg(k, 1, 0, &v), CL_INVALID_ARG_SIZE);
	assert_int_equal(kernel_set_arg(k, 2, 128, &v), CL_INVALID_ARG_VALUE);
	assert_int_equal(k->args[2].size, 64);
	assert_false(k->args[1].state);
	v = 6;
	assert_int_equal(kernel_set_arg(k, 1, 4, &v), CL_SUCCESS);
	assert_true(k->args[1].state);
	kernel_put(k);
	program_put(program);
}

/* The n-th Level Zero call fails, for every n of: create, build, two kernels. */
static void test_failures(void **state)
{
	struct queue_fixture *f = *state;
	int live = l0_fake.live;
	unsigned errors = 0;

	for (unsigned n = 1; n < 30; n++) {
		struct program *program = NULL;
		struct kernel *kernels[2] = { NULL, NULL };

		assert_int_equal(from_binary(f, &program), CL_SUCCESS);
		l0_fake.failed = false;
		l0_fake.fail_after = n;
		cl_int rc = program_build(program, 0, NULL, "", NULL, NULL);
		for (int i = 0; i < 2 && !rc; i++)
			rc = kernel_create(program, "set", &kernels[i]);
		l0_fake.fail_after = 0;
		bool failed = l0_fake.failed;
		/* A lost build log is no error. */
		assert_true(!rc || failed);
		errors += rc != CL_SUCCESS;
		kernel_put(kernels[0]);
		kernel_put(kernels[1]);
		/* The program can be built again after a failure. */
		assert_int_equal(program_build(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
		program_put(program);
		assert_int_equal(l0_fake.live, live);
		if (!failed) {
			assert_true(errors >= 3);
			return;
		}
	}
	fail();
}

/* A driver that refuses the compiler's code gets the SPIR-V, and the log says so. */
static void test_refused(void **state)
{
	struct queue_fixture *f = *state;
	/* as many arguments as the fake says */
	const char *source =
		"kernel void set(global uint *b, uint v) { b[get_global_id(0)] = v; }\n";
	unsigned char *first = binary;
	size_t first_size = binary_size;
	struct program *program;
	struct kernel *kernel;
	char log[256] = "";
	int live = l0_fake.live;

	assert_int_equal(program_create_source(f->context, 1, &source, NULL, &program), CL_SUCCESS);
	l0_fake.n_spirv = 0;
	l0_fake.refuses_native = true;
	assert_int_equal(program_build(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
	assert_int_equal(l0_fake.n_spirv, 1);
	assert_int_equal(kernel_create(program, "set", &kernel), CL_SUCCESS);
	assert_true(kernel->info->simd_size > 0);
	assert_int_equal(program_build_info(program, device_handle(f->context->devices[0]),
				 CL_PROGRAM_BUILD_LOG, INFO(sizeof log, log, NULL)),
		CL_SUCCESS);
	assert_non_null(strstr(log, "refused the native code"));
	kernel_put(kernel);
	assert_int_equal(
		program_info(program, CL_PROGRAM_BINARY_SIZES, INFO(8, &binary_size, NULL)),
		CL_SUCCESS);
	binary = malloc(binary_size);
	assert_int_equal(
		program_info(program, CL_PROGRAM_BINARIES, INFO(8, &binary, NULL)), CL_SUCCESS);
	program_put(program);
	/* a binary is compiled again from its SPIR-V, and then the same */
	assert_int_equal(from_binary(f, &program), CL_SUCCESS);
	l0_fake.n_spirv = 0;
	assert_int_equal(program_build(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
	assert_int_equal(l0_fake.n_spirv, 1);
	program_put(program);
	l0_fake.refuses_native = false;
	free(binary);
	binary = first;
	binary_size = first_size;
	assert_int_equal(l0_fake.live, live);
}

static void *ask_sizes(void *program)
{
	size_t size;

	assert_int_equal(
		program_info(program, CL_PROGRAM_BINARY_SIZES, INFO(8, &size, NULL)), CL_SUCCESS);
	return NULL;
}

/* What a binary is compiled for keeps no other query waiting: here the compiler hangs. */
static void test_binary_is_made_without_locks(void **state)
{
	struct queue_fixture *f = *state;
	const char *source = "kernel void lonely(global uint *b) { b[0] = 99; }\n";
	const size_t free_before = compile_helper_room();
	cl_device_id device = device_handle(f->context->devices[0]);
	struct program *program;
	cl_build_status status;
	pthread_t thread;

	assert_int_equal(program_create_source(f->context, 1, &source, NULL, &program), CL_SUCCESS);
	assert_int_equal(program_build(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
	test_setting("ZEROCL_CC", FAKE_CC_PATH);
	setenv("FAKE_CC", "mute", 1);
	test_setting("ZEROCL_CACHE", "0");
	test_setting("ZEROCL_BUILD_TIMEOUT", "2");
	assert_int_equal(pthread_create(&thread, NULL, ask_sizes, program), 0);
	while (compile_helper_room() == free_before)
		sched_yield();
	assert_int_equal(program_build_info(program, device, CL_PROGRAM_BUILD_STATUS,
				 INFO(sizeof(status), &status, NULL)),
		CL_SUCCESS);
	assert_int_equal(status, CL_BUILD_SUCCESS);
	assert_true(compile_helper_room() < free_before);
	assert_int_equal(pthread_join(thread, NULL), 0);
	test_setting("ZEROCL_CC", NULL);
	test_setting("ZEROCL_CACHE", NULL);
	test_setting("ZEROCL_BUILD_TIMEOUT", NULL);
	program_put(program);
}

static void test_end(void **state)
{
	(void)state;
	free(binary);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_build),
		TEST(test_changed),
		TEST(test_failures),
		TEST(test_refused),
		TEST(test_binary_is_made_without_locks),
		cmocka_unit_test(test_end),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
