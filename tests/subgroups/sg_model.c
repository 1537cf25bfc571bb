// SPDX-License-Identifier: MIT
#include "subgroups/sg_model.h"

#include <string.h>

bool sg_compiler_alone;

static bool takes_part(const struct sg_cell *cell, const struct sg_team *team, unsigned lane)
{
	return !cell->row->shape->divergent || team->w[team->first + lane] >> 31;
}

static unsigned lane_of(const struct sg_team *team, unsigned lane)
{
	return team->w[team->first + lane] & 0xff;
}

static unsigned number_of(const struct sg_team *team, unsigned lane)
{
	return team->w[team->first + lane] >> 8 & 0xff;
}

/* Result k of a lane. */
static void put(const struct sg_cell *cell, struct sg_team *team, unsigned k, unsigned lane,
	const void *bytes)
{
	size_t at = k * team->items + team->first + lane, size = sg_cell_result_size(cell);

	memcpy(team->want + at * size, bytes, size);
	team->known[at] = SG_WANTED;
}

static void put_undefined(struct sg_team *team, unsigned k, unsigned lane)
{
	team->known[k * team->items + team->first + lane] = SG_UNDEFINED;
}

static void put_uint(
	const struct sg_cell *cell, struct sg_team *team, unsigned k, unsigned lane, uint32_t value)
{
	put(cell, team, k, lane, &value);
}

/* Result k of a lane is what another one has in `data`, if that is there and takes part. */
static void put_from(const struct sg_cell *cell, struct sg_team *team, unsigned k, unsigned lane,
	const uint8_t *data, int64_t from)
{
	if (from >= 0 && from < team->size && takes_part(cell, team, (unsigned)from))
		put(cell, team, k, lane, data + (team->first + (size_t)from) * sg_cell_size(cell));
	else
		put_undefined(team, k, lane);
}

#define FOR_LANES(lane)                                                                            \
	for (unsigned lane = 0; lane < team->size; lane++)                                         \
		if (takes_part(cell, team, lane))

void sg_model_query(const struct sg_cell *cell, struct sg_team *team)
{
	FOR_LANES(lane)
	{
		const uint32_t answers[] = {
			[SG_SIZE] = team->size,
			[SG_MAX_SIZE] = team->width,
			[SG_COUNT] = team->groups,
			[SG_ID] = team->id,
			[SG_LANE] = lane,
			[SG_ENQUEUED] = team->groups,
		};
		put_uint(cell, team, 0, lane, answers[cell->row->op]);
	}
}

static struct sg_value value_at(
	const struct sg_cell *cell, const struct sg_team *team, unsigned lane)
{
	return sg_load(cell->type, team->a + (team->first + lane) * sg_cell_size(cell));
}

void sg_model_vote(const struct sg_cell *cell, struct sg_team *team)
{
	uint32_t all = 1, any = 0;
	unsigned first = team->size;

	FOR_LANES(lane)
	{
		bool yes = value_at(cell, team, lane).i;
		all &= yes;
		any |= yes;
		first = lane < first ? lane : first;
	}
	FOR_LANES(lane)
	{
		const uint32_t answers[] = {
			[SG_ALL] = all, [SG_ANY] = any, [SG_ELECT] = lane == first
		};
		put_uint(cell, team, 0, lane, answers[cell->row->op]);
	}
}

void sg_model_equal(const struct sg_cell *cell, struct sg_team *team)
{
	size_t size = sg_cell_size(cell);
	const uint8_t *data = team->a + team->first * size, *one = NULL;
	uint32_t equal = 1;

	FOR_LANES(lane)
	{
		one = one ? one : data + lane * size;
		equal &= !memcmp(one, data + lane * size, size);
	}
	FOR_LANES(lane)
	{
		put_uint(cell, team, 0, lane, equal);
	}
}

void sg_model_broadcast(const struct sg_cell *cell, struct sg_team *team)
{
	FOR_LANES(lane)
	{
		put_from(cell, team, 0, lane, team->a, lane_of(team, lane));
		if (cell->row->shape->results > 1)
			put_from(cell, team, 1, lane, team->a, 0);
	}
}

void sg_model_first(const struct sg_cell *cell, struct sg_team *team)
{
	unsigned first = team->size;

	FOR_LANES(lane)
	{
		first = lane < first ? lane : first;
		put_from(cell, team, 0, lane, team->a, first);
	}
}

static void put_value(const struct sg_cell *cell, struct sg_team *team, unsigned k, unsigned lane,
	struct sg_value value)
{
	uint8_t bytes[8];

