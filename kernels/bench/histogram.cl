// SPDX-License-Identifier: MIT
// How often each byte occurs: atomics in local memory, then one for each bin in global memory.
#define GROUP 256
#define WORDS 16

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void histogram(global const uint *in, global uint *bins)
{
	local uint count[256];
	size_t lid = get_local_id(0), first = get_group_id(0) * GROUP * WORDS + lid;

	count[lid] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t n = 0; n < WORDS; n++) {
		uint x = in[first + n * GROUP];
		atomic_inc(&count[x & 255]);
		atomic_inc(&count[x >> 8 & 255]);
		atomic_inc(&count[x >> 16 & 255]);
		atomic_inc(&count[x >> 24]);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&bins[lid], count[lid]);
}
