// SPDX-License-Identifier: MIT
#ifndef EU_ORDER_FIXTURE_H
#define EU_ORDER_FIXTURE_H

#include "eu/watch/eu_order.h"

/* One order, of groups of two threads each: for the tests of it and of what is kept beside it. */
enum { ORDER_THREADS = 2 };
extern struct eu_order order;
extern const struct eu_dispatch order_dispatch;
extern int order_places[400]; /* of groups; any addresses will do */

/* A walker's; local memory has fences of its own. */
int order_begin(void **state);
int order_finish(void **state);

struct eu_order_agent *order_enter(uint32_t group, uint32_t index);

/* Both threads of a group pass a barrier, after fences of local memory if `fenced`. */
void order_meet(struct eu_order_agent *a, struct eu_order_agent *b, uint32_t count, bool fenced);

#endif
