// SPDX-License-Identifier: MIT
/* Events: status, wait lists, profiling, user events, callbacks. */
#include "cl/cl_case.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char source[] =
	"kernel void inc(global uint *p) { p[get_global_id(0)] += 1; }\n"
	"kernel void twice(global uint *p) { p[get_global_id(0)] *= 2; }\n"
	"kernel void work(global uint *p, uint n)\n"
	"{ uint v = p[get_global_id(0)]; for (uint i = 0; i < n; i++) v = v * 1664525u + i;\n"
	"  p[get_global_id(0)] = v; }\n";

static cl_int status_of(cl_event event)
{
	cl_int status = 4711;

	CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
	return status;
}

static cl_ulong time_of(cl_event event, cl_profiling_info param)
{
	cl_ulong time = 0;

	CL(clGetEventProfilingInfo(event, param, sizeof time, &time, NULL));
	return time;
}

static void test_infos(void **state)
{
	cl_uint value = 1;
	cl_command_queue queue;
	cl_context context;
	cl_command_type type;
	cl_event event;

	(void)state;
	cl_mem buffer = cl_make_buffer(sizeof value, &value);
	CL(clEnqueueWriteBuffer(
		cl.queue, buffer, CL_FALSE, 0, sizeof value, &value, 0, NULL, &event));
	CL(clWaitForEvents(1, &event));
	assert_int_equal(status_of(event), CL_COMPLETE);
	CL(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
	assert_ptr_equal(queue, cl.queue);
	CL(clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, &context, NULL));
	assert_ptr_equal(context, cl.context);
	CL(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
	assert_int_equal(type, CL_COMMAND_WRITE_BUFFER);
	CL(clReleaseEvent(event));
	CL(clReleaseMemObject(buffer));
}

static void test_profiling(void **state)
{
	static cl_uint data[1024];
	cl_ulong last_end = 0;

	(void)state;
	cl_kernel kernel = cl_make_kernel(source, "", "work");
	cl_mem buffer = cl_make_buffer(sizeof data, data);
	cl_set_buffer(kernel, 0, buffer);
	for (int i = 0; i < 5; i++) {
		size_t n = 1024;
		cl_event event;

		cl_set_uint(kernel, 1, 1 + 40 * (cl_uint)i);
		CL(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &n, NULL, 0, NULL, &event));
		CL(clWaitForEvents(1, &event));
		cl_ulong queued = time_of(event, CL_PROFILING_COMMAND_QUEUED);
		cl_ulong submit = time_of(event, CL_PROFILING_COMMAND_SUBMIT);
		cl_ulong start = time_of(event, CL_PROFILING_COMMAND_START);
		cl_ulong end = time_of(event, CL_PROFILING_COMMAND_END);
		assert_true(queued > 0);
		assert_true(queued <= submit);
		assert_true(submit <= start);
		assert_true(start <= end);
		assert_true(end - queued < 60000000000ull);
		assert_true(end >= last_end);
		last_end = end;
		CL(clReleaseEvent(event));
	}
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernel);
}

static void test_no_profiling(void **state)
{
	cl_uint value = 1;
	cl_ulong time;
	cl_event event;
	cl_int rc;

	(void)state;
	cl_command_queue queue = clCreateCommandQueue(cl.context, cl.device, 0, &rc);
	CL(rc);
	cl_mem buffer = cl_make_buffer(sizeof value, &value);
	CL(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL, &event));
	CL_ROW(CL_PROFILING_INFO_NOT_AVAILABLE,
		clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
	cl_rows_end();
	CL(clReleaseEvent(event));
	CL(clReleaseMemObject(buffer));
	CL(clReleaseCommandQueue(queue));
}

