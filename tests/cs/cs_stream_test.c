// SPDX-License-Identifier: MIT
#include "cs_bench.h"
#include "test_random.h"

#include "cs/cs_packet.h"

static uint32_t random32(void)
{
	static uint64_t state;

	return (uint32_t)test_random(&state);
}

static bool is_of(const struct cs_packet *row, enum gen_generation generation)
{
	return generation >= row->first && generation <= row->last;
}

static void rows_are_ordered_and_found(void **state)
{
	static const enum gen_generation versions[] = { GEN_9, GEN_11, GEN_12 };
	struct cs_packet_index index;

	(void)state;
	for (unsigned v = 0; v < 3; v++) {
		cs_packet_index(&index, versions[v]);
		for (unsigned i = 0; i < cs_packet_count(); i++) {
			const struct cs_packet *row = cs_packet_row(i);
			assert_int_equal(row->value & ~row->mask, 0);
			assert_true(
				row->min >= 1 && row->min <= row->max && row->max <= CS_MAX_DWORDS);
			assert_non_null(row->handler);
			if (is_of(row, versions[v]))
				assert_ptr_equal(cs_packet_find(&index, row->value | 1), row);
			if (i) /* a wide mask behind the narrow ones of its key */
				assert_true(
					row[-1].value < row->value ||
					(row[-1].value >> 23 == row->value >> 23 &&
						row[-1].mask > row->mask) ||
					(row[-1].value == row->value && row[-1].last < row->first));
		}
		assert_null(cs_packet_find(&index, 0xffffffff));
		assert_null(cs_packet_find(&index, 0x61030000));
		/* STATE_COMPUTE_MODE */
		assert_int_equal(cs_packet_find(&index, 0x61050000) != NULL, versions[v] == GEN_12);
	}
}

static void unknown_packets_fault_with_a_dump(void **state)
{
	struct bench *bench = *state;

	assert_int_equal(RUN(bench, 0, 0x7f000001, 0xdeadbeef, 0x12345678), CS_FAULT);
	const struct gen_fault *fault = cs_stream_fault(bench->stream);
	assert_int_equal(fault->address, BENCH_BATCH + 4);
	assert_non_null(strstr(fault->report, "0x000000100004: 7f000001 deadbeef 12345678"));
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "unknown packet: 0x7f000001");
	assert_int_equal(RUN(bench, 0x14000002, 0, 0, 0), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "MI_REPORT_PERF_COUNT");
}

/* Each packet with a length field, one dword too short and too long. */
static void wrong_lengths_fault(void **state)
{
	struct bench *bench = *state;

	for (unsigned i = 0; i < cs_packet_count(); i++) {
		const struct cs_packet *row = cs_packet_row(i);
		if (row->max == 1 || !is_of(row, bench->config.device->family->generation))
			continue;
		if (row->min > 2) {
			assert_int_equal(
				RUN(bench, row->value | (row->min - 3u), 0, 0, 0), CS_FAULT);
			bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "dwords long");
		}
		if (row->max < CS_MAX_DWORDS) {
			assert_int_equal(
				RUN(bench, row->value | (row->max - 1u), 0, 0, 0), CS_FAULT);
			bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, row->name);
		}
	}
}

static void packets_that_change_nothing_pass(void **state)
{
	struct bench *bench = *state;
	static const uint32_t poison[4] = { 0xcdcdcdcd, 0xcdcdcdcd, 0xcdcdcdcd, 0xcdcdcdcd };

	assert_int_equal(
		RUN(bench, 0, 0x01000000, 0x02800101, 0x69041310, 0x61020001, 0, 0, 0x61040001, 0,
			0, 0x61050000, 0x180010, 0x70040000, 0, 0x79000002, 1, 2, 3, 0x78500001, 1,
			2, POST_SYNC(0x100420, BENCH_DATA), 1, 2, END),
		CS_DONE);
	assert_memory_equal(bench->data, poison, sizeof poison);
	assert_int_equal(fake_engine.runs, 0);
}

