// SPDX-License-Identifier: MIT
#include "eu_order_fixture.h"

#include "test.h"

struct eu_order order;
const struct eu_dispatch order_dispatch = { .threads_per_group = ORDER_THREADS };
int order_places[400];

int order_begin(void **state)
{
	(void)state;
	eu_order_begin(&order, 0, &order_dispatch);
	order.is_local_fenced = true;
	return 0;
}

int order_finish(void **state)
{
	(void)state;
	eu_order_finish(&order);
	return 0;
}

struct eu_order_agent *order_enter(uint32_t group, uint32_t index)
{
	struct eu_order_agent *agent = eu_order_enter(
		&order, group * ORDER_THREADS + index, &order_places[group], group, index);

	assert_non_null(agent);
	return agent;
}

void order_meet(struct eu_order_agent *a, struct eu_order_agent *b, uint32_t count, bool fenced)
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
