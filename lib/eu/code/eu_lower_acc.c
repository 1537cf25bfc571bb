// SPDX-License-Identifier: MIT
/*
 * What the accumulator holds for how long, and pairs of instructions that use it between them only.
 * IGC multiplies dwords by `mul` (low words, into the accumulator) and `macl` right behind it;
 * where no other instruction reads the accumulator afterwards, both are one multiplication.
 */
#include "eu/code/eu_lower_operand.h"

#include <string.h>

/* The bytes of the registers, from `*start` to `*end`, that a direct operand may reach. */
static void find_extent(
	const struct gen_operand *o, unsigned exec_size, unsigned *start, unsigned *end)
{
	*start = gen_operand_start(o);
	/* A destination, a scalar, or what is taken for more than it is. */
	*end = *start + (o->vstride == 0 && o->width <= 1 ? gen_destination_bytes(o, exec_size)
							  : gen_operand_bytes(o, exec_size));
}

/* Bytes of the accumulators, from `from` to before `to`. */
struct range {
	unsigned from, to;
};

static bool overlap(struct range r, struct range s)
{
	return r.from < s.to && s.from < r.to;
}

static bool includes(struct range r, struct range s)
{
	return r.from <= s.from && s.to <= r.to;
}

/* What an instruction reaches without naming it. */
static struct range implicit(const struct gen_inst *inst)
{
	bool dwords = !inst->has_dst || inst->dst.file == GEN_FILE_NULL ||
		      gen_type_size((enum gen_type)inst->dst.type) == 4;

	return (struct range){ 0, dwords ? 4u * inst->exec_size : EU_ACC_BYTES };
}

static struct range range_of(const struct gen_operand *o, unsigned exec_size)
{
	struct range r = { 0, 0 };

	if (o->file == GEN_FILE_MME)
		r.to = EU_ACC_BYTES;
	else if (o->file == GEN_FILE_ACC)
		find_extent(o, exec_size, &r.from, &r.to);
	return r;
}

/* Source `s` of those that are named; the last is what is not named. */
enum { SOURCES = 4 };
static struct range read_by(const struct gen_inst *inst, unsigned s)
{
	if (s == SOURCES - 1)
		return gen_ops[inst->op].flags & GEN_DOES_READS_ACC ? implicit(inst)
								    : (struct range){ 0, 0 };
	return s < inst->source_count ? range_of(&inst->src[s], inst->exec_size)
				      : (struct range){ 0, 0 };
}

static bool reads(const struct gen_inst *inst, struct range r)
{
	bool any = false;

	for (unsigned s = 0; s < SOURCES; s++)
		any |= overlap(read_by(inst, s), r);
	return any;
}

static struct range written_by(const struct gen_inst *inst)
{
	struct range r =
		inst->has_dst ? range_of(&inst->dst, inst->exec_size) : (struct range){ 0, 0 };

	if (!inst->acc_wr_en)
		return r;
	return (struct range){ 0, r.to > implicit(inst).to ? r.to : implicit(inst).to };
}

/* acc0's dwords from the first on. */
static bool is_plain(const struct gen_operand *o)
{
	return o->file == GEN_FILE_ACC && o->reg == 0 && o->sub == 0 &&
	       gen_type_size((enum gen_type)o->type) == 4;
}

/*
 * Whether what `writer` writes for a channel is what source `s` of `reader` reads for it. One that
 * writes whatever channels are on does so for any: IGC has the low words of all parts multiplied
 * as if they were the first.
 */
static bool has_channels_of(
	const struct gen_inst *writer, const struct gen_inst *reader, unsigned s)
{
	const unsigned channels = reader->exec_size;
	bool in_line = s == SOURCES - 1 || channels == 1 ||
		       eu_alu_line_stride(&reader->src[s], channels) == 1;
	return (in_line && writer->channel_offset == reader->channel_offset) ||
	       (writer->no_mask && writer->predicate == GEN_PRED_NONE);
}

/* Bytes of the elements that the operand of an instruction has, which names it or not. */
static unsigned element_bytes(const struct gen_operand *o, bool named)
{
	return named ? gen_type_size((enum gen_type)o->type) : 4;
}

