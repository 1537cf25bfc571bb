// SPDX-License-Identifier: MIT
#ifndef BUILTIN_PRUNE_H
#define BUILTIN_PRUNE_H

#include <stdbool.h>

/*
 * A faster way through Intel's back end, in zerocl-cc. For each program, the back end reads a
 * module of all built-in functions that there are, 25,000 of them, and drops those that the program
 * does not call: that is three quarters of the work that a small kernel is. Here it is given the
 * same module without the functions that programs hardly ever call, made once and kept in the
 * cache. A program that needs one of those is built with the whole module. All else is the same,
 * and so is the code. Not for several threads.
 */

/*
 * Puts itself between the back end `handle`, of dlopen, and LLVM, unless ZEROCL_FRONTEND is
 * "stock". False: everything is built in the stock way.
 */
bool compile_bif_install(void *handle);

/* Before each build: whether it is to be one in the stock way. */
void compile_bif_begin(bool is_stock);

/*
 * After a build that failed or did not: whether the module was a smaller one, and the build is not
 * without a doubt what it would be with the whole one. Then it is to be built again, in the stock
 * way.
 */
bool compile_bif_is_doubtful(bool has_failed);

/*
 * Has a process of its own make the smaller modules, if the last build lacked them and the cache
 * is on. It closes `channel` and ends by itself.
 */
void compile_bif_prepare(int channel);

/* Waits for that process. */
void compile_bif_wait(void);

/* In a child: that process is its parent's. */
void compile_bif_forget(void);

#endif
