// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include "core/base/info.h"
static void bad_properties_are_refused(void **state)
{
	struct queue_fixture *f = *state;
	struct device *device = f->context->devices[0];
	struct queue *queue = NULL;
	const struct {
		cl_queue_properties list[5];
		cl_int want;
	} rows[] = {
		{ { CL_QUEUE_PROPERTIES,
			  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE, 0 },
			CL_INVALID_QUEUE_PROPERTIES },
		{ { CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0 }, CL_INVALID_QUEUE_PROPERTIES },
		{ { CL_QUEUE_PROPERTIES, 1u << 20, 0 }, CL_INVALID_VALUE },
		{ { CL_QUEUE_SIZE, 4096, 0 }, CL_INVALID_QUEUE_PROPERTIES },
		{ { 0x7777, 1, 0 }, CL_INVALID_VALUE },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(
			queue_create(f->context, device, rows[i].list, &queue), rows[i].want);
	assert_int_equal(queue_create(NULL, device, NULL, &queue), CL_INVALID_CONTEXT);
	assert_int_equal(queue_create(f->context, NULL, NULL, &queue), CL_INVALID_DEVICE);
	assert_int_equal(
		queue_create_flags(f->context, device, 1u << 20, &queue), CL_INVALID_VALUE);
	assert_int_equal(queue_create_flags(f->context, NULL, 0, &queue), CL_INVALID_DEVICE);
	assert_int_equal(queue_create_flags(NULL, device, 0, &queue), CL_INVALID_CONTEXT);
	assert_null(queue);
	assert_int_equal(queue_release(NULL), CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(queue_flush(NULL), CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(queue_finish(NULL), CL_INVALID_COMMAND_QUEUE);
}

static void infos_are_right(void **state)
{
	struct queue_fixture *f = *state;
	struct device *device = f->context->devices[0];
	const cl_queue_properties given[] = { CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0 };
	cl_queue_properties list[3] = { 9, 9, 9 };
	cl_command_queue_properties flags;
	struct queue *queue;
	cl_device_id id;
	cl_context context;
	cl_uint count;
	size_t size = 99;

	assert_int_equal(queue_create(f->context, device, given, &queue), CL_SUCCESS);
	assert_int_equal(
		queue_info(queue, CL_QUEUE_PROPERTIES, INFO(sizeof(flags), &flags, NULL)), 0);
	assert_int_equal(flags, CL_QUEUE_PROFILING_ENABLE);
	assert_int_equal(
		queue_info(queue, CL_QUEUE_PROPERTIES_ARRAY, INFO(sizeof(list), list, &size)), 0);
	assert_int_equal(size, sizeof(given));
	assert_memory_equal(list, given, sizeof(given));
	assert_int_equal(queue_info(queue, CL_QUEUE_DEVICE, INFO(sizeof(id), &id, NULL)), 0);
	assert_ptr_equal(id, device_handle(device));
	assert_int_equal(
		queue_info(queue, CL_QUEUE_CONTEXT, INFO(sizeof(context), &context, NULL)), 0);
	assert_ptr_equal(context, context_handle(f->context));
	assert_int_equal(
		queue_info(queue, CL_QUEUE_REFERENCE_COUNT, INFO(sizeof(count), &count, NULL)), 0);
	assert_int_equal(count, 1);
	assert_int_equal(queue_info(queue, CL_QUEUE_SIZE, INFO(sizeof(count), &count, NULL)),
		CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(queue_info(queue, 0, INFO(sizeof(count), &count, NULL)), CL_INVALID_VALUE);
	assert_int_equal(queue_info(queue, CL_QUEUE_DEVICE, INFO(1, &id, NULL)), CL_INVALID_VALUE);
	assert_int_equal(queue_info(NULL, CL_QUEUE_DEVICE, INFO(sizeof(id), &id, NULL)),
		CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(
		queue_info(f->queue, CL_QUEUE_PROPERTIES_ARRAY, INFO(sizeof(list), list, &size)),
		0);
	assert_int_equal(size, 0);
	assert_int_equal(queue_release(queue), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(bad_properties_are_refused),
		TEST(infos_are_right),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
