// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include "compile/zebin/reflect.h"
#include "core/queue/kernel_repeat.h"

#include <pthread.h>
#include <string.h>

#define READERS 3
#define CHANGES 2000

static const size_t sixteen = 16, eight = 8, zero = 0;

static bool finds(struct kernel *kernel, cl_uint dims, const size_t *offset, const size_t *global,
	const size_t *local)
{
	struct ndrange range;

	memset(&range, 0xcd, sizeof range);
	bool found = kernel_repeat_find(kernel, dims, offset, global, local, &range);
	if (found)
		assert_memory_equal(&range.groups, &kernel->repeated.groups, sizeof range.groups);
	return found;
}

static void set_value(struct queue_fixture *f, uint32_t value)
{
	assert_int_equal(
		queue_fixture_launch(f->queue, f->set, f->a, value, 0, NULL, NULL), CL_SUCCESS);
	pthread_mutex_lock(&f->set->lock);
	kernel_repeat_stop(f->set);
	f->set->args[1].changed = true;
	pthread_mutex_unlock(&f->set->lock);
}

static void launch(struct queue_fixture *f, const size_t *global, const size_t *local)
{
	struct command command = { .kind = COMMAND_LAUNCH, .type = CL_COMMAND_NDRANGE_KERNEL };

	command.launch.kernel = f->set;
	assert_int_equal(ndrange_resolve(f->set, f->queue->device, 1, NULL, global, local,
				 &command.launch.range),
		CL_SUCCESS);
	for (int i = 0; i < 3; i++)
		assert_int_equal(queue_submit(f->queue, &command, 0, NULL, NULL), CL_SUCCESS);
}

static void is_what_was_launched_last(void **state)
{
	struct queue_fixture *f = *state;
	const struct compile_kernel info = { .name = "set", .simd_size = 8 };
	const size_t one = 1, both[] = { 16, 1 };

	f->set->info = &info;
	set_value(f, 3);
	assert_false(finds(f->set, 1, NULL, &sixteen, &eight));
	launch(f, &sixteen, &eight);
	assert_true(finds(f->set, 1, NULL, &sixteen, &eight));
	assert_true(finds(f->set, 1, &zero, &sixteen, &eight));
	assert_false(finds(f->set, 1, &one, &sixteen, &eight));
	assert_false(finds(f->set, 1, NULL, &sixteen, &sixteen));
	assert_false(finds(f->set, 1, NULL, &sixteen, NULL));
	assert_false(finds(f->set, 1, NULL, &eight, &eight));
	assert_false(finds(f->set, 1, NULL, NULL, &eight));
	assert_false(finds(f->set, 2, NULL, both, both));
	/* the one whose groups were chosen is another */
	launch(f, &sixteen, NULL);
	assert_true(finds(f->set, 1, NULL, &sixteen, NULL));
	assert_false(finds(f->set, 1, NULL, &sixteen, &f->set->repeated.local[0]));
	/* nothing is repeated that was not sent */
	set_value(f, 4);
	assert_false(finds(f->set, 1, NULL, &sixteen, NULL));
	launch(f, &sixteen, NULL);
	assert_true(finds(f->set, 1, NULL, &sixteen, NULL));
	assert_int_equal(f->set->n_repeating, 0);
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	assert_int_equal(((uint32_t *)(void *)f->a->address)[1], 5);
}

struct shared {
	struct kernel *kernel;
	atomic_bool over;
	atomic_uint torn, seen;
};

static void *repeat(void *data)
{
	struct shared *shared = data;

	while (!atomic_load(&shared->over)) {
		if (!kernel_repeat_begin(shared->kernel))
			continue;
		const struct ndrange *range = &shared->kernel->repeated;
		if (range->global[0] != range->offset[0] || range->global[0] != range->offset[1])
			atomic_fetch_add(&shared->torn, 1);
		kernel_repeat_end(shared->kernel);
		atomic_fetch_add(&shared->seen, 1);
	}
	return NULL;
}

/* Who repeats never sees a change half done. */
static void changes_come_between(void **state)
{
	struct queue_fixture *f = *state;
	struct shared shared = { .kernel = f->set };
	pthread_t threads[READERS];

	for (int i = 0; i < READERS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, repeat, &shared), 0);
	for (size_t i = 1; i < CHANGES || !atomic_load(&shared.seen); i++) {
		const struct ndrange range = { .dims = 1,
			.global = { i, 1, 1 },
			.offset = { i, i, 0 },
			.local = { 1, 1, 1 },
			.groups = { (uint32_t)i, 1, 1 } };

		pthread_mutex_lock(&f->set->lock);
		kernel_repeat_stop(f->set);
		f->set->repeated.global[0] = 0;
		for (int k = 0; k < 3; k++) {
			assert_false(atomic_load(&f->set->repeats));
			kernel_repeat_allow(f->set, &range);
		}
		pthread_mutex_unlock(&f->set->lock);
	}
	atomic_store(&shared.over, true);
	for (int i = 0; i < READERS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(shared.torn, 0);
	assert_int_equal(f->set->n_repeating, 0);
}

/* Enqueues `add` once more with its arguments as they are. */
static cl_int add_again(struct queue_fixture *f, struct queue *queue, size_t n, cl_event *event)
{
	struct command command = { .kind = COMMAND_LAUNCH, .type = CL_COMMAND_NDRANGE_KERNEL };

	command.launch.kernel = f->add;
	command.launch.range = (struct ndrange){ .dims = 1,
		.global = { n, 1, 1 },
		.local = { 64, 1, 1 },
		.groups = { (uint32_t)n / 64, 1, 1 } };
	return queue_submit(queue, &command, 0, NULL, event);
}

