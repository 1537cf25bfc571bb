// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "eu_image_fixture.h"

enum { RGBA8 = 0x0cb, R8 = 0x143, R32 = 0x0d7, RGBA32 = 0x002 };

static const struct eu_image *find(struct image_fixture *fixture, const struct image_form *form)
{
	const struct eu_send send = { .access = { .name = "test", .index = IMAGE_INDEX } };

	image_fixture_surface(fixture, form);
	memset(&fixture->fault, 0, sizeof(fixture->fault));
	return eu_image_find(fixture->thread, &send);
}

static uint64_t locate(const struct eu_image *image, unsigned level, int x, int y, int z)
{
	int32_t xs[1] = { x }, ys[1] = { y }, zs[1] = { z };
	uint64_t offset = 0;

	eu_image_arrange(image, 1, xs, ys, zs);
	eu_image_locate(image, level, 1, xs, ys, zs, &offset);
	return offset;
}

static const struct {
	struct image_form form;
	int level, x, y, z;
	uint64_t offset;
} places[] = {
	/* linear: row, texel, slice */
	{ IMAGE(GEN_SURFACE_2D, RGBA8, 0, 100, 50, 1, 512, 0, .array = false), 0, 7, 3, 0,
		3 * 512 + 28 },
	{ IMAGE(GEN_SURFACE_2D, RGBA8, 0, 100, 50, 4, 512, 64, .array = true), 0, 7, 3, 2,
		(3 + 128) * 512 + 28 },
	/* not an array: no layers */
	{ IMAGE(GEN_SURFACE_2D, RGBA8, 0, 100, 50, 1, 512, 64, .array = false), 0, 7, 3, 2,
		3 * 512 + 28 },
	{ IMAGE(GEN_SURFACE_3D, R32, 0, 100, 50, 4, 512, 52, .array = false), 0, 1, 0, 3,
		156 * 512 + 4 },
	{ IMAGE(GEN_SURFACE_3D, R32, 0, 100, 50, 4, 512, 52, .array = true), 0, 1, 0, 3,
		156 * 512 + 4 },
	/* tiles of 128 by 32: the second in the row, its fourth column, fifth row */
	{ IMAGE(GEN_SURFACE_2D, RGBA8, 3, 100, 50, 1, 512, 0, .array = false), 0, 32 + 13, 5, 0,
		4096 + 3 * 512 + 5 * 16 + 4 },
	{ IMAGE(GEN_SURFACE_2D, RGBA8, 3, 100, 50, 1, 512, 0, .array = false), 0, 0, 33, 0,
		4 * 4096 + 16 },
	/* tiles of 512 by 8 */
	{ IMAGE(GEN_SURFACE_2D, R8, 2, 900, 50, 1, 1024, 0, .array = false), 0, 600, 9, 0,
		3 * 4096 + 512 + 88 },
	/* layers of one dimension are counted in texels */
	{ IMAGE(GEN_SURFACE_1D, RGBA8, 0, 30, 1, 4, 128, 32, .array = true), 0, 3, 2, 0,
		(2 * 32 + 3) * 4 },
	{ IMAGE(GEN_SURFACE_1D, RGBA8, 0, 30, 1, 4, 128, 32, .array = true, .first_layer = 1), 0, 3,
		2, 0, (3 * 32 + 3) * 4 },
	{ IMAGE(GEN_SURFACE_BUFFER, RGBA32, 0, 70000, 1, 1, 16, 0, .array = false), 0, 69999, 0, 0,
		69999 * 16 },
	/* levels: 1 below 0, 2 right of 1, 3 below 2; aligned to 4 by 4 */
	{ IMAGE(GEN_SURFACE_2D, RGBA8, 0, 37, 21, 1, 512, 0, .levels = 5, .min_lod = 0, .halign = 1,
		  .valign = 1),
		1, 2, 1, 0, (24 + 1) * 512 + 8 },
	{ IMAGE(GEN_SURFACE_2D, RGBA8, 0, 37, 21, 1, 512, 0, .levels = 5, .min_lod = 0, .halign = 1,
		  .valign = 1),
		2, 2, 1, 0, (24 + 1) * 512 + (20 + 2) * 4 },
	{ IMAGE(GEN_SURFACE_2D, RGBA8, 0, 37, 21, 1, 512, 0, .levels = 5, .min_lod = 0, .halign = 1,
		  .valign = 1),
		3, 2, 1, 0, (24 + 8 + 1) * 512 + (20 + 2) * 4 },
	/* a view that begins at level 1 */
	{ IMAGE(GEN_SURFACE_2D, RGBA8, 0, 37, 21, 1, 512, 0, .levels = 5, .min_lod = 1, .halign = 1,
		  .valign = 1),
		2, 2, 1, 0, (24 + 8 + 1) * 512 + (20 + 2) * 4 },
	/* levels of one dimension follow each other, 64 texels apart at least */
	{ IMAGE(GEN_SURFACE_1D, RGBA8, 0, 130, 1, 1, 1024, 0, .levels = 5, .min_lod = 0,
		  .halign = 1, .valign = 1),
		2, 3, 0, 0, (192 + 128 + 3) * 4 },
	/* outside */
	{ IMAGE(GEN_SURFACE_2D, RGBA8, 0, 100, 50, 1, 512, 0, .array = false), 0, 100, 3, 0,
		EU_NOWHERE },
	{ IMAGE(GEN_SURFACE_2D, RGBA8, 0, 100, 50, 1, 512, 0, .array = false), 0, -1, 3, 0,
		EU_NOWHERE },
	{ IMAGE(GEN_SURFACE_2D, RGBA8, 0, 100, 50, 1, 512, 0, .array = false), 0, 0, 50, 0,
		EU_NOWHERE },
	{ IMAGE(GEN_SURFACE_2D, RGBA8, 0, 100, 50, 4, 512, 64, .array = true), 0, 0, 0, 4,
		EU_NOWHERE },
	{ IMAGE(GEN_SURFACE_3D, RGBA8, 0, 100, 50, 4, 512, 64, .array = false), 0, 0, 0, -1,
		EU_NOWHERE },
	{ IMAGE(GEN_SURFACE_2D, RGBA8, 0, 37, 21, 1, 512, 0, .levels = 5, .min_lod = 0, .halign = 1,
		  .valign = 1),
		5, 0, 0, 0, EU_NOWHERE },
	{ IMAGE(GEN_SURFACE_2D, RGBA8, 0, 37, 21, 1, 512, 0, .levels = 5, .min_lod = 2, .halign = 1,
		  .valign = 1),
		3, 0, 0, 0, EU_NOWHERE },
	{ IMAGE(GEN_SURFACE_2D, RGBA8, 0, 37, 21, 1, 512, 0, .levels = 5, .min_lod = 0, .halign = 1,
		  .valign = 1),
		4, 2, 0, 0, EU_NOWHERE },
	{ IMAGE(GEN_SURFACE_BUFFER, RGBA32, 0, 70000, 1, 1, 16, 0, .array = false), 0, 70000, 0, 0,
		EU_NOWHERE },
	{ IMAGE(GEN_SURFACE_NULL, RGBA32, 0, 70000, 1, 1, 16, 0, .array = false), 0, 0, 0, 0,
		EU_NOWHERE },
};

