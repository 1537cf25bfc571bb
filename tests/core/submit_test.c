// SPDX-License-Identifier: MIT
#include "queue_fixture.h"
#include "test_random.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/*
 * Threads that enqueue random commands on two shared queues, each thread on buffers of its own,
 * and know what must come out.
 */
#define THREADS	 4
#define COMMANDS 600
#define WORDS	 256

struct worker {
	struct queue_fixture *f;
	pthread_t thread;
	uint64_t seed;
	struct mem *mem;
	struct kernel *add;
	uint32_t want[WORDS];
	cl_event last; /* NULL: none */
	unsigned wrong;
};

static unsigned random_below(struct worker *w, unsigned n)
{
	return test_random_below(&w->seed, n);
}

static cl_int add(
	struct worker *w, struct queue *queue, cl_uint n, const cl_event *wait, cl_event *event)
{
	struct command command = { .kind = COMMAND_LAUNCH, .type = CL_COMMAND_NDRANGE_KERNEL };
	uint32_t value = random_below(w, 1000);

	command.launch.kernel = w->add;
	command.launch.range = (struct ndrange){ .dims = 1,
		.global = { WORDS, 1, 1 },
		.local = { WORDS, 1, 1 },
		.groups = { 1, 1, 1 } };
	pthread_mutex_lock(&w->add->lock);
	kernel_touch(w->add);
	memcpy(w->add->args[1].value, &value, sizeof(value));
	w->add->args[1].state = w->add->state;
	pthread_mutex_unlock(&w->add->lock);
	for (int i = 0; i < WORDS; i++)
		w->want[i] += value;
	return queue_submit(queue, &command, &(struct event_args){ n, wait, event });
}

static cl_int write(
	struct worker *w, struct queue *queue, cl_uint n, const cl_event *wait, cl_event *event)
{
	static const uint32_t zeros[WORDS];
	unsigned at = random_below(w, WORDS), count = random_below(w, WORDS - at) + 1;
	cl_bool blocking = random_below(w, 10) == 0;

	if (at + count > WORDS)
		count = WORDS - at;
	memset(w->want + at, 0, count * sizeof(uint32_t));
	return copy_write(queue, w->mem, blocking, at * sizeof(uint32_t), count * sizeof(uint32_t),
		zeros, &(struct event_args){ n, wait, event });
}

static cl_int fill(
	struct worker *w, struct queue *queue, cl_uint n, const cl_event *wait, cl_event *event)
{
	uint32_t value = random_below(w, 1000);

	for (int i = 16; i < 80; i++)
		w->want[i] = value;
	return copy_fill(queue, w->mem, &value, 4, 64, 256, &(struct event_args){ n, wait, event });
}

static void check(struct worker *w, struct queue *queue, cl_uint n, const cl_event *wait)
{
	uint32_t got[WORDS];

	memset(got, 0xcd, sizeof(got));
	if (copy_read(queue, w->mem, CL_TRUE, 0, sizeof(got), got,
		    &(struct event_args){ n, wait, NULL }) ||
		memcmp(got, w->want, sizeof(got)))
		w->wrong++;
}

static void *work(void *data)
{
	struct worker *w = data;
	static cl_int (*const kinds[])(struct worker *, struct queue *, cl_uint, const cl_event *,
		cl_event *) = { add, add, add, write, fill };

	for (int i = 0; i < COMMANDS; i++) {
		struct queue *queue = random_below(w, 2) ? w->f->queue : w->f->other;
		cl_event event = NULL;

		/* each command waits for the thread's last one, on whichever queue that was */
		if (random_below(w, 20) == 0)
			check(w, queue, w->last ? 1 : 0, w->last ? &w->last : NULL);
		if (kinds[random_below(w, 5)](
			    w, queue, w->last ? 1 : 0, w->last ? &w->last : NULL, &event))
			w->wrong++;
		if (w->last && obj_release(w->last, OBJ_EVENT))
			w->wrong++;
		w->last = event;
		if (random_below(w, 30) == 0)
			(void)queue_flush(queue);
	}
	check(w, w->f->queue, 1, &w->last);
	(void)obj_release(w->last, OBJ_EVENT);
	return NULL;
}

static void start(struct worker *w, struct queue_fixture *f, unsigned seed)
{
	memset(w, 0, sizeof(*w));
	w->f = f;
	w->seed = seed;
	assert_int_equal(mem_create_buffer(f->context, NULL, 0, sizeof(w->want), NULL, &w->mem), 0);
	memset(w->mem->address, 0, sizeof(w->want));
	w->add = queue_fixture_kernel(f, "add");
	w->add->args[0].mem = w->mem;
	for (int i = 0; i < 2; i++) {
		w->add->args[i].set = true;
		w->add->args[i].state = w->add->state;
	}
	assert_int_equal(pthread_create(&w->thread, NULL, work, w), 0);
}

static void threads_get_what_they_want(void **state)
{
	static struct worker workers[THREADS];

	for (unsigned i = 0; i < THREADS; i++)
		start(&workers[i], *state, i * 77 + 1);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		assert_int_equal(workers[i].wrong, 0);
		kernel_put(workers[i].add);
		mem_put(workers[i].mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(threads_get_what_they_want),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
