// SPDX-License-Identifier: MIT
/* Kernels that compute in floating point, single and half. */
#include "bench_device.h"

#include <math.h>
#include <string.h>

enum { OPTIONS = 1 << 18, SIDE = 512, POINTS = 1 << 16, CENTRES = 16, SAMPLES = 256, ROWS = 1024 };

static float a[ROWS * ROWS], b[ROWS * ROWS], c[OPTIONS];

static bool is_close(float got, double wanted, double off)
{
	return fabs((double)got - wanted) <= off;
}

static void prepare_black_scholes(cl_kernel kernel)
{
	bench_floats(a, OPTIONS, 21);
	bench_floats(b, OPTIONS, 22);
	bench_floats(c, OPTIONS, 23);
	for (int i = 0; i < OPTIONS; i++) {
		a[i] = 20 + 10 * a[i];
		b[i] = 20 + 10 * b[i];
		c[i] = 2 + c[i];
	}
	bench_buffer(kernel, 0, a, sizeof(float) * OPTIONS);
	bench_buffer(kernel, 1, b, sizeof(float) * OPTIONS);
	bench_buffer(kernel, 2, c, sizeof(float) * OPTIONS);
	bench_float(kernel, 4, 0.02f);
	bench_float(kernel, 5, 0.3f);
	bench_result(kernel, 3, sizeof(float) * OPTIONS);
}

static double normal(double d)
{
	return erfc(-d / sqrt(2)) / 2;
}

static bool black_scholes_is_right(const void *result)
{
	const float *got = result;

	for (int i = 0; i < OPTIONS; i++) {
		double s = (double)a[i], x = (double)b[i], t = (double)c[i];
		double spread = 0.3 * sqrt(t);
		double d1 = (log(s / x) + (0.02 + 0.045) * t) / spread;
		double call = s * normal(d1) - x * exp(-0.02 * t) * normal(d1 - spread);
		if (!is_close(got[i], call, 1e-3))
			return false;
	}
	return true;
}

static void prepare_convolution(cl_kernel kernel)
{
	bench_floats(a, (SIDE + 4) * (SIDE + 4), 24);
	bench_floats(b, 25, 25);
	bench_buffer(kernel, 0, a, sizeof(float) * (SIDE + 4) * (SIDE + 4));
	bench_buffer(kernel, 1, b, sizeof(float) * 25);
	bench_int(kernel, 3, SIDE);
	bench_result(kernel, 2, sizeof(float) * SIDE * SIDE);
}

static bool convolution_is_right(const void *result)
{
	const float *got = result;

	for (int i = 0; i < SIDE * SIDE; i++) {
		double sum = 0;
		for (int k = 0; k < 25; k++)
			sum += (double)b[k] *
			       (double)a[(i / SIDE + k / 5) * (SIDE + 4) + i % SIDE + k % 5];
		if (!is_close(got[i], sum, 1e-4))
			return false;
	}
	return true;
}

static void prepare_nearest(cl_kernel kernel)
{
	bench_floats(a, 8 * POINTS, 26);
	bench_floats(b, 8 * CENTRES, 27);
	bench_buffer(kernel, 0, a, sizeof(float) * 8 * POINTS);
	bench_buffer(kernel, 1, b, sizeof(float) * 8 * CENTRES);
	bench_int(kernel, 3, POINTS);
	bench_int(kernel, 4, CENTRES);
	bench_result(kernel, 2, sizeof(cl_int) * POINTS);
}

static double distance(int point, int centre)
{
	double sum = 0;

	for (int d = 0; d < 8; d++) {
		double off = (double)a[d * POINTS + point] - (double)b[centre * 8 + d];
		sum += off * off;
	}
	return sum;
}

/* No centre is nearer than the one found, but for roundings. */
static bool nearest_is_right(const void *result)
{
	const cl_int *got = result;

	for (int i = 0; i < POINTS; i++) {
		if (got[i] < 0 || got[i] >= CENTRES)
			return false;
		for (int k = 0; k < CENTRES; k++)
			if (distance(i, k) < distance(i, got[i]) - 1e-5)
				return false;
	}
	return true;
}

static void prepare_phases(cl_kernel kernel)
{
	bench_floats(a, POINTS / 8, 28);
	bench_floats(b, 4 * SAMPLES, 29);
	bench_buffer(kernel, 0, a, sizeof(float) * POINTS / 8);
	bench_buffer(kernel, 1, b, sizeof(float) * 4 * SAMPLES);
	bench_int(kernel, 3, SAMPLES);
	bench_result(kernel, 2, sizeof(float) * POINTS / 4);
}

