// SPDX-License-Identifier: MIT
#include "eu/engine/eu_flow.h"

#include <stddef.h>
#include <string.h>

#include "eu/message/eu_message.h"
#include "eu/watch/eu_symbols.h"

static void report_instruction(struct eu_thread *thread, uint32_t index)
{
	char text[512];

	eu_name_place(thread, index, text, sizeof text);
	gen_fault_add(thread->worker->fault, GEN_FAULT_BAD_INSTRUCTION, "%s", text);
}

void eu_flow_fault(struct eu_thread *thread, uint32_t index)
{
	gen_fault_add(thread->worker->fault, GEN_FAULT_BAD_INSTRUCTION,
		"the device does not implement this instruction");
	report_instruction(thread, index);
}

uint32_t eu_flow_resume(struct eu_thread *thread, uint32_t first)
{
	const struct eu_kernel *kernel = thread->kernel;
	for (uint32_t label = first; label < kernel->label_count; label++) {
		if (thread->wait[label] == 0)
			continue;
		thread->act.bits = thread->wait[label];
		thread->wait[label] = 0;
		return kernel->label_uop[label];
	}
	if (first != 0)
		return eu_flow_resume(thread, 0);
	gen_fault_add(thread->worker->fault, GEN_FAULT_BAD_INSTRUCTION,
		"control flow has come to an end with no channel on");
	return EU_FLOW_NOWHERE;
}

/* Labels of frame_waits that stand for no label: the halves of a pointer to the calling kernel. */
enum { FAR_LOW = INT32_MAX, FAR_HIGH = INT32_MAX - 1 };

static bool push(struct eu_thread *thread, uint32_t label, uint32_t lanes)
{
	if (thread->frame_wait_count == EU_FRAME_WAITS) {
		gen_fault_add(thread->worker->fault, GEN_FAULT_BAD_INSTRUCTION,
			"calls are nested too deep, or more channels wait than the thread has");
		return false;
	}
	struct eu_frame_wait *wait = &thread->frame_waits[thread->frame_wait_count++];
	wait->depth = thread->depth;
	wait->label = label;
	wait->lanes = lanes;
	return true;
}

/* Puts what waits aside and writes the return pair. */
static bool open_activation(struct eu_thread *thread, uint16_t offset, uint32_t ip)
{
	uint32_t pair[2] = { ip, thread->act.bits };
	for (uint32_t label = 0; label < thread->kernel->label_count; label++) {
		if (thread->wait[label] == 0)
			continue;
		if (!push(thread, label, thread->wait[label]))
			return false;
		thread->wait[label] = 0;
	}
	memcpy((uint8_t *)thread + offset, pair, sizeof pair);
	thread->depth++;
	return true;
}

bool eu_flow_call(struct eu_thread *thread, const struct eu_uop *call)
{
	return open_activation(thread, call->a, call->b | (uint32_t)call->label << 16);
}

/* Goes on in another kernel's code; no channel waits in this one. */
static void switch_to(struct eu_thread *thread, const struct eu_kernel *kernel)
{
	thread->kernel = kernel;
	thread->kernel_serial = kernel->serial;
	thread->uops = kernel->uops;
	thread->uop_count = kernel->uop_count;
	thread->full = kernel->lanes;
	thread->watched = 0;
	memcpy(thread->pool, kernel->pool, kernel->pool_count * sizeof thread->pool[0]);
	memset(thread->wait, 0, kernel->label_count * sizeof thread->wait[0]);
}

bool eu_flow_enter(
	struct eu_thread *thread, const struct eu_kernel *kernel, uint16_t pair, uint32_t ip)
{
	uint64_t caller = (uint64_t)(uintptr_t)thread->kernel;
	if (!push(thread, FAR_LOW, (uint32_t)caller) ||
		!push(thread, FAR_HIGH, (uint32_t)(caller >> 32)) ||
		!open_activation(thread, pair, ip))
		return false;
	switch_to(thread, kernel);
	return true;
}

