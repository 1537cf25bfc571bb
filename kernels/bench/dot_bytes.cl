// SPDX-License-Identifier: MIT
// A product of matrices of signed bytes, four at a time; the second one is transposed.
int dot_add(uint a, uint b, int sum)
{
#ifdef __opencl_c_integer_dot_product_input_4x8bit_packed
	return sum + dot_4x8packed_ss_int(a, b);
#else
	char4 x = as_char4(a), y = as_char4(b);
	return sum + x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
#endif
}

kernel void dot_bytes(global const uint *a, global const uint *b, global int *c, int n)
{
	int column = get_global_id(0), row = get_global_id(1), sum = 0;

	for (int k = 0; k < n / 4; k++)
		sum = dot_add(a[row * (n / 4) + k], b[k * n + column], sum);
	c[row * n + column] = sum;
}
