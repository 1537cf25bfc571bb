// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/spirv/spirv_look.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

#define OP(length, op) ((uint32_t)(length) << 16 | (op))
#define NAME(c)	       (c) /* one letter and the end of the text */

/* Kernels a (1), b (2) and c (3); function 4 reads a block, 5 calls 4, c writes an image's. */
static const uint32_t module[] = { 0x07230203, 0x10000, 0, 30, 0, OP(2, SpvOpCapability),
	SpvCapabilityKernel, OP(3, SpvOpMemoryModel), 2, 2, OP(4, SpvOpEntryPoint), 6, 1, NAME('a'),
	OP(4, SpvOpEntryPoint), 6, 2, NAME('b'), OP(4, SpvOpEntryPoint), 6, 3, NAME('c'),
	OP(2, SpvOpTypeVoid), 10, OP(3, SpvOpTypeFunction), 11, 10, OP(4, SpvOpTypeInt), 12, 32, 0,
	/* a calls 5 */
	OP(5, SpvOpFunction), 10, 1, 0, 11, OP(2, SpvOpLabel), 20, OP(4, SpvOpFunctionCall), 10, 13,
	5, OP(1, SpvOpReturn), OP(1, SpvOpFunctionEnd),
	/* b: nothing */
	OP(5, SpvOpFunction), 10, 2, 0, 11, OP(2, SpvOpLabel), 21, OP(1, SpvOpReturn),
	OP(1, SpvOpFunctionEnd),
	/* c */
	OP(5, SpvOpFunction), 10, 3, 0, 11, OP(2, SpvOpLabel), 22,
	OP(4, SpvOpSubgroupImageBlockWriteINTEL), 14, 15, 16, OP(1, SpvOpReturn),
	OP(1, SpvOpFunctionEnd),
	/* 5 calls 4, and writes a block */
	OP(5, SpvOpFunction), 10, 5, 0, 11, OP(2, SpvOpLabel), 23, OP(4, SpvOpFunctionCall), 10, 17,
	4, OP(3, SpvOpSubgroupBlockWriteINTEL), 14, 16, OP(1, SpvOpReturn), OP(1, SpvOpFunctionEnd),
	/* 4 */
	OP(5, SpvOpFunction), 10, 4, 0, 11, OP(2, SpvOpLabel), 24,
	OP(4, SpvOpSubgroupBlockReadINTEL), 12, 18, 14, OP(1, SpvOpReturn),
	OP(1, SpvOpFunctionEnd) };

/* spirv_look_at_functions of words that are no module yet. */
static enum compile_status look(const void *spirv, size_t size, struct reflection *found)
{
	struct spirv_module opened;
	enum compile_status status = spirv_module_open(spirv, size, &opened);

	*found = (struct reflection){ 0 };
	if (status == COMPILE_OK) {
		found->kernels = pool_get(&found->pool, opened.n_kernels * sizeof(*found->kernels));
		found->n_kernels = opened.n_kernels;
		assert_non_null(found->kernels);
		assert_true(spirv_look_at_functions(&opened, found));
	}
	spirv_module_finish(&opened);
	return status;
}

static void test_calls(void **state)
{
	struct reflection found;

	(void)state;
	assert_int_equal(look(module, sizeof module, &found), COMPILE_OK);
	assert_int_equal(found.n_kernels, 3);
	assert_int_equal(found.kernels[0].blocks, COMPILE_BLOCKS_READ | COMPILE_BLOCKS_WRITE);
	assert_int_equal(found.kernels[1].blocks, 0);
	assert_int_equal(found.kernels[2].blocks, COMPILE_BLOCKS_IMAGE);
	reflection_finish(&found);
}

static uint32_t swapped(uint32_t word)
{
	return __builtin_bswap32(word);
}

static void test_other_byte_order(void **state)
{
	uint32_t copy[sizeof module / 4];
	struct reflection found;

	(void)state;
	for (size_t i = 0; i < sizeof module / 4; i++)
		copy[i] = swapped(module[i]);
	assert_int_equal(look(copy, sizeof copy, &found), COMPILE_OK);
	assert_int_equal(found.n_kernels, 3);
	assert_int_equal(found.kernels[2].blocks, COMPILE_BLOCKS_IMAGE);
	reflection_finish(&found);
}

