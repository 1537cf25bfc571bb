// SPDX-License-Identifier: MIT
#include "compile/base/compile_hash.h"

#include <stdint.h>
#include <stdio.h>

void compile_hash_piece(struct sha256_ctx *hash, const void *data, size_t size)
{
	const uint64_t number = data ? size : UINT64_MAX;

	sha256_update(hash, sizeof(number), (const uint8_t *)&number);
	if (data)
		sha256_update(hash, size, data);
}

void compile_hash_write(const unsigned char digest[COMPILE_HASH_SIZE], char text[COMPILE_HASH_TEXT])
{
	for (size_t i = 0; i < COMPILE_HASH_SIZE; i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
}
