// SPDX-License-Identifier: MIT
#include "l0/l0_slab.h"

#include "l0/l0_memory.h"
#include "l0/l0_private.h"

#include <assert.h>
#include <stdlib.h>

#define SLAB_BYTES ((size_t)256 * 1024)
#define MIN_SHIFT  7 /* the smallest piece is of 128 bytes */
#define MAX_PIECES (SLAB_BYTES >> MIN_SHIFT)
#define NO_PIECE   UINT16_MAX

static_assert((size_t)1 << (MIN_SHIFT + L0_SLAB_CLASSES - 1) == L0_SLAB_MAX, "classes to the end");
static_assert(MAX_PIECES < NO_PIECE, "pieces are numbered with 16 bits");

/* An allocation cut into pieces of one size. Everything is under context->slab_lock. */
struct l0_slab {
	struct l0_context *context;
	struct l0_slab *next, *previous; /* of context->slabs[class]: those with free pieces */
	char *memory;
	unsigned class;
	uint16_t n_pieces, n_free, first_free;
	uint16_t links[]; /* of each free piece, the next one */
};

static void link_slab(struct l0_slab *slab)
{
	struct l0_slab **first = &slab->context->slabs[slab->class];

	slab->previous = NULL;
	slab->next = *first;
	if (slab->next)
		slab->next->previous = slab;
	*first = slab;
}

static void unlink_slab(struct l0_slab *slab)
{
	if (slab->previous)
		slab->previous->next = slab->next;
	else
		slab->context->slabs[slab->class] = slab->next;
	if (slab->next)
		slab->next->previous = slab->previous;
}

static cl_int make(struct l0_context *context, unsigned class, struct l0_slab **out)
{
	uint16_t n = (uint16_t)(SLAB_BYTES >> (MIN_SHIFT + class));
	struct l0_slab *slab = calloc(1, sizeof(*slab) + n * sizeof(*slab->links));
	void *memory;

	if (!slab)
		return CL_OUT_OF_HOST_MEMORY;
	cl_int rc = l0_memory_alloc(context, L0_MEMORY_SHARED, SLAB_BYTES, L0_SLAB_MAX, &memory);
	if (rc) {
		free(slab);
		return rc;
	}
	slab->context = context;
	slab->memory = memory;
	slab->class = class;
	slab->n_pieces = slab->n_free = n;
	slab->first_free = 0;
	for (uint16_t i = 0; i < n; i++)
		slab->links[i] = i + 1 < n ? (uint16_t)(i + 1) : NO_PIECE;
	link_slab(slab);
	*out = slab;
	return CL_SUCCESS;
}

static void destroy(struct l0_slab *slab)
{
	unlink_slab(slab);
	l0_memory_free(slab->context, slab->memory);
	free(slab);
}

static unsigned class_of(size_t size)
{
	unsigned class = 0;

	while ((size_t)1 << (MIN_SHIFT + class) < size)
		class ++;
	return class;
}

cl_int l0_slab_alloc(struct l0_context *context, size_t size, struct l0_slab **slab, void **out)
{
	unsigned class = class_of(size);
	cl_int rc = CL_SUCCESS;

	pthread_mutex_lock(&context->slab_lock);
	struct l0_slab *found = context->slabs[class];
	if (!found)
		rc = make(context, class, &found);
	if (!rc) {
		uint16_t piece = found->first_free;

		found->first_free = found->links[piece];
		if (!--found->n_free)
			unlink_slab(found);
		*out = found->memory + ((size_t)piece << (MIN_SHIFT + class));
		*slab = found;
	}
	pthread_mutex_unlock(&context->slab_lock);
	return rc;
}

void l0_slab_free(struct l0_slab *slab, void *address)
{
	struct l0_context *context = slab->context;
	size_t piece = (size_t)((char *)address - slab->memory) >> (MIN_SHIFT + slab->class);

	pthread_mutex_lock(&context->slab_lock);
	slab->links[piece] = slab->first_free;
	slab->first_free = (uint16_t)piece;
	if (!slab->n_free++)
		link_slab(slab);
	/* the last one with free pieces stays for who creates and releases in turn */
	if (slab->n_free == slab->n_pieces && (slab->next || slab->previous))
		destroy(slab);
	pthread_mutex_unlock(&context->slab_lock);
}

void l0_slabs_destroy(struct l0_context *context)
{
	for (unsigned class = 0; class < L0_SLAB_CLASSES; class ++)
		while (context->slabs[class])
			destroy(context->slabs[class]);
}
