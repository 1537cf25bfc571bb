// SPDX-License-Identifier: MIT
/*
 * Coordinates along an axis of an image, EU_AXIS_LANES lanes at a time, as section 8.2 of the
 * specification of OpenCL C computes them, in single precision. Who includes this chooses the
 * lanes that suit the instructions of the host; results do not depend on it.
 */
#include <stdbool.h>
#include <stdint.h>

#include "gen/gen_state.h"

typedef float vf __attribute__((vector_size(4 * EU_AXIS_LANES)));
typedef int32_t vi __attribute__((vector_size(4 * EU_AXIS_LANES)));

#define INLINE	      static inline __attribute__((always_inline))
#define PICK(m, a, b) (((m) & (vi)(a)) | (~(m) & (vi)(b)))
#define CONVERT(x)    __builtin_convertvector(x, vf)
#define ABS(x)	      ((vf)((vi)(x)&INT32_MAX))

/* The largest integer that is not above x; far away for what no image reaches, and for NaN. */
INLINE vi floor_int(vf x)
{
	const vf far = CONVERT((vi){ 0 } + (1 << 30));
	vf near = (vf)PICK(x > -far, x, -far);
	near = (vf)PICK(near < far, near, far);
	vi whole = __builtin_convertvector(near, vi);

	return whole + (near < CONVERT(whole));
}

/* An index of a line that repeats itself for ever. */
static inline int64_t repeat(int64_t index, int64_t size)
{
	int64_t rest = index % size;

	return rest < 0 ? rest + size : rest;
}

/* An index of a line that repeats itself mirrored; twice a buffer's size may have 32 bits. */
static inline int32_t mirror(int32_t index, int64_t size)
{
	int64_t rest = repeat(index, size * 2);

	return (int32_t)(rest < size ? rest : size * 2 - 1 - rest);
}

/* x - floor(x), and 0 for numbers so large that they are whole. */
INLINE vf fraction_of(vf x)
{
	return (vf)((vi)(x - CONVERT(floor_int(x))) & (ABS(x) < 0x1p23f));
}

/* The nearest integer, of two the even one. Not of negative numbers. */
INLINE vf round_even(vf x)
{
	return (vf)PICK(x < 0x1p23f, (x + 0x1p23f) - 0x1p23f, x);
}

/* A coordinate in texels; in the modes that repeat within [0, size]. */
INLINE vf scale(enum gen_address_mode mode, bool unnormalized, float size, vf s)
{
	if (unnormalized)
		return mode == GEN_ADDRESS_MIRROR_ONCE ? ABS(s) : s;
	if (mode == GEN_ADDRESS_WRAP)
		return fraction_of(s) * size;
	if (mode == GEN_ADDRESS_MIRROR)
		return ABS(ABS(s) - 2.0f * round_even(0.5f * ABS(s))) * size;
	if (mode == GEN_ADDRESS_MIRROR_ONCE)
		return ABS(s) * size;
	return s * size;
}

/* An index in texels as the mode has it. */
INLINE vi settle(enum gen_address_mode mode, bool unnormalized, int32_t size, vi index)
{
	const bool wrap = mode == GEN_ADDRESS_WRAP;

	if (mode == GEN_ADDRESS_BORDER)
		return index;
	if (unnormalized && (wrap || mode == GEN_ADDRESS_MIRROR))
		for (unsigned i = 0; i < EU_AXIS_LANES; i++)
			index[i] = wrap ? (int32_t)repeat(index[i], size) : mirror(index[i], size);
	if (wrap)
		return index + (size & (index < 0)) - (size & (index >= size));
	index &= ~(index < 0);
	return PICK(index < size, index, (vi){ 0 } + (size - 1));
}

/* The texel that a coordinate is in. */
INLINE vi nearest_index(enum gen_address_mode mode, bool unnormalized, uint32_t size, vf s)
{
	return settle(mode, unnormalized, (int32_t)size,
		floor_int(scale(mode, unnormalized, (float)size, s)));
}

/* The two texels that a linear filter mixes; returns the second one's share. */
INLINE vf linear_indices(
	enum gen_address_mode mode, bool unnormalized, uint32_t size, vf s, vi index[2])
{
	vf u = scale(mode, unnormalized, (float)size, s) - 0.5f;
	vi low = floor_int(u);
	vf share = u - CONVERT(low);

	index[0] = settle(mode, unnormalized, (int32_t)size, low);
	index[1] = settle(mode, unnormalized, (int32_t)size, low + 1);
	return (vf)((vi)share & (share >= 0.0f) & (share <= 1.0f));
}

/* Once for each mode, so that what is called has no branches in it. */
#define EACH_MODE(mode, call)                                                                      \
	switch (mode) {                                                                            \
	case GEN_ADDRESS_WRAP:                                                                     \
		call(GEN_ADDRESS_WRAP);                                                            \
		break;                                                                             \
	case GEN_ADDRESS_MIRROR:                                                                   \
		call(GEN_ADDRESS_MIRROR);                                                          \
		break;                                                                             \
	case GEN_ADDRESS_MIRROR_ONCE:                                                              \
		call(GEN_ADDRESS_MIRROR_ONCE);                                                     \
		break;                                                                             \
	case GEN_ADDRESS_BORDER:                                                                   \
		call(GEN_ADDRESS_BORDER);                                                          \
		break;                                                                             \
	default:                                                                                   \
		call(GEN_ADDRESS_CLAMP);                                                           \
		break;                                                                             \
	}
