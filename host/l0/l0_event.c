// SPDX-License-Identifier: MIT
#include "l0/l0_private.h"

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
}

static cl_int pool_fill(struct l0_context *context, bool timed, struct l0_event_pool *pool)
{
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

		event->context = context;
		event->timed = timed;
		rc = L0_CALL(zeEventCreate, pool->ze, &event_desc, &event->ze);
		pool->n += !rc;
	}
	return rc;
}

/* Adds a pool's worth of events to the free ones; context->lock is held. */
static cl_int grow(struct l0_context *context, bool timed)
{
	struct l0_event_pool *pool = calloc(1, sizeof(*pool));

	if (!pool)
		return CL_OUT_OF_HOST_MEMORY;
	cl_int rc = pool_fill(context, timed, pool);
	if (rc) {
		pool_destroy(pool);
		return rc;
	}
	pool->next = context->pools;
	context->pools = pool;
	for (unsigned i = 0; i < POOL_EVENTS; i++) {
		pool->events[i].next = context->free_events[timed];
		context->free_events[timed] = &pool->events[i];
	}
	return CL_SUCCESS;
}

cl_int l0_event_acquire(struct l0_context *context, bool timed, struct l0_event **out)
{
	cl_int rc = CL_SUCCESS;

	pthread_mutex_lock(&context->lock);
	if (!context->free_events[timed])
		rc = grow(context, timed);
	struct l0_event *event = context->free_events[timed];
	if (event)
		context->free_events[timed] = event->next;
	pthread_mutex_unlock(&context->lock);
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
	struct l0_context *context = event->context;

	pthread_mutex_lock(&context->lock);
	event->next = context->free_events[event->timed];
	context->free_events[event->timed] = event;
	pthread_mutex_unlock(&context->lock);
}

bool l0_event_signalled(struct l0_event *event)
{
	return l0_ze.zeEventQueryStatus(event->ze) == ZE_RESULT_SUCCESS;
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
