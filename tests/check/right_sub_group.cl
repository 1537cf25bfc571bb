// SPDX-License-Identifier: MIT
// Kernels without a mistake that call sub_group_barrier; nothing may be reported.
#define A global int *a, global int *b, global int *c
#define GID get_global_id(0)
#define LID get_local_id(0)
#define GROUP get_group_id(0)
#define SIMD16 __attribute__((intel_reqd_sub_group_size(16)))
#define LOCAL CLK_LOCAL_MEM_FENCE
#define GLOBAL CLK_GLOBAL_MEM_FENCE
#define RELAXED memory_order_relaxed, memory_scope_device
#define ACQUIRE memory_order_acquire, memory_scope_device
#define RELEASE memory_order_release, memory_scope_device
#define ACQ_REL memory_order_acq_rel, memory_scope_device
#define ATOMIC(p) ((volatile global atomic_int *)(p))
#define ATOMIC_LOCAL(p) ((volatile local atomic_int *)(p))

SIMD16 kernel void sub_group_through_local(A)
{
	local int t[64];
	t[LID] = b[GID];
	sub_group_barrier(LOCAL);
	a[GID] = t[LID ^ 5];
}

SIMD16 kernel void sub_group_tree(A)
{
	local int t[64];
	uint lane = get_sub_group_local_id();
	t[LID] = b[GID];
	sub_group_barrier(LOCAL);
	for (uint s = 8; s > 0; s /= 2) {
		int x = lane < s ? t[LID + s] : 0;
		sub_group_barrier(LOCAL);
		t[LID] += x;
		sub_group_barrier(LOCAL);
	}
	if (lane == 0)
		a[GROUP * 4 + get_sub_group_id()] = t[LID];
}

// The last sub-group has 8 work-items; what the compiler makes of scans of longs shifts in zeros.
SIMD16 kernel void scan_of_few_lanes(A) // @ 240 120
{
	a[GID] = (int)sub_group_scan_inclusive_add((long)b[GID]) + (int)sub_group_scan_exclusive_max((long)b[GID]);
}

// Of the last sub-group only some lanes take part; the compiler has no such reduction of longs.
#pragma OPENCL EXTENSION cl_khr_subgroup_clustered_reduce : enable
SIMD16 kernel void cluster_of_some_lanes(A)
{
	if (b[GID] % 3)
		a[GID] = (int)sub_group_clustered_reduce_add((long)b[GID], 16);
}
