// SPDX-License-Identifier: MIT
#ifndef EU_UOP_H
#define EU_UOP_H

#include <stddef.h>

#include "eu/eu_thread.h"

struct eu_uop;

/*
 * Executes a micro-operation and whatever follows it. Returns NULL when the run has ended
 * (thread->status and thread->resume are set), otherwise the micro-operation to go on with.
 */
typedef const struct eu_uop *(*eu_handler)(struct eu_thread *t, const struct eu_uop *u);

/* One micro-operation. Operands are byte offsets from the start of struct eu_thread. */
struct eu_uop {
	eu_handler run;
	uint16_t d, a, b, c; /* destination and sources */
	uint16_t m;	     /* first lane of the write mask */
	uint16_t shift;	     /* first bit in the flags; first channel */
	uint32_t imm;
	uint32_t target; /* index of a micro-operation in its stream */
	uint16_t label;	 /* where channels are sent to wait */
	uint16_t count;	 /* instructions that end with this micro-operation */
};

/*
 * Control flow and whole instructions. Branches use: imm the channels in reach, c the predicate
 * (EU_PREDICATE), shift its flag (16-bit half), label where channels go to wait, d the first label
 * to look at when no channel is left, target the micro-operation to jump to.
 */
enum eu_uop_id {
	EU_UOP_COUNT,	/* counts instructions at the top of a loop */
	EU_UOP_LABEL,	/* joins the channels that wait at `label` */
	EU_UOP_LEAVE,	/* else, break, goto …: channels whose predicate holds go and wait */
	EU_UOP_LOOP,	/* while, goto.b: where the predicate holds jump back, the rest waits */
	EU_UOP_JUMP,	/* jmpi back: all channels, on the flag bit of channel b */
	EU_UOP_SKIP,	/* jmpi forward: the same, through the label */
	EU_UOP_CALL,	/* a: register pair for the return; b, label: low, high half of its ip */
	EU_UOP_RETURN,	/* a: that register pair */
	EU_UOP_BARRIER, /* sync.bar */
	EU_UOP_GENERAL, /* imm: index into kernel->generals */
	EU_UOP_SEND,	/* imm: index into kernel->sends; c, shift: predicate; a: mask or 0 */
	EU_UOP_FAULT,	/* imm: index of the instruction */
	EU_UOP_COUNT_OF,
};

/* Predicate of a micro-operation: control, inversion. */
#define EU_PREDICATE(control, invert) ((uint16_t)((control) | (invert) << 8))

/* The micro-operations for the host's processor. */
struct eu_handlers {
	eu_handler by_id[EU_UOP_COUNT_OF];
};

extern const struct eu_handlers eu_handlers_base, eu_handlers_avx2;
const struct eu_handlers *eu_handlers_select(void);

#define EU_OFFSET(member) ((uint16_t)offsetof(struct eu_thread, member))

/*
 * The bits of a flag register, seen from its 16-bit half `flag` on, that a predicate lets through:
 * bit n for channel n.
 */
uint32_t eu_predicate_bits(const uint32_t flags[2], unsigned flag, unsigned predicate, bool invert);

#endif
