// SPDX-License-Identifier: MIT
// Double precision for devices that have none, in integers: what instructions of SPIR-V on doubles
// become (spirv_double.c). A double is a ulong, its bits. All is rounded to the nearest, ties to
// even, unless a mode is given; results are those of IEEE 754, with subnormal numbers. Every NaN is
// quiet.

#define DOUBLE_NAN	0x7ff8000000000000ul
#define DOUBLE_INFINITY 0x7ff0000000000000ul
#define DOUBLE_SIGN	0x8000000000000000ul
#define DOUBLE_IMPLICIT 0x0010000000000000ul

// rounding modes, as SPIR-V numbers them
enum { RTE, RTZ, RTP, RTN };

// A finite number that is not 0: m * 2^(e - 1085), m from 2^62 on and below 2^63.
struct double_parts {
	ulong m;
	int e;
};

static bool double_is_nan(ulong a)
{
	return (a << 1) > (DOUBLE_INFINITY << 1);
}

static bool double_is_huge(ulong a) // infinite or no number
{
	return (a & DOUBLE_INFINITY) == DOUBLE_INFINITY;
}

static struct double_parts double_split(ulong a)
{
	struct double_parts parts;
	ulong m = a & (DOUBLE_IMPLICIT - 1);
	int e = (int)(a >> 52) & 0x7ff;

	if (e) {
		parts.m = (m | DOUBLE_IMPLICIT) << 10;
		parts.e = e;
	} else {
		int up = (int)clz(m) - 1;

		parts.m = m << up;
		parts.e = 11 - up;
	}
	return parts;
}

// The number shifted down, with its lowest bit set if a bit was lost.
static ulong double_shift(ulong m, int n)
{
	if (n <= 0)
		return m;
	return n > 63 ? (ulong)(m != 0) : m >> n | (ulong)(m << (64 - n) != 0);
}

// What is added before `n` bits are cut off.
static ulong double_bias(ulong m, ulong sign, int n, uint mode)
{
	ulong all = (1ul << n) - 1;

	if (mode == RTE)
		return (all >> 1) + (m >> n & 1);
	return mode == (sign ? RTN : RTP) ? all : 0;
}

// m * 2^(e - 1085), m below 2^63 with its lowest bit set if it is more than that.
static ulong double_join(ulong sign, int e, ulong m, uint mode)
{
	if (e < 1) {
		m = double_shift(m, 1 - e);
		e = 1;
	}
	m = (m + double_bias(m, sign, 10, mode)) >> 10;
	if (e > 0x7fe || m + ((ulong)(e - 1) << 52) >= DOUBLE_INFINITY)
		return sign | (DOUBLE_INFINITY - (mode == RTE || mode == (sign ? RTN : RTP) ? 0 : 1));
	return sign | (m + ((ulong)(e - 1) << 52));
}

// The same of any m that is not 0.
static ulong double_normal(ulong sign, int e, ulong m, uint mode)
{
	int up = (int)clz(m) - 1;

	return up < 0 ? double_join(sign, e + 1, double_shift(m, 1), mode)
		      : double_join(sign, e - up, m << up, mode);
}

static __attribute__((noinline)) ulong double_add(ulong a, ulong b)
{
	ulong high = a, low = b;

	if ((a & ~DOUBLE_SIGN) < (b & ~DOUBLE_SIGN)) {
		high = b;
		low = a;
	}
	ulong sign = high & DOUBLE_SIGN;
	bool differ = ((a ^ b) & DOUBLE_SIGN) != 0;
	if (double_is_huge(high)) {
		if (double_is_nan(high) || (differ && double_is_huge(low)))
			return DOUBLE_NAN;
		return high;
	}
	if (!(low << 1)) {
		if (!(high << 1))
			return a & b; // -0 if both are
		return high;
	}
	struct double_parts x = double_split(high), y = double_split(low);
	ulong m = double_shift(y.m, x.e - y.e);
	m = differ ? x.m - m : x.m + m;
	return m ? double_normal(sign, x.e, m, RTE) : 0;
}

static __attribute__((noinline)) ulong double_sub(ulong a, ulong b)
{
	return double_add(a, b ^ DOUBLE_SIGN);
}

