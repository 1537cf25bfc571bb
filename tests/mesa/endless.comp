// SPDX-License-Identifier: MIT
// Ends when the host writes a word, and reads another buffer. An atomic, since a compiler may take
// a loop away that has no effect.
#version 460
layout(local_size_x = 8) in;
layout(push_constant) uniform constants { uint n; };
layout(std430, binding = 0) buffer go { uint G[]; };
layout(std430, binding = 1) readonly buffer source { uint S[]; };
layout(std430, binding = 2) writeonly buffer result { uint O[]; };

void main()
{
	uint i = gl_GlobalInvocationID.x;
	while (atomicOr(G[0], 0u) != n)
		;
	O[i] = S[i];
}
