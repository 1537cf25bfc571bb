// SPDX-License-Identifier: MIT
#include "eu/watch/eu_shadow.h"

#include <string.h>

#include "eu_order_fixture.h"
#include "test.h"
#include "test_random.h"

#include "eu/watch/eu_command.h"
#include "eu/watch/eu_shadow_page.h"

static struct eu_shadow shadow;

static bool touch(struct eu_order_agent *agent, unsigned channel, uint64_t address, unsigned bytes,
	bool writes, struct eu_shadow_race *race)
{
	const struct eu_shadow_access access = { .address = address,
		.bytes = bytes,
		.lane = bytes,
		.writes = writes,
		.cell = { .channel = (uint8_t)channel, .site = 7 } };

	return eu_shadow_touch(&shadow, &order, agent, &access, race);
}

static void bytes_are_told_apart(void **state)
{
	struct eu_order_agent *a = order_enter(0, 0), *b = order_enter(0, 1);
	struct eu_shadow_race race;

	(void)state;
	assert_false(touch(a, 0, 4096, 8, true, &race));
	assert_false(touch(b, 0, 4104, 1, true, &race));
	assert_false(touch(a, 0, 4105, 3, true, &race));
	assert_true(touch(b, 0, 4101, 4, false, &race));
	assert_int_equal(race.byte, 0);
	assert_true(race.other_writes);
	assert_int_equal(race.other_agent, a->id);
	assert_true(touch(b, 3, 4095, 2, false, &race));
	assert_int_equal(race.byte, 1);
	eu_shadow_finish(&shadow);
}

static void reads_of_two_are_kept(void **state)
{
	struct eu_order_agent *a = order_enter(0, 0), *b = order_enter(0, 1),
			      *c = order_enter(1, 0);
	struct eu_shadow_race race;

	(void)state;
	assert_false(touch(c, 0, 64, 4, false, &race));
	assert_false(touch(b, 0, 64, 4, false, &race));
	assert_false(touch(a, 0, 64, 4, false, &race));
	assert_true(touch(a, 0, 64, 4, true, &race));
	assert_int_equal(race.other_agent, c->id);
	/* Work-items of one agent, if that is wanted. */
	assert_false(touch(a, 5, 64, 4, false, &race));
	shadow.judges_channels = true;
	assert_true(touch(a, 6, 64, 4, false, &race));
	eu_order_fence(&order, a, false);
	assert_false(touch(a, 6, 64, 4, false, &race));
	eu_shadow_finish(&shadow);
}

/* Both reads of a unit are of each of its parts, too, when somebody touches less. */
static void parts_are_what_the_whole_was(void **state)
{
	struct eu_order_agent *a = order_enter(0, 0), *b = order_enter(0, 1),
			      *c = order_enter(1, 0);
	struct eu_shadow_race race;

	(void)state;
	for (unsigned byte = 0; byte < 4; byte++) {
		uint64_t address = (byte + 1) * UINT64_C(4096);
		assert_false(touch(c, 0, address, 4, false, &race));
		assert_false(touch(a, 0, address, 4, false, &race));
		assert_false(touch(b, 0, address + 8, 1, false, &race));
		assert_true(touch(a, 0, address + byte, 1, true, &race));
		assert_int_equal(race.other_agent, c->id);
		assert_false(race.other_writes);
		assert_true(touch(b, 0, address + byte, 1, false, &race));
		assert_true(race.other_writes);
	}
	eu_shadow_finish(&shadow);
}

/* What was read before a barrier does not keep later reads from being kept. */
static void void_reads_give_way(void **state)
{
	struct eu_order_agent *a = order_enter(0, 0), *b = order_enter(0, 1);
	struct eu_shadow_race race;

	(void)state;
	shadow.judges_channels = true;
	assert_false(touch(b, 0, 64, 4, false, &race));
	assert_false(touch(a, 0, 64, 4, false, &race));
	order_meet(a, b, 1, true);
	assert_false(touch(a, 1, 64, 4, false, &race));
	assert_false(touch(a, 2, 64, 4, false, &race));
	assert_true(touch(a, 2, 64, 4, true, &race));
	assert_int_equal(race.other.channel, 1);
	eu_shadow_finish(&shadow);
}

