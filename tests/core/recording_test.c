// SPDX-License-Identifier: MIT
/* Replays of a command buffer that are in flight at the same time. */
#include "queue_fixture.h"

#include "core/command_buffer/command_buffer.h"
#include "core/command_buffer/command_buffer_record.h"

#define REPLAYS 20

static const uint32_t poison = 0xdeadbeef;

/* A command buffer that copies a to b. */
static struct command_buffer *make_copier(struct queue_fixture *f)
{
	cl_command_queue queue = queue_handle(f->queue);
	struct command_buffer *buffer;

	assert_int_equal(command_buffer_create(1, &queue, NULL, &buffer), CL_SUCCESS);
	const struct record record = { .buffer = buffer, .type = CL_COMMAND_COPY_BUFFER };
	cl_int rc = record_begin(&record);
	assert_int_equal(rc, CL_SUCCESS);
	rc = record_end(&record,
		copy_buffer(record_queue(&record), f->a, f->b, 0, 0, FIXTURE_BYTES, NO_EVENTS));
	assert_int_equal(rc, CL_SUCCESS);
	assert_int_equal(command_buffer_finalize(buffer), CL_SUCCESS);
	return buffer;
}

static void replay(struct command_buffer *buffer)
{
	assert_int_equal(command_buffer_enqueue(0, NULL, buffer, NO_EVENTS), CL_SUCCESS);
}

/* Each replay is on the device before the one before it is done. The fake refuses that of a list.
 */
static void test_in_flight(void **state)
{
	struct queue_fixture *f = *state;
	struct command_buffer *buffer = make_copier(f);

	for (int i = 0; i < REPLAYS; i++) {
		l0_fake.mode = L0_FAKE_BY_HAND;
		assert_int_equal(queue_fixture_launch(
					 f->queue, f->set, f->a, 100u * (uint32_t)i, 0, NULL, NULL),
			CL_SUCCESS);
		replay(buffer);
		assert_int_equal(queue_flush(f->queue), CL_SUCCESS);
		assert_int_equal(copy_fill(f->queue, i % 2 ? f->a : f->b, &poison, sizeof poison, 0,
					 FIXTURE_BYTES, NO_EVENTS),
			CL_SUCCESS);
		replay(buffer);
		assert_int_equal(queue_flush(f->queue), CL_SUCCESS);
		l0_fake.mode = L0_FAKE_AT_QUERY;
		if (i % 2 == 0)
			queue_fixture_check(f->queue, f->b, 100u * (uint32_t)i);
	}
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	assert_int_equal(
		obj_release(command_buffer_handle(buffer), OBJ_COMMAND_BUFFER), CL_SUCCESS);
}

/* Replays one after the other use the same recording; a burst leaves a few for the next. */
static void test_reuse(void **state)
{
	struct queue_fixture *f = *state;
	struct command_buffer *buffer = make_copier(f);
	unsigned appends;

	for (int i = 0; i < 3; i++) {
		appends = l0_fake.appends;
		replay(buffer);
		assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
		assert_int_equal(l0_fake.appends, appends);
	}
	l0_fake.mode = L0_FAKE_BY_HAND;
	for (int i = 0; i < REPLAYS; i++)
		replay(buffer);
	assert_true(l0_fake.appends > appends);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	appends = l0_fake.appends;
	l0_fake.mode = L0_FAKE_BY_HAND;
	for (int i = 0; i < 4; i++)
		replay(buffer);
	assert_int_equal(l0_fake.appends, appends);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	/* the buffer lives until its replays are done */
	assert_int_equal(
		obj_release(command_buffer_handle(buffer), OBJ_COMMAND_BUFFER), CL_SUCCESS);
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_in_flight),
		TEST(test_reuse),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