static __attribute__((noinline)) ulong double_mul(ulong a, ulong b)
{
	ulong sign = (a ^ b) & DOUBLE_SIGN;
	bool zero = !(a << 1) || !(b << 1);

	if (double_is_huge(a) || double_is_huge(b))
		return double_is_nan(a) || double_is_nan(b) || zero ? DOUBLE_NAN
								  : sign | DOUBLE_INFINITY;
	if (zero)
		return sign;
	struct double_parts x = double_split(a), y = double_split(b);
	ulong high = mul_hi(x.m, y.m << 1), low = x.m * (y.m << 1);
	return double_normal(sign, x.e + y.e - 1022, high | (ulong)(low != 0), RTE);
}

static __attribute__((noinline)) ulong double_div(ulong a, ulong b)
{
	ulong sign = (a ^ b) & DOUBLE_SIGN;

	if (double_is_nan(a) || double_is_nan(b))
		return DOUBLE_NAN;
	if (double_is_huge(a))
		return double_is_huge(b) ? DOUBLE_NAN : sign | DOUBLE_INFINITY;
	if (!(b << 1))
		return a << 1 ? sign | DOUBLE_INFINITY : DOUBLE_NAN;
	if (double_is_huge(b) || !(a << 1))
		return sign;
	struct double_parts x = double_split(a), y = double_split(b);
	ulong rest = x.m, quotient = 0;
	for (int i = 0; i < 57; i++) {
		bool fits = rest >= y.m;

		rest = (fits ? rest - y.m : rest) << 1;
		quotient = quotient << 1 | fits;
	}
	return double_normal(
		sign, x.e - y.e + 1023, quotient << 6 | (ulong)(rest != 0), RTE);
}

// The remainder of a/b by truncation.
static __attribute__((noinline)) ulong double_rem(ulong a, ulong b)
{
	ulong sign = a & DOUBLE_SIGN;

	if (double_is_huge(a) || double_is_nan(b) || !(b << 1))
		return DOUBLE_NAN;
	if (double_is_huge(b) || (a & ~DOUBLE_SIGN) < (b & ~DOUBLE_SIGN))
		return a;
	struct double_parts x = double_split(a), y = double_split(b);
	for (int e = x.e; e >= y.e; e--) {
		if (x.m >= y.m)
			x.m -= y.m;
		if (e > y.e)
			x.m <<= 1;
	}
	return x.m ? double_normal(sign, y.e, x.m, RTE) : sign;
}

// The same by division rounded down.
static __attribute__((noinline)) ulong double_mod(ulong a, ulong b)
{
	ulong rest = double_rem(a, b);

	if (double_is_nan(rest))
		return rest;
	if (!(rest << 1))
		return b & DOUBLE_SIGN;
	return (rest ^ b) & DOUBLE_SIGN ? double_add(rest, b) : rest;
}

static __attribute__((noinline)) ulong double_sqrt(ulong a)
{
	if (!(a << 1) || double_is_nan(a))
		return a << 1 ? DOUBLE_NAN : a;
	if (a & DOUBLE_SIGN)
		return DOUBLE_NAN;
	if (double_is_huge(a))
		return a;
	struct double_parts x = double_split(a);
	int odd = (x.e + 1) & 1;
	ulong rest = 0, root = 0, m = x.m << odd;
	// two digits of the radicand for each of the root; those behind m are 0
	for (int i = 0; i < 56; i++) {
		rest = rest << 2 | m >> 62;
		m <<= 2;
		ulong next = root << 2 | 1;
		bool fits = rest >= next;
		rest = fits ? rest - next : rest;
		root = root << 1 | fits;
	}
	return double_normal(
		0, (x.e - odd - 1023) / 2 + 1023, root << 7 | (ulong)(rest != 0), RTE);
}

// A number of 128 bits.
struct double_wide {
	ulong high, low;
};

static struct double_wide double_wide_shift(struct double_wide a, int n) // down, as double_shift
{
	struct double_wide r;

	if (n <= 0)
		return a;
	if (n > 127) {
		r.high = 0;
		r.low = (a.high | a.low) != 0;
	} else if (n > 63) {
		r.high = 0;
		r.low = double_shift(a.high, n - 64) | (ulong)(a.low != 0);
	} else {
		r.high = a.high >> n;
		r.low = double_shift(a.low, n) | a.high << (64 - n);
	}
	return r;
}

