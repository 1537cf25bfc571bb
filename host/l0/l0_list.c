// SPDX-License-Identifier: MIT
#include "l0/l0_process.h"
#include "l0/l0_private.h"

#include "util/util_bits.h"
#include "util/util_order.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#define MIN_SPIN_NS    4000  /* after some time that depends on earlier waits, a wait sleeps … */
#define MAX_SPIN_NS    50000 /* … which itself costs about as much as this */
#define MIN_SLEEP_NS   20000
#define MAX_SLEEP_NS   500000
#define PROBE_AFTER_NS 2000000000ull /* a real GPU's loss is probed for this often … */
#define PROBE_NS       600000000ull  /* … for this long: the driver looks every 0.5 s */
#define SETTLE_NS      1000000000ull
#define MAX_WAITS      64 /* in one append */
#define MAX_SPARES     8
#define MOST_RESET     4 /* commands: they take 12 KiB for ids and 2 for arguments at most */

struct l0_queue {
	struct l0_context *context;
	ze_command_queue_handle_t ze;
	struct l0_event_stock *events;
	_Atomic uint64_t spin_ns; /* how long a wait spins before it sleeps */
};

/* A piece of a list that comes before what is being appended: closed, ours or a recording's. */
struct part {
	ze_command_list_handle_t ze;
	bool own;
	unsigned used; /* as of the list, if it is ours */
};

struct l0_list {
	struct l0_queue *queue;
	ze_command_list_handle_t ze; /* what is appended goes here; see l0_list_target */
	unsigned used;		     /* how many commands it has */
	struct part *parts;
	ze_command_list_handle_t *order; /* room for `parts` and `ze`, to be submitted */
	unsigned n_parts, max_parts;
	ze_command_list_handle_t spares[MAX_SPARES]; /* to append to; open and empty */
	unsigned n_spares;
	ze_fence_handle_t fence;
	unsigned losses; /* of the device when it was submitted */
	bool depends;	 /* on lists that were submitted under … */
	unsigned wait_losses;
	bool submitted;
	bool closed;
	atomic_bool done; /* since it was submitted; asking the driver has its price */
};

cl_int l0_queue_create(struct l0_context *context, enum l0_priority priority, struct l0_queue **out)
{
	static const ze_command_queue_priority_t priorities[] = {
		[L0_PRIORITY_NORMAL] = ZE_COMMAND_QUEUE_PRIORITY_NORMAL,
		[L0_PRIORITY_LOW] = ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW,
		[L0_PRIORITY_HIGH] = ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH,
	};
	ze_command_queue_desc_t desc = { .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
		.ordinal = context->device->ordinal,
		.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
		.priority = priorities[priority] };
	struct l0_queue *queue = calloc(1, sizeof(*queue));

	if (!queue)
		return CL_OUT_OF_HOST_MEMORY;
	queue->context = context;
	atomic_init(&queue->spin_ns, MAX_SPIN_NS);
	queue->events = l0_event_stock_take(context);
	cl_int rc = queue->events ? L0_CALL(zeCommandQueueCreate, context->ze, context->device->ze,
					    &desc, &queue->ze)
				  : CL_OUT_OF_HOST_MEMORY;
	if (rc) {
		l0_event_stock_leave(queue->events);
		free(queue);
		return rc;
	}
	*out = queue;
	return CL_SUCCESS;
}

void l0_queue_destroy(struct l0_queue *queue)
{
	if (!queue)
		return;
	(void)L0_CALL(zeCommandQueueDestroy, queue->ze);
	l0_event_stock_leave(queue->events);
	free(queue);
}

cl_int l0_queue_event(struct l0_queue *queue, bool timed, struct l0_event **out)
{
	return l0_event_draw(queue->events, timed, out);
}

bool l0_queue_settle(struct l0_queue *queue)
{
	/* 22.43 prints here and nowhere else, and keeps pointers to the kernels until then */
	return l0_heard(l0_ze.zeCommandQueueSynchronize(queue->ze, 0)) == ZE_RESULT_SUCCESS;
}

