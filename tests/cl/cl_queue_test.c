// SPDX-License-Identifier: MIT
/* Queues: out of order, several at once, markers and barriers, large transfers. */
#include "cl/cl_case.h"
#include "test_random.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ITEMS	256
#define BUFFERS 6
#define NODES	300

static const char source[] =
	"kernel void add(global uint *p, uint n) { p[get_global_id(0)] += n; }\n"
	"kernel void set(global uint *p, uint n) { p[get_global_id(0)] = n + get_global_id(0); }\n";

static cl_program program;
static cl_kernel add, set;

static int open_kernels(void **state)
{
	(void)state;
	program = cl_build(source, "");
	add = cl_kernel_of(program, "add");
	set = cl_kernel_of(program, "set");
	return 0;
}

static int close_kernels(void **state)
{
	(void)state;
	CL(clReleaseKernel(add));
	CL(clReleaseKernel(set));
	CL(clReleaseProgram(program));
	return 0;
}

static cl_command_queue make_queue(cl_command_queue_properties flags)
{
	cl_int rc;
	cl_command_queue queue = clCreateCommandQueue(cl.context, cl.device, flags, &rc);

	CL(rc);
	return queue;
}

static cl_int launch(cl_command_queue queue, cl_kernel kernel, cl_mem buffer, cl_uint value,
	cl_uint n, const cl_event *waits, cl_event *event)
{
	const size_t items = ITEMS;

	cl_set_buffer(kernel, 0, buffer);
	cl_set_uint(kernel, 1, value);
	return clEnqueueNDRangeKernel(
		queue, kernel, 1, NULL, &items, NULL, n, n ? waits : NULL, event);
}

static void check(cl_command_queue queue, cl_mem buffer, cl_uint first)
{
	cl_uint got[ITEMS];

	memset(got, 0xcd, sizeof got);
	CL(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
	for (cl_uint i = 0; i < ITEMS; i++)
		assert_int_equal(got[i], first + i);
}

static void test_properties(void **state)
{
	cl_command_queue_properties can = 0, is = 0;

	(void)state;
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, sizeof can, &can, NULL));
	assert_true(can & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	assert_true(can & CL_QUEUE_PROFILING_ENABLE);
	cl_command_queue queue = make_queue(can);
	CL(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof is, &is, NULL));
	assert_int_equal(is, can);
	CL(clReleaseCommandQueue(queue));
}

/* One sets, a thousand add to buffers of their own, one collects. */
static void test_fan_out(void **state)
{
	enum { MANY = 1000, OWN = 16 };
	cl_command_queue queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	cl_mem from = cl_make_buffer(ITEMS * sizeof(cl_uint), NULL), to[OWN];
	static cl_event events[MANY + 1], last[OWN];

	(void)state;
	CL(launch(queue, set, from, 5, 0, NULL, &events[0]));
	for (int i = 0; i < OWN; i++) {
		to[i] = cl_make_buffer(ITEMS * sizeof(cl_uint), NULL);
		CL(clEnqueueCopyBuffer(queue, from, to[i], 0, 0, ITEMS * sizeof(cl_uint), 1,
			&events[0], &last[i]));
	}
	for (int i = 0; i < MANY; i++) {
		CL(launch(queue, add, to[i % OWN], 1, 1, &last[i % OWN], &events[i + 1]));
		CL(clReleaseEvent(last[i % OWN]));
		CL(clRetainEvent(events[i + 1]));
		last[i % OWN] = events[i + 1];
	}
	CL(clWaitForEvents(MANY, events + 1));
	for (int i = 0; i < OWN; i++) {
		check(queue, to[i], (cl_uint)(5 + MANY / OWN + (i < MANY % OWN)));
		CL(clReleaseEvent(last[i]));
		CL(clReleaseMemObject(to[i]));
	}
	for (int i = 0; i <= MANY; i++)
		CL(clReleaseEvent(events[i]));
	CL(clReleaseMemObject(from));
	CL(clReleaseCommandQueue(queue));
}

