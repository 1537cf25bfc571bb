// SPDX-License-Identifier: MIT
#include "core/command/semaphore.h"

#include "compile/base/pool.h"
#include "core/command/enqueue.h"
#include "core/base/error.h"
#include "core/base/info.h"

#include <stdlib.h>
#include <string.h>

#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#endif

static void destroy(struct obj *obj)
{
	struct semaphore *semaphore = (struct semaphore *)(void *)obj;

	event_put(semaphore->signal);
	event_put(semaphore->promise);
	pthread_mutex_destroy(&semaphore->lock);
	free(semaphore->properties);
	context_put(semaphore->context);
	obj_free(semaphore);
}

/* *n counts the list with the 0 at its end. */
static cl_int parse(const struct context *context, const cl_semaphore_properties_khr *list,
	size_t *n, struct device **device)
{
	bool has_type = false, has_devices = false;

	REQUIRE(list, CL_INVALID_VALUE);
	for (*n = 0; list[*n];) {
		size_t used = 1;

		if (list[*n] == CL_SEMAPHORE_TYPE_KHR) {
			REQUIRE(!has_type && list[*n + 1] == CL_SEMAPHORE_TYPE_BINARY_KHR,
				CL_INVALID_PROPERTY);
			has_type = true;
		} else {
			REQUIRE(list[*n] == CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR && !has_devices,
				error_say(CL_INVALID_PROPERTY,
					"0x%llx is no property of a semaphore, or it is there "
					"twice",
					(unsigned long long)list[*n]));
			cl_int rc = context_read_devices(context, list + *n + 1, &used, device);
			if (rc)
				return rc;
			REQUIRE(used++ == 1,
				error_say(CL_INVALID_DEVICE, "a semaphore is of one device"));
			has_devices = true;
		}
		*n += 1 + used;
	}
	REQUIRE(has_type, error_say(CL_INVALID_VALUE, "the type of the semaphore is missing"));
	REQUIRE(has_devices || context->n_devices == 1,
		error_say(CL_INVALID_PROPERTY,
			"the context has several devices: the semaphore's is missing"));
	++*n;
	return CL_SUCCESS;
}

cl_int semaphore_create(struct context *context, const cl_semaphore_properties_khr *properties,
	struct semaphore **out)
{
	struct device *device;
	size_t n = 0;

	REQUIRE(context, CL_INVALID_CONTEXT);
	device = context->devices[0];
	cl_int rc = parse(context, properties, &n, &device);
	if (rc)
		return rc;

	struct semaphore *semaphore = calloc(1, sizeof(*semaphore));
	if (!semaphore)
		return CL_OUT_OF_HOST_MEMORY;
	obj_init(&semaphore->base, OBJ_SEMAPHORE, &context->base, destroy);
	pthread_mutex_init(&semaphore->lock, NULL);
	semaphore->context = context_get(context);
	semaphore->device = device;
	semaphore->properties = bytes_copy(properties, n * sizeof(*properties));
	if (!semaphore->properties) {
		semaphore_put(semaphore);
		return CL_OUT_OF_HOST_MEMORY;
	}
	semaphore->n_properties = n;
	*out = semaphore;
	return CL_SUCCESS;
}

static cl_int check(struct queue *queue, cl_uint n, const cl_semaphore_khr *semaphores,
	const struct event_args *events)
{
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);
	REQUIRE(n && semaphores, CL_INVALID_VALUE);
	for (cl_uint i = 0; i < n; i++)
		REQUIRE(semaphore_from(semaphores[i]), CL_INVALID_SEMAPHORE_KHR);
	for (cl_uint i = 0; i < n; i++)
		REQUIRE(semaphore_from(semaphores[i])->context == queue->context,
			CL_INVALID_CONTEXT);
	for (cl_uint i = 0; i < n; i++)
		REQUIRE(semaphore_from(semaphores[i])->device == queue->device,
			error_say(CL_INVALID_COMMAND_QUEUE,
				"the semaphore is of another device than the queue"));

	cl_int rc = queue_check_waits(queue, events);
	if (rc)
		return rc;
	for (cl_uint i = 0; i < events->n_waits; i++)
		REQUIRE(event_result(event_from(events->waits[i])) >= 0,
			CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	return CL_SUCCESS;
}

/* What a wait has to wait for, with a reference; the semaphore is not signalled after that. */
static cl_int take(struct semaphore *semaphore, struct event **out)
{
	cl_int rc = CL_SUCCESS;

	pthread_mutex_lock(&semaphore->lock);
	if (semaphore->signal) {
		*out = semaphore->signal;
		semaphore->signal = NULL;
	} else {
		if (!semaphore->promise)
			rc = event_create_user(semaphore->context, &semaphore->promise);
		if (!rc)
			*out = event_get(semaphore->promise);
	}
	pthread_mutex_unlock(&semaphore->lock);
	return rc;
}