static void pipe_controls_write(void **state)
{
	struct bench *bench = *state;

	assert_int_equal(
		RUN(bench, POST_SYNC(0x104120, BENCH_DATA + 8), 0x1234, 0x5678, END), CS_DONE);
	assert_int_equal(bench->data[1], 0xcdcdcdcd);
	assert_int_equal(bench->data[2], 0x1234);
	assert_int_equal(bench->data[3], 0x5678);
	assert_int_equal(bench->data[4], 0xcdcdcdcd);
	static const uint32_t refused[] = { 0x8000, 0x4000 | 1 << 21, 0x4000 | 1 << 23,
		0x4000 | 1 << 24 };
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(
			RUN(bench, POST_SYNC(refused[i], BENCH_DATA), 1, 2, END), CS_FAULT);
		bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "PIPE_CONTROL");
	}
	assert_int_equal(RUN(bench, POST_SYNC(0x4000, BENCH_NONE), 1, 2, END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_PAGE, "PIPE_CONTROL: post-sync");
}

static void runs_within_its_budget(void **state)
{
	struct bench *bench = *state;

	assert_int_equal(cs_stream_run(bench->stream, 3), CS_DONE);
	assert_int_equal(cs_stream_step(bench->stream), CS_DONE);
	memset(bench->batch, 0, sizeof bench->batch);
	bench->batch[10] = END;
	assert_int_equal(cs_stream_start(bench->stream, BENCH_BATCH, 0), 0);
	assert_int_equal(cs_stream_run(bench->stream, 10), CS_RUN);
	assert_int_equal(cs_stream_run(bench->stream, 0), CS_RUN);
	assert_int_equal(cs_stream_step(bench->stream), CS_DONE);
	/* Off the end of its buffer. */
	assert_int_equal(
		cs_stream_start(bench->stream, CANONICAL(BENCH_DATA) + sizeof bench->data - 8, 0),
		0);
	memset(bench->data, 0, sizeof bench->data);
	assert_int_equal(cs_stream_run(bench->stream, 10), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_PAGE, "fetch of a packet");
	/* A packet of which only the beginning is there. */
	bench->data[BENCH_DWORDS - 2] = 0x7a000004;
	assert_int_equal(cs_stream_start(bench->stream, BENCH_DATA + sizeof bench->data - 8, 0), 0);
	assert_int_equal(cs_stream_run(bench->stream, 10), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_PAGE, "PIPE_CONTROL: batch at");
}

/* Random packets, mostly of kinds that exist and of good length, with addresses that often do. */
static void random_batches_never_crash(void **state)
{
	struct bench *bench = *state;
	unsigned done = 0, faulted = 0;

	for (unsigned round = 0; round < 3000; round++) {
		for (unsigned i = 0; i < BENCH_DWORDS;) {
			const struct cs_packet *row = cs_packet_row(random32() % cs_packet_count());
			unsigned n = row->max == 1 ? 1 : row->min;
			uint32_t noise = random32() % 4 ? 0 : random32() & 0x7fff00;
			uint32_t first = row->value | (noise & ~row->mask & ~row->refused);
			bench->batch[i++] = n == 1 ? first : (first & ~255u) | (n - 2);
			for (unsigned j = 1; j < n && i < BENCH_DWORDS; j++) {
				uint64_t place = random32() % 3 ? BENCH_DATA : BENCH_CHILD;
				uint32_t dword = (uint32_t)place + random32() % 0x4000;
				if (j + 1 < n && i + 1 < BENCH_DWORDS && random32() % 4) {
					bench->batch[i++] = dword;
					bench->batch[i++] = (uint32_t)(place >> 32);
					j++;
				} else {
					bench->batch[i++] = random32() >> random32() % 32;
				}
			}
		}
		for (unsigned i = 0; i < BENCH_DWORDS; i++)
			bench->child[i] = random32() % 64 ? 0 : random32();
		assert_int_equal(cs_stream_start(bench->stream, BENCH_BATCH, 0), 0);
		enum cs_status status = cs_stream_run(bench->stream, 20000);
		done += status == CS_DONE;
		faulted += status == CS_FAULT;
		if (status == CS_FAULT) {
			assert_int_not_equal(cs_stream_fault(bench->stream)->kind, GEN_FAULT_NONE);
			assert_true(strlen(cs_stream_fault(bench->stream)->report) > 10);
		}
		cs_stream_reset(bench->stream);
	}
	/* The test is worth something only if batches got somewhere. */
	assert_true(done > 100);
	assert_true(faulted > 100);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_setup, bench_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_ordered_and_found),
		TEST(unknown_packets_fault_with_a_dump),
		TEST(wrong_lengths_fault),
		TEST(packets_that_change_nothing_pass),
		TEST(pipe_controls_write),
		TEST(runs_within_its_budget),
		TEST(random_batches_never_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
