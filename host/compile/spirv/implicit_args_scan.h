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
	IMPLICIT_ARGS_CHAIN = 16,   /* or to one element: it is a chain with one index, the last */
	IMPLICIT_ARGS_CONSTANT = 32 /* decorated so */
};

struct implicit_args_function {
	uint32_t id;
	unsigned uses;	       /* its own, and those of all that it calls */
	uint32_t first_caller; /* in `callers`; the next function's is the end */
	bool is_target;	       /* something holds a pointer to it */
	bool is_waiting;       /* for its callers to be told */
};

struct implicit_args_module {
	struct spirv_module spirv;
	uint8_t *marks;				  /* by id */
	uint32_t *numbers;			  /* by id of a function: 1 + its number */
	struct implicit_args_function *functions; /* one more than there are */
	uint32_t n_functions;
	uint32_t *callers; /* numbers of functions */
	uint32_t n_calls;
	uint32_t n_kernels;
	unsigned everywhere; /* uses by nobody knows whom */
	bool is_uniform, has_state;
	const char *obstacle; /* why it cannot be rewritten, or NULL */
	uint32_t obstacle_at;
};

/* The variable that the mark tells of; NULL if it tells of none. */
const struct implicit_args_builtin *implicit_args_builtin(uint8_t mark);

/*
 * Reads the module. COMPILE_OK, COMPILE_ERROR, COMPILE_NO_MEMORY; finish it in every case. What
 * cannot be followed is no error, it leaves an obstacle.
 */
enum compile_status implicit_args_scan(const void *data, size_t data_size,
	struct implicit_args_module *module, char *why, size_t size);
void implicit_args_module_finish(struct implicit_args_module *module);

/* The mark of an id that may be out of bounds. */
static inline uint8_t implicit_args_mark(const struct implicit_args_module *module, uint32_t id)
{
	return id < module->spirv.bound ? module->marks[id] : 0;
}

/* The function of that id; NULL if it is none. */
static inline struct implicit_args_function *implicit_args_function(
	const struct implicit_args_module *module, uint32_t id)
{
	if (id >= module->spirv.bound || !module->numbers[id])
		return NULL;
	return &module->functions[module->numbers[id] - 1];
}

#endif
