// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile_alu.h"
#include "eu/ops/eu_effect.h"

#include <string.h>

/*
 * The order of arithmetic. A kernel has more values at once than the host has registers, but what
 * eight of its lanes compute seldom has to do with other eight, nor one element of a vector with
 * another. A step is a micro-operation for eight lanes. Steps of a run of these that read what
 * another has written are of one strand; strands are translated one after the other, or as many
 * side by side as fit in the registers: the processor overlaps those.
 *
 * A unit may have values of several strands in turn. Then what it holds behind the run is written
 * there by steps whose strand has also read what it held before, and each other value has a place
 * of its own in thread->values.
 */

enum {
	MOST_STEPS = 4096,	     /* of a run: bounds the time that it takes */
	ROOM = EU_COMPILE_REGISTERS, /* for strands side by side */
	SOURCES = 3,		     /* a, b, c */
	FIRST_VALUE = offsetof(struct eu_thread, values) / EU_UNIT,
	NONE = UINT16_MAX,
};

struct eu_step {
	struct eu_uop u;
	uint32_t index; /* of the micro-operation */
	uint8_t half;
	bool keeps;	   /* the lanes of its result that a mask has off */
	bool apart;	   /* its result has a place of its own */
	uint16_t result;   /* unit */
	uint16_t above;	   /* a step of the same strand; itself: it stands for the strand */
	uint16_t reads;	   /* later ones of its result in the run */
	uint16_t size;	   /* of its strand: values that are read later on, at most */
	uint16_t now;	   /* those where the count is */
	uint16_t group;	   /* of its strand, from 1 on */
	struct eu_source { /* what it reads; units are NONE behind the last */
		uint16_t units[2];
		uint16_t from;	/* the step that wrote that; NONE: none of the run */
	} sources[SOURCES + 2]; /* the mask, and its result as it was */
	struct eu_live live;	/* behind it */
};

/* What becomes of a unit in a run. */
struct eu_fate {
	uint16_t writer;  /* the last so far; NONE: none */
	uint16_t last;	  /* that of what it holds behind the run; NONE: nobody wants that */
	uint16_t toucher; /* the first step that reads or writes it; NONE: none */
	bool written, pinned /* values have no other place */, mixed /* of several strands */;
};

/* Memory for a run. */
struct eu_run {
	uint32_t count;
	uint16_t order[MOST_STEPS];
	struct eu_fate fates[EU_UNITS];
	struct eu_step steps[MOST_STEPS];
};

/* -- The steps of a run --------------------------------------------------------------------- */

static struct eu_source source_of(unsigned offset, unsigned bytes)
{
	const unsigned first = offset / EU_UNIT, last = (offset + bytes - 1) / EU_UNIT;
	return (struct eu_source){ { (uint16_t)first, (uint16_t)(first == last ? NONE : last) },
		NONE };
}

static struct eu_step find_step(const struct eu_uop *u, uint32_t index, unsigned half, bool keeps)
{
	const struct eu_columns *row = eu_compile_row(u);
	const uint16_t places[SOURCES] = { u->a, u->b, u->c };
	const struct eu_source nothing = { { NONE, NONE }, NONE };
	const unsigned apart = half * EU_UNIT;
	struct eu_step step = { .u = *u,
		.index = index,
		.half = (uint8_t)half,
		.keeps = keeps,
		.result = (uint16_t)((u->d + apart) / EU_UNIT) };
	for (unsigned i = 0; i < SOURCES; i++) {
		unsigned kind = eu_uop_info(u->code)->operand[i + 1];
		bool lanes = kind == EU_OPERAND_LANES || kind == EU_OPERAND_MASK;
		bool one = kind == EU_OPERAND_LANES && eu_uop_span(u, i + 1).bytes == 4;
		step.sources[i] = !lanes ? nothing
				  : one	 ? source_of(places[i] & ~3u, 4)
					 : source_of((places[i] & ~3u) + apart, EU_UNIT);
	}
	step.sources[SOURCES] = step.keeps ? source_of(u->m + apart, EU_UNIT) : nothing;
	if (row->form == WIDEN)
		step.sources[0] = source_of(u->a + half * row->number, row->number);
	if (row->form == NARROW_16) {
		step.u.b = u->a + EU_UNIT;
		step.sources[0] = source_of(u->a, EU_UNIT);
		step.sources[1] = source_of(step.u.b, EU_UNIT);
		step.keeps = row->number == 1;
	}
	step.sources[SOURCES + 1] =
		step.keeps ? source_of(step.result * (unsigned)EU_UNIT, EU_UNIT) : nothing;
	return step;
}

