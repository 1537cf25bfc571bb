// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

/*
 * What a queue or a kernel does for one thread while another one is in the middle of a copy or a
 * launch. The copy goes to memory that cannot be written until the test allows it.
 */

#define BYTES ((size_t)1024 * 1024)

static char *gate_memory; /* BYTES */
static atomic_bool copying, allowed;

static void on_fault(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	if ((char *)info->si_addr < gate_memory || (char *)info->si_addr >= gate_memory + BYTES)
		abort();
	atomic_store(&copying, true);
	while (!atomic_load(&allowed))
		sched_yield();
	if (mprotect(gate_memory, BYTES, PROT_READ | PROT_WRITE))
		abort();
}

static void gate_open(void)
{
	const struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };

	assert_int_equal(sigaction(SIGSEGV, &action, NULL), 0);
	gate_memory = mmap(NULL, BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(gate_memory != MAP_FAILED);
	atomic_store(&copying, false);
	atomic_store(&allowed, false);
}

static void gate_close(void)
{
	assert_int_equal(munmap(gate_memory, BYTES), 0);
	signal(SIGSEGV, SIG_DFL);
}

struct reader {
	struct queue_fixture *f;
	struct mem *mem;
	cl_event event; /* NULL: a blocking read */
	cl_int rc;
};

static void *read_all(void *data)
{
	struct reader *reader = data;

	if (reader->event)
		reader->rc = event_wait(1, &reader->event);
	else
		reader->rc = copy_read(
			reader->f->queue, reader->mem, CL_TRUE, 0, BYTES, gate_memory, NO_EVENTS);
	return NULL;
}

/* Uses the queue while `reader` copies; the launch must come after the copy. */
static void use_queue(struct queue_fixture *f, struct reader *reader)
{
	pthread_t thread;
	cl_event launched;

	assert_int_equal(pthread_create(&thread, NULL, read_all, reader), 0);
	while (!atomic_load(&copying))
		sched_yield();
	assert_int_equal(queue_flush(f->queue), CL_SUCCESS);
	assert_int_equal(queue_fixture_launch(f->queue, f->set, reader->mem, 9, 0, NULL, &launched),
		CL_SUCCESS);
	if (reader->event)
		assert_int_not_equal(queue_fixture_status(reader->event), CL_COMPLETE);
	else
		assert_int_equal(queue_fixture_status(launched), CL_QUEUED);
	atomic_store(&allowed, true);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(reader->rc, CL_SUCCESS);
	assert_int_equal(event_wait(1, &launched), CL_SUCCESS);
	queue_fixture_release(launched);
	assert_int_equal(*(uint32_t *)(void *)gate_memory, 3);
	assert_int_equal(*(uint32_t *)(void *)reader->mem->address, 9);
}

static struct mem *make_buffer(struct queue_fixture *f)
{
	struct mem *mem;

	assert_int_equal(mem_create_buffer(f->context, NULL, 0, BYTES, NULL, &mem), CL_SUCCESS);
	return mem;
}

static void a_blocking_read_leaves_the_queue_usable(void **state)
{
	struct queue_fixture *f = *state;
	struct reader reader = { .f = f, .mem = make_buffer(f) };

	*(uint32_t *)(void *)reader.mem->address = 3;
	gate_open();
	use_queue(f, &reader);
	gate_close();
	mem_put(reader.mem);
}

