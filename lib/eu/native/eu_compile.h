// SPDX-License-Identifier: MIT
#ifndef EU_COMPILE_H
#define EU_COMPILE_H

#include "eu/native/eu_assembler.h"
#include "eu/ops/eu_kernel.h"

/*
 * Machine code of basic blocks, for hosts with AVX2: values stay in the host's vector registers
 * from one micro-operation to the next, and those that nobody reads again are never written back.
 * A block is a run of micro-operations that have a translation here; between blocks, and wherever a
 * message does not touch memory as most do, the stencils go on, which find everything in struct
 * eu_thread.
 */

/* Code for the micro-operations `first` to `end` - 1. */
struct eu_block {
	uint32_t first, end;
	struct eu_code code;
};

struct eu_blocks {
	struct eu_block *block; /* in the order of the micro-operations */
	uint32_t count, capacity;
	/* The block behind the prologue once more, for prologue.direct; without code: there is
	 * none. */
	struct eu_block direct;
	uint32_t line_count; /* of its messages */
	struct eu_line lines[EU_LINES];
	/* The same as a loop, for prologue.sweep. */
	struct eu_block sweep;
	uint32_t again; /* in its code, for prologue.again */
	uint32_t stretch_count;
	struct eu_stretch stretches[EU_STRETCHES];
};

/* What fixups of the kind EU_FIXUP_CONSTANT count from; aligned to 32 bytes. */
extern const uint32_t eu_compile_constants[];
extern const uint32_t eu_compile_constants_bytes;

/* Makes the blocks of a kernel; none when memory is short. eu_blocks_finish is for the caller. */
void eu_blocks_make(struct eu_blocks *blocks, const struct eu_kernel *kernel);
void eu_blocks_finish(struct eu_blocks *blocks);

/* -- Inside ---------------------------------------------------------------------------------- */

enum {
	EU_UNIT = 32, /* bytes that a register of the host holds */
	EU_UNITS = offsetof(struct eu_thread, wait) / EU_UNIT + 1,
	EU_FLAG_BYTES = sizeof(((struct eu_thread *)0)->flag),
	EU_COMPILE_REGISTERS = 16,
	EU_COMPILE_LONG = 1 << 14, /* bytes of a block's code, of which caches hold less */
};

/*
 * Registers of the prologue that are nowhere but in thread->own and delta, as bits: units of the
 * general registers have the registers' numbers.
 */
struct eu_pending {
	uint64_t bits[GEN_GRF_COUNT / 64];
};

/* A set of units of struct eu_thread, behind which come those bytes of the flags that are masks. */
struct eu_units {
	uint64_t bits[(EU_UNITS + EU_FLAG_BYTES + 63) / 64];
};

/* Of a micro-operation. */
struct eu_live {
	struct eu_units units; /* that somebody may read before they are written, from it on */
	bool is_free;	       /* nobody reads what it leaves in lanes whose channels are off */
};

/* Constants, as offsets into eu_compile_constants. */
enum eu_compile_constant {
	EU_CONSTANT_STEPS = 0, /* from lane to lane, of 1, 2, 4, 8, 16: lanes 0 to 7, 8 to 15 */
	EU_CONSTANT_BITS = 10 * EU_UNIT,   /* 1, 2 … 128 */
	EU_CONSTANT_BITS_8 = 11 * EU_UNIT, /* 256 … */
	EU_CONSTANT_SIGN = 12 * EU_UNIT,
	EU_CONSTANT_MAGNITUDE = 13 * EU_UNIT,
	EU_CONSTANT_WORD = 14 * EU_UNIT,
	EU_CONSTANT_BYTE = 15 * EU_UNIT,
	EU_CONSTANT_31 = 16 * EU_UNIT,
	EU_CONSTANT_ONE = 17 * EU_UNIT,	       /* 1.0f */
	EU_CONSTANT_HIGH_BYTES = 18 * EU_UNIT, /* of words */
	EU_CONSTANT_HALF_RANGE = 19 * EU_UNIT, /* 0x1p31f */
	EU_CONSTANT_WORDS_LOW = 22 * EU_UNIT,  /* the order of bytes: low words of dwords first */
	EU_CONSTANT_1 = 20 * EU_UNIT,
	/* Of 2^-14 the bits without the sign, twice, and 0x7ffffffe more. */
	EU_CONSTANT_LEAST_HALF = 21 * EU_UNIT,
	/* Words: the sign; all but the sign; the bits of 2^-14, twice, and 0x7fff more. */
	EU_CONSTANT_SIGNS_16 = 23 * EU_UNIT,
	EU_CONSTANT_MAGNITUDES_16 = 24 * EU_UNIT,
	EU_CONSTANT_LEAST_16 = 25 * EU_UNIT,
};

