// SPDX-License-Identifier: MIT
#ifndef GEN_TEXT_H
#define GEN_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* A line of IGA's disassembly taken apart, with no knowledge of the binary encoding. */

struct text_operand {
	bool present, null, negated, absolute, indirect, immediate, label, saturated;
	char file[4];	       /* "r", "acc", "f" … */
	unsigned reg, sub;     /* indirect: sub is the a0 word */
	int offset;	       /* indirect */
	unsigned region[3];    /* numbers between < and > */
	unsigned region_count; /* of them */
	char separator;	       /* after the first: ';' or ',' or 0 */
	char type[4];	       /* "ud" …, or empty */
	unsigned length; /* registers of a message's second payload, where its operand says so */
	uint64_t bits;	 /* immediate, sign-extended when it was written with a sign */
	uint32_t target; /* label */
};

struct text_inst {
	uint32_t pc;
	char mnemonic[16], function[16]; /* "math" and "inv" */
	uint8_t truth;			 /* of a bfn */
	bool predicated, inverted, no_mask;
	char group[8]; /* "any16h", or empty */
	unsigned predicate_flag, exec_size, channel_offset;
	char cond[4]; /* "eq", or empty */
	unsigned cond_flag;
	struct text_operand operand[6];
	unsigned operand_count;
	bool compacted, acc_wr_en, end_of_thread;
};

/* False when the line holds no instruction (labels, blank lines). Fails the test when it is odd. */
bool text_parse(const char *line, struct text_inst *out);

#endif
