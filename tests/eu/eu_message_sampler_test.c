// SPDX-License-Identifier: MIT
#include "test.h"

#include <math.h>
#include <string.h>

#include "eu_image_fixture.h"

enum {
	W = 19,
	H = 11,
	PITCH = 128,
	RGBA8_UNORM = 0x0c7,
	RGBA8_UINT = 0x0cb,
	R8_UNORM = 0x140,
	SAMPLE_L = 0x02,
	SAMPLE_D = 0x04,
	LD = 0x07,
	RESINFO = 0x0a,
	SAMPLE_LZ = 0x18,
	LD_LZ = 0x1a,
	WRAP = 0,
	BORDER = 4,
	EDGE = 2,
};

/* A descriptor: 8 or 16 lanes. */
static uint32_t desc_of(unsigned type, unsigned lanes)
{
	return type << 12 | (lanes == 16 ? 2u : 1u) << 17 | SAMPLER_INDEX << 8;
}

static void set_sampler(
	struct image_fixture *fixture, bool linear, unsigned mode, bool unnormalized)
{
	const float border[4] = { 0.25f, 0.5f, 0.75f, 0.125f };
	const uint32_t dwords[4] = { (uint32_t)linear << 17 | (uint32_t)linear << 14 | 1u << 20,
		14u << 16, 0xa00, mode << 6 | mode << 3 | mode | (uint32_t)unnormalized << 10 };

	memcpy(fixture->state + 0xa00 / 4, border, sizeof(border));
	image_fixture_sampler(fixture, dwords);
}

static float *parameter(
	struct image_fixture *fixture, unsigned first, unsigned number, unsigned lanes)
{
	return (float *)(void *)image_register(fixture, PAYLOAD + first + number * lanes / 8);
}

static float result(struct image_fixture *fixture, unsigned channel, unsigned lanes, unsigned lane)
{
	float value;

	memcpy(&value, image_register(fixture, RESULT + channel * lanes / 8) + lane, 4);
	return value;
}

static void run(struct image_fixture *fixture, uint32_t desc, unsigned payload, unsigned results,
	uint32_t lanes)
{
	if (image_fixture_run(fixture, GEN_SFID_SAMPLER, desc, payload,
		    1 + image_random(fixture) % payload, results, lanes) != EU_RUN)
		fail_msg("%s", fixture->fault.report);
}

static void test_ld(void **state)
{
	static const struct image_form form =
		IMAGE(GEN_SURFACE_2D, RGBA8_UINT, 0, W, H, 1, PITCH, 0, .levels = 1);
	struct image_fixture *fixture = *state;

	image_fixture_surface(fixture, &form);
	for (unsigned round = 0; round < 200; round++) {
		unsigned lanes = round % 2 ? 16 : 8, type = round % 3 ? LD_LZ : LD;
		uint32_t enabled = image_random(fixture) & ((1u << lanes) - 1);
		int x[16], y[16], level[16];
		uint32_t before[8 * 8];

		image_fixture_shuffle(fixture);
		for (unsigned i = 0; i < lanes; i++) {
			x[i] = (int)(image_random(fixture) % (W + 4)) - 2;
			y[i] = (int)(image_random(fixture) % (H + 4)) - 2;
			level[i] = image_random(fixture) % 8 == 0;
		}
		memcpy(parameter(fixture, 0, 0, lanes), x, lanes * 4);
		memcpy(parameter(fixture, 0, 1, lanes), y, lanes * 4);
		memcpy(parameter(fixture, 0, 2, lanes), level, lanes * 4);
		memcpy(before, image_register(fixture, RESULT), sizeof(before));
		run(fixture, desc_of(type, lanes), (type == LD ? 3 : 2) * lanes / 8, lanes / 2,
			enabled);
		for (unsigned i = 0; i < lanes * 4; i++) {
			unsigned lane = i % lanes, c = i / lanes;
			bool in = x[lane] >= 0 && x[lane] < W && y[lane] >= 0 && y[lane] < H &&
				  (type == LD_LZ || level[lane] == 0);
			uint64_t at = (uint64_t)(y[lane] * PITCH + x[lane] * 4) + c;
			uint32_t want = in ? *image_byte(fixture, at) : 0;
			if (!(enabled >> lane & 1))
				want = before[i];
			assert_int_equal(image_register(fixture, RESULT)[i], want);
		}
	}
}

