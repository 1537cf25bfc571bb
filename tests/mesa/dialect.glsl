// SPDX-License-Identifier: MIT
// The words of the fragments, in GLSL. OUT(k, value) is word k of the item's result.
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(push_constant) uniform constants { uint n; };
layout(std430, binding = 0) readonly buffer first { uint A[]; };
layout(std430, binding = 1) readonly buffer second { uint B[]; };
layout(std430, binding = 2) writeonly buffer result { uint O[]; };
#define OUT(k, value) O[i * OUTS + (k)] = (value)
#define U(x)	      uint(x)
#define I(x)	      int(x)
#define MIN(x, y)     min(x, y)
#define MAX(x, y)     max(x, y)
#define POPCOUNT(x)   uint(bitCount(x))
#define CLZ(x)	      uint(31 - findMSB(x))
#define u16	      uint16_t
#define i16	      int16_t
#define u8	      uint8_t
#define i8	      int8_t
#define u64	      uint64_t
#define i64	      int64_t
#define U16(x)	      uint16_t(x)
#define I16(x)	      int16_t(x)
#define U8(x)	      uint8_t(x)
#define I8(x)	      int8_t(x)
#define U64(x)	      uint64_t(x)
#define I64(x)	      int64_t(x)
#define MUL16(x, y)   ((x) * (y))
#define FLOAT	      precise float
#define F(x)	      float(x)
#define BITS(x)	      floatBitsToUint(x)
#define RINT(x)	      roundEven(x)
#define FABS(x)	      abs(x)
#define FMIN(x, y)    min(x, y)
#define FMAX(x, y)    max(x, y)
#define HALF(x)	      (packHalf2x16(vec2(x, 0.0)) & 0xffffu)
#define UNHALF(h)     unpackHalf2x16(h).x
#define RSQRT(x)      inversesqrt(x)
uint REVERSE(uint x) { return bitfieldReverse(x); }
uint MULHI(uint x, uint y)
{
	uint high, low;
	umulExtended(x, y, high, low);
	return high;
}
