// SPDX-License-Identifier: MIT
// Float and half arithmetic, conversions and built-ins.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define KERNEL(name, type, expression)                                                             \
	kernel void name(global type *a, global type *b)                                           \
	{                                                                                          \
		int i = get_global_id(0);                                                          \
		type x = a[i], y = b[i];                                                           \
		b[i] = expression;                                                                 \
	}
KERNEL(arithmetic, float, x * y + x / y - fma(x, y, 1.5f) * -x)
KERNEL(rounding, float, floor(x) + ceil(y) + trunc(x) + rint(y) + round(x))
KERNEL(roots, float, sqrt(fabs(x)) + rsqrt(fabs(y) + 1))
KERNEL(selection, float, fmin(x, y) + fmax(x, 2.0f) + clamp(x, y, 3.0f) + (x < y ? x : -y))
KERNEL(exponents, float, ldexp(x, 3) + (float)ilogb(y) + frexp(x, &(int){ 0 }))
KERNEL(transcendental, float, sin(x) * cos(y) + exp(x) - log(fabs(y) + 1) + tanh(x))
KERNEL(native, float, native_sin(x) + native_exp(y) + native_log(fabs(x) + 1) + native_recip(y))
KERNEL(powers, float, pow(fabs(x), y) + hypot(x, y) + cbrt(x) + fmod(x, y))
KERNEL(halves, half, x * y + sqrt(fabs(x)) - x / y + fma(x, y, (half)2))
KERNEL(half_selection, half, fmin(x, y) + (x < y ? -x : y) + floor(x))
kernel void conversions(global float *a, global int *b, global uchar *c, global short *d)
{
	int i = get_global_id(0);
	b[i] = convert_int(a[i]) + convert_int_sat_rte(a[i] * 3) + (int)convert_uint_rtp(a[i]);
	c[i] = convert_uchar_sat(a[i]);
	d[i] = convert_short_sat_rtn(a[i]) + convert_short(c[i]);
	a[i] = convert_float(b[i]) + convert_float((uint)b[i]) + convert_float_rtz(b[i]);
}
kernel void half_conversions(global half *a, global float *b, global int *c)
{
	int i = get_global_id(0);
	float x = vload_half(i, a);
	vstore_half_rtz(b[i], i, a);
	c[i] = convert_int(convert_half_rtp(b[i])) + (int)x;
	b[i] = x * 2;
}
kernel void vectors(global float4 *a, global float4 *b)
{
	int i = get_global_id(0);
	b[i] = normalize(a[i]) * dot(a[i], b[i]) + cross(a[i], b[i]) + a[i].wzyx;
}
kernel void bytes(global uchar *a, global ushort *b, global char4 *c)
{
	int i = get_global_id(0);
	b[i] = a[i] + b[i];
	c[i] = c[i].yxwz + (char4)(a[i]) * (char4)(3, -1, 2, -7);
}
