// SPDX-License-Identifier: MIT
// a * x + y in half precision.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void half_axpy(global const half *x, global half *y, float a)
{
	size_t i = get_global_id(0);

	y[i] = fma((half)a, x[i], y[i]);
}
