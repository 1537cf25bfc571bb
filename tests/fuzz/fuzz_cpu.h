// SPDX-License-Identifier: MIT
#ifndef FUZZ_CPU_H
#define FUZZ_CPU_H

#include <string.h>

/*
 * Included before every file that is built for ci/fuzz: Clang 14 does not know the names of all
 * features. AVX2 stands for all that come with it; AVX-512 is not fuzzed.
 */
static inline int fuzz_cpu_supports(const char *feature)
{
#ifdef __x86_64__
	return strncmp(feature, "avx512", 6) != 0 && __builtin_cpu_supports("avx2");
#else
	(void)feature;
	return 0;
#endif
}
#define __builtin_cpu_supports(feature) fuzz_cpu_supports(feature)

#endif
