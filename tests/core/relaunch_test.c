// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include "compile/zebin/reflect.h"
#include "core/batch/batch.h"
#include "core/queue/relaunch.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* One launch as a program asks for it; in dimension 0 if there is 1, else of one row. */
struct ask {
	struct kernel *kernel;
	cl_uint dims;
	size_t offset, global, local;
	bool has_offset, has_local;
};

static const size_t global[] = { 64, 128, 256 }, local[] = { 8, 16, 32 }, offset[] = { 0, 32, 512 };

/* As clEnqueueNDRangeKernel has it; *short_way is which way it went. */
static cl_int launch(struct queue *queue, const struct ask *ask, const struct event_args *events,
	bool *short_way)
{
	const size_t sizes[3][3] = { { ask->global, 1, 1 }, { ask->local, 1, 1 },
		{ ask->offset, 0, 0 } };
	const struct relaunch again = { ask->kernel, CL_COMMAND_NDRANGE_KERNEL, ask->dims,
		ask->has_offset ? sizes[2] : NULL, sizes[0], ask->has_local ? sizes[1] : NULL };
	struct command command = { .kind = COMMAND_LAUNCH, .type = CL_COMMAND_NDRANGE_KERNEL };
	cl_int rc = CL_SUCCESS;

	*short_way = relaunch(queue, &again, events, &rc);
	if (*short_way)
		return rc;
	rc = ndrange_resolve(ask->kernel, queue->device, again.dims, again.offset, again.global,
		again.local, &command.launch.range);
	if (rc)
		return rc;
	command.launch.kernel = ask->kernel;
	command.launch.is_chosen = !again.local;
	return queue_submit(queue, &command, events);
}

static void begin(struct queue_fixture *f)
{
	l0_fake.mode = L0_FAKE_BY_HAND;
	f->queue->eager = 1000;
	queue_fixture_set_args(f->add, f->a, 1);
	queue_fixture_set_args(f->set, f->a, 7);
}

/* Launches twice, and says which way the second went. */
static bool goes_again(struct queue_fixture *f, const struct ask *first, const struct ask *second)
{
	bool short_way;

	assert_int_equal(launch(f->queue, first, NO_EVENTS, &short_way), CL_SUCCESS);
	assert_int_equal(launch(f->queue, second, NO_EVENTS, &short_way), CL_SUCCESS);
	return short_way;
}

static void only_what_is_alike_goes_again(void **state)
{
	struct queue_fixture *f = *state;
	const struct ask one = { f->add, 1, 0, 64, 16, false, true };
	struct ask other = one;
	bool short_way;

	begin(f);
	/* the first of a batch cannot */
	assert_int_equal(launch(f->queue, &one, NO_EVENTS, &short_way), CL_SUCCESS);
	assert_false(short_way);
	assert_true(goes_again(f, &one, &one));
	other.kernel = f->set;
	assert_int_equal(launch(f->queue, &other, NO_EVENTS, &short_way), CL_SUCCESS);
	assert_false(short_way);
	other = one;
	other.has_offset = true; /* of 0: that is none */
	assert_true(goes_again(f, &one, &other));
	other.offset = 32;
	assert_false(goes_again(f, &one, &other));
	other = one;
	other.dims = 2;
	assert_false(goes_again(f, &one, &other));
	other = one;
	other.global = 128;
	assert_false(goes_again(f, &one, &other));
	assert_true(goes_again(f, &other, &other));
	other = one;
	other.local = 8;
	assert_false(goes_again(f, &one, &other));
	other.has_local = false;
	assert_false(goes_again(f, &one, &other));
	assert_true(goes_again(f, &other, &other));
	/* though the runtime may have chosen the same size */
	other.local = f->add->forms[f->queue->place].instances->range.local[0];
	other.has_local = true;
	assert_false(goes_again(f, &(struct ask){ f->add, 1, 0, 64, 0, false, false }, &other));
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
}

