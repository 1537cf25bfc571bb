// SPDX-License-Identifier: MIT
#include "core/queue/event.h"

#include "compile/base/error_name.h"
#include "core/batch/batch.h"
#include "core/queue/deferred_work.h"
#include "core/queue/order.h"
#include "core/base/callback_thread.h"
#include "core/base/error.h"
#include "core/base/info.h"
#include "core/queue/queue.h"
#include "core/queue/poller.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SPARE 512 /* events of a queue */

/* A callback of the application, or a continuation. */
struct event_callback {
	struct callback base;
	struct event_callback *next; /* of the event */
	struct event *event;
	event_notify_fn notify;	  /* NULL: a continuation */
	event_continue_fn resume; /* of a continuation */
	cl_int status;
	void *data;
};

static_assert(sizeof(struct event) <= 128 - sizeof(size_t), "and what malloc adds");

static struct event_lock *lock_of(const struct event *event)
{
	return event->queue ? &event->queue->events : &event->base.context->user_events;
}

static void lock(const struct event *event)
{
	pthread_mutex_lock(&lock_of(event)->mutex);
}

static void unlock(const struct event *event)
{
	pthread_mutex_unlock(&lock_of(event)->mutex);
}

static bool is_profiled(const struct queue *queue)
{
	return queue->properties & CL_QUEUE_PROFILING_ENABLE;
}

static size_t size_of(const struct queue *queue)
{
	return sizeof(struct event) + (is_profiled(queue) ? sizeof(struct event_profile) : 0);
}

/* Keeps the memory of an event for the next one; false if there is enough. */
static bool keep_memory(struct queue *queue, struct event *event)
{
	pthread_mutex_lock(&queue->events.mutex);
	bool keep = queue->n_spare_events < MAX_SPARE;
	if (keep) {
		event->spare_next = queue->spare_events;
		queue->spare_events = event;
		queue->n_spare_events++;
	}
	pthread_mutex_unlock(&queue->events.mutex);
	return keep;
}

static void destroy(struct obj *obj)
{
	struct event *event = (struct event *)(void *)obj;
	struct queue *queue = event->queue;

	while (event->callbacks) {
		struct event_callback *callback = event->callbacks;

		event->callbacks = callback->next;
		free(callback);
	}
	l0_event_release(event->signal);
	if (event->is_profiled)
		l0_event_release(event->profile->begin);
	if (!queue) {
		context_put(event->base.context);
		obj_free(event);
		return;
	}
	if (!keep_memory(queue, event))
		obj_free(event);
	queue_put(queue);
}

/* Zeroed memory for an event. */
static struct event *take_memory(struct queue *queue)
{
	pthread_mutex_lock(&queue->events.mutex);
	struct event *event = queue->spare_events;
	if (event) {
		queue->spare_events = event->spare_next;
		queue->n_spare_events--;
	}
	pthread_mutex_unlock(&queue->events.mutex);
	if (!event)
		return calloc(1, size_of(queue));
	*event = (struct event){ 0 };
	if (is_profiled(queue))
		event->profile[0] = (struct event_profile){ 0 };
	return event;
}

void event_free_spare(struct queue *queue)
{
	while (queue->spare_events) {
		struct event *event = queue->spare_events;

		queue->spare_events = event->spare_next;
		obj_free(event);
	}
}

cl_int event_create(
	struct queue *queue, cl_command_type type, enum event_stage stage, struct event **out)
{
	struct event *event = take_memory(queue);

	if (!event)
		return CL_OUT_OF_HOST_MEMORY;
	obj_init(&event->base, OBJ_EVENT, &queue->base, destroy);
	event->queue = queue_get(queue);
	event->type = type;
	event->is_profiled = is_profiled(queue);
	atomic_init(&event->stage, stage);
	atomic_init(&event->status, CL_QUEUED);
	if (event->is_profiled)
		event->profile->times[EVENT_QUEUED] = l0_host_clock();
	*out = event;
	return CL_SUCCESS;
}

cl_int event_create_user(struct context *context, struct event **out)
{
	REQUIRE(context, CL_INVALID_CONTEXT);

	struct event *event = calloc(1, sizeof(*event));
	if (!event)
		return CL_OUT_OF_HOST_MEMORY;
	obj_init(&event->base, OBJ_EVENT, &context->base, destroy);
	context_get(context);
	event->type = CL_COMMAND_USER;
	atomic_init(&event->status, CL_SUBMITTED);
	*out = event;
	return CL_SUCCESS;
}

