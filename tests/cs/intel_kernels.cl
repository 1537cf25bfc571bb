// SPDX-License-Identifier: MIT
// Kernels for what has no counterpart in C; cs_intel_test.c has their references.

WIDTH kernel void reduce(global const int *in, global int *out, local int *t)
{
	uint l = (uint)get_local_id(0);

	t[l] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint s = (uint)get_local_size(0) / 2; s; s >>= 1) {
		if (l < s)
			t[l] += t[l + s];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (!l)
		out[get_group_id(0)] = t[0];
}

// Each item of a group shifts its value to the next, many times; two barriers each time.
WIDTH kernel void rotate_in_group(global int *data, local int *t, uint times)
{
	uint l = (uint)get_local_id(0), n = (uint)get_local_size(0);
	int v = data[get_global_id(0)];

	for (uint k = 0; k < times; k++) {
		t[l] = v;
		barrier(CLK_LOCAL_MEM_FENCE);
		v = t[(l + 1) % n] + 1;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	data[get_global_id(0)] = v;
}

kernel void identify(global uint *out)
{
	size_t x = get_global_id(0) - get_global_offset(0);
	size_t y = get_global_id(1) - get_global_offset(1);
	size_t z = get_global_id(2) - get_global_offset(2);
	size_t at = x + get_global_size(0) * (y + get_global_size(1) * z);
	global uint *o = out + at * 16;

	o[0] = (uint)get_global_id(0);
	o[1] = (uint)get_global_id(1);
	o[2] = (uint)get_global_id(2);
	o[3] = (uint)get_local_id(0);
	o[4] = (uint)get_local_id(1);
	o[5] = (uint)get_local_id(2);
	o[6] = (uint)get_group_id(0);
	o[7] = (uint)get_group_id(1);
	o[8] = (uint)get_group_id(2);
	o[9] = (uint)get_local_size(0);
	o[10] = (uint)get_local_size(1);
	o[11] = (uint)get_local_size(2);
	o[12] = (uint)get_num_groups(0);
	o[13] = (uint)get_num_groups(1);
	o[14] = (uint)get_num_groups(2);
	o[15] = (uint)get_work_dim();
}

WIDTH kernel void atomics(global int *g, global const int *in, local int *t)
{
	uint l = (uint)get_local_id(0);
	int v = in[get_global_id(0)];

	if (!l)
		t[0] = t[1] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&t[0], v);
	atomic_max(&t[1], v);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (!l) {
		atomic_add(&g[0], t[0]);
		atomic_max(&g[1], t[1]);
	}
	atomic_inc(&g[2]);
	atomic_dec(&g[3]);
	atomic_min(&g[4], v);
	atomic_or(&g[5], 1 << (v & 31));
	atomic_and(&g[6], ~(1 << (v & 31)));
	atomic_xor(&g[7], v);
	atomic_sub(&g[8], v);
	// A lock-free sum: compare and exchange until it works.
	int old, seen = g[9];
	do {
		old = seen;
		seen = atomic_cmpxchg(&g[9], old, old + v);
	} while (seen != old);
	// Every item gets a ticket of its own, and every item's mark is taken over once.
	g[16 + atomic_inc(&g[10])] = v;
	if (atomic_xchg(&g[11], (int)get_global_id(0) + 1) == 0)
		atomic_inc(&g[12]);
}

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
WIDTH kernel void atomics64(global long *g, global const int *in)
{
	long v = (long)in[get_global_id(0)] << 20;

	atom_add(&g[0], v);
	atom_max(&g[1], v);
	atom_min(&g[2], v);
	atom_xor(&g[3], v * 3);
	long old, seen = g[4];
	do {
		old = seen;
		seen = atom_cmpxchg(&g[4], old, old + v);
	} while (seen != old);
}

// All groups meet before any goes on.
WIDTH kernel void meet(global volatile int *counter, global int *out)
{
	if (!get_local_id(0)) {
		atomic_inc(counter);
		while (atomic_add(counter, 0) < (int)get_num_groups(0))
			;
	}
	barrier(CLK_GLOBAL_MEM_FENCE);
	out[get_global_id(0)] = *counter;
}

