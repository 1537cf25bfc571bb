// SPDX-License-Identifier: MIT
// 16-bit numbers go where another list says.
kernel void permute(global const ushort *in, global const uint *to, global ushort *out)
{
	size_t i = get_global_id(0);

	out[to[i]] = in[i] + 1;
}
