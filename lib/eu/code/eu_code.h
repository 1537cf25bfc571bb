// SPDX-License-Identifier: MIT
#ifndef EU_CODE_H
#define EU_CODE_H

#include "eu/ops/eu_kernel.h"

/* How a kernel is to be executed. Equal options make equal kernels of one program. */
struct eu_options {
	struct eu_target
		target; /* with a probe before each instruction, its stencils do not matter */
	/*
	 * Makes the probe of a kernel that has been lowered, which `probes` tell more about. It may
	 * return NULL: then the kernel is executed without, or with counts is not made. NULL: there
	 * is none.
	 */
	struct eu_probe *(*create_probe)(const struct eu_kernel *kernel, unsigned probes);
	/* Whether its step is wanted before an instruction. NULL: before each. */
	bool (*wants_probe)(const struct gen_inst *inst, unsigned probes);
	unsigned probes;
	bool is_function; /* eu_kernel.is_function */
	bool counts; /* eu_tally; only with a probe, which has tallies() and steps before messages
		      */
	/* If it is known and there is no probe, the kernel may get a prologue. */
	struct eu_layout layout;
};

/*
 * Creates a kernel from a program. An instruction that the engine does not implement does not fail
 * here: it stops the thread that reaches it. Returns NULL and fills *fault when memory runs out or
 * the program is beyond the engine's limits (EU_LABELS). The caller destroys the kernel.
 */
struct eu_kernel *eu_kernel_create_for(const struct gen_device *device,
	const struct gen_program *program, struct eu_options options, struct gen_fault *fault);

/* The same without a probe, for what ZEROCL_VGPU_ENGINE asks for. */
struct eu_kernel *eu_kernel_create(const struct gen_device *device,
	const struct gen_program *program, struct gen_fault *fault);

void eu_kernel_destroy(struct eu_kernel *kernel);

#endif
