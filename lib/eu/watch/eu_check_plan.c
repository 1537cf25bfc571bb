// SPDX-License-Identifier: MIT
/* Checks that need to know what other instructions of the kernel are for. */
#include "eu/watch/eu_check.h"

#include <stdlib.h>
#include <string.h>

#include "eu/ops/eu_kernel.h"
#include "eu/ops/eu_uop.h"

enum { REACH = 64 /* instructions that are looked back */ };

enum what { NOTHING, LOSES_BITS, SHUFFLES, DIVIDES };

struct mark {
	uint8_t what;  /* enum what */
	uint8_t shift; /* SHUFFLES: channels are 1 << shift bytes apart … */
	uint16_t base; /* … from here in the register file … */
	uint16_t same; /* … and up to here have one constant, whether they are active or not */
};

struct plan {
	const struct eu_kernel *kernel;
	struct mark *marks; /* of each instruction */
};

static bool is_imm(const struct gen_operand *o)
{
	return o->file == GEN_FILE_IMM;
}

/* Does the instruction write the byte of the register file? Not through an address register. */
static bool writes_byte(const struct gen_inst *inst, unsigned byte)
{
	const struct gen_operand *d = &inst->dst;
	unsigned first = gen_operand_start(d);

	if (inst->op == GEN_OP_send || inst->op == GEN_OP_sendc)
		return d->file == GEN_FILE_GRF && byte / 32 - d->reg < inst->rlen;
	if (!inst->has_dst || d->file != GEN_FILE_GRF || d->addressing != GEN_DIRECT)
		return false;
	return byte >= first && byte < first + gen_destination_bytes(d, inst->exec_size);
}

/* The last instruction before `inst` that writes the byte, -1 when there is none near. */
static int64_t find_writer(const struct gen_program *program, uint32_t inst, unsigned byte)
{
	for (uint32_t i = inst; i-- > 0 && inst - i <= REACH;)
		if (writes_byte(&program->inst[i], byte))
			return i;
	return -1;
}

/*
 * A block message whose offset is in units of 16 bytes: Intel's compiler shifts the program's
 * address to the right by 4, where the low bits get lost.
 */
static void mark_block(struct plan *plan, const struct eu_send *send)
{
	const struct gen_program *program = plan->kernel->program;
	unsigned byte = send->src0 + send->access.at;

	if (!send->run || send->access.kind != EU_ACCESS_BLOCK || send->access.shift == 0 ||
		!send->access.writes)
		return;
	for (int64_t i = find_writer(program, send->inst, byte); i >= 0;) {
		const struct gen_inst *inst = &program->inst[i];
		const struct gen_operand *o = &inst->src[0];
		if (inst->op == GEN_OP_shr && is_imm(&inst->src[1]) && inst->src[1].imm == 4) {
			plan->marks[i].what = LOSES_BITS;
			return;
		}
		if (inst->op != GEN_OP_mov || inst->exec_size != 1 || o->file != GEN_FILE_GRF ||
			o->addressing != GEN_DIRECT || gen_type_size(o->type) != 4)
			return;
		i = find_writer(program, (uint32_t)i, gen_operand_start(o));
	}
}

/* What wrote the instruction's first source, a register; NULL when none near did. */
static const struct gen_inst *find_source(
	const struct gen_program *program, const struct gen_inst *inst)
{
	const struct gen_operand *o = &inst->src[0];
	int64_t at = -1;

	if (o->file == GEN_FILE_GRF && o->addressing == GEN_DIRECT)
		at = find_writer(program, (uint32_t)(inst - program->inst), gen_operand_start(o));
	return at >= 0 ? &program->inst[at] : NULL;
}

/* Whether it moves an immediate to all channels, also to those that are not active. */
static bool is_for_all(const struct gen_inst *inst)
{
	const unsigned predicate = inst->predicate;

	return inst->op == GEN_OP_mov && is_imm(&inst->src[0]) && inst->no_mask &&
	       (predicate == GEN_PRED_NONE || predicate == GEN_PRED_ANY8H ||
		       predicate == GEN_PRED_ANY16H || predicate == GEN_PRED_ANY32H);
}

