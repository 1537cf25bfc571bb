// SPDX-License-Identifier: MIT
#ifndef CORE_PROGRAM_H
#define CORE_PROGRAM_H

#include "core/context.h"
#include "core/obj.h"

struct l0_module;
struct program_build;

typedef void(CL_CALLBACK *program_notify_fn)(cl_program program, void *user_data);

/*
 * A program. What a successful build made (native code, reflection, Level Zero module) is a
 * program_build: immutable, counted, and held by the kernels made from it, so that a program may be
 * built again only when no kernel is left, as the specification wants, and never under a kernel.
 */
struct program {
	struct obj base;
	struct context *context;
	char *source; /* NUL-terminated, all strings joined; NULL without source */
	void *il;     /* SPIR-V; NULL if not created from it */
	size_t il_size;

	pthread_mutex_t lock;	     /* what follows is under it */
	struct program_build *build; /* NULL before the first success */
	cl_build_status status;
	cl_program_binary_type binary_type;
	char *options;	    /* of the last build, never NULL */
	char *log;	    /* of the last build, never NULL */
	unsigned n_kernels; /* live kernel objects */
};

OBJ_DEFINE(program, cl_program, OBJ_PROGRAM)

cl_int program_create_source(struct context *context, cl_uint count, const char **strings,
	const size_t *lengths, struct program **out);
cl_int program_create_il(
	struct context *context, const void *il, size_t size, struct program **out);
cl_int program_create_binary(struct context *context, cl_uint n_devices,
	const cl_device_id *devices, const size_t *lengths, const unsigned char **binaries,
	cl_int *binary_status, struct program **out);

/* clBuildProgram. With `notify` the build may go on after the return. */
cl_int program_build(struct program *program, cl_uint n_devices, const cl_device_id *devices,
	const char *options, program_notify_fn notify, void *notify_data);

cl_int program_info(
	struct program *program, cl_program_info param, size_t size, void *value, size_t *size_ret);
cl_int program_build_info(struct program *program, cl_device_id device, cl_program_build_info param,
	size_t size, void *value, size_t *size_ret);

#endif
