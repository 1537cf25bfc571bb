// SPDX-License-Identifier: MIT
// A product of a sparse matrix (rows one after the other) and a vector.
kernel void sparse(global const int *rows, global const int *columns, global const float *values,
	global const float *x, global float *y)
{
	int row = get_global_id(0);
	float sum = 0;

	for (int k = rows[row]; k < rows[row + 1]; k++)
		sum += values[k] * x[columns[k]];
	y[row] = sum;
}
