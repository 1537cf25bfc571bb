// SPDX-License-Identifier: MIT
/* What messages touch, counted by eu_profile_message and by the plainest way there is. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "eu/memory/eu_memory.h"
#include "eu/profile/eu_profile.h"
#include "test_random.h"

enum { LANES = 16, BANKS = 16, LINE = 64, MOST = 8 * LANES };

static struct eu_thread thread;
static struct eu_worker worker;
static struct eu_dispatch dispatch;
static struct eu_surface surfaces[EU_SURFACES];
static uint64_t seed;

static uint32_t pick(uint32_t n)
{
	return (uint32_t)(test_random(&seed) >> 33) % n;
}

static enum eu_status run(struct eu_thread *t, const struct eu_send *send, uint32_t lanes)
{
	(void)t, (void)send, (void)lanes;
	return EU_RUN;
}

static int setup(void **state)
{
	(void)state;
	worker = (struct eu_worker){ .dispatch = &dispatch, .surfaces = surfaces };
	thread.worker = &worker;
	return 0;
}

/* ---- the plain way ---- */

struct plain {
	uint64_t seen[MOST], times[MOST];
	unsigned count;
};

/* Adds to the times of a number; those of the same number once if `is_set`. */
static void note(struct plain *plain, uint64_t number, bool is_set)
{
	unsigned i = 0;

	while (i < plain->count && plain->seen[i] != number)
		i++;
	if (i == plain->count) {
		plain->seen[plain->count] = number;
		plain->times[plain->count++] = 0;
	}
	plain->times[i] += !is_set || plain->times[i] == 0;
}

static unsigned lines_of(const uint64_t *at, uint32_t lanes, unsigned bytes, uint64_t base)
{
	struct plain lines = { .count = 0 };

	for (unsigned lane = 0; lane < LANES; lane++)
		for (unsigned byte = 0; lanes >> lane & 1 && byte < bytes; byte++)
			note(&lines, (base + at[lane] + byte) / LINE, true);
	return lines.count;
}

static unsigned conflicts_of(const uint64_t *at, uint32_t lanes, unsigned bytes, bool writes)
{
	unsigned in_bank[BANKS] = { 0 }, all = 0, most = 0;
	struct plain words = { .count = 0 };

	for (unsigned lane = 0; lane < LANES; lane++) {
		bool again = false;
		if (!(lanes >> lane & 1))
			continue;
		for (unsigned i = 0; i < lane; i++)
			again |= (lanes >> i & 1) && at[i] == at[lane];
		for (uint64_t word = at[lane] / 4; word <= (at[lane] + bytes - 1) / 4; word++) {
			unsigned before = words.count;
			note(&words, word, true);
			if (words.count == before && !(again && writes))
				continue;
			in_bank[word % BANKS]++;
			all++;
		}
	}
	for (unsigned i = 0; i < BANKS; i++)
		most = in_bank[i] > most ? in_bank[i] : most;
	return most - (all + BANKS - 1) / BANKS;
}

static unsigned contended_of(const uint64_t *at, uint32_t lanes)
{
	unsigned count = 0;

	for (unsigned lane = 1; lane < LANES; lane++)
		for (unsigned i = 0; i < lane; i++)
			if ((lanes >> lane & 1) && (lanes >> i & 1) && at[i] == at[lane]) {
				count++;
				break;
			}
	return count;
}

/* ---- messages ---- */

/* Addresses as kernels have them: side by side, all the same, in steps, in rows, at random. */
static void random_addresses(uint64_t *at, unsigned bytes, unsigned align)
{
	unsigned kind = pick(7), base = pick(4096) / align * align, step = pick(40) * align;
	unsigned width = 1u << pick(5);

	for (unsigned i = 0; i < LANES; i++) {
		at[i] = base;
		if (kind == 0)
			at[i] += i * bytes;
		else if (kind == 2)
			at[i] += i * step;
		else if (kind == 3)
			at[i] += i % width * bytes + i / width * 512;
		else if (kind == 4)
			at[i] = pick(8192) / align * align;
		else if (kind == 5)
			at[i] += (i ^ pick(16)) * bytes;
		else if (kind == 6 && pick(4) == 0)
			at[i] += (uint64_t)pick(UINT32_MAX) / align * align;
	}
}

