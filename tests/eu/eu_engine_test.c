// SPDX-License-Identifier: MIT
#include "test.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eu_fake_kernel.h"
#include "util/util_settings.h"

/* A walker of `groups` groups in a row; the fake kernel `kind` lies at FAKE_CODE. */
static struct eu_dispatch walker(enum fake_kind kind, uint32_t groups, uint32_t threads)
{
	fake_reset(kind);
	return (struct eu_dispatch){
		.bus = &fake_bus,
		.kernel = FAKE_CODE,
		.simd = 16,
		.threads_per_group = threads,
		.group_end = { groups, 1, 1 },
		.right_mask = 0x7f,
		.slm_bytes = 4096,
		.cr0 = 0x30,
	};
}

static const atomic_int never;

static void expect_run(struct eu_engine *engine, const struct eu_dispatch *dispatch)
{
	struct gen_fault fault = { 0 };

	if (eu_engine_run(engine, dispatch, &never, &fault))
		fail_msg("%s", fault.report);
	assert_int_equal(fault.kind, GEN_FAULT_NONE);
	assert_int_equal(atomic_load(&fake.mistakes), 0);
}

static int setup(void **state)
{
	*state = eu_engine_create(gen_device_find(NULL), 4);
	assert_non_null(*state);
	return 0;
}

static int teardown(void **state)
{
	eu_engine_destroy(*state);
	return 0;
}

static void every_thread_of_a_box_runs_once(void **state)
{
	struct eu_engine *engine = *state;
	struct eu_statistics before, after;

	eu_engine_statistics(engine, &before);
	for (uint32_t threads = 1; threads <= 64; threads += 9) {
		struct eu_dispatch dispatch = walker(FAKE_COUNT, 0, threads);
		const uint32_t first[3] = { 2, 1, 5 }, end[3] = { 9, 4, 8 };
		memcpy(dispatch.group_first, first, sizeof first);
		memcpy(dispatch.group_end, end, sizeof end);
		expect_run(engine, &dispatch);
		for (uint32_t x = 0; x < 12; x++)
			for (uint32_t y = 0; y < 12; y++)
				for (uint32_t z = 0; z < 12; z++) {
					bool in = x >= 2 && x < 9 && y >= 1 && y < 4 && z >= 5 &&
						  z < 8;
					assert_int_equal(fake.ran[x][y][z], in ? threads : 0);
				}
	}
	eu_engine_statistics(engine, &after);
	assert_int_equal(after.groups - before.groups, 8 * 63);
	assert_int_equal(
		after.threads - before.threads, 63 * (1 + 10 + 19 + 28 + 37 + 46 + 55 + 64));
	assert_true(after.instructions - before.instructions == after.threads - before.threads);
}

static void empty_boxes_run_nothing(void **state)
{
	struct eu_dispatch dispatch = walker(FAKE_COUNT, 4, 2);

	dispatch.group_end[1] = 0;
	expect_run(*state, &dispatch);
	assert_int_equal(fake.threads, 0);
}

static void thread_ids_are_unique_among_residents(void **state)
{
	struct eu_dispatch dispatch = walker(FAKE_BARRIERS, 200, 24);

	expect_run(*state, &dispatch);
	assert_int_equal(fake.threads, 200 * 24);
	assert_true(fake.fftid_max < gen_device_threads(gen_device_find(NULL)));
}

static void barriers_separate_phases(void **state)
{
	for (uint32_t threads = 128; threads > 0; threads = threads * 2 / 3) {
		struct eu_dispatch dispatch = walker(FAKE_BARRIERS, 37, threads);
		expect_run(*state, &dispatch);
		assert_int_equal(fake.threads, 37 * threads);
	}
}

static void ended_threads_do_not_hold_up_barriers(void **state)
{
	struct eu_dispatch dispatch = walker(FAKE_LEAVERS, 20, 9);

	expect_run(*state, &dispatch);
	assert_int_equal(fake.threads, 20 * 9);
}

static void threads_may_spin_on_later_threads(void **state)
{
	struct eu_dispatch dispatch = walker(FAKE_SPIN_THREADS, 10, 8);

	expect_run(*state, &dispatch);
	/* Between the two halves of a split barrier, too. */
	dispatch = walker(FAKE_SPLIT_BARRIER, 10, 8);
	expect_run(*state, &dispatch);
	assert_int_equal(fake.threads, 80);
}

