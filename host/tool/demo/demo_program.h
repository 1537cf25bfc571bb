// SPDX-License-Identifier: MIT
#ifndef DEMO_PROGRAM_H
#define DEMO_PROGRAM_H

#include "tool/demo/demo_device.h"
#include "tool/base/disasm.h"

/* The samples, built for one sub-group size. */
struct demo_program {
	cl_program program;
	/* The native code of the program, and of the samples without the built-ins that they show.
	 */
	void *binary, *plain;
	size_t binary_size, plain_size;
};

/*
 * Builds the samples that the device can run: those of block reads and writes if `blocks`, all
 * others if not. `width` is the sub-group size to require, 0 for none. With `native` it also keeps
 * the native code. Returns clBuildProgram's code (CL_SUCCESS with a program), and the compiler's
 * log in *log, which the caller frees, when it is not CL_SUCCESS. Finish it in either case.
 */
cl_int demo_program_build(struct demo_program *program, const struct demo_device *device,
	size_t width, bool blocks, bool native, char **log);
void demo_program_finish(struct demo_program *program);

/*
 * Writes what the built-in of `kernel` became: the instructions that the kernel has more of than
 * the same kernel without the built-in, as native_tally_write lists them, or "no instruction".
 * Returns false, with the reason in `text`, if that is unknown.
 */
bool demo_program_native(const struct demo_program *program, const struct disasm *disasm,
	const char *kernel, char *text, size_t size);

#endif
