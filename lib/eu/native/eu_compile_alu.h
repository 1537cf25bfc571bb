// SPDX-License-Identifier: MIT
#ifndef EU_COMPILE_ALU_H
#define EU_COMPILE_ALU_H

#include "eu/native/eu_compile.h"
#include "eu/ops/eu_effect.h"

/* What the files that translate arithmetic share. */

/* How a result comes from sources a, b, c; `op` is the instruction, `number` its last byte. */
enum form {
	NO_CODE,
	ONE,	  /* op(a) */
	ROUND,	  /* op(a, number) */
	CONSTANT, /* op(a, constant `number`) */
	NOT,
	NEGATE,
	LOW,	/* op(a, constant `number`), a at any byte */
	EXTEND, /* the sign of all but `number` bits, a at any byte */
	SATURATE,
	INTEGER, /* of a float; without a sign if number is 1 */
	MATH,	 /* op(a), or op(1, a) if number is 1, in plain modes */
	TWO,	 /* op(a, b) */
	EXTREME, /* a where it is a number and compares by `number`, or b is none; else b */
	SHIFT,	 /* op(a, b & 31), or by the number b */
	ROTATE,	 /* by the number b */
	FMA,	 /* op(a; b, c), into a */
	MULTIPLY_ADD,
	COMPARE_F, /* by predicate `number` */
	SAME,	   /* integers: op(a, b) == b; inverted if number is 1 */
	GREATER,   /* op(a, b), with a and b exchanged if number & 2, inverted if number & 1 */
	WIDEN,	   /* op of memory, number bytes for eight */
	NARROW_16, /* to words; 1: of which the low byte is written; 2: floats to halves */
	NARROW_8,
	NARROW_IN,    /* op(…, constant `number`): bits of dwords */
	NARROW_IN_64, /* dwords to every other one, either the low ones of quadwords or not */
	CARRY, /* op(a, b); the carry unless extreme `number` of result and a is the result */
	KNOWN,
	SELECT,
	FLAGS,
	PREDICATE,
	CLEAR,
	COPY,	   /* one element of `number` bytes */
	ALTERNATE, /* dwords of quadwords, by the order `number` */
	FROM_HALF,
	TO_HALF,
	NEAREST_HALF,
	MAD_HALF,
	PRODUCT, /* of 64 bits, to the accumulator */
};

/* The last columns of a row of uop.def. */
struct eu_columns {
	uint8_t form, number;
	uint32_t op;
	uint8_t scalar; /* general registers: the instruction for one channel; 0: none */
};

#define SUBTRACT   EU_VEX(1, 1, 0xfa)
#define BLEND	   EU_VEX(1, 3, 0x4a)
#define COMPARE_PS EU_VEX(0, 1, 0xc2)
#define SUBTRACT_F EU_VEX(0, 1, 0x5c)
#define GREATER_I  EU_VEX(1, 1, 0x66)
#define TO_HALVES  EU_VEX(1, 3, 0x1d) /* from reg to rm, by the mode if the number is IN_MODE */
#define HALF_OF	   EU_VEX(1, 3, 0x39) /* vextracti128: from reg to rm */
#define HALF_INTO  EU_VEX(1, 3, 0x38)

enum { TO_NEAREST = 0, IN_MODE = 4 };

enum { BY_RIGHT = 2, BY_SIGN = 4, BY_LEFT = 6 };

static inline void eu_compile_shift(
	struct eu_translator *s, unsigned kind, int d, int a, unsigned number)
{
	eu_vector_number(s->c, EU_V_SHIFT_BY, (int)kind, d, a, number);
}

/* d = the mask m ? a : b */
static inline void eu_compile_blend(struct eu_translator *s, int d, int m, int a, int b)
{
	eu_vector_number(s->c, BLEND, d, b, a, (unsigned)m << 4);
}

/* The last columns of the row of a micro-operation. */
const struct eu_columns *eu_compile_row(const struct eu_uop *u);
/* The value of an operand that is a constant of the kernel; false: it is none. */
bool eu_compile_constant(const struct eu_translator *s, unsigned offset, uint32_t *value);

/* Eight lanes of source `number` (0: a), in a register; -1: it is no lanes. */
int eu_compile_operand(
	struct eu_translator *s, const struct eu_uop *u, unsigned number, unsigned half);

/*
 * Translates arithmetic by lanes where one half reads what the other writes, or where it must be
 * known first that the modes are plain: both halves are computed before either is there.
 */
bool eu_compile_both_halves(struct eu_translator *s, const struct eu_columns *row,
	const struct eu_uop *u, unsigned channels);

/* Translates what reads or writes other elements than dwords, or several at once. */
bool eu_compile_width(struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u,
	unsigned channels);

/* Eight lanes of what WIDEN makes, in a register. */
int eu_compile_widened(struct eu_translator *s, const struct eu_uop *u, unsigned half);
/* NARROW_16, of eight dwords at u->a, and of eight at `other` unless that is 0. */
void eu_compile_pack(
	struct eu_translator *s, const struct eu_uop *u, unsigned other, unsigned channels);

/*
 * The low 16 bytes of the register are the elements that eight lanes are made of, from the bytes of
 * two units in a row.
 */
int eu_compile_narrow_part(struct eu_translator *s, unsigned offset);

/* Words, of eight channels in the low half of r, are what a micro-operation writes. */
void eu_compile_bind_words(
	struct eu_translator *s, const struct eu_uop *u, int r, unsigned channels);

/* Two units of floats as sixteen halves in `to`; x is lost. */
void eu_compile_pack_halves(struct eu_translator *s, int to, int x, const int from[2]);
/* A half in memory to a temporary, for all lanes at once; false as above. */
bool eu_compile_spread_half(struct eu_translator *s, const struct eu_uop *u);
/* mad_h and mul_h, with the micro-operation behind it where that makes halves of their sums. */
bool eu_compile_mad_half(struct eu_translator *s, const struct eu_uop *u, unsigned channels);

#endif