static void only_a_steady_queue_goes_again(void **state)
{
	struct queue_fixture *f = *state;
	const struct ask one = { f->add, 1, 0, 64, 16, false, true };
	cl_event event;
	bool short_way;

	begin(f);
	assert_true(goes_again(f, &one, &one));
	/* a wait list, though of what is done or before it */
	assert_int_equal(
		launch(f->queue, &one, &(struct event_args){ .event = &event }, &short_way),
		CL_SUCCESS);
	assert_true(short_way);
	assert_int_equal(
		launch(f->queue, &one, &(struct event_args){ 1, &event, NULL }, &short_way),
		CL_SUCCESS);
	assert_false(short_way);
	assert_int_equal(launch(f->queue, &one, &(struct event_args){ 1, NULL, NULL }, &short_way),
		CL_INVALID_EVENT_WAIT_LIST);
	assert_false(short_way);
	queue_fixture_release(event);
	/* the next is one that the device may get at once */
	f->queue->eager = f->queue->open->n_commands + 1;
	assert_int_equal(launch(f->queue, &one, NO_EVENTS, &short_way), CL_SUCCESS);
	assert_false(short_way);
	f->queue->eager = 1000;
	/* there is no open batch */
	assert_int_equal(queue_flush(f->queue), CL_SUCCESS);
	assert_int_equal(launch(f->queue, &one, NO_EVENTS, &short_way), CL_SUCCESS);
	assert_false(short_way);
	assert_true(goes_again(f, &one, &one));
	/* a thread works for a command that comes before */
	f->queue->n_turns++;
	assert_false(queue_is_steady(f->queue));
	f->queue->n_turns--;
	assert_true(queue_is_steady(f->queue));
	/* a batch is full, and the next begins as the first */
	for (int i = 0; i < 600; i++)
		assert_int_equal(launch(f->queue, &one, NO_EVENTS, &short_way), CL_SUCCESS);
	assert_true(f->queue->n_batches >= 2);
	/* what waits for the host keeps its place */
	cl_event user;
	struct event *made;
	assert_int_equal(event_create_user(f->context, &made), CL_SUCCESS);
	user = event_handle(made);
	assert_true(goes_again(f, &one, &one));
	assert_int_equal(launch(f->queue, &one, &(struct event_args){ 1, &user, NULL }, &short_way),
		CL_SUCCESS);
	assert_int_equal(launch(f->queue, &one, NO_EVENTS, &short_way), CL_SUCCESS);
	assert_false(short_way);
	assert_int_equal(event_set_user_status(made, CL_COMPLETE), CL_SUCCESS);
	queue_fixture_release(user);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
}

/* Another memory object is kept until the batch is done, and its addresses are the launch's. */
static void arguments_may_differ(void **state)
{
	struct queue_fixture *f = *state;
	const struct ask one = { f->add, 1, 0, FIXTURE_ITEMS, 16, false, true };
	struct mem *mem;
	bool short_way;

	begin(f);
	memset(f->a->address, 0, FIXTURE_BYTES);
	memset(f->b->address, 0, FIXTURE_BYTES);
	assert_true(goes_again(f, &one, &one));
	queue_fixture_set_args(f->add, f->b, 5);
	assert_int_equal(launch(f->queue, &one, NO_EVENTS, &short_way), CL_SUCCESS);
	assert_true(short_way);
	assert_int_equal(
		mem_create_buffer(f->context, NULL, 0, FIXTURE_BYTES, NULL, &mem), CL_SUCCESS);
	queue_fixture_set_args(f->add, mem, 9);
	assert_int_equal(launch(f->queue, &one, NO_EVENTS, &short_way), CL_SUCCESS);
	assert_true(short_way);
	/* the batch has the kernel, three objects, and then one of them once more */
	assert_int_equal(f->queue->open->n_objs, 2 + 2 + 2);
	mem_put(mem);
	assert_true(mem->base.refs > 0);
	queue_fixture_set_args(f->add, f->b, 6);
	assert_int_equal(launch(f->queue, &one, NO_EVENTS, &short_way), CL_SUCCESS);
	assert_true(short_way);
	assert_int_equal(f->queue->open->n_objs, 2 + 2 + 2 + 2);
	assert_int_equal(launch(f->queue, &one, NO_EVENTS, &short_way), CL_SUCCESS);
	assert_int_equal(f->queue->open->n_objs, 2 + 2 + 2 + 2);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	for (uint32_t i = 0; i < 2; i++)
		assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	for (uint32_t i = 0; i < FIXTURE_ITEMS; i++) {
		assert_int_equal(((uint32_t *)(void *)f->a->address)[i], 2);
		assert_int_equal(((uint32_t *)(void *)f->b->address)[i], 17);
	}
	/* what was known goes with its references, and a queue keeps its batches from the third on
	 */
	for (int i = 0; i < 6; i++) {
		f->queue->eager = 1000;
		assert_int_equal(launch(f->queue, &one, NO_EVENTS, &short_way), CL_SUCCESS);
		assert_false(short_way);
		assert_int_equal(f->queue->open->n_objs, 2);
		assert_true(goes_again(f, &one, &one));
		assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	}
	assert_true(f->queue->n_spare > 0);
}

