// SPDX-License-Identifier: MIT
/*
 * Lane-wise micro-operations for LANES * PARTS channels. The includer defines LANES (1 or 8),
 * PARTS (1 or 2) and WIDTH, their product. All sources are read before anything is written.
 */
#include "eu/state/eu_float_mode.h"
#include "eu/ops/eu_generic.h"
#include "eu/ops/eu_int_lane.h"
#include "eu/ops/eu_math_lane.h"
#include "eu/ops/eu_uop_tmpl.h"
#include "eu/ops/eu_uop_vector.h"

#undef PARTS_DO
#undef FOUND
#undef FLAGS_SECOND

#define PASTE2_(a, b)	    a##b
#define PASTE2(a, b)	    PASTE2_(a, b)
#define PASTE3_(a, b, c)    a##b##c
#define PASTE3(a, b, c)	    PASTE3_(a, b, c)
#define V(kind)		    PASTE3(v, LANES, kind)
#define V_MEMORY(kind)	    PASTE2(V(kind), _memory)
#define NAME(op, shape)	    PASTE3(op, _##shape##_, WIDTH)
#define FUNCTION(name)	    PASTE3(lanes_##name, _, WIDTH)
#define VF(x)		    ((V(f))(x))
#define VI(x)		    ((V(i))(x))
#define VU(x)		    ((V(u))(x))
#define VQ(x)		    ((V(q))(x))
#define VUQ(x)		    ((V(uq))(x))
#define PICK(mask, a, b)    ((VU(mask) & (a)) | (~VU(mask) & (b)))
#define ONES		    ((V(u)){ 0 } + 0x3f800000u)
#define ONE		    ((V(u)){ 0 } + 1u)
#define CONVERT_F(x)	    __builtin_convertvector(x, V(f))
#define FMA(a, b, c)	    PASTE2(fma_, LANES)(a, b, c)
#define ROUND(x, direction) PASTE2(round_, LANES)(x, direction)
#define MASK_BITS(mask)	    PASTE2(bits_, LANES)(mask)
#define ALL_BITS	    ((1u << WIDTH) - 1)

#define LOAD_C(kind, offset, part)                                                                 \
	(*(const V_MEMORY(kind) *)((const char *)t + (offset) + (part) * sizeof(V(kind))))
#define LOAD_S(kind, offset, part)                                                                 \
	((V(kind))((V(u)){ 0 } + *(const scalar_memory *)((const char *)t + (offset))))
#define STORE_F(part, value) (*(V_MEMORY(u) *)((char *)t + U_D + (part) * sizeof(V(u))) = VU(value))
#define STORE_M(part, value)                                                                       \
	STORE_F(part, PICK(LOAD_C(u, U_M, part), VU(value), LOAD_C(u, U_D, part)))
#if PARTS == 2
#define PARTS_DO(what, ...)                                                                        \
	what(0, __VA_ARGS__);                                                                      \
	what(1, __VA_ARGS__)
#else
#define PARTS_DO(what, ...) what(0, __VA_ARGS__)
#endif
#define STORE_PART(part, M) STORE_##M(part, r##part)

/* Exact in two parts, so that there is one rounding; the sum of zeros is +0 in all modes. */
static inline V(f) FUNCTION(float_from_unsigned)(V(u) a)
{
	V(f) high = __builtin_convertvector(VI(a >> 16), V(f));
	V(f) low = __builtin_convertvector(VI(a & 0xffffu), V(f));
	return high * 65536.0f + low;
}

/* Towards zero, clamped; NaN gives 0. */
static inline V(i) FUNCTION(int_from_float)(V(f) a)
{
	V(i) high = a >= 0x1p31f, inside = (a > -0x1p31f) & (a < 0x1p31f), low = a <= -0x1p31f;
	V(i) r = __builtin_convertvector(VF(VI(a) & inside), V(i));
	return r | (high & 0x7fffffff) | VI(VU(low) & 0x80000000u);
}

static inline V(u) FUNCTION(unsigned_from_float)(V(f) a)
{
	V(i) positive = a > 0, top = a >= 0x1p31f, over = a >= 0x1p32f;
	V(f) part = VF(VI(a) & positive & ~over);
	part = part - VF(VU(top & ~over) & 0x4f000000u);
	V(u) r = VU(__builtin_convertvector(part, V(i))) + (VU(top & ~over) & 0x80000000u);
	return r | VU(over);
}

