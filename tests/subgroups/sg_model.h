// SPDX-License-Identifier: MIT
#ifndef TESTS_SG_MODEL_H
#define TESTS_SG_MODEL_H

#include "subgroups/sg_table.h"

/*
 * The scalar model: what a sub-group's (or work-group's) work-items must get, one after the other.
 * A word `w` for each work-item says: bit 31, it takes the branch; bits 7:0, a lane of its
 * sub-group, one that takes the branch if the shape is divergent; bits 15:8, a number below the
 * sub-group size; bits 24:16 and 30:25, a place in and around the image.
 */
struct sg_team {
	unsigned size;	 /* lanes, or members of the work-group */
	unsigned width;	 /* get_max_sub_group_size */
	unsigned number; /* of the sub-group in the launch, as blocks are laid */
	unsigned id;	 /* get_sub_group_id */
	unsigned groups; /* get_num_sub_groups */
	size_t first;	 /* the item of lane 0; items of a team are neighbours */
	size_t items;	 /* in the launch */
	const uint8_t *a;
	const uint8_t *b;
	const uint32_t *w;
	const uint8_t *image; /* that is read: SG_IMAGE_PITCH by `rows` bytes */
	unsigned rows;	      /* of the image */
	uint8_t *want;	      /* as the kernel's o */
	uint8_t *known;	      /* for each result (for blocks, each scalar): SG_UNKNOWN … */
};

enum sg_known {
	SG_UNTOUCHED, /* keeps its poison */
	SG_UNDEFINED, /* may be anything */
	SG_WANTED
};

void sg_model_query(const struct sg_cell *cell, struct sg_team *team);
void sg_model_vote(const struct sg_cell *cell, struct sg_team *team);
void sg_model_equal(const struct sg_cell *cell, struct sg_team *team);
void sg_model_broadcast(const struct sg_cell *cell, struct sg_team *team);
void sg_model_first(const struct sg_cell *cell, struct sg_team *team);
void sg_model_reduce(const struct sg_cell *cell, struct sg_team *team);
void sg_model_inclusive(const struct sg_cell *cell, struct sg_team *team);
void sg_model_exclusive(const struct sg_cell *cell, struct sg_team *team);
void sg_model_cluster(const struct sg_cell *cell, struct sg_team *team);
void sg_model_shuffle(const struct sg_cell *cell, struct sg_team *team);
void sg_model_xor(const struct sg_cell *cell, struct sg_team *team);
void sg_model_down(const struct sg_cell *cell, struct sg_team *team);
void sg_model_up(const struct sg_cell *cell, struct sg_team *team);
void sg_model_intel_down(const struct sg_cell *cell, struct sg_team *team);
void sg_model_intel_up(const struct sg_cell *cell, struct sg_team *team);
void sg_model_rotate(const struct sg_cell *cell, struct sg_team *team);
void sg_model_clustered_rotate(const struct sg_cell *cell, struct sg_team *team);
void sg_model_ballot(const struct sg_cell *cell, struct sg_team *team);
void sg_model_bits(const struct sg_cell *cell, struct sg_team *team);
void sg_model_mask(const struct sg_cell *cell, struct sg_team *team);
void sg_model_read(const struct sg_cell *cell, struct sg_team *team);
void sg_model_write(const struct sg_cell *cell, struct sg_team *team);

void sg_model_image_read(const struct sg_cell *cell, struct sg_team *team);
void sg_model_image_write(const struct sg_cell *cell, struct sg_team *team);
void sg_model_media_read(const struct sg_cell *cell, struct sg_team *team);
void sg_model_media_write(const struct sg_cell *cell, struct sg_team *team);

/*
 * Images have texels of four bytes. Those that are written have a band of rows for each sub-group;
 * the first ones' blocks may begin above the image, the last ones' end below it.
 */
enum { SG_IMAGE_PITCH = 240, SG_IMAGE_ROWS = 37, SG_IMAGE_BAND = 24 };

/* row->op of queries, votes, what is made of ballots, and masks. */
enum sg_query { SG_SIZE, SG_MAX_SIZE, SG_COUNT, SG_ID, SG_LANE, SG_ENQUEUED };
enum sg_vote { SG_ALL, SG_ANY, SG_ELECT };
enum sg_bits { SG_INVERSE, SG_EXTRACT, SG_BIT_COUNT, SG_BITS_UP_TO, SG_BITS_BELOW, SG_LSB, SG_MSB };
enum sg_mask { SG_EQ, SG_GE, SG_GT, SG_LE, SG_LT };

/*
 * What Intel's compiler gets wrong and ZeroCL puts right: masks above the lane go on to bit 31, and
 * clusters of 64-bit integers are made of the lanes that take part, whatever their numbers. Set
 * where the compiler is alone.
 */
extern bool sg_compiler_alone;

/* Blocks are read from here on in scalars, so that reads are aligned to no more than they must:
 * 4 bytes (or a scalar) in global memory, 16 in local memory. */
size_t sg_read_bias(const struct sg_cell *cell);

#endif
