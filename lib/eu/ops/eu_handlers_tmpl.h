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

/* The handlers of a row's variants, in the order of their codes. */
#define PAIR(name, shape, width) name##_##shape##_F_##width, name##_##shape##_M_##width
#define ROW_1(name, width)	 PAIR(name, C, width), PAIR(name, S, width)
#define ROW_2(name, width)	 PAIR(name, CC, width), PAIR(name, SC, width), PAIR(name, CS, width)
#define ROW_3(name, width)                                                                         \
	PAIR(name, CCC, width), PAIR(name, SCC, width), PAIR(name, CSC, width),                    \
		PAIR(name, SSC, width), PAIR(name, CCS, width), PAIR(name, SCS, width),            \
		PAIR(name, CSS, width)
#define VARIANTS_LANES(name) name##_F_1, name##_F_8, name##_F_16
#define VARIANTS_LANES_MASKED(name)                                                                \
	name##_F_1, name##_M_1, name##_F_8, name##_M_8, name##_F_16, name##_M_16
#define VARIANTS_SELECT(name)                                                                      \
	PAIR(name, CC, 1), ROW_2(name, 8), PAIR(name, SS, 8), ROW_2(name, 16), PAIR(name, SS, 16)
/* Not for one lane. */
#define widen_ub_F_1 NULL
#define widen_b_F_1  NULL
#define widen_uw_F_1 NULL
#define widen_w_F_1  NULL
#define widen_h_F_1  NULL
#define even_F_1     NULL
#define odd_F_1	     NULL

const struct eu_handlers EU_HANDLERS = { {
#define PLAIN(name, ...)	 [EU_UOP_##name] = uop_##name,
#define MASKED(name, ...)	 [EU_UOP_##name] = name##_F, name##_M,
#define UNARY(name, ...)	 [EU_UOP_##name] = PAIR(name, C, 1), ROW_1(name, 8), ROW_1(name, 16),
#define BINARY(name, ...)	 [EU_UOP_##name] = PAIR(name, CC, 1), ROW_2(name, 8), ROW_2(name, 16),
#define TERNARY(name, ...)	 [EU_UOP_##name] = PAIR(name, CCC, 1), ROW_3(name, 8), ROW_3(name, 16),
#define COMPARE(kind, name, ...) BINARY_ROW(cmp_##kind##_##name)
#define BINARY_ROW(name)	 [EU_UOP_##name] = PAIR(name, CC, 1), ROW_2(name, 8), ROW_2(name, 16),
#define WIDE(name, form, ...)	 [EU_UOP_##name] = VARIANTS_##form(name),
#define QUAD(name, ...)		 [EU_UOP_##name] = VARIANTS_LANES_MASKED(name),
#define MATH(name, ...)		 [EU_UOP_math_##name] = VARIANTS_LANES_MASKED(math_##name),
#ifdef __AVX2__
#define MESSAGE(verb, space, channels)                                                             \
	[EU_UOP_##verb##_##space##_##channels] = PAIR_OF(verb##_##space##_##channels, 16),         \
	PAIR_OF(verb##_##space##_##channels, 8),
#define PAIR_OF(name, width) name##_F_##width, name##_M_##width
#else
#define MESSAGE(verb, space, channels)
#endif
#include "eu/ops/uop.def"
} };
