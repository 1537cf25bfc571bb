// SPDX-License-Identifier: MIT
// Atomics, old and of C11, in both memories; every result is the same in whatever order.
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

// 16 cells, and one word for each item of what it got.
#define OLD(space, t)                                                                              \
	atomic_add(&t[0], (int)x);                                                                 \
	atomic_sub(&t[1], (int)x);                                                                 \
	atomic_inc(&t[2]);                                                                         \
	atomic_dec(&t[3]);                                                                         \
	atomic_min(&t[4], (int)x);                                                                 \
	atomic_max(&t[5], (int)x);                                                                 \
	atomic_and(&t[6], (int)(x | 0xff00ff00));                                                  \
	atomic_or(&t[7], (int)(x & 0x00f0f0f0));                                                   \
	atomic_xor(&t[8], (int)x);                                                                 \
	atomic_min((volatile space uint *)&t[9], x);                                               \
	atomic_max((volatile space uint *)&t[10], x);                                              \
	got += (uint)atomic_inc(&t[11]);                                                           \
	got += (uint)(atomic_xchg(&t[12], 7) == 7) << 20;                                          \
	got += (uint)(atomic_cmpxchg(&t[13], 0, 1) == 0) << 24;                                    \
	got += (uint)atomic_add(&t[14], 2);

WIDTH kernel void old_global(global const uint *in, volatile global int *t, global uint *sum)
{
	uint x = in[get_global_id(0)], got = 0;

	OLD(global, t)
	atomic_add(sum, got);
}

WIDTH kernel void old_local(global const uint *in, volatile global int *out, global uint *sum)
{
	volatile local int t[16];
	uint x = in[get_global_id(0)], got = 0, l = (uint)get_local_id(0);

	if (l < 16)
		t[l] = out[l];
	barrier(CLK_LOCAL_MEM_FENCE);
	OLD(local, t)
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < 16 && get_group_id(0) == 0)
		out[l] = t[l];
	atomic_add(sum, got);
}

#define NEW(t)                                                                                     \
	atomic_fetch_add_explicit(&t[0], (int)x, memory_order_relaxed, memory_scope_device);       \
	atomic_fetch_sub(&t[1], (int)x);                                                           \
	atomic_fetch_add_explicit(&t[2], 1, memory_order_acq_rel, memory_scope_work_group);        \
	atomic_fetch_sub_explicit(&t[3], 1, memory_order_seq_cst, memory_scope_device);            \
	atomic_fetch_min(&t[4], (int)x);                                                           \
	atomic_fetch_max(&t[5], (int)x);                                                           \
	atomic_fetch_and(&t[6], (int)(x | 0xff00ff00));                                            \
	atomic_fetch_or(&t[7], (int)(x & 0x00f0f0f0));                                             \
	atomic_fetch_xor(&t[8], (int)x);                                                           \
	for (int want = atomic_load(&t[9]);                                                        \
		(uint)want > x && !atomic_compare_exchange_weak(&t[9], &want, (int)x);)            \
		;                                                                                  \
	for (int want = atomic_load(&t[10]);                                                       \
		(uint)want < x && !atomic_compare_exchange_strong(&t[10], &want, (int)x);)         \
		;                                                                                  \
	got += (uint)atomic_fetch_add(&t[11], 1);                                                  \
	got += (uint)(atomic_exchange(&t[12], 7) == 7) << 20;                                      \
	int zero = 0;                                                                              \
	got += (uint)atomic_compare_exchange_strong(&t[13], &zero, 1) << 24;                       \
	got += (uint)atomic_fetch_add(&t[14], 2);

#ifdef C11
WIDTH kernel void new_global(global const uint *in, volatile global atomic_int *t, global uint *sum)
{
	uint x = in[get_global_id(0)], got = 0;

	NEW(t)
	atomic_fetch_add((volatile global atomic_uint *)sum, got);
}

WIDTH kernel void new_local(global const uint *in, volatile global atomic_int *out, global uint *sum)
{
	local atomic_int t[16];
	uint x = in[get_global_id(0)], got = 0, l = (uint)get_local_id(0);

	if (l < 16)
		atomic_store(&t[l], atomic_load(&out[l]));
	work_group_barrier(CLK_LOCAL_MEM_FENCE);
	NEW(t)
	work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
	if (l < 16 && get_group_id(0) == 0)
		atomic_store(&out[l], atomic_load(&t[l]));
	atomic_fetch_add((volatile global atomic_uint *)sum, got);
}

// A lock for every group's turn, and a flag of each item of a group for the next.
WIDTH kernel void flags(global const uint *in, volatile global atomic_int *t, global uint *sum)
{
	local atomic_int turn;
	uint l = (uint)get_local_id(0);

	if (l == 0)
		atomic_init(&turn, 0);
	work_group_barrier(CLK_LOCAL_MEM_FENCE);
	if (l % 32 == 0) {
		while (atomic_load_explicit(&turn, memory_order_acquire, memory_scope_work_group) !=
			(int)(l / 32))
			;
		atomic_fetch_add(&t[15], 1);
		atomic_store_explicit(&turn, (int)(l / 32) + 1, memory_order_release,
			memory_scope_work_group);
	}
	work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
	atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
	if (l == 0)
		atomic_fetch_add((volatile global atomic_uint *)sum, 1u);
}
#endif