/* Whether source `s` of `reader` is nothing but what `writer` writes in its channels. */
static bool covers(const struct gen_inst *writer, const struct gen_inst *reader, unsigned s)
{
	const struct gen_operand *to = &writer->dst;
	bool names = writer->has_dst && (to->file == GEN_FILE_ACC || to->file == GEN_FILE_MME);
	bool named = s < SOURCES - 1;

	if (writer->exec_size < reader->exec_size || !has_channels_of(writer, reader, s) ||
		to->file == GEN_FILE_MME || (named && reader->src[s].file == GEN_FILE_MME) ||
		(names ? to->hstride != 1 : gen_type_size((enum gen_type)to->type) != 4))
		return false;
	return element_bytes(to, names) == element_bytes(&reader->src[named ? s : 0], named) &&
	       read_by(reader, s).from == written_by(writer).from &&
	       includes(written_by(writer), read_by(reader, s));
}

/* Bits of the flags, of all registers: those of the channels of an instruction that names `flag`.
 */
static struct range flags_of(const struct gen_inst *inst)
{
	unsigned from = 16u * inst->flag + inst->channel_offset;

	return (struct range){ from, from + inst->exec_size };
}

/* Those that its predicate looks at: a group may be all of a register. */
static struct range tested_by(const struct gen_inst *inst)
{
	unsigned from = inst->flag / 2 * 32u;

	return inst->predicate == GEN_PRED_SEQUENTIAL ? flags_of(inst)
						      : (struct range){ from, from + 32 };
}

static bool writes_flags(const struct gen_inst *inst, struct range r)
{
	struct range to = { 0, 0 };

	if (inst->has_dst && inst->dst.file == GEN_FILE_F) {
		to.from = 8 * gen_operand_start(&inst->dst);
		to.to = to.from + 8 * gen_destination_bytes(&inst->dst, inst->exec_size);
	}
	return overlap(to, r) ||
	       (inst->cond != GEN_COND_NONE && !(gen_ops[inst->op].flags & GEN_DOES_SELECTS) &&
		       overlap(flags_of(inst), r));
}

static bool is_all_ones(const struct gen_inst *inst)
{
	return inst->op == GEN_OP_mov && inst->cond == GEN_COND_NONE &&
	       inst->src[0].file == GEN_FILE_IMM && !inst->src[0].neg && !inst->src[0].abs &&
	       ((inst->dst.type == GEN_TYPE_UD && (uint32_t)inst->src[0].imm == UINT32_MAX) ||
		       (inst->dst.type == GEN_TYPE_UW && (uint16_t)inst->src[0].imm == UINT16_MAX));
}

/* Whether it sets the flags of all channels of `inst` that are on: x == x. */
static bool sets_flags_of(const struct gen_inst *compare, const struct gen_inst *inst)
{
	return compare->op == GEN_OP_cmp && compare->cond == GEN_COND_EQ &&
	       compare->predicate == GEN_PRED_NONE && compare->flag == inst->flag &&
	       compare->dst.file == GEN_FILE_NULL &&
	       (compare->src[0].type == GEN_TYPE_UW || compare->src[0].type == GEN_TYPE_UD) &&
	       !memcmp(&compare->src[0], &compare->src[1], sizeof(compare->src[0])) &&
	       compare->channel_offset <= inst->channel_offset &&
	       compare->channel_offset + compare->exec_size >=
		       inst->channel_offset + inst->exec_size;
}

/*
 * Whether the predicate of the instruction at `index` lets all channels pass that are on. IGC has
 * such flags for Gen12LP, which keep instructions that ignore the mask from threads without any
 * channel: it compares a register with itself and sets all flags if one is set.
 */
static bool passes_all(const struct eu_lowering *l, uint32_t index)
{
	const struct gen_inst *inst = &l->kernel->program->inst[index], *at = inst;

	if (inst->predicate != GEN_PRED_SEQUENTIAL || inst->predicate_invert)
		return inst->predicate == GEN_PRED_NONE;
	for (uint32_t i = index; !eu_lower_begins_block(l, i); i--) {
		at--;
		if (writes_flags(at, tested_by(inst)) && !is_all_ones(at))
			return sets_flags_of(at, inst);
	}
	return false;
}

/* Whether the instruction at `first` is executed in each channel in which that at `second` is. */
static bool precedes(const struct eu_lowering *l, uint32_t first, uint32_t second)
{
	const struct gen_inst *one = &l->kernel->program->inst[first];
	const struct gen_inst *two = &l->kernel->program->inst[second];

	if (two->no_mask && !one->no_mask)
		return false;
	/* With a condition as well, which chooses then, the predicate is one like others. */
	bool chooses = gen_ops[one->op].flags & GEN_DOES_SELECTS && one->cond == GEN_COND_NONE;
	if (one->predicate == GEN_PRED_NONE || chooses || (!two->no_mask && passes_all(l, first)))
		return true;
	for (uint32_t i = first; i < second; i++)
		if (writes_flags(&l->kernel->program->inst[i], tested_by(one)))
			return false;
	return one->predicate == two->predicate && one->flag == two->flag &&
	       one->predicate_invert == two->predicate_invert;
}

