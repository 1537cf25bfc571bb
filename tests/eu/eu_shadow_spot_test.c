// SPDX-License-Identifier: MIT
#include <string.h>

#include "eu_order_fixture.h"
#include "test.h"
#include "test_random.h"

#include "eu/watch/eu_command.h"
#include "eu/watch/eu_observer.h"
#include "eu/watch/eu_shadow.h"

static struct eu_shadow shadow, twin;

enum { SPOT_BYTES = 4096 };
enum { AGENTS = 4, LANES = 16, OWNERS = AGENTS * LANES };

/*
 * Where a lane of a scattered message goes: mostly to a unit of its own, in one of two pages that
 * come one after the other, or in one that shares the spot of the first.
 */
static uint64_t find_place(uint64_t *seed, unsigned owner, unsigned size, bool global)
{
	const unsigned draw = (unsigned)(test_random(seed) % 512);
	const unsigned page = draw < 20 ? EU_SHADOW_SPOTS : draw % 2;
	const unsigned unit = (unsigned)(test_random(seed) % (SPOT_BYTES / size));

	owner = draw % 512 == 511 ? unit % OWNERS : owner;
	return (global ? 0 : EU_SHADOW_LOCAL) + (page + 1) * SPOT_BYTES +
	       (unit / OWNERS * OWNERS + owner) * size;
}

/* One lane's access is what it is in the other shadow, if it is found to race or not. */
static void touch_twin(struct eu_order_agent *agent, struct eu_shadow_access access,
	uint64_t address, unsigned channel, const struct eu_shadow_race *found)
{
	struct eu_shadow_race other;

	access.address = address;
	access.cell.channel = (uint8_t)channel;
	assert_int_equal(eu_shadow_touch(&twin, &order, agent, &access, &other), found != NULL);
	if (!found)
		return;
	assert_int_equal(found->byte, other.byte);
	assert_int_equal(found->other_agent, other.other_agent);
	assert_int_equal(found->other_writes, other.other_writes);
	assert_int_equal(found->other.when, other.other.when);
	assert_int_equal(found->other.site, other.other.site);
	assert_int_equal(found->other.channel, other.other.channel);
	assert_int_equal(found->other.atomic, other.other.atomic);
}

/* A message of lanes here and there; returns how many have a spot. */
static unsigned touch_scattered(struct eu_order_agent *agent, struct eu_shadow_access access,
	uint64_t *seed, unsigned *races)
{
	struct eu_reach reach = { .count = 1 + (unsigned)(test_random(seed) % LANES) };
	struct eu_shadow_place places[LANES];
	struct eu_shadow_race race;
	unsigned left = 0;

	for (unsigned i = 0; i < reach.count; i++) {
		reach.offsets[i] = find_place(
			seed, agent->id % AGENTS * LANES + i, access.bytes, access.global);
		reach.channels[i] = (uint8_t)(2 * i);
	}
	if (test_random(seed) % 64 == 0) {
		reach.is_even = true;
		reach.channel = reach.channels[0];
		reach.first = reach.offsets[0];
		reach.apart = (1 + test_random(seed) % 40) * access.bytes;
	}
	const uint32_t done =
		access.writes ? eu_shadow_write_spots(&shadow, &order, agent, &access, &reach) : 0;
	for (unsigned i = 0; i < reach.count; i++) {
		const struct eu_shadow_place place = { eu_reach_offset(&reach, i),
			eu_reach_channel(&reach, i) };
		if (done >> i & 1)
			touch_twin(agent, access, place.address, place.channel, NULL);
		else
			places[left++] = place;
	}
	for (unsigned i = 0, first = 0; i < left; first = ++i) {
		i += eu_shadow_touch_apart(
			&shadow, &order, agent, &access, places + i, left - i, &race);
		for (unsigned k = first; k < left && k <= i; k++)
			touch_twin(agent, access, places[k].address, places[k].channel,
				k == i ? &race : NULL);
		*races += i < left;
	}
	return reach.count - left;
}

/* Lanes side by side, in both shadows. */
static void touch_line(struct eu_order_agent *agent, struct eu_shadow_access access, uint64_t *seed)
{
	struct eu_shadow_race race;

	access.address = find_place(seed, 0, 64, access.global);
	access.bytes *= LANES;
	access.writes = test_random(seed) % 2;
	const bool found = eu_shadow_touch(&shadow, &order, agent, &access, &race);
	touch_twin(agent, access, access.address, 0, found ? &race : NULL);
}

/*
 * Scattered writes are what they are one after the other, through spots or not: beside reads,
 * lines, atomics, units of other sizes, barriers, and launches of which some are not ordered.
 */
static void compare_spots(bool global, bool judges_channels, bool are_ordered)
{
	const uint32_t commands[2] = { eu_command_add("one", 1, NULL, 0),
		eu_command_add("other", 2 - are_ordered, NULL, 0) };
	unsigned races = 0, with_spot = 0, all = 0;
	uint64_t seed = 11 + global;

	shadow.judges_channels = twin.judges_channels = judges_channels;
	for (unsigned walker = 0; walker < 400; walker++) {
		const unsigned size = walker % 16 == 5 ? 1 : walker / 8 % 2 ? 2 : 4;
		const bool mixes = walker % 4 == 3, is_atomic = walker / 2 % 4 == 1;
		struct eu_order_agent *agents[AGENTS];
		eu_order_begin(&order, commands[walker / 50 % 2], &order_dispatch);
		eu_shadow_begin(&shadow, &order);
		eu_shadow_begin(&twin, &order);
		for (unsigned i = 0; i < AGENTS; i++)
			agents[i] = order_enter(i / 2, i % 2);
		for (unsigned step = 0; step < 300; step++) {
			const unsigned what = (unsigned)(test_random(&seed) % 1000);
			struct eu_order_agent *agent =
				agents[test_random(&seed) % (global ? AGENTS : 2)];
			struct eu_shadow_access access = { .bytes = size,
				.lane = size,
				.writes = true,
				.global = global,
				.cell = { .site = step % 90, .atomic = is_atomic } };
			if (what == 0)
				order_meet(agents[0], agents[1], 300 * walker + step, step % 2);
			if (what == 1)
				eu_order_fence(&order, agent, global);
			access.writes = !mixes || what % 100 > 1;
			access.cell.atomic ^= mixes && what % 100 < 4;
			access.bytes = access.lane = mixes && what % 500 == 10 ? 4 : access.bytes;
			if (mixes && what % 50 == 11) {
				touch_line(agent, access, &seed);
				continue;
			}
			with_spot += touch_scattered(agent, access, &seed, &races);
			all += 8;
		}
	}
	assert_in_range(races, 500, all);
	assert_in_range(with_spot, all / 150, all);
	eu_shadow_finish(&shadow);
	eu_shadow_finish(&twin);
}

static void spots_are_what_each_is(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 8; i++)
		compare_spots(i / 4, i / 2 % 2, i % 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(spots_are_what_each_is, order_begin, order_finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
