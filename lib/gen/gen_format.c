// SPDX-License-Identifier: MIT
#include "gen/gen_format.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "util/util_bits.h"

enum { FORMATS = 512 };

/* Packed YUV is decoded from a dword of Cr, Y, Cb. */
#define AT(shift, bits)                                                                            \
	{                                                                                          \
		shift, bits                                                                        \
	}
#define NONE                                                                                       \
	{                                                                                          \
		0, 0                                                                               \
	}
#define ROW(code, name, bytes, kind, red, green, blue, alpha)                                      \
	[code] = { #name, bytes, bytes, 1, 1, NULL, GEN_FORMAT_##kind, false, { 0 },               \
		{ red, green, blue, alpha } },
#define BLOCK(code, name, bytes, width, height, decoder, texel, kind, red, green, blue, alpha)     \
	[code] = { #name, bytes, texel, width, height, gen_block_##decoder, GEN_FORMAT_##kind,     \
		false, { 0 }, { red, green, blue, alpha } },
#define PAIRED(code, name, cr, even, cb, odd)                                                      \
	[code] = { #name, 2, 4, 1, 1, NULL, GEN_FORMAT_UNORM, true, { cr, even, cb, odd },         \
		{ AT(0, 8), AT(8, 8), AT(16, 8), NONE } },
static const struct gen_format formats[FORMATS] = {
#include "gen/gen_format.def"
};

/* The curve of sRGB: the bits of the float, correctly rounded, that n / 255 stands for. */
static uint32_t srgb[256];
static pthread_once_t srgb_once = PTHREAD_ONCE_INIT;

const struct gen_format *gen_format_find(unsigned code)
{
	return code < FORMATS && formats[code].name ? &formats[code] : NULL;
}

static uint32_t float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static float bits_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

uint32_t gen_format_absent(const struct gen_format *format, unsigned channel)
{
	if (channel != 3)
		return 0;
	return gen_format_is_int(format) ? 1 : float_bits(1.0f);
}

void gen_format_unpair(
	const struct gen_format *format, const uint8_t pair[4], bool odd, uint8_t texel[4])
{
	texel[0] = pair[format->pair[0]];
	texel[1] = pair[format->pair[odd ? 3 : 1]];
	texel[2] = pair[format->pair[2]];
	texel[3] = 0;
}

/* Whether an earlier channel lies at the same place. */
static bool is_copy(const struct gen_format *format, unsigned number)
{
	return number > 0 && format->channel[number - 1].bits != 0 &&
	       format->channel[number - 1].shift == format->channel[number].shift;
}

/* ---- decoding: one channel at a time, first its bits, then what they mean ---- */

static inline __attribute__((always_inline)) void extract_bytes(
	const uint8_t *at, unsigned stride, unsigned bytes, unsigned count, uint32_t *out)
{
	for (unsigned i = 0; i < count; i++) {
		uint32_t value = 0;

		memcpy(&value, at + i * stride, bytes);
		out[i] = value;
	}
}

/* Channels that do not lie on bytes are in texels of one dword or less. */
static void extract_bits(const uint8_t *texels, unsigned stride, struct gen_channel channel,
	unsigned count, uint32_t *out)
{
	unsigned high = channel.shift + channel.bits - 1u;

	for (unsigned i = 0; i < count; i++) {
		uint32_t word = 0;

		memcpy(&word, texels + i * stride, stride < 4 ? stride : 4);
		out[i] = util_bits(word, high, channel.shift);
	}
}

static void extract(const uint8_t *texels, unsigned stride, struct gen_channel channel,
	unsigned count, uint32_t *out)
{
	const uint8_t *at = texels + channel.shift / 8;

	if (channel.shift % 8 != 0 || channel.bits % 8 != 0 || channel.bits == 24)
		extract_bits(texels, stride, channel, count, out);
	else if (channel.bits == 32)
		extract_bytes(at, stride, 4, count, out);
	else if (channel.bits == 16)
		extract_bytes(at, stride, 2, count, out);
	else if (stride == 4)
		extract_bytes(at, 4, 1, count, out);
	else
		extract_bytes(at, stride, 1, count, out);
}

static void decode_unorm(unsigned bits, unsigned count, uint32_t *values)
{
	const float most = (float)((UINT64_C(1) << bits) - 1);

	for (unsigned i = 0; i < count && bits <= 24; i++)
		values[i] = float_bits((float)(int32_t)values[i] / most);
	for (unsigned i = 0; i < count && bits > 24; i++)
		values[i] = float_bits((float)((double)values[i] / UINT32_MAX));
}

static int32_t extend(uint32_t value, unsigned bits)
{
	uint32_t sign = UINT32_C(1) << (bits - 1);

	return (int32_t)((value ^ sign) - sign);
}

static void decode_sint(unsigned bits, unsigned count, uint32_t *values)
{
	for (unsigned i = 0; i < count; i++)
		values[i] = (uint32_t)extend(values[i], bits);
}

