// SPDX-License-Identifier: MIT
// The mean of nine samples between texels, each a mean of four texels.
constant sampler_t between = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |
			     CLK_FILTER_LINEAR;

kernel void blur(read_only image2d_t in, global float4 *out, int width)
{
	int x = get_global_id(0), y = get_global_id(1);
	float4 sum = 0;

	for (int j = -1; j <= 1; j++)
		for (int i = -1; i <= 1; i++)
			sum += read_imagef(in, between, (float2)(x + i + 1.0f, y + j + 1.0f));
	out[y * width + x] = sum / 9;
}
