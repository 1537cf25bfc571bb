// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include "core/batch/batch.h"
#include "l0/l0_private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void commands_run_in_order(void **state)
{
	struct queue_fixture *f = *state;

	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 3, 0, NULL, NULL), 0);
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, i, 0, NULL, NULL), 0);
	queue_fixture_check(f->queue, f->a, 3 + 999 * 1000 / 2);
	/* the device was fed in pieces, not one command at a time: 1, 16, then full batches */
	assert_true(l0_fake.submits <= 8);
}

/* What a kernel's launches use is kept once per batch, and again when it changes. */
static void objects_are_kept_once(void **state)
{
	struct queue_fixture *f = *state;
	struct mem *mem;

	assert_int_equal(
		mem_create_buffer(f->context, NULL, 0, FIXTURE_BYTES, NULL, &mem), CL_SUCCESS);
	memset(mem->address, 0, FIXTURE_BYTES);
	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 0, 0, NULL, NULL), 0);
	for (int i = 0; i < 10; i++)
		assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, NULL), 0);
	assert_int_equal(f->queue->open->n_objs, 2);
	for (int i = 0; i < 10; i++)
		assert_int_equal(queue_fixture_launch(f->queue, f->add, mem, 1, 0, NULL, NULL), 0);
	assert_int_equal(f->queue->open->n_objs, 4);
	/* elsewhere in between */
	assert_int_equal(queue_fixture_launch(f->other, f->add, f->b, 1, 0, NULL, NULL), 0);
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->b, 1, 0, NULL, NULL), 0);
	assert_int_equal(f->queue->open->n_objs, 6);
	/* the batch has the last reference */
	mem_put(mem);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	queue_fixture_check(f->queue, f->a, 10);
	assert_int_equal(queue_finish(f->other), CL_SUCCESS);
}

static void a_batch_waits_for_the_flush(void **state)
{
	struct queue_fixture *f = *state;
	cl_event events[3];

	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 1, 0, NULL, &events[0]), 0);
	assert_int_equal(l0_fake.submits, 1); /* the device was idle */
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, &events[1]), 0);
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, &events[2]), 0);
	assert_int_equal(l0_fake.submits, 1); /* the device is busy */
	assert_int_equal(event_from(events[2])->status, CL_QUEUED);
	assert_int_equal(queue_flush(f->queue), CL_SUCCESS);
	assert_int_equal(l0_fake.submits, 2);
	assert_int_equal(queue_fixture_status(events[0]), CL_SUBMITTED);
	l0_fake_run(1);
	assert_int_equal(queue_fixture_status(events[0]), CL_COMPLETE);
	assert_int_equal(queue_fixture_status(events[2]), CL_SUBMITTED);
	l0_fake_run(1);
	assert_int_equal(event_wait(3, events), CL_SUCCESS);
	for (int i = 0; i < 3; i++)
		queue_fixture_release(events[i]);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	queue_fixture_check(f->queue, f->a, 3);
}

/* Events of a queue use the same memory again and draw from signals of the queue's own. */
static void events_are_recycled(void **state)
{
	struct queue_fixture *f = *state;
	struct event *first = NULL;
	cl_event event;

	for (int i = 0; i < 300; i++) {
		assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 1, 0, NULL, &event),
			CL_SUCCESS);
		struct event *now = event_from(event);
		assert_non_null(now);
		assert_null(now->callbacks);
		assert_null(now->dependents);
		assert_int_equal(event_wait(1, &event), CL_SUCCESS);
		if (first)
			assert_ptr_equal(now, first);
		first = now;
		queue_fixture_release(event);
		assert_null(event_from(event));
	}
	assert_int_equal(f->queue->n_spare_events, 1);
}

