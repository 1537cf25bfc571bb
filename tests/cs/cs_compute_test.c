// SPDX-License-Identifier: MIT
/* COMPUTE_WALKER and the copy engine's packets, on the command streamer of Xe-HPG. */
#include "cs_bench.h"

#include "gen/gen_tile.h"

#define MODIFY(base) (uint32_t) CANONICAL(base) | 1, (uint32_t)(CANONICAL(base) >> 32)
/* Bases 0x1000 below the data array. */
#define HEAPS (BENCH_DATA - 0x1000)
#define BASES                                                                                      \
	0x61010014, MODIFY(HEAPS), 0, MODIFY(BENCH_CHILD), MODIFY(HEAPS), 0, 0, MODIFY(HEAPS), 1,  \
		1, 1, 1, MODIFY(UINT64_C(0x6000)), 0, MODIFY(UINT64_C(0x7000)), 0

enum { KERNEL = 0x1040, PAYLOAD = 0x1080, WALKER_DWORDS = 39, POST = 26 };

static uint8_t start[64 * 1024]; /* what threads start with, as the engine saw it */

static int setup(void **state)
{
	bench_setup(state);
	struct bench *bench = *state;

	bench->config.device = gen_device_find("dg2");
	cs_stream_destroy(bench->stream);
	bench->stream = cs_stream_create(&bench->config);
	cs_stream_set_engine(bench->stream, (struct eu_engine *)bench);
	return 0;
}

/* Groups of 4 by 3 by 2 items in threads of SIMD16; their number is 5 by 4 by 3. */
static void make_walker(uint32_t walker[WALKER_DWORDS])
{
	memset(walker, 0, WALKER_DWORDS * 4);
	walker[0] = 0x72080025;
	walker[2] = 128;
	walker[3] = PAYLOAD;
	walker[4] = 1u << 30 | 1u << 29 | 7u << 26 | 1u << 25;
	walker[5] = 0xff;
	walker[6] = 3 | 2 << 10 | 1 << 20;
	walker[7] = 5;
	walker[8] = 4;
	walker[9] = 3;
	walker[10] = 1; /* begins at x = 1 */
	walker[18] = KERNEL;
	walker[20] = 1 << 16;
	walker[21] = 0x4e0;
	walker[22] = 0x1a40;
	walker[23] = 2 | 5 << 16 | 2 << 22 | 1 << 28;
	for (unsigned i = 0; i < 8; i++)
		walker[31 + i] = 0x11111111 * i;
}

static enum cs_status run(struct bench *bench, const uint32_t *walker)
{
	uint32_t batch[22 + 6 + WALKER_DWORDS + 1] = { BASES, 0x72000004, 0x12340400 };

	memcpy(batch + 28, walker, WALKER_DWORDS * 4);
	batch[28 + WALKER_DWORDS] = END;
	return bench_run(bench, batch, sizeof(batch) / 4);
}

static void a_walker_becomes_a_dispatch(void **state)
{
	struct bench *bench = *state;
	const struct eu_dispatch *d = &fake_engine.dispatch;
	uint32_t walker[WALKER_DWORDS];

	make_walker(walker);
	assert_int_equal(run(bench, walker), CS_DONE);
	assert_int_equal(fake_engine.runs, 1);
	assert_int_equal(d->kernel, HEAPS + KERNEL);
	assert_int_equal(d->simd, 16);
	assert_int_equal(d->threads_per_group, 2);
	const uint32_t first[] = { 1, 0, 0 }, end[] = { 5, 4, 3 };
	assert_memory_equal(d->group_first, first, sizeof(first));
	assert_memory_equal(d->group_end, end, sizeof(end));
	assert_int_equal(d->right_mask, 0xff);
	assert_int_equal(d->payload_pointer, PAYLOAD);
	assert_int_equal(d->payload, HEAPS + PAYLOAD);
	assert_int_equal(d->payload_bytes, 128);
	assert_true(d->numbers_threads);
	assert_int_equal(d->cross_thread_registers, 1);
	assert_int_equal(d->per_thread_registers, 3);
	assert_int_equal(d->scratch_surface, 0x12340400);
	assert_int_equal(d->binding_table, 0x1a40);
	assert_int_equal(d->sampler_state, 0x4e0);
	assert_int_equal(d->slm_bytes, 16384);
	assert_true(d->barrier);
	assert_int_equal(d->cr0, 1 | 2 << 4);
	walker[4] &= ~(1u << 25 | 1u << 29); /* neither inline data nor ids */
	assert_int_equal(run(bench, walker), CS_DONE);
	assert_int_equal(d->cross_thread_registers, 0);
	assert_int_equal(d->per_thread_registers, 0);
}

