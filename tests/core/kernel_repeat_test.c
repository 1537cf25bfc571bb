// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include "compile/compile_reflect.h"
#include "core/kernel_repeat.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			is_what_was_launched_last, queue_fixture_setup, queue_fixture_teardown),
		cmocka_unit_test_setup_teardown(
			changes_come_between, queue_fixture_setup, queue_fixture_teardown),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
