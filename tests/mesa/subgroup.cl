// SPDX-License-Identifier: MIT
// What items of a sub-group tell each other; 16 words an item, and no item is out of range.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__attribute__((intel_reqd_sub_group_size(SIMD)))
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void compute(global const uint *A, global const uint *B, global uint *O, uint n)
{
	uint i = get_global_id(0), a = A[i], b = B[i], at = i * 16;
	uint lane = get_sub_group_local_id(), size = get_sub_group_size();

	O[at] = size;
	O[at + 1] = lane;
	O[at + 2] = sub_group_reduce_add(a);
	O[at + 3] = sub_group_scan_inclusive_add(a);
	O[at + 4] = sub_group_scan_exclusive_add(a);
	O[at + 5] = sub_group_reduce_min(a);
	O[at + 6] = sub_group_scan_exclusive_max(a);
	O[at + 7] = intel_sub_group_shuffle(a, b % size);
	O[at + 8] = intel_sub_group_shuffle_xor(a, 3);
	O[at + 9] = sub_group_broadcast(a, 5);
	uint votes = sub_group_reduce_add((a & 1) << lane), some = sub_group_reduce_add((b >> 1 & 1) << lane);
	O[at + 10] = votes;
	O[at + 11] = (sub_group_any(a > 0xf0000000u) ? 1 : 0) | (sub_group_all(a > 0x01000000u) ? 2 : 0);
	O[at + 12] = intel_sub_group_shuffle_up(0u, a, 1);
	O[at + 13] = intel_sub_group_shuffle_down(a, 0u, 2);
	O[at + 14] = intel_sub_group_shuffle(a, lane ^ 1);
	O[at + 15] = popcount(some);
}
