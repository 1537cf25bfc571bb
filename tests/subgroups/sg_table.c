// SPDX-License-Identifier: MIT
#include "subgroups/sg_table.h"

#include "subgroups/sg_model.h"
#include "subgroups/sg_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the branch that some take. */
#define SOME "if (c >> 31) "

static const struct sg_shape query = { "o[i] = V($F(), 0);", SG_RESULT_UINT, 1,
	.model = sg_model_query },
			     vote = { "o[i] = V($F(a[i]), a[i]) != 0;", SG_RESULT_INT, 1,
				     .data = SG_DATA_VOTE, .model = sg_model_vote },
			     some_vote = { SOME "o[i] = V($F(a[i]), a[i]) != 0;", SG_RESULT_INT, 1,
				     .divergent = true, .data = SG_DATA_VOTE,
				     .model = sg_model_vote },
			     elect = { SOME "o[i] = V($F(), a[i]) != 0;", SG_RESULT_INT, 1,
				     .divergent = true, .model = sg_model_vote },
			     all_equal = { SOME "o[i] = V($F(a[i]), (int)a[i]) != 0;",
				     SG_RESULT_INT, 1, .divergent = true, .data = SG_DATA_EQUAL,
				     .model = sg_model_equal },
			     broadcast = { "o[i] = V($F(a[i], c & 255), a[i] + ($E)(c & 255));\n"
					   "o[n + i] = W($F(a[i], 0), a[i]);",
				     SG_SAME, 2, .uniform = true, .model = sg_model_broadcast },
			     some_broadcast = { SOME
				     "o[i] = V($F(a[i], c & 255), a[i] + ($E)(c & 255));",
				     SG_SAME, 1, .divergent = true, .uniform = true,
				     .model = sg_model_broadcast },
			     first = { SOME "o[i] = V($F(a[i]), a[i]);", SG_SAME, 1,
				     .divergent = true, .model = sg_model_first };

#define FOLD(name, model_function)                                                                 \
	static const struct sg_shape name = { "o[i] = V($F(a[i]), a[i]);", SG_SAME, 1,             \
		.data = SG_DATA_OP, .model = model_function },                                     \
				     some_##name = { SOME "o[i] = V($F(a[i]), a[i]);", SG_SAME, 1, \
					     .divergent = true, .data = SG_DATA_OP,                \
					     .model = model_function },                            \
				     group_##name = { "o[i] = V($F(a[i]), a[i]);", SG_SAME, 1,     \
					     .by_group = true, .data = SG_DATA_OP,                 \
					     .model = model_function }
FOLD(reduce, sg_model_reduce);
FOLD(inclusive, sg_model_inclusive);
FOLD(exclusive, sg_model_exclusive);

static const struct sg_shape
	cluster = { SOME "{ o[i] = U($F(a[i], 1), a[i]); o[n + i] = V($F(a[i], 2), a[i]);\n"
			 "o[2 * n + i] = U($F(a[i], 4), a[i]); o[3 * n + i] = U($F(a[i], 8), a[i]);\n"
			 "o[4 * n + i] = U($F(a[i], S / 2), a[i]); o[5 * n + i] = W($F(a[i], S), a[i]); }",
		SG_SAME, 6, .divergent = true, .data = SG_DATA_OP, .model = sg_model_cluster },
#define BY_NUMBER "o[i] = V($F(a[i], c >> 8 & 255), a[i] + ($E)(c >> 8 & 255));\n"
	some_shuffle = { SOME "{ o[i] = V($F(a[i], c & 255), a[i] + ($E)(c & 255));\n"
			      "o[n + i] = W($F(b[i], 1), b[i]); }",
		SG_SAME, 2, .divergent = true, .model = sg_model_shuffle },
	shuffle = { "o[i] = V($F(a[i], c & 255), a[i] + ($E)(c & 255));\n"
		    "o[n + i] = W($F(b[i], 1), b[i]);",
		SG_SAME, 2, .model = sg_model_shuffle },
	xor = { BY_NUMBER "o[n + i] = W($F(b[i], 5), b[i]);", SG_SAME, 2, .model = sg_model_xor },
	down = { BY_NUMBER "o[n + i] = W($F(b[i], 1), b[i]);", SG_SAME, 2, .model = sg_model_down },
	up = { BY_NUMBER "o[n + i] = W($F(b[i], 1), b[i]);", SG_SAME, 2, .model = sg_model_up },
