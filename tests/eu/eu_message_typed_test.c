// SPDX-License-Identifier: MIT
#include "test.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "eu_image_fixture.h"

enum { W = 13, H = 9, PITCH = 128, READ = 0x05, WRITE = 0x0d, ATOMIC = 0x06, SLOTS = 1 << 12 };

static uint8_t model[IMAGE_BYTES];

static const struct image_form form =
	IMAGE(GEN_SURFACE_2D, 0x0cb, 3, W, H, 1, PITCH, 0, .levels = 1);
static const struct image_form words =
	IMAGE(GEN_SURFACE_2D, 0x0d7, 3, W, H, 1, PITCH, 0, .levels = 1);

static void begin(struct image_fixture *fixture, const struct image_form *which, int *x, int *y)
{
	image_fixture_surface(fixture, which);
	image_fixture_shuffle(fixture);
	for (unsigned i = 0; i < IMAGE_BYTES; i++)
		model[i] = *image_byte(fixture, i);
	for (unsigned i = 0; i < 8; i++) {
		x[i] = (int)(image_random(fixture) % (W + 4)) - 2;
		y[i] = (int)(image_random(fixture) % (H + 4)) - 2;
	}
	memcpy(image_register(fixture, PAYLOAD), x, 32);
	memcpy(image_register(fixture, PAYLOAD + 1), y, 32);
}

/* Offset of a texel of 4 bytes in one row of tiles; -1 outside. */
static int offset_of(int x, int y)
{
	if (x < 0 || x >= W || y < 0 || y >= H)
		return -1;
	return x / 4 * 512 + y * 16 + x % 4 * 4;
}

static void run(struct image_fixture *fixture, uint32_t desc, unsigned payload, unsigned results,
	uint32_t lanes)
{
	if (image_fixture_run(fixture, GEN_SFID_DC1, desc, payload,
		    1 + image_random(fixture) % payload, results, lanes) != EU_RUN)
		fail_msg("%s", fixture->fault.report);
}

static void compare(struct image_fixture *fixture)
{
	for (unsigned i = 0; i < IMAGE_BYTES; i++)
		if (*image_byte(fixture, i) != model[i])
			fail_msg("byte %u: %u, should be %u", i, *image_byte(fixture, i), model[i]);
}

static void test_reads(void **state)
{
	struct image_fixture *fixture = *state;

	for (unsigned round = 0; round < 60; round++) {
		uint32_t off = round % 15, enabled = image_random(fixture) & 0xff, before[32];
		unsigned results = 4 - (unsigned)__builtin_popcount(off), n = 0;
		int x[8], y[8];

		begin(fixture, &form, x, y);
		memcpy(before, image_register(fixture, RESULT), sizeof(before));
		run(fixture, READ << 14 | SLOTS | off << 8, 2, results, enabled);
		for (unsigned c = 0; c < 4; c++) {
			if (off >> c & 1)
				continue;
			for (unsigned i = 0; i < 8; i++) {
				int at = offset_of(x[i], y[i]);
				uint32_t want = at >= 0 ? model[(unsigned)at + c] : c == 3;
				if (!(enabled >> i & 1))
					want = before[n * 8 + i];
				assert_int_equal(image_register(fixture, RESULT + n)[i], want);
			}
			n++;
		}
		compare(fixture);
	}
}

static void test_writes(void **state)
{
	struct image_fixture *fixture = *state;

	for (unsigned round = 0; round < 60; round++) {
		uint32_t off = round % 15, enabled = image_random(fixture) & 0xff;
		unsigned rows = 4 - (unsigned)__builtin_popcount(off);
		int x[8], y[8];

		begin(fixture, &form, x, y);
		for (unsigned i = 0; i < 8; i++) {
			int at = offset_of(x[i], y[i]);
			unsigned row = PAYLOAD + 2;
			for (unsigned c = 0; c < 4; c++) {
				uint32_t value;
				if (off >> c & 1)
					continue;
				image_register(fixture, row)[i] >>= image_random(fixture) % 32;
				value = image_register(fixture, row++)[i];
				if (at >= 0 && (enabled >> i & 1))
					model[(unsigned)at + c] =
						(uint8_t)(value > 255 ? 255 : value);
			}
		}
		run(fixture, WRITE << 14 | SLOTS | off << 8, 2 + rows, 0, enabled);
		compare(fixture);
	}
}