static struct eu_send random_send(void)
{
	static const uint8_t sizes[] = { 1, 2, 4, 4, 4, 8 };
	unsigned size = sizes[pick(6)], count = size == 4 ? 1 + pick(4) : 1;
	struct eu_send send = { .run = run, .src0 = 64 };
	bool atomic = pick(4) == 0, writes = pick(2);
	unsigned lanes = pick(4) ? LANES : LANES / 2;

	send.access = (struct eu_access){ .kind = atomic ? EU_ACCESS_ATOMIC : EU_ACCESS_SCATTER,
		.space = (uint8_t)pick(EU_SPACES),
		.index = (uint8_t)pick(4),
		.reads = atomic || !writes,
		.writes = atomic || writes,
		.lanes = (uint8_t)lanes,
		.address = 4,
		.size = (uint8_t)size,
		.count = (uint8_t)(atomic ? 1 : count),
		.channels = (uint8_t)(atomic ? 1 : (1u << count) - 1) };
	send.access.bytes = (uint16_t)(send.access.size * send.access.count);
	if (send.access.space == EU_SPACE_A64)
		send.access.address = 8;
	send.mlen = send.access.address / 2;
	return send;
}

/* Writes the addresses into the payload; makes them offsets within the message's space. */
static void place_addresses(const struct eu_send *send, uint64_t *at)
{
	uint64_t base = send->access.space == EU_SPACE_A64 ? UINT64_C(0x7f00fffff000) : 0;

	for (unsigned i = 0; i < LANES; i++) {
		at[i] += base;
		if (send->access.address == 4)
			at[i] = (uint32_t)at[i];
		memcpy(thread.grf + send->src0 + i * send->access.address, &at[i],
			send->access.address);
		if (send->access.space == EU_SPACE_SLM)
			at[i] &= EU_SLM_MASK;
	}
}

/* Counts the message on one of the hosts; true: quickly. */
static bool count_message(const struct eu_send *send, uint32_t lanes, uint64_t *counts)
{
	eu_profile_lanes *quick = eu_profile_select(eu_target_parse(NULL).host);

	if (quick && eu_profile_is_plain(send) && quick(&thread, send, lanes, counts))
		return true;
	eu_profile_message(&thread, send, lanes, counts);
	return false;
}

static void random_messages(void **state)
{
	uint64_t total[EU_PROFILE_MESSAGE] = { 0 };
	unsigned quick = 0, messages = 400000;

	(void)state;
	seed = 99;
	for (unsigned i = 0; i < 4; i++)
		surfaces[i] = (struct eu_surface){ .state = 64, .base = 0x100000 + 20 * i };
	for (unsigned n = 0; n < messages; n++) {
		struct eu_send send = random_send();
		const struct eu_access *access = &send.access;
		uint64_t at[LANES], counts[EU_PROFILE_MESSAGE] = { 0 };
		uint32_t all = UINT32_MAX >> (32 - access->lanes);
		uint32_t lanes = pick(2) ? all : 1 + pick(all);
		bool local = access->space == EU_SPACE_SLM;
		bool surface = access->space == EU_SPACE_SURFACE;
		random_addresses(at, access->bytes, access->size);
		place_addresses(&send, at);
		quick += count_message(&send, lanes, counts);
		unsigned on = (unsigned)__builtin_popcount(lanes);
		assert_int_equal(counts[EU_PROFILE_LANES], on);
		assert_int_equal(counts[EU_PROFILE_BYTES], on * access->bytes);
		assert_int_equal(counts[EU_PROFILE_LINES],
			local ? 0
			      : lines_of(at, lanes, access->bytes,
					surface ? surfaces[access->index].base : 0));
		assert_int_equal(counts[EU_PROFILE_CONFLICTS],
			local ? conflicts_of(at, lanes, access->bytes, access->writes) : 0);
		assert_int_equal(counts[EU_PROFILE_CONTENDED],
			access->kind == EU_ACCESS_ATOMIC ? contended_of(at, lanes) : 0);
		for (unsigned i = 0; i < EU_PROFILE_MESSAGE; i++)
			total[i] += counts[i];
	}
	for (unsigned i = 0; i < EU_PROFILE_MESSAGE; i++)
		assert_true(i == EU_PROFILE_SCRATCH || total[i] > 10000);
	if (eu_profile_select(eu_target_parse(NULL).host))
		assert_in_range(quick, messages / 4, messages / 4 * 3);
}

