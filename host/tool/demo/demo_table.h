// SPDX-License-Identifier: MIT
#ifndef DEMO_TABLE_H
#define DEMO_TABLE_H

#include "tool/demo/demo_device.h"

/* A row of the demo's table, as it is printed. */
struct demo_table_row {
	const char *kernel;
	size_t asked;	 /* sub-group size, 0: none was */
	size_t got;	 /* 0: the kernel has no sub-groups */
	char groups[48]; /* sub-groups per work-group, for each range; "-" where it was not run */
	char native[512];
	unsigned long elements;
	bool refused;	 /* the compiler refuses this width, as it is known to */
	char wrong[320]; /* "" if all is right */
};

/* Appends a number to row->groups, "-" for 0. */
void demo_table_add_groups(struct demo_table_row *row, size_t groups);

/* What is run, and the names of the columns. no_native says why that column stays empty, or NULL.
 */
void demo_table_head(const struct demo_device *device, uint64_t seed, const char *no_native);
void demo_table_print(const struct demo_table_row *row);

/* What was not run, and why. */
void demo_table_foot(const struct demo_device *device);

#endif
