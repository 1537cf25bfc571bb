// SPDX-License-Identifier: MIT
#ifndef COMPILE_HASH_H
#define COMPILE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* SHA-256 (FIPS 180-4): names what must not be mistaken, also when somebody tries. */

#define COMPILE_HASH_SIZE 32	   /* bytes */
#define COMPILE_HASH_TEXT (64 + 1) /* in hexadecimal, with NUL */

struct compile_hash {
	uint32_t state[8];
	uint64_t size; /* bytes so far */
	unsigned char block[64];
};

void compile_hash_start(struct compile_hash *hash);
void compile_hash_add(struct compile_hash *hash, const void *data, size_t size);
/* A piece of data and its size, so that pieces cannot run into each other. NULL is a piece too. */
void compile_hash_piece(struct compile_hash *hash, const void *data, size_t size);
void compile_hash_end(struct compile_hash *hash, unsigned char digest[COMPILE_HASH_SIZE]);

void compile_hash_write(
	const unsigned char digest[COMPILE_HASH_SIZE], char text[COMPILE_HASH_TEXT]);

/* Whether the processor's own instructions are used, if it has them; they are. For tests. */
void compile_hash_use(bool instructions);

#endif