static void decode_snorm(unsigned bits, unsigned count, uint32_t *values)
{
	const double most = (double)((UINT64_C(1) << (bits - 1)) - 1);

	for (unsigned i = 0; i < count; i++) {
		float value = (float)(extend(values[i], bits) / most);
		values[i] = float_bits(value < -1.0f ? -1.0f : value);
	}
}

/* A float of 5 bits of exponent and `mantissa` bits of mantissa, with a sign above or without. */
static void decode_small_float(unsigned mantissa, unsigned count, uint32_t *values)
{
	const unsigned up = 23 - mantissa;
	const uint32_t all = UINT32_C(0x1f) << 23, sign = UINT32_C(0x20) << mantissa;
	const float scale = 0x1p+112f; /* between the exponents' biases */

	for (unsigned i = 0; i < count; i++) {
		uint32_t magnitude = (values[i] & (sign - 1)) << up;
		uint32_t special = (magnitude & all) == all ? UINT32_C(0x7f800000) : 0;
		uint32_t value = float_bits(bits_float(magnitude) * scale);

		value = special ? special | (magnitude & 0x7fffff) : value;
		values[i] = value | (values[i] & sign) << (31 - 5 - mantissa);
	}
}

static void fill_srgb(void)
{
	for (unsigned i = 0; i < 256; i++) {
		double x = i / 255.0;
		srgb[i] = float_bits(
			(float)(x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)));
	}
}

static void decode_srgb(unsigned count, uint32_t *values)
{
	pthread_once(&srgb_once, fill_srgb);
	for (unsigned i = 0; i < count; i++)
		values[i] = srgb[values[i] & 0xff];
}

/* The exponent is in bits 31:27 of a texel. */
static void decode_shared(const uint8_t *texels, unsigned count, uint32_t *values)
{
	for (unsigned i = 0; i < count; i++) {
		uint32_t exponent = texels[4 * i + 3] >> 3;

		values[i] = float_bits(
			(float)(int32_t)values[i] * bits_float((exponent + 127 - 24) << 23));
	}
}

static void decode_channel(
	const struct gen_format *format, unsigned number, unsigned count, uint32_t *values)
{
	unsigned bits = format->channel[number].bits;

	if (format->kind == GEN_FORMAT_SRGB && number < 3)
		decode_srgb(count, values);
	else if (format->kind == GEN_FORMAT_UNORM || format->kind == GEN_FORMAT_SRGB)
		decode_unorm(bits, count, values);
	else if (format->kind == GEN_FORMAT_SNORM)
		decode_snorm(bits, count, values);
	else if (format->kind == GEN_FORMAT_SINT && bits < 32)
		decode_sint(bits, count, values);
	else if (format->kind == GEN_FORMAT_FLOAT && bits < 32)
		decode_small_float(bits == 16 ? 10 : bits - 5, count, values);
}

void gen_format_decode(const struct gen_format *format, const void *texels, unsigned count,
	uint32_t *const values[4])
{
	const unsigned stride = format->decoded_bytes;

	for (unsigned c = 0; c < 4; c++) {
		const struct gen_channel channel = format->channel[c];

		if (channel.bits == 0) {
			uint32_t absent = gen_format_absent(format, c);
			for (unsigned i = 0; i < count; i++)
				values[c][i] = absent;
			continue;
		}
		if (is_copy(format, c)) {
			memcpy(values[c], values[c - 1], count * sizeof(*values[c]));
			continue;
		}
		extract(texels, stride, channel, count, values[c]);
		if (format->kind == GEN_FORMAT_SHARED)
			decode_shared(texels, count, values[c]);
		else
			decode_channel(format, c, count, values[c]);
	}
}

/* ---- encoding ---- */

static uint32_t encode_unorm(unsigned bits, uint32_t value)
{
	const float most = (float)((UINT64_C(1) << bits) - 1);
	float x = bits_float(value);

	if (!(x > 0))
		return 0;
	if (x >= 1.0f)
		return (uint32_t)((UINT64_C(1) << bits) - 1);
	return bits <= 24 ? (uint32_t)lrintf(x * most) : (uint32_t)llrint((double)x * UINT32_MAX);
}

static uint32_t encode_snorm(unsigned bits, uint32_t value)
{
	const int32_t most = (int32_t)((UINT32_C(1) << (bits - 1)) - 1);
	float x = bits_float(value);
	int32_t result;

	if (x != x)
		return 0;
	if (x >= 1.0f || x <= -1.0f)
		result = x > 0 ? most : -most;
	else if (bits <= 24)
		result = (int32_t)lrintf(x * (float)most);
	else
		result = (int32_t)llrint((double)x * most);
	return (uint32_t)result;
}

static uint32_t encode_sint(unsigned bits, uint32_t value)
{
	const int32_t most = (int32_t)((UINT32_C(1) << (bits - 1)) - 1), least = -most - 1;
	int32_t x = (int32_t)value;

	return (uint32_t)(x > most ? most : x < least ? least : x);
}

static uint32_t encode_uint(unsigned bits, uint32_t value)
{
	uint32_t most = (uint32_t)((UINT64_C(1) << bits) - 1);

	return value < most ? value : most;
}

