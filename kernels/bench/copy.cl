// SPDX-License-Identifier: MIT
// Four floats for each work-item, from one buffer to another.
kernel void copy(global const float4 *from, global float4 *to)
{
	size_t i = get_global_id(0);

	to[i] = from[i];
}