/* Reads that add nothing to those before them are not kept; what they race with is found. */
static void reads_again_race_as_before(void **state)
{
	struct eu_order_agent *a = order_enter(0, 0), *b = order_enter(0, 1);
	struct eu_shadow_race race;

	(void)state;
	shadow.judges_channels = true;
	for (unsigned turn = 0; turn < 2; turn++) {
		uint64_t address = 64 + 4 * turn;
		for (unsigned channel = 0; channel < 6; channel++)
			assert_false(touch(a, channel % 3, address, 4, false, &race));
		/* By any of those work-items, and by another agent. */
		assert_true(touch(turn ? b : a, 1, address, 4, true, &race));
		assert_int_equal(race.other_agent, a->id);
	}
	for (unsigned channel = 0; channel < 3; channel++)
		assert_false(touch(a, channel, 128, 4, false, &race));
	eu_order_fence(&order, a, false);
	assert_false(touch(a, 3, 128, 4, false, &race));
	assert_false(touch(a, 3, 128, 4, true, &race));
	/* Atomic reads say less than others. */
	struct eu_shadow_access access = {
		.address = 256, .bytes = 4, .lane = 4, .cell.atomic = true
	};
	for (unsigned i = 0; i < 3; i++) {
		access.cell.channel = (uint8_t)i;
		assert_false(eu_shadow_touch(&shadow, &order, a, &access, &race));
	}
	assert_false(touch(a, 2, 256, 4, false, &race));
	access.writes = true;
	assert_true(eu_shadow_touch(&shadow, &order, b, &access, &race));
	eu_shadow_finish(&shadow);
}

static void local_memory_counts_from_its_last_barrier(void **state)
{
	struct eu_order_agent *a = order_enter(0, 0), *b = order_enter(0, 1);
	struct eu_shadow_race race;

	(void)state;
	for (uint32_t i = 0; i < 16; i++) {
		bool fenced = i % 4 < 2;
		assert_false(touch(a, 0, 64 + 4 * i, 4, i % 2, &race));
		order_meet(a, b, i + 1, fenced);
		/* What has been read is known without a fence. */
		assert_int_equal(touch(b, 0, 64 + 4 * i, 4, true, &race), !fenced && i % 2);
		assert_true(touch(a, 0, 64 + 4 * i, 4, false, &race));
		assert_int_equal(race.other_agent, b->id);
		assert_true(race.other_writes);
	}
	eu_shadow_finish(&shadow);
}

static struct eu_order_agent *launch(uint32_t command)
{
	eu_order_begin(&order, command, &order_dispatch);
	eu_shadow_begin(&shadow, &order);
	return order_enter(0, 0);
}

/* By bytes, so that much is kept of it. */
static bool touch_global(struct eu_order_agent *agent, uint64_t address, bool writes)
{
	const struct eu_shadow_access access = {
		.address = address | 1, .bytes = 2, .lane = 1, .writes = writes, .global = true
	};
	struct eu_shadow_race race;

	return eu_shadow_touch(&shadow, &order, agent, &access, &race);
}

/* Launches that each touch memory of their own, and all the same page. */
static void memory_of_what_is_void_is_used_again(void **state)
{
	enum { LAUNCHES = 400, PAGES = 64, PAGE = 4096, COMMON = 1 << 20, MOST = 128 << 20 };
	uint64_t address = 1 << 30;
	size_t most = 0;

	(void)state;
	for (unsigned i = 0; i < LAUNCHES; i++) {
		struct eu_order_agent *a = launch(0), *b = order_enter(0, 1);
		for (unsigned k = 0; k < PAGES; k++, address += PAGE) {
			assert_false(touch_global(a, address, i % 2));
			assert_true(touch_global(b, address, true));
		}
		assert_false(touch_global(a, COMMON, true));
		assert_true(touch_global(b, COMMON, false));
		most = shadow.used > most ? shadow.used : most;
	}
	assert_in_range(most, MOST / 8, MOST);
	eu_shadow_finish(&shadow);
}

