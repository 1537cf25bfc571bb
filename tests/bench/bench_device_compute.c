// SPDX-License-Identifier: MIT
/* Kernels that compute more than they move. */
#include "bench_device.h"

#include <math.h>
#include <string.h>

enum {
	PICTURE = 512,
	LIMIT = 256,
	MATRIX = 256,
	BODIES = 4096,
	MESSAGES = 1 << 18,
	POINTS = 1024,
	TRANSFORMS = 512,
};

#define LEFT  -2.0f
#define TOP   -1.25f
#define SCALE (2.5f / PICTURE)

/* -- Mandelbrot's set ------------------------------------------------------------------------ */

static void prepare_mandelbrot(cl_kernel kernel)
{
	bench_int(kernel, 1, PICTURE);
	bench_float(kernel, 2, SCALE);
	bench_float(kernel, 3, LEFT);
	bench_float(kernel, 4, TOP);
	bench_int(kernel, 5, LIMIT);
	bench_result(kernel, 0, sizeof(cl_int) * PICTURE * PICTURE);
}

static int escape(float cr, float ci)
{
	float r = 0, i = 0;
	int n = 0;

	while (n < LIMIT && r * r + i * i <= 4.0f) {
		float next = r * r - i * i + cr;
		i = 2 * r * i + ci;
		r = next;
		n++;
	}
	return n;
}

/* Compilers may contract what the pragma forbids here and there: one point in 200 may differ. */
static bool mandelbrot_is_right(const void *result)
{
	const cl_int *got = result;
	int wrong = 0;

	for (int y = 0; y < PICTURE; y++)
		for (int x = 0; x < PICTURE; x++)
			wrong += got[y * PICTURE + x] !=
				 escape(LEFT + (float)x * SCALE, TOP + (float)y * SCALE);
	return wrong <= PICTURE * PICTURE / 200;
}

/* -- Products of matrices -------------------------------------------------------------------- */

static float a[MATRIX * MATRIX], b[MATRIX * MATRIX];

static void prepare_matmul(cl_kernel kernel)
{
	for (int i = 0; i < MATRIX * MATRIX; i++) {
		a[i] = (float)(i * 7 % 15 - 7);
		b[i] = (float)(i * 11 % 13 - 6);
	}
	bench_buffer(kernel, 0, a, sizeof a);
	bench_buffer(kernel, 1, b, sizeof b);
	bench_int(kernel, 3, MATRIX);
	bench_result(kernel, 2, sizeof a);
}

/* The elements are small integers: every sum is exact. */
static bool matmul_is_right(const void *result)
{
	const float *c = result;

	for (int row = 0; row < MATRIX; row++)
		for (int column = 0; column < MATRIX; column++) {
			float sum = 0;
			for (int k = 0; k < MATRIX; k++)
				sum += a[row * MATRIX + k] * b[k * MATRIX + column];
			if (c[row * MATRIX + column] != sum)
				return false;
		}
	return true;
}

/* -- Bodies that pull each other ------------------------------------------------------------- */

#define SOFTENING 0.01f

static float bodies[BODIES][4];

static void prepare_nbody(cl_kernel kernel)
{
	cl_uint seed = 5;

	for (int i = 0; i < BODIES; i++)
		for (int j = 0; j < 4; j++)
			bodies[i][j] = (float)(bench_random(&seed) % 65536) / 65536;
	bench_buffer(kernel, 0, bodies, sizeof bodies);
	bench_int(kernel, 2, BODIES);
	bench_float(kernel, 3, SOFTENING);
	bench_result(kernel, 1, sizeof bodies);
}

/* A thousandth of the largest pull is far more than 4096 roundings make. */
static bool nbody_is_right(const void *result)
{
	const float *got = result;

	for (int i = 0; i < BODIES; i++) {
		double sum[3] = { 0 }, size = 0;
		for (int j = 0; j < BODIES; j++) {
			double d[3], square = (double)SOFTENING;
			for (int k = 0; k < 3; k++) {
				d[k] = (double)bodies[j][k] - (double)bodies[i][k];
				square += d[k] * d[k];
			}
			double pull = (double)bodies[j][3] / (square * sqrt(square));
			for (int k = 0; k < 3; k++)
				sum[k] += d[k] * pull;
			size += sqrt(square) * pull;
		}
		for (int k = 0; k < 3; k++)
			if (!(fabs((double)got[4 * i + k] - sum[k]) <= size * 1e-4))
				return false;
	}
	return true;
}

/* -- SHA-256 --------------------------------------------------------------------------------- */

static cl_uint messages[8][MESSAGES];
static cl_uint round_constants[64], first_hash[8];

/* The first 32 bits of the fraction of a root of a prime. */
static cl_uint root_bits(int prime, bool cube)
{
	long double root = cube ? cbrtl((long double)prime) : sqrtl((long double)prime);

	return (cl_uint)((root - floorl(root)) * 4294967296.0L);
}

static void make_constants(void)
{
	for (int n = 0, prime = 2; n < 64; prime++) {
		bool is_prime = true;
		for (int i = 2; i * i <= prime; i++)
			is_prime &= prime % i != 0;
		if (!is_prime)
			continue;
		if (n < 8)
			first_hash[n] = root_bits(prime, false);
		round_constants[n++] = root_bits(prime, true);
	}
}

