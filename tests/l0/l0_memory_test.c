// SPDX-License-Identifier: MIT
/* Memory of contexts over several devices: of the driver for two, of the process for more. */
#include "test.h"

#include "l0/l0_memory.h"
#include "l0_fake.h"

#include <string.h>
#include <sys/mman.h>

#define MOST 4
#define SIZE 10000u

static struct l0_device *devices[MOST];

static int install(void **state)
{
	static const enum l0_fake_model_number models[MOST];

	(void)state;
	l0_fake_install();
	l0_fake_list(models, MOST);
	for (unsigned i = 0; i < MOST; i++)
		if (!(devices[i] = l0_device_open(i)))
			return -1;
	return 0;
}

static void open_contexts(unsigned n, struct l0_context **contexts)
{
	assert_int_equal(l0_context_create(n, devices, contexts), CL_SUCCESS);
}

static void close_contexts(unsigned n, struct l0_context **contexts)
{
	while (n--)
		l0_context_destroy(contexts[n]);
}

/* Whether the pages are the process's still. */
static bool is_mapped(void *address)
{
	unsigned char in_core[3];

	return !mincore(address, SIZE, in_core);
}

static void memory_of_many(void **state)
{
	static const enum l0_memory_kind kinds[] = { L0_MEMORY_SHARED, L0_MEMORY_HOST };
	const int live = l0_fake.live;

	(void)state;
	for (unsigned n = 1; n <= MOST; n++) {
		struct l0_context *contexts[MOST];

		open_contexts(n, contexts);
		assert_int_equal(l0_fake.n_given, 0);
		for (size_t k = 0; k < 2; k++) {
			char *memory;
			void *of_device;

			assert_int_equal(l0_memory_alloc(contexts[0], kinds[k], SIZE, 4096,
						 (void **)&memory),
				CL_SUCCESS);
			assert_int_equal((uintptr_t)memory % 4096, 0);
			assert_int_equal(l0_fake.n_given, n > 2);
			memset(memory, 0x3c, SIZE);
			assert_int_equal(l0_memory_alloc(contexts[n - 1], L0_MEMORY_DEVICE, SIZE, 0,
						 &of_device),
				CL_SUCCESS);
			assert_int_equal(l0_fake.n_given, n > 2);
			l0_memory_free_device(contexts[n - 1], of_device);
			assert_true(n < 3 || is_mapped(memory));
			l0_memory_free(contexts[0], memory);
			assert_int_equal(l0_fake.n_given, 0);
			assert_true(n < 3 || !is_mapped(memory));
		}
		l0_memory_free(contexts[0], NULL);
		close_contexts(n, contexts);
	}
	assert_int_equal(l0_fake.live, live);
}

/* Drivers that do not take memory, or take what is not theirs for the next who wants some. */
static void other_drivers(void **state)
{
	const int live = l0_fake.live;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct l0_context *contexts[3];
		void *memory;

		l0_fake.allocates = i == 0;
		l0_fake.recycles = i == 1;
		open_contexts(3, contexts);
		for (int k = 0; k < 2; k++) {
			assert_int_equal(
				l0_memory_alloc(contexts[0], L0_MEMORY_HOST, SIZE, 0, &memory),
				CL_SUCCESS);
			memset(memory, 0x3c, SIZE);
			assert_int_equal(l0_fake.n_given, 0);
			l0_memory_free(contexts[0], memory);
		}
		close_contexts(3, contexts);
	}
	l0_fake.allocates = l0_fake.recycles = false;
	assert_int_equal(l0_fake.live, live);
}

/* Whatever fails, nothing stays behind. */
static void failures(void **state)
{
	const int live = l0_fake.live;
	bool failed = true;

	(void)state;
	for (unsigned n = 1; failed; n++) {
		struct l0_context *contexts[3];
		void *memory = NULL;

		l0_fake.failed = false;
		l0_fake.fail_after = n;
		if (!l0_context_create(3, devices, contexts)) {
			if (!l0_memory_alloc(contexts[0], L0_MEMORY_SHARED, SIZE, 64, &memory))
				l0_memory_free(contexts[0], memory);
			close_contexts(3, contexts);
		}
		failed = l0_fake.failed;
		l0_fake.fail_after = 0;
		assert_int_equal(l0_fake.live, live);
		assert_int_equal(l0_fake.n_given, 0);
	}
	assert_int_equal(l0_fake.errors, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_of_many),
		cmocka_unit_test(other_drivers),
		cmocka_unit_test(failures),
	};

	return cmocka_run_group_tests(tests, install, NULL);
}