/*
 * The end of the bytes from `byte` on that hold immediates for all channels when instruction
 * `index` executes. (In its scans of 64 bits the compiler shifts such in before the first channel's
 * value.)
 */
static unsigned end_of_same(const struct gen_program *program, uint32_t index, unsigned byte)
{
	for (int64_t i; (i = find_writer(program, index, byte)) >= 0;) {
		const struct gen_inst *inst = &program->inst[i];
		if (!is_for_all(inst))
			break;
		byte = gen_operand_start(&inst->dst) +
		       gen_destination_bytes(&inst->dst, inst->exec_size);
	}
	return byte;
}

/*
 * mov dst, r[a0]<1,0>, where a0 is the variable's place plus the channel shifted to the left, or is
 * moved from there.
 */
static void mark_shuffle(struct plan *plan, uint32_t index)
{
	const struct gen_program *program = plan->kernel->program;
	const struct gen_inst *inst = &program->inst[index];
	const struct gen_inst *add = NULL;

	if (inst->op != GEN_OP_mov || inst->no_mask || inst->src[0].addressing != GEN_INDIRECT_VXH)
		return;
	for (uint32_t i = index; i-- > 0 && index - i <= REACH && !add;)
		if (program->inst[i].has_dst && program->inst[i].dst.file == GEN_FILE_A)
			add = &program->inst[i];
	if (add && add->op == GEN_OP_mov)
		add = find_source(program, add);
	if (!add || add->op != GEN_OP_add || !is_imm(&add->src[1]))
		return;
	const struct gen_inst *shl = find_source(program, add);
	if (!shl || shl->op != GEN_OP_shl || !is_imm(&shl->src[1]) ||
		1u << (shl->src[1].imm & 15) != gen_type_size(inst->src[0].type))
		return;
	const uint16_t base = (uint16_t)add->src[1].imm;
	plan->marks[index] = (struct mark){ .what = SHUFFLES,
		.shift = shl->src[1].imm & 15,
		.base = base,
		.same = (uint16_t)end_of_same(program, index, base) };
}

static bool divides(const struct gen_inst *inst)
{
	return inst->op == GEN_OP_math && gen_type_size(inst->src[1].type) == 4 &&
	       (inst->function == GEN_MATH_IQOT || inst->function == GEN_MATH_IREM);
}

bool eu_check_wants(const struct gen_inst *inst)
{
	return (eu_inst_is_message(inst) && inst->sfid == GEN_SFID_GATEWAY) || divides(inst) ||
	       (inst->op == GEN_OP_mov && inst->src[0].addressing == GEN_INDIRECT_VXH) ||
	       (inst->op == GEN_OP_shr && is_imm(&inst->src[1]) && inst->src[1].imm == 4);
}

void *eu_check_plan_create(const struct eu_watched *watched)
{
	const struct eu_kernel *kernel = watched->kernel;
	struct plan *plan = calloc(1, sizeof *plan);

	if (!plan)
		return NULL;
	plan->kernel = kernel;
	plan->marks = calloc(kernel->program->count, sizeof *plan->marks);
	if (!plan->marks) {
		free(plan);
		return NULL;
	}
	for (uint32_t i = 0; i < kernel->program->count; i++) {
		mark_shuffle(plan, i);
		if (divides(&kernel->program->inst[i]))
			plan->marks[i].what = DIVIDES;
	}
	for (uint32_t i = 0; i < kernel->send_count; i++)
		mark_block(plan, &kernel->sends[i]);
	return plan;
}

void eu_check_plan_destroy(void *facts)
{
	struct plan *plan = facts;

	if (!plan)
		return;
	free(plan->marks);
	free(plan);
}

