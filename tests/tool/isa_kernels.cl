// SPDX-License-Identifier: MIT
// What tests of `zerocl isa` compile.

__attribute__((intel_reqd_sub_group_size(16))) kernel void exchange(global uint *a, local uint *l)
{
	uint i = get_local_id(0);

	l[i] = a[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	a[get_global_id(0)] = l[i ^ 1] < 3 ? 1 : l[i ^ 1]; /* not a barrier() */
}

__attribute__((intel_reqd_sub_group_size(8))) kernel void block(global uint *a, global uint *b)
{
	uint8 x = intel_sub_group_block_read8(a + get_group_id(0) * 64);
	sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
	intel_sub_group_block_write2(b + get_group_id(0) * 16, x.lo.lo + x.hi.hi);
}

kernel void shuffle(global uint *a, global uint *b)
{
	uint x = a[get_global_id(0)];
	uint y = intel_sub_group_shuffle(x, x & 7);
	y += sub_group_rotate(y, 1);
	b[get_global_id(0)] = y;
}
