// SPDX-License-Identifier: MIT
// Kernels with one mistake each. "//! TOOL" stands behind the line that TOOL must report, "@ G L" behind the
// range if it is not 256 in groups of 64, "not DEVICE" if that one cannot show it. a and c are 0, b[i] is i; each
// has 4096 elements. So has d, of which nothing is written; of kernels "image_…" it is an image of 16 x 16.
#define A global int *a, global int *b, global int *c
#define GID get_global_id(0)
#define LID get_local_id(0)
#define GROUP get_group_id(0)
#define SIMD8 __attribute__((intel_reqd_sub_group_size(8)))
#define SIMD16 __attribute__((intel_reqd_sub_group_size(16)))
#define LOCAL CLK_LOCAL_MEM_FENCE
#define GLOBAL CLK_GLOBAL_MEM_FENCE
#define RELAXED memory_order_relaxed, memory_scope_device
#define ACQUIRE memory_order_acquire, memory_scope_device
#define RELEASE memory_order_release, memory_scope_device
#define ACQ_REL memory_order_acq_rel, memory_scope_device

// ---- races in local memory ----

SIMD16 kernel void lines_read_with_other_lanes(A)
{
	local int t[64];
	t[LID] = b[GID];
	a[GID] = ((local ushort *)t)[LID]; //! races
}

SIMD8 kernel void lines_of_another_sub_group(A)
{
	local int t[64];
	t[LID] = b[GID];
	barrier(LOCAL);
	a[GID] = t[(LID + 8) & 63];
	t[LID] = 1; //! races
}

kernel void lines_of_another_group(A)
{
	a[LID] = GROUP; //! races
}

kernel void a_byte_of_a_line(A)
{
	local int t[64];
	t[LID] = b[GID];
	barrier(LOCAL);
	t[LID] += 1;
	a[GID] = ((local uchar *)t)[LID * 4 ^ 36]; //! races
}

kernel void no_barrier(A)
{
	local int t[64];
	t[LID] = b[GID];
	a[GID] = t[63 - LID]; //! races
}

kernel void no_barrier_before_overwriting(A)
{
	local int t[64];
	t[LID] = b[GID];
	barrier(LOCAL);
	int x = t[63 - LID];
	t[LID] = x + 1; //! races
	barrier(LOCAL);
	a[GID] = t[LID];
}

kernel void barrier_of_the_other_memory(A) // not skl
{
	local int t[64];
	t[LID] = b[GID];
	barrier(GLOBAL);
	a[GID] = t[63 - LID]; //! races
}

kernel void barrier_without_flags(A) // not skl
{
	local int t[64];
	t[LID] = b[GID];
	work_group_barrier(0);
	a[GID] = t[63 - LID]; //! races
}

kernel void tree_without_barrier(A) // @ 512 256
{
	local int t[256];
	t[LID] = b[GID];
	barrier(LOCAL);
	for (uint s = 128; s > 0; s /= 2)
		if (LID < s)
			t[LID] += t[LID + s]; //! races
	barrier(LOCAL);
	if (LID == 0)
		a[GROUP] = t[0];
}

kernel void scan_in_place(A)
{
	local int t[64];
	t[LID] = b[GID];
	barrier(LOCAL);
	for (uint s = 1; s < 64; s *= 2) {
		int x = LID >= s ? t[LID - s] : 0;
		t[LID] += x; //! races
		barrier(LOCAL);
	}
	a[GID] = t[LID];
}

kernel void no_barrier_behind_a_group_function(A)
{
	local char odd[3];
	local int t[64];
	if (LID < 3)
		odd[LID] = 1;
	barrier(LOCAL);
	t[LID] = work_group_reduce_add(b[GID]) + odd[2];
	a[GID] = t[63 - LID]; //! races
}

SIMD8 kernel void last_element_beside_group_functions(A) // @ 512 256
{
	local short t[257];
	t[LID] = work_group_any(b[GID] == 5);
	if (LID % 64 == 0)
		t[256] = LID; //! races
	a[GID] = work_group_scan_inclusive_add(t[LID]);
	barrier(LOCAL);
	a[GID] += t[256] + work_group_reduce_max(b[GID]);
}

SIMD8 kernel void argument_of_group_functions(A) // @ 512 256
{
	c[GROUP] = work_group_reduce_add(b[GID]); //! races
	a[GID] = work_group_broadcast(b[GID], 9);
}

kernel void everybody_writes_one_local(A)
{
	local int t;
	t = b[GID]; //! races
	barrier(LOCAL);
	a[GID] = t;
}

kernel void same_value_written_by_all(A)
{
	local int t;
	t = 5; //! races
	barrier(LOCAL);
	a[GID] = t;
}