/* The id of an item along each axis, counted in that order of axes; `run` of them along x first. */
static void expect_ids(
	const struct bench *bench, unsigned simd, unsigned emit, const char *order, unsigned run)
{
	const unsigned sizes[3] = { 4, 3, 2 }, rows = simd == 32 ? 2 : 1;
	const uint8_t *at = start + 32;
	unsigned registers = (unsigned)__builtin_popcount(emit) * rows;

	(void)bench;
	for (unsigned item = 0; item < 24; item++) {
		unsigned thread = item / simd, rest = item / run, slot = 0, id[3];

		for (unsigned i = 0; i < 3; i++) {
			unsigned axis = (unsigned)(order[i] - 'x'), step = axis == 0 ? run : 1;

			id[axis] = rest % (sizes[axis] / step) * step;
			rest /= sizes[axis] / step;
		}
		id[0] += item % run;
		for (unsigned axis = 0; axis < 3; axis++) {
			uint16_t got;

			if ((emit >> axis & 1) == 0)
				continue;
			memcpy(&got, at + (thread * registers + slot * rows) * 32 + item % simd * 2,
				2);
			assert_int_equal(got, id[axis]);
			slot++;
		}
	}
}

static void ids_are_generated(void **state)
{
	struct bench *bench = *state;
	static const char *const orders[] = { "xyz", "xzy", "yxz", "zxy", "yzx", "zyx" };
	static const unsigned runs[] = { 1, 4, 2, 1 }; /* linear; texels of 4, 8, 16 bytes */
	uint32_t walker[WALKER_DWORDS];

	for (unsigned n = 0; n < 3 * 6 * 7 * 4; n++) {
		unsigned code = n % 3, o = n / 3 % 6, emit = n / 18 % 7 + 1, layout = n / 126;
		unsigned simd = 8u << code, threads = (24 + simd - 1) / simd;

		make_walker(walker);
		walker[4] = code << 30 | 1u << 29 | emit << 26 | o << 22 | 1u << 25 | layout << 19;
		walker[23] = threads | 1 << 28;
		fake_engine.start = start;
		fake_engine.start_bytes = 32 + threads * 3 * 64;
		assert_int_equal(run(bench, walker), CS_DONE);
		assert_memory_equal(start, &walker[31], 32);
		expect_ids(bench, simd, emit, orders[o], runs[layout]);
	}
	fake_engine.start = NULL;
}

static void a_walker_writes_when_it_has_ended(void **state)
{
	struct bench *bench = *state;
	uint32_t walker[WALKER_DWORDS];

	make_walker(walker);
	walker[POST] = 1;
	walker[POST + 1] = (uint32_t)CANONICAL(BENCH_DATA);
	walker[POST + 2] = (uint32_t)(CANONICAL(BENCH_DATA) >> 32);
	walker[POST + 3] = 77;
	walker[POST + 4] = 88;
	assert_int_equal(run(bench, walker), CS_DONE);
	assert_int_equal(bench->data[0], 77);
	assert_int_equal(bench->data[1], 88);
	assert_int_equal(bench->data[2], 0xcdcdcdcd);
	bench->ticks = 0x123456789;
	walker[POST] = 3;
	assert_int_equal(run(bench, walker), CS_DONE);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(bench->data[i], 0x23456789);
	walker[POST] = 2;
	assert_int_equal(run(bench, walker), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "post-sync operation 2");
}

