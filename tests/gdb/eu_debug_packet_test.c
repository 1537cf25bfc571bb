// SPDX-License-Identifier: MIT
#include "eu/debug/eu_debug_bytes.h"
#include "eu/debug/eu_debug_packet.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "test_random.h"

static struct eu_debug_input input;

/* The last event of some bytes that is not "more". */
static enum eu_debug_input_event feed(const void *bytes, size_t size)
{
	enum eu_debug_input_event last = EU_DEBUG_INPUT_MORE;

	for (size_t i = 0; i < size; i++) {
		enum eu_debug_input_event event =
			eu_debug_input_feed(&input, ((const uint8_t *)bytes)[i]);
		if (event != EU_DEBUG_INPUT_MORE)
			last = event;
	}
	return last;
}

static enum eu_debug_input_event feed_text(const char *text)
{
	return feed(text, strlen(text));
}

static void test_packets(void **state)
{
	(void)state;
	assert_int_equal(feed_text("+$g#67"), EU_DEBUG_INPUT_PACKET);
	assert_string_equal(input.bytes, "g");
	assert_int_equal(feed_text("$g#68"), EU_DEBUG_INPUT_BAD);
	assert_int_equal(feed_text("$g#6x"), EU_DEBUG_INPUT_BAD);
	assert_int_equal(feed_text("$lost$g#67"), EU_DEBUG_INPUT_PACKET);
	assert_string_equal(input.bytes, "g");
	assert_int_equal(feed_text("-"), EU_DEBUG_INPUT_REPEAT);
	assert_int_equal(feed_text("\x03"), EU_DEBUG_INPUT_INTERRUPT);
	assert_int_equal(feed_text("noise"), EU_DEBUG_INPUT_MORE);
	assert_int_equal(feed_text("$#00"), EU_DEBUG_INPUT_PACKET);
	assert_int_equal(input.size, 0);
}

/* What is written is what is read, whatever it is. */
static void test_round_trip(void **state)
{
	uint64_t random = 1;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		uint8_t bytes[64];
		size_t size = test_random_below(&random, sizeof bytes);
		struct eu_debug_text text = { 0 };
		for (size_t k = 0; k < size; k++)
			bytes[k] = i % 2 ? (uint8_t) "#$}*\x03+-"[test_random_below(&random, 7)]
					 : (uint8_t)test_random(&random);
		eu_debug_packet(&text, bytes, size);
		assert_int_equal(feed(text.bytes, text.size), EU_DEBUG_INPUT_PACKET);
		assert_int_equal(input.size, size);
		assert_memory_equal(input.bytes, bytes, size);
		eu_debug_text_finish(&text);
	}
}

static void test_too_long(void **state)
{
	static char bytes[EU_DEBUG_PACKET_BYTES + 100];

	(void)state;
	memset(bytes, 'a', sizeof bytes);
	bytes[0] = '$';
	assert_int_equal(feed(bytes, sizeof bytes), EU_DEBUG_INPUT_MORE);
	assert_int_equal(feed_text("#00"), EU_DEBUG_INPUT_BAD);
	assert_int_equal(feed_text("$g#67"), EU_DEBUG_INPUT_PACKET);
}

/* Any bytes at all; a packet comes through behind them. */
static void test_noise(void **state)
{
	uint64_t random = 2;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		char noise[200];
		for (size_t k = 0; k < sizeof noise; k++)
			noise[k] = (char)("$#}0a\x03-\xff"[test_random_below(&random, 8)]);
		feed(noise, sizeof noise);
		feed_text("#00"); /* an open packet ends */
		assert_int_equal(feed_text("$g#67"), EU_DEBUG_INPUT_PACKET);
		assert_string_equal(input.bytes, "g");
	}
}

static void test_numbers(void **state)
{
	const char *at = "1fFz";
	uint64_t value = 0;
	uint8_t bytes[4];

	(void)state;
	assert_true(eu_debug_number(&at, &value));
	assert_int_equal(value, 0x1ff);
	assert_false(eu_debug_number(&at, &value));
	assert_true(eu_debug_skip(&at, 'z'));
	assert_false(eu_debug_skip(&at, 'z'));
	at = "ffffffffffffffff";
	assert_true(eu_debug_number(&at, &value) && value == UINT64_MAX);
	at = "1ffffffffffffffff";
	assert_false(eu_debug_number(&at, &value));
	assert_int_equal(eu_debug_unhex("0aFFx", bytes, 4), 2);
	assert_int_equal(bytes[1], 0xff);
	assert_int_equal(eu_debug_unhex("0102030405", bytes, 4), 4);
}

static void test_leb(void **state)
{
	static const int64_t values[] = { 0, 1, -1, 63, 64, -64, -65, 127, 128, INT64_MAX,
		INT64_MIN };

	(void)state;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		struct eu_debug_text text = { 0 };
		eu_debug_put_sleb(&text, values[i]);
		eu_debug_put_leb(&text, (uint64_t)values[i]);
		struct eu_debug_bytes bytes = eu_debug_bytes_of(text.bytes, text.size);
		assert_true(eu_debug_take_leb(&bytes, true) == (uint64_t)values[i]);
		assert_true(eu_debug_take_leb(&bytes, false) == (uint64_t)values[i]);
		assert_int_equal(eu_debug_left(&bytes), 0);
		assert_false(bytes.is_bad);
		eu_debug_take_uint(&bytes, 1);
		assert_true(bytes.is_bad);
		eu_debug_text_finish(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packets),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_leb),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
