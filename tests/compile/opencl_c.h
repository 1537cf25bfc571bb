// SPDX-License-Identifier: MIT
#ifndef OPENCL_C_H
#define OPENCL_C_H

/* As much of OpenCL C as kernels/builtin/double_*.cl need to be built as C. */

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef unsigned int uint;
typedef unsigned long ulong;
typedef struct {
	double x, y;
} double2;
typedef struct {
	double x, y, z;
} double3;

#define constant
#define min(a, b)	    ((a) < (b) ? (a) : (b))
#define clamp(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))

static inline int clz(ulong x)
{
	return x ? __builtin_clzl(x) : 64;
}

static inline ulong mul_hi(ulong a, ulong b)
{
	__extension__ typedef unsigned __int128 wide;

	return (ulong)((wide)a * b >> 64);
}

static inline double as_double(ulong bits)
{
	double x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

static inline ulong as_ulong(double x)
{
	ulong bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static inline long as_long(double x)
{
	return (long)as_ulong(x);
}

#endif
