// SPDX-License-Identifier: MIT
#ifndef EU_DEBUG_MEMORY_H
#define EU_DEBUG_MEMORY_H

#include "eu/debug/eu_debug_world.h"

/*
 * Memory as GDB sees it, of the thread that it has chosen: GPU addresses, and beyond all of these
 * what has none. Local memory is at EU_DEBUG_LOCAL, scratch space at EU_DEBUG_SCRATCH, as IGC's
 * DWARF has them; pointers of the generic address space carry a tag in bits 63:61.
 *
 * The registers are memory too: a variable in lane i of a register is then an address that an
 * expression of plain DWARF computes. There follow cells of 64 bits: the first sixteen are the
 * registers below 16 of IGC's numbering (DebugInfo, RegisterNumbering), then the lane, then the
 * address of the code.
 */
#define EU_DEBUG_SCRATCH   UINT64_C(0x0900000000000000)
#define EU_DEBUG_REGISTERS UINT64_C(0x0b00000000000000)
enum {
	EU_DEBUG_CELLS = GEN_GRF_COUNT * GEN_GRF_BYTES, /* from EU_DEBUG_REGISTERS on */
	EU_DEBUG_CELL_LANE = 16,
	EU_DEBUG_CELL_CODE,
	EU_DEBUG_CELL_COUNT
};

/* How many of `size` bytes could be read or written, from the first on. Under the world's lock. */
size_t eu_debug_read(const struct eu_debug_thread *t, uint64_t address, void *out, size_t size);
size_t eu_debug_write(struct eu_debug_thread *t, uint64_t address, const void *in, size_t size);

/* Reads memory for watchpoints: GPU addresses and local memory alone. */
void eu_debug_peek(struct eu_thread *thread, uint64_t address, void *out, size_t size);

#endif
