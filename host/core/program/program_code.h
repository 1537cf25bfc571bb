// SPDX-License-Identifier: MIT
#ifndef PROGRAM_CODE_H
#define PROGRAM_CODE_H

#include "compile/zebin/reflect.h"
#include "core/device/context.h"
#include "core/kernel/kernel_variant.h"
#include "core/queue/printf_buffer.h"

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
	void *native; /* the ELF */
	size_t native_size;
	void *spirv; /* NULL: there is none */
	size_t spirv_size;
	char *options; /* that the native code was made with, never NULL */
	bool is_whole; /* the ELF came from the application, as it is to get it again */
	bool is_other; /* the SPIR-V tells of the arguments, and nothing else of the kernels */
	void *binary;  /* else, what it gets, once it asked: under its program's lock */
	size_t binary_size;
	struct print_program print;
	struct kernel_forms forms;
};

/* What a program is made from. The memory is malloc'ed. */
struct program_parts {
	void *native;
	size_t native_size;
	void *spirv; /* or NULL */
	size_t spirv_size;
	bool is_other;	     /* see struct compile_binary */
	const char *options; /* NULL: `native` is a whole binary, which says them itself */
	const void *facts;   /* see compile_result, or NULL */
	size_t facts_size;
};

/*
 * Loads native code and learns what it and its SPIR-V are. Takes the memory of both in every case.
 * *log, if set, is malloc'ed text for the build log, on failure too. CL_BUILD_PROGRAM_FAILURE,
 * CL_INVALID_BINARY, CL_OUT_OF_*.
 */
cl_int program_code_create(struct context *context, const struct program_parts *parts,
	struct program_code **out, char **log);

/* CL_PROGRAM_BINARIES; NULL when out of memory. Under the program's lock. */
const void *program_code_binary(struct program_code *code, size_t *size);

/* Gives native code to Level Zero as it must be there; see zebin_patch for `uses`. Fills *print on
 * success. */
cl_int program_code_load(struct context *context, const void *native, size_t size,
	const struct compile_reflection *reflection, const unsigned *uses,
	struct print_program *print, struct l0_module **module, char **log);

struct program_code *program_code_get(struct program_code *code);
void program_code_put(struct program_code *code);

#endif
