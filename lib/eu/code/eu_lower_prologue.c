// SPDX-License-Identifier: MIT
#include "eu/code/eu_lower_live.h"
#include "eu/ops/eu_effect.h"

#include <stdlib.h>
#include <string.h>

/*
 * What a dword depends on, besides what is the same for all threads of a walker. ON_THREAD and
 * ON_GROUP together: it is a sum, modulo 2^32, of one that depends on the thread's number in its
 * group and one that depends on the group. BENT: the latter is not linear in the group's id. MIXED:
 * on anything.
 */
enum { ON_THREAD = 1, ON_GROUP = 2, BENT = 4, MIXED = 8 };

enum {
	DWORDS = offsetof(struct eu_thread, wait) / 4,
	REGISTER_DWORDS = GEN_GRF_BYTES / 4,
	GRF_DWORDS = GEN_GRF_COUNT * REGISTER_DWORDS,
	TEMP_FIRST = offsetof(struct eu_thread, temp) / 4,
	TEMP_END = TEMP_FIRST + EU_TEMPS * GEN_MAX_LANES,
	WORTH_IT = 2, /* micro-operations */
};

/* The beginning of the kernel, in which channels leave, but none comes back. */
struct block {
	struct eu_lowering *l;
	uint32_t end;		  /* micro-operations 1 … end - 1 belong to it, */
	uint32_t guard;		  /* to those from here on not all channels may come */
	bool *fresh;		  /* eu_lower_find_fresh; NULL: there is no guard */
	bool *stays;		  /* of each of them: it is not the prologue's */
	uint8_t depends[DWORDS];  /* enum above */
	bool touched[DWORDS];	  /* by what stays */
	uint32_t writer[DWORDS];  /* of the prologue; 0: none */
	bool needed[GRF_DWORDS];  /* by what stays */
	bool changes[GRF_DWORDS]; /* by what stays */
	uint32_t last[DWORDS];	  /* the last writer of all */
	bool whole[DWORDS];	  /* has been written whatever channels are on */
	bool differs[DWORDS];	  /* is not what it is when all channels are on */
};

/* Goes from dword to dword of spans. */
struct place {
	unsigned n; /* of the span */
	unsigned at;
};

/* for (EACH_DWORD(spans, place)): place.at is each dword of the spans. */
#define EACH_DWORD(spans, place)                                                                   \
	struct place place = first_place(&(spans));                                                \
	place.n < (spans).count;                                                                   \
	next_place(&(spans), &place)

static struct place first_place(const struct eu_effect *spans)
{
	return (struct place){ 0, spans->count ? spans->span[0].first / 4u : 0 };
}

static void next_place(const struct eu_effect *spans, struct place *place)
{
	const struct eu_span *span = &spans->span[place->n];
	if (++place->at * 4 >= (unsigned)span->first + span->bytes && ++place->n < spans->count)
		place->at = span[1].first / 4u;
}

static uint8_t any(uint8_t a, uint8_t b)
{
	uint8_t both = a | b;
	if (both >= MIXED || (both & (ON_THREAD | ON_GROUP)) == (ON_THREAD | ON_GROUP))
		return MIXED;
	return both & ON_GROUP ? both | BENT : both;
}

static uint8_t sum(uint8_t a, uint8_t b)
{
	uint8_t both = a | b;
	return both >= MIXED ? MIXED : both;
}

static uint8_t product(uint8_t a, uint8_t b)
{
	return !a ? b : !b ? a : any(a, b);
}

/* The dword of a source that channel `lane` reads. */
static uint8_t lane_depends(
	const struct block *b, const struct eu_uop *u, unsigned number, unsigned lane)
{
	struct eu_span span = eu_uop_span(u, number);
	if (span.bytes == 0)
		return 0;
	if (span.first % 4)
		return MIXED;
	return b->depends[span.first / 4 + (span.bytes > 4 ? lane : 0)];
}

/* What channel `lane` of the result depends on, for micro-operations that are linear. */
static bool linear(
	const struct block *b, const struct eu_uop *u, unsigned row, unsigned lane, uint8_t *out)
{
	uint8_t source[3];
	for (unsigned i = 0; i < 3; i++)
		source[i] = lane_depends(b, u, i + 1, lane);
	switch (row) {
	case EU_UOP_mov:
	case EU_UOP_neg_i:
		*out = source[0];
		return true;
	case EU_UOP_add_i:
	case EU_UOP_sub_i:
		*out = sum(source[0], source[1]);
		return true;
	case EU_UOP_mul_i:
		*out = product(source[0], source[1]);
		return true;
	case EU_UOP_mad_i:
		*out = sum(source[0], product(source[1], source[2]));
		return true;
	case EU_UOP_shl:
		*out = source[1] ? any(source[0], source[1]) : source[0];
		return true;
	}
	return false;
}

static bool is_temp(unsigned dword)
{
	return dword >= TEMP_FIRST && dword < TEMP_END;
}