	sg_store(cell->type, value, bytes);
	put(cell, team, k, lane, bytes);
}

/* The number of a lane among those that count for its cluster. */
static unsigned rank_of(const struct sg_cell *cell, const struct sg_team *team, unsigned lane)
{
	unsigned rank = 0;

	if (!sg_compiler_alone || sg_types[cell->type].size < 8)
		return lane;
	for (unsigned i = 0; i < lane; i++)
		rank += takes_part(cell, team, i);
	return rank;
}

/* Result k: the reduction over those of the lane's cluster who take part. */
static void reduce(const struct sg_cell *cell, struct sg_team *team, unsigned k, unsigned cluster)
{
	FOR_LANES(lane)
	{
		unsigned own = rank_of(cell, team, lane) / cluster;
		struct sg_value sum = sg_identity(cell->type, cell->row->op);
		for (unsigned i = 0; i < team->size; i++)
			if (takes_part(cell, team, i) && rank_of(cell, team, i) / cluster == own)
				sum = sg_apply(
					cell->type, cell->row->op, sum, value_at(cell, team, i));
		put_value(cell, team, k, lane, sum);
	}
}

void sg_model_reduce(const struct sg_cell *cell, struct sg_team *team)
{
	reduce(cell, team, 0, team->size);
}

static void scan(const struct sg_cell *cell, struct sg_team *team, bool inclusive)
{
	struct sg_value sum = sg_identity(cell->type, cell->row->op);

	FOR_LANES(lane)
	{
		struct sg_value next =
			sg_apply(cell->type, cell->row->op, sum, value_at(cell, team, lane));
		put_value(cell, team, 0, lane, inclusive ? next : sum);
		sum = next;
	}
}

void sg_model_inclusive(const struct sg_cell *cell, struct sg_team *team)
{
	scan(cell, team, true);
}

void sg_model_exclusive(const struct sg_cell *cell, struct sg_team *team)
{
	scan(cell, team, false);
}

void sg_model_cluster(const struct sg_cell *cell, struct sg_team *team)
{
	const unsigned clusters[] = { 1, 2, 4, 8, team->width / 2, team->width };

	for (unsigned k = 0; k < 6; k++)
		reduce(cell, team, k, clusters[k]);
}

void sg_model_shuffle(const struct sg_cell *cell, struct sg_team *team)
{
	FOR_LANES(lane)
	{
		put_from(cell, team, 0, lane, team->a, lane_of(team, lane));
		put_from(cell, team, 1, lane, team->b, 1);
	}
}

void sg_model_xor(const struct sg_cell *cell, struct sg_team *team)
{
	FOR_LANES(lane)
	{
		put_from(cell, team, 0, lane, team->a, lane ^ number_of(team, lane));
		put_from(cell, team, 1, lane, team->b, lane ^ 5);
	}
}

void sg_model_down(const struct sg_cell *cell, struct sg_team *team)
{
	FOR_LANES(lane)
	{
		put_from(cell, team, 0, lane, team->a, lane + number_of(team, lane));
		put_from(cell, team, 1, lane, team->b, lane + 1);
	}
}

void sg_model_up(const struct sg_cell *cell, struct sg_team *team)
{
	FOR_LANES(lane)
	{
		put_from(cell, team, 0, lane, team->a, (int64_t)lane - number_of(team, lane));
		put_from(cell, team, 1, lane, team->b, (int64_t)lane - 1);
	}
}

void sg_model_intel_down(const struct sg_cell *cell, struct sg_team *team)
{
	FOR_LANES(lane)
	{
		unsigned at[] = { lane + number_of(team, lane), lane + 1 };
		for (unsigned k = 0; k < 2; k++)
			put_from(cell, team, k, lane, at[k] < team->width ? team->a : team->b,
				at[k] % team->width);
	}
}

void sg_model_intel_up(const struct sg_cell *cell, struct sg_team *team)
{
	FOR_LANES(lane)
	{
		unsigned at[] = { team->width + lane - number_of(team, lane),
			team->width + lane - 1 };
		for (unsigned k = 0; k < 2; k++)
			put_from(cell, team, k, lane, at[k] < team->width ? team->a : team->b,
				at[k] % team->width);
	}
}

/* The word's number is rotated by, once as it is and once less the sub-group size. */
void sg_model_rotate(const struct sg_cell *cell, struct sg_team *team)
{
	FOR_LANES(lane)
	{
		unsigned from = (lane + number_of(team, lane)) % team->width;
		put_from(cell, team, 0, lane, team->a, from);
		put_from(cell, team, 1, lane, team->b, from);
		put_from(cell, team, 2, lane, team->a, (lane + 3) % team->width);
	}
}

