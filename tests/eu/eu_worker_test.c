// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "eu_fake_kernel.h"

#include "eu/engine/eu_worker.h"

/* A job of one crew, without an engine around it. */
struct bench {
	struct eu_dispatch dispatch;
	struct eu_payload payload;
	struct eu_kernel *kernel;
	struct gen_program *program;
	atomic_int stop;
	struct eu_job job;
};

static void prepare(struct bench *bench, enum fake_kind kind, uint32_t groups, uint32_t threads,
	uint32_t resident_threads)
{
	struct gen_fault fault = { 0 };
	const uint8_t code[96] = { 0 };
	const struct gen_device *device = gen_device_find(NULL);

	fake_reset(kind);
	memset(bench, 0, sizeof *bench);
	bench->dispatch = (struct eu_dispatch){
		.bus = &fake_bus,
		.simd = 8,
		.threads_per_group = threads,
		.group_end = { groups, 1, 1 },
		.right_mask = 0xff,
		.slm_bytes = 1024,
		.cr0 = 0x30,
	};
	bench->program = gen_decode(device, code, sizeof code, &fault);
	bench->kernel = eu_kernel_create_for(
		device, bench->program, (struct eu_options){ .probes = 0 }, &fault);
	assert_true(eu_payload_prepare(&bench->payload, &bench->dispatch, 768, &fault));
	bench->job = (struct eu_job){
		.dispatch = &bench->dispatch,
		.kernel = bench->kernel,
		.payload = &bench->payload,
		.stop = &bench->stop,
		.group_count = groups,
		.chunk = 3,
		.resident_threads = resident_threads,
	};
	pthread_mutex_init(&bench->job.lock, NULL);
}

static void finish(struct bench *bench)
{
	pthread_mutex_destroy(&bench->job.lock);
	eu_payload_finish(&bench->payload);
	eu_kernel_destroy(bench->kernel);
	gen_program_destroy(bench->program);
}

static void a_crew_runs_all_groups_alone(void **state)
{
	struct eu_host_worker *crew = eu_host_worker_create(gen_device_find(NULL), 2);
	struct bench bench;

	(void)state;
	for (uint32_t groups = 1; groups < 12; groups++) {
		prepare(&bench, FAKE_BARRIERS, groups, 8, 8);
		eu_host_worker_work(crew, &bench.job);
		assert_int_equal(bench.job.fault.kind, GEN_FAULT_NONE);
		assert_int_equal(fake.threads, groups * 8);
		assert_int_equal(fake.mistakes, 0);
		/* Thread numbers of crew 2, eight for each crew. */
		assert_in_range(fake.fftid_max, 16, 23);
		finish(&bench);
	}
	eu_host_worker_destroy(crew);
}

/* As many groups as fit side by side can wait for each other. */
static void residents_are_bounded(void **state)
{
	struct eu_host_worker *crew = eu_host_worker_create(gen_device_find(NULL), 0);
	struct bench bench;

	(void)state;
	prepare(&bench, FAKE_SPIN_GROUPS, 6, 4, 24);
	eu_host_worker_work(crew, &bench.job);
	assert_int_equal(fake.threads, 24);
	/* The first thread of the last group sees that all are there and leaves its place. */
	assert_int_equal(fake.fftid_max, 5 * 4);
	assert_int_equal(fake.mistakes, 0);
	finish(&bench);
	eu_host_worker_destroy(crew);
}

static void a_stopped_or_failed_job_is_left(void **state)
{
	struct eu_host_worker *crew = eu_host_worker_create(gen_device_find(NULL), 0);
	struct bench bench;

	(void)state;
	prepare(&bench, FAKE_ENDLESS, 10, 4, 768);
	atomic_store(&bench.stop, 1);
	eu_host_worker_work(crew, &bench.job);
	assert_true(fake.threads <= 4);
	finish(&bench);
	prepare(&bench, FAKE_FAULT, 100, 4, 768);
	eu_host_worker_work(crew, &bench.job);
	assert_int_equal(bench.job.fault.kind, GEN_FAULT_PAGE);
	assert_int_equal(fake.threads, 5 * 4 + 2);
	/* Another crew takes nothing up, and the first fault stays. */
	bench.job.fault.address = 0x77;
	eu_host_worker_work(crew, &bench.job);
	assert_int_equal(bench.job.fault.address, 0x77);
	finish(&bench);
	/* The crew can be used again. */
	prepare(&bench, FAKE_BARRIERS, 3, 4, 768);
	eu_host_worker_work(crew, &bench.job);
	assert_int_equal(fake.threads, 12);
	assert_int_equal(fake.mistakes, 0);
	finish(&bench);
	eu_host_worker_destroy(crew);
}

static void ignore(struct eu_probe *probe)
{
	(void)probe;
}

static void a_probe_need_not_know_of_threads_and_faults(void **state)
{
	struct eu_host_worker *crew = eu_host_worker_create(gen_device_find(NULL), 0);
	struct eu_probe probe = { .destroy = ignore };
	struct bench bench;

	(void)state;
	prepare(&bench, FAKE_FAULT, 100, 4, 768);
	bench.kernel->probe = &probe;
	eu_host_worker_work(crew, &bench.job);
	assert_int_equal(bench.job.fault.kind, GEN_FAULT_PAGE);
	assert_int_equal(fake.threads, 5 * 4 + 2);
	finish(&bench);
	eu_host_worker_destroy(crew);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crew_runs_all_groups_alone),
		cmocka_unit_test(residents_are_bounded),
		cmocka_unit_test(a_stopped_or_failed_job_is_left),
		cmocka_unit_test(a_probe_need_not_know_of_threads_and_faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
