// SPDX-License-Identifier: MIT
#include "eu/ops/eu_branch.h"

#include <string.h>

uint32_t eu_branch_resume(struct eu_thread *thread, uint32_t first)
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
		return eu_branch_resume(thread, 0);
	gen_fault_add(thread->worker->fault, GEN_FAULT_BAD_INSTRUCTION,
		"control flow has come to an end with no channel on");
	return EU_BRANCH_NOWHERE;
}

static struct eu_frame *push(struct eu_thread *thread, uint32_t label)
{
	if (thread->frame_count == EU_FRAMES) {
		gen_fault_add(thread->worker->fault, GEN_FAULT_BAD_INSTRUCTION,
			"calls are nested too deep, or more channels wait than the thread has");
		return NULL;
	}
	struct eu_frame *frame = &thread->frames[thread->frame_count++];
	frame->depth = thread->depth;
	frame->label = label;
	return frame;
}

/* Puts what waits aside and writes the return pair. */
static bool open_activation(struct eu_thread *thread, uint16_t offset, uint32_t ip)
{
	uint32_t pair[2] = { ip, thread->act.bits };
	for (uint32_t label = 0; label < thread->kernel->label_count; label++) {
		if (thread->wait[label] == 0)
			continue;
		struct eu_frame *frame = push(thread, label);
		if (!frame)
			return false;
		frame->lanes = thread->wait[label];
		thread->wait[label] = 0;
	}
	memcpy((uint8_t *)thread + offset, pair, sizeof(pair));
	thread->depth++;
	return true;
}

bool eu_branch_call(struct eu_thread *thread, const struct eu_uop *call)
{
	return open_activation(thread, call->d, call->b | (uint32_t)call->label << 16);
}

uint64_t *eu_branch_tallies(const struct eu_kernel *kernel, const struct eu_worker *worker)
{
	return kernel->tally ? kernel->probe->tallies(kernel->probe, worker) : NULL;
}

void eu_branch_set_kernel(struct eu_thread *thread, const struct eu_kernel *kernel)
{
	thread->kernel = kernel;
	thread->kernel_serial = kernel->serial;
	thread->uops = kernel->uops;
	thread->uop_count = kernel->uop_count;
	thread->full = kernel->lanes;
	thread->tallies = eu_branch_tallies(kernel, thread->worker);
	memcpy(thread->pool, kernel->pool, kernel->pool_count * sizeof(*thread->pool));
}

/* Goes on in another kernel's code; no channel waits in this one. */
static void switch_to(struct eu_thread *thread, const struct eu_kernel *kernel)
{
	eu_branch_set_kernel(thread, kernel);
	thread->watched = 0;
	memset(thread->wait, 0, kernel->label_count * sizeof(*thread->wait));
}

/* The function at `address`, which the worker remembers; NULL and a fault when there is none. */
static const struct eu_kernel *find_function(struct eu_thread *thread, uint64_t address)
{
	struct eu_worker *worker = thread->worker;
	struct eu_function *place = &worker->functions[address / 64 % EU_FUNCTIONS];
	if (place->kernel && place->address == address)
		return place->kernel;
	const struct eu_kernel *kernel = worker->find_function(worker, address);
	if (kernel && kernel->tally && !eu_branch_tallies(kernel, worker)) {
		gen_fault_add(worker->fault, GEN_FAULT_NO_MEMORY, "no memory for counts");
		return NULL;
	}
	if (kernel)
		*place = (struct eu_function){ address, kernel };
	else
		gen_fault_add(worker->fault, worker->fault->kind, "called at 0x%x", thread->ip);
	return kernel;
}

/* Enters the function for the channels in `callers`. */
static bool enter_function(struct eu_thread *thread, const struct eu_uop *u, uint32_t callers)
{
	const struct gen_inst *inst = &thread->kernel->program->inst[u->imm];
	const struct eu_kernel *caller = thread->kernel;
	uint32_t relative;
	memcpy(&relative, (const uint8_t *)thread + u->b, sizeof(relative));
	thread->ip = inst->ip;
	/* Relative to the call itself, and with it to the base of all code; calla: to that base. */
	if (inst->op == GEN_OP_call)
		relative += inst->ip;
	uint64_t address = thread->worker->dispatch->instruction_base + relative;
	const struct eu_kernel *kernel = find_function(thread, address & EU_ADDRESS_MASK);
	struct eu_frame *frame = kernel ? push(thread, EU_FRAME_CALLER) : NULL;
	if (!frame || !open_activation(thread, u->d, inst->ip + inst->size))
		return false;
	frame->caller = caller;
	switch_to(thread, kernel);
	callers &= kernel->lanes;
	thread->act.bits = callers;
	for (unsigned i = 0; i < GEN_MAX_LANES; i++)
		thread->act.lanes[i] = -(int32_t)(callers >> i & 1);
	return true;
}

const struct eu_uop *eu_branch_call_far(struct eu_thread *thread, const struct eu_uop *u)
{
	uint32_t callers = thread->act.bits & u->target;
	thread->instructions += u->count;
	thread->budget -= u->count;
	callers &= eu_predicate_bits(thread->flag, u->shift, u->c & 0xff, u->c >> 8);
	if (callers == 0)
		return u + 1;
	thread->resume = u;
	thread->status = EU_FAULT;
	if (!enter_function(thread, u, callers))
		return NULL;
	const struct eu_uop *next =
		thread->uops + (thread->act.bits == thread->full ? 0 : (size_t)thread->uop_count);
	if (thread->budget > 0)
		return next;
	thread->status = EU_YIELD;
	thread->resume = next;
	return NULL;
}

/* The kernel that the current activation was called from. */
static const struct eu_kernel *caller_of(const struct eu_thread *thread)
{
	for (uint32_t i = thread->frame_count; i-- > 0;) {
		const struct eu_frame *frame = &thread->frames[i];
		if (frame->depth + 1 != thread->depth)
			break;
		if (frame->label == EU_FRAME_CALLER)
			return frame->caller;
	}
	return thread->kernel;
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
	return EU_BRANCH_NOWHERE;
}

uint32_t eu_branch_return(struct eu_thread *thread, const struct eu_uop *ret)
{
	const struct eu_kernel *kernel = caller_of(thread);
	uint32_t pair[2];
	for (uint32_t label = 0; label < thread->kernel->label_count; label++)
		if (thread->wait[label] != 0)
			return eu_branch_resume(thread, label);
	memcpy(pair, (const uint8_t *)thread + ret->a, sizeof pair);
	uint32_t index = uop_at(kernel, pair[0]);
	if (thread->depth == 0 || index == EU_BRANCH_NOWHERE || (pair[1] & kernel->lanes) == 0) {
		gen_fault_add(thread->worker->fault, GEN_FAULT_BAD_INSTRUCTION,
			"return to 0x%x with channels 0x%x, which no call has left there", pair[0],
			pair[1]);
		return EU_BRANCH_NOWHERE;
	}
	thread->depth--;
	if (kernel != thread->kernel)
		switch_to(thread, kernel);
	while (thread->frame_count != 0) {
		const struct eu_frame *frame = &thread->frames[thread->frame_count - 1];
		if (frame->depth != thread->depth)
			break;
		if (frame->label != EU_FRAME_CALLER)
			thread->wait[frame->label] = frame->lanes;
		thread->frame_count--;
	}
	thread->act.bits = pair[1] & kernel->lanes;
	return index;
}
