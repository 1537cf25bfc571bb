// SPDX-License-Identifier: MIT
#ifndef EU_LOWER_H
#define EU_LOWER_H

#include "eu/ops/eu_generic.h"
#include "eu/ops/eu_kernel.h"

/* A kernel under construction. */
struct eu_lowering {
	struct eu_kernel *kernel;
	const struct eu_handlers *handlers;
	struct eu_uop *full, *partial; /* the two streams, equally long; `run` is not set yet */
	uint32_t count, capacity;
	uint32_t generic_capacity, send_capacity;
	uint32_t index;	      /* of the instruction that is lowered now */
	uint32_t entry_inst;  /* that sets kernel->entry_cr0; EU_NO_LABEL: none */
	uint32_t block;	      /* instructions since the last micro-operation that counted them */
	uint32_t *label;      /* of each instruction: its label, or EU_NO_LABEL */
	bool *loop_top;	      /* of each instruction: is it branched back to? */
	uint32_t *pair;	      /* of each instruction that is one with another: 1 + that, or 0 */
	bool is_pair;	      /* the instruction that is lowered now stands for both */
	bool has_mach;	      /* the high halves of the accumulators matter */
	bool rounds_int;      /* some instruction may make float to int round as cr0 says */
	bool plain_denormals; /* once it runs, denormals of f and hf are always kept */
	bool probed;	      /* a micro-operation before each instruction calls the probe, */
	bool (*wants_probe)(const struct gen_inst *inst, unsigned probes); /* or before these */
	unsigned probes;
	bool counts; /* eu_tally */
	bool no_memory;
	struct eu_layout layout; /* of the payload, if the kernel is to have a prologue */
};

#define EU_NO_LABEL UINT32_MAX

/* Makes room for `needed` elements of `size` bytes; false and l->no_memory when there is none. */
bool eu_lower_reserve(
	struct eu_lowering *l, void **array, uint32_t *capacity, uint32_t needed, size_t size);

/* Appends a micro-operation to both streams, as these variants of its row. */
void eu_lower_emit(
	struct eu_lowering *l, unsigned full, unsigned partial, const struct eu_uop *uop);

/* Appends the same micro-operation to both. */
void eu_lower_emit_plain(struct eu_lowering *l, unsigned code, struct eu_uop uop);

/* Appends one that counts the instructions since the last one that did. */
void eu_lower_emit_counting(struct eu_lowering *l, unsigned code, struct eu_uop uop);

/*
 * Counts an instruction, which is lowered next: where a block begins, and what is its alone.
 * Returns whether that is all that is to be counted of a message: no probe need see it.
 */
bool eu_lower_tally(struct eu_lowering *l, uint32_t index);

/* Lowers a SEND. */
/* Decodes and binds a SEND, for which run is NULL if that cannot be done yet; false: it reaches
 * behind the registers of the device. */
bool eu_lower_decode(const struct eu_lowering *l, uint32_t index, struct eu_send *send);
void eu_lower_send(struct eu_lowering *l, uint32_t index);

/* Finds labels and loop tops. False when a branch leads nowhere. */
bool eu_lower_labels(struct eu_lowering *l, struct gen_fault *fault);

/* Whether the instruction may be executed without the one before it, or for other channels. */
bool eu_lower_begins_block(const struct eu_lowering *l, uint32_t index);

/* Lowers a branch, call, return or the like. */
void eu_lower_branch(struct eu_lowering *l, uint32_t index);

/* Lowers any other instruction, to micro-operations of its own or to the generic path. */
void eu_lower_arithmetic(struct eu_lowering *l, uint32_t index);

/* Puts the instruction's predicate into pm: its bits, and its lanes unless only those are wanted.
 */
void eu_lower_predicate(struct eu_lowering *l, const struct gen_inst *inst, bool only_bits);

/* Lowers an instruction to micro-operations of its own; false when it takes the generic path. */
bool eu_lower_alu(struct eu_lowering *l, const struct gen_inst *original);

/*
 * Finds out whether the kernel keeps anything in the accumulator for long, and the pairs of
 * instructions that are one. Labels must be known.
 */
void eu_lower_survey_acc(struct eu_lowering *l);

/*
 * Whether nobody reads more than the low dwords of what the instruction that is lowered now leaves
 * in the accumulator.
 */
bool eu_lower_acc_is_low(const struct eu_lowering *l);

/*
 * Lowers both of such a pair when it comes to the second, and nothing at the first. False when the
 * instruction belongs to no pair, or when both have to be lowered here after all.
 */
bool eu_lower_pair(struct eu_lowering *l, uint32_t index);

/* Replaces instruction numbers in branches back and calls by micro-operations once all are known.
 */
void eu_lower_resolve(struct eu_lowering *l);

/*
 * Finds the prologue of a kernel (struct eu_prologue) and moves it to the beginning.
 * Micro-operation 0 is EU_UOP_keep, which comes to stand behind it.
 */
void eu_lower_prologue(struct eu_lowering *l);

#endif
