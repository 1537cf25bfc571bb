// SPDX-License-Identifier: MIT
#ifndef EU_REFERENCE_H
#define EU_REFERENCE_H

#include "eu/state/eu_thread.h"
#include "gen/gen_decode.h"

__extension__ typedef __float128 reference_quad;

/*
 * A second EU, as plain as can be: every channel has an instruction pointer of its own, every
 * element is computed by itself, floats go through 128-bit arithmetic and one rounding. It shares
 * nothing with the engine but the decoded instructions, and is what the engine is compared with.
 */
struct reference {
	const struct gen_program *program;
	struct eu_thread *thread; /* its grf is the register file; messages run on it */
	uint8_t acc[256], a0[32], flag[8], cr[16], sr[16], ce[4];
	int64_t acc_wide[64];	   /* accumulators as wide integers, by dword */
	reference_quad wide[8][8]; /* operands of math macros, of each channel */
	uint32_t dispatch;
	uint32_t pc[32], depth[32]; /* of each channel, by instruction index */
	uint32_t ip, level;
	uint32_t done; /* reached the end of thread */
	/* Executes a message; true when it ends the thread. */
	bool (*send)(struct reference *r, const struct gen_inst *inst, uint32_t lanes);
	uint64_t steps;
	struct reference_count *counts; /* of each instruction, or NULL: not wanted */
};

/* How often an instruction was executed with any channel on. */
struct reference_count {
	uint64_t executions, channels; /* that executed it, in sum */
	uint64_t splits;	       /* with a predicate that held for some of them only */
};

/* The state in which a thread starts. */
void reference_start(struct reference *r, const struct gen_program *program,
	struct eu_thread *thread, uint32_t dispatch, uint32_t cr0);

/* Runs to the end of the thread; fails the test after `limit` instructions. */
void reference_run(struct reference *r, uint64_t limit);

/* Executes one ALU instruction for the channels in `active`. False when it does not know it. */
bool reference_alu(struct reference *r, const struct gen_inst *inst, uint32_t active);

/* The bits that source s of channel i has now. */
uint32_t reference_source(struct reference *r, const struct gen_inst *inst, unsigned s, unsigned i);

#endif
