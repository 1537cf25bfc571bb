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
	uint32_t offset, line, column;
};

struct eu_name {
	const char *kernel;
	const struct eu_name_line *lines; /* by ascending offset */
	size_t count;
	const char *source;	     /* or NULL */
	bool has_sub_group_barriers; /* as far as is known */
	/* Of local memory: what the compiler's work-group functions keep there. */
	uint32_t hidden_first, hidden_end;
};

/*
 * `bytes` of code at a GPU address are this kernel; all of it is copied. Replaces what was known of
 * that address. False when memory is short.
 */
bool eu_name_add(uint64_t address, uint64_t bytes, const struct eu_name *name);
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

/*
 * The same for all instructions of `kernel`, and the source; NULL is not known. False when memory
 * is short. The caller finishes it.
 */
struct eu_name_program {
	char *kernel, *source;
	struct eu_name_line *lines; /* of each instruction; of functions all zeros */
};
bool eu_name_program(const struct eu_worker *worker, const struct eu_kernel *kernel,
	struct eu_name_program *program);
void eu_name_program_finish(struct eu_name_program *program);

/*
 * Copies line `line` of the source of the walker's kernel, without the end of the line, cut at
 * `size`; "" when it is not known. Returns whether it is.
 */
bool eu_name_text(const struct eu_worker *worker, uint32_t line, char *text, size_t size);

/*
 * What is known of the walker's kernel as a whole: how many lines, has_sub_group_barriers,
 * hidden_first and hidden_end; else it may have such barriers and nothing is hidden.
 */
struct eu_name eu_name_traits(const struct eu_worker *worker);

#endif
