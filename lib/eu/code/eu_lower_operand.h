// SPDX-License-Identifier: MIT
#ifndef EU_LOWER_OPERAND_H
#define EU_LOWER_OPERAND_H

#include "eu/code/eu_lower.h"

/* Operands of instructions that get micro-operations of their own (eu_lower_alu.c). */

/* What is known of the integers in a source's dwords. */
enum eu_alu_sign { EU_SIGN_ANY, EU_SIGN_SIGNED, EU_SIGN_UNSIGNED };

/* A source where micro-operations can read it: dwords, one for all channels or one for each. */
struct eu_alu_source {
	uint16_t offset;
	bool scalar;
	enum eu_alu_sign sign;
};

/* An instruction on its way. */
struct eu_alu {
	struct eu_lowering *l;
	const struct gen_inst *inst;
	unsigned count;	     /* channels */
	enum eu_width width; /* of the handlers */
	bool is_float;	     /* sources are float: halves become floats on their way */
	bool predicated;     /* the predicate masks (it does not choose) */
	unsigned temps;	     /* in use */
	struct eu_alu_source source[3];
};

/* The last step of a result: `code` computes it from uop's sources into the right place. */
struct eu_alu_step {
	unsigned code; /* without a mask; the variant with one is the next */
	struct eu_uop uop;
};

/* A new temporary: a dword for each channel. */
uint16_t eu_alu_temp(struct eu_alu *a);

/* The place of `count` constants in the kernel's pool; false when the pool is full. */
bool eu_alu_constants(struct eu_alu *a, const uint32_t *values, unsigned count, uint16_t *offset);

/* Stride of a region that is one line, in elements; -1 when it is not. */
int eu_alu_line_stride(const struct gen_operand *o, unsigned count);

/* Emits what does the same whichever channels are on. */
void eu_alu_emit(struct eu_alu *a, unsigned code, struct eu_uop uop);

/* Emits what writes for the channels that the instruction writes; `code` is that without a mask. */
void eu_alu_emit_masked(struct eu_alu *a, unsigned code, struct eu_uop uop);

/*
 * Makes source `index` readable in a->source[index], without its modifiers when the caller takes
 * those. False when it takes the general path.
 */
bool eu_alu_load(struct eu_alu *a, unsigned index, bool takes_modifiers);

/* Replaces a source by the operation's result in a temporary, or by itself for each channel. */
void eu_alu_unary(struct eu_alu *a, unsigned op, struct eu_alu_source *s);
void eu_alu_spread(struct eu_alu *a, struct eu_alu_source *s);

/* Combines a source with a constant by a binary row; false when the pool is full. */
bool eu_alu_limit(struct eu_alu *a, unsigned row, uint32_t limit, struct eu_alu_source *s);

/* Where a direct operand begins in struct eu_thread. */
unsigned eu_alu_operand_start(const struct gen_operand *o);

bool eu_alu_dst_is_null(const struct gen_inst *inst);

/* Can a lane-wise handler of the instruction's width write the destination itself? */
bool eu_alu_dst_is_direct(const struct eu_alu *a);

/* Sends dwords from a temporary out to a destination that handlers cannot write themselves. */
void eu_alu_scatter(struct eu_alu *a, uint16_t from);

/* Flag bits from here on belong to the instruction's channels; false when they run over. */
bool eu_alu_flag_shift(const struct eu_alu *a, unsigned flag, uint16_t *shift);

/* Sets flags by comparing two sources. */
void eu_alu_compare(struct eu_alu *a, enum eu_compare_kind kind, unsigned cond,
	const struct eu_alu_source *x, const struct eu_alu_source *y);

/* Has the instruction an operand of 64-bit integers? */
bool eu_alu_is_quad(const struct gen_inst *inst);

/* Lowers one that has; false when it takes the generic path. */
bool eu_lower_quad(struct eu_alu *a);

/* The last step of a bfn whose sources are loaded; false when it takes the generic path. */
bool eu_alu_bfn(struct eu_alu *a, struct eu_alu_step *step);

/* Emits the step that computes the result, with saturation, destination and flags. */
bool eu_alu_finish(struct eu_alu *a, struct eu_alu_step step);

#endif