static void test_places(void **state)
{
	for (unsigned i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const struct eu_image *image = find(*state, &places[i].form);
		uint64_t offset;

		assert_non_null(image);
		offset = locate(
			image, (unsigned)places[i].level, places[i].x, places[i].y, places[i].z);
		if (offset != places[i].offset)
			fail_msg("row %u: %llu, not %llu", i, (unsigned long long)offset,
				(unsigned long long)places[i].offset);
	}
}

/* No two texels of an image with levels and layers lie at the same place. */
static void test_overlaps_nowhere(void **state)
{
	static uint8_t seen[IMAGE_BYTES];
	static const struct image_form forms[] = {
		IMAGE(GEN_SURFACE_2D, R8, 3, 61, 45, 3, 128, 96, .array = true, .levels = 6,
			.min_lod = 0, .halign = 1, .valign = 1),
		IMAGE(GEN_SURFACE_3D, RGBA8, 3, 33, 20, 5, 256, 64, .levels = 4, .min_lod = 0,
			.halign = 1, .valign = 1),
		IMAGE(GEN_SURFACE_1D, R32, 0, 130, 1, 6, 1024, 704, .array = true, .levels = 8,
			.min_lod = 0, .halign = 1, .valign = 1),
		IMAGE(GEN_SURFACE_2D, RGBA32, 2, 61, 45, 2, 1024, 80, .array = true, .levels = 6,
			.min_lod = 0, .halign = 1, .valign = 1),
	};

	for (unsigned n = 0; n < sizeof(forms) / sizeof(*forms); n++) {
		const struct eu_image *image = find(*state, &forms[n]);
		unsigned texels = 0;

		assert_non_null(image);
		memset(seen, 0, sizeof(seen));
		for (unsigned level = 0; level < forms[n].levels; level++)
			for (int z = 0; z < 8; z++)
				for (int y = 0; y < 64; y++)
					for (int x = 0; x < 140; x++) {
						uint64_t at = locate(image, level, x, y, z);
						if (at == EU_NOWHERE ||
							(forms[n].type == GEN_SURFACE_1D && z))
							continue;
						assert_true(at + image->bytes <= IMAGE_BYTES);
						for (unsigned b = 0; b < image->bytes; b++)
							assert_int_equal(seen[at + b]++, 0);
						texels++;
					}
		assert_true(texels > 1000);
	}
}