/* Returns log2 of the bytes by which the page is kept then. */
static unsigned write_dword(struct eu_order_agent *agent, uint64_t address, bool races)
{
	const struct eu_shadow_access access = {
		.address = address, .bytes = 4, .lane = 4, .writes = true, .global = true
	};
	struct eu_shadow_race race;

	assert_int_equal(eu_shadow_touch(&shadow, &order, agent, &access, &race), races);
	return eu_shadow_find_page(&shadow, access.address)->shift;
}

/* Local memory is kept by dwords again if nobody in a walker has touched less than one. */
static void local_memory_is_wide_again(void **state)
{
	const uint64_t at = EU_SHADOW_LOCAL + 4096;

	(void)state;
	assert_false(touch_global(launch(0), at, true));
	assert_int_equal(write_dword(launch(0), at, false), 0);
	assert_int_equal(write_dword(launch(0), at, false), 2);
	assert_int_equal(write_dword(order_enter(0, 1), at, true), 2);
	eu_shadow_finish(&shadow);
}

/* What counts for nobody in a walker may count for one behind that. */
static void launches_between_forget_nothing(void **state)
{
	const uint32_t first = eu_command_add("one", 1, NULL, 0);
	const uint32_t other = eu_command_add("other", 2, NULL, 0);

	(void)state;
	eu_order_finish(&order);
	assert_false(touch_global(launch(first), 4096, true));
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(write_dword(launch(first), 4104, false), 0);
	assert_int_equal(write_dword(launch(other), 4096, true), 0);
	eu_shadow_finish(&shadow);
}

/* Each line's cells begin in a line of the host's cache of their own. */
static void cells_are_aligned(void **state)
{
	struct eu_order_agent *a = launch(0);

	(void)state;
	for (uint64_t address = 0; address < 256 * 4096; address += 4096) {
		touch_global(a, address, true);
		const struct eu_shadow_page *page = eu_shadow_find_page(&shadow, address);
		assert_int_equal((uintptr_t)page->cells % 64, 0);
		assert_int_equal((uintptr_t)page % 64, 0);
	}
	eu_shadow_finish(&shadow);
}

/* Periods of before are not taken for those of the same numbers when time begins anew. */
static void time_begins_anew(void **state)
{
	struct eu_order_agent *a;

	(void)state;
	launch(0);
	assert_false(touch_global(order_enter(0, 1), 64, true));
	order.now = UINT32_MAX / 2;
	a = launch(0);
	assert_int_equal(a->period, 1);
	assert_int_equal(order_enter(0, 1)->period, 2);
	assert_false(touch_global(a, 64, true));
	eu_shadow_finish(&shadow);
}

/* What a launch did stays known to one that is not ordered with it, however much comes between. */
static void what_still_counts_is_kept(void **state)
{
	enum { LAUNCHES = 100, PAGES = 64, PAGE = 4096, COMMON = 1 << 20 };
	const uint32_t first = eu_command_add("one", 1, NULL, 0);
	const uint32_t second = eu_command_add("other", 2, NULL, 0);
	uint64_t address = 1 << 30;

	(void)state;
	assert_false(touch_global(launch(first), COMMON, true));
	for (unsigned i = 0; i < LAUNCHES; i++) {
		struct eu_order_agent *agent = launch(second);
		for (unsigned k = 0; k < PAGES; k++, address += PAGE)
			assert_false(touch_global(agent, address, true));
	}
	assert_true(touch_global(launch(second), COMMON, false));
	eu_shadow_finish(&shadow);
}

static const struct eu_shadow_access dword = {
	.address = 64, .bytes = 4, .lane = 4, .global = true
};

static void read_dword(struct eu_order_agent *agent, bool apart)
{
	const struct eu_shadow_place place = { dword.address, 0 };
	struct eu_shadow_race race;

	if (apart)
		assert_int_equal(
			eu_shadow_touch_apart(&shadow, &order, agent, &dword, &place, 1, &race), 1);
	else
		assert_false(eu_shadow_touch(&shadow, &order, agent, &dword, &race));
}