#define TWO                                                                                        \
	"o[i] = V($F(a[i], b[i], c >> 8 & 255), a[i] + b[i] + ($E)(c >> 8 & 255));\n"              \
	"o[n + i] = W($F(a[i], b[i], 1), a[i] + b[i]);"
	intel_down = { TWO, SG_SAME, 2, .model = sg_model_intel_down },
	intel_up = { TWO, SG_SAME, 2, .model = sg_model_intel_up },
	rotate = { BY_NUMBER "o[n + i] = U($F(b[i], (int)(c >> 8 & 255) - S), b[i]);\n"
			     "o[2 * n + i] = W($F(a[i], 3), a[i]);",
		SG_SAME, 3, .uniform = true, .model = sg_model_rotate },
#define CLUSTERED(V, k, size)                                                                      \
	"o[" #k " * n + i] = " #V "($F(a[i], c >> 8 & 255, " #size                                 \
	"), a[i] + ($E)(c >> 8 & 255));\n"
	clustered_rotate = { CLUSTERED(U, 0, 1) CLUSTERED(V, 1, 2) CLUSTERED(U, 2, 4) CLUSTERED(U, 3, 8)
			CLUSTERED(W, 4, S),
		SG_SAME, 5, .uniform = true, .model = sg_model_clustered_rotate },
	ballot = { SOME "o[i] = V($F(a[i] & 1), (uint4)(a[i]));", SG_RESULT_UINT4, 1,
		.divergent = true, .model = sg_model_ballot },
	inverse = { "o[i] = V($F((uint4)(a[i], ~a[i], 7, 9)), a[i]) != 0;", SG_RESULT_UINT, 1,
		.uniform = true, .data = SG_DATA_UNIFORM, .model = sg_model_bits },
	extract = { "o[i] = V($F((uint4)(a[i], ~a[i], 7, 9), c >> 8 & 255), a[i] * c) != 0;",
		SG_RESULT_UINT, 1, .model = sg_model_bits },
	bits = { "o[i] = V($F((uint4)(a[i], ~a[i], 7, 9)), a[i]);", SG_RESULT_UINT, 1,
		.model = sg_model_bits },
	mask = { "o[i] = V($F(), (uint4)(0));", SG_RESULT_UINT4, 1, .model = sg_model_mask };

/* The block of this sub-group, p. Local memory is filled and emptied by all of the work-group. */
#define NUMBER "uint sub = get_group_id(0) * get_num_sub_groups() + get_sub_group_id();\n"
#define FILL                                                                                       \
	"for (uint k = m; k < get_num_sub_groups() * $B + $P; k += get_local_size(0))\n"           \
	" l[k] = ((global const $E *)a)[get_group_id(0) * get_num_sub_groups() * $B + k];\n"       \
	"barrier(CLK_LOCAL_MEM_FENCE);\n"
#define EMPTY                                                                                      \
	"for (uint k = m; k < get_num_sub_groups() * $B; k += get_local_size(0))\n"                \
	" l[k] = ((global const $E *)o)[get_group_id(0) * get_num_sub_groups() * $B + k];\n"       \
	"barrier(CLK_LOCAL_MEM_FENCE);\n"
#define DRAIN                                                                                      \
	"barrier(CLK_LOCAL_MEM_FENCE);\n"                                                          \
	"for (uint k = m; k < get_num_sub_groups() * $B; k += get_local_size(0))\n"                \
	" ((global $E *)o)[get_group_id(0) * get_num_sub_groups() * $B + k] = l[k];"
