// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include "core/base/info.h"
#include "core/batch/kernel_launch.h"

#include <string.h>

/* Ranges that take several launches, on the fake. */

static struct ndrange ragged(size_t offset)
{
	return (struct ndrange){ .dims = 1,
		.offset = { offset },
		.global = { 1000, 1, 1 },
		.local = { 64, 1, 1 },
		.groups = { 16, 1, 1 } };
}

static cl_int launch(struct queue_fixture *f, struct queue *queue, cl_uint n_wait,
	const cl_event *wait, cl_event *event)
{
	struct command command = { .kind = COMMAND_LAUNCH, .type = CL_COMMAND_NDRANGE_KERNEL };
	struct kernel *kernel = f->set;
	uint32_t value = 70;

	command.launch.kernel = kernel;
	command.launch.range = ragged(5);
	kernel->args[0].mem = f->a;
	memcpy(kernel->args[1].value, &value, sizeof value);
	kernel_touch(kernel);
	for (int i = 0; i < 2; i++) {
		kernel->args[i].set = true;
		kernel->args[i].state = kernel->state;
	}
	return queue_submit(queue, &command, &(struct event_args){ n_wait, wait, event });
}

static void check_values(struct queue_fixture *f)
{
	static uint32_t data[FIXTURE_ITEMS];

	memset(data, 0xcd, sizeof data);
	assert_int_equal(
		copy_read(f->queue, f->a, CL_TRUE, 0, sizeof data, data, NO_EVENTS), CL_SUCCESS);
	for (uint32_t i = 0; i < FIXTURE_ITEMS; i++)
		assert_int_equal(data[i], i >= 5 && i < 1005 ? 70 + i : 0);
}

static void clear(struct queue_fixture *f)
{
	static const uint32_t zero[FIXTURE_ITEMS];

	assert_int_equal(
		copy_write(f->queue, f->a, CL_TRUE, 0, sizeof zero, zero, NO_EVENTS), CL_SUCCESS);
}

