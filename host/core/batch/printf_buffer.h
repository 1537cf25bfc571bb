// SPDX-License-Identifier: MIT
#ifndef PRINTF_BUFFER_H
#define PRINTF_BUFFER_H

#include "core/batch/printf_format.h"

#include <CL/cl.h>
#include <stdbool.h>

struct batch;
struct context;

/*
 * printf. Native code is loaded such that kernels print into memory that we give them with their
 * last argument (compile/zebin/zebin_patch.h), and the host prints from it when their batch is
 * done, before their events are. A batch has one such buffer, for one command that prints; a
 * recording has one for all of its commands, which is printed when its replay is done.
 */
struct print_buffer {
	struct print_buffer *next; /* in the context, while nobody has it */
	uint32_t *address;	   /* the bytes that are used, these 4 among them; then records */
};

/* Gives the batch a buffer, unless it has one. Its queue's lock is held. CL_OUT_OF_*. */
cl_int print_begin(struct batch *batch);

/*
 * The batch is not on the device any more: prints what its kernels and those of recordings in it
 * have printed, if `is_there`, and empties the buffers. Only one thread may do so; no lock is held,
 * for a write to stdout may take any time.
 */
void print_end(struct batch *batch, bool is_there);

/* Gives the buffer back. */
void print_drop(struct batch *batch);

/* Whether it is better to wait for batches that print than to take more memory. */
bool print_is_short(struct context *context);

#endif
