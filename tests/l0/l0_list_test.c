// SPDX-License-Identifier: MIT
#include "test.h"

#include "l0/l0_list.h"
#include "l0/l0_memory.h"
#include "l0/l0_private.h"
#include "l0_fake.h"

#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#define SLICE 1000000

struct fixture {
	struct l0_context *context;
	struct l0_queue *queue;
	struct l0_module *module;
	struct l0_kernel *set, *add;
	uint32_t *buffer;
};

static int setup(void **state)
{
	static struct fixture f;

	l0_fake = (struct l0_fake){ .mode = L0_FAKE_BY_HAND };
	f = (struct fixture){ 0 };
	assert_int_equal(
		l0_context_create(1, &(struct l0_device *){ l0_device_open(0) }, &f.context),
		CL_SUCCESS);
	assert_int_equal(l0_queue_create(f.context, L0_PRIORITY_NORMAL, &f.queue), CL_SUCCESS);
	assert_int_equal(
		l0_module_create(f.context, L0_MODULE_NATIVE, "x", 1, NULL, &f.module, NULL),
		CL_SUCCESS);
	assert_int_equal(l0_kernel_create(f.module, "set", &f.set), CL_SUCCESS);
	assert_int_equal(l0_kernel_create(f.module, "add", &f.add), CL_SUCCESS);
	void *memory;
	assert_int_equal(
		l0_memory_alloc(f.context, L0_MEMORY_SHARED, 4096, 64, &memory), CL_SUCCESS);
	f.buffer = memory;
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	l0_device_open(0)->vgpu.take_fault = NULL;
	l0_memory_free(f->context, f->buffer);
	l0_kernel_destroy(f->set);
	l0_kernel_destroy(f->add);
	l0_module_destroy(f->module);
	l0_queue_destroy(f->queue);
	l0_context_destroy(f->context);
	assert_int_equal(l0_fake.live, 0);
	assert_int_equal(l0_fake.errors, 0);
	return 0;
}

static void launch(struct fixture *f, struct l0_list *list, struct l0_kernel *kernel, uint32_t v,
	struct l0_event *signal)
{
	const size_t size[3] = { 16, 1, 1 };
	const uint32_t groups[3] = { 4, 1, 1 };

	assert_int_equal(l0_kernel_set_arg(kernel, 0, sizeof(f->buffer), &f->buffer), CL_SUCCESS);
	assert_int_equal(l0_kernel_set_arg(kernel, 1, sizeof(v), &v), CL_SUCCESS);
	assert_int_equal(l0_kernel_set_group_size(kernel, size), CL_SUCCESS);
	assert_int_equal(l0_list_launch(list, kernel, groups, signal), CL_SUCCESS);
}

static void check(const struct fixture *f, uint32_t first)
{
	for (uint32_t i = 0; i < 64; i++)
		assert_int_equal(f->buffer[i], first + i);
}

static void a_list_runs_once_per_submission(void **state)
{
	struct fixture *f = *state;
	struct l0_list *list;

	assert_int_equal(l0_list_create(f->queue, &list), CL_SUCCESS);
	launch(f, list, f->set, 7, NULL);
	assert_int_equal(l0_list_barrier(list, NULL), CL_SUCCESS);
	launch(f, list, f->add, 100, NULL);
	assert_int_equal(l0_list_submit(list), CL_SUCCESS);
	assert_int_equal(l0_list_status(list, NULL), L0_PENDING);
	assert_int_equal(l0_list_wait_host(list, NULL, SLICE), L0_PENDING);
	l0_fake_run(1);
	assert_int_equal(l0_list_status(list, NULL), L0_DONE);
	check(f, 107);
	for (uint32_t round = 0; round < 3; round++) {
		assert_int_equal(l0_list_reset(list), CL_SUCCESS);
		launch(f, list, f->add, 1, NULL);
		assert_int_equal(l0_list_submit(list), CL_SUCCESS);
		assert_int_equal(l0_list_status(list, NULL), L0_PENDING);
		l0_fake_run(1);
		assert_int_equal(l0_list_wait_host(list, NULL, SLICE), L0_DONE);
		check(f, 108 + round);
	}
	l0_list_destroy(list);
}

