// SPDX-License-Identifier: MIT
/*
 * vload_half, vstore_half and their kin: every width, rounding mode and kind of memory, aligned to
 * vectors and to elements only. Through Intel's compiler and driver on the device; all 65,536
 * halves are loaded, and what is stored is compared with rounding by the host's long doubles.
 */
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "corpus_rows.h"
#include "corpus_text.h"
#include "cs/intel_group.h"

/* There is no aligned form of one: widths[k / 2], aligned if k is even, from FIRST on. */
enum { FIRST = 1 };

enum { N = 65536, MODES = 5, WIDTHS = 6, ROOM = N / 3 * 4 + 64 };

__extension__ typedef _Float16 host_half;

static float in[N], out[MODES * ROOM];
static uint16_t halves[ROOM], stored[MODES * ROOM], wanted[MODES][N];

static const unsigned widths[WIDTHS] = { 1, 2, 3, 4, 8, 16 };
static const struct mode {
	const char *suffix;
	int host;
} modes[MODES] = {
	{ "", FE_TONEAREST },
	{ "_rte", FE_TONEAREST },
	{ "_rtz", FE_TOWARDZERO },
	{ "_rtp", FE_UPWARD },
	{ "_rtn", FE_DOWNWARD },
};

/* ---- programs ---- */

/* Of three, aligned ones take the room of four. */
static unsigned stride_of(unsigned width, bool aligned)
{
	return aligned && width == 3 ? 4 : width;
}

/*
 * Each work-item stores its floats in every mode and loads what it has stored; `at` is its place.
 * Aligned to elements only is what begins one element late.
 */
static void put_trip(const char *memory, const char *at, unsigned width, bool aligned)
{
	char w[12] = "";

	if (width > 1)
		snprintf(w, sizeof w, "%u", width);
	for (unsigned m = 0; m < MODES; m++) {
		corpus_put(" vstore%s_half%s%s(x, %s, %s + %u);", aligned ? "a" : "", w,
			modes[m].suffix, at, memory, !aligned);
		corpus_put(" STORE(vload%s_half%s(%s, %s + %u), i, out + %u);\n",
			aligned ? "a" : "", w, at, memory, !aligned, m * ROOM);
		if (!strcmp(memory, "o"))
			corpus_put(" o += %u;\n", ROOM);
	}
}

static void put_kernels(unsigned width, bool aligned)
{
	const char *a = aligned ? "a" : "";
	char w[12] = "";

	if (width > 1)
		snprintf(w, sizeof w, "%u", width);
	corpus_put("#undef STORE\n#undef LOAD\n");
	if (width == 1)
		corpus_put("#define LOAD(p) p[i]\n#define STORE(v, i, p) (p)[i] = v\n");
	else
		corpus_put(
			"#define LOAD(p) vload%s(i, p)\n#define STORE(v, i, p) vstore%s(v, i, p)\n",
			w, w);
	for (unsigned k = 0; k < 5; k++) {
		static const char *const names[] = { "trip", "local", "private", "load",
			"constant" };
		corpus_put("WIDTH kernel void %s%s%u(global const float *in, %s const half *h,"
			   " global half *o, global float *out) {\n"
			   " size_t i = get_global_id(0), l = get_local_id(0);"
			   " float%s x = LOAD(in); (void)x; (void)l;\n",
			names[k], a, width, k == 4 ? "constant" : "global", w);
		if (k == 0)
			put_trip("o", "i", width, aligned);
		if (k == 1)
			corpus_put(" local half t[64 * 16 + 1] __attribute__((aligned(32)));");
		if (k == 1)
			put_trip("t", "l", width, aligned);
		if (k == 2)
			corpus_put(" half t[2 * 16 + 1] __attribute__((aligned(32)));"
				   " for (int n = 0; n < 33; n++) t[n] = 0;");
		if (k == 2)
			put_trip("t", "(l & 1)", width, aligned);
		if (k >= 3)
			corpus_put(" STORE(vload%s_half%s(i, h + %u), i, out);", a, w, !aligned);
		corpus_put("}\n");
	}
}

/* ---- what is right ---- */

/* Rounded to a half's precision, exactly once. */
static uint16_t half_of(float f, int mode)
{
	uint16_t sign = signbit(f) ? 0x8000 : 0;
	int exponent;

	if (isnan(f))
		return 0x7e00;
	if (isinf(f) || f == 0)
		return sign | (f == 0 ? 0 : 0x7c00);
	frexp((double)f, &exponent); /* |f| is in [0.5, 1) * 2^exponent */
	exponent = exponent - 11 < -24 ? -24 : exponent - 11;
	fesetround(mode);
	volatile long double steps = nearbyintl(ldexpl((long double)f, -exponent));
	fesetround(FE_TONEAREST);
	long double size = ldexpl(fabsl(steps), exponent);
	bool away = mode == FE_TONEAREST || mode == (sign ? FE_DOWNWARD : FE_UPWARD);
	if (size > 65504)
		return sign | (away ? 0x7c00 : 0x7bff);
	host_half half = (host_half)size;
	uint16_t bits;
	memcpy(&bits, &half, 2);
	return sign | bits;
}

static float float_of(uint16_t bits)
{
	host_half half;

	memcpy(&half, &bits, 2);
	return (float)half;
}

