// SPDX-License-Identifier: MIT
#include "tool/demo/demo.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A check under way. All of it is made and freed by demo_check. */
struct check {
	const struct demo_case *row;
	const struct demo_range *range;
	const struct demo_buffers *buffers;
	struct demo_outcome *outcome;
	unsigned width;
	size_t *item_of;     /* the item of each member of a team, by lane; SIZE_MAX: nobody yet */
	bool *expected;	     /* words of out that hold, or may hold, a result */
	uint32_t *team_in;   /* struct demo_team */
	uint32_t *team_want; /* struct demo_team */
	bool *team_undefined;
};

static bool __attribute__((format(printf, 2, 3)))
differ(struct check *check, const char *format, ...)
{
	char name[96];
	va_list arguments;
	int length = snprintf(check->outcome->wrong, sizeof(check->outcome->wrong),
		"range %s: ", demo_range_name(check->range, name, sizeof(name)));

	va_start(arguments, format);
	vsnprintf(check->outcome->wrong + length, sizeof(check->outcome->wrong) - (size_t)length,
		format, arguments);
	va_end(arguments);
	return false;
}

uint32_t demo_poison(size_t index)
{
	return 0xa5c3f10fu ^ (uint32_t)(index * 2654435761u);
}

static size_t words_of(enum demo_layout layout, const struct demo_range *range, unsigned words)
{
	if (layout == LAYOUT_BLOCK)
		return demo_range_groups(range) * demo_range_capacity(range) * words;
	return demo_range_items(range) * words;
}

void demo_check_sizes(
	struct demo_buffers *buffers, const struct demo_case *row, const struct demo_range *range)
{
	buffers->in_words = words_of(row->layout_in, range, row->words_in) + DEMO_BLOCK_BIAS;
	buffers->out_words = words_of(row->layout_out, range, row->words_out);
	buffers->place_words = 2 * demo_range_items(range);
}

/* Where word k of a team's member is in a buffer of `words` words for each work-item. */
static size_t index_of(const struct check *check, const struct demo_team *team,
	enum demo_layout layout, unsigned words, unsigned member, unsigned k)
{
	if (layout == LAYOUT_ITEM)
		return check->item_of[member] * words + k;
	size_t first = team->group * demo_range_capacity(check->range);
	return (first + team->sub_group * team->width) * words + k * team->width + member;
}

/* Lanes of a partial sub-group that do not exist: a block write may write any value for them. */
static void allow_absent_lanes(struct check *check, const struct demo_team *team)
{
	const struct demo_case *row = check->row;

	if (row->layout_out != LAYOUT_BLOCK)
		return;
	for (unsigned lane = team->size; lane < team->width; lane++)
		for (unsigned k = 0; k < row->words_out; k++)
			check->expected[index_of(
				check, team, LAYOUT_BLOCK, row->words_out, lane, k)] = true;
}

/* check->item_of holds the items of the team's members. */
static bool check_team(struct check *check, struct demo_team *team)
{
	const struct demo_case *row = check->row;
	unsigned bias = row->layout_in == LAYOUT_BLOCK ? DEMO_BLOCK_BIAS : 0;

	for (unsigned i = 0; i < team->size; i++)
		for (unsigned k = 0; k < row->words_in; k++)
			check->team_in[i * row->words_in + k] =
				check->buffers->in[bias + index_of(check, team, row->layout_in,
								  row->words_in, i, k)];
	memset(check->team_undefined, 0, team->size * row->words_out * sizeof(bool));
	row->want(row, team);
	for (unsigned i = 0; i < team->size; i++) {
		for (unsigned k = 0; k < row->words_out; k++) {
			unsigned at = i * row->words_out + k;
			size_t index = index_of(check, team, row->layout_out, row->words_out, i, k);
			uint32_t is = check->buffers->out[index];
			check->expected[index] = true;
			if (team->undefined[at])
				continue;
			check->outcome->elements++;
			if (is != team->want[at])
				return differ(check,
					"group %u sub-group %u (%u of %u lanes) member %u word %u "
					"is "
					"0x%08x, should be 0x%08x",
					team->group, team->sub_group, team->size, team->width, i, k,
					is, team->want[at]);
		}
	}
	allow_absent_lanes(check, team);
	return true;
}

