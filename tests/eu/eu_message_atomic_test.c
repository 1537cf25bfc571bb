// SPDX-License-Identifier: MIT
#include "test.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "eu_message_fixture.h"

#include "gen/gen_inst.h"

enum { ROUNDS = 8 };

static int64_t sign_extend(uint64_t value, unsigned bytes)
{
	unsigned shift = 64 - bytes * 8;

	return (int64_t)(value << shift) >> shift;
}

/* What PRM-numbered operation `op` stores, given the old value; operands are zero-extended. */
static uint64_t int_result(unsigned op, uint64_t old, uint64_t a, uint64_t b, unsigned bytes)
{
	int64_t s = sign_extend(old, bytes), x = sign_extend(a, bytes);
	const uint64_t results[16] = { 0, old & a, old | a, old ^ a, a, old + 1, old - 1, old + a,
		old - a, a - old, s > x ? old : a, s < x ? old : a, old > a ? old : a,
		old < a ? old : a, old == a ? b : old, old - 1 };

	return results[op];
}

static unsigned operand_count(unsigned op)
{
	return op == 5 || op == 6 || op == 15 ? 0 : op == 14 ? 2 : 1;
}

/* Values in order: floats by magnitude, so that a test can compare without converting. */
static const uint16_t halves[] = { 0xfc00, 0xc500, 0xbc00, 0x8001, 0x0000, 0x03ff, 0x0400, 0x3c01,
	0x4900, 0x7c00 };
static const uint32_t floats[] = { 0xff800000, 0xc0a00000, 0xbf800000, 0x80000001, 0x00000000,
	0x00000001, 0x3f800000, 0x3f800001, 0x41200000, 0x7f800000 };
enum { FLOAT_VALUES = 10, NAN_RANK = 99 };

static uint64_t random_float(struct fixture *fixture, unsigned bytes)
{
	unsigned rank = fixture_random(fixture) % (FLOAT_VALUES + 2);

	if (rank >= FLOAT_VALUES)
		return bytes == 2 ? 0x7e01 : 0x7fc00001;
	return bytes == 2 ? halves[rank] : floats[rank];
}

static unsigned rank_of(uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < FLOAT_VALUES; i++) {
		if (value == (bytes == 2 ? halves[i] : floats[i]))
			return i;
	}
	return NAN_RANK;
}

static uint64_t float_result(unsigned op, uint64_t old, uint64_t a, uint64_t b, unsigned bytes)
{
	unsigned r = rank_of(old, bytes), s = rank_of(a, bytes);

	if (op == 3)
		return r == s && r != NAN_RANK ? b : old;
	if (s == NAN_RANK)
		return old;
	if (r == NAN_RANK)
		return a;
	return op == 1 ? (r >= s ? old : a) : (r <= s ? old : a);
}

struct atomic {
	enum eu_space space;
	unsigned index, lanes, bytes, op, operands;
	bool is_float, returns;
	uint32_t desc;
};

static uint64_t peek(struct fixture *fixture, const struct atomic *atomic, uint64_t offset,
	const uint64_t *store, bool *exists)
{
	uint64_t value = 0;

	for (unsigned b = 0; b < atomic->bytes; b++) {
		uint8_t *byte = fixture_space_byte(
			fixture, atomic->space, atomic->index, offset + atomic->bytes - 1, exists);

		if (!*exists)
			return 0;
		byte = fixture_space_byte(
			fixture, atomic->space, atomic->index, offset + b, exists);
		assert_non_null(byte);
		value |= (uint64_t)*byte << b * 8;
		if (store)
			*byte = (uint8_t)(*store >> b * 8);
	}
	return value;
}

static uint64_t choose_offset(struct fixture *fixture, const struct atomic *atomic)
{
	uint64_t offset = fixture_random(fixture) % 24; /* few, so that lanes meet */

	if (atomic->space == EU_SPACE_SURFACE && atomic->index == FIXTURE_SMALL)
		offset = fixture_random(fixture) % 140;
	else if (atomic->space == EU_SPACE_SURFACE)
		offset += FIXTURE_BUFFER_BYTES - 64 - 12; /* in both buffers */
	else if (atomic->space == EU_SPACE_SLM)
		offset = FIXTURE_SLM_BYTES - 16 + offset;
	else if (atomic->space == EU_SPACE_STATELESS)
		offset += FIXTURE_FIRST - FIXTURE_GENERAL + FIXTURE_BUFFER_BYTES - 12;
	else
		offset += FIXTURE_FIRST + FIXTURE_BUFFER_BYTES - 12;
	return offset / atomic->bytes * atomic->bytes;
}

