// SPDX-License-Identifier: MIT
// A sum for each work-group, by sub-groups first. Where there are none, local memory does it all.
#define GROUP 256

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void sub_group_reduce(global const int *in, global int *sums)
{
	local int part[GROUP];
	size_t lid = get_local_id(0), first = get_group_id(0) * GROUP * 4 + lid;
	int x = in[first] + in[first + GROUP] + in[first + 2 * GROUP] + in[first + 3 * GROUP];

#ifdef __opencl_c_subgroups
	x = sub_group_reduce_add(x);
	if (get_sub_group_local_id() == 0)
		part[get_sub_group_id()] = x;
	barrier(CLK_LOCAL_MEM_FENCE);
	size_t parts = get_num_sub_groups();
#else
	part[lid] = x;
	barrier(CLK_LOCAL_MEM_FENCE);
	size_t parts = GROUP;
#endif
	if (lid == 0) {
		int sum = 0;
		for (size_t i = 0; i < parts; i++)
			sum += part[i];
		sums[get_group_id(0)] = sum;
	}
}
