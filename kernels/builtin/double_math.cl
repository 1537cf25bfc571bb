// SPDX-License-Identifier: MIT
// Mathematics in double precision for devices that have none (spirv_lower.c), made of what
// double_core.cl does: within the errors that OpenCL C allows (section 7.4), most within 2 ulp.
// The tables are series of Taylor, Euler and Stirling unless something else is said.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

// The digits of 2/pi, behind 64 zeros.
constant ulong double_two_by_pi[] = { 0, 0xa2f9836e4e441529ul, 0xfc2757d1f534ddc0ul,
	0xdb6295993c439041ul, 0xfe5163abdebbc561ul, 0xb7246e3a424dd2e0ul,
	0x06492eea09d1921cul, 0xfe1deb1cb129a73eul, 0xe88235f52ebb4484ul,
	0xe99c7026b45f7e41ul, 0x3991d639835339f4ul, 0x9c845f8bbdf9283bul,
	0x1ff897ffde05980ful, 0xef2f118b5a0a6d1ful, 0x6d367ecf27cb09b7ul,
	0x4f463f669e5fea2dul, 0x7527bac7ebe5f17bul, 0x3d0739f78a5292eaul,
	0x6bfb5fb11f8d5d08ul, 0x56033046fc7b6babul, 0xf0cfbc209af4361dul };
// The arc tangents of 0 to 8 eighths: what is above, and the rest.
constant double double_arc[] = { 0x0.0p+0, 0x1.fd5ba9aac2f6ep-4, 0x1.f5b75f92c80ddp-3,
	0x1.6f61941e4def1p-2, 0x1.dac670561bb4fp-2, 0x1.1e00babdefeb4p-1,
	0x1.4978fa3269ee1p-1, 0x1.700a7c5784634p-1, 0x1.921fb54442d18p-1 };
constant double double_arc_rest[] = { 0x0.0p+0, -0x1.cd37686760c17p-59, 0x1.8ab6e3cf7afbdp-57,
	-0x1.c63aae6f6e918p-56, 0x1.a2b7f222f65e2p-56, -0x1.928df287a668fp-58,
	0x1.2419a87f2a458p-56, -0x1.8c34d25aadef6p-56, 0x1.1a62633145c07p-55 };
// Of exp(x) - 1 - x, over x^2.
constant double double_exp_terms[] = { 0x1.0000000000000p-1, 0x1.5555555555555p-3, 0x1.5555555555555p-5,
	0x1.1111111111111p-7, 0x1.6c16c16c16c17p-10, 0x1.a01a01a01a01ap-13,
	0x1.a01a01a01a01ap-16, 0x1.71de3a556c734p-19, 0x1.27e4fb7789f5cp-22,
	0x1.ae64567f544e4p-26, 0x1.1eed8eff8d898p-29, 0x1.6124613a86d09p-33,
	0x1.93974a8c07c9dp-37 };
// Of log((1 + s)/(1 - s)) - 2 s - 2 s^3/3, over s^5, in s^2.
constant double double_log_terms[] = { 0x1.999999999999ap-2, 0x1.2492492492492p-2, 0x1.c71c71c71c71cp-3,
	0x1.745d1745d1746p-3, 0x1.3b13b13b13b14p-3, 0x1.1111111111111p-3,
	0x1.e1e1e1e1e1e1ep-4, 0x1.af286bca1af28p-4, 0x1.8618618618618p-4,
	0x1.642c8590b2164p-4, 0x1.47ae147ae147bp-4, 0x1.2f684bda12f68p-4 };
// Of sin(x) - x over x^3, and of cos(x) - 1 + x^2/2 over x^4, in x^2.
constant double double_sin_terms[] = { -0x1.5555555555555p-3, 0x1.1111111111111p-7, -0x1.a01a01a01a01ap-13,
	0x1.71de3a556c734p-19, -0x1.ae64567f544e4p-26, 0x1.6124613a86d09p-33,
	-0x1.ae7f3e733b81fp-41, 0x1.952c77030ad4ap-49, -0x1.2f49b46814157p-57 };
constant double double_cos_terms[] = { 0x1.5555555555555p-5, -0x1.6c16c16c16c17p-10, 0x1.a01a01a01a01ap-16,
	-0x1.27e4fb7789f5cp-22, 0x1.1eed8eff8d898p-29, -0x1.93974a8c07c9dp-37,
	0x1.ae7f3e733b81fp-45, -0x1.6827863b97d97p-53, 0x1.e542ba4020225p-62 };
// Of atan(x) - x over x^3, in x^2.
constant double double_arc_terms[] = { -0x1.5555555555555p-2, 0x1.999999999999ap-3, -0x1.2492492492492p-3,
	0x1.c71c71c71c71cp-4, -0x1.745d1745d1746p-4, 0x1.3b13b13b13b14p-4,
	-0x1.1111111111111p-4, 0x1.e1e1e1e1e1e1ep-5, -0x1.af286bca1af28p-5 };
// Of erf(x) over x, in x^2.
constant double double_erf_terms[] = { 0x1.20dd750429b6dp+0, -0x1.812746b0379e7p-2, 0x1.ce2f21a042be2p-4,
	-0x1.b82ce31288b51p-6, 0x1.565bcd0e6a53fp-8, -0x1.c02db40040b86p-11,
	0x1.f9a326f9b89b7p-14, -0x1.f4d25c3e0c2ebp-17, 0x1.b9e6c9dc651a3p-20,
	-0x1.5f742ec43e71ap-23, 0x1.fcc5720624c1cp-27, -0x1.51d7181c5d36dp-30,
	0x1.9e6ad5e55a730p-34, -0x1.d8453cb0c46eap-38, 0x1.f683ae4a97007p-42,
	-0x1.f56f071a885cfp-46, 0x1.d70b3537f4765p-50, -0x1.a2007af3447f6p-54,
	0x1.5f7919bc67b8cp-58 };