/* add, exchange, compare and exchange, in ascending order of lanes. */
static void test_atomics(void **state)
{
	static const struct {
		unsigned op, operands;
	} rows[] = { { 7, 1 }, { 4, 1 }, { 14, 2 }, { 5, 0 }, { 12, 1 } };
	struct image_fixture *fixture = *state;

	for (unsigned round = 0; round < 100; round++) {
		unsigned op = rows[round % 5].op, operands = rows[round % 5].operands;
		uint32_t enabled = image_random(fixture) & 0xff, want[8];
		int x[8], y[8];

		begin(fixture, &words, x, y);
		for (unsigned i = 0; i < 8; i++) {
			int at = offset_of(x[i], y[i]);
			uint32_t a = image_register(fixture, PAYLOAD + 2)[i], old = 0, new;
			uint32_t b = image_register(fixture, PAYLOAD + 3)[i];

			want[i] = image_register(fixture, RESULT)[i];
			if (!(enabled >> i & 1))
				continue;
			if (at >= 0)
				memcpy(&old, model + at, 4);
			if (op == 14 && i % 2) /* a comparison that holds */
				image_register(fixture, PAYLOAD + 2)[i] = a = old;
			new = op == 7	 ? old + a
			      : op == 4	 ? a
			      : op == 5	 ? old + 1
			      : op == 12 ? (old > a ? old : a)
			      : old == a ? b
					 : old;
			if (at >= 0)
				memcpy(model + at, &new, 4);
			want[i] = at >= 0 ? old : 0;
		}
		run(fixture, ATOMIC << 14 | op << 8 | 1u << 13, 2 + operands, 1, enabled);
		assert_memory_equal(image_register(fixture, RESULT), want, 32);
		compare(fixture);
	}
}

/* Missing coordinates are 0, so that the data follow directly. */
static void test_missing(void **state)
{
	struct image_fixture *fixture = *state;
	int x[8], y[8];

	begin(fixture, &form, x, y);
	for (int i = 0; i < 8; i++)
		memcpy(image_register(fixture, PAYLOAD) + i, &i, 4);
	for (unsigned i = 0; i < 32; i++)
		image_register(fixture, PAYLOAD + 1)[i] = i;
	run(fixture, WRITE << 14 | SLOTS, 5, 0, 0xff);
	for (unsigned i = 0; i < 32; i++)
		assert_int_equal(
			*image_byte(fixture, (unsigned)offset_of((int)i % 8, 0) + i / 8), i);
}

/* Sixteen lanes whose upper eight the message is for. */
static void test_upper_slots(void **state)
{
	struct image_fixture *fixture = *state;
	struct eu_send send = { .sfid = GEN_SFID_DC1,
		.desc = WRITE << 14 | 2u << 12 | IMAGE_INDEX,
		.src0 = PAYLOAD * 32,
		.mlen = 6,
		.exec_size = 16 };
	int x[8], y[8];

	begin(fixture, &form, x, y);
	for (int i = 0; i < 8; i++) {
		int row = 3;
		memcpy(image_register(fixture, PAYLOAD) + i, &i, 4);
		memcpy(image_register(fixture, PAYLOAD + 1) + i, &row, 4);
		for (unsigned c = 0; c < 4; c++)
			image_register(fixture, PAYLOAD + 2 + c)[i] = (unsigned)i * 4 + c;
		for (unsigned c = 0; c < 4 && i < 4; c++)
			model[(unsigned)offset_of(i, 3) + c] = (uint8_t)((unsigned)i * 4 + c);
	}
	assert_int_equal(eu_message_bind(fixture->worker.device, &send, &fixture->fault), 0);
	assert_int_equal(send.run(fixture->thread, &send, 0x0ff0), EU_RUN);
	compare(fixture);
}

