// SPDX-License-Identifier: MIT
// One step of Jacobi's method on a grid: the mean of four neighbours.
kernel void jacobi(global const float *in, global float *out, int n)
{
	int x = get_global_id(0) + 1, y = get_global_id(1) + 1;

	out[y * n + x] = 0.25f * (in[(y - 1) * n + x] + in[(y + 1) * n + x] + in[y * n + x - 1] +
					 in[y * n + x + 1]);
}
