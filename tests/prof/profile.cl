// SPDX-License-Identifier: MIT
// Kernels whose counts prof_test.c works out by itself. Sub-groups have sixteen work-items, so that
// each has a message of its own.
#define SIMD16 __attribute__((intel_reqd_sub_group_size(16)))
#define ARGS   global int *a, global const int *b, int n
#define GID    get_global_id(0)
#define LID    get_local_id(0)

SIMD16 kernel void strided(ARGS)
{
	a[GID] = b[GID * n];
}

SIMD16 kernel void gathers(ARGS)
{
	a[GID] = b[b[GID] & 4095];
}

SIMD16 kernel void vectors(ARGS)
{
	vstore4(vload4(GID, b), GID, a);
}

SIMD16 kernel void overlaps(ARGS)
{
	int3 v = vload3(0, b + GID * n);

	a[GID] = v.x ^ v.y ^ v.z;
}

SIMD16 kernel void looks(ARGS)
{
	local uchar t[256];

	for (int i = LID; i < 256; i += get_local_size(0))
		t[i] = i * 7;
	barrier(CLK_LOCAL_MEM_FENCE);
	a[GID] = t[LID * n & 255];
}

SIMD16 kernel void banks(ARGS)
{
	local int t[4096];

	t[LID * n & 4095] = b[GID];
	barrier(CLK_LOCAL_MEM_FENCE);
	a[GID] = t[(LID ^ 5) * n & 4095];
}

SIMD16 kernel void contends(ARGS)
{
	atomic_add(&a[GID % n], 1);
}

SIMD16 kernel void loops(ARGS)
{
	int x = GID, turns = b[GID] % 7;

	for (int i = 0; i < turns; i++)
		x = x * n ^ i; // the body
	a[GID] = x;
}

SIMD16 kernel void spills(ARGS)
{
	int16 v0 = vload16(GID, b), v1 = vload16(GID + n, b), v2 = vload16(GID + 2 * n, b);
	int16 v3 = vload16(GID + 3 * n, b), v4 = vload16(GID + 4 * n, b), v5 = vload16(GID + 5 * n, b);
	int16 v6 = vload16(GID + 6 * n, b), v7 = vload16(GID + 7 * n, b), v8 = vload16(GID + 8 * n, b);

	barrier(CLK_GLOBAL_MEM_FENCE);
	vstore16(v0 * v8 ^ v1 * v7 ^ v2 * v6 ^ v3 * v5 ^ v4, GID, a);
}

#ifdef cl_intel_subgroups
// Loads and stores at one address: numbers for all, and blocks, most of which lie across lines, one of
// each beyond the end of the buffer.
SIMD16 kernel void blocks(ARGS)
{
	int first = GID / 16 * 16, x = b[get_group_id(0) * n + 15] + b[n << 20];
	global const uint *lines = (global const uint *)b;
	uint2 two = intel_sub_group_block_read2(lines + first + n);
	local int t[256];

	t[LID] = b[GID] + x + two.x * two.y + intel_sub_group_block_read(lines + (n << 20));
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < n; i++)
		x += t[i * 4] + intel_sub_group_block_read(lines + first + i * n);
	intel_sub_group_block_write((global uint *)a + first + 4 * n, x);
	if (b[first] % 3 == 0)
		intel_sub_group_block_write((global uint *)a + 4096 + first, x);
}
#endif