static bool phases_is_right(const void *result)
{
	const float *got = result;

	for (int i = 0; i < POINTS / 8; i++) {
		double x = 0, y = 0;
		for (int k = 0; k < SAMPLES; k++) {
			const float *s = b + 4 * k;
			double angle = (double)s[0] * (double)a[i] + (double)s[1];
			x += (double)s[2] * cos(angle);
			y += (double)s[2] * sin(angle);
		}
		if (!is_close(got[2 * i], x, 1e-3) || !is_close(got[2 * i + 1], y, 1e-3))
			return false;
	}
	return true;
}

static void prepare_matrix_vector(cl_kernel kernel)
{
	bench_floats(a, ROWS * ROWS, 30);
	bench_floats(b, ROWS, 31);
	bench_buffer(kernel, 0, a, sizeof(a));
	bench_buffer(kernel, 1, b, sizeof(float) * ROWS);
	bench_int(kernel, 3, ROWS);
	bench_result(kernel, 2, sizeof(float) * ROWS);
}

static bool matrix_vector_is_right(const void *result)
{
	const float *got = result;

	for (int row = 0; row < ROWS; row++) {
		double sum = 0;
		for (int k = 0; k < ROWS; k++)
			sum += (double)a[row * ROWS + k] * (double)b[k];
		if (!is_close(got[row], sum, 1e-3))
			return false;
	}
	return true;
}

/* -- Half precision: small integers, so that all is exact ------------------------------------ */

enum { MATRIX = 128 };

static cl_half x[OPTIONS], y[OPTIONS];

/* A whole number from -64 to 64 as a half. */
static cl_half half_of(int value)
{
	int size = abs(value), exponent = 0;

	if (value == 0)
		return 0;
	while (size >> (exponent + 1))
		exponent++;
	return (cl_half)((value < 0 ? 0x8000 : 0) | (exponent + 15) << 10 |
			 ((size << (10 - exponent)) & 0x3ff));
}

static int small(int i, int seed)
{
	return (int)((unsigned)i * 2654435761u >> 13) % (seed + 2) - seed / 2;
}

static void prepare_half_axpy(cl_kernel kernel)
{
	for (int i = 0; i < OPTIONS; i++) {
		x[i] = half_of(small(i, 11));
		y[i] = half_of(small(i, 17));
	}
	bench_buffer(kernel, 0, x, sizeof(x));
	bench_float(kernel, 2, 3);
	bench_buffer(kernel, 1, y, sizeof(y));
}

static bool half_axpy_is_right(const void *result)
{
	const cl_half *got = result;

	for (int i = 0; i < OPTIONS; i++)
		if (got[i] != half_of(3 * small(i, 11) + small(i, 17)))
			return false;
	return true;
}

static void prepare_half_matmul(cl_kernel kernel)
{
	for (int i = 0; i < MATRIX * MATRIX; i++) {
		x[i] = half_of(small(i, 1));
		y[i] = half_of(i % 3 == 0 ? small(i, 1) : 0);
	}
	bench_buffer(kernel, 0, x, sizeof(*x) * MATRIX * MATRIX);
	bench_buffer(kernel, 1, y, sizeof(*y) * MATRIX * MATRIX);
	bench_int(kernel, 3, MATRIX);
	bench_result(kernel, 2, sizeof(*x) * MATRIX * MATRIX);
}

static bool half_matmul_is_right(const void *result)
{
	const cl_half *got = result;

	for (int row = 0; row < MATRIX; row++)
		for (int column = 0; column < MATRIX; column++) {
			int sum = 0;
			for (int k = 0; k < MATRIX; k++) {
				int at = k * MATRIX + column;
				sum += small(row * MATRIX + k, 1) *
				       (at % 3 == 0 ? small(at, 1) : 0);
			}
			if (got[row * MATRIX + column] != half_of(sum))
				return false;
		}
	return true;
}

const struct bench_kernel bench_dense_kernels[] = {
	{ "dense", "black_scholes", 1, { OPTIONS }, { 256 }, prepare_black_scholes,
		black_scholes_is_right },
	{ "dense", "convolution", 2, { SIDE, SIDE }, { 64, 4 }, prepare_convolution,
		convolution_is_right },
	{ "dense", "nearest", 1, { POINTS }, { 256 }, prepare_nearest, nearest_is_right },
	{ "dense", "phases", 1, { POINTS / 8 }, { 256 }, prepare_phases, phases_is_right },
	{ "dense", "matrix_vector", 1, { ROWS }, { 64 }, prepare_matrix_vector,
		matrix_vector_is_right },
	{ "half", "half_axpy", 1, { OPTIONS }, { 256 }, prepare_half_axpy, half_axpy_is_right },
	{ "half", "half_matmul", 2, { MATRIX, MATRIX }, { 64, 1 }, prepare_half_matmul,
		half_matmul_is_right },
	{ NULL },
};
