// SPDX-License-Identifier: MIT
/* Messages of the load-store cache, which Xe-HPG has for global and local memory. */
#include "test.h"

#include <string.h>

#include "eu_message_fixture.h"

#include "gen/gen_device.h"
#include "gen/gen_inst.h"

enum { LOAD = 0x00, LOAD_MASKED = 0x02, STORE = 0x04, STORE_MASKED = 0x06, FENCE = 0x1f };
enum { FLAT, BINDLESS, STATE, TABLE };
enum { D32 = 2, D64, D8U32, D16U32 };

/* One message as the test means it. */
struct form {
	enum eu_space space;
	unsigned index; /* FIXTURE_WIDE, FIXTURE_SMALL … of surfaces */
	unsigned type;	/* how the surface is named */
	unsigned lanes, size, count, mask;
	bool write, transposed;
	bool wide; /* where a surface's handle is in the descriptor */
};

static const unsigned counts[8] = { 1, 2, 3, 4, 8, 16, 32, 64 };

static int setup(void **state)
{
	int rc = fixture_setup(state);
	struct fixture *fixture = *state;

	fixture->worker.device = gen_device_find("dg2");
	return rc;
}

static unsigned code_of_size(unsigned size)
{
	return size == 8 ? D64 : size == 4 ? D32 : size == 2 ? D16U32 : D8U32;
}

static unsigned code_of_count(unsigned count)
{
	unsigned code = 0;

	while (counts[code] != count)
		code++;
	return code;
}

/* Offset of the surface's state from the base that `type` names. */
static uint32_t handle_of(const struct fixture *fixture, unsigned type)
{
	return type == BINDLESS ? (uint32_t)FIXTURE_BINDLESS
				: (uint32_t)(fixture->dispatch.bindless_surface_base +
					     FIXTURE_BINDLESS - FIXTURE_STATE_BASE);
}

static struct eu_send describe(const struct fixture *fixture, const struct form *form, uint32_t op)
{
	bool wide = form->space == EU_SPACE_A64;
	bool surface = form->space == EU_SPACE_SURFACE || form->space == EU_SPACE_STATELESS;
	struct eu_send send = { .sfid = form->space == EU_SPACE_SLM ? GEN_SFID_SLM : GEN_SFID_UGM,
		.exec_size = (uint8_t)form->lanes };
	unsigned address = form->lanes * (wide ? 8 : 4);

	send.desc = op | (wide ? 3u : 2u) << 7 | code_of_size(form->size) << 9;
	send.desc |= form->mask ? form->mask << 12 : code_of_count(form->count) << 12;
	send.desc |= (uint32_t)form->transposed << 15 | (surface ? form->type : FLAT) << 29;
	send.wide_handle = form->wide;
	if (surface && form->type == TABLE)
		send.exdesc = form->index << 24;
	else if (surface && form->type != FLAT)
		send.exdesc = handle_of(fixture, form->type) << (form->wide ? 0 : 6);
	send.mlen = (uint8_t)((address + 31) / 32);
	return send;
}

/* Bytes of element j of lane i within the registers. */
static unsigned place(const struct form *form, unsigned element, unsigned lane)
{
	unsigned slot = form->size < 4 ? 4 : form->size;
	unsigned row = form->lanes * slot < 32 ? 32 : form->lanes * slot;

	return form->transposed ? element * form->size : element * row + lane * slot;
}

