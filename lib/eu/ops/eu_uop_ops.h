// SPDX-License-Identifier: MIT
#ifndef EU_UOP_OPS_H
#define EU_UOP_OPS_H

/*
 * Lane-wise micro-operations: X(name, kind of the sources, kind of the result, expression). Kinds:
 * f, i, u for vectors of float, int32_t, uint32_t. In the expressions a, b, c are the sources, VF,
 * VI and VU reinterpret a vector's bits, CONVERT_F converts signed integers, halves lie in the
 * low halves of dwords, PICK chooses by a mask
 * of 0 and -1. They are written for vectors of any length, one lane included.
 */
#define EU_UNARY_OPS(X)                                                                            \
	X(mov, u, u, a)                                                                            \
	X(not, u, u, ~a)                                                                           \
	X(neg_i, u, u, -a)                                                                         \
	X(abs_i, i, u, (VU(a) ^ VU(a >> 31)) - VU(a >> 31))                                        \
	X(neg_f, u, u, a ^ 0x80000000u)                                                            \
	X(abs_f, u, u, a & 0x7fffffffu)                                                            \
	X(neg_abs_f, u, u, a | 0x80000000u)                                                        \
	X(low_uw, u, u, a & 0xffffu)                                                               \
	X(low_w, i, i, VI(VU(a) << 16) >> 16)                                                      \
	X(low_ub, u, u, a & 0xffu)                                                                 \
	X(low_b, i, i, VI(VU(a) << 24) >> 24)                                                      \
	X(f_from_i, i, f, CONVERT_F(a))                                                            \
	X(f_from_u, u, f, FLOAT_FROM_UNSIGNED(a))                                                  \
	X(i_from_f, f, i, INT_FROM_FLOAT(a))                                                       \
	X(u_from_f, f, u, UNSIGNED_FROM_FLOAT(a))                                                  \
	X(f_from_h, u, f, FROM_HALF(a))                                                            \
	X(h_from_f, f, u, TO_HALF(a))                                                              \
	X(lzd, u, u, FUNCTION(lzd_each)(a))                                                        \
	X(fbl, u, u, FUNCTION(fbl_each)(a))                                                        \
	X(cbit, u, u, FUNCTION(cbit_each)(a))                                                      \
	X(bfrev, u, u, FUNCTION(bfrev_each)(a))                                                    \
	X(sat_f, f, f, VF((a > 0) & VI(PICK(a < 1, VU(a), ONES))))                                 \
	X(rndd_f, f, f, ROUND(a, FLOOR))                                                           \
	X(rndu_f, f, f, ROUND(a, CEIL))                                                            \
	X(rndz_f, f, f, ROUND(a, TRUNC))                                                           \
	X(rnde_f, f, f, ROUND(a, EVEN))

#define EU_BINARY_OPS(X)                                                                           \
	X(add_f, f, f, a + b)                                                                      \
	X(sub_f, f, f, a - b)                                                                      \
	X(mul_f, f, f, a *b)                                                                       \
	X(min_f, f, f, VF(PICK((a == a) & ((b != b) | (a < b)), VU(a), VU(b))))                    \
	X(max_f, f, f, VF(PICK((a == a) & ((b != b) | (a >= b)), VU(a), VU(b))))                   \
	X(add_i, u, u, a + b)                                                                      \
	X(sub_i, u, u, a - b)                                                                      \
	X(mul_i, u, u, a *b)                                                                       \
	X(and, u, u, a &b)                                                                         \
	X(or, u, u, a | b)                                                                         \
	X(xor, u, u, a ^ b)                                                                        \
	X(shl, u, u, a << (b & 31))                                                                \
	X(shr, u, u, a >> (b & 31))                                                                \
	X(asr, i, i, a >> (b & 31))                                                                \
	X(rol, u, u, (a << (b & 31)) | (a >> (-b & 31)))                                           \
	X(ror, u, u, (a >> (b & 31)) | (a << (-b & 31)))                                           \
	X(min_i, i, i, VI(PICK(a < b, VU(a), VU(b))))                                              \
	X(max_i, i, i, VI(PICK(a >= b, VU(a), VU(b))))                                             \
	X(min_u, u, u, PICK(a < b, a, b))                                                          \
	X(iqot_i, i, i, FUNCTION(iqot_i_each)(a, b))                                               \
	X(irem_i, i, i, FUNCTION(irem_i_each)(a, b))                                               \
	X(iqot_u, u, u, FUNCTION(iqot_u_each)(a, b))                                               \
	X(irem_u, u, u, FUNCTION(irem_u_each)(a, b))                                               \
	X(max_u, u, u, PICK(a >= b, a, b))

