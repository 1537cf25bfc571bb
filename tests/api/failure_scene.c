// SPDX-License-Identifier: MIT
#include "failure_scene.h"

#include "failure_alloc.h"
#include "l0_fake.h"

#include "test.h"

#include <stdbool.h>
#include <time.h>

#define MOST	4000 /* failures of one kind */
#define WAIT_MS 5000

static unsigned now; /* which of them fails */

/* Threads of the library may hold something for a moment. */
static void wait_for_life(int live)
{
	for (int i = 0; i < WAIT_MS && l0_fake.live != live; i++)
		nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
	if (l0_fake.live != live || l0_fake.errors)
		print_error("number %u failed\n", now);
	assert_int_equal(l0_fake.live, live);
	assert_int_equal(l0_fake.errors, 0);
}

static cl_int play(failure_scene scene, const void *data)
{
	int live = l0_fake.live;
	cl_int rc = scene(data);

	wait_for_life(live);
	if (rc == FAILURE_BAD_DATA)
		print_error("number %u failed\n", now);
	assert_int_not_equal(rc, FAILURE_BAD_DATA);
	return rc;
}

static void fail_call(unsigned number)
{
	l0_fake.failed = false;
	l0_fake.fail_after = number;
}

static bool call_failed(void)
{
	l0_fake.fail_after = 0;
	return l0_fake.failed;
}

static void fail_allocation(unsigned number)
{
	failure_alloc_after(number, 1);
}

static bool allocation_failed(void)
{
	bool failed = failure_alloc_failed();

	failure_alloc_after(0, 0);
	return failed;
}

/* How many could fail. */
static unsigned fail_each(failure_scene scene, const void *data, unsigned step,
	void (*fail_next)(unsigned), bool (*has_failed)(void))
{
	unsigned n = 0;

	for (bool failed = true; failed; n += step) {
		assert_true(n < MOST);
		now = n + 1;
		fail_next(now);
		cl_int rc = play(scene, data);
		failed = has_failed();
		if (!failed)
			assert_int_equal(rc, CL_SUCCESS);
		if (n / step % 16 == 0)
			assert_int_equal(play(scene, data), CL_SUCCESS);
	}
	return n - step;
}

void failure_play(
	failure_scene scene, const void *data, unsigned step, unsigned calls, unsigned allocations)
{
	now = 0;
	failure_alloc_spares = l0_fake_allocates;
	assert_int_equal(play(scene, data), CL_SUCCESS);
	unsigned n_calls = fail_each(scene, data, step, fail_call, call_failed);
	unsigned n_allocations = fail_each(scene, data, step, fail_allocation, allocation_failed);

	print_message("%u calls of Level Zero, %u allocations\n", n_calls, n_allocations);
	assert_true(n_calls > calls && n_allocations > allocations);
	assert_int_equal(play(scene, data), CL_SUCCESS);
}
