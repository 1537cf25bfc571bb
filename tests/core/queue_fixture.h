// SPDX-License-Identifier: MIT
#ifndef QUEUE_FIXTURE_H
#define QUEUE_FIXTURE_H

#include "test.h"

#include "core/command/enqueue.h"
#include "core/device/context.h"
#include "core/command/copy.h"
#include "core/queue/event.h"
#include "core/queue/queue.h"
#include "l0/l0_list.h"
#include "l0_fake.h"

#define FIXTURE_ITEMS 1024
#define FIXTURE_BYTES ((size_t)FIXTURE_ITEMS * 4)

/* How many devices the context has; the second queue is for the last of them. 1 at first. */
extern cl_uint queue_fixture_devices;

/* A context on the fake Level Zero, two queues, two buffers, and the fake's kernels. */
struct queue_fixture {
	struct context *context;
	struct queue *queue, *other;		       /* not profiled, profiled */
	struct mem *a, *b;			       /* FIXTURE_BYTES each */
	struct l0_module *modules[L0_CONTEXT_DEVICES]; /* of each device */
	struct kernel *set, *add, *copy;
	unsigned reports; /* calls of pfn_notify */
	char report[4096];
};

/* Setup and teardown for cmocka; the state is a struct queue_fixture. Teardown checks for leaks. */
int queue_fixture_setup(void **state);
int queue_fixture_teardown(void **state);

/* A test that has it. */
#define TEST(name)                                                                                 \
	cmocka_unit_test_setup_teardown(name, queue_fixture_setup, queue_fixture_teardown)

/* A kernel of its module, without a program: (buffer, uint32_t), or (buffer, buffer) for "copy". */
struct kernel *queue_fixture_kernel(struct queue_fixture *f, const char *name);

/* Sets the arguments of "set" or "add". */
void queue_fixture_set_args(struct kernel *kernel, struct mem *mem, uint32_t value);

/* Enqueues kernel(mem, value) over FIXTURE_ITEMS. */
cl_int queue_fixture_launch(struct queue *queue, struct kernel *kernel, struct mem *mem,
	uint32_t value, cl_uint n_wait, const cl_event *wait, cl_event *event);

/* The whole buffer, read by a blocking read, must be first, first + 1, … */
void queue_fixture_check(struct queue *queue, struct mem *mem, uint32_t first);

cl_int queue_fixture_status(cl_event event);
void queue_fixture_release(cl_event event);

#endif
