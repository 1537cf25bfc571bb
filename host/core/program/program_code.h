// SPDX-License-Identifier: MIT
#ifndef PROGRAM_CODE_H
#define PROGRAM_CODE_H

#include "compile/zebin/reflect.h"
#include "core/device/context.h"

struct l0_module;

/* Of the kernels of a binary without SPIR-V, whose `uses` are not known. */
#define PROGRAM_USES_UNKNOWN (~0u)

/* Initial contents of the constants of one program, in which its formats and texts are. */
struct print_texts {
	uint64_t base; /* the device's address */
	const char *data;
	size_t size;
};

/* What the kernels of a program print, known once its native code is loaded. */
struct print_program {
	struct print_texts texts; /* the data is malloc'ed */
	bool *kernels;		  /* which print into a buffer; malloc'ed; NULL: none */
	bool by_driver;		  /* they print, if they do, through the driver */
};

/* What a build made. Immutable and counted; the last program_code_put frees it. */
struct program_code {
	atomic_uint refs;
	struct context *context;
	const struct device *device;
	struct l0_module *module;
	struct reflection reflection;
	void *native; /* the ELF */
	size_t native_size;
	void *spirv; /* NULL: there is none */
	size_t spirv_size;
	char *options; /* that the native code was made with, never NULL */
	bool is_whole; /* the ELF came from the application, as it is to get it again */
	bool is_other; /* the SPIR-V tells of the arguments, and nothing else of the kernels */
	pthread_mutex_t binary_lock;
	void *binary; /* else, what it gets, once it asked; under binary_lock */
	size_t binary_size;
	struct program_code *wide; /* NULL until somebody asks; under binary_lock */
	struct print_program print;
	bool may_print;
	bool may_be_ragged; /* global sizes need not be multiples of group sizes */
};

/* What a program is made from. The memory is malloc'ed. */
struct program_parts {
	void *native;
	size_t native_size;
	void *spirv; /* or NULL */
	size_t spirv_size;
	bool is_other;			       /* see struct compile_binary */
	const struct compile_request *request; /* what it was built of, or NULL */
	const char *options; /* NULL: `native` is a whole binary, which says them itself */
	const void *facts;   /* see compile_result, or NULL */
	size_t facts_size;
};

/*
 * Loads native code for a device of the context and learns what it and its SPIR-V are. Takes the
 * memory of both in every case. *log, if set, is malloc'ed text for the build log, on failure too.
 * CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BINARY, CL_OUT_OF_*.
 */
cl_int program_code_create(struct context *context, const struct device *device,
	const struct program_parts *parts, struct program_code **out, char **log);

/*
 * CL_PROGRAM_BINARIES; NULL when out of memory. Valid as long as the code. The first call for a
 * program of one kernel compiles patch tokens; other calls of this function wait for that, and
 * nothing else does: to be called without locks.
 */
const void *program_code_binary(struct program_code *code, size_t *size);

/*
 * The same program for arguments beyond what a surface holds: its kernels address memory without
 * surfaces, which costs two to three times the instructions. *out stays the code's. The first call
 * compiles: to be called without locks. CL_OUT_OF_RESOURCES for a program that cannot be there
 * twice, and what a build returns.
 */
cl_int program_code_wide(struct program_code *code, struct program_code **out);

/* A request for the code's SPIR-V once more, with these options, for its device. */
struct compile_request program_code_request(const struct program_code *code, const char *options);

struct program_code *program_code_get(struct program_code *code);
void program_code_put(struct program_code *code);

#endif