// The sub-groups of a group pass a token: the last one starts.
WIDTH kernel void relay(global volatile int *tokens, global int *out)
{
	global volatile int *token = tokens + get_group_id(0);
	int me = (int)get_sub_group_id();

	if (!get_sub_group_local_id()) {
		if (me + 1 < (int)get_num_sub_groups())
			while (atomic_add(token, 0) != me + 1)
				;
		out[get_group_id(0) * get_num_sub_groups() + me] = atomic_add(token, 0);
		atomic_xchg(token, me);
	}
}

WIDTH kernel void vectors(global const float *in, global float *out, global const uchar4 *bytes,
	global ushort8 *shorts)
{
	uint i = (uint)get_global_id(0);
	float3 v = vload3(i, in);

	vstore3(v.zxy * 2.0f + (float3)(1, 2, 3), i, out);
	uchar4 b = bytes[i];
	shorts[i] = (ushort8)(convert_ushort4(b.wzyx) * (ushort4)257, convert_ushort4_sat(v.xyzz));
}

WIDTH kernel void halves(global const half *in, global half *out, global float *wide)
{
	uint i = (uint)get_global_id(0);
	float f = vload_half(i, in);

	wide[i] = f;
	vstore_half_rtz(f * 1.001f, i, out);
}

WIDTH kernel void sub_groups(global const int *in, global int *out)
{
	uint i = (uint)get_global_id(0), n = (uint)get_global_size(0);
	int v = in[i];
	uint lane = get_sub_group_local_id(), size = get_sub_group_size();

	out[i] = sub_group_reduce_add(v);
	out[i + n] = sub_group_scan_inclusive_add(v);
	out[i + 2 * n] = sub_group_scan_exclusive_max(v);
	out[i + 3 * n] = sub_group_broadcast(v, size - 3);
	out[i + 4 * n] = sub_group_any(v > 900) * 2 + sub_group_all(v > 3);
	out[i + 5 * n] = intel_sub_group_shuffle(v, (lane * 5 + 1) % size);
	out[i + 6 * n] = intel_sub_group_shuffle_xor(v, 3);
	out[i + 7 * n] = intel_sub_group_shuffle_down(v, in[(i + 1) % n], 2);
	out[i + 8 * n] = (int)size;
}

#if !defined(SIMD) || SIMD < 32 // the compiler has no block messages for 32 lanes
WIDTH kernel void blocks(global uint *in, global uint *out)
{
	uint group = get_sub_group_id() + get_group_id(0) * get_num_sub_groups();
	uint at = group * get_sub_group_size() * 4;
	uint4 v = intel_sub_group_block_read4(in + at);

	intel_sub_group_block_write4(out + at, v.yxwz + get_sub_group_local_id());
}
#endif

WIDTH kernel void math(global const float *in, global float *out)
{
	uint i = (uint)get_global_id(0), n = (uint)get_global_size(0);
	float x = in[i];

	out[i] = sin(x);
	out[i + n] = exp(x * 0.1f);
	out[i + 2 * n] = log(fabs(x) + 0.01f);
	out[i + 3 * n] = sqrt(fabs(x));
	out[i + 4 * n] = x / (in[(i + 1) % n] + 200.0f);
	out[i + 5 * n] = pow(fabs(x), 1.7f);
	out[i + 6 * n] = floor(x) + 2 * ceil(x) + 4 * trunc(x) + 8 * rint(x);
	out[i + 7 * n] = fma(x, 3.3f, in[(i + 7) % n]);
	out[i + 8 * n] = atan2(x, 3.0f);
	out[i + 9 * n] = fmin(x, 2.0f) + fmax(x, -2.0f) + clamp(x, -1.0f, 1.0f);
}

WIDTH kernel void prints(global const int *in)
{
	uint i = (uint)get_global_id(0);

	if (in[i] >= 0)
		printf("item %u has %d and %s %.2f\n", i, in[i], "a half", in[i] + 0.5f);
}

WIDTH kernel void wild(global int *out, ulong address)
{
	out[get_global_id(0)] = *(global int *)(address + get_global_id(0) * 4);
}