/* The number of the lowest bit that is set; 31 or 2^32 - 127, which are -1 and more, for 0. */
static inline V(u) FUNCTION(lowest_bit)(V(u) a)
{
	return (VU(CONVERT_F(VI(a & -a))) >> 23 & 255u) - 127u;
}

/*
 * A sum, and when that is not exact the neighbour with an odd last bit, so that rounding it to a
 * half rounds the sum itself once. In the other modes than to nearest, rounding twice is that too.
 */
static inline V(f) FUNCTION(made_odd)(const struct eu_thread *t, V(f) sum, V(f) error)
{
	if (eu_cr0_rounding(t->cr[0]) != EU_ROUND_NEAREST)
		return sum;
	V(i) inexact = (error != 0) & ((VI(sum) & 0x7f800000) != 0x7f800000);
	V(i) away = (error > 0) == (sum > 0);
	V(u) odd = VU(sum) + VU((away & 1) - (~away & 1));
	return VF(PICK(inexact & ((VI(sum) & 1) == 0), odd, VU(sum)));
}

static inline V(f) FUNCTION(add_odd)(const struct eu_thread *t, V(f) a, V(f) b)
{
	V(f) sum = a + b, a_part = sum - b, b_part = sum - a_part;
	return FUNCTION(made_odd)(t, sum, (a - a_part) + (b - b_part));
}

static inline V(f) FUNCTION(mul_odd)(const struct eu_thread *t, V(f) a, V(f) b)
{
	V(f) product = a * b;
	return FUNCTION(made_odd)(t, product, FMA(a, b, -product));
}

/* By way of doubles, which have the product whole. */
static inline V(f) FUNCTION(fma_odd)(const struct eu_thread *t, V(f) a, V(f) b, V(f) c)
{
	typedef double wide __attribute__((vector_size(8 * LANES)));
	typedef int64_t bits __attribute__((vector_size(8 * LANES)));
	wide p = __builtin_convertvector(a, wide) * __builtin_convertvector(b, wide);
	wide x = __builtin_convertvector(c, wide), sum = p + x, p_part = sum - x;
	wide error = (p - p_part) + (x - (sum - p_part));
	V(f) narrow = __builtin_convertvector(sum, V(f));
	wide rest = sum - __builtin_convertvector(narrow, wide);
	/* What narrowing leaves out is far more than what the sum does. */
	bits exact = rest == 0, more = (rest > 0) | (exact & (error > 0));
	bits less = (rest < 0) | (exact & (error < 0));
	return FUNCTION(made_odd)(t, narrow, __builtin_convertvector(less - more, V(f)));
}