static bool reads(const struct eu_step *step, unsigned unit)
{
	for (unsigned i = 0; i < SOURCES + 2; i++)
		if (step->sources[i].units[0] == unit || step->sources[i].units[1] == unit)
			return true;
	return false;
}

/* Adds the steps of a micro-operation. False: one reads what another has changed by then. */
static bool add_steps(
	struct eu_run *run, const struct eu_uop *u, uint32_t index, const struct eu_live *live)
{
	struct eu_step *steps = run->steps + run->count;
	const bool packs = eu_compile_row(u)->form == NARROW_16;
	unsigned shape, halves = packs ? 1 : eu_uop_channels(u->code, &shape) / 8;
	for (unsigned half = 0; half < halves; half++)
		steps[half] =
			find_step(u, index, half, eu_effect_is_masked(u) && !live[index].is_free);
	if (halves == 2 && (reads(&steps[1], steps[0].result) || reads(&steps[0], steps[1].result)))
		return false;
	run->count += halves;
	return true;
}

/* Finds the steps of the run that begins here; returns the micro-operation behind it. */
static uint32_t find_run(struct eu_translator *s, const bool *starts, const struct eu_live *live)
{
	uint32_t index = s->index, end = 2 * s->kernel->uop_count;
	if (!s->run)
		s->run = malloc(sizeof(*s->run));
	if (!s->run)
		return index;
	s->run->count = 0;
	for (; index < end && s->run->count + 2 <= MOST_STEPS; index++) {
		const struct eu_uop *u = &s->kernel->uops[index];
		if ((index > s->index && !s->is_sweep && starts[index]) ||
			!eu_compile_is_step(s, u) || !add_steps(s->run, u, index, live))
			break;
	}
	return index;
}

/* -- Strands -------------------------------------------------------------------------------- */

static uint16_t strand_of(struct eu_run *run, uint16_t step)
{
	struct eu_step *steps = run->steps;
	while (steps[step].above != step)
		step = steps[step].above = steps[steps[step].above].above;
	return step;
}

/* Two steps are of one strand. The first of all stands for it. */
static void join(struct eu_run *run, uint16_t a, uint16_t b)
{
	a = strand_of(run, a);
	b = strand_of(run, b);
	if (a < b)
		run->steps[b].above = a;
	else
		run->steps[a].above = b;
}

/* Which units are written, by which step last, and which have no place but their own. */
static void find_fates(struct eu_run *run, const struct eu_units *behind)
{
	for (unsigned unit = 0; unit < EU_UNITS; unit++)
		run->fates[unit] = (struct eu_fate){ NONE, NONE, NONE, false, false, false };
	for (uint16_t i = 0; i < run->count; i++) {
		const struct eu_step *step = &run->steps[i];
		struct eu_fate *fate = &run->fates[step->result];
		fate->written = true;
		fate->pinned |= step->keeps;
		if (eu_units_has(behind, step->result))
			fate->last = i;
		for (unsigned j = 0; j < SOURCES + 2; j++)
			for (unsigned k = 0; k < 2; k++)
				if (step->sources[j].units[k] != NONE &&
					(j == SOURCES || step->sources[j].units[1] != NONE))
					run->fates[step->sources[j].units[k]].pinned = true;
	}
}

