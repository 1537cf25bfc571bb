// SPDX-License-Identifier: MIT
/* Semaphores: order between queues, and the errors of the entry points. */
#include "cl/cl_case.h"

#include <string.h>

#define N     4096
#define BYTES (N * sizeof(cl_uint))
#define TYPE  CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR

static clCreateSemaphoreWithPropertiesKHR_fn create;
static clEnqueueWaitSemaphoresKHR_fn wait_for;
static clEnqueueSignalSemaphoresKHR_fn give;
static clGetSemaphoreInfoKHR_fn info;
static clRetainSemaphoreKHR_fn retain;
static clReleaseSemaphoreKHR_fn release;

static void find(void *slot, const char *name)
{
	void *function = clGetExtensionFunctionAddressForPlatform(cl.platform, name);

	assert_non_null(function);
	memcpy(slot, &function, sizeof(function));
}

static void load(void)
{
	skip_if(!cl_has("cl_khr_semaphore"));
	find(&create, "clCreateSemaphoreWithPropertiesKHR");
	find(&wait_for, "clEnqueueWaitSemaphoresKHR");
	find(&give, "clEnqueueSignalSemaphoresKHR");
	find(&info, "clGetSemaphoreInfoKHR");
	find(&retain, "clRetainSemaphoreKHR");
	find(&release, "clReleaseSemaphoreKHR");
}

static cl_semaphore_khr make(void)
{
	const cl_semaphore_properties_khr properties[] = { TYPE, 0 };
	cl_int rc;
	cl_semaphore_khr semaphore = create(cl.context, properties, &rc);

	CL(rc);
	assert_non_null(semaphore);
	return semaphore;
}

static cl_command_queue make_queue(cl_command_queue_properties flags)
{
	const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES, flags, 0 };
	cl_int rc;
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(cl.context, cl.device, list, &rc);

	CL(rc);
	return queue;
}

static cl_semaphore_payload_khr payload(cl_semaphore_khr semaphore)
{
	cl_semaphore_payload_khr value = 4711;

	CL(info(semaphore, CL_SEMAPHORE_PAYLOAD_KHR, sizeof(value), &value, NULL));
	return value;
}

static void fill(cl_command_queue queue, cl_mem mem, cl_uint value)
{
	CL(clEnqueueFillBuffer(queue, mem, &value, 4, 0, BYTES, 0, NULL, NULL));
}

static void check(cl_mem mem, cl_uint want)
{
	static cl_uint got[N];

	memset(got, 0xee, sizeof(got));
	cl_read(mem, BYTES, got);
	for (int i = 0; i < N; i++)
		assert_int_equal(got[i], want);
}

