// SPDX-License-Identifier: MIT
// Each inner point becomes a weighted sum of its nine neighbours.
kernel void stencil(global const float *in, global float *out, int width, int height)
{
	int x = get_global_id(0), y = get_global_id(1), at = y * width + x;

	if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
		out[at] = in[at];
		return;
	}
	float edges = in[at - 1] + in[at + 1] + in[at - width] + in[at + width];
	float corners = in[at - width - 1] + in[at - width + 1] + in[at + width - 1] +
			in[at + width + 1];
	out[at] = 0.25f * in[at] + 0.125f * edges + 0.0625f * corners;
}