/* The kernel that the current activation was called from. */
static const struct eu_kernel *caller_of(const struct eu_thread *thread)
{
	uint64_t caller = 0;
	for (uint32_t i = thread->frame_wait_count; i-- > 0;) {
		const struct eu_frame_wait *wait = &thread->frame_waits[i];
		if (wait->depth + 1 != thread->depth)
			break;
		if (wait->label == FAR_LOW)
			caller |= wait->lanes;
		else if (wait->label == FAR_HIGH)
			caller |= (uint64_t)wait->lanes << 32;
	}
	return caller ? (const struct eu_kernel *)(uintptr_t)caller : thread->kernel;
}

static uint32_t uop_at(const struct eu_kernel *kernel, uint32_t ip)
{
	uint32_t low = 0, high = kernel->program->count;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (kernel->program->inst[middle].ip < ip)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < kernel->program->count && kernel->program->inst[low].ip == ip)
		return kernel->inst_uop[low];
	return EU_FLOW_NOWHERE;
}

uint32_t eu_flow_return(struct eu_thread *thread, const struct eu_uop *ret)
{
	const struct eu_kernel *kernel = caller_of(thread);
	uint32_t pair[2];
	for (uint32_t label = 0; label < thread->kernel->label_count; label++)
		if (thread->wait[label] != 0)
			return eu_flow_resume(thread, label);
	memcpy(pair, (const uint8_t *)thread + ret->a, sizeof pair);
	uint32_t index = uop_at(kernel, pair[0]);
	if (thread->depth == 0 || index == EU_FLOW_NOWHERE || (pair[1] & kernel->lanes) == 0) {
		gen_fault_add(thread->worker->fault, GEN_FAULT_BAD_INSTRUCTION,
			"return to 0x%x with channels 0x%x, which no call has left there", pair[0],
			pair[1]);
		return EU_FLOW_NOWHERE;
	}
	thread->depth--;
	if (kernel != thread->kernel)
		switch_to(thread, kernel);
	while (thread->frame_wait_count != 0) {
		const struct eu_frame_wait *wait =
			&thread->frame_waits[thread->frame_wait_count - 1];
		if (wait->depth != thread->depth)
			break;
		if (wait->label < FAR_HIGH)
			thread->wait[wait->label] = wait->lanes;
		thread->frame_wait_count--;
	}
	thread->act.bits = pair[1] & kernel->lanes;
	return index;
}

bool eu_flow_send_fits(const struct eu_send *send)
{
	const int end = GEN_GRF_COUNT * GEN_GRF_BYTES;
	return send->src0 + send->mlen * GEN_GRF_BYTES <= end &&
	       send->src1 + send->xlen * GEN_GRF_BYTES <= end &&
	       (!send->writes || send->dst + send->rlen * GEN_GRF_BYTES <= end);
}

/* Binds a message whose descriptors lie in a0, for this one execution. */
static bool bind_dynamic(
	struct eu_thread *thread, const struct gen_inst *inst, struct eu_send *send)
{
	if (inst->desc_in_a0) {
		send->desc = thread->a0_words[0];
		send->mlen = send->desc >> 25 & 15;
		send->rlen = send->desc >> 20 & 31;
	}
	if (inst->exdesc_in_a0) {
		send->exdesc = thread->a0_words[inst->exdesc_sub & 7];
		send->xlen = send->exdesc >> 6 & 31;
	}
	send->writes = send->writes && send->rlen > 0;
	if (!eu_flow_send_fits(send)) {
		gen_fault_add(thread->worker->fault, GEN_FAULT_BAD_MESSAGE,
			"message 0x%x goes beyond the register file", send->desc);
		return false;
	}
	return eu_message_bind(thread->kernel->device, send, thread->worker->fault) == 0;
}

enum eu_status eu_flow_send_stops(
	struct eu_thread *thread, const struct eu_send *send, enum eu_status status)
{
	if (status == EU_FAULT)
		report_instruction(thread, send->inst);
	return status;
}

enum eu_status eu_flow_send(struct eu_thread *thread, const struct eu_uop *u)
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
		if (bind_dynamic(thread, inst, &dynamic))
			status = dynamic.run(thread, &dynamic, lanes);
	}
	if (status == EU_FAULT)
		report_instruction(thread, send->inst);
	else if (inst->end_of_thread)
		status = EU_DONE;
	return status;
}
