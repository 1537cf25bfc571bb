// SPDX-License-Identifier: MIT
#ifndef EU_RATE_H
#define EU_RATE_H

#include "eu/ops/eu_kernel.h"

/* The model of eu_rate.def: what a device should take for what it executes. */

/* How an instruction is issued. */
struct eu_rate {
	const char *pipe; /* a row PIPE */
	unsigned port;
	unsigned cycles;     /* that it occupies the port */
	unsigned operations; /* arithmetic ones of a channel: 2 for a * b + c, 0 for moves */
};
struct eu_rate eu_rate_of(const struct gen_device *device, const struct gen_inst *inst);

/* The rows LIMIT, for one device. */
struct eu_limits {
#define LIMIT(name, ...) uint32_t name;
#include "eu/profile/eu_rate.def"
	uint32_t gigabytes; /* MEMORY; 0: not known */
};
struct eu_limits eu_limits_of(const struct gen_device *device);

/* How many groups of a walker a subslice holds at a time, and what keeps it from holding more. */
struct eu_residence {
	uint32_t groups;
	const char *limit; /* "threads", "local memory", "barriers" */
};
struct eu_residence eu_residence_of(
	const struct gen_device *device, const struct eu_dispatch *dispatch);

#endif
