// SPDX-License-Identifier: MIT
// A sum for each work-group, by a tree in local memory with a barrier for each level.
#define GROUP 256

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void reduce(global const int *in, global int *sums)
{
	local int part[GROUP];
	size_t lid = get_local_id(0), first = get_group_id(0) * GROUP * 4 + lid;

	part[lid] = in[first] + in[first + GROUP] + in[first + 2 * GROUP] + in[first + 3 * GROUP];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t n = GROUP / 2; n > 0; n /= 2) {
		if (lid < n)
			part[lid] += part[lid + n];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (lid == 0)
		sums[get_group_id(0)] = part[0];
}
