// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "tool/demo/demo.h"

/* The reference against values worked out by hand: a team of 5 lanes of 8. */
#define SIZE  5
#define WIDTH 8
#define ANY   0x600dbeef /* marks an undefined result in a table of what is expected */

static const uint32_t input[SIZE] = { 0x80000005, 3, 0xfffffff0, 7, 0x203 };

struct fixture {
	struct demo_team team;
	uint32_t want[8 * SIZE];
	bool undefined[8 * SIZE];
};

static void setup(struct fixture *f, const uint32_t *in)
{
	memset(f, 0, sizeof(*f));
	memset(f->want, 0x5a, sizeof(f->want));
	f->team = (struct demo_team){ .group = 3,
		.sub_group = 2,
		.sub_groups = 3,
		.enqueued = 4,
		.size = SIZE,
		.width = WIDTH,
		.in = in,
		.want = f->want,
		.undefined = f->undefined };
}

static void compare(
	const struct fixture *f, unsigned words, unsigned word, const uint32_t *expected)
{
	for (unsigned i = 0; i < SIZE; i++) {
		unsigned at = words * i + word;
		if (expected[i] == ANY)
			assert_true(f->undefined[at]);
		else
			assert_false(f->undefined[at]);
		if (expected[i] != ANY)
			assert_int_equal(f->want[at], expected[i]);
	}
}

static void one_word(void (*want)(const struct demo_case *, struct demo_team *), const uint32_t *in,
	unsigned group, const uint32_t *expected)
{
	const struct demo_case row = { .words_in = 1, .words_out = 1 };
	struct fixture f;

	setup(&f, in);
	f.team.group = group;
	want(&row, &f.team);
	compare(&f, 1, 0, expected);
}

static void exchanges(void **state)
{
	const uint32_t reversed[] = { 0x203, 7, 0xfffffff0, 3, 0x80000005 };
	const uint32_t rotated[] = { 0xfffffff0, 7, 0x203, 0x80000005, 3 };
	const uint32_t next[] = { 3, 0xfffffff0, 7, 0x203, 0x80000005 };
	const uint32_t fours[] = { 4, 4, 4, 4, 4 };
	const uint32_t sums[] = { 0x80000005, 0x80000008, 0x7ffffff8, 0x7fffffff, 0x80000202 };

	(void)state;
	one_word(demo_want_reversed, input, 3, reversed);
	one_word(demo_want_rotated, input, 3, rotated);
	one_word(demo_want_branch, input, 3, next);
	one_word(demo_want_branch, input, 4, input);
	one_word(demo_want_running_sum, input, 3, sums);
	one_word(demo_want_same, input, 3, input);
	one_word(demo_want_enqueued, input, 3, fours);
}

static void votes(void **state)
{
	const uint32_t none[SIZE] = { 0 }, some[SIZE] = { 0, 0, 0x80000000, 0, 0 };
	const uint32_t zeros[SIZE] = { 0 }, ones[SIZE] = { 1, 1, 1, 1, 1 };

	(void)state;
	one_word(demo_want_all, none, 3, zeros);
	one_word(demo_want_any, none, 3, zeros);
	one_word(demo_want_all, some, 3, zeros);
	one_word(demo_want_any, some, 3, ones);
	one_word(demo_want_all, input, 3, ones);
	one_word(demo_want_any, input, 3, ones);
}

static void queries_and_broadcast(void **state)
{
	const struct demo_case queries = { .words_in = 1, .words_out = 5 };
	const struct demo_case broadcast = { .words_in = 1, .words_out = 3 };
	const uint32_t expected[][SIZE] = { { 5, 5, 5, 5, 5 }, { 8, 8, 8, 8, 8 }, { 3, 3, 3, 3, 3 },
		{ 2, 2, 2, 2, 2 }, { 0, 1, 2, 3, 4 } };
	const uint32_t first[] = { 0x80000005, 0x80000005, 0x80000005, 0x80000005, 0x80000005 };
	const uint32_t fourth[] = { 0x203, 0x203, 0x203, 0x203, 0x203 }; /* (3 + 3 * 2) % 5 */
	struct fixture f;

	(void)state;
	setup(&f, input);
	demo_want_queries(&queries, &f.team);
	for (unsigned word = 0; word < 5; word++)
		compare(&f, 5, word, expected[word]);
	setup(&f, input);
	demo_want_broadcast(&broadcast, &f.team);
	compare(&f, 3, 0, first);
	compare(&f, 3, 1, fourth);
	compare(&f, 3, 2, fourth);
}

