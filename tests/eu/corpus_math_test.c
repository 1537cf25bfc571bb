// SPDX-License-Identifier: MIT
/*
 * The math, common, geometric and relational built-ins of OpenCL C through Intel's compiler and
 * driver on the device: float, half (unary functions for all 65,536 values) and, where the compiler
 * was told to emulate it, double; scalars at every SIMD width and with every option, and vectors.
 * Against the host's extended precision, with the bounds of OpenCL C 3.0, section 7.4.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus_math.h"
#include "corpus_rows.h"
#include "cs/intel_group.h"

enum { N = 65536, FEW = 6144, SPECIALS = 24, ROOM = 1 << 20 };

/* The host's own halves, so that nothing of the device tests itself. */
__extension__ typedef _Float16 host_half;

static const struct math_type half_type = { "half", "ushort", "short", "0x8000", 2, 11, -24,
	65504 };
static const struct math_type float_type = { "float", "uint", "int", "0x80000000u", 4, 24, -149,
	0xffffffp104L };
static const struct math_type double_type = { "double", "ulong", "long", "0x8000000000000000ul", 8,
	53, -1074, 0x1fffffffffffffp971L };

/* Options, and what they change in the bounds. */
struct variant {
	const char *options, *way;
	const struct math_type *type;
	unsigned width, n; /* elements of a vector; numbers */
	unsigned flags;
};

enum {
	RELAXED = 1,	  /* only ordinary operands, and hardly a bound */
	NO_DENORMALS = 2, /* are taken for zero, in and out */
	ROUNDED = 4,	  /* / and sqrt are exact */
	HEAVY_ONES = 8,	  /* only these, each a program */
};

static const struct variant *variant; /* the one that runs */

static unsigned char in[3][N * 8], out[N * 8];
static int integers[N];

/* ---- numbers ---- */

static long double number_at(const unsigned char *bytes, unsigned i)
{
	host_half h;
	double d;
	float f;

	switch (variant->type->size) {
	case 2:
		memcpy(&h, bytes + 2 * i, 2);
		return (long double)h;
	case 4:
		memcpy(&f, bytes + 4 * i, 4);
		return (long double)f;
	}
	memcpy(&d, bytes + 8 * i, 8);
	return (long double)d;
}

static void put_number(unsigned char *bytes, unsigned i, long double x)
{
	host_half h = (host_half)x;
	double d = (double)x;
	float f = (float)x;
	unsigned size = variant->type->size;

	memcpy(bytes + (size_t)i * size,
		size == 2   ? (void *)&h
		: size == 4 ? (void *)&f
			    : &d,
		size);
}

static const long double specials[SPECIALS] = { 0, -0.0L, 1, -1, (long double)INFINITY,
	-(long double)INFINITY, (long double)NAN, 1e4932L, -1e4932L, 1e-4932L, -1e-4932L, 1, 0.5L,
	-0.5L, 2, -2.5L, 3, 0.99999994L, 1.0000001L, 88.7L, -103.9L, 8388609, 0.3L, -0.3L };

/* The largest and smallest numbers of the type stand for those that it does not have. */
static long double special(unsigned i)
{
	const struct math_type *type = variant->type;
	long double x = specials[i];

	if (i == 11)
		return ldexpl(1, type->least + type->digits - 1);
	if (fabsl(x) == 1e4932L)
		return copysignl(type->largest, x);
	return fabsl(x) == 1e-4932L ? copysignl(ldexpl(1, type->least), x) : x;
}

/* Corners with each other, any bits, and numbers of ordinary size; of half, all there are. */
static void fill(void)
{
	unsigned size = variant->type->size, n = variant->n;

	for (unsigned k = 0; k < 3; k++)
		for (unsigned i = 0; i < n; i++) {
			uint64_t bits = (uint64_t)intel_random() << 32 | intel_random();
			uint16_t pattern = (uint16_t)(i * (N / n) + bits % (N / n));
			if (size == 2 && k == 0)
				memcpy(in[k] + 2 * i, &pattern, 2);
			else if (i < SPECIALS * SPECIALS)
				put_number(in[k], i,
					special(k == 1	 ? i / SPECIALS
						: k == 0 ? i % SPECIALS
							 : (i * 7 + i / 5) % SPECIALS));
			else if (size == 2 || i % 3 == 0)
				memcpy(in[k] + (size_t)i * size, &bits, size);
			else
				put_number(in[k], i,
					(long double)(int32_t)bits / (i % 3 == 1 ? 1e8L : 1e9L));
			if (k == 0)
				integers[i] = (int)(i * 7919u % 301) - 150;
		}
}