// Of exp(x^2) erfc(x) (1 + 2 x) for x from 0.9 on, by the Chebyshev expansion to degree 26 in
// (x - 4)/(x + 4), which a shift and a scale bring to -1 to 1.
constant double double_erfc_terms[] = { 0x1.354c2bb3a22cep+0, -0x1.afc0057efd9fap-4, 0x1.96f4469bcf585p-6,
	0x1.4b0f10fc107bap-7, -0x1.2ede6bbcbeec7p-6, 0x1.f330b3b8900a3p-7,
	-0x1.30adf08796742p-7, 0x1.2aa1961dddc01p-8, -0x1.d9584002eb9e0p-10,
	0x1.236034fe9926fp-11, -0x1.e3a21d57555bap-14, 0x1.763d346d09bcdp-18,
	0x1.b0c30dc61f802p-18, -0x1.465a029f4c7e5p-19, 0x1.539e02e2e3727p-23,
	0x1.6d06654f7662dp-23, -0x1.ceb3229ff627fp-25, -0x1.54b33da2b8c76p-28,
	0x1.b06827afe37acp-28, -0x1.20d96c2a11f76p-31, -0x1.490fe9a821bf0p-31,
	0x1.1b4186f5b3926p-33, 0x1.d3ff88eaba3b3p-35, -0x1.27264edba2530p-36,
	-0x1.330433d6e7935p-38, 0x1.596f4f3329f78p-40, 0x1.175e20b522938p-42 };
// Stirling's series: B(2k)/(2k (2k - 1)), from 1/x on, in 1/x^2.
constant double double_gamma_terms[] = { 0x1.5555555555555p-4, -0x1.6c16c16c16c17p-9, 0x1.a01a01a01a01ap-11,
	-0x1.3813813813814p-11, 0x1.b951e2b18ff23p-11, -0x1.f6ab0d9993c7dp-10,
	0x1.a41a41a41a41ap-8, -0x1.e4286cb0f5398p-6, 0x1.6fe96381e0680p-3,
	-0x1.6476701181f3ap+0, 0x1.ace44322ce006p+3, -0x1.39b2525cccc1bp+7 };

#define DOUBLE_INF	 as_double(0x7ff0000000000000ul)
#define DOUBLE_NO_NUMBER as_double(0x7ff8000000000000ul)
#define DOUBLE_HELPER	 static __attribute__((noinline))
#define DOUBLE_SERIES(x, terms) double_series((x), (terms), sizeof(terms) / sizeof(*(terms)))

// ---- bits

static double double_abs(double x)
{
	return as_double(as_ulong(x) & 0x7ffffffffffffffful);
}

static double double_signed(double x, double sign)
{
	return as_double((as_ulong(x) & 0x7ffffffffffffffful) |
			 (as_ulong(sign) & 0x8000000000000000ul));
}

static bool double_is_minus(double x)
{
	return as_long(x) < 0;
}

static bool double_no_number(double x)
{
	return (as_ulong(x) & 0x7ffffffffffffffful) > 0x7ff0000000000000ul;
}

static bool double_no_finite(double x)
{
	return (as_ulong(x) & 0x7ff0000000000000ul) == 0x7ff0000000000000ul;
}

// The exponent of a finite number that is not 0.
static int double_exponent(double x)
{
	ulong bits = as_ulong(x) & 0x7ffffffffffffffful;

	return bits >> 52 ? (int)(bits >> 52) - 1023 : -1011 - (int)clz(bits);
}

DOUBLE_HELPER double double_ldexp(double x, int n)
{
	n = clamp(n, -3000, 3000);
	for (; n > 1000; n -= 1000)
		x *= 0x1p1000;
	// what this leaves to the last product, that cannot round a second time
	for (; n < -1022; n += 969)
		x *= 0x1p-969;
	return x * as_double((ulong)(n + 1023) << 52);
}

static double double_trunc(double x)
{
	int e = (int)(as_ulong(x) >> 52 & 0x7ff) - 1023;

	if (e > 51)
		return x;
	return as_double(as_ulong(x) & (e < 0 ? 0x8000000000000000ul : ~(0xffffffffffffful >> e)));
}

DOUBLE_HELPER double double_floor(double x)
{
	double whole = double_trunc(x);

	return whole > x ? whole - 1.0 : whole;
}

DOUBLE_HELPER double double_ceil(double x)
{
	double whole = double_trunc(x);

	return double_signed(whole < x ? whole + 1.0 : whole, x);
}

DOUBLE_HELPER double double_rint(double x)
{
	double a = double_abs(x);

	return a < 0x1p52 ? double_signed((a + 0x1p52) - 0x1p52, x) : x;
}

DOUBLE_HELPER double double_round(double x)
{
	double whole = double_trunc(x);

	return double_abs(x - whole) >= 0.5 ? whole + double_signed(1.0, x) : whole;
}

static bool double_is_odd(double x) // a whole number
{
	return double_abs(x) < 0x1p53 && ((long)x & 1);
}

static double double_fract(double x)
{
	if (double_no_number(x))
		return x;
	if (double_no_finite(x))
		return double_signed(0.0, x);
	double part = x - double_floor(x);
	return x == 0.0 ? x : part < 1.0 ? part : 0x1.fffffffffffffp-1;
}

static double double_modf(double x)
{
	return double_signed(
		double_no_finite(x) && !double_no_number(x) ? 0.0 : x - double_trunc(x), x);
}

static double double_frexp(double x)
{
	if (x == 0.0 || double_no_finite(x))
		return x;
	return double_ldexp(x, -double_exponent(x) - 1);
}

static int double_frexp_exponent(double x)
{
	return x == 0.0 || double_no_finite(x) ? 0 : double_exponent(x) + 1;
}

static int double_ilogb(double x)
{
	if (x == 0.0)
		return FP_ILOGB0;
	if (double_no_finite(x))
		return double_no_number(x) ? FP_ILOGBNAN : INT_MAX;
	return double_exponent(x);
}

static double double_logb(double x)
{
	if (x == 0.0)
		return -DOUBLE_INF;
	return double_no_finite(x) ? x * x : (double)double_exponent(x);
}

