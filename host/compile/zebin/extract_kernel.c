// SPDX-License-Identifier: MIT
#include "compile/zebin/extract_kernel.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_WORDS 5

enum { OP_ENTRY_POINT = 15, OP_EXECUTION_MODE = 16 };

/* Whether the entry point, of `n` words, has another name. */
static bool is_other(const uint32_t *words, size_t n, const char *kernel)
{
	const char *name = (const char *)(words + 3);
	size_t room = n > 3 ? 4 * (n - 3) : 0;

	return !memchr(name, 0, room) || strcmp(name, kernel);
}

/* Whether an id is that of an entry point that was left out. */
static bool is_left_out(const uint32_t *all, size_t n_words, uint32_t id, const char *kernel)
{
	for (size_t at = HEADER_WORDS; at < n_words; at += all[at] >> 16)
		if ((all[at] & 0xffff) == OP_ENTRY_POINT && all[at] >> 16 > 2 && all[at + 2] == id)
			return is_other(all + at, all[at] >> 16, kernel);
	return false;
}

static bool is_sound(const uint32_t *all, size_t n_words)
{
	size_t at = HEADER_WORDS;

	while (at < n_words && all[at] >> 16 && (all[at] >> 16) <= n_words - at)
		at += all[at] >> 16;
	return n_words >= HEADER_WORDS && at == n_words;
}

void *extract_kernel(const void *spirv, size_t size, const char *kernel, size_t *only_size)
{
	size_t n_words = size / 4, n = 0;
	uint32_t *all = malloc(size + 4), *only = malloc(size + 4);

	if (all)
		memcpy(all, spirv, size);
	if (!all || !only || size % 4 || !is_sound(all, n_words)) {
		free(all);
		free(only);
		return NULL;
	}
	memcpy(only, all, 4 * HEADER_WORDS);
	n = HEADER_WORDS;
	for (size_t at = HEADER_WORDS; at < n_words; at += all[at] >> 16) {
		size_t length = all[at] >> 16;
		unsigned op = all[at] & 0xffff;
		if (op == OP_ENTRY_POINT && is_other(all + at, length, kernel))
			continue;
		if (op == OP_EXECUTION_MODE && length > 1 &&
			is_left_out(all, n_words, all[at + 1], kernel))
			continue;
		memcpy(only + n, all + at, 4 * length);
		n += length;
	}
	free(all);
	*only_size = 4 * n;
	return only;
}