/* The other queue's copy sees what this one's fill wrote, again and again. */
static void test_orders_queues(void **state)
{
	cl_mem a = cl_make_buffer(BYTES, NULL), b = cl_make_buffer(BYTES, NULL);

	(void)state;
	load();
	for (int kind = 0; kind < 2; kind++) {
		cl_command_queue other =
			make_queue(kind ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
		cl_semaphore_khr there = make(), back = make();
		cl_event event;

		for (cl_uint i = 1; i < 20; i++) {
			fill(cl.queue, a, i);
			CL(give(cl.queue, 1, &there, NULL, 0, NULL, NULL));
			CL(wait_for(other, 1, &there, NULL, 0, NULL, &event));
			CL(clEnqueueCopyBuffer(other, a, b, 0, 0, BYTES, 1, &event, NULL));
			CL(clReleaseEvent(event));
			CL(clEnqueueBarrierWithWaitList(other, 0, NULL, NULL));
			CL(give(other, 1, &back, NULL, 0, NULL, NULL));
			CL(clFlush(other));
			CL(wait_for(cl.queue, 1, &back, NULL, 0, NULL, NULL));
			check(b, i);
		}
		CL(release(there));
		CL(release(back));
		CL(clReleaseCommandQueue(other));
	}
	CL(clReleaseMemObject(a));
	CL(clReleaseMemObject(b));
}

/* A wait may come before the signal that it waits for. */
static void test_wait_comes_first(void **state)
{
	cl_mem a = cl_make_buffer(BYTES, NULL);

	(void)state;
	load();
	cl_command_queue other = make_queue(0);
	cl_semaphore_khr semaphore = make();
	cl_event event;
	cl_int status = 4711;

	fill(cl.queue, a, 1);
	CL(wait_for(cl.queue, 1, &semaphore, NULL, 0, NULL, &event));
	fill(cl.queue, a, 2);
	CL(clFlush(cl.queue));
	CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
	assert_true(status > CL_COMPLETE);
	CL(give(other, 1, &semaphore, NULL, 0, NULL, NULL));
	CL(clFlush(other));
	CL(clWaitForEvents(1, &event));
	check(a, 2);
	assert_int_equal(payload(semaphore), 0);
	CL(clReleaseEvent(event));
	CL(release(semaphore));
	CL(clReleaseCommandQueue(other));
	CL(clReleaseMemObject(a));
}

static void test_states(void **state)
{
	cl_semaphore_khr both[2];
	cl_event user, events[2];
	cl_command_type type = 0;
	cl_int rc;

	(void)state;
	load();
	both[0] = make();
	both[1] = make();
	user = clCreateUserEvent(cl.context, &rc);
	CL(rc);
	CL(give(cl.queue, 2, both, NULL, 1, &user, &events[0]));
	assert_int_equal(payload(both[0]), 0);
	CL(clSetUserEventStatus(user, CL_COMPLETE));
	CL(clWaitForEvents(1, events));
	assert_int_equal(payload(both[0]), 1);
	assert_int_equal(payload(both[1]), 1);
	CL(wait_for(cl.queue, 1, both, NULL, 0, NULL, &events[1]));
	CL(clWaitForEvents(1, &events[1]));
	assert_int_equal(payload(both[0]), 0);
	assert_int_equal(payload(both[1]), 1);
	for (int i = 0; i < 2; i++) {
		CL(clGetEventInfo(events[i], CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL));
		assert_int_equal(
			type, i ? CL_COMMAND_SEMAPHORE_WAIT_KHR : CL_COMMAND_SEMAPHORE_SIGNAL_KHR);
		CL(clReleaseEvent(events[i]));
	}
	/* a failed signal fails the wait */
	CL(clReleaseEvent(user));
	user = clCreateUserEvent(cl.context, &rc);
	CL(give(cl.queue, 1, both, NULL, 1, &user, NULL));
	CL(wait_for(cl.queue, 1, both, NULL, 0, NULL, events));
	CL(clSetUserEventStatus(user, -7));
	assert_int_equal(clWaitForEvents(1, events), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	CL(clReleaseEvent(events[0]));
	CL(clReleaseEvent(user));
	CL(release(both[0]));
	CL(release(both[1]));
}

static void test_infos(void **state)
{
	cl_semaphore_properties_khr list[] = { TYPE, 0x2053, 0, 0, 0 }, got[8];
	cl_context context;
	cl_uint value;
	size_t size;
	cl_int rc;

	(void)state;
	load();
	list[3] = (cl_semaphore_properties_khr)(uintptr_t)cl.device;
	cl_semaphore_khr semaphore = create(cl.context, list, &rc);
	CL(rc);
	CL(info(semaphore, CL_SEMAPHORE_CONTEXT_KHR, sizeof(context), &context, NULL));
	assert_ptr_equal(context, cl.context);
	CL(info(semaphore, CL_SEMAPHORE_TYPE_KHR, 4, &value, NULL));
	assert_int_equal(value, CL_SEMAPHORE_TYPE_BINARY_KHR);
	CL(info(semaphore, CL_SEMAPHORE_PROPERTIES_KHR, sizeof(got), got, &size));
	assert_int_equal(size, sizeof(list));
	assert_memory_equal(got, list, size);
	CL(info(semaphore, 0x2053, sizeof(got), got, &size));
	assert_int_equal(size, sizeof(cl_device_id));
	assert_int_equal(got[0], list[3]);
	CL(retain(semaphore));
	CL(info(semaphore, CL_SEMAPHORE_REFERENCE_COUNT_KHR, 4, &value, NULL));
	assert_int_equal(value, 2);
	CL(release(semaphore));
	CL_ROW(CL_INVALID_VALUE, info(semaphore, CL_SEMAPHORE_TYPE_KHR, 3, &value, NULL));
	CL_ROW(CL_INVALID_VALUE, info(semaphore, 0x4711, 4, &value, NULL));
	CL_ROW(CL_INVALID_SEMAPHORE_KHR, info(NULL, CL_SEMAPHORE_TYPE_KHR, 4, &value, NULL));
	cl_rows_end();
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_SEMAPHORE_TYPES_KHR, 4, &value, &size));
	assert_int_equal(size, 4);
	assert_int_equal(value, CL_SEMAPHORE_TYPE_BINARY_KHR);
	CL(clGetPlatformInfo(cl.platform, CL_PLATFORM_SEMAPHORE_TYPES_KHR, 4, &value, NULL));
	assert_int_equal(value, CL_SEMAPHORE_TYPE_BINARY_KHR);
	CL(release(semaphore));
}