/* A read of a launch that is not ordered stays beside those of this one; of another it does not. */
static void reads_of_other_launches_are_kept(void **state)
{
	struct eu_shadow_access write = dword;
	struct eu_shadow_race race;

	(void)state;
	write.writes = true;
	for (uint32_t i = 0; i < 4; i++) {
		const bool ordered = i % 2, apart = i / 2;
		const uint32_t first = eu_command_add("one", 1 + 2 * i, NULL, 0);
		const uint32_t other = eu_command_add("other", 2 + 2 * i, NULL, 0);
		const uint32_t last = ordered ? eu_command_add("last", 1 + 2 * i, NULL, 0) : other;
		read_dword(launch(first), apart);
		/* Many that do nothing. */
		for (unsigned k = 0; k < 9; k++)
			launch(last);
		struct eu_order_agent *a = launch(last), *b = order_enter(0, 1),
				      *c = order_enter(1, 0);
		read_dword(b, apart);
		read_dword(c, apart);
		read_dword(a, apart);
		assert_true(eu_shadow_touch(&shadow, &order, a, &write, &race));
		assert_int_equal(race.launch == NULL, ordered);
		assert_false(ordered && race.other_agent != c->id);
		eu_shadow_finish(&shadow);
	}
}

enum { CONSTANTS = 8192, FIRST_SITE = 100, SITES = 300 };

/*
 * What a walker reads at random, and which instructions have read each byte: a bit for 16 of them.
 * Returns whether it is kept as constant.
 */
static bool read_constants(struct eu_order_agent *agent, uint64_t *seed, uint16_t *readers)
{
	const unsigned lane = 1u << test_random(seed) % 4;
	const uint32_t site = test_random(seed) % 8 ? test_random(seed) % 3 : SITES - 1;
	const unsigned at = (unsigned)test_random(seed) % (CONSTANTS - 256) / lane * lane;
	const struct eu_shadow_access access = { .address = CONSTANTS + at,
		.bytes = lane * (1 + (unsigned)(test_random(seed) % 16)),
		.lane = lane,
		.global = true,
		.cell = { .site = FIRST_SITE + site } };
	struct eu_shadow_race race;

	const bool is_kept = eu_shadow_read_constant(
		&shadow, agent, FIRST_SITE, site, access.address, access.bytes);
	if (!is_kept)
		assert_false(eu_shadow_touch(&shadow, &order, agent, &access, &race));
	for (unsigned i = 0; i < access.bytes; i++)
		readers[at + i] |= (uint16_t)(1u << site % 16);
	return is_kept;
}

/* What is constant in a walker is none of its races, and one of those with another launch. */
static void constants_race_with_other_launches(void **state)
{
	static uint16_t readers[CONSTANTS];
	unsigned found = 0, missed = 0, kept = 0;
	uint64_t seed = 5;

	(void)state;
	for (uint32_t i = 0; i < 60; i++) {
		const bool ordered = i % 3 == 0;
		const uint32_t first = eu_command_add("first", 1000 + 2 * i, NULL, 0);
		const uint32_t other = eu_command_add("other", 1000 + 2 * i + !ordered, NULL, 0);
		eu_order_finish(&order);
		struct eu_order_agent *agents[2] = { launch(first), order_enter(0, 1) };
		memset(readers, 0, sizeof readers);
		for (unsigned n = 0; n < 60; n++)
			kept += read_constants(agents[n % 2], &seed, readers);
		/* Others behind it, which read less, and write elsewhere in the same pages. */
		for (unsigned k = 0; k < i % 4; k++) {
			struct eu_order_agent *agent = launch(first);
			for (unsigned n = 0; n < 20; n++)
				kept += read_constants(agent, &seed, readers);
			assert_false(touch_global(agent, 2 * CONSTANTS - 16, true));
		}
		struct eu_order_agent *writer = launch(other);
		for (unsigned n = 0; n < 400; n++) {
			const unsigned lane = 1u << test_random(&seed) % 3;
			const unsigned at =
				(unsigned)test_random(&seed) % (CONSTANTS - 16) / lane * lane;
			struct eu_shadow_race race;
			unsigned first_read = 0;
			while (first_read < lane && !readers[at + first_read])
				first_read++;
			const bool expected = first_read < lane && !ordered;
			const struct eu_shadow_access write = { .address = CONSTANTS + at,
				.bytes = lane,
				.lane = lane,
				.writes = true,
				.global = true };
			const bool races = eu_shadow_touch(&shadow, &order, writer, &write, &race);
			assert_int_equal(races, expected);
			if (races) {
				assert_int_equal(race.byte, first_read);
				assert_non_null(race.launch);
				assert_true(race.launch->command == first);
				assert_true(readers[at + first_read] >>
						    (race.other.site - FIRST_SITE) % 16 &
					    1);
			}
			memset(readers + at, 0, lane * sizeof *readers);
			found += races;
			missed += !races;
		}
		eu_shadow_finish(&shadow);
	}
	assert_in_range(kept, 3000, 5200);
	assert_in_range(found, 2000, 15000);
	assert_in_range(missed, 5000, 22000);
}

