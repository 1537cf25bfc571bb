// SPDX-License-Identifier: MIT
// Keccak-f[1600], which SHA-3 is made of: 24 rounds on 25 words of 64 bits.
constant ulong rounds[24] = {
	0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
	0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
	0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
	0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
	0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
	0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};
constant int turns[24] = { 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62,
	18, 39, 61, 20, 44 };
constant int lanes[24] = { 10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14,
	22, 9, 6, 1 };

kernel void keccak(global const ulong *in, global ulong *out)
{
	size_t id = get_global_id(0), n = get_global_size(0);
	ulong s[25], b[5];

	for (int i = 0; i < 25; i++)
		s[i] = i < 4 ? in[i * n + id] : 0;
	for (int round = 0; round < 24; round++) {
#pragma unroll
		for (int i = 0; i < 5; i++)
			b[i] = s[i] ^ s[i + 5] ^ s[i + 10] ^ s[i + 15] ^ s[i + 20];
#pragma unroll
		for (int i = 0; i < 5; i++) {
			ulong t = b[(i + 4) % 5] ^ rotate(b[(i + 1) % 5], 1ul);
			for (int j = 0; j < 25; j += 5)
				s[j + i] ^= t;
		}
		ulong t = s[1];
#pragma unroll
		for (int i = 0; i < 24; i++) {
			ulong next = s[lanes[i]];
			s[lanes[i]] = rotate(t, (ulong)turns[i]);
			t = next;
		}
#pragma unroll
		for (int j = 0; j < 25; j += 5) {
			for (int i = 0; i < 5; i++)
				b[i] = s[j + i];
			for (int i = 0; i < 5; i++)
				s[j + i] = b[i] ^ (~b[(i + 1) % 5] & b[(i + 2) % 5]);
		}
		s[0] ^= rounds[round];
	}
	for (int i = 0; i < 4; i++)
		out[i * n + id] = s[i];
}
