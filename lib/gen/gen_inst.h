// SPDX-License-Identifier: MIT
#ifndef GEN_INST_H
#define GEN_INST_H

#include <stdbool.h>
#include <stdint.h>

/*
 * One EU instruction as plain integers, decoded once (gen_decode.h) and independent of the library
 * that decoded it and of the hardware generation's encoding.
 */

enum { GEN_GRF_BYTES = 32, GEN_GRF_COUNT = 256, GEN_MAX_LANES = 32 };
/* Shared local memory of a thread group, at most. */
enum { GEN_SLM_BYTES = 65536 };

/* Opcodes: the rows of gen_op.def. */
enum gen_op {
#define OP(name, ...) GEN_OP_##name,
#include "gen/gen_op.def"
#undef OP
	GEN_OP_COUNT
};

/* How operands are encoded. */
enum gen_operands {
	GEN_OPERANDS_NONE,
	GEN_OPERANDS_SYNC,    /* a function, and a list of dependencies that means nothing here */
	GEN_OPERANDS_BASIC,   /* a destination, one or two sources */
	GEN_OPERANDS_TERNARY, /* three sources */
	GEN_OPERANDS_BRANCH,  /* offsets, or registers without a type: dwords */
	GEN_OPERANDS_SEND,    /* whole registers, descriptors */
};

enum gen_op_class {
	GEN_CLASS_NOP,
	GEN_CLASS_SYNC,
	GEN_CLASS_ALU,
	GEN_CLASS_BRANCH,
	GEN_CLASS_SEND
};

enum gen_op_type { GEN_TAKES_I = 1, GEN_TAKES_Q = 2, GEN_TAKES_F = 4 };

enum gen_op_modifier { GEN_MODIFIER_NOTHING, GEN_MODIFIER_NEGATES, GEN_MODIFIER_INVERTS };

enum gen_op_flag {
	GEN_DOES_COND = 1, /* a condition sets flags */
	GEN_DOES_COMPARES =
		2,	      /* the condition compares the sources; without one it means nothing */
	GEN_DOES_SELECTS = 4, /* the condition chooses, and sets no flags */
	GEN_DOES_READS_ACC = 8,	 /* besides the operands */
	GEN_DOES_CARRIES = 16,	 /* with AccWrEn its carry goes to the accumulator */
	GEN_DOES_JIP = 32,	 /* dword 3: offset of the target from the instruction itself */
	GEN_DOES_UIP = 64,	 /* dword 2 */
	GEN_DOES_REGISTER = 128, /* the target may be in a register instead */
	GEN_DOES_LEAVES = 256,	 /* does not go on with the next instruction when not predicated */
	GEN_DOES_CALLS = 512,
};

/*
 * The hardware generations that differ in instructions, messages or packets: columns of gen_op.def,
 * and the range of rows of eu_message.def and cs_packet.def. GEN_12 is Gen12LP, GEN_HPG Xe-HPG.
 */
enum gen_generation { GEN_9, GEN_11, GEN_12, GEN_HPG, GEN_GENERATIONS };

enum { GEN_OPCODE_NONE = 0xff };

/* A row of gen_op.def. */
struct gen_op_info {
	const char *name;
	uint8_t opcode[GEN_GENERATIONS]; /* bits 6:0 of the encoding, or GEN_OPCODE_NONE */
	uint8_t format, class, types, modifier;
	uint16_t flags;
};

extern const struct gen_op_info gen_ops[GEN_OP_COUNT];

/* The opcode of an encoding's bits 6:0; GEN_OP_COUNT when the generation has none there. */
enum gen_op gen_op_find(enum gen_generation generation, unsigned opcode);

static inline bool gen_op_is_dpas(unsigned op)
{
	return op == GEN_OP_dpas || op == GEN_OP_dpasw;
}

enum gen_type {
	GEN_TYPE_NONE,
	GEN_TYPE_UB,
	GEN_TYPE_B,
	GEN_TYPE_UW,
	GEN_TYPE_W,
	GEN_TYPE_UD,
	GEN_TYPE_D,
	GEN_TYPE_UQ,
	GEN_TYPE_Q,
	GEN_TYPE_HF,
	GEN_TYPE_F,
	GEN_TYPE_DF,
	GEN_TYPE_V,
	GEN_TYPE_UV,
	GEN_TYPE_VF, /* packed immediates */
	GEN_TYPE_BF, /* the upper half of a float */
	GEN_TYPE_U2,
	GEN_TYPE_U4,
	GEN_TYPE_S2,
	GEN_TYPE_S4, /* packed, for dpas */
	GEN_TYPE_COUNT
};

