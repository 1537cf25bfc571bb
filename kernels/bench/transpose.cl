// SPDX-License-Identifier: MIT
// A matrix transposed by way of tiles in local memory.
#define TILE 16

__attribute__((reqd_work_group_size(TILE, TILE, 1)))
kernel void transpose(global const float *in, global float *out, int n)
{
	local float tile[TILE][TILE + 1];
	int x = get_local_id(0), y = get_local_id(1);
	int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;

	tile[y][x] = in[(top + y) * n + left + x];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[(left + y) * n + top + x] = tile[x][y];
}
