// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile.h"

#include "eu/ops/eu_effect.h"

enum { WORDS = sizeof(struct eu_units) / sizeof(uint64_t) };

static void set(struct eu_units *units, unsigned unit)
{
	units->bits[unit / 64] |= UINT64_C(1) << unit % 64;
}

static void set_span(struct eu_units *units, unsigned first, unsigned bytes)
{
	for (unsigned unit = first / EU_UNIT; unit * EU_UNIT < first + bytes; unit++)
		set(units, unit);
}

/* Those of which it is all. */
static void set_whole(struct eu_units *units, unsigned first, unsigned bytes)
{
	unsigned unit = (first + EU_UNIT - 1) / EU_UNIT;
	for (; (unit + 1) * EU_UNIT <= first + bytes; unit++)
		set(units, unit);
}

/* Adds; returns whether that changed anything. */
static bool add(struct eu_units *to, const struct eu_units *from)
{
	uint64_t news = 0;
	for (unsigned i = 0; i < WORDS; i++) {
		news |= from->bits[i] & ~to->bits[i];
		to->bits[i] |= from->bits[i];
	}
	return news != 0;
}

/* What a micro-operation reads, and what it writes as a whole. */
struct access {
	struct eu_units reads, writes;
};

static void find_writes(
	struct eu_units *writes, const struct eu_kernel *kernel, const struct eu_uop *u)
{
	const struct eu_uop_info *info = eu_uop_info(u->code);
	bool message = info->operand[0] == EU_OPERAND_PAYLOAD;
	if (eu_effect_is_masked(u) || eu_effect_is_partial(u) ||
		(info->does & (EU_DOES_GENERIC | EU_DOES_LOOP)) ||
		((info->does & EU_DOES_SEND) && !message))
		return;
	if (info->first == EU_UOP_predicate) {
		unsigned shape, channels = eu_uop_channels(u->code, &shape);
		set_whole(writes, EU_OFFSET(pm.lanes) + 4 * u->imm, 4 * channels);
		set(writes, EU_OFFSET(pm.bits) / EU_UNIT); /* of which nobody reads the rest */
	}
	if (info->first == EU_UOP_f_from_h && u->d >= EU_OFFSET(temp) && u->d < EU_OFFSET(act))
		set(writes, u->d / EU_UNIT); /* a temporary for one half: the same */
	struct eu_effect effect = eu_effect_writes(kernel, u);
	for (unsigned i = 0; i < effect.count; i++)
		set_whole(writes, effect.span[i].first, effect.span[i].bytes);
}

static struct access find_access(const struct eu_kernel *kernel, const struct eu_uop *u)
{
	const struct eu_uop_info *info = eu_uop_info(u->code);
	const struct eu_prologue *prologue = &kernel->prologue;
	struct eu_effect effect = eu_effect_reads(kernel, u);
	struct access access = { 0 };
	for (unsigned i = 0; i < effect.count; i++)
		set_span(&access.reads, effect.span[i].first, effect.span[i].bytes);
	if ((info->reads & EU_ACC) || (info->does & EU_DOES_GENERIC))
		set_span(&access.reads, EU_OFFSET(acc), EU_OFFSET(a0_words) - EU_OFFSET(acc));
	for (unsigned i = 0; info->first == EU_UOP_keep && i < prologue->count; i++)
		set_span(&access.reads, prologue->registers[i] * GEN_GRF_BYTES, GEN_GRF_BYTES);
	find_writes(&access.writes, kernel, u);
	return access;
}

/* Whether anybody but the kernel may see registers: functions, whoever looks at threads. */
static bool others_look(const struct eu_kernel *kernel)
{
	if (!kernel->registers_end)
		return true;
	for (uint32_t i = 0; i < kernel->uop_count; i++) {
		unsigned row = eu_uop_info(kernel->uops[i].code)->first;
		if (row == EU_UOP_call || row == EU_UOP_call_far || row == EU_UOP_return)
			return true;
	}
	return false;
}

void eu_compile_targets(const struct eu_kernel *kernel, bool all, bool *targets)
{
	for (uint32_t i = 0; i < kernel->uop_count; i++) {
		const struct eu_uop *u = &kernel->uops[i];
		const struct eu_uop_info *info = eu_uop_info(u->code);
		if (info->first == EU_UOP_unless)
			targets[i + 1 + u->past] |= all;
		else if ((info->does & EU_DOES_BRANCH) && u->target < kernel->uop_count)
			targets[u->target] = true;
	}
	for (uint32_t i = 0; i < kernel->label_count; i++)
		targets[kernel->label_uop[i]] = true;
}

/* One pass over a stream, backwards. Returns whether `everywhere`, live at any target, has grown.
 */
static bool pass(const struct eu_kernel *kernel, const struct access *accesses, const bool *targets,
	struct eu_units *everywhere, struct eu_units *live)
{
	struct eu_units now = { 0 };
	bool grown = false;
	for (uint32_t i = kernel->uop_count; i-- > 0;) {
		const struct eu_uop_info *info = eu_uop_info(kernel->uops[i].code);
		if (info->first == EU_UOP_end)
			memset(&now, 0, sizeof(now));
		else if (info->does & (EU_DOES_BRANCH | EU_DOES_YIELD))
			add(&now, everywhere);
		for (unsigned w = 0; w < WORDS; w++)
			now.bits[w] = (now.bits[w] & ~accesses[i].writes.bits[w]) |
				      accesses[i].reads.bits[w];
		if (targets[i])
			grown |= add(everywhere, &now);
		live[i] = now;
	}
	return grown;
}

static void find(const struct eu_kernel *kernel, const struct access *accesses, const bool *targets,
	struct eu_units *live)
{
	struct eu_units everywhere = { 0 };
	bool again = true;
	while (again) {
		again = pass(kernel, accesses + kernel->uop_count, targets, &everywhere,
			live + kernel->uop_count);
		again |= pass(kernel, accesses, targets, &everywhere, live);
	}
}

struct eu_units *eu_compile_live(const struct eu_kernel *kernel)
{
	uint32_t count = kernel->uop_count;
	struct eu_units *live = malloc((2 * (size_t)count + 1) * sizeof(*live));
	bool *targets = calloc(count + 1, sizeof(*targets)), others = others_look(kernel);
	struct access *accesses = others ? NULL : malloc(2 * (size_t)count * sizeof(*accesses));
	if (live)
		memset(live, 0xff, (2 * (size_t)count + 1) * sizeof(*live));
	for (uint32_t i = 0; accesses && i < 2 * count; i++)
		accesses[i] = find_access(kernel, &kernel->uops[i]);
	if (live && targets && accesses) {
		eu_compile_targets(kernel, true, targets);
		find(kernel, accesses, targets, live);
	}
	free(accesses);
	free(targets);
	return live;
}
