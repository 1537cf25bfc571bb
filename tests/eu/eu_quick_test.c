// SPDX-License-Identifier: MIT
/*
 * Messages that vectors execute give what the general path gives, which is all that executes them
 * while a probe sees texels: random images, samplers, coordinates and masks, of each family.
 */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eu_image_fixture.h"

#include "eu/sampler/eu_sampler.h"
#include "eu/state/eu_float_mode.h"
#include "eu/state/eu_host.h"
#include "eu/state/eu_probe.h"
#include "gen/gen_device.h"
#include "gen/gen_format.h"
#include "gen/gen_tile.h"

enum {
	ROUNDS = 6000,
	FIRST = 6 * 4096, /* where the image begins: all of it is in the second buffer */
	ROOM = IMAGE_BYTES - IMAGE_CUT,
	READ = 0x05,
	WRITE = 0x0d,
	SLOTS = 1 << 12,
	SAMPLE = 0x00,
	SAMPLE_L = 0x02,
	LD = 0x07,
	SAMPLE_LZ = 0x18,
	LD_LZ = 0x1a,
	HEADER = 1 << 19,
	NARROW = 1 << 30, /* halves come back */
	BORDER_AT = 0xa00,
};

static const char *const families[] = { "skl", "icl", "tgllp", "dg2" };

struct scene {
	struct image_fixture *fixture;
	struct eu_probe probe;
	uint8_t *before, *after; /* of the image */
	uint8_t grf[GEN_GRF_COUNT * GEN_GRF_BYTES], result[GEN_GRF_COUNT * GEN_GRF_BYTES];
	struct image_form form;
	unsigned quick; /* rounds in which vectors may have executed the message */
};

static unsigned pick(struct scene *scene, unsigned count)
{
	return image_random(scene->fixture) / 8 % count;
}

static void texels(const struct eu_probe *probe, struct eu_thread *thread,
	const struct eu_send *send, const struct eu_texels *touched)
{
	(void)probe, (void)thread, (void)send, (void)touched;
}

/* ---- random states ---- */

/* Tiles of 64 KiB are so large that there is room for few. */
static void fit_tiles(struct scene *scene, unsigned bytes)
{
	struct image_form *form = &scene->form;
	const bool deep = form->type == GEN_SURFACE_3D;
	const unsigned log = (unsigned)__builtin_popcount(gen_tile_64_find(bytes, deep)->x);

	form->pitch = ((form->width * bytes - 1) >> log << log) + (1u << log);
	form->depth = deep ? form->depth : 1;
	form->first_layer = deep ? pick(scene, 40) : 0;
	form->qpitch = deep ? 64 : 256;
}

static void choose_image(struct scene *scene)
{
	static const uint8_t types[] = { GEN_SURFACE_1D, GEN_SURFACE_2D, GEN_SURFACE_2D,
		GEN_SURFACE_2D, GEN_SURFACE_3D, GEN_SURFACE_BUFFER };
	struct image_form *form = &scene->form;
	const struct gen_format *format;

	*form = (struct image_form){ .type = types[pick(scene, 6)], .levels = 1 };
	do {
		form->format = pick(scene, 0x180);
		format = gen_format_find(form->format);
	} while (!format || format->unblock);
	form->width = 1 + pick(scene, 40);
	form->height = form->type >= GEN_SURFACE_2D ? 1 + pick(scene, 40) : 1;
	form->depth = form->type == GEN_SURFACE_BUFFER ? 1 : 1 + pick(scene, 5);
	form->array = form->type != GEN_SURFACE_BUFFER && pick(scene, 2);
	form->levels = pick(scene, 8) ? 1 : 2;
	form->halign = form->valign = 1;
	form->first_layer = form->type == GEN_SURFACE_3D || form->array ? pick(scene, 2) : 0;
	form->tile =
		form->type >= GEN_SURFACE_2D && form->type <= GEN_SURFACE_3D ? pick(scene, 4) : 0;
	if (form->tile == 1 && scene->fixture->worker.device->family->generation != GEN_HPG)
		form->tile = 3;
	form->pitch = form->type == GEN_SURFACE_BUFFER ? 0u + format->bytes
		      : form->tile == 0 ? format->bytes * (form->width + pick(scene, 9))
					: 1024u >> pick(scene, 2);
	form->qpitch = 64;
	if (form->tile == 1)
		fit_tiles(scene, format->bytes);
}

