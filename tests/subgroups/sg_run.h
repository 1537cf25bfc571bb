// SPDX-License-Identifier: MIT
#ifndef TESTS_SG_RUN_H
#define TESTS_SG_RUN_H

#include "subgroups/sg_table.h"

#include <CL/cl.h>

/*
 * Runs the kernel of a cell over `groups` work-groups of `local` work-items on random data and
 * compares every byte of the results with the model. False with a sentence in why if one differs.
 */
bool sg_run(const struct sg_cell *cell, cl_program program, unsigned simd, unsigned local,
	unsigned groups, uint64_t seed, char *why, size_t size);

#endif