static cl_int make_ze(struct l0_queue *queue, ze_command_list_handle_t *out)
{
	struct l0_context *context = queue->context;
	ze_command_list_desc_t desc = { .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
		.commandQueueGroupOrdinal = context->device->ordinal };

	pthread_mutex_lock(&context->lock);
	bool found = context->n_idle_lists;
	if (found)
		*out = context->idle_lists[--context->n_idle_lists];
	pthread_mutex_unlock(&context->lock);
	if (found)
		return CL_SUCCESS;
	return L0_CALL(zeCommandListCreate, context->ze, context->device->ze, &desc, out);
}

cl_int l0_list_create(struct l0_queue *queue, struct l0_list **out)
{
	ze_fence_desc_t fence_desc = { .stype = ZE_STRUCTURE_TYPE_FENCE_DESC };
	struct l0_list *list = calloc(1, sizeof(*list));

	if (!list)
		return CL_OUT_OF_HOST_MEMORY;
	list->queue = queue;
	cl_int rc = make_ze(queue, &list->ze);
	if (!rc)
		rc = L0_CALL(zeFenceCreate, queue->ze, &fence_desc, &list->fence);
	if (rc) {
		l0_list_destroy(list);
		return rc;
	}
	*out = list;
	return CL_SUCCESS;
}

/* A list takes as much memory as hundreds of queues: those that nobody needs go from hand to hand.
 */
static void leave_ze(struct l0_context *context, ze_command_list_handle_t ze)
{
	pthread_mutex_lock(&context->lock);
	bool kept = context->n_idle_lists < L0_MAX_IDLE_LISTS;
	if (kept)
		context->idle_lists[context->n_idle_lists++] = ze;
	pthread_mutex_unlock(&context->lock);
	if (!kept)
		(void)L0_CALL(zeCommandListDestroy, ze);
}

void l0_idle_lists_destroy(struct l0_context *context)
{
	while (context->n_idle_lists)
		(void)L0_CALL(zeCommandListDestroy, context->idle_lists[--context->n_idle_lists]);
}

void l0_list_destroy(struct l0_list *list)
{
	if (!list)
		return;
	if (list->fence)
		(void)L0_CALL(zeFenceDestroy, list->fence);
	if (list->ze && !list->submitted && !list->closed && !list->used)
		leave_ze(list->queue->context, list->ze);
	else if (list->ze)
		(void)L0_CALL(zeCommandListDestroy, list->ze);
	for (unsigned i = 0; i < list->n_parts; i++)
		if (list->parts[i].own)
			(void)L0_CALL(zeCommandListDestroy, list->parts[i].ze);
	for (unsigned i = 0; i < list->n_spares; i++)
		(void)L0_CALL(zeCommandListDestroy, list->spares[i]);
	free(list->parts);
	free(list->order);
	free(list);
}

static void nap(uint64_t ns)
{
	struct timespec time = { 0, (long)ns };

	nanosleep(&time, NULL);
}

/* A lost list may still be on its way through the device. */
static cl_int settle(struct l0_list *list)
{
	const struct l0_device *device = list->queue->context->device;
	uint64_t end = l0_host_clock() + SETTLE_NS;

	while (l0_heard(l0_ze.zeFenceQueryStatus(list->fence)) != ZE_RESULT_SUCCESS) {
		if (atomic_load(&device->is_gone) || l0_host_clock() > end)
			return l0_check("a lost list", ZE_RESULT_ERROR_DEVICE_LOST);
		nap(MAX_SLEEP_NS);
	}
	return CL_SUCCESS;
}

/*
 * Makes the last piece one to append to. The driver takes 64 KiB for the arguments of its commands,
 * and as much again when these are full. With drivers before March 2024 a reset loses all but the
 * last, so that only a piece of few commands is reset. list->ze may be NULL after a failure.
 */
static cl_int empty_piece(struct l0_list *list)
{
	ze_command_list_handle_t old = list->ze;

	if (list->used <= MOST_RESET)
		return L0_CALL(zeCommandListReset, old);
	list->ze = NULL;
	(void)L0_CALL(zeCommandListDestroy, old);
	return make_ze(list->queue, &list->ze);
}

