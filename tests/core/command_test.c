// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include <string.h>

static void migrations_are_checked(void **state)
{
	struct queue_fixture *f = *state;
	struct context *context;
	struct mem *foreign;
	cl_device_id device = device_handle(f->context->devices[0]);
	cl_mem mems[2] = { mem_handle(f->a), mem_handle(f->b) };
	cl_event event;

	assert_int_equal(
		command_migrate(f->queue, 2, mems, 0, &(struct event_args){ 0, NULL, &event }),
		CL_SUCCESS);
	assert_int_equal(event_from(event)->type, CL_COMMAND_MIGRATE_MEM_OBJECTS);
	queue_fixture_release(event);
	assert_int_equal(command_migrate(NULL, 2, mems, 0, NO_EVENTS), CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(command_migrate(f->queue, 0, mems, 0, NO_EVENTS), CL_INVALID_VALUE);
	assert_int_equal(command_migrate(f->queue, 1, NULL, 0, NO_EVENTS), CL_INVALID_VALUE);
	assert_int_equal(command_migrate(f->queue, 1, mems, 8, NO_EVENTS), CL_INVALID_VALUE);
	assert_int_equal(context_create(NULL, 1, &device, NULL, NULL, &context), CL_SUCCESS);
	assert_int_equal(mem_create_buffer(context, NULL, 0, 64, NULL, &foreign), CL_SUCCESS);
	mems[1] = mem_handle(foreign);
	assert_int_equal(command_migrate(f->queue, 2, mems, 0, NO_EVENTS), CL_INVALID_CONTEXT);
	mems[1] = (cl_mem)(void *)f->queue;
	assert_int_equal(command_migrate(f->queue, 2, mems, 0, NO_EVENTS), CL_INVALID_MEM_OBJECT);
	mem_put(foreign);
	context_put(context);
}

static void kernels_are_checked(void **state)
{
	struct queue_fixture *f = *state;
	const size_t size = 1;

	assert_int_equal(command_ndrange(NULL, f->set, CL_COMMAND_NDRANGE_KERNEL, 1, NULL, &size,
				 NULL, NO_EVENTS),
		CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(command_ndrange(f->queue, NULL, CL_COMMAND_NDRANGE_KERNEL, 1, NULL, &size,
				 NULL, NO_EVENTS),
		CL_INVALID_KERNEL);
}

static void a_kept_command_has_its_own_arguments(void **state)
{
	struct queue_fixture *f = *state;
	struct command command = { .kind = COMMAND_LAUNCH, .mems = { f->b } };
	struct command *kept, *again;
	uint32_t value = 5;

	command.launch.kernel = f->set;
	f->set->args[0].mem = f->a;
	memcpy(f->set->args[1].value, &value, sizeof(value));
	unsigned refs = atomic_load(&f->a->base.refs);
	assert_int_equal(command_keep(&command, &kept), CL_SUCCESS);
	assert_int_equal(atomic_load(&f->a->base.refs), refs + 1);
	assert_int_equal(atomic_load(&f->b->base.refs), refs + 1);
	f->set->args[0].mem = f->b;
	value = 6;
	memcpy(f->set->args[1].value, &value, sizeof(value));
	assert_int_equal(command_keep(kept, &again), CL_SUCCESS); /* of a snapshot too */
	assert_ptr_equal(again->launch.args[0].mem, f->a);
	assert_ptr_equal(kept->launch.args[0].mem, f->a);
	assert_int_equal(*(uint32_t *)kept->launch.args[1].value, 5);
	assert_ptr_not_equal(again->launch.args[1].value, kept->launch.args[1].value);
	command_drop(kept);
	assert_int_equal(*(uint32_t *)again->launch.args[1].value, 5);
	command_drop(again);
	command_drop(NULL);
	assert_int_equal(atomic_load(&f->a->base.refs), refs);
	assert_int_equal(atomic_load(&f->b->base.refs), refs);
	assert_int_equal(atomic_load(&f->set->base.refs), 1);
}

/* Buffers may be released while commands that use them are in flight. */
static void objects_live_until_the_command_is_done(void **state)
{
	struct queue_fixture *f = *state;
	struct mem *mem;

	assert_int_equal(
		mem_create_buffer(f->context, NULL, 0, 2 * FIXTURE_BYTES, NULL, &mem), CL_SUCCESS);
	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(queue_fixture_launch(f->queue, f->set, mem, 1, 0, NULL, NULL), 0);
	assert_int_equal(copy_buffer(f->queue, mem, f->a, 0, 0, FIXTURE_BYTES, NO_EVENTS), 0);
	int live = l0_fake.live;
	mem_put(mem);
	assert_int_equal(l0_fake.live, live);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	queue_fixture_check(f->queue, f->a, 1);
	assert_true(l0_fake.live < live);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(migrations_are_checked),
		TEST(kernels_are_checked),
		TEST(a_kept_command_has_its_own_arguments),
		TEST(objects_live_until_the_command_is_done),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