/* A program that waits for each launch makes no more lists with time. */
static void batches_are_recycled(void **state)
{
	struct queue_fixture *f = *state;
	int live = 0;

	l0_fake.mode = L0_FAKE_EVENTS_FIRST; /* so that there is something to wait for */
	for (uint32_t i = 0; i < 40; i++) {
		assert_int_equal(
			queue_fixture_launch(f->queue, f->set, f->a, i, 0, NULL, NULL), CL_SUCCESS);
		assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
		assert_true(f->queue->n_spare <= 2);
		if (i > 20)
			assert_int_equal(l0_fake.live, live);
		live = l0_fake.live;
	}
	queue_fixture_check(f->queue, f->a, 39);
}

/* A blocking transfer is done at once if nothing is before it, and after it else. */
static void blocking_transfers(void **state)
{
	struct queue_fixture *f = *state;
	uint32_t value = 7, got = 0;
	cl_event user;

	assert_int_equal(copy_write(f->queue, f->a, CL_TRUE, 8, 4, &value, NO_EVENTS), CL_SUCCESS);
	assert_int_equal(copy_read(f->queue, f->a, CL_TRUE, 8, 4, &got, NO_EVENTS), CL_SUCCESS);
	assert_int_equal(got, 7);
	assert_int_equal(f->queue->n_spare_events, 0); /* nothing was made to wait for */
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 20, 0, NULL, NULL), 0);
	assert_int_equal(copy_read(f->queue, f->a, CL_TRUE, 8, 4, &got, NO_EVENTS), CL_SUCCESS);
	assert_int_equal(got, 22);
	/* not for something that has failed */
	assert_int_equal(event_create_user(f->context, (struct event **)&user), CL_SUCCESS);
	assert_int_equal(event_set_user_status(event_from(user), -5), CL_SUCCESS);
	assert_int_equal(copy_read(f->queue, f->a, CL_TRUE, 12, 4, &got,
				 &(struct event_args){ 1, &user, NULL }),
		CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(got, 22);
	queue_fixture_release(user);
}

/* In an out-of-order queue it overtakes what it does not wait for, and flushes it. */
static void blocking_transfers_flush(void **state)
{
	struct queue_fixture *f = *state;
	struct queue *queue;
	uint32_t got = 0;
	cl_event event;

	assert_int_equal(queue_create_flags(f->context, f->queue->device,
				 CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &queue),
		CL_SUCCESS);
	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 1, 0, NULL, NULL), 0);
	assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 2, 0, NULL, NULL), 0);
	assert_int_equal(l0_fake.submits, 1);
	assert_int_equal(copy_read(queue, f->b, CL_TRUE, 0, 4, &got, NO_EVENTS), CL_SUCCESS);
	assert_int_equal(l0_fake.submits, 2);
	assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 3, 0, NULL, NULL), 0);
	assert_int_equal(copy_read(queue, f->b, CL_TRUE, 0, 4, &got,
				 &(struct event_args){ 0, NULL, &event }),
		CL_SUCCESS);
	assert_int_equal(l0_fake.submits, 3);
	assert_int_equal(l0_fake_pending(), 3);
	queue_fixture_release(event);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_finish(queue), CL_SUCCESS);
	queue_put(queue);
}

static void arguments_are_sent_when_changed(void **state)
{
	struct queue_fixture *f = *state;
	struct command command = { .kind = COMMAND_LAUNCH };

	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 1, 0, NULL, NULL), 0);
	assert_int_equal(l0_fake.kernel_sets, 2);
	command.launch.kernel = f->set;
	command.launch.range.local[0] = command.launch.range.local[1] =
		command.launch.range.local[2] = 1;
	command.launch.range.groups[0] = 1;
	for (int i = 0; i < 10; i++)
		assert_int_equal(queue_submit(f->queue, &command, NO_EVENTS), CL_SUCCESS);
	assert_int_equal(l0_fake.kernel_sets, 2);
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
}

