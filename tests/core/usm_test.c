// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include "core/memory/svm.h"
#include "core/memory/usm.h"
#include "core/command/usm_command.h"
#include "l0/l0_private.h"

#include <stdlib.h>
#include <string.h>

#define BLOCKS 200

/* Any pointer into an allocation finds it, and none beside it. */
static void test_find(void **state)
{
	struct context *context = ((struct queue_fixture *)*state)->context;
	void *pointers[BLOCKS];
	struct usm_block block;
	char here;

	for (unsigned i = 0; i < BLOCKS; i++)
		assert_int_equal(svm_alloc(context, 0, 100 + i, 0, &pointers[i]), CL_SUCCESS);
	assert_false(usm_find(context, NULL, &block));
	assert_false(usm_find(context, &here, &block));
	for (unsigned i = 0; i < BLOCKS; i++) {
		char *p = pointers[i];

		for (unsigned at = 0; at < 100 + i; at += 33) {
			assert_true(usm_find(context, p + at, &block));
			assert_ptr_equal(block.address, p);
			assert_int_equal(block.size, 100 + i);
		}
		block.size = SIZE_MAX; /* what is not found is left alone */
		assert_false(usm_find(context, p + 100 + i, &block));
		assert_int_equal(block.size, SIZE_MAX);
		assert_false(usm_find(context, p - 1, &block));
	}
	for (unsigned i = 0; i < BLOCKS; i += 2)
		svm_free(context, pointers[i]);
	for (unsigned i = 0; i < BLOCKS; i++)
		assert_int_equal(usm_find(context, pointers[i], &block), i % 2);
	svm_free(context, (char *)pointers[1] + 1); /* no beginning */
	svm_free(context, &here);
	assert_true(usm_find(context, pointers[1], &block));
	for (unsigned i = 1; i < BLOCKS; i += 2)
		svm_free(context, pointers[i]);
	for (unsigned i = 0; i < BLOCKS; i++)
		assert_false(usm_find(context, pointers[i], &block));
}

/* What the application forgot goes with the context; queue_fixture_teardown counts. */
static void test_forgotten(void **state)
{
	struct context *context = ((struct queue_fixture *)*state)->context;
	void *p, *q;

	assert_int_equal(svm_alloc(context, 0, 100, 0, &p), CL_SUCCESS);
	assert_int_equal(usm_alloc(context, USM_HOST, NULL, NULL, 100, 0, &q), CL_SUCCESS);
	assert_int_equal(usm_keep(context, q), CL_SUCCESS);
}

/* Memory of a device is of no use to the processor: everything is left to the device. */
static void test_device_memory(void **state)
{
	struct queue_fixture *f = *state;
	cl_device_id device = device_handle(f->context->devices[0]);
	static unsigned char bytes[3 << 20], back[3 << 20];
	unsigned char pattern = 0x5c;
	void *p;

	assert_int_equal(
		usm_alloc(f->context, USM_DEVICE, device, NULL, sizeof bytes, 0, &p), CL_SUCCESS);
	for (unsigned i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)(i * 11);
	unsigned appends = l0_fake.appends;
	assert_int_equal(usm_copy(f->queue, CL_COMMAND_MEMCPY_INTEL, CL_TRUE, p, bytes,
				 sizeof bytes, NO_EVENTS),
		CL_SUCCESS);
	assert_true(l0_fake.appends > appends);
	appends = l0_fake.appends;
	assert_int_equal(
		usm_fill(f->queue, CL_COMMAND_MEMFILL_INTEL, p, &pattern, 1, 1000, NO_EVENTS),
		CL_SUCCESS);
	assert_true(l0_fake.appends > appends);
	appends = l0_fake.appends;
	memset(back, 0xee, sizeof back);
	assert_int_equal(usm_copy(f->queue, CL_COMMAND_MEMCPY_INTEL, CL_TRUE, back, p, sizeof back,
				 NO_EVENTS),
		CL_SUCCESS);
	assert_true(l0_fake.appends > appends);
	for (unsigned i = 0; i < sizeof back; i++)
		assert_int_equal(back[i], i < 1000 ? 0x5c : (unsigned char)(i * 11));
	assert_int_equal(usm_free(f->context, p), CL_SUCCESS);
}