/* Moves the callbacks for the event's status or an earlier one to the lists; it is locked. */
static void event_fire(struct event *event, struct deferred_work *work)
{
	struct event_callback **link = &event->callbacks;
	cl_int status = atomic_load(&event->status);

	while (*link) {
		struct event_callback *callback = *link;

		if (status > callback->status) {
			link = &callback->next;
			continue;
		}
		*link = callback->next;
		if (status < 0)
			callback->status = status;
		event_get(event);
		if (!callback->notify) {
			callback->next = work->continuations;
			work->continuations = callback;
			continue;
		}
		callback->base.next = NULL;
		if (work->calls)
			work->last_call->next = &callback->base;
		else
			work->calls = &callback->base;
		work->last_call = &callback->base;
	}
}

void event_run_continuations(struct deferred_work *work)
{
	while (work->continuations) {
		struct event_callback *continuation = work->continuations;

		work->continuations = continuation->next;
		continuation->resume(continuation->status, continuation->data, work);
		event_put(continuation->event);
		free(continuation);
	}
}

/* It is locked. */
static void move(
	struct event *event, enum event_stage stage, cl_int status, struct deferred_work *work)
{
	struct event_dependent **link = &event->dependents;

	while (*link) {
		struct event_dependent *dependent = *link;

		if (dependent->stage > stage) {
			link = &dependent->next;
			continue;
		}
		*link = dependent->next;
		dependent->next = work->dependents;
		work->dependents = dependent;
	}
	atomic_store_explicit(&event->status, status, memory_order_relaxed);
	atomic_store(&event->stage, stage);
	event_fire(event, work);
}

void event_opened(struct event *event, struct deferred_work *work)
{
	lock(event);
	move(event, EVENT_OPEN, CL_QUEUED, work);
	pthread_cond_broadcast(&lock_of(event)->changed);
	unlock(event);
}

void event_submitted(
	struct event *const *events, unsigned n, unsigned losses, struct deferred_work *work)
{
	if (!n)
		return;
	lock(events[0]);
	for (unsigned i = 0; i < n; i++) {
		events[i]->losses = losses;
		if (event_stage(events[i]) != EVENT_DONE)
			move(events[i], EVENT_DEVICE, CL_SUBMITTED, work);
	}
	unlock(events[0]);
}

/* Times that nobody has set yet are now, and none is before the one before it. */
static void fill_times(cl_ulong *times)
{
	for (int i = 0; i < EVENT_N_TIMES; i++) {
		if (!times[i])
			times[i] = l0_host_clock();
		if (i && times[i] < times[i - 1])
			times[i] = times[i - 1];
	}
}

void event_all_done(
	struct event *const *events, unsigned n, cl_int status, struct deferred_work *work)
{
	if (!n)
		return;
	lock(events[0]);
	for (unsigned i = 0; i < n; i++) {
		struct event *event = events[i];

		if (event_stage(event) == EVENT_DONE)
			continue;
		if (event->is_profiled) {
			fill_times(event->profile->times);
			l0_event_release(event->profile->begin);
			event->profile->begin = NULL;
		}
		l0_event_release(event->signal);
		event->signal = NULL;
		move(event, EVENT_DONE, status, work);
	}
	pthread_cond_broadcast(&lock_of(events[0])->changed);
	unlock(events[0]);
}

void event_done(struct event *event, cl_int status, struct deferred_work *work)
{
	event_all_done(&event, 1, status, work);
}

cl_int event_end_user(struct event *event, cl_int status, struct deferred_work *work)
{
	cl_int rc = CL_SUCCESS;

	order_user_event(event, false);
	lock(event);
	if (event_stage(event) == EVENT_DONE)
		rc = error_say(CL_INVALID_OPERATION, "the user event was set before");
	else
		move(event, EVENT_DONE, status, work);
	pthread_cond_broadcast(&lock_of(event)->changed);
	unlock(event);
	return rc;
}

cl_int event_set_user_status(struct event *event, cl_int status)
{
	struct deferred_work work = { 0 };

	REQUIRE(event && !event->queue, CL_INVALID_EVENT);
	REQUIRE(status == CL_COMPLETE || status < 0, CL_INVALID_VALUE);

	/* a thread that waited for it may release it before this call returns */
	event_get(event);
	order_user_event(event, true);
	cl_int rc = event_end_user(event, status, &work);
	deferred_work_run(event->base.context, &work);
	event_put(event);
	return rc;
}

struct l0_event *event_signal(struct event *event, unsigned *losses)
{
	struct l0_event *signal = NULL;

	lock(event);
	if (event->signal && event_stage(event) == EVENT_DEVICE) {
		signal = l0_event_retain(event->signal);
		*losses = event->losses;
	}
	unlock(event);
	return signal;
}

cl_int event_result(struct event *event)
{
	return event_stage(event) == EVENT_DONE ? atomic_load(&event->status) : CL_QUEUED;
}

