// SPDX-License-Identifier: MIT
/* 3DPRIMITIVE: rectangles become dispatches, all other drawing is refused by its name. */
#include "cs_bench.h"

#include "cs/cs_register.h"

#define MODIFY(base) (uint32_t) CANONICAL(base) | 1, (uint32_t)(CANONICAL(base) >> 32)
/* Bases 0x1000 below the data array. */
#define HEAPS (BENCH_DATA - 0x1000)
#define BASES                                                                                      \
	0x61010014, MODIFY(HEAPS), 0, MODIFY(BENCH_CHILD), MODIFY(HEAPS), 0, 0, MODIFY(HEAPS), 1,  \
		0, 0, 0, 0, 0, 0, 0, 0, 0
#define PRIMITIVE 0x7b000005, 0x0f, 3, 0, 1, 0, 0

enum { CORNERS = 0x400, INPUTS = 0x500, BLEND = 0x600, MOST = 200 };

/* A batch as drivers make it for a rectangle, with places of what tests change. */
struct drawing {
	uint32_t dwords[MOST];
	unsigned count, setup, pixel, extra, depth, samples, colours, sgvs, vertex, clear,
		primitive;
};

static uint8_t start[4096]; /* what threads start with, as the engine saw it */

static unsigned add(struct drawing *d, unsigned count, const uint32_t *dwords)
{
	unsigned at = d->count;

	assert_true(at + count <= MOST);
	memcpy(d->dwords + at, dwords, count * 4);
	d->count += count;
	return at;
}
#define ADD(d, ...)                                                                                \
	add(d, sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4, (const uint32_t[]){ __VA_ARGS__ })

/* The rectangle [37, 101) x [11, 14), two inputs, kernels of 8 and 16 channels. */
static void make(struct bench *bench, struct drawing *d)
{
	const float corners[9] = { 101, 14, 0, 37, 14, 0, 37, 11, 0 };

	memset(d, 0, sizeof(*d));
	memcpy((uint8_t *)bench->data + CORNERS, corners, sizeof(corners));
	for (uint32_t i = 0; i < 12; i++)
		bench->data[INPUTS / 4 + i] = 0x1000 + i;
	memset((uint8_t *)bench->data + BLEND, 0, 64);
	ADD(d, BASES);
	d->vertex = ADD(d, 0x78100007, 0, 0, 0, 0, 0, 0, 0, 0);
	d->setup = ADD(d, 0x78130002, 0, 0, 0);
	ADD(d, 0x781f0004, 3u << 28 | 2 << 22 | 1 << 11 | 1 << 5, 0, 3, 0, 0);
	d->pixel = ADD(d, 0x7820000a, 0x1040, 0, 1 << 16, 0, 0, 3, 4 << 16 | 3, 0, 0, 0x1080, 0);
	d->extra = ADD(d, 0x784f0000, 1u << 31);
	ADD(d, 0x78240000, (0x1000 + BLEND) | 1);
	ADD(d, 0x782a0000, 0x1a40);
	ADD(d, 0x782f0000, 0x4e0);
	d->colours = ADD(d, 0x784d0000, 0);
	d->depth = ADD(d, 0x784e0002, 0, 0, 0);
	d->samples = ADD(d, 0x780d0000, 0);
	d->sgvs = ADD(d, 0x784a0000, 0xa0000000);
	d->clear = ADD(d, 0x78520003, 0, 0, 0, 0);
	ADD(d, 0x79000002, 0, 0x3fff3fff, 0);
	ADD(d, 0x78080007, 12, ADDRESS(BENCH_DATA + CORNERS), 36, 1u << 26,
		ADDRESS(BENCH_DATA + INPUTS), 48);
	/* The header, the place, the inputs. */
	ADD(d, 0x78090007, 1u << 26 | 1 << 25, 0x12220000, 1 << 25 | 0x40 << 16, 0x11130000,
		1u << 26 | 1 << 25 | 16, 0x11110000, 1u << 26 | 1 << 25 | 32, 0x11110000);
	d->primitive = ADD(d, PRIMITIVE);
	ADD(d, END);
}

static enum cs_status run(struct bench *bench, const struct drawing *d)
{
	fake_engine.runs = 0;
	fake_engine.start = start;
	fake_engine.start_bytes = 5 * 32;
	return bench_run(bench, d->dwords, d->count);
}

static void a_rectangle_becomes_a_dispatch(void **state)
{
	const struct eu_dispatch *e = &fake_engine.dispatch;
	struct bench *bench = *state;
	const uint32_t *inputs = (const uint32_t *)(const void *)start;
	struct drawing d;

	make(bench, &d);
	assert_int_equal(run(bench, &d), CS_DONE);
	assert_int_equal(fake_engine.runs, 1);
	assert_int_equal(e->simd, 16);
	assert_int_equal(e->kernel, HEAPS + 0x1080);
	assert_int_equal(e->cr0, 1);
	assert_int_equal(e->threads_per_group, 1);
	assert_int_equal(e->per_thread_registers, 2);
	assert_int_equal(e->cross_thread_registers, 4);
	assert_int_equal(e->binding_table, 0x1a40);
	assert_int_equal(e->binding_table_base, BENCH_CHILD);
	assert_int_equal(e->sampler_state, 0x4e0);
	const uint32_t first[] = { 37 / 8, 11 / 2, 0 }, end[] = { 100 / 8 + 1, 13 / 2 + 1, 1 };
	assert_memory_equal(e->group_first, first, sizeof first);
	assert_memory_equal(e->group_end, end, sizeof end);
	const struct eu_pixels pixels = { 37, 11, 101, 14, 15, NULL, 0 };
	assert_memory_equal(&e->pixels, &pixels, 17);
	/* Of each channel, the fourth dword is its value, and the planes are even. */
	for (unsigned i = 0; i < 32; i++)
		assert_int_equal(inputs[i], i % 4 == 3 ? 0x1004 + i / 4 : 0);
}

