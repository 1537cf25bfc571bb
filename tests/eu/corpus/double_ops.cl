// SPDX-License-Identifier: MIT
// Double precision in buffers, through the compiler's emulation. Each kernel: out = f(a, b, c).
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define KERNEL(name, type, expression)                                                             \
	kernel void name(global const double *a, global const double *b, global const double *c,   \
		global type *out)                                                                  \
	{                                                                                          \
		size_t i = get_global_id(0);                                                       \
		double x = a[i], y = b[i], z = c[i];                                               \
		(void)y, (void)z;                                                                  \
		out[i] = expression;                                                               \
	}
#ifdef ARITHMETIC
KERNEL(sum, double, x + y)
KERNEL(difference, double, x - y)
KERNEL(product, double, x * y)
KERNEL(quotient, double, x / y)
KERNEL(fused, double, fma(x, y, z))
KERNEL(root, double, sqrt(x))
KERNEL(down, double, floor(x))
KERNEL(up, double, ceil(x))
KERNEL(cut, double, trunc(x))
KERNEL(least, double, fmin(x, y))
KERNEL(most, double, fmax(x, y))
KERNEL(less, long, x < y)
KERNEL(equal, long, x == y)
KERNEL(unordered, long, isunordered(x, y))
KERNEL(ordered_or_equal, long, x >= y)
#endif
#ifdef CONVERSIONS
KERNEL(to_int, long, (int)clamp(x, -2e9, 2e9))
KERNEL(to_int_rte, long, convert_int_rte(clamp(x, -2e9, 2e9)))
KERNEL(to_int_sat, long, convert_int_sat(x))
KERNEL(to_uint_sat, long, convert_uint_sat(x))
KERNEL(to_long, long, (long)clamp(x, -9e18, 9e18))
KERNEL(to_float, float2, (float2)(convert_float(x), convert_float_rtz(x)))
KERNEL(from_bits, double, (double)as_long(x))
KERNEL(from_unsigned, double, (double)as_ulong(x))
KERNEL(from_int, double, (double)as_int2(x).y)
KERNEL(from_float, double, (double)as_float2(x).y)
#endif
