// SPDX-License-Identifier: MIT
#include "core/base/info.h"

#include "test.h"

#include <string.h>

struct thing {
	cl_uint number;
	const char *text;
	size_t list[3];
	const struct thing *other;
};

static cl_int answer_twice(const void *object, const struct info *info)
{
	const struct thing *thing = object;
	cl_ulong twice = 2 * (cl_ulong)thing->number;

	return info_bytes(info, &twice, sizeof twice);
}

static cl_int answer_nothing(const void *object, const struct info *info)
{
	(void)object;
	return info_bytes(info, NULL, 0);
}

static const struct info_row rows[] = {
	INFO_FIELD(10, struct thing, number),
	INFO_STRING(11, struct thing, text),
	INFO_FIELD(12, struct thing, list),
	INFO_FN(13, answer_twice),
	INFO_CONSTANT(14, cl_ushort, 0xabcd),
	INFO_FN(15, answer_nothing),
	INFO_VIA(16, struct thing, other, number),
	INFO_STRING_VIA(17, struct thing, other, text),
};

static void test_rows(void **state)
{
	const struct thing other = { 8, "eight", { 0 }, NULL };
	const struct thing thing = { 7, "seven", { 1, 2, 3 }, &other };
	const struct {
		cl_uint param;
		size_t size;
		const void *value;
	} want[] = {
		{ 10, 4, &(const cl_uint){ 7 } },
		{ 11, 6, "seven" },
		{ 12, 3 * sizeof(size_t), &(const size_t[3]){ 1, 2, 3 } },
		{ 13, 8, &(const cl_ulong){ 14 } },
		{ 14, 2, &(const cl_ushort){ 0xabcd } },
		{ 15, 0, "" },
		{ 16, 4, &(const cl_uint){ 8 } },
		{ 17, 6, "eight" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		unsigned char value[64];
		size_t size = 4711;

		memset(value, 0xee, sizeof value);
		assert_int_equal(
			INFO_GET(rows, &thing, want[i].param, INFO(0, NULL, &size)), CL_SUCCESS);
		assert_int_equal(size, want[i].size);
		assert_int_equal(
			INFO_GET(rows, &thing, want[i].param, INFO(size, value, NULL)), CL_SUCCESS);
		assert_memory_equal(value, want[i].value, size);
		assert_int_equal(value[size], 0xee);
		if (!size)
			continue;
		memset(value, 0xee, sizeof value);
		assert_int_equal(INFO_GET(rows, &thing, want[i].param, INFO(size - 1, value, NULL)),
			CL_INVALID_VALUE);
		assert_int_equal(value[0], 0xee);
	}
}

static void test_unknown(void **state)
{
	const struct thing thing = { 0 };
	size_t size = 4711;

	(void)state;
	assert_int_equal(INFO_GET(rows, &thing, 99, INFO(0, NULL, &size)), CL_INVALID_VALUE);
	assert_int_equal(size, 4711);
	assert_null(info_find(rows, sizeof rows / sizeof *rows, 99));
}

static void test_null_string(void **state)
{
	const struct thing thing = { 0 };
	char value[4] = "xxx";
	size_t size;

	(void)state;
	assert_int_equal(INFO_GET(rows, &thing, 11, INFO(sizeof value, value, &size)), CL_SUCCESS);
	assert_int_equal(size, 1);
	assert_string_equal(value, "");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_null_string),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