static void choose_states(struct scene *scene)
{
	static const unsigned modes[] = { GEN_ADDRESS_WRAP, GEN_ADDRESS_MIRROR, GEN_ADDRESS_CLAMP,
		GEN_ADDRESS_BORDER, GEN_ADDRESS_MIRROR_ONCE };
	static const unsigned selects[] = { 0, 1, 4, 5, 6, 7 };
	struct image_fixture *fixture = scene->fixture;
	const unsigned mag = pick(scene, 2), min = pick(scene, 8) ? mag : 1 - mag;
	const float border[4] = { 0.25f, 0.5f, 0.75f, 0.125f };
	const uint32_t sampler[4] = { mag << 17 | min << 14 | 1u << 20, 14u << 16, BORDER_AT,
		modes[pick(scene, 5)] << 6 | modes[pick(scene, 5)] << 3 | modes[pick(scene, 5)] |
			pick(scene, 2) << 10 };
	uint32_t *state;

	fixture->worker.device = gen_device_find(families[pick(scene, 4)]);
	choose_image(scene);
	image_fixture_surface(fixture, &scene->form);
	state = image_fixture_state(fixture);
	state[8] += FIRST;
	for (unsigned c = 0; c < 4 && pick(scene, 3) == 0; c++) {
		state[7] &= ~(7u << (16 + 3 * c));
		state[7] |= selects[pick(scene, 6)] << (16 + 3 * c);
	}
	memcpy(fixture->state + BORDER_AT / 4, border, sizeof(border));
	image_fixture_sampler(fixture, sampler);
}

/* Coordinates in a row, reversed, in a column, or anywhere, some of them beyond the image. */
static int whole_coordinate(struct scene *scene, unsigned pattern, unsigned size, unsigned lane)
{
	const int first = (int)pick(scene, 4) == 0 ? -2 : 1;

	if (pattern == 0)
		return first + (int)lane;
	if (pattern == 1)
		return (int)size - 1 - (int)lane;
	if (pattern == 2)
		return (int)(size / 2);
	if (pick(scene, 16) == 0)
		return (int)image_random(scene->fixture);
	return (int)pick(scene, size + 4) - 2;
}

static void choose_coordinates(
	struct scene *scene, unsigned first, unsigned lanes, unsigned count, bool floats)
{
	const struct image_form *form = &scene->form;
	const unsigned sizes[3] = { form->width, form->height, form->depth };
	static const float strange[] = { NAN, INFINITY, -INFINITY, -0.0f, 0x1p30f, -0x1p40f,
		0x1p-140f, 1.0f };

	for (unsigned n = 0; n < count; n++) {
		const unsigned pattern = pick(scene, 5), size = n < 3 ? sizes[n] : 1;
		const bool unit = pick(scene, 2);

		for (unsigned i = 0; i < lanes; i++) {
			uint32_t *at =
				image_register(scene->fixture, PAYLOAD + first + n * lanes / 8) + i;
			int whole = whole_coordinate(scene, pattern, size, i);
			float value = (float)whole + (float)pick(scene, 64) / 64.0f;

			value = pick(scene, 64) ? value : strange[pick(scene, 8)];
			value = unit ? value / (float)size : value;
			memcpy(at, floats ? (void *)&value : (void *)&whole, 4);
		}
	}
}

/* ---- comparing ---- */

struct message {
	unsigned sfid, payload, cut, results;
	uint32_t desc, lanes;
};

