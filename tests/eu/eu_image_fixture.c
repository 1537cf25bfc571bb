// SPDX-License-Identifier: MIT
#include "test.h"
#include "test_random.h"

#include <stdlib.h>
#include <string.h>

#include "eu_image_fixture.h"

#include "gen/gen_device.h"

/* Dword offsets in fixture->state. */
enum { TABLE = 16, STATES = 256, SAMPLERS = 512 };
#define STATE_BASE UINT64_C(0x1234000)

static bool find(void *self, uint64_t address, struct eu_range *range)
{
	struct image_fixture *fixture = self;

	if (address - STATE_BASE < sizeof(fixture->state))
		*range = (struct eu_range){ STATE_BASE, STATE_BASE + sizeof(fixture->state),
			(uint8_t *)fixture->state, 0, NULL };
	else if (address - IMAGE_BASE < IMAGE_CUT)
		*range = (struct eu_range){ IMAGE_BASE, IMAGE_BASE + IMAGE_CUT, fixture->low, 0,
			&fixture->cleared[0] };
	else if (address - IMAGE_BASE < IMAGE_BYTES)
		*range = (struct eu_range){ IMAGE_BASE + IMAGE_CUT, IMAGE_BASE + IMAGE_BYTES,
			fixture->high, 0, &fixture->cleared[1] };
	else
		return false;
	return true;
}

int image_fixture_setup(void **state)
{
	struct image_fixture *fixture = aligned_alloc(64, (sizeof(*fixture) + 63) & ~(size_t)63);

	assert_non_null(fixture);
	memset(fixture, 0, sizeof(*fixture));
	fixture->thread = aligned_alloc(64, (sizeof(struct eu_thread) + 63) & ~(size_t)63);
	fixture->low = malloc(IMAGE_CUT);
	fixture->high = malloc(IMAGE_BYTES - IMAGE_CUT);
	assert_true(fixture->thread && fixture->low && fixture->high);
	memset(fixture->thread, 0, sizeof(*fixture->thread));
	fixture->bus = (struct eu_bus){ fixture, find };
	fixture->dispatch = (struct eu_dispatch){
		.bus = &fixture->bus,
		.surface_state_base = STATE_BASE,
		.binding_table_base = STATE_BASE,
		.dynamic_state_base = STATE_BASE,
		.binding_table = TABLE * 4,
		.sampler_state = SAMPLERS * 4,
	};
	fixture->worker = (struct eu_worker){
		.dispatch = &fixture->dispatch,
		.device = gen_device_find(NULL),
		.translations = &fixture->translation,
		.surfaces = fixture->surfaces,
		.fault = &fixture->fault,
	};
	fixture->group = (struct eu_group){ .dispatch = &fixture->dispatch, .live = 1 };
	fixture->thread->group = &fixture->group;
	fixture->thread->worker = &fixture->worker;
	fixture->state[TABLE + IMAGE_INDEX] = STATES * 4;
	fixture->random = 4711;
	*state = fixture;
	return 0;
}

int image_fixture_teardown(void **state)
{
	struct image_fixture *fixture = *state;

	eu_images_finish(&fixture->worker);
	free(fixture->thread);
	free(fixture->cleared[0]);
	free(fixture->cleared[1]);
	free(fixture->low);
	free(fixture->high);
	free(fixture);
	return 0;
}

uint32_t image_random(struct image_fixture *fixture)
{
	return (uint32_t)test_random(&fixture->random);
}

static uint32_t less_one(unsigned size)
{
	return size ? size - 1 : 0;
}

void image_fixture_surface(struct image_fixture *fixture, const struct image_form *form)
{
	uint32_t *d = fixture->state + STATES;

	memset(d, 0, 64);
	d[0] = form->type << 29 | (uint32_t)form->array << 28 | form->format << 18 |
	       form->valign << 16 | form->halign << 14 | form->tile << 12;
	d[1] = form->qpitch >> 2;
	d[2] = less_one(form->height) << 16 | less_one(form->width);
	d[3] = less_one(form->depth) << 21 | less_one(form->pitch);
	if (form->type == GEN_SURFACE_BUFFER) {
		d[2] = (less_one(form->width) >> 7 & 0x3fff) << 16 | (less_one(form->width) & 0x7f);
		d[3] = less_one(form->width) >> 21 << 21 | less_one(form->pitch);
	}
	d[4] = form->first_layer << 18;
	d[5] = form->min_lod << 4 | less_one(form->levels);
	d[7] = 4u << 25 | 5u << 22 | 6u << 19 | 7u << 16;
	d[8] = (uint32_t)IMAGE_BASE;
	d[9] = (uint32_t)(IMAGE_BASE >> 32);
	eu_images_forget(&fixture->worker);
}

uint32_t *image_fixture_state(struct image_fixture *fixture)
{
	eu_images_forget(&fixture->worker);
	return fixture->state + STATES;
}

uint64_t image_fixture_state_at(unsigned offset)
{
	return STATE_BASE + STATES * 4 + offset;
}

void image_fixture_sampler(struct image_fixture *fixture, const uint32_t dwords[4])
{
	memcpy(fixture->state + SAMPLERS + SAMPLER_INDEX * 4, dwords, 16);
	eu_images_forget(&fixture->worker);
}

uint8_t *image_byte(struct image_fixture *fixture, uint64_t offset)
{
	assert_true(offset < IMAGE_BYTES);
	return offset < IMAGE_CUT ? fixture->low + offset : fixture->high + (offset - IMAGE_CUT);
}

void image_fixture_shuffle(struct image_fixture *fixture)
{
	for (unsigned i = 0; i < IMAGE_BYTES; i++)
		*image_byte(fixture, i) = (uint8_t)(image_random(fixture) >> 9);
	for (unsigned i = 0; i < sizeof(fixture->thread->grf); i++)
		fixture->thread->grf[i] = (uint8_t)(image_random(fixture) >> 9);
}

uint32_t *image_register(struct image_fixture *fixture, unsigned number)
{
	return (uint32_t *)(void *)(fixture->thread->grf + number * 32);
}

enum eu_status image_fixture_run(struct image_fixture *fixture, unsigned sfid, uint32_t desc,
	unsigned payload, unsigned cut, unsigned results, uint32_t lanes)
{
	struct eu_send send = {
		.sfid = (uint8_t)sfid,
		.desc = desc | IMAGE_INDEX,
		.src0 = PAYLOAD * 32,
		.src1 = SPLIT * 32,
		.dst = RESULT * 32,
		.mlen = (uint8_t)cut,
		.xlen = (uint8_t)(payload - cut),
		.rlen = (uint8_t)results,
		.exec_size = sfid == GEN_SFID_SAMPLER && (desc >> 17 & 3) == 2 ? 16 : 8,
		.writes = results > 0,
	};

	memcpy(image_register(fixture, SPLIT), image_register(fixture, PAYLOAD + cut),
		(payload - cut) * 32);
	memset(&fixture->fault, 0, sizeof(fixture->fault));
	if (eu_message_bind(fixture->worker.device, &send, &fixture->fault) != 0)
		fail_msg("%s", fixture->fault.report);
	return send.run(fixture->thread, &send, lanes);
}
