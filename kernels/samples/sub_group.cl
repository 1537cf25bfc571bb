// SPDX-License-Identifier: MIT
// Sub-groups: barrier, queries, votes, broadcast, reductions and scans.

SAMPLE sub_group_barrier_local(ARGUMENTS)
{
	local uint *ours = shared + first();

	ours[get_sub_group_local_id()] = in[item()];
	STEP(sub_group_barrier(CLK_LOCAL_MEM_FENCE));
	out[item()] = ours[get_sub_group_size() - 1 - get_sub_group_local_id()];
	PLACE();
}

SAMPLE sub_group_barrier_global(ARGUMENTS)
{
	global uint *ours = scratch + team() * capacity + first();

	ours[get_sub_group_local_id()] = in[item()];
	STEP(sub_group_barrier(CLK_GLOBAL_MEM_FENCE));
	out[item()] = ours[get_sub_group_size() - 1 - get_sub_group_local_id()];
	PLACE();
}

#if __OPENCL_C_VERSION__ >= 200

SAMPLE sub_group_barrier_scope(ARGUMENTS)
{
	global uint *ours = scratch + team() * capacity + first();

	ours[get_sub_group_local_id()] = in[item()];
	STEP(sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_sub_group));
	out[item()] = ours[get_sub_group_size() - 1 - get_sub_group_local_id()];
	PLACE();
}

SAMPLE sub_group_enqueued(ARGUMENTS)
{
	out[item()] = VALUE(get_enqueued_num_sub_groups(), 0);
	PLACE();
}

#endif

SAMPLE sub_group_queries(ARGUMENTS)
{
	global uint *result = out + 5 * item();

	result[0] = VALUE(get_sub_group_size(), 0);
	result[1] = VALUE(get_max_sub_group_size(), 0);
	result[2] = VALUE(get_num_sub_groups(), 0);
	result[3] = VALUE(get_sub_group_id(), 0);
	result[4] = VALUE(get_sub_group_local_id(), 0);
	PLACE();
}

SAMPLE vote_all(ARGUMENTS)
{
	int x = in[item()];
	out[item()] = VALUE(sub_group_all(x), x) ? 1 : 0;
	PLACE();
}

SAMPLE vote_any(ARGUMENTS)
{
	int x = in[item()];
	out[item()] = VALUE(sub_group_any(x), x) ? 1 : 0;
	PLACE();
}

// The first lane's value, and that of a lane which is known only when the kernel runs.
SAMPLE broadcast(ARGUMENTS)
{
	uint x = in[item()];
	uint lane = (team() + 3 * get_sub_group_id()) % get_sub_group_size();

	out[3 * item()] = VALUE(sub_group_broadcast(x, 0), x);
	out[3 * item() + 1] = VALUE(sub_group_broadcast(as_int(x), lane), lane);
	out[3 * item() + 2] = as_uint(VALUE(sub_group_broadcast(as_float(x), lane), as_float(lane)));
	PLACE();
}

// A float whose sums over a sub-group are exact in any order.
float quarter(uint x)
{
	return ((int)(x & 0xffff) - 0x8000) * 0.25f;
}

// One built-in for int, uint and float.
#define ARITHMETIC(name, builtin)                                                                  \
	SAMPLE name(ARGUMENTS)                                                                     \
	{                                                                                          \
		uint x = in[item()];                                                               \
		float q = quarter(x);                                                              \
		out[3 * item()] = as_uint(VALUE(builtin(as_int(x)), as_int(x)));                   \
		out[3 * item() + 1] = VALUE(builtin(x), x);                                        \
		out[3 * item() + 2] = as_uint(VALUE(builtin(q), q));                               \
		PLACE();                                                                           \
	}

ARITHMETIC(reduce_add, sub_group_reduce_add)
ARITHMETIC(reduce_min, sub_group_reduce_min)
ARITHMETIC(reduce_max, sub_group_reduce_max)
ARITHMETIC(scan_inclusive_add, sub_group_scan_inclusive_add)
ARITHMETIC(scan_inclusive_min, sub_group_scan_inclusive_min)
ARITHMETIC(scan_inclusive_max, sub_group_scan_inclusive_max)
ARITHMETIC(scan_exclusive_add, sub_group_scan_exclusive_add)
ARITHMETIC(scan_exclusive_min, sub_group_scan_exclusive_min)
ARITHMETIC(scan_exclusive_max, sub_group_scan_exclusive_max)
