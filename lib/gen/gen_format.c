// SPDX-License-Identifier: MIT
#include "gen/gen_format.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "util/util_clones.h"

enum { FORMATS = 1024 };

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
#define ASTC(code, width, height)                                                                  \
	BLOCK(code, ASTC_LDR_2D_##width##X##height##_FLT16, 16, width, height, astc, 8, FLOAT,     \
		AT(0, 16), AT(16, 16), AT(32, 16), AT(48, 16))                                     \
	BLOCK(code - 0x40, ASTC_LDR_2D_##width##X##height##_U8SRGB, 16, width, height, astc, 4,    \
		SRGB, AT(0, 8), AT(8, 8), AT(16, 8), AT(24, 8))
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

const struct gen_format *gen_format_of_typed_read(
	const struct gen_format *format, enum gen_generation generation)
{
	static const uint16_t bits[GEN_TEXEL_BYTES + 1] = {
		[1] = 0x143, [2] = 0x10d, [4] = 0x0d7, [8] = 0x087
	};
	const bool is_fixed = format->kind == GEN_FORMAT_UNORM || format->kind == GEN_FORMAT_SNORM;
	const unsigned red = format->channel[0].bits;
	const bool is_packed = red == 10 || red == 11;

	if (format->unblock || format->paired || !bits[format->bytes] ||
		!((is_fixed && generation < GEN_11) || (is_packed && generation < GEN_HPG)))
		return format;
	return &formats[bits[format->bytes]];
}

static inline uint32_t float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static inline float bits_float(uint32_t bits)
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

#define INLINE static inline __attribute__((always_inline))

typedef uint32_t v4u __attribute__((vector_size(16)));

/* `bytes` of each texel, and of these `bits` from `shift` on. */
INLINE void extract_from(const uint8_t *restrict at, unsigned stride, unsigned bytes,
	unsigned shift, unsigned bits, unsigned count, uint32_t *restrict out)
{
	const uint32_t mask = UINT32_MAX >> (32 - bits);

	for (unsigned i = 0; i < count; i++) {
		uint32_t value = 0;

		memcpy(&value, at + (size_t)i * stride, bytes);
		out[i] = value >> shift & mask;
	}
}

/* Channels that do not lie on bytes are in texels of one dword or less. */
INLINE void extract(const uint8_t *texels, unsigned stride, struct gen_channel channel,
	unsigned count, uint32_t *out)
{
	const uint8_t *at = texels + channel.shift / 8;
	const unsigned bits = channel.bits;

	if (stride == 4)
		extract_from(texels, 4, 4, channel.shift, bits, count, out);
	else if (stride == 8)
		extract_from(texels + channel.shift / 32 * 4, 8, 4, channel.shift % 32, bits, count,
			out);
	else if (stride == 2)
		extract_from(texels, 2, 2, channel.shift, bits, count, out);
	else if (stride == 1)
		extract_from(texels, 1, 1, 0, bits, count, out);
	else
		extract_from(at, stride, (bits + 7) / 8, channel.shift % 8, bits, count, out);
}

/* Texels of four channels of 32 bits; four at a time. */
INLINE void extract_dwords(const uint8_t *texels, unsigned count, uint32_t *const values[4])
{
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
	unsigned i = 0;

	for (; i + 4 <= count; i += 4, texels += 64) {
		v4u t[4];

		memcpy(t, texels, sizeof(t));
		const v4u a = LOW(t[0], t[2]), b = LOW(t[1], t[3]);
		const v4u c = HIGH(t[0], t[2]), d = HIGH(t[1], t[3]);
		const v4u rows[4] = { LOW(a, b), HIGH(a, b), LOW(c, d), HIGH(c, d) };
		for (unsigned n = 0; n < 4; n++)
			memcpy(values[n] + i, &rows[n], sizeof(rows[n]));
	}
	for (; i < count; i++, texels += 16)
		for (unsigned n = 0; n < 4; n++)
			memcpy(values[n] + i, texels + 4 * n, 4);
#undef LOW
#undef HIGH
}

INLINE void decode_unorm(unsigned bits, unsigned count, uint32_t *values)
{
	const float most = (float)((UINT64_C(1) << bits) - 1);

	for (unsigned i = 0; i < count && bits <= 24; i++)
		values[i] = float_bits((float)(int32_t)values[i] / most);
	for (unsigned i = 0; i < count && bits > 24; i++)
		values[i] = float_bits((float)((double)values[i] / UINT32_MAX));
}

INLINE int32_t extend(uint32_t value, unsigned bits)
{
	uint32_t sign = UINT32_C(1) << (bits - 1);

	return (int32_t)((value ^ sign) - sign);
}

INLINE void decode_sint(unsigned bits, unsigned count, uint32_t *values)
{
	for (unsigned i = 0; i < count; i++)
		values[i] = (uint32_t)extend(values[i], bits);
}

