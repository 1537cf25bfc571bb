// SPDX-License-Identifier: MIT
// Kernels without a mistake, as wrong.cl has them with one; nothing may be reported.
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
#define ATOMIC(p) ((volatile global atomic_int *)(p))
#define ATOMIC_LOCAL(p) ((volatile local atomic_int *)(p))

// ---- alone ----

kernel void copies(A) { a[GID] = b[GID]; }
kernel void in_place(A) { b[GID] = b[GID] * 3 + 1; }
kernel void copies_vectors(A) { vstore4(vload4(GID, b), GID, a); }
kernel void copies_three(A) { vstore3(vload3(GID, b), GID, a); }
kernel void copies_eight(A) { vstore8(vload8(GID, b), GID, a); }
kernel void copies_bytes(A) { ((global uchar *)a)[GID] = ((global uchar *)b)[GID]; }
kernel void copies_shorts(A) { ((global ushort *)a)[GID] = ((global ushort *)b)[GID] + 1; }
kernel void copies_longs(A) { ((global ulong *)a)[GID] = ((global ulong *)b)[GID]; }
kernel void bytes_of_one_dword(A) { ((global uchar *)a)[GID] = (uchar)GID; a[1024 + GID] = ((global uchar *)a)[GID]; }
kernel void own_bytes_of_a_line(A) { local int t[64]; t[LID] = b[GID]; uchar4 v = ((local uchar4 *)t)[LID]; t[LID] = v.x; a[GID] = t[LID]; }
// The compiler loads more at once than the last elements.
kernel void end_of_a_buffer(A)
{
	global int *s = b + 4080;

	vstore16((int16)(vload3(0, s), vload3(0, s + 3), vload3(0, s + 6), vload3(0, s + 9), vload4(0, s + 12)), GID, a);
	vstore16((int16)(vload3(0, s), vload3(0, s + 3), vload3(0, s + 6), vload4(0, s + 9), s[13], s[14], s[15]), GID, a);
	vstore16((int16)(vload3(0, s), vload3(0, s + 3), vload3(0, s + 6), vload4(0, s + 9), s[13], vload2(0, s + 14)), GID, a);
}
kernel void own_half_lines(A) { local short t[64]; t[LID] = b[GID]; barrier(LOCAL); a[GID] = t[LID ^ 1]; barrier(LOCAL); t[LID] = 0; }
kernel void strided(A) { for (uint i = GID; i < 4096; i += get_global_size(0)) a[i] = b[i]; }
kernel void own_piece(A) { for (uint i = 0; i < 16; i++) a[GID * 16 + i] = b[i] + a[GID * 16 + i]; }
kernel void all_read_one(A) { a[GID] = b[0] + b[GROUP]; }
kernel void gathers(A) { a[GID] = b[(GID * 37) & 255]; }
kernel void scatters(A) { a[(GID * 37) & 255] = b[GID]; }
kernel void transposes(A) { a[(GID % 16) * 16 + GID / 16] = b[GID]; }
kernel void branches(A) { if (b[GID] & 1) a[GID] = 1; else a[GID] = 2; }
kernel void one_writes(A) { if (GID == 77) a[0] = b[GID]; }
kernel void one_of_each_group_writes(A) { if (LID == 5) a[GROUP] = b[GID]; }

kernel void private_array(A)
{
	int t[32];
	for (int i = 0; i < 32; i++)
		t[i] = b[i] + (int)GID;
	int x = 0;
	for (int i = 0; i < 32; i++)
		x += t[(b[GID] + i * 5) & 31];
	a[GID] = x;
}

kernel void spills(A)
{
	int16 v[10];
	for (int i = 0; i < 10; i++)
		v[i] = vload16(i, b + (GID & 15));
	for (int k = 0; k < 3; k++)
		for (int i = 0; i < 10; i++)
			v[i] = v[i] * v[(i + k) % 10] + v[(i * 3 + 1) % 10].s10325476ba98fedc;
	int16 s = 0;
	for (int i = 0; i < 10; i++)
		s ^= v[i];
	vstore16(s, GID, a);
}

