// SPDX-License-Identifier: MIT
#ifndef CORE_NDRANGE_H
#define CORE_NDRANGE_H

#include "core/device.h"
#include "core/kernel.h"

/* A checked range: unused dimensions are 1 (offsets 0), global[i] is a multiple of local[i]. */
struct ndrange {
	cl_uint dims;
	size_t offset[3];
	size_t global[3];
	size_t local[3];
	uint32_t groups[3]; /* 0 in some dimension: nothing to run */
};

/*
 * Checks what clEnqueueNDRangeKernel says of kernel, sizes and arguments (every error of section
 * 5.10 that is not about queue and wait list), chooses the group size where `local` is NULL, and
 * fills *out. offset may be NULL. Takes no reference; call with kernel->lock held if arguments may
 * change meanwhile.
 */
cl_int ndrange_resolve(struct kernel *kernel, const struct device *device, cl_uint dims,
	const size_t *offset, const size_t *global, const size_t *local, struct ndrange *out);

#endif
