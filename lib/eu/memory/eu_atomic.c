// SPDX-License-Identifier: MIT
#include "eu/memory/eu_atomic.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "eu/state/eu_half.h"

#define SEQ __ATOMIC_SEQ_CST

/* One that the host does in one instruction. */
#define DIRECT(name, type, builtin, operand)                                                       \
	static uint64_t name(void *memory, uint64_t a, uint64_t b)                                 \
	{                                                                                          \
		(void)a;                                                                           \
		(void)b;                                                                           \
		return builtin((type *)memory, (type)(operand), SEQ);                              \
	}

/*
 * One that computes `expression` of `old`, x = a and y = b, as often as it takes. What changes
 * nothing writes nothing, and does not take the line from others.
 */
#define COMPUTED(name, type, signed_type, expression)                                              \
	static uint64_t name(void *memory, uint64_t a, uint64_t b)                                 \
	{                                                                                          \
		type *p = memory, old = __atomic_load_n(p, SEQ), next;                             \
		const type x = (type)a, y = (type)b;                                               \
                                                                                                   \
		(void)x;                                                                           \
		(void)y;                                                                           \
		do                                                                                 \
			next = (type)(expression);                                                 \
		while (next != old &&                                                              \
			!__atomic_compare_exchange_n(p, &old, next, true, SEQ, SEQ));              \
		return old;                                                                        \
	}

#define INT_OPERATIONS(bits, type, signed_type)                                                    \
	DIRECT(and_##bits, type, __atomic_fetch_and, a)                                            \
	DIRECT(or_##bits, type, __atomic_fetch_or, a)                                              \
	DIRECT(xor_##bits, type, __atomic_fetch_xor, a)                                            \
	DIRECT(mov_##bits, type, __atomic_exchange_n, a)                                           \
	DIRECT(inc_##bits, type, __atomic_fetch_add, 1)                                            \
	DIRECT(dec_##bits, type, __atomic_fetch_sub, 1)                                            \
	DIRECT(add_##bits, type, __atomic_fetch_add, a)                                            \
	DIRECT(sub_##bits, type, __atomic_fetch_sub, a)                                            \
	DIRECT(predec_##bits, type, __atomic_sub_fetch, 1)                                         \
	COMPUTED(revsub_##bits, type, signed_type, x - old)                                        \
	COMPUTED(imax_##bits, type, signed_type, (signed_type)old > (signed_type)x ? old : x)      \
	COMPUTED(imin_##bits, type, signed_type, (signed_type)old < (signed_type)x ? old : x)      \
	COMPUTED(umax_##bits, type, signed_type, old > x ? old : x)                                \
	COMPUTED(umin_##bits, type, signed_type, old < x ? old : x)                                \
	static uint64_t cmpwr_##bits(void *memory, uint64_t a, uint64_t b)                         \
	{                                                                                          \
		type old = __atomic_load_n((type *)memory, SEQ), expected = (type)a;               \
                                                                                                   \
		/* who loses writes nothing, and does not take the line from others */             \
		if (old != expected)                                                               \
			return old;                                                                \
		__atomic_compare_exchange_n((type *)memory, &expected, (type)b, false, SEQ, SEQ);  \
		return expected;                                                                   \
	}

INT_OPERATIONS(16, uint16_t, int16_t)
INT_OPERATIONS(32, uint32_t, int32_t)
INT_OPERATIONS(64, uint64_t, int64_t)

#define ROW(op, name) [EU_ATOMIC_##op] = { name##_16, name##_32, name##_64 }

static const eu_atomic_fn int_operations[EU_ATOMIC_INTS][3] = {
	ROW(AND, and),
	ROW(OR, or),
	ROW(XOR, xor),
	ROW(MOV, mov),
	ROW(INC, inc),
	ROW(DEC, dec),
	ROW(ADD, add),
	ROW(SUB, sub),
	ROW(REVSUB, revsub),
	ROW(IMAX, imax),
	ROW(IMIN, imin),
	ROW(UMAX, umax),
	ROW(UMIN, umin),
	ROW(CMPWR, cmpwr),
	ROW(PREDEC, predec),
};

static float float_of_32(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

#define float_of_16 eu_half_to_float

#define MAX_OF(bits)                                                                               \
	isnan(float_of_##bits(x)) || float_of_##bits(old) >= float_of_##bits(x) ? old : x
#define MIN_OF(bits)                                                                               \
	isnan(float_of_##bits(x)) || float_of_##bits(old) <= float_of_##bits(x) ? old : x
#define EQUAL_OF(bits) float_of_##bits(old) == float_of_##bits(x) ? y : old

static uint32_t bits_of_32(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

COMPUTED(fadd_32, uint32_t, int32_t, bits_of_32(float_of_32(old) + float_of_32(x)))
COMPUTED(fsub_32, uint32_t, int32_t, bits_of_32(float_of_32(old) - float_of_32(x)))
COMPUTED(fmax_16, uint16_t, int16_t, MAX_OF(16))
COMPUTED(fmin_16, uint16_t, int16_t, MIN_OF(16))
COMPUTED(fcmpwr_16, uint16_t, int16_t, EQUAL_OF(16))
COMPUTED(fmax_32, uint32_t, int32_t, MAX_OF(32))
COMPUTED(fmin_32, uint32_t, int32_t, MIN_OF(32))
COMPUTED(fcmpwr_32, uint32_t, int32_t, EQUAL_OF(32))

static const eu_atomic_fn float_operations[EU_ATOMIC_FLOATS][2] = {
	[EU_ATOMIC_FMAX] = { fmax_16, fmax_32 },
	[EU_ATOMIC_FMIN] = { fmin_16, fmin_32 },
	[EU_ATOMIC_FCMPWR] = { fcmpwr_16, fcmpwr_32 },
	[EU_ATOMIC_FADD] = { NULL, fadd_32 },
	[EU_ATOMIC_FSUB] = { NULL, fsub_32 },
};

eu_atomic_fn eu_atomic_int(unsigned op, unsigned bytes)
{
	if (op >= EU_ATOMIC_INTS || (bytes != 2 && bytes != 4 && bytes != 8))
		return NULL;
	return int_operations[op][bytes / 4];
}

eu_atomic_fn eu_atomic_float(unsigned op, unsigned bytes)
{
	if (op >= EU_ATOMIC_FLOATS || (bytes != 2 && bytes != 4))
		return NULL;
	return float_operations[op][bytes / 4];
}

unsigned eu_atomic_int_operands(unsigned op)
{
	switch (op) {
	case EU_ATOMIC_INC:
	case EU_ATOMIC_DEC:
	case EU_ATOMIC_PREDEC:
		return 0;
	case EU_ATOMIC_CMPWR:
		return 2;
	default:
		return 1;
	}
}
