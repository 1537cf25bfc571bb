// SPDX-License-Identifier: MIT
#include "core/event.h"

#include "core/batch.h"
#include "core/error.h"
#include "core/info.h"
#include "core/queue.h"
#include "core/watch.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SPARE 512 /* events of a queue */

/* Whether anybody can ask for its times. */
static bool is_timed(const struct event *event)
{
	return event->queue && event->queue->properties & CL_QUEUE_PROFILING_ENABLE;
}

/* Keeps the memory of an event for the next one; false if there is enough. */
static bool keep_memory(struct queue *queue, struct event *event)
{
	pthread_mutex_lock(&queue->spare_lock);
	bool keep = queue->n_spare_events < MAX_SPARE;
	if (keep) {
		event->spare_next = queue->spare_events;
		queue->spare_events = event;
		queue->n_spare_events++;
	}
	pthread_mutex_unlock(&queue->spare_lock);
	return keep;
}

static void destroy(struct obj *obj)
{
	struct event *event = (struct event *)(void *)obj;

	while (event->callbacks) {
		struct watch_call *callback = event->callbacks;

		event->callbacks = callback->next;
		free(callback);
	}
	l0_event_release(event->signal);
	l0_event_release(event->begin);
	pthread_cond_destroy(&event->changed);
	pthread_mutex_destroy(&event->lock);
	struct queue *queue = event->queue;
	struct context *context = event->context;
	if (!queue || !keep_memory(queue, event))
		free(event);
	queue_put(queue);
	context_put(context);
}

/* Zeroed memory for an event. */
static struct event *take_memory(struct queue *queue)
{
	pthread_mutex_lock(&queue->spare_lock);
	struct event *event = queue->spare_events;
	if (event) {
		queue->spare_events = event->spare_next;
		queue->n_spare_events--;
	}
	pthread_mutex_unlock(&queue->spare_lock);
	if (!event)
		return calloc(1, sizeof(*event));
	memset(event, 0, sizeof(*event));
	return event;
}

void event_free_spare(struct queue *queue)
{
	while (queue->spare_events) {
		struct event *event = queue->spare_events;

		queue->spare_events = event->spare_next;
		free(event);
	}
}

static struct event *make(
	struct event *event, struct context *context, cl_command_type type, cl_int status)
{
	if (!event)
		return NULL;
	obj_init(&event->base, OBJ_EVENT, &context->base, destroy);
	event->context = context_get(context);
	event->type = type;
	event->status = status;
	pthread_mutex_init(&event->lock, NULL);
	pthread_cond_init(&event->changed, NULL);
	return event;
}

cl_int event_create(struct queue *queue, cl_command_type type, struct event **out)
{
	struct event *event = make(take_memory(queue), queue->context, type, CL_QUEUED);

	if (!event)
		return CL_OUT_OF_HOST_MEMORY;
	event->queue = queue_get(queue);
	if (is_timed(event))
		event->times[EVENT_QUEUED] = l0_host_clock();
	*out = event;
	return CL_SUCCESS;
}