/* Pixels of a thread that draws: of 8 and 16 channels, and one colour for 16. */
static void test_targets(void **state)
{
	enum { TARGET = 0x0c, LANES_8 = 4, REPLICATED = 1, UPPER = 8 };
	static const struct {
		unsigned control, lanes, registers, first;
	} rows[] = { { 0, 16, 8, 0 }, { LANES_8, 8, 4, 0 }, { REPLICATED, 16, 1, 0 },
		{ UPPER, 16, 8, 16 } };
	struct image_fixture *fixture = *state;

	for (unsigned round = 0; round < 80; round++) {
		const unsigned row = round % 4, lanes = rows[row].lanes;
		uint32_t enabled = image_random(fixture) & ((1u << lanes) - 1);
		struct eu_send send = { .sfid = GEN_SFID_RENDER,
			.desc = TARGET << 14 | rows[row].control << 8 | IMAGE_INDEX,
			.src0 = PAYLOAD * 32,
			.mlen = (uint8_t)rows[row].registers,
			.exec_size = (uint8_t)lanes };
		int x[8], y[8];

		begin(fixture, &form, x, y);
		fixture->dispatch.simd = row == 3 ? 32 : (uint8_t)lanes;
		fixture->dispatch.pixels =
			(struct eu_pixels){ 0, 0, W, H, 15 & ~(round % 3), NULL, 0 };
		fixture->group.id[0] = image_random(fixture) % 3;
		fixture->group.id[1] = image_random(fixture) % 6;
		fixture->group.id[2] = 0;
		for (unsigned i = 0; i < lanes; i++) {
			/* Blocks of 2 x 2 pixels side by side. */
			unsigned lane = rows[row].first + i;
			int at = offset_of((int)(fixture->group.id[0] * fixture->dispatch.simd / 2 +
						   lane / 4 * 2 + lane % 2),
				(int)(fixture->group.id[1] * 2 + lane % 4 / 2));
			for (unsigned c = 0; c < 4; c++) {
				uint32_t *value =
					row == 2 ? image_register(fixture, PAYLOAD) + c
						 : image_register(fixture, PAYLOAD) + c * lanes + i;
				if (i == 0 || row != 2)
					*value >>= image_random(fixture) % 32;
				if (at >= 0 && (enabled >> i & 1) &&
					(fixture->dispatch.pixels.channels >> c & 1))
					model[(unsigned)at + c] =
						(uint8_t)(*value > 255 ? 255 : *value);
			}
		}
		assert_int_equal(
			eu_message_bind(fixture->worker.device, &send, &fixture->fault), 0);
		assert_int_equal(send.run(fixture->thread, &send, enabled), EU_RUN);
		compare(fixture);
		fixture->dispatch.pixels.right = 0;
		assert_int_equal(send.run(fixture->thread, &send, enabled), EU_FAULT);
		assert_non_null(strstr(fixture->fault.report, "nothing is drawn"));
		/* Masks beside depth, halves and two colours are none that it has. */
		send.mlen += 3;
		assert_int_not_equal(
			eu_message_bind(fixture->worker.device, &send, &fixture->fault), 0);
		send.mlen -= 3;
		send.desc |= 2 << 8;
		assert_int_not_equal(
			eu_message_bind(fixture->worker.device, &send, &fixture->fault), 0);
		memset(&fixture->fault, 0, sizeof(fixture->fault));
	}
}

enum { WRITES = 20000 };

struct writer {
	struct image_fixture *fixture;
	unsigned channel;
	bool failed;
};

/* Writes one channel of a texel again and again, and reads what it wrote. */
static void *write_channel(void *argument)
{
	struct writer *writer = argument;
	struct image_fixture *fixture = writer->fixture;
	struct eu_thread *thread = aligned_alloc(64, (sizeof *thread + 63) & ~(size_t)63);
	struct eu_worker worker = fixture->worker;
	struct eu_send send = { .sfid = GEN_SFID_DC1,
		.desc = WRITE << 14 | SLOTS | (15u & ~(1u << writer->channel)) << 8 | IMAGE_INDEX,
		.src0 = PAYLOAD * 32,
		.mlen = 3,
		.exec_size = 8 };

	worker.images = NULL;
	memset(thread, 0, sizeof *thread);
	thread->worker = &worker;
	writer->failed = eu_message_bind(worker.device, &send, worker.fault) != 0;
	for (unsigned n = 0; n < WRITES && !writer->failed; n++) {
		uint32_t value = n & 0xff;
		const volatile uint8_t *texel = image_byte(fixture, 0);
		memcpy(thread->grf + (PAYLOAD + 2) * 32, &value, 4);
		writer->failed =
			send.run(thread, &send, 1) != EU_RUN || texel[writer->channel] != value;
	}
	eu_images_finish(&worker);
	free(thread);
	return NULL;
}

static void test_channels_do_not_lose_writes(void **state)
{
	struct image_fixture *fixture = *state;
	struct writer writers[2] = { { fixture, 0, false }, { fixture, 2, false } };
	pthread_t threads[2];
	int x[8], y[8];

	begin(fixture, &form, x, y);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, write_channel, &writers[i]), 0);
	for (unsigned i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert_false(writers[0].failed || writers[1].failed);
}

