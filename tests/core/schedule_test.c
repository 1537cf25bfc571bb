// SPDX-License-Identifier: MIT
#include "queue_fixture.h"
#include "test_random.h"

#include "l0/l0_private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MANY 1000

static struct queue *make_queue(struct queue_fixture *f, cl_command_queue_properties flags)
{
	struct queue *queue;

	assert_int_equal(queue_create_flags(f->context, f->context->devices[0],
				 CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | flags, &queue),
		CL_SUCCESS);
	return queue;
}

static struct event *user_event(struct queue_fixture *f, cl_event *handle)
{
	struct event *user;

	assert_int_equal(event_create_user(f->context, &user), CL_SUCCESS);
	*handle = event_handle(user);
	return user;
}

/* The fake runs what no barrier parts backwards: the first of the two comes last. */
static void independent_commands_stay_so(void **state)
{
	struct queue_fixture *f = *state;
	struct queue *queue = make_queue(f, 0);
	static cl_event events[MANY];

	l0_fake.mode = L0_FAKE_BY_HAND;
	queue->eager = 2 * MANY;
	assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 1, 0, NULL, NULL), 0);
	assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 2, 0, NULL, NULL), 0);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_finish(queue), CL_SUCCESS);
	assert_int_equal(((uint32_t *)(void *)f->a->address)[0], 1);

	/* events do not part them */
	l0_fake.barriers = l0_fake.submits = 0;
	memset(f->a->address, 0, FIXTURE_BYTES);
	for (unsigned i = 0; i < MANY; i++)
		assert_int_equal(
			queue_fixture_launch(queue, f->add, f->a, 1, 0, NULL, &events[i]), 0);
	assert_int_equal(event_wait(MANY, events), CL_SUCCESS);
	assert_true(l0_fake.barriers <= l0_fake.submits);
	assert_true(l0_fake.submits <= 16);
	assert_int_equal(((uint32_t *)(void *)f->a->address)[0], MANY);
	for (unsigned i = 0; i < MANY; i++)
		queue_fixture_release(events[i]);
	assert_int_equal(queue_release(queue), CL_SUCCESS);
}

/* Each command waits for the one before it; or all for the first, and the last for all. */
static void wait_lists_are_kept(void **state)
{
	struct queue_fixture *f = *state;

	for (int profiled = 0; profiled < 2; profiled++) {
		struct queue *queue = make_queue(f, profiled ? CL_QUEUE_PROFILING_ENABLE : 0);
		static cl_event events[MANY];
		cl_event last;

		queue->eager = 2 * MANY;
		assert_int_equal(
			queue_fixture_launch(queue, f->set, f->a, 7, 0, NULL, &events[0]), 0);
		for (uint32_t i = 1; i < MANY; i++)
			assert_int_equal(queue_fixture_launch(queue, f->set, f->a, i, 1,
						 &events[i - 1], &events[i]),
				0);
		assert_int_equal(event_wait(1, &events[MANY - 1]), CL_SUCCESS);
		queue_fixture_check(queue, f->a, MANY - 1);
		for (uint32_t i = 0; i < MANY; i++)
			queue_fixture_release(events[i]);

		l0_fake.barriers = 0;
		queue->eager = 2 * MANY;
		assert_int_equal(
			queue_fixture_launch(queue, f->set, f->a, 100, 0, NULL, &events[0]), 0);
		for (uint32_t i = 1; i < 100; i++)
			assert_int_equal(queue_fixture_launch(
						 queue, f->add, f->a, 1, 1, &events[0], &events[i]),
				0);
		assert_int_equal(copy_buffer(queue, f->a, f->b, 0, 0, FIXTURE_BYTES,
					 &(struct event_args){ 100, events, &last }),
			0);
		assert_int_equal(event_wait(1, &last), CL_SUCCESS);
		/* one after the first, one before the last, one for the signal */
		assert_true(l0_fake.barriers <= 3);
		queue_fixture_check(queue, f->b, 199);
		for (uint32_t i = 0; i < 100; i++)
			queue_fixture_release(events[i]);
		queue_fixture_release(last);
		assert_int_equal(queue_release(queue), CL_SUCCESS);
	}
}

