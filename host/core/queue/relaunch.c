// SPDX-License-Identifier: MIT
#include "core/queue/relaunch.h"

#include "core/base/error.h"
#include "core/batch/append.h"
#include "core/batch/kernel_launch.h"
#include "core/queue/submit.h"
#include "l0/l0_error.h"

/* Whether sizes or offsets that were given (NULL: zeroes) are those of a range. */
static bool is_size(const size_t *size, cl_uint dims, const size_t known[3])
{
	for (cl_uint i = 0; i < dims; i++)
		if (known[i] != (size ? size[i] : 0))
			return false;
	return true;
}

/* Whether the newest launch of the instance was like this one. */
static bool is_like(const struct kernel_instance *instance, const struct relaunch *launch)
{
	const struct ndrange *range = &instance->range;

	return range->is_whole && range->dims == launch->dims &&
	       instance->is_chosen == !launch->local &&
	       is_size(launch->global, launch->dims, range->global) &&
	       is_size(launch->offset, launch->dims, range->offset) &&
	       (!launch->local || is_size(launch->local, launch->dims, range->local));
}

/*
 * The instance that only has to be appended now, with its arguments and with its objects in the
 * open batch, where there is room for the launch; NULL if there is none. It is to be given back.
 * The lock is held.
 */
static struct kernel_instance *begin(struct queue *queue, const struct relaunch *launch)
{
	struct kernel *kernel = launch->kernel;
	struct kernel_instance *instance;

	pthread_mutex_lock(&kernel->lock);
	if (ndrange_check_args_locked(kernel, queue->device) ||
		kernel_launch_begin(kernel, queue->place, NULL, &instance)) {
		instance = NULL;
	} else if (!is_like(instance, launch) ||
		   batch_reserve(queue->open, 1 + kernel->n_args, 1, 2, 0)) {
		kernel_give(instance);
		instance = NULL;
	} else {
		append_launch_objects(queue->open, kernel, NULL);
	}
	pthread_mutex_unlock(&kernel->lock);
	return instance;
}

/* The lock is held. */
static cl_int append(struct queue *queue, struct kernel_instance *instance, struct event *event)
{
	struct batch *batch = queue->open;
	struct l0_event *signal = NULL;
	cl_int rc;

	if (event)
		TRY(submit_signal(batch, &signal));
	if (!queue->out_of_order && batch->n_works > batch->n_ordered)
		TRY(batch_barrier(batch, NULL));
	TRY(l0_list_launch(batch->list, instance->l0, instance->range.groups,
		signal != batch->signal ? signal : NULL));
	batch->n_works++;
	queue->burst++;
	submit_count(batch, event, signal);
	return CL_SUCCESS;
fail:
	l0_event_release(signal);
	return error_say(rc, "%s", l0_error_text());
}

bool relaunch(struct queue *queue, const struct relaunch *launch, const struct event_args *events,
	cl_int *rc)
{
	struct event *event = NULL;

	if (events->n_waits || events->waits || queue->record || !launch->global)
		return false;
	pthread_mutex_lock(&queue->lock);
	struct kernel_instance *instance = queue_is_steady(queue) ? begin(queue, launch) : NULL;
	if (instance) {
		*rc = events->event ? event_create(queue, launch->type, EVENT_OPEN, &event)
				    : CL_SUCCESS;
		if (!*rc)
			*rc = append(queue, instance, event);
		kernel_give(instance);
	}
	pthread_mutex_unlock(&queue->lock);
	if (!instance)
		return false;
	if (event && !*rc)
		*events->event = event_handle(event);
	else
		event_put(event);
	return true;
}
