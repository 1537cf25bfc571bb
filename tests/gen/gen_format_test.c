// SPDX-License-Identifier: MIT
/* Formats against arithmetic in long double, for every value of a channel up to 16 bits. */
#include "test.h"
#include "test_random.h"

#include <math.h>
#include <string.h>

#include "gen/gen_format.h"

enum { CODES = 1024, MANY = 37 };

static uint32_t draw(void)
{
	static uint64_t state;

	return (uint32_t)test_random(&state);
}

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, 4);
	return bits;
}

static float float_of(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, 4);
	return value;
}

/* A float of `bits` bits with an exponent of 5, signed if there are 16. */
static float small_float(uint32_t value, unsigned bits)
{
	unsigned mantissa = bits == 16 ? 10 : bits - 5;
	uint32_t fraction = value & ((1u << mantissa) - 1);
	int exponent = (int)(value >> mantissa & 31);
	double result;

	if (exponent == 31)
		result = fraction ? (double)NAN : (double)INFINITY;
	else if (exponent == 0)
		result = ldexp(fraction, -14 - (int)mantissa);
	else
		result = ldexp(fraction + (1u << mantissa), exponent - 15 - (int)mantissa);
	return (float)(bits == 16 && value >> 15 ? -result : result);
}

/* Reads bits of a texel one by one. */
static uint32_t channel_bits(const uint8_t *texel, struct gen_channel channel)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < channel.bits; i++) {
		unsigned bit = channel.shift + i;
		value |= (uint32_t)(texel[bit / 8] >> bit % 8 & 1) << i;
	}
	return value;
}

static uint32_t decoded(const struct gen_format *format, unsigned c, const uint8_t *texel)
{
	uint32_t value = channel_bits(texel, format->channel[c]);
	unsigned bits = format->channel[c].bits;
	long double most = (long double)((UINT64_C(1) << bits) - 1), x = value;
	long double half = (long double)((UINT64_C(1) << (bits - 1)) - 1);

	switch (format->kind) {
	case GEN_FORMAT_UINT:
		return value;
	case GEN_FORMAT_SINT:
		return value >> (bits - 1) ? value | (uint32_t)(~UINT64_C(0) << bits) : value;
	case GEN_FORMAT_UNORM:
		return bits_of((float)(x / most));
	case GEN_FORMAT_SRGB:
		x /= most;
		if (c < 3)
			x = x <= 0.04045L ? x / 12.92L : powl((x + 0.055L) / 1.055L, 2.4L);
		return bits_of((float)x);
	case GEN_FORMAT_SNORM:
		if (value >> (bits - 1))
			x -= most + 1;
		return bits_of((float)(x < -half ? -1 : x / half));
	case GEN_FORMAT_SHARED:
		return bits_of((float)ldexpl(x, texel[3] / 8 - 24));
	default:
		return bits == 32 ? value : bits_of(small_float(value, bits));
	}
}

static void same(const struct gen_format *format, unsigned c, uint32_t got, uint32_t want)
{
	if (format->kind == GEN_FORMAT_FLOAT && isnan(float_of(want)) && isnan(float_of(got)))
		return;
	if (got != want)
		fail_msg("%s channel %u: 0x%08x, not 0x%08x", format->name, c, got, want);
}

static void test_decodes(void **state)
{
	uint8_t texels[MANY * GEN_TEXEL_BYTES];
	uint32_t values[4][MANY], *const rows[4] = { values[0], values[1], values[2], values[3] };

	(void)state;
	for (unsigned code = 0; code < CODES; code++) {
		const struct gen_format *format = gen_format_find(code);
		unsigned bytes = format ? format->decoded_bytes : 0;

		for (unsigned round = 0; format && round < 1200; round++) {
			for (unsigned i = 0; i < sizeof(texels); i++)
				texels[i] = (uint8_t)(draw() >> 7);
			memset(values, 0xa5, sizeof(values));
			gen_format_decode(format, texels, MANY, rows);
			for (unsigned i = 0; i < MANY; i++)
				for (unsigned c = 0; c < 4; c++) {
					uint32_t absent = c < 3 ? 0
							  : gen_format_is_int(format)
								  ? 1
								  : bits_of(1.0f);
					same(format, c, values[c][i],
						format->channel[c].bits == 0
							? absent
							: decoded(format, c, texels + i * bytes));
				}
		}
	}
}

