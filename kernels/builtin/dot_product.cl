// SPDX-License-Identifier: MIT
// cl_khr_integer_dot_product over whole numbers of 32 bits, which hold every sum of four products.
// The front end's header declares the functions from OpenCL C 2.0 on, but nothing defines them: so
// ours have other names. The older dot goes on as it was.

#ifndef __opencl_c_integer_dot_product_input_4x8bit
#define __opencl_c_integer_dot_product_input_4x8bit 1
#endif
#ifndef __opencl_c_integer_dot_product_input_4x8bit_packed
#define __opencl_c_integer_dot_product_input_4x8bit_packed 1
#endif
#ifndef ZEROCL_MACROS_ONLY
#define ZEROCL_DOT(a_type, b_type, sum, name)                                                      \
	static __attribute__((overloadable)) sum zerocl_dot(a_type a, b_type b)                           \
	{                                                                                          \
		return (sum)a.x * (sum)b.x + (sum)a.y * (sum)b.y + (sum)a.z * (sum)b.z +           \
		       (sum)a.w * (sum)b.w;                                                        \
	}                                                                                          \
	static __attribute__((overloadable)) sum zerocl_dot_acc_sat(a_type a, b_type b, sum acc)          \
	{                                                                                          \
		return add_sat(zerocl_dot(a, b), acc);                                                    \
	}                                                                                          \
	static sum zerocl_dot_4x8packed_##name##_##sum(uint a, uint b)                                    \
	{                                                                                          \
		return zerocl_dot(as_##a_type(a), as_##b_type(b));                                        \
	}                                                                                          \
	static sum zerocl_dot_acc_sat_4x8packed_##name##_##sum(uint a, uint b, sum acc)                   \
	{                                                                                          \
		return add_sat(zerocl_dot(as_##a_type(a), as_##b_type(b)), acc);                          \
	}
ZEROCL_DOT(uchar4, uchar4, uint, uu)
ZEROCL_DOT(char4, char4, int, ss)
ZEROCL_DOT(uchar4, char4, int, us)
ZEROCL_DOT(char4, uchar4, int, su)
#define ZEROCL_DOT_OLD(type)                                                                       \
	static __attribute__((overloadable)) type zerocl_dot(type a, type b)                       \
	{                                                                                          \
		return dot(a, b);                                                                  \
	}                                                                                          \
	static __attribute__((overloadable)) type zerocl_dot(type##2 a, type##2 b)                 \
	{                                                                                          \
		return dot(a, b);                                                                  \
	}                                                                                          \
	static __attribute__((overloadable)) type zerocl_dot(type##3 a, type##3 b)                 \
	{                                                                                          \
		return dot(a, b);                                                                  \
	}                                                                                          \
	static __attribute__((overloadable)) type zerocl_dot(type##4 a, type##4 b)                 \
	{                                                                                          \
		return dot(a, b);                                                                  \
	}
ZEROCL_DOT_OLD(float)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
ZEROCL_DOT_OLD(half)
#endif
#ifdef cl_khr_fp64
ZEROCL_DOT_OLD(double)
#endif
#endif
// not by name alone: arguments and variables may be called so
#define dot(...) zerocl_dot(__VA_ARGS__)
#define dot_acc_sat zerocl_dot_acc_sat
#define dot_4x8packed_uu_uint zerocl_dot_4x8packed_uu_uint
#define dot_acc_sat_4x8packed_uu_uint zerocl_dot_acc_sat_4x8packed_uu_uint
#define dot_4x8packed_ss_int zerocl_dot_4x8packed_ss_int
#define dot_acc_sat_4x8packed_ss_int zerocl_dot_acc_sat_4x8packed_ss_int
#define dot_4x8packed_us_int zerocl_dot_4x8packed_us_int
#define dot_acc_sat_4x8packed_us_int zerocl_dot_acc_sat_4x8packed_us_int
#define dot_4x8packed_su_int zerocl_dot_4x8packed_su_int
#define dot_acc_sat_4x8packed_su_int zerocl_dot_acc_sat_4x8packed_su_int
