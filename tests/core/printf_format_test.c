// SPDX-License-Identifier: MIT
#include "core/batch/printf_format.h"

#include "test.h"
#include "test_random.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BASE 0x123456789000u

static const char texts[] =
	"%d|\0%s|\0\0%v4hd,%p\0plain\0%5.1f%%%q\0%zu %zd %jx %lld %td %d\0no end";
enum { D = 0, S = 4, EMPTY = 8, V = 9, PLAIN = 18, F = 24, Z = 34, OPEN = 58 };

/* Records that are being written. */
static unsigned char records[1024];
static size_t used;

static void put(const void *data, size_t size)
{
	assert_true(used + size <= sizeof records);
	memcpy(records + used, data, size);
	used += size;
}

static void put_int(uint32_t value)
{
	put(&value, sizeof value);
}

static void put_long(uint64_t value)
{
	put(&value, sizeof value);
}

static void put_arg(enum print_type type, uint32_t value)
{
	put_int(type);
	put_int(value);
}

/* What is printed of the first `size` bytes. */
static bool run(size_t size, char *out, size_t out_size)
{
	const struct print_texts all[] = { { 0x1000, "other", 6 },
		{ BASE, texts, sizeof texts - 1 } };
	/* a copy of that size, for the sanitizer */
	void *copy = malloc(size + !size);
	FILE *file = fmemopen(out, out_size, "w");

	assert_non_null(copy);
	assert_non_null(file);
	memset(out, 0, out_size);
	memcpy(copy, records, size);
	bool ok = print_text(copy, size, all, 2, file);
	fclose(file);
	free(copy);
	used = 0;
	return ok;
}

/* Each modifier of C that stands for 64 bits, and the argument behind it. */
static void test_long_lengths(void **state)
{
	char out[160];

	(void)state;
	put_long(BASE + Z);
	for (int i = 0; i < 5; i++) {
		put_int(PRINT_LONG);
		put_long((uint64_t)-1 - i);
	}
	put_arg(PRINT_INT, 42);
	assert_true(run(used, out, sizeof out));
	assert_string_equal(out, "18446744073709551615 -2 fffffffffffffffd -4 -5 42");
}

enum { CALLS = 10, TIMES = 3000 };

/* Prints CALLS calls, TIMES times, to the file that others print to. */
static void *print_often(void *file)
{
	static const char line[] = "begins %d, ends %d\n";
	const struct print_texts text = { BASE, line, sizeof line };
	unsigned char data[CALLS * 24];

	for (uint64_t i = 0; i < CALLS; i++) {
		const uint64_t address = BASE;
		const uint32_t arguments[] = { PRINT_INT, (uint32_t)i, PRINT_INT, (uint32_t)i };

		memcpy(data + 24 * i, &address, sizeof address);
		memcpy(data + 24 * i + 8, arguments, sizeof arguments);
	}
	for (unsigned i = 0; i < TIMES; i++)
		if (!print_text(data, sizeof data, &text, 1, file))
			return file;
	return NULL;
}

/* Kernels of two queues that print at once: no call is in the middle of another. */
static void test_calls_are_whole(void **state)
{
	FILE *file = tmpfile();
	pthread_t threads[2];
	unsigned lines = 0;
	char line[128];
	void *failed;
	int a, b;
	char end;

	(void)state;
	assert_non_null(file);
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, print_often, file), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(pthread_join(threads[i], &failed), 0);
		assert_null(failed);
	}
	rewind(file);
	for (; fgets(line, sizeof line, file); lines++)
		if (sscanf(line, "begins %d, ends %d%c", &a, &b, &end) != 3 || a != b ||
			end != '\n')
			fail_msg("line %u: %s", lines, line);
	assert_int_equal(lines, 2 * CALLS * TIMES);
	fclose(file);
}

static void test_arguments(void **state)
{
	const int16_t shorts[4] = { 1, -2, 3, -4 };
	float number = 2.25f;
	uint32_t bits;
	char out[128];

	(void)state;
	memcpy(&bits, &number, sizeof bits);
	put_long(BASE + D);
	put_arg(PRINT_INT, (uint32_t)-5);
	put_long(BASE + S);
	put_int(PRINT_TEXT);
	put_long(BASE + PLAIN);
	put_long(BASE + S);
	put_int(PRINT_POINTER);
	put_long(BASE + EMPTY);
	put_long(BASE + V);
	put_arg(PRINT_SHORTS, 4);
	put(shorts, sizeof shorts);
	put_long(0);
	put_int(PRINT_POINTER);
	put_long(0xabc);
	put_long(BASE + F);
	put_arg(PRINT_FLOAT, bits);
	put_long(0x1000);
	assert_true(run(used, out, sizeof out));
	assert_string_equal(out, "-5|plain||1,-2,3,-4,0xabc  2.2%%qother");
}

/* Fewer and more arguments than the format asks for; texts that are none. */
static void test_disagreements(void **state)
{
	char out[128];

	(void)state;
	put_long(BASE + D);
	put_long(BASE + EMPTY);
	put_arg(PRINT_INT, 1);
	put_int(PRINT_LONG);
	put_long(0x1000);
	put_long(BASE + D);
	put_arg(PRINT_INT, 7);
	put_arg(PRINT_INT, 8);
	put_long(BASE + S);
	put_int(PRINT_POINTER);
	put_long(0x4444);
	put_long(BASE + S);
	put_arg(PRINT_INT, 3);
	put_long(BASE + S);
	put_int(PRINT_TEXT);
	put_long(BASE + OPEN);
	assert_true(run(used, out, sizeof out));
	assert_string_equal(out, "|7|(null)|(null)|(null)|");
}

/* What cannot be there ends it, wherever it is cut. */
static void test_garbage(void **state)
{
	char out[4096];

	(void)state;
	put_long(BASE + PLAIN);
	put_long(0x4444);
	put_long(BASE + PLAIN);
	assert_false(run(used, out, sizeof out));
	assert_string_equal(out, "plain");
	for (unsigned round = 0; round < 3000; round++) {
		uint64_t seed = round;
		const uint64_t starts[] = { BASE + D, BASE + S, BASE + V, BASE + F };
		size_t n = (size_t)test_random(&seed) % 20;

		for (size_t i = 0; i < n; i++) {
			if (test_random(&seed) % 3 == 0)
				put_long(starts[test_random(&seed) % 4]);
			put_int((uint32_t)test_random(&seed) % 20);
			if (test_random(&seed) % 2)
				put_int((uint32_t)test_random(&seed));
		}
		if (used)
			used -= (size_t)test_random(&seed) % used;
		(void)run(used, out, sizeof out);
		used = 0;
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_calls_are_whole),
		cmocka_unit_test(test_long_lengths),
		cmocka_unit_test(test_disagreements),
		cmocka_unit_test(test_garbage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