static void test_none(void **state)
{
	uint32_t copy[sizeof module / 4];
	struct reflection found;
	size_t size = sizeof copy;

	(void)state;
	memcpy(copy, module, size);
	for (size_t i = 5; i < size / 4; i += copy[i] >> 16)
		if ((copy[i] & 0xFFFF) >= SpvOpSubgroupBlockReadINTEL)
			copy[i] = (copy[i] & 0xFFFF0000u) | SpvOpUndef;
	assert_int_equal(look(copy, size, &found), COMPILE_OK);
	for (size_t i = 0; i < found.n_kernels; i++)
		assert_int_equal(found.kernels[i].blocks, 0);
	reflection_finish(&found);
}

/*
 * What sees groups in ways that clang does not write: a variable whose decoration is that of its
 * group, and copies of volatile memory.
 */
static void test_groups(void **state)
{
	uint32_t words[] = { 0x07230203, 0x10000, 0, 30, 0, OP(2, SpvOpCapability),
		SpvCapabilityKernel, OP(3, SpvOpMemoryModel), 2, 2, OP(4, SpvOpEntryPoint), 6, 1,
		NAME('a'), OP(4, SpvOpEntryPoint), 6, 2, NAME('b'), OP(4, SpvOpDecorate), 26,
		SpvDecorationBuiltIn, SpvBuiltInLocalInvocationId, OP(2, SpvOpDecorationGroup), 26,
		OP(3, SpvOpGroupDecorate), 26, 25, OP(2, SpvOpTypeVoid), 10,
		OP(3, SpvOpTypeFunction), 11, 10, OP(4, SpvOpTypeInt), 12, 32, 0,
		/* a */
		OP(5, SpvOpFunction), 10, 1, 0, 11, OP(2, SpvOpLabel), 20, OP(4, SpvOpLoad), 12, 21,
		25, OP(1, SpvOpReturn), OP(1, SpvOpFunctionEnd),
		/* b */
		OP(5, SpvOpFunction), 10, 2, 0, 11, OP(2, SpvOpLabel), 22, OP(4, SpvOpCopyMemory),
		23, 24, SpvMemoryAccessVolatileMask, OP(1, SpvOpReturn), OP(1, SpvOpFunctionEnd) };
	struct reflection found;

	(void)state;
	assert_int_equal(look(words, sizeof words, &found), COMPILE_OK);
	assert_false(found.kernels[0].sees_no_groups);
	assert_false(found.kernels[1].sees_no_groups);
	reflection_finish(&found);
	for (size_t i = 5; i < sizeof words / 4; i += words[i] >> 16)
		if ((words[i] & 0xffff) == SpvOpGroupDecorate)
			words[i + 2] = 27;
		else if ((words[i] & 0xffff) == SpvOpCopyMemory)
			words[i + 3] = 0;
	assert_int_equal(look(words, sizeof words, &found), COMPILE_OK);
	assert_true(found.kernels[0].sees_no_groups);
	assert_true(found.kernels[1].sees_no_groups);
	reflection_finish(&found);
}

/* Every prefix, and every word that says it is longer than it can be. */
static void test_malformed(void **state)
{
	uint32_t copy[sizeof module / 4];
	struct reflection found;

	(void)state;
	for (size_t size = 0; size < sizeof module; size++) {
		void *prefix = malloc(size + !size);
		memcpy(prefix, module, size);
		look(prefix, size, &found);
		reflection_finish(&found);
		free(prefix);
	}
	for (size_t i = 5; i < sizeof module / 4; i++) {
		memcpy(copy, module, sizeof copy);
		copy[i] |= 0xFFFF0000u;
		look(copy, sizeof copy, &found);
		reflection_finish(&found);
	}
	copy[5] = 0;
	assert_int_equal(look(copy, sizeof copy, &found), COMPILE_ERROR);
	assert_null(found.kernels);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_other_byte_order),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_malformed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