static enum eu_status run_once(struct scene *scene, const struct message *message, bool watched)
{
	struct image_fixture *fixture = scene->fixture;

	memcpy(fixture->thread->grf, scene->grf, sizeof(scene->grf));
	memcpy(fixture->high, scene->before, ROOM);
	fixture->worker.probe = watched ? &scene->probe : NULL;
	fixture->thread->float_mode = image_random(fixture) & 64 ? eu_float_mode_plain() : 0;
	return image_fixture_run(fixture, message->sfid, message->desc, message->payload,
		message->cut, message->results, message->lanes);
}

/* Whether registers are the same but for the bits of what is no number, which nobody promises. */
static bool same(const void *a, const void *b, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += 4) {
		uint32_t x, y;

		memcpy(&x, (const uint8_t *)a + at, 4);
		memcpy(&y, (const uint8_t *)b + at, 4);
		if (x == y || ((x & 0x7fffffff) > 0x7f800000 && (y & 0x7fffffff) > 0x7f800000))
			continue;
		for (unsigned half = 0; half < 2; half++, x >>= 16, y >>= 16)
			if ((x & 0xffff) != (y & 0xffff) &&
				!((x & 0x7fff) > 0x7c00 && (y & 0x7fff) > 0x7c00))
				return false;
	}
	return true;
}

static void compare(struct scene *scene, unsigned round, const struct message *message)
{
	struct image_fixture *fixture = scene->fixture;
	const struct eu_send send = { .access = { .name = "test", .index = IMAGE_INDEX } };
	const struct eu_image *image;
	enum eu_status status;
	char report[sizeof(fixture->fault.report)];

	memcpy(scene->grf, fixture->thread->grf, sizeof(scene->grf));
	status = run_once(scene, message, true);
	memcpy(report, fixture->fault.report, sizeof(report));
	memcpy(scene->result, fixture->thread->grf, sizeof(scene->grf));
	memcpy(scene->after, fixture->high, ROOM);
	if (run_once(scene, message, false) != status || strcmp(report, fixture->fault.report) != 0)
		fail_msg("round %u: %s, not %s", round, fixture->fault.report, report);
	image = eu_image_find(fixture->thread, &send);
	scene->quick += image && image->quick.ready;
	if (!image)
		return;
	if (!same(scene->result, fixture->thread->grf, sizeof(scene->grf)))
		fail_msg("round %u: registers differ (%s, type %u, tile %u)", round,
			image->format->name, scene->form.type, scene->form.tile);
	if (memcmp(scene->after, fixture->high, ROOM) != 0)
		fail_msg("round %u: texels differ (%s, type %u, tile %u)", round,
			image->format->name, scene->form.type, scene->form.tile);
}

static void begin(struct scene *scene, void **state)
{
	memset(scene, 0, sizeof(*scene));
	scene->fixture = *state;
	scene->probe.texels = texels;
	scene->before = malloc(ROOM);
	scene->after = malloc(ROOM);
	assert_true(scene->before && scene->after);
	image_fixture_shuffle(scene->fixture);
	memcpy(scene->before, scene->fixture->high, ROOM);
}

static void end(struct scene *scene)
{
	free(scene->before);
	free(scene->after);
	if (eu_target_select().host != EU_HOST_BASE)
		assert_true(scene->quick > ROUNDS / 3);
}

/* All lanes, none of the last ones, or some. */
static uint32_t choose_lanes(struct scene *scene, unsigned lanes)
{
	const uint32_t all = (1u << lanes) - 1;

	return pick(scene, 2)	? all
	       : pick(scene, 2) ? all >> pick(scene, lanes)
				: image_random(scene->fixture) & all;
}

