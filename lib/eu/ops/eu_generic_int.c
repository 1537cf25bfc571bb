// SPDX-License-Identifier: MIT
#include "eu/ops/eu_generic.h"
#include "eu/ops/eu_int_lane.h"

#include <string.h>

/*
 * Integer operations on 64-bit values. Sources are extended by their own type, so that mixed signs
 * compare and add exactly; the writer wraps or saturates.
 */

#define INT_OP(name, expression)                                                                   \
	static void int_##name(struct eu_call *call)                                               \
	{                                                                                          \
		for (unsigned i = 0; i < call->count; i++) {                                       \
			int64_t a = call->source[0][i].i, b = call->source[1][i].i,                \
				c = call->source[2][i].i;                                          \
			(void)a, (void)b, (void)c;                                                 \
			call->result[i].i = (int64_t)(expression);                                 \
		}                                                                                  \
	}

/* Whether source s of channel i is 2^63 or more: an unsigned quadword, here as a negative number.
 */
static bool is_big(const struct eu_call *call, unsigned s, unsigned i)
{
	const struct gen_operand *o = &call->general->inst.src[s];
	return o->type == GEN_TYPE_UQ && !o->neg && call->source[s][i].i < 0;
}

#define U32(x) ((uint32_t)(x))
#define U64(x) ((uint64_t)(x))

static uint32_t first_high(int64_t value, bool is_signed)
{
	uint32_t x = U32(value);
	if (is_signed && x >> 31)
		x = ~x;
	return x ? (uint32_t)__builtin_clz(x) : UINT32_MAX;
}

static uint32_t extract(uint32_t width, uint32_t offset, uint32_t x, bool is_signed)
{
	width &= 31;
	if (width == 0)
		return 0;
	x = x >> (offset & 31) & ((1u << width) - 1);
	if (is_signed && x >> (width - 1))
		x |= ~0u << width;
	return x;
}

static uint32_t insert(uint32_t mask, uint32_t bits, uint32_t base)
{
	if (mask == 0)
		return base;
	return (bits << __builtin_ctz(mask) & mask) | (base & ~mask);
}

static uint64_t rotate_left(uint32_t x, uint32_t count, unsigned bits)
{
	count &= bits - 1;
	if (bits == 16)
		x = (x & 0xffff) | x << 16;
	return count ? x << count | x >> (32 - count) : x;
}

static bool source_signed(const struct eu_call *call, unsigned index)
{
	return gen_type_is_signed(call->general->inst.src[index].type);
}

static unsigned source_bits(const struct eu_call *call)
{
	return gen_type_size(call->general->inst.src[0].type) <= 2 ? 16 : 32;
}

/* The bits of a shift count that matter: six when quadwords are shifted, five otherwise. */
static unsigned count_mask(const struct eu_call *call)
{
	const struct gen_inst *inst = &call->general->inst;
	return gen_type_size(inst->dst.type) == 8 || gen_type_size(inst->src[0].type) == 8 ? 63
											   : 31;
}

/* Wraps, unless the writer is to saturate what not even 64 bits hold. */
static int64_t product(const struct eu_call *call, int64_t a, int64_t b)
{
	int64_t result;
	if (__builtin_mul_overflow(a, b, &result) && call->general->inst.saturate)
		return (a < 0) != (b < 0) ? INT64_MIN / 2 : INT64_MAX / 2;
	return result;
}

/* Bit n of the table of truth is the result where the bits of a, b and c are those of n. */
static uint32_t combine(unsigned table, uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t result = 0;

	for (unsigned n = 0; n < 8; n++)
		if (table >> n & 1)
			result |= (n & 1 ? a : ~a) & (n & 2 ? b : ~b) & (n & 4 ? c : ~c);
	return result;
}

/* OP(opcode, value from a, b and c): what is computed from the sources alone. */
#define INT_OPS(OP)                                                                                \
	OP(mov, a)                                                                                 \
	OP(not, ~a)                                                                                \
	OP(and, a &b)                                                                              \
	OP(or, a | b)                                                                              \
	OP(xor, a ^ b)                                                                             \
	OP(shl, U64(a) << (b & count_mask(call)))                                                  \
	OP(shr, (count_mask(call) == 63 ? U64(a) : U32(a)) >> (b & count_mask(call)))              \
	OP(asr, is_big(call, 0, i) ? U64(a) >> (b & 63) : U64(a >> (b & count_mask(call))))        \
	OP(rol, rotate_left(U32(a), U32(b), source_bits(call)))                                    \
	OP(ror, rotate_left(U32(a), 0 - U32(b), source_bits(call)))                                \
	OP(bfrev, eu_int_bfrev(U32(a)))                                                            \
	OP(bfe, extract(U32(a), U32(b), U32(c), source_signed(call, 2)))                           \
	OP(bfi1, ((1u << (a & 31)) - 1) << (b & 31))                                               \
	OP(bfi2, insert(U32(a), U32(b), U32(c)))                                                   \
	OP(add, U64(a) + U64(b))                                                                   \
	OP(add3, U64(a) + U64(b) + U64(c))                                                         \
	OP(bfn, combine(call->general->inst.function, U32(a), U32(b), U32(c)))                     \
	OP(mul, product(call, a, b))                                                               \
	OP(avg, (a + b + 1) >> 1)                                                                  \
	OP(mad, U64(a) + U64(product(call, b, c)))                                                 \
	OP(lzd, eu_int_lzd(U32(a)))                                                                \
	OP(fbh, first_high(a, source_signed(call, 0)))                                             \
	OP(fbl, eu_int_fbl(U32(a)))                                                                \
	OP(cbit, eu_int_cbit(U32(a)))                                                              \
	OP(dp4a, a + eu_int_dot(U32(b), U32(c), source_signed(call, 1), source_signed(call, 2)))