kernel void fills_first(A, global int *d) { d[GID] = b[GID]; a[GID] = d[GID]; }
kernel void fills_bytes_first(A, global int *d) { for (int i = 0; i < 4; i++) ((global uchar *)d)[4 * GID + i] = i; a[GID] = d[GID]; }
kernel void fills_vectors_first(A, global int *d) { vstore3((int3)(b[GID]), GID, d); a[GID] = d[3 * GID + 2]; }
kernel void fills_apart_first(A, global int *d) { d[(GID * 37) & 255] = 1; a[GID] = d[(GID * 37) & 255]; }
kernel void exchanges_first(A, global int *d) { atomic_store_explicit(ATOMIC(d + GID), 5, RELAXED); a[GID] = d[GID]; }
kernel void roots(A) { ((global float *)a)[GID] = sqrt((float)b[GID]) + rsqrt((float)b[GID] + 1); }
kernel void passes_a_nan_on(A) { ((global float *)a)[GID] = as_float(0x7fc00000 + c[GID]) * 2 + 1; }
kernel void sums_of_infinities(A) { ((global float *)a)[GID] = as_float(0x7f800000 + c[GID]) + (float)b[GID] * 3; }
kernel void divides(A) { a[GID] = b[GID] / (b[GID] | 1) + (uint)b[GID] % 7u; }
kernel void divides_if_it_can(A) { int n = b[GID] & 3; a[GID] = n ? b[GID] / n : 0; if (n) c[GID] = b[GID] % n; }
kernel void divides_for_all(A) { if (c[0]) a[GID] = b[GID] / c[0]; }
kernel void image_filled(A, write_only image2d_t d) { write_imageui(d, (int2)(GID & 15, GID / 16), (uint4)(GID)); }

// ---- barriers ----

kernel void reverses(A)
{
	local int t[64];
	t[LID] = b[GID];
	barrier(LOCAL);
	a[GID] = t[63 - LID];
}

kernel void tree(A)
{
	local int t[64];
	t[LID] = b[GID];
	barrier(LOCAL);
	for (uint s = 32; s > 0; s /= 2) {
		if (LID < s)
			t[LID] += t[LID + s];
		barrier(LOCAL);
	}
	if (LID == 0)
		a[GROUP] = t[0];
}

kernel void tree_of_many(A) // @ 1024 256
{
	local int t[256];
	t[LID] = b[GID];
	barrier(LOCAL);
	for (uint s = 128; s > 0; s /= 2) {
		if (LID < s)
			t[LID] += t[LID + s];
		barrier(LOCAL);
	}
	if (LID == 0)
		a[GROUP] = t[0];
}

kernel void tree_with_strides(A)
{
	local int t[64];
	t[LID] = b[GID];
	barrier(LOCAL);
	for (uint s = 1; s < 64; s *= 2) {
		if (LID % (2 * s) == 0)
			t[LID] += t[LID + s];
		barrier(LOCAL);
	}
	if (LID == 0)
		a[GROUP] = t[0];
}

kernel void scan(A)
{
	local int t[64];
	t[LID] = b[GID];
	barrier(LOCAL);
	for (uint s = 1; s < 64; s *= 2) {
		int x = LID >= s ? t[LID - s] : 0;
		barrier(LOCAL);
		t[LID] += x;
		barrier(LOCAL);
	}
	a[GID] = t[LID];
}

kernel void scan_ping_pong(A)
{
	local int t[2][64];
	int now = 0;
	t[0][LID] = b[GID];
	barrier(LOCAL);
	for (uint s = 1; s < 64; s *= 2) {
		t[1 - now][LID] = t[now][LID] + (LID >= s ? t[now][LID - s] : 0);
		now = 1 - now;
		barrier(LOCAL);
	}
	a[GID] = t[now][LID];
}

kernel void scan_of_blelloch(A)
{
	local int t[128];
	t[2 * LID] = b[2 * GID];
	t[2 * LID + 1] = b[2 * GID + 1];
	uint offset = 1;
	for (uint d = 64; d > 0; d /= 2) {
		barrier(LOCAL);
		if (LID < d)
			t[offset * (2 * LID + 2) - 1] += t[offset * (2 * LID + 1) - 1];
		offset *= 2;
	}
	if (LID == 0)
		t[127] = 0;
	for (uint d = 1; d < 128; d *= 2) {
		offset /= 2;
		barrier(LOCAL);
		if (LID < d) {
			uint i = offset * (2 * LID + 1) - 1, j = offset * (2 * LID + 2) - 1;
			int x = t[i];
			t[i] = t[j];
			t[j] += x;
		}
	}
	barrier(LOCAL);
	a[2 * GID] = t[2 * LID];
	a[2 * GID + 1] = t[2 * LID + 1];
}

