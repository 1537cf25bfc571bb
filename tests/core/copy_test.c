// SPDX-License-Identifier: MIT
#include "queue_fixture.h"
#include "test_random.h"

#include <stdlib.h>
#include <string.h>

#define SIZE FIXTURE_BYTES

static uint64_t seed = 1;

static unsigned random_below(unsigned n)
{
	return test_random_below(&seed, n);
}

/* One byte at a time, as the specification says it. */
static void reference(unsigned char *to, const unsigned char *from, const struct copy_rect *rect)
{
	size_t tr = rect->to_row_pitch ? rect->to_row_pitch : rect->region[0];
	size_t fr = rect->from_row_pitch ? rect->from_row_pitch : rect->region[0];
	size_t ts = rect->to_slice_pitch ? rect->to_slice_pitch : rect->region[1] * tr;
	size_t fs = rect->from_slice_pitch ? rect->from_slice_pitch : rect->region[1] * fr;

	for (size_t z = 0; z < rect->region[2]; z++)
		for (size_t y = 0; y < rect->region[1]; y++)
			for (size_t x = 0; x < rect->region[0]; x++)
				to[(rect->to_origin[2] + z) * ts + (rect->to_origin[1] + y) * tr +
					rect->to_origin[0] + x] =
					from[(rect->from_origin[2] + z) * fs +
						(rect->from_origin[1] + y) * fr +
						rect->from_origin[0] + x];
}

struct numbers {
	size_t to_origin[3], from_origin[3], region[3];
};

static void random_rect(struct copy_rect *rect, struct numbers *n)
{
	for (int i = 0; i < 3; i++) {
		n->to_origin[i] = random_below(4);
		n->from_origin[i] = random_below(4);
		n->region[i] = 1 + random_below(i ? 6 : 20);
	}
	*rect = (struct copy_rect){
		.to_origin = n->to_origin, .from_origin = n->from_origin, .region = n->region
	};
	if (random_below(3))
		rect->to_row_pitch = n->region[0] + random_below(10);
	if (random_below(3))
		rect->from_row_pitch = n->region[0] + random_below(10);
	if (rect->to_row_pitch && random_below(2))
		rect->to_slice_pitch = rect->to_row_pitch * (n->region[1] + random_below(3));
	if (rect->from_row_pitch && random_below(2))
		rect->from_slice_pitch = rect->from_row_pitch * (n->region[1] + random_below(3));
}

static void random_bytes(unsigned char *bytes)
{
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (unsigned char)random_below(256);
}

/* All kinds of rects, on an idle queue (i even) and on a busy one. */
static void rects_are_as_the_reference(void **state)
{
	struct queue_fixture *f = *state;
	static unsigned char a[SIZE], b[SIZE], host[SIZE], want[SIZE];

	for (int i = 0; i < 300; i++) {
		struct copy_rect rect;
		struct numbers numbers;

		random_rect(&rect, &numbers);
		random_bytes(a);
		random_bytes(b);
		random_bytes(host);
		l0_fake.mode = L0_FAKE_AT_QUERY;
		assert_int_equal(copy_write(f->queue, f->a, CL_TRUE, 0, SIZE, a, NO_EVENTS), 0);
		assert_int_equal(copy_write(f->queue, f->b, CL_TRUE, 0, SIZE, b, NO_EVENTS), 0);
		l0_fake.mode = i % 2 ? L0_FAKE_BY_HAND : L0_FAKE_AT_QUERY;
		/* adding 0 changes nothing, but keeps the queue busy */
		if (i % 2)
			assert_int_equal(
				queue_fixture_launch(f->queue, f->add, f->b, 0, 0, NULL, NULL), 0);
		switch (i / 2 % 3) {
		case 0:
			memcpy(want, b, SIZE);
			reference(want, a, &rect);
			assert_int_equal(copy_buffer_rect(f->queue, f->a, f->b, &rect, NO_EVENTS),
				CL_SUCCESS);
			l0_fake.mode = L0_FAKE_AT_QUERY;
			assert_int_equal(
				copy_read(f->queue, f->b, CL_TRUE, 0, SIZE, b, NO_EVENTS), 0);
			assert_memory_equal(b, want, SIZE);
			break;
		case 1:
			memcpy(want, b, SIZE);
			reference(want, host, &rect);
			assert_int_equal(
				copy_write_rect(f->queue, f->b, CL_FALSE, &rect, host, NO_EVENTS),
				CL_SUCCESS);
			l0_fake.mode = L0_FAKE_AT_QUERY;
			assert_int_equal(
				copy_read(f->queue, f->b, CL_TRUE, 0, SIZE, b, NO_EVENTS), 0);
			assert_memory_equal(b, want, SIZE);
			break;
		default:
			memcpy(want, host, SIZE);
			reference(want, a, &rect);
			assert_int_equal(
				copy_read_rect(f->queue, f->a, CL_FALSE, &rect, host, NO_EVENTS),
				CL_SUCCESS);
			l0_fake.mode = L0_FAKE_AT_QUERY;
			assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
			assert_memory_equal(host, want, SIZE);
		}
	}
}

