// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct event *user_event(struct queue_fixture *f, cl_event *handle)
{
	struct event *user;

	assert_int_equal(event_create_user(f->context, &user), CL_SUCCESS);
	*handle = event_handle(user);
	return user;
}

static void held_commands_keep_their_order(void **state)
{
	struct queue_fixture *f = *state;
	cl_event gates[3], events[4];
	struct event *users[3];

	for (int i = 0; i < 3; i++)
		users[i] = user_event(f, &gates[i]);
	assert_int_equal(
		queue_fixture_launch(f->queue, f->set, f->a, 1, 1, &gates[0], &events[0]), 0);
	assert_int_equal(
		queue_fixture_launch(f->queue, f->add, f->a, 1, 1, &gates[1], &events[1]), 0);
	assert_int_equal(
		queue_fixture_launch(f->queue, f->set, f->a, 70, 1, &gates[2], &events[2]), 0);
	/* waits for nothing, but is behind those that do */
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 5, 0, NULL, &events[3]), 0);
	assert_int_equal(event_set_user_status(users[2], CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(event_set_user_status(users[1], CL_COMPLETE), CL_SUCCESS);
	for (int i = 0; i < 4; i++)
		assert_int_equal(queue_fixture_status(events[i]), CL_QUEUED);
	assert_int_equal(l0_fake.appends, 0);
	assert_int_equal(event_set_user_status(users[0], CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(event_wait(4, events), CL_SUCCESS);
	queue_fixture_check(f->queue, f->a, 75);
	for (int i = 0; i < 3; i++)
		queue_fixture_release(gates[i]);
	for (int i = 0; i < 4; i++)
		queue_fixture_release(events[i]);
}

static void held_commands_need_no_handles(void **state)
{
	struct queue_fixture *f = *state;
	struct mem *mem;
	cl_event gate, event;
	struct event *user = user_event(f, &gate);
	static uint32_t got[FIXTURE_ITEMS];

	memset(got, 0xcd, sizeof(got));
	assert_int_equal(
		mem_create_buffer(f->context, NULL, 0, FIXTURE_BYTES, NULL, &mem), CL_SUCCESS);
	assert_int_equal(queue_fixture_launch(f->queue, f->set, mem, 3, 1, &gate, NULL), 0);
	assert_int_equal(copy_read(f->queue, mem, CL_FALSE, 0, FIXTURE_BYTES, got,
				 &(struct event_args){ 0, NULL, &event }),
		0);
	mem_put(mem);
	assert_int_equal(queue_flush(f->queue), CL_SUCCESS);
	assert_int_equal(event_set_user_status(user, CL_COMPLETE), CL_SUCCESS);
	queue_fixture_release(gate);
	assert_int_equal(event_wait(1, &event), CL_SUCCESS);
	for (uint32_t i = 0; i < FIXTURE_ITEMS; i++)
		assert_int_equal(got[i], 3 + i);
	queue_fixture_release(event);
}

static void *set_later(void *data)
{
	nanosleep(&(struct timespec){ 0, 20 * 1000 * 1000 }, NULL);
	return (void *)(intptr_t)event_set_user_status(data, CL_COMPLETE);
}

static void blocking_calls_wait_for_the_host(void **state)
{
	struct queue_fixture *f = *state;
	pthread_t thread;
	cl_event gate;
	struct event *user = user_event(f, &gate);
	void *rc;

	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 8, 1, &gate, NULL), 0);
	assert_int_equal(pthread_create(&thread, NULL, set_later, user), 0);
	queue_fixture_check(f->queue, f->a, 8);
	pthread_join(thread, &rc);
	assert_null(rc);
	queue_fixture_release(gate);

	user = user_event(f, &gate);
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 9, 1, &gate, NULL), 0);
	assert_int_equal(pthread_create(&thread, NULL, set_later, user), 0);
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	pthread_join(thread, &rc);
	assert_null(rc);
	queue_fixture_release(gate);
	queue_fixture_check(f->queue, f->a, 9);
}

/* A hundred queues, each behind the one before: no recursion, no lock that two of them share. */
static void a_chain_over_many_queues(void **state)
{
	struct queue_fixture *f = *state;
	struct queue *queues[100];
	cl_event gate, last, next;
	struct event *user = user_event(f, &gate);

	last = gate;
	memset(f->a->address, 0, FIXTURE_BYTES);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(
			queue_create(f->context, f->context->devices[0], NULL, &queues[i]), 0);
		assert_int_equal(
			queue_fixture_launch(queues[i], f->add, f->a, 1, 1, &last, &next), 0);
		if (last != gate)
			queue_fixture_release(last);
		last = next;
	}
	assert_int_equal(event_set_user_status(user, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(event_wait(1, &last), CL_SUCCESS);
	queue_fixture_release(last);
	queue_fixture_release(gate);
	assert_int_equal(((uint32_t *)(void *)f->a->address)[FIXTURE_ITEMS - 1], 100);
	for (int i = 0; i < 100; i++)
		assert_int_equal(queue_release(queues[i]), CL_SUCCESS);
}

static void every_failure_is_clean(void **state)
{
	struct queue_fixture *f = *state;
	bool failed = true;

	for (unsigned n = 1; failed; n++) {
		cl_event gate, event = NULL;
		struct event *user = user_event(f, &gate);

		l0_fake.failed = false;
		l0_fake.fail_after = n;
		cl_int rc = queue_fixture_launch(f->queue, f->set, f->a, 1, 1, &gate, &event);
		assert_int_equal(rc, CL_SUCCESS); /* nothing was asked of the device yet */
		assert_int_equal(event_set_user_status(user, CL_COMPLETE), CL_SUCCESS);
		rc = event_wait(1, &event);
		failed = l0_fake.failed;
		l0_fake.fail_after = 0;
		/* the host's clock serves where the device's fails, and so on: not all is fatal */
		if (!failed)
			assert_int_equal(rc, CL_SUCCESS);
		queue_fixture_release(gate);
		queue_fixture_release(event);
		(void)queue_finish(f->queue);
		assert_true(n < 1000);
	}
}

/* Many commands, each behind an event of its own, released newest first: no square of steps. */
static void many_held_commands_are_released_in_any_order(void **state)
{
	enum { COMMANDS = 20000 };
	struct queue_fixture *f = *state;
	struct event **users = calloc(COMMANDS, sizeof(struct event *));
	struct queue *queue;

	assert_non_null(users);
	assert_int_equal(queue_create_flags(f->context, f->queue->device,
				 CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &queue),
		CL_SUCCESS);
	for (int i = 0; i < COMMANDS; i++) {
		cl_event gate;

		users[i] = user_event(f, &gate);
		assert_int_equal(command_marker(queue, CL_COMMAND_MARKER,
					 &(struct event_args){ 1, &gate, NULL }),
			CL_SUCCESS);
	}
	assert_int_equal(command_marker(queue, CL_COMMAND_BARRIER, NO_EVENTS), CL_SUCCESS);
	for (int i = COMMANDS; i--;) {
		assert_int_equal(event_set_user_status(users[i], CL_COMPLETE), CL_SUCCESS);
		queue_fixture_release(event_handle(users[i]));
	}
	assert_int_equal(queue_finish(queue), CL_SUCCESS);
	assert_null(queue->deferred);
	assert_int_equal(queue_release(queue), CL_SUCCESS);
	free(users);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(held_commands_keep_their_order),
		TEST(held_commands_need_no_handles),
		TEST(blocking_calls_wait_for_the_host),
		TEST(a_chain_over_many_queues),
		TEST(every_failure_is_clean),
		TEST(many_held_commands_are_released_in_any_order),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
