// SPDX-License-Identifier: MIT
#include "eu/ops/eu_send_uop.h"

#include "eu/message/eu_message.h"

/* Notes where the fault is; whoever reports it names the place. */
static void place_fault(struct eu_thread *thread, uint32_t index)
{
	struct gen_fault_place *place = &thread->worker->fault->place;

	place->has_instruction = true;
	place->instruction = index;
	place->offset = thread->kernel->program->inst[index].ip;
}

void eu_send_fault(struct eu_thread *thread, uint32_t index)
{
	gen_fault_add(thread->worker->fault, GEN_FAULT_BAD_INSTRUCTION,
		"the device does not implement this instruction");
	place_fault(thread, index);
}

/* Whether the payload and the answer of the message lie inside the register file. */
static bool fits(const struct eu_send *send)
{
	const int end = GEN_GRF_COUNT * GEN_GRF_BYTES;
	return send->src0 + send->mlen * GEN_GRF_BYTES <= end &&
	       send->src1 + send->xlen * GEN_GRF_BYTES <= end &&
	       (!send->writes || send->dst + send->rlen * GEN_GRF_BYTES <= end);
}

bool eu_send_bind(const struct eu_thread *thread, struct eu_send *send, struct gen_fault *fault)
{
	const struct gen_inst *inst = &thread->kernel->program->inst[send->inst];

	if (inst->desc_in_a0) {
		send->desc = thread->a0_words[0];
		send->mlen = send->desc >> 25 & 15;
		send->rlen = send->desc >> 20 & 31;
	}
	if (inst->exdesc_in_a0)
		send->exdesc = thread->a0_words[inst->exdesc_sub & 7];
	if (inst->xlen_in_a0)
		send->xlen = send->exdesc >> 6 & 31;
	send->writes = send->writes && send->rlen > 0;
	if (!fits(send)) {
		gen_fault_add(fault, GEN_FAULT_BAD_MESSAGE,
			"message 0x%x goes beyond the register file", send->desc);
		return false;
	}
	return eu_message_bind(thread->kernel->device, send, fault) == 0;
}

enum eu_status eu_send_stops(
	struct eu_thread *thread, const struct eu_send *send, enum eu_status status)
{
	if (status == EU_FAULT)
		place_fault(thread, send->inst);
	return status;
}

enum eu_status eu_send_execute(struct eu_thread *thread, const struct eu_uop *u)
{
	const struct eu_send *send = &thread->kernel->sends[u->imm];
	const struct gen_inst *inst = &thread->kernel->program->inst[send->inst];
	struct eu_send dynamic;
	uint32_t all = send->exec_size == 32 ? UINT32_MAX : (1u << send->exec_size) - 1;
	uint32_t lanes = u->a ? thread->act.bits : UINT32_MAX;
	if (u->c)
		lanes &= eu_predicate_bits(thread->flag, u->shift, u->c & 0xff, u->c >> 8);
	lanes = lanes >> send->channel_offset & all;
	enum eu_status status = EU_FAULT;
	if (send->run) {
		status = send->run(thread, send, lanes);
	} else {
		dynamic = *send;
		if (eu_send_bind(thread, &dynamic, thread->worker->fault))
			status = dynamic.run(thread, &dynamic, lanes);
	}
	if (status == EU_FAULT)
		place_fault(thread, send->inst);
	else if (inst->end_of_thread)
		status = EU_DONE;
	return status;
}
