// SPDX-License-Identifier: MIT
/* Kernels that compute with narrow and with 64-bit integers. All results are exact. */
#include "bench_device.h"

#include <math.h>
#include <string.h>

enum {
	MATRIX = 256,
	MESSAGES = 1 << 15,
	STATES = 1 << 14,
	STEPS = 64,
	SIDE = 1024,
	BLOCKS = 1 << 14
};

static cl_uint words[1 << 20], table[256];
static cl_ulong messages[4][MESSAGES];
static cl_uchar bytes[64][BLOCKS];

static void prepare_dot_bytes(cl_kernel kernel)
{
	bench_words(words, MATRIX * MATRIX / 2, 41);
	bench_buffer(kernel, 0, words, MATRIX * MATRIX);
	bench_buffer(kernel, 1, words + MATRIX * MATRIX / 4, MATRIX * MATRIX);
	bench_int(kernel, 3, MATRIX);
	bench_result(kernel, 2, sizeof(cl_int) * MATRIX * MATRIX);
}

static bool dot_bytes_is_right(const void *result)
{
	const cl_int *got = result;
	const signed char *a = (const signed char *)words, *b = a + MATRIX * MATRIX;

	for (int row = 0; row < MATRIX; row++)
		for (int column = 0; column < MATRIX; column++) {
			int sum = 0;
			for (int k = 0; k < MATRIX; k++)
				sum += a[row * MATRIX + k] *
				       b[(k / 4 * MATRIX + column) * 4 + k % 4];
			if (got[row * MATRIX + column] != sum)
				return false;
		}
	return true;
}

/* -- Keccak: FIPS 202, section 3.2, step by step on an array of five by five lanes ------------ */

static cl_ulong turn(cl_ulong x, int n)
{
	return n % 64 ? x << n % 64 | x >> (64 - n % 64) : x;
}

/* The round constants are bits of a shift register (section 3.2.5). */
static bool register_bit(int t)
{
	unsigned r = 1;

	for (int i = 0; i < t % 255; i++)
		r = r << 1 ^ (r >> 7 & 1 ? 0x171 : 0);
	return r & 1;
}

static void permute(cl_ulong s[5][5])
{
	for (int round = 0; round < 24; round++) {
		cl_ulong parity[5] = { 0 }, t[5][5];
		for (int x = 0; x < 5; x++)
			for (int y = 0; y < 5; y++)
				parity[x] ^= s[y][x];
		for (int x = 0; x < 5; x++)
			for (int y = 0; y < 5; y++)
				s[y][x] ^= parity[(x + 4) % 5] ^ turn(parity[(x + 1) % 5], 1);
		memcpy(t, s, sizeof(t));
		for (int i = 0, x = 1, y = 0; i < 24; i++) {
			int next = (2 * x + 3 * y) % 5;
			t[y][x] = turn(s[y][x], (i + 1) * (i + 2) / 2);
			x = y;
			y = next;
		}
		for (int x = 0; x < 5; x++)
			for (int y = 0; y < 5; y++)
				s[(2 * x + 3 * y) % 5][y] = t[y][x];
		memcpy(t, s, sizeof(t));
		for (int x = 0; x < 5; x++)
			for (int y = 0; y < 5; y++)
				s[y][x] = t[y][x] ^ (~t[y][(x + 1) % 5] & t[y][(x + 2) % 5]);
		for (int j = 0; j <= 6; j++)
			s[0][0] ^= (cl_ulong)register_bit(j + 7 * round) << ((1 << j) - 1);
	}
}

static void prepare_keccak(cl_kernel kernel)
{
	bench_words((cl_uint *)messages, sizeof(messages) / 4, 42);
	bench_buffer(kernel, 0, messages, sizeof(messages));
	bench_result(kernel, 1, sizeof(messages));
}

/* The permutation of zeros begins with 0xf1258f7940e1dde7 (the Keccak team's test vectors). */
static bool keccak_is_right(const void *result)
{
	const cl_ulong *got = result;
	cl_ulong zeros[5][5] = { { 0 } };

	permute(zeros);
	if (zeros[0][0] != 0xf1258f7940e1dde7)
		return false;
	for (int i = 0; i < MESSAGES; i++) {
		cl_ulong s[5][5] = { { 0 } };
		for (int k = 0; k < 4; k++)
			s[0][k] = messages[k][i];
		permute(s);
		for (int k = 0; k < 4; k++)
			if (got[k * MESSAGES + i] != s[0][k])
				return false;
	}
	return true;
}

static void prepare_random64(cl_kernel kernel)
{
	bench_long(kernel, 1, 12345678987654321);
	bench_int(kernel, 2, STEPS);
	bench_result(kernel, 0, sizeof(cl_ulong) * STATES);
}

static bool random64_is_right(const void *result)
{
	const cl_ulong *got = result;

	for (int i = 0; i < STATES; i++) {
		cl_ulong state = 12345678987654321u + (cl_ulong)i, sum = 0;
		for (int n = 1; n <= STEPS; n++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			cl_uint x = (cl_uint)((state >> 18 ^ state) >> 27);
			sum += (cl_ulong)(x ^ x >> (state >> 59)) * (cl_ulong)n;
		}
		if (got[i] != sum)
			return false;
	}
	return true;
}

