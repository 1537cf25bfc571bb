// SPDX-License-Identifier: MIT
// work_group_barrier, the name of barrier since OpenCL C 2.0, without and with a memory scope.

SAMPLE work_group_barrier_local(ARGUMENTS)
{
	shared[member()] = in[item()];
	STEP(work_group_barrier(CLK_LOCAL_MEM_FENCE));
	out[item()] = shared[members() - 1 - member()];
}

SAMPLE work_group_barrier_scope(ARGUMENTS)
{
	global uint *ours = scratch + team() * capacity;

	ours[member()] = in[item()];
	STEP(work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group));
	out[item()] = ours[(member() + members() / 2) % members()];
}
