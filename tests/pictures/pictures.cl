// SPDX-License-Identifier: MIT
/* Filters of our own for ffmpeg's program_opencl, openclsrc and xfade_opencl: see pictures.tsv. */

const sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;
const sampler_t texels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

/* Coloured waves, from the place and the frame's number alone. */
kernel void waves(write_only image2d_t out, unsigned frame)
{
	int2 at = (int2)(get_global_id(0), get_global_id(1));
	float2 p = convert_float2(at) / convert_float2(get_image_dim(out)) - 0.5f;
	float r = dot(p, p) * 40 + frame * 0.5f;
	float4 wave = (float4)(native_sin(r), native_sin(r + p.x * 9), native_cos(r + p.y * 7), 1);

	write_imagef(out, at, (float4)(wave.xyz * 0.5f + 0.5f, 1));
}

/* Turns the picture about its centre by 30 degrees, repeating it in mirrors around. */
kernel void turn(write_only image2d_t out, unsigned frame, read_only image2d_t in)
{
	int2 at = (int2)(get_global_id(0), get_global_id(1));
	float2 size = convert_float2(get_image_dim(out));
	float2 p = convert_float2(at) + 0.5f - size / 2;
	float2 q = (float2)(p.x * 0.8660254f - p.y * 0.5f, p.x * 0.5f + p.y * 0.8660254f);

	write_imagef(out, at, read_imagef(in, linear, q * 1.5f / size + 0.5f));
}

/* The median of nine texels, transparent black around the picture. */
kernel void median(write_only image2d_t out, unsigned frame, read_only image2d_t in)
{
	int2 at = (int2)(get_global_id(0), get_global_id(1));
	float4 v[9];

	for (int i = 0; i < 9; i++)
		v[i] = read_imagef(in, texels, at + (int2)(i % 3 - 1, i / 3 - 1));
	for (int end = 8; end > 0; end--)
		for (int i = 0; i < end; i++) {
			float4 low = fmin(v[i], v[i + 1]);
			v[i + 1] = fmax(v[i], v[i + 1]);
			v[i] = low;
		}
	write_imagef(out, at, v[4]);
}

/* A transition: a circle that opens. */
kernel void circle(write_only image2d_t out, read_only image2d_t from, read_only image2d_t to,
	float progress)
{
	int2 at = (int2)(get_global_id(0), get_global_id(1));
	float2 size = convert_float2(get_image_dim(out));
	bool inside = distance(convert_float2(at) + 0.5f, size / 2) < (1 - progress) * size.x * 0.6f;

	write_imagef(out, at, inside ? read_imagef(to, texels, at) : read_imagef(from, texels, at));
}