static double double_nextafter(double x, double y)
{
	if (double_no_number(x) || double_no_number(y))
		return DOUBLE_NO_NUMBER;
	if (x == y)
		return y;
	if (x == 0.0)
		return double_signed(as_double(1ul), y);
	return as_double(as_ulong(x) + ((x < y) == (x > 0.0) ? 1ul : ~0ul));
}

static double double_nan(ulong code)
{
	return as_double(0x7ff8000000000000ul | (code & 0x7fffffffffffful));
}

// ---- common functions

static double double_fmin(double x, double y)
{
	return double_no_number(x) || y < x ? y : x;
}

static double double_fmax(double x, double y)
{
	return double_no_number(x) || x < y ? y : x;
}

static double double_fdim(double x, double y)
{
	if (double_no_number(x) || double_no_number(y))
		return DOUBLE_NO_NUMBER;
	return x > y ? x - y : 0.0;
}

static double double_maxmag(double x, double y)
{
	double a = double_abs(x), b = double_abs(y);

	return a > b ? x : b > a ? y : double_fmax(x, y);
}

static double double_minmag(double x, double y)
{
	double a = double_abs(x), b = double_abs(y);

	return a < b ? x : b < a ? y : double_fmin(x, y);
}

static double double_clamp(double x, double low, double high)
{
	return double_fmin(double_fmax(x, low), high);
}

static double double_mix(double x, double y, double a)
{
	return x + (y - x) * a;
}

static double double_step(double edge, double x)
{
	return x < edge ? 0.0 : 1.0;
}

static double double_smoothstep(double low, double high, double x)
{
	double t = double_clamp((x - low) / (high - low), 0.0, 1.0);

	return t * t * (3.0 - 2.0 * t);
}

static double double_sign(double x)
{
	if (double_no_number(x))
		return 0.0;
	return x == 0.0 ? x : double_signed(1.0, x);
}

static double double_degrees(double x)
{
	return x * 0x1.ca5dc1a63c1f8p+5;
}

static double double_radians(double x)
{
	return x * 0x1.1df46a2529d39p-6;
}

// ---- sums and products of twice as many digits: x is what a double holds, y the rest

// No structs: the compiler loses those that functions take or return, and what mends that in
// programs (igc_bugs.c) has been before.

static double2 double_quick_sum(double a, double b) // |a| is the larger one
{
	double2 r;

	r.x = a + b;
	r.y = b - (r.x - a);
	return r;
}

DOUBLE_HELPER double2 double_sum(double a, double b)
{
	double2 r;

	r.x = a + b;
	double part = r.x - a;
	r.y = (a - (r.x - part)) + (b - part);
	return r;
}

DOUBLE_HELPER double2 double_product(double a, double b)
{
	double2 r;

	r.x = a * b;
	r.y = fma(a, b, -r.x);
	return r;
}

// (a + b) of pairs, and a * b.
DOUBLE_HELPER double2 double_pair_sum(double2 a, double2 b)
{
	double2 r = double_sum(a.x, b.x);

	return double_quick_sum(r.x, r.y + (a.y + b.y));
}

DOUBLE_HELPER double2 double_pair_product(double2 a, double2 b)
{
	double2 r = double_product(a.x, b.x);

	return double_quick_sum(r.x, r.y + (a.x * b.y + a.y * b.x));
}

static double2 double_pair_of(double high, double low)
{
	double2 r;

	r.x = high;
	r.y = low;
	return r;
}

// terms[0] + x (terms[1] + x (...
DOUBLE_HELPER double double_series(double x, constant const double *terms, uint n)
{
	double sum = terms[n - 1];

	for (uint i = n - 1; i > 0; i--)
		sum = sum * x + terms[i - 1];
	return sum;
}

#define DOUBLE_LN2     double_pair_of(0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56)
#define DOUBLE_LN10    double_pair_of(0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53)
#define DOUBLE_BY_LN2  double_pair_of(0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56)
#define DOUBLE_BY_LN10 double_pair_of(0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57)
#define DOUBLE_PI      double_pair_of(0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53)
#define DOUBLE_HALF_PI double_pair_of(0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54)
#define DOUBLE_BY_PI   double_pair_of(0x1.45f306dc9c883p-2, -0x1.6b01ec5417056p-56)
// ln(2) in so few digits that 1100 times as much is exact, and the rest
#define DOUBLE_LN2_SHORT 0x1.62e42fefa3800p-1
#define DOUBLE_LN2_REST	 0x1.ef35793c76730p-45

// ---- powers

// x = k ln(2) + r, for a whole k near x/ln(2): returns r.
DOUBLE_HELPER double2 double_exp_rest(double2 x, double k)
{
	double2 r = double_sum(fma(-k, DOUBLE_LN2_SHORT, x.x), -k * DOUBLE_LN2_REST);

	return double_quick_sum(r.x, r.y + x.y);
}

static double double_exp_turns(double x)
{
	return double_rint(x * 0x1.71547652b82fep+0);
}

// exp(x) 2^up
DOUBLE_HELPER double double_exp_pair(double2 x, int up)
{
	if (double_no_number(x.x))
		return x.x;
	if (double_abs(x.x) > 2000.0)
		return x.x > 0.0 ? DOUBLE_INF : 0.0;
	double k = double_exp_turns(x.x);
	double2 r = double_exp_rest(x, k);
	double more = r.x * r.x * DOUBLE_SERIES(r.x, double_exp_terms) +
		      fma(r.y, r.x, r.y);
	return double_ldexp(1.0 + (r.x + more), (int)k + up);
}

static double double_exp(double x)
{
	return double_exp_pair(double_pair_of(x, 0.0), 0);
}

static double double_exp2(double x)
{
	if (!(double_abs(x) < 2000.0))
		return double_exp(x);
	double n = double_rint(x);
	return double_exp_pair(double_pair_product(double_pair_of(x - n, 0.0), DOUBLE_LN2), (int)n);
}

static double double_exp10(double x)
{
	if (!(double_abs(x) < 2000.0))
		return double_exp(x);
	return double_exp_pair(double_pair_product(double_pair_of(x, 0.0), DOUBLE_LN10), 0);
}

