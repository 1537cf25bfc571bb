// SPDX-License-Identifier: MIT
// One multiply-add for each three accesses: what a thread costs that does hardly anything.
kernel void saxpy(global const float *x, global float *y, float a)
{
	size_t i = get_global_id(0);

	y[i] = a * x[i] + y[i];
}
