// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdlib.h>

#include "compile/spirv/spirv_words.h"

static void instructions_follow_each_other(void **state)
{
	static const uint32_t want[] = { 2 << 16 | SpvOpCapability, SpvCapabilityKernel,
		1 << 16 | SpvOpFunctionEnd, 4 << 16 | SpvOpTypeInt, 7, 32, 0 };
	struct spirv_words words = { 0 };

	(void)state;
	SPIRV_PUT(&words, SpvOpCapability, SpvCapabilityKernel);
	spirv_words_put_inst(&words, SpvOpFunctionEnd, NULL, 0);
	SPIRV_PUT(&words, SpvOpTypeInt, 7, 32, 0);
	assert_false(words.is_broken);
	assert_int_equal(words.n, sizeof want / 4);
	assert_memory_equal(words.at, want, sizeof want);
	free(words.at);
}

static void they_grow(void **state)
{
	struct spirv_words words = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 10000; i++)
		spirv_words_put(&words, &i, 1);
	assert_int_equal(words.n, 10000);
	for (uint32_t i = 0; i < 10000; i++)
		assert_int_equal(words.at[i], i);
	spirv_words_put(&words, words.at, 0);
	assert_int_equal(words.n, 10000);
	free(words.at);
}

static void nothing_gets_into_broken_ones(void **state)
{
	struct spirv_words words = { 0 };

	(void)state;
	SPIRV_PUT(&words, SpvOpCapability, SpvCapabilityKernel);
	words.is_broken = true;
	SPIRV_PUT(&words, SpvOpCapability, SpvCapabilityKernel);
	assert_int_equal(words.n, 2);
	free(words.at);
}

static void types_are_found(void **state)
{
	static const uint32_t words[] = { 3 << 16 | SpvOpTypeFloat, 5, 32, 4 << 16 | SpvOpTypeInt,
		6, 32, 0, 2 << 16 | SpvOpTypeBool, 7, 4 << 16 | SpvOpTypeInt, 8, 64, 0,
		5 << 16 | SpvOpFunction, 6, 9, 0, 10, 4 << 16 | SpvOpTypeInt, 11, 16, 0 };
	static const uint32_t ints[][2] = { { 32, 0 }, { 64, 0 }, { 64, 1 }, { 16, 0 } };
	static const uint32_t want[] = { 6, 8, 0, 0 };
	const size_t n = sizeof words / 4;

	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(
			spirv_words_find_type(words, n, SpvOpTypeInt, ints[i], 2), want[i]);
	assert_int_equal(spirv_words_find_type(words, n, SpvOpTypeBool, NULL, 0), 7);
	assert_int_equal(spirv_words_find_type(words, n, SpvOpTypeVoid, NULL, 0), 0);
	assert_int_equal(spirv_words_find_type(words, 0, SpvOpTypeBool, NULL, 0), 0);
	/* fewer operands than it has, and an instruction cut off */
	assert_int_equal(spirv_words_find_type(words, n, SpvOpTypeInt, ints[0], 1), 0);
	assert_int_equal(spirv_words_find_type(words, 12, SpvOpTypeInt, ints[1], 2), 0);
	assert_int_equal(spirv_words_find_type(words, 13, SpvOpTypeInt, ints[1], 2), 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_follow_each_other),
		cmocka_unit_test(they_grow),
		cmocka_unit_test(nothing_gets_into_broken_ones),
		cmocka_unit_test(types_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