/* A texel of the image, or of the border. */
static double texel(
	struct image_fixture *fixture, unsigned mode, int x, int y, unsigned c, unsigned bytes)
{
	static const double border[4] = { 0.25, 0.5, 0.75, 0.125 };

	if (c >= bytes)
		return c == 3 ? 1.0 : 0.0;
	if (mode == WRAP) {
		x = (x % W + W) % W;
		y = (y % H + H) % H;
	} else if (mode == EDGE) {
		x = x < 0 ? 0 : x >= W ? W - 1 : x;
		y = y < 0 ? 0 : y >= H ? H - 1 : y;
	} else if (x < 0 || x >= W || y < 0 || y >= H) {
		return border[c];
	}
	return *image_byte(fixture, (uint64_t)(y * PITCH) + (unsigned)x * bytes + c) / 255.0;
}

static double expected(struct image_fixture *fixture, unsigned mode, bool linear, double u,
	double v, unsigned c, unsigned bytes)
{
	int x = (int)floor(linear ? u - 0.5 : u), y = (int)floor(linear ? v - 0.5 : v);
	double a = u - 0.5 - x, b = v - 0.5 - y;

	if (!linear)
		return texel(fixture, mode, x, y, c, bytes);
	return (1 - a) * (1 - b) * texel(fixture, mode, x, y, c, bytes) +
	       a * (1 - b) * texel(fixture, mode, x + 1, y, c, bytes) +
	       (1 - a) * b * texel(fixture, mode, x, y + 1, c, bytes) +
	       a * b * texel(fixture, mode, x + 1, y + 1, c, bytes);
}

static void test_samples(void **state)
{
	struct image_fixture *fixture = *state;

	for (unsigned round = 0; round < 400; round++) {
		unsigned lanes = round & 1 ? 16 : 8, bytes = round & 2 ? 4 : 1;
		unsigned mode = round % 3 == 0 ? EDGE : round % 3 == 1 ? BORDER : WRAP;
		bool linear = round & 4, unnormalized = mode != WRAP && round & 8;
		const struct image_form form = IMAGE(GEN_SURFACE_2D,
			bytes == 4 ? RGBA8_UNORM : R8_UNORM, 0, W, H, 1, PITCH, 0, .levels = 1);
		double u[16], v[16];

		image_fixture_surface(fixture, &form);
		set_sampler(fixture, linear, mode, unnormalized);
		image_fixture_shuffle(fixture);
		for (unsigned i = 0; i < lanes; i++) {
			float *us = parameter(fixture, 0, 0, lanes);
			float *vs = parameter(fixture, 0, 1, lanes);

			u[i] = ((int)(image_random(fixture) % (W * 48)) - W * 16) / 16.0 + 1 / 32.0;
			v[i] = ((int)(image_random(fixture) % (H * 48)) - H * 16) / 16.0 + 1 / 32.0;
			us[i] = (float)(unnormalized ? u[i] : u[i] / W);
			vs[i] = (float)(unnormalized ? v[i] : v[i] / H);
		}
		run(fixture, desc_of(SAMPLE_LZ, lanes), 2 * lanes / 8, lanes / 2,
			(1u << lanes) - 1);
		for (unsigned i = 0; i < lanes * 4; i++) {
			unsigned lane = i % lanes, c = i / lanes;
			double got = (double)result(fixture, c, lanes, lane);
			double want = expected(fixture, mode, linear, u[lane], v[lane], c, bytes);
			if (!(fabs(got - want) < 1e-5))
				fail_msg("round %u, channel %u at (%g, %g): %g, not %g", round, c,
					u[lane], v[lane], got, want);
		}
	}
}

