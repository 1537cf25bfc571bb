// SPDX-License-Identifier: MIT
#ifndef EU_UOP_H
#define EU_UOP_H

#include <stddef.h>

#include "eu/state/eu_thread.h"
#include "eu/ops/eu_uop_ops.h"

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
	EU_UOP_COUNT,	   /* counts instructions at the top of a loop */
	EU_UOP_LABEL,	   /* joins the channels that wait at `label` */
	EU_UOP_LEAVE,	   /* else, break, goto …: channels whose predicate holds go and wait */
	EU_UOP_LOOP,	   /* while, goto.b: where the predicate holds jump back, the rest waits */
	EU_UOP_JUMP,	   /* jmpi back: all channels, on the flag bit of channel b */
	EU_UOP_SKIP,	   /* jmpi forward: the same, through the label */
	EU_UOP_CALL,	   /* a: register pair for the return; b, label: low, high half of its ip */
	EU_UOP_RETURN,	   /* a: that register pair */
	EU_UOP_BARRIER,	   /* sync.bar */
	EU_UOP_GENERAL,	   /* imm: index into kernel->generals */
	EU_UOP_SEND,	   /* imm: index into kernel->sends; c, shift: predicate; a: mask or 0 */
	EU_UOP_SEND_PLAIN, /* without predicate or surprises; target: all its channels */
	EU_UOP_SEND_PART,  /* the same for the channels that are on; shift: the first */
	EU_UOP_END,	   /* the thread ends */
	EU_UOP_ORDER,	   /* what comes after comes after the stores so far; clears register d */
	EU_UOP_FAULT,	   /* imm: index of the instruction */
	/*
	 * Gathers from a region (a) into dwords (d), and scatters of dwords (a) out to elements
	 * (d): c is the number of channels.
	 */
	EU_UOP_GATHER_UB,
	EU_UOP_GATHER_B,
	EU_UOP_GATHER_UW,
	EU_UOP_GATHER_W,
	EU_UOP_GATHER_D,
	EU_UOP_GATHER_INDIRECT, /* b: first word of a0, imm: added to all addresses */
	EU_UOP_UNLESS, /* passes over m micro-operations unless the predicate holds for channel imm
			*/
	EU_UOP_CR0,    /* cr0.0 = (cr0.0 | imm) ^ target */
	EU_UOP_COUNT_OF,
};

/* Those that write for a set of channels: each in a form for all and a form with a mask (m). */
enum eu_masked_id {
	EU_MASKED_SCATTER_8,
	EU_MASKED_SCATTER_16,
	EU_MASKED_SCATTER_32,
	EU_MASKED_COPY_8, /* one element from a to d */
	EU_MASKED_COPY_16,
	EU_MASKED_COPY_32,
	EU_MASKED_MULTIPLY, /* acc0 = a * b in 64 bits */
	EU_MASKED_MACH,
	EU_MASKED_ADDC,
	EU_MASKED_SUBB,
	EU_MASKED_FLAGS, /* a channels' flag bits from `shift` on become b; c, imm as in compare */
	EU_MASKED_COUNT,
};

/* imm of the multiplications among these. */
enum eu_wide {
	EU_WIDE_A_SIGNED = 1,
	EU_WIDE_B_SIGNED = 2,
	EU_WIDE_HIGH = 4, /* mach writes acc0, and gives the high dword */
};

/* Predicate of a micro-operation: control, inversion. */
#define EU_PREDICATE(control, invert) ((uint16_t)((control) | (invert) << 8))

/*
 * A predicate in a micro-operation (predicate, unless): b the flag register, shift its half, c as
 * above, a: 1 to leave out the channels that are off, label: enum eu_flag_group for groups of
 * channels that lie around all that matter here, target: their bits in the half.
 */
enum eu_flag_group {
	EU_GROUP_NONE,
	EU_GROUP_ANY,
	EU_GROUP_ALL,
};

/* The micro-operations for the host's processor. */
struct eu_handlers {
	eu_handler by_id[EU_UOP_COUNT_OF];
	eu_handler masked[EU_MASKED_COUNT][2]; /* for all channels, with a mask */
	/* Last index: all channels, or a mask; the one before: which sources are scalar. */
	eu_handler unary[EU_UNARY_COUNT][EU_WIDTHS][EU_SHAPES_1][2];
	eu_handler binary[EU_BINARY_COUNT][EU_WIDTHS][EU_SHAPES_2][2];
	eu_handler ternary[EU_TERNARY_COUNT][EU_WIDTHS][EU_SHAPES_3][2];
	eu_handler compare[EU_COMPARE_KINDS][GEN_COND_LE + 1][EU_WIDTHS][EU_SHAPES_2][2];
	eu_handler select[EU_WIDTHS][EU_SHAPES_2 + 1][2];
	eu_handler flags[EU_WIDTHS][2]; /* fills d with what the flag bits from `shift` on say */
	eu_handler predicate[EU_WIDTHS];
	eu_handler widen[EU_WIDEN_COUNT][EU_WIDTHS];  /* contiguous narrow integers to dwords */
	eu_handler math[EU_MATH_COUNT][EU_WIDTHS][2]; /* imm: the same in kernel->generals */
	/* Surfaces, local memory; loads, stores; the dwords of a lane; all lanes, some. Or NULL. */
	eu_handler message[2][2][16][2];
};

extern const struct eu_handlers eu_handlers_base, eu_handlers_avx2, eu_handlers_avx512;

/* Instruction sets of the host that code is made for. Those after the first are of x86-64 only. */
enum eu_host { EU_HOST_BASE, EU_HOST_AVX2, EU_HOST_AVX512, EU_HOSTS };

/*
 * The best that the host's processor has, unless ZEROCL_VGPU_ENGINE, which is looked at each time,
 * asks for a lesser one.
 */
enum eu_host eu_host_select(void);
const struct eu_handlers *eu_handlers_of(enum eu_host host);
const struct eu_handlers *eu_handlers_select(void);

#define EU_OFFSET(member) ((uint16_t)offsetof(struct eu_thread, member))

/*
 * The bits of a flag register, seen from its 16-bit half `flag` on, that a predicate lets through:
 * bit n for channel n.
 */
uint32_t eu_predicate_bits(const uint32_t flags[2], unsigned flag, unsigned predicate, bool invert);

#endif