kernel void local_counter_without_atomics(A)
{
	local int n;
	if (LID == 0)
		n = 0;
	barrier(LOCAL);
	n++; //! races
	barrier(LOCAL);
	a[GID] = n;
}

kernel void local_histogram(A)
{
	local int bins[16];
	if (LID < 16)
		bins[LID] = 0;
	barrier(LOCAL);
	bins[b[GID] & 15]++; //! races
	barrier(LOCAL);
	if (LID < 16)
		a[GROUP * 16 + LID] = bins[LID];
}

kernel void flag_for_all_unwaited(A)
{
	local int total;
	if (LID == 0)
		total = b[GROUP];
	a[GID] = total; //! races
}

kernel void local_atomic_and_plain_read(A)
{
	local int n;
	if (LID == 0)
		n = 0;
	barrier(LOCAL);
	atomic_inc(&n);
	a[GID] = n; //! races
}

kernel void local_bytes_of_neighbours(A)
{
	local uchar t[68];
	t[LID] = (uchar)b[GID];
	a[GID] = t[(LID + 32) & 63]; //! races
}

kernel void local_vector_overlaps(A)
{
	local int t[128];
	vstore4((int4)(b[GID]), 0, t + LID); //! races
	barrier(LOCAL);
	a[GID] = t[LID];
}

kernel void double_buffer_swapped_too_late(A)
{
	local int t[2][64];
	t[0][LID] = b[GID];
	barrier(LOCAL);
	int now = 0;
	for (int i = 0; i < 3; i++) {
		t[now][LID] = t[now][(LID + 32) & 63] + 1; //! races
		barrier(LOCAL);
	}
	a[GID] = t[now][LID];
}

kernel void last_warp_unrolled(A)
{
	volatile local int t[128];
	t[LID] = b[GID];
	t[LID + 64] = 1;
	barrier(LOCAL);
	if (LID < 64)
		t[LID] += t[LID + 64]; // right: nobody writes there
	t[LID] += t[(LID + 32) & 63]; //! races
	a[GID] = t[LID];
}

kernel void one_sub_group_in_step(A)
{
	local int t[64];
	t[LID] = b[GID];
	if (LID < 8) {
		t[LID] += t[LID + 8]; //! races
		t[LID] += t[(LID + 4) & 7];
	}
	a[GID] = t[LID];
}

kernel void tree_in_one_sub_group(A)
{
	local int t[64];
	t[LID] = b[GID];
	barrier(LOCAL);
	for (uint s = 4; s > 0; s /= 2)
		if (LID < s)
			t[LID] += t[LID + s]; //! races
	barrier(LOCAL);
	a[GID] = t[LID];
}

kernel void one_sub_group_through_global(A)
{
	if (GID < 8) {
		a[GID] = b[GID];
		c[GID] = a[7 - GID]; //! races
	}
}

// ---- races in global memory ----

kernel void everybody_writes_one_global(A)
{
	a[0] = b[GID]; //! races
}

kernel void counter_without_atomics(A)
{
	a[0] += 1; //! races
}

kernel void global_histogram(A)
{
	a[b[GID] & 7] += 1; //! races
}

kernel void neighbour_in_place(A)
{
	b[GID] = b[GID + 1]; //! races
}

// Each work-item reads both bytes at once, and so does its neighbour one of them.
kernel void neighbours_byte_in_place(A)
{
	global uchar *bytes = (global uchar *)b;
	uchar x = bytes[GID] + bytes[GID + 1];
	bytes[GID + 1] = x; //! races
}

kernel void table_of_bytes_changed(A)
{
	local uchar t[64];
	t[LID] = (uchar)b[GID] & 63;
	barrier(LOCAL);
	uchar x = t[LID ^ 5];
	for (int i = 0; i < 4; i++)
		x = t[x ^ i];
	t[x] = 0; //! races
	barrier(LOCAL);
	a[GID] = t[LID];
}

kernel void stencil_in_place(A)
{
	int x = b[GID] + b[(GID + 64) & 255];
	b[GID] = x; //! races
}

kernel void output_overlaps(A)
{
	a[GID / 2] = b[GID]; //! races
}

kernel void transposes_wrongly(A)
{
	uint x = GID % 16, y = GID / 16;
	a[x * 8 + y] = b[GID]; //! races
}

kernel void groups_exchange_without_order(A)
{
	a[GID] = b[GID];
	barrier(GLOBAL);
	c[GID] = a[(GID + 64) & 255]; //! races
}

kernel void group_barrier_of_local_memory(A)
{
	a[GID] = b[GID];
	barrier(LOCAL);
	c[GID] = a[GID ^ 32]; //! races
}

