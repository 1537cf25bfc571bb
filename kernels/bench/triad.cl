// SPDX-License-Identifier: MIT
// STREAM's triad, four floats for each work-item.
kernel void triad(global const float4 *b, global const float4 *c, global float4 *a, float s)
{
	size_t i = get_global_id(0);

	a[i] = b[i] + s * c[i];
}