static void test_samples(void **state)
{
	static const uint8_t types[] = { SAMPLE, SAMPLE_L, SAMPLE_LZ, SAMPLE_LZ, LD, LD_LZ };
	static struct scene scene;

	begin(&scene, state);
	for (unsigned round = 0; round < ROUNDS; round++) {
		const unsigned type = types[pick(&scene, 6)], lanes = pick(&scene, 2) ? 16 : 8;
		const bool header = pick(&scene, 8) == 0, floats = type != LD && type != LD_LZ;
		const bool narrow = pick(&scene, 8) == 0;
		const unsigned first = header + (type == SAMPLE_L ? lanes / 8 : 0);
		const unsigned count = type == LD_LZ || type == SAMPLE_LZ ? 3 : 4;
		struct message message = { .sfid = GEN_SFID_SAMPLER,
			.results = narrow ? 4 : lanes / 2 };

		choose_states(&scene);
		choose_coordinates(&scene, first, lanes, count, floats);
		if (type == SAMPLE_L) /* of level 0, or 1 */
			memset(image_register(scene.fixture, PAYLOAD + header), 0, lanes * 4);
		if (type == LD && pick(&scene, 4))
			memset(image_register(scene.fixture, PAYLOAD + header + 2 * lanes / 8), 0,
				lanes * 4);
		if (header) {
			memset(image_register(scene.fixture, PAYLOAD), 0, 32);
			image_register(scene.fixture, PAYLOAD)[2] =
				image_random(scene.fixture) & 0xf000;
			image_register(scene.fixture, PAYLOAD)[3] =
				scene.fixture->dispatch.sampler_state;
		}
		message.desc = type << 12 | (lanes == 16 ? 2u : 1u) << 17 | SAMPLER_INDEX << 8 |
			       (header ? HEADER : 0) | (narrow ? NARROW : 0);
		message.payload = first + (count - pick(&scene, 2)) * lanes / 8;
		message.lanes = choose_lanes(&scene, lanes);
		message.cut = 1 + pick(&scene, message.payload);
		compare(&scene, round, &message);
	}
	end(&scene);
}

static void check_typed(void **state, unsigned type)
{
	static struct scene scene;

	begin(&scene, state);
	for (unsigned round = 0; round < ROUNDS; round++) {
		const unsigned rows = 3 +
				      (pick(&scene, 8) ? 0 : pick(&scene, type == READ ? 9 : 2)),
			       off = pick(&scene, 3) ? 0 : pick(&scene, 15);
		const unsigned channels = 4 - (unsigned)__builtin_popcount(off);
		struct message message = { .sfid = GEN_SFID_DC1, .payload = rows };

		choose_states(&scene);
		if (type == WRITE && gen_format_find(scene.form.format)->kind == GEN_FORMAT_SHARED)
			continue;
		choose_coordinates(&scene, 0, 8, rows, false);
		if (pick(&scene, 2))
			memset(image_register(scene.fixture, PAYLOAD + 3), 0, 32);
		for (unsigned i = 0; type == WRITE && i < channels * 8; i++) {
			uint32_t *value = image_register(scene.fixture, PAYLOAD + rows) + i;
			float small = (float)((int)pick(&scene, 3000) - 1000) / 1000.0f;

			*value = image_random(scene.fixture);
			if (pick(&scene, 2))
				memcpy(value, &small, 4);
			else if (pick(&scene, 2))
				*value = (uint32_t)((int32_t)*value >> pick(&scene, 32));
		}
		if (type == WRITE)
			message.payload += channels;
		else
			message.results = channels;
		message.desc = type << 14 | SLOTS | off << 8;
		message.lanes = choose_lanes(&scene, 8);
		message.cut = 1 + pick(&scene, message.payload);
		compare(&scene, round, &message);
	}
	end(&scene);
}

static void test_reads(void **state)
{
	check_typed(state, READ);
}

static void test_writes(void **state)
{
	check_typed(state, WRITE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_writes),
	};
	return cmocka_run_group_tests(tests, image_fixture_setup, image_fixture_teardown);
}
