// SPDX-License-Identifier: MIT
#ifndef POOL_H
#define POOL_H

#include <stddef.h>

/* Memory that is freed all at once. NULL is empty. */
struct pool;

/* `size` zeroed bytes, or NULL when out of memory. */
void *pool_get(struct pool **pool, size_t size);

/* A copy of `size` bytes with a NUL after them, or NULL when out of memory. */
char *pool_text(struct pool **pool, const char *text, size_t size);

void pool_free(struct pool *pool);

/* The same copy in memory of its own, to be freed. */
void *bytes_copy(const void *data, size_t size);

#endif
