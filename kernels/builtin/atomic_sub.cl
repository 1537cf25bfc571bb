// SPDX-License-Identifier: MIT
// cl_ext_float_atomics: atomic_fetch_sub of floats. For global memory the compiler makes a message of
// it that the hardware does not know, and for local memory nothing. So all of them become the sum with
// the negative, which is the same. No operand is evaluated twice, and no order passes through a
// function: the compiler wants to see it.

#if __OPENCL_C_VERSION__ >= 200
#ifndef ZEROCL_MACROS_ONLY
#define ZEROCL_NEGATIVE(atomic, type, space)                                                       \
	static inline __attribute__((overloadable)) type zerocl_negative(                          \
		volatile space atomic *object, type operand)                                       \
	{                                                                                          \
		return -operand;                                                                   \
	}
#define ZEROCL_NEGATIVES(space)                                                                    \
	ZEROCL_NEGATIVE(atomic_float, float, space)                                                \
	ZEROCL_NEGATIVE(atomic_int, int, space)                                                    \
	ZEROCL_NEGATIVE(atomic_uint, uint, space)                                                  \
	ZEROCL_NEGATIVE_LONGS(space)
#if defined(cl_khr_int64_base_atomics) && defined(cl_khr_int64_extended_atomics)
#define ZEROCL_NEGATIVE_LONGS(space)                                                               \
	ZEROCL_NEGATIVE(atomic_long, long, space)                                                  \
	ZEROCL_NEGATIVE(atomic_ulong, ulong, space)
#else
#define ZEROCL_NEGATIVE_LONGS(space)
#endif
ZEROCL_NEGATIVES(global)
ZEROCL_NEGATIVES(local)
ZEROCL_NEGATIVES(generic)
#endif
#define ZEROCL_NEGATIVE_FOR(object, operand)                                                       \
	zerocl_negative((__typeof__(&*(object)))0, (operand))
#define atomic_fetch_sub(object, operand)                                                          \
	atomic_fetch_add((object), ZEROCL_NEGATIVE_FOR(object, operand))
#define atomic_fetch_sub_explicit(object, operand, ...)                                            \
	atomic_fetch_add_explicit((object), ZEROCL_NEGATIVE_FOR(object, operand), __VA_ARGS__)
#endif