static void overlaps_are_found(void **state)
{
	struct queue_fixture *f = *state;
	unsigned overlapping = 0;

	for (int i = 0; i < 3000; i++) {
		static unsigned char from[SIZE], to[SIZE];
		struct copy_rect rect;
		struct numbers n;
		bool overlap = false;

		random_rect(&rect, &n);
		rect.to_row_pitch = rect.from_row_pitch = n.region[0] + random_below(12);
		rect.to_slice_pitch = rect.from_slice_pitch =
			rect.to_row_pitch * (n.region[1] + random_below(4));
		memset(from, 0, SIZE);
		memset(to, 0, SIZE);
		/* the bytes that each end touches */
		static unsigned char ones[SIZE];
		memset(ones, 1, SIZE);
		struct copy_rect mirrored = rect;
		mirrored.to_origin = rect.from_origin;
		reference(from, ones, &mirrored);
		reference(to, ones, &rect);
		for (size_t at = 0; at < SIZE; at++)
			overlap |= from[at] && to[at];
		overlapping += overlap;
		assert_int_equal(copy_buffer_rect(f->queue, f->a, f->a, &rect, NO_EVENTS),
			overlap ? CL_MEM_COPY_OVERLAP : CL_SUCCESS);
	}
	assert_in_range(overlapping, 100, 2900);
	assert_int_equal(
		copy_buffer(f->queue, f->a, f->a, 0, 100, 101, NO_EVENTS), CL_MEM_COPY_OVERLAP);
	assert_int_equal(copy_buffer(f->queue, f->a, f->a, 0, 100, 100, NO_EVENTS), CL_SUCCESS);
}

static void bad_transfers_are_refused(void **state)
{
	struct queue_fixture *f = *state;
	struct mem *quiet;
	char data[16] = { 0 };
	const struct {
		struct queue *queue;
		struct mem *mem;
		size_t offset, size;
		void *host;
		cl_int want;
	} rows[] = {
		{ NULL, f->a, 0, 4, data, CL_INVALID_COMMAND_QUEUE },
		{ f->queue, NULL, 0, 4, data, CL_INVALID_MEM_OBJECT },
		{ f->queue, f->a, 0, 4, NULL, CL_INVALID_VALUE },
		{ f->queue, f->a, SIZE, 1, data, CL_INVALID_VALUE },
		{ f->queue, f->a, SIZE - 3, 4, data, CL_INVALID_VALUE },
		{ f->queue, f->a, SIZE_MAX, 4, data, CL_INVALID_VALUE },
		{ f->queue, f->a, 4, SIZE_MAX, data, CL_INVALID_VALUE },
		{ f->queue, f->a, SIZE - 4, 4, data, CL_SUCCESS },
		{ f->queue, f->a, 0, 0, data, CL_SUCCESS },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(copy_read(rows[i].queue, rows[i].mem, CL_TRUE, rows[i].offset,
					 rows[i].size, rows[i].host, NO_EVENTS),
			rows[i].want);
		assert_int_equal(copy_write(rows[i].queue, rows[i].mem, CL_FALSE, rows[i].offset,
					 rows[i].size, rows[i].host, NO_EVENTS),
			rows[i].want);
	}
	assert_int_equal(
		mem_create_buffer(f->context, NULL, CL_MEM_HOST_READ_ONLY, 64, NULL, &quiet),
		CL_SUCCESS);
	assert_int_equal(
		copy_write(f->queue, quiet, CL_TRUE, 0, 4, data, NO_EVENTS), CL_INVALID_OPERATION);
	assert_int_equal(copy_read(f->queue, quiet, CL_TRUE, 0, 4, data, NO_EVENTS), CL_SUCCESS);
	void *pointer;
	assert_int_equal(
		copy_map(f->queue, quiet, CL_TRUE, CL_MAP_WRITE, 0, 4, NO_EVENTS, &pointer),
		CL_INVALID_OPERATION);
	mem_put(quiet);
}

