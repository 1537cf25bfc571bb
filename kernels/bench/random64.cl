// SPDX-License-Identifier: MIT
// Random numbers by multiplication in 64 bits (after PCG), and their sum.
kernel void random64(global ulong *out, ulong seed, int n)
{
	ulong state = seed + get_global_id(0), sum = 0;

	for (int i = 0; i < n; i++) {
		state = state * 6364136223846793005ul + 1442695040888963407ul;
		uint x = (uint)(((state >> 18) ^ state) >> 27);
		sum += (x ^ x >> (uint)(state >> 59)) * (ulong)(i + 1);
	}
	out[get_global_id(0)] = sum;
}