static void test_marks(void **state)
{
	cl_command_queue queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	cl_mem a = cl_make_buffer(ITEMS * sizeof(cl_uint), NULL);
	cl_event event;

	(void)state;
	for (cl_uint i = 0; i < 20; i++) {
		CL(launch(queue, set, a, i, 0, NULL, NULL));
		CL(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
		CL(launch(queue, add, a, 1, 0, NULL, NULL));
		CL(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
		CL(launch(queue, add, a, 1, 1, &event, NULL));
		CL(clReleaseEvent(event));
		CL(clEnqueueBarrierWithWaitList(queue, 0, NULL, &event));
		CL(clWaitForEvents(1, &event));
		CL(clReleaseEvent(event));
		check(queue, a, i + 2);
	}
	CL(clReleaseMemObject(a));
	CL(clReleaseCommandQueue(queue));
}

/* What waits for the application does not hold up what does not; with Intel's driver it does. */
static void test_held(void **state)
{
	skip_if(cl.intel);
	cl_command_queue queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	cl_mem a = cl_make_buffer(ITEMS * sizeof(cl_uint), NULL);
	cl_mem b = cl_make_buffer(ITEMS * sizeof(cl_uint), NULL);
	cl_event first, second;
	cl_int rc;
	cl_event gate = clCreateUserEvent(cl.context, &rc);

	(void)state;
	CL(rc);
	CL(launch(queue, set, a, 7, 1, &gate, &first));
	CL(launch(queue, set, b, 8, 0, NULL, &second));
	CL(clWaitForEvents(1, &second));
	check(queue, b, 8);
	CL(clSetUserEventStatus(gate, CL_COMPLETE));
	CL(clWaitForEvents(1, &first));
	check(queue, a, 7);
	CL(clReleaseEvent(gate));
	CL(clReleaseEvent(first));
	CL(clReleaseEvent(second));
	CL(clReleaseMemObject(a));
	CL(clReleaseMemObject(b));
	CL(clReleaseCommandQueue(queue));
}

/* Writes, a kernel and reads of several MiB, in order, none of which blocks. */
static void test_large(void **state)
{
	const size_t size = 5 * 1024 * 1024 + 4;
	cl_mem a = cl_make_buffer(size, NULL);
	unsigned char *data = malloc(size), *first = malloc(size), *second = malloc(size);

	(void)state;
	for (size_t i = 0; i < size; i++)
		data[i] = (unsigned char)(i * 31 >> 3);
	memset(first, 0xcd, size);
	memset(second, 0xcd, size);
	CL(launch(cl.queue, set, a, 1, 0, NULL, NULL));
	CL(clEnqueueWriteBuffer(cl.queue, a, CL_FALSE, 0, size, data, 0, NULL, NULL));
	CL(clEnqueueReadBuffer(cl.queue, a, CL_FALSE, 0, size, first, 0, NULL, NULL));
	CL(launch(cl.queue, set, a, 9, 0, NULL, NULL));
	CL(clEnqueueReadBuffer(cl.queue, a, CL_FALSE, 0, size, second, 0, NULL, NULL));
	CL(clFinish(cl.queue));
	assert_memory_equal(first, data, size);
	for (cl_uint i = 0; i < ITEMS; i++) {
		cl_uint want = 9 + i;

		memcpy(data + i * sizeof want, &want, sizeof want);
	}
	assert_memory_equal(second, data, size);
	free(data);
	free(first);
	free(second);
	CL(clReleaseMemObject(a));
}

/* Random graphs over four queues. */
struct node {
	cl_event event;	   /* the last that wrote the buffer */
	cl_event reads[8]; /* since then */
	cl_uint n_reads;
	cl_uint want;
};

static uint64_t seed = 1;

static unsigned random_below(unsigned n)
{
	return test_random_below(&seed, n);
}

static void forget(struct node *node)
{
	while (node->n_reads)
		CL(clReleaseEvent(node->reads[--node->n_reads]));
	if (node->event)
		CL(clReleaseEvent(node->event));
	node->event = NULL;
}

static void add_node(cl_command_queue queue, cl_mem *mems, struct node *nodes)
{
	unsigned from = random_below(BUFFERS), to = random_below(BUFFERS);
	cl_event waits[20], event;
	cl_uint n = 0;

	if (nodes[from].n_reads == 8)
		from = to;
	for (unsigned i = 0; i < nodes[to].n_reads; i++)
		waits[n++] = nodes[to].reads[i];
	if (nodes[to].event)
		waits[n++] = nodes[to].event;
	if (from != to && nodes[from].event)
		waits[n++] = nodes[from].event;
	if (from == to) {
		cl_uint value = random_below(1000);

		CL(launch(queue, add, mems[to], value, n, waits, &event));
		nodes[to].want += value;
	} else {
		CL(clEnqueueCopyBuffer(queue, mems[from], mems[to], 0, 0, ITEMS * sizeof(cl_uint),
			n, n ? waits : NULL, &event));
		nodes[to].want = nodes[from].want;
		CL(clRetainEvent(event));
		nodes[from].reads[nodes[from].n_reads++] = event;
	}
	forget(&nodes[to]);
	nodes[to].event = event;
}

static void test_graphs(void **state)
{
	cl_command_queue queues[4];
	cl_mem mems[BUFFERS];
	struct node nodes[BUFFERS] = { { .want = 0 } };

	(void)state;
	for (int i = 0; i < 4; i++)
		queues[i] = make_queue((cl_command_queue_properties)i);
	for (unsigned i = 0; i < BUFFERS; i++) {
		mems[i] = cl_make_buffer(ITEMS * sizeof(cl_uint), NULL);
		CL(launch(queues[0], set, mems[i], 0, 0, NULL, NULL));
	}
	CL(clFinish(queues[0]));
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < NODES; i++)
			add_node(queues[random_below(4)], mems, nodes);
		for (unsigned i = 0; i < BUFFERS; i++) {
			if (nodes[i].event)
				CL(clWaitForEvents(1, &nodes[i].event));
			check(queues[random_below(4)], mems[i], nodes[i].want);
		}
	}
	for (unsigned i = 0; i < BUFFERS; i++) {
		forget(&nodes[i]);
		CL(clReleaseMemObject(mems[i]));
	}
	for (int i = 0; i < 4; i++)
		CL(clReleaseCommandQueue(queues[i]));
}

