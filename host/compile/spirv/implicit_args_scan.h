// SPDX-License-Identifier: MIT
#ifndef IMPLICIT_ARGS_SCAN_H
#define IMPLICIT_ARGS_SCAN_H

#include "compile/spirv/implicit_args.h"
#include "compile/spirv/spirv_module.h"

/* What a built-in variable that a launch does not know should be like. */
struct implicit_args_builtin {
	SpvBuiltIn builtin;
	unsigned use;	  /* of enum implicit_args_use */
	uint32_t bits;	  /* of an element */
	uint32_t n;	  /* elements */
	uint32_t element; /* of the hidden argument, where its value starts */
};

/* Of an id. */
enum {
	IMPLICIT_ARGS_BUILTIN = 15, /* it points to this built-in variable; 0: to none */
	IMPLICIT_ARGS_CHAIN = 16    /* or to one element: it is a chain with one index, the last */
};

/* What is known of a module. */
struct implicit_args_scan {
	const struct spirv_module *module;
	uint8_t *marks;	     /* by id */
	unsigned *uses;	     /* by number of a function: its own, and those of all that it calls */
	bool *targets;	     /* by number of a function: something holds a pointer to it */
	unsigned everywhere; /* uses by functions that are not known */
	bool is_uniform;
	bool has_size;	      /* a kernel requires a size of groups */
	const char *obstacle; /* why the argument cannot be appended, or NULL */
	uint32_t obstacle_at;
};

/* Whether the OpExecutionMode requires a size of groups. */
bool implicit_args_is_size(const struct spirv_inst *mode);

/* The variable that the mark stands for; NULL if it stands for none. */
const struct implicit_args_builtin *implicit_args_builtin(uint8_t mark);

/*
 * Looks at an open module. Returns COMPILE_OK, COMPILE_NO_MEMORY; finish it in every case. What
 * cannot be followed is no error, it leaves an obstacle.
 */
enum compile_status implicit_args_scan(
	const struct spirv_module *module, struct implicit_args_scan *scan);
void implicit_args_scan_finish(struct implicit_args_scan *scan);

/* The mark of an id that may be out of bounds. */
static inline uint8_t implicit_args_mark(const struct implicit_args_scan *scan, uint32_t id)
{
	return id < scan->module->bound ? scan->marks[id] : 0;
}

/* The uses of the function, which may be NULL. */
static inline unsigned implicit_args_uses(
	const struct implicit_args_scan *scan, const struct spirv_function *function)
{
	return function ? scan->uses[function - scan->module->functions] : 0;
}

/* The uses of the module's i-th kernel. */
static inline unsigned implicit_args_kernel_uses(const struct implicit_args_scan *scan, uint32_t i)
{
	return implicit_args_uses(scan, spirv_kernel(scan->module, i)) | scan->everywhere;
}

#endif
