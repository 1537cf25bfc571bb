// SPDX-License-Identifier: MIT
#ifndef EU_DEBUG_DWARF_H
#define EU_DEBUG_DWARF_H

#include <dwarf.h>

#include "eu/debug/eu_debug_bytes.h"

/*
 * IGC's DWARF made into DWARF that any debugger reads. IGC describes where a variable is by
 * operations of its own: the lane that is looked at (DW_OP_INTEL_push_simd_lane), bits of a
 * register whose number is computed (DW_OP_INTEL_regs, _push_bit_piece_stack, _regval_bits). Here
 * registers become memory, from the address on that DWARF's register 3 (x86-64: rbx) holds, and the
 * lane a cell of it (eu_debug_memory.h). What calls keep in r127 becomes rbp (frame of private
 * memory), r12 (frame of scratch space), r13 (return offset) and r14 (frame of the kernel), which
 * CFI can restore.
 */

/* Appends the expression. False, and then nothing is appended, for what cannot be said. */
bool eu_debug_expression(struct eu_debug_bytes from, struct eu_debug_text *out);

/* Added to addresses in the code of other kernels: what is about them is left out. */
#define EU_DEBUG_ELSEWHERE (UINT64_C(1) << 62)
#define EU_DEBUG_NO_LINES  UINT64_MAX

/*
 * The unit of .debug_info that is not elsewhere, of which `loc` is the .debug_loc, into `out` and
 * `out_loc`. `path` is the source's, or NULL: as it is named. *lines is where .debug_line has its
 * unit, which is told to be the first, or EU_DEBUG_NO_LINES. False: it is malformed, or has no such
 * unit.
 */
bool eu_debug_info(struct eu_debug_bytes info, struct eu_debug_bytes abbrev,
	struct eu_debug_bytes loc, const char *path, struct eu_debug_text *out,
	struct eu_debug_text *out_loc, uint64_t *lines);

/*
 * The first unit of .debug_line, whose first file is at `path`, unless that is NULL, with what the
 * compiler says wrongly of prologues mended. False: it is malformed.
 */
bool eu_debug_line(struct eu_debug_bytes lines, const char *path, struct eu_debug_text *out);

/* .debug_frame, what is elsewhere aside. False: it is malformed, or cannot be said. */
bool eu_debug_frame(struct eu_debug_bytes frame, struct eu_debug_text *out);

/* The same for a kernel that has none: its threads call nothing. */
void eu_debug_frame_of_kernel(struct eu_debug_text *out, uint64_t address, uint64_t bytes);

/* The registers of x86-64 in DWARF (System V ABI, figure 3.36). */
enum {
	EU_DEBUG_DWARF_RBX = 3,
	EU_DEBUG_DWARF_RBP = 6,
	EU_DEBUG_DWARF_R12 = 12,
	EU_DEBUG_DWARF_R13 = 13,
	EU_DEBUG_DWARF_R14 = 14,
	EU_DEBUG_DWARF_RIP = 16,
};
/* IGC's numbers; since 2.x, the return address is that of the instruction pointer. */
enum {
	EU_DEBUG_IGC_IP = 0,
	EU_DEBUG_IGC_GRF = 16,
	EU_DEBUG_IGC_CALL = 16 + 127,
	EU_DEBUG_IGC_RETURN = 144
};

/* IGC's operations. */
enum {
	DW_OP_INTEL_REGS = 0xeb,
	DW_OP_INTEL_PUSH_BITS = 0xec,
	DW_OP_INTEL_PUSH_LANE = 0xed,
	DW_OP_INTEL_REGVAL_BITS = 0xfe,
};

#endif