/* A fault, or no memory, has the event and the batch as they are after queue_submit. */
static void failures_are_clean(void **state)
{
	struct queue_fixture *f = *state;
	const struct ask one = { f->add, 1, 0, 64, 16, false, true };
	cl_event event;
	unsigned n_failed = 0;
	bool short_way;

	begin(f);
	for (unsigned fail = 1; fail < 8; fail++) {
		assert_true(goes_again(f, &one, &one));
		unsigned n = f->queue->open->n_commands;
		queue_fixture_set_args(f->add, f->a, fail);
		l0_fake.failed = false;
		l0_fake.fail_after = fail;
		event = (cl_event)(void *)f;
		cl_int rc =
			launch(f->queue, &one, &(struct event_args){ .event = &event }, &short_way);
		l0_fake.fail_after = 0;
		/* what fails before anything is done, the long way tries again */
		assert_int_equal(rc != CL_SUCCESS, l0_fake.failed && short_way);
		n_failed += rc != CL_SUCCESS;
		assert_true(short_way || l0_fake.failed);
		if (rc) {
			assert_ptr_equal(event, f);
			assert_int_equal(f->queue->open->n_commands, n);
		} else {
			assert_int_equal(f->queue->open->n_commands, n + 1);
			queue_fixture_release(event);
		}
	}
	assert_true(n_failed >= 2); /* a barrier and the launch */
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
}

/* Errors are the long way's, and leave nothing behind. */
static void errors_go_the_long_way(void **state)
{
	struct queue_fixture *f = *state;
	const struct ask one = { f->add, 1, 0, 64, 16, false, true };
	struct ask other = one;
	bool short_way;

	begin(f);
	assert_true(goes_again(f, &one, &one));
	const unsigned n = f->queue->open->n_commands, n_objs = f->queue->open->n_objs;
	/* of a kernel that was never launched, and of one that was */
	other.dims = 0;
	assert_int_equal(
		launch(f->queue, &other, NO_EVENTS, &short_way), CL_INVALID_WORK_DIMENSION);
	assert_false(short_way);
	other.kernel = f->set;
	assert_int_equal(
		launch(f->queue, &other, NO_EVENTS, &short_way), CL_INVALID_WORK_DIMENSION);
	assert_false(short_way);
	f->add->args[1].set = false;
	kernel_touch(f->add);
	assert_int_equal(launch(f->queue, &one, NO_EVENTS, &short_way), CL_INVALID_KERNEL_ARGS);
	assert_false(short_way);
	assert_int_equal(f->queue->open->n_commands, n);
	assert_int_equal(f->queue->open->n_objs, n_objs);
	queue_fixture_set_args(f->add, f->a, 1);
	assert_int_equal(launch(f->queue, &one, NO_EVENTS, &short_way), CL_SUCCESS);
	assert_true(short_way);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
}

/* Queues that launch one kernel in turn, and kernels that share a place of a batch. */
static void nobody_is_in_the_way(void **state)
{
	struct queue_fixture *f = *state;
	const struct ask one = { f->add, 1, 0, 64, 16, false, true };
	struct kernel *kernels[BATCH_KNOWN + 1];
	struct queue *second;
	bool short_way;

	begin(f);
	assert_int_equal(queue_create_flags(f->context, f->queue->device, 0, &second), CL_SUCCESS);
	second->eager = 1000;
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 2; k++) {
			assert_int_equal(launch(k ? second : f->queue, &one, NO_EVENTS, &short_way),
				CL_SUCCESS);
			assert_int_equal(short_way, i > 0);
		}
	for (int k = 0; k <= BATCH_KNOWN; k++) {
		kernels[k] = queue_fixture_kernel(f, "add");
		queue_fixture_set_args(kernels[k], f->a, 0);
	}
	for (int i = 0; i < 3; i++)
		for (int k = 0; k <= BATCH_KNOWN; k++) {
			const struct ask ask = { kernels[k], 1, 0, 64, 16, false, true };

			assert_int_equal(launch(f->queue, &ask, NO_EVENTS, &short_way), CL_SUCCESS);
			assert_int_equal(short_way, i > 0);
		}
	for (int k = 0; k <= BATCH_KNOWN; k++)
		kernel_put(kernels[k]);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	assert_int_equal(queue_finish(second), CL_SUCCESS);
	assert_int_equal(queue_release(second), CL_SUCCESS);
}

static const struct ask of_all = { NULL, 1, 0, FIXTURE_ITEMS, 16, false, true };

static void *launch_some(void *data)
{
	struct queue_fixture *f = data;
	struct ask ask = of_all;
	bool short_way;

	ask.kernel = f->set;
	for (int i = 0; i < 20; i++)
		assert_int_equal(launch(f->other, &ask, NO_EVENTS, &short_way), CL_SUCCESS);
	return NULL;
}

