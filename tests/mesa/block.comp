// SPDX-License-Identifier: MIT
// All texels of an image of several levels and layers, one level after the other.
#version 460
layout(local_size_x = 64) in;
layout(push_constant) uniform constants { int n; };
layout(std430, binding = 2) writeonly buffer result { vec4 O[]; };
layout(binding = 5) uniform sampler2DArray from;

void main()
{
	int i = int(gl_GlobalInvocationID.x), first = 0;
	for (int level = 0; level < n; level++) {
		ivec3 size = textureSize(from, level);
		int j = i - first, texels = size.x * size.y * size.z;
		first += texels;
		if (j >= 0 && j < texels)
			O[i] = texelFetch(from, ivec3(j % size.x, j / size.x % size.y, j / (size.x * size.y)), level);
	}
}
