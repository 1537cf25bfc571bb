// SPDX-License-Identifier: MIT
// The words of the fragments, in OpenCL C. OUT(k, value) is word k of the item's result.
#pragma OPENCL FP_CONTRACT OFF
#define OUT(k, value) O[i * OUTS + (k)] = (value)
#define U(x)	      ((uint)(x))
#define I(x)	      ((int)(x))
#define MIN(x, y)     min(x, y)
#define MAX(x, y)     max(x, y)
#define POPCOUNT(x)   popcount(x)
#define CLZ(x)	      clz(x)
#define MULHI(x, y)   mul_hi(x, y)
#define u16	      ushort
#define i16	      short
#define u8	      uchar
#define i8	      char
#define u64	      ulong
#define i64	      long
#define U16(x)	      ((ushort)(x))
#define I16(x)	      ((short)(x))
#define U8(x)	      ((uchar)(x))
#define I8(x)	      ((char)(x))
#define U64(x)	      ((ulong)(x))
#define I64(x)	      ((long)(x))
#define MUL16(x, y)   ((ushort)((uint)(x) * (uint)(y)))
#define FLOAT	      float
#define F(x)	      ((float)(x))
#define BITS(x)	      as_uint(x)
#define RINT(x)	      rint(x)
#define FABS(x)	      fabs(x)
#define FMIN(x, y)    fmin(x, y)
#define FMAX(x, y)    fmax(x, y)
#define RSQRT(x)      rsqrt(x)
uint REVERSE(uint x)
{
	uint result = 0;
	for (uint bit = 0; bit < 32; bit++)
		result |= (x >> bit & 1) << (31 - bit);
	return result;
}
uint HALF(float x)
{
	ushort bits;
	vstore_half(x, 0, (half *)&bits);
	return bits;
}
float UNHALF(uint h)
{
	ushort bits = (ushort)h;
	return vload_half(0, (const half *)&bits);
}
#ifdef SIMD
__attribute__((intel_reqd_sub_group_size(SIMD)))
#endif
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void compute(global const uint *A, global const uint *B, global uint *O, uint n)
{
	uint i = get_global_id(0);
	if (i >= n)
		return;
	uint a = A[i], b = B[i];
