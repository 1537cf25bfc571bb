// SPDX-License-Identifier: MIT
#include "mesa_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test_random.h"

/* The words of the fragments, in C. */
typedef unsigned uint;
typedef uint64_t u64;
typedef int64_t i64;
typedef uint16_t u16;
typedef int16_t i16;
typedef uint8_t u8;
typedef int8_t i8;
#define OUT(k, value) (o[i * MESA_OUTS + (k)] = (value))
#define U(x)	      ((uint)(x))
#define I(x)	      ((int)(x))
#define MIN(x, y)     ((x) < (y) ? (x) : (y))
#define MAX(x, y)     ((x) > (y) ? (x) : (y))
#define POPCOUNT(x)   ((uint)__builtin_popcount(x))
#define CLZ(x)	      ((x) ? (uint)__builtin_clz(x) : 32u)
#define MULHI(x, y)   ((uint)((u64)(x) * (y) >> 32))
#define U16(x)	      ((u16)(x))
#define I16(x)	      ((i16)(x))
#define U8(x)	      ((u8)(x))
#define I8(x)	      ((i8)(x))
#define U64(x)	      ((u64)(x))
#define I64(x)	      ((i64)(x))
#define MUL16(x, y)   ((u16)((uint)(x) * (uint)(y)))
#define FLOAT	      float
#define F(x)	      ((float)(x))
#define RINT(x)	      rintf(x)
#define FABS(x)	      fabsf(x)
#define FMIN(x, y)    fminf(x, y)
#define FMAX(x, y)    fmaxf(x, y)
#define RSQRT(x)      ((float)(1 / sqrt((double)(x))))
#define floor(x)      floorf(x)
#define ceil(x)	      ceilf(x)
#define trunc(x)      truncf(x)
#define sin(x)	      ((float)(sin)((double)(x)))
#define cos(x)	      ((float)(cos)((double)(x)))
#define exp2(x)	      ((float)(exp2)((double)(x)))
#define log2(x)	      ((float)(log2)((double)(x)))

