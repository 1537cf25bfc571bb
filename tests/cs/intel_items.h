// SPDX-License-Identifier: MIT
#ifndef INTEL_ITEMS_H
#define INTEL_ITEMS_H

/*
 * What one work-item computes, in the language that C and OpenCL C share: the same text is the
 * kernel and its reference. ITEM(name) makes a kernel of it in OpenCL C, nothing in C.
 */
#ifdef __OPENCL_VERSION__
#pragma OPENCL FP_CONTRACT OFF
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#define ITEM(name)                                                                                 \
	WIDTH kernel void k_##name(global const uint *in, global uint *out, uint n)                \
	{                                                                                          \
		uint i = (uint)get_global_id(0);                                                   \
		if (i < n)                                                                         \
			out[i] = name(in, i, n);                                                   \
	}
#define MUL_HI(a, b) mul_hi(a, b)
#define POPCOUNT(a)  popcount(a)
#define CLZ(a)	     clz(a)
#define AS_UINT(a)   as_uint(a)
#define GLOBAL	     global
typedef long item_long;
#else
#include <stdint.h>
#include <string.h>
#define GLOBAL
#define ITEM(name)
typedef uint32_t uint;
typedef uint8_t uchar;
typedef uint16_t ushort;
typedef uint64_t ulong;
typedef int64_t item_long;
#define MUL_HI(a, b) ((uint)((uint64_t)(a) * (b) >> 32))
#define POPCOUNT(a)  ((uint)__builtin_popcount(a))
#define CLZ(a)	     ((a) ? (uint)__builtin_clz(a) : 32u)
static inline uint item_as_uint(float f)
{
	uint u;

	memcpy(&u, &f, sizeof u);
	return u;
}
#define AS_UINT(a)   item_as_uint(a)
#endif

/* Loops within loops that each channel leaves in its own way. */
static uint loops(GLOBAL const uint *in, uint i, uint n)
{
	uint x = in[i], sum = 0;

	for (uint a = 0; a < (x & 15) + 1; a++) {
		uint y = x ^ a * 0x9e3779b9u;
		for (uint b = 0; b < 40; b++) {
			y ^= y << 13;
			y ^= y >> 17;
			y ^= y << 5;
			if ((y & 63) == 7)
				break;
			if (y & 1)
				continue;
			sum += y % (b + 3);
			if (sum > 0xf0000000u)
				return sum ^ in[(i + a) % n];
		}
		sum = sum * 31 + a;
		while (sum & 0x100)
			sum = (sum >> 1) + 77 * a;
	}
	return sum;
}
ITEM(loops)

static uint cases(GLOBAL const uint *in, uint i, uint n)
{
	uint x = in[i], r = 1, steps = 0;

	do {
		switch (x % 11) {
		case 0:
			r += x;
			/* fall through */
		case 1:
			r ^= 0x55;
			break;
		case 2:
			if (r & 4)
				goto out;
			r *= 3;
			break;
		case 5:
			r = r << 3 | r >> 29;
			/* fall through */
		case 6:
		case 7:
			x = x * 5 + in[r % n];
			break;
		case 9:
			for (uint k = 0; k < (r & 7); k++)
				r += k * x;
			break;
		default:
			r -= x;
		}
		x = x * 1664525u + 1013904223u;
	} while (++steps < 50 && r != 0);
out:
	return r + steps;
}
ITEM(cases)

/* An array that is indexed dynamically lives in private memory. */
static uint sorts(GLOBAL const uint *in, uint i, uint n)
{
	uint a[40];

	for (uint k = 0; k < 40; k++)
		a[k] = in[(i * 7 + k * 13) % n];
	for (uint k = 1; k < 40; k++) {
		uint v = a[k], j = k;
		while (j > 0 && a[j - 1] > v) {
			a[j] = a[j - 1];
			j--;
		}
		a[j] = v;
	}
	uint r = 0;
	for (uint k = 0; k < 40; k++)
		r = r * 33 + a[k];
	return r + a[in[i] % 40];
}
ITEM(sorts)

/* More live values than there are registers. */
#define EACH8(f, n) f(n) f(n + 1) f(n + 2) f(n + 3) f(n + 4) f(n + 5) f(n + 6) f(n + 7)
#define EACH64(f, n)                                                                               \
	EACH8(f, n)                                                                                \
	EACH8(f, n + 8)                                                                            \
	EACH8(f, n + 16)                                                                           \
	EACH8(f, n + 24) EACH8(f, n + 32) EACH8(f, n + 40) EACH8(f, n + 48) EACH8(f, n + 56)
