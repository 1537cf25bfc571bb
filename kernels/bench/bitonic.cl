// SPDX-License-Identifier: MIT
// Each work-group sorts its numbers by a bitonic network in local memory.
#define GROUP 256

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void bitonic(global const uint *in, global uint *out)
{
	local uint part[GROUP];
	uint lid = get_local_id(0);

	part[lid] = in[get_global_id(0)];
	for (uint size = 2; size <= GROUP; size *= 2)
		for (uint step = size / 2; step > 0; step /= 2) {
			uint other = lid ^ step;
			barrier(CLK_LOCAL_MEM_FENCE);
			uint mine = part[lid], its = part[other];
			bool wants_less = ((lid & step) == 0) == ((lid & size) == 0);
			barrier(CLK_LOCAL_MEM_FENCE);
			part[lid] = wants_less ? min(mine, its) : max(mine, its);
		}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = part[lid];
}
