// SPDX-License-Identifier: MIT
#ifndef EU_ATOMIC_H
#define EU_ATOMIC_H

#include <stdint.h>

/*
 * The operations of atomic messages, on host memory and atomic there: other host threads and other
 * EU threads see all of an operation or nothing. Sequentially consistent, except that one that
 * changes nothing is a load: what orders it behind earlier stores are fences, which are messages of
 * their own.
 */

/* Integer operations, as desc[11:8] numbers them. */
enum eu_atomic_int {
	EU_ATOMIC_CMPWR_2W, /* two words on a pair: not implemented */
	EU_ATOMIC_AND,
	EU_ATOMIC_OR,
	EU_ATOMIC_XOR,
	EU_ATOMIC_MOV,
	EU_ATOMIC_INC,
	EU_ATOMIC_DEC,
	EU_ATOMIC_ADD,
	EU_ATOMIC_SUB,
	EU_ATOMIC_REVSUB, /* operand - old */
	EU_ATOMIC_IMAX,
	EU_ATOMIC_IMIN,
	EU_ATOMIC_UMAX,
	EU_ATOMIC_UMIN,
	EU_ATOMIC_CMPWR,  /* old == a ? b : old */
	EU_ATOMIC_PREDEC, /* returns what it stored */
	EU_ATOMIC_INTS
};

/*
 * Float operations, as desc[10:8] numbers them. Data port 1 adds from Xe-HPG on, and only the
 * load-store cache subtracts.
 */
enum eu_atomic_float {
	EU_ATOMIC_FMAX = 1, /* a NaN loses */
	EU_ATOMIC_FMIN = 2,
	EU_ATOMIC_FCMPWR = 3, /* old == a as floats ? b : old */
	EU_ATOMIC_FADD,	      /* in the host's modes */
	EU_ATOMIC_FSUB,
	EU_ATOMIC_FLOATS
};

/*
 * Does one operation of that width (of the operand a, and b) on the naturally aligned integer or
 * float at `memory` and returns, zero-extended, what the message gives back: the old value, but for
 * PREDEC.
 */
typedef uint64_t (*eu_atomic_fn)(void *memory, uint64_t a, uint64_t b);

/* The function of an operation on 2, 4 or 8 bytes; NULL when there is none. */
eu_atomic_fn eu_atomic_int(unsigned op, unsigned bytes);
/* The function of an operation on a half (2 bytes) or a float (4); NULL when there is none. */
eu_atomic_fn eu_atomic_float(unsigned op, unsigned bytes);

/* How many operands an integer operation takes: 0, 1 or 2. */
unsigned eu_atomic_int_operands(unsigned op);

#endif
