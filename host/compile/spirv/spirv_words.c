// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_words.h"

#include <stdlib.h>
#include <string.h>

void spirv_words_put(struct spirv_words *words, const uint32_t *from, size_t n)
{
	if (words->is_broken)
		return;
	if (words->max - words->n < n) {
		size_t max = (words->n + n) * 2 + 64;
		uint32_t *grown = realloc(words->at, max * sizeof *grown);

		if (!grown) {
			words->is_broken = true;
			return;
		}
		words->at = grown;
		words->max = max;
	}
	if (n)
		memcpy(words->at + words->n, from, n * sizeof *from);
	words->n += n;
}

void spirv_words_put_inst(struct spirv_words *words, SpvOp op, const uint32_t *operands, uint32_t n)
{
	uint32_t head = (n + 1) << SpvWordCountShift | (uint32_t)op;

	spirv_words_put(words, &head, 1);
	spirv_words_put(words, operands, n);
}

uint32_t spirv_words_find_type(
	const uint32_t *words, size_t n_words, SpvOp op, const uint32_t *operands, uint32_t n)
{
	uint32_t length;

	for (size_t at = 0; at < n_words; at += length) {
		SpvOp here = (SpvOp)(words[at] & SpvOpCodeMask);

		length = words[at] >> SpvWordCountShift;
		if (here == SpvOpFunction || !length || length > n_words - at)
			break;
		if (here == op && length == n + 2 &&
			(!n || !memcmp(words + at + 2, operands, n * sizeof *operands)))
			return words[at + 1];
	}
	return 0;
}