enum gen_file {
	GEN_FILE_NULL,
	GEN_FILE_GRF,
	GEN_FILE_IMM,
	GEN_FILE_A,
	GEN_FILE_ACC,
	GEN_FILE_MME,
	GEN_FILE_F,
	GEN_FILE_CE,
	GEN_FILE_MSG,
	GEN_FILE_SP,
	GEN_FILE_SR,
	GEN_FILE_CR,
	GEN_FILE_N,
	GEN_FILE_IP,
	GEN_FILE_TDR,
	GEN_FILE_TM,
	GEN_FILE_FC,
	GEN_FILE_DBG,
};

enum gen_addressing {
	GEN_DIRECT,
	GEN_INDIRECT_1X1, /* r[a0.sub, offset]<v;w,h>: one address, then the region */
	GEN_INDIRECT_VXH, /* r[a0.sub, offset]<w,h>: one address for every w elements */
};

/*
 * An operand. Element i of a source lies at byte
 *   reg * 32 + sub * size + (i / width * vstride + i % width * hstride) * size
 * with strides in elements; a destination has width 1 and vstride 0 and uses hstride alone.
 * The decoder normalises regions: a scalar is <0;1,0>, also whatever an instruction of one channel
 * reads; ternary regions have all three numbers; VxH regions have vstride 0, and `width` elements,
 * hstride apart, start at each address (a0 words sub, sub + 1 …).
 */
struct gen_operand {
	uint8_t file;	    /* enum gen_file */
	uint8_t type;	    /* enum gen_type */
	uint8_t addressing; /* enum gen_addressing */
	bool abs;	    /* applied first */
	bool neg;	    /* arithmetic negation, or bitwise NOT on and/or/xor/not */
	uint8_t mme;	    /* 1 + the math macro register that widens the operand, or 0 */
	uint8_t reg;
	uint8_t sub; /* in units of the type; for indirect operands the index of the a0 word */
	uint8_t vstride, width, hstride;
	int16_t offset; /* indirect: bytes added to a0 */
	/* GEN_FILE_IMM: raw bits, 16-bit types in the low half, sign-extended if signed. Packed
	 * integer vectors: channel i's element is bits 4i+3:4i, whatever the destination's stride.
	 */
	uint64_t imm;
};

/* Predicate controls; the groups look at that many raw flag bits around the channel. */
enum gen_predicate {
	GEN_PRED_NONE,
	GEN_PRED_SEQUENTIAL,
	GEN_PRED_ANYV,
	GEN_PRED_ALLV,
	GEN_PRED_ANY2H,
	GEN_PRED_ALL2H,
	GEN_PRED_ANY4H,
	GEN_PRED_ALL4H,
	GEN_PRED_ANY8H,
	GEN_PRED_ALL8H,
	GEN_PRED_ANY16H,
	GEN_PRED_ALL16H,
	GEN_PRED_ANY32H,
	GEN_PRED_ALL32H,
};

/* Conditional modifiers. */
enum gen_cond {
	GEN_COND_NONE,
	GEN_COND_EQ,
	GEN_COND_NE,
	GEN_COND_GT,
	GEN_COND_GE,
	GEN_COND_LT,
	GEN_COND_LE,
	GEN_COND_OV,
	GEN_COND_UN,
	GEN_COND_EO,
};

/* Functions of GEN_OP_math, as the PRM numbers them. */
enum gen_math {
	GEN_MATH_INV = 1,
	GEN_MATH_LOG = 2,
	GEN_MATH_EXP = 3,
	GEN_MATH_SQT = 4,
	GEN_MATH_RSQT = 5,
	GEN_MATH_SIN = 6,
	GEN_MATH_COS = 7,
	GEN_MATH_FDIV = 9,
	GEN_MATH_POW = 10,
	GEN_MATH_IDIV = 11,
	GEN_MATH_IQOT = 12,
	GEN_MATH_IREM = 13,
	GEN_MATH_INVM = 14,
	GEN_MATH_RSQTM = 15,
};

/* Functions of GEN_OP_sync that block; all others are dependency hints and do nothing here. */
enum gen_sync {
	GEN_SYNC_NOP = 0,
	GEN_SYNC_ALLRD = 2,
	GEN_SYNC_ALLWR = 3,
	GEN_SYNC_BAR = 14,
	GEN_SYNC_HOST = 15
};

