// SPDX-License-Identifier: MIT
#include "core/queue/queue.h"

#include "compile/base/pool.h"
#include "core/batch/batch.h"
#include "core/queue/order.h"
#include "core/queue/deferred_work.h"
#include "core/base/error.h"
#include "core/base/info.h"
#include "core/queue/poller.h"

#include <stdlib.h>
#include <string.h>

static void leave_context(struct queue *queue)
{
	pthread_mutex_lock(&queue->context->lock);
	if (queue->context_link)
		*queue->context_link = queue->context_next;
	if (queue->context_link && queue->context_next)
		queue->context_next->context_link = queue->context_link;
	pthread_mutex_unlock(&queue->context->lock);
}

static void join_context(struct queue *queue)
{
	pthread_mutex_lock(&queue->context->lock);
	queue->context_next = queue->context->queues;
	queue->context_link = &queue->context->queues;
	if (queue->context_next)
		queue->context_next->context_link = &queue->context_next;
	queue->context->queues = queue;
	pthread_mutex_unlock(&queue->context->lock);
}

/* The queue behind `queue` (NULL: the first) with a reference; the one to `queue` is given up. */
static struct queue *next_queue(struct context *context, struct queue *queue)
{
	pthread_mutex_lock(&context->lock);
	struct queue *next = queue ? queue->context_next : context->queues;
	while (next && !obj_try_get(&next->base))
		next = next->context_next;
	pthread_mutex_unlock(&context->lock);
	queue_put(queue);
	return next;
}

void queue_finish_all(struct context *context)
{
	struct queue *queue = NULL;

	while ((queue = next_queue(context, queue)))
		(void)queue_finish(queue);
}

static void destroy(struct obj *obj)
{
	struct queue *queue = (struct queue *)(void *)obj;
	struct deferred_work work = { 0 };

	leave_context(queue);
	if (queue->l0) {
		pthread_mutex_lock(&queue->lock);
		queue_drain(queue, &work);
		pthread_mutex_unlock(&queue->lock);
		deferred_work_run(queue->context, &work);
	}
	while (queue->spare) {
		struct batch *batch = queue->spare;

		queue->spare = batch->next;
		atomic_fetch_sub(&queue->context->n_spare_batches, 1);
		batch_destroy(batch);
	}
	batch_destroy(queue->open);
	l0_queue_destroy(queue->l0);
	for (unsigned i = 0; i < queue->n_kept; i++)
		obj_put(queue->kept[i]);
	free(queue->kept);
	pthread_cond_destroy(&queue->changed);
	event_free_spare(queue);
	event_lock_finish(&queue->events);
	pthread_mutex_destroy(&queue->lock);
	free(queue->given);
	context_put(queue->context);
	obj_free(queue);
}

/* What a list of properties says. */
struct wanted {
	size_t n; /* of its words, with the 0 at its end; 0 if there is no list */
	cl_command_queue_properties flags;
	cl_queue_priority_khr priority;
	cl_queue_throttle_khr throttle;
	bool has_family, has_index;
};

#define NOTHING_WANTED                                                                             \
	{                                                                                          \
		.priority = CL_QUEUE_PRIORITY_MED_KHR, .throttle = CL_QUEUE_THROTTLE_MED_KHR       \
	}

/* HIGH, MED or LOW of either hint. */
static bool is_hint(cl_queue_properties value)
{
	return value == CL_QUEUE_PRIORITY_HIGH_KHR || value == CL_QUEUE_PRIORITY_MED_KHR ||
	       value == CL_QUEUE_PRIORITY_LOW_KHR;
}

static cl_int parse_one(cl_queue_properties name, cl_queue_properties value, struct wanted *wanted)
{
	switch (name) {
	case CL_QUEUE_PROPERTIES:
		wanted->flags = value;
		return CL_SUCCESS;
	case CL_QUEUE_PRIORITY_KHR:
		REQUIRE(is_hint(value), CL_INVALID_VALUE);
		wanted->priority = (cl_queue_priority_khr)value;
		return CL_SUCCESS;
	case CL_QUEUE_THROTTLE_KHR:
		REQUIRE(is_hint(value), CL_INVALID_VALUE);
		wanted->throttle = (cl_queue_throttle_khr)value;
		return CL_SUCCESS;
	case CL_QUEUE_FAMILY_INTEL:
	case CL_QUEUE_INDEX_INTEL:
		REQUIRE(!value,
			error_say(CL_INVALID_QUEUE_PROPERTIES,
				"the device has one family of queues, and one queue in it"));
		wanted->has_family |= name == CL_QUEUE_FAMILY_INTEL;
		wanted->has_index |= name == CL_QUEUE_INDEX_INTEL;
		return CL_SUCCESS;
	case CL_QUEUE_SIZE:
		return error_say(CL_INVALID_QUEUE_PROPERTIES,
			"CL_QUEUE_SIZE is of on-device queues, which the device has not");
	default:
		return error_say(
			CL_INVALID_VALUE, "0x%llx is no queue property", (unsigned long long)name);
	}
}