DOUBLE_HELPER double double_expm1(double x)
{
	if (x > 710.0 || double_no_number(x))
		return double_exp(x);
	if (x < -40.0)
		return -1.0;
	if (double_abs(x) < 0x1p-60)
		return x;
	double turns = double_exp_turns(x);
	int k = (int)turns;
	double2 r = double_exp_rest(double_pair_of(x, 0.0), turns);
	double more = r.x * r.x * DOUBLE_SERIES(r.x, double_exp_terms) +
		      fma(r.y, r.x, r.y);
	if (!k)
		return r.x + more;
	// 2^k (1 + r + more) - 1
	double2 sum = double_sum(1.0 - double_ldexp(1.0, -k), r.x);
	return double_ldexp(sum.x + (sum.y + more), k);
}

// log(x) of a finite x above 0, with twelve digits more than a double has
DOUBLE_HELPER double2 double_log_pair(double x)
{
	int k = double_exponent(x);
	double m = double_ldexp(x, -k);

	if (m > 0x1.6a09e667f3bcdp+0) {
		m *= 0.5;
		k++;
	}
	// s = (m - 1)/(m + 1)
	double f = m - 1.0;
	double2 below = double_sum(m, 1.0), s;
	s.x = f / below.x;
	s.y = (fma(-s.x, below.x, f) - s.x * below.y) / below.x;
	double2 square = double_pair_product(s, s);
	double2 third = double_pair_product(double_pair_product(s, square),
		double_pair_of(0x1.5555555555555p-1, 0x1.5555555555555p-55));
	double fifth = s.x * square.x * square.x;
	double2 r =
		double_sum((double)k * DOUBLE_LN2_SHORT, 2.0 * s.x);
	r.y += (double)k * DOUBLE_LN2_REST + 2.0 * s.y +
		 fifth * DOUBLE_SERIES(square.x, double_log_terms);
	return double_pair_sum(r, third);
}

// What log(x) is where it is no finite number; else false.
static bool double_log_edge(double x, double *result)
{
	if (x > 0.0 && !double_no_finite(x))
		return false;
	*result = x == 0.0 ? -DOUBLE_INF : x > 0.0 ? x : DOUBLE_NO_NUMBER;
	return true;
}

static double double_log(double x)
{
	double r;

	return double_log_edge(x, &r) ? r : double_log_pair(x).x;
}

static double double_log2(double x)
{
	double r;

	return double_log_edge(x, &r) ? r
				      : double_pair_product(double_log_pair(x), DOUBLE_BY_LN2).x;
}

static double double_log10(double x)
{
	double r;

	return double_log_edge(x, &r) ? r
				      : double_pair_product(double_log_pair(x), DOUBLE_BY_LN10).x;
}

DOUBLE_HELPER double double_log1p(double x)
{
	double r;

	if (double_abs(x) < 0x1p-60)
		return x;
	if (double_log_edge(1.0 + x, &r))
		return r;
	double2 u = double_sum(1.0, x), l = double_log_pair(u.x);
	return l.x + (l.y + u.y / u.x);
}

// |x|^y for a finite x that is not 0 and a finite y.
DOUBLE_HELPER double double_power(double x, double2 y)
{
	double2 l = double_log_pair(double_abs(x));

	if (double_abs(y.x) > 0x1p70)
		return double_exp(l.x == 0.0 ? 0.0 : l.x * double_signed(1e10, y.x) * 1e20);
	return double_exp_pair(double_pair_product(l, y), 0);
}

DOUBLE_HELPER double double_pow(double x, double y)
{
	double a = double_abs(x);
	bool whole = double_trunc(y) == y, odd = whole && double_is_odd(y);
	double sign = odd ? x : 1.0, far = (a > 1.0) == (y > 0.0) ? DOUBLE_INF : 0.0;

	if (y == 0.0 || x == 1.0)
		return 1.0;
	if (double_no_number(x) || double_no_number(y))
		return DOUBLE_NO_NUMBER;
	if (double_no_finite(y))
		return a == 1.0 ? 1.0 : far;
	if (x == 0.0 || double_no_finite(x))
		return double_signed(far, sign);
	if (x < 0.0 && !whole)
		return DOUBLE_NO_NUMBER;
	return double_signed(double_power(x, double_pair_of(y, 0.0)), sign);
}

static double double_powr(double x, double y)
{
	if (x < 0.0 || double_no_number(x) || double_no_number(y) ||
		(y == 0.0 && (x == 0.0 || double_no_finite(x))) ||
		(x == 1.0 && double_no_finite(y)))
		return DOUBLE_NO_NUMBER;
	return double_pow(double_abs(x), y);
}

static double double_pown(double x, int n)
{
	return double_pow(x, (double)n);
}

DOUBLE_HELPER double double_rootn(double x, int n)
{
	double sign = n & 1 ? x : 1.0;

	if (!n || double_no_number(x) || (x < 0.0 && !(n & 1)))
		return DOUBLE_NO_NUMBER;
	if (x == 0.0 || double_no_finite(x))
		return double_signed((x != 0.0) == (n > 0) ? DOUBLE_INF : 0.0, sign);
	double high = 1.0 / (double)n;
	return double_signed(
		double_power(x, double_pair_of(high, fma(-high, (double)n, 1.0) * high)), sign);
}

static double double_cbrt(double x)
{
	return x == 0.0 || double_no_finite(x) ? x : double_rootn(x, 3);
}

static double double_rsqrt(double x)
{
	return 1.0 / sqrt(x);
}

// sqrt(x^2 + y^2 + z^2 + w^2), exact but for 1 ulp.
DOUBLE_HELPER double double_norm(double x, double y, double z, double w)
{
	x = double_abs(x);
	y = double_abs(y);
	z = double_abs(z);
	w = double_abs(w);
	double most = double_fmax(double_fmax(x, y), double_fmax(z, w));
	if (most == DOUBLE_INF)
		return most;
	if (double_no_number(x + y + z + w))
		return DOUBLE_NO_NUMBER;
	if (most == 0.0)
		return most;
	int e = double_exponent(most);
	x = double_ldexp(x, -e);
	y = double_ldexp(y, -e);
	z = double_ldexp(z, -e);
	w = double_ldexp(w, -e);
	double2 sum = double_pair_sum(
		double_pair_sum(double_product(x, x), double_product(y, y)),
		double_pair_sum(double_product(z, z), double_product(w, w)));
	double root = sqrt(sum.x);
	return double_ldexp(
		root + (fma(-root, root, sum.x) + sum.y) / (2.0 * root), e);
}

