// SPDX-License-Identifier: MIT
#ifndef EU_ASSEMBLER_H
#define EU_ASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Writes instructions of x86-64 with AVX2: as much of it as eu_compile.c wants. Registers are
 * numbers; of the general ones rsp, rbp and those from r12 on are not used.
 */

enum { EU_RAX, EU_RCX, EU_RDX, EU_RSI = 6, EU_RDI, EU_R8, EU_R9, EU_R10, EU_R11 };

/* What a distance of 32 bits that is not known yet leads to. */
enum eu_fixup_kind {
	EU_FIXUP_CONSTANT, /* bytes into the constants */
	EU_FIXUP_PLACE,	   /* where a micro-operation is executed, */
	EU_FIXUP_STENCIL,  /* or executed by its stencil, */
	EU_FIXUP_CALL,	   /* which comes back to what is behind the distance */
};

struct eu_fixup {
	uint32_t at, target;
	enum eu_fixup_kind kind;
};

/* Code that grows. Once memory was short, `failed` is set and nothing else happens. */
struct eu_code {
	uint8_t *bytes;
	uint32_t size, capacity;
	struct eu_fixup *fixups;
	uint32_t fixup_count, fixup_capacity;
	bool failed;
};

/*
 * A vector instruction: prefix (0: none, 1: 66, 2: f3, 3: f2), map (1: 0f, 2: 0f38, 3: 0f3a), code.
 * Of 256 bits, and with the bit W clear, unless these are added to the prefix.
 */
enum { EU_VEX_128 = 4, EU_VEX_W = 0x80 };
#define EU_VEX(prefix, map, code) ((uint32_t)((prefix) << 16 | (map) << 8 | (code)))

/* Those that several files write. */
enum {
	EU_V_LOAD = EU_VEX(0, 1, 0x10),
	EU_V_STORE = EU_VEX(0, 1, 0x11),
	EU_V_STORE_DWORD = EU_VEX(2, 1, 0x11), /* the first lane */
	EU_V_SPLAT = EU_VEX(1, 2, 0x18),
	EU_V_SPLAT_DWORD = EU_VEX(1, 2, 0x58),
	EU_V_FROM_HALVES = EU_VEX(1, 2, 0x13), /* the low 16 bytes */
	EU_V_MOVE = EU_VEX(0, 1, 0x28),
	EU_V_AND = EU_VEX(1, 1, 0xdb),
	EU_V_OR = EU_VEX(1, 1, 0xeb),
	EU_V_XOR = EU_VEX(1, 1, 0xef),
	EU_V_ADD = EU_VEX(1, 1, 0xfe),
	EU_V_EQUAL = EU_VEX(1, 1, 0x76),
	EU_V_SHIFT_BY = EU_VEX(1, 1, 0x72),
	EU_V_PACK_WORDS = EU_VEX(1, 2, 0x2b),
	EU_V_PACK_BYTES = EU_VEX(1, 1, 0x67),
	EU_V_AND_NOT = EU_VEX(1, 1, 0xdf), /* of the first */
	EU_V_SIGNS = EU_VEX(0, 1, 0x50),   /* of eight lanes, as bits of a general register */
	EU_V_FROM_GENERAL = EU_VEX(1 | EU_VEX_128, 1, 0x6e), /* the first lane; others are 0 */
};

static inline void eu_put(struct eu_code *c, unsigned byte)
{
	if (c->size == c->capacity) {
		uint32_t capacity = c->capacity ? 2 * c->capacity : 1024;
		uint8_t *bytes = c->failed ? NULL : realloc(c->bytes, capacity);
		if (!bytes) {
			c->failed = true;
			c->size = 0;
			return;
		}
		c->bytes = bytes;
		c->capacity = capacity;
	}
	c->bytes[c->size++] = (uint8_t)byte;
}

static inline void eu_put_32(struct eu_code *c, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		eu_put(c, value >> 8 * i & 0xff);
}

/* A distance to what is known later. */
static inline void eu_put_fixup(struct eu_code *c, enum eu_fixup_kind kind, uint32_t target)
{
	if (c->fixup_count == c->fixup_capacity) {
		uint32_t capacity = c->fixup_capacity ? 2 * c->fixup_capacity : 64;
		struct eu_fixup *fixups = realloc(c->fixups, capacity * sizeof(*fixups));
		if (!fixups) {
			c->failed = true;
			return;
		}
		c->fixups = fixups;
		c->fixup_capacity = capacity;
	}
	c->fixups[c->fixup_count++] = (struct eu_fixup){ c->size, target, kind };
	eu_put_32(c, 0);
}