/* Notes that a step reads or writes a unit. */
static void touch(struct eu_run *run, uint16_t step, unsigned unit)
{
	struct eu_fate *fate = &run->fates[unit];
	if (fate->written && fate->pinned && fate->toucher != NONE)
		join(run, step, fate->toucher);
	if (fate->toucher == NONE)
		fate->toucher = step;
}

/* A step reads that. */
static void follow(struct eu_run *run, uint16_t i, struct eu_source *source)
{
	for (unsigned k = 0; k < 2; k++) {
		if (source->units[k] == NONE)
			continue;
		touch(run, i, source->units[k]);
		if (run->fates[source->units[k]].writer != NONE)
			source->from = run->fates[source->units[k]].writer;
	}
	if (source->from == NONE)
		return;
	run->steps[source->from].reads++;
	join(run, i, source->from);
}

static void find_strands(struct eu_run *run)
{
	for (uint16_t i = 0; i < run->count; i++) {
		struct eu_step *step = &run->steps[i];
		step->above = i;
		for (unsigned j = 0; j < SOURCES + 2; j++)
			follow(run, i, &step->sources[j]);
		touch(run, i, step->result);
		run->fates[step->result].writer = i;
	}
	/* What a unit held before is read before it has what it holds behind. */
	for (uint16_t i = 0; i < run->count; i++)
		for (unsigned j = 0; j < SOURCES + 2; j++) {
			const struct eu_source *source = &run->steps[i].sources[j];
			if (source->units[0] != NONE && source->from == NONE &&
				run->fates[source->units[0]].last != NONE)
				join(run, i, run->fates[source->units[0]].last);
		}
}

/* Which units have values of several strands, and which of these are apart. */
static void find_mixed(struct eu_run *run)
{
	for (uint16_t i = 0; i < run->count; i++) {
		const struct eu_step *step = &run->steps[i];
		struct eu_fate *fate = &run->fates[step->result];
		fate->mixed |= strand_of(run, fate->toucher) != strand_of(run, i);
		for (unsigned j = 0; j < SOURCES + 2; j++) {
			if (step->sources[j].units[0] == NONE)
				continue;
			fate = &run->fates[step->sources[j].units[0]];
			fate->mixed |= strand_of(run, fate->toucher) != strand_of(run, i);
		}
	}
	for (uint16_t i = 0; i < run->count; i++) {
		const struct eu_fate *fate = &run->fates[run->steps[i].result];
		run->steps[i].apart = fate->mixed && fate->last != i;
	}
}

/* -- Their order ---------------------------------------------------------------------------- */

/* A value is read once more. Returns whether that was the last time. */
static bool read_once(uint16_t *left)
{
	return --*left == 0;
}

static void find_sizes(struct eu_run *run)
{
	uint16_t left[MOST_STEPS];
	for (uint16_t i = 0; i < run->count; i++)
		left[i] = run->steps[i].reads;
	for (uint16_t i = 0; i < run->count; i++) {
		const struct eu_step *step = &run->steps[i];
		struct eu_step *strand = &run->steps[strand_of(run, i)];
		for (unsigned j = 0; j < SOURCES + 2; j++)
			if (step->sources[j].from != NONE &&
				read_once(&left[step->sources[j].from]))
				strand->now--;
		strand->now += step->reads > 0;
		if (strand->size < strand->now)
			strand->size = strand->now;
	}
}

/* Puts strands side by side, in the order of their first steps. */
static void sort(struct eu_run *run)
{
	uint16_t groups = 1, used = 0;
	uint32_t count = 0;
	for (uint16_t i = 0; i < run->count; i++) {
		struct eu_step *strand = &run->steps[i];
		if (strand->above != i)
			continue;
		if (used > 0 && used + strand->size > ROOM) {
			groups++;
			used = 0;
		}
		used = (uint16_t)(used + strand->size);
		strand->group = groups;
	}
	for (uint16_t g = 1; g <= groups; g++)
		for (uint16_t i = 0; i < run->count; i++)
			if (run->steps[strand_of(run, i)].group == g)
				run->order[count++] = i;
}

