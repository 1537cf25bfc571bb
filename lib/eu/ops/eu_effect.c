// SPDX-License-Identifier: MIT
#include "eu/ops/eu_effect.h"

#include "eu/ops/eu_generic.h"

static void add_span(struct eu_effect *spans, unsigned first, unsigned bytes)
{
	if (bytes > 0)
		spans->span[spans->count++] = (struct eu_span){ (uint16_t)first, (uint16_t)bytes };
}

static void add_all(struct eu_effect *spans)
{
	add_span(spans, 0, GEN_GRF_COUNT * GEN_GRF_BYTES);
}

static void add_operand(struct eu_effect *spans, const struct gen_operand *o, unsigned channels)
{
	if (o->file != GEN_FILE_GRF)
		return;
	if (o->addressing != GEN_DIRECT)
		add_all(spans);
	else
		add_span(spans, gen_operand_start(o), gen_operand_bytes(o, channels));
}

bool eu_effect_is_masked(const struct eu_uop *u)
{
	const struct eu_uop_info *info = eu_uop_info(u->code);
	return info->masked && (u->code - info->first) % 2 != 0;
}

static bool reaches_all(const struct eu_uop_info *info, uint8_t states)
{
	return info->first == EU_UOP_call_far ||
	       ((states & EU_GRF) && info->first != EU_UOP_send_plain &&
		       info->first != EU_UOP_keep);
}

static const struct eu_send *send_of(
	const struct eu_kernel *kernel, const struct eu_uop *u, const struct eu_uop_info *info)
{
	bool sends = info->first == EU_UOP_send || info->first == EU_UOP_send_plain ||
		     info->operand[0] == EU_OPERAND_PAYLOAD;
	return sends ? &kernel->sends[u->imm] : NULL;
}

static const struct eu_generic *generic_of(
	const struct eu_kernel *kernel, const struct eu_uop *u, const struct eu_uop_info *info)
{
	return info->does & EU_DOES_GENERIC ? &kernel->generics[u->imm] : NULL;
}

bool eu_effect_is_partial(const struct eu_uop *u)
{
	const struct eu_uop_info *info = eu_uop_info(u->code);
	return info->first == EU_UOP_narrow_8_in_16 || info->first == EU_UOP_narrow_8_in_32 ||
	       info->first == EU_UOP_narrow_16_in_32 || info->first == EU_UOP_low_in_64 ||
	       info->operand[0] >= EU_OPERAND_ELEMENTS_8;
}

/* The instruction that a probe is about to see; NULL: the micro-operation is none. */
static const struct gen_inst *probed(
	const struct eu_kernel *kernel, const struct eu_uop *u, const struct eu_uop_info *info)
{
	bool is_probe = info->first == EU_UOP_probe || info->first == EU_UOP_tally_near_8 ||
			info->first == EU_UOP_tally_near_16 || info->first == EU_UOP_tally_one;
	return is_probe ? &kernel->program->inst[u->imm] : NULL;
}

/* A probe reads what a message does; of other instructions nobody has looked. */
static void add_probed(struct eu_effect *spans, const struct gen_inst *inst)
{
	if (gen_ops[inst->op].class != GEN_CLASS_SEND || inst->desc_in_a0) {
		add_all(spans);
		return;
	}
	add_span(spans, inst->src[0].reg * GEN_GRF_BYTES, inst->mlen * GEN_GRF_BYTES);
	add_span(spans, inst->src[1].reg * GEN_GRF_BYTES, inst->xlen * GEN_GRF_BYTES);
}

struct eu_effect eu_effect_reads(const struct eu_kernel *kernel, const struct eu_uop *u)
{
	const struct eu_uop_info *info = eu_uop_info(u->code);
	const struct eu_send *send = send_of(kernel, u, info);
	const struct eu_generic *general = generic_of(kernel, u, info);
	const struct gen_inst *seen = probed(kernel, u, info);
	struct eu_effect spans = { .count = 0 };
	if (seen)
		add_probed(&spans, seen);
	if (reaches_all(info, info->reads) || (general && general->whole))
		add_all(&spans);
	for (unsigned i = eu_effect_is_masked(u) ? 0 : 1; i < 5; i++) {
		struct eu_span span = eu_uop_span(u, i);
		add_span(&spans, span.first, span.bytes);
	}
	if ((info->does & EU_DOES_SEND) && eu_effect_is_masked(u)) /* their mask is no operand */
		add_span(&spans, EU_OFFSET(pm), sizeof(((struct eu_thread *)0)->pm));
	for (unsigned i = 0; general && !general->whole && i < general->inst.source_count; i++)
		add_operand(&spans, &general->inst.src[i], general->inst.exec_size);
	if (send) {
		add_span(&spans, send->src0, send->mlen * GEN_GRF_BYTES);
		add_span(&spans, send->src1, send->xlen * GEN_GRF_BYTES);
	}
	return spans;
}

struct eu_effect eu_effect_writes(const struct eu_kernel *kernel, const struct eu_uop *u)
{
	const struct eu_uop_info *info = eu_uop_info(u->code);
	const struct eu_send *send = send_of(kernel, u, info);
	const struct eu_generic *general = generic_of(kernel, u, info);
	struct eu_span d = eu_uop_span(u, 0);
	struct eu_effect spans = { .count = 0 };
	if (reaches_all(info, info->writes) || (general && general->whole))
		add_all(&spans);
	add_span(&spans, d.first, d.bytes);
	if (general && !general->whole && general->inst.has_dst)
		add_operand(&spans, &general->inst.dst, general->inst.exec_size);
	if (send && send->writes)
		add_span(&spans, send->dst, send->rlen * GEN_GRF_BYTES);
	return spans;
}
