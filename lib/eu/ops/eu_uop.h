// SPDX-License-Identifier: MIT
#ifndef EU_UOP_H
#define EU_UOP_H

#include <stddef.h>

#include "eu/state/eu_host.h"
#include "eu/state/eu_thread.h"

struct eu_uop;

/*
 * Executes a micro-operation and those that follow it. Returns NULL when the run has ended
 * (thread->status and thread->resume are set), otherwise the micro-operation to go on with.
 */
typedef const struct eu_uop *(*eu_handler)(struct eu_thread *t, const struct eu_uop *u);

/*
 * One micro-operation. What it is, its code says; `run` says what executes it. Operands that are
 * places are byte offsets from the start of struct eu_thread (uop.def says which are).
 *
 * Branches: imm the channels that it applies to, c the predicate (EU_PREDICATE), shift its flag
 * (16-bit half), label where channels wait, d the first label to look at when no channel is left,
 * target the micro-operation to jump to.
 *
 * Predicates (predicate, unless): b the flag register, shift its half, c the predicate, a: 1 to
 * leave out the channels that are off, group: enum eu_flag_group, target: the group's bits.
 */
struct eu_uop {
	eu_handler run;
	uint16_t code; /* EU_UOP_… and the variant (eu_uop_code) */
	union {
		uint16_t d;    /* destination */
		uint16_t past; /* unless: micro-operations to pass over */
	};
	uint16_t a, b, c; /* sources */
	union {
		uint16_t m;	/* first lane of the write mask */
		uint16_t label; /* branches */
		uint16_t group; /* predicates */
	};
	uint16_t shift; /* first bit in the flags; first channel */
	uint16_t count; /* instructions that end with this micro-operation */
	uint32_t imm;
	uint32_t target; /* index of a micro-operation in its stream */
};

/* Variants of a row: handlers for one, eight and sixteen channels; shapes; without, with a mask. */
enum {
	EU_VARIANTS_PLAIN = 1,
	EU_VARIANTS_MASKED = 2,
	EU_VARIANTS_LANES = 3,
	EU_VARIANTS_LANES_MASKED = 6,
	EU_VARIANTS_UNARY = 10,
	EU_VARIANTS_BINARY = 14,
	EU_VARIANTS_TERNARY = 30,
	EU_VARIANTS_SELECT = 18,
	EU_VARIANTS_MESSAGE = 4,
};

/* The code of each row's first variant, and of its last. */
enum {
#define ROW(name, form, ...)                                                                       \
	EU_UOP_##name, EU_UOP_##name##_last = EU_UOP_##name + EU_VARIANTS_##form - 1,
#include "eu/ops/uop.def"
	EU_UOP_CODES
};

/* How many channels a handler does at once. */
enum eu_width { EU_WIDTH_1, EU_WIDTH_8, EU_WIDTH_16 };

/*
 * The code of the variant without a mask; the one with a mask, if the row has any, is the next.
 * Bit n of `shape` is set when source n is one value for all channels; not all of them are, unless
 * the row is unary or select.
 */
uint16_t eu_uop_code(unsigned row, enum eu_width width, unsigned shape);

/* Kinds of comparison, in the order of their rows. */
enum eu_compare_kind { EU_COMPARE_f, EU_COMPARE_i, EU_COMPARE_u };

/* The row that compares in this way; cond from GEN_COND_EQ to GEN_COND_LE. */
static inline unsigned eu_uop_compare(enum eu_compare_kind kind, enum gen_cond cond)
{
	return EU_UOP_cmp_f_eq + (kind * 6 + cond - GEN_COND_EQ) * EU_VARIANTS_BINARY;
}

/* imm of multiply and mach. */
enum eu_wide {
	EU_WIDE_A_SIGNED = 1,
	EU_WIDE_B_SIGNED = 2,
	EU_WIDE_HIGH = 4, /* mach writes acc0, and gives the high dword */
};

/* Predicate of a micro-operation: control, inversion. */
#define EU_PREDICATE(control, invert) ((uint16_t)((control) | (invert) << 8))

/* Groups of channels of a predicate that lie around all channels that matter. */
enum eu_flag_group { EU_GROUP_NONE, EU_GROUP_ANY, EU_GROUP_ALL };

/* -- What the rows say ---------------------------------------------------------------------- */