static void the_end_of_a_read_leaves_the_queue_usable(void **state)
{
	struct queue_fixture *f = *state;
	struct reader reader = { .f = f, .mem = make_buffer(f) };

	gate_open();
	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(
		queue_fixture_launch(f->queue, f->set, reader.mem, 3, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(copy_read(f->queue, reader.mem, CL_FALSE, 0, BYTES, gate_memory,
				 &(struct event_args){ .event = &reader.event }),
		CL_SUCCESS);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	use_queue(f, &reader);
	gate_close();
	queue_fixture_release(reader.event);
	mem_put(reader.mem);
}

static void *write_all(void *data)
{
	struct reader *writer = data;

	writer->rc = copy_write(writer->f->queue, writer->mem, CL_FALSE, 0, BYTES, gate_memory,
		&(struct event_args){ 0, NULL, &writer->event });
	return NULL;
}

/* A write to a busy queue copies what it writes, and the queue can be used meanwhile. */
static void the_begin_of_a_write_leaves_the_queue_usable(void **state)
{
	struct queue_fixture *f = *state;
	struct reader writer = { .f = f, .mem = make_buffer(f) };
	pthread_t thread;
	cl_event launched;

	gate_open();
	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(
		queue_fixture_launch(f->queue, f->set, writer.mem, 3, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(pthread_create(&thread, NULL, write_all, &writer), 0);
	while (!atomic_load(&copying))
		sched_yield();
	assert_int_equal(queue_flush(f->queue), CL_SUCCESS);
	assert_int_equal(
		queue_fixture_launch(f->queue, f->add, writer.mem, 5, 0, NULL, &launched), 0);
	assert_int_equal(queue_fixture_status(launched), CL_QUEUED);
	atomic_store(&allowed, true);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(writer.rc, CL_SUCCESS);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(event_wait(1, &writer.event), CL_SUCCESS);
	assert_int_equal(event_wait(1, &launched), CL_SUCCESS);
	/* zeros were written, and 5 added behind that */
	assert_int_equal(*(uint32_t *)(void *)writer.mem->address, 5);
	gate_close();
	queue_fixture_release(launched);
	queue_fixture_release(writer.event);
	mem_put(writer.mem);
}

static void *let_the_device_work(void *data)
{
	struct queue *queue = data;

	while (atomic_load(&queue->staged) < (size_t)64 * 1024 * 1024)
		sched_yield();
	l0_fake.mode = L0_FAKE_AT_QUERY;
	return NULL;
}

/* Writes to a busy queue wait rather than stage without end. */
static void staging_is_bounded(void **state)
{
	struct queue_fixture *f = *state;
	struct mem *mem = make_buffer(f);
	char *data = calloc(1, BYTES);
	pthread_t thread;

	assert_non_null(data);
	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 3, 0, NULL, NULL), 0);
	assert_int_equal(pthread_create(&thread, NULL, let_the_device_work, f->queue), 0);
	for (int i = 0; i < 200; i++) {
		assert_int_equal(
			copy_write(f->queue, mem, CL_FALSE, 0, BYTES, data, NO_EVENTS), CL_SUCCESS);
		assert_true(atomic_load(&f->queue->staged) <= (size_t)66 * 1024 * 1024);
	}
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	free(data);
	mem_put(mem);
}

static void wait_in_launch(void)
{
	if (atomic_exchange(&copying, true))
		return;
	while (!atomic_load(&allowed))
		sched_yield();
}

static void *launch_slowly(void *data)
{
	struct queue_fixture *f = data;

	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 3, 0, NULL, NULL), 0);
	return NULL;
}

/* Threads append launches of one kernel at the same time, each with its arguments. */
static void an_append_leaves_the_kernel_usable(void **state)
{
	struct queue_fixture *f = *state;
	pthread_t thread;

	atomic_store(&copying, false);
	atomic_store(&allowed, false);
	l0_fake.on_launch = wait_in_launch;
	assert_int_equal(pthread_create(&thread, NULL, launch_slowly, f), 0);
	while (!atomic_load(&copying))
		sched_yield();
	for (uint32_t value = 5; value < 8; value++) {
		assert_int_equal(
			queue_fixture_launch(f->other, f->set, f->b, value, 0, NULL, NULL), 0);
		queue_fixture_check(f->other, f->b, value);
	}
	atomic_store(&allowed, true);
	assert_int_equal(pthread_join(thread, NULL), 0);
	queue_fixture_check(f->queue, f->a, 3);
	/* the arguments of the slow launch are still there, and those set since are not */
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->b, 9, 0, NULL, NULL), 0);
	queue_fixture_check(f->queue, f->b, 9);
	l0_fake.on_launch = NULL;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_blocking_read_leaves_the_queue_usable),
		TEST(the_end_of_a_read_leaves_the_queue_usable),
		TEST(the_begin_of_a_write_leaves_the_queue_usable),
		TEST(staging_is_bounded),
		TEST(an_append_leaves_the_kernel_usable),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