/* Trailing coordinates that are not sent count as 0. */
static void test_missing(void **state)
{
	static const struct image_form form =
		IMAGE(GEN_SURFACE_2D, RGBA8_UINT, 0, W, H, 1, PITCH, 0, .levels = 1);
	struct image_fixture *fixture = *state;

	image_fixture_surface(fixture, &form);
	image_fixture_shuffle(fixture);
	for (int i = 0; i < 8; i++)
		memcpy(parameter(fixture, 0, 0, 8) + i, &i, 4);
	run(fixture, desc_of(LD_LZ, 8), 1, 4, 0xff);
	for (unsigned i = 0; i < 32; i++)
		assert_int_equal(image_register(fixture, RESULT)[i],
			*image_byte(fixture, i % 8 * 4 + i / 8));
}

/* Three levels of one colour each: the nearest one, from the first that the view has. */
static void test_levels(void **state)
{
	static const float lods[8] = { -3.0f, 0.0f, 0.49f, 0.51f, 1.0f, 1.6f, 2.0f, 9.0f };
	static const int want[2][8] = { { 0, 0, 0, 1, 1, 2, 2, 2 }, { 1, 1, 1, 2, 2, 2, 2, 2 } };
	struct image_fixture *fixture = *state;

	for (unsigned min_lod = 0; min_lod < 2; min_lod++) {
		const struct image_form form = IMAGE(GEN_SURFACE_2D, R8_UNORM, 0, 16, 16, 1, PITCH,
			0, .levels = 3, .min_lod = min_lod, .halign = 1, .valign = 1);

		image_fixture_surface(fixture, &form);
		set_sampler(fixture, true, EDGE, false);
		for (unsigned y = 0; y < 16; y++)
			for (unsigned x = 0; x < 16; x++) {
				*image_byte(fixture, y * PITCH + x) = 0;
				if (x < 8 && y < 8)
					*image_byte(fixture, (16 + y) * PITCH + x) = 100;
				if (x < 4 && y < 4)
					*image_byte(fixture, (16 + y) * PITCH + 8 + x) = 200;
			}
		memcpy(parameter(fixture, 0, 0, 8), lods, sizeof(lods));
		for (unsigned i = 0; i < 16; i++)
			parameter(fixture, 0, 1, 8)[i] = (float)(i % 8) / 7.0f;
		run(fixture, desc_of(SAMPLE_L, 8), 3, 4, 0xff);
		for (unsigned i = 0; i < 8; i++)
			assert_float_equal(result(fixture, 0, 8, i),
				(double)(want[min_lod][i] * 100) / 255.0, 1e-6);
	}
}

/* A step of two or four texels of level 0 means level 1 or 2. */
static void test_gradients(void **state)
{
	static const struct image_form form = IMAGE(GEN_SURFACE_2D, R8_UNORM, 0, 16, 16, 1, PITCH,
		0, .levels = 3, .halign = 1, .valign = 1);
	struct image_fixture *fixture = *state;
	const float steps[8] = { 0.0f, 0.5f, 1.0f, 2.0f, 2.1f, 4.0f, 3.9f, 100.0f };
	const int want[8] = { 0, 0, 0, 1, 1, 2, 2, 2 };

	image_fixture_surface(fixture, &form);
	set_sampler(fixture, false, EDGE, false);
	for (unsigned i = 0; i < 16 * 16; i++) {
		*image_byte(fixture, i / 16 * PITCH + i % 16) = 0;
		*image_byte(fixture, (16 + i / 16 % 8) * PITCH + i % 8) = 100;
		*image_byte(fixture, (16 + i / 16 % 4) * PITCH + 8 + i % 4) = 200;
	}
	for (unsigned lane = 0; lane < 8; lane++) {
		parameter(fixture, 0, 0, 8)[lane] = 0.3f;
		parameter(fixture, 0, 1, 8)[lane] = lane % 2 ? steps[lane] / 16 : 0.01f;
		parameter(fixture, 0, 2, 8)[lane] = 0.0f;
		parameter(fixture, 0, 3, 8)[lane] = 0.6f;
		parameter(fixture, 0, 4, 8)[lane] = 0.0f;
		parameter(fixture, 0, 5, 8)[lane] = lane % 2 ? 0.01f : -steps[lane] / 16;
	}
	run(fixture, desc_of(SAMPLE_D, 8), 6, 4, 0xff);
	for (unsigned i = 0; i < 8; i++)
		assert_float_equal(result(fixture, 0, 8, i), want[i] * 100 / 255.0, 1e-6);
}

