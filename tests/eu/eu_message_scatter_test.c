// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "eu_message_fixture.h"

#include "gen/gen_inst.h"

/* One message as the test means it; the descriptor is made from this, not the other way round. */
struct form {
	enum eu_space space;
	unsigned index; /* binding table index */
	unsigned lanes, size, count, shift;
	unsigned channels; /* untyped: mask of enabled channels; then size is 4 */
	bool write;
	uint8_t sfid;
	uint32_t desc; /* without binding table index */
};

enum { UNTYPED = 0x01, UNTYPED_A64 = 0x11, BYTES = 0x04, QWORDS = 0x05, DWORDS = 0x03 };

static struct form untyped(
	enum eu_space space, unsigned index, unsigned lanes, unsigned channels, bool write)
{
	unsigned type = (space == EU_SPACE_A64 ? UNTYPED_A64 : UNTYPED) + (write ? 8 : 0);
	unsigned count = 0;

	while (channels >> count != 0)
		count++;
	return (struct form){ space, index, lanes, 4, count, 0, channels, write, GEN_SFID_DC1,
		type << 14 | (~channels & 0xf) << 8 | (lanes == 16 ? 1u : 2u) << 12 };
}

static struct form scattered(enum eu_space space, unsigned index, unsigned lanes, unsigned size,
	unsigned log_count, bool write)
{
	unsigned log_size = size == 8 ? 3 : size / 2, simd = lanes == 16;
	struct form form = { space, index, lanes, size, 1u << log_count, 0, 0, write, GEN_SFID_DC0,
		0 };

	if (space == EU_SPACE_A64) {
		form.sfid = GEN_SFID_DC1;
		form.desc = (write ? 0x1au : 0x10u) << 14 | simd << 12;
		if (size <= 2) /* bytes: the count says how many */
			form.desc |= log_size << 10;
		else
			form.desc |= (size == 8 ? 2u : 1u) << 8 | log_count << 10;
	} else if (size == 8) {
		form.desc =
			(QWORDS + (write ? 8u : 0u)) << 14 | simd << 8 | 1u << 9 | log_count << 10;
	} else {
		form.desc = (BYTES + (write ? 8u : 0u)) << 14 | simd << 8 | log_size << 10;
	}
	return form;
}

static struct form dwords(enum eu_space space, unsigned index, unsigned lanes, bool write)
{
	return (struct form){ space, index, lanes, 4, 1, 2, 0, write, GEN_SFID_DC0,
		(DWORDS + (write ? 8u : 0u)) << 14 | (lanes == 16 ? 3u : 2u) << 8 };
}

enum layout { CONTIGUOUS, UNIFORM, REVERSED, OVERLAPPING, RANDOM, STRADDLING, BOUNDS, LAYOUTS };

/* Offsets, in bytes, that are bound or (for bounded spaces) out of range. */
static void choose_offsets(
	struct fixture *fixture, const struct form *form, enum layout layout, uint64_t offsets[16])
{
	unsigned step = form->size * form->count;
	uint64_t start = form->space == EU_SPACE_A64	     ? FIXTURE_FIRST
			 : form->space == EU_SPACE_STATELESS ? FIXTURE_FIRST - FIXTURE_GENERAL
							     : 0;
	uint64_t size = 2 * FIXTURE_BUFFER_BYTES, end = FIXTURE_BUFFER_BYTES;
	bool bounded = form->space == EU_SPACE_SLM || form->space == EU_SPACE_SURFACE;
	uint64_t at;

	if (form->space == EU_SPACE_SURFACE) {
		size = form->index == FIXTURE_SMALL ? FIXTURE_SMALL_BYTES : FIXTURE_WIDE_BYTES;
		end = form->index == FIXTURE_SMALL ? 90 : FIXTURE_BUFFER_BYTES - 64;
	}
	if (layout == BOUNDS && bounded)
		end = size;
	if (layout >= STRADDLING || (layout == OVERLAPPING && fixture_random(fixture) % 2))
		at = start + end - 48 + fixture_random(fixture) % 64;
	else
		at = start + fixture_random(fixture) % (end > 1200 ? end - 1100 : 20);
	if (!bounded && at > start + size - 1100)
		at = start + size - 1100;
	for (unsigned i = 0; i < 16; i++) {
		offsets[i] = at;
		if (layout == CONTIGUOUS || layout == STRADDLING || layout == BOUNDS)
			offsets[i] = at + i * step;
		else if (layout == REVERSED)
			offsets[i] = at + (15 - i) * step;
		else if (layout == OVERLAPPING)
			offsets[i] = at + i;
		else if (layout == RANDOM)
			offsets[i] = start + fixture_random(fixture) % (size - (bounded ? 0 : 64));
		if (layout == BOUNDS && bounded && fixture_random(fixture) % 8 == 0)
			offsets[i] = form->space == EU_SPACE_SLM ? 0xfffe : 0xfffffffe;
		offsets[i] &= ~(UINT64_C(0)) << form->shift;
	}
}