/* What no vector instruction does. */
#define EACH_1(name, k, function)                                                                  \
	static inline V(k) FUNCTION(each_##name)(V(k) a)                                           \
	{                                                                                          \
		V(k) r = { 0 };                                                                    \
		for (unsigned i = 0; i < LANES; i++)                                               \
			r[i] = function(a[i]);                                                     \
		return r;                                                                          \
	}
#define EACH_2(name, k, type, function)                                                            \
	static inline V(k) FUNCTION(each_##name)(V(k) a, V(k) b)                                   \
	{                                                                                          \
		V(k) r = { 0 };                                                                    \
		for (unsigned i = 0; i < LANES; i++)                                               \
			r[i] = (type)function(a[i], b[i]);                                         \
		return r;                                                                          \
	}
EACH_1(lzd, u, eu_int_lzd)
EACH_1(cbit, u, eu_int_cbit)
EACH_1(bfrev, u, eu_int_bfrev)
EACH_2(iqot_i, i, int32_t, eu_int_iqot)
EACH_2(irem_i, i, int32_t, eu_int_irem)
EACH_2(iqot_u, u, uint32_t, eu_int_iqot_u)
EACH_2(irem_u, u, uint32_t, eu_int_irem_u)

#define LOWEST_BIT(a)	       FUNCTION(lowest_bit)(a)
#define ADD_ODD(a, b)	       FUNCTION(add_odd)(t, a, b)
#define MUL_ODD(a, b)	       FUNCTION(mul_odd)(t, a, b)
#define FMA_ODD(a, b, c)       FUNCTION(fma_odd)(t, a, b, c)
#define DOT_BYTES(a, b, x, y)  PASTE2(dot_bytes_, LANES)(a, b, x, y)
#define FROM_HALF(a)	       PASTE2(from_half_, LANES)(a)
#define TO_HALF(a)	       PASTE2(to_half_, LANES)(a)
#define NEAREST_HALF(a)	       PASTE2(nearest_half_, LANES)(a)
#define FLOAT_FROM_UNSIGNED(a) FUNCTION(float_from_unsigned)(a)
#define INT_FROM_FLOAT(a)      FUNCTION(int_from_float)(a)
#define UNSIGNED_FROM_FLOAT(a) FUNCTION(unsigned_from_float)(a)

#define UNARY(name, k, rk, expression, ...)                                                        \
	static inline V(rk) FUNCTION(name)(const struct eu_thread *t, V(k) a)                      \
	{                                                                                          \
		(void)t;                                                                           \
		return expression;                                                                 \
	}
#define BINARY(name, k, rk, expression, ...)                                                       \
	static inline V(rk) FUNCTION(name)(const struct eu_thread *t, V(k) a, V(k) b)              \
	{                                                                                          \
		(void)t;                                                                           \
		return expression;                                                                 \
	}
#define TERNARY(name, k, rk, expression, ...)                                                      \
	static inline V(rk) FUNCTION(name)(const struct eu_thread *t, V(k) a, V(k) b, V(k) c)      \
	{                                                                                          \
		(void)t;                                                                           \
		return expression;                                                                 \
	}
#define QUAD(name, a_kind, b_kind, expression)                                                     \
	static inline V(q) FUNCTION(name)(V(q) a, V(q) b)                                          \
	{                                                                                          \
		(void)b;                                                                           \
		return expression;                                                                 \
	}
#include "eu/ops/uop.def"

#define COMPUTE_1(part, name, k, rk, X) V(rk) r##part = FUNCTION(name)(t, LOAD_##X(k, U_A, part))
#define COMPUTE_2(part, name, k, rk, X, Y)                                                         \
	V(rk) r##part = FUNCTION(name)(t, LOAD_##X(k, U_A, part), LOAD_##Y(k, U_B, part))
#define COMPUTE_3(part, name, k, rk, X, Y, Z)                                                      \
	V(rk)                                                                                      \
	r##part = FUNCTION(name)(                                                                  \
		t, LOAD_##X(k, U_A, part), LOAD_##Y(k, U_B, part), LOAD_##Z(k, U_C, part))

/* All sources are read before anything is written. */
#define HANDLER_IN_PARTS(name, compute, store)                                                     \
	HANDLER(name)                                                                              \
	{                                                                                          \
		compute;                                                                           \
		EU_FENCE;                                                                          \
		store;                                                                             \
		EU_NEXT;                                                                           \
	}
#define HANDLER_1(name, k, rk, X, M)                                                               \
	HANDLER_IN_PARTS(                                                                          \
		NAME(name, X##_##M), PARTS_DO(COMPUTE_1, name, k, rk, X), PARTS_DO(STORE_PART, M))
#define HANDLER_2(name, k, rk, X, Y, M)                                                            \
	HANDLER_IN_PARTS(NAME(name, X##Y##_##M), PARTS_DO(COMPUTE_2, name, k, rk, X, Y),           \
		PARTS_DO(STORE_PART, M))
#define HANDLER_3(name, k, rk, X, Y, Z, M)                                                         \
	HANDLER_IN_PARTS(NAME(name, X##Y##Z##_##M), PARTS_DO(COMPUTE_3, name, k, rk, X, Y, Z),     \
		PARTS_DO(STORE_PART, M))

/* Lanes of 64 bits; sources by the kind of their operand. */
#define QUAD_MEMORY(offset, part)   (*(V_MEMORY(q) *)((char *)t + (offset) + (part) * sizeof(V(q))))
#define QUAD_NONE(offset, part)	    ((V(q)){ 0 })
#define QUAD_PAIR(offset, part)	    ((V(q)){ 0 } + *(const quad_memory *)((const char *)t + (offset)))
#define QUAD_LANES(offset, part)    __builtin_convertvector(LOAD_C(i, offset, part), V(q))
#define QUAD_LANES_64(offset, part) QUAD_MEMORY(offset, part)
#define QUAD_PART(part, name, a, b) V(q) r##part = FUNCTION(name)(a(U_A, part), b(U_B, part))
#define QUAD_PUT_F(part)	    QUAD_MEMORY(U_D, part) = r##part
#define QUAD_PUT_M(part)                                                                           \
	V(q) m##part = QUAD_LANES(U_M, part);                                                      \
	QUAD_MEMORY(U_D, part) = (r##part & m##part) | (QUAD_MEMORY(U_D, part) & ~m##part)
#define QUAD_STORE(part, M) QUAD_PUT_##M(part)
#define HANDLER_QUAD(name, a, b, M)                                                                \
	HANDLER_IN_PARTS(NAME(name, M), PARTS_DO(QUAD_PART, name, a, b), PARTS_DO(QUAD_STORE, M))

/* Compares into flag bits: c the word with the channels that are on, imm their first channel. */
#define COMPARE_PART(part, k, X, Y, operator)                                                      \
	uint32_t r##part = MASK_BITS(LOAD_##X(k, U_A, part) operator LOAD_##Y(k, U_B, part))       \
			   << (part)*LANES
#define LANES_F ALL_BITS
#define LANES_M (*(const scalar_memory *)((const char *)t + U_C) >> U_IMM & ALL_BITS)
#if PARTS == 2
#define FOUND (r0 | r1)
#else
#define FOUND r0
#endif
static inline void FUNCTION(set_flags)(
	struct eu_thread *t, uint64_t lanes, uint64_t found, unsigned shift)
{
	uint64_t flags;
	memcpy(&flags, t->flag, sizeof flags);
	flags = (flags & ~(lanes << shift)) | (found & lanes) << shift;
	memcpy(t->flag, &flags, sizeof flags);
}
#define HANDLER_COMPARE(k, name, operator, X, Y, M)                                                \
	HANDLER(NAME(cmp_##k##_##name, X##Y##_##M))                                                \
	{                                                                                          \
		PARTS_DO(COMPARE_PART, k, X, Y, operator);                                         \
		uint32_t lanes = LANES_##M;                                                        \
		EU_FENCE;                                                                          \
		FUNCTION(set_flags)(t, lanes, FOUND, U_SHIFT);                                     \
		EU_NEXT;                                                                           \
	}

/* Chooses by the mask lanes at c. */
#define SELECT_PART(part, X, Y)                                                                    \
	V(u) r##part = PICK(LOAD_C(u, U_C, part), LOAD_##X(u, U_A, part), LOAD_##Y(u, U_B, part))
#define HANDLER_SELECT(X, Y, M)                                                                    \
	HANDLER_IN_PARTS(                                                                          \
		NAME(select, X##Y##_##M), PARTS_DO(SELECT_PART, X, Y), PARTS_DO(STORE_PART, M))

/* Fills a destination with what its channels' flags say: all ones or zeros. */
#define FLAGS_PART(part)                                                                           \
	V(u) r##part;                                                                              \
	for (unsigned i = 0; i < LANES; i++)                                                       \
	r##part[i] = -(uint32_t)(flags >> ((part)*LANES + i) & 1)
#define HANDLER_FLAGS(M)                                                                           \
	HANDLER(NAME(flags, M))                                                                    \
	{                                                                                          \
		uint64_t flags;                                                                    \
		memcpy(&flags, t->flag, sizeof flags);                                             \
		flags >>= U_SHIFT;                                                                 \
		FLAGS_PART(0);                                                                     \
		STORE_##M(0, r0);                                                                  \
		FLAGS_SECOND(M)                                                                    \
		EU_NEXT;                                                                           \
	}
#if PARTS == 2
#define FLAGS_SECOND(M)                                                                            \
	FLAGS_PART(1);                                                                             \
	STORE_##M(1, r1);
#else
#define FLAGS_SECOND(M)
#endif
HANDLER_FLAGS(F)
HANDLER_FLAGS(M)

/* Expands a predicate into pm for the channels from imm on. */
HANDLER(NAME(predicate, F))
{
	uint32_t p = predicate_channels(t, u);
	t->pm.bits = p;
	p >>= U_IMM;
	int32_t *lanes = t->pm.lanes + U_IMM;
	for (unsigned i = 0; i < WIDTH; i++)
		lanes[i] = -(int32_t)(p >> i & 1);
	EU_NEXT;
}

/* Contiguous narrow integers. */
#define WIDEN_AT(kind, part)   ((const char *)t + U_A + (part) * sizeof(PASTE3(v, LANES, kind)))
#define WIDEN_PART(part, kind) V(u) r##part = PASTE3(widen_##kind, _, LANES)(WIDEN_AT(kind, part))
#define HANDLER_WIDEN(kind)                                                                        \
	HANDLER_IN_PARTS(NAME(widen_##kind, F), PARTS_DO(WIDEN_PART, kind), PARTS_DO(STORE_PART, F))
#if LANES > 1
HANDLER_WIDEN(ub)
HANDLER_WIDEN(b)
HANDLER_WIDEN(uw)
HANDLER_WIDEN(w)
HANDLER_WIDEN(h)
#endif

#if LANES > 1
/* Every other dword of twice as many, from dword `first` on. */
#define ALTERNATE(low, high, first)                                                                \
	__builtin_shufflevector(low, high, first, first + 2, first + 4, first + 6, first + 8,      \
		first + 10, first + 12, first + 14)
#define ALTERNATE_AT(part, half) LOAD_C(u, U_A, 2 * (part) + (half))
#define ALTERNATE_PART(part, first)                                                                \
	V(u) r##part = ALTERNATE(ALTERNATE_AT(part, 0), ALTERNATE_AT(part, 1), first)
#define HANDLER_ALTERNATE(name, first)                                                             \
	HANDLER_IN_PARTS(NAME(name, F), PARTS_DO(ALTERNATE_PART, first), PARTS_DO(STORE_PART, F))
HANDLER_ALTERNATE(even, 0)
HANDLER_ALTERNATE(odd, 1)
#endif

/* Dwords to narrow elements of a kind, by narrow_how: `bits` of each element are written. */
#define NARROW_AT(kind, part) ((char *)t + U_D + (part) * sizeof(V(kind)))
#define NARROW_LOAD(part, kind, how)                                                               \
	V(kind) n##part = PASTE3(narrow_##how, _, LANES)(LOAD_C(u, U_A, part)), o##part;           \
	memcpy(&o##part, NARROW_AT(kind, part), sizeof(o##part))
#define NARROW_MASK_F(part, kind) (~(V(kind)){ 0 })
#define NARROW_MASK_M(part, kind) PASTE3(narrow_##kind, _, LANES)(LOAD_C(u, U_M, part))
#define NARROW_STORE(part, kind, bits, M)                                                          \
	V(kind) m##part = NARROW_MASK_##M(part, kind) & bits;                                      \
	o##part = (n##part & m##part) | (o##part & ~m##part);                                      \
	memcpy(NARROW_AT(kind, part), &o##part, sizeof(o##part))
#define HANDLER_NARROW(name, kind, how, bits, M)                                                   \
	HANDLER_IN_PARTS(NAME(name, M), PARTS_DO(NARROW_LOAD, kind, how),                          \
		PARTS_DO(NARROW_STORE, kind, bits, M))
#define NARROW(name, kind, how, bits)                                                              \
	HANDLER_NARROW(name, kind, how, bits, F)                                                   \
	HANDLER_NARROW(name, kind, how, bits, M)
NARROW(narrow_8, ub, ub, 0xff)
NARROW(narrow_16, uw, uw, 0xffff)
NARROW(narrow_h, uw, h, 0xffff)
NARROW(narrow_8_in_16, uw, uw, 0xff)
NARROW(narrow_8_in_32, u, u, 0xff)
NARROW(narrow_16_in_32, u, u, 0xffff)
NARROW(low_in_64, uq, uq, 0xffffffff)

/* 64-bit arithmetic: what is written to acc0 and its high halves. */
#define ACC(kind, part) (*(V_MEMORY(kind) *)(t->acc + (part) * sizeof(V(u))))
#define ACC_HIGH(kind, part)                                                                       \
	(*(V_MEMORY(kind) *)(void *)((char *)t->acc_high + (part) * sizeof(V(u))))
#define WIDE_SIGN(flag)	       (0u - (uint32_t)((EU_FLAG(U_IMM) & (flag)) != 0))
#define PUT_F(to, value, part) to = (value)
#define PUT_M(to, value, part) to = PICK(LOAD_C(u, U_M, part), value, to)

/* The 64-bit product of dwords that are signed where the masks say so. */
static inline void FUNCTION(product)(
	V(u) a, V(u) b, uint32_t a_signed, uint32_t b_signed, V(u) * low, V(u) * high)
{
	PASTE2(product_, LANES)(a, b, low, high);
	*high -= (VU(VI(a) >> 31) & b & a_signed) + (VU(VI(b) >> 31) & a & b_signed);
}

#define MULTIPLY_PART(part, M)                                                                     \
	V(u) low##part, high##part;                                                                \
	FUNCTION(product)                                                                          \
	(LOAD_C(u, U_A, part), LOAD_C(u, U_B, part), WIDE_SIGN(EU_WIDE_A_SIGNED),                  \
		WIDE_SIGN(EU_WIDE_B_SIGNED), &low##part, &high##part)
#define MULTIPLY_STORE(part, M)                                                                    \
	PUT_##M(ACC(u, part), low##part, part);                                                    \
	PUT_##M(ACC_HIGH(u, part), high##part, part)

/* The product of a and the high half of b has 48 bits. */
#define MACH_PART(part, M)                                                                         \
	V(u) low##part, high##part, b##part = LOAD_C(u, U_B, part);                                \
	b##part = PICK(                                                                            \
		(V(u)){ 0 } + WIDE_SIGN(EU_WIDE_B_SIGNED), VU(VI(b##part) >> 16), b##part >> 16);  \
	FUNCTION(product)                                                                          \
	(LOAD_C(u, U_A, part), b##part, WIDE_SIGN(EU_WIDE_A_SIGNED), WIDE_SIGN(EU_WIDE_B_SIGNED),  \
		&low##part, &high##part);                                                          \
	high##part = high##part << 16 | low##part >> 16;                                           \
	low##part = (low##part << 16) + ACC(u, part);                                              \
	high##part += ACC_HIGH(u, part) - VU(low##part < ACC(u, part))
#define MACH_STORE(part, M)                                                                        \
	if (EU_FLAG(U_IMM) & EU_WIDE_HIGH) {                                                       \
		STORE_##M(part, high##part);                                                       \
		PUT_##M(ACC(u, part), low##part, part);                                            \
		PUT_##M(ACC_HIGH(u, part), high##part, part);                                      \
	} else {                                                                                   \
		STORE_##M(part, low##part);                                                        \
	}

#define ADDC_PART(part, M)                                                                         \
	V(u)                                                                                       \
	a##part = LOAD_C(u, U_A, part), r##part = a##part + LOAD_C(u, U_B, part),                  \
	carry##part = VU(r##part < a##part) & 1
#define SUBB_PART(part, M)                                                                         \
	V(u)                                                                                       \
	a##part = LOAD_C(u, U_A, part), r##part = a##part - LOAD_C(u, U_B, part),                  \
	carry##part = VU(r##part > a##part) & 1
#define CARRY_STORE(part, M)                                                                       \
	STORE_##M(part, r##part);                                                                  \
	PUT_##M(ACC(u, part), carry##part, part);                                                  \
	PUT_##M(ACC_HIGH(u, part), (V(u)){ 0 }, part)

#define HANDLER_WIDE(name, compute, store, M)                                                      \
	HANDLER_IN_PARTS(NAME(name, M), PARTS_DO(compute, M), PARTS_DO(store, M))
#define WIDE_HANDLERS(name, compute, store)                                                        \
	HANDLER_WIDE(name, compute, store, F)                                                      \
	HANDLER_WIDE(name, compute, store, M)
WIDE_HANDLERS(multiply, MULTIPLY_PART, MULTIPLY_STORE)
WIDE_HANDLERS(mach, MACH_PART, MACH_STORE)
WIDE_HANDLERS(addc, ADDC_PART, CARRY_STORE)
WIDE_HANDLERS(subb, SUBB_PART, CARRY_STORE)

/*
 * math.* as the general path computes it: to nearest, whatever cr0 says, and with denormals of the
 * sources and of the rounded result flushed where cr0 flushes them. The host keeps them meanwhile:
 * what it flushes, it flushes before it is rounded.
 */
#define MATH_LOAD(offset, part) FUNCTION(flushed)(LOAD_C(f, offset, part), least)
#define MATH_PART(part, name, b)                                                                   \
	V(f)                                                                                       \
	r##part = FUNCTION(flushed)(FUNCTION(math_##name)(MATH_LOAD(U_A, part) b(part)), least)
#define MATH_NONE(part)
#define MATH_LANES(part) , MATH_LOAD(U_B, part)
static inline V(f) FUNCTION(flushed)(V(f) a, uint32_t least)
{
	return VF(PICK((VU(a) & 0x7fffffffu) >= least, VU(a), VU(a) & 0x80000000u));
}
#define SMALL_PART(part, all)                                                                      \
	all &= MASK_BITS(~(VF(LOAD_C(u, U_A, part) & 0x7fffffffu) > (float)EU_MATH_SIN_LIMIT) |    \
			 ((LOAD_C(i, U_A, part) & 0x7fffffff) == 0x7f800000))
static inline bool FUNCTION(any_argument)(const struct eu_thread *t, const struct eu_uop *u)
{
	(void)t, (void)u;
	return true;
}
static inline bool FUNCTION(small_arguments)(const struct eu_thread *t, const struct eu_uop *u)
{
	uint32_t all = (1u << LANES) - 1;
	PARTS_DO(SMALL_PART, all);
	return all == (1u << LANES) - 1;
}
#define HANDLER_MATH(name, arguments, b, M)                                                        \
	HANDLER(NAME(math_##name, M))                                                              \
	{                                                                                          \
		uint32_t least = t->cr[0] & EU_CR0_KEEP_DENORMALS_F ? 0 : 0x00800000u;             \
		bool plain = t->float_mode == eu_float_mode_plain();                               \
		if (!FUNCTION(arguments)(t, u)) {                                                  \
			EU_CALL_OUT;                                                               \
			eu_generic_run(t, &t->kernel->generics[U_IMM]);                            \
			EU_NEXT;                                                                   \
		}                                                                                  \
		if (!plain)                                                                        \
			eu_float_mode_set(eu_float_mode_plain());                                  \
		PARTS_DO(MATH_PART, name, b);                                                      \
		EU_FENCE;                                                                          \
		PARTS_DO(STORE_PART, M);                                                           \
		if (!plain)                                                                        \
			eu_float_mode_set(t->float_mode);                                          \
		EU_NEXT;                                                                           \
	}
/* By way of double precision, as the general path. */
#define MATH_PARTS	((LANES + EU_MATH_LANES - 1) / EU_MATH_LANES)
#define MATH_ROUNDED(a) (a)
#undef MATH_JOIN
#if LANES == 8 && defined __AVX2__ && !defined __AVX512F__
/* Not by memory: a load waits for two stores that it needs. */
#define MATH_JOIN(v, parts) ((v) = VF(_mm256_set_m128((__m128)(parts)[1], (__m128)(parts)[0])))
#else
#define MATH_JOIN(v, parts) memcpy(&(v), parts, sizeof(v))
#endif
#define MATH_BY_DOUBLES(name, function, rounded)                                                   \
	static inline V(f) FUNCTION(math_##name)(V(f) v)                                           \
	{                                                                                          \
		eu_floats parts[MATH_PARTS] = { 0 };                                               \
		memcpy(parts, &v, sizeof v);                                                       \
		for (unsigned i = 0; i < MATH_PARTS; i++)                                          \
			parts[i] = eu_math_narrow(rounded(function(eu_math_widen(parts[i]))));     \
		MATH_JOIN(v, parts);                                                               \
		return v;                                                                          \
	}
static inline V(f) FUNCTION(math_inv)(V(f) a)
{
	return VF(ONES) / a;
}
static inline V(f) FUNCTION(math_fdiv)(V(f) a, V(f) b)
{
	return a / b;
}
static inline V(f) FUNCTION(math_sqt)(V(f) a)
{
	return PASTE2(sqrt_, LANES)(a);
}
static inline V(f) FUNCTION(math_rsqt)(V(f) a)
{
	return PASTE2(rsqt_, LANES)(a);
}
MATH_BY_DOUBLES(exp, eu_math_exp2, MATH_ROUNDED)
MATH_BY_DOUBLES(log, eu_math_log2, MATH_ROUNDED)
MATH_BY_DOUBLES(sin, eu_math_sin, MATH_ROUNDED)
MATH_BY_DOUBLES(cos, eu_math_cos, MATH_ROUNDED)
MATH_BY_DOUBLES(exp_h, eu_math_exp2, eu_math_odd)
MATH_BY_DOUBLES(sin_h, eu_math_sin, eu_math_odd)
MATH_BY_DOUBLES(cos_h, eu_math_cos, eu_math_odd)

/* The handlers of the rows. A single channel's sources are all contiguous. */
#define UNARY_(name, k, rk, X)                                                                     \
	HANDLER_1(name, k, rk, X, F)                                                               \
	HANDLER_1(name, k, rk, X, M)
#define BINARY_(name, k, rk, X, Y)                                                                 \
	HANDLER_2(name, k, rk, X, Y, F)                                                            \
	HANDLER_2(name, k, rk, X, Y, M)
#define TERNARY_(name, k, rk, X, Y, Z)                                                             \
	HANDLER_3(name, k, rk, X, Y, Z, F)                                                         \
	HANDLER_3(name, k, rk, X, Y, Z, M)
#define COMPARE_(k, name, operator, X, Y)                                                          \
	HANDLER_COMPARE(k, name, operator, X, Y, F)                                                \
	HANDLER_COMPARE(k, name, operator, X, Y, M)
#define SELECT_(X, Y)                                                                              \
	HANDLER_SELECT(X, Y, F)                                                                    \
	HANDLER_SELECT(X, Y, M)

#define UNARY(name, k, rk, e, ...)		UNARY_(name, k, rk, C)
#define BINARY(name, k, rk, e, ...)		BINARY_(name, k, rk, C, C)
#define TERNARY(name, k, rk, e, ...)		TERNARY_(name, k, rk, C, C, C)
#define COMPARE(k, name, number, operator, ...) COMPARE_(k, name, operator, C, C)
#define QUAD(name, a, b, e)                                                                        \
	HANDLER_QUAD(name, QUAD_##a, QUAD_##b, F)                                                  \
	HANDLER_QUAD(name, QUAD_##a, QUAD_##b, M)
#define MATH(name, number, arguments, b, ...)                                                      \
	HANDLER_MATH(name, arguments, MATH_##b, F)                                                 \
	HANDLER_MATH(name, arguments, MATH_##b, M)
#include "eu/ops/uop.def"
SELECT_(C, C)
#if WIDTH > 1
#define UNARY(name, k, rk, e, ...) UNARY_(name, k, rk, S)
#define BINARY(name, k, rk, e, ...)                                                                \
	BINARY_(name, k, rk, S, C)                                                                 \
	BINARY_(name, k, rk, C, S)
#define TERNARY(name, k, rk, e, ...)                                                               \
	TERNARY_(name, k, rk, S, C, C)                                                             \
	TERNARY_(name, k, rk, C, S, C)                                                             \
	TERNARY_(name, k, rk, S, S, C)                                                             \
	TERNARY_(name, k, rk, C, C, S)                                                             \
	TERNARY_(name, k, rk, S, C, S)                                                             \
	TERNARY_(name, k, rk, C, S, S)
#define COMPARE(k, name, number, operator, ...)                                                    \
	COMPARE_(k, name, operator, S, C)                                                          \
	COMPARE_(k, name, operator, C, S)
#include "eu/ops/uop.def"
SELECT_(S, C)
SELECT_(C, S)
SELECT_(S, S)
#endif
