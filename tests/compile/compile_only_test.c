// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "compile/zebin/extract_kernel.h"

#define WORD(a, b, c, d)                                                                           \
	((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* A header; entry points "a" (id 7) and "abcd" (id 8); a mode of each; something else. */
static const uint32_t module[] = { 0x07230203, 0x10000, 0, 20, 0, 2 << 16 | 17, 6, 4 << 16 | 15, 6,
	7, 'a', 5 << 16 | 15, 6, 8, WORD('a', 'b', 'c', 'd'), 0, 4 << 16 | 16, 7, 35, 16,
	4 << 16 | 16, 8, 35, 8, 1 << 16 | 56 };

static void others_are_left_out(void **state)
{
	static const uint32_t want_a[] = { 0x07230203, 0x10000, 0, 20, 0, 2 << 16 | 17, 6,
		4 << 16 | 15, 6, 7, 'a', 4 << 16 | 16, 7, 35, 16, 1 << 16 | 56 };
	static const uint32_t want_abcd[] = { 0x07230203, 0x10000, 0, 20, 0, 2 << 16 | 17, 6,
		5 << 16 | 15, 6, 8, WORD('a', 'b', 'c', 'd'), 0, 4 << 16 | 16, 8, 35, 8,
		1 << 16 | 56 };
	size_t size = 0;

	(void)state;
	void *only = extract_kernel(module, sizeof module, "a", &size);
	assert_int_equal(size, sizeof want_a);
	assert_memory_equal(only, want_a, size);
	free(only);
	only = extract_kernel(module, sizeof module, "abcd", &size);
	assert_int_equal(size, sizeof want_abcd);
	assert_memory_equal(only, want_abcd, size);
	free(only);
}

static void damage_is_refused(void **state)
{
	uint32_t copy[sizeof module / 4];
	size_t size;

	(void)state;
	assert_null(extract_kernel(module, 0, "a", &size));
	assert_null(extract_kernel(module, 12, "a", &size));
	assert_null(extract_kernel(module, sizeof module - 1, "a", &size));
	assert_null(extract_kernel(module, sizeof module - 8, "a", &size));
	memcpy(copy, module, sizeof copy);
	copy[5] = 17; /* of no words */
	assert_null(extract_kernel(copy, sizeof copy, "a", &size));
	copy[5] = 100u << 16 | 17;
	assert_null(extract_kernel(copy, sizeof copy, "a", &size));
	/* A name that does not end is another one. */
	memcpy(copy, module, sizeof copy);
	copy[10] = WORD('a', 'a', 'a', 'a');
	void *only = extract_kernel(copy, sizeof copy, "a", &size);
	assert_non_null(only);
	assert_true(size < sizeof copy);
	free(only);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(others_are_left_out),
		cmocka_unit_test(damage_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