/* Lanes side by side at once are what they are one after the other. */
static void lanes_are_what_each_is(void **state)
{
	static const unsigned sizes[] = { 1, 2, 4, 8, 12, 16 };
	static struct eu_shadow apart;
	struct eu_order_agent *agents[4] = { order_enter(0, 0), order_enter(0, 1),
		order_enter(1, 0), order_enter(1, 1) };
	struct eu_shadow_race race;
	unsigned races = 0;
	uint64_t seed = 3;

	(void)state;
	for (unsigned step = 0; step < 200000; step++) {
		struct eu_order_agent *agent = agents[test_random(&seed) % 4];
		unsigned lane = sizes[test_random(&seed) % 6];
		struct eu_shadow_access access = {
			.address = 4096 - 256 + test_random(&seed) % 512,
			.bytes = lane * (1 + (unsigned)(test_random(&seed) % 16)),
			.lane = lane,
			.writes = test_random(&seed) % 4 == 0,
			.global = true,
			.cell = { .site = 5,
				.channel = test_random(&seed) % 16,
				.atomic = test_random(&seed) % 4 == 0 },
		};
		/* Pages begin with dwords again, and some keep them. */
		if (step % 512 == 0) {
			eu_shadow_finish(&shadow);
			eu_shadow_finish(&apart);
		}
		shadow.judges_channels = apart.judges_channels = test_random(&seed) % 2;
		if (test_random(&seed) % 4 || (step / 512 % 2 && lane >= 4))
			access.address &= ~UINT64_C(3);
		if (step / 512 % 2 && lane < 4)
			continue;
		if (test_random(&seed) % 3 == 0)
			eu_order_fence(&order, agent, true);
		bool found = eu_shadow_touch(&shadow, &order, agent, &access, &race), any = false;
		unsigned end = access.bytes, at = found ? race.byte / lane : 0, first = 0;
		access.bytes = lane;
		for (unsigned i = 0; i < end / lane; i++) {
			if (eu_shadow_touch(&apart, &order, agent, &access, &race) && !any) {
				any = true;
				first = i;
			}
			access.address += lane;
			access.cell.channel++;
		}
		assert_int_equal(found, any);
		/* Writes are looked at before reads, a line at a time. */
		assert_true(access.writes || at == first);
		races += found;
	}
	assert_in_range(races, 1000, 199000);
	eu_shadow_finish(&shadow);
	eu_shadow_finish(&apart);
}

