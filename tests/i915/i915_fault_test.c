// SPDX-License-Identifier: MIT
#include "i915_bench.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drm/schedule/drm_fault.h"
#include "drm/schedule/drm_guard.h"

/* A batch that faults: who hears of it, and how the context goes on. */

enum { SIZE = 65536 };

#define DATA UINT64_C(0x10000000)
#define CODE UINT64_C(0x20000000)
#define NONE UINT64_C(0x50000000)

static uint32_t data, code;
static uint32_t *numbers, *commands;

static int setup(void **state)
{
	struct bench *bench;

	bench_setup(state);
	bench = *state;
	data = bench_buffer(bench->file, SIZE);
	code = bench_buffer(bench->file, SIZE);
	numbers = bench_map(bench->file, data, SIZE);
	commands = bench_map(bench->file, code, SIZE);
	return 0;
}

static int teardown(void **state)
{
	munmap(numbers, SIZE);
	munmap(commands, SIZE);
	return bench_teardown(state);
}

static int run_at(struct drm_file *file, uint32_t context, uint32_t offset)
{
	struct drm_i915_gem_exec_object2 list[] = { PINNED(data, DATA), PINNED(code, CODE) };
	struct drm_i915_gem_execbuffer2 exec = { .buffers_ptr = (uintptr_t)list,
		.buffer_count = 2,
		.batch_start_offset = offset,
		.rsvd1 = context };

	return CALL(file, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &exec);
}

static void sticks_until_taken(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	uint32_t context = bench_context(file), other = bench_context(file);
	char report[2048];

	assert_int_equal(drm_fault_take(bench->device, report, sizeof report), 0);
	bench_end(bench_store(bench_store(bench_store(commands, DATA, 1), NONE, 2), DATA + 4, 3));
	bench_end(bench_store(commands + 64, DATA + 8, 4));
	assert_int_equal(run_at(file, context, 0), 0);
	assert_int_equal(bench_wait(file, data, -1), 0); /* let go */
	assert_int_equal(numbers[0], 1);
	assert_int_equal(numbers[1], 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(bench_stats(file, context).batch_active, 1);
		assert_int_equal(bench_stats(file, context).batch_pending, 0);
	}
	assert_int_equal(bench_stats(file, context).reset_count, 1);
	assert_int_equal(bench_stats(file, other).batch_active, 0);
	/* Later batches are accepted, do not run, and hold nobody up. */
	assert_int_equal(run_at(file, context, 256), 0);
	assert_int_equal(bench_wait(file, data, -1), 0);
	assert_int_equal(bench_busy(file, data), 0);
	assert_int_equal(numbers[2], 0);
	/* Others are not concerned. */
	assert_int_equal(run_at(file, other, 256), 0);
	assert_int_equal(bench_wait(file, code, -1), 0);
	assert_int_equal(numbers[2], 4);

	memset(report, 'x', sizeof report);
	size_t length = drm_fault_take(bench->device, report, sizeof report);
	assert_int_equal(length, strlen(report));
	assert_non_null(strstr(report, "0x000050000000"));
	assert_non_null(strstr(report, "MI_STORE_DATA_IMM"));
	assert_non_null(strstr(report, "0x000020000000..0x000020010000")); /* nearest, below */
	assert_int_equal(drm_fault_take(bench->device, report, sizeof report), 0);
	assert_string_equal(report, "");
	assert_int_equal(bench_stats(file, context).batch_active, 0);
	/* New work runs. */
	numbers[2] = 0;
	assert_int_equal(run_at(file, context, 256), 0);
	assert_int_equal(bench_wait(file, data, -1), 0);
	assert_int_equal(numbers[2], 4);
}