static void set_operands(unsigned flags)
{
	bool positive = flags & POSITIVE || variant->flags & RELAXED;

	if (!(flags & NEAR) && !(variant->flags & RELAXED))
		return;
	for (unsigned k = 0; k < 3; k++)
		for (unsigned i = 0; i < variant->n; i++) {
			long double x = 0.25L + (i * (k + 3) * 7919u % N) / 32768.0L;
			put_number(in[k], i, positive || i % 2 == 0 ? x : -x);
		}
}

/* Distance of got from the exact value in units of the last place of the type. */
static long double error_of(long double got, long double want)
{
	const struct math_type *type = variant->type;
	int exponent;

	if (isnan(want) || isnan(got))
		return isnan(want) && isnan(got) ? 0 : INFINITY;
	if (fabsl(want) > type->largest) { /* the next step is infinity */
		if (isinf(got))
			return signbit(got) == signbit(want) ? 0 : INFINITY;
		if (isinf(want))
			return INFINITY;
	}
	frexpl(type->largest, &exponent);
	if (isinf(got)) /* as if the range went on */
		got = copysignl(ldexpl(1, exponent), got);
	frexpl(want, &exponent);
	exponent -= type->digits;
	return fabsl(got - want) / ldexpl(1, exponent < type->least ? type->least : exponent);
}

/* ---- what the specification leaves open ---- */

static bool is(const struct math_function *f, const char *name)
{
	return !strcmp(f->name, name);
}

static bool is_undefined(const struct math_function *f, unsigned i, long double want)
{
	bool found = (variant->flags & RELAXED) && isnan(want);

	for (unsigned k = 0; k < f->arity; k++) {
		long double x = number_at(in[k], i);
		found |= f->flags & (ORDERED | FINITE) && isnan(x);
		found |= f->flags & FINITE && isinf(x);
		found |= f->flags & NOT_ZERO && x == 0;
		/* The compiler's emulation of these takes the NaN. */
		found |= variant->type->size == 8 && isnan(x) &&
			 (!strncmp(f->name, "fm", 2) || strstr(f->name, "mag"));
	}
	/* It asks whether the next whole number is odd by converting it to 32 bits. */
	found |= variant->type->size == 8 && is(f, "rint") && fabsl(want) >= 0x1p32L;
	return found || (f->flags & FINITE && isnan(want));
}

/*
 * What the compiler's library makes of two functions of doubles (docs/COMPATIBILITY.md): lgamma_r
 * is the one of floats; tgamma is exp(lgamma(x)), of which two units of the logarithm's last place
 * are four times its value in units of the result's, and below 0 a quotient that is infinity where
 * it vanishes.
 */
static bool is_gamma_of_doubles(
	const struct math_function *f, unsigned i, long double got, long double want)
{
	long double x = number_at(in[0], i), error = error_of(got, want);

	if (variant->type->size != 8)
		return false;
	if (is(f, "lgamma_r"))
		return error <= f->double_ulp * 0x1p29L;
	if (!is(f, "tgamma"))
		return false;
	if (isinf(got))
		return got > 0 && x <= 0 &&
		       (fabsl(want) > variant->type->largest || fabsl(want) < (long double)DBL_MIN);
	return error <= f->double_ulp + 4 * fabsl(lgammal(x));
}

