// SPDX-License-Identifier: MIT
#include "cs_bench.h"

#define VFE(low, high)	    0x70000007, (low), (high), 0x02ff0100, 0, 0, 0, 0, 0
#define MIDL(bytes, offset) 0x70020002, 0, (bytes), (offset)
#define MODIFY(base)	    (uint32_t) CANONICAL(base) | 1, (uint32_t)(CANONICAL(base) >> 32)
#define KERNEL_OFFSET	    0x1040u
#define DESCRIPTOR_OFFSET   0x2000u
#define PAYLOAD_OFFSET	    0x3000u
#define INDIRECT_BYTES	    (32u * (3 + 4 * 2))
/* Base 0x1000 below the data array: the offsets of all heaps are 0x1000 more than in the array. */
#define HEAPS (BENCH_DATA - 0x1000)
#define ALL_BASES                                                                                  \
	0x61010014, MODIFY(UINT64_C(0x5000)), 0, MODIFY(BENCH_CHILD), MODIFY(HEAPS),               \
		MODIFY(HEAPS), MODIFY(HEAPS), 1, 1, 1, 1, MODIFY(UINT64_C(0x6000)), 0,             \
		MODIFY(UINT64_C(0x7000)), 0

/* Interface descriptor 2, and the walker over groups [1,5) x [2,4) x [3,6) that uses it. */
static uint32_t descriptor[8] = { KERNEL_OFFSET, 0, 1 << 16 | 1 << 18 | 1 << 19, 0x4e0, 0x1a40,
	2 << 16, 4 | 5 << 16 | 1 << 21 | 2 << 22, 3 };
#define WALKER(header)                                                                             \
	(header), 2, INDIRECT_BYTES, PAYLOAD_OFFSET, 1u << 30 | 3, 1, 0, 5, 2, 0, 4, 3, 6,         \
		0x1ffff, 0xffffffff

static void put_descriptor(struct bench *bench)
{
	memcpy((uint8_t *)bench->data + DESCRIPTOR_OFFSET - 0x1000 + 2 * 32, descriptor,
		sizeof descriptor);
}

static void a_walker_becomes_a_dispatch(void **state)
{
	struct bench *bench = *state;
	const struct eu_dispatch *d = &fake_engine.dispatch;

	put_descriptor(bench);
	assert_int_equal(RUN(bench, 0x69041312, ALL_BASES, VFE(0xabc00c44, 3),
				 MIDL(0x800, DESCRIPTOR_OFFSET), 0x70040000, 0, WALKER(0x7105000d),
				 0x70040000, 0, END),
		CS_DONE);
	assert_int_equal(fake_engine.runs, 1);
	assert_ptr_equal(d->bus, &bench->bus);
	assert_int_equal(d->kernel, HEAPS + KERNEL_OFFSET);
	assert_int_equal(d->instruction_base, HEAPS);
	assert_int_equal(d->simd, 16);
	assert_int_equal(d->threads_per_group, 4);
	const uint32_t first[] = { 1, 2, 3 }, end[] = { 5, 4, 6 };
	assert_memory_equal(d->group_first, first, sizeof first);
	assert_memory_equal(d->group_end, end, sizeof end);
	assert_int_equal(d->right_mask, 0xffff);
	assert_int_equal(d->payload, HEAPS + PAYLOAD_OFFSET);
	assert_int_equal(d->payload_bytes, INDIRECT_BYTES);
	assert_int_equal(d->cross_thread_registers, 3);
	assert_int_equal(d->per_thread_registers, 2);
	assert_int_equal(d->general_state_base, 0x5000);
	assert_int_equal(d->surface_state_base, BENCH_CHILD);
	assert_int_equal(d->dynamic_state_base, HEAPS);
	assert_int_equal(d->bindless_surface_base, 0x6000);
	assert_int_equal(d->bindless_sampler_base, 0x7000);
	assert_int_equal(d->binding_table, 0x1a40);
	assert_int_equal(d->binding_table_base, BENCH_CHILD);
	assert_false(d->cross_first);
	assert_int_equal(d->sampler_state, 0x4e0);
	assert_int_equal(d->scratch, UINT64_C(0x3abc00c00));
	assert_int_equal(d->scratch_bytes_per_thread, 16384);
	assert_int_equal(d->slm_bytes, 16384);
	assert_true(d->barrier);
	/* Single program flow, ALT mode, round down. */
	assert_int_equal(d->cr0, 1 | 1 << 2 | 2 << 4);
	/* State survives into the next batch; a base without its modify bit stays. */
	assert_int_equal(RUN(bench, 0x61010014, 0, 0, 0, 0x8001, 0, 0x9000, 0, 0x9000, 0, 0x9000, 0,
				 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, WALKER(0x7105000d), END),
		CS_DONE);
	assert_int_equal(fake_engine.runs, 2);
	assert_int_equal(d->surface_state_base, 0x8000);
	assert_int_equal(d->instruction_base, HEAPS);
	assert_int_equal(d->general_state_base, 0x5000);
}