/* A barrier parts what is before it from what follows; a marker is only complete after it. */
static void barriers_part_and_markers_do_not(void **state)
{
	struct queue_fixture *f = *state;
	uint32_t *a = (uint32_t *)(void *)f->a->address;

	for (int with_event = 0; with_event < 2; with_event++) {
		struct queue *queue = make_queue(f, 0);
		cl_event event = NULL, *wanted = with_event ? &event : NULL;

		queue->eager = 100;
		assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 1, 0, NULL, NULL), 0);
		assert_int_equal(command_marker(queue, CL_COMMAND_MARKER,
					 &(struct event_args){ 0, NULL, wanted }),
			0);
		assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 2, 0, NULL, NULL), 0);
		assert_int_equal(queue_finish(queue), CL_SUCCESS);
		assert_int_equal(a[0], 1);
		if (event)
			queue_fixture_release(event);

		queue->eager = 100;
		assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 1, 0, NULL, NULL), 0);
		assert_int_equal(command_marker(queue, CL_COMMAND_BARRIER,
					 &(struct event_args){ 0, NULL, wanted }),
			0);
		assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 2, 0, NULL, NULL), 0);
		assert_int_equal(queue_finish(queue), CL_SUCCESS);
		assert_int_equal(a[0], 2);
		if (event)
			queue_fixture_release(event);

		/* who waits for the marker waits for what is before it */
		queue->eager = 100;
		assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 1, 0, NULL, NULL), 0);
		assert_int_equal(command_marker(queue, CL_COMMAND_MARKER,
					 &(struct event_args){ 0, NULL, &event }),
			0);
		assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 2, 1, &event, NULL), 0);
		assert_int_equal(queue_finish(queue), CL_SUCCESS);
		assert_int_equal(a[0], 2);
		queue_fixture_release(event);
		assert_int_equal(queue_release(queue), CL_SUCCESS);
	}
}

/* What waits for the host holds up what waits for it, and barriers, and nothing else. */
static void only_dependents_are_held(void **state)
{
	struct queue_fixture *f = *state;
	struct queue *queue = make_queue(f, 0);
	struct event *user;
	cl_event gate, first, second, marker, barrier, third;
	uint32_t got[4];

	user = user_event(f, &gate);
	memset(f->b->address, 0x11, FIXTURE_BYTES);
	assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 1, 1, &gate, &first), 0);
	/* even a call that blocks, and marks that wait for something else */
	assert_int_equal(copy_read(queue, f->b, CL_TRUE, 0, 16, got, NO_EVENTS), 0);
	assert_int_equal(got[3], 0x11111111);
	assert_int_equal(queue_fixture_launch(queue, f->set, f->b, 5, 0, NULL, &second), 0);
	assert_int_equal(event_wait(1, &second), CL_SUCCESS);
	assert_int_equal(
		command_marker(queue, CL_COMMAND_BARRIER, &(struct event_args){ 1, &second, NULL }),
		0);
	assert_int_equal(copy_read(queue, f->b, CL_TRUE, 0, 16, got, NO_EVENTS), 0);
	assert_int_equal(got[3], 8);

	assert_int_equal(
		command_marker(queue, CL_COMMAND_MARKER, &(struct event_args){ 0, NULL, &marker }),
		0);
	assert_int_equal(command_marker(queue, CL_COMMAND_BARRIER,
				 &(struct event_args){ 0, NULL, &barrier }),
		0);
	assert_int_equal(queue_fixture_launch(queue, f->add, f->b, 100, 0, NULL, &third), 0);
	assert_int_equal(queue_flush(queue), CL_SUCCESS);
	assert_int_equal(queue_fixture_status(first), CL_QUEUED);
	assert_int_equal(queue_fixture_status(marker), CL_QUEUED);
	assert_int_equal(queue_fixture_status(barrier), CL_QUEUED);
	assert_int_equal(queue_fixture_status(third), CL_QUEUED);
	assert_int_equal(event_set_user_status(user, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(event_wait(1, &third), CL_SUCCESS);
	assert_int_equal(queue_fixture_status(first), CL_COMPLETE);
	queue_fixture_check(queue, f->a, 1);
	queue_fixture_check(queue, f->b, 105);
	const cl_event all[] = { gate, first, second, marker, barrier, third };
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		queue_fixture_release(all[i]);
	assert_int_equal(queue_release(queue), CL_SUCCESS);
}

/* The host does nothing before a barrier that the device has not passed. */
static void the_host_keeps_barriers_too(void **state)
{
	struct queue_fixture *f = *state;
	struct queue *queue = make_queue(f, 0);
	uint32_t value = 0x22222222, got[FIXTURE_ITEMS];
	cl_event event;

	l0_fake.mode = L0_FAKE_BY_HAND;
	memset(f->a->address, 0x11, FIXTURE_BYTES);
	assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 1, 0, NULL, &event), 0);
	/* independent: at once */
	assert_int_equal(copy_write(queue, f->b, CL_FALSE, 0, sizeof(value), &value, NO_EVENTS), 0);
	assert_int_equal(*(uint32_t *)(void *)f->b->address, value);
	/* dependent: when the device is there */
	value = 0x33333333;
	assert_int_equal(copy_write(queue, f->a, CL_FALSE, 0, sizeof(value), &value,
				 &(struct event_args){ 1, &event, NULL }),
		0);
	assert_int_equal(*(uint32_t *)(void *)f->a->address, 0x11111111);
	assert_int_equal(command_marker(queue, CL_COMMAND_BARRIER, NO_EVENTS), 0);
	value = 0x44444444;
	assert_int_equal(copy_write(queue, f->b, CL_FALSE, 0, sizeof(value), &value, NO_EVENTS), 0);
	assert_int_equal(*(uint32_t *)(void *)f->b->address, 0x22222222);
	memset(got, 0xcd, sizeof(got));
	assert_int_equal(copy_read(queue, f->b, CL_FALSE, 0, sizeof(value), got, NO_EVENTS), 0);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_finish(queue), CL_SUCCESS);
	assert_int_equal(got[0], 0x22222222); /* it ran before the write: nothing says otherwise */
	assert_int_equal(*(uint32_t *)(void *)f->a->address, 0x33333333);
	assert_int_equal(((uint32_t *)(void *)f->a->address)[1], 2);
	assert_int_equal(*(uint32_t *)(void *)f->b->address, 0x44444444);
	queue_fixture_release(event);
	assert_int_equal(queue_release(queue), CL_SUCCESS);
}

