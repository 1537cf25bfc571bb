// SPDX-License-Identifier: MIT
/*
 * The integer operators and built-ins of OpenCL C for all eight integer types, through Intel's
 * compiler and driver on the device, against exact arithmetic in 128 bits.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus_rows.h"
#include "cs/intel_group.h"

enum { N = 2048, TYPES = 8, ROOM = 1 << 20 };

__extension__ typedef __int128 wide;

static const struct type {
	const char *name, *unsigned_name;
	unsigned bits;
	bool is_signed;
} types[TYPES] = {
	{ "char", "uchar", 8, true },
	{ "uchar", "uchar", 8, false },
	{ "short", "ushort", 16, true },
	{ "ushort", "ushort", 16, false },
	{ "int", "uint", 32, true },
	{ "uint", "uint", 32, false },
	{ "long", "ulong", 64, true },
	{ "ulong", "ulong", 64, false },
};

/* The operands of one item, exact, and what they are. */
struct item {
	const struct type *t;
	wide x, y, z;
};

static wide lowest(const struct type *t)
{
	return t->is_signed ? -((wide)1 << (t->bits - 1)) : 0;
}

static wide highest(const struct type *t)
{
	return ((wide)1 << (t->bits - t->is_signed)) - 1;
}

static wide saturate(const struct type *t, wide x)
{
	return x < lowest(t) ? lowest(t) : x > highest(t) ? highest(t) : x;
}

/* The bits of x as a number without sign. */
static uint64_t raw(const struct type *t, wide x)
{
	return (uint64_t)x & (UINT64_MAX >> (64 - t->bits));
}

static wide magnitude(wide x)
{
	return x < 0 ? -x : x;
}

static unsigned leading_zeros(const struct item *i)
{
	uint64_t bits = raw(i->t, i->x);

	return bits ? (unsigned)__builtin_clzll(bits) - (64 - i->t->bits) : i->t->bits;
}

static unsigned trailing_zeros(const struct item *i)
{
	uint64_t bits = raw(i->t, i->x);

	return bits ? (unsigned)__builtin_ctzll(bits) : i->t->bits;
}

static wide rotated(const struct item *i)
{
	unsigned bits = i->t->bits, by = (unsigned)raw(i->t, i->y) % bits;
	uint64_t x = raw(i->t, i->x);

	return by ? (wide)(x << by | x >> (bits - by)) : (wide)x;
}

static wide reversed(const struct item *i)
{
	uint64_t x = raw(i->t, i->x), result = 0;

	for (unsigned b = 0; b < i->t->bits; b++)
		result |= (x >> b & 1) << (i->t->bits - 1 - b);
	return (wide)result;
}

static wide high_product(const struct item *i)
{
	if (!i->t->is_signed && i->t->bits == 64) {
		__extension__ unsigned __int128 product =
			(unsigned __int128)(uint64_t)i->x * (uint64_t)i->y;
		return (wide)(product >> 64);
	}
	return (i->x * i->y) >> i->t->bits;
}

static wide mad_saturated(const struct item *i)
{
	wide product;

	if (__builtin_mul_overflow(i->x, i->y, &product))
		product = highest(i->t);
	return saturate(
		i->t, __builtin_add_overflow(product, i->z, &product) ? highest(i->t) : product);
}

static wide quotient(const struct item *i)
{
	return i->y ? i->x / i->y : 0;
}

static wide clamped(const struct item *i)
{
	wide low = i->y < i->z ? i->y : i->z, high = i->y < i->z ? i->z : i->y;

	return i->x < low ? low : i->x > high ? high : i->x;
}

static wide truncated(const struct item *i, wide x)
{
	uint64_t bits = raw(i->t, x);

	return i->t->is_signed && bits >> (i->t->bits - 1) & 1
		       ? (wide)bits - ((wide)1 << i->t->bits)
		       : (wide)bits;
}

static unsigned shift_of(const struct item *i)
{
	return (unsigned)raw(i->t, i->y) & (i->t->bits < 32 ? 31 : i->t->bits - 1);
}

