// SPDX-License-Identifier: MIT
#include "eu/watch/eu_order.h"

#include "failure_alloc.h"
#include "test.h"
#include "test_random.h"

#include <string.h>

#include "eu/watch/eu_command.h"
#include "eu/watch/eu_shadow_page.h"

enum { THREADS = 2 }; /* of a group */
enum {
	LEAVES_ONLY = EU_ORDER_LEAVES | EU_ORDER_REPLACES,
	UPDATES = EU_ORDER_LEARNS | EU_ORDER_LEAVES,
};

static struct eu_order order;
static const struct eu_dispatch dispatch = { .threads_per_group = THREADS };
static int places[400]; /* of groups; any addresses will do */

static int begin(void **state)
{
	(void)state;
	eu_order_begin(&order, 0, &dispatch);
	order.is_local_fenced = true;
	return 0;
}

static int finish(void **state)
{
	(void)state;
	eu_order_finish(&order);
	return 0;
}

static struct eu_order_agent *enter(uint32_t group, uint32_t index)
{
	struct eu_order_agent *agent =
		eu_order_enter(&order, group * THREADS + index, &places[group], group, index);

	assert_non_null(agent);
	return agent;
}

/* The agent does something of the kind; returns when. */
static uint32_t act(struct eu_order_agent *agent, enum eu_order_kind kind)
{
	agent->last[kind] = agent->period;
	return agent->period;
}

/* Both threads of a group pass a barrier, after fences of local memory if `fenced`. */
static void meet(struct eu_order_agent *a, struct eu_order_agent *b, uint32_t count, bool fenced)
{
	struct eu_order_agent *both[2] = { a, b };

	for (unsigned i = 0; i < 2; i++) {
		if (fenced)
			eu_order_fence(&order, both[i], false);
		eu_order_arrive(&order, both[i]);
	}
	for (unsigned i = 0; i < 2; i++)
		eu_order_catch_up(&order, both[i], count);
}

static void barriers_order_what_is_fenced(void **state)
{
	struct eu_order_agent *a = enter(0, 0), *b = enter(0, 1);
	uint32_t wrote = act(a, EU_ORDER_LOCAL_WRITE), global = act(a, EU_ORDER_GLOBAL_WRITE);

	(void)state;
	assert_false(eu_order_is_before(&order, b, a->id, wrote, EU_ORDER_LOCAL_WRITE));
	assert_true(eu_order_is_before(&order, a, a->id, wrote, EU_ORDER_LOCAL_WRITE));
	meet(a, b, 1, true);
	assert_true(eu_order_is_before(&order, b, a->id, wrote, EU_ORDER_LOCAL_WRITE));
	assert_false(eu_order_is_before(&order, b, a->id, global, EU_ORDER_GLOBAL_WRITE));
	/* What comes behind the barrier is not ordered by it. */
	wrote = act(a, EU_ORDER_LOCAL_WRITE);
	assert_false(eu_order_is_before(&order, b, a->id, wrote, EU_ORDER_LOCAL_WRITE));
}

static void reads_need_no_fence(void **state)
{
	struct eu_order_agent *a = enter(0, 0), *b = enter(0, 1);
	uint32_t wrote = act(a, EU_ORDER_LOCAL_WRITE), read = act(a, EU_ORDER_LOCAL_READ);

	(void)state;
	meet(a, b, 1, false);
	assert_true(eu_order_is_before(&order, b, a->id, read, EU_ORDER_LOCAL_READ));
	assert_false(eu_order_is_before(&order, b, a->id, wrote, EU_ORDER_LOCAL_WRITE));
	meet(a, b, 2, true);
	assert_true(eu_order_is_before(&order, b, a->id, wrote, EU_ORDER_LOCAL_WRITE));
}

static void atomics_order_with_fences_only(void **state)
{
	struct eu_order_agent *a = enter(0, 0), *b = enter(1, 0), *c = enter(2, 0);
	const enum eu_order_kind kind = EU_ORDER_GLOBAL_WRITE;
	uint32_t wrote = act(a, kind);

	(void)state;
	/* Nothing is closed yet. */
	eu_order_atomic(&order, a, 64, true, LEAVES_ONLY);
	eu_order_atomic(&order, b, 64, true, EU_ORDER_LEARNS);
	eu_order_fence(&order, b, true);
	assert_false(eu_order_is_before(&order, b, a->id, wrote, kind));
	/* Of the other memory. */
	eu_order_fence(&order, a, false);
	eu_order_atomic(&order, a, 64, true, LEAVES_ONLY);
	eu_order_atomic(&order, b, 64, true, EU_ORDER_LEARNS);
	eu_order_fence(&order, b, true);
	assert_false(eu_order_is_before(&order, b, a->id, wrote, kind));
	eu_order_fence(&order, a, true);
	eu_order_atomic(&order, a, 64, true, LEAVES_ONLY);
	eu_order_atomic(&order, b, 64, true, EU_ORDER_LEARNS);
	assert_false(eu_order_is_before(&order, b, a->id, wrote, kind));
	eu_order_fence(&order, b, true);
	assert_true(eu_order_is_before(&order, b, a->id, wrote, kind));
	/* And on to who learns from b, by another location. */
	eu_order_atomic(&order, b, 128, true, UPDATES);
	eu_order_atomic(&order, c, 128, true, UPDATES);
	eu_order_fence(&order, c, true);
	assert_true(eu_order_is_before(&order, c, a->id, wrote, kind));
}

