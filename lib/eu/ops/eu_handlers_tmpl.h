// SPDX-License-Identifier: MIT
/* All handlers for one instruction set of the host. The includer defines EU_HANDLERS. */
#include "eu/ops/eu_uop_flow_tmpl.h"
#include "eu/ops/eu_uop_vector.h"
#include "eu/ops/eu_uop_message_tmpl.h"
#include "eu/ops/eu_uop_move_tmpl.h"

#define LANES 1
#define PARTS 1
#define WIDTH 1
#include "eu/ops/eu_uop_alu_tmpl.h"
#undef LANES
#undef WIDTH
#define LANES 8
#define WIDTH 8
#include "eu/ops/eu_uop_alu_tmpl.h"
#undef PARTS
#undef WIDTH
#define PARTS 2
#define WIDTH 16
#include "eu/ops/eu_uop_alu_tmpl.h"

/* For one channel every source is contiguous. */
#define PAIR(name, shape, width)                                                                   \
	{                                                                                          \
		name##_##shape##_F_##width, name##_##shape##_M_##width                             \
	}
#define ROW_1(name, width)                                                                         \
	{                                                                                          \
		PAIR(name, C, width), PAIR(name, S, width)                                         \
	}
#define ROW_2(name, width)                                                                         \
	{                                                                                          \
		PAIR(name, CC, width), PAIR(name, SC, width), PAIR(name, CS, width)                \
	}
#define ROW_3(name, width)                                                                         \
	{                                                                                          \
		PAIR(name, CCC, width), PAIR(name, SCC, width), PAIR(name, CSC, width),            \
			PAIR(name, SSC, width), PAIR(name, CCS, width), PAIR(name, SCS, width),    \
			PAIR(name, CSS, width)                                                     \
	}
#define UNARY_ROW(name, k, rk, e)                                                                  \
	[EU_OP_##name] = { { PAIR(name, C, 1), PAIR(name, C, 1) }, ROW_1(name, 8),                 \
		ROW_1(name, 16) },
#define BINARY_ROW(name, k, rk, e)                                                                 \
	[EU_OP_##name] = { { PAIR(name, CC, 1), PAIR(name, CC, 1), PAIR(name, CC, 1) },            \
		ROW_2(name, 8), ROW_2(name, 16) },
#define TERNARY_ROW(name, k, rk, e)                                                                \
	[EU_OP_##name] = { { PAIR(name, CCC, 1), PAIR(name, CCC, 1), PAIR(name, CCC, 1),           \
				   PAIR(name, CCC, 1), PAIR(name, CCC, 1), PAIR(name, CCC, 1),     \
				   PAIR(name, CCC, 1) },                                           \
		ROW_3(name, 8), ROW_3(name, 16) },