/*
 * A large transfer on a busy queue returns at once; the host does it in its turn. What follows
 * waits for it, in this queue and in the other one.
 */
static void large_transfers_do_not_block(void **state)
{
	struct queue_fixture *f = *state;
	const size_t size = 3 * 1024 * 1024 + 5;
	unsigned char *data = malloc(size), *got = malloc(size);
	struct mem *mem;
	cl_event write, read, last;

	for (int kind = 0; kind < 2; kind++) {
		struct queue *queue = kind ? make_queue(f, 0) : f->queue;

		assert_int_equal(mem_create_buffer(f->context, NULL, 0, size, NULL, &mem), 0);
		memset(mem->address, 0x11, size);
		memset(got, 0xcd, size);
		for (size_t i = 0; i < size; i++)
			data[i] = (unsigned char)(i * 31 >> 3);
		l0_fake.mode = L0_FAKE_BY_HAND;
		cl_event first;
		assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 1, 0, NULL, &first), 0);
		assert_int_equal(copy_write(queue, mem, CL_FALSE, 0, size, data,
					 &(struct event_args){ 1, &first, &write }),
			0);
		assert_int_equal(copy_read(queue, mem, CL_FALSE, 0, size, got,
					 &(struct event_args){ 1, &write, &read }),
			0);
		assert_int_equal(
			queue_fixture_launch(f->other, f->add, f->a, 9, 1, &read, &last), 0);
		assert_int_equal(queue_fixture_status(write), CL_QUEUED);
		assert_int_equal((unsigned char)mem->address[0], 0x11);
		l0_fake.mode = L0_FAKE_AT_QUERY;
		assert_int_equal(event_wait(1, &last), CL_SUCCESS);
		assert_memory_equal(got, data, size);
		queue_fixture_check(f->other, f->a, 10);
		queue_fixture_release(first);
		queue_fixture_release(write);
		queue_fixture_release(read);
		queue_fixture_release(last);
		mem_put(mem);
		if (kind)
			assert_int_equal(queue_release(queue), CL_SUCCESS);
	}
	free(data);
	free(got);
}

