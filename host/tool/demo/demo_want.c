// SPDX-License-Identifier: MIT
#include "tool/demo/demo.h"

#include <math.h>
#include <string.h>

/* The bits of a word as each type. */
union word {
	uint32_t u;
	int32_t i;
	float f;
};

static unsigned non_zeros(const struct demo_team *team)
{
	unsigned count = 0;

	for (unsigned i = 0; i < team->size; i++)
		count += team->in[i] != 0;
	return count;
}

/* Of each member i, one word. */
#define EACH(name, value)                                                                          \
	void demo_want_##name(const struct demo_case *row, struct demo_team *team)                 \
	{                                                                                          \
		(void)row;                                                                         \
		for (unsigned i = 0; i < team->size; i++)                                          \
			team->want[i] = value;                                                     \
	}

EACH(reversed, team->in[team->size - 1 - i])
EACH(rotated, team->in[(i + team->size / 2) % team->size])
EACH(running_sum, team->in[i] + (i ? team->want[i - 1] : 0))
EACH(branch, team->in[(i + (team->group & 1)) % team->size])
EACH(enqueued, team->enqueued)
EACH(all, non_zeros(team) == team->size)
EACH(any, non_zeros(team) > 0)

void demo_want_queries(const struct demo_case *row, struct demo_team *team)
{
	for (unsigned i = 0; i < team->size; i++) {
		uint32_t *want = team->want + row->words_out * i;
		want[0] = team->size;
		want[1] = team->width;
		want[2] = team->sub_groups;
		want[3] = team->sub_group;
		want[4] = i;
	}
}

void demo_want_broadcast(const struct demo_case *row, struct demo_team *team)
{
	unsigned lane = (team->group + 3 * team->sub_group) % team->size;

	for (unsigned i = 0; i < team->size; i++) {
		uint32_t *want = team->want + row->words_out * i;
		want[0] = team->in[0];
		want[1] = want[2] = team->in[lane];
	}
}

#define OPERATION(name, field, value)                                                              \
	static uint32_t name(uint32_t x, uint32_t y)                                               \
	{                                                                                          \
		const union word a = { x }, b = { y };                                             \
		return (union word){ .field = value }.u;                                           \
	}

OPERATION(add_int, u, a.u + b.u)
OPERATION(min_int, i, a.i < b.i ? a.i : b.i)
OPERATION(max_int, i, a.i > b.i ? a.i : b.i)
OPERATION(min_uint, u, a.u < b.u ? a.u : b.u)
OPERATION(max_uint, u, a.u > b.u ? a.u : b.u)
OPERATION(add_float, f, a.f + b.f)
OPERATION(min_float, f, a.f < b.f ? a.f : b.f)
OPERATION(max_float, f, a.f > b.f ? a.f : b.f)

/* An operation on one type: its function on bit patterns and its identity. */
struct fold {
	uint32_t (*apply)(uint32_t a, uint32_t b);
	uint32_t identity;
};

#define TYPE_COUNT 3 /* int, uint, float */

static const struct fold folds[][TYPE_COUNT] = {
	[OP_ADD] = { { add_int, 0 }, { add_int, 0 }, { add_float, 0 } },
	[OP_MIN] = { { min_int, INT32_MAX }, { min_uint, UINT32_MAX }, { min_float, 0x7f800000 } },
	[OP_MAX] = { { max_int, 0x80000000 }, { max_uint, 0 }, { max_float, 0xff800000 } },
};

/* The operand that the sample makes of a word of input. */
static uint32_t operand(uint32_t word, unsigned type)
{
	if (type < TYPE_COUNT - 1)
		return word;
	return (union word){ .f = (float)((int)(word & 0xffff) - 0x8000) * 0.25f }.u;
}

void demo_want_fold(const struct demo_case *row, struct demo_team *team)
{
	for (unsigned type = 0; type < TYPE_COUNT; type++) {
		const struct fold *fold = &folds[row->op][type];
		uint32_t sum = fold->identity;

		for (unsigned i = 0; i < team->size; i++) {
			uint32_t before = sum;
			sum = fold->apply(sum, operand(team->in[i], type));
			team->want[row->words_out * i + type] =
				row->form == FORM_EXCLUSIVE ? before : sum;
		}
		for (unsigned i = 0; i < team->size && row->form == FORM_REDUCE; i++)
			team->want[row->words_out * i + type] = sum;
	}
}

/* Lane i's result k is what lane `source` has in `word`; undefined if there is no such lane. */
static void take(struct demo_team *team, unsigned i, unsigned k, unsigned source, uint32_t invert)
{
	unsigned at = 2 * i + k;

	if (source < team->size)
		team->want[at] = team->in[source] ^ invert;
	else
		team->undefined[at] = true;
}

void demo_want_shuffle(const struct demo_case *row, struct demo_team *team)
{
	(void)row;
	for (unsigned i = 0; i < team->size; i++) {
		take(team, i, 0, 0, 0);
		take(team, i, 1, (team->in[i] >> 8) % team->size, 0);
	}
}

/* Lane i + delta of the pair (current, next), which are a lane's word and its complement. */
static void take_down(struct demo_team *team, unsigned i, unsigned k, unsigned delta)
{
	unsigned source = i + delta;
	bool next = source >= team->width;

	take(team, i, k, next ? source - team->width : source, next ? UINT32_MAX : 0);
}

void demo_want_shuffle_down(const struct demo_case *row, struct demo_team *team)
{
	(void)row;
	for (unsigned i = 0; i < team->size; i++) {
		take_down(team, i, 0, 1);
		take_down(team, i, 1, (team->in[i] >> 8) % team->width);
	}
}

/* Lane i - delta of the pair (previous, current), which are a word's complement and the word. */
static void take_up(struct demo_team *team, unsigned i, unsigned k, unsigned delta)
{
	bool previous = delta > i;

	take(team, i, k, previous ? i + team->width - delta : i - delta, previous ? UINT32_MAX : 0);
}

void demo_want_shuffle_up(const struct demo_case *row, struct demo_team *team)
{
	(void)row;
	for (unsigned i = 0; i < team->size; i++) {
		take_up(team, i, 0, 1);
		take_up(team, i, 1, (team->in[i] >> 8) % team->width);
	}
}

void demo_want_shuffle_xor(const struct demo_case *row, struct demo_team *team)
{
	(void)row;
	for (unsigned i = 0; i < team->size; i++) {
		take(team, i, 0, i ^ 5, 0);
		take(team, i, 1, i ^ ((team->in[i] >> 8) % team->width), 0);
	}
}

void demo_want_same(const struct demo_case *row, struct demo_team *team)
{
	memcpy(team->want, team->in, sizeof(uint32_t) * row->words_out * team->size);
}
