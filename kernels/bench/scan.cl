// SPDX-License-Identifier: MIT
// Sums of all numbers up to each, within a work-group, by doubling in local memory.
#define GROUP 256

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void scan(global const int *in, global int *out)
{
	local int part[2][GROUP];
	int lid = get_local_id(0), from = 0;
	size_t i = get_global_id(0);

	part[0][lid] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int step = 1; step < GROUP; step *= 2) {
		int sum = part[from][lid];
		if (lid >= step)
			sum += part[from][lid - step];
		part[1 - from][lid] = sum;
		from = 1 - from;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[i] = part[from][lid];
}
