// SPDX-License-Identifier: MIT
#include "core/batch/printf_buffer.h"

#include "compile/zebin/zebin_patch.h"
#include "core/batch/batch.h"
#include "core/batch/recording.h"
#include "core/program/program_code.h"
#include "l0/l0_memory.h"
#include "util/util_log.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define HEAD	   4u  /* bytes before the first record */
#define MANY	   16u /* buffers in use */
#define MAX_SPARES 4u  /* buffers that are not */

/* The buffers of a context. */
struct print_pool {
	struct context_service base;
	struct print_buffer *spares; /* under the context's lock */
	unsigned n_spares;	     /* under the context's lock */
	atomic_uint n_used;
};

static cl_int make(struct context *context, struct print_buffer **out)
{
	struct print_buffer *buffer = calloc(1, sizeof *buffer);
	void *address;

	if (!buffer)
		return CL_OUT_OF_HOST_MEMORY;
	cl_int rc = l0_memory_alloc(
		context->l0, L0_MEMORY_HOST, COMPILE_PRINT_BYTES, COMPILE_PRINT_ALIGN, &address);
	if (rc) {
		free(buffer);
		return rc;
	}
	memset(address, 0, COMPILE_PRINT_BYTES);
	buffer->address = address;
	*out = buffer;
	return CL_SUCCESS;
}

static void destroy(struct context *context, struct print_buffer *buffer)
{
	l0_memory_free(context->l0, buffer->address);
	free(buffer);
}

static void pool_finish(void *service, struct context *context)
{
	struct print_pool *pool = service;

	while (pool->spares) {
		struct print_buffer *buffer = pool->spares;

		pool->spares = buffer->next;
		destroy(context, buffer);
	}
}

static struct print_pool *pool_of(struct context *context)
{
	static const struct context_service_type type = {
		.size = sizeof(struct print_pool),
		.finish = pool_finish,
	};

	return context_service(context, &type);
}

cl_int print_begin(struct batch *batch)
{
	struct context *context = batch->target.context;
	cl_int rc = CL_SUCCESS;

	if (batch->print)
		return CL_SUCCESS;
	struct print_pool *pool = pool_of(context);
	if (!pool)
		return CL_OUT_OF_HOST_MEMORY;
	pthread_mutex_lock(&context->lock);
	batch->print = pool->spares;
	if (batch->print) {
		pool->spares = batch->print->next;
		pool->n_spares--;
	}
	pthread_mutex_unlock(&context->lock);
	if (!batch->print)
		rc = make(context, &batch->print);
	if (rc)
		return rc;
	atomic_fetch_add(&pool->n_used, 1);
	batch->print->address[0] = HEAD;
	return CL_SUCCESS;
}

void print_drop(struct batch *batch)
{
	struct context *context = batch->target.context;
	struct print_buffer *buffer = batch->print;

	if (!buffer)
		return;
	struct print_pool *pool = pool_of(context);
	batch->print = NULL;
	atomic_fetch_sub(&pool->n_used, 1);
	pthread_mutex_lock(&context->lock);
	bool keep = pool->n_spares < MAX_SPARES;
	if (keep) {
		pool->n_spares++;
		buffer->next = pool->spares;
		pool->spares = buffer;
	}
	pthread_mutex_unlock(&context->lock);
	if (!keep)
		destroy(context, buffer);
}

bool print_is_short(struct context *context)
{
	struct print_pool *pool = pool_of(context);

	return pool && atomic_load(&pool->n_used) >= MANY;
}

/* The texts of all programs whose kernels the batch has; malloc'ed. */
static struct print_texts *gather(const struct batch *batch, size_t *n)
{
	struct print_texts *all = calloc((size_t)batch->n_objs * 2 + 1, sizeof *all);

	*n = 0;
	for (unsigned i = 0; all && i < batch->n_objs; i++) {
		if (batch->objs[i]->kind != OBJ_KERNEL)
			continue;
		const struct kernel *kernel = (const struct kernel *)(void *)batch->objs[i];
		const struct kernel_form *forms[] = { kernel->forms, kernel->narrow };

		/* it may have been launched before it was widened */
		for (unsigned k = 0; k < 2 && forms[k]; k++) {
			const struct program_code *code = forms[k][batch->target.place].code;

			if (code->print.texts.data)
				all[(*n)++] = code->print.texts;
		}
	}
	return all;
}

/* Prints what is in the buffer of the batch, if that is complete, and empties the buffer. */
static void print(const struct batch *batch, bool is_there)
{
	uint32_t *address = batch->print->address;
	uint32_t used = address[0] < COMPILE_PRINT_BYTES ? address[0] : COMPILE_PRINT_BYTES;
	size_t n;

	if (used <= HEAD)
		return;
	if (is_there) {
		struct print_texts *texts = gather(batch, &n);

		if (!texts || !print_text(address + 1, used - HEAD, texts, n, stdout))
			util_log(UTIL_LOG_WARN, "cl",
				"some of what kernels printed cannot be decoded");
		fflush(stdout);
		free(texts);
	}
	/* what a lost device leaves unwritten shall not look like something */
	memset(address + 1, 0, used - HEAD);
	address[0] = HEAD;
}

void print_end(struct batch *batch, bool is_there)
{
	if (!batch->prints)
		return;
	for (unsigned i = 0; i < batch->n_objs; i++) {
		struct obj *obj = batch->objs[i];
		struct recording *recording = (struct recording *)(void *)obj;

		if (obj->kind == OBJ_RECORDING && recording->batch->print)
			print(recording->batch, is_there);
	}
	if (batch->print)
		print(batch, is_there);
}