static void model(struct fixture *fixture, const struct form *form, const uint64_t *offsets,
	uint32_t lanes, unsigned dst, const uint8_t *data)
{
	unsigned piece = form->size < 4 ? form->size : 4;

	for (unsigned i = 0; i < form->lanes; i++) {
		unsigned element = 0;

		for (unsigned j = 0; j < form->count && (lanes >> i & 1); j++) {
			unsigned at = place(form, element, i);

			if (form->mask && !(form->mask >> j & 1))
				continue;
			element++;
			if (!form->write)
				memset(fixture->grf_model + dst + at, 0,
					form->size < 4 ? 4 : form->size);
			for (unsigned b = 0; b < form->size; b++) {
				uint64_t offset = offsets[i] + j * form->size;
				bool exists, last;
				uint8_t *byte = fixture_space_byte(
					fixture, form->space, form->index, offset + b, &exists);

				fixture_space_byte(fixture, form->space, form->index,
					offset + b / piece * piece + piece - 1, &last);
				if (!exists || !last)
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

static void check(struct fixture *fixture, const struct form *form)
{
	const bool wide = form->space == EU_SPACE_A64;
	unsigned elements = form->mask ? (unsigned)__builtin_popcount(form->mask) : form->count;
	unsigned bytes =
		place(form, elements - 1, form->lanes - 1) + (form->size < 4 ? 4 : form->size);
	unsigned data = (bytes + 31) / 32, step = form->size * form->count;
	uint32_t op = (form->write ? STORE : LOAD) + (form->mask ? 2u : 0u);
	struct eu_send send;
	uint8_t payload[4096];
	uint64_t offsets[16], limit = form->space == EU_SPACE_SLM ? FIXTURE_SLM_BYTES
				      : form->index == FIXTURE_SMALL
					      ? FIXTURE_SMALL_BYTES
					      : 2 * FIXTURE_BUFFER_BYTES - 2000;
	uint32_t lanes = fixture_random(fixture) % 3 ? UINT32_MAX : fixture_random(fixture);
	bool line = fixture_random(fixture) % 2;

	fixture_shuffle(fixture);
	send = describe(fixture, form, op);
	for (unsigned i = 0; i < sizeof(payload); i++)
		payload[i] = (uint8_t)fixture_random(fixture);
	for (unsigned i = 0; i < form->lanes; i++) {
		offsets[i] = fixture_random(fixture) % limit;
		if (form->transposed)
			offsets[i] &= ~UINT64_C(3);
		if (line && i > 0)
			offsets[i] = offsets[0] + i * step;
		else if (form->space == EU_SPACE_STATELESS)
			offsets[i] += FIXTURE_FIRST - FIXTURE_GENERAL;
		if (wide)
			offsets[i] += i > 0 && line ? 0 : FIXTURE_FIRST;
		if (form->write && !line && i > 0) /* lanes that do not touch each other */
			offsets[i] = offsets[0] + (form->lanes - i) * (step + 3);
		memcpy(payload + i * (wide ? 8 : 4), &offsets[i], wide ? 8 : 4);
	}
	lanes &= (UINT32_C(1) << form->lanes) - 1;
	fixture_place(fixture, &send, payload, send.mlen + (form->write ? data : 0),
		form->write ? 0 : data);
	model(fixture, form, offsets, lanes, send.dst, payload + send.mlen * 32);
	fixture_expect(fixture, &send, lanes);
}

static struct form random_form(struct fixture *fixture)
{
	static const enum eu_space spaces[] = { EU_SPACE_SURFACE, EU_SPACE_A64, EU_SPACE_SLM,
		EU_SPACE_STATELESS };
	static const unsigned sizes[] = { 1, 2, 4, 8 }, lanes[] = { 1, 8, 16 };
	struct form form = {
		.space = spaces[fixture_random(fixture) % 4],
		.type = BINDLESS + fixture_random(fixture) % 3,
		.index = FIXTURE_WIDE,
		.size = sizes[fixture_random(fixture) % 4],
		.lanes = lanes[fixture_random(fixture) % 3],
		.write = fixture_random(fixture) % 2,
		.wide = fixture_random(fixture) % 2,
	};

	if (form.space == EU_SPACE_STATELESS) {
		form.type = fixture_random(fixture) % 2 ? TABLE : FLAT;
		form.index = EU_BTI_STATELESS;
	} else if (form.type == TABLE && fixture_random(fixture) % 2) {
		form.index = FIXTURE_SMALL;
	}
	form.count = form.size < 4 ? 1 : counts[fixture_random(fixture) % 4];
	if (form.size == 4 && fixture_random(fixture) % 4 == 0) {
		form.mask = 1 + fixture_random(fixture) % 15;
		form.count = 32 - (unsigned)__builtin_clz(form.mask);
	} else if (form.size >= 4 && fixture_random(fixture) % 4 == 0) {
		form.transposed = true;
		form.lanes = 1;
		form.count = counts[fixture_random(fixture) % (form.size == 8 ? 7 : 8)];
	}
	return form;
}

static void lanes_and_blocks_move(void **state)
{
	struct fixture *fixture = *state;

	for (unsigned round = 0; round < 6000; round++) {
		struct form form = random_form(fixture);

		check(fixture, &form);
	}
}

/* Each operation on dwords of local and global memory, by its definition. */
static uint32_t updated(unsigned op, uint32_t old, uint32_t a, uint32_t b)
{
	switch (op) {
	case 0x08:
		return old + 1;
	case 0x09:
		return old - 1;
	case 0x0a:
		return old;
	case 0x0b:
		return a;
	case 0x0c:
		return old + a;
	case 0x0d:
		return old - a;
	case 0x0e:
		return (int32_t)a < (int32_t)old ? a : old;
	case 0x0f:
		return (int32_t)a > (int32_t)old ? a : old;
	case 0x10:
		return a < old ? a : old;
	case 0x11:
		return a > old ? a : old;
	case 0x12:
		return old == a ? b : old;
	case 0x18:
		return old & a;
	case 0x19:
		return old | a;
	case 0x1a:
		return old ^ a;
	}
	fail_msg("no operation 0x%x", op);
	return 0;
}

static void check_atomic(struct fixture *fixture, enum eu_space space, unsigned op, bool returns)
{
	struct form form = { .space = space,
		.index = FIXTURE_WIDE,
		.type = TABLE,
		.lanes = 16,
		.size = 4,
		.count = 1 };
	bool wide = space == EU_SPACE_A64;
	unsigned operands = op <= 0x0a ? 0 : op == 0x12 ? 2 : 1, addresses = wide ? 128 : 64;
	struct eu_send send;
	uint8_t payload[512];
	uint32_t lanes = fixture_random(fixture) & 0xffff;

	fixture_shuffle(fixture);
	send = describe(fixture, &form, op);
	for (unsigned i = 0; i < 16; i++) {
		uint64_t offset = i * 8 + (wide ? FIXTURE_FIRST + 512 : 512);
		uint32_t old, operand[2] = { fixture_random(fixture), fixture_random(fixture) };
		bool exists;
		uint8_t *byte = fixture_space_byte(fixture, space, FIXTURE_WIDE, offset, &exists);

		memcpy(&old, byte, 4);
		if (op == 0x12 && i % 2)
			operand[0] = old;
		memcpy(payload + i * (wide ? 8 : 4), &offset, wide ? 8 : 4);
		for (unsigned n = 0; n < operands; n++)
			memcpy(payload + addresses + n * 64 + i * 4, &operand[n], 4);
	}
	fixture_place(fixture, &send, payload, send.mlen + operands * 2, returns ? 2 : 0);
	for (unsigned i = 0; i < 16; i++) {
		uint64_t offset = i * 8 + (wide ? FIXTURE_FIRST + 512 : 512);
		uint32_t old, new, operand[2];
		bool exists;
		uint8_t *byte = fixture_space_byte(fixture, space, FIXTURE_WIDE, offset, &exists);

		if ((lanes >> i & 1) == 0)
			continue;
		for (unsigned n = 0; n < 2; n++)
			memcpy(&operand[n], payload + addresses + n * 64 + i * 4, 4);
		memcpy(&old, byte, 4);
		new = updated(op, old, operand[0], operand[1]);
		memcpy(byte, &new, 4);
		if (returns)
			memcpy(fixture->grf_model + send.dst + i * 4, &old, 4);
	}
	fixture_expect(fixture, &send, lanes);
}

static void atomics_update(void **state)
{
	static const uint8_t ops[] = { 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11,
		0x12, 0x18, 0x19, 0x1a };
	static const enum eu_space spaces[] = { EU_SPACE_SURFACE, EU_SPACE_A64, EU_SPACE_SLM };
	struct fixture *fixture = *state;

	for (unsigned i = 0; i < sizeof(ops); i++)
		for (unsigned s = 0; s < 3; s++)
			for (unsigned round = 0; round < 8; round++)
				check_atomic(fixture, spaces[s], ops[i], round % 2);
}

static void float_atomics_update(void **state)
{
	struct fixture *fixture = *state;
	struct form form = { .space = EU_SPACE_A64, .lanes = 8, .size = 4, .count = 1 };

	for (unsigned op = 0x13; op <= 0x17; op++) {
		struct eu_send send = describe(fixture, &form, op);
		float old = 2.5f, a = op == 0x17 ? 2.5f : -1.25f, b = 9, want;
		uint8_t payload[192] = { 0 };
		uint64_t address = FIXTURE_LAST + 64;
		uint8_t *byte;

		fixture_shuffle(fixture);
		byte = fixture_byte(fixture, address);
		memcpy(byte, &old, 4);
		memcpy(fixture->buffers[2].host + 64, &old, 4);
		memcpy(payload, &address, 8);
		memcpy(payload + 64, &a, 4);
		memcpy(payload + 96, &b, 4);
		fixture_place(fixture, &send, payload, op == 0x17 ? 4 : 3, 1);
		want = op == 0x13   ? 1.25f
		       : op == 0x14 ? 3.75f
		       : op == 0x15 ? -1.25f
		       : op == 0x16 ? 2.5f
				    : 9;
		memcpy(byte, &want, 4);
		memcpy(fixture->grf_model + send.dst, &old, 4);
		fixture_expect(fixture, &send, 1);
	}
}

/* Data port 1 adds to floats, too. */
static void floats_are_added_by_the_data_port(void **state)
{
	struct fixture *fixture = *state;
	const float old = 2.5f, a = -1.25f, want = 1.25f;

	for (unsigned a64 = 0; a64 < 2; a64++) {
		struct eu_send send = { .sfid = GEN_SFID_DC1,
			.desc = 4u << 8 | 1u << 13 |
				(a64 ? 0x1du << 14 | EU_BTI_STATELESS
				     : 0x1bu << 14 | 1u << 12 | FIXTURE_WIDE) };
		uint8_t payload[96] = { 0 };
		uint64_t offset = 64,
			 address = a64 ? FIXTURE_LAST + 64 : FIXTURE_WIDE_BASE + offset;

		fixture_shuffle(fixture);
		memcpy(fixture->buffers[a64 ? 2 : 0].host + (a64 ? 64 : 64 + offset), &old, 4);
		memcpy(payload, a64 ? &address : &offset, 8);
		memcpy(payload + (a64 ? 64 : 32), &a, 4);
		fixture_place(fixture, &send, payload, a64 ? 3 : 2, 1);
		memcpy(fixture_byte(fixture, address), &want, 4);
		memcpy(fixture->grf_model + send.dst, &old, 4);
		fixture_expect(fixture, &send, 1);
		send.desc |= 1u << 8; /* subtracts: the load-store cache alone */
		fixture_expect_refused(fixture, &send, "floats");
	}
}

static void impossible_messages_are_refused(void **state)
{
	struct fixture *fixture = *state;
	struct form form = { .space = EU_SPACE_A64, .lanes = 16, .size = 4, .count = 1 };
	const struct eu_send good = describe(fixture, &form, LOAD);
	struct eu_send send = good;

	fixture_shuffle(fixture);
	send.rlen = 2;
	send.writes = true;
	assert_int_equal(eu_message_bind(fixture->worker.device, &send, &fixture->fault), 0);
	send.rlen = 1; /* too short for sixteen lanes */
	fixture_expect_refused(fixture, &send, "form");
	send = good;
	send.mlen = 2;
	fixture_expect_refused(fixture, &send, "form");
	send = good;
	send.desc = (good.desc & ~(7u << 9)) | 6u << 9; /* upper words */
	fixture_expect_refused(fixture, &send, "form");
	send = good;
	send.desc |= TABLE << 29; /* a table has no 64-bit addresses */
	fixture_expect_refused(fixture, &send, "form");
	send = good;
	send.desc |= 1u << 15; /* transposed, of sixteen lanes */
	fixture_expect_refused(fixture, &send, "form");
	send = good;
	send.desc = (good.desc & ~0x3fu) | 0x03; /* two-dimensional blocks */
	fixture_expect_refused(fixture, &send, "no such message");
	send = good;
	fixture->worker.device = gen_device_find(NULL);
	fixture_expect_refused(fixture, &send, "no such message");
}

static void fences_answer(void **state)
{
	static const uint8_t sfids[] = { GEN_SFID_UGM, GEN_SFID_SLM, GEN_SFID_TGM, GEN_SFID_UGML };
	struct fixture *fixture = *state;

	for (unsigned i = 0; i < sizeof(sfids); i++) {
		struct eu_send send = { .sfid = sfids[i], .desc = FENCE, .exec_size = 1 };
		uint8_t payload[32] = { 0 };

		fixture_shuffle(fixture);
		fixture_place(fixture, &send, payload, 1, 1);
		memset(fixture->grf_model + send.dst, 0, 32);
		fixture_expect(fixture, &send, 1);
		assert_int_equal(send.access.kind, EU_ACCESS_FENCE);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lanes_and_blocks_move),
		TEST(atomics_update),
		TEST(float_atomics_update),
		TEST(floats_are_added_by_the_data_port),
		TEST(impossible_messages_are_refused),
		TEST(fences_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
