// SPDX-License-Identifier: MIT
#ifndef EU_KERNEL_H
#define EU_KERNEL_H

#include "eu/state/eu_thread.h"
#include "gen/gen_decode.h"
#include "gen/gen_device.h"
#include "gen/gen_fault.h"

/*
 * A kernel lowered to micro-operations: two streams with equal indices, the first for when all
 * channels execute, the second for when some do not. Immutable once made, so that any number of
 * threads may run it at once.
 */
struct eu_kernel {
	const struct gen_device *device;
	const struct gen_program *program; /* borrowed: must outlive the kernel */
	uint64_t serial;		   /* never used twice in a process, never 0 */
	uint32_t lanes;			   /* channels that any masked instruction names */
	bool keeps_acc;			   /* may read what it has not written to acc */
	uint32_t entry_cr0;		   /* bits that it sets in cr0 before anything needs them */
	uint32_t uop_count;		   /* of one stream */
	struct eu_uop *uops;		   /* 2 * uop_count */
	uint32_t *inst_uop;		   /* first micro-operation of each instruction */
	uint32_t label_count;
	uint32_t *label_uop; /* the label's micro-operation */
	uint32_t pool_count; /* dwords */
	uint32_t *pool;
	uint32_t send_count; /* eu_send.site runs from 0 to here */
	struct eu_send *sends;
	uint32_t general_count;
	struct eu_general *generals; /* instructions that the general path executes */
	void *code; /* machine code of the micro-operations, or NULL (eu_stencil.h) */
	size_t code_size;
	struct eu_watch *watch; /* NULL unless something watches (eu_probe.h) */
};

/*
 * Lowers a program. An instruction that the engine does not implement does not fail here: it stops
 * the thread that reaches it. Returns NULL and fills *fault when memory runs out or the program is
 * beyond the engine's limits (EU_LABELS).
 */
struct eu_kernel *eu_kernel_create(const struct gen_device *device,
	const struct gen_program *program, struct gen_fault *fault);
/* The same, made of these handlers (eu_uop.h) instead of the best for the host. */
struct eu_handlers;
struct eu_kernel *eu_kernel_create_with(const struct gen_device *device,
	const struct gen_program *program, const struct eu_handlers *handlers,
	struct gen_fault *fault);
void eu_kernel_destroy(struct eu_kernel *kernel);

#endif
