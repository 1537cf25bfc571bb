// SPDX-License-Identifier: MIT
#include "core/base/callback_thread.h"

#include "core/base/worker.h"

#include <stdlib.h>

static bool callback_step(void);

/* Under worker_lock. */
static struct callback *first_callback, **callbacks_end = &first_callback;
static struct worker callback_worker = { .step = callback_step, .work = PTHREAD_COND_INITIALIZER };

static bool callback_step(void)
{
	struct callback *callback = first_callback;

	if (!callback)
		return false;
	first_callback = callback->next;
	if (!first_callback)
		callbacks_end = &first_callback;
	pthread_mutex_unlock(&worker_lock);
	callback->call(callback);
	pthread_mutex_lock(&worker_lock);
	if (worker_is_leaving)
		return false; /* the driver may be gone */
	callback_worker.busy = true;
	pthread_mutex_unlock(&worker_lock);
	callback->finish(callback);
	pthread_mutex_lock(&worker_lock);
	callback_worker.busy = false;
	return true;
}

void callback_thread_add(struct callback *first, struct callback *last)
{
	last->next = NULL;
	pthread_mutex_lock(&worker_lock);
	*callbacks_end = first;
	callbacks_end = &last->next;
	(void)worker_wake(&callback_worker);
	pthread_mutex_unlock(&worker_lock);
}

struct destruction {
	struct callback callback;
	struct obj *obj;
	void (*call)(struct obj *obj);
	void (*finish)(struct obj *obj);
};

static void destruction_call(struct callback *callback)
{
	struct destruction *destruction = (struct destruction *)(void *)callback;

	destruction->call(destruction->obj);
}

static void destruction_finish(struct callback *callback)
{
	struct destruction *destruction = (struct destruction *)(void *)callback;

	destruction->finish(destruction->obj);
	free(destruction);
}

bool callback_thread_destroy(
	struct obj *obj, void (*call)(struct obj *obj), void (*finish)(struct obj *obj))
{
	struct destruction *destruction = malloc(sizeof(*destruction));

	if (!destruction)
		return false;
	*destruction = (struct destruction){
		.callback = { .call = destruction_call, .finish = destruction_finish },
		.obj = obj,
		.call = call,
		.finish = finish,
	};
	callback_thread_add(&destruction->callback, &destruction->callback);
	return true;
}