static inline void eu_put_vex(
	struct eu_code *c, uint32_t op, unsigned reg, unsigned first, unsigned index, unsigned rm)
{
	eu_put(c, 0xc4);
	eu_put(c, (reg < 8) << 7 | (index < 8) << 6 | (rm < 8) << 5 | (op >> 8 & 0xff));
	eu_put(c, ((~first & 15) << 3 | 1 << 2) ^ op >> 16);
	eu_put(c, op & 0xff);
}

static inline void eu_put_place(struct eu_code *c, unsigned reg, unsigned base, uint32_t offset)
{
	eu_put(c, 0x80 | (reg & 7) << 3 | (base & 7));
	eu_put_32(c, offset);
}

/* d = op(a, b); a: 0 for instructions of one source. */
static inline void eu_vector(struct eu_code *c, uint32_t op, int d, int a, int b)
{
	eu_put_vex(c, op, (unsigned)d, (unsigned)a, 0, (unsigned)b);
	eu_put(c, 0xc0 | ((unsigned)d & 7) << 3 | ((unsigned)b & 7));
}

/* The same with a number behind it. */
static inline void eu_vector_number(
	struct eu_code *c, uint32_t op, int d, int a, int b, unsigned number)
{
	eu_vector(c, op, d, a, b);
	eu_put(c, number);
}

/* d = op(a, what is at base + offset), or a store of d. */
static inline void eu_vector_memory(
	struct eu_code *c, uint32_t op, int d, int a, unsigned base, uint32_t offset)
{
	eu_put_vex(c, op, (unsigned)d, (unsigned)a, 0, base);
	eu_put_place(c, (unsigned)d, base, offset);
}

/* A store of a part of d, which the number says. */
static inline void eu_vector_number_memory(
	struct eu_code *c, uint32_t op, int d, unsigned base, uint32_t offset, unsigned number)
{
	eu_vector_memory(c, op, d, 0, base, offset);
	eu_put(c, number);
}

/* The same at base + index + offset; the index may be a vector's. */
static inline void eu_vector_indexed(struct eu_code *c, uint32_t op, int d, int a, unsigned base,
	unsigned index, uint32_t offset)
{
	eu_put_vex(c, op, (unsigned)d, (unsigned)a, index, base);
	eu_put(c, 0x84 | ((unsigned)d & 7) << 3);
	eu_put(c, (index & 7) << 3 | base);
	eu_put_32(c, offset);
}

/* Stores the low 16 bytes of d, or 8, at base + index + offset. */
static inline void eu_vector_store_low(
	struct eu_code *c, int d, bool only_8, unsigned base, unsigned index, uint32_t offset)
{
	uint32_t op = only_8 ? EU_VEX(1 | EU_VEX_128, 1, 0xd6) : EU_VEX(EU_VEX_128, 1, 0x11);
	eu_vector_indexed(c, op, d, 0, base, index, offset);
}

/* d = op(a, the constant). */
static inline void eu_vector_constant(struct eu_code *c, uint32_t op, int d, int a, uint32_t offset)
{
	eu_put_vex(c, op, (unsigned)d, (unsigned)a, 0, 0);
	eu_put(c, 5 | ((unsigned)d & 7) << 3);
	eu_put_fixup(c, EU_FIXUP_CONSTANT, offset);
}

/* d = eax, in the first lane: vmovd. */
static inline void eu_vector_from_eax(struct eu_code *c, int d)
{
	eu_vector(c, EU_V_FROM_GENERAL, d, 0, EU_RAX);
}

/* Register `to` = the first lane of d: vmovd. */
static inline void eu_vector_to_general(struct eu_code *c, unsigned to, int d)
{
	eu_vector(c, EU_VEX(1 | EU_VEX_128, 1, 0x7e), d, 0, (int)to);
}

/* The quadwords of d in the order that the number says: vpermq. */
static inline void eu_vector_order(struct eu_code *c, int d, unsigned number)
{
	eu_vector_number(c, EU_VEX(1 | EU_VEX_W, 3, 0x00), d, 0, d, number);
}