static void check_low_bits(const struct eu_event *event)
{
	const struct eu_thread *thread = event->thread;
	uint32_t index = event->inst;
	const struct gen_inst *inst = &thread->kernel->program->inst[index];
	const struct gen_operand *o = &inst->src[0];
	uint32_t value;

	if (o->file != GEN_FILE_GRF || o->addressing != GEN_DIRECT || gen_type_size(o->type) != 4)
		return;
	memcpy(&value, thread->grf + gen_operand_start(o), sizeof value);
	if ((value & 15) != 0 && event->channels != 0)
		eu_check_report(thread, index, -1, EU_CHECK_MEMORY, "misaligned-block",
			"block write at byte 0x%x of a buffer, which is not a multiple of 16",
			value);
}

static void check_shuffle(const struct eu_event *event, const struct mark *mark)
{
	const struct eu_thread *thread = event->thread;
	uint32_t index = event->inst;
	const struct gen_inst *inst = &thread->kernel->program->inst[index];
	const struct gen_operand *o = &inst->src[0];
	const uint16_t *words = (const uint16_t *)(const void *)thread->a0_words;
	unsigned simd = thread->worker->dispatch->simd, width = o->width ? o->width : 1;

	for (uint32_t on = event->channels >> inst->channel_offset; on != 0; on &= on - 1) {
		unsigned i = (unsigned)__builtin_ctz(on);
		unsigned address = words[(o->sub + i / width) & 15] + (unsigned)(int)o->offset;
		unsigned from = (uint16_t)(address - mark->base) >> mark->shift & (simd - 1);
		if ((thread->act.bits >> from & 1) ||
			(address >= mark->base && address < mark->same))
			continue;
		eu_check_report(thread, index, (int)(i + inst->channel_offset), EU_CHECK_LANES,
			"inactive-source",
			"shuffle: channel %u reads from channel %u, which is not active",
			i + inst->channel_offset, from);
		return;
	}
}

/* Integers of 32 bits; the compiler divides longer ones by multiplications. */
static void check_division(const struct eu_event *event)
{
	const struct eu_thread *thread = event->thread;
	const struct gen_inst *inst = &thread->kernel->program->inst[event->inst];
	const struct gen_operand *o = &inst->src[1];

	if (thread->act.bits == 0 || o->addressing != GEN_DIRECT ||
		(o->file != GEN_FILE_GRF && o->file != GEN_FILE_IMM))
		return;
	for (uint32_t on = event->channels >> inst->channel_offset; on != 0; on &= on - 1) {
		unsigned i = (unsigned)__builtin_ctz(on), channel = i + inst->channel_offset;
		uint32_t divisor = (uint32_t)o->imm;
		if (o->file == GEN_FILE_GRF)
			memcpy(&divisor,
				thread->grf + gen_operand_start(o) + 4 * gen_operand_element(o, i),
				sizeof divisor);
		if (divisor != 0)
			continue;
		eu_check_report(thread, event->inst, inst->no_mask ? -1 : (int)channel,
			EU_CHECK_NUMBERS, "division-by-zero",
			"channel %u divides an integer by zero", channel);
		return;
	}
}

/* Of the thread: all work-items that were started must be there. */
static void check_barrier(const struct eu_event *event)
{
	const struct eu_thread *thread = event->thread;
	uint32_t absent = thread->dispatch_mask & thread->kernel->lanes & ~thread->act.bits;

	if (event->channels != 0 && absent != 0)
		eu_check_report(thread, event->inst, __builtin_ctz(absent), EU_CHECK_BARRIERS,
			"divergent-barrier",
			"barrier: channels 0x%08x do not reach it with the others", absent);
}

void eu_check_step(const struct eu_event *event)
{
	const struct plan *plan = event->facts;
	const struct mark *mark = plan ? &plan->marks[event->inst] : NULL;

	if (mark && mark->what == LOSES_BITS)
		check_low_bits(event);
	else if (mark && mark->what == SHUFFLES)
		check_shuffle(event, mark);
	else if (mark && mark->what == DIVIDES)
		check_division(event);
	if (event->send && event->send->run && event->send->access.kind == EU_ACCESS_BARRIER)
		check_barrier(event);
}