/* A command that waits for another queue's staged read does not block at its enqueue. */
static void staged_reads_do_not_block_others(void **state)
{
	struct queue_fixture *f = *state;
	static uint32_t got[FIXTURE_ITEMS];
	cl_event read, after, last;

	memset(got, 0xcd, sizeof(got));
	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(f->queue, f->set, f->a, 5, 0, NULL, NULL), 0);
	assert_int_equal(copy_read(f->queue, f->a, CL_FALSE, 0, FIXTURE_BYTES, got,
				 &(struct event_args){ 0, NULL, &read }),
		0);
	assert_int_equal(queue_fixture_launch(f->queue, f->add, f->a, 1, 0, NULL, &after), 0);
	/* behind the read, if not the read itself */
	assert_int_equal(queue_fixture_launch(f->other, f->add, f->a, 1, 1, &after, &last), 0);
	assert_int_equal(got[0], 0xcdcdcdcd);
	l0_fake.mode = L0_FAKE_EVENTS_FIRST;
	assert_int_equal(event_wait(1, &last), CL_SUCCESS);
	for (uint32_t i = 0; i < FIXTURE_ITEMS; i++)
		assert_int_equal(got[i], 5 + i);
	queue_fixture_check(f->queue, f->a, 7);
	queue_fixture_release(read);
	queue_fixture_release(after);
	queue_fixture_release(last);
}

/* Random graphs over an in-order and two out-of-order queues against what they must compute. */
#define NODES	400
#define BUFFERS 8

struct graph {
	struct queue_fixture *f;
	struct queue *queues[3];
	struct mem *mems[BUFFERS];
	uint32_t want[BUFFERS];	      /* of element 0 */
	cl_event writer[BUFFERS];     /* the last that wrote it */
	cl_event readers[BUFFERS][8]; /* since then */
	unsigned n_readers[BUFFERS];
	cl_event gate;
	uint64_t seed;
};

static unsigned random_below(struct graph *g, unsigned n)
{
	return test_random_below(&g->seed, n);
}

static void forget(struct graph *g, unsigned b)
{
	while (g->n_readers[b])
		queue_fixture_release(g->readers[b][--g->n_readers[b]]);
	if (g->writer[b])
		queue_fixture_release(g->writer[b]);
	g->writer[b] = NULL;
}

/* Copies buffer `from` to `to`, or adds to `to`, behind all that it must be behind. */
static void add_node(struct graph *g, unsigned from, unsigned to)
{
	cl_event waits[24], event;
	struct queue *queue = g->queues[random_below(g, 3)];
	cl_uint n = 0;
	cl_int rc;

	for (unsigned i = 0; i < g->n_readers[to]; i++)
		waits[n++] = g->readers[to][i];
	if (g->writer[to])
		waits[n++] = g->writer[to];
	if (from != to && g->writer[from])
		waits[n++] = g->writer[from];
	if (random_below(g, 16) == 0)
		waits[n++] = g->gate;
	if (from == to) {
		uint32_t value = random_below(g, 1000);

		g->want[to] += value;
		rc = queue_fixture_launch(
			queue, g->f->add, g->mems[to], value, n, n ? waits : NULL, &event);
	} else {
		g->want[to] = g->want[from];
		rc = copy_buffer(queue, g->mems[from], g->mems[to], 0, 0, FIXTURE_BYTES,
			&(struct event_args){ n, n ? waits : NULL, &event });
	}
	assert_int_equal(rc, CL_SUCCESS);
	forget(g, to);
	g->writer[to] = event;
	if (from != to) {
		assert_int_equal(obj_retain(event, OBJ_EVENT), CL_SUCCESS);
		g->readers[from][g->n_readers[from]++] = event;
	}
}

static void check_graph(struct graph *g)
{
	for (unsigned b = 0; b < BUFFERS; b++) {
		uint32_t got = 0xcdcdcdcd;
		cl_uint n = g->writer[b] ? 1 : 0;

		assert_int_equal(
			copy_read(g->queues[random_below(g, 3)], g->mems[b], CL_TRUE, 0, 4, &got,
				&(struct event_args){ n, n ? &g->writer[b] : NULL, NULL }),
			CL_SUCCESS);
		assert_int_equal(got, g->want[b]);
	}
}

