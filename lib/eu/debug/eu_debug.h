// SPDX-License-Identifier: MIT
#ifndef EU_DEBUG_H
#define EU_DEBUG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eu/state/eu_thread.h"

/*
 * ZEROCL_VGPU_GDB: kernels under GDB. A thread of the device, the stub, speaks GDB's remote serial
 * protocol; the host thread that executes EU threads calls the functions below and stays in them
 * while GDB has stopped the kernel. All host threads but one are left out of a walker then, so
 * that to hold that one is to stop all. Nothing here is called when the variable is not set.
 */

/* Whether the variable is set, for this process. */
bool eu_debug_wanted(void);

/*
 * Around each walker. The first call makes the socket; then, before the first instruction, the
 * walker waits until GDB has come. One walker at a time: the next waits in here until it may begin,
 * or until *stop becomes non-zero.
 */
void eu_debug_walker_begin(const struct gen_device *device, const struct eu_dispatch *dispatch,
	const atomic_int *stop);
void eu_debug_walker_end(const struct eu_dispatch *dispatch);

/* A thread is about to execute its first instruction; it has ended. */
void eu_debug_thread_begin(struct eu_thread *thread);
void eu_debug_thread_end(struct eu_thread *thread);

/*
 * Before instruction `inst` of the thread's code. Returns when the thread may go on; with
 * thread->held set when it must leave the instruction to be begun again another time, because GDB
 * lets only other threads run.
 */
void eu_debug_step(struct eu_thread *thread, uint32_t inst);

/* Whether a watchpoint exists at all; then eu_debug_touch is to be told of each access. */
bool eu_debug_watches(void);
/* An access to [address, address + bytes) that `inst` is about to make for channel `channel`. */
void eu_debug_touch(
	struct eu_thread *thread, uint64_t address, unsigned bytes, bool writes, unsigned channel);
/* Addresses of local memory, which GPU addresses do not reach: those of IGC's DWARF. */
#define EU_DEBUG_LOCAL UINT64_C(0x0a00000000000000)

/* The thread has failed; the worker's fault says why. Returns when GDB lets it go on to fail. */
void eu_debug_fault(struct eu_thread *thread);
/* A check has found something that the thread is about to do at `inst`; `text` is of one line. */
void eu_debug_found(const struct eu_thread *thread, uint32_t inst, const char *text);

/*
 * `bytes` of code at a GPU address are this kernel, of which `binary` is a zebin with debug
 * information (NULL: none) and `source` the program's text (or NULL). All is copied. False when
 * memory is short.
 */
bool eu_debug_code_add(uint64_t address, uint64_t bytes, const char *kernel, const void *binary,
	size_t binary_size, const char *source);
void eu_debug_code_remove(uint64_t address);

#endif