/* mad d, a, b, c is a + b * c, rounded once. */
#define EU_TERNARY_OPS(X)                                                                          \
	X(mad_f, f, f, FMA(b, c, a))                                                               \
	X(nmad_f, f, f, FMA(-b, c, a))                                                             \
	X(msub_f, f, f, FMA(b, c, -a))                                                             \
	X(mad_i, u, u, a + b * c)

/* X(kind, name, number of the condition (enum gen_cond), operator) */
#define EU_COMPARE_OPS(X)                                                                          \
	X(f, eq, GEN_COND_EQ, ==)                                                                  \
	X(f, ne, GEN_COND_NE, !=)                                                                  \
	X(f, gt, GEN_COND_GT, >)                                                                   \
	X(f, ge, GEN_COND_GE, >=)                                                                  \
	X(f, lt, GEN_COND_LT, <)                                                                   \
	X(f, le, GEN_COND_LE, <=)                                                                  \
	X(i, eq, GEN_COND_EQ, ==)                                                                  \
	X(i, ne, GEN_COND_NE, !=)                                                                  \
	X(i, gt, GEN_COND_GT, >)                                                                   \
	X(i, ge, GEN_COND_GE, >=)                                                                  \
	X(i, lt, GEN_COND_LT, <)                                                                   \
	X(i, le, GEN_COND_LE, <=)                                                                  \
	X(u, eq, GEN_COND_EQ, ==)                                                                  \
	X(u, ne, GEN_COND_NE, !=)                                                                  \
	X(u, gt, GEN_COND_GT, >)                                                                   \
	X(u, ge, GEN_COND_GE, >=)                                                                  \
	X(u, lt, GEN_COND_LT, <)                                                                   \
	X(u, le, GEN_COND_LE, <=)

#define EU_ENUM(name, kind, result, expression) EU_OP_##name,
enum eu_unary_op { EU_UNARY_OPS(EU_ENUM) EU_UNARY_COUNT };
enum eu_binary_op { EU_BINARY_OPS(EU_ENUM) EU_BINARY_COUNT };
enum eu_ternary_op { EU_TERNARY_OPS(EU_ENUM) EU_TERNARY_COUNT };
#undef EU_ENUM

/* Kinds of comparison, in the order of their rows in the handler table. */
enum eu_compare_kind { EU_COMPARE_f, EU_COMPARE_i, EU_COMPARE_u, EU_COMPARE_KINDS };

/* How many channels a handler does at once. */
enum eu_width { EU_WIDTH_1, EU_WIDTH_8, EU_WIDTH_16, EU_WIDTHS };

/* Contiguous sources of narrower types. */
enum eu_widen { EU_WIDEN_UB, EU_WIDEN_B, EU_WIDEN_UW, EU_WIDEN_W, EU_WIDEN_COUNT };

/* Functions of math.* that have handlers. */
enum eu_math_op {
	EU_MATH_INV,
	EU_MATH_SQT,
	EU_MATH_RSQT,
	EU_MATH_EXP,
	EU_MATH_LOG,
	EU_MATH_SIN,
	EU_MATH_COS,
	EU_MATH_COUNT,
};

/* Shapes of sources: bit n is set when source n is one value for all channels. */
enum { EU_SHAPES_1 = 2, EU_SHAPES_2 = 3, EU_SHAPES_3 = 7 };

#endif
