// SPDX-License-Identifier: MIT
#include "compile/build/compile_pool.h"

#include <stdlib.h>
#include <string.h>

struct compile_pool {
	struct compile_pool *next;
	max_align_t data[];
};

void *compile_pool_get(struct compile_pool **pool, size_t size)
{
	struct compile_pool *piece = calloc(1, sizeof *piece + size);

	if (!piece)
		return NULL;
	piece->next = *pool;
	*pool = piece;
	return piece->data;
}

char *compile_pool_text(struct compile_pool **pool, const char *text, size_t size)
{
	char *copy = compile_pool_get(pool, size + 1);

	if (copy && size)
		memcpy(copy, text, size);
	return copy;
}

void compile_pool_free(struct compile_pool *pool)
{
	while (pool) {
		struct compile_pool *next = pool->next;
		free(pool);
		pool = next;
	}
}