static bool check_work_group(struct check *check, size_t group)
{
	size_t members = demo_range_members(check->range, group);
	struct demo_team team = { .group = (unsigned)group,
		.sub_groups = 1,
		.size = (unsigned)members,
		.width = (unsigned)members,
		.in = check->team_in,
		.want = check->team_want,
		.undefined = check->team_undefined };

	for (size_t member = 0; member < members; member++)
		check->item_of[member] = demo_range_item(check->range, group, member);
	return check_team(check, &team);
}

/*
 * Sub-groups are one-dimensional, all have the greatest size apart from that with the greatest id,
 * and every work-item is in one (cl_intel_subgroups, additions to section 3.2). Collects the items
 * of one by lane, and says which rule their ids break.
 */
static bool gather_sub_group(struct check *check, const struct demo_team *team, size_t members)
{
	for (unsigned lane = 0; lane < team->size; lane++)
		check->item_of[lane] = SIZE_MAX;
	for (size_t member = 0; member < members; member++) {
		size_t item = demo_range_item(check->range, team->group, member);
		uint32_t id = check->buffers->place[2 * item];
		uint32_t lane = check->buffers->place[2 * item + 1];
		if (id >= team->sub_groups)
			return differ(check, "group %u member %zu says sub-group %u of %u",
				team->group, member, id, team->sub_groups);
		if (id != team->sub_group)
			continue;
		if (lane >= team->size)
			return differ(check, "group %u member %zu says lane %u of %u", team->group,
				member, lane, team->size);
		if (check->item_of[lane] != SIZE_MAX)
			return differ(check, "group %u sub-group %u has two lanes %u", team->group,
				id, lane);
		check->item_of[lane] = item;
	}
	for (unsigned lane = 0; lane < team->size; lane++)
		if (check->item_of[lane] == SIZE_MAX)
			return differ(check, "group %u sub-group %u has no lane %u", team->group,
				team->sub_group, lane);
	return true;
}

static bool check_sub_groups(struct check *check, size_t group)
{
	unsigned members = (unsigned)demo_range_members(check->range, group);
	unsigned width = check->width;
	struct demo_team team = { .group = (unsigned)group,
		.sub_groups = (members + width - 1) / width,
		.enqueued = (unsigned)(demo_range_local(check->range) + width - 1) / width,
		.width = width,
		.in = check->team_in,
		.want = check->team_want,
		.undefined = check->team_undefined };

	for (; team.sub_group < team.sub_groups; team.sub_group++) {
		unsigned rest = members - team.sub_group * width;
		team.size = rest < width ? rest : width;
		if (!gather_sub_group(check, &team, members) || !check_team(check, &team))
			return false;
	}
	return true;
}

static bool check_poison(struct check *check)
{
	const struct demo_buffers *buffers = check->buffers;

	for (size_t i = 0; i < buffers->out_words; i++)
		if (!check->expected[i] && buffers->out[i] != demo_poison(i))
			return differ(check, "word %zu of the output was overwritten", i);
	for (size_t i = 0; i < buffers->place_words && !check->width; i++)
		if (buffers->place[i] != demo_poison(i))
			return differ(check, "word %zu of the places was overwritten", i);
	return true;
}

static bool check_all(struct check *check)
{
	size_t groups = demo_range_groups(check->range);

	for (size_t group = 0; group < groups; group++) {
		bool right = check->width ? check_sub_groups(check, group)
					  : check_work_group(check, group);
		if (!right)
			return false;
	}
	return check_poison(check);
}

void demo_check(const struct demo_case *row, const struct demo_range *range, unsigned width,
	const struct demo_buffers *buffers, struct demo_outcome *outcome)
{
	size_t team = demo_range_local(range) + width;
	struct check check = {
		.row = row, .range = range, .buffers = buffers, .outcome = outcome, .width = width
	};

	memset(outcome, 0, sizeof(*outcome));
	check.item_of = calloc(team, sizeof(size_t));
	check.expected = calloc(buffers->out_words, sizeof(bool));
	check.team_in = calloc(team * row->words_in, sizeof(uint32_t));
	check.team_want = calloc(team * row->words_out, sizeof(uint32_t));
	check.team_undefined = calloc(team * row->words_out, sizeof(bool));
	if (check.item_of && check.expected && check.team_in && check.team_want &&
		check.team_undefined)
		outcome->right = check_all(&check);
	else
		differ(&check, "the host is out of memory");
	free(check.item_of);
	free(check.expected);
	free(check.team_in);
	free(check.team_want);
	free(check.team_undefined);
}
