// SPDX-License-Identifier: MIT
#ifndef NDRANGE_H
#define NDRANGE_H

#include "core/device/device.h"
#include "core/kernel/kernel.h"
#include "core/kernel/ndrange_sizes.h"

/*
 * Checks what clEnqueueNDRangeKernel says of kernel, sizes and arguments (every error of section
 * 5.10 that is not about queue and wait list), chooses the group size where `local` is NULL, and
 * fills *out. offset may be NULL. Takes no reference. Locks: takes kernel->lock.
 */
cl_int ndrange_resolve(struct kernel *kernel, const struct device *device, cl_uint dims,
	const size_t *offset, const size_t *global, const size_t *local, struct ndrange *out);

/* The same in two parts: what of it is about the arguments, and what is not. */
cl_int ndrange_check_args(struct kernel *kernel, const struct device *device);
/* Locks: kernel->lock is held. */
cl_int ndrange_check_args_locked(struct kernel *kernel, const struct device *device);
cl_int ndrange_resolve_sizes(struct kernel *kernel, const struct device *device, cl_uint dims,
	const size_t *offset, const size_t *global, const size_t *local, struct ndrange *out);

/*
 * Divides the range, which is resolved and not empty, into other groups if they take fewer channels
 * and the kernel cannot know: groups of single work-items leave all channels of a sub-group but one
 * unused, odd sizes some of the last one. Not while a tool watches the device.
 */
void ndrange_regroup(
	const struct kernel *kernel, const struct device *device, struct ndrange *range);

/*
 * Whether launches over the range tell the kernel what it asks for: CL_OUT_OF_RESOURCES if not.
 * ndrange_resolve_sizes has checked it.
 */
cl_int ndrange_check_launch(
	const struct kernel *kernel, const struct device *device, const struct ndrange *range);

/*
 * A part of a range that Level Zero can launch: groups of one size. There are up to eight, the
 * inside and its edges, unless a dimension has more than 2^32 work-items, which is cut further.
 */
struct ndrange_part {
	size_t first_item[3]; /* within the range; the offset is not in it */
	size_t local[3];
	uint32_t first_group[3];
	uint32_t groups[3];
};

/* How many parts it has; 0 if nothing is to run. */
size_t ndrange_n_parts(const struct ndrange *range);
void ndrange_part(const struct ndrange *range, size_t index, struct ndrange_part *part);

/* What the hidden argument says of a part. */
struct implicit_args_value;
void ndrange_hidden(const struct ndrange *range, const struct ndrange_part *part, size_t simd_size,
	struct implicit_args_value *value);

#endif
