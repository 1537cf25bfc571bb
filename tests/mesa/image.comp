// SPDX-License-Identifier: MIT
// Texels of two images, read, changed, and written by their items.
#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform constants { uint n; };
layout(binding = 3, r32ui) uniform uimage2D numbers;
layout(binding = 4, rgba8) uniform image2D colours;

void main()
{
	ivec2 at = ivec2(gl_GlobalInvocationID.xy);
	if (any(greaterThanEqual(at, imageSize(numbers))))
		return;
	imageStore(numbers, at, imageLoad(numbers, at) * 3u + uvec4(n));
	imageStore(colours, at, imageLoad(colours, at).wzyx);
}