/* What the message should do to the model, one byte at a time. */
static void model(struct fixture *fixture, const struct form *form, const uint64_t offsets[16],
	uint32_t lanes, unsigned dst, const uint8_t *data)
{
	unsigned slot = form->size == 8 ? 8 : 4, piece = form->size < 4 ? form->size : 4;

	for (unsigned i = 0; i < form->lanes; i++) {
		unsigned element = 0;

		for (unsigned j = 0; j < form->count && (lanes >> i & 1) != 0; j++) {
			unsigned at = (element * form->lanes + i) * slot;

			if (form->channels != 0 && (form->channels >> j & 1) == 0)
				continue;
			element++;
			if (!form->write)
				memset(fixture->grf_model + dst + at, 0, slot);
			for (unsigned b = 0; b < form->size; b++) {
				uint64_t offset = offsets[i] + j * form->size;
				unsigned in = b / piece * piece;
				bool exists, last_exists;
				uint8_t *byte = fixture_space_byte(
					fixture, form->space, form->index, offset + b, &exists);

				fixture_space_byte(fixture, form->space, form->index,
					offset + in + piece - 1, &last_exists);
				if (!exists || !last_exists)
					continue;
				assert_non_null(byte);
				if (form->write)
					*byte = data[at + b];
				else
					fixture->grf_model[dst + at + b] = *byte;
			}
		}
	}
}

static void check(struct fixture *fixture, const struct form *form, enum layout layout)
{
	uint8_t payload[2048];
	uint64_t offsets[16];
	unsigned width = form->space == EU_SPACE_A64 ? 8 : 4, slot = form->size == 8 ? 8 : 4;
	unsigned elements =
		form->channels ? (unsigned)__builtin_popcount(form->channels) : form->count;
	unsigned data_bytes = elements * form->lanes * slot, registers;
	uint32_t full = form->lanes == 16 ? 0xffff : 0xff, lanes;
	struct eu_send send = { .sfid = form->sfid, .exec_size = (uint8_t)form->lanes };

	if (data_bytes > 16 * 32)
		return; /* longer than a message can be */
	fixture_shuffle(fixture);
	choose_offsets(fixture, form, layout, offsets);
	for (unsigned i = 0; i < sizeof(payload); i++)
		payload[i] = (uint8_t)fixture_random(fixture);
	for (unsigned i = 0; i < form->lanes; i++) {
		uint64_t address = offsets[i] >> form->shift;

		if (form->space == EU_SPACE_SLM && form->shift == 0)
			address |= UINT32_C(0x10000000); /* the tag of local pointers */
		if (form->space == EU_SPACE_A64 && fixture_random(fixture) % 2 == 0)
			address |= UINT64_C(0xffff) << 48;
		memcpy(payload + i * width, &address, width);
	}
	registers = (form->lanes * width + (form->write ? data_bytes : 0)) / 32;
	send.desc = form->desc | form->index;
	if (form->index == EU_BTI_BINDLESS)
		send.exdesc = (uint32_t)FIXTURE_BINDLESS >> 6 << 12;
	fixture_place(fixture, &send, payload, registers, form->write ? 0 : data_bytes / 32);
	lanes = fixture_random(fixture) % 2 == 0 ? full : fixture_random(fixture) & full;
	if (fixture_random(fixture) % 8 == 0)
		lanes &= 3;
	model(fixture, form, offsets, lanes, send.dst, payload + form->lanes * width);
	fixture_expect(fixture, &send, lanes);
	/* Once more, now that buffers and surfaces are remembered. */
	memcpy(fixture->thread->grf + send.src0, payload, send.mlen * 32u);
	memcpy(fixture->grf_model + send.src0, payload, send.mlen * 32u);
	model(fixture, form, offsets, lanes, send.dst, payload + form->lanes * width);
	fixture_expect(fixture, &send, lanes);
}

