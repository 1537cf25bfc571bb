// SPDX-License-Identifier: MIT
// Counters that all items share, in memory and in a group. Words 0 to 15 are a histogram; what an
// item got from the counter of items stands from word 64 on; groups add theirs to words 32 to 47.
#ifdef SIMD
__attribute__((intel_reqd_sub_group_size(SIMD)))
#endif
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void compute(global const uint *A, global const uint *B, global uint *O, uint n)
{
	local uint local_counts[16];
	uint i = get_global_id(0), l = get_local_id(0);

	if (l < 16)
		local_counts[l] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (i < n) {
		uint a = A[i], b = B[i];
		atomic_inc(&O[a & 15]);
		atomic_add(&local_counts[b & 15], a & 255);
		atomic_max(&O[16], a);
		atomic_min(&O[17], a);
		atomic_or(&O[18], 1u << (a & 31));
		atomic_and(&O[19], ~(1u << (b & 31)));
		atomic_xor(&O[20], a);
		O[64 + i] = atomic_add(&O[21], 1);
		atomic_xchg(&O[22], a | 1);
		uint seen = *(volatile global uint *)&O[23], old;
		do {
			old = seen;
			seen = atomic_cmpxchg(&O[23], old, old + (b & 3));
		} while (seen != old);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < 16)
		atomic_add(&O[32 + l], local_counts[l]);
}