static void check(struct fixture *fixture, const struct atomic *atomic)
{
	unsigned slot = atomic->bytes == 8 ? 8 : 4, width = atomic->space == EU_SPACE_A64 ? 8 : 4;
	unsigned data = atomic->lanes * slot, addresses = atomic->lanes * width;
	uint64_t mask = atomic->bytes == 8 ? UINT64_MAX : (UINT64_C(1) << atomic->bytes * 8) - 1;
	uint32_t lanes = fixture_random(fixture) & (atomic->lanes == 16 ? 0xffff : 0xff);
	uint8_t payload[32 * 12];
	uint64_t offsets[16], operands[2][16], results[16];
	struct eu_send send = { .sfid = GEN_SFID_DC1, .desc = atomic->desc | atomic->index };

	fixture_shuffle(fixture);
	for (unsigned i = 0; i < sizeof(payload); i++)
		payload[i] = (uint8_t)fixture_random(fixture);
	for (unsigned i = 0; i < atomic->lanes; i++) {
		bool exists;
		uint64_t old;

		offsets[i] = choose_offset(fixture, atomic);
		memcpy(payload + i * width, &offsets[i], width);
		old = peek(fixture, atomic, offsets[i], NULL, &exists);
		for (unsigned n = 0; n < 2; n++) {
			uint64_t value =
				(uint64_t)fixture_random(fixture) << 32 | fixture_random(fixture);

			if (atomic->is_float)
				value = random_float(fixture, atomic->bytes);
			else if (n == 0 && fixture_random(fixture) % 3 == 0)
				value = old; /* comparisons succeed now and then */
			if (n < atomic->operands)
				memcpy(payload + addresses + n * data + i * slot, &value, slot);
			operands[n][i] = value & mask;
		}
	}
	fixture_place(fixture, &send, payload, (addresses + atomic->operands * data) / 32,
		atomic->returns ? data / 32 : 0);
	for (unsigned i = 0; i < atomic->lanes; i++) {
		bool exists;
		uint64_t old, new;

		results[i] = 0;
		if ((lanes >> i & 1) == 0)
			continue;
		old = peek(fixture, atomic, offsets[i], NULL, &exists);
		if (!exists)
			continue;
		new = (atomic->is_float ? float_result : int_result)(
			atomic->op, old, operands[0][i], operands[1][i], atomic->bytes);
		new &= mask;
		peek(fixture, atomic, offsets[i], &new, &exists);
		results[i] = !atomic->is_float && atomic->op == 15 ? new : old;
	}
	for (unsigned i = 0; i < atomic->lanes && atomic->returns; i++) {
		if ((lanes >> i & 1) != 0)
			memcpy(fixture->grf_model + send.dst + i * slot, &results[i], slot);
	}
	fixture_expect(fixture, &send, lanes);
}

static const struct {
	enum eu_space space;
	unsigned index;
} places[] = { { EU_SPACE_SURFACE, FIXTURE_WIDE }, { EU_SPACE_SURFACE, FIXTURE_SMALL },
	{ EU_SPACE_SURFACE, FIXTURE_NULL }, { EU_SPACE_STATELESS, EU_BTI_STATELESS },
	{ EU_SPACE_SLM, EU_BTI_SLM }, { EU_SPACE_A64, EU_BTI_STATELESS } };

static void integer_atomics(void **state)
{
	for (unsigned n = 0; n < 6u * 15 * 2 * 2 * 3 * ROUNDS; n++) {
		unsigned place = n % 6, op = 1 + n / 6 % 15, wide = n / 90 % 2, form = n / 180 % 3;
		bool returns = n / 540 % 2 != 0, a64 = places[place].space == EU_SPACE_A64;
		struct atomic atomic = { places[place].space, places[place].index,
			wide && !a64 ? 16 : 8,
			form == 0   ? 2
			: form == 1 ? 4
				    : 8,
			op, operand_count(op), false, returns, op << 8 | (returns ? 1u << 13 : 0) };

		if (form == 2 && !a64)
			continue;
		atomic.desc |= ((a64 ? 0x12u : 0x02u) + (form == 0)) << 14;
		if (a64 ? form == 2 : !wide)
			atomic.desc |= 1u << 12;
		check(*state, &atomic);
	}
}

/*
 * One lane at a time, on memory that holds a float: the values are known by their order, so that
 * nothing has to be converted to know what is greater.
 */
