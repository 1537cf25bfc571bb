// SPDX-License-Identifier: MIT
// Counters that all items share, in memory and in a group. Words 0 to 15 are a histogram; what an
// item got from the counter of items stands from word 64 on; groups add theirs to words 32 to 47.
#version 460
layout(local_size_x = 64) in;
layout(push_constant) uniform constants { uint n; };
layout(std430, binding = 0) readonly buffer first { uint A[]; };
layout(std430, binding = 1) readonly buffer second { uint B[]; };
layout(std430, binding = 2) buffer result { uint O[]; };
shared uint local_counts[16];

void main()
{
	uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
	if (l < 16u)
		local_counts[l] = 0u;
	barrier();
	if (i < n) {
		uint a = A[i], b = B[i];
		atomicAdd(O[a & 15u], 1u);
		atomicAdd(local_counts[b & 15u], a & 255u);
		atomicMax(O[16], a);
		atomicMin(O[17], a);
		atomicOr(O[18], 1u << (a & 31u));
		atomicAnd(O[19], ~(1u << (b & 31u)));
		atomicXor(O[20], a);
		O[64u + i] = atomicAdd(O[21], 1u);
		atomicExchange(O[22], a | 1u);
		uint seen = O[23], old;
		do {
			old = seen;
			seen = atomicCompSwap(O[23], old, old + (b & 3u));
		} while (seen != old);
	}
	barrier();
	if (l < 16u)
		atomicAdd(O[32u + l], local_counts[l]);
}