/* Transfers that are enqueued while the device is busy, against the same done in order. */
static void transfers_on_a_busy_queue(void **state)
{
	struct queue_fixture *f = *state;
	static unsigned char want[FIXTURE_BYTES], data[FIXTURE_BYTES], got[FIXTURE_BYTES];
	static unsigned char half[FIXTURE_BYTES];
	const uint64_t pattern[2] = { 0x0123456789abcdef, 0xfedcba9876543210 };

	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 0, 0, NULL, NULL), 0);
	for (uint32_t i = 0; i < FIXTURE_ITEMS; i++)
		memcpy(want + i * 4, &i, 4);
	memset(data, 0x5a, sizeof(data));
	memset(got, 0xcd, sizeof(got));
	assert_int_equal(
		copy_write(f->queue, f->a, CL_FALSE, 5, 1001, data, NO_EVENTS), CL_SUCCESS);
	memcpy(want + 5, data, 1001);
	memset(data, 0, sizeof(data)); /* a staged write has its own copy by now */
	assert_int_equal(
		copy_read(f->queue, f->a, CL_FALSE, 0, FIXTURE_BYTES, half, NO_EVENTS), CL_SUCCESS);
	unsigned char *middle = malloc(FIXTURE_BYTES);
	memcpy(middle, want, FIXTURE_BYTES);
	assert_int_equal(copy_fill(f->queue, f->a, pattern, 16, 2048, 1024, NO_EVENTS), CL_SUCCESS);
	for (int i = 0; i < 1024; i += 16)
		memcpy(want + 2048 + i, pattern, 16);
	assert_int_equal(
		copy_buffer(f->queue, f->a, f->b, 0, 0, FIXTURE_BYTES, NO_EVENTS), CL_SUCCESS);
	assert_int_equal(copy_buffer(f->queue, f->b, f->a, 0, 3000, 1000, NO_EVENTS), CL_SUCCESS);
	memcpy(want + 3000, want, 1000);
	assert_int_equal(
		copy_read(f->queue, f->a, CL_FALSE, 0, FIXTURE_BYTES, got, NO_EVENTS), CL_SUCCESS);
	assert_int_equal(got[0], 0xcd);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	assert_memory_equal(half, middle, FIXTURE_BYTES);
	assert_memory_equal(got, want, FIXTURE_BYTES);
	free(middle);
}

static void a_long_fill_on_a_busy_queue(void **state)
{
	struct queue_fixture *f = *state;
	const size_t size = 300 * 1000;
	unsigned char *got = malloc(size + 64);
	unsigned char pattern[4] = { 1, 2, 3, 4 };
	struct mem *mem;

	assert_int_equal(mem_create_buffer(f->context, NULL, 0, size + 64, NULL, &mem), 0);
	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 0, 0, NULL, NULL), 0);
	assert_int_equal(copy_fill(f->queue, mem, pattern, 4, 32, size, NO_EVENTS), 0);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(
		copy_read(f->queue, mem, CL_TRUE, 0, size + 64, got, NO_EVENTS), CL_SUCCESS);
	for (size_t i = 0; i < size + 64; i++)
		assert_int_equal(got[i], i < 32 || i >= 32 + size ? 0xa5 : pattern[(i - 32) % 4]);
	mem_put(mem);
	free(got);
}

static void a_large_transfer_on_a_busy_queue(void **state)
{
	struct queue_fixture *f = *state;
	const size_t size = 3 * 1024 * 1024 + 7;
	unsigned char *data = malloc(size), *got = malloc(size);
	struct mem *mem;

	for (size_t i = 0; i < size; i++)
		data[i] = (unsigned char)(i * 31 >> 3);
	memset(got, 0xcd, size);
	assert_int_equal(mem_create_buffer(f->context, NULL, 0, size, NULL, &mem), CL_SUCCESS);
	for (int i = 0; i < 3; i++)
		assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, NULL), 0);
	assert_int_equal(copy_write(f->queue, mem, CL_FALSE, 0, size, data, NO_EVENTS), CL_SUCCESS);
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, NULL), 0);
	assert_int_equal(copy_read(f->queue, mem, CL_FALSE, 0, size, got, NO_EVENTS), CL_SUCCESS);
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	assert_memory_equal(got, data, size);
	mem_put(mem);
	free(data);
	free(got);
}