kernel void bitonic(A)
{
	local int t[64];
	t[LID] = b[GID] * 37 & 255;
	barrier(LOCAL);
	for (uint k = 2; k <= 64; k *= 2)
		for (uint j = k / 2; j > 0; j /= 2) {
			uint other = LID ^ j;
			int mine = t[LID], its = t[other];
			barrier(LOCAL);
			bool up = ((LID & k) == 0) == (LID < other);
			t[LID] = up ? min(mine, its) : max(mine, its);
			barrier(LOCAL);
		}
	a[GID] = t[LID];
}

kernel void tile_transpose(A)
{
	local int t[8][9];
	uint x = LID % 8, y = LID / 8;
	t[y][x] = b[GID];
	barrier(LOCAL);
	a[GID] = t[x][y];
}

kernel void broadcast(A)
{
	local int t;
	if (LID == 0)
		t = b[GROUP];
	barrier(LOCAL);
	a[GID] = t;
}

kernel void broadcast_in_turn(A)
{
	local int t;
	int s = 0;
	for (uint i = 0; i < 8; i++) {
		if (LID == i * 8)
			t = b[GID];
		barrier(LOCAL);
		s += t;
		barrier(LOCAL);
	}
	a[GID] = s;
}

kernel void matrix(A)
{
	local int x[8][8], y[8][8];
	uint i = LID % 8, k = LID / 8;
	int s = 0;
	for (uint tile = 0; tile < 4; tile++) {
		x[k][i] = b[tile * 64 + LID];
		y[k][i] = b[tile * 64 + 63 - LID];
		barrier(LOCAL);
		for (uint n = 0; n < 8; n++)
			s += x[k][n] * y[n][i];
		barrier(LOCAL);
	}
	a[GID] = s;
}

kernel void stencil_with_halo(A)
{
	local int t[66];
	t[LID + 1] = b[GID + 1];
	if (LID == 0)
		t[0] = b[GID];
	if (LID == 63)
		t[65] = b[GID + 2];
	barrier(LOCAL);
	a[GID] = t[LID] + t[LID + 1] + t[LID + 2];
}

kernel void barrier_of_both(A)
{
	local int t[64];
	t[LID] = b[GID];
	a[GID] = b[GID];
	barrier(LOCAL | GLOBAL);
	c[GID] = t[63 - LID] + a[GROUP * 64 + 63 - LID];
}

kernel void group_through_global(A)
{
	a[GID] = b[GID];
	barrier(GLOBAL);
	c[GID] = a[GID ^ 32];
}

kernel void group_writes_twice(A)
{
	a[GID] = b[GID];
	barrier(GLOBAL);
	a[GID ^ 33] = 5;
}

kernel void bytes_through_local(A)
{
	local uchar t[64];
	t[LID] = (uchar)b[GID];
	barrier(LOCAL);
	a[GID] = t[63 - LID];
}

kernel void shorts_and_dwords(A)
{
	local int t[64];
	((local ushort *)t)[2 * LID] = 1;
	((local ushort *)t)[2 * LID + 1] = 2;
	barrier(LOCAL);
	a[GID] = t[63 - LID];
}

kernel void early_groups_return(A)
{
	local int t[64];
	if (GROUP & 1)
		return;
	t[LID] = b[GID];
	barrier(LOCAL);
	a[GID] = t[63 - LID];
}

kernel void local_argument_reused(A)
{
	local int t[64];
	for (int i = 0; i < 4; i++) {
		t[(LID + i) & 63] = b[GID];
		barrier(LOCAL);
		a[GID] += t[LID ^ 1];
		barrier(LOCAL);
	}
}

kernel void queue_in_local(A)
{
	local int items[64], n;
	if (LID == 0)
		n = 0;
	barrier(LOCAL);
	if (b[GID] % 3 == 0)
		items[atomic_inc(&n)] = b[GID];
	barrier(LOCAL);
	a[GID] = LID < n ? items[LID] : -1;
}

// ---- atomics ----

kernel void counts(A) { atomic_inc(&a[0]); }
kernel void counts_bins(A) { atomic_add(&a[b[GID] & 7], 1); }
kernel void takes_places(A) { c[1 + atomic_inc(&a[0])] = b[GID]; }
kernel void maximum(A) { atomic_max(&a[0], b[GID]); atomic_min(&a[1], b[GID]); }
kernel void relaxed_only(A) { atomic_fetch_add_explicit(ATOMIC(a), 1, RELAXED); c[GID] = atomic_load_explicit(ATOMIC(a + 1), RELAXED); }
kernel void exchanges(A) { c[GID] = atomic_xchg(&a[GID & 3], (int)GID); }
kernel void swaps(A) { c[GID] = atomic_cmpxchg(&a[0], 0, (int)GID + 1); }