static void test_refuses(void **state)
{
	struct image_fixture *fixture = *state;
	const struct eu_send good = { .sfid = GEN_SFID_DC1,
		.desc = WRITE << 14 | SLOTS | IMAGE_INDEX,
		.src0 = 32,
		.src1 = 640,
		.mlen = 2,
		.xlen = 4,
		.exec_size = 8 };
	struct eu_send bad = good;
	int x[8], y[8];

	assert_int_equal(eu_message_bind(fixture->worker.device, &bad, &fixture->fault), 0);
	bad.exec_size = 16;
	assert_int_equal(eu_message_bind(fixture->worker.device, &bad, &fixture->fault), -1);
	bad = good;
	bad.xlen = 2; /* one coordinate, four channels */
	assert_int_equal(eu_message_bind(fixture->worker.device, &bad, &fixture->fault), -1);
	bad = good;
	bad.desc |= 0xf00;
	assert_int_equal(eu_message_bind(fixture->worker.device, &bad, &fixture->fault), -1);
	bad = good;
	bad.desc |= 0xff;
	assert_int_equal(eu_message_bind(fixture->worker.device, &bad, &fixture->fault), -1);
	/* an atomic of dwords on texels of 8 bytes */
	begin(fixture, &words, x, y);
	fixture->state[256] = (fixture->state[256] & ~(0x1ffu << 18)) | 0x087u << 18;
	eu_images_forget(&fixture->worker);
	assert_int_equal(
		image_fixture_run(fixture, GEN_SFID_DC1, ATOMIC << 14 | 7u << 8, 3, 3, 0, 0xff),
		EU_FAULT);
	assert_non_null(strstr(fixture->fault.report, "R32G32_UINT"));
	/* a write to a format that is only read */
	begin(fixture, &words, x, y);
	fixture->state[256] = (fixture->state[256] & ~(0x1ffu << 18)) | 0x0edu << 18;
	eu_images_forget(&fixture->worker);
	assert_int_equal(
		image_fixture_run(fixture, GEN_SFID_DC1, WRITE << 14 | SLOTS, 6, 1, 0, 0xff),
		EU_FAULT);
	assert_non_null(strstr(fixture->fault.report, "R9G9B9E5_SHAREDEXP"));
	compare(fixture);
}

/* ---- notes of clears ---- */

enum { C_W = 150, C_H = 70, C_PITCH = 640, C_TILES = 3, COLOUR = 128, LD_LZ = 0x1a };

static unsigned line_of(unsigned x, unsigned y)
{
	unsigned bytes = x * 4, tile = y / 32 * (C_PITCH / 128) + bytes / 128;

	return tile * 64 + bytes % 128 / 16 * 8 + y % 32 / 4;
}

/* A message of one channel that writes a pixel. */
static enum eu_status write_pixel(
	struct image_fixture *fixture, unsigned effect, const unsigned at[2])
{
	struct eu_send send = { .sfid = GEN_SFID_RENDER,
		.desc = 0x0c << 14 | 4 << 8 | IMAGE_INDEX,
		.src0 = PAYLOAD * 32,
		.mlen = 4,
		.exec_size = 8 };

	fixture->dispatch.simd = 8;
	fixture->dispatch.pixels = (struct eu_pixels){ 0, 0, 3, 5, 15, NULL, (uint8_t)effect };
	fixture->group.id[0] = at[0] / 4;
	fixture->group.id[1] = at[1] / 2;
	fixture->group.id[2] = 0;
	eu_images_forget(&fixture->worker);
	memset(&fixture->fault, 0, sizeof(fixture->fault));
	assert_int_equal(eu_message_bind(fixture->worker.device, &send, &fixture->fault), 0);
	return send.run(
		fixture->thread, &send, 1u << (at[0] % 4 / 2 * 4 + at[1] % 2 * 2 + at[0] % 2));
}

/* A surface whose colour is behind its state: channels, then the bits of a texel that differ. */
static void describe(struct image_fixture *fixture, uint32_t *colour)
{
	static const struct image_form noted =
		IMAGE(GEN_SURFACE_2D, 0x0c7, 3, C_W, C_H, 1, C_PITCH, 0, .levels = 1);
	uint32_t *d;

	image_fixture_surface(fixture, &noted);
	d = image_fixture_state(fixture);
	d[6] = image_random(fixture) % 2 ? GEN_AUX_CCS_D : GEN_AUX_CCS_E;
	d[10] = 1 << 10;
	d[12] = (uint32_t)image_fixture_state_at(COLOUR) | 1 << 5;
	d[13] = (uint32_t)(image_fixture_state_at(COLOUR) >> 32);
	for (unsigned c = 0; c < 4; c++) {
		float value = (float)(image_random(fixture) % 256) / 255;

		memcpy(d + COLOUR / 4 + c, &value, 4);
		colour[0] = colour[0] >> 8 | (uint32_t)(value * 255 + .5f) << 24;
	}
	colour[1] = d[COLOUR / 4 + 4] = image_random(fixture);
}

