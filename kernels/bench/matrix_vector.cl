// SPDX-License-Identifier: MIT
// A product of a matrix and a vector, a row for each work-item: lanes read far from each other.
kernel void matrix_vector(global const float *a, global const float *x, global float *y, int n)
{
	int row = get_global_id(0);
	float sum = 0;

	for (int k = 0; k < n; k++)
		sum += a[row * n + k] * x[k];
	y[row] = sum;
}
