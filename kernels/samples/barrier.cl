// SPDX-License-Identifier: MIT
// barrier: work-items exchange data through local and global memory.

SAMPLE barrier_local(ARGUMENTS)
{
	shared[member()] = in[item()];
	STEP(barrier(CLK_LOCAL_MEM_FENCE));
	out[item()] = shared[members() - 1 - member()];
}

SAMPLE barrier_global(ARGUMENTS)
{
	global uint *ours = scratch + team() * capacity;

	ours[member()] = in[item()];
	STEP(barrier(CLK_GLOBAL_MEM_FENCE));
	out[item()] = ours[(member() + members() / 2) % members()];
}

// Half of the way through local memory, half of it through global memory.
SAMPLE barrier_both(ARGUMENTS)
{
	global uint *ours = scratch + team() * capacity;
	uint x = in[item()];

	shared[member()] = x & 0xffff;
	ours[member()] = x & ~0xffffu;
	STEP(barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE));
	uint other = members() - 1 - member();
	out[item()] = shared[other] | ours[other];
}

// In a loop with a trip count that is the same for all: a running sum over the work-group.
SAMPLE barrier_loop(ARGUMENTS)
{
	uint x = in[item()];

	for (uint step = 1; step < members(); step *= 2) {
		shared[member()] = x;
		STEP(barrier(CLK_LOCAL_MEM_FENCE));
		if (member() >= step)
			x += shared[member() - step];
		STEP(barrier(CLK_LOCAL_MEM_FENCE));
	}
	out[item()] = x;
}

// In a branch that all work-items of a work-group take, or none.
SAMPLE barrier_branch(ARGUMENTS)
{
	uint x = in[item()];

	if (team() & 1) {
		shared[member()] = x;
		STEP(barrier(CLK_LOCAL_MEM_FENCE));
		x = shared[(member() + 1) % members()];
	}
	out[item()] = x;
}
