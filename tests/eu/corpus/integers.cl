// SPDX-License-Identifier: MIT
// Integer built-ins of every width.
#define KERNEL(name, type, expression)                                                             \
	kernel void name(global type *a, global type *b)                                           \
	{                                                                                          \
		int i = get_global_id(0);                                                          \
		type x = a[i], y = b[i];                                                           \
		b[i] = expression;                                                                 \
	}
#define ALL(type, suffix)                                                                          \
	KERNEL(arithmetic_##suffix, type, x *y + (x >> 3) - (x << 2) + (x ^ y))                    \
	KERNEL(divide_##suffix, type, x / (type)(y | 1) + x % (type)(y | 3))                       \
	KERNEL(bits_##suffix, type, popcount(x) + clz(y) + rotate(x, y) + bitselect(x, y, (type)5)) \
	KERNEL(saturate_##suffix, type, add_sat(x, y) ^ sub_sat(x, y) ^ (type)abs_diff(x, y))      \
	KERNEL(high_##suffix, type, mul_hi(x, y) + hadd(x, y) + rhadd(x, y) + mad_hi(x, y, x))     \
	KERNEL(compare_##suffix, type, (x < y) + (x == y) * 2 + max(x, y) - min(x, (type)7))

ALL(char, char)
ALL(uchar, uchar)
ALL(short, short)
ALL(ushort, ushort)
ALL(int, int)
ALL(uint, uint)
ALL(long, long)
ALL(ulong, ulong)
KERNEL(dot_bytes, int, ({
	char4 p = as_char4(x), q = as_char4(y);
	p.x *q.x + p.y *q.y + p.z *q.z + p.w *q.w;
}))