/* What a read brings is what a write after it takes, though the host has a part in both. */
static void a_write_follows_a_read_of_the_same_memory(void **state)
{
	struct queue_fixture *f = *state;
	static uint32_t between[FIXTURE_ITEMS];
	cl_event event;

	memset(between, 0, sizeof(between));
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 77, 0, NULL, NULL), 0);
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, NULL), 0);
	assert_int_equal(
		copy_read(f->queue, f->a, CL_FALSE, 0, FIXTURE_BYTES, between, NO_EVENTS), 0);
	assert_int_equal(
		copy_write(f->queue, f->b, CL_FALSE, 0, FIXTURE_BYTES, between, NO_EVENTS), 0);
	queue_fixture_check(f->queue, f->b, 78);

	/* the same over two queues, tied by an event */
	memset(between, 0, sizeof(between));
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 5, 0, NULL, NULL), 0);
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, NULL), 0);
	assert_int_equal(copy_read(f->queue, f->a, CL_FALSE, 0, FIXTURE_BYTES, between,
				 &(struct event_args){ 0, NULL, &event }),
		0);
	assert_int_equal(queue_fixture_launch(f->other, f->set, f->b, 0, 0, NULL, NULL), 0);
	assert_int_equal(copy_write(f->other, f->b, CL_FALSE, 0, FIXTURE_BYTES, between,
				 &(struct event_args){ 1, &event, NULL }),
		0);
	queue_fixture_check(f->other, f->b, 6);
	queue_fixture_release(event);
}

/* Who sees a command complete sees all that was before it complete, the host's part included. */
static void reads_are_done_when_what_follows_is(void **state)
{
	struct queue_fixture *f = *state;
	static uint32_t got[FIXTURE_ITEMS];
	cl_event read, last;

	for (int other = 0; other < 2; other++) {
		struct queue *queue = other ? f->other : f->queue;

		memset(got, 0xcd, sizeof(got));
		l0_fake.mode = L0_FAKE_BY_HAND;
		assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 5, 0, NULL, NULL), 0);
		assert_int_equal(copy_read(f->queue, f->a, CL_FALSE, 0, FIXTURE_BYTES, got,
					 &(struct event_args){ 0, NULL, &read }),
			CL_SUCCESS);
		l0_fake.mode = L0_FAKE_EVENTS_FIRST;
		assert_int_equal(queue_fixture_launch(queue, f->set, f->b, 6, other ? 1 : 0,
					 other ? &read : NULL, &last),
			CL_SUCCESS);
		assert_int_equal(event_wait(1, &last), CL_SUCCESS);
		for (uint32_t i = 0; i < FIXTURE_ITEMS; i++)
			assert_int_equal(got[i], 5 + i);
		queue_fixture_release(read);
		queue_fixture_release(last);
		l0_fake.mode = L0_FAKE_AT_QUERY;
		assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
		assert_int_equal(queue_finish(f->other), CL_SUCCESS);
	}
}

static void queues_wait_for_each_other(void **state)
{
	struct queue_fixture *f = *state;
	cl_event event, next;

	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 10, 0, NULL, &event), 0);
	for (int i = 0; i < 20; i++) {
		struct queue *queue = i % 2 ? f->queue : f->other;

		assert_int_equal(queue_fixture_launch(queue, f->add, f->a, 1, 1, &event, &next), 0);
		queue_fixture_release(event);
		event = next;
	}
	assert_int_equal(event_wait(1, &event), CL_SUCCESS);
	queue_fixture_release(event);
	queue_fixture_check(f->queue, f->a, 30);
}