static uint BITS(float x)
{
	uint bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static uint REVERSE(uint x)
{
	uint result = 0;

	for (uint bit = 0; bit < 32; bit++)
		result |= (x >> bit & 1) << (31 - bit);
	return result;
}

static float UNHALF(uint h)
{
	int exponent = (int)(h >> 10 & 31);
	float fraction = (float)(h & 1023), sign = h & 0x8000 ? -1.0f : 1.0f;

	if (exponent == 31)
		return sign * (h & 1023 ? NAN : INFINITY);
	return sign * (exponent ? ldexpf(1024 + fraction, exponent - 25) : ldexpf(fraction, -24));
}

/* To the nearest, of two the even one. */
static uint HALF(float x)
{
	uint sign = BITS(x) >> 16 & 0x8000;
	float size = fabsf(x);

	if (isnan(x))
		return sign | 0x7e00;
	if (size >= 65520)
		return sign | 0x7c00;
	int exponent = size < ldexpf(1, -14) ? -14 : ilogbf(size);
	uint steps = (uint)rintf(ldexpf(size, 10 - exponent));
	return sign | ((uint)(exponent + 14) * 1024 + steps);
}

#define FRAGMENT(name)                                                                             \
	static void fragment_##name(const uint *A, const uint *B, uint n, unsigned simd, uint *o)  \
	{                                                                                          \
		(void)simd;                                                                        \
		for (uint i = 0; i < n; i++)                                                       \
			item_##name(A[i], B[i], i, o);                                             \
	}
#define ITEM(name) static void item_##name(uint a, uint b, uint i, uint *o)

ITEM(ints){
#include "fragments/ints.inc"
} FRAGMENT(ints)

	ITEM(shorts){
#include "fragments/shorts.inc"
	} FRAGMENT(shorts)

		ITEM(longs){
#include "fragments/longs.inc"
		} FRAGMENT(longs)

			ITEM(flow){
#include "fragments/flow.inc"
			} FRAGMENT(flow)

				ITEM(floats){
#include "fragments/floats.inc"
				} FRAGMENT(floats)

					ITEM(half){
#include "fragments/half.inc"
					} FRAGMENT(half)

						ITEM(scratch){
#include "fragments/scratch.inc"
						} FRAGMENT(scratch)

							ITEM(math){
#include "fragments/math.inc"
							} FRAGMENT(math)

								static float as_float(uint bits)
{
	float x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

/* Distance in units of the last place of `wanted`. */
static float ulps(float got, float wanted)
{
	int exponent = wanted == 0 ? -126 : ilogbf(wanted);

	if (exponent < -126)
		exponent = -126;
	return fabsf(got - wanted) / ldexpf(1, exponent - 23);
}

/*
 * Vulkan's "Precision of core functions" and OpenCL C's "relative error as ULPs". Where Vulkan has
 * an absolute error beside, either counts.
 */
static bool accepts_math(enum mesa_standard standard, uint word, uint got, uint wanted)
{
	static const struct {
		float ulps[2];	/* Vulkan, OpenCL */
		float absolute; /* Vulkan */
	} bounds[] = {
		{ { 0, 4 }, 0x1p-11f }, /* sin */
		{ { 0, 4 }, 0x1p-11f }, /* cos */
		{ { 35, 3 }, 0 },	/* exp2: 3 + 2 |x| */
		{ { 3, 3 }, 0x1p-21f }, /* log2 */
		{ { 5.5f, 3 }, 0 },	/* sqrt: as 1 / inversesqrt */
		{ { 2, 2 }, 0 },	/* inversesqrt */
		{ { 2.5f, 2.5f }, 0 },	/* division */
	};
	unsigned k = word % MESA_OUTS;
	float is = as_float(got), right = as_float(wanted);

	if (k >= sizeof bounds / sizeof *bounds || isnan(is))
		return false;
	return ulps(is, right) <= bounds[k].ulps[standard != MESA_VULKAN] + 0.5f ||
	       (standard == MESA_VULKAN && fabsf(is - right) <= bounds[k].absolute);
}

/* Vulkan leaves the rounding of packHalf2x16 open, and what becomes of numbers that are denormal or
 * not numbers. */
static bool accepts_half(enum mesa_standard standard, uint word, uint got, uint wanted)
{
	unsigned k = word % MESA_OUTS;

	if (k == 1)
		return (isnan(as_float(got)) && isnan(as_float(wanted))) ||
		       (standard == MESA_VULKAN && fabsf(as_float(wanted)) < 0x1p-14f &&
			       (got & 0x7fffffff) == 0);
	if (k > 2)
		return false;
	if ((got & 0x7fff) > 0x7c00 && (wanted & 0x7fff) > 0x7c00)
		return true;
	if (standard != MESA_VULKAN)
		return false;
	if ((wanted & 0x7fff) <= 0x400 && (got & 0x7fff) == 0)
		return true;
	return k == 0 && got + 1 == wanted; /* towards zero */
}

/* Intel's compiler divides a negative char by one that it knows to be positive without sign. */
static bool accepts_shorts(enum mesa_standard standard, uint word, uint got, uint wanted)
{
	(void)got, (void)wanted;
	return standard == MESA_OPENCL_BY_INTEL && word % MESA_OUTS == 12;
}

static void reduce(const uint *a, const uint *b, uint n, unsigned simd, uint *o)
{
	(void)simd;
	for (uint i = 0, sum = 0; i < n; i++) {
		sum = (i % 128 ? sum : 0) + (a[i] ^ b[i]);
		o[i] = o[n + i / 128] = sum;
	}
}

static void prepare_atomics(uint *o)
{
	for (uint i = 0; i < 64; i++)
		o[i] = i == 17 || i == 19 ? UINT32_MAX : 0;
}

static void atomics(const uint *a, const uint *b, uint n, unsigned simd, uint *o)
{
	(void)simd;
	for (uint i = 0; i < n; i++) {
		o[a[i] & 15]++;
		o[16] = MAX(o[16], a[i]);
		o[17] = MIN(o[17], a[i]);
		o[18] |= 1u << (a[i] & 31);
		o[19] &= ~(1u << (b[i] & 31));
		o[20] ^= a[i];
		o[21]++;
		o[22] |= a[i] & 1; /* whether any was odd; see sort_atomics */
		o[23] += b[i] & 3;
		o[32 + (b[i] & 15)] += a[i] & 255;
		o[64 + i] = i;
	}
	o[22] = 1;
}

static int compare_words(const void *x, const void *y)
{
	uint a = *(const uint *)x, b = *(const uint *)y;

	return a < b ? -1 : a > b;
}

/* Each item got another number of the counter; the last exchange was anyone's, of an odd number. */
static void sort_atomics(uint *o, uint n)
{
	o[22] &= 1;
	qsort(o + 64, n, sizeof *o, compare_words);
}

static void subgroup(const uint *a, const uint *b, uint n, unsigned simd, uint *o)
{
	for (uint i = 0; i < n; i++, o += MESA_OUTS) {
		uint lane = i % simd, sum = 0, ballot = 0, second = 0, all = 1, any = 0;
		const uint *x = a + i - lane;
		o[0] = simd;
		o[1] = lane;
		o[4] = o[6] = 0;
		o[5] = UINT32_MAX;
		for (uint j = 0; j < simd; j++) {
			if (j < lane) {
				o[4] += x[j];
				o[6] = MAX(o[6], x[j]);
			}
			sum += x[j];
			o[5] = MIN(o[5], x[j]);
			ballot |= (x[j] & 1) << j;
			second += b[i - lane + j] >> 1 & 1;
			any |= x[j] > 0xf0000000u;
			all &= x[j] > 0x01000000u;
		}
		o[2] = sum;
		o[3] = o[4] + x[lane];
		o[7] = x[b[i] % simd];
		o[8] = x[lane ^ 3];
		o[9] = x[5];
		o[10] = ballot;
		o[11] = any | all << 1;
		o[12] = lane >= 1 ? x[lane - 1] : 0;
		o[13] = lane + 2 < simd ? x[lane + 2] : 0;
		o[14] = x[lane ^ 1];
		o[15] = second;
	}
}

/* 1,000 items leave the last group incomplete. */
enum { ITEMS = 1000, WORDS = ITEMS * MESA_OUTS + 8 };
#define ROW(item, limits)                                                                          \
	{                                                                                          \
		.name = #item, .fragment = true, .group = 64, .items = ITEMS, .words = WORDS,      \
		.reference = fragment_##item, .accepts = limits                                    \
	}
const struct mesa_case mesa_cases[] = {
	ROW(ints, NULL),
	ROW(shorts, accepts_shorts),
	ROW(longs, NULL),
	ROW(flow, NULL),
	ROW(floats, NULL),
	ROW(half, accepts_half),
	ROW(scratch, NULL),
	ROW(math, accepts_math),
	{ .name = "reduce",
		.group = 128,
		.items = ITEMS,
		.words = ITEMS + 16,
		.reference = reduce },
	{ .name = "atomics",
		.group = 64,
		.items = ITEMS,
		.words = ITEMS + 72,
		.reference = atomics,
		.prepare = prepare_atomics,
		.sort = sort_atomics },
	{ .name = "subgroup",
		.group = 64,
		.items = MESA_MOST_ITEMS,
		.words = MESA_MOST_ITEMS * MESA_OUTS + 8,
		.reference = subgroup },
};
const unsigned mesa_case_count = sizeof mesa_cases / sizeof *mesa_cases;

void mesa_case_inputs(const struct mesa_case *which, uint32_t *a, uint32_t *b)
{
	static const uint corners[] = { 0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0x80000001,
		0xffff, 0x8000, 0x7fff, 0xff, 0x80 };
	enum { CORNERS = sizeof corners / sizeof *corners };

	uint64_t state = 4711;

	for (uint i = 0; i < which->items; i++) {
		bool corner = i < CORNERS * CORNERS;
		a[i] = corner ? corners[i % CORNERS]
			      : (uint)test_random(&state) >> test_random_below(&state, 24);
		b[i] = corner ? corners[i / CORNERS]
			      : (uint)test_random(&state) >> test_random_below(&state, 24);
	}
}

void mesa_case_check(const struct mesa_case *which, enum mesa_standard standard, unsigned simd,
	const uint32_t *a, const uint32_t *b, uint32_t *result)
{
	static uint32_t wanted[MESA_MOST_ITEMS * MESA_OUTS + 8];
	unsigned wrong = 0, accepted[MESA_OUTS] = { 0 };

	for (uint32_t i = 0; i < which->words; i++)
		wanted[i] = MESA_POISON;
	if (which->prepare)
		which->prepare(wanted);
	which->reference(a, b, which->items, simd, wanted);
	if (which->sort)
		which->sort(result, which->items);
	for (uint32_t i = 0; i < which->words; i++) {
		uint32_t item = i / MESA_OUTS;
		if (result[i] == wanted[i])
			continue;
		if (which->accepts && which->accepts(standard, i, result[i], wanted[i])) {
			accepted[i % MESA_OUTS]++;
			continue;
		}
		if (wrong++ < 8)
			print_error("%s, simd %u, word %u (%u of item %u: %08x %08x): 0x%08x, "
				    "should be "
				    "0x%08x\n",
				which->name, simd, i, i % MESA_OUTS, item,
				item < which->items ? a[item] : 0,
				item < which->items ? b[item] : 0, result[i], wanted[i]);
	}
	for (unsigned k = 0; k < MESA_OUTS; k++) {
		if (accepted[k])
			print_message("%s, simd %u: of words %u, %u differ as they may\n",
				which->name, simd, k, accepted[k]);
	}
	if (wrong)
		fail_msg("%s, simd %u: %u words are wrong", which->name, simd, wrong);
}
