// SPDX-License-Identifier: MIT
#include "eu_order_fixture.h"

#include "failure_alloc.h"
#include "test.h"

enum {
	LEAVES_ONLY = EU_ORDER_LEAVES | EU_ORDER_REPLACES,
	UPDATES = EU_ORDER_LEARNS | EU_ORDER_LEAVES,
};

/* The agent does something of the kind; returns when. */
static uint32_t act(struct eu_order_agent *agent, enum eu_order_kind kind)
{
	agent->last[kind] = agent->period;
	return agent->period;
}

static void barriers_order_what_is_fenced(void **state)
{
	struct eu_order_agent *a = order_enter(0, 0), *b = order_enter(0, 1);
	uint32_t wrote = act(a, EU_ORDER_LOCAL_WRITE), global = act(a, EU_ORDER_GLOBAL_WRITE);

	(void)state;
	assert_false(eu_order_is_before(&order, b, a->id, wrote, EU_ORDER_LOCAL_WRITE));
	assert_true(eu_order_is_before(&order, a, a->id, wrote, EU_ORDER_LOCAL_WRITE));
	order_meet(a, b, 1, true);
	assert_true(eu_order_is_before(&order, b, a->id, wrote, EU_ORDER_LOCAL_WRITE));
	assert_false(eu_order_is_before(&order, b, a->id, global, EU_ORDER_GLOBAL_WRITE));
	/* What comes behind the barrier is not ordered by it. */
	wrote = act(a, EU_ORDER_LOCAL_WRITE);
	assert_false(eu_order_is_before(&order, b, a->id, wrote, EU_ORDER_LOCAL_WRITE));
}

static void reads_need_no_fence(void **state)
{
	struct eu_order_agent *a = order_enter(0, 0), *b = order_enter(0, 1);
	uint32_t wrote = act(a, EU_ORDER_LOCAL_WRITE), read = act(a, EU_ORDER_LOCAL_READ);

	(void)state;
	order_meet(a, b, 1, false);
	assert_true(eu_order_is_before(&order, b, a->id, read, EU_ORDER_LOCAL_READ));
	assert_false(eu_order_is_before(&order, b, a->id, wrote, EU_ORDER_LOCAL_WRITE));
	order_meet(a, b, 2, true);
	assert_true(eu_order_is_before(&order, b, a->id, wrote, EU_ORDER_LOCAL_WRITE));
}

static void atomics_order_with_fences_only(void **state)
{
	struct eu_order_agent *a = order_enter(0, 0), *b = order_enter(1, 0),
			      *c = order_enter(2, 0);
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
	struct eu_order_agent *a = order_enter(0, 0), *b = order_enter(1, 0),
			      *c = order_enter(2, 0);
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
	struct eu_order_agent *a = order_enter(0, 0), *b = order_enter(1, 0),
			      *c = order_enter(2, 0);
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
		agent = order_enter(g, 0);
		if (g > 0)
			eu_order_atomic(&order, agent, g - 1, true, EU_ORDER_LEARNS);
		eu_order_fence(&order, agent, true);
		for (uint32_t k = 0; k < g; k++)
			assert_true(eu_order_is_before(
				&order, agent, k * ORDER_THREADS, wrote[k], EU_ORDER_GLOBAL_WRITE));
		wrote[g] = act(agent, EU_ORDER_GLOBAL_WRITE);
		eu_order_fence(&order, agent, true);
		eu_order_atomic(&order, agent, g, true, LEAVES_ONLY);
	}
	uint32_t last = act(agent, EU_ORDER_GLOBAL_WRITE);
	assert_false(eu_order_is_before(
		&order, order_enter(395, 0), agent->id, last, EU_ORDER_GLOBAL_WRITE));
}

/* Whichever allocation fails: what is ordered never counts as a race. */
static void short_memory_makes_nothing_up(void **state)
{
	enum { GROUPS = 12, FAILURES = 80 };
	unsigned failed = 0;

	for (unsigned n = 1; n <= FAILURES; n++) {
		struct eu_order_agent *agent = NULL;
		uint32_t wrote[GROUPS] = { 0 };

		order_finish(state);
		order_begin(state);
		failure_alloc_after(n, 1);
		for (uint32_t g = 0; g < GROUPS; g++) {
			agent = eu_order_enter(&order, g * ORDER_THREADS, &order_places[g], g, 0);
			if (!agent)
				break;
			if (g > 0)
				eu_order_atomic(&order, agent, g - 1, true, EU_ORDER_LEARNS);
			eu_order_fence(&order, agent, true);
			for (uint32_t k = 0; k < g; k++)
				assert_true(eu_order_is_before(&order, agent, k * ORDER_THREADS,
					wrote[k], EU_ORDER_GLOBAL_WRITE));
			wrote[g] = act(agent, EU_ORDER_GLOBAL_WRITE);
			eu_order_fence(&order, agent, true);
			eu_order_atomic(&order, agent, g, true, LEAVES_ONLY);
		}
		failed += agent && failure_alloc_failed();
		failure_alloc_after(0, 0);
	}
	assert_in_range(failed, GROUPS, FAILURES);
}

#define ORDER_TEST(name) cmocka_unit_test_setup_teardown(name, order_begin, order_finish)

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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
