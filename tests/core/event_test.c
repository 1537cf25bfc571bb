// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include "core/base/info.h"
#include <stdatomic.h>
#include <string.h>
#include <time.h>

struct heard {
	atomic_uint n;
	cl_int statuses[8];
	cl_event event;
};

static void CL_CALLBACK hear(cl_event event, cl_int status, void *user_data)
{
	struct heard *heard = user_data;
	unsigned n = atomic_load(&heard->n);

	heard->event = event;
	heard->statuses[n] = status;
	atomic_store(&heard->n, n + 1);
}

static void wait_for(struct heard *heard, unsigned n)
{
	for (int i = 0; i < 5000 && atomic_load(&heard->n) < n; i++)
		nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
	assert_int_equal(atomic_load(&heard->n), n);
}

static void listen(cl_event event, struct heard *heard)
{
	const cl_int statuses[] = { CL_COMPLETE, CL_SUBMITTED, CL_RUNNING };

	for (int i = 0; i < 3; i++)
		assert_int_equal(event_set_callback(event_from(event), statuses[i], hear, heard),
			CL_SUCCESS);
}

static void callbacks_come_in_order_and_unasked(void **state)
{
	struct queue_fixture *f = *state;
	struct heard heard = { 0 };
	cl_event event;

	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 1, 0, NULL, NULL), 0);
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 1, 0, NULL, &event), 0);
	listen(event, &heard);
	/* nobody flushes or waits: the watcher does */
	wait_for(&heard, 1);
	l0_fake_run(2);
	wait_for(&heard, 3);
	assert_int_equal(heard.statuses[0], CL_SUBMITTED);
	assert_int_equal(heard.statuses[1], CL_RUNNING);
	assert_int_equal(heard.statuses[2], CL_COMPLETE);
	assert_ptr_equal(heard.event, event);
	/* too late to wait for: called at once */
	assert_int_equal(event_set_callback(event_from(event), CL_COMPLETE, hear, &heard), 0);
	wait_for(&heard, 4);
	queue_fixture_release(event);
}

static void callbacks_hear_of_errors(void **state)
{
	struct queue_fixture *f = *state;
	struct heard heard = { 0 };
	struct event *user;

	assert_int_equal(event_create_user(f->context, &user), CL_SUCCESS);
	assert_int_equal(event_set_callback(user, CL_COMPLETE, hear, &heard), CL_SUCCESS);
	assert_int_equal(event_set_user_status(user, -7), CL_SUCCESS);
	queue_fixture_release(event_handle(user));
	wait_for(&heard, 1);
	assert_int_equal(heard.statuses[0], -7);
}

static void set_from_callback(cl_event event, cl_int status, void *user_data)
{
	(void)event;
	assert_int_equal(event_set_user_status(user_data, status), CL_SUCCESS);
}

static void a_callback_may_set_a_user_event(void **state)
{
	struct queue_fixture *f = *state;
	struct event *user;
	cl_event handle, first, second;

	assert_int_equal(event_create_user(f->context, &user), CL_SUCCESS);
	handle = event_handle(user);
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 1, 0, NULL, &first), 0);
	assert_int_equal(
		event_set_callback(event_from(first), CL_COMPLETE, set_from_callback, user), 0);
	assert_int_equal(queue_fixture_launch(f->other, f->add, f->a, 1, 1, &handle, &second), 0);
	assert_int_equal(event_wait(1, &second), CL_SUCCESS);
	queue_fixture_check(f->other, f->a, 2);
	queue_fixture_release(handle);
	queue_fixture_release(first);
	queue_fixture_release(second);
}