static void a_user_event_holds_what_follows(void **state)
{
	struct queue_fixture *f = *state;
	struct event *user;
	cl_event handle, first, second;

	assert_int_equal(event_create_user(f->context, &user), CL_SUCCESS);
	handle = event_handle(user);
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 1, 1, &handle, &first), 0);
	/* the argument changes after the enqueue */
	assert_int_equal(queue_fixture_launch(f->other, f->set, f->b, 50, 0, NULL, NULL), 0);
	assert_int_equal(queue_fixture_launch(f->other, f->add, f->a, 5, 1, &first, &second), 0);
	assert_int_equal(queue_flush(f->queue), CL_SUCCESS);
	assert_int_equal(queue_fixture_status(first), CL_QUEUED);
	assert_int_equal(queue_fixture_status(second), CL_QUEUED);
	assert_int_equal(event_set_user_status(user, 3), CL_INVALID_VALUE);
	assert_int_equal(event_set_user_status(user, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(event_set_user_status(user, CL_COMPLETE), CL_INVALID_OPERATION);
	assert_int_equal(event_wait(1, &second), CL_SUCCESS);
	assert_int_equal(queue_fixture_status(first), CL_COMPLETE);
	queue_fixture_check(f->queue, f->a, 6);
	queue_fixture_check(f->other, f->b, 50);
	queue_fixture_release(handle);
	queue_fixture_release(first);
	queue_fixture_release(second);
}

static void a_failed_user_event_fails_what_waits(void **state)
{
	struct queue_fixture *f = *state;
	struct event *user;
	cl_event handle, first, second;

	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 1, 0, NULL, NULL), 0);
	assert_int_equal(event_create_user(f->context, &user), CL_SUCCESS);
	handle = event_handle(user);
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 100, 1, &handle, &first), 0);
	assert_int_equal(queue_fixture_launch(f->other, f->add, f->a, 100, 1, &first, &second), 0);
	assert_int_equal(event_set_user_status(user, -42), CL_SUCCESS);
	assert_int_equal(event_wait(1, &second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(queue_fixture_status(handle), -42);
	assert_int_equal(queue_fixture_status(first), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	uint32_t data[4];
	assert_int_equal(copy_read(f->queue, f->a, CL_TRUE, 0, 16, data,
				 &(struct event_args){ 1, &first, NULL }),
		CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	queue_fixture_check(f->queue, f->a, 1);
	queue_fixture_release(handle);
	queue_fixture_release(first);
	queue_fixture_release(second);
}

static void a_fault_ends_what_is_in_flight(void **state)
{
	struct queue_fixture *f = *state;
	cl_event event;

	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 1, 0, NULL, NULL), 0);
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, &event), 0);
	l0_fake.fault_next = true;
	l0_fake_run(1);
	assert_int_equal(event_wait(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(queue_fixture_status(event), CL_OUT_OF_RESOURCES);
	assert_int_equal(f->reports, 1);
	assert_string_equal(f->report, "a fault of the fake device");
	queue_fixture_release(event);

	/* the event has told it; the next command works */
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 10, 0, NULL, NULL), 0);
	queue_fixture_check(f->queue, f->a, 11);

	/* without an event, the next wait tells it, once */
	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, NULL), 0);
	l0_fake.fault_next = true;
	l0_fake_run(1);
	assert_int_equal(queue_finish(f->queue), CL_OUT_OF_RESOURCES);
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	assert_int_equal(f->reports, 2);
}

/* Who only asks for the status sees a fault too; what was done before it stays done. */
static void a_fault_is_seen_by_asking(void **state)
{
	struct queue_fixture *f = *state;
	cl_event done, lost, held;

	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 1, 0, NULL, &done), 0);
	assert_int_equal(queue_flush(f->queue), CL_SUCCESS);
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, &lost), 0);
	assert_int_equal(queue_flush(f->queue), CL_SUCCESS);
	assert_int_equal(queue_fixture_launch(f->other, f->set, f->b, 2, 1, &lost, &held), 0);
	assert_int_equal(queue_flush(f->other), CL_SUCCESS);
	assert_true(queue_fixture_status(lost) > CL_COMPLETE);
	assert_int_equal(f->reports, 0);
	assert_int_equal(l0_fake_run(1), 1);
	l0_fake.fault_next = true;
	l0_fake_run(1);
	assert_int_equal(queue_fixture_status(lost), CL_OUT_OF_RESOURCES);
	assert_int_equal(queue_fixture_status(done), CL_COMPLETE);
	assert_int_equal(f->reports, 1);
	assert_string_equal(f->report, "a fault of the fake device");
	while (queue_fixture_status(held) > CL_COMPLETE)
		usleep(1000);
	assert_true(queue_fixture_status(held) < 0);
	queue_fixture_release(done);
	queue_fixture_release(lost);
	queue_fixture_release(held);
}

