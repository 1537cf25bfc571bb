// SPDX-License-Identifier: MIT
// cl_khr_subgroup_rotate over shuffles. A lane gets the value of the lane that is delta above it,
// counted around in the sub-group's greatest size or in the cluster.

#define sub_group_rotate(value, delta)                                                             \
	sub_group_shuffle((value),                                                                 \
		(get_sub_group_local_id() + (uint)(delta)) & (get_max_sub_group_size() - 1))
#define sub_group_clustered_rotate(value, delta, size)                                             \
	sub_group_shuffle((value), (get_sub_group_local_id() & ~((uint)(size)-1)) |                \
					   ((get_sub_group_local_id() + (uint)(delta)) &           \
						   ((uint)(size)-1)))
