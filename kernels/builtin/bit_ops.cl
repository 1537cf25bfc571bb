// SPDX-License-Identifier: MIT
// cl_khr_extended_bit_ops: fields of bits and bits in reverse, of all integers and their vectors.
// The front end's header declares the functions from OpenCL C 2.0 on, but nothing defines them: so
// ours have other names.

#ifndef ZEROCL_MACROS_ONLY
#define ZEROCL_BITS(type, signed_type, unsigned_type, width)                                       \
	static __attribute__((overloadable)) type zerocl_bitfield_insert(                                 \
		type base, type insert, uint offset, uint count)                                   \
	{                                                                                          \
		unsigned_type ones = ~(unsigned_type)(0);                                          \
		unsigned_type field =                                                              \
			count ? (unsigned_type)(ones >> (unsigned_type)(width - count))            \
			      : (unsigned_type)(0);                                                \
		unsigned_type mask = field << (unsigned_type)(offset & (width - 1));               \
		unsigned_type moved = as_##unsigned_type(insert)                                   \
				      << (unsigned_type)(offset & (width - 1));                    \
		return as_##type((unsigned_type)((as_##unsigned_type(base) & ~mask) | (moved & mask)));             \
	}                                                                                          \
	static __attribute__((overloadable)) signed_type zerocl_bitfield_extract_signed(                  \
		type base, uint offset, uint count)                                                \
	{                                                                                          \
		unsigned_type top = as_##unsigned_type(base)                                       \
				    << (unsigned_type)((width - offset - count) & (width - 1));    \
		return count ? as_##signed_type(top) >> (signed_type)(width - count)               \
			     : (signed_type)(0);                                                   \
	}                                                                                          \
	static __attribute__((overloadable)) unsigned_type zerocl_bitfield_extract_unsigned(              \
		type base, uint offset, uint count)                                                \
	{                                                                                          \
		unsigned_type top = as_##unsigned_type(base)                                       \
				    << (unsigned_type)((width - offset - count) & (width - 1));    \
		return count ? top >> (unsigned_type)(width - count) : (unsigned_type)(0);         \
	}                                                                                          \
	static __attribute__((overloadable)) type zerocl_bit_reverse(type base)                           \
	{                                                                                          \
		unsigned_type bits = as_##unsigned_type(base), ones = ~(unsigned_type)(0);         \
		for (uint step = width / 2; step; step /= 2) {                                     \
			ones ^= ones << (unsigned_type)(step);                                     \
			bits = ((bits >> (unsigned_type)(step)) & ones) |                          \
			       ((bits << (unsigned_type)(step)) & ~ones);                          \
		}                                                                                  \
		return as_##type(bits);                                                            \
	}
#define ZEROCL_BITS_BOTH(name, size, width)                                                        \
	ZEROCL_BITS(name##size, name##size, u##name##size, width)                                  \
	ZEROCL_BITS(u##name##size, name##size, u##name##size, width)
#define ZEROCL_BITS_ALL(name, width)                                                               \
	ZEROCL_BITS_BOTH(name, , width)                                                            \
	ZEROCL_BITS_BOTH(name, 2, width)                                                           \
	ZEROCL_BITS_BOTH(name, 3, width)                                                           \
	ZEROCL_BITS_BOTH(name, 4, width)                                                           \
	ZEROCL_BITS_BOTH(name, 8, width)                                                           \
	ZEROCL_BITS_BOTH(name, 16, width)
ZEROCL_BITS_ALL(char, 8)
ZEROCL_BITS_ALL(short, 16)
ZEROCL_BITS_ALL(int, 32)
ZEROCL_BITS_ALL(long, 64)
#endif
#define bitfield_insert zerocl_bitfield_insert
#define bitfield_extract_signed zerocl_bitfield_extract_signed
#define bitfield_extract_unsigned zerocl_bitfield_extract_unsigned
#define bit_reverse zerocl_bit_reverse
