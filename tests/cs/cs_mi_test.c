// SPDX-License-Identifier: MIT
#include "cs_bench.h"

#include <string.h>

#define DATA(dword) (BENCH_DATA + 4 * (dword))

static uint64_t qword(const struct bench *bench, unsigned dword)
{
	return (uint64_t)bench->data[dword + 1] << 32 | bench->data[dword];
}

static void stores_immediates(void **state)
{
	struct bench *bench = *state;

	assert_int_equal(RUN(bench, SDI(DATA(2), 0x11223344), END), CS_DONE);
	assert_int_equal(bench->data[1], 0xcdcdcdcd);
	assert_int_equal(bench->data[2], 0x11223344);
	assert_int_equal(bench->data[3], 0xcdcdcdcd);
	assert_int_equal(RUN(bench, 0x10200003, ADDRESS(DATA(4)), 1, 2, END), CS_DONE);
	assert_int_equal(qword(bench, 4), UINT64_C(0x200000001));
	assert_int_equal(bench->data[6], 0xcdcdcdcd);
	/* A 64-bit store at a multiple of 4 only. */
	assert_int_equal(RUN(bench, 0x10200003, ADDRESS(DATA(9)), 3, 4, END), CS_DONE);
	assert_int_equal(qword(bench, 9), UINT64_C(0x400000003));

	assert_int_equal(RUN(bench, 0x10200002, ADDRESS(DATA(4)), 1, END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "64 bits");
	/* Several, one behind the other. */
	assert_int_equal(RUN(bench, 0x10200005, ADDRESS(DATA(12)), 5, 6, 7, 8, END), CS_DONE);
	assert_int_equal(qword(bench, 12), UINT64_C(0x600000005));
	assert_int_equal(qword(bench, 14), UINT64_C(0x800000007));
	assert_int_equal(bench->data[16], 0xcdcdcdcd);
	assert_int_equal(RUN(bench, 0x10000004, ADDRESS(DATA(17)), 9, 10, 11, END), CS_DONE);
	assert_int_equal(bench->data[19], 11);
	assert_int_equal(bench->data[20], 0xcdcdcdcd);
	/* Its length has 10 bits: these are all. */
	static uint32_t longest[1026] = { 0x102003ff, 0, 0 };
	memcpy(longest + 1, (const uint32_t[]){ ADDRESS(DATA(24)) }, 2 * sizeof(uint32_t));
	for (uint32_t i = 3; i < 1025; i++)
		longest[i] = i;
	longest[1025] = END;
	assert_int_equal(bench_run(bench, longest, 1026), CS_DONE);
	assert_int_equal(bench->data[24], 3);
	assert_int_equal(bench->data[24 + 1021], 1024);
	assert_int_equal(bench->data[24 + 1022], 0xcdcdcdcd);
	assert_int_equal(RUN(bench, SDI(BENCH_NONE, 5), END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_PAGE, "MI_STORE_DATA_IMM");
	assert_int_equal(RUN(bench, 0x10400002, ADDRESS(DATA(0)), 1, END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "0x00400000");
}

static void copies_memory(void **state)
{
	struct bench *bench = *state;

	bench->data[0] = 0x11223344;
	assert_int_equal(RUN(bench, 0x17000003, ADDRESS(DATA(2)), ADDRESS(DATA(0)), END), CS_DONE);
	assert_int_equal(bench->data[1], 0xcdcdcdcd);
	assert_int_equal(bench->data[2], 0x11223344);
	assert_int_equal(bench->data[3], 0xcdcdcdcd);
	assert_int_equal(
		RUN(bench, 0x17000003, ADDRESS(BENCH_NONE), ADDRESS(DATA(0)), END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_PAGE, "destination");
	assert_int_equal(
		RUN(bench, 0x17000003, ADDRESS(DATA(0)), ADDRESS(BENCH_NONE), END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_PAGE, "source");
	assert_int_equal(RUN(bench, 0x17400003, ADDRESS(DATA(2)), ADDRESS(DATA(0)), END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "0x00400000");
}

static void moves_registers(void **state)
{
	struct bench *bench = *state;

	bench->data[0] = 77;
	assert_int_equal(
		RUN(bench, LRM(0x2608, DATA(0)), LRR(0x2608, 0x7010), SRM(0x7010, DATA(1)),
			LRI(0x2608, 0xffffffff), 0x11000703, 0x2608, 0x12345678, 0x260c, 0x9abcdef0,
			SRM(0x2608, DATA(2)), SRM(0x260c, DATA(3)), SRM(0x2700, DATA(4)), END),
		CS_DONE);
	assert_int_equal(bench->data[1], 77);
	/* Byte write disables 7: only byte 3 changes. */
	assert_int_equal(bench->data[2], 0x12ffffff);
	assert_int_equal(bench->data[3], 0x9a000000);
	assert_int_equal(bench->data[4], 0);
	/* Registers outlive the batch. */
	assert_int_equal(RUN(bench, SRM(0x7010, DATA(5)), END), CS_DONE);
	assert_int_equal(bench->data[5], 77);
	/* Relative to the engine. */
	assert_int_equal(RUN(bench, 0x11080001, 0x600, 99, SRM(0x2600, DATA(6)), END), CS_DONE);
	assert_int_equal(bench->data[6], 99);

	assert_int_equal(RUN(bench, 0x11000002, 0x2600, 1, 0x2604, END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "pairs");
	assert_int_equal(RUN(bench, LRM(0x2600, BENCH_NONE), END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_PAGE, "MI_LOAD_REGISTER_MEM");
	assert_int_equal(RUN(bench, SRM(0x2600, BENCH_NONE), END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_PAGE, "MI_STORE_REGISTER_MEM");
}

static void too_many_registers_fault(void **state)
{
	struct bench *bench = *state;
	enum cs_status status = CS_DONE;

	for (unsigned i = 0; i < 100 && status == CS_DONE; i++)
		status = RUN(bench, LRI(0x10000 + 4 * i, i + 1), END);
	assert_int_equal(status, CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "register 0x10100");
	assert_int_equal(cs_stream_register(bench->stream, 0x100fc), 64);
}

static void reads_timestamps(void **state)
{
	struct bench *bench = *state;

	/* 36 bits are visible. */
	assert_int_equal(RUN(bench, LRI(0x2358, 1), SRM(0x2358, DATA(0)), SRM(0x235c, DATA(1)),
				 LRR(0x23a8, 0x2600), SRM(0x2600, DATA(2)), END),
		CS_DONE);
	assert_int_equal(qword(bench, 0), UINT64_C(0x123456789));
	assert_int_equal(bench->data[2], 0x23456789);
	assert_int_equal(RUN(bench, POST_SYNC(0xc000, DATA(4)), 0, 0, END), CS_DONE);
	assert_int_equal(qword(bench, 4), UINT64_C(0x123456789));
	assert_int_equal(RUN(bench, 0x1300c003, ADDRESS(DATA(6)), 0, 0, END), CS_DONE);
	assert_int_equal(qword(bench, 6), UINT64_C(0x123456789));
}

static void waits_for_semaphores(void **state)
{
	struct bench *bench = *state;
	static const struct {
		unsigned compare;
		uint32_t yes, no;
	} cases[] = { { 0, 11, 10 }, { 1, 10, 9 }, { 2, 9, 10 }, { 3, 10, 11 }, { 4, 10, 11 },
		{ 5, 11, 10 }, { 0, 0x80000000, 3 } };

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		bench->data[0] = cases[i].no;
		bench->data[1] = 0;
		assert_int_equal(RUN(bench, 0x0e008003 | cases[i].compare << 12, 10,
					 ADDRESS(DATA(0)), 0, SDI(DATA(1), 1), END),
			CS_BLOCKED);
		assert_int_equal(cs_stream_start(bench->stream, BENCH_BATCH, 0), -16);
		assert_int_equal(cs_stream_run(bench->stream, 5), CS_BLOCKED);
		assert_int_equal(cs_stream_step(bench->stream), CS_BLOCKED);
		assert_int_equal(bench->data[1], 0);
		bench->data[0] = cases[i].yes;
		assert_int_equal(cs_stream_run(bench->stream, 5), CS_DONE);
		assert_int_equal(bench->data[1], 1);
	}
	/* A register. */
	assert_int_equal(RUN(bench, LRI(0x2600, 5), 0x0e01c003, 6, 0x2600, 0, 0, END), CS_BLOCKED);
	cs_stream_set_register(bench->stream, 0x2600, 6);
	assert_int_equal(cs_stream_run(bench->stream, 5), CS_DONE);

	/* A request, which is done at once. */
	assert_int_equal(RUN(bench, LRI(0x4208, 1), 0x0e01c003, 0, 0x4208, 0, 0, END), CS_DONE);

	assert_int_equal(RUN(bench, 0x0e00e003, 1, ADDRESS(DATA(0)), 0, END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "comparison 6");
	assert_int_equal(RUN(bench, 0x0e00c003, 1, ADDRESS(BENCH_NONE), 0, END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_PAGE, "semaphore");
	/* A blocked stream can be stopped and dropped. */
	bench->data[0] = 0;
	assert_int_equal(RUN(bench, 0x0e00c003, 1, ADDRESS(DATA(0)), 0, END), CS_BLOCKED);
	atomic_store(&bench->stop, 1);
	assert_int_equal(cs_stream_run(bench->stream, 5), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_HANG, "stopped");
}

static void nests_and_chains_batches(void **state)
{
	struct bench *bench = *state;
	const uint32_t child[] = { SDI(DATA(0), 1), START_CHILD(BENCH_CHILD + 64), SDI(DATA(2), 3),
		END };
	const uint32_t grandchild[] = { SDI(DATA(1), 2), CHAIN(BENCH_CHILD + 256) };
	const uint32_t chained[] = { SDI(DATA(4), 5), END };

	memcpy(bench->child, child, sizeof child);
	memcpy(bench->child + 16, grandchild, sizeof grandchild);
	memcpy(bench->child + 64, chained, sizeof chained);
	assert_int_equal(
		RUN(bench, 0, START_CHILD(BENCH_CHILD), SDI(DATA(3), 4), END, SDI(DATA(5), 6)),
		CS_DONE);
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(bench->data[i], i + 1);
	assert_int_equal(bench->data[5], 0xcdcdcdcd);

	/* A batch that calls itself is caught, one that jumps to itself runs until told to stop. */
	assert_int_equal(RUN(bench, START_CHILD(BENCH_BATCH), END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "inside one another");
	assert_int_equal(RUN(bench, CHAIN(BENCH_BATCH), END), CS_RUN);
	assert_int_equal(cs_stream_run(bench->stream, 1000), CS_RUN);
	atomic_store(&bench->stop, 1);
	assert_int_equal(cs_stream_run(bench->stream, 1000), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_HANG, "stopped");
	atomic_store(&bench->stop, 0);
	assert_int_equal(RUN(bench, CHAIN(BENCH_NONE), END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_PAGE, "0x000000900000");
	assert_int_equal(RUN(bench, 0x18808101, ADDRESS(BENCH_CHILD), END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "0x00008000");
}

/* On Xe-HPG: the values of MI_SET_PREDICATE, the results that they look at, and what is off then.
 */
static void turns_packets_off(void **state)
{
	struct bench *bench = *state;
	enum { RESULT_2 = 0x23bc, RESULT = 0x2418, SET = 0x00800000 };
	static const struct {
		uint32_t when, result_2, result;
		bool is_off;
	} cases[] = { { 0, 0, 0, false }, { 0, 1, 1, false }, { 1, 0, 1, true }, { 1, 1, 0, false },
		{ 2, 0, 1, false }, { 2, 1, 0, true }, { 3, 1, 0, true }, { 3, 0, 1, false },
		{ 4, 1, 0, false }, { 4, 0, 1, true }, { 15, 0, 0, true }, { 15, 1, 1, true } };
	const uint32_t child[] = { SDI(DATA(2), 3), SET, SDI(DATA(3), 4), END };

	cs_stream_destroy(bench->stream);
	bench->config.device = gen_device_find("dg2");
	bench->stream = cs_stream_create(&bench->config);
	memcpy(bench->child, child, sizeof child);
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		memset(bench->data, 0xcd, sizeof bench->data);
		const uint32_t off = SET | cases[i].when;
		assert_int_equal(
			RUN(bench, LRI(RESULT_2, cases[i].result_2), LRI(RESULT, cases[i].result),
				off, SDI(DATA(0), 1), 0x18808101, ADDRESS(BENCH_CHILD), SET,
				SDI(DATA(1), 2), END),
			CS_DONE);
		assert_int_equal(bench->data[0], cases[i].is_off ? 0xcdcdcdcd : 1);
		assert_int_equal(bench->data[1], cases[i].is_off ? 2 : 0xcdcdcdcd);
		assert_int_equal(bench->data[2], cases[i].is_off ? 0xcdcdcdcd : 3);
		assert_int_equal(bench->data[3], cases[i].is_off ? 0xcdcdcdcd : 4);
	}
	/* A jump that does not ask is taken. */
	assert_int_equal(RUN(bench, SET | 15, CHAIN(BENCH_CHILD), END), CS_DONE);
	assert_int_equal(bench->data[2], 0xcdcdcdcd);
	assert_int_equal(bench->data[3], 4);
	assert_int_equal(RUN(bench, SET | 7, END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "predicate 7");
}

static void flushes_with_stores(void **state)
{
	struct bench *bench = *state;

	assert_int_equal(
		RUN(bench, 0x13004003, ADDRESS(DATA(0)), 7, 8, 0x13000003, 0, 0, 0, 0, END),
		CS_DONE);
	assert_int_equal(qword(bench, 0), UINT64_C(0x800000007));
	assert_int_equal(RUN(bench, 0x13004003, (uint32_t)BENCH_DATA | 4,
				 (uint32_t)(BENCH_DATA >> 32), 7, 8, END),
		CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "global memory");
	assert_int_equal(RUN(bench, 0x13004003, ADDRESS(BENCH_NONE), 7, 8, END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_PAGE, "post-sync");
}

#define ATOMIC(op, size) (0x17800000u | (op) << 8 | (size) << 19)

static void does_atomics(void **state)
{
	struct bench *bench = *state;
	static const struct {
		unsigned op;
		uint64_t old, a, b, result32, result64;
	} cases[] = {
		{ 1, 0xff00, 0x0ff0, 0, 0x0f00, 0x0f00 },
		{ 2, 0xff00, 0x0ff0, 0, 0xfff0, 0xfff0 },
		{ 3, 0xff00, 0x0ff0, 0, 0xf0f0, 0xf0f0 },
		{ 4, 1, UINT64_C(0x500000006), 0, 6, UINT64_C(0x500000006) },
		{ 7, 0xffffffff, 1, 0, 0, UINT64_C(0x100000000) },
		{ 8, 5, 7, 0, 0xfffffffe, UINT64_C(0xfffffffffffffffe) },
		{ 9, 5, 7, 0, 2, 2 },
		{ 10, 0xffffffff, 1, 0, 1, 0xffffffff },
		{ 11, 0xffffffff, 1, 0, 0xffffffff, 1 },
		{ 12, 0xffffffff, 1, 0, 0xffffffff, 0xffffffff },
		{ 13, 0xffffffff, 1, 0, 1, 1 },
		{ 14, 5, 5, 9, 9, 9 },
		{ 14, 5, 6, 9, 5, 5 },
	};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
		for (unsigned size = 0; size < 2; size++) {
			uint64_t a = cases[i].a, b = cases[i].b;
			bench->data[0] = (uint32_t)cases[i].old;
			bench->data[1] = size ? (uint32_t)(cases[i].old >> 32) : 0x5a5a5a5a;
			assert_int_equal(
				RUN(bench, (ATOMIC(cases[i].op, size) | size << 13 | 1 << 18 | 9),
					ADDRESS(DATA(0)), (uint32_t)a, (uint32_t)b,
					(uint32_t)(a >> 32), (uint32_t)(b >> 32), 0, 0, 0, 0, END),
				CS_DONE);
			if (size) {
				assert_int_equal(qword(bench, 0), cases[i].result64);
			} else {
				assert_int_equal(bench->data[0], cases[i].result32);
				assert_int_equal(bench->data[1], 0x5a5a5a5a);
			}
		}
	bench->data[0] = bench->data[1] = bench->data[2] = 0;
	bench->data[3] = 1;
	assert_int_equal(RUN(bench, ATOMIC(5u, 0u) | 1, ADDRESS(DATA(0)), ATOMIC(0x26u, 1u) | 1,
				 ADDRESS(DATA(2)), END),
		CS_DONE);
	assert_int_equal(bench->data[0], 1);
	assert_int_equal(qword(bench, 2), 0xffffffff);

	assert_int_equal(RUN(bench, ATOMIC(7u, 0u) | 1, ADDRESS(DATA(0)), END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "operands");
	assert_int_equal(RUN(bench, ATOMIC(0x10u, 0u) | 1, ADDRESS(DATA(0)), END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "operation 0x10");
	assert_int_equal(RUN(bench, ATOMIC(0x25u, 0u) | 1, ADDRESS(DATA(0)), END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "operation 0x25");
	assert_int_equal(RUN(bench, ATOMIC(0x25u, 1u) | 1, ADDRESS(DATA(1)), END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "multiple of 8");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_setup, bench_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(stores_immediates),
		TEST(copies_memory),
		TEST(moves_registers),
		TEST(too_many_registers_fault),
		TEST(reads_timestamps),
		TEST(waits_for_semaphores),
		TEST(nests_and_chains_batches),
		TEST(turns_packets_off),
		TEST(flushes_with_stores),
		TEST(does_atomics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