/* Places touched in one call are what they are in several: at multiples of that, or anywhere. */
static void compare_places(unsigned multiple)
{
	static struct eu_shadow apart;
	struct eu_order_agent *agents[3] = { order_enter(0, 0), order_enter(0, 1),
		order_enter(1, 0) };
	struct eu_shadow_place spots[16];
	struct eu_shadow_race race, other;
	unsigned races = 0;
	uint64_t seed = 5;

	shadow.judges_channels = apart.judges_channels = true;
	for (unsigned step = 0; step < 50000; step++) {
		struct eu_order_agent *agent = agents[test_random(&seed) % 3];
		unsigned lane = multiple > 1 ? multiple : 1u << test_random(&seed) % 4;
		struct eu_shadow_access access = { .bytes = lane,
			.lane = lane,
			.writes = test_random(&seed) % 4 == 0,
			.global = true,
			.cell.site = 5 };
		for (unsigned i = 0; i < 16; i++)
			spots[i] = (struct eu_shadow_place){
				(4000 + test_random(&seed) % 4096) / multiple * multiple, i
			};
		if (test_random(&seed) % 3 == 0)
			eu_order_fence(&order, agent, true);
		for (unsigned i = 0; i < 16; i++) {
			unsigned first = i;
			i += eu_shadow_touch_apart(
				&shadow, &order, agent, &access, spots + first, 16 - first, &race);
			for (unsigned k = first; k < 16 && k <= i; k++) {
				access.address = spots[k].address;
				access.cell.channel = (uint8_t)spots[k].channel;
				assert_int_equal(
					eu_shadow_touch(&apart, &order, agent, &access, &other),
					k == i);
			}
			access.cell.channel = 0;
			if (i == 16)
				break;
			assert_int_equal(race.byte, other.byte);
			assert_int_equal(race.other_agent, other.other_agent);
			assert_int_equal(race.other.channel, other.other.channel);
			races++;
		}
	}
	assert_in_range(races, 1000, 799000);
	eu_shadow_finish(&shadow);
	eu_shadow_finish(&apart);
}

enum { UNITS = 64, FIRST_UNIT = 4096 - 128 };
static struct eu_shadow twin;

/* Touches all units in both shadows; returns how many race, which they do alike. */
static unsigned touch_units(struct eu_order_agent *agent, struct eu_shadow_access access)
{
	struct eu_shadow_race race, other;
	unsigned races = 0;

	for (unsigned i = 0; i < UNITS; i++) {
		access.address = FIRST_UNIT + i * access.bytes;
		bool found = eu_shadow_touch(&shadow, &order, agent, &access, &race);
		assert_int_equal(found, eu_shadow_touch(&twin, &order, agent, &access, &other));
		assert_true(!found || (race.other_agent == other.other_agent &&
					      race.other.when == other.other.when &&
					      race.other.channel == other.other.channel));
		races += found;
	}
	return races;
}

/* Reads some, lanes at the same unit among them: in one shadow at once, in the other each. */
static void read_units(
	struct eu_order_agent *agent, struct eu_shadow_access access, unsigned what, uint64_t *seed)
{
	struct eu_shadow_place spots[16];
	struct eu_shadow_race race;
	unsigned count = 1 + (unsigned)(test_random(seed) % 16), k = 0;

	for (unsigned i = 0; i < count; i++)
		spots[i] = (struct eu_shadow_place){
			FIRST_UNIT + test_random(seed) % UNITS * access.bytes, (i + what) % 4
		};
	for (unsigned i = 0; i < count; i++) {
		access.cell.channel = 0;
		i += eu_shadow_touch_apart(
			&shadow, &order, agent, &access, spots + i, count - i, &race);
		for (; k < count && k <= i; k++) {
			access.address = spots[k].address;
			access.cell.channel = (uint8_t)spots[k].channel;
			assert_int_equal(
				eu_shadow_touch(&twin, &order, agent, &access, &race), k == i);
		}
	}
}

/*
 * Reads of few units in turns: what is kept of them is what somebody races with who then writes all
 * of them.
 */
static void compare_reads(unsigned size, bool global, bool judges_channels)
{
	struct eu_order_agent *agents[4];
	unsigned races = 0;
	uint64_t seed = size;

	shadow.judges_channels = twin.judges_channels = judges_channels;
	for (unsigned step = 0; step < 20000; step++) {
		unsigned what = (unsigned)(test_random(&seed) % 64), turn = step % 2010;
		struct eu_shadow_access access = { .bytes = size,
			.lane = size,
			.global = global,
			.cell = { .site = 5, .atomic = what / 8 == 1, .channel = what % 4 } };
		if (turn == 0) {
			eu_order_begin(&order, 0, &order_dispatch);
			eu_shadow_begin(&shadow, &order);
			eu_shadow_begin(&twin, &order);
			for (unsigned i = 0; i < 4; i++)
				agents[i] = order_enter(i / 2, i % 2);
		}
		if (turn % 50 == 0)
			order_meet(agents[0], agents[1], turn / 50 + 1, turn % 100);
		struct eu_order_agent *agent = agents[test_random(&seed) % (global ? 4 : 2)];
		if (what < 8)
			eu_order_fence(&order, agent, global);
		access.writes = turn % 20 == 19;
		if (access.writes || step == 0)
			races += touch_units(agent, access);
		access.writes = false;
		read_units(agent, access, what, &seed);
	}
	assert_in_range(races, 10000, 64000);
	eu_shadow_finish(&shadow);
	eu_shadow_finish(&twin);
}

