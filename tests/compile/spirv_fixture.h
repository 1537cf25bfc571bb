// SPDX-License-Identifier: MIT
#ifndef SPIRV_FIXTURE_H
#define SPIRV_FIXTURE_H

#include "test.h"
#include "test_random.h"

#include "compile/spirv/spirv_module.h"

#include <stdlib.h>
#include <string.h>

/* SPIR-V modules of tests of passes. */

/* Opens the module that the text describes; one that cannot be assembled fails the running test. */
void spirv_open_text(const char *text, struct spirv_module *module);

/* Fails the running test unless the module is valid SPIR-V, of version 1.3 at most. */
void spirv_assert_valid(const struct spirv_module *module);

/* How many instructions the module has of that op. */
static inline unsigned spirv_count(const struct spirv_module *module, unsigned op)
{
	struct spirv_inst inst;
	unsigned n = 0;

	SPIRV_EACH(module, SPIRV_START, module->n_words, inst)
		n += inst.op == (SpvOp)op;
	return n;
}

/* Checks that the pass refuses damaged forms of the module or makes something of them; how many of
 * 4000 it changed is between `least` and `most`. Sanitizers see that no more happens. */
static inline void spirv_damage(const struct spirv_module *whole,
	bool (*changes)(struct spirv_module *module), unsigned least, unsigned most)
{
	const size_t n = whole->n_words;
	uint32_t *words = malloc(n * sizeof *words);
	uint64_t random = 1;
	unsigned changed = 0;

	assert_non_null(words);
	for (int i = 0; i < 4000; i++) {
		struct spirv_module module;

		memcpy(words, whole->words, n * sizeof *words);
		for (int k = 0; k <= i % 3; k++) {
			const uint64_t dice = test_random(&random);
			const uint32_t value = (uint32_t)(dice >> 20);

			words[(dice >> 8) % n] = i % 4 == 1   ? value
						 : i % 4 == 3 ? value % words[3]
							      : words[(dice >> 16) % n];
			words[3] += !words[3];
		}
		const size_t size = i % 5 ? n : (size_t)test_random(&random) % n;
		if (spirv_module_open(words, size * sizeof *words, &module) == COMPILE_OK)
			changed += changes(&module);
		spirv_module_finish(&module);
	}
	assert_in_range(changed, least, most);
	free(words);
}

#endif
