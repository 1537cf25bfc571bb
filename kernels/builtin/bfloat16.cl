// SPDX-License-Identifier: MIT
// cl_intel_bfloat16_conversions: the compiler has instructions for it from Xe-HPG on, and refuses it
// on what is older. Rounds to the nearest, to even; a NaN stays one.

#ifndef ZEROCL_MACROS_ONLY
ushort __attribute__((overloadable)) zerocl_to_bfloat16(float x)
{
	uint bits = as_uint(x), odd = (bits >> 16) & 1;

	return (ushort)((isnan(x) ? bits | 0x400000 : bits + 0x7fff + odd) >> 16);
}
float __attribute__((overloadable)) zerocl_from_bfloat16(ushort x)
{
	return as_float((uint)x << 16);
}
#define ZEROCL_BFLOAT16(n)                                                                  \
	ushort##n __attribute__((overloadable)) zerocl_to_bfloat16(float##n x)                     \
	{                                                                                          \
		uint##n bits = as_uint##n(x);                                                      \
		return convert_ushort##n(select(bits + 0x7fff + ((bits >> 16) & 1),                \
						 bits | 0x400000, isnan(x)) >>                     \
					 16);                                                      \
	}                                                                                          \
	float##n __attribute__((overloadable)) zerocl_from_bfloat16(ushort##n x)                   \
	{                                                                                          \
		return as_float##n(convert_uint##n(x) << 16);                                      \
	}
ZEROCL_BFLOAT16(2)
ZEROCL_BFLOAT16(3)
ZEROCL_BFLOAT16(4)
ZEROCL_BFLOAT16(8)
ZEROCL_BFLOAT16(16)
#endif

#define intel_convert_bfloat16_as_ushort(x)	zerocl_to_bfloat16((float)(x))
#define intel_convert_bfloat162_as_ushort2(x)	zerocl_to_bfloat16((float2)(x))
#define intel_convert_bfloat163_as_ushort3(x)	zerocl_to_bfloat16((float3)(x))
#define intel_convert_bfloat164_as_ushort4(x)	zerocl_to_bfloat16((float4)(x))
#define intel_convert_bfloat168_as_ushort8(x)	zerocl_to_bfloat16((float8)(x))
#define intel_convert_bfloat1616_as_ushort16(x) zerocl_to_bfloat16((float16)(x))
#define intel_convert_as_bfloat16_float(x)	zerocl_from_bfloat16((ushort)(x))
#define intel_convert_as_bfloat162_float2(x)	zerocl_from_bfloat16((ushort2)(x))
#define intel_convert_as_bfloat163_float3(x)	zerocl_from_bfloat16((ushort3)(x))
#define intel_convert_as_bfloat164_float4(x)	zerocl_from_bfloat16((ushort4)(x))
#define intel_convert_as_bfloat168_float8(x)	zerocl_from_bfloat16((ushort8)(x))
#define intel_convert_as_bfloat1616_float16(x)	zerocl_from_bfloat16((ushort16)(x))