/* The channels of a texel and only they keep their value when it is decoded and encoded again. */
static void test_comes_back(void **state)
{
	uint8_t texels[MANY * GEN_TEXEL_BYTES], again[MANY * GEN_TEXEL_BYTES], mask[16];
	uint32_t values[4][MANY], *const rows[4] = { values[0], values[1], values[2], values[3] };
	const uint32_t *const back[4] = { values[0], values[1], values[2], values[3] };

	(void)state;
	for (unsigned code = 0; code < CODES; code++) {
		const struct gen_format *format = gen_format_find(code);

		if (!format || format->paired || format->unblock ||
			format->kind == GEN_FORMAT_SHARED)
			continue;
		gen_format_mask(format, 15, mask);
		for (unsigned round = 0; round < 1500; round++) {
			unsigned bytes = format->bytes;
			for (unsigned i = 0; i < sizeof(texels); i++)
				texels[i] = (uint8_t)(draw() >> 7);
			gen_format_decode(format, texels, MANY, rows);
			memset(again, 0xa5, sizeof(again));
			gen_format_encode(format, back, MANY, again);
			for (unsigned i = 0; i < MANY; i++)
				for (unsigned c = 0; c < 4; c++) {
					struct gen_channel channel = format->channel[c];
					uint32_t want, got;
					if (channel.bits == 0)
						continue;
					want = channel_bits(texels + i * bytes, channel);
					got = channel_bits(again + i * bytes, channel);
					if (got == want || isnan(float_of(values[c][i])))
						continue;
					/* Two codes of -1; 32 bits do not fit a float. */
					if (format->kind == GEN_FORMAT_SNORM &&
						want == UINT32_C(1) << (channel.bits - 1) &&
						got == want + 1)
						continue;
					if (format->kind != GEN_FORMAT_FLOAT &&
						!gen_format_is_int(format) && channel.bits == 32)
						continue;
					fail_msg("%s channel %u: 0x%x became 0x%x", format->name, c,
						want, got);
				}
			for (unsigned i = 0; i < MANY * bytes; i++)
				assert_int_equal(again[i] & ~mask[i % bytes], 0);
			for (unsigned i = MANY * bytes; i < sizeof(again); i++)
				assert_int_equal(again[i], 0xa5);
		}
	}
}

static void check_encoded(const struct gen_format *format, unsigned bits, uint32_t value)
{
	const uint32_t *const row[4] = { &value, &value, &value, &value };
	float x = float_of(value);
	int32_t most = (int32_t)((UINT64_C(1) << bits) - 1), high = most >> 1;
	uint8_t texel[16];
	long double want;
	uint32_t got;

	gen_format_encode(format, row, 1, texel);
	got = channel_bits(texel, format->channel[0]);
	switch (format->kind) {
	case GEN_FORMAT_UNORM:
		want = isnan(x) ? 0 : x <= 0 ? 0 : x >= 1 ? most : rintl(x * (float)most);
		break;
	case GEN_FORMAT_SNORM:
		want = isnan(x) ? 0 : x <= -1 ? -high : x >= 1 ? high : rintl(x * (float)high);
		break;
	case GEN_FORMAT_UINT:
		want = value > (uint32_t)most ? (uint32_t)most : value;
		break;
	default:
		want = (int32_t)value > high	    ? high
		       : (int32_t)value < -high - 1 ? -high - 1
						    : (int32_t)value;
		break;
	}
	if (got != ((uint32_t)(int64_t)want & (uint32_t)most))
		fail_msg("%s: %a (0x%08x) became 0x%x, not %Lg", format->name, (double)x, value,
			got, want);
}