static double double_hypot(double x, double y)
{
	return double_norm(x, y, 0.0, 0.0);
}

// ---- sine and cosine

// r and, in the bits of z, n.
static double3 double_turn(double2 r, ulong n)
{
	double3 turned;

	turned.x = r.x;
	turned.y = r.y;
	turned.z = as_double(n);
	return turned;
}

// |x| = n pi/2 + r, |r| at most pi/4; n modulo 4. x is finite.
DOUBLE_HELPER double3 double_circle(double x)
{
	ulong bits = as_ulong(x) & 0x7ffffffffffffffful;

	if (double_abs(x) < 0x1.921fb54442d18p-1)
		return double_turn(double_pair_of(double_abs(x), 0.0), 0);
	// |x| = m 2^e. Digits of 2/pi that m 2^e makes multiples of 4 are passed over.
	ulong m = (bits & 0xffffffffffffful) | 0x10000000000000ul;
	int e = (int)(bits >> 52) - 1075;
	uint at = (uint)(e - 2 + 64), down = at & 63;
	constant const ulong *word = double_two_by_pi + (at >> 6);
	ulong a0 = word[0] << down, a1 = word[1] << down, a2 = word[2] << down;
	if (down) {
		a0 |= word[1] >> (64 - down);
		a1 |= word[2] >> (64 - down);
		a2 |= word[3] >> (64 - down);
	}
	ulong p2 = m * a2, p1 = m * a1 + mul_hi(m, a2);
	ulong p0 = m * a0 + mul_hi(m, a1) + (ulong)(p1 < m * a1);
	ulong n = p0 >> 62, high = p0 << 2 | p1 >> 62, low = p1 << 2 | p2 >> 62;
	double sign = 1.0;
	if (high >> 63) {
		n++;
		sign = -1.0;
		low = -low;
		high = ~high + (ulong)(low == 0);
	}
	int up = (int)clz(high);
	if (up == 64) {
		high = low;
		low = 0;
	}
	int more = up == 64 ? (int)clz(high) : up;
	up = up == 64 ? 64 + more : up;
	if (more)
		high = high << more | low >> (64 - more);
	sign = double_ldexp(sign, -up);
	double2 part = double_pair_of(sign * (double)(high >> 11) * 0x1p-53,
		sign * (double)(high & 0x7ff) * 0x1p-64);
	return double_turn(double_pair_product(part, DOUBLE_HALF_PI), n);
}

DOUBLE_HELPER double double_sin_near(double2 r)
{
	double square = r.x * r.x;

	return r.x + (square * r.x * DOUBLE_SERIES(square, double_sin_terms) +
				r.y * (1.0 - 0.5 * square));
}

DOUBLE_HELPER double double_cos_near(double2 r)
{
	double square = r.x * r.x, half_of = 0.5 * square, rest = 1.0 - half_of;

	return rest + (((1.0 - rest) - half_of) +
			      (square * square * DOUBLE_SERIES(square, double_cos_terms) -
				      r.x * r.y));
}

// The sine of r + n pi/2, and of so many quarters more.
static double double_turned(double3 r, ulong more)
{
	ulong n = as_ulong(r.z) + more;
	double2 near = double_pair_of(r.x, r.y);
	double y = n & 1 ? double_cos_near(near) : double_sin_near(near);

	return n & 2 ? -y : y;
}

DOUBLE_HELPER double double_sin(double x)
{
	if (double_no_finite(x))
		return DOUBLE_NO_NUMBER;
	if (double_abs(x) < 0x1p-28)
		return x;
	double3 r = double_circle(x);
	double y = double_turned(r, 0);
	return double_is_minus(x) ? -y : y;
}

DOUBLE_HELPER double double_cos(double x)
{
	if (double_no_finite(x))
		return DOUBLE_NO_NUMBER;
	double3 r = double_circle(x);
	return double_turned(r, 1);
}

DOUBLE_HELPER double double_tan(double x)
{
	if (double_no_finite(x))
		return DOUBLE_NO_NUMBER;
	if (double_abs(x) < 0x1p-28)
		return x;
	double3 r = double_circle(x);
	double y = double_turned(r, 0) / double_turned(r, 1);
	return double_is_minus(x) ? -y : y;
}

// |x| pi = n pi/2 + r.
DOUBLE_HELPER double3 double_half_circle(double x)
{
	double a = double_abs(x);

	if (a >= 0x1p53)
		return double_turn(double_pair_of(0.0, 0.0), 0);
	double halves = double_rint(2.0 * a);
	return double_turn(
		double_pair_product(double_pair_of(a - 0.5 * halves, 0.0), DOUBLE_PI), (ulong)halves);
}

DOUBLE_HELPER double double_sinpi(double x)
{
	if (double_no_finite(x))
		return DOUBLE_NO_NUMBER;
	double3 r = double_half_circle(x);
	double y = double_turned(r, 0);
	return y == 0.0 ? double_signed(y, x) : double_is_minus(x) ? -y : y;
}

DOUBLE_HELPER double double_cospi(double x)
{
	if (double_no_finite(x))
		return DOUBLE_NO_NUMBER;
	double3 r = double_half_circle(x);
	double y = double_turned(r, 1);
	return y == 0.0 ? 0.0 : y;
}

DOUBLE_HELPER double double_tanpi(double x)
{
	if (double_no_finite(x))
		return DOUBLE_NO_NUMBER;
	double3 r = double_half_circle(x);
	if (r.x == 0.0) {
		ulong n = as_ulong(r.z);
		double y = n & 1 ? DOUBLE_INF : 0.0;

		return (n >> 1 & 1) != double_is_minus(x) ? -y : y;
	}
	double y = double_turned(r, 0) / double_turned(r, 1);
	return double_is_minus(x) ? -y : y;
}