static cl_uint turn(cl_uint x, int n)
{
	return x >> n | x << (32 - n);
}

/* FIPS 180-4, section 6.2.2: one block, whose first 16 words are in w. */
static void hash_block(cl_uint w[64], cl_uint hash[8])
{
	cl_uint v[8];

	for (int t = 16; t < 64; t++)
		w[t] = (turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ w[t - 2] >> 10) + w[t - 7] +
		       (turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ w[t - 15] >> 3) + w[t - 16];
	memcpy(v, hash, sizeof v);
	for (int t = 0; t < 64; t++) {
		cl_uint first = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) +
				((v[4] & v[5]) ^ (~v[4] & v[6])) + round_constants[t] + w[t];
		cl_uint second = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) +
				 ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
		memmove(v + 1, v, 7 * sizeof *v);
		v[4] += first;
		v[0] = first + second;
	}
	for (int i = 0; i < 8; i++)
		hash[i] += v[i];
}

/* "abc", FIPS 180-4's own example. */
static bool reference_is_right(void)
{
	static const cl_uint wanted[8] = { 0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
		0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad };
	cl_uint w[64] = { 0x61626380, [15] = 24 }, hash[8];

	memcpy(hash, first_hash, sizeof hash);
	hash_block(w, hash);
	return !memcmp(hash, wanted, sizeof hash);
}

static void prepare_sha256(cl_kernel kernel)
{
	cl_uint seed = 6;

	for (int word = 0; word < 8; word++)
		for (int i = 0; i < MESSAGES; i++)
			messages[word][i] = bench_random(&seed);
	bench_buffer(kernel, 0, messages, sizeof messages);
	bench_result(kernel, 1, sizeof messages);
}

static bool sha256_is_right(const void *result)
{
	const cl_uint *got = result;

	make_constants();
	if (!reference_is_right())
		return false;
	for (int i = 0; i < MESSAGES; i++) {
		cl_uint w[64] = { [8] = 0x80000000, [15] = 256 }, hash[8];
		for (int word = 0; word < 8; word++)
			w[word] = messages[word][i];
		memcpy(hash, first_hash, sizeof hash);
		hash_block(w, hash);
		for (int word = 0; word < 8; word++)
			if (got[word * MESSAGES + i] != hash[word])
				return false;
	}
	return true;
}

/* -- Fourier transforms ---------------------------------------------------------------------- */

static const double pi = 3.14159265358979323846;
static float signals[TRANSFORMS][POINTS][2];

static void prepare_fft(cl_kernel kernel)
{
	static float roots[POINTS / 2][2];
	cl_uint seed = 7;

	for (int i = 0; i < POINTS / 2; i++) {
		roots[i][0] = (float)cos(2 * pi * i / POINTS);
		roots[i][1] = (float)-sin(2 * pi * i / POINTS);
	}
	for (int n = 0; n < TRANSFORMS; n++)
		for (int i = 0; i < POINTS; i++)
			for (int part = 0; part < 2; part++)
				signals[n][i][part] =
					(float)(bench_random(&seed) % 2001) / 1000 - 1;
	bench_buffer(kernel, 0, signals, sizeof signals);
	bench_buffer(kernel, 2, roots, sizeof roots);
	bench_result(kernel, 1, sizeof signals);
}

/* By its definition, on one point in 64 of each transform. */
static bool fft_is_right(const void *result)
{
	const float *got = result;
	static double roots[POINTS][2];

	for (int i = 0; i < POINTS; i++) {
		roots[i][0] = cos(2 * pi * i / POINTS);
		roots[i][1] = -sin(2 * pi * i / POINTS);
	}
	for (int n = 0; n < TRANSFORMS; n++)
		for (int k = n % 64; k < POINTS; k += 64) {
			double re = 0, im = 0;
			for (int i = 0; i < POINTS; i++) {
				const double *w = roots[i * k % POINTS];
				double x = (double)signals[n][i][0], y = (double)signals[n][i][1];
				re += x * w[0] - y * w[1];
				im += x * w[1] + y * w[0];
			}
			const float *point = got + (n * POINTS + k) * 2;
			if (!(fabs((double)point[0] - re) <= 1e-3) ||
				!(fabs((double)point[1] - im) <= 1e-3))
				return false;
		}
	return true;
}

const struct bench_kernel bench_compute_kernels[] = {
	{ "dense", "mandelbrot", 2, { PICTURE, PICTURE }, { 16, 16 }, prepare_mandelbrot,
		mandelbrot_is_right },
	{ "local", "matmul", 2, { MATRIX, MATRIX }, { 16, 16 }, prepare_matmul, matmul_is_right },
	{ "dense", "matmul_naive", 2, { MATRIX, MATRIX }, { 64, 1 }, prepare_matmul,
		matmul_is_right },
	{ "dense", "matmul_block", 2, { MATRIX, MATRIX / 8 }, { 16, 1 }, prepare_matmul,
		matmul_is_right },
	{ "dense", "nbody", 1, { BODIES }, { 64 }, prepare_nbody, nbody_is_right },
	{ "dense", "sha256", 1, { MESSAGES }, { 64 }, prepare_sha256, sha256_is_right },
	{ "local", "fft", 1, { TRANSFORMS * 256 }, { 256 }, prepare_fft, fft_is_right },
	{ NULL },
};
