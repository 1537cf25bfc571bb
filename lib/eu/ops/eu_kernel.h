// SPDX-License-Identifier: MIT
#ifndef EU_KERNEL_H
#define EU_KERNEL_H

#include "eu/ops/eu_uop.h"
#include "eu/state/eu_probe.h"
#include "eu/state/eu_thread.h"
#include "gen/gen_decode.h"
#include "gen/gen_device.h"
#include "gen/gen_fault.h"

struct eu_kernel;

/* Registers that threads get behind their header. */
struct eu_layout {
	bool known;
	bool cross_first;	/* what all threads share comes first */
	uint16_t cross, thread; /* of all threads, of each */
};

/* Addresses in one or two registers of a prologue, as places in `registers`; equal: it is one. */
struct eu_line {
	uint8_t first, second;
};

/*
 * What messages of a sweep reach that have the same addresses, in line n, and go to the same
 * memory: `bytes` from the first address on, if each address is 1 << shift more than the one
 * before, or the same if shift is EU_SAME.
 */
struct eu_stretch {
	uint8_t line, shift;
	bool local;	  /* local memory; else a surface, */
	uint16_t surface; /* bytes into worker->surfaces */
	uint32_t bytes;
};

enum { EU_LINES = 32, EU_SAME = 32, EU_NO_LINE = 0xff, EU_STRETCHES = 64 };

/*
 * The beginning of a kernel that computes, with no effect but on registers, what is a sum of two:
 * one that depends on the number of the thread in its group, and one that depends on the group. A
 * thread may pass over it if it gets the registers that the rest of the kernel reads of it.
 */
struct eu_prologue {
	uint32_t end;	/* the micro-operation behind it; 0: there is none */
	uint32_t count; /* of the registers */
	bool linear;	/* what depends on the group is linear in its id, modulo 2^32 */
	uint8_t registers[GEN_GRF_COUNT];
	/*
	 * Where a thread with all channels may go on that did not get them, but whose `own`,
	 * `delta` and `lines` say what they are. NULL: nowhere.
	 */
	const struct eu_uop *direct;
	uint32_t line_count;
	struct eu_line lines[EU_LINES];
	/*
	 * Where a thread may go on in the same way that is followed by others, in its place, until
	 * the last of thread->sweep has ended: what comes behind the prologue, as a loop if that is
	 * all. Whoever leaves it goes on with the next thread, at `again`, when he comes to the end
	 * of the kernel with all channels. NULL: nowhere.
	 */
	const struct eu_uop *sweep, *again;
	uint32_t stretch_count;
	struct eu_stretch stretches[EU_STRETCHES];
};

/*
 * What a kernel that is lowered with counts counts of an instruction, as places in the worker's
 * tallies. Instructions of one block, which are executed one after the other whenever the first is,
 * share that block's. Predicated instructions, those of channels that are no whole bytes of a mask,
 * and messages that a micro-operation counts also have `bits`.
 */
struct eu_tally {
	uint32_t block;
	uint32_t bits; /* 0: none */
	bool is_plain; /* a message whose lanes are those that the block has on, and which is no
			  more */
};

/* Of a block: */
enum {
	EU_TALLY_FULL,	   /* executions with all of kernel->lanes on */
	EU_TALLY_PART,	   /* other executions, */
	EU_TALLY_CHANNELS, /* and in sum their channels 0 … 7; 8 … 15; … that were on */
	EU_TALLY_BLOCK = EU_TALLY_CHANNELS + 4,
};
/* Of an instruction's bits: */
enum {
	EU_TALLY_ON,	/* channels that were on and for which the predicate held, in sum */
	EU_TALLY_SPLIT, /* executions in which it held for some of those on, and not for all */
	EU_TALLY_BITS,
	/* Of a message's: */
	EU_TALLY_NEAR = 0, /* executions for all channels, which lie near each other */
	EU_TALLY_MORE,	   /* in sum, the lines that these touched; in local memory, conflicts */
};
enum eu_tally_space { EU_TALLY_SURFACE, EU_TALLY_LOCAL_READ, EU_TALLY_LOCAL_WRITE };
/* With how many bits addresses are shifted. */
#define EU_TALLY_SPACE(space, shift) ((uint16_t)((space) | (shift) << 8))

/*
 * A kernel lowered to micro-operations: two streams with equal indices, the first for when all
 * channels execute, the second for when some do not. Immutable once made, so that any number of
 * threads may run it at once.
 */
struct eu_kernel {
	const struct gen_device *device;
	const struct gen_program *program; /* borrowed: must outlive the kernel */
	uint64_t serial;		   /* never used twice in a process, never 0 */
	uint32_t lanes;			   /* channels that any masked instruction names */
	bool keeps_acc;			   /* may read what it has not written to acc */
	/*
	 * Kernels call it: its messages share the first of the caller's translations, and no probe
	 * has noted there what it need not know.
	 */
	bool is_function;
	bool registers_end;  /* with the thread: nobody looks at them afterwards */
	bool changes_state;  /* registers other than general ones, accumulators and flags; calls */
	uint32_t entry_cr0;  /* bits that it sets in cr0 before anything needs them */
	uint32_t uop_count;  /* of one stream */
	struct eu_uop *uops; /* 2 * uop_count, prologue.direct, .sweep, .again */
	uint32_t *inst_uop;  /* first micro-operation of each instruction */
	uint32_t label_count;
	uint32_t *label_uop; /* the micro-operation behind the label's */
	uint32_t pool_count; /* dwords */
	uint32_t *pool;
	uint32_t send_count; /* eu_send.site runs from 0 to here */
	struct eu_send *sends;
	uint32_t generic_count;
	struct eu_generic *generics; /* instructions that the generic path executes */
	void *code; /* machine code of the micro-operations, or NULL (eu_stencil.h) */
	size_t code_size;
	struct eu_prologue prologue;
	struct eu_probe *probe; /* or NULL */
	struct eu_tally *tally; /* of each instruction; NULL: lowered without counts */
	uint32_t tally_count;	/* places for all of these */
};

#endif
