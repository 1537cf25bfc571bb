// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include <pthread.h>
#include <unistd.h>

/* What waits teach a queue about the bursts between them. */

static void enqueue_many(struct queue_fixture *f, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(
			queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, NULL), CL_SUCCESS);
}

static void wait_for(struct queue *queue, bool device_lags)
{
	if (!device_lags)
		queue->burst_began = 0; /* an endless burst: the wait is shorter */
	queue->n_lags = device_lags ? 2 : queue->n_lags;
	assert_int_equal(queue_finish(queue), CL_SUCCESS);
	queue->n_lags = device_lags ? 2 : queue->n_lags; /* however long that took */
}

/*
 * How many commands a program enqueues between two waits decides when the device gets the first,
 * and so does whether the program waits for it afterwards.
 */
static void the_first_piece_is_as_large_as_bursts_are(void **state)
{
	struct queue_fixture *f = *state;

	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 0, 0, NULL, NULL), 0);
	assert_int_equal(l0_fake.submits, 1);
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	for (int round = 0; round < 2; round++) {
		unsigned before = l0_fake.submits;

		/* after a short burst it starts at once */
		enqueue_many(f, 1);
		assert_int_equal(l0_fake.submits, before + 1);
		enqueue_many(f, 99);
		wait_for(f->queue, true);
		/* after a long one it starts with the half of it */
		before = l0_fake.submits;
		enqueue_many(f, 49);
		assert_int_equal(l0_fake.submits, before);
		enqueue_many(f, 1);
		assert_int_equal(l0_fake.submits, before + 1);
		/* waiting twice is no burst of none */
		enqueue_many(f, 50);
		wait_for(f->queue, true);
		assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
		/* a device that is quick gets all at once, from the burst after the next on */
		for (int again = 0; again < 3; again++) {
			before = l0_fake.submits;
			enqueue_many(f, 49);
			assert_int_equal(l0_fake.submits, before);
			enqueue_many(f, 51);
			assert_int_equal(l0_fake.submits, before + (again < 2));
			wait_for(f->queue, false);
			assert_int_equal(l0_fake.submits, before + 1 + (again < 2));
			assert_int_equal(f->queue->n_lags, 0);
			assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
		}
		before = l0_fake.submits;
		enqueue_many(f, 1);
		assert_int_equal(l0_fake.submits, before);
		assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	}
	queue_fixture_check(f->queue, f->a, 2 * (1 + 99 + 49 + 1 + 50 + 3 * 100 + 1));
}

static void *run_later(void *unused)
{
	usleep(20000);
	assert_true(l0_fake_run(100) > 0);
	return unused;
}

/* Two waits in a row that are long tell that the device lags. */
static void waits_tell_whether_the_device_lags(void **state)
{
	struct queue_fixture *f = *state;
	pthread_t thread;

	l0_fake.mode = L0_FAKE_BY_HAND;
	/* a burst may take as long if this thread loses its processor */
	for (int tries = 0; f->queue->n_lags < 2; tries++) {
		assert_true(tries < 50);
		enqueue_many(f, 64);
		assert_int_equal(queue_flush(f->queue), CL_SUCCESS);
		assert_int_equal(pthread_create(&thread, NULL, run_later, NULL), 0);
		assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
		assert_int_equal(pthread_join(thread, NULL), 0);
	}
	l0_fake.mode = L0_FAKE_AT_QUERY;
	/* short bursts and waits for nothing tell nothing */
	enqueue_many(f, 63);
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	assert_int_equal(f->queue->n_lags, 2);
	enqueue_many(f, 64);
	wait_for(f->queue, false);
	assert_int_equal(f->queue->n_lags, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_first_piece_is_as_large_as_bursts_are),
		TEST(waits_tell_whether_the_device_lags),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
