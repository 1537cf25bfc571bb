// SPDX-License-Identifier: MIT
#ifndef EU_GENERIC_H
#define EU_GENERIC_H

#include "eu/state/eu_thread.h"
#include "gen/gen_device.h"

/*
 * The general path: executes one ALU instruction with any regions, types, modifiers and register
 * files, exactly as gen_inst.h describes it. What is frequent has micro-operations of its own;
 * all of those must give the same bits as this.
 */

/* What an instruction computes in. */
enum eu_class {
	EU_CLASS_INT,	 /* 64-bit integers, exact for operands of up to 32 bits */
	EU_CLASS_FLOAT,	 /* single precision, in the host's current modes */
	EU_CLASS_DOUBLE, /* double precision, in the host's rounding mode */
	EU_CLASS_HALF,	 /* for half results: double precision in plain modes, inexact results made
			    odd so that   one more rounding is the only one */
};

union eu_value {
	int64_t i;
	float f;
	double d;
};

/*
 * Bytes from acc0 to what mac adds to its channel 0, a float: two accumulators have a dword for
 * each of 16 channels, or a word for each of 32.
 */
static inline unsigned eu_mac_offset(const struct gen_inst *inst)
{
	return inst->channel_offset * gen_type_size((enum gen_type)inst->dst.type) %
	       (2 * GEN_GRF_BYTES);
}

struct eu_generic;

/* One execution of an instruction. */
struct eu_call {
	struct eu_thread *thread;
	const struct eu_generic *general;
	unsigned count;				 /* channels */
	uint32_t lanes;				 /* bit i: channel i is written */
	uint32_t select;			 /* bit i: the predicate holds for channel i */
	uint32_t true_lanes;			 /* what cmp found */
	union eu_value source[3][GEN_MAX_LANES]; /* converted, modifiers applied */
	union eu_value result[GEN_MAX_LANES];
};

typedef void (*eu_generic_fn)(struct eu_call *call);

struct eu_generic {
	struct gen_inst inst;
	enum eu_class class;
	eu_generic_fn run; /* computes result from source */
	bool whole;	   /* run reads and writes registers itself */
	uint32_t lanes;	   /* channels of the instruction that it may write */
	bool raw;	   /* copies bits without looking at them */
	bool chooses; /* csel and plain sel and mov of one type: denormals pass whatever cr0 says */
	uint16_t dst_base; /* offset of the register file in struct eu_thread */
	uint16_t src_base[3];
};

/* Prepares an instruction; false when the general path does not implement it. */
bool eu_generic_init(
	struct eu_generic *general, const struct gen_device *device, const struct gen_inst *inst);

/* Executes it for the channels of thread->act and its own predicate. */
void eu_generic_run(struct eu_thread *thread, const struct eu_generic *general);

/* What computes an opcode in a class, or NULL. */
eu_generic_fn eu_generic_int(const struct gen_inst *inst);
/* What executes a dpas or dpasw as a whole, or NULL. */
eu_generic_fn eu_generic_dpas(const struct gen_device *device, const struct gen_inst *inst);
/*
 * Brings src2 of a dpasw together in thread->temp. False when the other thread of the pair has yet
 * to come to its dpasw.
 */
bool eu_dpas_meet(struct eu_thread *thread, const struct gen_inst *inst);
eu_generic_fn eu_generic_float(const struct gen_inst *inst);
eu_generic_fn eu_generic_double(const struct gen_inst *inst, enum eu_class class);

/* A function: whether the condition holds for two of `type`. `unordered` is GEN_COND_UN's. */
#define EU_COMPARE(name, type, unordered)                                                          \
	static bool name(unsigned cond, type a, type b)                                            \
	{                                                                                          \
		switch (cond) {                                                                    \
		case GEN_COND_EQ:                                                                  \
			return a == b;                                                             \
		case GEN_COND_NE:                                                                  \
			return a != b;                                                             \
		case GEN_COND_GT:                                                                  \
			return a > b;                                                              \
		case GEN_COND_GE:                                                                  \
			return a >= b;                                                             \
		case GEN_COND_LT:                                                                  \
			return a < b;                                                              \
		case GEN_COND_LE:                                                                  \
			return a <= b;                                                             \
		case GEN_COND_UN:                                                                  \
			return unordered;                                                          \
		}                                                                                  \
		return false;                                                                      \
	}

/*
 * Where a register file begins in struct eu_thread and how many bytes it has (0: the engine does
 * not have that file).
 */
unsigned eu_file_offset(unsigned file, unsigned *bytes);

#endif