/* Blocks have one address; those of scratch space are told apart. */
static void blocks(void **state)
{
	struct eu_send send = { .run = run, .exec_size = 16, .mlen = 1, .src0 = 64 };
	uint64_t counts[EU_PROFILE_MESSAGE] = { 0 };
	uint32_t address = 0x20;

	(void)state;
	surfaces[3] = (struct eu_surface){ .state = 64, .base = 0x200000 };
	send.access = (struct eu_access){ .kind = EU_ACCESS_BLOCK,
		.space = EU_SPACE_SURFACE,
		.index = 3,
		.reads = true,
		.lanes = 1,
		.address = 4,
		.at = 8,
		.bytes = 128 };
	memcpy(thread.grf + send.src0 + 8, &address, sizeof address);
	eu_profile_message(&thread, &send, 0xffff, counts);
	assert_int_equal(counts[EU_PROFILE_BYTES], 128);
	assert_int_equal(counts[EU_PROFILE_LINES], 3); /* from 0x20 to 0x9f */
	assert_int_equal(counts[EU_PROFILE_SCRATCH], 0);
	surfaces[3].is_scratch = true;
	eu_profile_message(&thread, &send, 0xffff, counts);
	assert_int_equal(counts[EU_PROFILE_SCRATCH], 1);
	eu_profile_message(&thread, &send, 0, counts);
	assert_int_equal(counts[EU_PROFILE_BYTES], 256);
}

/* ---- the model's rates ---- */

static struct eu_rate rate_of(
	const char *device, enum gen_op op, enum gen_type type, unsigned width)
{
	struct gen_inst inst = { .op = (uint8_t)op,
		.exec_size = (uint8_t)width,
		.has_dst = true,
		.dst = { .file = GEN_FILE_GRF, .type = (uint8_t)type } };

	return eu_rate_of(gen_device_find(device), &inst);
}

static void rates_are_the_tables(void **state)
{
	(void)state;
	assert_int_equal(rate_of("tgllp", GEN_OP_add, GEN_TYPE_F, 16).cycles, 2);
	assert_int_equal(rate_of("tgllp", GEN_OP_add, GEN_TYPE_HF, 16).cycles, 1);
	assert_int_equal(rate_of("tgllp", GEN_OP_add, GEN_TYPE_F, 1).cycles, 1);
	assert_int_equal(rate_of("tgllp", GEN_OP_mad, GEN_TYPE_F, 8).operations, 2);
	assert_int_equal(rate_of("tgllp", GEN_OP_mov, GEN_TYPE_F, 8).operations, 0);
	assert_int_equal(rate_of("tgllp", GEN_OP_math, GEN_TYPE_F, 16).cycles, 8);
	assert_int_equal(rate_of("tgllp", GEN_OP_math, GEN_TYPE_F, 16).port, 1);
	assert_int_equal(rate_of("icl", GEN_OP_add, GEN_TYPE_D, 16).cycles, 4);
	assert_int_equal(rate_of("skl", GEN_OP_add, GEN_TYPE_D, 16).cycles, 2);
	assert_int_equal(rate_of("skl", GEN_OP_add, GEN_TYPE_DF, 8).cycles, 4);
	assert_int_equal(rate_of("dg2", GEN_OP_add, GEN_TYPE_D, 16).port, 1);
	assert_string_equal(rate_of("dg2", GEN_OP_send, GEN_TYPE_UD, 16).pipe, "message");
}

static void groups_are_resident_by_the_limits(void **state)
{
	const struct gen_device *device = gen_device_find("tgllp");
	struct eu_dispatch walker = { .simd = 16, .threads_per_group = 16 };

	(void)state;
	assert_int_equal(eu_residence_of(device, &walker).groups, 8);
	walker.slm_bytes = 65536;
	assert_int_equal(eu_residence_of(device, &walker).groups, 2);
	assert_string_equal(eu_residence_of(device, &walker).limit, "local memory");
	walker = (struct eu_dispatch){ .simd = 16, .threads_per_group = 1, .barrier = true };
	assert_int_equal(eu_residence_of(device, &walker).groups, 32);
	assert_string_equal(eu_residence_of(device, &walker).limit, "barriers");
	for (unsigned i = 0; gen_device_row(i); i++)
		assert_true(eu_limits_of(gen_device_row(i)).gigabytes > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_messages),
		cmocka_unit_test(blocks),
		cmocka_unit_test(rates_are_the_tables),
		cmocka_unit_test(groups_are_resident_by_the_limits),
	};
	return cmocka_run_group_tests(tests, setup, NULL);
}