static void ask_until_lost(cl_event event)
{
	while (queue_fixture_status(event) > CL_COMPLETE)
		usleep(1000);
	assert_int_equal(queue_fixture_status(event), CL_OUT_OF_RESOURCES);
}

/* Without a report of the virtual device: by its status, or by a call that has to do with nothing.
 */
static void a_reset_is_seen_by_asking(void **state)
{
	struct queue_fixture *f = *state;
	struct mem *mem;
	cl_event done, lost;

	l0_device_open(0)->vgpu.take_fault = NULL;
	for (int by_call = 0; by_call < 2; by_call++) {
		l0_fake.mode = L0_FAKE_BY_HAND;
		assert_int_equal(
			queue_fixture_launch(f->queue, f->set, f->a, 1, 0, NULL, &done), 0);
		assert_int_equal(queue_flush(f->queue), CL_SUCCESS);
		assert_int_equal(l0_fake_run(1), 1);
		assert_int_equal(
			queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, &lost), 0);
		assert_int_equal(queue_flush(f->queue), CL_SUCCESS);
		assert_true(queue_fixture_status(lost) > CL_COMPLETE);
		assert_int_equal(f->reports, by_call);
		l0_fake.status_lost = !by_call;
		l0_fake.calls_lost = by_call;
		if (by_call)
			assert_int_not_equal(
				mem_create_buffer(f->context, NULL, 0, 1 << 20, NULL, &mem), 0);
		ask_until_lost(lost);
		assert_int_equal(queue_fixture_status(done), CL_COMPLETE);
		assert_int_equal(f->reports, by_call + 1);
		assert_non_null(strstr(f->report, "reset"));
		assert_int_equal(queue_finish(f->queue), CL_SUCCESS); /* the event has told it */
		l0_fake_recover();
		queue_fixture_release(done);
		queue_fixture_release(lost);
	}
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 3, 0, NULL, NULL), 0);
	queue_fixture_check(f->queue, f->a, 3);
}

static void *lose_later(void *data)
{
	usleep(20000);
	l0_fake.status_lost = true;
	return data;
}

static void a_reset_ends_waits(void **state)
{
	struct queue_fixture *f = *state;
	pthread_t thread;
	cl_event event, held;

	l0_device_open(0)->vgpu.take_fault = NULL;
	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 1, 0, NULL, &event), 0);
	assert_int_equal(queue_fixture_launch(f->other, f->set, f->b, 2, 1, &event, &held), 0);
	assert_int_equal(pthread_create(&thread, NULL, lose_later, NULL), 0);
	assert_int_equal(event_wait(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(queue_fixture_status(event), CL_OUT_OF_RESOURCES);
	while (queue_fixture_status(held) > CL_COMPLETE)
		usleep(1000);
	/* without an event, the next wait tells it, once; a command that is refused says so */
	l0_fake_recover();
	queue_fixture_release(event);
	queue_fixture_release(held);
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 1, 0, NULL, NULL), 0);
	assert_int_equal(queue_flush(f->queue), CL_SUCCESS);
	l0_fake.status_lost = l0_fake.calls_lost = true;
	assert_int_equal(queue_finish(f->queue), CL_OUT_OF_RESOURCES);
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	if (!queue_fixture_launch(f->queue, f->set, f->a, 1, 0, NULL, &event)) {
		assert_int_not_equal(event_wait(1, &event), CL_SUCCESS);
		assert_true(queue_fixture_status(event) < 0);
		queue_fixture_release(event);
	}
	l0_fake_recover();
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 3, 0, NULL, NULL), 0);
	queue_fixture_check(f->queue, f->a, 3);
}