static void random_graphs_are_right(void **state)
{
	struct queue_fixture *f = *state;
	struct graph g = { .f = f, .queues = { f->queue, make_queue(f, 0), make_queue(f, 2) } };

	for (unsigned b = 0; b < BUFFERS; b++) {
		assert_int_equal(
			mem_create_buffer(f->context, NULL, 0, FIXTURE_BYTES, NULL, &g.mems[b]),
			CL_SUCCESS);
		memset(g.mems[b]->address, 0, FIXTURE_BYTES);
	}
	for (g.seed = 1; g.seed < 30 * 7919; g.seed = (g.seed / 7919 + 1) * 7919) {
		uint64_t seed = g.seed;
		struct event *user = user_event(f, &g.gate);
		l0_fake.mode = seed % 2 ? L0_FAKE_EVENTS_FIRST : L0_FAKE_AT_QUERY;

		for (unsigned i = 0; i < NODES; i++) {
			unsigned from = random_below(&g, BUFFERS), to = random_below(&g, BUFFERS);

			if (g.n_readers[from] == 8)
				to = from;
			add_node(&g, from, to);
			if (i == NODES / 2)
				assert_int_equal(event_set_user_status(user, CL_COMPLETE), 0);
		}
		check_graph(&g);
		queue_fixture_release(g.gate);
		g.seed = seed;
	}
	for (unsigned b = 0; b < BUFFERS; b++) {
		forget(&g, b);
		mem_put(g.mems[b]);
	}
	assert_int_equal(queue_release(g.queues[1]), CL_SUCCESS);
	assert_int_equal(queue_release(g.queues[2]), CL_SUCCESS);
}

static void a_fault_ends_what_waits(void **state)
{
	struct queue_fixture *f = *state;
	struct queue *queue = make_queue(f, 0);
	cl_event first, second, next;

	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 1, 0, NULL, &first), 0);
	queue->eager = 100;
	assert_int_equal(queue_fixture_launch(queue, f->add, f->a, 1, 1, &first, &second), 0);
	l0_fake.fault_next = true;
	l0_fake_run(1);
	assert_int_equal(event_wait(1, &second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(queue_fixture_status(first), CL_OUT_OF_RESOURCES);
	assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 3, 1, &second, &next), 0);
	assert_int_equal(queue_fixture_status(next), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_fixture_launch(queue, f->set, f->a, 4, 0, NULL, NULL), 0);
	assert_int_equal(queue_finish(queue), CL_SUCCESS);
	queue_fixture_check(queue, f->a, 4);
	queue_fixture_release(first);
	queue_fixture_release(second);
	queue_fixture_release(next);
	assert_int_equal(queue_release(queue), CL_SUCCESS);
}

/* The n-th call fails: an error, but no leak and no hang. */
static void every_failure_is_clean(void **state)
{
	struct queue_fixture *f = *state;
	bool failed = true;
	unsigned n;

	for (n = 1; failed; n++) {
		struct queue *queue = NULL;
		cl_event events[3] = { NULL, NULL, NULL };

		l0_fake.failed = false;
		l0_fake.fail_after = n;
		cl_int rc = queue_create_flags(f->context, f->context->devices[0],
			CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &queue);
		if (!rc)
			rc = queue_fixture_launch(queue, f->set, f->a, 1, 0, NULL, &events[0]);
		if (!rc)
			rc = queue_fixture_launch(
				queue, f->add, f->a, 1, 1, &events[0], &events[1]);
		if (!rc)
			rc = command_marker(queue, CL_COMMAND_BARRIER,
				&(struct event_args){ 0, NULL, &events[2] });
		if (!rc)
			rc = queue_fixture_launch(queue, f->add, f->a, 1, 0, NULL, NULL);
		if (!rc)
			rc = event_wait(3, events);
		if (!rc)
			rc = queue_finish(queue);
		l0_fake.fail_after = 0;
		failed = l0_fake.failed;
		if (!failed)
			assert_int_equal(rc, CL_SUCCESS);
		for (int i = 0; i < 3; i++)
			if (events[i])
				queue_fixture_release(events[i]);
		if (queue)
			assert_int_equal(queue_release(queue), CL_SUCCESS);
		assert_true(n < 5000);
	}
	assert_true(n > 20);
	queue_fixture_check(f->queue, f->a, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(independent_commands_stay_so),
		TEST(wait_lists_are_kept),
		TEST(barriers_part_and_markers_do_not),
		TEST(only_dependents_are_held),
		TEST(the_host_keeps_barriers_too),
		TEST(large_transfers_do_not_block),
		TEST(staged_reads_do_not_block_others),
		TEST(random_graphs_are_right),
		TEST(a_fault_ends_what_waits),
		TEST(every_failure_is_clean),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