// ---- angles

// The angle of a right triangle: atan(y/x), y and x not negative, not both 0 and not both infinite.
DOUBLE_HELPER double2 double_angle(double y, double x)
{
	bool is_steep = y > x;

	if (is_steep) {
		double t = x;

		x = y;
		y = t;
	}
	int e = x > 0x1p900 && !double_no_finite(x) ? -200 : x < 0x1p-800 ? 200 : 0;
	double2 angle = double_pair_of(y / x, 0.0);
	if (!(angle.x < 0x1p-28)) {
		x = double_ldexp(x, e);
		y = double_ldexp(y, e);
		// the angle of the nearest eighth, and what is left
		int eighth = (int)double_rint(8.0 * angle.x);
		double of = 0.125 * (double)eighth, up = fma(-of, x, y), by = fma(of, y, x);
		double u = up / by, more = fma(-u, by, up) / by, square = u * u;
		more += u * square * DOUBLE_SERIES(square, double_arc_terms);
		double2 sum = double_sum(double_arc[eighth], u);
		angle = double_quick_sum(sum.x, sum.y + (more + double_arc_rest[eighth]));
	}
	if (!is_steep)
		return angle;
	return double_pair_sum(DOUBLE_HALF_PI, double_pair_of(-angle.x, -angle.y));
}

static double double_atan_by(double x, double2 unit)
{
	if (double_no_number(x))
		return x;
	if (x == 0.0)
		return x;
	return double_signed(
		double_pair_product(double_angle(double_abs(x), 1.0), unit).x, x);
}

static double double_atan(double x)
{
	return double_atan_by(x, double_pair_of(1.0, 0.0));
}

static double double_atanpi(double x)
{
	return double_atan_by(x, DOUBLE_BY_PI);
}

DOUBLE_HELPER double double_atan2_by(double y, double x, double2 unit)
{
	double2 angle = double_pair_of(0.0, 0.0);

	if (double_no_number(x) || double_no_number(y))
		return DOUBLE_NO_NUMBER;
	if (double_no_finite(x) && double_no_finite(y))
		angle = double_angle(1.0, 1.0);
	else if (y != 0.0)
		angle = double_angle(double_abs(y), double_abs(x));
	if (double_is_minus(x))
		angle = double_pair_sum(DOUBLE_PI, double_pair_of(-angle.x, -angle.y));
	return double_signed(double_pair_product(angle, unit).x, y);
}

static double double_atan2(double y, double x)
{
	return double_atan2_by(y, x, double_pair_of(1.0, 0.0));
}

static double double_atan2pi(double y, double x)
{
	return double_atan2_by(y, x, DOUBLE_BY_PI);
}

static double double_asin_by(double x, double2 unit)
{
	double a = double_abs(x);

	if (!(a <= 1.0))
		return DOUBLE_NO_NUMBER;
	if (x == 0.0)
		return x;
	return double_signed(
		double_pair_product(double_angle(a, sqrt((1.0 - a) * (1.0 + a))), unit).x, x);
}

static double double_asin(double x)
{
	return double_asin_by(x, double_pair_of(1.0, 0.0));
}

static double double_asinpi(double x)
{
	return double_asin_by(x, DOUBLE_BY_PI);
}

static double double_acos_by(double x, double2 unit)
{
	if (!(double_abs(x) <= 1.0))
		return DOUBLE_NO_NUMBER;
	if (x == 1.0)
		return 0.0;
	double2 angle = double_angle(sqrt(1.0 - x), sqrt(1.0 + x));
	return 2.0 * double_pair_product(angle, unit).x;
}

static double double_acos(double x)
{
	return double_acos_by(x, double_pair_of(1.0, 0.0));
}

static double double_acospi(double x)
{
	return double_acos_by(x, DOUBLE_BY_PI);
}

// ---- hyperbolic functions

DOUBLE_HELPER double double_sinh(double x)
{
	double a = double_abs(x), y;

	if (a < 0x1p-28 || double_no_number(x))
		return x;
	if (a > 20.0) {
		y = double_exp_pair(double_pair_of(a, 0.0), -1);
	} else {
		double t = double_expm1(a);

		y = 0.5 * (t + t / (t + 1.0));
	}
	return double_signed(y, x);
}

DOUBLE_HELPER double double_cosh(double x)
{
	double a = double_abs(x);

	if (a > 20.0 || double_no_number(x))
		return double_exp_pair(double_pair_of(a, 0.0), -1);
	double y = double_exp(a);
	return 0.5 * y + 0.5 / y;
}

DOUBLE_HELPER double double_tanh(double x)
{
	double a = double_abs(x), y = 1.0;

	if (a < 0x1p-28 || double_no_number(x))
		return x;
	if (a < 20.0) {
		double t = double_expm1(2.0 * a);

		y = a < 0.25 ? t / (t + 2.0) : 1.0 - 2.0 / (t + 2.0);
	}
	return double_signed(y, x);
}

DOUBLE_HELPER double double_asinh(double x)
{
	double a = double_abs(x);

	if (a < 0x1p-28 || double_no_finite(x))
		return x;
	if (a > 0x1p28)
		return double_signed(double_log(a) + 0x1.62e42fefa39efp-1, x);
	double square = a * a;
	return double_signed(double_log1p(a + square / (1.0 + sqrt(1.0 + square))), x);
}

DOUBLE_HELPER double double_acosh(double x)
{
	if (!(x >= 1.0))
		return DOUBLE_NO_NUMBER;
	if (x > 0x1p28)
		return double_log(x) + 0x1.62e42fefa39efp-1;
	double t = x - 1.0;
	return double_log1p(t + sqrt(2.0 * t + t * t));
}

DOUBLE_HELPER double double_atanh(double x)
{
	double a = double_abs(x);

	if (a < 0x1p-28 || double_no_number(x))
		return x;
	if (a > 1.0)
		return DOUBLE_NO_NUMBER;
	double t = 2.0 * a;
	return double_signed(
		0.5 * double_log1p(a < 0.5 ? t + t * a / (1.0 - a) : t / (1.0 - a)), x);
}