static void infos_are_right(void **state)
{
	struct queue_fixture *f = *state;
	cl_event event;
	cl_command_queue queue;
	cl_context context;
	cl_command_type type;
	cl_uint count;
	cl_ulong time;
	size_t size;

	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 1, 0, NULL, &event), 0);
	struct event *e = event_from(event);
	assert_int_equal(
		event_info(e, CL_EVENT_COMMAND_QUEUE, INFO(sizeof(queue), &queue, &size)), 0);
	assert_int_equal(size, sizeof(queue));
	assert_ptr_equal(queue, queue_handle(f->queue));
	assert_int_equal(event_info(e, CL_EVENT_CONTEXT, INFO(sizeof(context), &context, NULL)), 0);
	assert_ptr_equal(context, context_handle(f->context));
	assert_int_equal(event_info(e, CL_EVENT_COMMAND_TYPE, INFO(sizeof(type), &type, NULL)), 0);
	assert_int_equal(type, CL_COMMAND_NDRANGE_KERNEL);
	assert_int_equal(
		event_info(e, CL_EVENT_REFERENCE_COUNT, INFO(sizeof(count), &count, NULL)), 0);
	assert_int_equal(count, 1); /* what the queue holds is not the application's */
	assert_int_equal(
		event_info(e, CL_EVENT_REFERENCE_COUNT, INFO(1, &count, NULL)), CL_INVALID_VALUE);
	assert_int_equal(event_info(e, 0, INFO(sizeof(count), &count, NULL)), CL_INVALID_VALUE);
	assert_int_equal(event_info(NULL, CL_EVENT_CONTEXT, INFO(0, NULL, NULL)), CL_INVALID_EVENT);
	assert_int_equal(
		event_profiling_info(e, CL_PROFILING_COMMAND_END, INFO(sizeof(time), &time, NULL)),
		CL_PROFILING_INFO_NOT_AVAILABLE);
	assert_int_equal(event_set_user_status(e, CL_COMPLETE), CL_INVALID_EVENT);
	assert_int_equal(event_set_callback(e, CL_QUEUED, hear, NULL), CL_INVALID_VALUE);
	assert_int_equal(event_set_callback(e, CL_COMPLETE, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(event_set_callback(NULL, CL_COMPLETE, hear, NULL), CL_INVALID_EVENT);
	queue_fixture_release(event);
}

static void bad_waits_are_refused(void **state)
{
	struct queue_fixture *f = *state;
	struct context *context;
	struct event *foreign, *own;
	cl_device_id device = device_handle(f->context->devices[0]);

	assert_int_equal(context_create(NULL, 1, &device, NULL, NULL, &context), CL_SUCCESS);
	assert_int_equal(event_create_user(context, &foreign), CL_SUCCESS);
	assert_int_equal(event_create_user(f->context, &own), CL_SUCCESS);
	cl_event events[2] = { event_handle(own), event_handle(foreign) };
	assert_int_equal(event_wait(0, events), CL_INVALID_VALUE);
	assert_int_equal(event_wait(1, NULL), CL_INVALID_VALUE);
	assert_int_equal(event_wait(2, events), CL_INVALID_CONTEXT);
	events[1] = (cl_event)(void *)f->context;
	assert_int_equal(event_wait(2, events), CL_INVALID_EVENT);
	assert_int_equal(event_create_user(NULL, &foreign), CL_INVALID_CONTEXT);
	event_put(foreign);
	event_put(own);
	context_put(context);
}

static void nothing_completes_before_what_is_before_it(void **state)
{
	struct queue_fixture *f = *state;
	cl_event kernel, marker;

	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 1, 0, NULL, &kernel), 0);
	assert_int_equal(command_marker(f->queue, CL_COMMAND_MARKER,
				 &(struct event_args){ 0, NULL, &marker }),
		0);
	assert_int_equal(queue_fixture_status(marker), CL_SUBMITTED);
	l0_fake_run(1);
	assert_int_equal(queue_fixture_status(marker), CL_SUBMITTED);
	l0_fake_run(1);
	assert_int_equal(queue_fixture_status(marker), CL_COMPLETE);
	queue_fixture_release(kernel);
	queue_fixture_release(marker);
	assert_int_equal(command_marker(f->queue, CL_COMMAND_MARKER,
				 &(struct event_args){ 0, NULL, &marker }),
		0);
	assert_int_equal(queue_fixture_status(marker), CL_COMPLETE);
	queue_fixture_release(marker);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(callbacks_come_in_order_and_unasked),
		TEST(callbacks_hear_of_errors),
		TEST(a_callback_may_set_a_user_event),
		TEST(infos_are_right),
		TEST(bad_waits_are_refused),
		TEST(nothing_completes_before_what_is_before_it),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
