// SPDX-License-Identifier: MIT
// Eight rows of 16 columns for each sub-group, read in blocks; for each work-item the same eight
// rows of one column where there are no such reads.
#define ROWS 8
#define SIDE 16

#ifdef cl_intel_subgroups
#define LOAD_LINE(p)	 as_float(intel_sub_group_block_read((global const uint *)(p)))
#define LANE_OF(line, k) sub_group_broadcast(line, k)

__attribute__((intel_reqd_sub_group_size(SIDE)))
__attribute__((reqd_work_group_size(SIDE, 1, 1)))
kernel void matmul_block(global const float *a, global const float *b, global float *c, int n)
{
	int column = get_group_id(0) * SIDE, row = get_group_id(1) * ROWS;
	float sum[ROWS] = { 0 };

	for (int k = 0; k < n; k += SIDE) {
		float line[ROWS];
		for (int r = 0; r < ROWS; r++)
			line[r] = LOAD_LINE(a + (row + r) * n + k);
		for (int i = 0; i < SIDE; i++) {
			float x = LOAD_LINE(b + (k + i) * n + column);
			for (int r = 0; r < ROWS; r++)
				sum[r] += LANE_OF(line[r], i) * x;
		}
	}
	for (int r = 0; r < ROWS; r++)
		intel_sub_group_block_write(
			(global uint *)(c + (row + r) * n + column), as_uint(sum[r]));
}
#else
__attribute__((reqd_work_group_size(SIDE, 1, 1)))
kernel void matmul_block(global const float *a, global const float *b, global float *c, int n)
{
	int column = get_global_id(0), row = get_global_id(1) * ROWS;
	float sum[ROWS] = { 0 };

	for (int k = 0; k < n; k++)
		for (int r = 0; r < ROWS; r++)
			sum[r] += a[(row + r) * n + k] * b[k * n + column];
	for (int r = 0; r < ROWS; r++)
		c[(row + r) * n + column] = sum[r];
}
#endif
