// SPDX-License-Identifier: MIT
// The edges of a grey picture of bytes.
kernel void sobel(global const uchar *in, global uchar *out, int n)
{
	int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
	global const uchar *at = in + y * n + x;
	int right = at[1 - n] + 2 * at[1] + at[1 + n] - at[-1 - n] - 2 * at[-1] - at[n - 1];
	int down = at[n - 1] + 2 * at[n] + at[n + 1] - at[-n - 1] - 2 * at[-n] - at[1 - n];

	out[y * n + x] = convert_uchar_sat(native_sqrt((float)(right * right + down * down)));
}