/*
 * What a register of the host holds: nothing (key < 0), a unit, a dword for all lanes, or a byte of
 * the flags as the masks of eight lanes.
 */
struct eu_holder {
	int32_t key;	/* offset of the unit; the dword, with EU_SPLAT; the byte, with EU_MASKS */
	int32_t narrow; /* of eight elements that these are besides, widened; -1: of none */
	uint32_t widen; /* … by that instruction */
	uint32_t used;
	bool dirty, pinned;
	uint8_t zeros; /* so many high bits of each dword are known to be 0 */
};

enum { EU_PLACE = (1 << 20) - 1, EU_SPLAT = 1 << 20, EU_MASKS = 1 << 21, EU_INVERTED = 1 << 22 };

struct eu_translator;
struct eu_run;

/* What a message is translated with, which comes before it. */
enum eu_before { EU_BEFORE_NOTHING, EU_BEFORE_TALLY, EU_BEFORE_PROBE };

/* A piece out of line, written when the block ends. */
struct eu_detour {
	void (*write)(struct eu_translator *s, const struct eu_detour *detour);
	const struct eu_uop *u;
	uint32_t index, lanes, from[3], back;
	int at[2], mask[2], to[8], spare, other;
	int8_t in[2][3];		  /* sources of two halves */
	uint8_t element, channels, parts; /* as eu_compile_message.c numbers them; of channels */
	int8_t data[2][4];		  /* what two halves store */
	uint8_t space;			  /* enum eu_space */
	uint32_t result;		  /* of a load: the first unit of what is in `to` */
	bool store, masked;		  /* masked: of the lanes in `mask` */
	bool merges;			  /* … and the others stay what they were */
	uint8_t before; /* enum eu_before: what the micro-operation before it is, out of line */
	unsigned line;	/* 1 + its number: `at` is not loaded, it is pending; 0: none */
	/* At the beginning of the micro-operation: */
	struct eu_holder holders[EU_COMPILE_REGISTERS];
	struct eu_pending pending;
};

/* A kernel while its blocks are made. */
struct eu_translator {
	const struct eu_kernel *kernel;
	struct eu_code *c;
	struct eu_holder holders[EU_COMPILE_REGISTERS];
	uint8_t zeros[EU_UNITS];	   /* of what units hold, as those of holders */
	struct eu_pending pending, stored; /* stored: in memory too */
	uint8_t slots[GEN_GRF_COUNT];	   /* of pending registers, their place in the prologue's */
	struct eu_blocks *blocks;
	uint32_t clock;
	uint32_t index;		    /* of the micro-operation */
	const struct eu_live *live; /* behind it, or behind the step that is translated */
	bool is_free;		    /* eu_live.is_free of what is translated */
	bool is_plain;	 /* the block goes on with the modes that `math` is made for only */
	bool is_sweep;	 /* it is a loop over threads */
	bool is_long;	 /* what is out of line had better be short than quick */
	bool is_entered; /* as prologue.direct is: r8 to r10 are in use; r11 in a sweep */
	int32_t address; /* the slot whose sum is in rax; -1: of none */
	struct eu_detour *detours;
	uint32_t detour_count, detour_capacity;
	struct eu_run *run; /* of arithmetic (eu_compile_strand.c) */
};

/* -- Registers of the host, for eu_compile_alu.c and eu_compile_message.c -- */

/* A register that holds nothing; pinned until the micro-operation ends, as those below are. */
int eu_compile_take(struct eu_translator *s);
/* Eight dwords at an offset in struct eu_thread; one for all lanes. */
int eu_compile_lanes(struct eu_translator *s, unsigned offset);
int eu_compile_splat(struct eu_translator *s, unsigned offset);
/* `reg` is the unit at `offset` from now on. */
void eu_compile_bind(struct eu_translator *s, unsigned offset, int reg);
/* The same of a dword, for all lanes; nobody wants what else is in its unit. */
void eu_compile_bind_splat(struct eu_translator *s, unsigned offset, int reg);
/*
 * Eight elements of 16 bits widened by the instruction, in a register that holds nothing else but
 * what is at `to`, where the caller will bind it. It is known as theirs until these change.
 */
int eu_compile_widen(struct eu_translator *s, uint32_t op, unsigned offset, unsigned to);
/*
 * The register that holds a byte of the flags as masks, *inverted: off where it is on; -1: none
 * does. `reg` holds it from now on.
 */
int eu_compile_masks(struct eu_translator *s, unsigned place, bool *inverted);
void eu_compile_bind_masks(struct eu_translator *s, unsigned place, int reg, bool inverted);

/* General register `to`: a bit for each of the eight lanes of `masks`, turned over if `invert`. */
void eu_compile_bits(struct eu_translator *s, int to, int masks, bool invert);

