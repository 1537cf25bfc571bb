// SPDX-License-Identifier: MIT
#include "l0/l0_private.h"

#include "util/util_order.h"

#include <stdlib.h>

#define POOL_EVENTS 128

/* A Level Zero pool and its events; lives until the context goes. */
struct l0_event_pool {
	struct l0_event_pool *next;
	ze_event_pool_handle_t ze;
	unsigned n; /* events made */
	struct l0_event events[POOL_EVENTS];
};

static void pool_destroy(struct l0_event_pool *pool)
{
	for (unsigned i = 0; i < pool->n; i++)
		(void)L0_CALL(zeEventDestroy, pool->events[i].ze);
	if (pool->ze)
		(void)L0_CALL(zeEventPoolDestroy, pool->ze);
	free(pool);
}

void l0_event_pools_destroy(struct l0_context *context)
{
	while (context->pools) {
		struct l0_event_pool *pool = context->pools;

		context->pools = pool->next;
		pool_destroy(pool);
	}
	while (context->idle) {
		struct l0_event_stock *stock = context->idle;

		context->idle = stock->next;
		pthread_mutex_destroy(&stock->lock);
		free(stock);
	}
}

struct l0_event_stock *l0_event_stock_take(struct l0_context *context)
{
	pthread_mutex_lock(&context->lock);
	struct l0_event_stock *stock = context->idle;
	if (stock)
		context->idle = stock->next;
	pthread_mutex_unlock(&context->lock);
	if (!stock && (stock = calloc(1, sizeof(*stock)))) {
		stock->context = context;
		pthread_mutex_init(&stock->lock, NULL);
	}
	return stock;
}

void l0_event_stock_leave(struct l0_event_stock *stock)
{
	if (!stock)
		return;
	pthread_mutex_lock(&stock->context->lock);
	stock->next = stock->context->idle;
	stock->context->idle = stock;
	pthread_mutex_unlock(&stock->context->lock);
}

static cl_int pool_fill(struct l0_event_stock *stock, bool timed, struct l0_event_pool *pool)
{
	struct l0_context *context = stock->context;
	ze_event_pool_desc_t desc = { .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
		.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE |
			 (timed ? ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP : 0),
		.count = POOL_EVENTS };
	ze_device_handle_t device = context->device->ze;
	cl_int rc = L0_CALL(zeEventPoolCreate, context->ze, &desc, 1, &device, &pool->ze);

	while (!rc && pool->n < POOL_EVENTS) {
		struct l0_event *event = &pool->events[pool->n];
		ze_event_desc_t event_desc = { .stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
			.index = pool->n,
			.signal = ZE_EVENT_SCOPE_FLAG_HOST,
			.wait = ZE_EVENT_SCOPE_FLAG_DEVICE };

		event->stock = stock;
		event->timed = timed;
		rc = L0_CALL(zeEventCreate, pool->ze, &event_desc, &event->ze);
		pool->n += !rc;
	}
	return rc;
}

/* Adds a pool's worth of events to the free ones; stock->lock is held. */
static cl_int grow(struct l0_event_stock *stock, bool timed)
{
	struct l0_event_pool *pool = calloc(1, sizeof(*pool));
	struct l0_context *context = stock->context;

	if (!pool)
		return CL_OUT_OF_HOST_MEMORY;
	cl_int rc = pool_fill(stock, timed, pool);
	if (rc) {
		pool_destroy(pool);
		return rc;
	}
	pthread_mutex_lock(&context->lock);
	pool->next = context->pools;
	context->pools = pool;
	pthread_mutex_unlock(&context->lock);
	for (unsigned i = 0; i < POOL_EVENTS; i++) {
		pool->events[i].next = stock->free_events[timed];
		stock->free_events[timed] = &pool->events[i];
	}
	return CL_SUCCESS;
}

cl_int l0_event_draw(struct l0_event_stock *stock, bool timed, struct l0_event **out)
{
	cl_int rc = CL_SUCCESS;

	pthread_mutex_lock(&stock->lock);
	if (!stock->free_events[timed])
		rc = grow(stock, timed);
	struct l0_event *event = stock->free_events[timed];
	if (event)
		stock->free_events[timed] = event->next;
	pthread_mutex_unlock(&stock->lock);
	if (rc)
		return rc;
	atomic_store(&event->refs, 1);
	rc = L0_CALL(zeEventHostReset, event->ze);
	if (rc) {
		l0_event_release(event);
		return rc;
	}
	*out = event;
	return CL_SUCCESS;
}

struct l0_event *l0_event_retain(struct l0_event *event)
{
	atomic_fetch_add_explicit(&event->refs, 1, memory_order_relaxed);
	return event;
}

void l0_event_release(struct l0_event *event)
{
	if (!event || atomic_fetch_sub_explicit(&event->refs, 1, memory_order_acq_rel) != 1)
		return;
	struct l0_event_stock *stock = event->stock;

	pthread_mutex_lock(&stock->lock);
	event->next = stock->free_events[event->timed];
	stock->free_events[event->timed] = event;
	pthread_mutex_unlock(&stock->lock);
}

bool l0_event_signalled(struct l0_event *event)
{
	if (l0_heard(l0_ze.zeEventQueryStatus(event->ze)) != ZE_RESULT_SUCCESS)
		return false;
	util_order_heard();
	return true;
}

cl_int l0_event_times(struct l0_event *event, uint64_t *start, uint64_t *end)
{
	ze_kernel_timestamp_result_t times;
	cl_int rc = L0_CALL(zeEventQueryKernelTimestamp, event->ze, &times);

	if (rc)
		return rc;
	*start = times.global.kernelStart;
	*end = times.global.kernelEnd;
	return CL_SUCCESS;
}