/* Two queues that hand a value back and forth by events alone. */
static void test_two_queues(void **state)
{
	cl_command_queue queues[2] = { cl.queue, NULL };
	cl_kernel kernels[2];
	cl_event event = NULL;
	cl_uint value = 1, want = 1, got = 0;
	size_t one = 1;
	cl_int rc;

	(void)state;
	queues[1] = clCreateCommandQueue(cl.context, cl.device, 0, &rc);
	CL(rc);
	kernels[0] = cl_make_kernel(source, "", "inc");
	kernels[1] = cl_make_kernel(source, "", "twice");
	cl_mem buffer = cl_make_buffer(sizeof value, &value);
	cl_set_buffer(kernels[0], 0, buffer);
	cl_set_buffer(kernels[1], 0, buffer);
	for (int i = 0; i < 20; i++) {
		cl_event next;

		CL(clEnqueueNDRangeKernel(queues[i % 2], kernels[i % 2], 1, NULL, &one, NULL,
			event ? 1 : 0, event ? &event : NULL, &next));
		CL(clFlush(queues[i % 2]));
		if (event)
			CL(clReleaseEvent(event));
		event = next;
		want = i % 2 ? want * 2 : want + 1;
	}
	CL(clEnqueueReadBuffer(cl.queue, buffer, CL_TRUE, 0, sizeof got, &got, 1, &event, NULL));
	assert_int_equal(got, want);
	CL(clReleaseEvent(event));
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernels[0]);
	cl_kernel_done(kernels[1]);
	CL(clReleaseCommandQueue(queues[1]));
}

static void test_user_event(void **state)
{
	cl_kernel kernel = cl_make_kernel(source, "", "inc");
	cl_uint value = 5, got = 0;
	size_t one = 1;
	cl_event after;
	cl_int rc;

	(void)state;
	cl_mem buffer = cl_make_buffer(sizeof value, &value);
	cl_event gate = clCreateUserEvent(cl.context, &rc);
	CL(rc);
	assert_int_equal(status_of(gate), CL_SUBMITTED);
	cl_set_buffer(kernel, 0, buffer);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 1, &gate, &after));
	CL(clFlush(cl.queue));
	usleep(20000);
	assert_true(status_of(after) > CL_COMPLETE);
	/* Another queue is not held up. */
	cl_command_queue other = clCreateCommandQueue(cl.context, cl.device, 0, &rc);
	CL(rc);
	CL(clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
	assert_int_equal(got, 5);
	CL(clReleaseCommandQueue(other));
	CL(clSetUserEventStatus(gate, CL_COMPLETE));
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_INVALID_OPERATION);
	CL(clWaitForEvents(1, &after));
	cl_read(buffer, sizeof got, &got);
	assert_int_equal(got, 6);
	CL(clReleaseEvent(after));
	CL(clReleaseEvent(gate));
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernel);
}

/* A failed user event fails what waits for it, and only that. */
static void test_failed_user_event(void **state)
{
	cl_kernel kernel = cl_make_kernel(source, "", "inc");
	cl_uint value = 5, got = 0;
	size_t one = 1;
	cl_event after;
	cl_int rc;

	(void)state;
	cl_command_queue queue = clCreateCommandQueue(cl.context, cl.device, 0, &rc);
	CL(rc);
	cl_mem buffer = cl_make_buffer(sizeof value, &value);
	cl_event gate = clCreateUserEvent(cl.context, &rc);
	CL(rc);
	cl_set_buffer(kernel, 0, buffer);
	CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 1, &gate, &after));
	CL(clSetUserEventStatus(gate, -55));
	assert_int_equal(clWaitForEvents(1, &after), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_true(status_of(after) < 0);
	CL(clFinish(queue));
	cl_read(buffer, sizeof got, &got);
	assert_int_equal(got, 5);
	CL(clReleaseEvent(after));
	CL(clReleaseEvent(gate));
	CL(clReleaseCommandQueue(queue));
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernel);
}

struct heard {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int calls;
	cl_int statuses[8];
};

static void CL_CALLBACK hear(cl_event event, cl_int status, void *data)
{
	struct heard *heard = data;

	(void)event;
	pthread_mutex_lock(&heard->lock);
	heard->statuses[heard->calls++] = status;
	pthread_cond_broadcast(&heard->changed);
	pthread_mutex_unlock(&heard->lock);
}

static void test_callbacks(void **state)
{
	struct heard heard = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, { 0 } };
	cl_uint value = 1;
	cl_event event;

	(void)state;
	cl_mem buffer = cl_make_buffer(sizeof value, &value);
	CL(clEnqueueWriteBuffer(
		cl.queue, buffer, CL_FALSE, 0, sizeof value, &value, 0, NULL, &event));
	CL(clSetEventCallback(event, CL_COMPLETE, hear, &heard));
	CL(clSetEventCallback(event, CL_RUNNING, hear, &heard));
	CL(clSetEventCallback(event, CL_SUBMITTED, hear, &heard));
	CL(clFlush(cl.queue));
	pthread_mutex_lock(&heard.lock);
	while (heard.calls < 3)
		pthread_cond_wait(&heard.changed, &heard.lock);
	pthread_mutex_unlock(&heard.lock);
	CL(clReleaseEvent(event));
	CL(clReleaseMemObject(buffer));
}