void sg_model_clustered_rotate(const struct sg_cell *cell, struct sg_team *team)
{
	const unsigned clusters[] = { 1, 2, 4, 8, team->width };

	FOR_LANES(lane)
	{
		for (unsigned k = 0; k < 5; k++) {
			unsigned base = lane / clusters[k] * clusters[k];
			put_from(cell, team, k, lane, team->a,
				base + (lane + number_of(team, lane)) % clusters[k]);
		}
	}
}

void sg_model_ballot(const struct sg_cell *cell, struct sg_team *team)
{
	uint32_t bits[4] = { 0 };

	FOR_LANES(lane)
	{
		bits[0] |= (uint32_t)(value_at(cell, team, lane).i & 1) << lane;
	}
	FOR_LANES(lane)
	{
		put(cell, team, 0, lane, bits);
	}
}

void sg_model_bits(const struct sg_cell *cell, struct sg_team *team)
{
	FOR_LANES(lane)
	{
		uint32_t valid = 0xffffffffu >> (32 - team->width);
		uint32_t bits = (uint32_t)value_at(cell, team, lane).i & valid;
		uint32_t below = (1u << lane) - 1, up_to = below | 1u << lane;
		const uint32_t answers[] = {
			[SG_INVERSE] = bits >> lane & 1,
			[SG_EXTRACT] = bits >> number_of(team, lane) & 1,
			[SG_BIT_COUNT] = (uint32_t)__builtin_popcount(bits),
			[SG_BITS_UP_TO] = (uint32_t)__builtin_popcount(bits & up_to),
			[SG_BITS_BELOW] = (uint32_t)__builtin_popcount(bits & below),
			[SG_LSB] = bits ? (uint32_t)__builtin_ctz(bits) : 0,
			[SG_MSB] = bits ? 31 - (uint32_t)__builtin_clz(bits) : 0,
		};
		if (!bits && (cell->row->op == SG_LSB || cell->row->op == SG_MSB))
			put_undefined(team, 0, lane);
		else
			put_uint(cell, team, 0, lane, answers[cell->row->op]);
	}
}

void sg_model_mask(const struct sg_cell *cell, struct sg_team *team)
{
	FOR_LANES(lane)
	{
		unsigned width = sg_compiler_alone ? 32 : team->width;
		uint32_t all = 0xffffffffu >> (32 - width), eq = 1u << lane;
		const uint32_t answers[] = {
			[SG_EQ] = eq,
			[SG_GE] = all & ~(eq - 1),
			[SG_GT] = all & ~(eq - 1) & ~eq,
			[SG_LE] = eq | (eq - 1),
			[SG_LT] = eq - 1,
		};
		uint32_t bits[4] = { answers[cell->row->op] };
		put(cell, team, 0, lane, bits);
	}
}

size_t sg_read_bias(const struct sg_cell *cell)
{
	unsigned size = sg_types[cell->type].size;
	unsigned align = !strcmp(cell->row->extension, "cl_intel_subgroup_local_block_io") ? 16 : 4;

	return size < align ? align / size : 1;
}

void sg_model_read(const struct sg_cell *cell, struct sg_team *team)
{
	size_t scalar = sg_types[cell->type].size;
	const uint8_t *block =
		team->a +
		(sg_read_bias(cell) + team->number * sg_cell_block(cell, team->width)) * scalar;
	uint8_t vector[128] = { 0 };

	FOR_LANES(lane)
	{
		for (unsigned k = 0; k < cell->width; k++)
			memcpy(vector + k * scalar, block + (k * team->width + lane) * scalar,
				scalar);
		put(cell, team, 0, lane, vector);
	}
}

/* Lanes that do not exist may write anything into their part of the block. */
void sg_model_write(const struct sg_cell *cell, struct sg_team *team)
{
	size_t scalar = sg_types[cell->type].size;
	size_t block = team->number * sg_cell_block(cell, team->width);

	for (unsigned lane = 0; lane < team->width; lane++) {
		for (unsigned k = 0; k < cell->width; k++) {
			size_t at = block + k * team->width + lane;
			team->known[at] = lane < team->size ? SG_WANTED : SG_UNDEFINED;
			if (lane < team->size)
				memcpy(team->want + at * scalar,
					team->a + (team->first + lane) * sg_cell_size(cell) +
						k * scalar,
					scalar);
		}
	}
}