static void test_moves(void **state)
{
	static const unsigned formats[] = { R8, 0x10d, R32, 0x087, RGBA32, 0x042 };
	struct image_fixture *fixture = *state;
	const struct eu_send send = { .access = { .name = "test", .index = IMAGE_INDEX } };

	image_fixture_shuffle(fixture);
	for (unsigned n = 0; n < sizeof(formats) / sizeof(*formats); n++) {
		/* Around the place where one buffer ends and the next begins. */
		const struct image_form form = IMAGE(GEN_SURFACE_BUFFER, formats[n], 0, 1 << 16, 1,
			1, gen_format_find(formats[n])->bytes, 0, .array = false);
		const struct eu_image *image = find(fixture, &form);
		uint8_t texels[10 * 16], again[10 * 16], mask[16];
		uint64_t offset[10];

		assert_non_null(image);
		for (unsigned i = 0; i < 9; i++)
			offset[i] = (IMAGE_CUT / image->bytes - 4 + i) * image->bytes;
		offset[9] = EU_NOWHERE;
		memset(texels, 0xa5, sizeof(texels));
		assert_true(eu_image_load(fixture->thread, &send, image, 10, offset, texels));
		for (unsigned i = 0; i < 10 * image->bytes; i++) {
			unsigned texel = i / image->bytes;
			assert_int_equal(texels[i],
				texel == 9
					? 0
					: *image_byte(fixture, offset[texel] + i % image->bytes));
		}
		for (unsigned i = 0; i < sizeof(texels); i++)
			texels[i] = (uint8_t)image_random(fixture);
		assert_true(
			eu_image_store(fixture->thread, &send, image, 10, offset, texels, NULL));
		assert_true(eu_image_load(fixture->thread, &send, image, 9, offset, again));
		assert_memory_equal(again, texels, 9 * image->bytes);
		/* Only the low halves of bytes. */
		memset(mask, 0x0f, sizeof(mask));
		memset(again, 0, sizeof(again));
		assert_true(eu_image_store(fixture->thread, &send, image, 10, offset, again, mask));
		assert_true(eu_image_load(fixture->thread, &send, image, 9, offset, again));
		for (unsigned i = 0; i < 9 * image->bytes; i++)
			assert_int_equal(again[i], texels[i] & 0xf0);
	}
}