/*
 * X(name, expression in OpenCL C over x, y, z of type T and U, its unsigned twin, exact value):
 * what is kept of either are the low bits.
 */
#define FUNCTIONS(X)                                                                               \
	X(add, "x + y", i->x + i->y)                                                               \
	X(sub, "x - y", i->x - i->y)                                                               \
	X(mul, "x * y", (wide)((uint64_t)i->x * (uint64_t)i->y))                                   \
	X(div, "y ? x / y : (T)0", quotient(i))                                                    \
	X(rem, "y ? x % y : (T)0", i->y ? i->x - quotient(i) * i->y : 0)                           \
	X(div7, "x / (T)7", i->x / 7)                                                              \
	X(rem10, "x % (T)10", i->x % 10)                                                           \
	X(mod_power, "x % (T)16 + x / (T)8", i->x % 16 + i->x / 8)                                 \
	X(neg, "-x", -i->x)                                                                        \
	X(inverse, "~x", ~i->x)                                                                    \
	X(is_not, "(T)!(x & (T)3)", !(i->x & 3))                                                   \
	X(bit_and, "x & y", i->x & i->y)                                                           \
	X(bit_or, "x | y", i->x | i->y)                                                            \
	X(bit_xor, "x ^ ~y", i->x ^ ~i->y)                                                         \
	X(shift_left, "x << y", (wide)((uint64_t)i->x << shift_of(i)))                             \
	X(shift_right, "x >> y", truncated(i, i->x) >> shift_of(i))                                \
	X(shift_left_3, "x << 3", (wide)((uint64_t)i->x << 3))                                     \
	X(shift_right_5, "x >> 5", i->x >> 5)                                                      \
	X(less, "(T)(x < y)", i->x < i->y)                                                         \
	X(less_equal, "(T)(x <= y)", i->x <= i->y)                                                 \
	X(equal, "(T)((x & (T)3) == (y & (T)3))", (i->x & 3) == (i->y & 3))                        \
	X(unequal, "(T)(x != y)", i->x != i->y)                                                    \
	X(choose, "x > y ? z : x", i->x > i->y ? i->z : i->x)                                      \
	X(abs, "(T)abs(x)", magnitude(i->x))                                                       \
	X(abs_diff, "(T)abs_diff(x, y)", magnitude(i->x - i->y))                                   \
	X(add_sat, "add_sat(x, y)", saturate(i->t, i->x + i->y))                                   \
	X(sub_sat, "sub_sat(x, y)", saturate(i->t, i->x - i->y))                                   \
	X(hadd, "hadd(x, y)", (i->x + i->y) >> 1)                                                  \
	X(rhadd, "rhadd(x, y)", (i->x + i->y + 1) >> 1)                                            \
	X(clamp, "clamp(x, min(y, z), max(y, z))", clamped(i))                                     \
	X(clz, "clz(x)", leading_zeros(i))                                                         \
	X(ctz, "ctz(x)", trailing_zeros(i))                                                        \
	X(mad_hi, "mad_hi(x, y, z)", high_product(i) + i->z)                                       \
	X(mad_sat, "mad_sat(x, y, z)", mad_saturated(i))                                           \
	X(max, "max(x, y)", i->x > i->y ? i->x : i->y)                                             \
	X(min, "min(x, y)", i->x < i->y ? i->x : i->y)                                             \
	X(mul_hi, "mul_hi(x, y)", high_product(i))                                                 \
	X(rotate, "rotate(x, y)", rotated(i))                                                      \
	X(rotate_9, "rotate(x, (T)9)", rotated(&(struct item){ i->t, i->x, 9, 0 }))                \
	X(popcount, "popcount(x)", __builtin_popcountll(raw(i->t, i->x)))                          \
	X(bits_reversed, "REVERSE(x)", reversed(i))                                                \
	X(bitselect, "bitselect(x, y, z)", (i->x & ~i->z) | (i->y & i->z))                         \
	X(select, "select(x, y, (U)z)", i->z ? i->y : i->x)                                        \
	X(vectors, "max((T##4)(x, y, z, x), (T##4)(y)).s0 + ((T##4)(x, y, z, 1) * (T##4)(2)).s2",  \
		(i->x > i->y ? i->x : i->y) + i->z * 2)                                            \
	X(mixed, "(T)((long)(int)x * 3 + (long)y - (short)z)",                                     \
		(wide)((uint64_t)(int32_t)i->x * 3 + (uint64_t)i->y - (uint64_t)(int16_t)i->z))