/*
 * Texels that are noted as cleared stay as they are until a message needs the surface, then all of
 * their lines have the colour that the state says at that time; unless they were forgotten.
 */
static void test_clears(void **state)
{
	enum { TYPED, SAMPLER, RESOLVE, USERS };
	static bool noted[C_TILES * C_PITCH / 128 * 64];
	struct image_fixture *fixture = *state;

	for (unsigned round = 0; round < 24; round++) {
		const unsigned user = round % USERS;
		uint32_t colour[2] = { 0 };

		describe(fixture, colour);
		image_fixture_shuffle(fixture);
		for (unsigned i = 0; i < IMAGE_BYTES; i++)
			model[i] = *image_byte(fixture, i);
		memset(noted, 0, sizeof(noted));
		for (unsigned n = 0; n < 9; n++) {
			const unsigned at[2] = { image_random(fixture) % 3,
				image_random(fixture) % 5 };
			const bool notes = image_random(fixture) % 3 != 0;

			assert_int_equal(
				write_pixel(fixture, notes ? EU_PIXELS_NOTE : EU_PIXELS_FORGET, at),
				EU_RUN);
			for (unsigned y = at[1] * 16; y < at[1] * 16 + 16 && y < C_H; y++)
				for (unsigned x = at[0] * 64; x < at[0] * 64 + 64 && x < C_W; x++)
					noted[line_of(x, y)] = notes;
		}
		compare(fixture);
		memset(image_register(fixture, PAYLOAD), 0, 96);
		fixture->dispatch.pixels = (struct eu_pixels){ 0 };
		eu_images_forget(&fixture->worker);
		if (user == RESOLVE)
			write_pixel(fixture, EU_PIXELS_RESOLVE, (const unsigned[2]){ 0, 0 });
		else if (user == SAMPLER)
			image_fixture_run(
				fixture, GEN_SFID_SAMPLER, 1u << 17 | LD_LZ << 12, 1, 1, 4, 1);
		else
			run(fixture, READ << 14 | SLOTS, 2, 4, 1);
		for (unsigned i = 0; i < sizeof(noted); i++)
			for (unsigned b = 0; noted[i] && b < 64; b += 4)
				memcpy(model + i * 64 + b, &colour[user == SAMPLER], 4);
		compare(fixture);
	}
}

/* Texels of which no line consists, and levels that do not exist. */
static void test_odd_clears(void **state)
{
	enum { THREE_FLOATS = 0x040 };
	struct image_fixture *fixture = *state;
	uint32_t colour[2] = { 0 }, *d;

	describe(fixture, colour);
	d = image_fixture_state(fixture);
	d[0] = (d[0] & ~(0x1ffu << 18)) | THREE_FLOATS << 18;
	assert_int_equal(write_pixel(fixture, EU_PIXELS_NOTE, (const unsigned[2]){ 0, 0 }), EU_RUN);
	assert_int_equal(
		write_pixel(fixture, EU_PIXELS_RESOLVE, (const unsigned[2]){ 0, 0 }), EU_FAULT);
	assert_non_null(strstr(fixture->fault.report, "cannot be cleared"));
	d = image_fixture_state(fixture);
	d[5] = 3 << 4; /* the first level is the fourth, of one */
	image_fixture_shuffle(fixture);
	for (unsigned i = 0; i < IMAGE_BYTES; i++)
		model[i] = *image_byte(fixture, i);
	assert_int_equal(write_pixel(fixture, EU_PIXELS_NOTE, (const unsigned[2]){ 1, 1 }), EU_RUN);
	compare(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_writes),
		cmocka_unit_test(test_atomics),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_upper_slots),
		cmocka_unit_test(test_targets),
		cmocka_unit_test(test_clears),
		cmocka_unit_test(test_odd_clears),
		cmocka_unit_test(test_channels_do_not_lose_writes),
		cmocka_unit_test(test_refuses),
	};

	return cmocka_run_group_tests(tests, image_fixture_setup, image_fixture_teardown);
}