/* A header names channels; those that are off take no registers. */
static void test_header(void **state)
{
	static const struct image_form form =
		IMAGE(GEN_SURFACE_2D, RGBA8_UINT, 0, W, H, 1, PITCH, 0, .levels = 1);
	struct image_fixture *fixture = *state;

	image_fixture_surface(fixture, &form);
	for (unsigned off = 0; off < 15; off++) {
		unsigned n = 0;

		image_fixture_shuffle(fixture);
		memset(image_register(fixture, PAYLOAD), 0, 32);
		image_register(fixture, PAYLOAD)[2] = off << 12;
		for (int i = 0; i < 8; i++)
			memcpy(parameter(fixture, 1, 0, 8) + i, &i, 4);
		run(fixture, desc_of(LD_LZ, 8) | 1u << 19, 2, 4 - (unsigned)__builtin_popcount(off),
			0xff);
		for (unsigned c = 0; c < 4; c++) {
			if (off >> c & 1)
				continue;
			for (unsigned i = 0; i < 8; i++)
				assert_int_equal(image_register(fixture, RESULT + n)[i],
					*image_byte(fixture, i * 4 + c));
			n++;
		}
	}
	image_register(fixture, PAYLOAD)[2] = 0x100; /* an offset of u */
	assert_int_equal(image_fixture_run(fixture, GEN_SFID_SAMPLER, desc_of(LD_LZ, 8) | 1u << 19,
				 2, 2, 4, 0xff),
		EU_FAULT);
	assert_non_null(strstr(fixture->fault.report, "not implemented"));
}

static void test_halfs(void **state)
{
	static const struct image_form form =
		IMAGE(GEN_SURFACE_2D, RGBA8_UNORM, 0, W, H, 1, PITCH, 0, .levels = 1);
	struct image_fixture *fixture = *state;

	image_fixture_surface(fixture, &form);
	for (unsigned lanes = 8; lanes <= 16; lanes += 8) {
		image_fixture_shuffle(fixture);
		for (unsigned i = 0; i < lanes; i++) {
			int x = (int)i;
			memcpy(parameter(fixture, 0, 0, lanes) + i, &x, 4);
			*image_byte(fixture, i * 4) = i % 2 ? 255 : 0;
		}
		run(fixture, desc_of(LD_LZ, lanes) | 1u << 30, lanes / 8, 4, (1u << lanes) - 1);
		for (unsigned i = 0; i < lanes; i++) {
			uint16_t half;
			memcpy(&half, fixture->thread->grf + RESULT * 32 + i * 2, 2);
			assert_int_equal(half, i % 2 ? 0x3c00 : 0);
		}
	}
}

static void test_resinfo(void **state)
{
	static const struct image_form form = IMAGE(
		GEN_SURFACE_2D, RGBA8_UNORM, 0, 20, 11, 3, PITCH, 32, .array = true, .levels = 4);
	static const uint32_t want[4][4] = { { 20, 11, 3, 4 }, { 10, 5, 3, 4 }, { 2, 1, 3, 4 },
		{ 0, 0, 0, 4 } };
	struct image_fixture *fixture = *state;

	image_fixture_surface(fixture, &form);
	/* Channel selects are for texels: here red, 0, 0, 1. */
	fixture->state[256 + 7] = 4u << 25 | 1u << 16;
	image_fixture_shuffle(fixture);
	for (int i = 0; i < 8; i++) {
		const int levels[4] = { 0, 1, 3, 4 };
		memcpy(parameter(fixture, 0, 0, 8) + i, &levels[i % 4], 4);
	}
	run(fixture, desc_of(RESINFO, 8), 1, 4, 0xff);
	for (unsigned i = 0; i < 32; i++)
		assert_int_equal(image_register(fixture, RESULT)[i], want[i % 8 % 4][i / 8]);
}