static void test_rounds_and_saturates(void **state)
{
	static const unsigned codes[] = { 0x140, 0x141, 0x142, 0x143, 0x10a, 0x10b, 0x10c, 0x10d,
		0x0c2, 0x0c4, 0x1b3, 0x1b6, 0x100, 0x102 };
	static const uint32_t corners[] = { 0, 1, 127, 128, 255, 256, 32767, 32768, 65535, 65536,
		0x7fffffff, 0x80000000, 0xffffffff, 0xffffff80, 0xffffff7f, 0xffff8000, 0xffff7fff,
		0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x7f800000, 0xff800000, 0x7fc00000,
		0x00800000, 0x3f000000, 0x3f000001 };

	(void)state;
	for (unsigned i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		const struct gen_format *format = gen_format_find(codes[i]);
		unsigned bits = format->channel[0].bits;

		for (unsigned n = 0; n < sizeof(corners) / sizeof(*corners); n++)
			check_encoded(format, bits, corners[n]);
		for (unsigned n = 0; n < 60000; n++) {
			float x = (float)(draw() & 0xffffff) / 0x1p23f - 1.0f;
			check_encoded(format, bits, bits_of(x * (n & 1 ? 1.1f : 0.01f)));
			check_encoded(format, bits, draw() >> draw() % 32);
		}
		/* Halfway between two codes, and next to it. */
		for (unsigned n = 0; n < 1u << bits; n++) {
			float most = (float)((1u << bits) - 1);
			float half = ((float)n + 0.5f) / most;
			check_encoded(format, bits, bits_of(half));
			check_encoded(format, bits, bits_of(half) + 1);
			check_encoded(format, bits, bits_of(half) - 1);
		}
	}
}

/* Every half between two neighbours: nearest, ties to even. */
static void test_rounds_halfs(void **state)
{
	const struct gen_format *format = gen_format_find(0x10e);

	(void)state;
	for (uint32_t low = 0; low < 0x7bff; low++) {
		double a = (double)small_float(low, 16), b = (double)small_float(low + 1, 16);
		uint32_t middle = bits_of((float)((a + b) / 2));
		struct {
			uint32_t value, want;
		} rows[] = { { middle, low + (low & 1) }, { middle - 1, low },
			{ middle + 1, low + 1 },
			{ middle | 0x80000000, (low + (low & 1)) | 0x8000 } };
		for (unsigned i = 0; i < 4; i++) {
			const uint32_t *const in[4] = { &rows[i].value, NULL, NULL, NULL };
			uint16_t got;
			gen_format_encode(format, in, 1, &got);
			if (got != rows[i].want)
				fail_msg("0x%08x became 0x%04x, not 0x%04x", rows[i].value, got,
					rows[i].want);
		}
	}
}

static void test_half_limits(void **state)
{
	static const struct {
		uint32_t value;
		uint16_t want;
	} rows[] = { { 0x477fefff, 0x7bff }, { 0x477ff000, 0x7c00 }, { 0x7f7fffff, 0x7c00 },
		{ 0x7f800000, 0x7c00 }, { 0xff800000, 0xfc00 }, { 0x7fc00000, 0x7e00 },
		{ 0x7f800001, 0x7e00 }, { 0x33000000, 0x0000 }, { 0x33000001, 0x0001 },
		{ 0x00000001, 0x0000 }, { 0x80000000, 0x8000 } };
	const struct gen_format *format = gen_format_find(0x10e);

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const uint32_t *const in[4] = { &rows[i].value, NULL, NULL, NULL };
		uint16_t got = 0xa5a5;
		gen_format_encode(format, in, 1, &got);
		assert_int_equal(got, rows[i].want);
	}
}

/* Where the bytes go, by hand. */
static void test_order_of_channels(void **state)
{
	static const struct {
		unsigned code;
		uint32_t in[4];
		uint8_t texel[4];
	} rows[] = {
		{ 0x0cb, { 1, 2, 3, 4 }, { 1, 2, 3, 4 } },
		{ 0x0c0, { 0x3f800000, 0, 0, 0 }, { 0, 0, 255, 0 } },
		{ 0x0c0, { 0, 0, 0x3f800000, 0x3f000000 }, { 255, 0, 0, 128 } },
		{ 0x144, { 0x3f800000, 0x3f800000, 0x3f800000, 0x3e800000 }, { 64 } },
		{ 0x145, { 0x3f800000, 0, 0, 0 }, { 255 } },
		{ 0x100, { 0x3f800000, 0, 0, 0 }, { 0, 0xf8 } },
		{ 0x100, { 0, 0x3f800000, 0, 0 }, { 0xe0, 0x07 } },
		{ 0x0c4, { 1, 2, 4, 3 }, { 0x01, 0x08, 0x40, 0xc0 } },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct gen_format *format = gen_format_find(rows[i].code);
		const uint32_t *const in[4] = { &rows[i].in[0], &rows[i].in[1], &rows[i].in[2],
			&rows[i].in[3] };
		uint8_t texel[16] = { 0 };
		gen_format_encode(format, in, 1, texel);
		assert_memory_equal(texel, rows[i].texel, format->bytes);
	}
}