/* Whether source `s` of the instruction at `index` has only what its last writer has written. */
static bool is_own(const struct eu_lowering *l, uint32_t index, unsigned s)
{
	const struct gen_inst *inst = l->kernel->program->inst;
	struct range r = read_by(&inst[index], s);
	uint32_t at = index;

	if (r.from == r.to)
		return true;
	do {
		if (eu_lower_begins_block(l, at))
			return false;
		at--;
	} while (!overlap(written_by(&inst[at]), r));
	return precedes(l, at, index) && covers(&inst[at], &inst[index], s);
}

/* Whether each reader of the accumulator reads only what the last writer before it has written. */
static bool is_local(const struct eu_lowering *l)
{
	const struct gen_program *program = l->kernel->program;

	for (uint32_t i = 0; i < program->count; i++) {
		if (gen_inst_calls(&program->inst[i]))
			return false;
		for (unsigned s = 0; s < SOURCES; s++)
			if (!is_own(l, i, s))
				return false;
	}
	return true;
}

/* In a kernel where that is so: is `r` not read any more behind `index`? */
static bool is_dead_after(const struct eu_lowering *l, uint32_t index, struct range r)
{
	const struct gen_program *program = l->kernel->program;

	for (uint32_t i = index + 1; i < program->count && !eu_lower_begins_block(l, i); i++) {
		if (reads(&program->inst[i], r))
			return false;
		if (includes(written_by(&program->inst[i]), r))
			return true;
	}
	return true;
}

/* Whether it writes whole dwords of the accumulator in each channel in which `first` does. */
static bool replaces(const struct gen_inst *inst, const struct gen_inst *first)
{
	return inst->predicate == GEN_PRED_NONE && (inst->no_mask || !first->no_mask) &&
	       inst->channel_offset == first->channel_offset && inst->dst.file == GEN_FILE_ACC &&
	       (inst->dst.type == GEN_TYPE_D || inst->dst.type == GEN_TYPE_UD);
}

bool eu_lower_acc_is_low(const struct eu_lowering *l)
{
	const struct gen_program *program = l->kernel->program;
	const struct gen_inst *first = &program->inst[l->index];
	const bool keeps = l->kernel->keeps_acc;
	struct range r = written_by(first);

	if (!l->has_mach)
		return true;
	for (uint32_t i = l->index + 1; i < program->count && !eu_lower_begins_block(l, i); i++) {
		if (overlap(read_by(&program->inst[i], SOURCES - 1), r))
			return false;
		if (includes(written_by(&program->inst[i]), r) &&
			(!keeps || replaces(&program->inst[i], first)))
			return true;
	}
	return !keeps;
}

static bool is_plain_dword(const struct gen_operand *o)
{
	return (o->type == GEN_TYPE_D || o->type == GEN_TYPE_UD) && !o->neg && !o->abs &&
	       o->addressing == GEN_DIRECT;
}

/*
 * Whether `low` names the low words of the dwords that `whole` names. IGC writes <2;1,0> beside
 * <8;8,1>.
 */
static bool is_low_word(
	const struct gen_operand *low, const struct gen_operand *whole, unsigned exec_size)
{
	if (low->type != GEN_TYPE_UW || low->neg || low->abs || low->addressing != GEN_DIRECT ||
		low->file != whole->file)
		return false;
	if (low->file == GEN_FILE_IMM)
		return (uint16_t)low->imm == (uint16_t)whole->imm;
	for (unsigned i = 0; i < exec_size; i++)
		if (gen_operand_element(low, i) != 2 * gen_operand_element(whole, i))
			return false;
	return low->reg == whole->reg && low->sub == 2 * whole->sub;
}

/* Without a condition or saturation; with AccWrEn or not. */
static bool does_no_more(const struct gen_inst *inst, bool acc_wr_en)
{
	return inst->cond == GEN_COND_NONE && !inst->saturate && inst->acc_wr_en == acc_wr_en;
}

static bool is_grf_or_imm(const struct gen_operand *o)
{
	return o->file == GEN_FILE_GRF || o->file == GEN_FILE_IMM;
}

