// SPDX-License-Identifier: MIT
// A picture of bytes, turned by half a circle and made brighter.
constant sampler_t texels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

kernel void flip(read_only image2d_t in, write_only image2d_t out)
{
	int2 at = (int2)(get_global_id(0), get_global_id(1)), size = get_image_dim(in);
	uint4 p = read_imageui(in, texels, size - 1 - at);

	write_imageui(out, at, min(p + 16u, 255u));
}