/* Memory of the system's the device does not touch, not even when it is busy. */
static void test_system_memory(void **state)
{
	struct queue_fixture *f = *state;
	char from[64], to[64], pattern[2] = { 1, 2 };

	memset(from, 7, sizeof from);
	memset(to, 0, sizeof to);
	l0_fake.mode = L0_FAKE_BY_HAND;
	assert_int_equal(
		queue_fixture_launch(f->queue, f->set, f->a, 5, 0, NULL, NULL), CL_SUCCESS);
	unsigned appends = l0_fake.appends;
	assert_int_equal(
		usm_copy(f->queue, CL_COMMAND_MEMCPY_INTEL, CL_FALSE, to, from, 64, NO_EVENTS),
		CL_SUCCESS);
	assert_int_equal(
		usm_fill(f->queue, CL_COMMAND_MEMFILL_INTEL, to, pattern, 2, 10, NO_EVENTS),
		CL_SUCCESS);
	assert_int_equal(to[0], 0);
	l0_fake.mode = L0_FAKE_AT_QUERY;
	assert_int_equal(queue_finish(f->queue), CL_SUCCESS);
	assert_int_equal(l0_fake.appends, appends);
	for (unsigned i = 0; i < 64; i++)
		assert_int_equal(to[i], i >= 10 ? 7 : i % 2 + 1);
}

static void test_keep(void **state)
{
	struct context *context = ((struct queue_fixture *)*state)->context;
	void *p, *q, *r;

	assert_int_equal(usm_alloc(context, USM_SHARED, NULL, NULL, 100, 0, &p), CL_SUCCESS);
	assert_int_equal(usm_alloc(context, USM_HOST, NULL, NULL, 100, 0, &q), CL_SUCCESS);
	assert_int_equal(usm_keep(context, (char *)p + 99), CL_SUCCESS);
	assert_int_equal(usm_keep(context, (char *)p), CL_SUCCESS);
	assert_int_equal(usm_keep(context, (char *)p + 100), CL_INVALID_VALUE);
	assert_int_equal(l0_fake_n_resident(p), 1);
	assert_int_equal(l0_fake_n_resident(q), 0);
	assert_int_equal(usm_keep_type(context, USM_HOST), CL_SUCCESS);
	assert_int_equal(l0_fake_n_resident(q), 1);
	assert_int_equal(usm_alloc(context, USM_HOST, NULL, NULL, 100, 0, &r), CL_SUCCESS);
	assert_int_equal(l0_fake_n_resident(r), 1);
	assert_int_equal(usm_free(context, p), CL_SUCCESS);
	assert_int_equal(usm_free_blocking(context, q), CL_SUCCESS);
	assert_int_equal(usm_free(context, r), CL_SUCCESS);
}

/* The free that blocks waits for all queues; the other for none. */
static void test_blocking_free(void **state)
{
	struct queue_fixture *f = *state;
	void *p;

	assert_int_equal(usm_alloc(f->context, USM_HOST, NULL, NULL, 100, 0, &p), CL_SUCCESS);
	assert_int_equal(
		queue_fixture_launch(f->queue, f->set, f->a, 5, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(
		queue_fixture_launch(f->other, f->add, f->b, 5, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(usm_free_blocking(f->context, p), CL_SUCCESS);
	assert_int_equal(l0_fake_pending(), 0);
	assert_true(queue_is_idle(f->queue) && queue_is_idle(f->other));
}

#define TEST(name)                                                                                 \
	cmocka_unit_test_setup_teardown(name, queue_fixture_setup, queue_fixture_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_find),
		TEST(test_forgotten),
		TEST(test_device_memory),
		TEST(test_system_memory),
		TEST(test_keep),
		TEST(test_blocking_free),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
