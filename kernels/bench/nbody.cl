// SPDX-License-Identifier: MIT
// The pull of all bodies on each, in tiles of local memory: a reciprocal square root for each pair.
#define TILE 64

__attribute__((reqd_work_group_size(TILE, 1, 1)))
kernel void nbody(global const float4 *bodies, global float4 *pulls, int n, float softening)
{
	local float4 tile[TILE];
	size_t lid = get_local_id(0), i = get_global_id(0);
	float4 own = bodies[i];
	float x = 0, y = 0, z = 0;

	for (int first = 0; first < n; first += TILE) {
		tile[lid] = bodies[first + lid];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int j = 0; j < TILE; j++) {
			float4 other = tile[j];
			float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
			float r = native_rsqrt(dx * dx + dy * dy + dz * dz + softening);
			float pull = other.w * r * r * r;
			x += dx * pull;
			y += dy * pull;
			z += dz * pull;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	pulls[i] = (float4)(x, y, z, 0);
}
