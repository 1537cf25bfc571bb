// SPDX-License-Identifier: MIT
#ifndef TESTS_SG_TABLE_H
#define TESTS_SG_TABLE_H

#include "subgroups/sg_type.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The sub-group built-ins as a table. A row is a function, a cell is a function with a type and a
 * vector width; kernels, data, expected results and refusals are made from rows.
 */

struct sg_cell;
struct sg_team;

/* What a result's type is. SG_IMAGE: the results are the bytes of the image. */
enum sg_result { SG_SAME, SG_RESULT_INT, SG_RESULT_UINT, SG_RESULT_UINT4, SG_BLOCKS, SG_IMAGE };

/* What the compiler refuses of a row's cells, and in which way. */
enum sg_refusal {
	SG_NOTHING,
	SG_NO_SIMD32, /* the back end, at 32: "... not supported in SIMD32", with the kernel's name
		       */
	SG_NOT_LINKED /* the linker, at each size: the function has no body */
};

/* What the input holds. */
enum sg_data { SG_DATA_ANY, SG_DATA_VOTE, SG_DATA_EQUAL, SG_DATA_UNIFORM, SG_DATA_OP };

/*
 * How functions are called. In `body` $F is the function, $T the type, $E the scalar type, $W the
 * vector width, $B the scalars from one sub-group's block to the next, $X and $Y the scalars in a
 * row and the rows of a media block. A body sees the kernel's arguments a, b (data), w (a word for
 * each work-item, see sg_team), o (results), l (local memory), q (the image, if the shape has one),
 * the work-item's number i and their count n, and c = w[i]. V(call, plain) is the call, or, in a
 * build of the same kernel without the built-in, what stands for it; W is a second way of calling
 * it, and U one more that documentation has no line for (enum sg_calls).
 */
struct sg_shape {
	const char *body;
	enum sg_result result;
	unsigned results;  /* for each work-item, at o[k * n + i] */
	bool divergent;	   /* called in a branch that some work-items take */
	bool uniform;	   /* the word is the same for all work-items of a sub-group */
	bool by_group;	   /* the team is the work-group */
	const char *image; /* "read_only", "write_only", or NULL: the cell has no image */
	enum sg_data data;
	void (*model)(const struct sg_cell *cell, struct sg_team *team);
};

struct sg_row {
	const char *name;
	const char *extension; /* "" for what is in all of them */
	const struct sg_shape *shape;
	int op;		    /* of enum sg_op, or what the model wants */
	unsigned types;	    /* set of enum sg_type_id */
	unsigned widths;    /* set: bits by vector width */
	bool width_in_name; /* intel_sub_group_block_read4 */
	enum sg_refusal refusal;
	bool from_compiler; /* false: only our headers have it */
};

extern const struct sg_row sg_rows[];
extern const size_t sg_n_rows;

struct sg_cell {
	const struct sg_row *row;
	enum sg_type_id type;
	unsigned width;
	unsigned index; /* in the list of all: the kernel is called c<index> */
};

/* All cells; *n is their number. Freed by the caller. */
struct sg_cell *sg_cells(size_t *n);
/* Calls that the compiler must refuse: types and widths that a function is not declared for. */
struct sg_cell *sg_refused_cells(size_t *n, bool has_doubles);

/* "intel_sub_group_shuffle" or "intel_sub_group_block_read4"; "int4". */
void sg_cell_function(const struct sg_cell *cell, char *text, size_t size);
void sg_cell_type(const struct sg_cell *cell, char *text, size_t size);
/* Bytes of a vector (three take the room of four) and of a result. */
size_t sg_cell_size(const struct sg_cell *cell);
size_t sg_cell_result_size(const struct sg_cell *cell);
/* Scalars from one sub-group's block to the next: whole, and a multiple of 16 bytes. */
size_t sg_cell_block(const struct sg_cell *cell, unsigned simd);
/* Scalars in a row of a media block, and its rows: all that the lanes have, or 256 bytes. */
unsigned sg_cell_columns(const struct sg_cell *cell, unsigned simd);
unsigned sg_cell_rows(const struct sg_cell *cell, unsigned simd);
/* The components of a result that are defined: of media blocks at most 256 bytes are. */
unsigned sg_cell_defined(const struct sg_cell *cell, unsigned simd);

#endif