static uint spills(GLOBAL const uint *in, uint i, uint n)
{
	uint v[192], r = 0;

#define LOAD(k) v[k] = in[(i + (k)*5) % n];
	EACH64(LOAD, 0)
	EACH64(LOAD, 64)
	EACH64(LOAD, 128)
	for (uint round = 0; round < 3; round++) {
#define MIX(k) v[k] = v[k] * 17 + (v[((k)*29 + 31) % 192] ^ round);
		EACH64(MIX, 0)
		EACH64(MIX, 64)
		EACH64(MIX, 128)
	}
#define SUM(k) r = r * 3 + v[k];
	EACH64(SUM, 0)
	EACH64(SUM, 64)
	EACH64(SUM, 128)
	return r;
}
ITEM(spills)

static uint small_types(GLOBAL const uint *in, uint i, uint n)
{
	uint r = 0;

	for (uint k = 0; k < 6; k++) {
		uint x = in[(i + k) % n];
		uchar a = (uchar)x, b = (uchar)(x >> 8);
		signed char c = (signed char)(x >> 16), d = (signed char)(x >> 24);
		short e = (short)(x >> 3), f = (short)(x >> 11);
		ushort g = (ushort)(x >> 5);
		a = (uchar)(a * b + k);
		c = (signed char)(c - d);
		e = (short)(e * f);
		g = (ushort)(g >> (b & 7));
		r = r * 7 + a + (uint)c + (uint)e + g + (uint)(c < d) + (uint)(e > f) * 2;
		r += (uint)(d / (c ? c : 1)) + (uint)(a % (b ? b : 1)) +
		     (uint)(short)(e >> (a & 7));
	}
	return r;
}
ITEM(small_types)

static uint wide_types(GLOBAL const uint *in, uint i, uint n)
{
	ulong x = (ulong)in[i] << 32 | in[(i + 1) % n];
	ulong y = (ulong)in[(i + 2) % n] << (in[i] & 31) | 1;
	item_long s = (item_long)(x ^ y);
	ulong r = x * y + (x >> (y & 63)) + (x << (in[i] & 63));

	r ^= x / y + x % (y >> 7 | 3);
	r += (ulong)(s >> (in[i] & 31)) + (ulong)(s / (item_long)(in[i] | 1));
	r += (ulong)(s < (item_long)y) + (ulong)(x > y) * 2 + (ulong)(x - y);
	r ^= (ulong)((item_long)in[i] * (int)in[(i + 3) % n]);
	return (uint)(r >> 32) ^ (uint)r;
}
ITEM(wide_types)

static uint divisions(GLOBAL const uint *in, uint i, uint n)
{
	uint x = in[i], y = in[(i + 1) % n] >> (x & 31), r;
	int s = (int)x, t = (int)in[(i + 5) % n] >> (x & 15);

	y = y ? y : 3;
	t = t ? t : -7;
	if (t == -1)
		t = 2;
	r = x / y + x % y * 3;
	r += (uint)(s / t) * 5 + (uint)(s % t);
	r ^= MUL_HI(x, y);
	r += POPCOUNT(x) + CLZ(y) * 7 + CLZ(x & 0xff);
	return r + (x << (y & 31)) + (uint)(s >> (y & 31));
}
ITEM(divisions)

/* Only operations that IEEE 754 rounds exactly. */
static uint floats(GLOBAL const uint *in, uint i, uint n)
{
	float a = (float)(int)in[i] * 0.37f, b = (float)in[(i + 1) % n] - 5e8f;
	float c = (float)(in[i] & 0xffff) * 1e-7f;
	float m = a > b ? a : b, l = a < b ? a - c : b + c;
	uint r = 0;

	for (uint k = 0; k < 5; k++) {
		m = m * 0.99f + c;
		l = l - m * c;
		if (l > m)
			l = -l;
		r = r * 3 + AS_UINT(m) + AS_UINT(l);
		r += (uint)(int)(c * 100.0f) + (uint)((m < 0 ? -m : m) * 1e-3f);
	}
	return r;
}
ITEM(floats)

#endif
