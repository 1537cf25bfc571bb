// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include "core/command/semaphore.h"
#include "core/command/svm_command.h"
#include "core/memory/svm.h"

#include <sched.h>
#include <stdatomic.h>

/* Callbacks of the application that wait for what the runtime does. */

struct wait {
	atomic_bool started, over;
	cl_event event;
	cl_int rc;
};

static void CL_CALLBACK wait_for_event(cl_event event, cl_int status, void *data)
{
	struct wait *wait = data;

	(void)event;
	(void)status;
	atomic_store(&wait->started, true);
	wait->rc = event_wait(1, &wait->event);
	atomic_store(&wait->over, true);
}

static void until(atomic_bool *flag)
{
	while (!atomic_load(flag))
		sched_yield();
}

/* Starts a callback that waits for wait->event. */
static void start_callback(struct queue_fixture *f, struct wait *wait)
{
	cl_event trigger;

	assert_int_equal(
		queue_fixture_launch(f->queue, f->set, f->b, 1, 0, NULL, &trigger), CL_SUCCESS);
	assert_int_equal(event_set_callback(event_from(trigger), CL_COMPLETE, wait_for_event, wait),
		CL_SUCCESS);
	queue_fixture_release(trigger);
	until(&wait->started);
}

static struct semaphore *make_semaphore(struct queue_fixture *f)
{
	const cl_semaphore_properties_khr properties[] = { CL_SEMAPHORE_TYPE_KHR,
		CL_SEMAPHORE_TYPE_BINARY_KHR, 0 };
	struct semaphore *semaphore;

	assert_int_equal(semaphore_create(f->context, properties, &semaphore), CL_SUCCESS);
	return semaphore;
}

static void a_callback_may_wait_for_a_semaphore(void **state)
{
	struct queue_fixture *f = *state;
	struct semaphore *semaphore = make_semaphore(f);
	const cl_semaphore_khr handle = semaphore_handle(semaphore);
	struct wait wait = { 0 };
	struct event *gate;

	assert_int_equal(event_create_user(f->context, &gate), CL_SUCCESS);
	const cl_event gate_handle = event_handle(gate);
	assert_int_equal(
		semaphore_wait(f->other, 1, &handle, &(struct event_args){ .event = &wait.event }),
		CL_SUCCESS);
	start_callback(f, &wait);
	assert_int_equal(semaphore_signal(f->queue, 1, &handle,
				 &(struct event_args){ 1, &gate_handle, NULL }),
		CL_SUCCESS);
	assert_int_equal(event_set_user_status(gate, CL_COMPLETE), CL_SUCCESS);
	until(&wait.over);
	assert_int_equal(wait.rc, CL_SUCCESS);
	queue_fixture_release(wait.event);
	queue_fixture_release(gate_handle);
	semaphore_put(semaphore);
}

static void a_callback_may_wait_for_a_free(void **state)
{
	struct queue_fixture *f = *state;
	struct wait wait = { 0 };
	struct event *gate;
	void *pointer;

	assert_int_equal(svm_alloc(f->context, CL_MEM_READ_WRITE, 64, 0, &pointer), CL_SUCCESS);
	assert_int_equal(event_create_user(f->context, &gate), CL_SUCCESS);
	const cl_event gate_handle = event_handle(gate);
	assert_int_equal(svm_enqueue_free(f->other, 1, &pointer, NULL, NULL,
				 &(struct event_args){ 1, &gate_handle, &wait.event }),
		CL_SUCCESS);
	start_callback(f, &wait);
	assert_int_equal(event_set_user_status(gate, CL_COMPLETE), CL_SUCCESS);
	until(&wait.over);
	assert_int_equal(wait.rc, CL_SUCCESS);
	queue_fixture_release(wait.event);
	queue_fixture_release(gate_handle);
}

struct slow {
	atomic_bool started, go, over;
};

static void CL_CALLBACK destroy_slowly(cl_mem mem, void *data)
{
	struct slow *slow = data;

	(void)mem;
	atomic_store(&slow->started, true);
	until(&slow->go);
	atomic_store(&slow->over, true);
}

/* The poller goes on while the destructor callback of a buffer that it released runs. */
static void a_destructor_may_take_long(void **state)
{
	struct queue_fixture *f = *state;
	struct slow slow = { 0 };
	struct mem *mem;
	cl_event first, second, third;

	assert_int_equal(mem_create_buffer(f->context, NULL, 0, FIXTURE_BYTES, NULL, &mem), 0);
	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(mem_add_destructor(mem, destroy_slowly, &slow), CL_SUCCESS);
	assert_int_equal(
		queue_fixture_launch(f->queue, f->set, mem, 1, 0, NULL, &first), CL_SUCCESS);
	struct wait heard = { .event = first };
	assert_int_equal(event_set_callback(event_from(first), CL_COMPLETE, wait_for_event, &heard),
		CL_SUCCESS);
	mem_put(mem);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	until(&slow.started);

	/* the second launch ends by nobody but the poller, and lets the third one start */
	assert_int_equal(
		queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, &second), CL_SUCCESS);
	struct event *gate;
	assert_int_equal(event_create_user(f->context, &gate), CL_SUCCESS);
	const cl_event waits[] = { second, event_handle(gate) };
	assert_int_equal(
		queue_fixture_launch(f->other, f->add, f->b, 1, 2, waits, &third), CL_SUCCESS);
	assert_int_equal(event_set_user_status(gate, CL_COMPLETE), CL_SUCCESS);
	while (atomic_load(&event_from(third)->stage) != EVENT_DONE)
		sched_yield();
	assert_false(slow.over);
	atomic_store(&slow.go, true);
	until(&slow.over);
	until(&heard.over);
	queue_fixture_release(first);
	queue_fixture_release(second);
	queue_fixture_release(third);
	queue_fixture_release(event_handle(gate));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_callback_may_wait_for_a_semaphore),
		TEST(a_callback_may_wait_for_a_free),
		TEST(a_destructor_may_take_long),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
