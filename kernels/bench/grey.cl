// SPDX-License-Identifier: MIT
// Pictures of four bytes a pixel become grey.
kernel void grey(global const uchar4 *in, global uchar *out)
{
	size_t i = get_global_id(0);
	uchar4 p = in[i];

	out[i] = (uchar)((p.x * 77 + p.y * 151 + p.z * 28 + 128) >> 8);
}
