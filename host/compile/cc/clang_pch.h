// SPDX-License-Identifier: MIT
#ifndef CLANG_PCH_H
#define CLANG_PCH_H

#include <stdbool.h>

/*
 * Precompiled headers for Intel's front end, in zerocl-cc. The front end reads its header of
 * built-in functions, a megabyte of text, for each program; that takes twenty times as long as the
 * program itself. Here clang compiles the header once for each set of options, and programs are
 * compiled with the result, which the cache keeps too. Compiler, options and translator stay the
 * same. A build that fails or has messages is repeated without the compiled header, so that
 * messages are the compiler's own. Not thread-safe.
 */

/*
 * Finds clang and its header among the libraries that the front end `handle` depends on. The front
 * end must have been loaded without RTLD_DEEPBIND, so that it calls the function of this file. If
 * ZEROCL_FRONTEND is "stock", or clang has its header elsewhere, no header is compiled.
 */
void clang_pch_install(void *handle);

/* Called before each build. `is_stock`: the build must not use a compiled header. */
void clang_pch_begin(bool is_stock);

/*
 * Compiles the header for the options of the last build, if it was missing. Takes longer than a
 * build: call it when no request waits.
 */
void clang_pch_prepare(void);

/* Whether clang_pch_prepare is running. Thread-safe. */
bool clang_pch_is_busy(void);

#endif