kernel void group_without_barrier(A)
{
	a[GID] = b[GID];
	c[GID] = a[GID ^ 32]; //! races
}

kernel void last_group_without_fence(A)
{
	local int last;
	a[GROUP * 64 + LID] = b[GID];
	work_group_barrier(0);
	if (LID == 0)
		last = atomic_inc(&c[0]) == get_num_groups(0) - 1;
	barrier(LOCAL);
	if (last)
		c[64 + LID] = a[LID] + a[LID + 64]; //! races
}

kernel void flag_is_relaxed(A)
{
	volatile global atomic_int *flag = (volatile global atomic_int *)c;
	if (GROUP == 0 && LID == 0) {
		a[0] = 7;
		atomic_store_explicit(flag, 1, RELAXED);
	}
	if (GROUP == 1 && LID == 0) {
		while (!atomic_load_explicit(flag, RELAXED))
			;
		a[1] = a[0]; //! races
	}
}

kernel void flag_is_no_atomic(A)
{
	volatile global int *flag = c;
	if (GROUP == 0 && LID == 0)
		flag[0] = 1;
	if (GROUP == 1 && LID == 0)
		a[1] = flag[0]; //! races
}

kernel void data_after_the_release(A)
{
	volatile global atomic_int *flag = (volatile global atomic_int *)c;
	if (GROUP == 0 && LID == 0) {
		atomic_store_explicit(flag, 1, RELEASE);
		a[0] = 7;
	}
	if (GROUP == 1 && LID == 0) {
		while (!atomic_load_explicit(flag, ACQUIRE))
			;
		a[1] = a[0]; //! races
	}
}

kernel void lock_without_order(A)
{
	volatile global atomic_int *lock = (volatile global atomic_int *)c;
	if (LID == 0) {
		int expected = 0;
		while (!atomic_compare_exchange_strong_explicit(lock, &expected, 1, memory_order_relaxed, RELAXED))
			expected = 0;
		a[0] += 1; //! races
		atomic_store_explicit(lock, 0, RELAXED);
	}
}

kernel void reads_what_others_update(A)
{
	atomic_inc(&a[0]);
	c[GID] = a[0]; //! races
}

kernel void writes_what_others_update(A)
{
	if (GID == 70)
		a[0] = 0;
	else
		atomic_inc(&a[0]); //! races
}

kernel void halves_of_a_dword(A)
{
	global ushort *h = (global ushort *)a;
	h[GID] = (ushort)b[GID];
	c[GID] = h[GID ^ 65]; //! races
}

// ---- memory ----

kernel void reads_beyond_the_end(A)
{
	a[GID] = b[GID + 3900]; //! memory
}

kernel void writes_beyond_the_end(A)
{
	a[GID * 17] = 1; //! memory
}

kernel void reads_before_the_beginning(A)
{
	a[GID] = b[(int)GID - 1]; //! memory
}

kernel void all_read_one_place_beyond(A)
{
	for (int i = 4000; i < 4200; i++)
		c[GID] += b[i + (a[GID] & 1)]; //! memory
}

kernel void vector_crosses_the_end(A)
{
	vstore4(vload4(0, b + 3839 + GID), GID, c); //! memory
}

kernel void by_address_beyond(A) // not dg2
{
	ulong address = (ulong)b + GID * 65;
	a[GID] = *(global uchar *)address; //! memory
}

kernel void local_beyond_the_end(A)
{
	local int t[64];
	t[LID] = b[GID];
	barrier(LOCAL);
	a[GID] = t[LID + b[GID & 31] + 4000]; //! memory
}

SIMD16 kernel void block_write_misaligned(A)
{
	intel_sub_group_block_write((global uint *)a + get_sub_group_id() * 16 + 1 + b[0], 5); //! memory
}

kernel void atomic_beyond_the_end(A) // not dg2
{
	atomic_inc(&a[GID + 3900]); //! memory
}

// ---- init ----

kernel void local_never_written(A)
{
	local int t[64];
	if (LID < 32)
		t[LID] = b[GID];
	barrier(LOCAL);
	a[GID] = t[LID]; //! init
}

kernel void local_sum_never_zeroed(A)
{
	local int sum;
	atomic_add(&sum, b[GID]); //! init
	barrier(LOCAL);
	a[GID] = sum;
}

kernel void local_half_written(A)
{
	local ushort t[128];
	t[2 * LID] = 1;
	barrier(LOCAL);
	a[GID] = ((local int *)t)[LID]; //! init
}

kernel void local_fourth_never_written(A)
{
	local int4 t[64];
	vstore3((int3)(b[GID]), 0, (local int *)(t + LID));
	barrier(LOCAL);
	int4 v = t[LID]; //! init
	a[GID] = v.x + v.y + v.z + v.w;
}