/* Lets recordings go and makes its own pieces spare. */
static cl_int reset_parts(struct l0_list *list)
{
	while (list->n_parts) {
		const struct part *part = &list->parts[list->n_parts - 1];
		bool keep = part->own && part->used <= MOST_RESET && list->n_spares < MAX_SPARES;
		cl_int rc = keep ? L0_CALL(zeCommandListReset, part->ze) : CL_SUCCESS;

		if (rc)
			return rc;
		if (keep)
			list->spares[list->n_spares++] = part->ze;
		else if (part->own)
			(void)L0_CALL(zeCommandListDestroy, part->ze);
		list->n_parts--;
	}
	return CL_SUCCESS;
}

cl_int l0_list_reset(struct l0_list *list)
{
	cl_int rc = list->submitted ? settle(list) : CL_SUCCESS;

	if (!rc)
		rc = reset_parts(list);
	if (!rc && (list->closed || list->used))
		rc = empty_piece(list);
	if (!rc && list->submitted)
		rc = L0_CALL(zeFenceReset, list->fence);
	if (!rc) {
		list->submitted = list->closed = list->depends = false;
		list->used = 0;
	}
	atomic_store_explicit(&list->done, false, memory_order_relaxed);
	return rc;
}

cl_int l0_list_renew(struct l0_list *list)
{
	cl_int rc = L0_CALL(zeFenceReset, list->fence);

	if (!rc)
		list->submitted = false;
	atomic_store_explicit(&list->done, false, memory_order_relaxed);
	return rc;
}

ze_command_list_handle_t l0_list_target(struct l0_list *list)
{
	list->used++;
	return list->ze;
}

static ze_event_handle_t handle(struct l0_event *event)
{
	return event ? event->ze : NULL;
}

cl_int l0_list_launch(struct l0_list *list, struct l0_kernel *kernel, const uint32_t groups[3],
	struct l0_event *signal)
{
	ze_group_count_t count = { groups[0], groups[1], groups[2] };

	return L0_CALL(zeCommandListAppendLaunchKernel, l0_list_target(list), kernel->ze, &count,
		handle(signal), 0, NULL);
}

cl_int l0_list_copy(
	struct l0_list *list, void *to, const void *from, size_t size, struct l0_event *signal)
{
	return L0_CALL(zeCommandListAppendMemoryCopy, l0_list_target(list), to, from, size,
		handle(signal), 0, NULL);
}

cl_int l0_list_barrier(struct l0_list *list, struct l0_event *signal)
{
	return L0_CALL(zeCommandListAppendBarrier, l0_list_target(list), handle(signal), 0, NULL);
}

unsigned l0_list_losses(const struct l0_list *list)
{
	return list->losses;
}

static cl_int dependency_lost(void)
{
	(void)l0_check("what the list waits for", ZE_RESULT_ERROR_DEVICE_LOST);
	return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
}

bool l0_list_is_doomed(const struct l0_list *list)
{
	return list->depends && list->wait_losses != l0_device_losses(list->queue->context->device);
}

cl_int l0_list_wait(
	struct l0_list *list, uint32_t n, struct l0_event *const *events, unsigned losses)
{
	if (list->depends && list->wait_losses != losses)
		return dependency_lost();
	list->depends = true;
	list->wait_losses = losses;
	while (n) {
		ze_event_handle_t handles[MAX_WAITS];
		uint32_t part = util_min_u32(n, MAX_WAITS);

		for (uint32_t i = 0; i < part; i++)
			handles[i] = events[i]->ze;
		cl_int rc = L0_CALL(
			zeCommandListAppendWaitOnEvents, l0_list_target(list), part, handles);
		if (rc)
			return rc;
		events += part;
		n -= part;
	}
	return CL_SUCCESS;
}

cl_int l0_list_copy_box(struct l0_list *list, const struct l0_box *box, struct l0_event *signal)
{
	/* the origins are in the addresses: drivers have forgotten origins in some cases */
	ze_copy_region_t region = { 0, 0, 0, box->region[0], box->region[1], box->region[2] };

	return L0_CALL(zeCommandListAppendMemoryCopyRegion, l0_list_target(list), box->to, &region,
		box->to_row_pitch, box->to_slice_pitch, box->from, &region, box->from_row_pitch,
		box->from_slice_pitch, handle(signal), 0, NULL);
}

cl_int l0_list_seal(struct l0_list *list)
{
	list->used++; /* though it may be empty: nothing can be appended any more */
	return L0_CALL(zeCommandListClose, list->ze);
}

