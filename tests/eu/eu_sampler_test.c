// SPDX-License-Identifier: MIT
#include "test.h"

#include <math.h>
#include <string.h>

#include "eu_image_fixture.h"

#include "eu/sampler/eu_sampler.h"

enum { POINTS = 4000, OUT = -1 };

static const enum gen_address_mode modes[] = { GEN_ADDRESS_WRAP, GEN_ADDRESS_MIRROR,
	GEN_ADDRESS_CLAMP, GEN_ADDRESS_BORDER, GEN_ADDRESS_MIRROR_ONCE };

/* Index i of a line of `size` texels that goes on as the mode says; OUT: the border. */
static int place(enum gen_address_mode mode, long i, int size)
{
	long period = 2L * size;

	switch (mode) {
	case GEN_ADDRESS_WRAP:
		return (int)((i % size + size) % size);
	case GEN_ADDRESS_MIRROR:
		i = (i % period + period) % period;
		return (int)(i < size ? i : period - 1 - i);
	case GEN_ADDRESS_MIRROR_ONCE:
		i = i < 0 ? -1 - i : i;
		return (int)(i >= size ? size - 1 : i);
	case GEN_ADDRESS_CLAMP:
		return (int)(i < 0 ? 0 : i >= size ? size - 1 : i);
	default:
		return i < 0 || i >= size ? OUT : (int)i;
	}
}

static int seen(int32_t index, int size)
{
	return index < 0 || index >= size ? OUT : index;
}

/*
 * Points at 1/8 of texels, none between two, so that rounding of the coordinate does not matter;
 * the sizes' inverses are not exact, which is what the tolerance of the fraction is for.
 */
static void check_mode(
	struct image_fixture *fixture, enum gen_address_mode mode, bool unnormalized, int size)
{
	static float points[POINTS], fraction[POINTS];
	static int32_t index[POINTS], low[POINTS], high[POINTS];
	static double exact[POINTS];

	for (int i = 0; i < POINTS; i++) {
		exact[i] =
			((int)(image_random(fixture) % (unsigned)(size * 48)) - size * 24) / 8.0 +
			1 / 16.0;
		points[i] = (float)(unnormalized ? exact[i] : exact[i] / size);
	}
	eu_sampler_nearest(mode, unnormalized, (uint32_t)size, POINTS, points, index);
	eu_sampler_linear(mode, unnormalized, (uint32_t)size, POINTS, points, low, high, fraction);
	for (int i = 0; i < POINTS; i++) {
		long at = (long)floor(exact[i]), left = (long)floor(exact[i] - 0.5);
		double share = exact[i] - 0.5 - (double)left;
		int a = place(mode, left, size), b = place(mode, left + 1, size);

		if (seen(index[i], size) != place(mode, at, size))
			fail_msg("mode %d, size %d, %g: nearest is %d, not %d", mode, size,
				exact[i], index[i], place(mode, at, size));
		/* Mirrored, the pair may come the other way round. */
		if (seen(low[i], size) == b && seen(high[i], size) == a && a != b) {
			share = 1 - share;
		} else if (seen(low[i], size) != a || seen(high[i], size) != b) {
			fail_msg("mode %d, size %d, %g: between %d and %d, not %d and %d", mode,
				size, exact[i], low[i], high[i], a, b);
		}
		if (a != b && fabs(fraction[i] - share) > size * 1e-5)
			fail_msg("mode %d, size %d, %g: %g of the second, not %g", mode, size,
				exact[i], (double)fraction[i], share);
	}
}

/* With offsets, the pair is in its order, mirrored or not. */
static void check_shifted(struct image_fixture *fixture, enum gen_address_mode mode, int size)
{
	static float points[POINTS], fraction[POINTS];
	static int32_t shift[POINTS], low[POINTS], high[POINTS];
	static double exact[POINTS];

	for (int is_linear = 0; is_linear < 2; is_linear++) {
		for (int i = 0; i < POINTS; i++) {
			unsigned eighth = image_random(fixture) % (unsigned)(size * 48);
			exact[i] = ((int)eighth - size * 24) / 8.0 + 1 / 16.0;
			points[i] = (float)(exact[i] / size);
			shift[i] = (int32_t)(image_random(fixture) % 64) - 32;
		}
		eu_sampler_shifted(mode, false, (uint32_t)size, POINTS, points, shift, is_linear,
			low, high, fraction);
		for (int i = 0; i < POINTS; i++) {
			const double at = exact[i] - is_linear * 0.5;
			const long index = (long)floor(at) + shift[i];
			if (seen(low[i], size) != place(mode, index, size) ||
				seen(high[i], size) != place(mode, index + 1, size) ||
				fabs(fraction[i] - (at - floor(at))) > size * 1e-5)
				fail_msg("mode %d, size %d, %g%+d: %d, %d and %g", mode, size,
					exact[i], shift[i], low[i], high[i], (double)fraction[i]);
		}
	}
}

