// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include <stdlib.h>
#include <string.h>

#define N_ARGS	    12
#define N_INSTANCES 3

/*
 * Arguments are set and given to instances at random: whatever changed since an instance got them
 * must be in the range that it is told, and nothing else if it was the last to get them.
 */
static void what_changed_is_looked_at(void **state)
{
	struct queue_fixture *f = *state;
	struct kernel *kernel = f->set;
	cl_uint first, end, exact = 0;

	struct {
		uint64_t state;
		bool changed[N_ARGS];
	} instances[N_INSTANCES] = { 0 };

	for (int i = 0; i < N_INSTANCES; i++)
		memset(instances[i].changed, true, sizeof(instances[i].changed));
	srand(11);
	kernel->n_args = N_ARGS;
	for (int step = 0; step < 20000; step++) {
		int which = rand() % N_INSTANCES;

		if (rand() % 500 == 0) {
			kernel_touch(kernel);
			for (int i = 0; i < N_INSTANCES; i++)
				memset(instances[i].changed, true, sizeof(instances[i].changed));
		}
		for (int n = rand() % 3; n > 0; n--) {
			cl_uint index = (cl_uint)rand() % N_ARGS;

			kernel_touch_arg(kernel, index);
			for (int i = 0; i < N_INSTANCES; i++)
				instances[i].changed[index] = true;
		}
		kernel_fresh(kernel, instances[which].state, &first, &end);
		assert_true(end <= N_ARGS);
		for (cl_uint i = 0; i < N_ARGS; i++)
			assert_true(!instances[which].changed[i] || (i >= first && i < end));
		if (first < end && end - first < N_ARGS) {
			assert_true(instances[which].changed[first]);
			assert_true(instances[which].changed[end - 1]);
			exact++;
		}
		if (rand() % 2)
			continue;
		memset(instances[which].changed, false, sizeof(instances[which].changed));
		instances[which].state = kernel->state;
		kernel_settle(kernel);
	}
	assert_true(exact > 1000);
	kernel->n_args = 2;
}

/* Each state is another one, unlike those of other kernels, and later than the kernel's before. */
static void states_are_unique(void **state)
{
	enum { MANY = 150000 };
	struct queue_fixture *f = *state;
	struct kernel *kernels[] = { f->set, f->add };
	uint64_t *seen = calloc(2 * MANY, sizeof(*seen));
	size_t n[2] = { 0 };

	assert_non_null(seen);
	srand(12);
	while (n[0] < MANY && n[1] < MANY) {
		int which = rand() % 2;
		uint64_t before = kernels[which]->state;

		kernel_touch_arg(kernels[which], 0);
		assert_true(kernels[which]->state > before);
		seen[which * MANY + n[which]++] = kernels[which]->state;
	}
	/* both rise: merged, no two are alike */
	for (size_t i = 0, k = 0; i < n[0] && k < n[1];) {
		assert_true(seen[i] != seen[MANY + k]);
		if (seen[i] < seen[MANY + k])
			i++;
		else
			k++;
	}
	free(seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_changed_is_looked_at),
		TEST(states_are_unique),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
