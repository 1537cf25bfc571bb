// SPDX-License-Identifier: MIT
#ifndef CORPUS_MATH_H
#define CORPUS_MATH_H

#include <stdbool.h>
#include <stddef.h>

/* The functions of numbers with a point, and what they should give. */

struct math_type {
	const char *name, *bits, *integer; /* of OpenCL C; integers of the same size */
	const char *sign;		   /* the highest bit */
	unsigned size;
	int digits, least; /* of the significand; exponent of the least denormal number */
	long double largest;
};

/* What a reference may want to know besides its operands. */
extern struct math_item {
	int k;	  /* the integer operand */
	int step; /* elements of a vector, 4 for one of 3 */
	const struct math_type *type;
} math_item;

enum {
	NEAR = 1,     /* operands of ordinary size */
	POSITIVE = 2, /* without a sign */
	SCALAR = 4,   /* makes vectors itself */
	ORDERED = 8,  /* undefined for NaN */
	FINITE = 16,  /* undefined for infinity and NaN, too, and where the result is NaN */
	NOT_ZERO = 32,
	HEAVY = 64,  /* takes the compiler seconds to minutes with emulated doubles */
	QUICK = 128, /* but of these the least */
};

/*
 * `call` is the expression over x, y, z of type T (elements S) and the integer k of type K; NULL:
 * name(x, y, z). Bounds are in units of the last place, section 7.4 of OpenCL C 3.0; below 0: not
 * for that type.
 */
struct math_function {
	const char *name, *call;
	unsigned arity;
	float ulp, half_ulp, double_ulp;
	unsigned flags;
	long double (*one)(long double);
	long double (*two)(long double, long double);
	long double (*three)(long double, long double, long double);
};
extern const struct math_function math_functions[];
extern const size_t math_function_count;

#endif