/*
 * acc0 = x * low words of y, then acc0 + (x * high words of y << 16), which is x * y: macl's result
 * is its low dwords; mach leaves it in acc0, and its result is the high ones.
 */
static bool is_product(const struct gen_inst *mul, const struct gen_inst *macl)
{
	const struct gen_operand *x = &mul->src[0], *y = &macl->src[1];
	return is_plain(&mul->dst) && mul->dst.hstride == 1 && is_plain_dword(&macl->dst) &&
	       macl->dst.file == GEN_FILE_GRF && is_plain_dword(x) && is_grf_or_imm(x) &&
	       !memcmp(x, &macl->src[0], sizeof(*x)) && is_plain_dword(y) && is_grf_or_imm(y) &&
	       is_low_word(&mul->src[1], y, mul->exec_size);
}

/*
 * Two instructions, the first of which writes the accumulator and the second of which reads it,
 * that are one: the second with the opcode `both`. Unless the second writes the accumulator, no
 * other may read it.
 */
static const struct pair {
	enum gen_op first, second, both;
	bool acc_wr_en; /* of the second */
	bool (*matches)(const struct gen_inst *first, const struct gen_inst *second);
} pairs[] = {
	{ GEN_OP_mul, GEN_OP_macl, GEN_OP_mul, false, is_product },
	{ GEN_OP_mul, GEN_OP_mach, GEN_OP_mach, true, is_product },
};

static const struct pair *find_pair(const struct gen_inst *first, const struct gen_inst *second)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (pairs[i].first == first->op && pairs[i].second == second->op &&
			does_no_more(first, false) && does_no_more(second, pairs[i].acc_wr_en) &&
			first->exec_size == second->exec_size &&
			has_channels_of(first, second, SOURCES - 1) &&
			pairs[i].matches(first, second))
			return &pairs[i];
	return NULL;
}

/* Whether an instruction leaves the sources of a later one alone. */
static bool spares(const struct gen_inst *inst, const struct gen_inst *later)
{
	unsigned from, to, start, end;

	if (!inst->has_dst || inst->dst.file != GEN_FILE_GRF)
		return inst->op != GEN_OP_send && inst->op != GEN_OP_sendc;
	if (inst->sfid != 0 || inst->rlen != 0 || inst->op == GEN_OP_send ||
		inst->dst.addressing != GEN_DIRECT)
		return false;
	find_extent(&inst->dst, inst->exec_size, &from, &to);
	for (unsigned s = 0; s < 2; s++) {
		if (later->src[s].file != GEN_FILE_GRF)
			continue;
		find_extent(&later->src[s], later->exec_size, &start, &end);
		if (from < end && start < to)
			return false;
	}
	return true;
}

/* The instruction that is a pair with the one at `index`, which reads the accumulator; or `index`.
 */
static uint32_t find_first(const struct eu_lowering *l, uint32_t index)
{
	const struct gen_program *program = l->kernel->program;
	const struct gen_inst *second = &program->inst[index];
	struct range r = read_by(second, SOURCES - 1);

	for (uint32_t i = index; r.to > 0 && !eu_lower_begins_block(l, i);) {
		const struct gen_inst *inst = &program->inst[--i];
		if (overlap(written_by(inst), r))
			return find_pair(inst, second) ? i : index;
		if (reads(inst, r) || !spares(inst, second))
			break;
	}
	return index;
}

void eu_lower_survey_acc(struct eu_lowering *l)
{
	const struct gen_program *program = l->kernel->program;

	l->kernel->keeps_acc = !is_local(l);
	if (l->kernel->keeps_acc || l->probed)
		return;
	for (uint32_t i = 0; i < program->count; i++) {
		uint32_t first = find_first(l, i);
		struct range r = written_by(&program->inst[first]);
		if (first == i ||
			(!includes(written_by(&program->inst[i]), r) && !is_dead_after(l, i, r)))
			continue;
		l->pair[first] = i + 1;
		l->pair[i] = first + 1;
	}
}

bool eu_lower_pair(struct eu_lowering *l, uint32_t index)
{
	const struct gen_program *program = l->kernel->program;
	struct gen_inst both = program->inst[index];

	if (l->pair[index] == 0)
		return false;
	if (l->pair[index] - 1 > index)
		return true; /* when the second comes */
	both.op = (uint8_t)find_pair(&program->inst[l->pair[index] - 1], &both)->both;
	l->is_pair = true;
	bool lowered = eu_lower_alu(l, &both);
	l->is_pair = false;
	return lowered;
}
