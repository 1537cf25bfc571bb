// SPDX-License-Identifier: MIT
#ifndef NATIVE_TALLY_H
#define NATIVE_TALLY_H

#include <stddef.h>

/*
 * Counts the instructions of disassembled code, as libiga64 prints it, by class: messages by the
 * name of what they do, other instructions by their opcode and by how they cross lanes. The demo
 * subtracts a kernel without a built-in from the kernel with it; `zerocl isa` counts the
 * instructions of a source line.
 */
struct native_tally;

/* Returns an empty tally, or NULL without memory. Ownership: the caller destroys it. */
struct native_tally *native_tally_create(void);
void native_tally_destroy(struct native_tally *tally);

/* Adds `times` (which may be negative) for each instruction of `text`, lines of disassembly. */
void native_tally_add(struct native_tally *tally, const char *text, int times);

/*
 * Writes the classes whose count is positive: messages first, then synchronisation, then moves that
 * cross lanes, then the rest; for example "synchronized SLM fence, signal barrier, sync.bar, 2
 * mov". Writes "" if there is none. The text is cut at `size` bytes.
 */
void native_tally_write(struct native_tally *tally, char *text, size_t size);

/* Writes the class of an instruction's line; "" for a line without an instruction. */
void native_tally_class(const char *line, char *name, size_t size);

#endif
