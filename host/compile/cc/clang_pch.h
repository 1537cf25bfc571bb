// SPDX-License-Identifier: MIT
#ifndef CLANG_PCH_H
#define CLANG_PCH_H

#include <stdbool.h>

/*
 * Precompiled headers for Intel's front end, in zerocl-cc. The front end reads its header of
 * built-in functions, a megabyte of text, for each program; that takes twenty times as long as the
 * program itself. Here clang compiles the header once for each set of options, and programs are
 * compiled with the result, which the cache keeps too. Compiler, options and translator stay the
 * same. One that is missing is compiled in a process of its own. A build that fails or has messages
 * is repeated without the compiled header, so that messages are the compiler's own. Not
 * thread-safe.
 */

/*
 * Finds clang and its header among the libraries that the front end `handle` depends on. The front
 * end must have been loaded without RTLD_DEEPBIND, so that it calls the function of this file. If
 * ZEROCL_FRONTEND is "stock", or clang has its header elsewhere, no header is compiled.
 */
void clang_pch_install(void *handle);

/* From now on, each build compiles the header for its options first, whether or not it is there. */
void clang_pch_prepare(void);

#endif