static void a_list_waits_for_an_event_of_another(void **state)
{
	struct fixture *f = *state;
	struct l0_list *first, *second;
	struct l0_event *event;

	assert_int_equal(l0_queue_event(f->queue, false, &event), CL_SUCCESS);
	assert_int_equal(l0_list_create(f->queue, &first), CL_SUCCESS);
	assert_int_equal(l0_list_create(f->queue, &second), CL_SUCCESS);
	launch(f, first, f->set, 1, event);
	assert_int_equal(l0_list_submit(first), CL_SUCCESS);
	assert_int_equal(l0_list_wait(second, 1, &event, l0_list_losses(first)), CL_SUCCESS);
	launch(f, second, f->add, 1, NULL);
	assert_int_equal(l0_list_submit(second), CL_SUCCESS);
	assert_int_equal(l0_fake_run(1), 1);
	assert_int_equal(l0_list_status(first, event), L0_DONE);
	assert_int_equal(l0_list_status(second, NULL), L0_PENDING);
	assert_int_equal(l0_fake_run(1), 1);
	check(f, 2);
	l0_event_release(event);
	l0_list_destroy(first);
	l0_list_destroy(second);
}

static void an_event_is_done_before_its_list(void **state)
{
	struct fixture *f = *state;
	struct l0_list *list;
	struct l0_event *event;

	/* signalled from elsewhere: the list of the fake signals all at once */
	assert_int_equal(l0_queue_event(f->queue, false, &event), CL_SUCCESS);
	assert_int_equal(l0_list_create(f->queue, &list), CL_SUCCESS);
	launch(f, list, f->set, 1, NULL);
	assert_int_equal(l0_list_submit(list), CL_SUCCESS);
	assert_int_equal(l0_list_status(list, event), L0_PENDING);
	struct l0_list *other;
	assert_int_equal(l0_list_create(f->queue, &other), CL_SUCCESS);
	assert_int_equal(l0_list_barrier(other, event), CL_SUCCESS);
	assert_int_equal(l0_list_submit(other), CL_SUCCESS);
	l0_fake_run(2);
	assert_int_equal(l0_list_wait_host(list, event, SLICE), L0_DONE);
	l0_event_release(event);
	l0_list_destroy(list);
	l0_list_destroy(other);
}

static void a_copy_of_a_box(void **state)
{
	struct fixture *f = *state;
	unsigned char *bytes = (unsigned char *)f->buffer;
	struct l0_list *list;

	for (unsigned i = 0; i < 4096; i++)
		bytes[i] = (unsigned char)(i < 2048 ? i * 7 : 0xee);
	const struct l0_box box = { .to = bytes + 2048,
		.from = bytes + 3,
		.region = { 5, 4, 3 },
		.to_row_pitch = 9,
		.to_slice_pitch = 90,
		.from_row_pitch = 11,
		.from_slice_pitch = 66 };
	assert_int_equal(l0_list_create(f->queue, &list), CL_SUCCESS);
	assert_int_equal(l0_list_copy_box(list, &box, NULL), CL_SUCCESS);
	assert_int_equal(l0_list_submit(list), CL_SUCCESS);
	l0_fake_run(1);
	for (unsigned at = 0; at < 2048; at++) {
		unsigned z = at / 90, y = at % 90 / 9, x = at % 90 % 9;
		bool inside = z < 3 && y < 4 && x < 5;
		unsigned from = 3 + z * 66 + y * 11 + x;

		assert_int_equal(
			bytes[2048 + at], inside ? (unsigned char)(from * 7) : (unsigned char)0xee);
	}
	l0_list_destroy(list);
}

static void a_lost_list_is_lost_for_ever(void **state)
{
	struct fixture *f = *state;
	struct l0_device *device = l0_device_open(0);
	struct l0_list *list, *next;
	char report[64] = "";

	device->vgpu.take_fault = l0_fake_take_fault;
	memset(f->buffer, 0x11, 256);
	assert_int_equal(l0_list_create(f->queue, &list), CL_SUCCESS);
	assert_int_equal(l0_list_create(f->queue, &next), CL_SUCCESS);
	launch(f, list, f->set, 5, NULL);
	assert_int_equal(l0_list_submit(list), CL_SUCCESS);
	l0_fake.fault_next = true;
	l0_fake_run(1);
	unsigned losses = l0_device_losses(device);
	assert_int_equal(l0_list_wait_host(list, NULL, 1000 * SLICE), L0_LOST);
	assert_int_equal(l0_device_losses(device), losses + 1);
	l0_device_loss_report(device, report, sizeof(report));
	assert_string_equal(report, "a fault of the fake device");
	/* its fence is signalled by now, but its work was not done */
	assert_int_equal(l0_list_status(list, NULL), L0_LOST);
	assert_int_equal(f->buffer[0], 0x11111111);

	launch(f, next, f->set, 9, NULL);
	assert_int_equal(l0_list_submit(next), CL_SUCCESS);
	l0_fake_run(1);
	assert_int_equal(l0_list_wait_host(next, NULL, SLICE), L0_DONE);
	check(f, 9);
	assert_int_equal(l0_list_reset(list), CL_SUCCESS);
	l0_list_destroy(list);
	l0_list_destroy(next);
}