/* No group ends before all have started: as many as the device can hold. */
static void groups_may_spin_on_later_groups(void **state)
{
	struct eu_dispatch dispatch = walker(FAKE_SPIN_GROUPS, 96, 8);

	expect_run(*state, &dispatch);
	assert_int_equal(fake.threads, 96 * 8);
	dispatch = walker(FAKE_SPIN_GROUPS, 12, 64);
	expect_run(*state, &dispatch);
	struct eu_engine *alone = eu_engine_create(gen_device_find(NULL), 1);
	dispatch = walker(FAKE_SPIN_GROUPS, 768, 1);
	expect_run(alone, &dispatch);
	eu_engine_destroy(alone);
}

static void the_first_fault_stops_everything(void **state)
{
	struct eu_dispatch dispatch = walker(FAKE_FAULT, 4000000, 4);
	struct gen_fault fault = { 0 };

	assert_int_equal(eu_engine_run(*state, &dispatch, &never, &fault), -1);
	assert_int_equal(fault.kind, GEN_FAULT_PAGE);
	assert_int_equal(fault.address, 0xbad000);
	assert_non_null(strstr(fault.report, "fake lane 3"));
	assert_true(fault.place.has_thread);
	assert_int_equal(fault.place.thread, 2);
	assert_memory_equal(fault.place.group, ((uint32_t[3]){ 5, 0, 0 }), 12);
	assert_int_equal(fault.place.kernel, dispatch.kernel);
	/* A worker may be kept from its processor for long, but not for ever. */
	assert_true(fake.threads < 2 * 4000000);
	/* The engine works as before. */
	dispatch = walker(FAKE_BARRIERS, 10, 8);
	expect_run(*state, &dispatch);
	assert_int_equal(fake.threads, 80);
}

static void impossible_barriers_fault(void **state)
{
	struct eu_dispatch dispatch = walker(FAKE_LOST_BARRIER, 3, 4);
	struct gen_fault fault = { 0 };

	assert_int_equal(eu_engine_run(*state, &dispatch, &never, &fault), -1);
	assert_int_equal(fault.kind, GEN_FAULT_BAD_STATE);
	assert_non_null(strstr(fault.report, "barrier that cannot be completed"));
}

static void impossible_dispatches_fault(void **state)
{
	struct eu_dispatch dispatch = walker(FAKE_COUNT, 3, 129);
	struct gen_fault fault = { 0 };

	assert_int_equal(eu_engine_run(*state, &dispatch, &never, &fault), -1);
	assert_int_equal(fault.kind, GEN_FAULT_BAD_STATE);
	dispatch = walker(FAKE_COUNT, 3, 4);
	dispatch.kernel = 0x123000;
	memset(&fault, 0, sizeof fault);
	assert_int_equal(eu_engine_run(*state, &dispatch, &never, &fault), -1);
	assert_int_equal(fault.kind, GEN_FAULT_PAGE);
	dispatch = walker(FAKE_COUNT, 3, 4);
	dispatch.payload_bytes = 64;
	dispatch.payload = 0x123000;
	dispatch.cross_thread_registers = 2;
	memset(&fault, 0, sizeof fault);
	assert_int_equal(eu_engine_run(*state, &dispatch, &never, &fault), -1);
	assert_int_equal(fault.kind, GEN_FAULT_PAGE);
	dispatch = walker(FAKE_UNDECODABLE, 3, 4);
	memset(&fault, 0, sizeof fault);
	assert_int_equal(eu_engine_run(*state, &dispatch, &never, &fault), -1);
	assert_int_equal(fault.kind, GEN_FAULT_BAD_INSTRUCTION);
	assert_int_equal(fake.threads, 0);
}

static atomic_int stop_soon;

static void *stopper(void *argument)
{
	(void)argument;
	usleep(50000);
	atomic_store(&stop_soon, 1);
	return NULL;
}

