// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "eu_message_fixture.h"

#include "gen/gen_inst.h"

enum { ROUNDS = 60, HEADER_BIT = 19 };

/* A block of `bytes` at an offset; in registers it begins `skip` bytes into the first. */
struct block {
	enum eu_space space;
	unsigned index, bytes, skip;
	bool write;
	uint8_t sfid;
	uint32_t desc;
	uint8_t exec_size;    /* of the message */
	uint32_t dword_lanes; /* 0: all; else lane d % exec_size must be set for dword d to move */
};

static void model(struct fixture *fixture, const struct block *block, uint64_t offset, unsigned dst,
	const uint8_t *data)
{
	for (unsigned b = 0; b < block->bytes; b++) {
		bool exists, last_exists;
		uint8_t *byte;

		if (block->dword_lanes && !(block->dword_lanes >> b / 4 % block->exec_size & 1))
			continue;
		byte = fixture_space_byte(fixture, block->space, block->index, offset + b, &exists);
		fixture_space_byte(
			fixture, block->space, block->index, offset + (b | 3), &last_exists);
		exists = exists && last_exists;
		if (exists)
			assert_non_null(byte);
		if (block->write && exists)
			*byte = data[block->skip + b];
		else if (!block->write)
			fixture->grf_model[dst + block->skip + b] = exists ? *byte : 0;
	}
}

/* Runs one block message whose header is ready; `lanes` 0 must do nothing. */
static void check(struct fixture *fixture, const struct block *block, const uint32_t header[8],
	uint64_t offset, uint32_t lanes)
{
	unsigned data = (block->bytes + block->skip + 31) / 32;
	uint8_t payload[32 * 17];
	struct eu_send send = { .sfid = block->sfid,
		.desc = block->desc | block->index | 1u << HEADER_BIT,
		.exec_size = block->exec_size };

	for (unsigned i = 0; i < sizeof(payload); i++)
		payload[i] = (uint8_t)fixture_random(fixture);
	memcpy(payload, header, 32);
	if (block->index == EU_BTI_BINDLESS)
		send.exdesc = (uint32_t)FIXTURE_BINDLESS >> 6 << 12;
	fixture_place(
		fixture, &send, payload, 1 + (block->write ? data : 0), block->write ? 0 : data);
	if (lanes != 0)
		model(fixture, block, offset, send.dst, payload + 32);
	fixture_expect(fixture, &send, lanes);
	/* Once more, now that the surface is remembered. */
	memcpy(fixture->thread->grf + send.src0, payload, send.mlen * 32u);
	memcpy(fixture->grf_model + send.src0, payload, send.mlen * 32u);
	if (lanes != 0)
		model(fixture, block, offset, send.dst, payload + 32);
	fixture_expect(fixture, &send, lanes);
}

static const unsigned oword_bytes[6] = { 16, 16, 32, 64, 128, 256 };

enum { OWORD_FORMS = sizeof(oword_bytes) / sizeof(*oword_bytes) };

static uint64_t choose(struct fixture *fixture, const struct block *block, unsigned align)
{
	uint64_t start = block->space == EU_SPACE_STATELESS ? FIXTURE_FIRST - FIXTURE_GENERAL : 0;
	uint64_t offset, size = 2 * FIXTURE_BUFFER_BYTES;

	if (block->space == EU_SPACE_A64)
		start = FIXTURE_FIRST;
	if (block->space == EU_SPACE_SURFACE || block->space == EU_SPACE_SLM) {
		size = block->index == FIXTURE_SMALL ? 160 : FIXTURE_WIDE_BYTES + 160;
		if (block->space == EU_SPACE_SLM)
			size = FIXTURE_SLM_BYTES + 160;
		offset = fixture_random(fixture) % size;
		if (fixture_random(fixture) % 16 == 0 && block->space == EU_SPACE_SURFACE)
			offset = 0xfffffff0;
	} else {
		offset = start + fixture_random(fixture) % (size - 256);
		if (fixture_random(fixture) % 3 == 0) /* across both buffers */
			offset = start + FIXTURE_BUFFER_BYTES - fixture_random(fixture) % 96;
	}
	return offset / align * align;
}

