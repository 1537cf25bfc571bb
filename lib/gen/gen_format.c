// SPDX-License-Identifier: MIT
#include "gen/gen_format.h"

#include <math.h>
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
	[code] = { #name, bytes, GEN_FORMAT_##kind, false, { 0 }, { red, green, blue, alpha } },
#define PAIRED(code, name, cr, even, cb, odd)                                                      \
	[code] = { #name, 2, GEN_FORMAT_UNORM, true, { cr, even, cb, odd },                        \
		{ AT(0, 8), AT(8, 8), AT(16, 8), NONE } },
static const struct gen_format formats[FORMATS] = {
#include "gen/gen_format.def"
};

/* The curve of sRGB, correctly rounded: the bits of the float that n / 255 stands for. */
static const uint32_t srgb[256] = {
	0x00000000,
	0x399f22b4,
	0x3a1f22b4,
	0x3a6eb40e,
	0x3a9f22b4,
	0x3ac6eb61,
	0x3aeeb40e,
	0x3b0b3e5d,
	0x3b1f22b4,
	0x3b33070a,
	0x3b46eb61,
	0x3b5b518e,
	0x3b70f18f,
	0x3b83e1c6,
	0x3b8fe616,
	0x3b9c87fd,
	0x3ba9c9b6,
	0x3bb7ad6f,
	0x3bc6354a,
	0x3bd56360,
	0x3be539c1,
	0x3bf5ba71,
	0x3c0373b6,
	0x3c0c6153,
	0x3c15a705,
	0x3c1f45be,
	0x3c293e6b,
	0x3c3391f7,
	0x3c3e4149,
	0x3c494d44,
	0x3c54b6c9,
	0x3c607eb4,
	0x3c6ca5df,
	0x3c792d22,
	0x3c830aa9,
	0x3c89af9f,
	0x3c9085dc,
	0x3c978dc6,
	0x3c9ec7c2,
	0x3ca63433,
	0x3cadd37d,
	0x3cb5a602,
	0x3cbdac21,
	0x3cc5e63a,
	0x3cce54ac,
	0x3cd6f7d5,
	0x3cdfd010,
	0x3ce8ddba,
	0x3cf2212d,
	0x3cfb9ac3,
	0x3d02a56a,
	0x3d0798dd,
	0x3d0ca7e6,
	0x3d11d2af,
	0x3d171964,
	0x3d1c7c30,
	0x3d21fb3c,
	0x3d2796b2,
	0x3d2d4ebb,
	0x3d332381,
	0x3d39152b,
	0x3d3f23e4,
	0x3d454fd2,
	0x3d4b991d,
	0x3d51ffec,
	0x3d588468,
	0x3d5f26b6,
	0x3d65e6fd,
	0x3d6cc563,
	0x3d73c20e,
	0x3d7add24,
	0x3d810b65,
	0x3d84b793,
	0x3d88732e,
	0x3d8c3e48,
	0x3d9018f4,
	0x3d940344,
	0x3d97fd49,
	0x3d9c0715,
	0x3da020ba,
	0x3da44a4a,
	0x3da883d6,
	0x3daccd6f,
	0x3db12727,
	0x3db5910f,
	0x3dba0b38,
	0x3dbe95b3,
	0x3dc33090,
	0x3dc7dbe0,
	0x3dcc97b4,
	0x3dd1641d,
	0x3dd6412b,
	0x3ddb2eee,
	0x3de02d76,
	0x3de53cd4,
	0x3dea5d18,
	0x3def8e51,
	0x3df4d090,
	0x3dfa23e5,
	0x3dff885e,
	0x3e027f06,
	0x3e05427f,
	0x3e080ea2,
	0x3e0ae377,
	0x3e0dc104,
	0x3e10a753,
	0x3e13966a,
	0x3e168e51,
	0x3e198f0f,
	0x3e1c98ac,
	0x3e1fab30,
	0x3e22c6a1,
	0x3e25eb07,
	0x3e29186a,
	0x3e2c4ed0,
	0x3e2f8e42,
	0x3e32d6c5,
	0x3e362862,
	0x3e39831f,
	0x3e3ce703,
	0x3e405417,
	0x3e43ca60,
	0x3e4749e6,
	0x3e4ad2af,
	0x3e4e64c3,
	0x3e520029,
	0x3e55a4e7,
	0x3e595305,
	0x3e5d0a89,
	0x3e60cb7a,
	0x3e6495df,
	0x3e6869be,
	0x3e6c471f,
	0x3e702e07,
	0x3e741e7e,
	0x3e78188b,
	0x3e7c1c33,
	0x3e8014bf,
	0x3e822039,
	0x3e84308b,
	0x3e8645b8,
	0x3e885fc3,
	0x3e8a7eb0,
	0x3e8ca281,
	0x3e8ecb3b,
	0x3e90f8df,
	0x3e932b72,
	0x3e9562f6,
	0x3e979f6f,
	0x3e99e0e0,
	0x3e9c274c,
	0x3e9e72b6,
	0x3ea0c321,
	0x3ea31890,
	0x3ea57307,
	0x3ea7d288,
	0x3eaa3716,
	0x3eaca0b6,
	0x3eaf0f68,
	0x3eb18332,
	0x3eb3fc15,
	0x3eb67a14,
	0x3eb8fd34,
	0x3ebb8576,
	0x3ebe12de,
	0x3ec0a56e,
	0x3ec33d2a,
	0x3ec5da14,
	0x3ec87c30,
	0x3ecb2380,
	0x3ecdd008,
	0x3ed081ca,
	0x3ed338c9,
	0x3ed5f508,
	0x3ed8b68a,
	0x3edb7d52,
	0x3ede4963,
	0x3ee11abf,
	0x3ee3f169,
	0x3ee6cd65,
	0x3ee9aeb5,
	0x3eec955b,
	0x3eef815c,
	0x3ef272b8,
	0x3ef56974,
	0x3ef86593,
	0x3efb6716,
	0x3efe6e00,
	0x3f00bd2b,
	0x3f02460c,
	0x3f03d1a5,
	0x3f055ff7,
	0x3f06f104,
	0x3f0884cd,
	0x3f0a1b54,
	0x3f0bb499,
	0x3f0d509f,
	0x3f0eef65,
	0x3f1090ef,
	0x3f12353d,
	0x3f13dc50,
	0x3f15862a,
	0x3f1732cc,
	0x3f18e237,
	0x3f1a946e,
	0x3f1c4970,
	0x3f1e0140,
	0x3f1fbbde,
	0x3f21794d,
	0x3f23398c,
	0x3f24fc9f,
	0x3f26c285,
	0x3f288b41,
	0x3f2a56d2,
	0x3f2c253c,
	0x3f2df67f,
	0x3f2fca9c,
	0x3f31a194,
	0x3f337b6a,
	0x3f35581d,
	0x3f3737b0,
	0x3f391a24,
	0x3f3aff7a,
	0x3f3ce7b2,
	0x3f3ed2cf,
	0x3f40c0d2,
	0x3f42b1bc,
	0x3f44a58e,
	0x3f469c49,
	0x3f4895ef,
	0x3f4a9280,
	0x3f4c91ff,
	0x3f4e946c,
	0x3f5099c9,
	0x3f52a216,
	0x3f54ad56,
	0x3f56bb88,
	0x3f58ccaf,
	0x3f5ae0cc,
	0x3f5cf7df,
	0x3f5f11ea,
	0x3f612eef,
	0x3f634eee,
	0x3f6571e9,
	0x3f6797e0,
	0x3f69c0d5,
	0x3f6becca,
	0x3f6e1bbf,
	0x3f704db5,
	0x3f7282ae,
	0x3f74baab,
	0x3f76f5ae,
	0x3f7933b6,
	0x3f7b74c6,
	0x3f7db8de,
	0x3f800000,
};

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

static void decode_srgb(unsigned count, uint32_t *values)
{
	for (unsigned i = 0; i < count; i++)
		values[i] = srgb[values[i] & 0xff];
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
	const unsigned stride = gen_format_decoded_bytes(format);

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

static uint32_t encode_channel(const struct gen_format *format, unsigned number, uint32_t value)
{
	unsigned bits = format->channel[number].bits;

	switch (format->kind) {
	case GEN_FORMAT_SRGB:
		return number < 3 ? encode_srgb(bits, value) : encode_unorm(bits, value);
	case GEN_FORMAT_UNORM:
		return encode_unorm(bits, value);
	case GEN_FORMAT_SNORM:
		return encode_snorm(bits, value);
	case GEN_FORMAT_SINT:
		return encode_sint(bits, value);
	case GEN_FORMAT_UINT:
		return encode_uint(bits, value);
	default:
		if (bits == 32)
			return value;
		return encode_small_float(bits == 16 ? 10 : bits - 5, bits == 16, value);
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

void gen_format_encode(const struct gen_format *format, const uint32_t *const values[4],
	unsigned count, void *texels)
{
	uint8_t *texel = texels;

	memset(texels, 0, (size_t)count * format->bytes);
	for (unsigned i = 0; i < count; i++, texel += format->bytes)
		for (unsigned c = 0; c < 4; c++)
			if (format->channel[c].bits != 0 && !is_copy(format, c))
				put(format->channel[c], encode_channel(format, c, values[c][i]),
					texel);
}

void gen_format_mask(const struct gen_format *format, unsigned channels, uint8_t *mask)
{
	memset(mask, 0, format->bytes);
	for (unsigned c = 0; c < 4; c++)
		if (channels >> c & 1 && format->channel[c].bits != 0 && !is_copy(format, c))
			put(format->channel[c], UINT32_MAX, mask);
}
