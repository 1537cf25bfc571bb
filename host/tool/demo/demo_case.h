// SPDX-License-Identifier: MIT
#ifndef DEMO_CASE_H
#define DEMO_CASE_H

#include <stdbool.h>
#include <stdint.h>

/* What a sample needs of a platform. */
enum demo_need {
	NEED_C20 = 1,	     /* OpenCL C 2.0: work_group_barrier */
	NEED_SUB_GROUPS = 2, /* sub-groups, of Khronos or of Intel */
	NEED_INTEL = 4,	     /* cl_intel_subgroups */
	NEED_BLOCK = 8	     /* block reads and writes, which a compiler may refuse at a width */
};

enum demo_op { OP_ADD, OP_MIN, OP_MAX };
enum demo_form { FORM_REDUCE, FORM_INCLUSIVE, FORM_EXCLUSIVE };

/* How the words of a buffer belong to work-items. */
enum demo_layout {
	LAYOUT_ITEM, /* those of a work-item are neighbours */
	LAYOUT_BLOCK /* those of a sub-group are neighbours, word k of lane i at k * width + i */
};

/* The input data. */
enum demo_data {
	DATA_RANDOM,
	DATA_VOTE /* stretches of zeros, of non-zeros, and of both */
};

struct demo_team;

/* A kernel of kernels/samples and what it must compute. */
struct demo_case {
	const char *kernel;
	unsigned needs; /* of enum demo_need */
	/* What is right, in plain C: fills team->want, and team->undefined where any value is. */
	void (*want)(const struct demo_case *row, struct demo_team *team);
	unsigned words_in;  /* per work-item */
	unsigned words_out; /* per work-item */
	enum demo_data data;
	enum demo_layout layout_in;
	enum demo_layout layout_out;
	enum demo_op op;
	enum demo_form form;
};

/*
 * The work-items that exchange data: a work-group in the order of its members, or, where the case
 * needs sub-groups, a sub-group in the order of its lanes.
 */
struct demo_team {
	unsigned group;	     /* number of the work-group in the range */
	unsigned sub_group;  /* id in the work-group, 0 when the team is the work-group */
	unsigned sub_groups; /* of this work-group */
	unsigned enqueued;   /* sub-groups of a whole work-group */
	unsigned size;	     /* work-items in the team */
	unsigned width;	     /* get_max_sub_group_size */
	const uint32_t *in;  /* words_in for each work-item */
	uint32_t *want;	     /* words_out for each work-item */
	bool *undefined;     /* as many, all false at first */
};

extern const struct demo_case demo_cases[];
extern const unsigned demo_case_count;

#endif