static void edges_are_launched_too(void **state)
{
	struct queue_fixture *f = *state;
	unsigned appends = l0_fake.appends;

	clear(f);
	assert_int_equal(launch(f, f->queue, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(l0_fake.appends - appends, 2);
	check_values(f);
	/* the next one is whole again, and nothing of the edge is left */
	assert_int_equal(
		queue_fixture_launch(f->queue, f->set, f->b, 3, 0, NULL, NULL), CL_SUCCESS);
	queue_fixture_check(f->queue, f->b, 3);
}

/* The event has the time of all parts: on the fake each command takes some. */
static void the_event_spans_all_parts(void **state)
{
	struct queue_fixture *f = *state;
	cl_ulong whole[2], ragged_times[2];
	cl_event one, many;

	clear(f);
	assert_int_equal(
		queue_fixture_launch(f->other, f->set, f->b, 3, 0, NULL, &one), CL_SUCCESS);
	assert_int_equal(launch(f, f->other, 0, NULL, &many), CL_SUCCESS);
	assert_int_equal(event_wait(1, &many), CL_SUCCESS);
	check_values(f);
	for (cl_uint i = 0; i < 2; i++) {
		assert_int_equal(event_profiling_info(event_from(one),
					 CL_PROFILING_COMMAND_START + i, INFO(8, &whole[i], NULL)),
			CL_SUCCESS);
		assert_int_equal(
			event_profiling_info(event_from(many), CL_PROFILING_COMMAND_START + i,
				INFO(8, &ragged_times[i], NULL)),
			CL_SUCCESS);
	}
	assert_true(whole[1] > whole[0]);
	assert_true(ragged_times[1] - ragged_times[0] > whole[1] - whole[0]);
	queue_fixture_release(one);
	queue_fixture_release(many);
}

static void held_ranges_stay_ragged(void **state)
{
	struct queue_fixture *f = *state;
	struct event *gate;

	clear(f);
	assert_int_equal(event_create_user(f->context, &gate), CL_SUCCESS);
	const cl_event wait = event_handle(gate);
	assert_int_equal(launch(f, f->queue, 1, &wait, NULL), CL_SUCCESS);
	assert_int_equal(event_set_user_status(gate, CL_COMPLETE), CL_SUCCESS);
	check_values(f);
	queue_fixture_release(wait);
}

/* The n-th call fails, for every n: an error, or all is done; never something left over. */
static void failures_leave_nothing(void **state)
{
	struct queue_fixture *f = *state;
	unsigned errors = 0;

	for (unsigned n = 1; n < 16; n++) {
		cl_event event = NULL;

		l0_fake.failed = false;
		l0_fake.fail_after = n;
		cl_int rc = launch(f, f->other, 0, NULL, &event);
		l0_fake.fail_after = 0;
		errors += rc != CL_SUCCESS;
		assert_true(!rc == (event != NULL));
		if (rc)
			continue;
		assert_int_equal(event_wait(1, &event), CL_SUCCESS);
		queue_fixture_release(event);
	}
	assert_in_range(errors, 4, 15);
	clear(f);
	assert_int_equal(launch(f, f->other, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(queue_finish(f->other), CL_SUCCESS);
	check_values(f);
}

/* Adds 1 to each item of f->a, over and over with nothing changed. */
static cl_int add_again(struct queue_fixture *f)
{
	struct command command = { .kind = COMMAND_LAUNCH, .type = CL_COMMAND_NDRANGE_KERNEL };

	command.launch.kernel = f->add;
	command.launch.range = (struct ndrange){ .dims = 1,
		.global = { FIXTURE_ITEMS, 1, 1 },
		.local = { 64, 1, 1 },
		.groups = { FIXTURE_ITEMS / 64, 1, 1 } };
	return queue_submit(f->queue, &command, NO_EVENTS);
}

/* Adds `value` to each item and waits; gives how many commands were appended for it. */
static unsigned appends(struct queue_fixture *f, bool changed)
{
	unsigned before = l0_fake.appends;
	cl_int rc = changed ? queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, NULL)
			    : add_again(f);

	assert_int_equal(rc, CL_SUCCESS);
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	return l0_fake.appends - before;
}

/* A launch that is waited for and comes again is submitted as it is, any other is appended. */
static void lists_are_submitted_again(void **state)
{
	struct queue_fixture *f = *state;
	cl_event event;

	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 0, 0, NULL, NULL), 0);
	assert_true(appends(f, true) > 0);
	(void)appends(f, true); /* the second one is alone in its list */
	for (int i = 0; i < 10; i++)
		assert_int_equal(appends(f, false), 0);
	assert_int_equal(appends(f, true), 1);
	assert_int_equal(appends(f, false), 0);
	unsigned before = l0_fake.appends;
	assert_int_equal(
		queue_fixture_launch(f->queue, f->add, f->b, 1, 0, NULL, &event), CL_SUCCESS);
	assert_int_equal(l0_fake.appends, before + 1);
	assert_int_equal(event_wait(1, &event), CL_SUCCESS);
	queue_fixture_release(event);
	queue_fixture_check(f->queue, f->a, 14);
}

/* A list that the device lost is not submitted again. */
static void lost_lists_are_appended_anew(void **state)
{
	struct queue_fixture *f = *state;

	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 0, 0, NULL, NULL), 0);
	(void)appends(f, true);
	(void)appends(f, true);
	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(add_again(f), CL_SUCCESS);
	l0_fake.fault_next = true;
	l0_fake_run(1);
	assert_int_equal(queue_finish(f->queue), CL_OUT_OF_RESOURCES);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(appends(f, false), 1);
	queue_fixture_check(f->queue, f->a, 3);
}

/* Whatever fails: a launch that was reported done was done once, and no other was. */
static void failures_lose_what_they_say(void **state)
{
	struct queue_fixture *f = *state;
	bool failed = true;
	unsigned n;

	for (n = 1; failed; n++) {
		uint32_t done = 0;

		assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 0, 0, NULL, NULL), 0);
		assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 0, 0, NULL, NULL), 0);
		assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
		pthread_mutex_lock(&f->add->lock);
		kernel_touch(f->add);
		*(uint32_t *)f->add->args[1].value = 1;
		f->add->args[1].state = f->add->state;
		pthread_mutex_unlock(&f->add->lock);
		l0_fake.failed = false;
		l0_fake.fail_after = n;
		for (int i = 0; i < 16; i++) {
			cl_int rc = add_again(f);

			/* both: an earlier one may be what the wait tells of */
			done += !queue_finish(f->queue) && !rc;
		}
		l0_fake.fail_after = 0;
		failed = l0_fake.failed;
		queue_fixture_check(f->queue, f->a, done);
		assert_int_equal(done, failed ? done : 16);
		assert_true(done >= 15);
		assert_true(n < 1000);
	}
	assert_true(n > 20);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(edges_are_launched_too),
		TEST(the_event_spans_all_parts),
		TEST(held_ranges_stay_ragged),
		TEST(failures_leave_nothing),
		TEST(lists_are_submitted_again),
		TEST(lost_lists_are_appended_anew),
		TEST(failures_lose_what_they_say),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
