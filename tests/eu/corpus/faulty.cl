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