/*
 * Notes what the result depends on; false when the micro-operation has to stay where it is. Where a
 * channel is off, a dword keeps what was there: what was written whatever channels are on, else
 * what a thread before has left, which is right if this is its last writer.
 */
static bool moves(struct block *b, const struct eu_uop *u, uint32_t index)
{
	const struct eu_uop_info *info = eu_uop_info(u->code);
	struct eu_span d = eu_uop_span(u, 0);
	unsigned first = d.first / 4u, count = d.bytes / 4u;
	uint8_t depends[2 * GEN_MAX_LANES], rest = 0;
	bool masked = eu_effect_is_masked(&b->l->partial[index]), differs = false;
	if (info->reads || info->writes || (info->does & ~EU_DOES_LOOP) || eu_effect_is_masked(u) ||
		d.first % 4 || d.bytes % 4 || count == 0 || count > sizeof(depends) ||
		eu_effect_is_partial(u) || (index > b->guard && !b->fresh[index]))
		return false;
	struct eu_effect reads = eu_effect_reads(b->l->kernel, u);
	for (EACH_DWORD(reads, place)) {
		rest = any(rest, b->depends[place.at]);
		differs |= b->differs[place.at];
	}
	for (unsigned i = 0; i < count; i++) {
		unsigned at = first + i;
		if (!is_temp(at) && (at < REGISTER_DWORDS || at >= GRF_DWORDS || b->touched[at]))
			return false;
		if (!linear(b, u, info->first, i, &depends[i]))
			depends[i] = rest;
		if (depends[i] >= MIXED)
			return false;
	}
	for (unsigned i = 0; i < count; i++) {
		b->depends[first + i] = depends[i];
		b->writer[first + i] = index;
		b->whole[first + i] |= !masked;
		b->differs[first + i] =
			differs || (masked && (b->whole[first + i] || b->last[first + i] != index));
	}
	return true;
}

/*
 * Notes what a micro-operation that stays reads and writes. True when it reads a temporary of the
 * prologue, whose writer must stay too.
 */
static bool touch(struct block *b, const struct eu_uop *u)
{
	struct eu_effect reads = eu_effect_reads(b->l->kernel, u),
			 writes = eu_effect_writes(b->l->kernel, u);
	bool found = false;
	for (EACH_DWORD(reads, place)) {
		if (is_temp(place.at) && b->writer[place.at])
			found = b->stays[b->writer[place.at]] = true;
		b->touched[place.at] = true;
	}
	for (EACH_DWORD(writes, place)) {
		b->touched[place.at] = true;
		b->depends[place.at] = MIXED;
		b->writer[place.at] = 0;
	}
	return found;
}

static void set_depends(uint8_t *depends, unsigned from, unsigned registers, uint8_t on)
{
	memset(depends + from * REGISTER_DWORDS, on, (size_t)registers * REGISTER_DWORDS);
}

/* What the payload depends on. */
static void begin(struct block *b)
{
	/* A thread that passes over the prologue runs where the one that did not has run. */
	static const uint8_t header[REGISTER_DWORDS] = { 0, ON_GROUP, ON_THREAD, 0, 0, 0, ON_GROUP,
		ON_GROUP };
	const struct eu_layout *layout = &b->l->layout;
	unsigned cross = layout->cross_first ? 1 : 1 + layout->thread;
	unsigned thread = layout->cross_first ? 1 + layout->cross : 1;
	memset(b->depends, MIXED, sizeof(b->depends));
	memcpy(b->depends, header, sizeof(header));
	set_depends(b->depends, cross, layout->cross, 0);
	set_depends(b->depends, thread, layout->thread, ON_THREAD);
	memset(b->depends + offsetof(struct eu_thread, pool) / 4, 0, EU_POOL_DWORDS);
	memset(b->touched, 0, sizeof(b->touched));
	memset(b->writer, 0, sizeof(b->writer));
	memset(b->whole, 0, sizeof(b->whole));
	memset(b->differs, 0, sizeof(b->differs));
	memset(b->whole, true, (1u + layout->cross + layout->thread) * REGISTER_DWORDS);
}

/* Finds what moves, again and again while something turns out to have to stay. */
static unsigned find(struct block *b)
{
	bool again = true;
	unsigned count = 0;
	while (again) {
		again = false;
		count = 0;
		begin(b);
		for (uint32_t i = 1; i < b->end; i++) {
			b->stays[i] = b->stays[i] || !moves(b, &b->l->full[i], i);
			count += !b->stays[i];
			if (b->stays[i])
				again |= touch(b, &b->l->full[i]);
		}
	}
	return count;
}

/* What the registers depend on when the prologue has ended. */
static void find_results(struct block *b)
{
	memcpy(b->last, b->writer, sizeof(b->last));
	begin(b);
	for (uint32_t i = 1; i < b->end; i++)
		if (!b->stays[i])
			moves(b, &b->l->full[i], i);
}

