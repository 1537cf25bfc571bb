// SPDX-License-Identifier: MIT
/*
 * Control flow. Channels that leave wait at a label further on (thread->wait); when none is left,
 * those at the lowest label go on. No channel has an instruction pointer of its own: all labels
 * with waiting channels lie ahead, because a branch back takes the running channels along.
 */
#include <stdatomic.h>

#include "eu/ops/eu_branch.h"
#include "eu/ops/eu_generic.h"
#include "eu/ops/eu_send_uop.h"
#include "eu/ops/eu_uop_tmpl.h"

static inline uint32_t branch_channels(const struct eu_thread *t, const struct eu_uop *u)
{
	size_t predicate = EU_FLAG(U_C);
	if ((predicate & 0xff) == GEN_PRED_NONE)
		return t->act.bits & U_IMM;
	if ((predicate & 0xff) == GEN_PRED_SEQUENTIAL) {
		uint32_t bits = t->flag[U_SHIFT >> 1] >> (EU_FLAG(U_SHIFT) & 1 ? 16 : 0);
		return t->act.bits & U_IMM & (predicate >> 8 ? ~bits : bits);
	}
	return t->act.bits & U_IMM &
	       eu_predicate_bits(t->flag, U_SHIFT, predicate & 0xff, predicate >> 8);
}

static inline uint32_t branch_bits(const struct eu_thread *t, const struct eu_uop *u)
{
	size_t predicate = EU_FLAG(U_C);
	return eu_predicate_bits(t->flag, U_SHIFT, predicate & 0xff, predicate >> 8);
}

static inline void count_instructions(struct eu_thread *t, const struct eu_uop *u)
{
	t->instructions += U_COUNT;
	t->budget -= U_COUNT;
}

/* Goes on with the channels at the first label with any, or stops when there is none. */
#define RESUME                                                                                     \
	do {                                                                                       \
		uint32_t index = eu_branch_resume(t, (uint32_t)U_D);                               \
		if (index == EU_BRANCH_NOWHERE)                                                    \
			EU_STOP(EU_FAULT, U_SELF);                                                 \
		act_set(t, t->act.bits);                                                           \
		EU_GO(index);                                                                      \
	} while (0)

/* Goes on at `target`, now or (when the thread has had its turn) with its next one. */
#define GO_TARGET_OR_YIELD                                                                         \
	do {                                                                                       \
		if (t->budget <= 0)                                                                \
			EU_STOP(EU_YIELD,                                                          \
				t->uops + U_TARGET +                                               \
					(t->act.bits == t->full ? 0 : (size_t)t->uop_count));      \
		EU_GO_TARGET;                                                                      \
	} while (0)

HANDLER(uop_count)
{
	count_instructions(t, u);
	EU_NEXT;
}

HANDLER(uop_label)
{
	count_instructions(t, u);
	uint32_t waiting = t->wait[U_LABEL];
	if (waiting == 0)
		EU_NEXT;
	t->wait[U_LABEL] = 0;
	act_set(t, t->act.bits | waiting);
	EU_GO_TARGET;
}

HANDLER(uop_leave)
{
	count_instructions(t, u);
	uint32_t away = branch_channels(t, u);
	if (away == 0)
		EU_NEXT;
	t->wait[U_LABEL] |= away;
	uint32_t rest = t->act.bits & ~away;
	t->act.bits = rest;
	if (rest == 0)
		RESUME;
	act_set(t, rest);
	EU_GO_TARGET;
}

HANDLER(uop_loop)
{
	count_instructions(t, u);
	uint32_t back = branch_channels(t, u), away = t->act.bits & ~back;
	if (away != 0) {
		t->wait[U_LABEL] |= away;
		t->act.bits = back;
		if (back == 0)
			RESUME;
		act_set(t, back);
	}
	GO_TARGET_OR_YIELD;
}

HANDLER(uop_jump)
{
	count_instructions(t, u);
	if (!(branch_bits(t, u) >> U_B & 1))
		EU_NEXT;
	GO_TARGET_OR_YIELD;
}

HANDLER(uop_skip)
{
	count_instructions(t, u);
	if (!(branch_bits(t, u) >> U_B & 1))
		EU_NEXT;
	t->wait[U_LABEL] |= t->act.bits;
	t->act.bits = 0;
	RESUME;
}

HANDLER(uop_call)
{
	count_instructions(t, u);
	uint32_t callers = branch_channels(t, u);
	if (callers == 0)
		EU_NEXT;
	if (!eu_branch_call(t, U_SELF))
		EU_STOP(EU_FAULT, U_SELF);
	act_set(t, callers);
	GO_TARGET_OR_YIELD;
}

HANDLER(uop_call_far)
{
	EU_CALL_OUT;
	return eu_branch_call_far(t, U_SELF);
}

HANDLER(uop_probe)
{
	EU_CALL_OUT;
	t->held = false;
	if (t->kernel->probe)
		t->kernel->probe->step(t->kernel->probe, t, U_IMM);
	if (t->held)
		EU_STOP(EU_YIELD, U_SELF);
	EU_NEXT;
}

HANDLER(uop_keep)
{
	if (t->worker->keep) {
		EU_CALL_OUT;
		t->worker->keep(t);
	}
	EU_NEXT;
}

#define TALLIES ((uint64_t *)(void *)((char *)t->tallies + U_IMM))

