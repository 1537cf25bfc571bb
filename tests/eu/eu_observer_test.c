// SPDX-License-Identifier: MIT
/* Where the lanes of a message are: each against its address in the payload. */
#include "eu/watch/eu_observer.h"

#include <string.h>

#include "eu/memory/eu_memory.h"
#include "gen/gen_decode.h"

#include "test.h"
#include "test_random.h"

enum { LANES = 16, AT = 64, BYTES = 4 };

static struct gen_inst inst;
static struct gen_program program = { .inst = &inst, .count = 1 };
static struct eu_kernel kernel = { .program = &program };
static struct eu_thread thread = { .kernel = &kernel };

static enum eu_status run(struct eu_thread *t, const struct eu_send *send, uint32_t lanes)
{
	(void)t;
	(void)send;
	(void)lanes;
	return EU_RUN;
}

/* Addresses from `first` on, `apart` from each other, but for `stray` that is `off`. */
struct row {
	enum eu_space space;
	uint64_t first, apart;
	unsigned stray;
	uint64_t off;
	bool is_even;
};

static const struct row rows[] = {
	{ EU_SPACE_SURFACE, 0x1000, 4, 0, 0, true },
	{ EU_SPACE_SURFACE, 0x1000, -(uint64_t)4, 0, 0, true },
	{ EU_SPACE_SURFACE, 0x1000, 0, 0, 0, true },
	{ EU_SPACE_SURFACE, 0x1000, 4, 9, 1, false },
	{ EU_SPACE_SURFACE, 0x1000, 4, 1, 8, false },
	{ EU_SPACE_SURFACE, 16, -(uint64_t)4, 0, 0, false }, /* below 0 */
	{ EU_SPACE_SURFACE, 0xfffffff0, 4, 0, 0, false },    /* beyond 32 bits */
	{ EU_SPACE_SLM, EU_SLM_MASK - 16, 4, 0, 0, false },  /* round local memory */
	{ EU_SPACE_SLM, 0x100, 4, 0, 0, true },
	{ EU_SPACE_A64, UINT64_C(0x123456789000), 4, 0, 0, true },
	{ EU_SPACE_A64, UINT64_C(0xfffffff0), 4, 0, 0, true }, /* through 32 bits */
	{ EU_SPACE_A64, UINT64_C(0x123456789000), -(uint64_t)4, 0, 0, true },
	{ EU_SPACE_A64, UINT64_C(0x123456789000), UINT64_C(1) << 33, 0, 0, true },
	{ EU_SPACE_A64, UINT64_C(0xffff812345678900), 4, 0, 0, true }, /* canonical */
	{ EU_SPACE_A64, UINT64_C(0x123456789000), 4, 15, UINT64_C(1) << 40, false },
	{ EU_SPACE_A64, UINT64_C(0x123456789000), 4, 1, 2, false },
	{ EU_SPACE_A64, UINT64_C(0xfffffffffff0), 4, 0, 0, false }, /* beyond 48 bits */
	{ EU_SPACE_A64, 16, -(uint64_t)4, 0, 0, false },
};

static uint64_t naive(enum eu_space space, uint64_t address)
{
	return space == EU_SPACE_A64   ? address & ((UINT64_C(1) << 48) - 1)
	       : space == EU_SPACE_SLM ? address % GEN_SLM_BYTES
				       : (uint32_t)address;
}

static void lanes_are_where_their_addresses_are(const struct row *row, uint32_t channels)
{
	const bool is_wide = row->space == EU_SPACE_A64;
	const struct eu_send send = { .run = run,
		.src0 = AT,
		.mlen = 8,
		.access = { .kind = EU_ACCESS_SCATTER,
			.space = row->space,
			.lanes = LANES,
			.address = is_wide ? 8 : 4,
			.size = BYTES,
			.bytes = BYTES } };
	const struct eu_event event = { .thread = &thread, .send = &send, .channels = channels };
	uint64_t offset[LANES];
	struct eu_reach reach;
	unsigned n = 0;

	memset(thread.grf, 0xa5, sizeof thread.grf);
	memset(&reach, 0xa5, sizeof reach);
	for (unsigned i = 0; i < LANES; i++) {
		uint64_t at = row->first + i * row->apart + (i == row->stray ? row->off : 0);
		memcpy(thread.grf + AT + i * send.access.address, &at, send.access.address);
		offset[i] = naive(row->space, at);
	}
	assert_true(eu_event_reach(&event, &reach));
	for (unsigned i = 0; i < LANES; i++) {
		if (!(channels >> i & 1))
			continue;
		assert_int_equal(eu_reach_channel(&reach, n), i);
		assert_int_equal(eu_reach_offset(&reach, n), offset[i]);
		assert_in_range(offset[i], reach.low, reach.high - BYTES);
		n++;
	}
	assert_int_equal(reach.count, n);
	if (n == LANES)
		assert_int_equal(reach.is_even, row->is_even);
}

static void lanes_are_found(void **state)
{
	uint64_t seed = 11;

	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		lanes_are_where_their_addresses_are(&rows[i], (1u << LANES) - 1);
		for (unsigned k = 0; k < 20; k++) {
			uint32_t channels = test_random(&seed) & ((1u << LANES) - 1);
			lanes_are_where_their_addresses_are(&rows[i], channels ? channels : 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(lanes_are_found) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