/* Room for two more parts, and for `ze` behind them. */
static cl_int grow(struct l0_list *list)
{
	unsigned max =
		list->n_parts + 2 <= list->max_parts ? list->max_parts : 2 * list->max_parts + 8;

	if (max == list->max_parts)
		return CL_SUCCESS;
	struct part *parts = reallocarray(list->parts, max, sizeof(*parts));
	if (!parts)
		return CL_OUT_OF_HOST_MEMORY;
	list->parts = parts;
	ze_command_list_handle_t *order =
		reallocarray(list->order, (size_t)max + 1, sizeof(*order));
	if (!order)
		return CL_OUT_OF_HOST_MEMORY;
	list->order = order;
	list->max_parts = max;
	return CL_SUCCESS;
}

/* Ends the piece that is being appended to and begins another. */
static cl_int cut(struct l0_list *list)
{
	ze_command_list_handle_t next;
	cl_int rc = CL_SUCCESS;

	if (!list->n_spares) {
		rc = make_ze(list->queue, &next);
		if (rc)
			return rc;
		list->spares[list->n_spares++] = next;
	}
	rc = L0_CALL(zeCommandListClose, list->ze);
	if (rc)
		return rc;
	list->parts[list->n_parts++] = (struct part){ list->ze, true, list->used };
	list->ze = list->spares[--list->n_spares];
	list->used = 0;
	return CL_SUCCESS;
}

cl_int l0_list_call(struct l0_list *list, const struct l0_list *recorded)
{
	cl_int rc = grow(list);

	if (!rc && list->used)
		rc = cut(list);
	if (!rc)
		list->parts[list->n_parts++] = (struct part){ recorded->ze, false, 0 };
	return rc;
}

/* What is to be submitted, in its order; returns how many. */
static uint32_t put_in_order(struct l0_list *list, ze_command_list_handle_t **order)
{
	uint32_t n = list->n_parts;

	*order = n ? list->order : &list->ze;
	for (uint32_t i = 0; i < n; i++)
		list->order[i] = list->parts[i].ze;
	if (n && list->used)
		list->order[n++] = list->ze;
	return n ? n : 1;
}

cl_int l0_list_submit(struct l0_list *list)
{
	struct l0_device *device = list->queue->context->device;
	ze_command_list_handle_t *order;
	uint32_t n = put_in_order(list, &order);
	cl_int rc = CL_SUCCESS;

	l0_device_check(device);
	/* a list that only calls recordings goes without its own piece */
	if (!list->closed && (list->used || !list->n_parts)) {
		rc = L0_CALL(zeCommandListClose, list->ze);
		list->closed = !rc;
	}
	if (rc)
		return rc;
	for (int attempt = 0; attempt < 2; attempt++) {
		unsigned losses = l0_device_losses(device);

		if (list->depends && list->wait_losses != losses)
			return dependency_lost();
		list->losses = losses;
		rc = L0_CALL(
			zeCommandQueueExecuteCommandLists, list->queue->ze, n, order, list->fence);
		list->submitted = !rc;
		if (!rc)
			break;
		/* refused because an earlier fault stopped the device? Then it runs again now. */
		l0_device_check(device);
		if (l0_device_losses(device) == losses)
			break;
	}
	return rc;
}

enum l0_progress l0_list_status(struct l0_list *list, struct l0_event *event)
{
	/* the order matters, see l0_device_check */
	bool done = atomic_load_explicit(&list->done, memory_order_acquire) ||
		    (event && l0_event_signalled(event));

	if (!done) {
		done = l0_heard(l0_ze.zeFenceQueryStatus(list->fence)) == ZE_RESULT_SUCCESS;
		if (done)
			atomic_store_explicit(&list->done, true, memory_order_release);
	}
	if (done)
		util_order_heard();
	if (list->losses != l0_device_losses(list->queue->context->device))
		return L0_LOST;
	return done ? L0_DONE : L0_PENDING;
}

/* Only a wait of half a second in the driver tells that a real GPU was reset. */
static void probe(struct l0_list *list)
{
	struct l0_device *device = list->queue->context->device;
	unsigned losses = l0_device_losses(device);

	if (l0_ze.zeFenceHostSynchronize(list->fence, PROBE_NS) == ZE_RESULT_ERROR_DEVICE_LOST)
		l0_device_lost(device, losses, "the kernel driver has reset the GPU");
}

