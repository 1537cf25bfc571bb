// SPDX-License-Identifier: MIT
#include "eu/code/eu_lower.h"
#include "eu/message/eu_message.h"
#include "eu/ops/eu_send_uop.h"

enum { DATA_PORT_FENCE = 7, LSC_FENCE = 0x1f }; /* desc[18:14], desc[5:0] */

static bool is_fence(const struct gen_inst *inst)
{
	if (inst->op != GEN_OP_send || inst->desc_in_a0)
		return false;
	if (inst->sfid >= GEN_SFID_TGM || inst->sfid == GEN_SFID_UGML)
		return (inst->desc & 0x3f) == LSC_FENCE;
	return inst->sfid == GEN_SFID_DC0 && (inst->desc >> 14 & 0x1f) == DATA_PORT_FENCE;
}

/* Whether nothing but moves and fences comes between an instruction and the end of the thread. */
static bool comes_last(const struct gen_program *program, uint32_t index)
{
	while (++index < program->count) {
		const struct gen_inst *inst = &program->inst[index];
		if (inst->end_of_thread)
			return inst->predicate == GEN_PRED_NONE && inst->no_mask &&
			       (inst->sfid == GEN_SFID_THREAD_SPAWNER ||
				       inst->sfid == GEN_SFID_GATEWAY);
		if (is_fence(inst))
			continue;
		if (inst->op != GEN_OP_mov && inst->op != GEN_OP_nop &&
			(inst->op != GEN_OP_sync || inst->function == GEN_SYNC_BAR))
			break;
	}
	return false;
}

/* Messages that do no more than to clear a register, or to end the thread. */
static bool emit_trivial(
	struct eu_lowering *l, const struct gen_inst *inst, const struct eu_send *send)
{
	if (!inst->no_mask)
		return false;
	if (inst->end_of_thread && send->access.kind == EU_ACCESS_END) {
		eu_lower_emit_counting(l, EU_UOP_end, (struct eu_uop){ 0 });
		return true;
	}
	if (inst->end_of_thread || !eu_message_is_weak_fence(send))
		return false;
	eu_lower_emit_plain(l, EU_UOP_order,
		(struct eu_uop){ .d = send->writes ? send->dst : EU_OFFSET(temp) });
	return true;
}