static void endless_kernels_can_be_stopped(void **state)
{
	struct eu_dispatch dispatch = walker(FAKE_ENDLESS, UINT32_MAX, 8);
	struct gen_fault fault = { 0 };
	pthread_t thread;

	dispatch.group_end[1] = dispatch.group_end[2] = UINT32_MAX;
	atomic_store(&stop_soon, 0);
	pthread_create(&thread, NULL, stopper, NULL);
	assert_int_equal(eu_engine_run(*state, &dispatch, &stop_soon, &fault), -1);
	pthread_join(thread, NULL);
	assert_int_equal(fault.kind, GEN_FAULT_HANG);
	assert_true(fake.threads > 0);
	/* Stopped before it began. */
	memset(&fault, 0, sizeof fault);
	assert_int_equal(eu_engine_run(*state, &dispatch, &stop_soon, &fault), -1);
	assert_int_equal(fault.kind, GEN_FAULT_HANG);
}

static void endless_kernels_have_a_limit(void **state)
{
	struct eu_dispatch dispatch = walker(FAKE_ENDLESS, 5, 8);
	struct gen_fault fault = { 0 };

	atomic_store(&stop_soon, 0);
	setenv("ZEROCL_VGPU_HANG_MS", "40", 1);
	util_settings_read();
	assert_int_equal(eu_engine_run(*state, &dispatch, &stop_soon, &fault), -1);
	unsetenv("ZEROCL_VGPU_HANG_MS");
	util_settings_read();
	assert_int_equal(fault.kind, GEN_FAULT_HANG);
	assert_non_null(strstr(fault.report, "more than 40 ms"));
}

static void *run_many(void *engine)
{
	struct eu_dispatch dispatch = {
		.bus = &fake_bus,
		.kernel = FAKE_CODE,
		.simd = 8,
		.threads_per_group = 6,
		.group_end = { 11, 2, 1 },
		.right_mask = 0xff,
		.slm_bytes = 4096,
		.cr0 = 0x30,
	};
	struct gen_fault fault = { 0 };

	for (unsigned i = 0; i < 50; i++)
		if (eu_engine_run(engine, &dispatch, &never, &fault))
			return "failed";
	return NULL;
}

static void runs_of_several_threads_take_turns(void **state)
{
	pthread_t threads[4];
	void *result;

	fake_reset(FAKE_BARRIERS);
	for (unsigned i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, run_many, *state);
	for (unsigned i = 0; i < 4; i++) {
		pthread_join(threads[i], &result);
		assert_null(result);
	}
	assert_int_equal(fake.threads, 4 * 50 * 22 * 6);
	assert_int_equal(atomic_load(&fake.mistakes), 0);
}

static void kernels_are_found_again_by_content(void **state)
{
	struct eu_dispatch dispatch = walker(FAKE_COUNT, 1, 1);

	expect_run(*state, &dispatch);
	unsigned made = fake.kernels_made;
	expect_run(*state, &dispatch);
	/* The same code elsewhere, other code here, the first code again. */
	fake_put_code(64 * 100, FAKE_COUNT, 0);
	dispatch.kernel = FAKE_CODE + 64 * 100;
	expect_run(*state, &dispatch);
	assert_int_equal(fake.kernels_made, made);
	fake_put_code(0, FAKE_COUNT, 1);
	dispatch.kernel = FAKE_CODE;
	expect_run(*state, &dispatch);
	assert_int_equal(fake.kernels_made, made + 1);
	fake_put_code(0, FAKE_COUNT, 0);
	expect_run(*state, &dispatch);
	assert_int_equal(fake.kernels_made, made + 1);
	/* More kernels than are kept. */
	for (uint32_t i = 0; i < 3000; i++) {
		fake_put_code(0, FAKE_COUNT, i);
		expect_run(*state, &dispatch);
	}
	assert_true(fake.kernels_made - fake.kernels_destroyed <= 1024);
	assert_true(fake.kernels_made >= made + 2999);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_thread_of_a_box_runs_once),
		TEST(empty_boxes_run_nothing),
		TEST(thread_ids_are_unique_among_residents),
		TEST(barriers_separate_phases),
		TEST(ended_threads_do_not_hold_up_barriers),
		TEST(threads_may_spin_on_later_threads),
		TEST(groups_may_spin_on_later_groups),
		TEST(the_first_fault_stops_everything),
		TEST(impossible_barriers_fault),
		TEST(impossible_dispatches_fault),
		TEST(endless_kernels_can_be_stopped),
		TEST(endless_kernels_have_a_limit),
		TEST(runs_of_several_threads_take_turns),
		TEST(kernels_are_found_again_by_content),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