/* What the specification lets a function return besides the value itself. */
static bool is_allowed(const struct math_function *f, unsigned i, long double got, long double want)
{
	long double x = number_at(in[0], i), y = number_at(in[1], i);

	/* Conversions of angles may overflow or vanish on the way. */
	if (is(f, "degrees") || is(f, "radians"))
		return fabsl(want) < 1e-36L || fabsl(x) > 1e36L;
	if (is(f, "divide") || is(f, "recip"))
		return variant->type->size == 4 &&
		       (fabsl(want) < (long double)FLT_MIN || fabsl(y) > 0x1p126L);
	if (is_gamma_of_doubles(f, i, got, want))
		return true;
	/* Beyond these the half reference has no digits left. */
	return variant->type->size == 2 && isinf(got) && fabsl(want) > 65504;
}

static float type_bound(const struct math_function *f)
{
	unsigned size = variant->type->size;

	return size == 2 ? f->half_ulp : size == 4 ? f->ulp : f->double_ulp;
}

/*
 * The compiler's library has no useful bound for these once it may reorder additions; and of pown
 * the compiler loses the power itself.
 */
static bool is_left_out(const struct math_function *f)
{
	static const char *const names[] = { "tgamma", "tanpi", "erfc", "lgamma_r__sign",
		"remquo__quotient", "pown" };
	bool found = type_bound(f) < 0 || (f->flags & SCALAR && variant->width > 1);

	for (unsigned i = 0; (variant->flags & RELAXED) && i < sizeof names / sizeof *names; i++)
		found |= is(f, names[i]);
	if (variant->flags & HEAVY_ONES)
		return found || !(f->flags & HEAVY) ||
		       !(f->flags & QUICK || getenv("ZEROCL_TEST_LONG"));
	return found || (f->flags & HEAVY && variant->type->size == 8);
}

static bool is_denormal(long double x)
{
	const struct math_type *type = variant->type;

	return x != 0 && fabsl(x) <= ldexpl(1, type->least + type->digits - 1);
}

/* Whether an operand or the result is one of the numbers that an option takes for zero. */
static bool is_flushed(const struct math_function *f, unsigned i, long double want)
{
	/* The square of what smoothstep interpolates with is smaller. */
	bool found = is_denormal(is(f, "smoothstep") ? want / 4 : want);

	for (unsigned k = 0; k < f->arity; k++)
		found |= is_denormal(number_at(in[k], i));
	return (variant->flags & NO_DENORMALS) && found;
}

static long double bound_of(const struct math_function *f)
{
	if (variant->flags & RELAXED) /* of results that may be near zero */
		return variant->type->size == 2 ? 64 : 1e6L;
	if ((variant->flags & ROUNDED) && variant->type->size == 4 &&
		(is(f, "divide") || is(f, "recip") || is(f, "sqrt")))
		return 0.5L;
	return (long double)type_bound(f);
}

static long double reference(const struct math_function *f, unsigned i)
{
	long double x = number_at(in[0], i), y = number_at(in[1], i), z = number_at(in[2], i);

	math_item.k = integers[i];
	return f->arity == 1 ? f->one(x) : f->arity == 2 ? f->two(x, y) : f->three(x, y, z);
}

static unsigned check(const struct math_function *f, unsigned count)
{
	long double bound = bound_of(f);
	unsigned bad = 0;

	for (unsigned i = 0; i < count; i++) {
		long double got = number_at(out, i), want = reference(f, i);
		long double error = error_of(got, want);
		if (is_flushed(f, i, want) || is_undefined(f, i, want) || error <= bound)
			continue;
		if ((bound > 0.5L || f->ulp <= 0.5f) && is_allowed(f, i, got, want))
			continue;
		if (bad++ < 4)
			print_error("%s, %s %u, %s(%.9Lg, %.9Lg, %.9Lg; %d): %.21Lg, should be "
				    "%.21Lg (%.3Lg ulp)\n",
				variant->options, variant->type->name, variant->width, f->name,
				number_at(in[0], i), number_at(in[1], i), number_at(in[2], i),
				integers[i], got, want, error);
	}
	return bad;
}

/* ---- programs ---- */