static void reads_are_what_each_is(void **state)
{
	(void)state;
	for (unsigned size = 1; size <= 4; size *= 2)
		for (unsigned i = 0; i < 4; i++)
			compare_reads(size, i / 2, i % 2);
}

/* The same while one group after the other is at work, so that times tell them apart. */
static void compare_groups(unsigned size, bool judges_channels)
{
	struct eu_shadow_access access = {
		.bytes = size, .lane = size, .global = true, .cell.site = 5
	};
	unsigned races = 0;
	uint64_t seed = size;

	shadow.judges_channels = twin.judges_channels = judges_channels;
	for (unsigned walker = 0; walker < 1000; walker++) {
		struct eu_order_agent *agents[4];
		eu_order_begin(&order, 0, &order_dispatch);
		eu_shadow_begin(&shadow, &order);
		eu_shadow_begin(&twin, &order);
		access.writes = true;
		races += walker == 0 ? touch_units(order_enter(2, 0), access) : 0;
		access.writes = false;
		for (unsigned i = 0; i < 32; i++) {
			if (i % 8 == 0)
				agents[i / 8] = order_enter(i / 16, i / 8 % 2);
			unsigned what = (unsigned)(test_random(&seed) % 64);
			access.cell.atomic = what % 8 == 1;
			read_units(agents[i / 16 * 2 + (i / 8 % 2 && what / 8 % 2)], access, what,
				&seed);
		}
		access.writes = true;
		access.cell.atomic = false;
		access.cell.channel = walker % 4;
		races += touch_units(agents[walker % 4], access);
	}
	assert_in_range(races, 10000, 64000);
	eu_shadow_finish(&shadow);
	eu_shadow_finish(&twin);
}

static void groups_are_told_by_their_time(void **state)
{
	(void)state;
	for (unsigned size = 1; size <= 4; size *= 2)
		for (unsigned i = 0; i < 2; i++)
			compare_groups(size, i);
}

static void places_are_what_each_is(void **state)
{
	(void)state;
	compare_places(1);
}

static void units_are_what_each_is(void **state)
{
	(void)state;
	compare_places(2);
	compare_places(4);
	compare_places(8);
}

#define ORDER_TEST(name) cmocka_unit_test_setup_teardown(name, order_begin, order_finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ORDER_TEST(bytes_are_told_apart),
		ORDER_TEST(reads_of_two_are_kept),
		ORDER_TEST(parts_are_what_the_whole_was),
		ORDER_TEST(void_reads_give_way),
		ORDER_TEST(reads_again_race_as_before),
		ORDER_TEST(local_memory_counts_from_its_last_barrier),
		ORDER_TEST(memory_of_what_is_void_is_used_again),
		ORDER_TEST(local_memory_is_wide_again),
		ORDER_TEST(launches_between_forget_nothing),
		ORDER_TEST(cells_are_aligned),
		ORDER_TEST(time_begins_anew),
		ORDER_TEST(what_still_counts_is_kept),
		ORDER_TEST(reads_of_other_launches_are_kept),
		ORDER_TEST(constants_race_with_other_launches),
		ORDER_TEST(lanes_are_what_each_is),
		ORDER_TEST(places_are_what_each_is),
		ORDER_TEST(reads_are_what_each_is),
		ORDER_TEST(groups_are_told_by_their_time),
		ORDER_TEST(units_are_what_each_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
