// SPDX-License-Identifier: MIT
#include "eu/watch/eu_command.h"

#include "test.h"
#include "test_random.h"

#include <string.h>

enum { CHAINS = 3, COMMANDS = 100 };

/* Against what can be reached: commands of chains and apart, some of which the program sees. */
static void order_is_what_can_be_reached(void **state)
{
	static bool before[COMMANDS][COMMANDS], seen[COMMANDS];
	uint32_t numbers[COMMANDS], newest[CHAINS] = { 0 };
	uint64_t seed = 3;

	(void)state;
	for (unsigned i = 0; i < COMMANDS; i++) {
		unsigned chain = (unsigned)test_random(&seed) % (CHAINS + 2), n = 0, from[3];
		uint32_t after[3];
		memcpy(before[i], seen, sizeof seen);
		if (chain < CHAINS && newest[chain])
			from[n++] = newest[chain] - 1;
		while (i && n < 3 && test_random(&seed) % 3 == 0)
			from[n++] = (unsigned)test_random(&seed) % i;
		for (unsigned k = 0; k < n; k++) {
			after[k] = numbers[from[k]];
			for (unsigned j = 0; j < COMMANDS; j++)
				before[i][j] |= before[from[k]][j];
		}
		before[i][i] = true;
		numbers[i] = eu_command_add("", chain < CHAINS ? chain + 1 : 0, after, n);
		assert_true(numbers[i] > 0);
		if (chain < CHAINS)
			newest[chain] = i + 1;
		if (test_random(&seed) % 16)
			continue;
		eu_command_see(numbers[i]);
		for (unsigned j = 0; j < COMMANDS; j++)
			seen[j] |= before[i][j];
	}
	for (unsigned i = 0; i < COMMANDS; i++)
		for (unsigned j = 0; j <= i; j++)
			assert_int_equal(
				eu_command_is_before(numbers[j], numbers[i]), before[i][j]);
}

static void none_and_all_are_ordered(void **state)
{
	const uint32_t all = EU_COMMAND_ALL;

	(void)state;
	uint32_t a = eu_command_add("a", 0, NULL, 0), b = eu_command_add(NULL, 0, NULL, 0);
	uint32_t c = eu_command_add("c", 0, &all, 1);
	assert_false(eu_command_is_before(a, b));
	assert_true(eu_command_is_before(0, b));
	assert_true(eu_command_is_before(b, 0));
	assert_true(eu_command_is_before(a, c) && eu_command_is_before(b, c));
	assert_false(eu_command_is_before(c, a));
	assert_string_equal(eu_command_name(a), "a");
	assert_null(eu_command_name(b));
	/* Many later ones: then nobody knows. */
	for (int i = 0; i < 1 << 15; i++)
		c = eu_command_add(NULL, 0, NULL, 0);
	assert_true(eu_command_is_before(b, c));
	assert_null(eu_command_name(a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_is_what_can_be_reached),
		cmocka_unit_test(none_and_all_are_ordered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