/* -- Pictures -------------------------------------------------------------------------------- */

static void prepare_sobel(cl_kernel kernel)
{
	bench_words(words, SIDE * SIDE / 4, 43);
	bench_buffer(kernel, 0, words, SIDE * SIDE);
	bench_int(kernel, 2, SIDE);
	bench_result(kernel, 1, SIDE * SIDE);
}

/* Roots may be a little off before they are cut. */
static bool sobel_is_right(const void *result)
{
	const cl_uchar *got = result, *in = (const cl_uchar *)words;

	for (int y = 1; y <= SIDE - 4; y++)
		for (int x = 1; x <= SIDE - 64; x++) {
			int right = 0, down = 0;
			for (int k = -1; k <= 1; k++) {
				const cl_uchar *at = in + (y + k) * SIDE + x;
				right += (2 - k * k) * (at[1] - at[-1]);
				at = in + y * SIDE + x + k;
				down += (2 - k * k) * (at[SIDE] - at[-SIDE]);
			}
			double root = fmin(sqrt((double)(right * right + down * down)), 255);
			int off = got[y * SIDE + x] - (int)root;
			if (off != 0 && (fabs(root - round(root)) > 1e-3 || abs(off) > 1))
				return false;
		}
	return true;
}

static void prepare_grey(cl_kernel kernel)
{
	bench_words(words, SIDE * SIDE, 44);
	bench_buffer(kernel, 0, words, sizeof(words));
	bench_result(kernel, 1, SIDE * SIDE);
}

static bool grey_is_right(const void *result)
{
	const cl_uchar *got = result, *in = (const cl_uchar *)words;

	for (int i = 0; i < SIDE * SIDE; i++)
		if (got[i] !=
			(in[4 * i] * 77 + in[4 * i + 1] * 151 + in[4 * i + 2] * 28 + 128) / 256)
			return false;
	return true;
}

/* -- Tables ---------------------------------------------------------------------------------- */

static void fill_bytes(void)
{
	bench_words((cl_uint *)bytes, sizeof(bytes) / 4, 45);
}

static void prepare_crc(cl_kernel kernel)
{
	for (cl_uint i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
	}
	fill_bytes();
	bench_buffer(kernel, 0, bytes, sizeof(bytes));
	bench_buffer(kernel, 1, table, sizeof(table));
	bench_result(kernel, 2, sizeof(cl_uint) * BLOCKS);
}

/* Bit by bit, without the table. */
static bool crc_is_right(const void *result)
{
	const cl_uint *got = result;

	for (int i = 0; i < BLOCKS; i++) {
		cl_uint sum = 0xffffffff;
		for (int bit = 0; bit < 512; bit++) {
			cl_uint low = (sum ^ (cl_uint)bytes[bit / 8][i] >> bit % 8) & 1;
			sum = sum >> 1 ^ (low ? 0xedb88320 : 0);
		}
		if (got[i] != ~sum)
			return false;
	}
	return true;
}

static void prepare_substitute(cl_kernel kernel)
{
	cl_uchar box[256];

	fill_bytes();
	for (int i = 0; i < 256; i++)
		box[i] = (cl_uchar)(i * 167 + 13);
	bench_buffer(kernel, 0, bytes, sizeof(bytes) / 4);
	bench_buffer(kernel, 1, box, sizeof(box));
	bench_result(kernel, 2, sizeof(bytes) / 2);
}

static bool substitute_is_right(const void *result)
{
	const cl_ushort *got = result;

	for (size_t i = 0; i < sizeof(bytes) / 4; i++) {
		unsigned x = bytes[i / BLOCKS][i % BLOCKS], sum = 0;
		for (unsigned k = 0; k < 16; k++) {
			x = ((x ^ k) * 167 + 13) & 255;
			sum = (sum * 3 + x) & 0xffff;
		}
		if (got[i] != sum)
			return false;
	}
	return true;
}

const struct bench_kernel bench_integer_kernels[] = {
	{ "integer", "dot_bytes", 2, { MATRIX, MATRIX }, { 64, 1 }, prepare_dot_bytes,
		dot_bytes_is_right },
	{ "integer", "keccak", 1, { MESSAGES }, { 64 }, prepare_keccak, keccak_is_right },
	{ "integer", "random64", 1, { STATES }, { 64 }, prepare_random64, random64_is_right },
	{ "integer", "sobel", 2, { SIDE - 64, SIDE - 4 }, { 64, 4 }, prepare_sobel,
		sobel_is_right },
	{ "integer", "grey", 1, { SIDE * SIDE }, { 256 }, prepare_grey, grey_is_right },
	{ "integer", "crc", 1, { BLOCKS }, { 64 }, prepare_crc, crc_is_right },
	{ "integer", "substitute", 1, { sizeof(bytes) / 4 }, { 256 }, prepare_substitute,
		substitute_is_right },
	{ NULL },
};
