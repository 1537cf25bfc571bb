// SPDX-License-Identifier: MIT
#ifndef PROGRAM_H
#define PROGRAM_H

#include "compile/build/compile.h"
#include "core/device/context.h"
#include "core/base/obj.h"

#include <pthread.h>
#include <stdbool.h>

struct program_code;

typedef void(CL_CALLBACK *program_notify_fn)(cl_program program, void *user_data);

/* A kernel in the list of its program, those included that only queued commands hold. */
struct program_kernel {
	struct program_kernel *next;  /* under the program's lock, as is … */
	struct program_kernel **link; /* … what names this one; NULL: nothing does */
	const struct obj *kernel;
};

/*
 * A program on one device. What a successful build made (native code, reflection, Level Zero
 * module) is a program_code: immutable, counted, and held by the kernels made from it, so that
 * nothing changes under a kernel that still runs when its program is built again.
 */
struct program_form {
	struct device *device;
	/* What it was created from, unless that is source: IL, or a binary that holds one or both
	 * of IL and native code; the others are NULL. */
	void *binary; /* owns what follows */
	size_t binary_size;
	const void *il; /* SPIR-V */
	size_t il_size;
	const void *native;
	size_t native_size;
	bool is_other;		       /* the native code is not what the IL becomes */
	enum compile_binary_kind kind; /* of the binary */
	bool from_il;		       /* it is that of clCreateProgramWithIL */

	/* What follows is under the program's lock. */
	struct program_code *code; /* NULL unless the last build or link made one */
	void *object;		   /* a compiled object or a library as a binary, or NULL */
	size_t object_size;
	bool is_library; /* the object is */
	cl_build_status status;
	char *options; /* of the last build, never NULL */
	char *log;     /* of the last build, never NULL */
};

struct program {
	struct obj base;
	struct context *context;
	char *source; /* NUL-terminated, all strings joined; or NULL */

	pthread_mutex_t lock;	  /* what follows is under it */
	pthread_cond_t built;	  /* broadcast when a form's build, compilation or link ends */
	struct spirv_spec *specs; /* values for specialization constants */
	size_t n_specs;
	struct program_kernel *kernels;
	cl_uint n_forms;	     /* fixed, as are … */
	struct program_form forms[]; /* … these and their devices, in the order of the context's */
};

OBJ_DEFINE(program, cl_program, OBJ_PROGRAM)

/* Add a kernel to the list, and remove it, if it is there. */
void program_add_kernel(struct program *program, struct program_kernel *link);
void program_remove_kernel(struct program *program, const struct program_kernel *link);

/* An empty program on those devices of the context, for what it is then made from; n is 0 for all.
 */
cl_int program_new(
	struct context *context, cl_uint n, const cl_device_id *devices, struct program **out);

/* Whether the device is among those of a call, where n is 0 for all. */
bool program_is_named(const struct device *device, cl_uint n, const cl_device_id *devices);

/* What it is on a device; NULL if it is not there. */
struct program_form *program_form(struct program *program, const struct device *device);

/*
 * The code that the program has for each device, by its place in the context: an array of
 * references and NULL. Waits for a build that has not ended: programs that pass pfn_notify go on
 * as if clBuildProgram had waited, since most drivers do. CL_INVALID_PROGRAM_EXECUTABLE if there is
 * none, CL_OUT_OF_HOST_MEMORY.
 */
cl_int program_get_codes(struct program *program, struct program_code ***out);
void program_put_codes(const struct program *program, struct program_code **codes);
/* The first of them. */
struct program_code *program_first_code(
	const struct program *program, struct program_code *const *codes);

cl_int program_create_source(struct context *context, cl_uint count, const char **strings,
	const size_t *lengths, struct program **out);
cl_int program_create_il(
	struct context *context, const void *il, size_t size, struct program **out);
cl_int program_create_binary(struct context *context, cl_uint n_devices,
	const cl_device_id *devices, const size_t *lengths, const unsigned char **binaries,
	cl_int *binary_status, struct program **out);

/*
 * clBuildProgram, clCompileProgram and clLinkProgram. With `notify` the work is done by another
 * thread, which then calls it. clLinkProgram makes a program also when the link fails.
 */
cl_int program_build(struct program *program, cl_uint n_devices, const cl_device_id *devices,
	const char *options, program_notify_fn notify, void *notify_data);
cl_int program_compile(struct program *program, cl_uint n_devices, const cl_device_id *devices,
	const char *options, cl_uint n_headers, const cl_program *headers, const char **names,
	program_notify_fn notify, void *notify_data);
cl_int program_link(struct context *context, cl_uint n_devices, const cl_device_id *devices,
	const char *options, cl_uint n_inputs, const cl_program *inputs, program_notify_fn notify,
	void *notify_data, struct program **out);

/* clSetProgramSpecializationConstant. */
cl_int program_specialize(struct program *program, cl_uint id, size_t size, const void *value);

cl_int program_info(struct program *program, cl_program_info param, const struct info *info);
cl_int program_build_info(struct program *program, cl_device_id device, cl_program_build_info param,
	const struct info *info);

#endif
