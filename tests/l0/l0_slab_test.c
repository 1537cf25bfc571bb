// SPDX-License-Identifier: MIT
#include "test.h"
#include "test_random.h"

#include "l0/l0_slab.h"
#include "l0_fake.h"

#include <stdlib.h>
#include <string.h>

#define MANY 20000

static int setup(void **state)
{
	struct l0_context *context;

	l0_fake_install();
	if (l0_context_create(1, &(struct l0_device *){ l0_device_open(0) }, &context))
		return -1;
	*state = context;
	return 0;
}

static int teardown(void **state)
{
	l0_context_destroy(*state);
	return 0;
}

struct piece {
	struct l0_slab *slab;
	unsigned char *address;
	size_t size;
};

/* The bytes of a piece are its own: each is filled with its number and looked at before it goes. */
static void fill(struct piece *piece, size_t number)
{
	memset(piece->address, (int)(number % 251), piece->size);
}

static void check(const struct piece *piece, size_t number)
{
	for (size_t i = 0; i < piece->size; i++)
		if (piece->address[i] != number % 251)
			fail_msg("byte %zu of piece %zu", i, number);
}

static void pieces_are_apart(void **state)
{
	struct piece *pieces = calloc(MANY, sizeof(*pieces));
	int live = l0_fake.live;
	uint64_t seed = 1;

	assert_non_null(pieces);
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < MANY; i++) {
			struct piece *piece = &pieces[i];

			if (piece->address)
				continue;
			piece->size =
				1 + (unsigned)test_random(&seed) % (i % 8 ? 200 : L0_SLAB_MAX);
			assert_int_equal(l0_slab_alloc(*state, piece->size, &piece->slab,
						 (void **)&piece->address),
				CL_SUCCESS);
			assert_int_equal((uintptr_t)piece->address % 128, 0);
			fill(piece, i);
		}
		for (size_t i = 0; i < MANY; i++) {
			if (round < 2 && test_random(&seed) % 4 == 0)
				continue;
			check(&pieces[i], i);
			l0_slab_free(pieces[i].slab, pieces[i].address);
			pieces[i].address = NULL;
		}
	}
	/* of each size one slab stays at most */
	assert_true(l0_fake.live <= live + 6);
	free(pieces);
}

static void the_largest_fits(void **state)
{
	static const size_t sizes[] = { 1, 127, 128, 129, 4095, 4096 };
	struct piece pieces[2 * 6];

	for (size_t i = 0; i < 12; i++) {
		pieces[i].size = sizes[i / 2];
		assert_int_equal(l0_slab_alloc(*state, pieces[i].size, &pieces[i].slab,
					 (void **)&pieces[i].address),
			CL_SUCCESS);
		fill(&pieces[i], i);
	}
	for (size_t i = 0; i < 12; i++) {
		check(&pieces[i], i);
		l0_slab_free(pieces[i].slab, pieces[i].address);
	}
}

static void a_failure_is_clean(void **state)
{
	struct l0_context *context;
	struct piece piece;

	(void)state;
	assert_int_equal(l0_context_create(1, &(struct l0_device *){ l0_device_open(0) }, &context),
		CL_SUCCESS);
	int live = l0_fake.live;
	l0_fake.fail_after = 1;
	assert_int_not_equal(
		l0_slab_alloc(context, 64, &piece.slab, (void **)&piece.address), CL_SUCCESS);
	l0_fake.fail_after = 0;
	assert_int_equal(l0_fake.live, live);
	assert_int_equal(
		l0_slab_alloc(context, 64, &piece.slab, (void **)&piece.address), CL_SUCCESS);
	l0_slab_free(piece.slab, piece.address);
	l0_context_destroy(context);
	assert_true(l0_fake.live < live);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_apart),
		cmocka_unit_test(the_largest_fits),
		cmocka_unit_test(a_failure_is_clean),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
