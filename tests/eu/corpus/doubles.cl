// SPDX-License-Identifier: MIT
// Double precision through IGC's emulation: integers only, and the densest control flow there is.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define KERNEL(name, expression)                                                                   \
	kernel void name(global double *a, global double *b)                                       \
	{                                                                                          \
		int i = get_global_id(0);                                                          \
		double x = a[i], y = b[i];                                                         \
		b[i] = expression;                                                                 \
	}
KERNEL(multiply_add, x * y + 2.0)
KERNEL(divide, x / y)
KERNEL(root, sqrt(x))
KERNEL(select_and_round, fmin(x, floor(y)) + (x < y ? 1.0 : -y))
kernel void convert(global double *a, global long *b, global float *c)
{
	int i = get_global_id(0);
	b[i] = (long)a[i] + (long)c[i];
	c[i] = (float)a[i];
	a[i] = (double)b[i];
}
