// SPDX-License-Identifier: MIT
#ifndef COMPILE_HASH_H
#define COMPILE_HASH_H

#include <nettle/sha2.h>
#include <stddef.h>

/*
 * SHA-256, by nettle. It names entries of a cache from which native code is run: a program must not
 * get the code of another one, also when somebody made its source for that. That rules out fast
 * hashes without collision resistance, such as XXH3. Of the libraries, nettle uses the processor's
 * instructions, needs no initialization and nothing but libc.
 */

#define COMPILE_HASH_SIZE SHA256_DIGEST_SIZE	       /* bytes */
#define COMPILE_HASH_TEXT (2 * SHA256_DIGEST_SIZE + 1) /* in hexadecimal, with NUL */

/* A piece of data and its size, so that pieces cannot run into each other. NULL is a piece too. */
void compile_hash_piece(struct sha256_ctx *hash, const void *data, size_t size);

void compile_hash_write(
	const unsigned char digest[COMPILE_HASH_SIZE], char text[COMPILE_HASH_TEXT]);

#endif