static void walkers_can_be_indirect_and_predicated(void **state)
{
	struct bench *bench = *state;

	put_descriptor(bench);
	assert_int_equal(RUN(bench, ALL_BASES, MIDL(0x60, DESCRIPTOR_OFFSET), LRI(0x2500, 7),
				 LRI(0x2504, 8), LRI(0x2508, 9), WALKER(0x7105040d), END),
		CS_DONE);
	const uint32_t end[] = { 7, 8, 9 };
	assert_memory_equal(fake_engine.dispatch.group_end, end, sizeof end);
	assert_int_equal(RUN(bench, LRI(0x2418, 0), WALKER(0x7105010d), END), CS_DONE);
	assert_int_equal(fake_engine.runs, 1);
	assert_int_equal(RUN(bench, WALKER(0x7105000d), END), CS_DONE);
	assert_int_equal(fake_engine.runs, 2);
	assert_int_equal(RUN(bench, LRI(0x2418, 1), WALKER(0x7105010d), END), CS_DONE);
	assert_int_equal(fake_engine.runs, 3);
	/* No scratch space was set up. */
	assert_int_equal(fake_engine.dispatch.scratch_bytes_per_thread, 0);
}

/* Mesa's: constants in the URB, and binding tables in a pool of their own, addressed by 18:8. */
static void walkers_of_mesa(void **state)
{
	struct bench *bench = *state;
	const struct eu_dispatch *d = &fake_engine.dispatch;
	const uint32_t pool = 0xabcd0000, enable = 1 << 11;

	put_descriptor(bench);
#define CURBE(bytes, offset) 0x70010002, 0, (bytes), (offset)
#define WITHOUT_INDIRECT                                                                           \
	0x7105000d, 2, 0, 0, 1u << 30 | 3, 1, 0, 5, 2, 0, 4, 3, 6, 0x1ffff, 0xffffffff
#define POOL(flags) 0x79190002, pool | (flags) | 0x10, 0x12, 0x10000
	assert_int_equal(RUN(bench, ALL_BASES, VFE(0, 0), CURBE(0x140, PAYLOAD_OFFSET + 64),
				 MIDL(0x60, DESCRIPTOR_OFFSET), POOL(enable),
				 LRI(0x7008, 0x04000400), WITHOUT_INDIRECT, END),
		CS_DONE);
	assert_true(d->cross_first);
	assert_int_equal(d->payload, HEAPS + PAYLOAD_OFFSET + 64);
	assert_int_equal(d->payload_bytes, 0x140);
	assert_int_equal(d->binding_table_base, UINT64_C(0x12abcd0000));
	assert_int_equal(d->binding_table, 0x1a40 << 3);
	assert_int_equal(d->surface_state_base, BENCH_CHILD);
	/* Only the bits of the mask change. No pool: tables are where surface states are. */
	assert_int_equal(
		RUN(bench, LRI(0x7008, 0x00010001), POOL(0), WITHOUT_INDIRECT, END), CS_DONE);
	assert_int_equal(d->binding_table, 0x1a40 << 3);
	assert_int_equal(d->binding_table_base, BENCH_CHILD);
	assert_int_equal(RUN(bench, LRI(0x7008, 0x04000000), WALKER(0x7105000d), END), CS_DONE);
	assert_int_equal(d->binding_table, 0x1a40);
	assert_false(d->cross_first); /* indirect data come before constants */
	assert_int_equal(d->payload, HEAPS + PAYLOAD_OFFSET);
	/* The constants end with the division of the URB. */
	assert_int_equal(RUN(bench, VFE(0, 0), WITHOUT_INDIRECT, END), CS_DONE);
	assert_false(d->cross_first);
	assert_int_equal(d->payload_bytes, 0);
}

static void null_execution_skips_the_engine(void **state)
{
	struct bench *bench = *state;

	bench->config.null_execution = true;
	cs_stream_destroy(bench->stream);
	bench->stream = cs_stream_create(&bench->config);
	put_descriptor(bench);
	assert_int_equal(RUN(bench, ALL_BASES, MIDL(0x60, DESCRIPTOR_OFFSET), WALKER(0x7105000d),
				 POST_SYNC(0x104120, BENCH_DATA), 5, 6, END),
		CS_DONE);
	assert_int_equal(fake_engine.runs, 0);
	assert_int_equal(bench->data[0], 5);
	assert_int_equal(bench->data[1], 6);
	struct cs_statistics statistics;
	cs_stream_statistics(bench->stream, &statistics);
	assert_int_equal(statistics.walkers, 1);
	assert_int_equal(statistics.packets, 5);
}

