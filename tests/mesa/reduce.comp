// SPDX-License-Identifier: MIT
// Sums and running sums of groups of 128, through shared memory.
#version 460
layout(local_size_x = 128) in;
layout(push_constant) uniform constants { uint n; };
layout(std430, binding = 0) readonly buffer first { uint A[]; };
layout(std430, binding = 1) readonly buffer second { uint B[]; };
layout(std430, binding = 2) writeonly buffer result { uint O[]; };
shared uint sums[128];

void main()
{
	uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
	sums[l] = i < n ? A[i] ^ B[i] : 0u;
	barrier();
	for (uint step = 1u; step < 128u; step <<= 1) {
		uint more = l >= step ? sums[l - step] : 0u;
		barrier();
		sums[l] += more;
		barrier();
	}
	if (i < n)
		O[i] = sums[l];
	if (l == 0u)
		O[n + gl_WorkGroupID.x] = sums[127];
}
