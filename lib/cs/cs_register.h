// SPDX-License-Identifier: MIT
#ifndef CS_REGISTER_H
#define CS_REGISTER_H

#include <stdbool.h>
#include <stdint.h>

/* MMIO offsets that mean something to the streamer. */
enum {
	CS_REG_TIMESTAMP = 0x2358, /* 36 bits in two dwords, read only */
	CS_REG_CONTEXT_TIMESTAMP = 0x23a8,
	CS_REG_PREDICATE_RESULT_2 = 0x23bc,
	CS_REG_PREDICATE_RESULT = 0x2418, /* bit 0: predicated packets run */
	CS_REG_DISPATCH_X = 0x2500,	  /* group counts of indirect walkers: X, Y, Z */
	CS_REG_GPR = 0x2600,		  /* R0 … R15, 64 bits each */
	CS_REG_GT_MODE = 0x7008,	  /* bits 31:16 say which of 15:0 a write changes */
	CS_ENGINE_BASE = 0x2000,	  /* added when a packet asks for engine-relative offsets */
};

enum { CS_GT_MODE_TABLES_18_8 = 1 << 10 }; /* how binding tables are addressed */

enum { CS_ENGINE_REGISTERS = 0x1000 / 4, CS_OTHER_REGISTERS = 64 };

/* A context's registers: the engine's own 4 KiB, and the few others that a batch has written. */
struct cs_registers {
	uint32_t engine[CS_ENGINE_REGISTERS];
	struct {
		uint32_t offset, value;
	} other[CS_OTHER_REGISTERS];
	unsigned other_count;
};

uint32_t cs_register_get(const struct cs_registers *registers, uint32_t offset);
/* False when too many registers outside the engine have been written. */
bool cs_register_set(struct cs_registers *registers, uint32_t offset, uint32_t value);

/* R0 … R15 as MI_MATH sees them. */
uint64_t cs_register_gpr(const struct cs_registers *registers, unsigned n);
void cs_register_set_gpr(struct cs_registers *registers, unsigned n, uint64_t value);

#endif