#define INF	0x7f800000
#define NEG_INF 0xff800000

/* The float operands are -8190.75, -8191.25, 8188, -8190.25 and -8063.25. */
static void folds(void **state)
{
	static const struct {
		enum demo_op op;
		enum demo_form form;
		uint32_t expected[3][SIZE];
	} rows[] = {
		{ OP_ADD, FORM_REDUCE,
			{ { 0x80000202, 0x80000202, 0x80000202, 0x80000202, 0x80000202 },
				{ 0x80000202, 0x80000202, 0x80000202, 0x80000202, 0x80000202 },
				{ 0xc6beff00, 0xc6beff00, 0xc6beff00, 0xc6beff00, 0xc6beff00 } } },
		{ OP_MIN, FORM_REDUCE,
			{ { 0x80000005, 0x80000005, 0x80000005, 0x80000005, 0x80000005 },
				{ 3, 3, 3, 3, 3 },
				{ 0xc5fffa00, 0xc5fffa00, 0xc5fffa00, 0xc5fffa00, 0xc5fffa00 } } },
		{ OP_MAX, FORM_INCLUSIVE,
			{ { 0x80000005, 3, 3, 7, 0x203 },
				{ 0x80000005, 0x80000005, 0xfffffff0, 0xfffffff0, 0xfffffff0 },
				{ 0xc5fff600, 0xc5fff600, 0x45ffe000, 0x45ffe000, 0x45ffe000 } } },
		{ OP_MIN, FORM_EXCLUSIVE,
			{ { 0x7fffffff, 0x80000005, 0x80000005, 0x80000005, 0x80000005 },
				{ 0xffffffff, 0x80000005, 3, 3, 3 },
				{ INF, 0xc5fff600, 0xc5fffa00, 0xc5fffa00, 0xc5fffa00 } } },
		{ OP_MAX, FORM_EXCLUSIVE,
			{ { 0x80000000, 0x80000005, 3, 3, 7 },
				{ 0, 0x80000005, 0x80000005, 0xfffffff0, 0xfffffff0 },
				{ NEG_INF, 0xc5fff600, 0xc5fff600, 0x45ffe000, 0x45ffe000 } } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct demo_case row = {
			.words_in = 1, .words_out = 3, .op = rows[i].op, .form = rows[i].form
		};
		struct fixture f;

		setup(&f, input);
		demo_want_fold(&row, &f.team);
		for (unsigned type = 0; type < 3; type++)
			compare(&f, 3, type, rows[i].expected[type]);
	}
}

/* Lanes' own numbers are (word >> 8) modulo 5 or 8: here 1, 7, 4, 0, 6. */
static void shuffles(void **state)
{
	const uint32_t in[SIZE] = { 0x10a, 0x70b, 0x40c, 0x00d, 0xe0e };
	const uint32_t of_first[] = { 0x10a, 0x10a, 0x10a, 0x10a, 0x10a };
	const uint32_t any[] = { 0x70b, 0x40c, 0xe0e, 0x10a, 0xe0e }; /* 1, 7 % 5, 4, 0, 14 % 5 */
	const uint32_t down_1[] = { 0x70b, 0x40c, 0x00d, 0xe0e, ANY };
	const uint32_t down[] = { 0x70b, ~0x10au, ANY, 0x00d, ~0x40cu };
	const uint32_t up_1[] = { ANY, 0x10a, 0x70b, 0x40c, 0x00d };
	const uint32_t up[] = { ANY, ~0x40cu, ANY, 0x00d, ANY };
	const uint32_t xor_5[] = { ANY, 0xe0e, ANY, ANY, 0x70b };
	const uint32_t xor_own[] = { 0x70b, ANY, ANY, 0x00d, 0x40c };
	const struct {
		void (*want)(const struct demo_case *, struct demo_team *);
		const uint32_t *constant, *variable;
	} rows[] = {
		{ demo_want_shuffle, of_first, any },
		{ demo_want_shuffle_down, down_1, down },
		{ demo_want_shuffle_up, up_1, up },
		{ demo_want_shuffle_xor, xor_5, xor_own },
	};
	const struct demo_case row = { .words_in = 1, .words_out = 2 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture f;
		setup(&f, in);
		rows[i].want(&row, &f.team);
		compare(&f, 2, 0, rows[i].constant);
		compare(&f, 2, 1, rows[i].variable);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exchanges),
		cmocka_unit_test(votes),
		cmocka_unit_test(queries_and_broadcast),
		cmocka_unit_test(folds),
		cmocka_unit_test(shuffles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