/* What the compiler's locks do. */
static void atomics_that_acquire_need_no_fence(void **state)
{
	struct eu_order_agent *a = enter(0, 0), *b = enter(1, 0), *c = enter(2, 0);
	const unsigned takes = UPDATES | EU_ORDER_ACQUIRES;
	const enum eu_order_kind kind = EU_ORDER_GLOBAL_WRITE;
	uint32_t wrote = act(a, kind);

	(void)state;
	eu_order_atomic(&order, a, 64, true, takes);
	eu_order_atomic(&order, b, 64, true, takes);
	assert_false(eu_order_is_before(&order, b, a->id, wrote, kind));
	eu_order_fence(&order, a, true);
	eu_order_atomic(&order, a, 64, true, LEAVES_ONLY);
	eu_order_atomic(&order, b, 64, true, takes);
	assert_true(eu_order_is_before(&order, b, a->id, wrote, kind));
	/* And on to who learns from b. */
	eu_order_atomic(&order, b, 128, true, LEAVES_ONLY);
	eu_order_atomic(&order, c, 128, true, takes);
	assert_true(eu_order_is_before(&order, c, a->id, wrote, kind));
}

static void plain_atomic_stores_end_what_was_left(void **state)
{
	struct eu_order_agent *a = enter(0, 0), *b = enter(1, 0), *c = enter(2, 0);
	uint32_t wrote = act(a, EU_ORDER_GLOBAL_WRITE);

	(void)state;
	eu_order_fence(&order, a, true);
	eu_order_atomic(&order, a, 64, true, LEAVES_ONLY);
	eu_order_atomic(&order, b, 64, true, LEAVES_ONLY);
	eu_order_atomic(&order, c, 64, true, EU_ORDER_LEARNS);
	eu_order_fence(&order, c, true);
	assert_false(eu_order_is_before(&order, c, a->id, wrote, EU_ORDER_GLOBAL_WRITE));
}

/* However many there are: what is ordered stays so, the last group's own writes stay unknown. */
static void long_chains_are_ordered(void **state)
{
	enum { GROUPS = 390 };
	uint32_t wrote[GROUPS];
	struct eu_order_agent *agent = NULL;

	(void)state;
	for (uint32_t g = 0; g < GROUPS; g++) {
		agent = enter(g, 0);
		if (g > 0)
			eu_order_atomic(&order, agent, g - 1, true, EU_ORDER_LEARNS);
		eu_order_fence(&order, agent, true);
		for (uint32_t k = 0; k < g; k++)
			assert_true(eu_order_is_before(
				&order, agent, k * THREADS, wrote[k], EU_ORDER_GLOBAL_WRITE));
		wrote[g] = act(agent, EU_ORDER_GLOBAL_WRITE);
		eu_order_fence(&order, agent, true);
		eu_order_atomic(&order, agent, g, true, LEAVES_ONLY);
	}
	uint32_t last = act(agent, EU_ORDER_GLOBAL_WRITE);
	assert_false(
		eu_order_is_before(&order, enter(395, 0), agent->id, last, EU_ORDER_GLOBAL_WRITE));
}

/* Whichever allocation fails: what is ordered never counts as a race. */
static void short_memory_makes_nothing_up(void **state)
{
	enum { GROUPS = 12, FAILURES = 80 };
	unsigned failed = 0;

	for (unsigned n = 1; n <= FAILURES; n++) {
		struct eu_order_agent *agent = NULL;
		uint32_t wrote[GROUPS] = { 0 };

		finish(state);
		begin(state);
		failure_alloc_after(n, 1);
		for (uint32_t g = 0; g < GROUPS; g++) {
			agent = eu_order_enter(&order, g * THREADS, &places[g], g, 0);
			if (!agent)
				break;
			if (g > 0)
				eu_order_atomic(&order, agent, g - 1, true, EU_ORDER_LEARNS);
			eu_order_fence(&order, agent, true);
			for (uint32_t k = 0; k < g; k++)
				assert_true(eu_order_is_before(&order, agent, k * THREADS, wrote[k],
					EU_ORDER_GLOBAL_WRITE));
			wrote[g] = act(agent, EU_ORDER_GLOBAL_WRITE);
			eu_order_fence(&order, agent, true);
			eu_order_atomic(&order, agent, g, true, LEAVES_ONLY);
		}
		failed += agent && failure_alloc_failed();
		failure_alloc_after(0, 0);
	}
	assert_in_range(failed, GROUPS, FAILURES);
}

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
	struct eu_order_agent *a = enter(0, 0), *b = enter(0, 1);
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
	struct eu_order_agent *a = enter(0, 0), *b = enter(0, 1), *c = enter(1, 0);
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
	struct eu_order_agent *a = enter(0, 0), *b = enter(0, 1), *c = enter(1, 0);
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
	struct eu_order_agent *a = enter(0, 0), *b = enter(0, 1);
	struct eu_shadow_race race;

	(void)state;
	shadow.judges_channels = true;
	assert_false(touch(b, 0, 64, 4, false, &race));
	assert_false(touch(a, 0, 64, 4, false, &race));
	meet(a, b, 1, true);
	assert_false(touch(a, 1, 64, 4, false, &race));
	assert_false(touch(a, 2, 64, 4, false, &race));
	assert_true(touch(a, 2, 64, 4, true, &race));
	assert_int_equal(race.other.channel, 1);
	eu_shadow_finish(&shadow);
}

