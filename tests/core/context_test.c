// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include "core/base/info.h"
#include "core/base/error.h"

#include <string.h>

static char order[8];

static void CL_CALLBACK gone(cl_context context, void *data)
{
	(void)context;
	strncat(order, data, 1);
}

/* Destructors run newest first, when the last holder lets go. */
static void test_destructors(void **state)
{
	struct queue_fixture *f = *state;
	cl_device_id device = device_handle(f->context->devices[0]);
	struct context *context;
	struct mem *mem;

	order[0] = '\0';
	assert_int_equal(context_create(NULL, 1, &device, NULL, NULL, &context), CL_SUCCESS);
	assert_int_equal(context_add_destructor(context, gone, "a"), CL_SUCCESS);
	assert_int_equal(context_add_destructor(context, gone, "b"), CL_SUCCESS);
	assert_int_equal(mem_create_buffer(context, NULL, 0, 64, NULL, &mem), CL_SUCCESS);
	assert_int_equal(obj_release(context, OBJ_CONTEXT), CL_SUCCESS);
	assert_string_equal(order, "");
	mem_put(mem);
	assert_string_equal(order, "ba");
}

static void test_notify(void **state)
{
	struct queue_fixture *f = *state;
	struct mem *mem;

	error_done("clCreateBuffer", f->context,
		mem_create_buffer(f->context, NULL, 0, 0, NULL, &mem));
	assert_int_equal(f->reports, 1);
	assert_non_null(strstr(f->report, "clCreateBuffer: CL_INVALID_BUFFER_SIZE: "));
	error_done("clGetMemObjectInfo", f->a, mem_info(f->a, 0, INFO(0, NULL, NULL)));
	assert_int_equal(f->reports, 2);
	assert_non_null(strstr(f->report, "CL_INVALID_VALUE"));
}

/* Duplicates are one device. */
static void test_duplicates(void **state)
{
	struct queue_fixture *f = *state;
	cl_device_id devices[3];
	cl_device_id got[3];
	size_t size;
	struct context *context;

	for (int i = 0; i < 3; i++)
		devices[i] = device_handle(f->context->devices[0]);
	assert_int_equal(context_create(NULL, 3, devices, NULL, NULL, &context), CL_SUCCESS);
	assert_int_equal(context_info(context, CL_CONTEXT_DEVICES, INFO(sizeof got, got, &size)),
		CL_SUCCESS);
	assert_int_equal(size, sizeof *got);
	assert_ptr_equal(got[0], devices[0]);
	context_put(context);
}

static void test_failures(void **state)
{
	struct queue_fixture *f = *state;
	cl_device_id device = device_handle(f->context->devices[0]);
	int live = l0_fake.live;

	for (unsigned n = 1; n < 20; n++) {
		struct context *context = NULL;

		l0_fake.failed = false;
		l0_fake.fail_after = n;
		cl_int rc = context_create(NULL, 1, &device, NULL, NULL, &context);
		l0_fake.fail_after = 0;
		assert_int_equal(rc != CL_SUCCESS, l0_fake.failed);
		context_put(context);
		assert_int_equal(l0_fake.live, live);
		if (!l0_fake.failed)
			return;
	}
	fail();
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_destructors),
		TEST(test_notify),
		TEST(test_duplicates),
		TEST(test_failures),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
