// SPDX-License-Identifier: MIT
// What the samples share; the host puts this file in front of them.
//
// Every sample takes the same arguments, so that one host function runs them all. The host defines
// WIDTH, the sub-group size that it asks for (undefined: the platform chooses). With PLAIN defined,
// each sample is the same kernel without the built-in that it shows: that build is never run, and
// what its native code lacks is what the built-in became. SUB_GROUPS says that there are sub-groups.

#ifdef WIDTH
#define SAMPLE __attribute__((intel_reqd_sub_group_size(WIDTH))) kernel void
#else
#define SAMPLE kernel void
#endif

// in: the data. out: the results. place: sub-group id and lane of each work-item.
// scratch: `capacity` words for each work-group. shared: as many in local memory.
#define ARGUMENTS                                                                                  \
	global const uint *in, global uint *out, global uint2 *place, global uint *scratch,        \
		local uint *shared, uint capacity

#ifdef PLAIN
#define VALUE(call, plain) (plain)
#define STEP(call)
#else
#define VALUE(call, plain) (call)
#define STEP(call) call
#endif

// The work-item's number in the range, x fastest, without the range's offset.
size_t item(void)
{
	size_t x = get_global_id(0) - get_global_offset(0);
	size_t y = get_global_id(1) - get_global_offset(1);
	size_t z = get_global_id(2) - get_global_offset(2);
	return (z * get_global_size(1) + y) * get_global_size(0) + x;
}

// The work-item's number in its work-group.
uint member(void)
{
	return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) +
		get_local_id(0);
}

// The number of work-items in this work-group.
uint members(void)
{
	return get_local_size(0) * get_local_size(1) * get_local_size(2);
}

// The work-group's number in the range.
uint team(void)
{
	return (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) +
		get_group_id(0);
}

#ifdef SUB_GROUPS

#define PLACE() place[item()] = (uint2)(get_sub_group_id(), get_sub_group_local_id())

// Where the words of this sub-group begin in those of its work-group.
uint first(void)
{
	return get_sub_group_id() * get_max_sub_group_size();
}

#endif