/* Runs the walker with one dword of it or of its descriptor changed. */
static void expect_bad(struct bench *bench, uint32_t *where, uint32_t value,
	enum gen_fault_kind kind, const char *word)
{
	uint32_t walker[] = { ALL_BASES, MIDL(0x60, DESCRIPTOR_OFFSET), WALKER(0x7105000d), END };
	uint32_t saved = 0;
	unsigned index = (unsigned)(uintptr_t)where;

	if (index < 15) {
		walker[22 + 4 + index] = value;
	} else {
		saved = *where;
		*where = value;
	}
	put_descriptor(bench);
	assert_int_equal(bench_run(bench, walker, sizeof walker / 4), CS_FAULT);
	bench_expect_fault(bench, kind, word);
	assert_int_equal(fake_engine.runs, 0);
	if (index >= 15)
		*where = saved;
}

#define DWORD(n) ((uint32_t *)(uintptr_t)(n))

static void impossible_walkers_fault(void **state)
{
	struct bench *bench = *state;

	put_descriptor(bench);
	assert_int_equal(RUN(bench, ALL_BASES, WALKER(0x7105000d), END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_STATE, "descriptor 2 of 0");
	expect_bad(bench, DWORD(1), 3, GEN_FAULT_BAD_STATE, "descriptor 3 of 3");
	expect_bad(bench, DWORD(3), 0x8000, GEN_FAULT_PAGE, "indirect data");
	expect_bad(bench, DWORD(4), 1u << 30 | 4, GEN_FAULT_BAD_STATE, "5 threads");
	expect_bad(bench, DWORD(4), 1u << 30 | 3 | 1 << 8, GEN_FAULT_BAD_PACKET, "one row");
	expect_bad(bench, DWORD(4), 3u << 30 | 3, GEN_FAULT_BAD_PACKET, "SIMD");
	expect_bad(bench, DWORD(13), 0x10000, GEN_FAULT_BAD_PACKET, "right execution mask");
	expect_bad(bench, &descriptor[0], 0x40000, GEN_FAULT_PAGE, "kernel at");
	expect_bad(bench, &descriptor[5], 127 << 16, GEN_FAULT_BAD_STATE, "130 registers");
	expect_bad(bench, &descriptor[6], 4 | 8 << 16, GEN_FAULT_BAD_STATE, "code 8");
	assert_int_equal(RUN(bench, MIDL(0x60, 0x40000), WALKER(0x7105000d), END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_PAGE, "interface descriptor");
	assert_int_equal(RUN(bench, VFE(0xc, 0), END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_STATE, "code 12");
}

static void a_fault_of_the_engine_stops_the_batch(void **state)
{
	struct bench *bench = *state;

	put_descriptor(bench);
	fake_engine.answer = -1;
	assert_int_equal(RUN(bench, ALL_BASES, MIDL(0x60, DESCRIPTOR_OFFSET), WALKER(0x7105000d),
				 POST_SYNC(0x104120, BENCH_DATA), 5, 6, END),
		CS_FAULT);
	assert_int_equal(bench->data[0], 0xcdcdcdcd);
	assert_int_equal(cs_stream_run(bench->stream, 10), CS_FAULT);
	assert_non_null(strstr(cs_stream_fault(bench->stream)->report, "walker at 0x000000100068"));
	bench_expect_fault(bench, GEN_FAULT_BAD_INSTRUCTION, "fake engine");
	/* The rest can be finished without its walkers, even impossible ones. */
	cs_stream_skip_walkers(bench->stream, true);
	assert_int_equal(
		RUN(bench, WALKER(0x7105000d), MIDL(0, 0), WALKER(0x7105000d),
			POST_SYNC(0x104120, BENCH_DATA), 5, 6, MIDL(0x60, DESCRIPTOR_OFFSET), END),
		CS_DONE);
	assert_int_equal(bench->data[0], 5);
	assert_int_equal(fake_engine.runs, 1);
	cs_stream_skip_walkers(bench->stream, false);
	/* After reset the context's state is still there. */
	fake_engine.answer = 0;
	assert_int_equal(RUN(bench, WALKER(0x7105000d), END), CS_DONE);
	assert_int_equal(fake_engine.runs, 2);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_setup, bench_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_walker_becomes_a_dispatch),
		TEST(walkers_can_be_indirect_and_predicated),
		TEST(walkers_of_mesa),
		TEST(null_execution_skips_the_engine),
		TEST(impossible_walkers_fault),
		TEST(a_fault_of_the_engine_stops_the_batch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