static const struct sg_shape read = { NUMBER
	"global const $E *p = (global const $E *)a + $P + sub * $B;\n"
	"o[i] = V($F(p), p[0]);",
	SG_SAME, 1, .model = sg_model_read },
			     write = { NUMBER "global $E *p = (global $E *)o + sub * $B;\n"
					      "V($F(p, a[i]), *(global $T *)p = a[i]);",
				     SG_BLOCKS, 1, .model = sg_model_write },
			     local_read = { FILL "local $E *p = l + $P + get_sub_group_id() * $B;\n"
						 "o[i] = V($F(p), p[0]);",
				     SG_SAME, 1, .model = sg_model_read },
			     local_write = { EMPTY "local $E *p = l + get_sub_group_id() * $B;\n"
						   "V($F(p, a[i]), *(local $T *)p = a[i]);\n" DRAIN,
				     SG_BLOCKS, 1, .model = sg_model_write };

/* A block at the place that the word names; a band of the image for each sub-group that writes. */
#define READ_AT "int2 at = (int2)((int)(c >> 16 & 511) - 140, (int)(c >> 25 & 63) - 13);\n"
#define WRITE_AT                                                                                   \
	NUMBER "int2 at = (int2)((int)(c >> 16 & 127) * 4 - 140, sub * 24 + (c >> 25 & 7) - 4);\n"
static const struct sg_shape
	image_read = { READ_AT "o[i] = V($F(q, at), a[i] + ($E)(at.x * at.y));", SG_SAME, 1,
		.uniform = true, .image = "read_only", .model = sg_model_image_read },
	image_write = { WRITE_AT "V($F(q, at, a[i]), ((global $T *)o)[at.x * at.y] = a[i]);",
		SG_IMAGE, 1, .uniform = true, .image = "write_only",
		.model = sg_model_image_write },
	media_read = { READ_AT "o[i] = V($F(at, $X, $Y, q), a[i] + ($E)(at.x * at.y));\n"
			       "o[n + i] = U($F(at, $X / 2, 2 * $Y, q), a[i]);",
		SG_SAME, 2, .uniform = true, .image = "read_only", .model = sg_model_media_read },
	media_write = { WRITE_AT
		"V($F(at, $X, $Y, a[i], q), ((global $T *)o)[at.x * at.y] = a[i]);",
		SG_IMAGE, 1, .uniform = true, .image = "write_only",
		.model = sg_model_media_write };

#define ONE	  (1u << 1)
#define VECTORS	  (1u << 2 | 1u << 3 | 1u << 4 | 1u << 8 | 1u << 16)
#define ANY_WIDTH (ONE | VECTORS)
#define TO_8	  (ANY_WIDTH & ~(1u << 16))
#define POWERS	  (1u << 1 | 1u << 2 | 1u << 4 | 1u << 8)
#define INT	  SG_SET(SG_INT)
#define UINT	  SG_SET(SG_UINT)
#define IGC	  .from_compiler = true
#define OURS	  .from_compiler = false

#define QUERY(name, op)                                                                            \
	{                                                                                          \
		name, "", &query, op, UINT, ONE, IGC                                               \
	}