/* What is there is in memory, too; is in memory only. Leaves eax as it is. */
void eu_compile_sync(struct eu_translator *s, unsigned offset, unsigned bytes);
void eu_compile_drop(struct eu_translator *s, unsigned offset, unsigned bytes);
/* Writes back what has changed, if that is what the registers hold, and what is pending. */
void eu_compile_write_back(
	struct eu_translator *s, const struct eu_holder *holders, const struct eu_pending *pending);

/*
 * Executes a micro-operation by its stencil, which finds all in memory and leaves all there:
 * nothing is in registers of the host then, until eu_compile_reload puts there what should be.
 */
void eu_compile_stencil(struct eu_translator *s, uint32_t index);
void eu_compile_reload(struct eu_translator *s, const struct eu_holder *holders);

/* Puts a pending register, or one that was, in a register of the host, and nothing else. */
void eu_compile_add_up(struct eu_translator *s, int reg, unsigned unit);

/* Whether the unit is a register that is pending. */
static inline bool eu_compile_is_pending(const struct eu_translator *s, unsigned unit)
{
	return unit < GEN_GRF_COUNT && (s->pending.bits[unit / 64] >> unit % 64 & 1);
}

/* Registers of the host that hold what nobody reads any more hold nothing. */
void eu_compile_forget_dead(struct eu_translator *s, const struct eu_units *live);

/* Registers may be taken again. */
void eu_compile_unpin(struct eu_translator *s);

/* Whether lanes can be bound there. */
bool eu_compile_can_bind(unsigned offset, unsigned channels);

/* Translate a micro-operation; false: they do not know it, and have done nothing. */
bool eu_compile_alu(struct eu_translator *s, const struct eu_uop *u);
/*
 * Translates the arithmetic by lanes that begins at s->index, in an order that wants few registers,
 * and returns how many micro-operations that was; leaves s->index. `live` is that of the kernel.
 */
uint32_t eu_compile_strands(
	struct eu_translator *s, const bool *starts, const struct eu_live *live);
/*
 * Whether eu_compile_step translates it; that does so for eight lanes, which cannot fail, or for
 * sixteen that become one unit: those of u->a, and those of u->b.
 */
bool eu_compile_is_step(const struct eu_translator *s, const struct eu_uop *u);
void eu_compile_step(struct eu_translator *s, const struct eu_uop *u, unsigned half);
/* `unless` and the micro-operations that it passes over, if all of these are of one channel. */
bool eu_compile_unless(struct eu_translator *s, const struct eu_uop *u);
/* `leave` with a predicate: goes on where none of `lanes`, which are on, leaves. */
bool eu_compile_leave(struct eu_translator *s, const struct eu_uop *u, uint32_t lanes);
/*
 * Where all is in memory: if the micro-operation s->index is a branch back, takes it with the
 * channels that it is for. Goes on there if these are none, where the thread has had its turn, for
 * some predicates, and if it is none.
 */
void eu_compile_loop(struct eu_translator *s);
bool eu_compile_message(struct eu_translator *s, const struct eu_uop *u);
/* What counts, but for messages: those are translated with what counts them. */
bool eu_compile_tally(struct eu_translator *s, const struct eu_uop *u);
/* What it is before a message of that space in line `apart` bytes, and can be translated with. */
enum eu_before eu_compile_find_before(
	const struct eu_translator *s, const struct eu_uop *u, enum eu_space space, unsigned apart);
/* Jumps away unless the probe need not see a message whose lanes lie in line, from rax on. */
uint32_t eu_compile_unless_quiet(struct eu_translator *s, const struct eu_detour *d);
/*
 * Counts a message to bytes side by side, from rax on: lines of the cache, or no conflicts. `tally`
 * is what counts it; the worker's surfaces are at that register.
 */
void eu_compile_tally_line(
	struct eu_translator *s, const struct eu_uop *tally, unsigned bytes, unsigned surfaces);
/* A new detour, behind which there is room for one more; NULL when memory is short. */
struct eu_detour *eu_compile_detour(struct eu_translator *s);
/* Goes on only in the modes for which `math` has vector code. False: memory is short. */
bool eu_compile_plain(struct eu_translator *s, const struct eu_uop *u);

/* Sets targets[i] where branches may lead to; `all`: also where `unless` does. */
void eu_compile_targets(const struct eu_kernel *kernel, bool all, bool *targets);

/* For each micro-operation of both streams. NULL when memory is short. */
struct eu_live *eu_compile_live(const struct eu_kernel *kernel);

/* Whether what a masked micro-operation leaves where the mask is off has to be what was there. */
bool eu_compile_merges(const struct eu_translator *s, const struct eu_uop *u);

static inline bool eu_units_has(const struct eu_units *units, unsigned unit)
{
	return units->bits[unit / 64] >> unit % 64 & 1;
}

#endif
