// SPDX-License-Identifier: MIT
// Kernels that do what they must not, for ZEROCL_VGPU_CHECK and ZEROCL_VGPU_HANG_MS.
#define SIMD16 __attribute__((intel_reqd_sub_group_size(16)))

SIMD16 kernel void reads_beyond(global const uchar *in, global uint *out)
{
	out[get_global_id(0)] = in[get_global_id(0) + 50];
}

SIMD16 kernel void writes_beyond(global const uchar *in, global uint *out)
{
	out[get_global_id(0) + 60] = 7;
}

SIMD16 kernel void local_beyond(global const uchar *in, global uint *out)
{
	local uint t[256];

	t[get_local_id(0)] = 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	t[get_local_id(0) * 16 + out[0] % 16] = 2;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = t[get_local_id(0)];
}

SIMD16 kernel void parts_at_barrier(global const uchar *in, global uint *out)
{
	if (in[get_global_id(0)] & 1)
		barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = 1;
}

SIMD16 kernel void misaligned_block(global const uchar *in, global uint *out)
{
	ulong address = (ulong)out + 4;

	intel_sub_group_block_write((global uint *)address, 5);
}

SIMD16 kernel void misaligned_offset(global const uchar *in, global uint *out)
{
	intel_sub_group_block_write(out + in[3], 5);
}

SIMD16 kernel void misaligned_read(global const uchar *in, global uint *out)
{
	ulong address = (ulong)out + in[2];

	out[get_global_id(0)] = intel_sub_group_block_read((global uint *)address);
}

SIMD16 kernel void misaligned_read_offset(global const uchar *in, global uint *out)
{
	out[get_global_id(0)] = intel_sub_group_block_read((global const uint *)((global const uchar *)out + in[3]));
}

SIMD16 kernel void aligned_reads(global const uchar *in, global uint *out)
{
	ulong address = (ulong)out + in[4];

	out[get_global_id(0)] = intel_sub_group_block_read((global uint *)address) +
				intel_sub_group_block_read((global const uint *)((global const uchar *)out + in[8]));
}

SIMD16 kernel void local_unwritten(global const uchar *in, global uint *out)
{
	local uint t[64];

	if (get_local_id(0) != 37)
		t[get_local_id(0)] = 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = t[63 - get_local_id(0)];
}

SIMD16 kernel void beyond_by_address(global const uchar *in, global uint *out)
{
	ulong address = (ulong)out + get_global_id(0) * 4 + in[get_global_id(0)] / 32 * 4;

	out[get_global_id(0) & 1] = 2; /* so that the driver makes a surface, which has a size */
	*(global uint *)address = 1;
}

SIMD16 kernel void shuffles_absent(global const uchar *in, global uint *out)
{
	uint i = get_global_id(0), x = in[i];

	if (i & 1)
		x = intel_sub_group_shuffle(x * 3, (get_sub_group_local_id() * 5 + x) & 15);
	out[i] = x;
}

SIMD16 kernel void reads_unwritten(global uint *untouched, global uint *out)
{
	out[get_global_id(0)] = untouched[3 * 4096 / 4 + get_global_id(0)];
}

SIMD16 kernel void reads_written(global uint *touched, global uint *out)
{
	touched[2 * 4096 / 4 + get_global_id(0)] = 9;
	barrier(CLK_GLOBAL_MEM_FENCE);
	out[get_global_id(0)] = touched[2 * 4096 / 4 + (get_global_id(0) ^ 1)];
}

SIMD16 kernel void good_shuffles(global const uchar *in, global uint *out)
{
	uint i = get_global_id(0), x = in[i], table[16];

	for (uint k = 0; k < 16; k++)
		table[k] = in[(i + k) & 63];
	if (i & 1)
		x = intel_sub_group_shuffle(x * 3, (x * 6 & 14) | 1) + table[x & 15];
	ulong wide = intel_sub_group_shuffle((ulong)x << 20, x & 15);
	ushort narrow = intel_sub_group_shuffle((ushort)x, (x + 1) & 15);
	out[i] = (uint)(wide >> 3) + narrow + table[x + 1 & 15];
}

SIMD16 kernel void good(global const uchar *in, global uint *out)
{
	local uint t[64];

	t[get_local_id(0)] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = t[63 - get_local_id(0)] + intel_sub_group_block_read(out);
}

SIMD16 kernel void endless(global const uchar *in, volatile global uint *out)
{
	while (out[0] != 99)
		out[1]++;
}
