// SPDX-License-Identifier: MIT
// What items of a sub-group tell each other; 16 words an item, and no item is out of range.
#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;
layout(push_constant) uniform constants { uint n; };
layout(std430, binding = 0) readonly buffer first { uint A[]; };
layout(std430, binding = 1) readonly buffer second { uint B[]; };
layout(std430, binding = 2) writeonly buffer result { uint O[]; };

void main()
{
	uint i = gl_GlobalInvocationID.x, a = A[i], b = B[i], at = i * 16u;
	uint lane = gl_SubgroupInvocationID, size = gl_SubgroupSize;
	O[at] = size;
	O[at + 1u] = lane;
	O[at + 2u] = subgroupAdd(a);
	O[at + 3u] = subgroupInclusiveAdd(a);
	O[at + 4u] = subgroupExclusiveAdd(a);
	O[at + 5u] = subgroupMin(a);
	O[at + 6u] = subgroupExclusiveMax(a);
	O[at + 7u] = subgroupShuffle(a, b % size);
	O[at + 8u] = subgroupShuffleXor(a, 3u);
	O[at + 9u] = subgroupBroadcast(a, 5u);
	O[at + 10u] = subgroupBallot((a & 1u) != 0u).x;
	O[at + 11u] = uint(subgroupAny(a > 0xf0000000u)) | uint(subgroupAll(a > 0x01000000u)) << 1;
	uint up = subgroupShuffleUp(a, 1u), down = subgroupShuffleDown(a, 2u);
	O[at + 12u] = lane >= 1u ? up : 0u;
	O[at + 13u] = lane + 2u < size ? down : 0u;
	/* the words that OpenCL has no functions for */
	O[at + 14u] = subgroupQuadSwapHorizontal(a);
	O[at + 15u] = subgroupBallotBitCount(subgroupBallot((b & 2u) != 0u));
}
