// SPDX-License-Identifier: MIT
#include "eu_reference.h"

#include "test.h"

#include <string.h>

void reference_start(struct reference *r, const struct gen_program *program,
	struct eu_thread *thread, uint32_t dispatch, uint32_t cr0)
{
	memset(r, 0, sizeof *r);
	r->program = program;
	r->thread = thread;
	r->dispatch = dispatch;
	memcpy(r->cr, &cr0, 4);
	memcpy(r->sr + 8, &dispatch, 4);
}

static uint32_t channels_at(const struct reference *r, uint32_t ip)
{
	uint32_t channels = 0;
	for (unsigned n = 0; n < 32; n++)
		if (r->dispatch >> n & 1 && r->pc[n] == ip && r->depth[n] == r->level)
			channels |= 1u << n;
	return channels;
}

static void move(struct reference *r, uint32_t channels, int32_t to)
{
	for (unsigned n = 0; n < 32; n++)
		if (channels >> n & 1)
			r->pc[n] = (uint32_t)to;
}

static uint32_t predicate_channels(const struct reference *r, const struct gen_inst *inst)
{
	uint32_t channels = 0, flags[2];
	memcpy(flags, r->flag, 8);
	uint32_t f = flags[inst->flag >> 1] >> (inst->flag & 1 ? 16 : 0);
	for (unsigned n = inst->channel_offset; n < inst->channel_offset + inst->exec_size; n++) {
		bool bit = true;
		unsigned size = 1;
		if (inst->predicate >= GEN_PRED_ANY2H)
			size = 2u << (inst->predicate - GEN_PRED_ANY2H) / 2;
		if (inst->predicate != GEN_PRED_NONE) {
			unsigned found = 0;
			for (unsigned k = 0; k < size; k++)
				found += f >> (n / size * size + k) & 1;
			bit = inst->predicate >= GEN_PRED_ANY2H &&
					      (inst->predicate - GEN_PRED_ANY2H) & 1
				      ? found == size
				      : found > 0;
			bit = bit != inst->predicate_invert;
		}
		channels |= (uint32_t)bit << n;
	}
	return channels;
}

static void step_call(struct reference *r, const struct gen_inst *inst, uint32_t taken)
{
	int32_t next = (int32_t)r->ip + 1;
	uint32_t pair[2] = { inst->ip + inst->size, channels_at(r, r->ip) };
	move(r, pair[1], next);
	if (!taken) {
		r->ip = (uint32_t)next;
		return;
	}
	memcpy(r->thread->grf + inst->dst.reg * 32 + inst->dst.sub * 4, pair, 8);
	r->level++;
	for (unsigned n = 0; n < 32; n++)
		if (taken >> n & 1)
			r->depth[n] = r->level;
	move(r, taken, inst->jip);
	r->ip = (uint32_t)inst->jip;
}

/* The lowest place in this activation where a channel is; -1 when there is none. */
static int32_t lowest(const struct reference *r)
{
	int32_t best = -1;
	for (unsigned n = 0; n < 32; n++)
		if (r->dispatch >> n & 1 && r->depth[n] == r->level &&
			(best < 0 || (int32_t)r->pc[n] < best))
			best = (int32_t)r->pc[n];
	return best;
}

static void step_return(struct reference *r, const struct gen_inst *inst, uint32_t taken)
{
	uint32_t pair[2];
	move(r, channels_at(r, r->ip), (int32_t)r->ip + 1);
	for (unsigned n = 0; n < 32; n++)
		if (taken >> n & 1)
			r->depth[n] = UINT32_MAX;
	int32_t rest = lowest(r);
	if (rest >= 0) {
		r->ip = (uint32_t)rest;
		return;
	}
	memcpy(pair, r->thread->grf + inst->src[0].reg * 32 + inst->src[0].sub * 4, 8);
	r->level--;
	for (uint32_t i = 0; i < r->program->count; i++)
		if (r->program->inst[i].ip == pair[0])
			r->ip = i;
	for (unsigned n = 0; n < 32; n++)
		if (pair[1] >> n & 1)
			r->depth[n] = r->level;
	move(r, pair[1], (int32_t)r->ip);
}

