// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include "core/base/info.h"
#include "core/queue/profile.h"

static const cl_profiling_info params[] = { CL_PROFILING_COMMAND_QUEUED,
	CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END,
	CL_PROFILING_COMMAND_COMPLETE };

static void ticks_become_times(void **state)
{
	(void)state;
	assert_int_equal(profile_time(1000, 5, 5, 32, 50.0), 1000);
	assert_int_equal(profile_time(1000, 5, 7, 32, 50.0), 1100);
	/* the counter wraps around between the two */
	assert_int_equal(profile_time(1000, 0xfffffffe, 2, 32, 50.0), 1200);
	/* the base was read with more bits than the event has */
	assert_int_equal(profile_time(1000, 0x5fffffffe, 2, 32, 50.0), 1200);
	/* a little before the base is the base */
	assert_int_equal(profile_time(1000, 100, 99, 32, 50.0), 1000);
	assert_int_equal(profile_time(1000, 1, 3, 64, 0.5), 1001);
	assert_int_equal(profile_time(1000, 1, 3, 0, 0.5), 1001);
}

static void read_times(cl_event event, cl_ulong times[5])
{
	for (int i = 0; i < 5; i++)
		assert_int_equal(event_profiling_info(event_from(event), params[i],
					 INFO(sizeof(times[i]), &times[i], NULL)),
			CL_SUCCESS);
}

/* The fake's clock wraps its 32 bits while these commands run. */
static void times_are_in_order(void **state)
{
	struct queue_fixture *f = *state;
	cl_event events[64];
	cl_ulong before = l0_host_clock(), last_end = 0;

	for (int i = 0; i < 64; i++)
		assert_int_equal(i % 8 == 5   ? command_marker(f->other, CL_COMMAND_MARKER,
							&(struct event_args){ 0, NULL, &events[i] })
				 : i % 8 == 6 ? copy_buffer(f->other, f->a, f->b, 0, 0, 64,
							&(struct event_args){ 0, NULL, &events[i] })
					      : queue_fixture_launch(f->other, f->set, f->a, 0, 0,
							NULL, &events[i]),
			CL_SUCCESS);
	assert_int_equal(queue_finish(f->other), CL_SUCCESS);
	cl_ulong after = l0_host_clock();
	for (int i = 0; i < 64; i++) {
		cl_ulong times[5];

		read_times(events[i], times);
		assert_true(times[0] >= before && times[3] <= after);
		for (int j = 1; j < 5; j++)
			assert_true(times[j] >= times[j - 1]);
		assert_true(times[2] >= last_end);
		last_end = times[3];
		queue_fixture_release(events[i]);
	}
}

static void times_come_when_complete(void **state)
{
	struct queue_fixture *f = *state;
	struct event *user;
	cl_event event;
	cl_ulong time;
	size_t size = 0;

	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(f->other, f->set, f->a, 0, 0, NULL, &event), 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(event_profiling_info(event_from(event), params[i],
					 INFO(sizeof(time), &time, NULL)),
			CL_PROFILING_INFO_NOT_AVAILABLE);
	assert_int_equal(
		event_profiling_info(event_from(event), 0, INFO(sizeof(time), &time, NULL)),
		CL_INVALID_VALUE);
	l0_fake_run(1);
	assert_int_equal(event_profiling_info(event_from(event), params[0], INFO(0, NULL, &size)),
		CL_SUCCESS);
	assert_int_equal(size, sizeof(time));
	assert_int_equal(event_profiling_info(event_from(event), params[0], INFO(4, &time, NULL)),
		CL_INVALID_VALUE);
	queue_fixture_release(event);
	assert_int_equal(event_profiling_info(NULL, params[0], INFO(sizeof(time), &time, NULL)),
		CL_INVALID_EVENT);
	assert_int_equal(event_create_user(f->context, &user), CL_SUCCESS);
	assert_int_equal(event_profiling_info(user, params[0], INFO(sizeof(time), &time, NULL)),
		CL_PROFILING_INFO_NOT_AVAILABLE);
	event_put(user);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_become_times),
		TEST(times_are_in_order),
		TEST(times_come_when_complete),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