/* A buffer without a format, which languages ask for its size, has bytes and no texels. */
static void test_sizes_of_buffers(void **state)
{
	static const struct image_form raw =
		IMAGE(GEN_SURFACE_BUFFER, 0x1ff, 0, 70003, 1, 1, 1, 0, .array = false);
	struct image_fixture *fixture = *state;

	image_fixture_surface(fixture, &raw);
	image_fixture_shuffle(fixture);
	memset(parameter(fixture, 0, 0, 8), 0, 32);
	run(fixture, desc_of(RESINFO, 8), 1, 4, 0xff);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(image_register(fixture, RESULT)[i], 70003);
	assert_int_equal(
		image_fixture_run(fixture, GEN_SFID_SAMPLER, desc_of(LD_LZ, 8), 1, 1, 4, 1),
		EU_FAULT);
	assert_non_null(strstr(fixture->fault.report, "raw buffer"));
}

/* Layers are not filtered, and rounded to the nearest one. */
static void test_layers(void **state)
{
	static const struct image_form form =
		IMAGE(GEN_SURFACE_2D, R8_UNORM, 0, 8, 8, 3, PITCH, 8, .array = true, .levels = 1);
	static const float layers[8] = { 0.0f, 0.5f, 0.6f, 1.5f, 1.4f, 7.0f, -2.0f, 2.0f };
	static const int want[8] = { 0, 0, 1, 2, 1, 2, 0, 2 };
	struct image_fixture *fixture = *state;

	image_fixture_surface(fixture, &form);
	set_sampler(fixture, true, EDGE, false);
	for (unsigned i = 0; i < 24 * 8; i++)
		*image_byte(fixture, i / 8 * PITCH + i % 8) = (uint8_t)(i / 64 * 100);
	for (unsigned i = 0; i < 16; i++)
		parameter(fixture, 0, 0, 8)[i] = 0.4f;
	memcpy(parameter(fixture, 0, 2, 8), layers, sizeof(layers));
	run(fixture, desc_of(SAMPLE_LZ, 8), 3, 4, 0xff);
	for (unsigned i = 0; i < 8; i++)
		assert_float_equal(result(fixture, 0, 8, i), want[i] * 100 / 255.0, 1e-6);
}

/* The bit that makes arrays means nothing in three dimensions. */
static void test_volumes(void **state)
{
	struct image_fixture *fixture = *state;

	for (unsigned array = 0; array < 2; array++) {
		const struct image_form form = IMAGE(GEN_SURFACE_3D, R8_UNORM, 0, 8, 8, 3, PITCH, 8,
			.array = array, .levels = 1);

		image_fixture_surface(fixture, &form);
		set_sampler(fixture, true, EDGE, false);
		for (unsigned i = 0; i < 24 * 8; i++)
			*image_byte(fixture, i / 8 * PITCH + i % 8) = (uint8_t)(i / 64 * 100);
		for (unsigned i = 0; i < 24; i++)
			parameter(fixture, 0, 0, 8)[i] = i < 16 ? 0.4f : (float)(i - 16) / 6.0f;
		run(fixture, desc_of(SAMPLE_LZ, 8), 3, 4, 0xff);
		for (unsigned i = 0; i < 8; i++) {
			double slice = i / 2.0 - 0.5;
			slice = slice < 0 ? 0 : slice > 2 ? 2 : slice;
			assert_float_equal(result(fixture, 0, 8, i), slice * 100 / 255.0, 1e-6);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ld),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_gradients),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_halfs),
		cmocka_unit_test(test_resinfo),
		cmocka_unit_test(test_sizes_of_buffers),
		cmocka_unit_test(test_layers),
		cmocka_unit_test(test_volumes),
	};

	return cmocka_run_group_tests(tests, image_fixture_setup, image_fixture_teardown);
}