static void test_create_errors(void **state)
{
	const cl_semaphore_properties_khr none[] = { 0 }, wrong[] = { CL_SEMAPHORE_TYPE_KHR, 2, 0 },
					  twice[] = { TYPE, TYPE, 0 }, other[] = { TYPE, 1, 1, 0 },
					  empty[] = { TYPE, 0x2053, 0, 0 },
					  bad[] = { TYPE, 0x2053, (uintptr_t)cl.platform, 0, 0 },
					  good[] = { TYPE, 0 };
	cl_int rc;

	(void)state;
	load();
	CL_ROW_MADE(CL_INVALID_CONTEXT, create(NULL, good, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, create(cl.context, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, create(cl.context, none, &rc));
	CL_ROW_MADE(CL_INVALID_PROPERTY, create(cl.context, wrong, &rc));
	CL_ROW_MADE(CL_INVALID_PROPERTY, create(cl.context, twice, &rc));
	CL_ROW_MADE(CL_INVALID_PROPERTY, create(cl.context, other, &rc));
	CL_ROW_MADE(CL_INVALID_DEVICE, create(cl.context, empty, &rc));
	CL_ROW_MADE(CL_INVALID_DEVICE, create(cl.context, bad, &rc));
	CL_ROW(CL_INVALID_SEMAPHORE_KHR, retain(NULL));
	CL_ROW(CL_INVALID_SEMAPHORE_KHR, release(NULL));
	CL_ROW(CL_INVALID_SEMAPHORE_KHR, release((cl_semaphore_khr)cl.queue));
	cl_rows_end();
}

static void test_enqueue_errors(void **state)
{
	cl_int rc;

	(void)state;
	load();
	cl_context other = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &rc);
	CL(rc);
	const cl_semaphore_properties_khr properties[] = { TYPE, 0 };
	cl_semaphore_khr semaphore = make(), foreign = create(other, properties, &rc), none = NULL;
	CL(rc);
	cl_event far = clCreateUserEvent(other, &rc), failed = clCreateUserEvent(cl.context, &rc),
		 null = NULL;
	CL(clSetUserEventStatus(failed, -1));
	for (int i = 0; i < 2; i++) {
		cl_int (*call)(cl_command_queue, cl_uint, const cl_semaphore_khr *,
			const cl_semaphore_payload_khr *, cl_uint, const cl_event *, cl_event *) =
			i ? wait_for : give;

		CL_ROW(CL_INVALID_COMMAND_QUEUE, call(NULL, 1, &semaphore, NULL, 0, NULL, NULL));
		CL_ROW(CL_INVALID_VALUE, call(cl.queue, 0, &semaphore, NULL, 0, NULL, NULL));
		CL_ROW(CL_INVALID_SEMAPHORE_KHR, call(cl.queue, 1, &none, NULL, 0, NULL, NULL));
		CL_ROW(CL_INVALID_CONTEXT, call(cl.queue, 1, &foreign, NULL, 0, NULL, NULL));
		CL_ROW(CL_INVALID_CONTEXT, call(cl.queue, 1, &semaphore, NULL, 1, &far, NULL));
		CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
			call(cl.queue, 1, &semaphore, NULL, 1, NULL, NULL));
		CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
			call(cl.queue, 1, &semaphore, NULL, 0, &far, NULL));
		CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
			call(cl.queue, 1, &semaphore, NULL, 1, &null, NULL));
		CL_ROW(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
			call(cl.queue, 1, &semaphore, NULL, 1, &failed, NULL));
	}
	cl_rows_end();
	CL(clReleaseEvent(far));
	CL(clReleaseEvent(failed));
	CL(release(semaphore));
	CL(release(foreign));
	CL(clReleaseContext(other));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orders_queues),
		cmocka_unit_test(test_wait_comes_first),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_infos),
		cmocka_unit_test(test_create_errors),
		cmocka_unit_test(test_enqueue_errors),
	};

	return CL_RUN(argc, argv, tests);
}