/* So often that all lists that the queue keeps hold it; gives how much was added. */
static uint32_t warm_up(struct queue_fixture *f, uint32_t value)
{
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, value, 0, NULL, NULL), 0);
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(add_again(f, f->queue, FIXTURE_ITEMS, NULL), CL_SUCCESS);
		assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	}
	return 21 * value;
}

/* Adds once more, and waits; gives how many commands were appended for it. */
static unsigned appends(struct queue_fixture *f, size_t n)
{
	unsigned before = l0_fake.appends, submits = l0_fake.submits;

	assert_int_equal(add_again(f, f->queue, n, NULL), CL_SUCCESS);
	assert_int_equal(l0_fake.submits, submits + 1);
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	return l0_fake.appends - before;
}

static void lists_are_submitted_again(void **state)
{
	struct queue_fixture *f = *state;
	cl_event event;

	memset(f->a->address, 0, FIXTURE_BYTES);
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 0, 0, NULL, NULL), 0);
	uint32_t sum = warm_up(f, 1);
	for (int i = 0; i < 10; i++)
		assert_int_equal(appends(f, FIXTURE_ITEMS), 0);
	queue_fixture_check(f->queue, f->a, sum += 10);
	/* another value, though everything else is the same, and the first one again */
	sum += warm_up(f, 5);
	assert_int_equal(appends(f, FIXTURE_ITEMS), 0);
	queue_fixture_check(f->queue, f->a, sum += 5);
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, NULL), 0);
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	assert_int_equal(appends(f, FIXTURE_ITEMS), 1);
	queue_fixture_check(f->queue, f->a, sum += 2);
	/* another range */
	(void)warm_up(f, 0);
	assert_int_equal(appends(f, FIXTURE_ITEMS / 2), 1);
	/* with an event */
	(void)warm_up(f, 0);
	unsigned before = l0_fake.appends;
	assert_int_equal(add_again(f, f->queue, FIXTURE_ITEMS, &event), CL_SUCCESS);
	assert_int_equal(l0_fake.appends, before + 1);
	assert_int_equal(event_wait(1, &event), CL_SUCCESS);
	queue_fixture_release(event);
	queue_fixture_check(f->queue, f->a, sum);
}

/* What follows while the device is busy is appended, and in order. */
static void a_busy_device_gets_batches(void **state)
{
	struct queue_fixture *f = *state;

	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 0, 0, NULL, NULL), 0);
	uint32_t sum = warm_up(f, 1);
	l0_fake.mode = L0_FAKE_BY_HAND;
	unsigned before = l0_fake.appends, submits = l0_fake.submits;
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(add_again(f, f->queue, FIXTURE_ITEMS, NULL), CL_SUCCESS);
		assert_int_equal(l0_fake.appends, before + i);
	}
	assert_int_equal(l0_fake.submits, submits + 1);
	/* another queue has lists of its own */
	assert_int_equal(add_again(f, f->other, FIXTURE_ITEMS, NULL), CL_SUCCESS);
	assert_int_equal(l0_fake.appends, before + 5);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_finish(f->other), CL_SUCCESS);
	queue_fixture_check(f->queue, f->a, sum + 6);
}

static void lost_lists_are_not_submitted_again(void **state)
{
	struct queue_fixture *f = *state;

	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 0, 0, NULL, NULL), 0);
	uint32_t sum = warm_up(f, 1);
	l0_fake.mode = L0_FAKE_BY_HAND;
	unsigned before = l0_fake.appends;
	assert_int_equal(add_again(f, f->queue, FIXTURE_ITEMS, NULL), CL_SUCCESS);
	assert_int_equal(l0_fake.appends, before);
	l0_fake.fault_next = true;
	l0_fake_run(1);
	assert_int_equal(queue_finish(f->queue), CL_OUT_OF_RESOURCES);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	for (int i = 0; i < 3; i++)
		(void)appends(f, FIXTURE_ITEMS);
	queue_fixture_check(f->queue, f->a, sum + 3);
}

/* Whatever fails: what was said to be done was done once, and nothing else was. */
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
		kernel_repeat_stop(f->add);
		*(uint32_t *)f->add->args[1].value = 1;
		f->add->args[1].changed = true;
		pthread_mutex_unlock(&f->add->lock);
		l0_fake.failed = false;
		l0_fake.fail_after = n;
		for (int i = 0; i < 16; i++) {
			cl_int rc = add_again(f, f->queue, FIXTURE_ITEMS, NULL);

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
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			is_what_was_launched_last, queue_fixture_setup, queue_fixture_teardown),
		cmocka_unit_test_setup_teardown(
			changes_come_between, queue_fixture_setup, queue_fixture_teardown),
		cmocka_unit_test_setup_teardown(
			lists_are_submitted_again, queue_fixture_setup, queue_fixture_teardown),
		cmocka_unit_test_setup_teardown(
			a_busy_device_gets_batches, queue_fixture_setup, queue_fixture_teardown),
		cmocka_unit_test_setup_teardown(lost_lists_are_not_submitted_again,
			queue_fixture_setup, queue_fixture_teardown),
		cmocka_unit_test_setup_teardown(
			failures_lose_what_they_say, queue_fixture_setup, queue_fixture_teardown),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
