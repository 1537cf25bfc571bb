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

/* Puts what waits aside. */
static bool open_activation(struct eu_thread *thread)
{
	for (uint32_t label = 0; label < thread->kernel->label_count; label++) {
		if (thread->wait[label] == 0)
			continue;
		struct eu_frame *frame = push(thread, label);
		if (!frame)
			return false;
		frame->lanes = thread->wait[label];
		thread->wait[label] = 0;
	}
	thread->depth++;
	return true;
}

static void write_pair(struct eu_thread *thread, uint16_t offset, uint32_t ip)
{
	uint32_t pair[2] = { ip, thread->act.bits };
	memcpy((uint8_t *)thread + offset, pair, sizeof(pair));
}

bool eu_branch_call(struct eu_thread *thread, const struct eu_uop *call)
{
	if (!open_activation(thread))
		return false;
	write_pair(thread, call->d, call->b | (uint32_t)call->label << 16);
	return true;
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

/* Where a worker remembers the function at `address`; if all places are taken, that of another. */
static struct eu_function *function_place(struct eu_worker *worker, uint64_t address)
{
	uint64_t first = address / 64;
	for (unsigned i = 0; i < EU_FUNCTIONS; i++) {
		struct eu_function *place = &worker->functions[(first + i) % EU_FUNCTIONS];
		if (!place->kernel || place->address == address)
			return place;
	}
	return &worker->functions[first % EU_FUNCTIONS];
}

/* The function at `address`, which the worker remembers; NULL and a fault when there is none. */
static const struct eu_kernel *find_function(struct eu_thread *thread, uint64_t address)
{
	struct eu_worker *worker = thread->worker;
	struct eu_function *place = function_place(worker, address);
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

/* The last call of a function by its address among the first `count` frames; NULL: none. */
static const struct eu_frame *last_call(const struct eu_thread *thread, size_t count)
{
	while (count-- > 0)
		if (thread->frames[count].label == EU_FRAME_CALLER)
			return &thread->frames[count];
	return NULL;
}

/* That of the function whose activation is the current one; NULL: none. */
static const struct eu_frame *call_of(const struct eu_thread *thread)
{
	const struct eu_frame *call = last_call(thread, thread->frame_count);
	return call && call->depth + 1 == thread->depth ? call : NULL;
}

/* Where code begins that was entered by one of the first `count` frames. */
static uint32_t base_at(const struct eu_thread *thread, size_t count)
{
	const struct eu_frame *call = last_call(thread, count);
	return call ? call->base : thread->worker->kernel_base;
}

uint32_t eu_branch_base(const struct eu_thread *thread)
{
	return base_at(thread, thread->frame_count);
}

/* The instruction at `ip`. */
static uint32_t inst_at(const struct gen_program *program, uint32_t ip)
{
	uint32_t low = 0, high = program->count;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (program->inst[middle].ip < ip)
			low = middle + 1;
		else
			high = middle;
	}
	return low < program->count && program->inst[low].ip == ip ? low : EU_BRANCH_NOWHERE;
}

static uint32_t uop_at(const struct eu_kernel *kernel, uint32_t ip)
{
	uint32_t index = inst_at(kernel->program, ip);
	return index == EU_BRANCH_NOWHERE ? index : kernel->inst_uop[index];
}

/* The same behind a branch: where blocks begin, wherever branches lead. */
static uint32_t block_at(const struct eu_kernel *kernel, uint32_t ip)
{
	uint32_t index = inst_at(kernel->program, ip);
	if (index == EU_BRANCH_NOWHERE || index == 0 ||
		gen_ops[kernel->program->inst[index - 1].op].class != GEN_CLASS_BRANCH)
		return EU_BRANCH_NOWHERE;
	return kernel->inst_uop[index];
}

/* Enters the function at `target`, from the base of all code, for the channels in `callers`. */
static uint32_t enter_function(
	struct eu_thread *thread, const struct eu_uop *u, uint32_t target, uint32_t callers)
{
	const struct gen_inst *inst = &thread->kernel->program->inst[u->imm];
	const struct eu_kernel *caller = thread->kernel;
	uint64_t address = thread->worker->dispatch->instruction_base + target;
	uint32_t ip = inst->ip + inst->size, back = eu_branch_base(thread) + ip;
	thread->ip = inst->ip;
	const struct eu_kernel *kernel = find_function(thread, address & EU_ADDRESS_MASK);
	struct eu_frame *frame = kernel ? push(thread, EU_FRAME_CALLER) : NULL;
	if (!frame || !open_activation(thread))
		return EU_BRANCH_NOWHERE;
	frame->lanes = callers;
	frame->base = target;
	frame->back = back;
	frame->caller = caller;
	if (inst->op != GEN_OP_jmpi)
		write_pair(thread, u->d, ip);
	switch_to(thread, kernel);
	thread->act.bits = callers & kernel->lanes;
	return 0;
}

/* Goes back to the code that the activation was called from. */
static void close_activation(struct eu_thread *thread, const struct eu_kernel *kernel)
{
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
}

/* A jump back takes along who has called; a function in which others are left is broken. */
static uint32_t leave_function(struct eu_thread *thread, const struct eu_frame *frame)
{
	const struct eu_frame call = *frame;
	uint32_t ip = call.back - base_at(thread, (size_t)(frame - thread->frames));
	uint32_t index = uop_at(call.caller, ip);
	if (index == EU_BRANCH_NOWHERE) {
		gen_fault_add(thread->worker->fault, GEN_FAULT_BAD_INSTRUCTION,
			"a function jumps back to 0x%x, behind the end of its caller", ip);
		return index;
	}
	if (thread->act.bits != (call.lanes & thread->kernel->lanes)) {
		gen_fault_add(thread->worker->fault, GEN_FAULT_BAD_INSTRUCTION,
			"a function that was called with channels 0x%x jumps back with 0x%x",
			call.lanes, thread->act.bits);
		return EU_BRANCH_NOWHERE;
	}
	close_activation(thread, call.caller);
	thread->act.bits = call.lanes & call.caller->lanes;
	return index;
}

/*
 * Where a call or a jump to an address leads; EU_BRANCH_NOWHERE and a fault when that is nowhere.
 * As ip is, addresses in registers are offsets from the base of all code. A jump to the beginning
 * of its own code is a call of itself.
 */
static uint32_t find_far(struct eu_thread *thread, const struct eu_uop *u, uint32_t callers)
{
	const struct gen_inst *inst = &thread->kernel->program->inst[u->imm];
	const uint32_t base = eu_branch_base(thread);
	uint32_t target;
	memcpy(&target, (const uint8_t *)thread + u->b, sizeof(target));
	if (inst->op != GEN_OP_calla)
		target += base + inst->ip;
	if (inst->op != GEN_OP_jmpi)
		return enter_function(thread, u, target, callers);
	if (thread->kernel->device->family->jumps_from_next)
		target += inst->size;
	const struct eu_frame *call = call_of(thread);
	if (call && call->back == target)
		return leave_function(thread, call);
	uint32_t index = block_at(thread->kernel, target - base);
	return index == EU_BRANCH_NOWHERE ? enter_function(thread, u, target, callers) : index;
}

/*
 * Who takes the branch. With jmpi all or none: those, too, that the code does not name, which are
 * on as long as it runs. A function may name them.
 */
static uint32_t find_takers(const struct eu_thread *thread, const struct eu_uop *u)
{
	const struct gen_inst *inst = &thread->kernel->program->inst[u->imm];
	const struct eu_frame *call = last_call(thread, thread->frame_count);
	uint32_t all = call ? call->lanes : thread->dispatch_mask;
	uint32_t bits = eu_predicate_bits(thread->flag, u->shift, u->c & 0xff, u->c >> 8);
	if (inst->op != GEN_OP_jmpi)
		return thread->act.bits & gen_inst_channels(inst) & bits;
	if ((bits >> inst->channel_offset & 1) == 0)
		return 0;
	return thread->act.bits | (all & ~thread->kernel->lanes);
}

const struct eu_uop *eu_branch_call_far(struct eu_thread *thread, const struct eu_uop *u)
{
	uint32_t takers = find_takers(thread, u);
	thread->instructions += u->count;
	thread->budget -= u->count;
	if (takers == 0)
		return u + 1;
	thread->resume = u;
	thread->status = EU_FAULT;
	uint32_t index = find_far(thread, u, takers);
	if (index == EU_BRANCH_NOWHERE)
		return NULL;
	uint32_t on = thread->act.bits;
	for (unsigned i = 0; i < GEN_MAX_LANES; i++)
		thread->act.lanes[i] = -(int32_t)(on >> i & 1);
	const struct eu_uop *next =
		thread->uops + index + (on == thread->full ? 0 : (size_t)thread->uop_count);
	if (thread->budget > 0)
		return next;
	thread->status = EU_YIELD;
	thread->resume = next;
	return NULL;
}

uint32_t eu_branch_return(struct eu_thread *thread, const struct eu_uop *ret)
{
	const struct eu_frame *call = call_of(thread);
	const struct eu_kernel *kernel = call ? call->caller : thread->kernel;
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
	close_activation(thread, kernel);
	thread->act.bits = pair[1] & kernel->lanes;
	return index;
}