/* Not sched_yield: when others want the core, that is much longer than a short sleep. */
static void pause_shortly(void)
{
#ifdef __x86_64__
	__builtin_ia32_pause();
#endif
}

static uint64_t shorter(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How a thread that waits has slept so far. */
struct rest {
	int slack;	/* the thread's own timer slack in ns once it has been changed, -1 before */
	uint64_t seen;	/* l0_device_doze */
	bool was_heard; /* a batch has ended since; it may be another one */
};

/*
 * Sleeps until the virtual device tells that a batch has ended, `most` ns at most. If that was
 * another batch, the next call sleeps for `ns`, so that a thread that waits for the last of many is
 * not woken for each. So does every call on a real GPU. These sleeps are as long as is asked, not
 * up to 50 us longer as threads sleep by default.
 */
static void take_rest(struct l0_device *device, struct rest *rest, uint64_t ns, uint64_t most)
{
	const bool is_first = !rest->seen;

	if (!rest->was_heard && l0_device_doze(device, &rest->seen, most)) {
		rest->was_heard = !is_first;
		return;
	}
	rest->was_heard = false;
	if (rest->slack < 0) {
		rest->slack = prctl(PR_GET_TIMERSLACK);
		(void)prctl(PR_SET_TIMERSLACK, 1UL);
	}
	nap(ns);
}

/*
 * The next wait spins as long as a sleep costs if this one was such that spinning was worth it or
 * nearly so, and spins less if it was long. Waits of several threads may overwrite each other's: it
 * is an estimate.
 */
static void wait_learn(struct l0_queue *queue, bool is_over, uint64_t waited)
{
	uint64_t spin = atomic_load_explicit(&queue->spin_ns, memory_order_relaxed);

	if (is_over && waited < 2 * MAX_SPIN_NS)
		spin = MAX_SPIN_NS;
	else if (spin / 2 >= MIN_SPIN_NS)
		spin /= 2;
	atomic_store_explicit(&queue->spin_ns, spin, memory_order_relaxed);
}

/* Spins for `spin` ns, then sleeps; *took is how long it took. */
static enum l0_progress wait_until(struct l0_list *list, struct l0_event *event,
	uint64_t timeout_ns, uint64_t spin, uint64_t *took)
{
	struct l0_device *device = list->queue->context->device;
	uint64_t begin = l0_host_clock(), probed = begin, waited;
	enum l0_progress progress;
	struct rest rest = { .slack = -1 };

	for (;;) {
		l0_process_stop_here();
		progress = l0_list_status(list, event);
		uint64_t now = l0_host_clock();

		waited = now - begin;
		if (progress != L0_PENDING || waited >= timeout_ns)
			break;
		if (waited < spin) {
			pause_shortly();
			continue;
		}
		l0_device_check(device);
		if (!device->vgpu.take_fault && now - probed > PROBE_AFTER_NS) {
			probe(list);
			probed = l0_host_clock();
		}
		/* so that it ends at most an eighth too late, or what a sleep costs */
		uint64_t sleep = waited / 8 < MIN_SLEEP_NS ? MIN_SLEEP_NS : waited / 8;
		sleep = shorter(shorter(sleep, MAX_SLEEP_NS), timeout_ns - waited);
		/* an event may be signalled in the midst of a batch */
		take_rest(device, &rest, sleep, event ? sleep : timeout_ns - waited);
	}
	/* The thread is left as it was. */
	if (rest.slack >= 0)
		(void)prctl(PR_SET_TIMERSLACK, (unsigned long)rest.slack);
	*took = waited;
	return progress;
}

enum l0_progress l0_list_wait_host(
	struct l0_list *list, struct l0_event *event, uint64_t timeout_ns)
{
	uint64_t spin = atomic_load_explicit(&list->queue->spin_ns, memory_order_relaxed);
	uint64_t waited;

	enum l0_progress progress = wait_until(list, event, timeout_ns, spin, &waited);
	wait_learn(list->queue, progress != L0_PENDING, waited);
	return progress;
}

enum l0_progress l0_list_doze(struct l0_list *list, uint64_t timeout_ns)
{
	uint64_t waited;

	return wait_until(list, NULL, timeout_ns, 0, &waited);
}
