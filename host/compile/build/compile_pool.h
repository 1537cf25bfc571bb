// SPDX-License-Identifier: MIT
#ifndef COMPILE_POOL_H
#define COMPILE_POOL_H

#include <stddef.h>

/* Memory that is freed all at once. NULL is empty. */
struct compile_pool;

/* `size` zeroed bytes, or NULL when out of memory. */
void *compile_pool_get(struct compile_pool **pool, size_t size);

/* A copy of `size` bytes with a NUL after them, or NULL when out of memory. */
char *compile_pool_text(struct compile_pool **pool, const char *text, size_t size);

void compile_pool_free(struct compile_pool *pool);

#endif