kernel void histogram(A)
{
	local int bins[16];
	if (LID < 16)
		bins[LID] = 0;
	barrier(LOCAL);
	atomic_inc(&bins[b[GID] & 15]);
	barrier(LOCAL);
	if (LID < 16)
		atomic_add(&a[LID], bins[LID]);
}

kernel void last_group(A)
{
	local int last;
	a[GID] = b[GID];
	barrier(GLOBAL);
	if (LID == 0)
		last = atomic_fetch_add_explicit(ATOMIC(c), 1, ACQ_REL) == get_num_groups(0) - 1;
	barrier(LOCAL | GLOBAL);
	if (last) {
		int s = 0;
		for (uint i = LID; i < get_global_size(0); i += 64)
			s += a[i];
		c[64 + LID] = s;
	}
}

kernel void last_group_by_fences(A)
{
	local int last;
	a[GID] = b[GID];
	mem_fence(GLOBAL);
	barrier(GLOBAL);
	if (LID == 0) {
		mem_fence(GLOBAL);
		last = atomic_inc(&c[0]) == get_num_groups(0) - 1;
		mem_fence(GLOBAL);
	}
	barrier(LOCAL | GLOBAL);
	if (last)
		c[64 + LID] = a[LID] + a[LID + 64];
}

kernel void message(A)
{
	if (GROUP == 0 && LID == 0) {
		a[0] = 7;
		atomic_store_explicit(ATOMIC(c), 1, RELEASE);
	}
	if (GROUP == 1 && LID == 0) {
		while (!atomic_load_explicit(ATOMIC(c), ACQUIRE))
			;
		a[1] = a[0];
	}
}

kernel void message_by_fences(A)
{
	if (GROUP == 0 && LID == 0) {
		a[0] = 7;
		atomic_work_item_fence(GLOBAL, memory_order_release, memory_scope_device);
		atomic_store_explicit(ATOMIC(c), 1, RELAXED);
	}
	if (GROUP == 1 && LID == 0) {
		while (!atomic_load_explicit(ATOMIC(c), RELAXED))
			;
		atomic_work_item_fence(GLOBAL, memory_order_acquire, memory_scope_device);
		a[1] = a[0];
	}
}

kernel void message_of_a_group(A)
{
	if (GROUP == 0) {
		a[LID] = b[LID];
		barrier(GLOBAL);
		if (LID == 0)
			atomic_store_explicit(ATOMIC(c), 1, RELEASE);
	} else if (GROUP == 1) {
		if (LID == 0)
			while (!atomic_load_explicit(ATOMIC(c), ACQUIRE))
				;
		barrier(GLOBAL);
		c[64 + LID] = a[63 - LID];
	}
}

kernel void message_by_local(A)
{
	local int data, flag;
	if (LID == 0)
		atomic_init(ATOMIC_LOCAL(&flag), 0);
	barrier(LOCAL);
	if (LID == 0) {
		data = 5;
		atomic_store_explicit(ATOMIC_LOCAL(&flag), 1, memory_order_release, memory_scope_work_group);
	}
	if (LID == 40) {
		while (!atomic_load_explicit(ATOMIC_LOCAL(&flag), memory_order_acquire, memory_scope_work_group))
			;
		a[GROUP] = data;
	}
}

kernel void ticket_lock(A)
{
	if (LID == 0) {
		int mine = atomic_fetch_add_explicit(ATOMIC(c), 1, RELAXED);
		while (atomic_load_explicit(ATOMIC(c + 1), ACQUIRE) != mine)
			;
		a[0] += b[GROUP];
		atomic_store_explicit(ATOMIC(c + 1), mine + 1, RELEASE);
	}
}

kernel void spin_lock(A)
{
	if (LID == 0) {
		int expected = 0;
		while (!atomic_compare_exchange_strong_explicit(ATOMIC(c), &expected, 1, memory_order_acquire, RELAXED))
			expected = 0;
		a[0] += 1;
		a[1] = a[0];
		atomic_store_explicit(ATOMIC(c), 0, RELEASE);
	}
}