static void takes_one_after_the_other(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	uint32_t first = bench_context(file), second = bench_context(file);
	char small[8];

	bench_end(bench_store(commands, NONE, 1));
	commands[64] = 0x7fff0000; /* no packet */
	assert_int_equal(run_at(file, first, 0), 0);
	assert_int_equal(bench_wait(file, data, -1), 0);
	assert_int_equal(run_at(file, second, 256), 0);
	assert_int_equal(bench_wait(file, data, -1), 0);
	assert_int_equal(bench_stats(file, first).reset_count, 2);
	assert_true(drm_fault_take(bench->device, small, sizeof small) > sizeof small);
	assert_int_equal(strlen(small), sizeof small - 1);
	assert_int_equal(bench_stats(file, first).batch_active, 0);
	assert_int_equal(bench_stats(file, second).batch_active, 1);
	/* The report outlives its context. */
	assert_int_equal(bench_destroy(file, second), 0);
	assert_true(drm_fault_take(bench->device, NULL, 0) > 0);
	assert_int_equal(drm_fault_take(bench->device, NULL, 0), 0);
}

static void keeps_few_reports_of_the_gone(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	unsigned kept = 0;

	bench_end(bench_store(commands, NONE, 1));
	for (int i = 0; i < 100; i++) {
		uint32_t context = bench_context(file);
		assert_int_equal(run_at(file, context, 0), 0);
		assert_int_equal(bench_wait(file, data, -1), 0);
		assert_int_equal(bench_stats(file, context).batch_active, 1);
		assert_int_equal(bench_destroy(file, context), 0);
	}
	while (drm_fault_take(bench->device, NULL, 0))
		kept++;
	assert_in_range(kept, 1, 17);
}

/* Batches that will never end, when the process exits. */
static void leaves(void **state)
{
	struct bench *bench = *state;
	struct drm_file *file = bench->file;
	char report[2048];

	bench_end(bench_semaphore(commands, DATA, 1));
	bench_end(bench_semaphore(commands + 64, DATA, 2));
	assert_int_equal(run_at(file, 0, 0), 0);
	drm_device_leave(bench->device, 200);
	assert_int_equal(bench_wait(file, data, 0), -ETIME);
	assert_int_equal(bench_wait(file, data, -1), 0);
	assert_int_equal(bench_stats(file, 0).batch_active, 1);
	assert_true(drm_fault_take(bench->device, report, sizeof report) > 0);
	assert_non_null(strstr(report, "the process exits"));
	/* What comes later is not concerned: it ends as it would. */
	numbers[0] = 1;
	assert_int_equal(run_at(file, 0, 256), 0);
	numbers[0] = 2;
	assert_int_equal(bench_wait(file, data, -1), 0);
	assert_int_equal(bench_stats(file, 0).batch_active, 0);
	/* At the very end. */
	numbers[0] = 0;
	assert_int_equal(run_at(file, 0, 256), 0);
	drm_device_quiesce(bench->device, 2000);
	assert_int_equal(bench_wait(file, data, -1), 0);
	assert_int_equal(bench_stats(file, 0).batch_active, 1);
}

static atomic_bool guarding;

static void guard_once(void)
{
	struct drm_vm_snapshot space = { .count = 0 };
	atomic_int stop = 0;
	struct drm_guard guard = { .space = &space, .stop = &stop };

	drm_guard_begin(&guard);
	drm_guard_end(&guard);
}

static void *guard_batches(void *unused)
{
	while (atomic_load(&guarding))
		guard_once();
	return unused;
}

/* A process may fork at any time: its child can guard batches of its own. */
static void children_can_guard(void **state)
{
	pthread_t threads[3];

	(void)state;
	atomic_store(&guarding, true);
	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, guard_batches, NULL), 0);
	for (int i = 0; i < 300; i++) {
		int status;
		pid_t pid = fork();
		if (pid == 0) {
			alarm(20); /* ends a child that waits for a lock which nobody releases */
			guard_once();
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
	atomic_store(&guarding, false);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(sticks_until_taken, setup, teardown),
		cmocka_unit_test_setup_teardown(takes_one_after_the_other, setup, teardown),
		cmocka_unit_test_setup_teardown(keeps_few_reports_of_the_gone, setup, teardown),
		cmocka_unit_test_setup_teardown(leaves, setup, teardown),
		cmocka_unit_test(children_can_guard),
	};

	return cmocka_run_group_tests_name("drm_fault", tests, NULL, NULL);
}