/* What a field of struct eu_uop stands for: no place, or how many bytes are there. */
enum eu_operand {
	EU_OPERAND_NONE,
	EU_OPERAND_NUMBER,
	EU_OPERAND_BYTE,
	EU_OPERAND_WORD,
	EU_OPERAND_DWORD,
	EU_OPERAND_BITS,     /* a dword, if the variant has a mask */
	EU_OPERAND_PAIR,     /* two dwords */
	EU_OPERAND_REGISTER, /* 32 bytes */
	EU_OPERAND_LANES,    /* a dword for each channel, or one if the shape says so */
	EU_OPERAND_LANES_8,  /* a byte for each channel */
	EU_OPERAND_LANES_16, /* a word */
	EU_OPERAND_LANES_64, /* a quadword */
	EU_OPERAND_MASK,     /* a dword for each channel, 0 or -1 */
	EU_OPERAND_DWORDS,   /* c dwords */
	EU_OPERAND_REGION_8, /* c elements, rows and columns apart as imm says */
	EU_OPERAND_REGION_16,
	EU_OPERAND_REGION_32,
	EU_OPERAND_ELEMENTS_8, /* c elements, imm bytes apart */
	EU_OPERAND_ELEMENTS_16,
	EU_OPERAND_ELEMENTS_32,
	EU_OPERAND_PAYLOAD, /* registers, as kernel->sends[imm] says */
};

/* Parts of a thread's state, and memory. */
enum eu_state {
	EU_FLAGS = 1,
	EU_ACC = 2, /* all of the accumulators, with their high halves */
	EU_ACT = 4, /* the channels that are on and those that wait */
	EU_PM = 8,  /* the expanded predicate */
	EU_A0 = 16,
	EU_CR = 32,
	EU_GRF = 64, /* any general register */
	EU_MEMORY = 128,
	/* What lanes of a kind depend on besides: floats on the modes. */
	EU_READS_f = EU_CR,
	EU_READS_i = 0,
	EU_READS_u = 0,
};

enum eu_action {
	EU_DOES_BRANCH = 1, /* may go on elsewhere than at the next micro-operation */
	EU_DOES_SEND = 2,   /* calls what is not a micro-operation: a message, a probe */
	EU_DOES_YIELD = 4,  /* may end the run, to be gone on with */
	EU_DOES_FAULT = 8,
	EU_DOES_GENERIC = 16, /* reads and writes what kernel->generics[imm] does */
	EU_DOES_LOOP = 32,    /* goes from channel to channel */
};

struct eu_uop_info {
	const char *name;
	uint16_t first; /* code */
	uint8_t shapes; /* of those for several channels; 0: the row has no widths */
	bool masked;
	uint8_t operand[4]; /* enum eu_operand of d, a, b, c */
	uint8_t reads, writes, does;
};

/* The row of a code. */
const struct eu_uop_info *eu_uop_info(unsigned code);

/* Channels of a variant, and in *shape its shape; 1 for rows without widths. */
unsigned eu_uop_channels(unsigned code, unsigned *shape);

/* "add_f.16.SC.m": row, channels, which sources are scalar, whether it has a mask. */
void eu_uop_name(unsigned code, char *text, size_t size);

/* Bytes of struct eu_thread. */
struct eu_span {
	uint16_t first, bytes;
};

/*
 * The bytes that operand `number` (0: d … 3: c, 4: the mask) of a micro-operation reaches, all
 * between the first and the last included. No bytes: it is no place, or not used.
 */
struct eu_span eu_uop_span(const struct eu_uop *u, unsigned number);

/* -- Handlers ------------------------------------------------------------------------------- */

/* The handlers for one instruction set of the host; NULL: there is none. */
struct eu_handlers {
	eu_handler by_code[EU_UOP_CODES];
};

extern const struct eu_handlers eu_handlers_base, eu_handlers_avx2, eu_handlers_avx512;

const struct eu_handlers *eu_handlers_of(enum eu_host host);

#define EU_OFFSET(member) ((uint16_t)offsetof(struct eu_thread, member))

/*
 * The bits of a flag register, seen from its 16-bit half `flag` on, that a predicate lets through:
 * bit n for channel n.
 */
uint32_t eu_predicate_bits(const uint32_t flags[2], unsigned flag, unsigned predicate, bool invert);

#endif