static size_t put_macros(char *text)
{
	const struct math_type *type = variant->type;
	char w[8] = "";

	if (variant->width == 1)
		return (size_t)sprintf(text,
			"#define T S\n#define BITS %s\n#define K int\n#define NUMBER(e) (T)(e)\n"
			"#define TRUTH(e) (T)(e)\n#define INTEGER(e) (%s)(e)\n"
			"#define AS_T(e) as_%s(e)\n#define AS_BITS(e) as_%s(e)\n"
			"#define LOAD(p) p[i]\n#define STORE(v) o[i] = v\n",
			type->bits, type->integer, type->name, type->bits);
	sprintf(w, "%u", variant->width);
	return (size_t)sprintf(text,
		"#define T %s%s\n#define BITS %s%s\n#define K int%s\n"
		"#define NUMBER(e) convert_%s%s(e)\n#define TRUTH(e) convert_%s%s(-(e))\n"
		"#define INTEGER(e) convert_%s%s(e)\n#define AS_T(e) as_%s%s(e)\n"
		"#define AS_BITS(e) as_%s%s(e)\n#define LOAD(p) vload%s(i, p)\n"
		"#define STORE(v) vstore%s(v, i, o)\n",
		type->name, w, type->bits, w, w, type->name, w, type->name, w, type->integer, w,
		type->name, w, type->bits, w, w, w);
}

static char *source_of(const struct math_function *first, size_t count)
{
	static const char *const operands[] = { "", "x", "x, y", "x, y, z" };
	const char *s = variant->type->name;
	char *text = malloc(ROOM);
	size_t at = 0;

	assert_non_null(text);
	at += (size_t)sprintf(text,
		"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
		"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
		"#ifdef SIMD\n#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))\n"
		"#else\n#define WIDTH\n#endif\n#define SIGN %s\n"
		"#define S %s\n#define S2 %s2\n#define S3 %s3\n#define S4 %s4\n",
		variant->type->sign, s, s, s, s);
	at += put_macros(text + at);
	for (const struct math_function *f = first; f < first + count; f++) {
		char call[64];
		if (is_left_out(f))
			continue;
		snprintf(call, sizeof call, "%s(%s)", f->name, operands[f->arity]);
		at += (size_t)sprintf(text + at,
			"WIDTH kernel void test_%s(global const S *a, global const S *b,"
			" global const S *c, global const int *ks, global S *o) {\n"
			"size_t i = get_global_id(0); T x = LOAD(a), y = LOAD(b), z = LOAD(c);"
			" K k = LOAD(ks); STORE((%s)); }\n",
			f->name, f->call ? f->call : call);
	}
	return text;
}

static unsigned run(const struct math_function *f)
{
	const struct intel_argument operand = { INTEL_BUFFER, NULL,
		(size_t)variant->n * variant->type->size };
	struct intel_argument arguments[] = { operand, operand, operand, BUFFER(integers),
		operand };
	size_t items = variant->n / variant->width / 64 * 64;
	char name[64], type[32];

	for (unsigned k = 0; k < 3; k++)
		arguments[k].data = in[k];
	arguments[4].data = out;
	snprintf(name, sizeof name, "test_%s", f->name);
	memset(out, 0xcd, sizeof out);
	assert_int_equal(
		intel_run(&intel, name, 1, NULL, RANGE(items), RANGE(64), 5, arguments), 0);
	unsigned bad = check(f, (unsigned)items * variant->width);
	if (variant->width > 1)
		snprintf(type, sizeof type, "%s%u", variant->type->name, variant->width);
	else
		snprintf(type, sizeof type, "%s", variant->type->name);
	bool is_long = variant->flags & HEAVY_ONES && !(f->flags & QUICK);
	if (!bad)
		corpus_row(f->name, type, is_long ? "long" : variant->way);
	return bad;
}

/* Functions that one program has, so that vectors and doubles do not make it too large. */
static size_t portion(void)
{
	bool is_large = variant->width > 4 || variant->type->size == 8;

	if (variant->flags & HEAVY_ONES)
		return 1;
	return is_large ? 24 : math_function_count;
}