/* A command that depends on a lost one fails, though it was not given to the device in time. */
static void a_fault_fails_what_depends_on_it(void **state)
{
	struct queue_fixture *f = *state;
	cl_event first, own, other;

	memset(f->a->address, 0x11, FIXTURE_BYTES);
	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 1, 0, NULL, &first), 0);
	assert_int_equal(l0_fake.submits, 1);
	f->other->eager = f->queue->eager = 100;
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 1, 1, &first, &own), 0);
	assert_int_equal(queue_fixture_launch(f->other, f->add, f->a, 1, 1, &first, &other), 0);
	l0_fake.fault_next = true;
	l0_fake_run(1);
	assert_int_equal(event_wait(1, &other), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(queue_fixture_status(other), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(queue_fixture_status(own), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(queue_fixture_status(first), CL_OUT_OF_RESOURCES);
	assert_int_equal(((uint32_t *)(void *)f->a->address)[0], 0x11111111);
	queue_fixture_release(first);
	queue_fixture_release(own);
	queue_fixture_release(other);
}

static void a_released_queue_finishes_its_work(void **state)
{
	struct queue_fixture *f = *state;
	struct queue *queue;
	cl_event event;

	assert_int_equal(queue_create(f->context, f->context->devices[0], NULL, &queue), 0);
	assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 9, 0, NULL, NULL), 0);
	assert_int_equal(queue_fixture_launch(queue, f->add, f->a, 1, 0, NULL, &event), 0);
	assert_int_equal(queue_release(queue), CL_SUCCESS);
	queue_fixture_release(event);
	/* the watcher is the only one who still looks after it */
	for (int i = 0; i < 2000 && l0_fake_pending(); i++)
		nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
	assert_int_equal(l0_fake_pending(), 0);
	queue_fixture_check(f->queue, f->a, 10);
}

static void bad_wait_lists_are_refused(void **state)
{
	struct queue_fixture *f = *state;
	struct context *context;
	struct event *foreign;
	cl_device_id device = device_handle(f->context->devices[0]);
	cl_event event = NULL;

	assert_int_equal(context_create(NULL, 1, &device, NULL, NULL, &context), CL_SUCCESS);
	assert_int_equal(event_create_user(context, &foreign), CL_SUCCESS);
	assert_int_equal(
		command_marker(f->queue, CL_COMMAND_MARKER, &(struct event_args){ 1, NULL, NULL }),
		CL_INVALID_EVENT_WAIT_LIST);
	assert_int_equal(command_marker(f->queue, CL_COMMAND_MARKER,
				 &(struct event_args){ 0, &event, NULL }),
		CL_INVALID_EVENT_WAIT_LIST);
	assert_int_equal(command_marker(f->queue, CL_COMMAND_MARKER,
				 &(struct event_args){ 1, &event, NULL }),
		CL_INVALID_EVENT_WAIT_LIST);
	event = (cl_event)(void *)f->queue;
	assert_int_equal(command_marker(f->queue, CL_COMMAND_MARKER,
				 &(struct event_args){ 1, &event, NULL }),
		CL_INVALID_EVENT_WAIT_LIST);
	event = event_handle(foreign);
	assert_int_equal(command_marker(f->queue, CL_COMMAND_MARKER,
				 &(struct event_args){ 1, &event, NULL }),
		CL_INVALID_CONTEXT);
	assert_int_equal(
		command_marker(NULL, CL_COMMAND_MARKER, NO_EVENTS), CL_INVALID_COMMAND_QUEUE);
	event_put(foreign);
	context_put(context);
}

