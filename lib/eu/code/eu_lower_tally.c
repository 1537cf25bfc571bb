// SPDX-License-Identifier: MIT
#include "eu/code/eu_lower.h"
#include "eu/message/eu_message.h"

static uint32_t take(struct eu_lowering *l, unsigned places)
{
	uint32_t first = l->kernel->tally_count;

	l->kernel->tally_count += places;
	return first;
}

/*
 * Whether the channels that execute it do not follow from those that the block has on. Messages are
 * counted by the probe; what selects by its predicate does so for all channels.
 */
static bool has_bits(const struct gen_inst *inst)
{
	const struct gen_op_info *op = &gen_ops[inst->op];

	if (op->class == GEN_CLASS_SEND || op->class == GEN_CLASS_NOP ||
		op->class == GEN_CLASS_SYNC || (op->flags & GEN_DOES_SELECTS))
		return false;
	return inst->predicate != GEN_PRED_NONE ||
	       (!inst->no_mask && (inst->exec_size < 8 || inst->channel_offset % 8 != 0));
}

/* Whether nothing is counted of a message but its lanes, and these follow from the block's. */
static bool is_plain(const struct gen_inst *inst, const struct eu_send *send)
{
	unsigned kind = send->access.kind;

	return kind != EU_ACCESS_SCATTER && kind != EU_ACCESS_ATOMIC && kind != EU_ACCESS_BLOCK &&
	       kind != EU_ACCESS_MEDIA &&
	       (inst->no_mask || (inst->exec_size >= 8 && inst->channel_offset % 8 == 0));
}

/* A block, or what one lane moves, whoever is on, of memory whose place is known. */
static bool is_one(const struct gen_inst *inst, const struct eu_send *send)
{
	const struct eu_access *access = &send->access;

	return inst->no_mask &&
	       (access->kind == EU_ACCESS_BLOCK ||
		       (access->kind == EU_ACCESS_SCATTER && inst->exec_size == 1)) &&
	       (access->space == EU_SPACE_SLM ||
		       (access->space == EU_SPACE_SURFACE && access->index <= EU_BTI_LAST)) &&
	       !access->is_scratch && access->address == 4 && access->offset == 0 &&
	       access->at + 4u <= send->mlen * (unsigned)GEN_GRF_BYTES && access->bytes > 0 &&
	       access->bytes <= UINT8_MAX + 1;
}

static void tally_one(struct eu_lowering *l, uint32_t index, const struct eu_send *send)
{
	const struct eu_access *access = &send->access;
	struct eu_tally *tally = &l->kernel->tally[index];
	unsigned space = access->space == EU_SPACE_SLM ? EU_TALLY_LOCAL_READ : EU_TALLY_SURFACE;

	tally->bits = take(l, EU_TALLY_BITS);
	eu_lower_emit_plain(l, EU_UOP_tally_one,
		(struct eu_uop){ .imm = index,
			.target = tally->bits * (uint32_t)sizeof(uint64_t),
			.shift = (uint8_t)(access->bytes - 1),
			.a = (uint16_t)(send->src0 + access->at),
			.b = EU_TALLY_SPACE(space, access->shift),
			.c = (uint16_t)(access->index * sizeof(struct eu_surface)) });
}

static bool tally_message(struct eu_lowering *l, uint32_t index)
{
	const struct gen_inst *inst = &l->kernel->program->inst[index];
	struct eu_tally *tally = &l->kernel->tally[index];
	struct eu_access_plain plain;
	struct eu_send send;

	if (inst->predicate != GEN_PRED_NONE || !eu_lower_decode(l, index, &send) || !send.run)
		return false;
	if (is_one(inst, &send)) {
		tally_one(l, index, &send);
		return true;
	}
	tally->is_plain = is_plain(inst, &send);
	if (tally->is_plain || !eu_access_is_plain(&send, &plain) || plain.space == EU_SPACE_A64)
		return tally->is_plain;
	tally->bits = take(l, EU_TALLY_BITS);
	eu_lower_emit_plain(l, plain.lanes == 8 ? EU_UOP_tally_near_8 : EU_UOP_tally_near_16,
		(struct eu_uop){ .imm = index,
			.target = tally->bits * (uint32_t)sizeof(uint64_t),
			.shift = send.access.bytes,
			.a = send.src0,
			.b = plain.space != EU_SPACE_SLM ? EU_TALLY_SURFACE
			     : plain.write		 ? EU_TALLY_LOCAL_WRITE
							 : EU_TALLY_LOCAL_READ,
			.c = (uint16_t)(send.access.index * sizeof(struct eu_surface)) });
	return true;
}

bool eu_lower_tally(struct eu_lowering *l, uint32_t index)
{
	const struct gen_inst *inst = &l->kernel->program->inst[index];
	struct eu_tally *tally = &l->kernel->tally[index];

	if (eu_lower_begins_block(l, index)) {
		tally->block = take(l, EU_TALLY_BLOCK);
		struct eu_uop uop = { .imm = tally->block * (uint32_t)sizeof(uint64_t) };
		eu_lower_emit(l, EU_UOP_tally_full, EU_UOP_tally_part, &uop);
	} else {
		tally->block = tally[-1].block;
	}
	if (gen_ops[inst->op].class == GEN_CLASS_SEND)
		return tally_message(l, index);
	if (!has_bits(inst))
		return false;
	tally->bits = take(l, EU_TALLY_BITS);
	eu_lower_emit_plain(l, EU_UOP_tally_bits,
		(struct eu_uop){ .imm = tally->bits * (uint32_t)sizeof(uint64_t),
			.target = gen_inst_channels(inst),
			.shift = inst->flag,
			.c = EU_PREDICATE(inst->predicate, inst->predicate_invert),
			.a = !inst->no_mask });
	return false;
}
