// SPDX-License-Identifier: MIT
// Bytes looked up in a table of bytes in local memory, and sums of 16-bit numbers.
#define GROUP 256

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void substitute(global const uchar *in, global const uchar *table, global ushort *out)
{
	local uchar box[256];
	size_t id = get_global_id(0);
	uchar x = in[id];
	ushort sum = 0;

	box[get_local_id(0)] = table[get_local_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < 16; i++) {
		x = box[x ^ (uchar)i];
		sum = sum * 3 + x;
	}
	out[id] = sum;
}