static bool is_nan(uint16_t bits)
{
	return (bits & 0x7fff) > 0x7c00;
}

static bool same(float got, uint16_t want)
{
	float f = float_of(want);

	return is_nan(want) ? isnan(got) : !memcmp(&got, &f, 4);
}

static void fill(void)
{
	for (unsigned i = 0; i < N; i++) {
		uint32_t bits = intel_random() ^ intel_random() << 16;
		float f;

		if (i % 8) /* around where halves are, and often just between two */
			bits = (bits & 0x80000fff) | (100 + (bits >> 20) % 50) << 23 |
			       (i * 2654435761u >> 8 & 0x7ff000);
		if (i % 4 == 1)
			bits &= 0xfffff000;
		memcpy(&f, &bits, 4);
		in[i] = i < 6 ? (const float[]){ NAN, INFINITY, -INFINITY, -0.0f, 65520,
			0x1p-25f }[i]
			      : f;
	}
	for (unsigned i = 0; i < N * MODES; i++)
		wanted[i / N][i % N] = half_of(in[i % N], modes[i / N].host);
	for (unsigned i = 0; i < ROOM; i++)
		halves[i] = (uint16_t)i;
}

/* ---- runs ---- */

static void run(const char *name, unsigned width, bool aligned, unsigned items)
{
	char kernel[32];

	snprintf(kernel, sizeof kernel, "%s%s%u", name, aligned ? "a" : "", width);
	memset(out, 0xcd, sizeof out);
	memset(stored, 0xcd, sizeof stored);
	assert_int_equal(INTEL_RUN(&intel, kernel, items, 64, BUFFER(in), BUFFER(halves),
				 BUFFER(stored), BUFFER(out)),
		0);
}

static void check_trip(const char *name, unsigned width, bool aligned)
{
	unsigned items = N / width / 64 * 64, stride = stride_of(width, aligned);
	bool global = !strcmp(name, "trip");

	run(name, width, aligned, items);
	for (unsigned m = 0; m < MODES; m++)
		for (unsigned i = 0; i < items * width; i++) {
			unsigned at = m * ROOM + i / width * stride + i % width + !aligned;
			uint16_t want = wanted[m][i];
			bool right = same(out[m * ROOM + i], want) &&
				     (!global || stored[at] == want ||
					     (is_nan(want) && is_nan(stored[at])));
			if (!right)
				fail_msg("%s, vstore%s_half%u%s(%a): 0x%04x, %a; should be 0x%04x",
					name, aligned ? "a" : "", width, modes[m].suffix,
					(double)in[i], stored[at], (double)out[m * ROOM + i], want);
		}
	/* The fourth of three is nobody's. */
	for (unsigned i = 0; global && width == 3 && aligned && i < items; i++)
		assert_int_equal(stored[i * 4 + 3], 0xcdcd);
}

static void check_load(const char *name, unsigned width, bool aligned)
{
	unsigned items = N / width / 64 * 64, stride = stride_of(width, aligned);

	run(name, width, aligned, items);
	for (unsigned i = 0; i < items * width; i++) {
		uint16_t want = halves[i / width * stride + i % width + !aligned];
		if (!same(out[i], want))
			fail_msg("%s, vload%s_half%u of 0x%04x: %a", name, aligned ? "a" : "",
				width, want, (double)out[i]);
	}
}

static void halves_of_all_widths(void **state)
{
	unsigned simd = *(const unsigned *)*state;
	char options[64], name[64], way[16], w[12] = "";

	snprintf(options, sizeof options, "-cl-std=CL3.0 -DSIMD=%u", simd);
	snprintf(way, sizeof way, "simd%u", simd);
	corpus_begin();
	corpus_put("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
		   "#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))\n");
	for (unsigned k = FIRST; k < 2 * WIDTHS; k++)
		put_kernels(widths[k / 2], k % 2 == 0);
	corpus_build(options);
	for (unsigned k = FIRST; k < 2 * WIDTHS; k++) {
		unsigned width = widths[k / 2];
		bool aligned = k % 2 == 0;
		check_trip("trip", width, aligned);
		check_trip("local", width, aligned);
		check_trip("private", width, aligned);
		check_load("load", width, aligned);
		check_load("constant", width, aligned);
		if (width > 1)
			snprintf(w, sizeof w, "%u", width);
		snprintf(name, sizeof name, "vload%s_half%s", aligned ? "a" : "", w);
		corpus_row(name, "float", way);
		for (unsigned m = 0; m < MODES; m++) {
			snprintf(name, sizeof name, "vstore%s_half%s%s", aligned ? "a" : "", w,
				modes[m].suffix);
			corpus_row(name, "float", way);
		}
	}
}

static int begin_group(void **state)
{
	intel_begin(state);
	fill();
	return 0;
}

#define AT(simd)                                                                                   \
	{                                                                                          \
		"halves at SIMD" #simd, halves_of_all_widths, NULL, NULL, &(unsigned)              \
		{                                                                                  \
			simd                                                                       \
		}                                                                                  \
	}

int main(void)
{
	const struct CMUnitTest tests[] = { AT(8), AT(16), AT(32) };

	return INTEL_RUN_TESTS(tests, begin_group);
}
