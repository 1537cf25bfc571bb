// SPDX-License-Identifier: MIT
#ifndef DEMO_H
#define DEMO_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool/base/disasm.h"
#include "tool/base/tool_cl.h"

/* ---- demo_case.c, demo_want.c: kernels, and what they must compute ---- */

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

/*
 * What the samples must compute, in plain C, from the texts of barrier, sub_group_barrier and
 * cl_intel_subgroups. Each fills team->want for one team; see struct demo_case.
 */
void demo_want_reversed(const struct demo_case *row, struct demo_team *team);
void demo_want_rotated(const struct demo_case *row, struct demo_team *team);
void demo_want_running_sum(const struct demo_case *row, struct demo_team *team);
void demo_want_branch(const struct demo_case *row, struct demo_team *team);
void demo_want_queries(const struct demo_case *row, struct demo_team *team);
void demo_want_enqueued(const struct demo_case *row, struct demo_team *team);
void demo_want_all(const struct demo_case *row, struct demo_team *team);
void demo_want_any(const struct demo_case *row, struct demo_team *team);
void demo_want_broadcast(const struct demo_case *row, struct demo_team *team);
void demo_want_fold(const struct demo_case *row, struct demo_team *team);
void demo_want_shuffle(const struct demo_case *row, struct demo_team *team);
void demo_want_shuffle_down(const struct demo_case *row, struct demo_team *team);
void demo_want_shuffle_up(const struct demo_case *row, struct demo_team *team);
void demo_want_shuffle_xor(const struct demo_case *row, struct demo_team *team);
void demo_want_same(const struct demo_case *row, struct demo_team *team);

/* ---- demo_range.c ---- */

/* An ND-range that the samples run over. Unused dimensions have size 1. */
struct demo_range {
	unsigned dims;
	size_t global[3];
	size_t local[3];
	size_t offset[3];
};

extern const struct demo_range demo_ranges[];
extern const unsigned demo_range_count;

/* Whether a dimension's global size is no multiple of its local size. */
bool demo_range_is_uniform(const struct demo_range *range);

/* Work-items in the range, work-groups in it, work-items of a whole work-group. */
size_t demo_range_items(const struct demo_range *range);
size_t demo_range_groups(const struct demo_range *range);
size_t demo_range_local(const struct demo_range *range);

/* Words that each work-group has of its own: room for whole sub-groups of up to 32 lanes. */
size_t demo_range_capacity(const struct demo_range *range);

/* Work-items in work-group `group`, fewer than demo_range_local at a ragged edge. */
size_t demo_range_members(const struct demo_range *range, size_t group);

/*
 * The number in the range of a work-group's work-item. Numbers count x first, then y, then z: of
 * work-groups in the range, of members in their work-group, of work-items in the range.
 */
size_t demo_range_item(const struct demo_range *range, size_t group, size_t member);

/* "36x10 / 12x5", with "+13" behind it for an offset in x. Returns text. */
const char *demo_range_name(const struct demo_range *range, char *text, size_t size);

/* ---- demo_device.c, demo_program.c, demo_query.c: OpenCL ---- */

#define DEMO_SIZES_MAX 8

typedef cl_int(CL_API_CALL *demo_sub_group_info)(cl_kernel, cl_device_id, cl_kernel_sub_group_info,
	size_t, const void *, size_t, void *, size_t *);

/* The device that the demo runs on, and what it can do, as its queries say. */
struct demo_device {
	struct tool_cl cl;
	const char *c_version;	       /* the option: -cl-std=… */
	unsigned can;		       /* of enum demo_need */
	bool non_uniform;	       /* ragged work-groups */
	size_t sizes[DEMO_SIZES_MAX];  /* of sub-groups that a kernel may require, ascending */
	unsigned size_count;	       /* 0: the platform chooses */
	demo_sub_group_info info_khr;  /* clGetKernelSubGroupInfoKHR, NULL if there is none */
	demo_sub_group_info info_core; /* clGetKernelSubGroupInfo, NULL before OpenCL 2.1 */
};

/* Opens a device, as tool_cl_open does. Close device->cl in either case. */
bool demo_device_open(struct demo_device *device, const char *platform, char *why, size_t size);