static void all(void **state)
{
	unsigned bad = 0, flags = ~0u;

	variant = *state;
	math_item.type = variant->type;
	intel_float_bytes = variant->type->size;
	math_item.step = (int)(variant->width == 3 ? 4 : variant->width);
	for (size_t k = 0; k < math_function_count; k++) {
		const struct math_function *f = &math_functions[k];
		if (k % portion() == 0) {
			size_t left = math_function_count - k;
			char *text = source_of(f, left < portion() ? left : portion());
			if (!(variant->flags & HEAVY_ONES) || !is_left_out(f))
				intel_build_texts(
					&intel, 1, (const char **)&text, variant->options);
			free(text);
		}
		if (is_left_out(f))
			continue;
		if (flags || (variant->flags & RELAXED))
			fill();
		flags = f->flags & (NEAR | POSITIVE);
		set_operands(flags);
		bad += run(f) != 0;
	}
	assert_int_equal(bad, 0);
}

#define CL3 "-cl-std=CL3.0 "
#define TEST(type, options, way, width, n, flags)                                                  \
	{                                                                                          \
		.name = #type " " way " " #width, .test_func = all,                                \
		.initial_state = (void *)(uintptr_t) & (const struct variant)                      \
		{                                                                                  \
			options, way, &type##_type, width, n, flags                                \
		}                                                                                  \
	}
#define SIMDS(type, options, way, flags)                                                           \
	TEST(type, options " -DSIMD=8", way "simd8", 1, FEW, flags),                               \
		TEST(type, options " -DSIMD=16", way "simd16", 1, FEW, flags),                     \
		TEST(type, options " -DSIMD=32", way "simd32", 1, FEW, flags)
#define VECTOR(type, width) TEST(type, CL3, "vector", width, FEW, 0)
#define OPTIONS(type)                                                                              \
	SIMDS(type, "-cl-opt-disable", "-cl-opt-disable/", 0),                                     \
		SIMDS(type, CL3 "-cl-fast-relaxed-math", "-cl-fast-relaxed-math/",                 \
			RELAXED | NO_DENORMALS),                                                   \
		SIMDS(type, "-cl-denorms-are-zero -cl-mad-enable", "-cl-denorms-are-zero/",        \
			NO_DENORMALS)

static const struct CMUnitTest scalars[] = {
	TEST(float, CL3, "any", 1, N, 0),
	TEST(half, CL3, "any", 1, N, 0),
	SIMDS(float, CL3, "", 0),
	SIMDS(half, CL3, "", 0),
};
static const struct CMUnitTest options[] = {
	OPTIONS(float),
	OPTIONS(half),
	SIMDS(float, CL3 "-g", "-g/", 0),
	SIMDS(float, CL3 "-cl-fp32-correctly-rounded-divide-sqrt",
		"-cl-fp32-correctly-rounded-divide-sqrt/", ROUNDED),
	SIMDS(float, CL3 "-cl-intel-greater-than-4GB-buffer-required", "-greater-than-4GB/", 0),
};
static const struct CMUnitTest vectors[] = { VECTOR(float, 2), VECTOR(float, 3), VECTOR(float, 4),
	VECTOR(float, 8), VECTOR(float, 16), VECTOR(half, 2), VECTOR(half, 3), VECTOR(half, 4),
	VECTOR(half, 8), VECTOR(half, 16) };
static const struct CMUnitTest doubles[] = { SIMDS(double, CL3, "", 0),
	TEST(double, CL3 " -DSIMD=8", "any", 1, FEW, HEAVY_ONES), VECTOR(double, 2),
	VECTOR(double, 3), VECTOR(double, 4) };

int main(int argc, char **argv)
{
	const char *part = argc > 1 ? argv[1] : "scalars";

	if (!strcmp(part, "options"))
		return INTEL_RUN_TESTS(options, intel_begin);
	if (!strcmp(part, "vectors"))
		return INTEL_RUN_TESTS(vectors, intel_begin);
	if (!strcmp(part, "doubles"))
		return INTEL_RUN_TESTS(doubles, intel_begin);
	return INTEL_RUN_TESTS(scalars, intel_begin);
}
