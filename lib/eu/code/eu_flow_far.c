// SPDX-License-Identifier: MIT
/* Calls through pointers. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "eu/engine/eu_flow.h"
#include "util/util_thread.h"

enum { MOST_FUNCTIONS = 4096 };

/*
 * Functions that were called through pointers, by the bytes of their code. They stay for the life
 * of the process: a thread may be in any of them.
 */
struct function {
	struct function *next;
	struct gen_program *program;
	struct eu_kernel *kernel;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_SAFE(lock, 0)
static struct function *functions;
static unsigned function_count;

static struct function *make_function(
	const struct gen_device *device, const uint8_t *code, size_t limit, struct gen_fault *fault)
{
	struct function *made = NULL;
	struct eu_kernel *kernel = NULL;
	struct gen_program *program = gen_decode(device, code, limit, fault);

	if (program)
		kernel = eu_kernel_create(device, program, fault);
	if (kernel && function_count < MOST_FUNCTIONS)
		made = malloc(sizeof *made);
	if (!made) {
		eu_kernel_destroy(kernel);
		gen_program_destroy(program);
		gen_fault_add(fault, GEN_FAULT_NO_MEMORY, "no room for a function");
		return NULL;
	}
	/* Its messages share the kernel's first translation. */
	for (uint32_t i = 0; i < kernel->send_count; i++)
		kernel->sends[i].site = 0;
	*made = (struct function){ functions, program, kernel };
	functions = made;
	function_count++;
	return made;
}

static const struct eu_kernel *find_function(struct eu_thread *thread, uint64_t address)
{
	const struct eu_bus *bus = thread->worker->dispatch->bus;
	const struct gen_device *device = thread->kernel->device;
	struct gen_fault *fault = thread->worker->fault;
	struct eu_range range;

	if (!bus->find(bus->self, address, &range)) {
		fault->address = address;
		gen_fault_add(fault, GEN_FAULT_PAGE, "call of 0x%012llx: nothing is bound there",
			(unsigned long long)address);
		return NULL;
	}
	const uint8_t *code = range.host + (address - range.first);
	size_t limit = (size_t)(range.end - address);
	pthread_mutex_lock(&lock);
	struct function *found = functions;
	while (found && (found->kernel->device != device || found->program->code_size > limit ||
				memcmp(found->program->code, code, found->program->code_size) != 0))
		found = found->next;
	if (!found)
		found = make_function(device, code, limit, fault);
	pthread_mutex_unlock(&lock);
	if (!found)
		gen_fault_add(fault, fault->kind, "function at 0x%012llx, called at 0x%x",
			(unsigned long long)address, thread->ip);
	return found ? found->kernel : NULL;
}

/* The target is relative to the call itself, and with it to the base of all code. */
static const struct eu_uop *far_call(struct eu_thread *thread, const struct eu_uop *u)
{
	const struct eu_dispatch *dispatch = thread->worker->dispatch;
	const struct gen_inst *inst = &thread->kernel->program->inst[u->imm];
	uint32_t callers = thread->act.bits & u->target, relative;

	thread->instructions += u->count;
	thread->budget -= u->count;
	callers &= eu_predicate_bits(thread->flag, u->shift, u->c & 0xff, u->c >> 8);
	if (callers == 0)
		return u + 1;
	memcpy(&relative, (const uint8_t *)thread + u->b, sizeof relative);
	thread->ip = inst->ip;
	uint64_t address = dispatch->instruction_base + (uint32_t)(inst->ip + relative);
	const struct eu_kernel *kernel = find_function(thread, address & EU_ADDRESS_MASK);
	if (!kernel || !eu_flow_enter(thread, kernel, u->a, inst->ip + inst->size)) {
		thread->status = EU_FAULT;
		thread->resume = u;
		return NULL;
	}
	callers &= kernel->lanes;
	thread->act.bits = callers;
	for (unsigned i = 0; i < GEN_MAX_LANES; i++)
		thread->act.lanes[i] = -(int32_t)(callers >> i & 1);
	const struct eu_uop *next =
		thread->uops + (callers == thread->full ? 0 : (size_t)thread->uop_count);
	if (thread->budget > 0)
		return next;
	thread->status = EU_YIELD;
	thread->resume = next;
	return NULL;
}

static bool register_at(const struct gen_operand *o, unsigned bytes, uint16_t *offset)
{
	unsigned start = o->reg * 32u + o->sub * 4u;

	*offset = (uint16_t)(offsetof(struct eu_thread, grf) + start);
	return o->file == GEN_FILE_GRF && o->addressing == GEN_DIRECT &&
	       gen_type_size(o->type) == 4 && start + bytes <= GEN_GRF_BYTES * GEN_GRF_COUNT;
}

eu_handler eu_flow_far_call(const struct gen_inst *inst, uint32_t index, struct eu_uop *uop)
{
	uint32_t all = inst->exec_size == 32 ? UINT32_MAX : (1u << inst->exec_size) - 1;

	*uop = (struct eu_uop){ .imm = index,
		.target = all << inst->channel_offset,
		.shift = inst->flag,
		.c = EU_PREDICATE(inst->predicate, inst->predicate_invert) };
	if (inst->op != GEN_OP_call || inst->jip >= 0 || !register_at(&inst->dst, 8, &uop->a) ||
		!register_at(&inst->src[0], 4, &uop->b))
		return NULL;
	return far_call;
}