static __attribute__((noinline)) ulong double_fma(ulong a, ulong b, ulong c)
{
	ulong sign = (a ^ b) & DOUBLE_SIGN;
	bool zero = !(a << 1) || !(b << 1), differ = ((sign ^ c) & DOUBLE_SIGN) != 0;

	if (double_is_nan(a) || double_is_nan(b) || double_is_nan(c))
		return DOUBLE_NAN;
	if (double_is_huge(a) || double_is_huge(b))
		return zero || (differ && double_is_huge(c)) ? DOUBLE_NAN : sign | DOUBLE_INFINITY;
	if (double_is_huge(c))
		return c;
	if (zero)
		return c << 1 ? c : sign & c;
	struct double_parts x = double_split(a), y = double_split(b), z;
	// a sum has no more than 128 bits; its unit is 2^(e - 1085 - 64)
	struct double_wide p = { mul_hi(x.m, y.m << 1), x.m * (y.m << 1) }, q = { 0, 0 };
	int e = x.e + y.e - 1022, down = 0;
	if (c << 1) {
		z = double_split(c);
		q.high = z.m;
		down = e - z.e;
	}
	if (down < 0) {
		p = double_wide_shift(p, -down);
		e = z.e;
	} else {
		q = double_wide_shift(q, down);
	}
	if (!differ) {
		p.low += q.low;
		p.high += q.high + (ulong)(p.low < q.low);
	} else {
		if (p.high < q.high || (p.high == q.high && p.low < q.low)) {
			struct double_wide t = p;

			p = q;
			q = t;
			sign ^= DOUBLE_SIGN;
		}
		p.high -= q.high + (ulong)(p.low < q.low);
		p.low -= q.low;
	}
	if (!p.high) {
		if (!p.low)
			return 0;
		return double_normal(sign, e - 64, p.low, RTE);
	}
	int up = (int)clz(p.high);
	if (up) {
		p.high = p.high << up | p.low >> (64 - up);
		p.low <<= up;
	}
	return double_normal(sign, e - up, p.high | (ulong)(p.low != 0), RTE);
}

static ulong double_neg(ulong a)
{
	return a ^ DOUBLE_SIGN;
}

// The order of numbers as that of integers.
static long double_key(ulong a)
{
	return a & DOUBLE_SIGN ? -(long)(a & ~DOUBLE_SIGN) : (long)a;
}

static bool double_unordered(ulong a, ulong b)
{
	return double_is_nan(a) || double_is_nan(b);
}

static bool double_ordered(ulong a, ulong b)
{
	return !double_is_nan(a) && !double_is_nan(b);
}

// Comparisons, false (the first) and true (the second) of what is no number.
#define DOUBLE_COMPARISON(name, op)                                                                \
	static bool double_##name(ulong a, ulong b)                          \
	{                                                                                          \
		return double_ordered(a, b) && double_key(a) op double_key(b);        \
	}                                                                                          \
	static bool double_u##name(ulong a, ulong b)                         \
	{                                                                                          \
		return double_unordered(a, b) || double_key(a) op double_key(b);      \
	}
DOUBLE_COMPARISON(eq, ==)
DOUBLE_COMPARISON(ne, !=)
DOUBLE_COMPARISON(lt, <)
DOUBLE_COMPARISON(gt, >)
DOUBLE_COMPARISON(le, <=)
DOUBLE_COMPARISON(ge, >=)

static bool double_isnan(ulong a)
{
	return double_is_nan(a);
}

static bool double_isinf(ulong a)
{
	return a << 1 == DOUBLE_INFINITY << 1;
}

static bool double_isfinite(ulong a)
{
	return !double_is_huge(a);
}

static bool double_isnormal(ulong a)
{
	return !double_is_huge(a) && (a & DOUBLE_INFINITY) != 0;
}

static bool double_signbit(ulong a)
{
	return a >> 63;
}

static __attribute__((noinline)) ulong double_from_ulong(ulong a, uint mode)
{
	return a ? double_normal(0, 1085, a, mode) : 0;
}

static __attribute__((noinline)) ulong double_from_long(ulong a, uint mode)
{
	ulong sign = a & DOUBLE_SIGN;

	return a ? double_normal(sign, 1085, sign ? -a : a, mode) : 0;
}

