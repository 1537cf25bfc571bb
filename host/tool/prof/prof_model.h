// SPDX-License-Identifier: MIT
#ifndef PROF_MODEL_H
#define PROF_MODEL_H

#include "tool/prof/prof_report.h"

/*
 * What the kernel's counts should take on the device, from published rates (the device's
 * eu_rate.def): a lower bound for each part, as if everything else cost nothing. Waits, latencies,
 * the hits of caches and the clock's changes are not modelled.
 */
enum prof_part {
	PROF_ARITHMETIC, /* port 0 */
	PROF_SECOND,	 /* port 1 */
	PROF_BRANCH,
	PROF_SEND,
	PROF_SYSTOLIC,
	PROF_CACHE,  /* lines between the EUs and the level 3 cache */
	PROF_LOCAL,  /* local memory, with conflicts */
	PROF_MEMORY, /* the same lines, if none stays in a cache */
	PROF_PARTS
};
extern const char *const prof_part_names[PROF_PARTS];

struct prof_model {
	double cycles[PROF_PARTS]; /* of the device */
	enum prof_part bound;	   /* the longest of all but PROF_MEMORY, */
	double microseconds;	   /* and how long that is at the highest clock */
	double line_bytes;	   /* of all lines touched */
	double intensity;	   /* arithmetic operations for each of these bytes; 0: no bytes */
	/* Operations in a second: what the kernel may reach, and the device. */
	double peak, cache_gigabytes, memory_gigabytes;
	double reached; /* operations in the time of the bound */
};
struct prof_model prof_model_of(const struct prof_kernel *kernel);

/* Of the shape's resident threads, how many of those that a subslice could have; 0 to 1. */
double prof_occupancy(const struct prof_kernel *kernel, const struct prof_shape *shape);

#endif