#define SHARERS 6
#define ROUNDS	40

static const char shared_source[] =
	"kernel void shape(global uint *p)\n"
	"{ p[get_global_id(0)] = get_num_groups(0) << 16 | get_global_size(0); }\n";

/* A thread with a queue of its own, a part of the buffer, and a number of groups. */
struct sharer {
	pthread_t thread;
	cl_kernel kernel;
	cl_command_queue queue;
	size_t offset, global;
	cl_int rc;
};

static void *share(void *data)
{
	struct sharer *s = data;
	const size_t local = 16;

	for (int i = 0; i < ROUNDS && !s->rc; i++)
		s->rc = clEnqueueNDRangeKernel(
			s->queue, s->kernel, 1, &s->offset, &s->global, &local, 0, NULL, NULL);
	return NULL;
}

/* Threads launch the same kernel, two by two over the same range. */
static void test_shared_kernel(void **state)
{
	cl_kernel kernel = cl_make_kernel(shared_source, "", "shape");
	static cl_uint got[SHARERS * ITEMS];
	struct sharer sharers[SHARERS];

	(void)state;
	memset(got, 0, sizeof got);
	cl_mem buffer = cl_make_buffer(sizeof got, got);
	cl_set_buffer(kernel, 0, buffer);
	for (size_t i = 0; i < SHARERS; i++)
		sharers[i] = (struct sharer){ .kernel = kernel,
			.queue = make_queue(0),
			.offset = i / 2 * ITEMS,
			.global = 16 * (i / 2 + 1) };
	for (int i = 0; i < SHARERS; i++)
		assert_int_equal(pthread_create(&sharers[i].thread, NULL, share, &sharers[i]), 0);
	for (int i = 0; i < SHARERS; i++) {
		pthread_join(sharers[i].thread, NULL);
		CL(sharers[i].rc);
		CL(clFinish(sharers[i].queue));
		CL(clReleaseCommandQueue(sharers[i].queue));
	}
	cl_read(buffer, sizeof got, got);
	for (size_t i = 0; i < SHARERS / 2 * ITEMS; i++) {
		cl_uint groups = (cl_uint)(i / ITEMS + 1);

		assert_int_equal(got[i], i % ITEMS < 16 * groups ? groups << 16 | groups * 16 : 0);
	}
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernel);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_kernels, close_kernels)

