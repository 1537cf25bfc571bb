// SPDX-License-Identifier: MIT
#include "core/queue/relaunch.h"

#include "core/batch/batch.h"
#include "core/queue/deferred_work.h"
#include "core/queue/submit.h"

#include <string.h>

/* Whether sizes or offsets that were given (NULL: zeroes) are those of a range. */
static bool is_size(const size_t *size, cl_uint dims, const size_t known[3])
{
	for (cl_uint i = 0; i < dims; i++)
		if (known[i] != (size ? size[i] : 0))
			return false;
	return true;
}

/* The range of the launch if the open batch knows it, else NULL. */
static const struct ndrange *find_range(struct queue *queue, const struct relaunch *launch)
{
	const struct batch_known *known = batch_known(queue->open, launch->kernel);
	const struct ndrange *range = &known->range;
	bool is_like = known->kernel == launch->kernel &&
		       known->form == kernel_form(launch->kernel, queue->device) &&
		       known->is_chosen == !launch->local && range->dims == launch->dims &&
		       is_size(launch->global, launch->dims, range->global) &&
		       is_size(launch->offset, launch->dims, range->offset) &&
		       (!launch->local || is_size(launch->local, launch->dims, range->local));

	return is_like ? range : NULL;
}

/* The lock is held. */
static cl_int append(struct queue *queue, const struct relaunch *launch,
	const struct ndrange *range, struct event *event, struct deferred_work *work)
{
	struct command command; /* most of it is for others */

	memset(&command, 0, offsetof(struct command, copy));
	command.kind = COMMAND_LAUNCH;
	command.type = launch->type;
	command.launch = (struct command_launch){
		.kernel = launch->kernel,
		.range = *range,
		.is_chosen = !launch->local,
	};
	cl_int rc = submit_append(queue, &command, NULL, 0, event, work);
	queue_pace(queue, work);
	return rc;
}

bool relaunch(struct queue *queue, const struct relaunch *launch, const struct event_args *events,
	cl_int *rc)
{
	struct deferred_work work = { 0 };
	struct event *event = NULL;

	if (events->n_waits || events->waits || queue->record || !launch->global)
		return false;
	pthread_mutex_lock(&queue->lock);
	const struct ndrange *range = queue_is_steady(queue) ? find_range(queue, launch) : NULL;
	if (range) {
		*rc = events->event ? event_create(queue, launch->type, &event) : CL_SUCCESS;
		if (!*rc)
			*rc = append(queue, launch, range, event, &work);
	}
	pthread_mutex_unlock(&queue->lock);
	if (!range)
		return false;
	deferred_work_run(queue->context, &work);
	if (event && !*rc)
		*events->event = event_handle(event);
	else
		event_put(event);
	return true;
}