/* A wait that could not be enqueued leaves the semaphore as it was. */
static void put_back(struct semaphore *semaphore, struct event *event)
{
	pthread_mutex_lock(&semaphore->lock);
	if (event->queue && !semaphore->signal)
		semaphore->signal = event_get(event);
	pthread_mutex_unlock(&semaphore->lock);
}

cl_int semaphore_wait(struct queue *queue, cl_uint n, const cl_semaphore_khr *semaphores,
	const struct event_args *events)
{
	struct command command = { .kind = COMMAND_NOTHING, .type = CL_COMMAND_SEMAPHORE_WAIT_KHR };
	cl_uint taken = 0;
	cl_int rc = check(queue, n, semaphores, events);

	if (rc)
		return rc;
	cl_event *all = calloc((size_t)events->n_waits + n, sizeof(*all));
	TRY(all ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	for (cl_uint i = 0; i < events->n_waits; i++)
		all[n + i] = events->waits[i];
	for (; taken < n; taken++) {
		struct event *signal;

		TRY(take(semaphore_from(semaphores[taken]), &signal));
		all[taken] = event_handle(signal);
	}
	TRY(queue_submit(
		queue, &command, &(struct event_args){ n + events->n_waits, all, events->event }));
fail:
	for (cl_uint i = 0; i < taken; i++) {
		if (rc)
			put_back(semaphore_from(semaphores[i]), event_from(all[i]));
		event_put(event_from(all[i]));
	}
	free(all);
	return rc;
}

/* The signal that a wait was promised is there, or failed. */
static void semaphore_keep_promise(cl_int status, void *promise, struct deferred_work *work)
{
	(void)event_end_user(promise, status, work);
	event_put(promise);
}

static void semaphore_give(
	struct semaphore *semaphore, struct event *signal, struct event_callback *continuation)
{
	pthread_mutex_lock(&semaphore->lock);
	struct event *promise = semaphore->promise, *old = NULL;
	semaphore->promise = NULL;
	if (!promise) {
		old = semaphore->signal;
		semaphore->signal = event_get(signal);
	}
	pthread_mutex_unlock(&semaphore->lock);
	event_put(old);
	if (promise) {
		event_continuation_set_data(continuation, promise);
		event_continue(signal, continuation);
	} else {
		free(continuation);
	}
}

cl_int semaphore_signal(struct queue *queue, cl_uint n, const cl_semaphore_khr *semaphores,
	const struct event_args *events)
{
	struct command command = { .kind = COMMAND_NOTHING,
		.type = CL_COMMAND_SEMAPHORE_SIGNAL_KHR };
	cl_event made;
	cl_int rc = check(queue, n, semaphores, events);

	if (rc)
		return rc;
	/* all memory comes first: a signal that was enqueued reaches every semaphore */
	struct event_callback **continuations = calloc(n, sizeof(*continuations));
	TRY(continuations ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	for (cl_uint i = 0; i < n; i++) {
		continuations[i] = event_continuation_create(semaphore_keep_promise, NULL);
		TRY(continuations[i] ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	}
	TRY(queue_submit(
		queue, &command, &(struct event_args){ events->n_waits, events->waits, &made }));
	for (cl_uint i = 0; i < n; i++)
		semaphore_give(semaphore_from(semaphores[i]), event_from(made), continuations[i]);
	free(continuations);
	if (events->event)
		*events->event = made;
	else
		event_put(event_from(made));
	return CL_SUCCESS;
fail:
	for (cl_uint i = 0; continuations && i < n; i++)
		free(continuations[i]);
	free(continuations);
	return rc;
}

static cl_int info_payload(const void *object, const struct info *info)
{
	struct semaphore *semaphore = (struct semaphore *)(uintptr_t)object;

	pthread_mutex_lock(&semaphore->lock);
	struct event *signal = semaphore->signal ? event_get(semaphore->signal) : NULL;
	pthread_mutex_unlock(&semaphore->lock);
	cl_semaphore_payload_khr payload =
		signal && event_poll(signal) == EVENT_DONE && event_result(signal) == CL_COMPLETE;
	event_put(signal);
	return info_bytes(info, &payload, sizeof(payload));
}

static const struct info_row rows[] = {
	INFO_FIELD(CL_SEMAPHORE_CONTEXT_KHR, struct semaphore, context),
	INFO_FN(CL_SEMAPHORE_REFERENCE_COUNT_KHR, info_references),
	INFO_LIST(CL_SEMAPHORE_PROPERTIES_KHR, struct semaphore, properties, n_properties),
	INFO_CONSTANT(CL_SEMAPHORE_TYPE_KHR, cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_BINARY_KHR),
	INFO_FN(CL_SEMAPHORE_PAYLOAD_KHR, info_payload),
	INFO_FIELD(CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, struct semaphore, device),
};

INFO_DEFINE(semaphore, cl_semaphore_info_khr, CL_INVALID_SEMAPHORE_KHR)