/* The first code of a load or store that has vector code on this host, or 0. */
static unsigned find_vector_row(const struct eu_lowering *l, const struct eu_access_plain *plain)
{
	static const uint16_t rows[EU_SPACES][2][EU_PLAIN_FORMS] = {
#define MESSAGE(verb, space, channels)                                                             \
	[EU_ROW_##space][EU_ROW_##verb][channels] = EU_UOP_##verb##_##space##_##channels,
#include "eu/ops/uop.def"
	};
	unsigned row = rows[plain->space][plain->write][plain->channels];
	row += row && plain->lanes == 8 ? 2 : 0;
	return row && l->handlers->by_code[row] ? row : 0;
}

/* Messages with known descriptors. */
static void emit_plain(
	struct eu_lowering *l, const struct gen_inst *inst, const struct eu_send *send)
{
	bool predicated = inst->predicate != GEN_PRED_NONE;
	unsigned lanes = predicated ? EU_OFFSET(pm.lanes) : EU_OFFSET(act.lanes);
	struct eu_access_plain plain;
	struct eu_uop uop = { .imm = l->kernel->send_count };
	unsigned row = eu_access_is_plain(send, &plain) ? find_vector_row(l, &plain) : 0;
	if (predicated)
		eu_lower_predicate(l, inst, row == 0);
	if (row) {
		uop.d = send->dst;
		uop.a = send->src0;
		uop.b = plain.data;
		uop.c = plain.space == EU_SPACE_SURFACE
				? (uint16_t)(send->access.index * sizeof(struct eu_surface))
				: 0;
		uop.m = (uint16_t)(lanes + 4u * inst->channel_offset);
	} else {
		row = EU_UOP_send_plain;
		uop.a = predicated ? EU_OFFSET(pm.bits) : EU_OFFSET(act.bits);
		uop.target = gen_inst_channels(inst) >> inst->channel_offset;
		uop.shift = inst->channel_offset;
	}
	eu_lower_emit(l, row + predicated, row + (predicated || !inst->no_mask), &uop);
}

static void emit_send(
	struct eu_lowering *l, const struct gen_inst *inst, const struct eu_send *send)
{
	struct eu_uop uop = {
		.imm = l->kernel->send_count, .shift = inst->flag, .a = !inst->no_mask
	};
	if (send->run && inst->predicate == GEN_PRED_NONE && emit_trivial(l, inst, send))
		return;
	if (send->run && !inst->end_of_thread) {
		emit_plain(l, inst, send);
		return;
	}
	if (inst->predicate != GEN_PRED_NONE)
		uop.c = EU_PREDICATE(inst->predicate, inst->predicate_invert);
	if (inst->end_of_thread)
		eu_lower_emit_counting(l, EU_UOP_send, uop);
	else
		eu_lower_emit_plain(l, EU_UOP_send, uop);
}

/* Threads of most devices have fewer registers than eu_thread. */
static bool fits_device(const struct gen_device *device, const struct eu_send *send)
{
	const unsigned end = gen_family_registers(device->family) * GEN_GRF_BYTES;
	return send->src0 + send->mlen * (unsigned)GEN_GRF_BYTES <= end &&
	       send->src1 + send->xlen * (unsigned)GEN_GRF_BYTES <= end &&
	       (!send->writes || send->dst + send->rlen * (unsigned)GEN_GRF_BYTES <= end);
}

bool eu_lower_decode(const struct eu_lowering *l, uint32_t index, struct eu_send *send)
{
	const struct eu_kernel *kernel = l->kernel;
	const struct gen_inst *inst = &kernel->program->inst[index];
	bool has_dst = inst->has_dst && inst->dst.file == GEN_FILE_GRF;
	*send = (struct eu_send){
		.inst = index,
		.site = kernel->is_function ? 0 : kernel->send_count,
		.desc = inst->desc,
		.exdesc = inst->exdesc,
		.dst = (uint16_t)(has_dst ? inst->dst.reg * GEN_GRF_BYTES : 0),
		.src0 = (uint16_t)(inst->src[0].reg * GEN_GRF_BYTES),
		.src1 = (uint16_t)(inst->src[1].reg * GEN_GRF_BYTES),
		.sfid = inst->sfid,
		.mlen = inst->mlen,
		.xlen = inst->xlen,
		.wide_handle = inst->wide_handle,
		.rlen = inst->rlen,
		.exec_size = inst->exec_size,
		.channel_offset = inst->channel_offset,
		.writes = has_dst && (inst->rlen > 0 || inst->desc_in_a0),
		.last = comes_last(kernel->program, index),
	};
	if (!fits_device(kernel->device, send))
		return false;
	struct gen_fault unbound = { .kind = GEN_FAULT_NONE };
	if (!inst->desc_in_a0 && !inst->exdesc_in_a0 &&
		eu_message_bind(kernel->device, send, &unbound) != 0)
		send->run = NULL; /* reported when it is reached, by binding it again */
	return true;
}

void eu_lower_send(struct eu_lowering *l, uint32_t index)
{
	struct eu_kernel *kernel = l->kernel;
	if (!eu_lower_reserve(l, (void **)&kernel->sends, &l->send_capacity, kernel->send_count + 1,
		    sizeof(*kernel->sends)))
		return;
	struct eu_send *send = &kernel->sends[kernel->send_count];
	if (!eu_lower_decode(l, index, send)) {
		eu_lower_emit_plain(l, EU_UOP_fault, (struct eu_uop){ .imm = index });
		return;
	}
	emit_send(l, &kernel->program->inst[index], send);
	kernel->send_count++;
}
