// SPDX-License-Identifier: MIT
// What the functions return that stand for instructions of SPIR-V (spirv_lower.c): each has the
// arguments a, b, c and d of its instruction. R is its result's type, integers being unsigned; S
// the same, signed (int for bool); N how many components it has, empty for one.

#define LOWER_REVERSE(R, S, N)	      bit_reverse(a)
#define LOWER_INSERT(R, S, N)	      bitfield_insert(a, b, (uint)c, (uint)d)
#define LOWER_EXTRACT(R, S, N)	      bitfield_extract_unsigned(a, (uint)b, (uint)c)
#define LOWER_SIGNED_EXTRACT(R, S, N) as_##R(bitfield_extract_signed(a, (uint)b, (uint)c))

#define LOWER_CLOCK(R, S, N)	 as_##R(clock_read_sub_group())
#define LOWER_TO_BF16(R, S, N)	 zerocl_to_bfloat16(a)
#define LOWER_FROM_BF16(R, S, N) zerocl_from_bfloat16(a)

// rotations, component by component
#define LOWER_ROTATE(R, S, N)  LOWER_EACH##N(R, S, LOWER_ONE)
#define LOWER_CLUSTER(R, S, N) LOWER_EACH##N(R, S, LOWER_ONE_OF_CLUSTER)
#define LOWER_ONE(x, at)	sub_group_rotate((x), (uint)b)
#define LOWER_ONE_OF_CLUSTER(x, at) sub_group_clustered_rotate((x), (uint)b, (uint)c)

// f of each component; its second argument names the component
#define LOWER_AT(f, at)	       f(a at, at)
#define LOWER_EACH(R, S, f)    (R)f((S)a, )
#define LOWER_EACH2(R, S, f)   (R)(LOWER_AT(f, .s0), LOWER_AT(f, .s1))
#define LOWER_EACH3(R, S, f)   (R)(LOWER_AT(f, .s0), LOWER_AT(f, .s1), LOWER_AT(f, .s2))
#define LOWER_EACH4(R, S, f)                                                                       \
	(R)(LOWER_AT(f, .s0), LOWER_AT(f, .s1), LOWER_AT(f, .s2), LOWER_AT(f, .s3))
#define LOWER_FROM4(f) LOWER_AT(f, .s4), LOWER_AT(f, .s5), LOWER_AT(f, .s6), LOWER_AT(f, .s7)
#define LOWER_EACH8(R, S, f)                                                                       \
	(R)(LOWER_AT(f, .s0), LOWER_AT(f, .s1), LOWER_AT(f, .s2), LOWER_AT(f, .s3), LOWER_FROM4(f))
#define LOWER_EACH16(R, S, f)                                                                      \
	(R)(LOWER_AT(f, .s0), LOWER_AT(f, .s1), LOWER_AT(f, .s2), LOWER_AT(f, .s3),                \
		LOWER_FROM4(f), LOWER_AT(f, .s8), LOWER_AT(f, .s9), LOWER_AT(f, .sa),              \
		LOWER_AT(f, .sb), LOWER_AT(f, .sc), LOWER_AT(f, .sd), LOWER_AT(f, .se),            \
		LOWER_AT(f, .sf))

// products of four bytes each, and their sums with c
#define LOWER_SS dot(as_char4(a), as_char4(b))
#define LOWER_UU dot(as_uchar4(a), as_uchar4(b))
#define LOWER_SU dot(as_char4(a), as_uchar4(b))
#define LOWER_DOT_SS(R, S, N) as_##R((S)LOWER_SS)
#define LOWER_DOT_UU(R, S, N) (R)LOWER_UU
#define LOWER_DOT_SU(R, S, N) as_##R((S)LOWER_SU)
#define LOWER_SUM_SS(R, S, N) as_##R(lower_sum(as_##S(c), (long)LOWER_SS))
#define LOWER_SUM_UU(R, S, N) lower_sum(c, (ulong)LOWER_UU)
#define LOWER_SUM_SU(R, S, N) as_##R(lower_sum(as_##S(c), (long)LOWER_SU))
#define LOWER_SUMS(type, wide)                                                                     \
	static __attribute__((overloadable)) type lower_sum(type c, wide sum)                      \
	{                                                                                          \
		return convert_##type##_sat(add_sat((wide)c, sum));                                \
	}