cl_int event_create_user(struct context *context, struct event **out)
{
	REQUIRE(context, CL_INVALID_CONTEXT);

	*out = make(calloc(1, sizeof(**out)), context, CL_COMMAND_USER, CL_SUBMITTED);
	return *out ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

/* Has the callbacks called that are for `event->status` or an earlier one; event->lock is held. */
static void fire(struct event *event)
{
	struct watch_call **link = &event->callbacks;

	while (*link) {
		struct watch_call *callback = *link;

		if (event->status > callback->status) {
			link = &callback->next;
			continue;
		}
		*link = callback->next;
		if (event->status < 0)
			callback->status = event->status;
		watch_call(callback);
	}
}

/* event->lock is held. */
static void move(
	struct event *event, enum event_stage stage, cl_int status, struct aftermath *aftermath)
{
	struct event_dependent **link = &event->dependents;

	while (*link) {
		struct event_dependent *dependent = *link;

		if (dependent->stage > stage) {
			link = &dependent->next;
			continue;
		}
		*link = dependent->next;
		dependent->next = aftermath->dependents;
		aftermath->dependents = dependent;
	}
	event->status = status;
	atomic_store(&event->stage, stage);
	pthread_cond_broadcast(&event->changed);
	fire(event);
}

void event_opened(struct event *event, struct aftermath *aftermath)
{
	pthread_mutex_lock(&event->lock);
	move(event, EVENT_OPEN, CL_QUEUED, aftermath);
	pthread_mutex_unlock(&event->lock);
}

void event_submitted(struct event *event, unsigned losses, struct aftermath *aftermath)
{
	pthread_mutex_lock(&event->lock);
	event->losses = losses;
	if (event_stage(event) != EVENT_DONE)
		move(event, EVENT_DEVICE, CL_SUBMITTED, aftermath);
	pthread_mutex_unlock(&event->lock);
}

/* Times that nobody has set yet are now, and none is before the one before it. */
static void fill_times(struct event *event)
{
	for (int i = 0; i < EVENT_N_TIMES; i++) {
		if (!event->times[i])
			event->times[i] = l0_host_clock();
		if (i && event->times[i] < event->times[i - 1])
			event->times[i] = event->times[i - 1];
	}
}

void event_done(struct event *event, cl_int status, struct aftermath *aftermath)
{
	struct l0_event *signal = NULL, *begin = NULL;

	pthread_mutex_lock(&event->lock);
	if (event_stage(event) != EVENT_DONE) {
		if (is_timed(event))
			fill_times(event);
		signal = event->signal;
		begin = event->begin;
		event->signal = event->begin = NULL;
		move(event, EVENT_DONE, status, aftermath);
	}
	pthread_mutex_unlock(&event->lock);
	l0_event_release(signal);
	l0_event_release(begin);
}

cl_int event_set_user_status(struct event *event, cl_int status)
{
	struct aftermath aftermath = { 0 };
	cl_int rc = CL_SUCCESS;

	REQUIRE(event && !event->queue, CL_INVALID_EVENT);
	REQUIRE(status == CL_COMPLETE || status < 0, CL_INVALID_VALUE);

	/* who waited for it may release it before this call returns */
	event_get(event);
	pthread_mutex_lock(&event->lock);
	if (event_stage(event) == EVENT_DONE)
		rc = error_say(CL_INVALID_OPERATION, "the user event was set before");
	else
		move(event, EVENT_DONE, status, &aftermath);
	pthread_mutex_unlock(&event->lock);
	aftermath_run(event->context, &aftermath);
	event_put(event);
	return rc;
}

struct l0_event *event_signal(struct event *event, unsigned *losses)
{
	struct l0_event *signal = NULL;

	pthread_mutex_lock(&event->lock);
	if (event->signal && event_stage(event) == EVENT_DEVICE) {
		signal = l0_event_retain(event->signal);
		*losses = event->losses;
	}
	pthread_mutex_unlock(&event->lock);
	return signal;
}

cl_int event_result(struct event *event)
{
	pthread_mutex_lock(&event->lock);
	cl_int status = event_stage(event) == EVENT_DONE ? event->status : CL_QUEUED;
	pthread_mutex_unlock(&event->lock);
	return status;
}

cl_int event_add_dependent(struct event *event, struct queue *queue, enum event_stage stage)
{
	cl_int rc = CL_SUCCESS;

	pthread_mutex_lock(&event->lock);
	if (event_stage(event) < stage) {
		struct event_dependent *dependent = malloc(sizeof(*dependent));

		if (dependent) {
			dependent->stage = stage;
			dependent->queue = queue_get(queue);
			dependent->next = event->dependents;
			event->dependents = dependent;
		} else {
			rc = CL_OUT_OF_HOST_MEMORY;
		}
	}
	pthread_mutex_unlock(&event->lock);
	return rc;
}

static void wait_while_held(struct event *event)
{
	pthread_mutex_lock(&event->lock);
	while (event_stage(event) == EVENT_HELD)
		pthread_cond_wait(&event->changed, &event->lock);
	pthread_mutex_unlock(&event->lock);
}

enum event_stage event_poll(struct event *event)
{
	if (event->queue && event_stage(event) != EVENT_DONE)
		queue_look(event->queue, event, 0);
	return event_stage(event);
}

cl_int event_wait_done(struct event *event)
{
	while (event_stage(event) != EVENT_DONE) {
		if (event_stage(event) == EVENT_HELD)
			wait_while_held(event);
		else
			queue_look(event->queue, event, UINT64_MAX);
	}
	return event_result(event);
}

cl_int event_wait(cl_uint n, const cl_event *events)
{
	cl_int rc = CL_SUCCESS;

	REQUIRE(n && events, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n; i++)
		REQUIRE(event_from(events[i]), CL_INVALID_EVENT);
	for (cl_uint i = 0; i < n; i++)
		REQUIRE(event_from(events[i])->context == event_from(events[0])->context,
			CL_INVALID_CONTEXT);

	for (cl_uint i = 0; i < n; i++)
		(void)event_poll(event_from(events[i]));
	for (cl_uint i = 0; i < n; i++)
		if (event_wait_done(event_from(events[i])) < 0)
			rc = error_say(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
				"event %u of %u failed with %s", i, n,
				error_name(event_result(event_from(events[i]))));
	return rc;
}

cl_int event_set_callback(
	struct event *event, cl_int status, event_notify_fn notify, void *user_data)
{
	REQUIRE(event, CL_INVALID_EVENT);
	REQUIRE(notify, CL_INVALID_VALUE);
	REQUIRE(status == CL_SUBMITTED || status == CL_RUNNING || status == CL_COMPLETE,
		CL_INVALID_VALUE);

	struct watch_call *callback = calloc(1, sizeof(*callback));
	if (!callback)
		return CL_OUT_OF_HOST_MEMORY;
	callback->status = status;
	callback->event = event;
	callback->notify = notify;
	callback->user_data = user_data;
	pthread_mutex_lock(&event->lock);
	/* the latest status comes last, so that callbacks come in the order of statuses */
	struct watch_call **link = &event->callbacks;
	while (*link && (*link)->status >= status)
		link = &(*link)->next;
	callback->next = *link;
	*link = callback;
	fire(event);
	pthread_mutex_unlock(&event->lock);
	if (event->queue && event_stage(event) != EVENT_DONE)
		watch_queue(event->queue);
	return CL_SUCCESS;
}

static cl_int info_queue(const void *object, const struct info *info)
{
	const struct event *event = object;
	cl_command_queue queue = event->queue ? queue_handle(event->queue) : NULL;

	return info_bytes(info, &queue, sizeof(queue));
}

static cl_int info_context(const void *object, const struct info *info)
{
	cl_context context = context_handle(((const struct event *)object)->context);

	return info_bytes(info, &context, sizeof(context));
}

static cl_int info_status(const void *object, const struct info *info)
{
	struct event *event = (struct event *)(uintptr_t)object;

	(void)event_poll(event);
	pthread_mutex_lock(&event->lock);
	cl_int status = event->status;
	pthread_mutex_unlock(&event->lock);
	return info_bytes(info, &status, sizeof(status));
}

static cl_int info_count(const void *object, const struct info *info)
{
	cl_uint count = atomic_load(&((struct event *)(uintptr_t)object)->base.api_refs);

	return info_bytes(info, &count, sizeof(count));
}

static const struct info_row rows[] = {
	INFO_FN(CL_EVENT_COMMAND_QUEUE, info_queue),
	INFO_FN(CL_EVENT_CONTEXT, info_context),
	INFO_FIELD(CL_EVENT_COMMAND_TYPE, struct event, type),
	INFO_FN(CL_EVENT_COMMAND_EXECUTION_STATUS, info_status),
	INFO_FN(CL_EVENT_REFERENCE_COUNT, info_count),
};

cl_int event_info(
	struct event *event, cl_event_info param, size_t size, void *value, size_t *size_ret)
{
	REQUIRE(event, CL_INVALID_EVENT);

	return INFO_GET(rows, event, param, size, value, size_ret);
}