bool event_any_failed(struct event *const *events, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (event_result(events[i]) < 0)
			return true;
	return false;
}

cl_int event_add_dependent(struct event *event, struct queue *queue, struct deferred *deferred,
	enum event_stage stage, bool *added)
{
	cl_int rc = CL_SUCCESS;

	lock(event);
	if (event_stage(event) < stage) {
		struct event_dependent *dependent = malloc(sizeof(*dependent));

		if (dependent) {
			dependent->stage = stage;
			dependent->queue = queue_get(queue);
			dependent->deferred = deferred;
			*added = true;
			dependent->next = event->dependents;
			event->dependents = dependent;
		} else {
			rc = CL_OUT_OF_HOST_MEMORY;
		}
	}
	unlock(event);
	return rc;
}

static void wait_while_deferred(struct event *event)
{
	lock(event);
	while (event_stage(event) == EVENT_DEFERRED)
		pthread_cond_wait(&lock_of(event)->changed, &lock_of(event)->mutex);
	unlock(event);
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
		if (event_stage(event) == EVENT_DEFERRED)
			wait_while_deferred(event);
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
		REQUIRE(event_from(events[i])->base.context == event_from(events[0])->base.context,
			CL_INVALID_CONTEXT);

	for (cl_uint i = 0; i < n; i++)
		(void)event_poll(event_from(events[i]));
	for (cl_uint i = 0; i < n; i++) {
		cl_int status = event_wait_done(event_from(events[i]));
		order_see(event_from(events[i]));
		if (status < 0)
			rc = error_say(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
				"event %u of %u failed with %s", i, n, error_name(status));
	}
	return rc;
}

static void event_callback_call(struct callback *base)
{
	struct event_callback *callback = (struct event_callback *)(void *)base;

	if (event_stage(callback->event) == EVENT_DONE)
		order_see(callback->event);
	callback->notify(event_handle(callback->event), callback->status, callback->data);
}

static void event_callback_finish(struct callback *base)
{
	struct event_callback *callback = (struct event_callback *)(void *)base;

	event_put(callback->event);
	free(callback);
}

void event_continue(struct event *event, struct event_callback *callback)
{
	struct deferred_work work = { 0 };

	callback->event = event;
	lock(event);
	/* the latest status comes last, so that callbacks come in the order of statuses */
	struct event_callback **link = &event->callbacks;
	while (*link && (*link)->status >= callback->status)
		link = &(*link)->next;
	callback->next = *link;
	*link = callback;
	event_fire(event, &work);
	unlock(event);
	deferred_work_run(event->base.context, &work);
	if (event->queue && event_stage(event) != EVENT_DONE)
		poller_add_gently(event->queue);
}

cl_int event_set_callback(
	struct event *event, cl_int status, event_notify_fn notify, void *user_data)
{
	REQUIRE(event, CL_INVALID_EVENT);
	REQUIRE(notify, CL_INVALID_VALUE);
	REQUIRE(status == CL_SUBMITTED || status == CL_RUNNING || status == CL_COMPLETE,
		CL_INVALID_VALUE);

	struct event_callback *callback = calloc(1, sizeof(*callback));
	if (!callback)
		return CL_OUT_OF_HOST_MEMORY;
	callback->base.call = event_callback_call;
	callback->base.finish = event_callback_finish;
	callback->status = status;
	callback->notify = notify;
	callback->data = user_data;
	event_continue(event, callback);
	return CL_SUCCESS;
}

struct event_callback *event_continuation_create(event_continue_fn run, void *data)
{
	struct event_callback *continuation = calloc(1, sizeof(*continuation));

	if (continuation) {
		continuation->status = CL_COMPLETE;
		continuation->resume = run;
		continuation->data = data;
	}
	return continuation;
}

void event_continuation_set_data(struct event_callback *continuation, void *data)
{
	continuation->data = data;
}

static cl_int info_status(const void *object, const struct info *info)
{
	struct event *event = (struct event *)(uintptr_t)object;

	(void)event_poll(event);
	cl_int status = atomic_load(&event->status);
	if (status <= CL_COMPLETE)
		order_see(event);
	return info_bytes(info, &status, sizeof(status));
}

static const struct info_row rows[] = {
	INFO_FIELD(CL_EVENT_COMMAND_QUEUE, struct event, queue),
	INFO_FIELD(CL_EVENT_CONTEXT, struct event, base.context),
	INFO_FIELD(CL_EVENT_COMMAND_TYPE, struct event, type),
	INFO_FN(CL_EVENT_COMMAND_EXECUTION_STATUS, info_status),
	INFO_FN(CL_EVENT_REFERENCE_COUNT, info_references),
};

INFO_DEFINE(event, cl_event_info, CL_INVALID_EVENT)