static void test_pairs(void **state)
{
	/* YUYV, UYVY, YVYU, VYUY as their names say. */
	static const struct {
		unsigned code;
		const char *order;
	} rows[] = { { 0x182, "YUyV" }, { 0x190, "UYVy" }, { 0x18f, "YVyU" }, { 0x183, "VYUy" } };

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		const struct gen_format *format = gen_format_find(rows[i].code);
		uint8_t texel[4];
		gen_format_unpair(format, (const uint8_t *)rows[i].order, false, texel);
		assert_memory_equal(texel, "VYU\0", 4);
		gen_format_unpair(format, (const uint8_t *)rows[i].order, true, texel);
		assert_memory_equal(texel, "VyU\0", 4);
	}
}

/* What the data port of a generation cannot convert, it returns as it is. */
static void test_typed_read(void **state)
{
	static const struct {
		unsigned code, returned[GEN_GENERATIONS]; /* on Gen9, Gen11, Gen12LP, Xe-HPG */
	} rows[] = {
		{ 0x0c7, { 0x0d7, 0x0c7, 0x0c7, 0x0c7 } }, /* R8G8B8A8_UNORM */
		{ 0x0c9, { 0x0d7, 0x0c9, 0x0c9, 0x0c9 } }, /* R8G8B8A8_SNORM */
		{ 0x0ca, { 0x0ca, 0x0ca, 0x0ca, 0x0ca } }, /* R8G8B8A8_SINT */
		{ 0x080, { 0x087, 0x080, 0x080, 0x080 } }, /* R16G16B16A16_UNORM */
		{ 0x10a, { 0x10d, 0x10a, 0x10a, 0x10a } }, /* R16_UNORM */
		{ 0x140, { 0x143, 0x140, 0x140, 0x140 } }, /* R8_UNORM */
		{ 0x10e, { 0x10e, 0x10e, 0x10e, 0x10e } }, /* R16_FLOAT */
		{ 0x0c2, { 0x0d7, 0x0d7, 0x0d7, 0x0c2 } }, /* R10G10B10A2_UNORM */
		{ 0x0c4, { 0x0d7, 0x0d7, 0x0d7, 0x0c4 } }, /* R10G10B10A2_UINT */
		{ 0x0d3, { 0x0d7, 0x0d7, 0x0d7, 0x0d3 } }, /* R11G11B10_FLOAT */
		{ 0x000, { 0x000, 0x000, 0x000, 0x000 } }, /* R32G32B32A32_FLOAT */
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (int g = GEN_9; g < GEN_GENERATIONS; g++)
			assert_ptr_equal(gen_format_of_typed_read(gen_format_find(rows[i].code),
						 (enum gen_generation)g),
				gen_format_find(rows[i].returned[g]));
}

static void test_unknown(void **state)
{
	(void)state;
	assert_null(gen_format_find(0x1ff));
	assert_null(gen_format_find(CODES));
	assert_null(gen_format_find(UINT32_MAX));
}

static void test_fill(void **state)
{
	static const struct {
		unsigned code;
		uint8_t channels;
	} rows[] = { { 0x0c7, 15 }, { 0x0eb, 0 }, { 0x0cc, 3 }, { 0x0d3, 7 }, { 0x0e3, 1 },
		{ 0x000, 15 }, { 0x187, 0 } };

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(gen_format_fill(gen_format_find(rows[i].code)), rows[i].channels);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decodes),
		cmocka_unit_test(test_comes_back),
		cmocka_unit_test(test_rounds_and_saturates),
		cmocka_unit_test(test_rounds_halfs),
		cmocka_unit_test(test_half_limits),
		cmocka_unit_test(test_order_of_channels),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_typed_read),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_fill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
