// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "eu_image_fixture.h"

enum { W = 60, H = 40, PITCH = 128, READ = 0x04, WRITE = 0x0a, HEADER = 1 << 19 };

static uint8_t model[IMAGE_BYTES];

/* Widths are in dwords for these messages. */
static const struct image_form byte_form =
	IMAGE(GEN_SURFACE_2D, 0x143, 3, W / 4, H, 1, PITCH, 0, .levels = 1);
static const struct image_form dword_form =
	IMAGE(GEN_SURFACE_2D, 0x0d7, 0, W / 4, H, 1, PITCH, 0, .levels = 1);

static unsigned offset_of(const struct image_form *form, int x, int y)
{
	if (form->tile == 0)
		return (unsigned)(y * PITCH + x);
	return (unsigned)(y / 32 * 4096 + x / 16 * 512 + y % 32 * 16 + x % 16);
}

static int clamp(int x, int end)
{
	return x < 0 ? 0 : x >= end ? end - 1 : x;
}

static unsigned pitch_of(unsigned width)
{
	return width <= 4 ? 4 : width <= 8 ? 8 : width <= 16 ? 16 : width <= 32 ? 32 : 64;
}

struct block {
	int x, y;
	unsigned width, height;
};

static void begin(struct image_fixture *fixture, const struct image_form *form, struct block *block)
{
	static const unsigned widths[] = { 1, 2, 4, 8, 12, 16, 20, 32, 33, 64 };
	uint32_t *header;

	image_fixture_surface(fixture, form);
	image_fixture_shuffle(fixture);
	for (unsigned i = 0; i < IMAGE_BYTES; i++)
		model[i] = *image_byte(fixture, i);
	block->width = widths[image_random(fixture) % 10];
	block->height = 1 + image_random(fixture) % (256 / pitch_of(block->width));
	if (block->height > 64)
		block->height = 64;
	block->x = (int)(image_random(fixture) % 50) * 4 - 64;
	block->y = (int)(image_random(fixture) % 120) - 40;
	header = image_register(fixture, PAYLOAD);
	header[0] = (uint32_t)block->x;
	header[1] = (uint32_t)block->y;
	header[2] = (block->height - 1) << 16 | (block->width - 1);
}

static unsigned registers_of(const struct block *block)
{
	return (pitch_of(block->width) * block->height + 31) / 32;
}

static void test_reads(void **state)
{
	struct image_fixture *fixture = *state;

	for (unsigned round = 0; round < 400; round++) {
		const struct image_form *form = round % 2 ? &byte_form : &dword_form;
		unsigned texel = round % 2 ? 1 : 4;
		struct block block;
		const uint8_t *got = fixture->thread->grf + RESULT * 32;

		begin(fixture, form, &block);
		assert_int_equal(image_fixture_run(fixture, GEN_SFID_DC1, READ << 14 | HEADER, 1, 1,
					 registers_of(&block), 1),
			EU_RUN);
		for (unsigned r = 0; r < block.height; r++)
			for (unsigned b = 0; b < block.width; b++) {
				int x = block.x + (int)b, within = (x & 3) % (int)texel;
				int column = clamp((x - within) / (int)texel, W / (int)texel);
				int row = clamp(block.y + (int)r, H);
				assert_int_equal(got[r * pitch_of(block.width) + b],
					model[offset_of(form, column * (int)texel + within, row)]);
			}
	}
}

static void test_writes(void **state)
{
	struct image_fixture *fixture = *state;

	for (unsigned round = 0; round < 200; round++) {
		const struct image_form *form = round % 2 ? &byte_form : &dword_form;
		struct block block;
		const uint8_t *data = fixture->thread->grf + (PAYLOAD + 1) * 32;

		begin(fixture, form, &block);
		for (unsigned r = 0; r < block.height; r++)
			for (unsigned b = 0; b < block.width; b++) {
				int x = block.x + (int)b, y = block.y + (int)r;
				if (x >= 0 && x < W && y >= 0 && y < H)
					model[offset_of(form, x, y)] =
						data[r * pitch_of(block.width) + b];
			}
		assert_int_equal(image_fixture_run(fixture, GEN_SFID_DC1, WRITE << 14 | HEADER,
					 1 + registers_of(&block), 1, 0, 1),
			EU_RUN);
		for (unsigned i = 0; i < IMAGE_BYTES; i++)
			assert_int_equal(*image_byte(fixture, i), model[i]);
	}
}

static void test_refuses(void **state)
{
	static const struct image_form line =
		IMAGE(GEN_SURFACE_1D, 0x143, 0, W / 4, 1, 1, PITCH, 0, .levels = 1);
	struct image_fixture *fixture = *state;
	struct block block;

	begin(fixture, &byte_form, &block);
	image_register(fixture, PAYLOAD)[2] = 63 << 16 | 63;
	assert_int_equal(image_fixture_run(fixture, GEN_SFID_DC1, READ << 14 | HEADER, 1, 1, 8, 1),
		EU_FAULT);
	assert_non_null(strstr(fixture->fault.report, "larger than its registers"));
	begin(fixture, &line, &block);
	assert_int_equal(image_fixture_run(fixture, GEN_SFID_DC1, READ << 14 | HEADER, 1, 1, 8, 1),
		EU_FAULT);
	assert_non_null(strstr(fixture->fault.report, "no 2D image"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_writes),
		cmocka_unit_test(test_refuses),
	};

	return cmocka_run_group_tests(tests, image_fixture_setup, image_fixture_teardown);
}
