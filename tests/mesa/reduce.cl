// SPDX-License-Identifier: MIT
// Sums and running sums of groups of 128, through local memory.
#ifdef SIMD
__attribute__((intel_reqd_sub_group_size(SIMD)))
#endif
__attribute__((reqd_work_group_size(128, 1, 1)))
kernel void compute(global const uint *A, global const uint *B, global uint *O, uint n)
{
	local uint sums[128];
	uint i = get_global_id(0), l = get_local_id(0);

	sums[l] = i < n ? A[i] ^ B[i] : 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint step = 1; step < 128; step <<= 1) {
		uint more = l >= step ? sums[l - step] : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		sums[l] += more;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (i < n)
		O[i] = sums[l];
	if (l == 0)
		O[n + get_group_id(0)] = sums[127];
}