/* General registers: `op` of one or two bytes (0f00 up), 0x10000 for 64 bits, 0x20000 for 16. */
enum {
	EU_GP_WIDE = 0x10000,
	EU_GP_SHORT = 0x20000,
	EU_GP_LOAD = 0x8b,
	EU_GP_STORE = 0x89,
	EU_GP_STORE_BYTE = 0x88,
	EU_GP_ADD = 0x03,
	EU_GP_ADD_TO = 0x01, /* memory */
	EU_GP_OR = 0x0b,
	EU_GP_OR_TO = 0x09, /* memory */
	EU_GP_AND = 0x23,
	EU_GP_SUB = 0x2b,
	EU_GP_XOR = 0x33,
	EU_GP_COMPARE = 0x3b,
	EU_GP_ADDRESS = 0x8d,
	EU_GP_TEST = 0x85,
	EU_GP_MULTIPLY = 0x0faf,
	EU_GP_MOVE_IF_ABOVE = 0x0f47,
	EU_GP_WORD = 0x0fb7,
	EU_GP_FIRST_BIT = 0x0fbc,
	EU_GP_SHIFTS = 0xc1,
	EU_GP_ADD_NUMBER = 0x81, /* register 0; the number follows */
	EU_GP_SET = 0xc7,	 /* so here */
	EU_GP_COUNT = 0xff,	 /* up: register 0, down: 1 */
};

static inline void eu_put_general(struct eu_code *c, uint32_t op)
{
	if (op & EU_GP_SHORT)
		eu_put(c, 0x66);
	if (op & EU_GP_WIDE)
		eu_put(c, 0x48);
	if (op & 0xff00)
		eu_put(c, op >> 8 & 0xff);
	eu_put(c, op & 0xff);
}

static inline void eu_general(struct eu_code *c, uint32_t op, unsigned reg, unsigned other)
{
	eu_put_general(c, op);
	eu_put(c, 0xc0 | reg << 3 | other);
}

/* r8 and up are bases and targets of instructions of one byte. */
static inline void eu_general_memory(
	struct eu_code *c, uint32_t op, unsigned reg, unsigned base, uint32_t offset)
{
	if (reg > 7 || base > 7) {
		eu_put(c, 0x40 | (op & EU_GP_WIDE ? 8 : 0) | (reg > 7) << 2 | (base > 7));
		op &= 0xff;
	}
	eu_put_general(c, op);
	eu_put_place(c, reg, base, offset);
}

/* At base + index + offset, of the first eight. */
static inline void eu_general_indexed(struct eu_code *c, uint32_t op, unsigned reg, unsigned base,
	unsigned index, uint32_t offset)
{
	eu_put_general(c, op);
	eu_put(c, 0x84 | reg << 3);
	eu_put(c, index << 3 | base);
	eu_put_32(c, offset);
}

enum {
	EU_SHIFT_ROL = 0,
	EU_SHIFT_ROR = 1,
	EU_SHIFT_LEFT = 4,
	EU_SHIFT_RIGHT = 5,
	EU_SHIFT_SIGN = 7
};

static inline void eu_general_shift(
	struct eu_code *c, unsigned kind, uint32_t wide, unsigned reg, unsigned number)
{
	if (number == 0)
		return;
	eu_general(c, EU_GP_SHIFTS | wide, kind, reg);
	eu_put(c, number);
}

/* Jumps: conditions as the processor numbers them. Returns the place for eu_jump_here. */
enum {
	EU_IF_BELOW = 2,
	EU_IF_NOT_BELOW,
	EU_IF_ZERO = 4,
	EU_IF_NOT_ZERO = 5,
	EU_IF_ABOVE = 7,
	EU_IF_NOT_GREATER = 14, /* with signs */
	EU_ALWAYS = 16
};

static inline uint32_t eu_jump(struct eu_code *c, unsigned condition)
{
	if (condition == EU_ALWAYS) {
		eu_put(c, 0xe9);
	} else {
		eu_put(c, 0x0f);
		eu_put(c, 0x80 | condition);
	}
	eu_put_32(c, 0);
	return c->size;
}

/* The jump that ends at `from` leads to `to`. */
static inline void eu_jump_to(struct eu_code *c, uint32_t from, uint32_t to)
{
	uint32_t distance = to - from;
	if (!c->failed)
		memcpy(c->bytes + from - 4, &distance, 4);
}

static inline void eu_jump_here(struct eu_code *c, uint32_t from)
{
	eu_jump_to(c, from, c->size);
}

#endif
