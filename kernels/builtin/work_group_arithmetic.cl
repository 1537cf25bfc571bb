// SPDX-License-Identifier: MIT
// cl_khr_work_group_uniform_arithmetic. Each sub-group reduces or scans its values; the parts of
// all sub-groups are then told to all, one after the other, as sums in which others are zero.

#if __OPENCL_C_VERSION__ >= 200
#ifndef ZEROCL_MACROS_ONLY
#define ZEROCL_PARTS(op, type, bits, word, identity, expression)                                   \
	static type zerocl_parts_##op##_##type(type part, uint n)                                  \
	{                                                                                          \
		type a = identity;                                                                 \
		bool first = get_sub_group_local_id() == 0;                                        \
		for (uint i = 0; i < get_num_sub_groups(); i++) {                                  \
			bool ours = first && i == get_sub_group_id();                              \
			word told = work_group_reduce_add(ours ? (word)as_##bits(part) : (word)0); \
			type b = as_##type((bits)told);                                            \
			if (i < n)                                                                 \
				a = expression;                                                    \
		}                                                                                  \
		return a;                                                                          \
	}
#define ZEROCL_WORK_GROUP(op, type, bits, word, identity, expression)                              \
	ZEROCL_PARTS(op, type, bits, word, identity, expression)                                   \
	static __attribute__((overloadable)) type work_group_reduce_##op(type value)               \
	{                                                                                          \
		type part = sub_group_non_uniform_reduce_##op(value);                              \
		return zerocl_parts_##op##_##type(part, get_num_sub_groups());                     \
	}                                                                                          \
	static __attribute__((overloadable)) type work_group_scan_inclusive_##op(type value)       \
	{                                                                                          \
		type part = sub_group_non_uniform_reduce_##op(value);                              \
		type b = sub_group_non_uniform_scan_inclusive_##op(value);                         \
		type a = zerocl_parts_##op##_##type(part, get_sub_group_id());                     \
		return expression;                                                                 \
	}                                                                                          \
	static __attribute__((overloadable)) type work_group_scan_exclusive_##op(type value)       \
	{                                                                                          \
		type part = sub_group_non_uniform_reduce_##op(value);                              \
		type b = sub_group_non_uniform_scan_exclusive_##op(value);                         \
		type a = zerocl_parts_##op##_##type(part, get_sub_group_id());                     \
		return expression;                                                                 \
	}
#define ZEROCL_INTEGERS(op, identity, expression)                                                  \
	ZEROCL_WORK_GROUP(op, int, uint, uint, identity, expression)                               \
	ZEROCL_WORK_GROUP(op, uint, uint, uint, (uint)identity, expression)                        \
	ZEROCL_WORK_GROUP(op, long, ulong, ulong, identity, expression)                            \
	ZEROCL_WORK_GROUP(op, ulong, ulong, ulong, (ulong)(long)identity, expression)
ZEROCL_INTEGERS(mul, 1, a * b)
ZEROCL_INTEGERS(and, -1, a & b)
ZEROCL_INTEGERS(or, 0, a | b)
ZEROCL_INTEGERS(xor, 0, a ^ b)
ZEROCL_WORK_GROUP(mul, float, uint, uint, 1, a * b)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
ZEROCL_WORK_GROUP(mul, half, ushort, uint, 1, a * b)
#endif
#undef ZEROCL_PARTS
#undef ZEROCL_WORK_GROUP
#undef ZEROCL_INTEGERS
#endif

#define work_group_reduce_logical_and(x)	 work_group_all(x)
#define work_group_reduce_logical_or(x)		 work_group_any(x)
#define work_group_reduce_logical_xor(x)	 (work_group_reduce_add((x) != 0) & 1)
#define work_group_scan_inclusive_logical_and(x) work_group_scan_inclusive_min((x) != 0)
#define work_group_scan_inclusive_logical_or(x)	 work_group_scan_inclusive_max((x) != 0)
#define work_group_scan_inclusive_logical_xor(x) (work_group_scan_inclusive_add((x) != 0) & 1)
#define work_group_scan_exclusive_logical_and(x) (work_group_scan_exclusive_min((x) != 0) != 0)
#define work_group_scan_exclusive_logical_or(x)	 (work_group_scan_exclusive_max((x) != 0) > 0)
#define work_group_scan_exclusive_logical_xor(x) (work_group_scan_exclusive_add((x) != 0) & 1)
#endif
