// SPDX-License-Identifier: MIT
// A row times a column for each work-item, straight from global memory.
kernel void matmul_naive(global const float *a, global const float *b, global float *c, int n)
{
	int column = get_global_id(0), row = get_global_id(1);
	float sum = 0;

	for (int k = 0; k < n; k++)
		sum += a[row * n + k] * b[k * n + column];
	c[row * n + column] = sum;
}