static void impossible_walkers_fault(void **state)
{
	struct bench *bench = *state;
	static const struct {
		unsigned dword;
		uint32_t value;
		enum gen_fault_kind kind;
		const char *word;
	} rows[] = {
		{ 4, 3u << 30, GEN_FAULT_BAD_PACKET, "SIMD" },
		{ 4, 1u << 30 | 4u << 19, GEN_FAULT_BAD_PACKET, "tile layout 4" },
		{ 2, 1u << 30, GEN_FAULT_BAD_PACKET, "partitions" },
		{ 4, 1u << 30 | 6u << 22, GEN_FAULT_BAD_PACKET, "walk order 6" },
		{ 5, 0x10000, GEN_FAULT_BAD_PACKET, "execution mask" },
		{ 23, 0, GEN_FAULT_BAD_STATE, "groups of 0 threads" },
		{ 23, 65, GEN_FAULT_BAD_STATE, "groups of 65 threads" },
		{ 23, 2 | 8 << 16, GEN_FAULT_BAD_STATE, "code 8" },
		{ 18, 0x40000, GEN_FAULT_PAGE, "kernel at" },
		{ 3, 0x40000, GEN_FAULT_PAGE, "indirect data" },
		{ 0, 0x72080225, GEN_FAULT_BAD_PACKET, "0x00000200" },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint32_t walker[WALKER_DWORDS];

		make_walker(walker);
		walker[rows[i].dword] = rows[i].value;
		assert_int_equal(run(bench, walker), CS_FAULT);
		bench_expect_fault(bench, rows[i].kind, rows[i].word);
	}
	assert_int_equal(fake_engine.runs, 0);
}

enum { TILE_4 = 2, TILE_64 = 3, COPY_DWORDS = 22, FILL_DWORDS = 16, PITCH = 256, WIDE = 1024 };
enum { ROWS = 16, QPITCH = 32 };

static const unsigned tilings[] = { 0, TILE_4, TILE_64 };

/* The second slice; of tiles of 64 KiB, only where they have three dimensions: for large pixels. */
static uint64_t place(unsigned tiling, unsigned bytes, uint32_t x, uint32_t y)
{
	bool is_3d = bytes == 8;

	if (tiling == TILE_64)
		return gen_tile_64(
			gen_tile_64_find(bytes, is_3d), WIDE, QPITCH, x, y, is_3d ? 1 : 0);
	return tiling == TILE_4 ? gen_tile_4(PITCH, x, y + QPITCH) : (y + QPITCH) * PITCH + x;
}

static uint32_t layout(unsigned tiling)
{
	return tiling << 30 | ((tiling == TILE_64 ? WIDE / 4 : tiling ? PITCH / 4 : PITCH) - 1);
}

static void put_slice(uint32_t *extent, unsigned tiling, unsigned bytes)
{
	extent[0] = bytes == 8 ? 2u << 29 : 1u << 29;
	extent[1] = 4u << 21 | QPITCH / 4 << 4;
	extent[2] = tiling != TILE_64 || bytes == 8 ? 1u << 21 : 0;
}