/* What waited for lost work must not run as if that had been done. */
static void a_list_that_waits_for_a_lost_one_fails(void **state)
{
	struct fixture *f = *state;
	struct l0_device *device = l0_device_open(0);
	struct l0_list *list, *second;
	struct l0_event *event;

	device->vgpu.take_fault = l0_fake_take_fault;
	assert_int_equal(l0_queue_event(f->queue, false, &event), CL_SUCCESS);
	assert_int_equal(l0_list_create(f->queue, &list), CL_SUCCESS);
	assert_int_equal(l0_list_create(f->queue, &second), CL_SUCCESS);
	launch(f, list, f->set, 5, event);
	assert_int_equal(l0_list_submit(list), CL_SUCCESS);
	unsigned losses = l0_list_losses(list);
	assert_int_equal(l0_list_wait(second, 1, &event, losses), CL_SUCCESS);
	launch(f, second, f->add, 1, NULL);
	l0_fake.fault_next = true;
	l0_fake_run(1);
	unsigned submits = l0_fake.submits;
	assert_int_equal(l0_list_submit(second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(l0_fake.submits, submits);
	assert_int_equal(l0_list_status(list, event), L0_LOST);
	/* two dependencies of different times cannot both be met */
	assert_int_equal(l0_list_reset(second), CL_SUCCESS);
	assert_int_equal(l0_list_wait(second, 0, NULL, losses + 1), CL_SUCCESS);
	assert_int_equal(l0_list_wait(second, 1, &event, losses),
		CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	l0_event_release(event);
	l0_list_destroy(list);
	l0_list_destroy(second);
}

static void every_failure_is_clean(void **state)
{
	struct fixture *f = *state;
	const uint32_t groups[3] = { 1, 1, 1 };
	bool failed = true;

	for (unsigned n = 1; failed; n++) {
		struct l0_list *list = NULL;
		struct l0_event *event = NULL;
		int before = l0_fake.live;
		cl_int rc;

		l0_fake.failed = false;
		l0_fake.fail_after = n;
		if (!(rc = l0_list_create(f->queue, &list)) &&
			!(rc = l0_queue_event(f->queue, true, &event)) &&
			!(rc = l0_list_launch(list, f->set, groups, event)) &&
			!(rc = l0_list_submit(list)))
			l0_fake_run(1);
		l0_fake.fail_after = 0;
		failed = l0_fake.failed;
		assert_int_equal(rc, failed ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS);
		l0_event_release(event);
		l0_list_destroy(list);
		/* a pool of events and an empty list may stay */
		assert_true(l0_fake.live <= before + 1 || l0_fake.live > before + 100);
		assert_true(n < 1000);
	}
}

static uint64_t ns_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* A long wait sleeps, and leaves the thread as it was. */
static void a_long_wait_burns_no_core(void **state)
{
	struct fixture *f = *state;
	const uint32_t groups[3] = { 1, 1, 1 };
	struct l0_list *list;
	uint32_t value = 1;
	int slack = prctl(PR_GET_TIMERSLACK);

	assert_int_equal(l0_kernel_set_arg(f->set, 0, sizeof(f->buffer), &f->buffer), CL_SUCCESS);
	assert_int_equal(l0_kernel_set_arg(f->set, 1, sizeof(value), &value), CL_SUCCESS);
	assert_int_equal(l0_kernel_set_group_size(f->set, (size_t[3]){ 1, 1, 1 }), CL_SUCCESS);
	assert_int_equal(l0_list_create(f->queue, &list), CL_SUCCESS);
	assert_int_equal(l0_list_launch(list, f->set, groups, NULL), CL_SUCCESS);
	assert_int_equal(l0_list_submit(list), CL_SUCCESS);
	for (int i = 0; i < 2; i++) {
		uint64_t begin = ns_of(CLOCK_MONOTONIC), cpu = ns_of(CLOCK_THREAD_CPUTIME_ID);

		assert_int_equal(l0_list_wait_host(list, NULL, 200 * SLICE), L0_PENDING);
		assert_true(ns_of(CLOCK_MONOTONIC) - begin >= 200 * SLICE);
		assert_true(ns_of(CLOCK_THREAD_CPUTIME_ID) - cpu < 100 * SLICE);
		assert_int_equal(prctl(PR_GET_TIMERSLACK), slack);
	}
	l0_fake_run(1);
	assert_int_equal(l0_list_wait_host(list, NULL, 200 * SLICE), L0_DONE);
	l0_list_destroy(list);
}

static unsigned listened, ended_when; /* how often somebody did; when the list ends */

static int listen(unsigned number, uint64_t *seen, uint64_t timeout_ns)
{
	assert_int_equal(number, 0);
	assert_true(*seen == listened && timeout_ns > 0);
	*seen = ++listened;
	if (listened == ended_when)
		l0_fake_run(1);
	return 1;
}

/* The first call finds out since when; what others end does not wake it again and again. */
static void a_wait_listens_to_a_virtual_device(void **state)
{
	struct fixture *f = *state;
	struct l0_device *device = l0_device_open(0);
	struct l0_list *list;

	device->vgpu.wait = listen;
	for (unsigned i = 0; i < 2; i++) {
		listened = 0;
		ended_when = i ? 5 : 2;
		assert_int_equal(l0_list_create(f->queue, &list), CL_SUCCESS);
		launch(f, list, f->set, 1, NULL);
		assert_int_equal(l0_list_submit(list), CL_SUCCESS);
		assert_int_equal(l0_list_wait_host(list, NULL, UINT64_MAX), L0_DONE);
		assert_int_equal(listened, ended_when);
		l0_list_destroy(list);
	}
	device->vgpu.wait = NULL;
}

/* Lists that are empty and open are used again by others, sealed ones are not. */
static void idle_lists_are_handed_on(void **state)
{
	struct fixture *f = *state;
	struct l0_list *list;

	for (int i = 0; i < 3; i++) {
		assert_int_equal(l0_list_create(f->queue, &list), CL_SUCCESS);
		assert_int_equal(l0_list_seal(list), CL_SUCCESS);
		l0_list_destroy(list);
		assert_int_equal(l0_list_create(f->queue, &list), CL_SUCCESS);
		memset(f->buffer, 0x5a, 4096);
		launch(f, list, f->set, 10, NULL);
		assert_int_equal(l0_list_submit(list), CL_SUCCESS);
		l0_fake_run(1);
		assert_int_equal(l0_list_wait_host(list, NULL, 200 * SLICE), L0_DONE);
		assert_int_equal(((uint32_t *)f->buffer)[0], 10);
		int live = l0_fake.live;
		if (i)
			assert_int_equal(l0_list_reset(list), CL_SUCCESS);
		l0_list_destroy(list);
		/* what was not reset goes */
		assert_int_equal(l0_fake.live, live - (i ? 1 : 2));
	}
	assert_int_equal(l0_fake.errors, 0);
}

/* Recordings of the kernel "add"; each may be in flight once. */
static void record(struct fixture *f, struct l0_list **recorded, unsigned n, uint32_t value)
{
	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(l0_list_create(f->queue, &recorded[i]), CL_SUCCESS);
		launch(f, recorded[i], f->add, value, NULL);
		assert_int_equal(l0_list_seal(recorded[i]), CL_SUCCESS);
	}
}

static void destroy_all(struct l0_list **recorded, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		l0_list_destroy(recorded[i]);
}

static void a_recording_runs_as_often_as_it_is_called(void **state)
{
	struct fixture *f = *state;
	struct l0_list *list, *recorded[3];
	struct l0_event *event;

	assert_int_equal(l0_list_create(f->queue, &list), CL_SUCCESS);
	record(f, recorded, 3, 10);
	for (int round = 0; round < 3; round++) {
		memset(f->buffer, 0x5a, 4096);
		assert_int_equal(l0_queue_event(f->queue, false, &event), CL_SUCCESS);
		launch(f, list, f->set, 1, NULL);
		assert_int_equal(l0_list_call(list, recorded[0]), CL_SUCCESS);
		assert_int_equal(l0_list_call(list, recorded[1]), CL_SUCCESS);
		launch(f, list, f->add, 100, NULL);
		assert_int_equal(l0_list_call(list, recorded[2]), CL_SUCCESS);
		assert_int_equal(l0_list_barrier(list, event), CL_SUCCESS);
		assert_int_equal(l0_list_submit(list), CL_SUCCESS);
		/* the pieces are "set", two calls, "add", a call, and the barrier */
		assert_int_equal(l0_fake_pending(), 6);
		assert_int_equal(l0_fake_run(5), 5);
		assert_int_equal(l0_list_status(list, event), L0_PENDING);
		assert_int_equal(l0_fake_run(1), 1);
		assert_int_equal(l0_list_status(list, NULL), L0_DONE);
		check(f, 131);
		assert_int_equal(l0_list_reset(list), CL_SUCCESS);
		l0_event_release(event);
	}
	/* nothing but a call: nothing of the list's own is submitted */
	assert_int_equal(l0_list_call(list, recorded[0]), CL_SUCCESS);
	assert_int_equal(l0_list_submit(list), CL_SUCCESS);
	assert_int_equal(l0_fake_pending(), 1);
	assert_int_equal(l0_fake_run(1), 1);
	assert_int_equal(l0_list_status(list, NULL), L0_DONE);
	check(f, 141);
	l0_list_destroy(list);
	destroy_all(recorded, 3);
}

static void many_calls_of_recordings(void **state)
{
	struct fixture *f = *state;
	struct l0_list *list, *recorded[50];

	assert_int_equal(l0_list_create(f->queue, &list), CL_SUCCESS);
	record(f, recorded, 50, 1);
	for (int round = 0; round < 2; round++) {
		launch(f, list, f->set, 0, NULL);
		for (int i = 0; i < 50; i++) {
			assert_int_equal(l0_list_call(list, recorded[i]), CL_SUCCESS);
			launch(f, list, f->add, 1000, NULL);
		}
		assert_int_equal(l0_list_submit(list), CL_SUCCESS);
		assert_int_equal(l0_fake_run(1000), 101);
		check(f, 50050);
		assert_int_equal(l0_list_reset(list), CL_SUCCESS);
	}
	l0_list_destroy(list);
	destroy_all(recorded, 50);
}

/* Every call of Level Zero fails once while recordings are called; nothing leaks. */
static void every_failure_of_a_call_is_clean(void **state)
{
	struct fixture *f = *state;
	cl_int rc = CL_OUT_OF_RESOURCES;

	for (unsigned n = 1; rc && n < 100; n++) {
		struct l0_list *list = NULL, *recorded[2] = { NULL };

		assert_int_equal(l0_list_create(f->queue, &list), CL_SUCCESS);
		assert_int_equal(l0_list_create(f->queue, &recorded[0]), CL_SUCCESS);
		assert_int_equal(l0_list_create(f->queue, &recorded[1]), CL_SUCCESS);
		l0_fake.fail_after = n;
		rc = l0_list_barrier(recorded[0], NULL);
		if (!rc)
			rc = l0_list_barrier(recorded[1], NULL);
		for (int round = 0; !rc && round < 2; round++) {
			if ((round == 0 && ((rc = l0_list_seal(recorded[0])) ||
						   (rc = l0_list_seal(recorded[1])))) ||
				(rc = l0_list_barrier(list, NULL)) ||
				(rc = l0_list_call(list, recorded[0])) ||
				(rc = l0_list_barrier(list, NULL)) ||
				(rc = l0_list_call(list, recorded[1])) ||
				(rc = l0_list_submit(list)))
				break;
			l0_fake_run(10);
			rc = l0_list_reset(list);
		}
		l0_fake.fail_after = 0;
		l0_list_destroy(list);
		destroy_all(recorded, 2);
	}
	assert_int_equal(rc, CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_list_runs_once_per_submission, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_list_waits_for_an_event_of_another, setup, teardown),
		cmocka_unit_test_setup_teardown(an_event_is_done_before_its_list, setup, teardown),
		cmocka_unit_test_setup_teardown(a_copy_of_a_box, setup, teardown),
		cmocka_unit_test_setup_teardown(a_lost_list_is_lost_for_ever, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_list_that_waits_for_a_lost_one_fails, setup, teardown),
		cmocka_unit_test_setup_teardown(a_long_wait_burns_no_core, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_wait_listens_to_a_virtual_device, setup, teardown),
		cmocka_unit_test_setup_teardown(every_failure_is_clean, setup, teardown),
		cmocka_unit_test_setup_teardown(idle_lists_are_handed_on, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_recording_runs_as_often_as_it_is_called, setup, teardown),
		cmocka_unit_test_setup_teardown(many_calls_of_recordings, setup, teardown),
		cmocka_unit_test_setup_teardown(every_failure_of_a_call_is_clean, setup, teardown),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
