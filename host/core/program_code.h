// SPDX-License-Identifier: MIT
#ifndef CORE_PROGRAM_CODE_H
#define CORE_PROGRAM_CODE_H

#include "compile/compile_reflect.h"
#include "core/context.h"
#include "core/kernel_forms.h"
#include "core/print.h"

struct l0_module;

/*
 * What a build made. Immutable, but for what `forms` adds, and counted; the last program_code_put
 * frees it.
 */
struct program_code {
	atomic_uint refs;
	struct context *context;
	struct l0_module *module;
	struct compile_reflection reflection;
	void *native; /* the ELF, which is CL_PROGRAM_BINARIES too */
	size_t native_size;
	struct print_program print;
	struct kernel_forms forms;
};

/*
 * Loads native code and reads the reflection from it and its SPIR-V. Takes `native` (malloc'ed) in
 * every case. *log, if set, is malloc'ed text for the build log, on failure too.
 * CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BINARY, CL_OUT_OF_*.
 */
cl_int program_code_create(struct context *context, void *native, size_t native_size,
	const void *spirv, size_t spirv_size, struct program_code **out, char **log);

/* Gives native code to Level Zero as it must be there; see compile_load for `uses`. Fills *print on
 * success. */
cl_int program_code_load(struct context *context, const void *native, size_t size,
	const struct compile_reflection *reflection, const unsigned *uses,
	struct print_program *print, struct l0_module **module, char **log);

struct program_code *program_code_get(struct program_code *code);
void program_code_put(struct program_code *code);

#endif