#define FUNCTION(name, text, value)                                                                \
	static wide name##_of(const struct item *i)                                                \
	{                                                                                          \
		return (value);                                                                    \
	}
FUNCTIONS(FUNCTION)

static const struct {
	const char *name, *text;
	wide (*value)(const struct item *i);
} functions[] = {
#define ROW(name, text, value) { #name, text, name##_of },
	FUNCTIONS(ROW)
};

enum { COUNT = sizeof functions / sizeof *functions };

/* ---- programs ---- */

/* Writes an expression with T, U replaced by names of types. */
static size_t expand(char *out, const char *text, const struct type *t)
{
	size_t at = 0;

	for (; *text; text++) {
		if (text[0] == 'T' && text[1] == '#') {
			at += (size_t)sprintf(out + at, "%s", t->name);
			text += 2;
		} else if (text[0] == 'T' && (text[1] == ')' || text[1] == ' ')) {
			at += (size_t)sprintf(out + at, "%s", t->name);
		} else if (text[0] == 'U' && text[1] == ')') {
			at += (size_t)sprintf(out + at, "%s", t->unsigned_name);
		} else {
			out[at++] = *text;
		}
	}
	out[at] = 0;
	return at;
}

/* Which functions, beyond an operator for every bit, select has by type is the unsigned twin's. */
static char *source_of(const struct type *t)
{
	char *text = malloc(ROOM);
	size_t at = 0;

	assert_non_null(text);
	at += (size_t)sprintf(text,
		"#ifdef SIMD\n#define WIDTH "
		"__attribute__((intel_reqd_sub_group_size(SIMD)))\n#else\n"
		"#define WIDTH\n#endif\n"
		"%s reverse(%s x) { %s r = 0; for (int b = 0; b < %u; b++) "
		"r |= (%s)((x >> b & 1) << (%u - b)); return r; }\n#define REVERSE reverse\n",
		t->unsigned_name, t->unsigned_name, t->unsigned_name, t->bits, t->unsigned_name,
		t->bits - 1);
	for (unsigned k = 0; k < COUNT; k++) {
		at += (size_t)sprintf(text + at,
			"WIDTH kernel void test_%s(global const %s *in, global %s *out) {\n"
			"size_t i = get_global_id(0), n = get_global_size(0);\n"
			"%s x = in[i], y = in[n + i], z = in[2 * n + i]; out[i] = ",
			functions[k].name, t->name, t->name, t->name);
		at += expand(text + at, functions[k].text, t);
		at += (size_t)sprintf(text + at, "; }\n");
	}
	return text;
}

static void fill(const struct type *t, uint8_t *in)
{
	for (unsigned i = 0; i < 3 * N; i++) {
		uint64_t bits = (uint64_t)intel_random() << 32 | intel_random();
		switch (intel_random() % 4) {
		case 0: /* around a power of two */
			bits = (UINT64_C(1) << (bits & 63)) + (bits >> 8 & 3) - 1;
			break;
		case 1: /* small */
			bits = (uint64_t)((int64_t)(bits & 31) - 8);
			break;
		case 2: /* of any magnitude */
			bits = (uint64_t)((int64_t)bits >> (bits & 63));
			break;
		}
		memcpy(in + i * t->bits / 8, &bits, t->bits / 8);
	}
}

