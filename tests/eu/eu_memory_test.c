// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "eu_message_fixture.h"

static void copies_cross_buffers(void **state)
{
	struct fixture *fixture = *state;
	uint8_t bytes[600];
	uint64_t at = FIXTURE_FIRST + FIXTURE_BUFFER_BYTES - 300;

	fixture_shuffle(fixture);
	memset(bytes, 0xa5, sizeof(bytes));
	assert_true(eu_memory_copy_from(&fixture->bus, at, bytes, sizeof(bytes), NULL));
	for (unsigned i = 0; i < sizeof(bytes); i++)
		assert_int_equal(bytes[i], *fixture_byte(fixture, at + i));
	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)~bytes[i];
	assert_true(eu_memory_copy_to(&fixture->bus, at, bytes, sizeof(bytes), NULL));
	for (unsigned i = 0; i < FIXTURE_BUFFER_BYTES; i++) {
		uint8_t expected = fixture->buffers[1].model[i];

		assert_int_equal(
			fixture->buffers[1].host[i], i < 300 ? (uint8_t)~expected : expected);
	}
}

static void copies_say_what_is_missing(void **state)
{
	struct fixture *fixture = *state;
	uint64_t end = FIXTURE_FIRST + 2 * FIXTURE_BUFFER_BYTES, missing = 0;
	uint8_t bytes[64];

	assert_false(eu_memory_copy_from(&fixture->bus, end - 10, bytes, 64, &missing));
	assert_true(missing == end);
	assert_false(eu_memory_copy_to(&fixture->bus, 0, bytes, 1, &missing));
	assert_true(missing == 0);
	assert_true(eu_memory_copy_from(&fixture->bus, 0, bytes, 0, NULL));
}

static void payloads_join_both_parts(void **state)
{
	struct fixture *fixture = *state;
	struct eu_send send = { .mlen = 2, .xlen = 2, .src0 = 320, .src1 = 3200 };
	uint8_t copy[128];

	fixture_shuffle(fixture);
	for (unsigned first = 0; first < 128; first++) {
		for (unsigned bytes = 1; first + bytes <= 128; bytes++) {
			const uint8_t *part =
				eu_payload(fixture->thread, &send, first, bytes, copy);

			for (unsigned i = first; i < first + bytes; i++)
				assert_int_equal(part[i - first],
					fixture->thread->grf[i < 64 ? 320 + i : 3200 + i - 64]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			copies_cross_buffers, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			copies_say_what_is_missing, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			payloads_join_both_parts, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
