// SPDX-License-Identifier: MIT
#ifndef CLANG_PCH_H
#define CLANG_PCH_H

#include <stdbool.h>

/*
 * A faster way through Intel's front end, in zerocl-cc. The front end reads its header of built-in
 * functions, a megabyte of text, for each program: twenty times the work that the program itself
 * is. Here the front end compiles the header once for each set of options and then takes what it
 * made (a precompiled header of clang's), which is kept in the cache too. All else is the same:
 * compiler, options, translator. Whatever is not a build without a word is built again in the stock
 * way, so that messages are the stock ones. Not for several threads.
 */

/*
 * Finds clang and its header among the libraries that the front end `handle` depends on. The front
 * end must have been loaded without RTLD_DEEPBIND, so that it calls the function of this file. If
 * ZEROCL_FRONTEND is "stock", or clang has its header elsewhere, everything is built in the stock
 * way.
 */
void clang_pch_install(void *handle);

/* Before each build: whether it is to be one in the stock way. */
void clang_pch_begin(bool is_stock);

/*
 * Compiles the header for the options of the last build, if that lacked it. Takes longer than a
 * build, so it is for the time when nobody waits.
 */
void clang_pch_prepare(void);

/* Whether clang_pch_prepare is at work; from any thread. */
bool clang_pch_is_busy(void);

#endif