static void test_refuses(void **state)
{
	static const struct {
		unsigned dword;
		uint32_t bits;
		const char *text;
	} rows[] = { { 6, 3, "compressed" }, { 6, 4, "compressed" }, { 4, 2u << 3, "multisampled" },
		{ 5, 1u << 18, "tiling" }, { 0, 1u << 12, "tiling" }, { 0, 4u << 29, "neither" },
		{ 0, 0x1ffu << 18, "raw buffer" }, { 0, 0x1f0u << 18, "format" } };
	struct image_fixture *fixture = *state;
	const struct eu_send send = { .access = { .name = "test", .index = IMAGE_INDEX } };
	const struct image_form form =
		IMAGE(GEN_SURFACE_2D, 0, 0, 10, 10, 1, 512, 0, .array = false);

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		image_fixture_surface(fixture, &form);
		memset(&fixture->fault, 0, sizeof(fixture->fault));
		fixture->state[256 + rows[i].dword] |= rows[i].bits;
		assert_null(eu_image_find(fixture->thread, &send));
		assert_int_equal(fixture->fault.kind, GEN_FAULT_BAD_STATE);
		if (!strstr(fixture->fault.report, rows[i].text))
			fail_msg("'%s' is not in: %s", rows[i].text, fixture->fault.report);
	}
}

/* What may be compressed is stored as it is. */
static void test_compressible(void **state)
{
	struct image_fixture *fixture = *state;
	const struct eu_send send = { .access = { .name = "test", .index = IMAGE_INDEX } };
	const struct image_form form =
		IMAGE(GEN_SURFACE_2D, RGBA8, 0, 10, 10, 1, 512, 0, .array = false);
	static const uint32_t modes[] = { GEN_AUX_CCS_D, GEN_AUX_CCS_E };

	for (unsigned i = 0; i < 2; i++) {
		const uint32_t texel = 0x12345678 + i;
		uint32_t got = 0;

		image_fixture_surface(fixture, &form);
		fixture->state[256 + 6] |= modes[i];
		const struct eu_image *image = eu_image_find(fixture->thread, &send);
		assert_non_null(image);
		uint64_t offset = locate(image, 0, 3, 2, 0);
		assert_true(eu_image_store(
			fixture->thread, &send, image, 1, &offset, (const uint8_t *)&texel, NULL));
		assert_true(
			eu_image_load(fixture->thread, &send, image, 1, &offset, (uint8_t *)&got));
		assert_int_equal(got, texel);
	}
}

/* Texels that no buffer holds stop the thread, and say where. */
static void test_faults(void **state)
{
	struct image_fixture *fixture = *state;
	const struct eu_send send = { .access = { .name = "test", .index = IMAGE_INDEX } };
	const struct image_form form =
		IMAGE(GEN_SURFACE_2D, RGBA8, 0, 100, 16384, 1, 512, 0, .array = false);
	const struct eu_image *image = find(fixture, &form);
	uint64_t offset = locate(image, 0, 5, 3000, 0);
	uint8_t texel[4] = { 0 };

	assert_true(offset > IMAGE_BYTES && offset != EU_NOWHERE);
	assert_false(eu_image_load(fixture->thread, &send, image, 1, &offset, texel));
	assert_int_equal(fixture->fault.kind, GEN_FAULT_PAGE);
	assert_true(fixture->fault.address == IMAGE_BASE + offset);
	assert_non_null(strstr(fixture->fault.report, "R8G8B8A8_UINT"));
	assert_false(eu_image_store(fixture->thread, &send, image, 1, &offset, texel, NULL));
	assert_null(eu_image_at(fixture->thread, &send, image, offset, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_overlaps_nowhere),
		cmocka_unit_test(test_moves),
		cmocka_unit_test(test_refuses),
		cmocka_unit_test(test_compressible),
		cmocka_unit_test(test_faults),
	};

	return cmocka_run_group_tests(tests, image_fixture_setup, image_fixture_teardown);
}