static void test_marker_and_barrier(void **state)
{
	cl_kernel kernel = cl_make_kernel(source, "", "inc");
	cl_uint value = 0, got = 0;
	cl_event events[3];

	(void)state;
	cl_mem buffer = cl_make_buffer(sizeof value, &value);
	cl_set_buffer(kernel, 0, buffer);
	cl_launch(kernel, 1, 1);
	CL(clEnqueueMarkerWithWaitList(cl.queue, 0, NULL, &events[0]));
	cl_launch(kernel, 1, 1);
	CL(clEnqueueBarrierWithWaitList(cl.queue, 1, &events[0], &events[1]));
	CL(clEnqueueMigrateMemObjects(
		cl.queue, 1, &buffer, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, &events[2]));
	CL(clWaitForEvents(3, events));
	for (int i = 0; i < 3; i++) {
		assert_int_equal(status_of(events[i]), CL_COMPLETE);
		CL(clReleaseEvent(events[i]));
	}
	cl_read(buffer, sizeof got, &got);
	assert_int_equal(got, 2);
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernel);
}

/* Many events at once, released in odd order, some before they are done. */
static void test_many_events(void **state)
{
	enum { COUNT = 2000 };
	cl_kernel kernel = cl_make_kernel(source, "", "inc");
	cl_event *events = calloc(COUNT, sizeof *events);
	cl_uint value = 0, got = 0;
	size_t one = 1;

	(void)state;
	cl_mem buffer = cl_make_buffer(sizeof value, &value);
	cl_set_buffer(kernel, 0, buffer);
	for (int i = 0; i < COUNT; i++) {
		CL(clEnqueueNDRangeKernel(
			cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, &events[i]));
		if (i % 3 == 0) {
			CL(clReleaseEvent(events[i]));
			events[i] = NULL;
		}
	}
	for (int i = COUNT; i-- > 0;) {
		if (!events[i])
			continue;
		if (i % 100 == 1)
			CL(clWaitForEvents(1, &events[i]));
		CL(clReleaseEvent(events[i]));
	}
	cl_read(buffer, sizeof got, &got);
	assert_int_equal(got, COUNT);
	CL(clReleaseMemObject(buffer));
	free(events);
	cl_kernel_done(kernel);
}

static void *enqueue_many(void *data)
{
	cl_mem buffer = data;
	cl_kernel kernel = cl_make_kernel(source, "", "inc");
	cl_int rc;
	cl_command_queue queue = clCreateCommandQueue(cl.context, cl.device, 0, &rc);
	size_t n = 64;

	cl_set_buffer(kernel, 0, buffer);
	for (int i = 0; i < 50 && !rc; i++)
		rc = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
	clFinish(queue);
	clReleaseCommandQueue(queue);
	cl_kernel_done(kernel);
	return rc ? data : NULL;
}

static void test_threads(void **state)
{
	enum { THREADS = 4 };
	pthread_t threads[THREADS];
	cl_mem buffers[THREADS];
	static const cl_uint zeros[64];

	(void)state;
	for (int i = 0; i < THREADS; i++) {
		buffers[i] = cl_make_buffer(sizeof zeros, zeros);
		assert_int_equal(pthread_create(&threads[i], NULL, enqueue_many, buffers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		cl_uint got[64];
		void *failed;

		pthread_join(threads[i], &failed);
		assert_null(failed);
		memset(got, 0xee, sizeof got);
		cl_read(buffers[i], sizeof got, got);
		for (int k = 0; k < 64; k++)
			assert_int_equal(got[k], 50);
		CL(clReleaseMemObject(buffers[i]));
	}
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_infos),
		cmocka_unit_test(test_profiling),
		cmocka_unit_test(test_no_profiling),
		cmocka_unit_test(test_two_queues),
		cmocka_unit_test(test_user_event),
		cmocka_unit_test(test_failed_user_event),
		cmocka_unit_test(test_callbacks),
		cmocka_unit_test(test_marker_and_barrier),
		cmocka_unit_test(test_many_events),
		cmocka_unit_test(test_threads),
	};

	return CL_RUN(argc, argv, tests);
}
