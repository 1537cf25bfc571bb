// SPDX-License-Identifier: MIT
// The compiler sets the bits of all 32 lanes; those of lanes above the greatest size must be zero.

#define get_sub_group_ge_mask()                                                                    \
	(get_sub_group_ge_mask() & (uint4)(~0u >> (32 - get_max_sub_group_size()), 0, 0, 0))
#define get_sub_group_gt_mask()                                                                    \
	(get_sub_group_gt_mask() & (uint4)(~0u >> (32 - get_max_sub_group_size()), 0, 0, 0))
