// SPDX-License-Identifier: MIT
#ifndef SPIRV_WORDS_H
#define SPIRV_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <spirv/unified1/spirv.h>

/* SPIR-V that is being written; zeroed at first. `at` is malloc'ed. */
struct spirv_words {
	uint32_t *at;
	size_t n, max;
	bool is_broken; /* out of memory: nothing more gets in */
};

void spirv_words_put(struct spirv_words *words, const uint32_t *from, size_t n);

void spirv_words_put_inst(
	struct spirv_words *words, SpvOp op, const uint32_t *operands, uint32_t n);

/* An instruction of these operands. */
#define SPIRV_PUT(words, op, ...)                                                                  \
	spirv_words_put_inst((words), (op), (const uint32_t[]){ __VA_ARGS__ },                     \
		(uint32_t)(sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)))

/*
 * The type of these operands among the instructions in front of the first function; 0 if it is not
 * there. It looks no further than where an instruction is not whole.
 */
uint32_t spirv_words_find_type(
	const uint32_t *words, size_t n_words, SpvOp op, const uint32_t *operands, uint32_t n);

#endif
