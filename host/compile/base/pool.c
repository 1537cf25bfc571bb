// SPDX-License-Identifier: MIT
#include "compile/base/pool.h"

#include <stdlib.h>
#include <string.h>

struct pool {
	struct pool *next;
	max_align_t data[];
};

void *pool_get(struct pool **pool, size_t size)
{
	struct pool *piece = calloc(1, sizeof(*piece) + size);

	if (!piece)
		return NULL;
	piece->next = *pool;
	*pool = piece;
	return piece->data;
}

char *pool_text(struct pool **pool, const char *text, size_t size)
{
	char *copy = pool_get(pool, size + 1);

	if (copy && size)
		memcpy(copy, text, size);
	return copy;
}

void *bytes_copy(const void *data, size_t size)
{
	char *copy = malloc(size + 1);

	if (!copy)
		return NULL;
	if (size)
		memcpy(copy, data, size);
	copy[size] = '\0';
	return copy;
}

void pool_free(struct pool *pool)
{
	while (pool) {
		struct pool *next = pool->next;
		free(pool);
		pool = next;
	}
}