// ---- the error function and the gamma function

// erfc of 0.9 and more
DOUBLE_HELPER double double_erfc_far(double x)
{
	if (x > 28.0)
		return 0.0;
	double u = ((x - 4.0) / (x + 4.0) - 0x1.7829cbc14e5e1p-3) / 0x1.a1f58d0fac688p-1;
	double2 square = double_product(x, x);
	double scale = DOUBLE_SERIES(u, double_erfc_terms) / (1.0 + 2.0 * x);
	// so that only the last product is rounded to fewer digits
	return double_ldexp(
		scale * double_exp_pair(double_pair_of(-square.x, -square.y), 200), -200);
}

static double double_erf_near(double x)
{
	return x * DOUBLE_SERIES(x * x, double_erf_terms);
}

DOUBLE_HELPER double double_erf(double x)
{
	double a = double_abs(x);

	if (double_no_number(x))
		return x;
	if (a < 0x1p-500)
		return double_ldexp(double_ldexp(x, 500) * 0x1.20dd750429b6dp+0, -500);
	if (a < 0.9)
		return double_erf_near(x);
	return double_signed(1.0 - double_erfc_far(a), x);
}

DOUBLE_HELPER double double_erfc(double x)
{
	double a = double_abs(x);

	if (double_no_number(x))
		return x;
	if (a < 0.9)
		return 1.0 - double_erf_near(x);
	double y = double_erfc_far(a);
	return x < 0.0 ? 2.0 - y : y;
}

// log(gamma(x + more)) of 8 and more
DOUBLE_HELPER double2 double_gamma_far(double x, double more)
{
	double2 l = double_log_pair(x);
	double2 sum = double_pair_product(double_pair_of(x - 0.5, more), l);

	sum = double_pair_sum(sum, double_pair_of(-x, 0.0));
	sum = double_pair_sum(sum, double_pair_of(0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55));
	double by = 1.0 / x;
	return double_pair_sum(
		sum, double_pair_of(by * DOUBLE_SERIES(by * by, double_gamma_terms), 0.0));
}

// gamma(x) of |x| below 8, by the factors up to 8
DOUBLE_HELPER double double_gamma_near(double x)
{
	double2 product = double_pair_of(x, 0.0), z = product;

	if (double_abs(x) < 0x1p-60)
		return 1.0 / x;
	for (double i = 1.0;; i += 1.0) {
		z = double_sum(x, i);
		if (z.x >= 8.0)
			break;
		product = double_pair_product(product, z);
	}
	double by = 1.0 / product.x;
	return double_exp_pair(double_gamma_far(z.x, z.y), 0) *
	       (by - by * (product.y * by));
}

DOUBLE_HELPER double double_tgamma(double x)
{
	if (double_no_number(x) || x == DOUBLE_INF)
		return x;
	if (x == 0.0)
		return 1.0 / x;
	if (x < 0.0 && double_trunc(x) == x)
		return DOUBLE_NO_NUMBER;
	if (double_abs(x) < 8.0)
		return double_gamma_near(x);
	if (x > 0.0)
		return x > 172.0 ? DOUBLE_INF
				 : double_exp_pair(double_gamma_far(x, 0.0), 0);
	double sine = double_sinpi(x);
	if (x < -190.0)
		return double_signed(0.0, sine);
	// gamma(x) gamma(-x) = -pi/(x sin(pi x))
	double2 l = double_gamma_far(-x, 0.0);
	return double_ldexp(double_exp_pair(double_pair_of(-l.x, -l.y), 200) *
				    (0x1.921fb54442d18p+1 / (-x * sine)),
		-200);
}

static int double_gamma_sign(double x)
{
	if (x == 0.0)
		return double_is_minus(x) ? -1 : 1;
	return x < 0.0 && !double_no_finite(x) && double_is_odd(double_floor(x)) ? -1 : 1;
}

DOUBLE_HELPER double double_lgamma(double x)
{
	double a = double_abs(x);

	if (double_no_finite(x))
		return x * x;
	if (x <= 0.0 && double_trunc(x) == x)
		return DOUBLE_INF;
	if (x == 1.0 || x == 2.0)
		return 0.0;
	if (a < 0x1p-60)
		return -double_log(a);
	if (a < 8.0)
		return double_log(double_abs(double_gamma_near(x)));
	double2 l = double_gamma_far(a, 0.0);
	if (x > 0.0)
		return double_no_number(l.x) ? DOUBLE_INF : l.x;
	return double_log(0x1.921fb54442d18p+1 / double_abs(a * double_sinpi(x))) - l.x;
}

// ---- remainders

// x - n y, n being x/y rounded to the nearest even; and, in the bits of y, the lower bits of n.
DOUBLE_HELPER double2 double_divide(double x, double y)
{
	double a = double_abs(x), b = double_abs(y), rest;
	uint quotient = 0;

	if (double_no_number(y) || double_no_finite(x) || y == 0.0)
		return double_pair_of(DOUBLE_NO_NUMBER, 0.0);
	if (double_no_finite(y))
		return double_pair_of(x, 0.0);
	rest = b < 0x1p1016 ? fmod(a, 128.0 * b) : a;
	for (int bit = 64; bit; bit >>= 1) {
		double part = (double)bit * b;

		if (rest >= part) {
			rest -= part;
			quotient |= (uint)bit;
		}
	}
	double left = b - rest;
	if (rest > left || (rest == left && (quotient & 1))) {
		rest -= b;
		quotient++;
	}
	long n = quotient & 127;
	return double_pair_of(double_is_minus(x) ? -rest : rest,
		as_double(double_is_minus(x) != double_is_minus(y) ? -n : n));
}

static double double_remainder(double x, double y)
{
	return double_divide(x, y).x;
}

static double double_remquo(double x, double y)
{
	return double_remainder(x, y);
}

static int double_remquo_bits(double x, double y)
{
	return (int)as_long(double_divide(x, y).y);
}

#ifdef __OPENCL_VERSION__

// ---- geometry