/* Shared functions (SEND targets). */
enum gen_sfid {
	GEN_SFID_NULL = 0,
	GEN_SFID_UGML = 1,
	GEN_SFID_SAMPLER = 2,
	GEN_SFID_GATEWAY = 3,
	GEN_SFID_DC2 = 4,
	GEN_SFID_RENDER = 5,
	GEN_SFID_URB = 6,
	GEN_SFID_THREAD_SPAWNER = 7,
	GEN_SFID_VME = 8,
	GEN_SFID_DC_READ_ONLY = 9,
	GEN_SFID_DC0 = 10,
	GEN_SFID_PIXEL_INTERPOLATOR = 11,
	GEN_SFID_DC1 = 12,
	GEN_SFID_TGM = 13,
	GEN_SFID_SLM = 14,
	GEN_SFID_UGM = 15,
};

struct gen_inst {
	uint32_t ip;		/* byte offset from the kernel's start */
	uint8_t size;		/* 8 (compacted) or 16 bytes */
	uint8_t op;		/* enum gen_op; send for sends, sync for wait */
	uint8_t function;	/* math, sync: its function; bfn: its table of truth; dpas: depth */
	uint8_t repeat;		/* dpas: rows of the result */
	uint8_t exec_size;	/* 1..32 channels */
	uint8_t channel_offset; /* first channel: M0 = 0, M8 = 8 … */
	bool no_mask;		/* (W): execution mask ignored, predicate not */
	bool saturate;
	bool acc_wr_en;
	bool end_of_thread;
	bool backward;	   /* goto.b */
	uint8_t predicate; /* enum gen_predicate */
	bool predicate_invert;
	uint8_t cond;	      /* enum gen_cond */
	uint8_t flag;	      /* 16-bit flag subregister: 0 f0.0, 1 f0.1, 2 f1.0, 3 f1.1 */
	uint8_t source_count; /* labels (jip, uip) and the dependency list of sync do not count */
	bool has_dst;	      /* an operand dst, which may be the null register */
	struct gen_operand dst, src[3];
	int32_t jip, uip; /* branches: index of the target in gen_program.inst; -1 when absent */
	/*
	 * SEND: lengths in registers; descriptors are immediates unless the matching *_in_a0 says
	 * so, in which case desc or exdesc is 0 here, and so are the lengths that it holds (desc:
	 * mlen [28:25] and rlen [24:20]; exdesc: xlen [10:6], if xlen_in_a0). Operands are whole
	 * registers of type UD.
	 */
	uint8_t sfid, mlen, xlen, rlen;
	bool desc_in_a0, exdesc_in_a0, xlen_in_a0;
	bool wide_handle;   /* a surface's handle is in exdesc [31:6], else in [31:12] */
	uint8_t exdesc_sub; /* dword of a0 that holds the extended descriptor */
	uint32_t desc, exdesc;
};

/* Bytes of one element; packed immediates count as their element type (V, UV: W; VF: F). NONE: 0.
 */
unsigned gen_type_size(enum gen_type type);
bool gen_type_is_float(enum gen_type type);
bool gen_type_is_signed(enum gen_type type);
/* An element's bits as a number, of integers that are signed with their sign; floats' bits. */
int64_t gen_type_extend(enum gen_type type, uint64_t bits);
/* "ud", "hf" … as the assembler writes it. */
const char *gen_type_name(enum gen_type type);

/* Where a direct operand begins in its register file, in bytes. */
static inline unsigned gen_operand_start(const struct gen_operand *o)
{
	return o->reg * (o->file == GEN_FILE_F ? 4u : GEN_GRF_BYTES) +
	       o->sub * gen_type_size((enum gen_type)o->type);
}

/* Where element i of a source is from there, in elements; a width of 0 means hstride alone. */
static inline unsigned gen_operand_element(const struct gen_operand *o, unsigned i)
{
	return o->width == 0 ? i * o->hstride
			     : i / o->width * o->vstride + i % o->width * o->hstride;
}

/* How many bytes that many elements reach over, of a source, of a destination. */
unsigned gen_operand_bytes(const struct gen_operand *o, unsigned channels);
static inline unsigned gen_destination_bytes(const struct gen_operand *o, unsigned channels)
{
	return ((channels - 1) * o->hstride + 1) * gen_type_size((enum gen_type)o->type);
}

/* The channels that an instruction names, whichever of them are on. */
static inline uint32_t gen_inst_channels(const struct gen_inst *inst)
{
	return (uint32_t)((UINT64_C(1) << inst->exec_size) - 1) << inst->channel_offset;
}

/* Whether it may lead to code of another function, which may come back. */
static inline bool gen_inst_calls(const struct gen_inst *inst)
{
	return (gen_ops[inst->op].flags & GEN_DOES_CALLS) ||
	       (inst->op == GEN_OP_jmpi && inst->jip < 0);
}

#endif