/*
 * An argument that is set while another thread enqueues the kernel (appendix A.2 lets that thread
 * have either value) is what the launches behind both have. The thread sanitizer sees more of it.
 */
static void no_argument_is_lost(void **state)
{
	struct queue_fixture *f = *state;
	struct ask ask = of_all;

	ask.kernel = f->set;
	queue_fixture_set_args(f->set, f->a, 0);
	for (uint32_t value = 1; value <= 400; value++) {
		pthread_t thread;
		bool short_way;

		assert_int_equal(pthread_create(&thread, NULL, launch_some, f), 0);
		sched_yield();
		assert_int_equal(kernel_set_arg(f->set, 1, sizeof(value), &value), CL_SUCCESS);
		assert_int_equal(pthread_join(thread, NULL), 0);
		assert_int_equal(queue_finish(f->other), CL_SUCCESS);
		memset(f->a->address, 0xcd, FIXTURE_BYTES);
		assert_int_equal(launch(f->queue, &ask, NO_EVENTS, &short_way), CL_SUCCESS);
		queue_fixture_check(f->queue, f->a, value);
	}
}

/* More than the batch has places for: some share one. */
#define N_KERNELS 12

static bool is_add(const struct kernel *kernel)
{
	return !strcmp(kernel->info->name, "add");
}

/* One thing about it. */
static void change(struct ask *ask, struct kernel *const *kernels)
{
	switch (rand() % 7) {
	case 0:
		ask->dims = 1 + (cl_uint)rand() % 3;
		return;
	case 1:
		ask->offset = offset[rand() % 3];
		return;
	case 2:
		ask->global = global[rand() % 3];
		return;
	case 3:
		ask->local = local[rand() % 3];
		return;
	case 4:
		ask->has_offset = !ask->has_offset;
		return;
	case 5:
		ask->has_local = !ask->has_local;
		return;
	default:
		ask->kernel = kernels[rand() % N_KERNELS];
	}
}

/* Launches at random, with the memory as a naive model has it. */
static void random_launches_are_right(void **state)
{
	struct queue_fixture *f = *state;
	static uint32_t wanted[2][FIXTURE_ITEMS];
	struct kernel *kernels[N_KERNELS];
	unsigned n_short = 0, n = 4000;

	srand(7);
	memset(wanted, 0, sizeof(wanted));
	memset(f->a->address, 0, FIXTURE_BYTES);
	memset(f->b->address, 0, FIXTURE_BYTES);
	for (int i = 0; i < N_KERNELS; i++)
		kernels[i] = queue_fixture_kernel(f, i % 4 ? "add" : "set");
	struct ask ask = { kernels[1], 1, 0, 64, 16, false, false };
	for (unsigned i = 0; i < n; i++) {
		cl_event event = NULL;
		bool short_way, to_b = rand() % 2;
		uint32_t value = (uint32_t)rand();

		/* most launches are like the one before, but for the arguments */
		if (rand() % 4 == 0)
			change(&ask, kernels);
		queue_fixture_set_args(ask.kernel, to_b ? f->b : f->a, value);
		assert_int_equal(
			launch(f->queue, &ask,
				&(struct event_args){ .event = rand() % 2 ? &event : NULL },
				&short_way),
			CL_SUCCESS);
		n_short += short_way;
		size_t first = ask.has_offset ? ask.offset : 0;
		for (size_t k = 0; k < ask.global; k++) {
			uint32_t *item = &wanted[to_b][first + k];
			*item = is_add(ask.kernel) ? *item + value : value + (uint32_t)(first + k);
		}
		if (event && rand() % 32 == 0)
			assert_int_equal(event_wait(1, &event), CL_SUCCESS);
		if (event)
			queue_fixture_release(event);
		if (rand() % 64 == 0)
			assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	}
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	assert_memory_equal(f->a->address, wanted[0], FIXTURE_BYTES);
	assert_memory_equal(f->b->address, wanted[1], FIXTURE_BYTES);
	assert_true(n_short > n / 8 && n_short < n);
	for (int i = 0; i < N_KERNELS; i++)
		kernel_put(kernels[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(only_what_is_alike_goes_again),
		TEST(only_a_steady_queue_goes_again),
		TEST(arguments_may_differ),
		TEST(failures_are_clean),
		TEST(errors_go_the_long_way),
		TEST(nobody_is_in_the_way),
		TEST(no_argument_is_lost),
		TEST(random_launches_are_right),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