/* Every space with each index that leads to it. */
static const struct {
	enum eu_space space;
	unsigned index;
} places[] = {
	{ EU_SPACE_SURFACE, FIXTURE_WIDE },
	{ EU_SPACE_SURFACE, FIXTURE_SMALL },
	{ EU_SPACE_SURFACE, FIXTURE_NULL },
	{ EU_SPACE_SURFACE, EU_BTI_BINDLESS },
	{ EU_SPACE_STATELESS, EU_BTI_STATELESS },
	{ EU_SPACE_STATELESS, EU_BTI_STATELESS_CACHED },
	{ EU_SPACE_SLM, EU_BTI_SLM },
	{ EU_SPACE_A64, EU_BTI_STATELESS },
};

enum { PLACES = sizeof(places) / sizeof(places[0]), ROUNDS = 12 };

static void check_layouts(struct fixture *fixture, const struct form *form)
{
	for (unsigned layout = 0; layout < LAYOUTS; layout++) {
		for (unsigned round = 0; round < ROUNDS; round++)
			check(fixture, form, (enum layout)layout);
	}
}

static void untyped_messages(void **state)
{
	for (unsigned p = 0; p < PLACES; p++) {
		for (unsigned channels = 1; channels < 16; channels++) {
			for (unsigned k = 0; k < 4; k++) {
				struct form form = untyped(places[p].space, places[p].index,
					(k & 1) != 0 ? 16 : 8, channels, (k & 2) != 0);

				check_layouts(*state, &form);
			}
		}
	}
}

static void scattered_messages(void **state)
{
	for (unsigned p = 0; p < PLACES; p++) {
		for (unsigned size = 1; size <= 8; size *= 2) {
			unsigned counts =
				size == 8 || (size == 4 && places[p].space == EU_SPACE_A64) ? 4 : 1;

			for (unsigned k = 0; k < 4 * counts; k++) {
				struct form form = scattered(places[p].space, places[p].index,
					(k & 1) != 0 ? 16 : 8, size, k / 4, (k & 2) != 0);

				check_layouts(*state, &form);
			}
		}
	}
}

static void dword_scattered_messages(void **state)
{
	for (unsigned p = 0; p < PLACES; p++) {
		for (unsigned k = 0; k < 4 && places[p].space != EU_SPACE_A64; k++) {
			struct form form = dwords(places[p].space, places[p].index,
				(k & 1) != 0 ? 16 : 8, (k & 2) != 0);

			check_layouts(*state, &form);
		}
	}
}

/* A message of 8 or 16 lanes whose lanes all have the same 64-bit or 32-bit address. */
static struct eu_send uniform(struct fixture *fixture, const struct form *form, uint64_t address)
{
	uint8_t payload[16 * 32] = { 0 };
	struct eu_send send = { .sfid = form->sfid, .desc = form->desc | form->index };
	unsigned width = form->space == EU_SPACE_A64 ? 8 : 4;

	for (unsigned i = 0; i < form->lanes; i++)
		memcpy(payload + i * width, &address, width);
	fixture_place(fixture, &send, payload,
		(form->lanes * width + (form->write ? form->lanes * 4 : 0)) / 32,
		form->write ? 0 : form->lanes / 8);
	return send;
}

static void unbound_addresses_fault(void **state)
{
	struct fixture *fixture = *state;
	struct form read = untyped(EU_SPACE_A64, EU_BTI_STATELESS, 16, 1, false);
	struct form write = untyped(EU_SPACE_STATELESS, EU_BTI_STATELESS, 8, 1, true);
	struct form surface = untyped(EU_SPACE_SURFACE, FIXTURE_UNBOUND, 8, 1, false);
	struct eu_send send;

	fixture_shuffle(fixture);
	send = uniform(fixture, &read, 0x123456789abc);
	fixture_expect_fault(
		fixture, &send, 0x10, GEN_FAULT_PAGE, "lane 4 reads 4 bytes at 0x123456789abc");
	assert_true(fixture->fault.address == UINT64_C(0x123456789abc));
	send = uniform(fixture, &read, FIXTURE_LAST + FIXTURE_BUFFER_BYTES - 2);
	fixture_expect_fault(fixture, &send, 0xffff, GEN_FAULT_PAGE, "lane 0 reads 4 bytes");
	assert_true(fixture->fault.address == FIXTURE_LAST + FIXTURE_BUFFER_BYTES);
	send = uniform(fixture, &write, 16);
	send.channel_offset = 8;
	fixture_expect_fault(fixture, &send, 0xff, GEN_FAULT_PAGE, "lane 8 writes 4 bytes");
	assert_true(fixture->fault.address == FIXTURE_GENERAL + 16);
	send = uniform(fixture, &surface, 8);
	fixture_expect_fault(fixture, &send, 0xff, GEN_FAULT_PAGE, "at 0x55550008");
	/* Lanes that are off do not fault, whatever their addresses. */
	send = uniform(fixture, &read, 0x123456789abc);
	assert_int_equal(eu_message_bind(fixture->worker.device, &send, &fixture->fault), 0);
	assert_int_equal(send.run(fixture->thread, &send, 0), EU_RUN);
}