kernel void lock_of_a_group(A)
{
	if (LID == 0) {
		int expected = 0;
		while (!atomic_compare_exchange_strong_explicit(ATOMIC(c), &expected, 1, memory_order_acquire, RELAXED))
			expected = 0;
	}
	barrier(GLOBAL);
	a[63 - LID] += b[LID];
	barrier(GLOBAL);
	if (LID == 0)
		atomic_store_explicit(ATOMIC(c), 0, RELEASE);
}

// c: a counter of groups, then for each group a state (0, 1: sum, 2: prefix), a sum and a prefix
kernel void look_back(A)
{
	local int t[64], place, before;
	if (LID == 0)
		place = atomic_fetch_add_explicit(ATOMIC(c), 1, RELAXED);
	barrier(LOCAL);
	int group = place;
	t[LID] = b[group * 64 + LID];
	barrier(LOCAL);
	for (uint s = 1; s < 64; s *= 2) {
		int x = LID >= s ? t[LID - s] : 0;
		barrier(LOCAL);
		t[LID] += x;
		barrier(LOCAL);
	}
	if (LID == 0) {
		global int *row = c + 8 + 4 * group;
		row[1] = t[63];
		atomic_store_explicit(ATOMIC(row), 1, RELEASE);
		int sum = 0;
		for (int i = group - 1; i >= 0;) {
			global int *at = c + 8 + 4 * i;
			int state = atomic_load_explicit(ATOMIC(at), ACQUIRE);
			if (state == 2) {
				sum += at[2];
				break;
			}
			if (state == 1) {
				sum += at[1];
				i--;
			}
		}
		row[2] = sum + t[63];
		atomic_store_explicit(ATOMIC(row), 2, RELEASE);
		before = sum;
	}
	barrier(LOCAL);
	a[group * 64 + LID] = t[LID] + before;
}

kernel void chain(A)
{
	if (LID == 0) {
		while (atomic_load_explicit(ATOMIC(c), ACQUIRE) != (int)GROUP)
			;
		a[GROUP + 1] = a[GROUP] + 1;
		atomic_fetch_add_explicit(ATOMIC(c), 1, ACQ_REL);
	}
}

kernel void all_groups_meet(A)
{
	a[GID] = b[GID];
	barrier(GLOBAL);
	if (LID == 0) {
		atomic_fetch_add_explicit(ATOMIC(c), 1, ACQ_REL);
		while (atomic_load_explicit(ATOMIC(c), ACQUIRE) != (int)get_num_groups(0))
			;
	}
	barrier(GLOBAL);
	c[64 + GID] = a[255 - GID];
}

// ---- sub-groups ----

SIMD16 kernel void shuffles(A) { a[GID] = intel_sub_group_shuffle_xor(b[GID], 3); }
SIMD16 kernel void blocks(A) { uint i = GROUP * 64 + get_sub_group_id() * 16; intel_sub_group_block_write((global uint *)a + i, intel_sub_group_block_read((global uint *)b + i)); }
SIMD16 kernel void reduces(A) { int s = sub_group_reduce_add(b[GID]); if (get_sub_group_local_id() == 0) a[GROUP * 4 + get_sub_group_id()] = s; }
kernel void group_reduces(A) { int s = work_group_reduce_add(b[GID]); if (LID == 0) a[GROUP] = s; }
kernel void group_scans(A) { a[GID] = work_group_scan_inclusive_add(b[GID]); }

