// SPDX-License-Identifier: MIT
/* Records are written and read; what was changed on the way is an error, never a crash. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layer/call/record_file.h"
#include "test.h"
#include "test_random.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char raw_path[] = "record_read_test.raw", path[] = "record_read_test.rec";

/* A call with an argument of each kind. */
static struct record_call example(void)
{
	static uint32_t chunks[] = { 0, 1 };
	static struct record_content content = { RECORD_CHUNK_BYTES + 5, 2, chunks };
	static uint64_t events[] = { 7, 8 };
	struct record_call call = { .call = call_find("clEnqueueWriteBuffer"),
		.number = 3,
		.thread = 1,
		.begin = 1000,
		.end = 2500,
		.error = -5,
		.n = 9 };

	for (unsigned i = 0; i < 5; i++)
		call.values[i] = (struct record_value){ .tag = RECORD_NUMBER, .number = i << 20 };
	call.values[4].number = content.size;
	call.values[5] =
		(struct record_value){ .tag = RECORD_CONTENTS, .count = 1, .contents = &content };
	call.values[6] = (struct record_value){ .tag = RECORD_NUMBER, .number = 2 };
	call.values[7] =
		(struct record_value){ .tag = RECORD_NUMBERS, .count = 2, .numbers = events };
	return call;
}

static void write_example(void)
{
	unsigned char bytes[RECORD_CHUNK_BYTES];
	FILE *file = fopen(raw_path, "wb");
	struct record_call call = example();

	assert_non_null(file);
	int fd = fileno(file);
	assert_true(record_write_calls(fd));
	for (unsigned id = 0; id < 2; id++) {
		memset(bytes, 'a' + (int)id, sizeof bytes);
		assert_true(record_write_chunk(fd, id, bytes, id ? 5 : sizeof bytes));
	}
	assert_true(record_write(fd, &(struct record_entry){ .type = RECORD_CALL, .call = &call }));
	fclose(file);
}

static struct record *read_raw(void)
{
	char why[128];

	write_example();
	struct record *record = record_read(raw_path, why, sizeof why);
	assert_non_null(record);
	return record;
}

static void what_is_written_is_read(void **state)
{
	struct record *raw = read_raw(), *record;
	struct record_entry entry;
	struct record_call want = example();
	char why[128], text[RECORD_CHUNK_BYTES + 5];

	(void)state;
	assert_true(record_pack(path, raw->raw, raw->size, why, sizeof why));
	record = record_read(path, why, sizeof why);
	assert_non_null(record);
	assert_int_equal(record->n, 4);
	record_decode(record, 3, &entry);
	assert_non_null(entry.call);
	struct record_call call = *entry.call;
	assert_ptr_equal(call.call, want.call);
	assert_int_equal(call.number, 3);
	assert_int_equal(call.thread, 1);
	assert_int_equal(call.begin, 1000);
	assert_int_equal(call.end, 2500);
	assert_int_equal(call.error, -5);
	assert_int_equal(call.n, 9);
	assert_int_equal(call.values[3].number, 3 << 20);
	assert_int_equal(call.values[7].numbers[1], 8);
	assert_int_equal(call.values[8].tag, RECORD_NULL);
	memset(text, 0, sizeof text);
	record_content_copy(record, call.values[5].contents, text);
	assert_int_equal(text[0], 'a');
	assert_int_equal(text[RECORD_CHUNK_BYTES - 1], 'a');
	assert_int_equal(text[RECORD_CHUNK_BYTES], 'b');
	assert_int_equal(text[sizeof text - 1], 'b');
	record_free(&entry.memory);
	record_destroy(record);
	record_destroy(raw);
}

static size_t slurp(const char *name, unsigned char *bytes, size_t room)
{
	FILE *file = fopen(name, "rb");
	size_t size = fread(bytes, 1, room, file);

	fclose(file);
	return size;
}

static void spill(const char *name, const unsigned char *bytes, size_t size)
{
	FILE *file = fopen(name, "wb");

	assert_int_equal(fwrite(bytes, 1, size, file), size);
	fclose(file);
}

/* Reads all that can be read of the items, as what each is and as every other type. */
static void visit(struct record *record)
{
	for (size_t i = 0; i < record->n; i++) {
		enum record_type type = record->items[i].type;
		for (unsigned other = 0; other < RECORD_TYPES; other++) {
			struct record_entry entry;
			record->items[i].type = (enum record_type)other;
			record_decode(record, i, &entry);
			record_free(&entry.memory);
		}
		record->items[i].type = type;
	}
}

static void packed_files_notice_every_change(void **state)
{
	static unsigned char bytes[1 << 16], changed[1 << 16];
	struct record *raw = read_raw();
	char why[128];

	(void)state;
	assert_true(record_pack(path, raw->raw, raw->size, why, sizeof why));
	size_t size = slurp(path, bytes, sizeof bytes);
	for (size_t i = 0; i < size; i++) {
		memcpy(changed, bytes, size);
		changed[i] ^= (unsigned char)(1 << i % 8);
		spill(path, changed, size);
		struct record *record = record_read(path, why, sizeof why);
		if (record)
			fail_msg("byte %zu was changed", i);
		assert_true(strlen(why) > 4);
	}
	for (size_t i = 1; i < size; i += 3) {
		spill(path, bytes, i);
		struct record *record = record_read(path, why, sizeof why);
		/* Less than a header is a raw record that ends early. */
		assert_true(!record || (i < 32 && record->torn));
		record_destroy(record);
	}
	record_destroy(raw);
}

/* Changed payloads with checksums that are right. */
static void payloads_are_not_trusted(void **state)
{
	struct record *raw = read_raw();
	uint64_t random = 1;
	char why[128];
	unsigned refused = 0;

	(void)state;
	for (unsigned round = 0; round < 3000; round++) {
		unsigned char *bytes = malloc(raw->size);
		memcpy(bytes, raw->raw, raw->size);
		for (unsigned n = 0; n <= round % 4; n++) {
			const struct record_item *item =
				&raw->items[test_random_below(&random, (uint32_t)raw->n)];
			size_t most = item->size < 64 ? item->size : 64;
			size_t at = (size_t)(item->data - raw->raw) +
				    test_random_below(&random, (uint32_t)most);
			bytes[at] = (unsigned char)test_random_below(&random, 256);
			uint32_t size = (uint32_t)item->size + 1;
			unsigned char *body = bytes + (item->data - 1 - raw->raw);
			uint32_t check = XXH32(body, size, 0);
			memcpy(body - 4, &check, 4);
		}
		struct record *record = record_parse(bytes, raw->size, why, sizeof why);
		refused += !record;
		if (record)
			visit(record);
		record_destroy(record);
	}
	assert_true(refused > 100 && refused < 3000);
	record_destroy(raw);
}

static void the_end_may_be_torn(void **state)
{
	static unsigned char bytes[1 << 16];
	struct record *raw = read_raw();
	char why[128];

	(void)state;
	size_t size = slurp(raw_path, bytes, sizeof bytes);
	spill(raw_path, bytes, size - 3);
	struct record *record = record_read(raw_path, why, sizeof why);
	assert_non_null(record);
	assert_true(record->torn);
	assert_int_equal(record->n, 3);
	record_destroy(record);
	record_destroy(raw);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(packed_files_notice_every_change),
		cmocka_unit_test(payloads_are_not_trusted),
		cmocka_unit_test(the_end_may_be_torn),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove(raw_path);
	remove(path);
	return failed;
}