static void bad_fills_are_refused(void **state)
{
	struct queue_fixture *f = *state;
	char pattern[256] = { 0 };
	const struct {
		void *pattern;
		size_t pattern_size, offset, size;
		cl_int want;
	} rows[] = {
		{ NULL, 4, 0, 4, CL_INVALID_VALUE },
		{ pattern, 0, 0, 4, CL_INVALID_VALUE },
		{ pattern, 3, 0, 6, CL_INVALID_VALUE },
		{ pattern, 256, 0, 256, CL_INVALID_VALUE },
		{ pattern, 4, 2, 4, CL_INVALID_VALUE },
		{ pattern, 4, 0, 6, CL_INVALID_VALUE },
		{ pattern, 4, SIZE - 4, 8, CL_INVALID_VALUE },
		{ pattern, 128, 128, SIZE - 128, CL_SUCCESS },
		{ pattern, 4, 0, 0, CL_SUCCESS },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(copy_fill(f->queue, f->a, rows[i].pattern, rows[i].pattern_size,
					 rows[i].offset, rows[i].size, NO_EVENTS),
			rows[i].want);
}

static void maps_show_and_take_the_bytes(void **state)
{
	struct queue_fixture *f = *state;
	static uint32_t host[FIXTURE_ITEMS];
	struct mem *mem;
	void *pointer;

	memset(host, 0x77, sizeof(host));
	assert_int_equal(
		mem_create_buffer(f->context, NULL, CL_MEM_USE_HOST_PTR, FIXTURE_BYTES, host, &mem),
		CL_SUCCESS);
	assert_int_equal(queue_fixture_launch(f->queue, f->set, mem, 40, 0, NULL, NULL), 0);
	assert_int_equal(copy_map(f->queue, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 8, 64,
				 NO_EVENTS, &pointer),
		CL_SUCCESS);
	assert_ptr_equal(pointer, (char *)host + 8);
	for (uint32_t i = 2; i < 18; i++)
		assert_int_equal(host[i], 40 + i);
	host[2] = 999;
	/* on a busy queue */
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, NULL), 0);
	assert_int_equal(copy_unmap(f->queue, mem, pointer, NO_EVENTS), CL_SUCCESS);
	assert_int_equal(copy_unmap(f->queue, mem, pointer, NO_EVENTS), CL_INVALID_VALUE);
	uint32_t got[4] = { 0 };
	assert_int_equal(copy_read(f->queue, mem, CL_TRUE, 0, 16, got, NO_EVENTS), CL_SUCCESS);
	assert_int_equal(got[1], 41);
	assert_int_equal(got[2], 999);
	assert_int_equal(got[3], 43);
	mem_put(mem);

	/* without a host pointer the bytes themselves are given */
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->b, 7, 0, NULL, NULL), 0);
	assert_int_equal(copy_map(f->queue, f->b, CL_TRUE, CL_MAP_READ, 4, 8, NO_EVENTS, &pointer),
		CL_SUCCESS);
	assert_int_equal(*(uint32_t *)pointer, 8);
	assert_int_equal(copy_unmap(f->queue, f->b, pointer, NO_EVENTS), CL_SUCCESS);
	assert_int_equal(copy_map(f->queue, f->b, CL_TRUE, CL_MAP_READ, 0, 0, NO_EVENTS, &pointer),
		CL_INVALID_VALUE);
	assert_int_equal(
		copy_map(f->queue, f->b, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0,
			4, NO_EVENTS, &pointer),
		CL_INVALID_VALUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(rects_are_as_the_reference),
		TEST(overlaps_are_found),
		TEST(bad_transfers_are_refused),
		TEST(bad_fills_are_refused),
		TEST(maps_show_and_take_the_bytes),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
