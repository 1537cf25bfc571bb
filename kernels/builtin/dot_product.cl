// SPDX-License-Identifier: MIT
// cl_khr_integer_dot_product over whole numbers of 32 bits, which hold every sum of four products.

#define __opencl_c_integer_dot_product_input_4x8bit 1
#define __opencl_c_integer_dot_product_input_4x8bit_packed 1
#define ZEROCL_DOT(a_type, b_type, sum, name)                                                      \
	static __attribute__((overloadable)) sum dot(a_type a, b_type b)                           \
	{                                                                                          \
		return (sum)a.x * (sum)b.x + (sum)a.y * (sum)b.y + (sum)a.z * (sum)b.z +           \
		       (sum)a.w * (sum)b.w;                                                        \
	}                                                                                          \
	static __attribute__((overloadable)) sum dot_acc_sat(a_type a, b_type b, sum acc)          \
	{                                                                                          \
		return add_sat(dot(a, b), acc);                                                    \
	}                                                                                          \
	static sum dot_4x8packed_##name##_##sum(uint a, uint b)                                    \
	{                                                                                          \
		return dot(as_##a_type(a), as_##b_type(b));                                        \
	}                                                                                          \
	static sum dot_acc_sat_4x8packed_##name##_##sum(uint a, uint b, sum acc)                   \
	{                                                                                          \
		return add_sat(dot(as_##a_type(a), as_##b_type(b)), acc);                          \
	}
ZEROCL_DOT(uchar4, uchar4, uint, uu)
ZEROCL_DOT(char4, char4, int, ss)
ZEROCL_DOT(uchar4, char4, int, us)
ZEROCL_DOT(char4, uchar4, int, su)
