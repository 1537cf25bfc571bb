// SPDX-License-Identifier: MIT
#ifndef TESTS_SG_TYPE_H
#define TESTS_SG_TYPE_H

#include <stdint.h>

/* Scalar types of OpenCL C as the sub-group built-ins take them, and arithmetic on their values. */

enum sg_type_id {
	SG_CHAR,
	SG_UCHAR,
	SG_SHORT,
	SG_USHORT,
	SG_INT,
	SG_UINT,
	SG_LONG,
	SG_ULONG,
	SG_HALF,
	SG_FLOAT,
	SG_DOUBLE, /* Tiger Lake has none */
	SG_N_TYPES
};

enum sg_kind { SG_SIGNED, SG_UNSIGNED, SG_REAL };

struct sg_type {
	const char *name;
	unsigned size; /* bytes of a scalar */
	enum sg_kind kind;
};

extern const struct sg_type sg_types[SG_N_TYPES];

/* Sets of types: bits by sg_type_id. */
#define SG_SET(id)   (1u << (id))
#define SG_INTEGERS  0xffu
#define SG_REALS     (SG_SET(SG_HALF) | SG_SET(SG_FLOAT))
#define SG_SCALARS   (SG_INTEGERS | SG_REALS)
#define SG_ALL_TYPES (SG_SCALARS | SG_SET(SG_DOUBLE))
#define SG_SMALL     0x0fu /* char … ushort */
#define SG_WIDE	     (SG_SCALARS & ~SG_SMALL)

enum sg_op {
	SG_ADD,
	SG_MUL,
	SG_MIN,
	SG_MAX,
	SG_AND,
	SG_OR,
	SG_XOR,
	SG_LOGICAL_AND,
	SG_LOGICAL_OR,
	SG_LOGICAL_XOR
};

/* A scalar: `i` holds integers, sign- or zero-extended, `f` holds half and float. */
struct sg_value {
	uint64_t i;
	double f;
};

struct sg_value sg_load(enum sg_type_id type, const void *bytes);
void sg_store(enum sg_type_id type, struct sg_value value, void *bytes);

/* The operation's result and its identity, in the type's own arithmetic (integers wrap). */
struct sg_value sg_apply(enum sg_type_id type, enum sg_op op, struct sg_value a, struct sg_value b);
struct sg_value sg_identity(enum sg_type_id type, enum sg_op op);

/* Halves as bits. sg_half_bits rounds to nearest, ties to even. */
double sg_half_value(uint16_t bits);
uint16_t sg_half_bits(double value);

/*
 * A random scalar. For moves (`op` negative) any bits that are no NaN; for an operation values
 * whose result does not depend on the order: sums of halves and floats stay exact, products too.
 */
void sg_random_value(enum sg_type_id type, int op, uint64_t *state, void *bytes);

#endif