#define COMPARE_ROW(k, name, number, operator)                                                     \
	[EU_COMPARE_##                                                                             \
		k][number] = { { PAIR(cmp_##k##_##name, CC, 1), PAIR(cmp_##k##_##name, CC, 1),     \
				       PAIR(cmp_##k##_##name, CC, 1) },                            \
		ROW_2(cmp_##k##_##name, 8), ROW_2(cmp_##k##_##name, 16) },
#define MATH_WIDTH(name, width)                                                                    \
	{                                                                                          \
		math_##name##_F_##width, math_##name##_M_##width                                   \
	}
#define MATH_ROW(number, name)                                                                     \
	[EU_MATH_##number] = { MATH_WIDTH(name, 1), MATH_WIDTH(name, 8), MATH_WIDTH(name, 16) },
#define SELECT_ROW(width)                                                                          \
	{                                                                                          \
		PAIR(select, CC, width), PAIR(select, SC, width), PAIR(select, CS, width),         \
			PAIR(select, SS, width)                                                    \
	}

const struct eu_handlers EU_HANDLERS = {
	.by_id = {
		[EU_UOP_COUNT] = flow_count,
		[EU_UOP_LABEL] = flow_label,
		[EU_UOP_LEAVE] = flow_leave,
		[EU_UOP_LOOP] = flow_loop,
		[EU_UOP_JUMP] = flow_jump,
		[EU_UOP_SKIP] = flow_skip,
		[EU_UOP_CALL] = flow_call,
		[EU_UOP_RETURN] = flow_return,
		[EU_UOP_BARRIER] = flow_barrier,
		[EU_UOP_GENERAL] = flow_general,
		[EU_UOP_SEND] = flow_send,
		[EU_UOP_SEND_PLAIN] = flow_send_plain,
		[EU_UOP_SEND_PART] = flow_send_part,
		[EU_UOP_END] = flow_end,
		[EU_UOP_ORDER] = flow_order,
		[EU_UOP_FAULT] = flow_fault,
		[EU_UOP_GATHER_UB] = gather_ub,
		[EU_UOP_GATHER_B] = gather_b,
		[EU_UOP_GATHER_UW] = gather_uw,
		[EU_UOP_GATHER_W] = gather_w,
		[EU_UOP_GATHER_D] = gather_d,
		[EU_UOP_GATHER_INDIRECT] = gather_indirect,
		[EU_UOP_CR0] = set_cr0,
		[EU_UOP_UNLESS] = flow_unless,
	},
	.masked = {
		[EU_MASKED_SCATTER_8] = { scatter_8_F, scatter_8_M },
		[EU_MASKED_SCATTER_16] = { scatter_16_F, scatter_16_M },
		[EU_MASKED_SCATTER_32] = { scatter_32_F, scatter_32_M },
		[EU_MASKED_COPY_8] = { copy_8_F, copy_8_M },
		[EU_MASKED_COPY_16] = { copy_16_F, copy_16_M },
		[EU_MASKED_COPY_32] = { copy_32_F, copy_32_M },
		[EU_MASKED_MULTIPLY] = { wide_multiply_F, wide_multiply_M },
		[EU_MASKED_MACH] = { wide_mach_F, wide_mach_M },
		[EU_MASKED_ADDC] = { wide_addc_F, wide_addc_M },
		[EU_MASKED_SUBB] = { wide_subb_F, wide_subb_M },
		[EU_MASKED_FLAGS] = { known_flags_F, known_flags_M },
	},
	.unary = { EU_UNARY_OPS(UNARY_ROW) },
	.binary = { EU_BINARY_OPS(BINARY_ROW) },
	.ternary = { EU_TERNARY_OPS(TERNARY_ROW) },
	.compare = { EU_COMPARE_OPS(COMPARE_ROW) },
	.select = { { PAIR(select, CC, 1), PAIR(select, CC, 1), PAIR(select, CC, 1),
			    PAIR(select, CC, 1) },
		SELECT_ROW(8), SELECT_ROW(16) },
	.flags = { { flags_F_1, flags_M_1 }, { flags_F_8, flags_M_8 }, { flags_F_16, flags_M_16 } },
	.widen = {
		[EU_WIDEN_UB] = { NULL, widen_ub_F_8, widen_ub_F_16 },
		[EU_WIDEN_B] = { NULL, widen_b_F_8, widen_b_F_16 },
		[EU_WIDEN_UW] = { NULL, widen_uw_F_8, widen_uw_F_16 },
		[EU_WIDEN_W] = { NULL, widen_w_F_8, widen_w_F_16 },
	},
	.math = { MATH_ROW(INV, inv) MATH_ROW(SQT, sqt) MATH_ROW(RSQT, rsqt) MATH_ROW(EXP, exp)
			MATH_ROW(LOG, log) MATH_ROW(SIN, sin) MATH_ROW(COS, cos) },
	.predicate = { predicate_F_1, predicate_F_8, predicate_F_16 },
#ifdef MESSAGE_TABLE
	.message = MESSAGE_TABLE,
#endif
};
