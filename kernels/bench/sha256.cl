// SPDX-License-Identifier: MIT
// The SHA-256 of a message of 32 bytes for each work-item (FIPS 180-4), one block each. The words
// of the messages are given as numbers and lie side by side: word w of message i at w * n + i.
constant uint k[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

#define TURN(x, n)   rotate(x, (uint)(32 - (n)))
#define SUM_0(x)     (TURN(x, 2) ^ TURN(x, 13) ^ TURN(x, 22))
#define SUM_1(x)     (TURN(x, 6) ^ TURN(x, 11) ^ TURN(x, 25))
#define SIGMA_0(x)   (TURN(x, 7) ^ TURN(x, 18) ^ ((x) >> 3))
#define SIGMA_1(x)   (TURN(x, 17) ^ TURN(x, 19) ^ ((x) >> 10))
#define CHOOSE(x, y, z)	  (((x) & (y)) ^ (~(x) & (z)))
#define MAJORITY(x, y, z) (((x) & (y)) ^ ((x) & (z)) ^ ((y) & (z)))

kernel void sha256(global const uint *messages, global uint *digests)
{
	size_t i = get_global_id(0), n = get_global_size(0);
	uint w[16], h[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
		0x1f83d9ab, 0x5be0cd19 };
	uint a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], last = h[7];

	for (int t = 0; t < 8; t++)
		w[t] = messages[t * n + i];
	w[8] = 0x80000000;
	for (int t = 9; t < 15; t++)
		w[t] = 0;
	w[15] = 256;
#pragma unroll
	for (int t = 0; t < 64; t++) {
		if (t >= 16)
			w[t % 16] += SIGMA_1(w[(t - 2) % 16]) + w[(t - 7) % 16] + SIGMA_0(w[(t - 15) % 16]);
		uint x = last + SUM_1(e) + CHOOSE(e, f, g) + k[t] + w[t % 16];
		uint y = SUM_0(a) + MAJORITY(a, b, c);
		last = g;
		g = f;
		f = e;
		e = d + x;
		d = c;
		c = b;
		b = a;
		a = x + y;
	}
	digests[i] = h[0] + a;
	digests[n + i] = h[1] + b;
	digests[2 * n + i] = h[2] + c;
	digests[3 * n + i] = h[3] + d;
	digests[4 * n + i] = h[4] + e;
	digests[5 * n + i] = h[5] + f;
	digests[6 * n + i] = h[6] + g;
	digests[7 * n + i] = h[7] + last;
}