#define LOWER_DOUBLE_LENGTH(R, S, N)	double_length(a)
#define LOWER_DOUBLE_DISTANCE(R, S, N)	double_length(a - b)
#define LOWER_DOUBLE_NORMALIZE(R, S, N) double_normalize(a)
#define LOWER_DOUBLE_CROSS(R, S, N)	double_cross(a, b)
#define DOUBLE_OVERLOAD			static __attribute__((overloadable))

DOUBLE_OVERLOAD double double_length(double a)
{
	return double_abs(a);
}

DOUBLE_OVERLOAD double double_length(double2 a)
{
	return double_norm(a.s0, a.s1, 0.0, 0.0);
}

DOUBLE_OVERLOAD double double_length(double3 a)
{
	return double_norm(a.s0, a.s1, a.s2, 0.0);
}

DOUBLE_OVERLOAD double double_length(double4 a)
{
	return double_norm(a.s0, a.s1, a.s2, a.s3);
}

// An infinite component counts as 1, all others as 0.
static double double_limit(double x)
{
	return double_signed(x == x * 0.5 && x != 0.0 ? 1.0 : 0.0, x);
}

// Its largest component is brought to about 1, so that no square is lost.
#define DOUBLE_NORMALIZE(n, largest, limits)                                                       \
	DOUBLE_OVERLOAD double##n double_normalize(double##n a)                                    \
	{                                                                                          \
		double most = largest;                                                             \
		if (most == DOUBLE_INF) {                                                          \
			a = (double##n)limits;                                                     \
			most = 1.0;                                                                \
		}                                                                                  \
		if (most == 0.0)                                                                   \
			return a;                                                                  \
		int up = -double_exponent(most) / 2;                                               \
		a = a * double_ldexp(1.0, up) * double_ldexp(1.0, -double_exponent(most) - up);    \
		return a / double_length(a);                                                       \
	}
DOUBLE_NORMALIZE(, double_abs(a), (double_limit(a)))
DOUBLE_NORMALIZE(2, double_fmax(double_abs(a.s0), double_abs(a.s1)),
	(double_limit(a.s0), double_limit(a.s1)))
DOUBLE_NORMALIZE(3,
	double_fmax(double_fmax(double_abs(a.s0), double_abs(a.s1)), double_abs(a.s2)),
	(double_limit(a.s0), double_limit(a.s1), double_limit(a.s2)))
DOUBLE_NORMALIZE(4,
	double_fmax(double_fmax(double_abs(a.s0), double_abs(a.s1)),
		double_fmax(double_abs(a.s2), double_abs(a.s3))),
	(double_limit(a.s0), double_limit(a.s1), double_limit(a.s2), double_limit(a.s3)))

// a b - c d, without losing digits
static double double_minor(double a, double b, double c, double d)
{
	double2 p = double_product(a, b), q = double_product(c, d);

	return double_pair_sum(p, double_pair_of(-q.x, -q.y)).x;
}

DOUBLE_OVERLOAD double3 double_cross(double3 a, double3 b)
{
	return (double3)(double_minor(a.s1, b.s2, a.s2, b.s1), double_minor(a.s2, b.s0, a.s0, b.s2),
		double_minor(a.s0, b.s1, a.s1, b.s0));
}

DOUBLE_OVERLOAD double4 double_cross(double4 a, double4 b)
{
	return (double4)(double_cross(a.s012, b.s012), 0.0);
}

// ---- groups

// The value of the i-th sub-group, told to all by a scan whose last work-item has it. No reduction
// tells it: see LOWER_REDUCE in lower.cl.
static ulong double_told(ulong value, uint i)
{
	bool told = get_sub_group_local_id() == 0 && get_sub_group_id() == i;

	return work_group_broadcast(work_group_scan_inclusive_max(told ? value : 0ul),
		get_local_size(0) - 1, get_local_size(1) - 1, get_local_size(2) - 1);
}

// Reductions and scans over the work-items of the sub-group that take part, in their order; of
// `cluster` neighbours each, unless that is 0. `operation` is SPIR-V's: 0 reduces, 1 scans up to
// here, 2 up to before.
#define DOUBLE_GROUP(op, identity, expression)                                                     \
	static __attribute__((noinline)) double double_sub_group_##op(                             \
		double x, uint operation, uint cluster)                                            \
	{                                                                                          \
		uint lane = get_sub_group_local_id(), all = sub_group_ballot(1).s0;                \
		uint from = cluster ? lane & ~(cluster - 1) : 0;                                   \
		uint to = operation == 1 ? lane + 1 : operation == 2 ? lane : 32;                  \
		double a = identity;                                                               \
		if (cluster && operation != 1 && operation != 2)                                   \
			to = from + cluster;                                                       \
		for (uint i = 0; i < 32; i++) {                                                    \
			double b = as_double(                                                      \
				intel_sub_group_shuffle(as_ulong(x), i < get_sub_group_size() ? i : 0)); \
			if (i >= from && i < to && (all >> i & 1))                                 \
				a = expression;                                                    \
		}                                                                                  \
		return a;                                                                          \
	}                                                                                          \
	static double double_group_##op(double x, uint wide, uint operation, uint cluster)         \
	{                                                                                          \
		double part = double_sub_group_##op(x, wide ? 0 : operation, cluster);             \
		double a = identity, b;                                                            \
		if (!wide)                                                                         \
			return part;                                                               \
		uint n = operation ? get_sub_group_id() : get_num_sub_groups();                    \
		for (uint i = 0; i < get_num_sub_groups(); i++) {                                  \
			b = as_double(double_told(as_ulong(part), i));                             \
			if (i < n)                                                                 \
				a = expression;                                                    \
		}                                                                                  \
		b = operation ? double_sub_group_##op(x, operation, 0) : identity;                 \
		return expression;                                                                 \
	}
DOUBLE_GROUP(add, 0.0, a + b)
DOUBLE_GROUP(mul, 1.0, a * b)
DOUBLE_GROUP(min, DOUBLE_INF, double_fmin(a, b))
DOUBLE_GROUP(max, -DOUBLE_INF, double_fmax(a, b))

#endif
