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
	SAMPLE = 0x00,
	SAMPLE_B = 0x01,
	SAMPLE_L = 0x02,
	SAMPLE_D = 0x04,
	LD = 0x07,
	GATHER4 = 0x08,
	LOD = 0x09,
	RESINFO = 0x0a,
	GATHER4_C = 0x10,
	GATHER4_PO = 0x11,
	GATHER4_PO_C = 0x12,
	SAMPLE_LZ = 0x18,
	LD_LZ = 0x1a,
	HEADER = 1 << 19,
	WRAP = 0,
	BORDER = 4,
	EDGE = 2,
};

/* A descriptor: 8 or 16 lanes. */
static uint32_t desc_of(unsigned type, unsigned lanes)
{
	return type << 12 | (lanes == 16 ? 2u : 1u) << 17 | SAMPLER_INDEX << 8;
}

/* With a comparison: texels become 0 where they are less than the reference, else 1. */
static void set_sampler(
	struct image_fixture *fixture, bool linear, unsigned mode, bool unnormalized)
{
	enum { LESS = 2 };
	const float border[4] = { 0.25f, 0.5f, 0.75f, 0.125f };
	const uint32_t dwords[4] = { (uint32_t)linear << 17 | (uint32_t)linear << 14 | 1u << 20,
		14u << 16 | LESS << 1, 0xa00,
		mode << 6 | mode << 3 | mode | (uint32_t)unnormalized << 10 };

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

/* A header with a channel to gather and offsets of texels, of which each has four bits. */
static void set_header(struct image_fixture *fixture, unsigned channel, const int offset[3])
{
	uint32_t *header = image_register(fixture, PAYLOAD);

	memset(header, 0, 32);
	header[3] = fixture->dispatch.sampler_state;
	header[2] = channel << 16 | ((uint32_t)offset[0] & 15) << 8 |
		    ((uint32_t)offset[1] & 15) << 4 | ((uint32_t)offset[2] & 15);
}

static int offset_of(struct image_fixture *fixture, int bits)
{
	return (int)(image_random(fixture) % (1u << bits)) - (1 << (bits - 1));
}

/* Random places in all rows and columns around an image, none between two texels. */
static void place(
	struct image_fixture *fixture, unsigned first, unsigned lanes, double u[16], double v[16])
{
	for (unsigned i = 0; i < lanes; i++) {
		u[i] = ((int)(image_random(fixture) % (W * 48)) - W * 16) / 16.0 + 1 / 32.0;
		v[i] = ((int)(image_random(fixture) % (H * 48)) - H * 16) / 16.0 + 1 / 32.0;
		parameter(fixture, 1, first, lanes)[i] = (float)(u[i] / W);
		parameter(fixture, 1, first + 1, lanes)[i] = (float)(v[i] / H);
	}
}

static void test_offsets(void **state)
{
	static const struct image_form form =
		IMAGE(GEN_SURFACE_2D, RGBA8_UNORM, 0, W, H, 1, PITCH, 0, .levels = 1);
	struct image_fixture *fixture = *state;

	image_fixture_surface(fixture, &form);
	for (unsigned round = 0; round < 200; round++) {
		unsigned lanes = round & 1 ? 16 : 8;
		unsigned mode = round % 3 == 0 ? EDGE : round % 3 == 1 ? BORDER : WRAP;
		const int offset[3] = { offset_of(fixture, 4), offset_of(fixture, 4),
			offset_of(fixture, 4) };
		bool linear = round & 2;
		double u[16], v[16];

		set_sampler(fixture, linear, mode, false);
		image_fixture_shuffle(fixture);
		set_header(fixture, 0, offset);
		place(fixture, 0, lanes, u, v);
		run(fixture, desc_of(SAMPLE_LZ, lanes) | HEADER, 1 + 2 * lanes / 8, lanes / 2,
			(1u << lanes) - 1);
		for (unsigned i = 0; i < lanes * 4; i++) {
			unsigned lane = i % lanes, c = i / lanes;
			double got = (double)result(fixture, c, lanes, lane);
			double want = expected(fixture, mode, linear, u[lane] + offset[0],
				v[lane] + offset[1], c, 4);
			if (!(fabs(got - want) < 1e-5))
				fail_msg("round %u, channel %u at (%g, %g): %g, not %g", round, c,
					u[lane], v[lane], got, want);
		}
	}
}

/* Offsets of texels that are named by their numbers. */
static void test_ld_offsets(void **state)
{
	static const struct image_form form =
		IMAGE(GEN_SURFACE_2D, RGBA8_UINT, 0, W, H, 1, PITCH, 0, .levels = 1);
	struct image_fixture *fixture = *state;

	image_fixture_surface(fixture, &form);
	for (int dx = -8; dx < 8; dx++) {
		const int offset[3] = { dx, 7, 0 };
		image_fixture_shuffle(fixture);
		set_header(fixture, 0, offset);
		for (int i = 0; i < 8; i++) {
			int x = 5 + i, y = -4;
			memcpy(parameter(fixture, 1, 0, 8) + i, &x, 4);
			memcpy(parameter(fixture, 1, 1, 8) + i, &y, 4);
		}
		run(fixture, desc_of(LD_LZ, 8) | HEADER, 3, 4, 0xff);
		for (unsigned i = 0; i < 32; i++) {
			int x = 5 + (int)i % 8 + dx;
			uint32_t want = 0;
			if (x >= 0 && x < W)
				want = *image_byte(fixture, 3 * PITCH + (unsigned)x * 4 + i / 8);
			assert_int_equal(image_register(fixture, RESULT)[i], want);
		}
	}
}

/* Four texels of a channel, from the lower left one on to the right, up and back. */
static void check_gather(struct image_fixture *fixture, unsigned round)
{
	static const int columns[4] = { 0, 1, 1, 0 }, rows[4] = { 1, 1, 0, 0 };
	static const unsigned types[4] = { GATHER4, GATHER4_C, GATHER4_PO, GATHER4_PO_C };
	const unsigned type = types[round % 4], lanes = round & 4 ? 16 : 8;
	const unsigned mode = round % 3 == 0 ? EDGE : round % 3 == 1 ? BORDER : WRAP;
	const bool own = type >= GATHER4_PO, compares = type == GATHER4_C || type == GATHER4_PO_C;
	const unsigned channel = compares ? 0 : round / 8 % 4, bytes = round & 32 ? 1 : 4;
	const uint32_t enabled = image_random(fixture) & ((1u << lanes) - 1);
	const int constant[3] = { offset_of(fixture, 4), offset_of(fixture, 4), 0 };
	const struct image_form form = IMAGE(GEN_SURFACE_2D, bytes == 4 ? RGBA8_UNORM : R8_UNORM, 0,
		W, H, 1, PITCH, 0, .levels = 1);
	double u[16], v[16];
	int32_t offset[2][16];
	float before[16 * 4];

	image_fixture_surface(fixture, &form);
	set_sampler(fixture, round & 16, mode, false);
	image_fixture_shuffle(fixture);
	set_header(fixture, channel, constant);
	for (unsigned i = 0; compares && i < lanes; i++)
		parameter(fixture, 1, 0, lanes)[i] = (float)(image_random(fixture) % 256) / 255.0f;
	place(fixture, compares, lanes, u, v);
	for (unsigned n = 0; n < 2; n++) {
		for (unsigned i = 0; i < lanes; i++)
			offset[n][i] = own ? offset_of(fixture, 6) : constant[n];
		if (own)
			memcpy(parameter(fixture, 1, compares + 2 + n, lanes), offset[n],
				lanes * 4);
	}
	memcpy(before, image_register(fixture, RESULT), lanes * 16);
	run(fixture, desc_of(type, lanes) | HEADER, 1 + (compares + (own ? 4u : 2u)) * lanes / 8,
		lanes / 2, enabled);
	for (unsigned i = 0; i < lanes * 4; i++) {
		const unsigned lane = i % lanes, n = i / lanes;
		double want = texel(fixture, mode,
			(int)floor(u[lane] - 0.5) + offset[0][lane] + columns[n],
			(int)floor(v[lane] - 0.5) + offset[1][lane] + rows[n], channel, bytes);
		if (compares)
			want = (float)want < parameter(fixture, 1, 0, lanes)[lane] ? 0.0 : 1.0;
		if (!(enabled >> lane & 1))
			assert_memory_equal(
				image_register(fixture, RESULT) + i, &before[i], sizeof(float));
		else if (!(fabs((double)result(fixture, n, lanes, lane) - want) < 1e-5))
			fail_msg("round %u, texel %u of (%g, %g): %g, not %g", round, n, u[lane],
				v[lane], (double)result(fixture, n, lanes, lane), want);
	}
}

static void test_gathers(void **state)
{
	for (unsigned round = 0; round < 768; round++)
		check_gather(*state, round);
}

/* Integers are gathered as they are, and the surface's choice of channels counts. */
static void test_gathers_channels(void **state)
{
	static const struct image_form form =
		IMAGE(GEN_SURFACE_2D, RGBA8_UINT, 0, W, H, 1, PITCH, 0, .levels = 1);
	static const int none[3];
	struct image_fixture *fixture = *state;

	for (unsigned channel = 0; channel < 4; channel++) {
		image_fixture_surface(fixture, &form);
		set_sampler(fixture, false, EDGE, false);
		fixture->state[256 + 7] = 7u << 25 | 0u << 22 | 1u << 19 | 5u << 16; /* A 0 1 G */
		image_fixture_shuffle(fixture);
		set_header(fixture, channel, none);
		for (unsigned i = 0; i < 8; i++) {
			parameter(fixture, 1, 0, 8)[i] = (3 + (float)i) / W;
			parameter(fixture, 1, 1, 8)[i] = 6.0f / H;
		}
		run(fixture, desc_of(GATHER4, 8) | HEADER, 3, 4, 0xff);
		for (unsigned i = 0; i < 8; i++) {
			const uint32_t want[4] = { *image_byte(
							   fixture, 6 * PITCH + (2 + i) * 4 + 3),
				0, 1, *image_byte(fixture, 6 * PITCH + (2 + i) * 4 + 1) };
			assert_int_equal(image_register(fixture, RESULT)[i], want[channel]);
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

/* Four lanes of two rows tell the level; a bias is added, and the least one counts. */
static void test_quads(void **state)
{
	static const struct image_form form = IMAGE(GEN_SURFACE_2D, R8_UNORM, 0, 16, 16, 1, PITCH,
		0, .levels = 3, .halign = 1, .valign = 1);
	static const float steps[4] = { 0.5f, 1.0f, 2.0f, 8.0f }, levels[4] = { -1, 0, 1, 3 };
	struct image_fixture *fixture = *state;

	image_fixture_surface(fixture, &form);
	set_sampler(fixture, false, EDGE, false);
	for (unsigned i = 0; i < 16 * 16; i++) {
		*image_byte(fixture, i / 16 * PITCH + i % 16) = 0;
		*image_byte(fixture, (16 + i / 16 % 8) * PITCH + i % 8) = 100;
		*image_byte(fixture, (16 + i / 16 % 4) * PITCH + 8 + i % 4) = 200;
	}
	for (unsigned round = 0; round < 5; round++) {
		static const unsigned types[5] = { SAMPLE, SAMPLE_B, SAMPLE, SAMPLE_B, LOD };
		const unsigned type = types[round], biased = type == SAMPLE_B;
		const float bias = biased ? 1.2f : 0.0f, least = round / 2 == 1 ? 1.6f : 0.0f;

		for (unsigned i = 0; i < 16; i++) {
			const float step = steps[i / 4] / 16;

			if (biased)
				parameter(fixture, 0, 0, 16)[i] = bias;
			parameter(fixture, 0, biased, 16)[i] = 0.2f + (i & 1 ? step : 0);
			parameter(fixture, 0, biased + 1, 16)[i] = 0.1f + (i & 2 ? step : 0);
			parameter(fixture, 0, biased + 2, 16)[i] = 0.0f;
			parameter(fixture, 0, biased + 3, 16)[i] = 0.0f;
			parameter(fixture, 0, biased + 4, 16)[i] = least;
		}
		/* the least level comes last, and 16 lanes have no room for it and more */
		run(fixture, desc_of(type, 16), (least > 0 ? 5 + biased : 2 + biased) * 2, 8,
			0xffff);
		for (unsigned i = 0; i < 16; i++) {
			float level = fmaxf(levels[i / 4] + bias, least);
			float whole = floorf(fminf(fmaxf(level, 0.0f), 2.0f) + 0.5f);
			if (type == LOD) {
				assert_float_equal(result(fixture, 1, 16, i), levels[i / 4], 1e-4);
				assert_float_equal(result(fixture, 0, 16, i), whole, 0);
			} else {
				assert_float_equal(
					result(fixture, 0, 16, i), whole * 100 / 255, 1e-6);
			}
		}
	}
}

/* What there is not, by name. */
static void test_refuses(void **state)
{
	static const int none[3], right[3] = { 1, 0, 0 };
	static const struct {
		unsigned type, surface;
		const int *offset;
		unsigned dword;
		const char *text;
	} rows[] = {
		{ SAMPLE_LZ, GEN_SURFACE_2D, none, 1u << 23, "sample_lz" },
		{ SAMPLE_LZ, GEN_SURFACE_CUBE, right, 0, "a cube has no offsets" },
		{ LD_LZ, GEN_SURFACE_CUBE, none, 0, "ld_lz" },
		{ GATHER4, GEN_SURFACE_3D, none, 0, "two dimensions only" },
		{ GATHER4_PO, GEN_SURFACE_1D, none, 0, "two dimensions only" },
	};
	struct image_fixture *fixture = *state;

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct image_form form =
			IMAGE(rows[i].surface, R8_UNORM, 0, 8, rows[i].surface ? 8 : 1, 6, PITCH, 8,
				.levels = 1, .array = rows[i].surface == GEN_SURFACE_1D);
		image_fixture_surface(fixture, &form);
		set_sampler(fixture, false, EDGE, false);
		set_header(fixture, 0, rows[i].offset);
		image_register(fixture, PAYLOAD)[2] |= rows[i].dword;
		memset(&fixture->fault, 0, sizeof(fixture->fault));
		assert_int_equal(image_fixture_run(fixture, GEN_SFID_SAMPLER,
					 desc_of(rows[i].type, 8) | HEADER, 5, 5, 4, 0xff),
			EU_FAULT);
		if (!strstr(fixture->fault.report, rows[i].text))
			fail_msg("'%s' is not in: %s", rows[i].text, fixture->fault.report);
	}
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
		cmocka_unit_test(test_offsets),
		cmocka_unit_test(test_ld_offsets),
		cmocka_unit_test(test_gathers),
		cmocka_unit_test(test_gathers_channels),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_gradients),
		cmocka_unit_test(test_quads),
		cmocka_unit_test(test_refuses),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_halfs),
		cmocka_unit_test(test_resinfo),
		cmocka_unit_test(test_sizes_of_buffers),
		cmocka_unit_test(test_layers),
		cmocka_unit_test(test_volumes),
	};

	return cmocka_run_group_tests(tests, image_fixture_setup, image_fixture_teardown);
}
