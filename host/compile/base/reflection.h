// SPDX-License-Identifier: MIT
#ifndef REFLECTION_H
#define REFLECTION_H

#include "compile/base/pool.h"
#include "compile/base/request.h"

#include <CL/cl.h>

/* What a program holds: kernels and their arguments, from its SPIR-V and its native code. */

enum compile_arg_kind {
	COMPILE_ARG_VALUE,  /* by value, structures too */
	COMPILE_ARG_BUFFER, /* pointer to global or constant memory */
	COMPILE_ARG_LOCAL,  /* pointer to local memory: clSetKernelArg gives a size */
	COMPILE_ARG_IMAGE,
	COMPILE_ARG_SAMPLER,
	COMPILE_ARG_PIPE,
	COMPILE_ARG_QUEUE /* of the device */
};

struct compile_arg {
	enum compile_arg_kind kind;
	size_t size; /* VALUE: the only arg_size that clSetKernelArg accepts; 0 for LOCAL;
			otherwise that of a handle: sizeof(cl_mem), sizeof(cl_sampler) … */
	cl_kernel_arg_address_qualifier address;
	cl_kernel_arg_access_qualifier access;
	cl_kernel_arg_type_qualifier qualifiers;
	bool is_buffer_image; /* image1d_buffer_t */
	const char *type;     /* CL_KERNEL_ARG_TYPE_NAME; "" if not known */
	const char *name;     /* "" if not known */
};

struct compile_kernel {
	const char *name;
	const char *attributes; /* CL_KERNEL_ATTRIBUTES; never NULL */
	struct compile_arg *args;
	size_t n_args;
	size_t work_group_size[3];	/* reqd_work_group_size; zeros if absent */
	size_t work_group_size_hint[3]; /* zeros if absent */
	size_t sub_group_size;		/* intel_reqd_sub_group_size; 0 if absent */
	unsigned uses; /* by it and all that it calls: enum implicit_args_use, implicit_args.h */
	unsigned char blocks; /* the same: enum compile_blocks, spirv_look.h */
	/* Nothing in them depends on which work-items are in a group, or waits for another one. */
	bool sees_no_groups;

	/* Of the native code; zeros without it. */
	size_t simd_size;     /* CL_KERNEL_MAX_SUB_GROUP_SIZE: 8, 16 or 32 */
	size_t local_bytes;   /* of local memory declared in the kernel */
	size_t private_bytes; /* per work-item */
	size_t spill_bytes;   /* per hardware thread */
	size_t barriers;
	size_t grf_count; /* registers per hardware thread */
};

struct reflection {
	struct compile_kernel *kernels; /* in the order of the source */
	size_t n_kernels;
	bool has_rows;	 /* the native code has images of buffers in rows: lower_buffer_image.h */
	bool is_uniform; /* OpenCL C before 2.0: there are no ragged ranges */
	bool prints;	 /* something in the SPIR-V calls printf */
	size_t global_bytes; /* CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE */
	struct pool *pool;   /* owns every string and array above */
};

/* The qualifiers whose names the text holds. */
cl_kernel_arg_type_qualifier reflection_qualifiers(const char *text, size_t size);

/* Frees what it holds and zeroes it; also accepts a zeroed one. */
void reflection_finish(struct reflection *reflection);

/* The kernel of that name, or NULL. */
const struct compile_kernel *reflection_find(const struct reflection *reflection, const char *name);

/*
 * As bytes that reflection_read of the same build of ZeroCL takes, and only that, so that it can be
 * kept beside a program instead of being read from it each time: to be freed; NULL when out of
 * memory.
 */
void *reflection_write(const struct reflection *reflection, size_t *size);

/* False, `reflection` zeroed: these are none, or memory is short. Copies what it keeps. */
bool reflection_read(const void *data, size_t size, struct reflection *reflection);

#endif