// The integer's amount; above 2^64, all ones.
static ulong double_integer(ulong a, uint mode)
{
	if (!(a << 1))
		return 0;
	struct double_parts x = double_split(a);
	if (x.e > 1086)
		return ~0ul;
	if (x.e >= 1085)
		return x.m << (x.e - 1085);
	// with two more bits: the first that is cut off, and whether there are others
	ulong m = x.e == 1084 ? x.m << 1 : double_shift(x.m, 1083 - x.e);
	return (m >> 2) + (((m & 3) + double_bias(m, a & DOUBLE_SIGN, 2, mode)) >> 2);
}

// Signed and unsigned integers; of `bits`, to which the result is limited; 0: not limited.
static __attribute__((noinline)) ulong double_to_long(ulong a, uint mode, uint bits)
{
	bool is_less = a >> 63;

	if (bits && double_is_nan(a))
		return 0;
	ulong n = double_integer(a, mode), limit = (1ul << ((bits ? bits : 64) - 1)) - (ulong)!is_less;
	if (n > limit)
		n = limit;
	return is_less ? -n : n;
}

static __attribute__((noinline)) ulong double_to_ulong(ulong a, uint mode, uint bits)
{
	bool is_less = a >> 63;

	if (bits && (is_less || double_is_nan(a)))
		return 0;
	ulong n = double_integer(a, mode), limit = ~0ul >> (bits ? 64 - bits : 0);
	if (n > limit)
		n = limit;
	return is_less ? -n : n;
}

static __attribute__((noinline)) ulong double_of_float(uint a)
{
	ulong sign = (ulong)(a >> 31) << 63, m = a & 0x7fffff;
	int e = (int)(a >> 23) & 0xff;

	if (e == 0xff)
		return m ? DOUBLE_NAN : sign | DOUBLE_INFINITY;
	if (!e)
		return m ? double_normal(sign, 1023 - 126 + 39, m, RTE) : sign;
	return sign | (ulong)(e + 1023 - 127) << 52 | m << 29;
}

// A smaller number of `bits`, of which `fraction` are that of the mantissa.
static __attribute__((noinline)) uint double_narrow(ulong a, uint mode, int bits, int fraction)
{
	uint sign = (uint)(a >> 63) << (bits - 1);
	int max = (1 << (bits - 1 - fraction)) - 1, cut = 62 - fraction;
	ulong infinity = (ulong)max << fraction, bits_of;

	if (double_is_nan(a))
		return (uint)(infinity | 1ul << (fraction - 1));
	if (double_is_huge(a))
		return sign | (uint)infinity;
	if (!(a << 1))
		return sign;
	struct double_parts x = double_split(a);
	int e = x.e - 1023 + (max >> 1);
	if (e < 1) {
		x.m = double_shift(x.m, 1 - e);
		e = 1;
	}
	bits_of = (x.m + double_bias(x.m, a & DOUBLE_SIGN, cut, mode)) >> cut;
	bits_of += (ulong)(e - 1) << fraction;
	if (bits_of >= infinity)
		bits_of = infinity -
			  (mode == RTE || mode == (a & DOUBLE_SIGN ? RTN : RTP) ? 0 : 1);
	return sign | (uint)bits_of;
}

#ifdef __OPENCL_VERSION__

static float double_to_float(ulong a, uint mode)
{
	return as_float(double_narrow(a, mode, 32, 23));
}

static half double_to_half(ulong a, uint mode)
{
	return as_half((ushort)double_narrow(a, mode, 16, 10));
}

// Conversions to more digits are exact.
static ulong double_from_float(float a, uint mode)
{
	return double_of_float(as_uint(a));
}

static ulong double_from_half(half a, uint mode)
{
	return double_of_float(as_uint(convert_float(a)));
}

// A half, so rounded, as a float.
static float double_through_half(ulong a, uint mode)
{
	return convert_float(double_to_half(a, mode));
}

#define LOWER_DOUBLE_DOT(R, S, N) double_dot(a, b)
static __attribute__((overloadable)) ulong double_dot(ulong a, ulong b)
{
	return double_mul(a, b);
}

static __attribute__((overloadable)) ulong double_dot(ulong2 a, ulong2 b)
{
	return double_fma(a.s1, b.s1, double_mul(a.s0, b.s0));
}

static __attribute__((overloadable)) ulong double_dot(ulong3 a, ulong3 b)
{
	return double_fma(a.s2, b.s2, double_dot(a.s01, b.s01));
}

static __attribute__((overloadable)) ulong double_dot(ulong4 a, ulong4 b)
{
	return double_fma(a.s3, b.s3, double_dot(a.s012, b.s012));
}

#endif