/* What all that is not in the prologue reads of the registers that are there when that ends. */
static bool find_needed(struct block *b)
{
	bool *written = calloc(GRF_DWORDS, sizeof(*written));
	if (!written)
		return false;
	for (uint32_t i = 1; i < b->l->count; i++) {
		const struct eu_uop *u = &b->l->full[i];
		const struct eu_uop_info *info = eu_uop_info(u->code);
		if (i < b->end && !b->stays[i])
			continue;
		struct eu_effect reads = eu_effect_reads(b->l->kernel, u),
				 writes = eu_effect_writes(b->l->kernel, u);
		bool all = i < b->guard && !eu_effect_is_masked(u) && !eu_effect_is_partial(u) &&
			   !(info->does & (EU_DOES_SEND | EU_DOES_GENERIC));
		for (EACH_DWORD(reads, place))
			if (place.at < GRF_DWORDS && !written[place.at])
				b->needed[place.at] = true;
		for (EACH_DWORD(writes, place)) {
			const struct eu_span *span = &writes.span[place.n];
			if (place.at >= GRF_DWORDS)
				continue;
			b->changes[place.at] = true;
			/* Not of a dword of which it writes a part. */
			written[place.at] |=
				all && place.at * 4 >= span->first &&
				place.at * 4 + 4 <= (unsigned)span->first + span->bytes;
		}
	}
	free(written);
	return true;
}

/*
 * Lists the registers to be set for a thread that passes over the prologue. Others have what it
 * left there when a thread last executed it with all channels; a thread that lacks some may have
 * been there since.
 */
static void list_registers(const struct block *b, struct eu_prologue *prologue)
{
	prologue->count = 0;
	prologue->linear = true;
	for (unsigned r = 0; r < GEN_GRF_COUNT; r++) {
		bool wanted = false;
		for (unsigned at = r * REGISTER_DWORDS; at < (r + 1) * REGISTER_DWORDS; at++) {
			uint8_t depends = b->depends[at];
			bool is_there = !depends && !b->changes[at] && !b->differs[at];
			if (!b->needed[at] || depends >= MIXED || is_there)
				continue;
			wanted = true;
			prologue->linear &= !(depends & BENT);
		}
		if (wanted)
			prologue->registers[prologue->count++] = (uint8_t)r;
	}
}

/* Puts the prologue first, then the micro-operation that was the first, then what stays. */
static bool reorder(const struct block *b, struct eu_uop *stream)
{
	struct eu_uop *old = malloc(b->end * sizeof(*old));
	uint32_t to = 0;
	if (!old)
		return false;
	memcpy(old, stream, b->end * sizeof(*old));
	for (uint32_t i = 1; i < b->end; i++)
		if (!b->stays[i])
			stream[to++] = old[i];
	stream[to++] = old[0];
	for (uint32_t i = 1; i < b->end; i++) {
		if (!b->stays[i])
			continue;
		stream[to] = old[i];
		if (old[i].code == EU_UOP_leave)
			stream[to].target = to + 1;
		to++;
	}
	free(old);
	return true;
}

static bool find_prologue(struct block *b)
{
	struct eu_prologue *prologue = &b->l->kernel->prologue;
	unsigned count = find(b);
	find_results(b);
	if (!find_needed(b))
		return false;
	list_registers(b, prologue);
	if (count < WORTH_IT || prologue->count > 2 * count + b->l->layout.thread)
		return true;
	if (!reorder(b, b->l->full) || !reorder(b, b->l->partial))
		return false;
	prologue->end = count + 1;
	return true;
}

/* Whether channels may leave at a micro-operation, and the others go on at the next one. */
static bool is_guard(const struct eu_lowering *l, uint32_t index)
{
	const struct eu_uop *u = &l->full[index];
	return u->code == EU_UOP_leave && (u->c & 0xff) != GEN_PRED_NONE && u->target == index + 1;
}

/* A micro-operation that only counts may be the top of a loop. */
static bool ends_block(const struct eu_lowering *l, uint32_t index)
{
	unsigned does = eu_uop_info(l->full[index].code)->does;
	return ((does & (EU_DOES_BRANCH | EU_DOES_YIELD)) && !is_guard(l, index)) ||
	       l->full[index].code == EU_UOP_count;
}

void eu_lower_prologue(struct eu_lowering *l)
{
	struct block *b = calloc(1, sizeof(*b));
	uint32_t end = 1, guard = 0;
	for (; end < l->count && !ends_block(l, end); end++)
		guard = guard == 0 && is_guard(l, end) ? end : guard;
	if (b) {
		b->l = l;
		b->end = end;
		b->guard = guard ? guard : end;
		b->stays = calloc(end, sizeof(*b->stays));
		b->fresh = guard ? eu_lower_find_fresh(l, end) : NULL;
	}
	if (!b || !b->stays || (guard && !b->fresh) || !find_prologue(b))
		l->no_memory = true;
	if (b) {
		free(b->fresh);
		free(b->stays);
	}
	free(b);
}