/* The samples, built for one sub-group size. */
struct demo_program {
	cl_program program;
	/* The native code of the program, and of the samples without the built-ins that they show.
	 */
	void *binary, *plain;
	size_t binary_size, plain_size;
};

/*
 * Builds the samples that the device can run: those of block reads and writes if `blocks`, all
 * others if not. `width` is the sub-group size to require, 0 for none. With `native` it also keeps
 * the native code. Returns clBuildProgram's code (CL_SUCCESS with a program), and the compiler's
 * log in *log, which the caller frees, when it is not CL_SUCCESS. Finish it in either case.
 */
cl_int demo_program_build(struct demo_program *program, const struct demo_device *device,
	size_t width, bool blocks, bool native, char **log);
void demo_program_finish(struct demo_program *program);

/*
 * Writes what the built-in of `kernel` became: the instructions that the kernel has more of than
 * the same kernel without the built-in, as native_tally_write lists them, or "no instruction".
 * Returns false, with the reason in `text`, if that is unknown.
 */
bool demo_program_native(const struct demo_program *program, const struct disasm *disasm,
	const char *kernel, char *text, size_t size);

/*
 * Asks clGetKernelSubGroupInfoKHR (and, from OpenCL 2.1 on, clGetKernelSubGroupInfo) for the
 * greatest sub-group size and for the number of sub-groups of work-groups of one, two and three
 * dimensions, and checks the answers: the size is `asked` (any, if 0) whatever the dimensions, the
 * number is the work-group's size divided by it, rounded up. Adds the number of checks to *checks.
 * Returns the size, or 0 with a sentence in why.
 */
size_t demo_query(const struct demo_device *device, cl_kernel kernel, size_t asked,
	unsigned *checks, char *why, size_t size);

/* ---- demo_run.c, demo_check.c ---- */

/* What came of running a sample over a range. */
struct demo_outcome {
	bool right;
	unsigned long elements; /* compared with the reference */
	char wrong[320];	/* the first difference or the call that failed */
};

/*
 * Runs a kernel over a range on data that depends on the seed only, and compares every word of its
 * buffers: results with the reference, places with the rules for sub-groups, and words that it had
 * no business to write with the poison that was there before. `width` is the kernel's sub-group
 * size, 0 if the case needs none.
 */
void demo_run(const struct demo_device *device, const struct demo_case *row, cl_kernel kernel,
	const struct demo_range *range, unsigned width, uint64_t seed,
	struct demo_outcome *outcome);

/* Blocks are read from an odd word on, since reads need no more than a word's alignment. */
#define DEMO_BLOCK_BIAS 1

/* A run's buffers on the host. Memory belongs to who made them. */
struct demo_buffers {
	uint32_t *in;
	uint32_t *out;
	uint32_t *place; /* sub-group id and lane of each work-item */
	size_t in_words;
	size_t out_words;
	size_t place_words;
};

/* The sizes that a case needs over a range; buffers are not touched. */
void demo_check_sizes(
	struct demo_buffers *buffers, const struct demo_case *row, const struct demo_range *range);

/* What word `index` of an output holds before the kernel runs. */
uint32_t demo_poison(size_t index);

/*
 * Compares what a kernel left in the buffers with what the case wants; see demo_run. Sets all of
 * outcome. Touches no OpenCL.
 */
void demo_check(const struct demo_case *row, const struct demo_range *range, unsigned width,
	const struct demo_buffers *buffers, struct demo_outcome *outcome);

/* ---- demo_table.c ---- */

/* A row of the demo's table, as it is printed. */
struct demo_table_row {
	const char *kernel;
	size_t asked;	 /* sub-group size, 0: none was */
	size_t got;	 /* 0: the kernel has no sub-groups */
	char groups[48]; /* sub-groups per work-group, for each range; "-" where it was not run */
	char native[512];
	unsigned long elements;
	bool refused;	 /* the compiler refuses this width, as it is known to */
	char wrong[320]; /* "" if all is right */
};

/* Appends a number to row->groups, "-" for 0. */
void demo_table_add_groups(struct demo_table_row *row, size_t groups);

/* What is run, and the names of the columns. no_native says why that column stays empty, or NULL.
 */
void demo_table_head(const struct demo_device *device, uint64_t seed, const char *no_native);
void demo_table_print(const struct demo_table_row *row);

/* What was not run, and why. */
void demo_table_foot(const struct demo_device *device);

#endif