static void oword_blocks(void **state)
{
	static const struct {
		enum eu_space space;
		unsigned index;
	} places[] = { { EU_SPACE_SURFACE, FIXTURE_WIDE }, { EU_SPACE_SURFACE, FIXTURE_SMALL },
		{ EU_SPACE_SURFACE, FIXTURE_NULL }, { EU_SPACE_SURFACE, EU_BTI_BINDLESS },
		{ EU_SPACE_STATELESS, EU_BTI_STATELESS },
		{ EU_SPACE_STATELESS, EU_BTI_STATELESS_CACHED }, { EU_SPACE_SLM, EU_BTI_SLM } };
	static const unsigned types[] = { 0, 1, 8 };
	struct fixture *fixture = *state;

	for (unsigned n = 0; n < 7u * 3 * OWORD_FORMS * ROUNDS; n++) {
		unsigned place = n % 7, type = types[n / 7 % 3], size = n / 21 % OWORD_FORMS;
		struct block block = { places[place].space, places[place].index, oword_bytes[size],
			size == 1 ? 16 : 0, type == 8, GEN_SFID_DC0, type << 14 | size << 8,
			n % 5 < 3 ? 16 : 8, 0 };
		uint32_t header[8], lanes = block.exec_size == 16 ? 0xffff : 0xff;
		uint64_t offset, base = 0;

		/* A mask takes nothing from a load that need not be aligned. */
		if (n % 3 != 0)
			lanes &= (1u << fixture_random(fixture) % block.exec_size) |
				 (fixture_random(fixture) & fixture_random(fixture));
		block.dword_lanes = type != 1 ? lanes : 0;

		fixture_shuffle(fixture);
		offset = choose(fixture, &block, type == 1 ? 4 : 16);
		for (unsigned i = 0; i < 8; i++) /* all but what is used is garbage */
			header[i] = fixture_random(fixture);
		if (block.space == EU_SPACE_STATELESS) {
			/* part of the address is in dword 5, above ten bits of something else */
			base = fixture_random(fixture) % 8 * 1024;
			header[5] = (uint32_t)base | (header[5] & 0x3ff);
			header[2] = (uint32_t)(offset - base);
		} else {
			header[2] = (uint32_t)offset;
			if (block.space == EU_SPACE_SLM && n % 2)
				header[2] |= 0x10000000;
		}
		if (type != 1)
			header[2] /= 16;
		check(fixture, &block, header, offset, n % 16 != 0 ? lanes : 0);
	}
}

/*
 * The blocks of registers that there are: one, two, four or eight, whose sizes Intel's assembler
 * numbers from 0 on and oneDNN's code generator from 1 on.
 */
static const struct hwords {
	unsigned size, registers;
} hword_forms[] = { { 0, 1 }, { 1, 2 }, { 2, 4 }, { 3, 8 }, { 1, 1 }, { 2, 2 }, { 3, 4 },
	{ 4, 8 } };

enum { HWORD_FORMS = sizeof(hword_forms) / sizeof(*hword_forms) };

static void a64_blocks(void **state)
{
	struct fixture *fixture = *state;

	for (unsigned n = 0; n < 3u * 2 * OWORD_FORMS * ROUNDS; n++) {
		unsigned subtype = n % 3 == 2 ? 3 : n % 3, size = n / 3 % OWORD_FORMS;
		bool write = fixture_random(fixture) % 2 != 0;
		struct block block = { EU_SPACE_A64, EU_BTI_STATELESS, oword_bytes[size],
			size == 1 ? 16 : 0, write, GEN_SFID_DC1,
			(write ? 0x15u : 0x14u) << 14 | subtype << 11 | size << 8,
			fixture_random(fixture) % 2 != 0 ? 16 : 8, 0 };
		uint32_t header[8], lanes = (1u << block.exec_size) - 1;
		uint64_t offset;

		if (subtype == 3) {
			const struct hwords *row = &hword_forms[n / 3 % HWORD_FORMS];

			block.desc = (block.desc & ~(7u << 8)) | row->size << 8;
			block.bytes = 32 * row->registers;
			block.skip = 0;
		}
		fixture_shuffle(fixture);
		offset = choose(fixture, &block, subtype == 1 ? 4 : 16);
		bool is_masked = write || subtype != 1;
		if (n % 4 != 0)
			lanes &= 1u << fixture_random(fixture) % block.exec_size |
				 fixture_random(fixture);
		if (n % 4 == 3 &&
			is_masked) { /* no memory is behind the first 16 bytes, nor is it touched */
			offset = FIXTURE_FIRST + 2 * FIXTURE_BUFFER_BYTES - 16;
			lanes = 1 + fixture_random(fixture) % 15;
		}
		if (n % 4 == 3 && is_masked && block.bytes > 4u * block.exec_size)
			offset -= block.bytes - 16;
		block.dword_lanes = is_masked ? lanes : 0;
		for (unsigned i = 0; i < 8; i++)
			header[i] = fixture_random(fixture);
		header[0] = (uint32_t)offset;
		header[1] = (uint32_t)(offset >> 32) | (n % 2 == 0 ? 0xffff0000 : 0);
		check(fixture, &block, header, offset, lanes);
	}
}

