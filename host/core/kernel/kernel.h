// SPDX-License-Identifier: MIT
#ifndef KERNEL_H
#define KERNEL_H

#include "core/memory/mem.h"
#include "core/kernel/ndrange_sizes.h"
#include "core/base/obj.h"
#include "core/program/program.h"
#include "core/memory/sampler.h"

#include <pthread.h>
#include <stdbool.h>

struct compile_kernel;
struct l0_kernel;

enum kernel_arg_kind {
	KERNEL_ARG_VALUE,  /* `size` bytes by value */
	KERNEL_ARG_BUFFER, /* global or constant pointer: `mem`, which may be NULL */
	KERNEL_ARG_LOCAL,  /* `size` bytes of local memory */
	KERNEL_ARG_IMAGE,  /* `mem` */
	KERNEL_ARG_SAMPLER,
	KERNEL_ARG_OTHER /* cannot be set */
};

/* One argument as it was last set. */
struct kernel_arg {
	enum kernel_arg_kind kind;
	bool set;		 /* a value was given */
	uint64_t state;		 /* of the kernel, when it was last changed */
	size_t size;		 /* VALUE: exact size of the parameter; LOCAL: bytes wanted */
	void *value;		 /* VALUE: `size` bytes, in memory of the kernel */
	struct mem *mem;	 /* BUFFER, IMAGE: not a reference (section 5.9.2 forbids one) */
	struct sampler *sampler; /* not a reference either */
	uint64_t pointer;	 /* BUFFER without `mem`: the address, which may be 0 */
};

/* The object that the argument names, or NULL. */
static inline struct obj *kernel_arg_obj(const struct kernel_arg *arg)
{
	if (arg->kind == KERNEL_ARG_SAMPLER)
		return arg->sampler ? &arg->sampler->base : NULL;
	return arg->mem ? &arg->mem->base : NULL;
}

/*
 * Level Zero keeps arguments and group size in its kernel and captures them when a launch is
 * appended, so that an l0_kernel is one thread's until then. Threads that append launches of one
 * cl_kernel at the same time have an l0_kernel each.
 */
struct kernel_instance {
	struct kernel_instance *next;
	struct l0_kernel *l0;
	atomic_bool taken;
	uint64_t state; /* of the kernel whose arguments it has; 0: it has others */
	/*
	 * Of its newest launch, if that was one of Level Zero's and nothing but the arguments
	 * belonged to it: one like it, by this instance, only has to be appended. Else not
	 * is_whole.
	 */
	struct ndrange range;
	bool is_chosen; /* the runtime chose the group size */
};

/* What a kernel is on one device. */
struct kernel_form {
	const struct device *device;
	struct program_code *code; /* NULL: the program was not built for the device, and … */
	const struct compile_kernel
		*info;	      /* … there is no reflection either; belongs to the code */
	struct l0_kernel *l0; /* of the first instance; for questions */
	struct kernel_instance *instances; /* under kernel->lock; the first is always there */
	uint64_t checked;   /* under it, too: the state in which the arguments were last complete */
	unsigned uses;	    /* of enum implicit_args_use; or PROGRAM_USES_UNKNOWN */
	bool prints;	    /* into a buffer, see printf_buffer.h */
	bool driver_prints; /* may print through the driver */
	bool may_be_ragged; /* global sizes need not be multiples of local sizes */
	bool is_implicit;   /* `l0` has the implicit argument, after the application's */
};

/* A kernel: a name of one build for each device, with arguments. */
struct kernel {
	struct obj base;
	struct program *program;
	const struct compile_kernel *info; /* of the first form; of name and parameters, all are
					      alike */
	struct kernel_form *forms;	   /* by the device's place in the context */
	struct kernel_form *narrow;	   /* what `forms` was before kernel_widen, or NULL */
	struct program_kernel in_program;
	bool has_images; /* among its parameters */

	pthread_mutex_t lock; /* what follows is under it */
	cl_uint n_args;
	struct kernel_arg *args;
	uint64_t state;		/* another one, unlike any kernel's, whenever an argument is set */
	struct {		/* which arguments may have been set … */
		uint64_t since; /* … since the kernel was in this state */
		cl_uint first, end;
	} fresh;
	unsigned version; /* of the memory objects in `args`; 0 at first */
};

OBJ_DEFINE(kernel, cl_kernel, OBJ_KERNEL)

/* What it is on a device of its context. */
static inline struct kernel_form *kernel_form(
	const struct kernel *kernel, const struct device *device)
{
	return &kernel->forms[context_place(kernel->base.context, device)];
}

cl_int kernel_create(struct program *program, const char *name, struct kernel **out);
/* clCreateKernelsInProgram. */
cl_int kernel_create_all(struct program *program, cl_uint n, cl_kernel *kernels, cl_uint *n_ret);
/*
 * Gives kernel->state a new value: every argument, or the one, may be another now. kernel->lock is
 * held for these three.
 */
void kernel_touch(struct kernel *kernel);
void kernel_touch_arg(struct kernel *kernel, cl_uint index);
/* Begins kernel->fresh anew: an instance has the arguments as they are now. */
void kernel_settle(struct kernel *kernel);

/* The arguments from *first up to *end: all that may have been set since the kernel was in `state`.
 * kernel->lock is held. */
static inline void kernel_fresh(
	const struct kernel *kernel, uint64_t state, cl_uint *first, cl_uint *end)
{
	bool is_known = state >= kernel->fresh.since;

	*first = is_known ? kernel->fresh.first : 0;
	*end = is_known && kernel->fresh.end < kernel->n_args ? kernel->fresh.end : kernel->n_args;
}

/*
 * Returns in *out an instance that is the caller's until kernel_give. Locks: kernel->lock is held;
 * kernel_give needs none.
 */
cl_int kernel_take(struct kernel_form *form, struct kernel_instance **out);
void kernel_give(struct kernel_instance *instance);
/* Destroys all instances, of which none is taken. */
void kernel_destroy_instances(struct kernel_form *form);

/*
 * Makes the kernel one that takes an argument of `size` bytes: beyond CL_DEVICE_MAX_MEM_ALLOC_SIZE
 * its forms are those of program_code_wide from then on. May compile. Locks: none may be held.
 */
cl_int kernel_widen(struct kernel *kernel, size_t size);
/* The same for the allocation that the pointer is into. */
cl_int kernel_widen_for_pointer(struct kernel *kernel, uint64_t pointer);

cl_int kernel_clone(struct kernel *source, struct kernel **out);

/* clSetKernelArg, section 5.9.2. */
cl_int kernel_set_arg(struct kernel *kernel, cl_uint index, size_t size, const void *value);

cl_int kernel_info(struct kernel *kernel, cl_kernel_info param, const struct info *info);
cl_int kernel_arg_info(
	struct kernel *kernel, cl_uint index, cl_kernel_arg_info param, const struct info *info);
cl_int kernel_group_info(struct kernel *kernel, cl_device_id device,
	cl_kernel_work_group_info param, const struct info *info);
cl_int kernel_sub_group_info(struct kernel *kernel, cl_device_id device,
	cl_kernel_sub_group_info param, size_t input_size, const void *input,
	const struct info *info);

#endif
