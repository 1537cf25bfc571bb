// SPDX-License-Identifier: MIT
// A product of matrices in half precision.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void half_matmul(global const half *a, global const half *b, global half *c, int n)
{
	int column = get_global_id(0), row = get_global_id(1);
	half sum = 0;

	for (int k = 0; k < n; k++)
		sum = fma(a[row * n + k], b[k * n + column], sum);
	c[row * n + column] = sum;
}