static void float_atomics(void **state)
{
	struct fixture *fixture = *state;

	for (unsigned n = 0; n < 9000; n++) {
		unsigned bytes = n % 2 == 0 ? 2 : 4, op = 1 + n / 2 % 3;
		bool a64 = n / 6 % 2 != 0;
		uint64_t old = random_float(fixture, bytes), a = random_float(fixture, bytes);
		uint64_t b = random_float(fixture, bytes), new = float_result(op, old, a, b, bytes);
		uint64_t address = FIXTURE_LAST + 8 * (n % 100), offset = address - FIXTURE_GENERAL;
		uint8_t payload[32 * 4] = { 0 }, *host;
		struct eu_send send = { .sfid = GEN_SFID_DC1 };

		if (!a64) {
			offset = 8 * (n % 100);
			address = FIXTURE_WIDE_BASE + offset;
		}
		fixture_shuffle(fixture);
		memcpy(payload + 3 * (a64 ? 8 : 4), a64 ? &address : &offset, a64 ? 8 : 4);
		memcpy(payload + (a64 ? 64 : 32) + 3 * 4, &a, 4);
		memcpy(payload + (a64 ? 96 : 64) + 3 * 4, &b, 4);
		send.desc = ((a64 ? 0x1du : 0x1bu) + (bytes == 2)) << 14 | op << 8 | 1u << 13 |
			    (a64 ? EU_BTI_STATELESS : 1u << 12 | FIXTURE_WIDE);
		fixture_place(fixture, &send, payload, (a64 ? 2 : 1) + (op == 3 ? 2 : 1), 1);
		host = a64 ? fixture->buffers[2].host + 8 * (n % 100)
			   : fixture->buffers[0].host + 64 + 8 * (n % 100);
		memcpy(host, &old, bytes);
		memcpy(fixture_byte(fixture, address), &new, bytes);
		memset(fixture->grf_model + send.dst + 12, 0, 4);
		memcpy(fixture->grf_model + send.dst + 12, &old, bytes);
		fixture_expect(fixture, &send, 1u << 3);
	}
}

static void misuse_is_reported(void **state)
{
	struct fixture *fixture = *state;
	uint32_t offsets[16] = { 2 };
	struct eu_send bad, send = { .sfid = GEN_SFID_DC1,
		.desc = 0x02u << 14 | 1u << 12 | 5u << 8 | FIXTURE_WIDE };

	fixture_shuffle(fixture);
	fixture_place(fixture, &send, offsets, 1, 0);
	fixture_expect_fault(fixture, &send, 1, GEN_FAULT_BAD_MESSAGE, "not aligned");
	bad = send;
	bad.desc &= ~0xf00u; /* an operation on pairs */
	fixture_expect_refused(fixture, &bad, "untyped atomic");
	bad = send;
	bad.desc = 0x1bu << 14 | 1u << 12 | 4u << 8 | FIXTURE_WIDE; /* no float add here */
	fixture_expect_refused(fixture, &bad, "untyped atomic on floats");
	bad = send;
	bad.desc |= 2u << 8; /* add has an operand, the payload none */
	fixture_expect_refused(fixture, &bad, "untyped atomic");
}

enum { CONTENDERS = 4, ADDITIONS = 20000 };

static void *contend(void *argument)
{
	struct fixture *shared = argument;
	struct eu_thread *thread = aligned_alloc(64, (sizeof(*thread) + 63) & ~(size_t)63);
	struct eu_worker worker = shared->worker;
	struct eu_translation translation = { .range = { 0 } };
	struct eu_send send = { .sfid = GEN_SFID_DC1,
		.desc = 0x12u << 14 | 1u << 12 | 5u << 8 | EU_BTI_STATELESS,
		.mlen = 2 };

	if (!thread)
		return NULL;
	memset(thread, 0, sizeof(*thread));
	worker.translations = &translation;
	thread->worker = &worker;
	for (unsigned i = 0; i < 8; i++)
		memcpy(thread->grf + i * 8, &(uint64_t){ FIXTURE_LAST + 64 }, 8);
	if (eu_message_bind(worker.device, &send, worker.fault) == 0) {
		for (unsigned i = 0; i < ADDITIONS; i++)
			send.run(thread, &send, 0xff);
	}
	free(thread);
	return NULL;
}

static void host_threads_do_not_lose_updates(void **state)
{
	struct fixture *fixture = *state;
	pthread_t threads[CONTENDERS];
	uint64_t sum = 0;

	fixture_shuffle(fixture);
	memset(fixture->buffers[2].host + 64, 0, 8);
	for (unsigned i = 0; i < CONTENDERS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, contend, fixture), 0);
	for (unsigned i = 0; i < CONTENDERS; i++)
		pthread_join(threads[i], NULL);
	memcpy(&sum, fixture->buffers[2].host + 64, 8);
	assert_int_equal(sum, (uint64_t)CONTENDERS * ADDITIONS * 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(integer_atomics, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(float_atomics, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			misuse_is_reported, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			host_threads_do_not_lose_updates, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