static cl_int parse(const cl_queue_properties *list, struct wanted *wanted)
{
	for (; list && list[wanted->n]; wanted->n += 2) {
		cl_int rc = parse_one(list[wanted->n], list[wanted->n + 1], wanted);

		if (rc)
			return rc;
	}
	wanted->n += list != NULL;
	REQUIRE(wanted->has_family == wanted->has_index, CL_INVALID_QUEUE_PROPERTIES);
	return CL_SUCCESS;
}

static cl_int check_flags(cl_command_queue_properties flags)
{
	const cl_command_queue_properties known = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
						  CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE |
						  CL_QUEUE_ON_DEVICE_DEFAULT;

	REQUIRE(!(flags & ~known), CL_INVALID_VALUE);
	REQUIRE(!(flags & (CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT)),
		error_say(CL_INVALID_QUEUE_PROPERTIES, "the device has queues on the host only"));
	return CL_SUCCESS;
}

static enum l0_priority priority_of(const struct wanted *wanted)
{
	if (wanted->priority == CL_QUEUE_PRIORITY_LOW_KHR)
		return L0_PRIORITY_LOW;
	return wanted->priority == CL_QUEUE_PRIORITY_HIGH_KHR ? L0_PRIORITY_HIGH
							      : L0_PRIORITY_NORMAL;
}

static cl_int make(struct context *context, struct device *device, const cl_queue_properties *given,
	const struct wanted *wanted, struct queue **out)
{
	struct queue *queue = calloc(1, sizeof(*queue));
	cl_int rc;

	if (!queue)
		return CL_OUT_OF_HOST_MEMORY;
	obj_init(&queue->base, OBJ_QUEUE, &context->base, destroy);
	queue->context = context_get(context);
	queue->device = device;
	queue->place = context_place(context, device);
	queue->properties = wanted->flags;
	queue->priority = wanted->priority;
	queue->throttle = wanted->throttle;
	queue->out_of_order = wanted->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
	queue->eager = 1;
	queue->deferred_end = &queue->deferred;
	pthread_mutex_init(&queue->lock, NULL);
	event_lock_init(&queue->events);
	pthread_cond_init(&queue->changed, NULL);
	queue->given = bytes_copy(given, wanted->n * sizeof(*given));
	TRY(queue->given ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	queue->n_given = wanted->n;
	TRY(l0_queue_create(context->on[queue->place], priority_of(wanted), &queue->l0));
	order_init(queue);
	join_context(queue);
	*out = queue;
	return CL_SUCCESS;
fail:
	queue_put(queue);
	return rc;
}

cl_int queue_create(struct context *context, struct device *device,
	const cl_queue_properties *properties, struct queue **out)
{
	struct wanted wanted = NOTHING_WANTED;
	cl_int rc;

	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(device && context_has_device(context, device), CL_INVALID_DEVICE);
	if ((rc = parse(properties, &wanted)) || (rc = check_flags(wanted.flags)))
		return rc;

	return make(context, device, properties, &wanted, out);
}

cl_int queue_create_flags(struct context *context, struct device *device,
	cl_command_queue_properties flags, struct queue **out)
{
	struct wanted wanted = NOTHING_WANTED;
	cl_int rc;

	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(device && context_has_device(context, device), CL_INVALID_DEVICE);
	if ((rc = check_flags(flags)))
		return rc;

	wanted.flags = flags;
	return make(context, device, NULL, &wanted, out);
}

cl_int queue_release(struct queue *queue)
{
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);

	(void)queue_flush(queue);
	pthread_mutex_lock(&queue->lock);
	bool busy = queue->first != NULL;
	pthread_mutex_unlock(&queue->lock);
	/* what is on the device holds the queue, and nobody may look at it again */
	if (busy && atomic_load(&queue->base.api_refs) == 1)
		poller_add(queue);
	return obj_release(queue_handle(queue), OBJ_QUEUE);
}

static cl_int info_size(const void *object, const struct info *info)
{
	(void)object;
	(void)info;
	return error_say(CL_INVALID_COMMAND_QUEUE, "it is not an on-device queue");
}

static const struct info_row rows[] = {
	INFO_FIELD(CL_QUEUE_CONTEXT, struct queue, context),
	INFO_FIELD(CL_QUEUE_DEVICE, struct queue, device),
	INFO_FN(CL_QUEUE_REFERENCE_COUNT, info_references),
	INFO_FIELD(CL_QUEUE_PROPERTIES, struct queue, properties),
	INFO_LIST(CL_QUEUE_PROPERTIES_ARRAY, struct queue, given, n_given),
	INFO_FIELD(CL_QUEUE_PRIORITY_KHR, struct queue, priority),
	INFO_FIELD(CL_QUEUE_THROTTLE_KHR, struct queue, throttle),
	INFO_CONSTANT(CL_QUEUE_FAMILY_INTEL, cl_uint, 0),
	INFO_CONSTANT(CL_QUEUE_INDEX_INTEL, cl_uint, 0),
	INFO_FN(CL_QUEUE_SIZE, info_size),
	INFO_CONSTANT(CL_QUEUE_DEVICE_DEFAULT, cl_command_queue, 0),
};

INFO_DEFINE(queue, cl_command_queue_info, CL_INVALID_COMMAND_QUEUE)
