// SPDX-License-Identifier: MIT
// CRC-32 of blocks of 64 bytes, by a table in constant memory.
kernel void crc(global const uchar *in, constant uint *table, global uint *out)
{
	size_t id = get_global_id(0), n = get_global_size(0);
	uint sum = 0xffffffff;

	for (int i = 0; i < 64; i++)
		sum = table[(sum ^ in[i * n + id]) & 255] ^ sum >> 8;
	out[id] = ~sum;
}