/* Rounds to nearest even. Formats without a sign take negative values for zero. */
static uint32_t encode_small_float(unsigned mantissa, bool has_sign, uint32_t value)
{
	const unsigned down = 23 - mantissa;
	const uint32_t infinity = UINT32_C(0x1f) << mantissa;
	uint32_t sign = has_sign ? value >> 31 << (mantissa + 5) : 0;
	uint32_t magnitude = value & 0x7fffffff, result;

	if (magnitude > 0x7f800000) /* quiet, with the top of the payload */
		return sign | infinity | UINT32_C(1) << (mantissa - 1) |
		       (magnitude & 0x7fffff) >> down;
	if (!has_sign && value >> 31)
		return 0;
	if (magnitude >= 0x38800000) { /* 2^-14: normal */
		uint32_t odd = magnitude >> down & 1;
		uint64_t rounded =
			(uint64_t)magnitude - 0x38000000 + odd + (UINT32_C(1) << (down - 1)) - 1;
		result = rounded >> down > infinity ? infinity : (uint32_t)(rounded >> down);
	} else {
		/* In units of the smallest denormal, 2^(-14 - mantissa). */
		float units = bits_float(magnitude) * (float)(1u << 14);
		result = (uint32_t)lrintf(units * (float)(1u << mantissa));
	}
	return sign | result;
}

static uint32_t encode_srgb(unsigned bits, uint32_t value)
{
	double x = bits_float(value);

	if (!(x > 0))
		return 0;
	if (x >= 1)
		return (1u << bits) - 1;
	x = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
	return (uint32_t)lrint(x * ((1u << bits) - 1));
}

/* Values of one channel as it holds them. */
static void encode_channel(const struct gen_format *format, unsigned number, unsigned count,
	const uint32_t *in, uint32_t *out)
{
	const unsigned bits = format->channel[number].bits;
	unsigned kind = format->kind;

	if (kind == GEN_FORMAT_SRGB && number == 3)
		kind = GEN_FORMAT_UNORM;
	switch (kind) {
#define EACH(value)                                                                                \
	for (unsigned i = 0; i < count; i++)                                                       \
		out[i] = (value);                                                                  \
	break
	case GEN_FORMAT_SRGB:
		EACH(encode_srgb(bits, in[i]));
	case GEN_FORMAT_UNORM:
		EACH(encode_unorm(bits, in[i]));
	case GEN_FORMAT_SNORM:
		EACH(encode_snorm(bits, in[i]));
	case GEN_FORMAT_SINT:
		EACH(encode_sint(bits, in[i]));
	case GEN_FORMAT_UINT:
		EACH(encode_uint(bits, in[i]));
	default:
		EACH(bits == 32 ? in[i]
				: encode_small_float(
					  bits == 16 ? 10 : bits - 5, bits == 16, in[i]));
#undef EACH
	}
}

/* Puts the low bits of `value` into the channel of a texel. */
static void put(const struct gen_channel channel, uint32_t value, uint8_t *texel)
{
	uint8_t *at = texel + channel.shift / 8;
	uint64_t mask = (UINT64_C(1) << channel.bits) - 1, word = value & mask;
	unsigned shift = channel.shift % 8;

	word <<= shift;
	mask <<= shift;
	for (; mask != 0; mask >>= 8, word >>= 8, at++)
		*at = (uint8_t)((*at & ~mask) | word);
}

/* Puts the channel of `count` texels, whose bits are zeros. */
static void put_row(const struct gen_channel channel, unsigned stride, unsigned count,
	const uint32_t *values, uint8_t *texel)
{
	uint8_t *at = texel + channel.shift / 8;
	const unsigned bits = channel.shift % 8 == 0 ? channel.bits : 0;

	for (unsigned i = 0; i < count; i++, at += stride, texel += stride)
		if (bits == 8)
			*at = (uint8_t)values[i];
		else if (bits == 16)
			memcpy(at, (uint16_t[]){ (uint16_t)values[i] }, 2);
		else if (bits == 32)
			memcpy(at, &values[i], 4);
		else
			put(channel, values[i], texel);
}

void gen_format_encode(const struct gen_format *format, const uint32_t *const values[4],
	unsigned count, void *texels)
{
	enum { ROW = 16 };
	uint32_t row[ROW];

	memset(texels, 0, (size_t)count * format->bytes);
	for (unsigned c = 0; c < 4; c++) {
		if (format->channel[c].bits == 0 || is_copy(format, c))
			continue;
		for (unsigned i = 0; i < count; i += ROW) {
			unsigned n = count - i < ROW ? count - i : ROW;
			encode_channel(format, c, n, values[c] + i, row);
			put_row(format->channel[c], format->bytes, n, row,
				(uint8_t *)texels + (size_t)i * format->bytes);
		}
	}
}

void gen_format_mask(const struct gen_format *format, unsigned channels, uint8_t *mask)
{
	memset(mask, 0, format->bytes);
	for (unsigned c = 0; c < 4; c++)
		if (channels >> c & 1 && format->channel[c].bits != 0 && !is_copy(format, c))
			put(format->channel[c], UINT32_MAX, mask);
}