/* Control flow by the rules of one instruction pointer for each channel. */
static bool step_branch(struct reference *r, const struct gen_inst *inst)
{
	int32_t ip = (int32_t)r->ip, next = ip + 1;
	uint32_t range = inst->exec_size == 32 ? ~0u : (1u << inst->exec_size) - 1;
	uint32_t act = channels_at(r, r->ip), inside = act & range << inst->channel_offset;
	uint32_t taken = inside & predicate_channels(r, inst), rest = act & ~taken;
	int32_t away = -1;
	switch (inst->op) {
	case GEN_OP_if:
		move(r, act, next);
		move(r, inside & ~taken, inst->jip);
		r->ip = (uint32_t)(act & ~(inside & ~taken) ? next : inst->jip);
		return true;
	case GEN_OP_else:
		move(r, inside, inst->uip);
		r->ip = (uint32_t)(channels_at(r, (uint32_t)next) ? next : inst->jip);
		return true;
	case GEN_OP_endif:
	case GEN_OP_join:
		move(r, act, next);
		r->ip = (uint32_t)(act ? next : inst->jip);
		return true;
	case GEN_OP_while:
		move(r, act, next);
		move(r, taken, inst->jip);
		r->ip = (uint32_t)(taken ? inst->jip : next);
		return true;
	case GEN_OP_break:
		away = inst->uip + 1;
		break;
	case GEN_OP_cont:
	case GEN_OP_halt:
		away = inst->uip;
		break;
	case GEN_OP_goto:
		move(r, act, next);
		move(r, taken, inst->uip);
		if (inst->backward || inst->uip <= ip)
			r->ip = (uint32_t)(taken ? inst->uip : next);
		else
			r->ip = (uint32_t)(rest ? next : inst->jip);
		return true;
	case GEN_OP_call:
		step_call(r, inst, taken);
		return true;
	case GEN_OP_ret:
		step_return(r, inst, taken);
		return true;
	default:
		return false;
	}
	move(r, act, next);
	move(r, taken, away);
	r->ip = (uint32_t)(rest ? next : inst->jip);
	return true;
}

static void count(struct reference *r, const struct gen_inst *inst, uint32_t act)
{
	uint32_t range = inst->exec_size == 32 ? ~0u : (1u << inst->exec_size) - 1;
	uint32_t all = range << inst->channel_offset & (inst->no_mask ? ~0u : act), on = all;

	if (inst->op != GEN_OP_sel)
		on &= predicate_channels(r, inst);
	r->counts[r->ip].executions++;
	for (unsigned n = 0; n < 32; n++)
		r->counts[r->ip].channels += on >> n & 1;
	r->counts[r->ip].splits += on != 0 && on != all;
}

static void step(struct reference *r)
{
	const struct gen_inst *inst = &r->program->inst[r->ip];
	uint32_t act = channels_at(r, r->ip);
	if (r->counts && act)
		count(r, inst, act);
	if (step_branch(r, inst))
		return;
	if (inst->op == GEN_OP_send || inst->op == GEN_OP_sendc) {
		uint32_t all = inst->exec_size == 32 ? ~0u : (1u << inst->exec_size) - 1;
		uint32_t lanes = inst->no_mask ? ~0u : act;
		lanes &= predicate_channels(r, inst);
		if (r->send(r, inst, lanes >> inst->channel_offset & all))
			r->done = 1;
	} else if (inst->op != GEN_OP_sync && inst->op != GEN_OP_nop) {
		if (!reference_alu(r, inst, act))
			fail_msg("the reference does not know %s", gen_ops[inst->op].name);
	}
	move(r, act, (int32_t)r->ip + 1);
	r->ip++;
}

void reference_run(struct reference *r, uint64_t limit)
{
	while (!r->done) {
		if (r->steps++ >= limit || r->ip >= r->program->count)
			fail_msg("the reference is lost at instruction %u of %u after %llu", r->ip,
				r->program->count, (unsigned long long)r->steps);
		step(r);
	}
}
