// SPDX-License-Identifier: MIT
#include "eu/code/eu_lower_live.h"
#include "eu/ops/eu_effect.h"

#include <stdlib.h>
#include <string.h>

/*
 * Who may read a dword before it is written: nobody, everybody, or one channel, as 1 + its number.
 * A register that a channel has written is not read for others until channels join again.
 */
enum { NOBODY = 0, EVERYBODY = 0xff };

enum { DWORDS = GEN_GRF_COUNT * GEN_GRF_BYTES / 4 };

static unsigned lanes_of(const struct eu_uop *u)
{
	const struct eu_uop_info *info = eu_uop_info(u->code);
	unsigned shape;
	if (info->operand[0] == EU_OPERAND_PAYLOAD)
		return u->code - info->first < 2 ? 16 : 8;
	return eu_uop_channels(u->code, &shape);
}

/* The channel whose dword it is, if the mask keeps others away from it. */
static uint8_t channel_of(const struct eu_uop *u, struct eu_span span, unsigned dword)
{
	unsigned lanes = lanes_of(u), does = eu_uop_info(u->code)->does;
	if (!eu_effect_is_masked(u) || lanes < 2 || span.first % 4 || span.bytes % (4 * lanes) ||
		(does & (EU_DOES_LOOP | EU_DOES_GENERIC)))
		return EVERYBODY;
	unsigned mask =
		u->m - (u->m < EU_OFFSET(pm.lanes) ? EU_OFFSET(act.lanes) : EU_OFFSET(pm.lanes));
	return (uint8_t)(1 + mask / 4 + (dword - span.first / 4u) % lanes);
}

static void both(uint8_t *to, uint8_t with)
{
	*to = *to == NOBODY || *to == with ? with : with == NOBODY ? *to : EVERYBODY;
}

static void write(const struct eu_lowering *l, uint32_t index, uint8_t *now)
{
	const struct eu_uop *u = &l->partial[index];
	struct eu_effect writes = eu_effect_writes(l->kernel, u);
	if (eu_effect_is_masked(&l->full[index]) || eu_effect_is_partial(u) ||
		(eu_uop_info(u->code)->does & (EU_DOES_GENERIC | EU_DOES_LOOP | EU_DOES_SEND)))
		return;
	for (unsigned n = 0; n < writes.count; n++) {
		struct eu_span span = writes.span[n];
		for (unsigned at = (span.first + 3u) / 4; 4 * at + 4 <= span.first + span.bytes;
			at++)
			if (at < DWORDS &&
				(!eu_effect_is_masked(u) || channel_of(u, span, at) == now[at]))
				now[at] = NOBODY;
	}
}

/* What a channel that is off keeps, it does not read. */
static void read(const struct eu_lowering *l, uint32_t index, uint8_t *now)
{
	const struct eu_uop *u = &l->partial[index];
	struct eu_effect reads = eu_effect_reads(l->kernel, &l->full[index]);
	for (unsigned n = 0; n < reads.count; n++) {
		struct eu_span span = reads.span[n];
		for (unsigned at = span.first / 4; 4 * at < (unsigned)span.first + span.bytes; at++)
			if (at < DWORDS)
				both(&now[at], channel_of(u, span, at));
	}
}

/* Whether a branch leads only to labels further on. */
static bool goes_ahead(unsigned row)
{
	return row == EU_UOP_leave || row == EU_UOP_label || row == EU_UOP_skip ||
	       row == EU_UOP_unless;
}

/*
 * What follows a branch: the channels that are on are others then, but for those that do not leave.
 * labels: what is live at those where it may lead.
 */
static void branch(const uint8_t *labels, unsigned row, uint8_t *now)
{
	for (unsigned at = 0; at < DWORDS; at++)
		if (row == EU_UOP_end)
			now[at] = NOBODY;
		else if (labels[at] || (row != EU_UOP_leave && now[at]))
			now[at] = EVERYBODY;
}

/* Whether nobody may read what was in the registers that the micro-operation writes. */
static bool is_fresh(const struct eu_lowering *l, const struct eu_uop *u, const uint8_t *now)
{
	struct eu_effect writes = eu_effect_writes(l->kernel, u);
	bool fresh = true;
	for (unsigned n = 0; n < writes.count; n++)
		for (unsigned at = writes.span[n].first / 4;
			4 * at < (unsigned)writes.span[n].first + writes.span[n].bytes; at++)
			fresh &= at >= DWORDS || now[at] == NOBODY;
	return fresh;
}

/*
 * One pass backwards. at_labels: what is live at any, which grows. Returns whether it has. Notes of
 * the first `count` micro-operations in `fresh` what eu_lower_find_fresh returns.
 */
static bool pass(const struct eu_lowering *l, const bool *targets, uint8_t *at_labels, bool *fresh,
	uint32_t count)
{
	uint8_t now[DWORDS] = { NOBODY }, ahead[DWORDS] = { NOBODY };
	bool grown = false;
	for (uint32_t i = l->count; i-- > 0;) {
		const struct eu_uop *u = &l->partial[i];
		const struct eu_uop_info *info = eu_uop_info(u->code);
		if (info->does & (EU_DOES_BRANCH | EU_DOES_YIELD))
			branch(goes_ahead(info->first) ? ahead : at_labels, info->first, now);
		write(l, i, now);
		if (i < count)
			fresh[i] = is_fresh(l, u, now) && is_fresh(l, u, ahead);
		read(l, i, now);
		for (unsigned at = 0; at < DWORDS && targets[i]; at++) {
			grown |= now[at] && !at_labels[at];
			at_labels[at] |= now[at] ? EVERYBODY : NOBODY;
			ahead[at] |= now[at] ? EVERYBODY : NOBODY;
		}
	}
	return grown;
}

bool *eu_lower_find_fresh(const struct eu_lowering *l, uint32_t count)
{
	uint8_t at_labels[DWORDS] = { NOBODY };
	bool *targets = calloc(l->count + 1, sizeof(*targets)),
	     *fresh = targets ? calloc(count, sizeof(*fresh)) : NULL;
	for (uint32_t i = 0; i < l->count && targets; i++) {
		const struct eu_uop *u = &l->full[i];
		unsigned row = eu_uop_info(u->code)->first;
		if (row == EU_UOP_label)
			targets[i] = true;
		else if (row == EU_UOP_unless)
			targets[i + 1 + u->past] = true;
		else if (row == EU_UOP_loop || row == EU_UOP_jump || row == EU_UOP_call)
			targets[u->target] = true;
		if (row == EU_UOP_call)
			targets[i + 1] = true;
	}
	while (fresh && pass(l, targets, at_labels, fresh, count))
		;
	free(targets);
	return fresh;
}
