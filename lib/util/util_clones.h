// SPDX-License-Identifier: MIT
#ifndef UTIL_CLONES_H
#define UTIL_CLONES_H

/*
 * A function that is built for AVX2 too; which of both runs, the processor decides when the library
 * is loaded. For loops over numbers that do the same on both: no fused multiplications.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) &&    \
	!defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define UTIL_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define UTIL_CLONES
#endif

#endif