static wide operand(const struct type *t, const uint8_t *in, unsigned index)
{
	uint64_t bits = 0;

	memcpy(&bits, in + index * t->bits / 8, t->bits / 8);
	return truncated(&(struct item){ t, 0, 0, 0 }, (wide)bits);
}

/* Where the compiler's library is wrong on the hardware, too: not the device's business. */
static bool is_left_open(const char *name, const struct item *i)
{
	wide product;

	if (i->t->bits == 64 && !strcmp(name, "mad_sat"))
		return __builtin_mul_overflow(i->x, i->y, &product) || product == 0 ||
		       product == lowest(i->t) || product == highest(i->t) ||
		       saturate(i->t, product + i->z) != product + i->z;
	return i->t->bits == 64 && !strcmp(name, "rhadd") && i->x == i->y && i->x == highest(i->t);
}

static unsigned check(unsigned function, const struct type *t, const uint8_t *in,
	const uint8_t *out, const char *options)
{
	unsigned bad = 0;

	for (unsigned i = 0; i < N; i++) {
		struct item item = { t, operand(t, in, i), operand(t, in, N + i),
			operand(t, in, 2 * N + i) };
		bool shifts = strstr(functions[function].name, "shift") && t->bits < 32;
		if (t->is_signed && item.x == lowest(t) && item.y == -1)
			item.y = 1; /* the quotient has no value */
		uint64_t want = raw(t, functions[function].value(&item));
		uint64_t got = raw(t, operand(t, out, i));
		if (t->is_signed && item.x == lowest(t) && operand(t, in, N + i) == -1)
			continue;
		if (is_left_open(functions[function].name, &item))
			continue;
		if (got == want || (shifts && shift_of(&item) != raw(t, item.y)))
			continue;
		if (bad++ < 3)
			print_error("%s %s %s(%lld, %lld, %lld): %llx, should be %llx\n", options,
				t->name, functions[function].name, (long long)item.x,
				(long long)item.y, (long long)item.z, (unsigned long long)got,
				(unsigned long long)want);
	}
	return bad;
}

/* The row of what the function's expression calls, if that is a built-in. */
static void note(unsigned function, const struct type *t, const char *options)
{
	const char *name = functions[function].name, *simd = strstr(options, "SIMD=");
	char way[16], call[32];

	if (!simd)
		return;
	snprintf(way, sizeof way, "simd%s", simd + 5);
	snprintf(call, sizeof call, "%s(", name);
	if (strstr(functions[function].text, call))
		corpus_row(name, t->name, way);
}

static void integers(void **state)
{
	static uint8_t in[3 * N * 8], out[N * 8];
	const char *options = *state;
	unsigned bad = 0;

	for (unsigned k = 0; k < TYPES; k++) {
		const struct type *t = &types[k];
		char *text = source_of(t);
		intel_build_texts(&intel, 1, (const char **)&text, options);
		free(text);
		fill(t, in);
		for (unsigned f = 0; f < COUNT; f++) {
			char name[32];
			snprintf(name, sizeof name, "test_%s", functions[f].name);
			memset(out, 0xcd, sizeof out);
			assert_int_equal(
				INTEL_RUN(&intel, name, N, 64, BUFFER(in), BUFFER(out)), 0);
			unsigned different = check(f, t, in, out, options);
			if (!different)
				note(f, t, options);
			bad += different;
		}
	}
	assert_int_equal(bad, 0);
}

#define WITH(options)                                                                              \
	{                                                                                          \
		"integers " options, integers, NULL, NULL, (void *)(uintptr_t)options              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH("-cl-std=CL3.0 -DSIMD=8"),
		WITH("-cl-std=CL3.0 -DSIMD=16"),
		WITH("-cl-std=CL3.0 -DSIMD=32"),
		WITH("-cl-std=CL3.0 -cl-opt-disable"),
		WITH("-cl-std=CL3.0 -cl-intel-greater-than-4GB-buffer-required"),
	};

	return INTEL_RUN_TESTS(tests, intel_begin);
}