/* Reads that add nothing to those before them are not kept; what they race with is found. */
static void reads_again_race_as_before(void **state)
{
	struct eu_order_agent *a = enter(0, 0), *b = enter(0, 1);
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
	struct eu_order_agent *a = enter(0, 0), *b = enter(0, 1);
	struct eu_shadow_race race;

	(void)state;
	for (uint32_t i = 0; i < 16; i++) {
		bool fenced = i % 4 < 2;
		assert_false(touch(a, 0, 64 + 4 * i, 4, i % 2, &race));
		meet(a, b, i + 1, fenced);
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
	eu_order_begin(&order, command, &dispatch);
	eu_shadow_begin(&shadow, &order);
	return enter(0, 0);
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
		struct eu_order_agent *a = launch(0), *b = enter(0, 1);
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
	assert_false(touch_global(enter(0, 1), 64, true));
	order.now = UINT32_MAX / 2;
	a = launch(0);
	assert_int_equal(a->period, 1);
	assert_int_equal(enter(0, 1)->period, 2);
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
		struct eu_order_agent *a = launch(last), *b = enter(0, 1), *c = enter(1, 0);
		read_dword(b, apart);
		read_dword(c, apart);
		read_dword(a, apart);
		assert_true(eu_shadow_touch(&shadow, &order, a, &write, &race));
		assert_int_equal(race.launch == NULL, ordered);
		assert_false(ordered && race.other_agent != c->id);
		eu_shadow_finish(&shadow);
	}
}

/* Lanes side by side at once are what they are one after the other. */
static void lanes_are_what_each_is(void **state)
{
	static const unsigned sizes[] = { 1, 2, 4, 8, 12, 16 };
	static struct eu_shadow apart;
	struct eu_order_agent *agents[4] = { enter(0, 0), enter(0, 1), enter(1, 0), enter(1, 1) };
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
	struct eu_order_agent *agents[3] = { enter(0, 0), enter(0, 1), enter(1, 0) };
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
			eu_order_begin(&order, 0, &dispatch);
			eu_shadow_begin(&shadow, &order);
			eu_shadow_begin(&twin, &order);
			for (unsigned i = 0; i < 4; i++)
				agents[i] = enter(i / 2, i % 2);
		}
		if (turn % 50 == 0)
			meet(agents[0], agents[1], turn / 50 + 1, turn % 100);
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
		eu_order_begin(&order, 0, &dispatch);
		eu_shadow_begin(&shadow, &order);
		eu_shadow_begin(&twin, &order);
		access.writes = true;
		races += walker == 0 ? touch_units(enter(2, 0), access) : 0;
		access.writes = false;
		for (unsigned i = 0; i < 32; i++) {
			if (i % 8 == 0)
				agents[i / 8] = enter(i / 16, i / 8 % 2);
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

#define ORDER_TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ORDER_TEST(barriers_order_what_is_fenced),
		ORDER_TEST(reads_need_no_fence),
		ORDER_TEST(atomics_order_with_fences_only),
		ORDER_TEST(atomics_that_acquire_need_no_fence),
		ORDER_TEST(plain_atomic_stores_end_what_was_left),
		ORDER_TEST(long_chains_are_ordered),
		ORDER_TEST(short_memory_makes_nothing_up),
		ORDER_TEST(bytes_are_told_apart),
		ORDER_TEST(reads_of_two_are_kept),
		ORDER_TEST(parts_are_what_the_whole_was),
		ORDER_TEST(void_reads_give_way),
		ORDER_TEST(reads_again_race_as_before),
		ORDER_TEST(local_memory_counts_from_its_last_barrier),
		ORDER_TEST(memory_of_what_is_void_is_used_again),
		ORDER_TEST(cells_are_aligned),
		ORDER_TEST(time_begins_anew),
		ORDER_TEST(what_still_counts_is_kept),
		ORDER_TEST(reads_of_other_launches_are_kept),
		ORDER_TEST(lanes_are_what_each_is),
		ORDER_TEST(places_are_what_each_is),
		ORDER_TEST(reads_are_what_each_is),
		ORDER_TEST(groups_are_told_by_their_time),
		ORDER_TEST(units_are_what_each_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
