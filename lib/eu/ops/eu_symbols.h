// SPDX-License-Identifier: MIT
#ifndef EU_SYMBOLS_H
#define EU_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct eu_thread;

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

/* Which eu_name_add, from 1 on, named the kernel that the thread is of; 0: none did. */
uint64_t eu_name_number(const struct eu_thread *thread);

/*
 * Fills in the kernel's name and instruction `inst` of the code that the thread executes, or
 * (UINT32_MAX) the name alone, as far as they are known.
 */
struct gen_fault_place;
void eu_name_find(const struct eu_thread *thread, uint32_t inst, struct gen_fault_place *place);

/*
 * The same as text: "kernel NAME, line L, instruction at 0xOFFSET: TEXT" of instruction `inst` of
 * the code that the thread executes, as much of it as is known; `inst` UINT32_MAX: the kernel
 * alone, which may be nothing. The offset is from the beginning of the kernel, or of the function
 * that it has called.
 */
void eu_name_place(const struct eu_thread *thread, uint32_t inst, char *text, size_t size);

#endif
