// SPDX-License-Identifier: MIT
/*
 * Functions that kernels call through pointers, which the compiler does when told to, and for large
 * programs: calls from divergent places, in loops, and of functions that call others.
 */
#include "cl/cl_case.h"
#include "test_random.h"

#include <stdlib.h>
#include <string.h>

#define N 1000

/* The same text is the kernel's and, as C, the reference. */
#define FUNCTIONS                                                                                  \
	static uint mix(uint x, uint n)                                                            \
	{                                                                                          \
		for (uint i = 0; i < (n & 7); i++)                                                 \
			if (x & 1 << i)                                                            \
				x = x * 69069 + i;                                                 \
			else                                                                       \
				x ^= x >> 3;                                                       \
		return x;                                                                          \
	}                                                                                          \
	static uint walk(uint x, uint n)                                                           \
	{                                                                                          \
		uint sum = n;                                                                      \
		while (x > 100) {                                                                  \
			if (x % 3)                                                                 \
				sum += mix(x, n);                                                  \
			x /= 5;                                                                    \
		}                                                                                  \
		return mix(sum, x);                                                                \
	}                                                                                          \
	static uint start(uint x)                                                                  \
	{                                                                                          \
		return x & 1 ? walk(x, x >> 28) : mix(walk(~x, 5), x);                             \
	}
#define TEXT(x)	   TEXT_OF(x)
#define TEXT_OF(x) #x

typedef cl_uint uint;
FUNCTIONS

static const char source[] = TEXT(FUNCTIONS) "__attribute__((intel_reqd_sub_group_size(8)))\n"
					     "kernel void k(global uint *data)\n"
					     "{\n"
					     "	uint i = get_global_id(0);\n"
					     "	if (data[i] % 7)\n"
					     "		data[i] = start(data[i]);\n"
					     "}\n";

static void functions_come_back(void **state)
{
	cl_uint data[N], expected[N];
	uint64_t seed = 1;

	(void)state;
	for (unsigned i = 0; i < N; i++) {
		data[i] = (cl_uint)(test_random(&seed) >> 32) >> i % 30;
		expected[i] = data[i] % 7 ? start(data[i]) : data[i];
	}
	cl_run_on(source, "", "k", N, 0, sizeof data, data);
	for (unsigned i = 0; i < N; i++)
		assert_int_equal(data[i], expected[i]);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_come_back),
	};

	setenv("IGC_FunctionControl", "4", 1);
	return CL_RUN(argc, argv, tests);
}
