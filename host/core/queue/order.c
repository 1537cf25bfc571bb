// SPDX-License-Identifier: MIT
#include "core/queue/order.h"

#include "core/queue/queue.h"
#include "core/queue/schedule.h"
#include "l0/l0_order.h"

#include <stdlib.h>

#define FEW	  16
#define MOST_ROWS 4096 /* of a copy by the host that are looked at */

/* A mapped region, from the map on to the unmap: what the host may do is a command of its own. */
struct mapped {
	struct mapped *next;
	const char *address;
	uint32_t number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mapped *all_mapped; /* under lock */

static const char *name_of(const struct command *command)
{
	static const struct {
		cl_command_type type;
		const char *name;
	} names[] = {
		{ CL_COMMAND_READ_BUFFER, "clEnqueueReadBuffer" },
		{ CL_COMMAND_WRITE_BUFFER, "clEnqueueWriteBuffer" },
		{ CL_COMMAND_READ_BUFFER_RECT, "clEnqueueReadBufferRect" },
		{ CL_COMMAND_WRITE_BUFFER_RECT, "clEnqueueWriteBufferRect" },
		{ CL_COMMAND_COPY_BUFFER, "clEnqueueCopyBuffer" },
		{ CL_COMMAND_COPY_BUFFER_RECT, "clEnqueueCopyBufferRect" },
		{ CL_COMMAND_FILL_BUFFER, "clEnqueueFillBuffer" },
		{ CL_COMMAND_MAP_BUFFER, "clEnqueueMapBuffer" },
		{ CL_COMMAND_UNMAP_MEM_OBJECT, "clEnqueueUnmapMemObject" },
		{ CL_COMMAND_COPY_BUFFER_TO_IMAGE, "clEnqueueCopyBufferToImage" },
		{ CL_COMMAND_COPY_IMAGE_TO_BUFFER, "clEnqueueCopyImageToBuffer" },
		{ CL_COMMAND_READ_IMAGE, "clEnqueueReadImage" },
		{ CL_COMMAND_WRITE_IMAGE, "clEnqueueWriteImage" },
		{ CL_COMMAND_COPY_IMAGE, "clEnqueueCopyImage" },
		{ CL_COMMAND_FILL_IMAGE, "clEnqueueFillImage" },
		{ CL_COMMAND_MAP_IMAGE, "clEnqueueMapImage" },
		{ CL_COMMAND_SVM_MEMCPY, "clEnqueueSVMMemcpy" },
		{ CL_COMMAND_SVM_MEMFILL, "clEnqueueSVMMemFill" },
		{ CL_COMMAND_MEMCPY_INTEL, "clEnqueueMemcpyINTEL" },
		{ CL_COMMAND_MEMFILL_INTEL, "clEnqueueMemFillINTEL" },
	};

	if (command->kind == COMMAND_LAUNCH || command->kind == COMMAND_REPLAY)
		return NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].type == command->type)
			return names[i].name;
	return "a command of the host";
}

void order_init(struct queue *queue)
{
	static atomic_uint chains;

	queue->order.is_wanted = l0_order_is_wanted(queue->context->l0);
	queue->order.chain = atomic_fetch_add(&chains, 1) + 1;
}

/* What the host may do to a mapped region comes after the map and before the unmap. */
static void map(const struct queue *queue, const struct command *command, uint32_t number)
{
	const struct l0_context *l0 = queue->context->l0;
	struct mapped *mapped = malloc(sizeof *mapped);

	if (!mapped)
		return;
	mapped->address = command->map.address;
	mapped->number = l0_order_add(l0, "the host's use of a mapped region", 0, &number, 1);
	pthread_mutex_lock(&lock);
	mapped->next = all_mapped;
	all_mapped = mapped;
	pthread_mutex_unlock(&lock);
	l0_order_touch(
		l0, mapped->number, command->map.address, command->map.size, command->map.writes);
}

/* The number of what is mapped there; 0: nothing. A map of memory that is gone counts, too. */
static uint32_t unmap(const char *address)
{
	uint32_t number = 0;

	pthread_mutex_lock(&lock);
	for (struct mapped **at = &all_mapped, *mapped; (mapped = *at);) {
		if (mapped->address != address) {
			at = &mapped->next;
			continue;
		}
		*at = mapped->next;
		number = number ? L0_ORDER_ALL : mapped->number;
		free(mapped);
	}
	pthread_mutex_unlock(&lock);
	return number;
}

uint32_t order_add(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event)
{
	struct queue_order *order = &queue->order;
	const struct l0_context *l0 = queue->context->l0;
	bool is_sync = !queue->out_of_order || schedule_is_sync(command, n_waits);
	uint32_t few[FEW], *after = few, n = 0;

	if (!order->is_wanted)
		return 0;
	if (n_waits + 2 > FEW && !(after = calloc(n_waits + 2, sizeof *after))) {
		few[n++] = L0_ORDER_ALL;
		after = few;
		n_waits = 0;
	}
	after[n++] = is_sync ? order->all : order->fence;
	if (command->map.address && !command->map.size)
		after[n++] = unmap(command->map.address);
	for (unsigned i = 0; i < n_waits; i++)
		after[n++] = waits[i]->order;
	uint32_t number = l0_order_add(
		l0, name_of(command), queue->out_of_order ? 0 : order->chain, after, n);
	if (after != few)
		free(after);
	if (schedule_is_fence(command))
		order->fence = number;
	if (queue->out_of_order) {
		const uint32_t both[2] = { order->all, number };
		order->all = l0_order_add(l0, "", order->chain, both, 2);
	} else {
		order->all = number;
	}
	if (event)
		event->order = number;
	if (command->map.size)
		map(queue, command, number);
	return number;
}

static void touch_box(const struct queue *queue, uint32_t number, const struct box *box,
	const size_t *region, bool writes)
{
	const char *start = box_start(box);

	for (size_t z = 0; z < region[2] && region[1] * region[2] <= MOST_ROWS; z++)
		for (size_t y = 0; y < region[1]; y++)
			l0_order_touch(queue->context->l0, number,
				start + z * box->slice_pitch + y * box->row_pitch, region[0],
				writes);
}

void order_touch(struct queue *queue, const struct command *command, uint32_t number)
{
	const struct box_copy *copy = &command->copy;

	if (!number)
		return;
	if (command->kind == COMMAND_FILL)
		l0_order_touch(
			queue->context->l0, number, command->fill.to, command->fill.size, true);
	if (command->kind != COMMAND_COPY)
		return;
	touch_box(queue, number, &copy->from, copy->region, false);
	touch_box(queue, number, &copy->to, copy->region, true);
}

void order_user_event(struct event *event, bool is_set)
{
	const struct l0_context *l0 = event->base.context->l0;
	const uint32_t all = L0_ORDER_ALL;

	if (!event->order && l0_order_is_wanted(l0))
		event->order = l0_order_add(l0, "", 0, &all, is_set ? 0 : 1);
}

void order_see(const struct event *event)
{
	const struct context *context = event->queue ? event->queue->context : event->base.context;

	l0_order_see(context->l0, event->order);
}

void order_see_all(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	uint32_t all = queue->order.all;
	pthread_mutex_unlock(&queue->lock);
	l0_order_see(queue->context->l0, all);
}