/* A scenario with everything, in which the n-th call fails: an error, but no leak and no hang. */
static void every_failure_is_clean(void **state)
{
	struct queue_fixture *f = *state;
	bool failed = true;
	unsigned n;

	for (n = 1; failed; n++) {
		struct queue *queue = NULL;
		cl_event event = NULL, next = NULL;
		uint32_t data[64] = { 0 }, one = 1;

		l0_fake.failed = false;
		l0_fake.fail_after = n;
		cl_int rc = queue_create(f->context, f->context->devices[0], NULL, &queue);
		if (!rc)
			rc = queue_fixture_launch(queue, f->set, f->a, 1, 0, NULL, &event);
		if (!rc)
			rc = queue_fixture_launch(queue, f->add, f->a, 1, 0, NULL, NULL);
		if (!rc)
			rc = copy_write(queue, f->a, CL_FALSE, 0, 64, data, NO_EVENTS);
		if (!rc)
			rc = copy_fill(queue, f->a, &one, 4, 64, 64, NO_EVENTS);
		if (!rc)
			rc = copy_read(queue, f->a, CL_FALSE, 0, 128, data,
				&(struct event_args){ 1, &event, &next });
		if (!rc)
			rc = event_wait(1, &next);
		if (!rc)
			rc = queue_finish(queue);
		l0_fake.fail_after = 0;
		failed = l0_fake.failed;
		if (!failed) {
			assert_int_equal(rc, CL_SUCCESS);
			for (int i = 0; i < 32; i++)
				assert_int_equal(data[i], i < 16 ? 0 : 1);
		}
		if (event)
			queue_fixture_release(event);
		if (next)
			queue_fixture_release(next);
		if (queue)
			assert_int_equal(queue_release(queue), CL_SUCCESS);
		assert_true(n < 5000);
	}
	assert_true(n > 20);
}

/* A launch that comes again after waits of all kinds; its list may be submitted again, alone. */
static void test_launch_again(void **state)
{
	struct queue_fixture *f = *state;
	uint32_t sum = 0;

	assert_int_equal(
		queue_fixture_launch(f->queue, f->set, f->a, 0, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(
		queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, NULL), CL_SUCCESS);
	sum++;
	for (unsigned round = 0; round < 40; round++) {
		struct command command = { .kind = COMMAND_LAUNCH,
			.type = CL_COMMAND_NDRANGE_KERNEL,
			.launch = { .kernel = f->add,
				.range = { .dims = 1,
					.global = { FIXTURE_ITEMS, 1, 1 },
					.local = { 64, 1, 1 },
					.groups = { FIXTURE_ITEMS / 64, 1, 1 } } } };

		for (unsigned i = 0; i <= round % 7; i++, sum++)
			assert_int_equal(queue_submit(f->queue, &command, NO_EVENTS), CL_SUCCESS);
		assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
		assert_int_equal(l0_fake.errors, 0);
	}
	queue_fixture_check(f->queue, f->a, sum);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_launch_again),
		TEST(commands_run_in_order),
		TEST(objects_are_kept_once),
		TEST(a_batch_waits_for_the_flush),
		TEST(events_are_recycled),
		TEST(batches_are_recycled),
		TEST(blocking_transfers),
		TEST(blocking_transfers_flush),
		TEST(arguments_are_sent_when_changed),
		TEST(transfers_on_a_busy_queue),
		TEST(a_long_fill_on_a_busy_queue),
		TEST(a_large_transfer_on_a_busy_queue),
		TEST(a_write_follows_a_read_of_the_same_memory),
		TEST(reads_are_done_when_what_follows_is),
		TEST(queues_wait_for_each_other),
		TEST(a_user_event_holds_what_follows),
		TEST(a_failed_user_event_fails_what_waits),
		TEST(a_fault_ends_what_is_in_flight),
		TEST(a_fault_is_seen_by_asking),
		TEST(a_reset_is_seen_by_asking),
		TEST(a_reset_ends_waits),
		TEST(a_fault_fails_what_depends_on_it),
		TEST(a_released_queue_finishes_its_work),
		TEST(bad_wait_lists_are_refused),
		TEST(every_failure_is_clean),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