/* How many bits of each byte are set, in that byte. */
static inline uint32_t count_bits(uint32_t bits)
{
	bits -= bits >> 1 & 0x55555555;
	bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
	return (bits + (bits >> 4)) & 0x0f0f0f0f;
}

HANDLER(uop_tally_full)
{
	TALLIES[EU_TALLY_FULL]++;
	EU_NEXT;
}

HANDLER(uop_tally_part)
{
	uint32_t on = count_bits(t->act.bits);
	uint64_t *tallies = TALLIES;
	tallies[EU_TALLY_PART]++;
	for (unsigned i = 0; i < 4; i++)
		tallies[EU_TALLY_CHANNELS + i] += on >> 8 * i & 0xff;
	EU_NEXT;
}

HANDLER(uop_tally_bits)
{
	uint32_t all = U_TARGET & (EU_FLAG(U_A) ? t->act.bits : UINT32_MAX);
	uint32_t on = all;
	if ((EU_FLAG(U_C) & 0xff) != GEN_PRED_NONE)
		on &= branch_bits(t, u);
	uint64_t *tallies = TALLIES;
	tallies[EU_TALLY_ON] += count_bits(on) * 0x01010101u >> 24;
	tallies[EU_TALLY_SPLIT] += on != 0 && on != all;
	EU_NEXT;
}

/* A message of one address touches the lines of the cache from there on, or no two banks. */
HANDLER(uop_tally_one)
{
	const struct eu_surface *surface = (const void *)((const char *)t->worker->surfaces + U_C);
	uint64_t *tallies = (uint64_t *)(void *)((char *)t->tallies + U_TARGET);
	size_t space = EU_FLAG(U_B) & 0xff, bytes = EU_FLAG(U_SHIFT);
	uint64_t at = *(const uint32_t *)(const void *)((const char *)t + U_A);
	if (space == EU_TALLY_SURFACE && (!surface->state || surface->is_scratch)) {
		EU_CALL_OUT;
		t->kernel->probe->step(t->kernel->probe, t, U_IMM);
		EU_NEXT;
	}
	at = (at << (EU_FLAG(U_B) >> 8)) + surface->base;
	tallies[EU_TALLY_NEAR]++;
	if (space == EU_TALLY_SURFACE)
		tallies[EU_TALLY_MORE] += ((at + bytes) >> 6) - (at >> 6) + 1;
	EU_NEXT;
}

HANDLER(uop_return)
{
	count_instructions(t, u);
	uint32_t rest = t->act.bits & ~branch_channels(t, u);
	if (rest != 0) {
		act_set(t, rest);
		EU_GO_TARGET;
	}
	uint32_t index = eu_branch_return(t, U_SELF);
	if (index == EU_BRANCH_NOWHERE)
		EU_STOP(EU_FAULT, U_SELF);
	act_set(t, t->act.bits);
	EU_GO(index);
}

HANDLER(uop_unless)
{
	if (predicate_channels(t, u) >> U_IMM & 1)
		EU_NEXT;
	EU_PAST;
}

HANDLER(uop_barrier)
{
	if (t->barrier_pending && t->group->generation == t->barrier_generation)
		EU_STOP(EU_BLOCKED, U_SELF);
	t->barrier_pending = false;
	EU_NEXT;
}

HANDLER(uop_meet)
{
	EU_CALL_OUT;
	if (!eu_dpas_meet(t, &t->kernel->generics[U_IMM].inst))
		EU_STOP(EU_BLOCKED, U_SELF);
	EU_NEXT;
}

HANDLER(uop_generic)
{
	EU_CALL_OUT;
	eu_generic_run(t, &t->kernel->generics[U_IMM]);
	EU_NEXT;
}

HANDLER(uop_send)
{
	EU_CALL_OUT;
	enum eu_status status = eu_send_execute(t, U_SELF);
	if (__builtin_expect(status != EU_RUN, 0)) {
		count_instructions(t, u);
		EU_STOP(status, U_SELF);
	}
	EU_NEXT;
}

HANDLER(send_plain_F)
{
	const struct eu_send *send = &t->kernel->sends[U_IMM];
	EU_CALL_OUT;
	enum eu_status status = send->run(t, send, U_TARGET);
	if (__builtin_expect(status != EU_RUN, 0))
		EU_STOP(eu_send_stops(t, send, status), U_SELF);
	EU_NEXT;
}

HANDLER(send_plain_M)
{
	const struct eu_send *send = &t->kernel->sends[U_IMM];
	EU_CALL_OUT;
	uint32_t on;
	memcpy(&on, (const char *)t + U_A, sizeof(on));
	enum eu_status status = send->run(t, send, on >> U_SHIFT & U_TARGET);
	if (__builtin_expect(status != EU_RUN, 0))
		EU_STOP(eu_send_stops(t, send, status), U_SELF);
	EU_NEXT;
}

HANDLER(uop_end)
{
	count_instructions(t, u);
	if (t->sweep.groups && t->act.bits == t->full && !t->barrier_pending) {
		t->budget = EU_SLICE;
		EU_CONTINUE(t->sweep.again);
	}
	EU_STOP(EU_DONE, U_SELF);
}

HANDLER(uop_order)
{
	atomic_thread_fence(memory_order_release);
	memset((char *)t + U_D, 0, GEN_GRF_BYTES);
	EU_NEXT;
}

HANDLER(uop_fault)
{
	eu_send_fault(t, U_IMM);
	EU_STOP(EU_FAULT, U_SELF);
}