kernel void buffer_never_written(A, global int *d)
{
	a[GID] = d[GID]; //! init
}

kernel void every_other_element_written(A, global int *d)
{
	d[2 * GID] = 1;
	a[GID] = d[2 * GID + (b[GID] > 200)]; //! init
}

kernel void all_read_one_place_never_written(A, global int *d) // @ 64 64
{
	d[GID] = 1;
	barrier(GLOBAL);
	for (int i = 0; i < 80; i++)
		c[GID] += d[i + (a[GID] & 1)]; //! init
}

kernel void three_bytes_of_a_dword_never_written(A, global int *d)
{
	((global uchar *)d)[4 * GID] = 1;
	a[GID] = d[GID]; //! init
}

kernel void last_byte_never_written(A, global int *d)
{
	global uchar *bytes = (global uchar *)d;
	bytes[GID] = 1;
	a[GID] = bytes[GID + (b[GID] == 255)]; //! init
}

kernel void counter_never_zeroed(A, global int *d)
{
	atomic_inc(&d[5]); //! init
}

// ---- numbers ----

kernel void quotient_of_zero(A) // not dg2
{
	a[GID] = b[GID] / (b[GID] & 3); //! numbers
}

kernel void remainder_of_zero(A) // not dg2
{
	a[GID] = (uint)b[GID] % (uint)c[GID]; //! numbers
}

kernel void share_of_nothing(A) // not dg2
{
	int all = 0;
	for (int i = 0; i < 4; i++)
		all += c[(GID & 15) + i];
	a[GID] = 100 * b[GID] / all; //! numbers
}

// ---- nan ----

kernel void root_of_a_negative(A)
{
	((global float *)a)[GID] = sqrt((float)(b[GID] - 100)); //! nan
}

kernel void infinity_minus_infinity(A)
{
	float x = as_float(0x7f800000 + c[GID]);
	((global float *)a)[GID] = x - as_float(0x7f800000 + c[GID + 1]); //! nan
}

kernel void infinity_times_nothing(A)
{
	float x = as_float(0x7f800000 + c[GID]);
	((global float *)a)[GID] = x * (float)c[GID]; //! nan
}

kernel void half_of_no_number(A)
{
	half x = as_half((short)(0x7c00 + c[GID]));
	((global short *)a)[GID] = as_short((half)(x * (half)c[GID])); //! nan
}

// ---- images ----

kernel void image_written_beyond(A, write_only image2d_t d)
{
	write_imageui(d, (int2)(GID, 3), (uint4)(GID)); //! memory
}

kernel void image_written_above(A, write_only image2d_t d)
{
	write_imageui(d, (int2)(GID & 15, (int)(GID / 16) - 1), (uint4)(GID)); //! memory
}

// ---- barriers ----

kernel void barrier_in_a_branch(A)
{
	local int t[64];
	t[LID] = b[GID];
	if (LID & 1)
		barrier(LOCAL); //! barriers
	a[GID] = t[LID];
}

kernel void barrier_in_a_loop_of_own_length(A)
{
	local int t[64];
	t[LID] = 0;
	for (int i = 0; i < (b[GID] & 3); i++)
		barrier(LOCAL); //! barriers
	a[GID] = t[LID];
}

kernel void barrier_behind_a_return(A)
{
	local int t[64];
	t[LID] = b[GID];
	if (b[LID] % 3 == 1)
		return;
	barrier(LOCAL); //! barriers
	a[GID] = t[LID];
}

// ---- lanes ----

SIMD16 kernel void shuffle_from_absent(A)
{
	if (get_sub_group_local_id() < 8)
		a[GID] = intel_sub_group_shuffle(b[GID], b[LID & 7] + 8); //! lanes
}

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

kernel void local_long_without_barrier(A)
{
	local long t;
	if (LID == 0)
		t = 0;
	barrier(LOCAL);
	atom_add(&t, (long)b[GID]);
	if (LID == 63)
		a[GROUP] = (int)t; //! races
}

// ---- through built-in functions that are compiled with the program ----

kernel void copy_beyond_the_buffer(A)
{
	local int t[64];
	event_t e = async_work_group_copy(t, b + 4090, 64, 0); //! memory
	wait_group_events(1, &e);
	a[GID] = t[LID];
}

kernel void copy_not_waited_for(A)
{
	local int t[64];
	event_t e = async_work_group_copy(t, b, 64, 0);
	a[GID] = t[63 - LID]; //! races
	wait_group_events(1, &e);
}

kernel void rotation_within_a_branch(A)
{
	if (LID & 1)
		a[GID] = sub_group_rotate(b[GID], 1); //! lanes
}