/* The same launch again and again, each time waited for, until something of it changes. */
static void repeat(cl_command_queue queue, cl_kernel kernel, unsigned n)
{
	const size_t items = ITEMS;

	for (unsigned i = 0; i < n; i++) {
		CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
		CL(clFinish(queue));
	}
}

static void test_repeated(void **state)
{
	enum { TIMES = 12 };
	static const cl_command_queue_properties flags[] = { 0, CL_QUEUE_PROFILING_ENABLE,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE };

	(void)state;
	for (unsigned q = 0; q < sizeof flags / sizeof *flags; q++) {
		cl_command_queue queue = make_queue(flags[q]);
		cl_uint sum = 0;
		cl_int rc;

		cl_mem buffer = clCreateBuffer(cl.context, 0, ITEMS * sizeof(cl_uint), NULL, &rc);
		CL(rc);
		CL(launch(queue, set, buffer, 0, 0, NULL, NULL));
		/* a kernel that may be where the one before was, with another value */
		for (cl_uint value = 1; value < 5; value++) {
			cl_kernel kernel = cl_kernel_of(program, "add");
			cl_set_buffer(kernel, 0, buffer);
			cl_set_uint(kernel, 1, value);
			repeat(queue, kernel, TIMES);
			cl_set_uint(kernel, 1, 100 * value);
			repeat(queue, kernel, TIMES);
			CL(clReleaseKernel(kernel));
			sum += TIMES * 101 * value;
			check(queue, buffer, sum);
		}
		/* and buffers that may be where others were */
		for (cl_uint first = 0; first < 5; first++) {
			CL(clReleaseMemObject(buffer));
			buffer = clCreateBuffer(cl.context, 0, ITEMS * sizeof(cl_uint), NULL, &rc);
			CL(rc);
			CL(launch(queue, set, buffer, first, 0, NULL, NULL));
			CL(launch(queue, add, buffer, 1, 0, NULL, NULL));
			repeat(queue, add, TIMES);
			check(queue, buffer, first + 1 + TIMES);
		}
		CL(clReleaseMemObject(buffer));
		CL(clReleaseCommandQueue(queue));
	}
}

/* Bytes of memory that the process has; 0 with sanitizers, which keep what was freed. */
static size_t resident(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return 0;
#endif
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	assert_non_null(file);
	assert_int_equal(fscanf(file, "%*u %lu", &pages), 1);
	fclose(file);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* The driver takes memory for the commands of a burst: it must not take more for the next ones. */
static void test_bursts(void **state)
{
	enum { BURSTS = 100, SETTLED = 20, COMMANDS = 1000, MOST = 12 << 20 };
	cl_command_queue queue = make_queue(0);
	cl_mem buffer = cl_make_buffer(ITEMS * sizeof(cl_uint), NULL);
	size_t settled = 0;

	(void)state;
	CL(launch(queue, set, buffer, 0, 0, NULL, NULL));
	for (unsigned burst = 0; burst < BURSTS; burst++) {
		for (unsigned i = 0; i < COMMANDS; i++)
			CL(launch(queue, add, buffer, 1, 0, NULL, NULL));
		CL(clFinish(queue));
		if (burst == SETTLED)
			settled = resident();
	}
	assert_in_range(resident(), 0, settled + MOST);
	check(queue, buffer, BURSTS * COMMANDS);
	CL(clReleaseMemObject(buffer));
	CL(clReleaseCommandQueue(queue));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(test_properties),
		TEST(test_fan_out),
		TEST(test_marks),
		TEST(test_held),
		TEST(test_large),
		TEST(test_graphs),
		TEST(test_shared_kernel),
		TEST(test_repeated),
		TEST(test_bursts),
	};

	return CL_RUN(argc, argv, tests);
}
