// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile.h"

#include "eu/ops/eu_effect.h"
#include "eu/ops/eu_generic.h"

enum { WORDS = sizeof(struct eu_units) / sizeof(uint64_t) };

static void set(struct eu_units *units, unsigned unit)
{
	units->bits[unit / 64] |= UINT64_C(1) << unit % 64;
}

/* Bytes of the flags, from `first` on in struct eu_thread; those that are none do not count. */
static void set_flags(struct eu_units *units, unsigned first, unsigned bytes)
{
	for (unsigned i = 0; i < EU_FLAG_BYTES; i++)
		if (EU_OFFSET(flag) + i >= first && EU_OFFSET(flag) + i < first + bytes)
			set(units, EU_UNITS + i);
}

static void set_span(struct eu_units *units, unsigned first, unsigned bytes)
{
	for (unsigned unit = first / EU_UNIT; unit * EU_UNIT < first + bytes; unit++)
		set(units, unit);
	set_flags(units, first, bytes);
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

enum { GROUPS = GEN_MAX_LANES / 8, HALVES = 2 };

/*
 * What a micro-operation reads, and what it writes as a whole; and what only channels that are on
 * read and write, each its own dword: units of channels 8 * group to 8 * group + 7, and of the
 * next eight.
 */
struct access {
	struct eu_units reads, writes, own_reads[HALVES], own_writes[HALVES];
	uint8_t group;
};

/* Who may read units before they are written: anybody; those eight channels, each its own dword. */
struct readers {
	struct eu_units all, own[GROUPS];
};

static bool is_message(const struct eu_uop *u)
{
	return eu_uop_info(u->code)->operand[0] == EU_OPERAND_PAYLOAD;
}

static unsigned channels_of(const struct eu_uop *u)
{
	unsigned shape;
	if (is_message(u))
		return u->code - eu_uop_info(u->code)->first < 2 ? 16 : 8;
	return eu_uop_channels(u->code, &shape);
}

/*
 * What a load writes whatever it finds; a message may say that it answers with more registers.
 */
static struct eu_span loaded(const struct eu_kernel *kernel, const struct eu_uop *u)
{
	const struct eu_send *send = &kernel->sends[u->imm];
	unsigned dwords = (unsigned)__builtin_popcount(send->access.channels);
	unsigned bytes = 4 * dwords * channels_of(u), most = send->rlen * (unsigned)GEN_GRF_BYTES;
	return (struct eu_span){ send->dst, (uint16_t)(!send->writes  ? 0
						       : bytes < most ? bytes
								      : most) };
}

static void find_writes(
	struct eu_units *writes, const struct eu_kernel *kernel, const struct eu_uop *u)
{
	const struct eu_uop_info *info = eu_uop_info(u->code);
	if (eu_effect_is_masked(u))
		return;
	if (is_message(u)) {
		struct eu_span span = loaded(kernel, u);
		set_whole(writes, span.first, span.bytes);
		return;
	}
	if (eu_effect_is_partial(u) ||
		(info->does & (EU_DOES_GENERIC | EU_DOES_LOOP | EU_DOES_SEND)))
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

/* Units of which each channel has a dword, eight after eight in turn. */
static void set_own(struct eu_units *halves, unsigned count, struct eu_span span)
{
	for (unsigned i = 0; i * EU_UNIT < span.bytes; i++)
		set(&halves[i % count], span.first / EU_UNIT + i);
}

/* Whether it is about lanes, of which a mask says which are on. */
static bool is_masked_lanes(const struct eu_uop *u)
{
	const struct eu_uop_info *info = eu_uop_info(u->code);
	const unsigned masks = u->m < EU_OFFSET(pm) ? EU_OFFSET(act.lanes) : EU_OFFSET(pm.lanes);
	return eu_effect_is_masked(u) && channels_of(u) >= 8 && u->m >= masks &&
	       (u->m - masks) % EU_UNIT == 0 && !((info->reads | info->writes) & EU_GRF) &&
	       (is_message(u) || info->does == 0);
}

/* Whether an operand is a dword for each lane. */
static bool is_own(const struct eu_uop *u, unsigned number, struct eu_span span)
{
	return number < 4 && eu_uop_info(u->code)->operand[number] == EU_OPERAND_LANES &&
	       span.first % EU_UNIT == 0 && span.bytes == 4 * channels_of(u);
}

/* What a message reads, and writes for all lanes that are on. */
static void add_message(
	struct access *access, const struct eu_kernel *kernel, const struct eu_uop *u)
{
	const bool far = u->code >= EU_UOP_load_far_1 && u->code <= EU_UOP_store_far_15_last;
	struct eu_effect reads = eu_effect_reads(kernel, u);
	for (unsigned i = 0; i < reads.count; i++) {
		if (far || reads.span[i].first >= EU_OFFSET(acc))
			set_span(&access->reads, reads.span[i].first, reads.span[i].bytes);
		else
			set_own(access->own_reads, channels_of(u) / 8, reads.span[i]);
	}
	if (u->m < EU_OFFSET(pm))
		set_own(access->own_writes, channels_of(u) / 8, loaded(kernel, u));
}

/* Its operands. What lanes keep that are off, nobody reads here. */
static void add_lanes(struct access *access, const struct eu_uop *u)
{
	for (unsigned i = 0; i < 5; i++) {
		const struct eu_span span = eu_uop_span(u, i);
		bool own = is_own(u, i, span);
		if (i == 0 && own && !eu_effect_is_partial(u) && u->m < EU_OFFSET(pm))
			set_own(access->own_writes, channels_of(u) / 8, span);
		else if (own)
			set_own(access->own_reads, channels_of(u) / 8, span);
		else
			set_span(&access->reads, span.first, span.bytes);
	}
}

/* Whether an instruction that the general path may execute reads flags. */
static bool may_read_flags(const struct eu_generic *general)
{
	bool may = general->whole || general->inst.predicate != GEN_PRED_NONE;
	for (unsigned i = 0; i < general->inst.source_count; i++)
		may |= general->inst.src[i].file != GEN_FILE_GRF &&
		       general->inst.src[i].file != GEN_FILE_IMM;
	return may;
}

/*
 * What it reads of the flags, and writes as a whole. Rows say whether; of comparisons and most
 * predicates the fields say which, of some an operand.
 */
static void add_flags(struct access *access, const struct eu_kernel *kernel, const struct eu_uop *u)
{
	const struct eu_uop_info *info = eu_uop_info(u->code);
	const bool any =
		info->reads & EU_FLAGS ||
		(info->does & EU_DOES_GENERIC && may_read_flags(&kernel->generics[u->imm]));
	const unsigned predicate = u->c & 0xff, shift = u->shift;
	const bool is_operand = info->first == EU_UOP_predicate &&
				(u->group != EU_GROUP_NONE || predicate == GEN_PRED_SEQUENTIAL);
	unsigned shape, channels = eu_uop_channels(u->code, &shape);
	if ((info->writes & EU_FLAGS) && info->operand[1] == EU_OPERAND_LANES) {
		if (!eu_effect_is_masked(u) && shift % 8 == 0)
			set_flags(&access->writes, EU_OFFSET(flag) + shift / 8, channels / 8);
	} else if (info->first == EU_UOP_leave && predicate <= GEN_PRED_SEQUENTIAL) {
		set_flags(&access->reads, EU_OFFSET(flag) + shift / 2 * 4,
			predicate == GEN_PRED_NONE ? 0 : 4);
	} else if (any && !is_operand) {
		set_flags(&access->reads, EU_OFFSET(flag), EU_FLAG_BYTES);
	}
}

static struct access find_access(const struct eu_kernel *kernel, const struct eu_uop *u)
{
	const struct eu_uop_info *info = eu_uop_info(u->code);
	const struct eu_prologue *prologue = &kernel->prologue;
	struct access access = { 0 };
	if (is_masked_lanes(u)) {
		const bool by_act = u->m < EU_OFFSET(pm);
		access.group =
			(uint8_t)((u->m - (by_act ? EU_OFFSET(act.lanes) : EU_OFFSET(pm.lanes))) /
				  EU_UNIT);
		if (is_message(u))
			add_message(&access, kernel, u);
		else
			add_lanes(&access, u);
	} else {
		struct eu_effect effect = eu_effect_reads(kernel, u);
		for (unsigned i = 0; i < effect.count; i++)
			set_span(&access.reads, effect.span[i].first, effect.span[i].bytes);
	}
	if ((info->reads & EU_ACC) || (info->does & EU_DOES_GENERIC))
		set_span(&access.reads, EU_OFFSET(acc), EU_OFFSET(a0_words) - EU_OFFSET(acc));
	for (unsigned i = 0; info->first == EU_UOP_keep && i < prologue->count; i++)
		set_span(&access.reads, prologue->registers[i] * GEN_GRF_BYTES, GEN_GRF_BYTES);
	find_writes(&access.writes, kernel, u);
	add_flags(&access, kernel, u);
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

static bool add_readers(struct readers *to, const struct readers *from)
{
	bool grown = add(&to->all, &from->all);
	for (unsigned i = 0; i < GROUPS; i++)
		grown |= add(&to->own[i], &from->own[i]);
	return grown;
}

static void change(struct eu_units *units, const struct eu_units *off, const struct eu_units *on)
{
	for (unsigned i = 0; i < WORDS; i++)
		units->bits[i] = (units->bits[i] & ~off->bits[i]) | on->bits[i];
}

/*
 * What is read behind a micro-operation, seen from before it: what lanes that are off have in the
 * registers that it writes, too, unless nobody reads that.
 */
static void step_back(struct readers *now, const struct access *access, bool is_free)
{
	static const struct eu_units none;
	change(&now->all, &access->writes, &access->reads);
	for (unsigned i = 0; i < GROUPS; i++)
		change(&now->own[i], &access->writes, &none);
	for (unsigned i = 0; i < HALVES && access->group + i < GROUPS; i++) {
		struct eu_units *own = &now->own[access->group + i];
		const struct eu_units *written = &access->own_writes[i];
		change(own, is_free ? written : &none, is_free ? &none : written);
		add(own, &access->own_reads[i]);
	}
}

/*
 * Whether nobody reads what it leaves in lanes that are off: neither these where they go on, which
 * is at a target, nor others.
 */
static bool is_free(
	const struct access *access, const struct readers *now, const struct readers *everywhere)
{
	uint64_t any = 0, read = 0;
	for (unsigned half = 0; half < HALVES; half++)
		for (unsigned w = 0; w < WORDS; w++) {
			uint64_t others = now->all.bits[w] | everywhere->all.bits[w];
			for (unsigned i = 0; i < GROUPS; i++)
				others |= everywhere->own[i].bits[w] |
					  (i == access->group + half ? 0 : now->own[i].bits[w]);
			any |= access->own_writes[half].bits[w];
			read |= access->own_writes[half].bits[w] & others;
		}
	return any && !read;
}

/* One pass over a stream, backwards. Returns whether `everywhere`, live at any target, has grown.
 */
static bool pass(const struct eu_kernel *kernel, const struct access *accesses, const bool *targets,
	struct readers *everywhere, struct eu_live *live)
{
	struct readers now = { 0 };
	bool grown = false;
	for (uint32_t i = kernel->uop_count; i-- > 0;) {
		const struct eu_uop_info *info = eu_uop_info(kernel->uops[i].code);
		if (info->first == EU_UOP_end)
			memset(&now, 0, sizeof(now));
		else if (info->does & (EU_DOES_BRANCH | EU_DOES_YIELD))
			add_readers(&now, everywhere);
		live[i].is_free = is_free(&accesses[i], &now, everywhere);
		step_back(&now, &accesses[i], live[i].is_free);
		if (targets[i])
			grown |= add_readers(everywhere, &now);
		live[i].units = now.all;
		for (unsigned n = 0; n < GROUPS; n++)
			add(&live[i].units, &now.own[n]);
	}
	return grown;
}

static void find(const struct eu_kernel *kernel, const struct access *accesses, const bool *targets,
	struct eu_live *live)
{
	struct readers everywhere = { 0 };
	bool again = true;
	while (again) {
		again = pass(kernel, accesses + kernel->uop_count, targets, &everywhere,
			live + kernel->uop_count);
		again |= pass(kernel, accesses, targets, &everywhere, live);
	}
}

struct eu_live *eu_compile_live(const struct eu_kernel *kernel)
{
	uint32_t count = kernel->uop_count;
	struct eu_live *live = malloc((2 * (size_t)count + 1) * sizeof(*live));
	bool *targets = calloc(count + 1, sizeof(*targets)), others = others_look(kernel);
	struct access *accesses = others ? NULL : malloc(2 * (size_t)count * sizeof(*accesses));
	for (uint32_t i = 0; live && i <= 2 * count; i++) {
		memset(&live[i].units, 0xff, sizeof(live[i].units));
		live[i].is_free = false;
	}
	for (uint32_t i = 0; accesses && i < 2 * count; i++)
		accesses[i] = find_access(kernel, &kernel->uops[i]);
	if (live && targets && accesses) {
		eu_compile_targets(kernel, true, targets);
		/* Other threads begin there, with what is the same for all where it was left. */
		targets[kernel->prologue.end] |= kernel->prologue.end > 0;
		find(kernel, accesses, targets, live);
	}
	free(accesses);
	free(targets);
	return live;
}

bool eu_compile_merges(const struct eu_translator *s, const struct eu_uop *u)
{
	return eu_effect_is_masked(u) && !s->is_free;
}
