// SPDX-License-Identifier: MIT
#ifndef EU_SYMBOLS_H
#define EU_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct eu_worker;

/*
 * What the program in front has told of its machine code, for reports: where which kernel is, and
 * its source lines. From any thread. Nothing else depends on it.
 */

/* From `offset` in the kernel on, up to the next row; line 0: of none. */
struct eu_name_line {
	uint32_t offset, line;
};

/*
 * `bytes` of code at a GPU address are this kernel; rows by ascending offset, copied. Replaces what
 * was known of that address. False when memory is short.
 */
bool eu_name_add(uint64_t address, uint64_t bytes, const char *kernel,
	const struct eu_name_line *lines, size_t count);
/* Nothing is known of code that begins there any more. */
void eu_name_remove(uint64_t address);

/* Which eu_name_add, from 1 on, named the kernel of the worker's walker; 0: none did. */
uint64_t eu_name_number(const struct eu_worker *worker);

/*
 * Fills in the name of the kernel that the worker's walker has started, and instruction `inst` of
 * `kernel`, which is that or a function that it called; (UINT32_MAX) the name alone. As far as they
 * are known.
 */
struct eu_kernel;
struct gen_fault_place;
void eu_name_find(const struct eu_worker *worker, const struct eu_kernel *kernel, uint32_t inst,
	struct gen_fault_place *place);

#endif