LOWER_SUMS(char, long)
LOWER_SUMS(short, long)
LOWER_SUMS(int, long)
LOWER_SUMS(long, long)
LOWER_SUMS(uchar, ulong)
LOWER_SUMS(ushort, ulong)
LOWER_SUMS(uint, ulong)
LOWER_SUMS(ulong, ulong)

// Powers of any a and b, as precise as the compiler's own when it may be fast. Halves are computed
// as floats.
#define LOWER_POWER(a, b)	       native_exp2((b) * native_log2(fabs(a)))
#define LOWER_SIGNED_POWER(a, b, odd)  select(LOWER_POWER(a, b), copysign(LOWER_POWER(a, b), a), odd)
#define LOWER_IS_ODD(b)		       ((trunc(b) == (b)) & (trunc((b) * 0.5f) != (b) * 0.5f))
#define LOWER_POWR(R, S, N)	       convert_##R(LOWER_POWER(convert_float##N(a), convert_float##N(b)))
#define LOWER_POW(R, S, N)                                                                         \
	convert_##R(LOWER_SIGNED_POWER(convert_float##N(a), convert_float##N(b),                   \
		LOWER_IS_ODD(convert_float##N(b))))
#define LOWER_POWN(R, S, N)                                                                        \
	convert_##R(LOWER_SIGNED_POWER(convert_float##N(a), convert_float##N(as_int##N(b)),        \
		-(as_int##N(b) & 1)))

// The sum of 128 bits, of which `low` and `high` are the halves.
#define LOWER_MAD_SAT(R, S, N) as_##R(lower_mad_sat(as_##S(a), as_##S(b), as_##S(c)))
#define LOWER_MAD_SATS(N)                                                                          \
	static __attribute__((overloadable)) long##N lower_mad_sat(long##N a, long##N b, long##N c) \
	{                                                                                          \
		ulong##N product = as_ulong##N(a) * as_ulong##N(b), low = product + as_ulong##N(c); \
		long##N carry = select((long##N)0, (long##N)1, (long##N)(low < product));          \
		long##N high = mul_hi(a, b) + (c >> 63) + carry;                                   \
		long##N limit = (high >> 63) ^ LONG_MAX;                                           \
		return select(limit, as_long##N(low), (long##N)(high == as_long##N(low) >> 63));   \
	}
LOWER_MAD_SATS()
LOWER_MAD_SATS(2)
LOWER_MAD_SATS(3)
LOWER_MAD_SATS(4)
LOWER_MAD_SATS(8)
LOWER_MAD_SATS(16)

// What a scan leaves with the last work-item, where the compiler's reduction is wrong.
#define LOWER_REDUCE(op, x)                                                                        \
	(get_num_sub_groups() > get_max_sub_group_size()                                           \
			? work_group_broadcast(work_group_scan_inclusive_##op(x),                  \
				  get_local_size(0) - 1, get_local_size(1) - 1,                    \
				  get_local_size(2) - 1)                                           \
			: work_group_reduce_##op(x))
#define LOWER_REDUCE_ADD(R, S, N)	 LOWER_REDUCE(add, a)
#define LOWER_REDUCE_MIN(R, S, N)	 LOWER_REDUCE(min, a)
#define LOWER_REDUCE_MAX(R, S, N)	 LOWER_REDUCE(max, a)
#define LOWER_REDUCE_SIGNED_MIN(R, S, N) as_##R(LOWER_REDUCE(min, as_##S(a)))
#define LOWER_REDUCE_SIGNED_MAX(R, S, N) as_##R(LOWER_REDUCE(max, as_##S(a)))
