// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "tool/demo/demo.h"

/* A device that does everything right, with sub-groups in the order of the members, so that the
 * check must pass; then each kind of mistake, which it must find. */
struct fixture {
	const struct demo_case *row;
	const struct demo_range *range;
	struct demo_buffers buffers;
	unsigned width;
};

/* 44 members: sub-groups of 16, 16 and 12 lanes. */
static const struct demo_range range_44 = { 1, { 88, 1, 1 }, { 44, 1, 1 }, { 0, 0, 0 } };
#define GROUPS	 2
#define LOCAL	 44
#define CAPACITY 64
#define WIDTH	 16

static const struct demo_case *find(const char *kernel)
{
	for (unsigned i = 0; i < demo_case_count; i++)
		if (!strcmp(demo_cases[i].kernel, kernel))
			return &demo_cases[i];
	fail_msg("no case %s", kernel);
	return NULL;
}

static void setup(struct fixture *f, const char *kernel, unsigned width)
{
	memset(f, 0, sizeof(*f));
	f->row = find(kernel);
	f->range = &range_44;
	f->width = width;
	demo_check_sizes(&f->buffers, f->row, f->range);
	f->buffers.in = calloc(f->buffers.in_words, sizeof(uint32_t));
	f->buffers.out = calloc(f->buffers.out_words, sizeof(uint32_t));
	f->buffers.place = calloc(f->buffers.place_words, sizeof(uint32_t));
	for (size_t i = 0; i < f->buffers.in_words; i++)
		f->buffers.in[i] = (uint32_t)(i * 2246822519u);
	for (size_t i = 0; i < f->buffers.out_words; i++)
		f->buffers.out[i] = demo_poison(i);
	for (size_t i = 0; i < f->buffers.place_words; i++)
		f->buffers.place[i] = demo_poison(i);
	for (size_t item = 0; width && item < GROUPS * LOCAL; item++) {
		f->buffers.place[2 * item] = (uint32_t)(item % LOCAL / width);
		f->buffers.place[2 * item + 1] = (uint32_t)(item % LOCAL % width);
	}
}

static void teardown(struct fixture *f)
{
	free(f->buffers.in);
	free(f->buffers.out);
	free(f->buffers.place);
}

static bool passes(const struct fixture *f, unsigned long *elements)
{
	struct demo_outcome outcome;

	memset(&outcome, 0xee, sizeof(outcome));
	demo_check(f->row, f->range, f->width, &f->buffers, &outcome);
	assert_int_equal(outcome.right, outcome.wrong[0] == 0);
	if (elements)
		*elements = outcome.elements;
	return outcome.right;
}

/* Every word that is not allowed to differ is flipped, one at a time; each flip must be found. */
static void finds_flips(struct fixture *f, uint32_t *words, size_t count, size_t expected)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		words[i] ^= 1u << i % 32;
		found += !passes(f, NULL);
		words[i] ^= 1u << i % 32;
	}
	assert_int_equal(found, expected);
	assert_true(passes(f, NULL));
}

static void work_group_case(void **state)
{
	struct fixture f;
	unsigned long elements;

	(void)state;
	setup(&f, "barrier_local", 0);
	for (size_t i = 0; i < GROUPS * LOCAL; i++)
		f.buffers.out[i] = f.buffers.in[i / LOCAL * LOCAL + LOCAL - 1 - i % LOCAL];
	assert_true(passes(&f, &elements));
	assert_int_equal(elements, GROUPS * LOCAL);
	finds_flips(&f, f.buffers.out, f.buffers.out_words, f.buffers.out_words);
	finds_flips(&f, f.buffers.place, f.buffers.place_words, f.buffers.place_words);
	teardown(&f);
}

static void sub_group_case(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, "sub_group_barrier_local", WIDTH);
	for (size_t i = 0; i < GROUPS * LOCAL; i++) {
		size_t first = i / LOCAL * LOCAL + i % LOCAL / WIDTH * WIDTH;
		size_t size = i % LOCAL / WIDTH == 2 ? 12 : WIDTH;
		f.buffers.out[i] = f.buffers.in[2 * first + size - 1 - i];
	}
	assert_true(passes(&f, NULL));
	finds_flips(&f, f.buffers.out, f.buffers.out_words, f.buffers.out_words);
	finds_flips(&f, f.buffers.place, f.buffers.place_words, f.buffers.place_words);
	teardown(&f);
}

/* Two lanes that change places are no mistake: the mapping is the implementation's. */
static void any_mapping_is_right(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, "block_write", WIDTH);
	f.buffers.place[1] = 1;
	f.buffers.place[3] = 0;
	for (size_t i = 0; i < GROUPS * LOCAL; i++)
		f.buffers.out[i / LOCAL * CAPACITY + i % LOCAL] = f.buffers.in[i < 2 ? 1 - i : i];
	assert_true(passes(&f, NULL));
	teardown(&f);
}

/* A block write may write any value for the four lanes that a partial sub-group lacks; the rest of
 * the words that belong to no lane must stay as they were. */
static void block_write_case(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, "block_write2", WIDTH);
	for (size_t i = 0; i < GROUPS * LOCAL; i++)
		for (size_t k = 0; k < 2; k++) {
			size_t sub_group = i % LOCAL / WIDTH, lane = i % LOCAL % WIDTH;
			size_t block = (i / LOCAL * CAPACITY + sub_group * WIDTH) * 2;
			f.buffers.out[block + k * WIDTH + lane] = f.buffers.in[2 * i + k];
		}
	assert_true(passes(&f, NULL));
	assert_int_equal(f.buffers.out_words, GROUPS * CAPACITY * 2);
	finds_flips(&f, f.buffers.out, f.buffers.out_words, f.buffers.out_words - GROUPS * 4 * 2);
	teardown(&f);
}

static void block_read_case(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, "block_read4", WIDTH);
	for (size_t i = 0; i < GROUPS * LOCAL; i++)
		for (size_t k = 0; k < 4; k++) {
			size_t sub_group = i % LOCAL / WIDTH, lane = i % LOCAL % WIDTH;
			size_t block = (i / LOCAL * CAPACITY + sub_group * WIDTH) * 4;
			f.buffers.out[4 * i + k] = f.buffers.in[1 + block + k * WIDTH + lane];
		}
	assert_true(passes(&f, NULL));
	finds_flips(&f, f.buffers.out, f.buffers.out_words, f.buffers.out_words);
	teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_group_case),
		cmocka_unit_test(sub_group_case),
		cmocka_unit_test(any_mapping_is_right),
		cmocka_unit_test(block_write_case),
		cmocka_unit_test(block_read_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