/* 32-bit offsets wrap before the base is added, also when 64-bit addresses would go on. */
static void offsets_wrap(void **state)
{
	struct fixture *fixture = *state;
	struct form form = untyped(EU_SPACE_STATELESS, EU_BTI_STATELESS, 16, 1, false);
	uint32_t offsets[16];
	struct eu_send send = { .sfid = form.sfid, .desc = form.desc | form.index };

	fixture->buffers[2].address = FIXTURE_FIRST + UINT64_C(0x100000000) - 2048;
	fixture->dispatch.general_state_base = FIXTURE_FIRST;
	fixture_shuffle(fixture);
	for (unsigned i = 0; i < 16; i++)
		offsets[i] = 0xfffffff0 + i * 4;
	fixture_place(fixture, &send, offsets, 2, 2);
	for (unsigned i = 0; i < 16; i++) {
		for (unsigned b = 0; b < 4; b++)
			fixture->grf_model[send.dst + i * 4 + b] =
				*fixture_byte(fixture, FIXTURE_FIRST + offsets[i] + b);
	}
	/* The first buffer that is remembered is the one that goes on. */
	fixture->translation.range = (struct eu_range){ fixture->buffers[2].address,
		fixture->buffers[2].address + FIXTURE_BUFFER_BYTES, fixture->buffers[2].host, 0,
		NULL };
	fixture_expect(fixture, &send, 0xffff);
}

static void images_are_not_buffers(void **state)
{
	struct fixture *fixture = *state;
	struct form form = untyped(EU_SPACE_SURFACE, FIXTURE_IMAGE, 8, 1, false);
	struct eu_send send;

	fixture_shuffle(fixture);
	send = uniform(fixture, &form, 0);
	fixture_expect_fault(fixture, &send, 0xff, GEN_FAULT_BAD_STATE, "image");
	fixture->dispatch.binding_table = 0x10000000;
	send = uniform(fixture, &form, 0);
	fixture_expect_fault(fixture, &send, 0xff, GEN_FAULT_PAGE, "binding table entry");
}

static void malformed_messages_are_refused(void **state)
{
	struct fixture *fixture = *state;
	struct form form = untyped(EU_SPACE_SURFACE, FIXTURE_WIDE, 16, 3, false);
	struct eu_send good, bad;

	fixture_shuffle(fixture);
	good = uniform(fixture, &form, 0);
	good.rlen = 4;
	assert_int_equal(eu_message_bind(fixture->worker.device, &good, &fixture->fault), 0);
	bad = good;
	bad.rlen = 3; /* no room for the second channel */
	fixture_expect_refused(fixture, &bad, "untyped surface read");
	bad = good;
	bad.mlen = 1;
	bad.xlen = 0;
	fixture_expect_refused(fixture, &bad, "form that does not exist");
	bad = good;
	bad.desc = (bad.desc & ~0xffu) | 0xf7; /* a reserved binding table index */
	fixture_expect_refused(fixture, &bad, "form that does not exist");
	bad = good;
	bad.desc &= ~(3u << 12); /* SIMD4x2 */
	fixture_expect_refused(fixture, &bad, "form that does not exist");
	bad = good;
	bad.desc |= 0xf00; /* no channel */
	fixture_expect_refused(fixture, &bad, "form that does not exist");
	bad = good;
	bad.dst = 126 * 32;
	fixture_expect_refused(fixture, &bad, "past the last");
	bad = good;
	bad.sfid = GEN_SFID_SAMPLER;
	bad.desc = 1u << 17 | 0x0c << 12; /* what ends pixels */
	fixture_expect_refused(fixture, &bad, "sample_killpix (");
	assert_non_null(strstr(fixture->fault.report, "not implemented"));
	assert_non_null(strstr(fixture->fault.report, "0x0002c000"));
	bad = good;
	bad.sfid = GEN_SFID_VME;
	fixture_expect_refused(fixture, &bad, "no such message");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(untyped_messages, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			scattered_messages, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			dword_scattered_messages, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			unbound_addresses_fault, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(offsets_wrap, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			images_are_not_buffers, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			malformed_messages_are_refused, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