/* The three forms of an operation. */
#define FORMS(prefix, suffix, extension, op, kind, types)                                          \
	{ prefix "reduce_" suffix, extension, &kind##reduce, op, types, ONE, IGC },                \
		{ prefix "scan_inclusive_" suffix, extension, &kind##inclusive, op, types, ONE,    \
			IGC },                                                                     \
	{                                                                                          \
		prefix "scan_exclusive_" suffix, extension, &kind##exclusive, op, types, ONE, IGC  \
	}
#define ARITHMETIC(prefix, extension, types)                                                       \
	FORMS(prefix, "add", extension, SG_ADD, , types),                                          \
		FORMS(prefix, "min", extension, SG_MIN, , types),                                  \
		FORMS(prefix, "max", extension, SG_MAX, , types)
#define NON_UNIFORM(suffix, op, types)                                                             \
	FORMS("sub_group_non_uniform_", suffix, "cl_khr_subgroup_non_uniform_arithmetic", op,      \
		some_, types),                                                                     \
	{                                                                                          \
		"sub_group_clustered_reduce_" suffix, "cl_khr_subgroup_clustered_reduce",          \
			&cluster, op, types, ONE, IGC                                              \
	}
#define BLOCK(name, extension, types, sizes)                                                       \
	{ "intel_sub_group_block_read" name, extension, &read, -1, SG_SET(types), sizes,           \
		.width_in_name = true, .refusal = SG_NO_SIMD32, IGC },                             \
		{ "intel_sub_group_block_write" name, extension, &write, -1, SG_SET(types), sizes, \
			.width_in_name = true, .refusal = SG_NO_SIMD32, IGC },                     \
		{ "intel_sub_group_block_read" name, "cl_intel_subgroup_local_block_io",           \
			&local_read, -1, SG_SET(types), sizes, .width_in_name = true,              \
			.refusal = SG_NO_SIMD32, IGC },                                            \
	{                                                                                          \
		"intel_sub_group_block_write" name, "cl_intel_subgroup_local_block_io",            \
			&local_write, -1, SG_SET(types), sizes, .width_in_name = true,             \
								.refusal = SG_NO_SIMD32, IGC       \
	}
#define IMAGE_BLOCK(name, extension, type, sizes)                                                  \
	{ "intel_sub_group_block_read" name, extension, &image_read, -1, SG_SET(type), sizes,      \
		.width_in_name = true, .refusal = SG_NO_SIMD32, IGC },                             \
	{                                                                                          \
		"intel_sub_group_block_write" name, extension, &image_write, -1, SG_SET(type),     \
			sizes, .width_in_name = true, .refusal = SG_NO_SIMD32, IGC                 \
	}
/* At each sub-group size, unlike the others. */
#define MEDIA_BLOCK(name, type, sizes)                                                             \
	{ "intel_sub_group_media_block_read" name, "cl_intel_media_block_io", &media_read, -1,     \
		SG_SET(type), sizes, .width_in_name = true, IGC },                                 \
	{                                                                                          \
		"intel_sub_group_media_block_write" name, "cl_intel_media_block_io", &media_write, \
			-1, SG_SET(type), sizes, .width_in_name = true, IGC                        \
	}
/* Intel's shuffles: vectors of all but half, long and double. */
#define INTEL_SHUFFLE(name, shape)                                                                 \
	{ name, "cl_intel_subgroups", shape, -1, INT | UINT | SG_SET(SG_FLOAT), ANY_WIDTH, IGC },  \
		{ name, "cl_intel_subgroups", shape, -1,                                           \
			SG_SET(SG_LONG) | SG_SET(SG_ULONG) | SG_SET(SG_HALF), ONE, IGC },          \
		{ name, "cl_intel_subgroups_short", shape, -1,                                     \
			SG_SET(SG_SHORT) | SG_SET(SG_USHORT), ANY_WIDTH, IGC },                    \
	{                                                                                          \
		name, "cl_intel_subgroups_char", shape, -1, SG_SET(SG_CHAR) | SG_SET(SG_UCHAR),    \
			ANY_WIDTH, IGC                                                             \
	}
/* Scalars; vectors are declared, but the compiler has no code for them. */
#define BROADCAST(extension, types)                                                                \
	{ "intel_sub_group_broadcast", extension, &broadcast, -1, types, ONE, IGC },               \
	{                                                                                          \
		"intel_sub_group_broadcast", extension, &broadcast, -1, types, TO_8 & ~ONE,        \
			.refusal = SG_NOT_LINKED, IGC                                              \
	}
#define BITS(name, shape, op)                                                                      \
	{                                                                                          \
		name, "cl_khr_subgroup_ballot", shape, op, UINT, ONE, IGC                          \
	}
#define WORK_GROUP(suffix, op, types)                                                              \
	{ "work_group_reduce_" suffix, "cl_khr_work_group_uniform_arithmetic", &group_reduce, op,  \
		types, ONE, OURS },                                                                \
		{ "work_group_scan_inclusive_" suffix, "cl_khr_work_group_uniform_arithmetic",     \
			&group_inclusive, op, types, ONE, OURS },                                  \
	{                                                                                          \
		"work_group_scan_exclusive_" suffix, "cl_khr_work_group_uniform_arithmetic",       \
			&group_exclusive, op, types, ONE, OURS                                     \
	}

const struct sg_row sg_rows[] = {
	QUERY("get_sub_group_size", SG_SIZE),
	QUERY("get_max_sub_group_size", SG_MAX_SIZE),
	QUERY("get_num_sub_groups", SG_COUNT),
	QUERY("get_enqueued_num_sub_groups", SG_ENQUEUED),
	QUERY("get_sub_group_id", SG_ID),
	QUERY("get_sub_group_local_id", SG_LANE),
	{ "sub_group_all", "cl_intel_subgroups", &vote, SG_ALL, INT, ONE, IGC },
	{ "sub_group_any", "cl_intel_subgroups", &vote, SG_ANY, INT, ONE, IGC },
	{ "sub_group_broadcast", "cl_intel_subgroups", &broadcast, -1, SG_WIDE, ONE, IGC },
	{ "sub_group_broadcast", "cl_khr_subgroup_extended_types", &broadcast, -1, SG_SMALL, ONE,
		IGC },
	{ "sub_group_broadcast", "cl_khr_subgroup_extended_types", &broadcast, -1, SG_SCALARS,
		VECTORS, IGC },
	ARITHMETIC("sub_group_", "cl_intel_subgroups", SG_WIDE),
	ARITHMETIC("sub_group_", "cl_khr_subgroup_extended_types", SG_SMALL),
	ARITHMETIC("intel_sub_group_", "cl_intel_subgroups_short",
		SG_SET(SG_SHORT) | SG_SET(SG_USHORT)),
	ARITHMETIC(
		"intel_sub_group_", "cl_intel_subgroups_char", SG_SET(SG_CHAR) | SG_SET(SG_UCHAR)),
	BROADCAST("cl_intel_subgroups_short", SG_SET(SG_SHORT) | SG_SET(SG_USHORT)),
	BROADCAST("cl_intel_subgroups_char", SG_SET(SG_CHAR) | SG_SET(SG_UCHAR)),
	INTEL_SHUFFLE("intel_sub_group_shuffle", &shuffle),
	INTEL_SHUFFLE("intel_sub_group_shuffle_xor", &xor),
	INTEL_SHUFFLE("intel_sub_group_shuffle_down", &intel_down),
	INTEL_SHUFFLE("intel_sub_group_shuffle_up", &intel_up),
	BLOCK("", "cl_intel_subgroups", SG_UINT, POWERS),
	BLOCK("_ui", "cl_intel_subgroups_short", SG_UINT, POWERS),
	BLOCK("_us", "cl_intel_subgroups_short", SG_USHORT, POWERS),
	BLOCK("_uc", "cl_intel_subgroups_char", SG_UCHAR, POWERS | 1u << 16),
	BLOCK("_ul", "cl_intel_subgroups_long", SG_ULONG, POWERS),
	{ "sub_group_elect", "cl_khr_subgroup_non_uniform_vote", &elect, SG_ELECT, INT, ONE, IGC },
	{ "sub_group_non_uniform_all", "cl_khr_subgroup_non_uniform_vote", &some_vote, SG_ALL, INT,
		ONE, IGC },
	{ "sub_group_non_uniform_any", "cl_khr_subgroup_non_uniform_vote", &some_vote, SG_ANY, INT,
		ONE, IGC },
	{ "sub_group_non_uniform_all_equal", "cl_khr_subgroup_non_uniform_vote", &all_equal, -1,
		SG_SCALARS, ONE, IGC },
	{ "sub_group_non_uniform_broadcast", "cl_khr_subgroup_ballot", &some_broadcast, -1,
		SG_SCALARS, ANY_WIDTH, IGC },
	{ "sub_group_broadcast_first", "cl_khr_subgroup_ballot", &first, -1, SG_SCALARS, ANY_WIDTH,
		IGC },
	BITS("sub_group_ballot", &ballot, 0),
	BITS("sub_group_inverse_ballot", &inverse, SG_INVERSE),
	BITS("sub_group_ballot_bit_extract", &extract, SG_EXTRACT),
	BITS("sub_group_ballot_bit_count", &bits, SG_BIT_COUNT),
	BITS("sub_group_ballot_inclusive_scan", &bits, SG_BITS_UP_TO),
	BITS("sub_group_ballot_exclusive_scan", &bits, SG_BITS_BELOW),
	BITS("sub_group_ballot_find_lsb", &bits, SG_LSB),
	BITS("sub_group_ballot_find_msb", &bits, SG_MSB),
	BITS("get_sub_group_eq_mask", &mask, SG_EQ),
	BITS("get_sub_group_ge_mask", &mask, SG_GE),
	BITS("get_sub_group_gt_mask", &mask, SG_GT),
	BITS("get_sub_group_le_mask", &mask, SG_LE),
	BITS("get_sub_group_lt_mask", &mask, SG_LT),
	NON_UNIFORM("add", SG_ADD, SG_SCALARS),
	NON_UNIFORM("mul", SG_MUL, SG_SCALARS),
	NON_UNIFORM("min", SG_MIN, SG_SCALARS),
	NON_UNIFORM("max", SG_MAX, SG_SCALARS),
	NON_UNIFORM("and", SG_AND, SG_INTEGERS),
	NON_UNIFORM("or", SG_OR, SG_INTEGERS),
	NON_UNIFORM("xor", SG_XOR, SG_INTEGERS),
	NON_UNIFORM("logical_and", SG_LOGICAL_AND, INT),
	NON_UNIFORM("logical_or", SG_LOGICAL_OR, INT),
	NON_UNIFORM("logical_xor", SG_LOGICAL_XOR, INT),
	{ "sub_group_shuffle", "cl_khr_subgroup_shuffle", &some_shuffle, -1, SG_SCALARS, ONE, IGC },
	{ "sub_group_shuffle_xor", "cl_khr_subgroup_shuffle", &xor, -1, SG_SCALARS, ONE, IGC },
	{ "sub_group_shuffle_up", "cl_khr_subgroup_shuffle_relative", &up, -1, SG_SCALARS, ONE,
		IGC },
	{ "sub_group_shuffle_down", "cl_khr_subgroup_shuffle_relative", &down, -1, SG_SCALARS, ONE,
		IGC },
	{ "sub_group_rotate", "cl_khr_subgroup_rotate", &rotate, -1, SG_SCALARS, ONE, OURS },
	{ "sub_group_clustered_rotate", "cl_khr_subgroup_rotate", &clustered_rotate, -1, SG_SCALARS,
		ONE, OURS },
	WORK_GROUP("mul", SG_MUL, SG_WIDE),
	WORK_GROUP("and", SG_AND, SG_WIDE &SG_INTEGERS),
	WORK_GROUP("or", SG_OR, SG_WIDE &SG_INTEGERS),
	WORK_GROUP("xor", SG_XOR, SG_WIDE &SG_INTEGERS),
	WORK_GROUP("logical_and", SG_LOGICAL_AND, INT),
	WORK_GROUP("logical_or", SG_LOGICAL_OR, INT),
	WORK_GROUP("logical_xor", SG_LOGICAL_XOR, INT),
	IMAGE_BLOCK("", "cl_intel_subgroups", SG_UINT, POWERS),
	IMAGE_BLOCK("_ui", "cl_intel_subgroups_short", SG_UINT, POWERS),
	IMAGE_BLOCK("_us", "cl_intel_subgroups_short", SG_USHORT, POWERS),
	IMAGE_BLOCK("_uc", "cl_intel_subgroups_char", SG_UCHAR, POWERS | 1u << 16),
	IMAGE_BLOCK("_ul", "cl_intel_subgroups_long", SG_ULONG, POWERS),
	MEDIA_BLOCK("_ui", SG_UINT, POWERS),
	MEDIA_BLOCK("_us", SG_USHORT, POWERS | 1u << 16),
	MEDIA_BLOCK("_uc", SG_UCHAR, POWERS | 1u << 16),
};
const size_t sg_n_rows = sizeof sg_rows / sizeof *sg_rows;

/* Whether a row declares the function for the type and the width. */
static bool declares(const struct sg_row *row, enum sg_type_id type, unsigned width)
{
	/* OpenCL has this one for scalars; that some compilers take vectors is tested there. */
	if (row->shape == &first && width > 1 && !sg_first_takes_vectors())
		return false;
	return row->types >> type & 1 && row->widths >> width & 1;
}

static struct sg_cell *add(struct sg_cell *cells, size_t *n, const struct sg_row *row,
	enum sg_type_id type, unsigned width)
{
	if ((*n & (*n - 1)) == 0)
		cells = reallocarray(cells, *n ? 2 * *n : 1, sizeof *cells);
	if (!cells)
		abort();
	cells[*n] = (struct sg_cell){ row, type, width, (unsigned)*n };
	++*n;
	return cells;
}

struct sg_cell *sg_cells(size_t *n)
{
	struct sg_cell *cells = NULL;

	*n = 0;
	for (size_t r = 0; r < sg_n_rows; r++)
		for (unsigned type = 0; type < SG_N_TYPES; type++)
			for (unsigned width = 1; width <= 16; width++)
				if (declares(&sg_rows[r], type, width))
					cells = add(cells, n, &sg_rows[r], type, width);
	return cells;
}

/* Whether a function takes any of its types as they are, without a conversion. */
static bool is_generic(const struct sg_row *row)
{
	return row->from_compiler && !row->width_in_name && row->op < SG_LOGICAL_AND &&
	       (row->shape->result == SG_SAME || row->shape == &all_equal);
}

static bool is_declared(size_t row, enum sg_type_id type, unsigned width)
{
	for (size_t r = 0; r < sg_n_rows; r++)
		if (!strcmp(sg_rows[r].name, sg_rows[row].name) &&
			declares(&sg_rows[r], type, width))
			return true;
	return false;
}

static bool is_first_of_name(size_t row)
{
	for (size_t r = 0; r < row; r++)
		if (!strcmp(sg_rows[r].name, sg_rows[row].name))
			return false;
	return true;
}

struct sg_cell *sg_refused_cells(size_t *n, bool has_doubles)
{
	struct sg_cell *cells = NULL;
	unsigned types = has_doubles ? SG_DOUBLE : SG_N_TYPES; /* the last */

	*n = 0;
	for (size_t r = 0; r < sg_n_rows; r++) {
		if (!is_generic(&sg_rows[r]) || !is_first_of_name(r))
			continue;
		for (unsigned type = 0; type < types; type++)
			for (unsigned width = 1; width <= 16; width++)
				if (ANY_WIDTH >> width & 1 && !is_declared(r, type, width))
					cells = add(cells, n, &sg_rows[r], type, width);
	}
	return cells;
}

void sg_cell_function(const struct sg_cell *cell, char *text, size_t size)
{
	if (cell->row->width_in_name && cell->width > 1)
		snprintf(text, size, "%s%u", cell->row->name, cell->width);
	else
		snprintf(text, size, "%s", cell->row->name);
}

void sg_cell_type(const struct sg_cell *cell, char *text, size_t size)
{
	if (cell->width > 1)
		snprintf(text, size, "%s%u", sg_types[cell->type].name, cell->width);
	else
		snprintf(text, size, "%s", sg_types[cell->type].name);
}

size_t sg_cell_size(const struct sg_cell *cell)
{
	return sg_types[cell->type].size * (cell->width == 3 ? 4 : cell->width);
}

size_t sg_cell_result_size(const struct sg_cell *cell)
{
	switch (cell->row->shape->result) {
	case SG_SAME:
		return sg_cell_size(cell);
	case SG_BLOCKS:
		return sg_types[cell->type].size;
	case SG_IMAGE:
		return 1;
	case SG_RESULT_UINT4:
		return 16;
	default:
		return 4;
	}
}

size_t sg_cell_block(const struct sg_cell *cell, unsigned simd)
{
	size_t size = sg_types[cell->type].size;

	return ((size_t)simd * cell->width * size + 15) / 16 * 16 / size;
}

unsigned sg_cell_columns(const struct sg_cell *cell, unsigned simd)
{
	unsigned size = sg_types[cell->type].size;

	return simd * size > 32 ? 32 / size : simd;
}

unsigned sg_cell_rows(const struct sg_cell *cell, unsigned simd)
{
	unsigned row = sg_cell_columns(cell, simd) * sg_types[cell->type].size;
	unsigned bytes = simd * cell->width * sg_types[cell->type].size;

	return (bytes > 256 ? 256 : bytes) / row;
}

unsigned sg_cell_defined(const struct sg_cell *cell, unsigned simd)
{
	if (cell->row->shape->image && strstr(cell->row->name, "media"))
		return sg_cell_columns(cell, simd) * sg_cell_rows(cell, simd) / simd;
	return cell->width;
}