INLINE void decode_snorm(unsigned bits, unsigned count, uint32_t *values)
{
	const double most = (double)((UINT64_C(1) << (bits - 1)) - 1);

	for (unsigned i = 0; i < count; i++) {
		float value = (float)(extend(values[i], bits) / most);
		values[i] = float_bits(value < -1.0f ? -1.0f : value);
	}
}

/* A float of 5 bits of exponent and `mantissa` bits of mantissa, with a sign above or without. */
INLINE void decode_small_float(unsigned mantissa, unsigned count, uint32_t *values)
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

INLINE void decode_channel(
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

UTIL_CLONES void gen_format_decode(const struct gen_format *format, const void *texels,
	unsigned count, uint32_t *const values[4])
{
	const unsigned stride = format->decoded_bytes;

	if (stride == GEN_TEXEL_BYTES)
		extract_dwords(texels, count, values);
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
		if (stride != GEN_TEXEL_BYTES)
			extract(texels, stride, channel, count, values[c]);
		if (format->kind == GEN_FORMAT_SHARED)
			decode_shared(texels, count, values[c]);
		else
			decode_channel(format, c, count, values[c]);
	}
}

/* ---- encoding ---- */

/* Rounded to the nearest; adding this leaves that in the lowest bits. */
INLINE uint32_t round_small(float x)
{
	return float_bits(x + 0x1.8p23f) - 0x4b400000;
}

INLINE uint32_t encode_unorm(unsigned bits, uint32_t value)
{
	const double most = (double)((UINT64_C(1) << bits) - 1);
	float x = bits_float(value) > 0 ? bits_float(value) : 0;

	x = x < 1 ? x : 1;
	return bits <= 16   ? round_small(x * (float)most)
	       : bits <= 24 ? (uint32_t)lrintf(x * (float)most)
			    : (uint32_t)llrint(x * most);
}

INLINE uint32_t encode_snorm(unsigned bits, uint32_t value)
{
	const int32_t most = (int32_t)((UINT32_C(1) << (bits - 1)) - 1);
	float x = bits_float(value);

	x = x != x ? 0 : x;
	x = x > -1 ? x : -1;
	x = x < 1 ? x : 1;
	return bits <= 16 ? round_small(x * (float)most) : (uint32_t)llrint(x * (double)most);
}

INLINE uint32_t encode_sint(unsigned bits, uint32_t value)
{
	const int32_t most = (int32_t)((UINT32_C(1) << (bits - 1)) - 1), least = -most - 1;
	int32_t x = (int32_t)value;

	return (uint32_t)(x > most ? most : x < least ? least : x);
}

INLINE uint32_t encode_uint(unsigned bits, uint32_t value)
{
	uint32_t most = (uint32_t)((UINT64_C(1) << bits) - 1);

	return value < most ? value : most;
}

/* Rounds to nearest even. Formats without a sign take negative values for zero. */
INLINE uint32_t encode_small_float(unsigned mantissa, bool has_sign, uint32_t value)
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
INLINE void encode_channel(const struct gen_format *format, unsigned number, unsigned count,
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

/* Puts `bytes` of each value there, where zeros are. */
INLINE void put_to(uint8_t *restrict at, unsigned stride, unsigned bytes, unsigned shift,
	uint32_t mask, unsigned count, const uint32_t *restrict values)
{
	for (unsigned i = 0; i < count; i++) {
		uint32_t old = 0, value;

		memcpy(&old, at + (size_t)i * stride, bytes);
		value = old | (values[i] & mask) << shift;
		memcpy(at + (size_t)i * stride, &value, bytes);
	}
}

/* Puts the channel of `count` texels, whose bits are zeros. */
INLINE void put_row(const struct gen_channel channel, unsigned stride, unsigned count,
	const uint32_t *values, uint8_t *texel)
{
	const unsigned bits = channel.shift % 8 == 0 ? channel.bits : 0;
	const uint32_t mask = UINT32_MAX >> (32 - channel.bits);
	uint8_t *at = texel + channel.shift / 8;

	if (stride == 4)
		put_to(texel, 4, 4, channel.shift, mask, count, values);
	else if (stride == 2)
		put_to(texel, 2, 2, channel.shift, mask, count, values);
	else if (bits == 8)
		put_to(at, stride, 1, 0, mask, count, values);
	else if (bits == 16)
		put_to(at, stride, 2, 0, mask, count, values);
	else if (bits == 32)
		put_to(at, stride, 4, 0, mask, count, values);
	else
		for (unsigned i = 0; i < count; i++)
			put(channel, values[i], texel + (size_t)i * stride);
}

UTIL_CLONES void gen_format_encode(const struct gen_format *format, const uint32_t *const values[4],
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

uint8_t gen_format_fill(const struct gen_format *format)
{
	uint8_t mask[GEN_BLOCK_BYTES], channels = 0;

	for (unsigned c = 0; c < 4; c++)
		channels |= (uint8_t)((format->channel[c].bits != 0 && !is_copy(format, c)) << c);
	gen_format_mask(format, channels, mask);
	for (unsigned i = 0; i < format->bytes; i++)
		channels = mask[i] == 0xff ? channels : 0;
	return channels;
}