INT_OPS(INT_OP)
INT_OP(iqot, eu_int_iqot(a, b))
INT_OP(irem, eu_int_irem(a, b))

/* The carry or borrow goes to acc0 when the instruction asks for it. */
static void keep_carry(struct eu_call *call, unsigned i, uint32_t carry)
{
	if (!call->general->inst.acc_wr_en || !(call->lanes >> i & 1))
		return;
	memcpy(call->thread->acc + 4 * i, &carry, 4);
	call->thread->acc_high[i] = 0;
}

static void int_addc(struct eu_call *call)
{
	for (unsigned i = 0; i < call->count; i++) {
		uint64_t sum = (uint64_t)U32(call->source[0][i].i) + U32(call->source[1][i].i);
		call->result[i].i = U32(sum);
		keep_carry(call, i, U32(sum >> 32));
	}
}

static void int_subb(struct eu_call *call)
{
	for (unsigned i = 0; i < call->count; i++) {
		uint32_t a = U32(call->source[0][i].i), b = U32(call->source[1][i].i);
		call->result[i].i = U32(a - b);
		keep_carry(call, i, a < b);
	}
}

/* acc + (a * high half of b << 16): with `mul acc a, low half of b` before it a full product. */
static void int_mach(struct eu_call *call)
{
	bool high = call->general->inst.acc_wr_en;
	for (unsigned i = 0; i < call->count; i++) {
		struct eu_thread *thread = call->thread;
		uint32_t low;
		memcpy(&low, thread->acc + 4 * i, 4);
		uint64_t sum = U64((uint32_t)thread->acc_high[i]) << 32 | low;
		sum += U64(call->source[0][i].i) * U64(call->source[1][i].i >> 16) << 16;
		call->result[i].i = high ? (int64_t)sum >> 32 : U32(sum);
		if (!high || !(call->lanes >> i & 1))
			continue;
		low = U32(sum);
		memcpy(thread->acc + 4 * i, &low, 4);
		thread->acc_high[i] = (int32_t)(sum >> 32);
	}
}

static void int_mac(struct eu_call *call)
{
	unsigned size = gen_type_size(call->general->inst.dst.type);
	bool is_signed = gen_type_is_signed(call->general->inst.dst.type);
	for (unsigned i = 0; i < call->count; i++) {
		uint64_t acc = 0;
		memcpy(&acc, call->thread->acc + size * i, size);
		if (is_signed && acc >> (8 * size - 1))
			acc |= ~UINT64_C(0) << (8 * size - 1);
		call->result[i].i =
			(int64_t)(acc + U64(call->source[0][i].i) * U64(call->source[1][i].i));
	}
}

EU_COMPARE(compare, int64_t, false)

/* Less than, equal to or more than 0 as source 0 is to source 1. */
static int order(const struct eu_call *call, unsigned i)
{
	bool a_big = is_big(call, 0, i), b_big = is_big(call, 1, i);
	int64_t a = call->source[0][i].i, b = call->source[1][i].i;
	return a_big != b_big ? a_big - b_big : (a > b) - (a < b);
}

static void int_cmp(struct eu_call *call)
{
	for (unsigned i = 0; i < call->count; i++)
		if (compare(call->general->inst.cond, order(call, i), 0))
			call->true_lanes |= 1u << i;
}

static void int_sel(struct eu_call *call)
{
	unsigned cond = call->general->inst.cond;
	for (unsigned i = 0; i < call->count; i++) {
		int64_t a = call->source[0][i].i, b = call->source[1][i].i;
		bool first = cond == GEN_COND_NONE ? call->select >> i & 1
						   : compare(cond, order(call, i), 0);
		call->result[i].i = first ? a : b;
	}
}

static void int_csel(struct eu_call *call)
{
	unsigned cond = call->general->inst.cond;
	for (unsigned i = 0; i < call->count; i++)
		call->result[i] = compare(cond, call->source[2][i].i, 0) ? call->source[0][i]
									 : call->source[1][i];
}

eu_generic_fn eu_generic_int(const struct gen_inst *inst)
{
#define ROW(op, function) [GEN_OP_##op] = int_##function
#define OWN_ROW(op, ...)  ROW(op, op),
	static const eu_generic_fn by_op[GEN_OP_COUNT] = { INT_OPS(OWN_ROW) ROW(sel, sel),
		ROW(csel, csel), ROW(cmp, cmp), ROW(cmpn, cmp), ROW(mac, mac), ROW(mach, mach),
		ROW(macl, mach), ROW(addc, addc), ROW(subb, subb) };
	if (inst->op != GEN_OP_math)
		return by_op[inst->op];
	if (inst->function == GEN_MATH_IQOT)
		return int_iqot;
	return inst->function == GEN_MATH_IREM ? int_irem : NULL;
}