// What the compiler makes of these shares local memory in ways of its own.
SIMD8 kernel void all_and_all(A) { a[GID] = work_group_all(b[GID] > 3) + work_group_all(b[GID] < 500); } // @ 512 256
SIMD8 kernel void any_and_any(A) { a[GID] = work_group_any(b[GID] > 3) + work_group_any(b[GID] > 300); } // @ 512 256
SIMD8 kernel void broadcast_twice(A) { a[GID] = work_group_broadcast(b[GID], 3) + work_group_broadcast(b[GID], 200); } // @ 512 256
SIMD8 kernel void reduce_adds(A) { long x = work_group_reduce_add((long)b[GID]); a[GID] = (int)x + work_group_reduce_add(b[GID] * 3); } // @ 512 256
kernel void reduce_adds_of_long(A) { ((global long *)a)[GID] = work_group_reduce_add(((global long *)b)[GID]); } // @ 512 512
SIMD8 kernel void reduce_mins(A) { long x = work_group_reduce_min((long)b[GID]); a[GID] = (int)x + work_group_reduce_min(b[GID] * 3); } // @ 512 256
SIMD8 kernel void reduce_maxs(A) { long x = work_group_reduce_max((long)b[GID]); a[GID] = (int)x + work_group_reduce_max(b[GID] * 3); } // @ 512 256
SIMD8 kernel void scan_inclusive_adds(A) { long x = work_group_scan_inclusive_add((long)b[GID]); a[GID] = (int)x + work_group_scan_inclusive_add(b[GID] * 3); } // @ 512 256
SIMD8 kernel void scan_inclusive_mins(A) { long x = work_group_scan_inclusive_min((long)b[GID]); a[GID] = (int)x + work_group_scan_inclusive_min(b[GID] * 3); } // @ 512 256
SIMD8 kernel void scan_inclusive_maxs(A) { long x = work_group_scan_inclusive_max((long)b[GID]); a[GID] = (int)x + work_group_scan_inclusive_max(b[GID] * 3); } // @ 512 256
SIMD8 kernel void scan_exclusive_adds(A) { long x = work_group_scan_exclusive_add((long)b[GID]); a[GID] = (int)x + work_group_scan_exclusive_add(b[GID] * 3); } // @ 512 256
SIMD8 kernel void scan_exclusive_mins(A) { long x = work_group_scan_exclusive_min((long)b[GID]); a[GID] = (int)x + work_group_scan_exclusive_min(b[GID] * 3); } // @ 512 256
SIMD8 kernel void scan_exclusive_maxs(A) { long x = work_group_scan_exclusive_max((long)b[GID]); a[GID] = (int)x + work_group_scan_exclusive_max(b[GID] * 3); } // @ 512 256

SIMD8 kernel void group_functions_beside_local(A) // @ 512 256
{
	local char odd[3];
	local int t[256];
	if (LID < 3)
		odd[LID] = 1;
	t[LID] = work_group_reduce_add(b[GID]);
	int x = work_group_any(b[GID] == 5);
	barrier(LOCAL);
	x += t[255 - LID] + odd[x];
	barrier(LOCAL);
	t[LID] = work_group_scan_exclusive_max(x);
	barrier(LOCAL);
	a[GID] = work_group_broadcast(t[LID ^ 128], 7);
}

kernel void prints(A)
{
	if (GID == 3)
		printf("%d %s\n", b[GID], "three");
	a[GID] = 1;
}

// ---- what the compiler makes of several instructions ----

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

kernel void adds_local_longs(A)
{
	local long t[2];
	if (LID < 2)
		t[LID] = 0;
	barrier(LOCAL);
	long x = atom_add(&t[0], (long)b[GID]);
	atom_max(&t[1], x);
	barrier(LOCAL);
	a[GID] = (int)t[0] + (int)t[1];
}

// Three of four are written and copied; the compiler copies four.
kernel void copies_local_threes(A)
{
	local int3 t[64];
	t[LID] = (int3)(b[GID]);
	barrier(LOCAL);
	((global int3 *)a)[GID] = t[63 - LID];
}

kernel void copies_local_long_threes(A)
{
	local long3 t[64];
	t[LID] = (long3)(b[GID]);
	barrier(LOCAL);
	((global long3 *)a)[GID] = t[63 - LID];
}

// A store reads what was there, which nobody has written, and drops it.
kernel void stores_local_longs(A)
{
	local atomic_long t[64];
	atomic_store_explicit(&t[LID], (long)b[GID], memory_order_relaxed, memory_scope_work_group);
	barrier(LOCAL);
	a[GID] = (int)atomic_load_explicit(&t[63 - LID], memory_order_relaxed, memory_scope_work_group);
}

volatile global atomic_int lock_of_all;
kernel void lock_in_program(A)
{
	if (LID == 0) {
		while (atomic_exchange_explicit(&lock_of_all, 1, ACQUIRE))
			;
		a[0] += b[GID];
		atomic_store_explicit(&lock_of_all, 0, RELEASE);
	}
}

kernel void neighbours_bytes(A)
{
	global const uchar *from = (global const uchar *)b;
	((global uchar *)a)[GID] = from[GID] + 2 * from[GID + 1] + from[GID + 2];
}

kernel void table_of_bytes(A)
{
	local uchar t[64];
	for (int round = 0; round < 3; round++) {
		t[LID] = (uchar)b[GID + round] & 63;
		barrier(LOCAL);
		uchar x = t[LID ^ 5];
		for (int i = 0; i < 4; i++)
			x = t[x ^ i];
		a[GID] = x;
		barrier(LOCAL);
	}
}