/* Whatever else a descriptor and its lengths say is no message, and none is larger than a block. */
static void other_hword_blocks_are_refused(void **state)
{
	struct fixture *fixture = *state;

	for (unsigned n = 0; n < 2 * 8 * 32; n++) {
		bool write = n % 2 != 0, exists = false;
		unsigned size = n / 2 % 8, registers = n / 16;
		struct eu_send send = { .sfid = GEN_SFID_DC1,
			.desc = (write ? 0x15u : 0x14u) << 14 | 3u << 11 | size << 8 |
				EU_BTI_STATELESS | 1u << HEADER_BIT,
			.mlen = 1,
			.exec_size = 8 };

		if (write && registers > 15) { /* as much as can be in src0, the rest in src1 */
			send.mlen = 2;
			registers--;
		}
		send.xlen = write ? (uint8_t)registers : 0;
		send.rlen = write ? 0 : (uint8_t)registers;
		send.writes = send.rlen > 0;
		registers += send.mlen - 1u;
		for (unsigned i = 0; i < HWORD_FORMS; i++)
			exists |= hword_forms[i].size == size &&
				  hword_forms[i].registers == registers;
		if (!write && registers == 0)
			continue; /* nothing is read */
		if (exists)
			assert_int_equal(
				eu_message_bind(fixture->worker.device, &send, &fixture->fault), 0);
		else
			fixture_expect_refused(fixture, &send, "form that does not exist");
	}
}

static void scratch_blocks(void **state)
{
	struct fixture *fixture = *state;

	for (unsigned n = 0; n < 4u * 2 * ROUNDS; n++) {
		unsigned size = n % 4;
		bool write = n / 4 % 2 != 0;
		uint32_t slot = fixture_random(fixture) % 100;
		uint32_t base = (uint32_t)(FIXTURE_FIRST - FIXTURE_GENERAL) +
				fixture_random(fixture) % 4 * 1024;
		struct block block = { EU_SPACE_STATELESS, 0, 32u << size, 0, write, GEN_SFID_DC0,
			1u << 18 | (write ? 1u << 17 : 0) | size << 12 | slot, 8, 0 };
		uint32_t header[8], lanes = 0xffff;

		fixture_shuffle(fixture);
		for (unsigned i = 0; i < 8; i++)
			header[i] = fixture_random(fixture);
		header[5] = base | (header[5] & 0x3ff);
		/* Writes in dword mode are masked. */
		block.exec_size = 8u << fixture_random(fixture) % 2;
		if (fixture_random(fixture) % 2 == 0) {
			lanes = 1u << fixture_random(fixture) % block.exec_size |
				(fixture_random(fixture) & (0xffff >> (16 - block.exec_size)));
			block.desc |= 1u << 16;
			block.dword_lanes = write ? lanes : 0;
		}
		check(fixture, &block, header, base + slot * 32, lanes);
	}
}

static void faults_and_refusals(void **state)
{
	struct fixture *fixture = *state;
	uint32_t header[8] = { 0xdead0000, 0x1234 };
	struct eu_send send = { .sfid = GEN_SFID_DC1,
		.desc = 0x14u << 14 | 3u << 8 | EU_BTI_STATELESS | 1u << HEADER_BIT,
		.exec_size = 8 };
	struct eu_send bad;

	fixture_shuffle(fixture);
	fixture_place(fixture, &send, header, 1, 2);
	fixture_expect_fault(fixture, &send, 1, GEN_FAULT_PAGE, "0x1234dead0000");
	bad = send;
	bad.desc &= ~(1u << HEADER_BIT);
	fixture_expect_refused(fixture, &bad, "A64 block read");
	bad = send;
	bad.desc |= 7u << 8; /* no such size */
	fixture_expect_refused(fixture, &bad, "A64 block read");
	bad = send;
	bad.rlen = 1;
	fixture_expect_refused(fixture, &bad, "A64 block read");
	bad = send;
	bad.desc ^= 1u << 14; /* a write without data */
	fixture_expect_refused(fixture, &bad, "A64 block write");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(oword_blocks, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(a64_blocks, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			other_hword_blocks_are_refused, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(scratch_blocks, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			faults_and_refusals, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
