// SPDX-License-Identifier: MIT
#ifndef NDRANGE_SIZES_H
#define NDRANGE_SIZES_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A checked range: unused dimensions are 1 (offsets 0). Where global[i] is no multiple of local[i],
 * the last group of the dimension is smaller.
 */
struct ndrange {
	cl_uint dims;
	size_t offset[3];
	size_t global[3];
	size_t local[3];
	uint32_t groups[3]; /* 0 in some dimension: nothing to run */
	bool is_whole;	    /* one launch does it: of groups of one size, by numbers of 32 bits */
};

#endif
