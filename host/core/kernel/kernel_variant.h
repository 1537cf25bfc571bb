// SPDX-License-Identifier: MIT
#ifndef KERNEL_VARIANT_H
#define KERNEL_VARIANT_H

#include "compile/zebin/program_metadata.h"
#include "core/queue/printf_buffer.h"

#include <CL/cl.h>
#include <pthread.h>

/* Of a binary without SPIR-V; such a kernel has no second form. */
#define KERNEL_USES_UNKNOWN (~0u)

struct l0_module;
struct program_code;

/*
 * The kernels of a build have two forms: as they were written, and with the hidden argument
 * (compile/compile_hidden.h) for ranges that Level Zero cannot express. The second is built when a
 * range first asks for it.
 */
struct kernel_forms {
	struct compile_hidden_facts facts;
	unsigned char *blocks; /* enum compile_blocks of the first n_blocks kernels */
	size_t n_blocks;
	bool may_print;
	bool may_be_ragged; /* global sizes need not be multiples of group sizes */
	/* All launches are of the second form: the program has variables that both would have, and
	 * some kernel needs it. */
	bool is_second_only;

	pthread_mutex_t lock; /* what follows is under it */
	bool was_built;
	cl_int code;		  /* of the attempt */
	struct l0_module *module; /* with the hidden argument */
	bool has_rows;		  /* its: as that of struct compile_reflection */
	struct print_program print;
};

/* Takes, but for the reflection, what is known of a build; the rest of `code`, up to its options,
 * is there. CL_OUT_OF_HOST_MEMORY. */
cl_int kernel_forms_init(struct program_code *code, const struct compile_facts *facts);
void kernel_forms_finish(struct program_code *code);

/* The module of the second form; the first call builds it. CL_OUT_OF_RESOURCES when that cannot be
 * done; CL_OUT_OF_HOST_MEMORY, CL_COMPILER_NOT_AVAILABLE. From any thread. */
cl_int kernel_forms_second(struct program_code *code, struct l0_module **module);

#endif