static void layers_masks_and_clips(void **state)
{
	const struct eu_dispatch *e = &fake_engine.dispatch;
	struct bench *bench = *state;
	struct drawing d;

	make(bench, &d);
	d.dwords[d.primitive + 4] = 6; /* instances */
	d.dwords[d.primitive + 5] = 2;
	bench->data[BLEND / 4 + 1] = 1 << 2 | 1 << 3; /* without red and alpha */
	assert_int_equal(run(bench, &d), CS_DONE);
	assert_int_equal(e->group_first[2], 2);
	assert_int_equal(e->group_end[2], 8);
	assert_int_equal(e->pixels.channels, 2 | 4);
	/* Kernels of one width are the first. */
	d.dwords[d.pixel + 6] = 4;
	assert_int_equal(run(bench, &d), CS_DONE);
	assert_int_equal(e->simd, 32);
	assert_int_equal(e->kernel, HEAPS + 0x1040);
	assert_int_equal(e->per_thread_registers, 3);
	d.dwords[d.pixel + 6] = 1;
	assert_int_equal(run(bench, &d), CS_DONE);
	assert_int_equal(e->simd, 8);
	/* The drawing rectangle clips. */
	make(bench, &d);
	d.dwords[d.primitive - 9 - 9 - 4 + 1] = 12 << 16 | 40;
	d.dwords[d.primitive - 9 - 9 - 4 + 2] = 12 << 16 | 60;
	assert_int_equal(run(bench, &d), CS_DONE);
	const struct eu_pixels pixels = { 40, 12, 61, 13, 15, NULL, 0 };
	assert_memory_equal(&e->pixels, &pixels, 17);
	d.dwords[d.primitive - 9 - 9 - 4 + 1] = 12 << 16 | 200;
	assert_int_equal(run(bench, &d), CS_DONE);
	assert_int_equal(fake_engine.runs, 0);
}

static void clears_and_resolves(void **state)
{
	enum { CLEARS = 1 << 8, RESOLVES_PARTLY = 2 << 6, RESOLVES = 3 << 6 };
	static const struct {
		uint32_t bits, effect;
	} cases[] = { { 0, EU_PIXELS_DRAW }, { CLEARS, EU_PIXELS_NOTE },
		{ CLEARS | RESOLVES_PARTLY, EU_PIXELS_FORGET },
		{ RESOLVES_PARTLY, EU_PIXELS_RESOLVE }, { RESOLVES, EU_PIXELS_RESOLVE } };
	struct bench *bench = *state;
	struct drawing d;

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		make(bench, &d);
		d.dwords[d.pixel + 6] |= cases[i].bits;
		assert_int_equal(run(bench, &d), CS_DONE);
		assert_int_equal(fake_engine.runs, 1);
		assert_int_equal(fake_engine.dispatch.pixels.effect, cases[i].effect);
	}
}

/* Predication passes over. */
static void draws_nothing(void **state)
{
	struct bench *bench = *state;
	struct drawing d;

	make(bench, &d);
	assert_int_equal(RUN(bench, LRI(CS_REG_PREDICATE_RESULT, 0), END), CS_DONE);
	d.dwords[d.primitive] |= 1 << 8;
	assert_int_equal(run(bench, &d), CS_DONE);
	assert_int_equal(fake_engine.runs, 0);
}

static void other_drawing_faults(void **state)
{
	struct bench *bench = *state;
	struct drawing d;
	make(bench, &d);
	const struct {
		unsigned at;
		uint32_t dword;
		const char *word;
	} cases[] = {
		{ d.primitive + 1, 4, "single rectangles" },
		{ d.primitive + 2, 6, "single rectangles" },
		{ d.primitive, 0x7b000405, "indirect" },
		{ d.primitive + 1, 0x10f, "indices" },
		{ d.vertex + 7, 1, "shaders of vertices" },
		{ d.setup + 1, 2, "viewports" },
		{ d.extra + 1, 0, "no kernel" },
		{ d.pixel + 6, 0, "no kernel" },
		{ d.pixel + 6, 0x803, "constants" },
		{ d.depth + 1, 2, "depth" },
		{ d.samples + 1, 2 << 1, "sample" },
		{ d.colours + 1, 1 << 29, "blend" },
		{ d.clear + 1, 1 << 30, "depth" },
		/* The second input's stride: corners differ. */
		{ d.primitive - 9 - 9 + 5, 1u << 26 | 4, "interpolate" },
	};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		make(bench, &d);
		d.dwords[cases[i].at] = cases[i].dword;
		if (run(bench, &d) != CS_FAULT)
			fail_msg("no fault: %s", cases[i].word);
		bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, cases[i].word);
		assert_int_equal(fake_engine.runs, 0);
	}
	make(bench, &d);
	bench->data[BLEND / 4 + 2] = 1u << 31;
	assert_int_equal(run(bench, &d), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "blend");
	make(bench, &d);
	d.dwords[d.primitive - 9 - 9 + 2] = (uint32_t)BENCH_NONE;
	d.dwords[d.primitive - 9 - 9 + 3] = 0;
	assert_int_equal(run(bench, &d), CS_FAULT);
	bench_expect_fault(bench, GEN_FAULT_PAGE, "vertex");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_setup, bench_teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_rectangle_becomes_a_dispatch),
		TEST(layers_masks_and_clips),
		TEST(clears_and_resolves),
		TEST(draws_nothing),
		TEST(other_drawing_faults),
	};

	return cmocka_run_group_tests_name("cs_draw", tests, NULL, NULL);
}
