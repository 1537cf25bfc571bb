// SPDX-License-Identifier: MIT
// Texels of an image that is only read, as they are and between four of them.
#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform constants { uint n; };
layout(std430, binding = 2) writeonly buffer result { uint O[]; };
layout(binding = 5) uniform sampler2D colours;

void main()
{
	ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = textureSize(colours, 0);
	if (any(greaterThanEqual(at, size)))
		return;
	int i = at.y * size.x + at.x;
	O[2 * i] = packUnorm4x8(texelFetch(colours, at, 0));
	O[2 * i + 1] = packUnorm4x8(textureLod(colours, vec2(at + 1) / vec2(size), 0.0));
}