/* Gives values their places, in the micro-operations of the steps; false: there are too few. */
static bool place(struct eu_run *run)
{
	uint16_t places[MOST_STEPS], left[MOST_STEPS];
	uint64_t taken = 0;
	_Static_assert(EU_VALUES == 64, "a bit for each");
	for (uint32_t n = 0; n < run->count; n++) {
		const uint16_t i = run->order[n];
		struct eu_step *step = &run->steps[i];
		uint16_t *const operands[] = { &step->u.a, &step->u.b, &step->u.c };
		const unsigned apart = step->half * EU_UNIT;
		uint64_t ended = 0;
		for (unsigned j = 0; j < SOURCES; j++) {
			struct eu_source *source = &step->sources[j];
			if (source->from == NONE || !run->steps[source->from].apart)
				continue;
			unsigned unit = FIRST_VALUE + places[source->from];
			*operands[j] =
				(uint16_t)(*operands[j] + EU_UNIT * (unit - source->units[0]));
			source->units[0] = (uint16_t)unit;
			if (read_once(&left[source->from]))
				ended |= UINT64_C(1) << places[source->from];
		}
		if (step->apart) {
			if (taken == UINT64_MAX)
				return false;
			places[i] = (uint16_t)__builtin_ctzll(~taken);
			left[i] = step->reads;
			step->result = (uint16_t)(FIRST_VALUE + places[i]);
			step->u.d = (uint16_t)(step->result * EU_UNIT - apart);
			taken |= step->reads ? UINT64_C(1) << places[i] : 0;
		}
		taken &= ~ended;
	}
	return true;
}

static void set(struct eu_units *units, unsigned unit)
{
	units->bits[unit / 64] |= UINT64_C(1) << unit % 64;
}

/* What is live behind each step in that order, from what is behind the last. */
static void find_live(struct eu_run *run, const struct eu_units *behind)
{
	struct eu_units now = *behind;
	for (uint32_t n = run->count; n-- > 0;) {
		struct eu_step *step = &run->steps[run->order[n]];
		step->live.units = now;
		if (!step->keeps)
			now.bits[step->result / 64] &= ~(UINT64_C(1) << step->result % 64);
		for (unsigned j = 0; j < SOURCES + 2; j++)
			for (unsigned k = 0; k < 2; k++)
				if (step->sources[j].units[k] != NONE)
					set(&now, step->sources[j].units[k]);
	}
}

/* The order of a run, as one strand or not; false: its values have too few places. */
static bool arrange(struct eu_run *run, const struct eu_units *behind, bool as_one)
{
	find_fates(run, behind);
	find_strands(run);
	for (uint16_t i = 1; as_one && i < run->count; i++)
		join(run, 0, i);
	find_mixed(run);
	find_sizes(run);
	sort(run);
	if (!place(run))
		return false;
	find_live(run, behind);
	return true;
}

uint32_t eu_compile_strands(struct eu_translator *s, const bool *starts, const struct eu_live *live)
{
	const uint32_t first = s->index, end = find_run(s, starts, live);
	struct eu_run *run = s->run;
	if (end == first)
		return 0;
	if (!arrange(run, &live[end].units, run->count <= ROOM)) {
		find_run(s, starts, live);
		arrange(run, &live[end].units, true);
	}
	s->address = -1;
	for (uint32_t n = 0; n < run->count; n++) {
		const struct eu_step *step = &run->steps[run->order[n]];
		s->index = step->index;
		s->live = &step->live;
		s->is_free = !step->keeps;
		eu_compile_step(s, &step->u, step->half);
		eu_compile_unpin(s);
		eu_compile_forget_dead(s, &s->live->units);
	}
	s->index = first;
	return end - first;
}
