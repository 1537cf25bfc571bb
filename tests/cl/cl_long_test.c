// SPDX-License-Identifier: MIT
/* 64-bit integers: arithmetic, shifts and atomics. */
#include "cl/cl_case.h"
#include "test_random.h"

#include <string.h>

#define N 256

__extension__ typedef unsigned __int128 wide;

/* Runs kernel `k` over n items in groups of `local`, with one buffer that starts as `data`. */
static void run(const char *source, size_t n, size_t local, size_t size, void *data)
{
	cl_run_on(source, "", "k", n, local, size, data);
}

static void test_arithmetic(void **state)
{
	static const char source[] =
		"kernel void k(global ulong *o)\n"
		"{ size_t i = get_global_id(0), n = get_global_size(0); ulong v = o[i];\n"
		"  uint s = v & 63; long w = as_long(v);\n"
		"  o[n + i] = v << s; o[2 * n + i] = v >> s; o[3 * n + i] = as_ulong(w >> s);\n"
		"  o[4 * n + i] = v * (v | 1); o[5 * n + i] = v / (o[(i + 1) % n] | 1);\n"
		"  o[6 * n + i] = as_ulong(w - (w >> 3)); o[7 * n + i] = v < o[(i + 1) % n];\n"
		"  o[8 * n + i] = mul_hi(v, v); o[9 * n + i] = popcount(v) * 100 + clz(v); }\n";
	static cl_ulong o[10 * N];
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < N; i++)
		o[i] = test_random(&seed);
	run(source, N, 64, sizeof o, o);
	for (int i = 0; i < N; i++) {
		cl_ulong a = o[i], b = o[(i + 1) % N];
		cl_long w = (cl_long)a;
		unsigned s = a & 63;

		assert_int_equal(o[N + i], a << s);
		assert_int_equal(o[2 * N + i], a >> s);
		assert_int_equal(o[3 * N + i], w >> s);
		assert_int_equal(o[4 * N + i], a * (a | 1));
		assert_int_equal(o[5 * N + i], a / (b | 1));
		assert_int_equal(o[6 * N + i], w - (w >> 3));
		assert_int_equal(o[7 * N + i], a < b);
		assert_int_equal(o[8 * N + i], (cl_ulong)((wide)a * a >> 64));
		assert_int_equal(o[9 * N + i], __builtin_popcountll(a) * 100 + __builtin_clzll(a));
	}
}

static void test_int64_atomics(void **state)
{
	static const char source[] =
		"#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
		"#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
		"kernel void k(global long *o)\n"
		"{ int i = get_global_id(0); long big = as_long((int2)(0, i * 2));\n"
		"  atom_add(o, big); atom_inc(o + 1); atom_min(o + 2, -big); atom_max(o + 3, "
		"big);\n"
		"  atom_or(o + 4, as_long((int2)(1 << (i & 31), 1 << (i & 15)))); atom_xor(o + 5, "
		"big); atom_cmpxchg(o + 6, 5l, "
		"6l); }\n";
	cl_long got[7] = { 0, 0, 0, 0, 0, 0, 5 };
	cl_long want[7] = { ((cl_long)N * (N - 1) / 2) << 33, N, -((cl_long)(N - 1) << 33),
		(cl_long)(N - 1) << 33, 0xffffffffffff, 0, 6 };

	(void)state;
	skip_if(!cl_has("cl_khr_int64_base_atomics") || !cl_has("cl_khr_int64_extended_atomics"));
	for (cl_long i = 0; i < N; i++)
		want[5] ^= i << 33;
	run(source, N, 64, sizeof got, got);
	for (int i = 0; i < 7; i++)
		assert_int_equal(got[i], want[i]);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_int64_atomics),
	};

	return CL_RUN(argc, argv, tests);
}