static void test_shifted(void **state)
{
	static const int sizes[] = { 1, 2, 3, 7, 64, 100, 1000 };

	for (unsigned m = 0; m < sizeof(modes) / sizeof(*modes); m++)
		for (unsigned s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
			check_shifted(*state, modes[m], sizes[s]);
}

static void test_modes(void **state)
{
	static const int sizes[] = { 1, 2, 3, 7, 64, 100, 1000 };

	for (unsigned m = 0; m < sizeof(modes) / sizeof(*modes); m++)
		for (unsigned s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
			for (int unnormalized = 0; unnormalized < 2; unnormalized++)
				check_mode(*state, modes[m], unnormalized, sizes[s]);
}

/* Sizes of images, and at last that of the greatest buffer. */
static uint32_t next_size(uint32_t size)
{
	return size < 20000 ? size * 3 + 1 : size < 1u << 30 ? 1u << 30 : 0;
}

/* Whatever the coordinate is, the index is in the image or means the border. */
static void test_strange_points(void **state)
{
	static const float points[] = { NAN, -NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 3e9f, -3e9f,
		0x1p31f, -0x1p31f, 0x1p24f, 8388609.0f, 1e-45f, -1e-45f, -0.0f, 0.99999994f,
		-0.99999994f, 1.0f, -1.0f };
	enum { COUNT = sizeof(points) / sizeof(*points) };
	static const int32_t shift[COUNT] = { 31, -32 };
	int32_t index[COUNT], low[COUNT], high[COUNT];
	float fraction[COUNT];

	(void)state;
	for (unsigned m = 0; m < sizeof(modes) / sizeof(*modes); m++)
		for (int unnormalized = 0; unnormalized < 2; unnormalized++)
			for (uint32_t size = 1; size; size = next_size(size)) {
				eu_sampler_shifted(modes[m], unnormalized, size, COUNT, points,
					shift, true, low, high, fraction);
				for (unsigned i = 0; i < COUNT; i++) {
					assert_true(fraction[i] >= 0 && fraction[i] <= 1);
					if (modes[m] == GEN_ADDRESS_BORDER)
						continue;
					assert_in_range(low[i], 0, size - 1);
					assert_in_range(high[i], 0, size - 1);
				}
				eu_sampler_nearest(
					modes[m], unnormalized, size, COUNT, points, index);
				eu_sampler_linear(modes[m], unnormalized, size, COUNT, points, low,
					high, fraction);
				for (unsigned i = 0; i < COUNT; i++) {
					assert_true(fraction[i] >= 0 && fraction[i] <= 1);
					if (modes[m] == GEN_ADDRESS_BORDER || isnan(points[i]) ||
						isinf(points[i]))
						continue;
					assert_in_range(index[i], 0, size - 1);
					assert_in_range(low[i], 0, size - 1);
					assert_in_range(high[i], 0, size - 1);
				}
			}
}

static void test_layers(void **state)
{
	static const float points[] = { 0.0f, 0.5f, 1.5f, 2.5f, 2.49f, 2.51f, -3.0f, 9.0f, 1e30f,
		NAN, INFINITY };
	static const int32_t want[] = { 0, 0, 2, 2, 2, 3, 0, 6, 6, 0, 6 };
	int32_t index[11];

	(void)state;
	eu_sampler_layer(7, 11, points, index);
	for (unsigned i = 0; i < 11; i++)
		assert_int_equal(index[i], want[i]);
}

static void test_finds(void **state)
{
	struct image_fixture *fixture = *state;
	const uint32_t good[4] = { 1u << 17 | 1u << 14, 14u << 16, 0xa00, 4u << 6 | 2u << 3 };
	const uint32_t border[4] = { 0x3f800000, 1, 2, 3 };
	struct eu_send send = { .access = { .name = "test", .operation = SAMPLER_INDEX } };
	const struct eu_sampler *sampler;

	memcpy(fixture->state + 0xa00 / 4, border, 16);
	image_fixture_sampler(fixture, good);
	sampler = eu_sampler_find(fixture->thread, &send);
	assert_non_null(sampler);
	assert_int_equal(sampler->state.address[0], GEN_ADDRESS_BORDER);
	assert_memory_equal(sampler->border, border, 16);
	assert_ptr_equal(eu_sampler_find(fixture->thread, &send), sampler);
	/* Through a header: its pointer counts, two samplers further. */
	send = (struct eu_send){ .src0 = 640,
		.access = { .name = "test", .has_header = true, .operation = SAMPLER_INDEX - 2 } };
	image_register(fixture, 20)[3] = 512 * 4 + 32;
	sampler = eu_sampler_find(fixture->thread, &send);
	assert_non_null(sampler);
	assert_memory_equal(sampler->border, border, 16);
}

static void test_refuses(void **state)
{
	static const struct {
		uint32_t dwords[4];
		const char *text;
	} rows[] = { { { 2u << 17 }, "filter that" }, { { 2u << 14 }, "filter that" },
		{ { 2u << 20 }, "between levels" }, { { 0, 0, 0, 3u << 6 }, "address mode" },
		{ { 0, 0, 0, 6u << 3 }, "address mode" }, { { 0, 0, 0, 7 }, "address mode" },
		{ { 0, 1u << 7 }, "keys" }, { { 0, 0, 0, 1u << 9 }, "keys" },
		{ { 0, 0, 0x10000, 4 }, "colour is nowhere" } };
	struct image_fixture *fixture = *state;
	const struct eu_send send = { .access = { .name = "test", .operation = SAMPLER_INDEX } };

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		image_fixture_sampler(fixture, rows[i].dwords);
		memset(&fixture->fault, 0, sizeof(fixture->fault));
		assert_null(eu_sampler_find(fixture->thread, &send));
		if (!strstr(fixture->fault.report, rows[i].text))
			fail_msg("'%s' is not in: %s", rows[i].text, fixture->fault.report);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_shifted),
		cmocka_unit_test(test_strange_points),
		cmocka_unit_test(test_layers),
		cmocka_unit_test(test_finds),
		cmocka_unit_test(test_refuses),
	};

	return cmocka_run_group_tests(tests, image_fixture_setup, image_fixture_teardown);
}
