// SPDX-License-Identifier: MIT
#include "tool/demo/demo.h"

#define SUB   NEED_SUB_GROUPS
#define INTEL (NEED_SUB_GROUPS | NEED_INTEL)
#define BLOCK (NEED_SUB_GROUPS | NEED_INTEL | NEED_BLOCK)

#define FOLD(kernel, op, form)                                                                     \
	{                                                                                          \
		kernel, SUB, demo_want_fold, 1, 3, DATA_RANDOM, LAYOUT_ITEM, LAYOUT_ITEM, op, form \
	}

/* The columns that are not named keep their zero: random data, results by work-item. */
#define CASE(kernel, needs, want, words_in, words_out, ...)                                        \
	{                                                                                          \
		kernel, needs, want, words_in, words_out, __VA_ARGS__, OP_ADD, FORM_REDUCE         \
	}
#define ITEMS  DATA_RANDOM, LAYOUT_ITEM, LAYOUT_ITEM
#define VOTES  DATA_VOTE, LAYOUT_ITEM, LAYOUT_ITEM
#define READS  DATA_RANDOM, LAYOUT_BLOCK, LAYOUT_ITEM
#define WRITES DATA_RANDOM, LAYOUT_ITEM, LAYOUT_BLOCK

const struct demo_case demo_cases[] = {
	CASE("barrier_local", 0, demo_want_reversed, 1, 1, ITEMS),
	CASE("barrier_global", 0, demo_want_rotated, 1, 1, ITEMS),
	CASE("barrier_both", 0, demo_want_reversed, 1, 1, ITEMS),
	CASE("barrier_loop", 0, demo_want_running_sum, 1, 1, ITEMS),
	CASE("barrier_branch", 0, demo_want_branch, 1, 1, ITEMS),
	CASE("work_group_barrier_local", NEED_C20, demo_want_reversed, 1, 1, ITEMS),
	CASE("work_group_barrier_scope", NEED_C20, demo_want_rotated, 1, 1, ITEMS),
	CASE("sub_group_barrier_local", SUB, demo_want_reversed, 1, 1, ITEMS),
	CASE("sub_group_barrier_global", SUB, demo_want_reversed, 1, 1, ITEMS),
	CASE("sub_group_barrier_scope", SUB | NEED_C20, demo_want_reversed, 1, 1, ITEMS),
	CASE("sub_group_enqueued", SUB | NEED_C20, demo_want_enqueued, 1, 1, ITEMS),
	CASE("sub_group_queries", SUB, demo_want_queries, 1, 5, ITEMS),
	CASE("vote_all", SUB, demo_want_all, 1, 1, VOTES),
	CASE("vote_any", SUB, demo_want_any, 1, 1, VOTES),
	CASE("broadcast", SUB, demo_want_broadcast, 1, 3, ITEMS),
	FOLD("reduce_add", OP_ADD, FORM_REDUCE),
	FOLD("reduce_min", OP_MIN, FORM_REDUCE),
	FOLD("reduce_max", OP_MAX, FORM_REDUCE),
	FOLD("scan_inclusive_add", OP_ADD, FORM_INCLUSIVE),
	FOLD("scan_inclusive_min", OP_MIN, FORM_INCLUSIVE),
	FOLD("scan_inclusive_max", OP_MAX, FORM_INCLUSIVE),
	FOLD("scan_exclusive_add", OP_ADD, FORM_EXCLUSIVE),
	FOLD("scan_exclusive_min", OP_MIN, FORM_EXCLUSIVE),
	FOLD("scan_exclusive_max", OP_MAX, FORM_EXCLUSIVE),
	CASE("shuffle", INTEL, demo_want_shuffle, 1, 2, ITEMS),
	CASE("shuffle_down", INTEL, demo_want_shuffle_down, 1, 2, ITEMS),
	CASE("shuffle_up", INTEL, demo_want_shuffle_up, 1, 2, ITEMS),
	CASE("shuffle_xor", INTEL, demo_want_shuffle_xor, 1, 2, ITEMS),
	CASE("block_read", BLOCK, demo_want_same, 1, 1, READS),
	CASE("block_read2", BLOCK, demo_want_same, 2, 2, READS),
	CASE("block_read4", BLOCK, demo_want_same, 4, 4, READS),
	CASE("block_read8", BLOCK, demo_want_same, 8, 8, READS),
	CASE("block_write", BLOCK, demo_want_same, 1, 1, WRITES),
	CASE("block_write2", BLOCK, demo_want_same, 2, 2, WRITES),
	CASE("block_write4", BLOCK, demo_want_same, 4, 4, WRITES),
	CASE("block_write8", BLOCK, demo_want_same, 8, 8, WRITES),
};
const unsigned demo_case_count = sizeof(demo_cases) / sizeof(demo_cases[0]);
