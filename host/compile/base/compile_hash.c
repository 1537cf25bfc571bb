// SPDX-License-Identifier: MIT
#include "compile/base/compile_hash.h"

#include <stdint.h>
#include <stdio.h>

void compile_hash_start(struct compile_hash *hash)
{
	sha256_init(&hash->sha256);
}

void compile_hash_add(struct compile_hash *hash, const void *data, size_t size)
{
	sha256_update(&hash->sha256, size, data);
}

void compile_hash_piece(struct compile_hash *hash, const void *data, size_t size)
{
	const uint64_t number = data ? size : UINT64_MAX;

	compile_hash_add(hash, &number, sizeof(number));
	if (data)
		compile_hash_add(hash, data, size);
}

void compile_hash_end(struct compile_hash *hash, unsigned char digest[COMPILE_HASH_SIZE])
{
	sha256_digest(&hash->sha256, COMPILE_HASH_SIZE, digest);
}

void compile_hash_write(const unsigned char digest[COMPILE_HASH_SIZE], char text[COMPILE_HASH_TEXT])
{
	for (size_t i = 0; i < COMPILE_HASH_SIZE; i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
}
