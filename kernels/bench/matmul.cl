// SPDX-License-Identifier: MIT
// Tiles in local memory, barriers, and a multiply-add loop.
#define TILE 16

__attribute__((reqd_work_group_size(TILE, TILE, 1)))
kernel void matmul(global const float *a, global const float *b, global float *c, int n)
{
	local float tile_a[TILE][TILE], tile_b[TILE][TILE];
	int x = get_local_id(0), y = get_local_id(1);
	int column = get_global_id(0), row = get_global_id(1);
	float sum = 0;

	for (int t = 0; t < n; t += TILE) {
		tile_a[y][x] = a[row * n + t + x];
		tile_b[y][x] = b[(t + y) * n + column];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < TILE; k++)
			sum += tile_a[y][k] * tile_b[k][x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[row * n + column] = sum;
}