/* Copies 19 by 9 pixels from (3, 2) to (5, 7), of each size and between all tilings. */
static void rectangles_are_copied(void **state)
{
	struct bench *bench = *state;
	static const unsigned sizes[] = { 1, 2, 4, 8 };

	for (unsigned i = 0; i < 36; i++) {
		unsigned from = tilings[i % 3], to = tilings[i / 3 % 3], depth = i / 9;
		uint32_t p[COPY_DWORDS + 1] = { 0x50400014 | depth << 19 }, bytes = sizes[depth];
		uint8_t *data = (uint8_t *)bench->data, *child = (uint8_t *)bench->child;

		p[1] = layout(to);
		p[2] = 4 | 7 << 16;
		p[3] = 23 | 16 << 16;
		memcpy(p + 4, (uint32_t[]){ ADDRESS(BENCH_DATA) }, 8);
		p[6] = 1; /* one pixel to the right */
		p[7] = 3 | 2 << 16;
		p[8] = layout(from);
		memcpy(p + 9, (uint32_t[]){ ADDRESS(BENCH_CHILD) }, 8);
		put_slice(p + 16, to, bytes);
		put_slice(p + 19, from, bytes);
		p[COPY_DWORDS] = END;
		for (unsigned b = 0; b < sizeof bench->child; b++)
			child[b] = (uint8_t)(b * 7 + b / 251);
		memset(data, 0xcd, sizeof bench->data);
		assert_int_equal(bench_run(bench, p, COPY_DWORDS + 1), CS_DONE);
		for (uint32_t y = 0; y < ROWS; y++)
			for (uint32_t x = 0; x < PITCH; x++) {
				bool inside = x / bytes >= 5 && x / bytes < 24 && y >= 7 && y < 16;
				uint8_t want =
					inside ? child[place(from, bytes, x - 2 * bytes, y - 5)]
					       : 0xcd;

				assert_int_equal(data[place(to, bytes, x, y)], want);
			}
	}
}

static void rectangles_are_filled(void **state)
{
	struct bench *bench = *state;

	for (unsigned i = 0; i < 3; i++) {
		unsigned tiling = tilings[i];
		uint32_t p[FILL_DWORDS + 1] = { 0x5110000e, 0, 3 | 2 << 16, 12 | 9 << 16 };
		const uint8_t *data = (const uint8_t *)bench->data;

		p[1] = layout(tiling);
		memcpy(p + 4, (uint32_t[]){ ADDRESS(BENCH_DATA) }, 8);
		p[7] = 0x44332211;
		put_slice(p + 13, tiling, 4);
		p[FILL_DWORDS] = END;
		memset(bench->data, 0xcd, sizeof bench->data);
		assert_int_equal(bench_run(bench, p, FILL_DWORDS + 1), CS_DONE);
		for (uint32_t y = 0; y < ROWS; y++)
			for (uint32_t x = 0; x < PITCH; x++) {
				bool inside = x / 4 >= 3 && x / 4 < 12 && y >= 2 && y < 9;

				assert_int_equal(data[place(tiling, 4, x, y)],
					inside ? 0x11 * (x % 4 + 1) : 0xcd);
			}
	}
	/* Tiles of X and levels are not implemented, and there is nothing to write to. */
	assert_int_equal(RUN(bench, 0x5110000e, 1u << 30 | 63, 0, 1 | 1 << 16, ADDRESS(BENCH_DATA),
				 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, END),
		CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "tiling 1");
	assert_int_equal(RUN(bench, 0x5110000e, 63, 0, 1 | 1 << 16, ADDRESS(BENCH_DATA), 0, 0, 0, 0,
				 0, 0, 0, 0, 2, 0, END),
		CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "levels");
	assert_int_equal(RUN(bench, 0x5110000e, 63, 0, 1 | 1 << 16, ADDRESS(BENCH_NONE), 0, 0, 0, 0,
				 0, 0, 0, 0, 0, 0, END),
		CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_PAGE, "destination");
}

/* What Gen12LP has for kernels is no packet of Xe-HPG, and the other way round. */
static void packets_are_of_a_generation(void **state)
{
	struct bench *bench = *state;
	uint32_t walker[WALKER_DWORDS];

	assert_int_equal(RUN(bench, 0x70000007, 0, 0, 0, 0, 0, 0, 0, 0, END), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "no command");
	bench->config.device = gen_device_find(NULL);
	cs_stream_destroy(bench->stream);
	bench->stream = cs_stream_create(&bench->config);
	make_walker(walker);
	assert_int_equal(bench_run(bench, walker, WALKER_DWORDS), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "no command");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, bench_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_walker_becomes_a_dispatch),
		TEST(ids_are_generated),
		TEST(a_walker_writes_when_it_has_ended),
		TEST(impossible_walkers_fault),
		TEST(rectangles_are_copied),
		TEST(rectangles_are_filled),
		TEST(packets_are_of_a_generation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
