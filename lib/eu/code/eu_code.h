// SPDX-License-Identifier: MIT
#ifndef EU_CODE_H
#define EU_CODE_H

#include "eu/ops/eu_kernel.h"

/* How a kernel is to be executed. */
struct eu_options {
	struct eu_target target;
	unsigned probes; /* set of enum eu_watch_what; with any, the target's stencils do not matter
			  */
};

/* What the environment asks for, as it is now. */
struct eu_options eu_options_select(void);

/*
 * Creates a kernel from a program. An instruction that the engine does not implement does not fail
 * here: it stops the thread that reaches it. Returns NULL and fills *fault when memory runs out or
 * the program is beyond the engine's limits (EU_LABELS). The caller destroys the kernel.
 */
struct eu_kernel *eu_kernel_create_for(const struct gen_device *device,
	const struct gen_program *program, struct eu_options options, struct gen_fault *fault);

/* The same with the environment's options. */
struct eu_kernel *eu_kernel_create(const struct gen_device *device,
	const struct gen_program *program, struct gen_fault *fault);

void eu_kernel_destroy(struct eu_kernel *kernel);

#endif
