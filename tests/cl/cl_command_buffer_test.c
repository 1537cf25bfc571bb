// SPDX-License-Identifier: MIT
/* Command buffers: what is recorded, what a replay does, and the errors of the entry points. */
#include "cl/cl_command_buffer.h"

#include <string.h>

#define N     256
#define BYTES (N * sizeof(cl_uint))
#define NONE  0, NULL, NULL, NULL /* no waits, no sync point, no handle */

static const char source[] =
	"kernel void add(global uint *o, uint v) { o[get_global_id(0)] += v; }\n"
	"kernel void mul(global uint *o, uint v) { o[get_global_id(0)] *= v; }\n";

struct fixture {
	cl_program program;
	cl_kernel add, mul;
	cl_mem a, b;
	cl_uint got[N];
};

static cl_kernel make_kernel(struct fixture *f, const char *name, cl_uint value)
{
	cl_int rc;
	cl_kernel kernel = clCreateKernel(f->program, name, &rc);

	CL(rc);
	cl_set_buffer(kernel, 0, f->a);
	cl_set_uint(kernel, 1, value);
	return kernel;
}

static int setup(void **state)
{
	static struct fixture f;

	*state = &f;
	f = (struct fixture){ 0 };
	memset(f.got, 0xcc, sizeof(f.got));
	f.program = cl_build(source, "");
	f.a = cl_make_buffer(BYTES, f.got);
	f.b = cl_make_buffer(BYTES, f.got);
	f.add = make_kernel(&f, "add", 5);
	f.mul = make_kernel(&f, "mul", 3);
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	CL(clReleaseKernel(f->add));
	CL(clReleaseKernel(f->mul));
	CL(clReleaseMemObject(f->a));
	CL(clReleaseMemObject(f->b));
	CL(clReleaseProgram(f->program));
	return 0;
}

static void fill(struct fixture *f, cl_mem mem, cl_uint value)
{
	(void)f;
	CL(clEnqueueFillBuffer(cl.queue, mem, &value, 4, 0, BYTES, 0, NULL, NULL));
}

static void check(struct fixture *f, cl_mem mem, cl_uint want)
{
	memset(f->got, 0xee, sizeof(f->got));
	cl_read(mem, BYTES, f->got);
	for (int i = 0; i < N; i++)
		assert_int_equal(f->got[i], want);
}

static void launch(cl_command_buffer_khr buffer, cl_kernel kernel)
{
	CL(cb.launch(buffer, NULL, NULL, kernel, 1, NULL, &(size_t){ N }, NULL, NONE));
}

/* add, mul, add, copied to b: ((x + 5) * 3) + 7 */
static void test_replays(void **state)
{
	struct fixture *f = *state;
	cl_command_buffer_khr buffer;

	cb_load();
	buffer = cb_create(0);
	launch(buffer, f->add);
	launch(buffer, f->mul);
	/* what was recorded does not change with the kernel */
	cl_set_uint(f->add, 1, 7);
	launch(buffer, f->add);
	cl_set_uint(f->add, 1, 100);
	cl_set_uint(f->mul, 1, 100);
	CL(cb.copy(buffer, NULL, NULL, f->a, f->b, 0, 0, BYTES, NONE));
	CL(cb.finalize(buffer));
	check(f, f->a, 0xcccccccc); /* recording does nothing */
	for (cl_uint x = 1; x < 5; x++) {
		fill(f, f->a, x);
		CL(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
		check(f, f->b, (x + 5) * 3 + 7);
	}
	/* without anything between, and with commands between */
	fill(f, f->a, 1);
	for (int i = 0; i < 3; i++)
		CL(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
	check(f, f->b, ((25 + 5) * 3 + 7 + 5) * 3 + 7);
	fill(f, f->a, 1);
	CL(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
	fill(f, f->a, 2);
	CL(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
	CL(clEnqueueCopyBuffer(cl.queue, f->b, f->a, 0, 0, BYTES, 0, NULL, NULL));
	CL(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
	check(f, f->b, (28 + 5) * 3 + 7);
	CL(cb.release(buffer));
}

static void test_fill_and_rect(void **state)
{
	struct fixture *f = *state;
	const cl_uchar pattern[2] = { 0x12, 0x34 };
	const size_t from[3] = { 4, 1, 0 }, to[3] = { 8, 2, 0 }, region[3] = { 8, 3, 2 };
	cl_command_buffer_khr buffer;
	cl_uchar want[BYTES], *bytes = (cl_uchar *)f->got;

	cb_load();
	buffer = cb_create(0);
	CL(cb.fill(buffer, NULL, NULL, f->b, pattern, 2, 16, 64, NONE));
	CL(cb.copy_rect(buffer, NULL, NULL, f->a, f->b, from, to, region, 16, 128, 32, 256, NONE));
	CL(cb.finalize(buffer));
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < BYTES; i++)
			bytes[i] = (cl_uchar)(i * 7 + (size_t)round);
		CL(clEnqueueWriteBuffer(cl.queue, f->a, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
		fill(f, f->b, 0x55555555);
		memset(want, 0x55, BYTES);
		for (size_t i = 0; i < 64; i++)
			want[16 + i] = pattern[i % 2];
		for (size_t z = 0; z < 2; z++)
			for (size_t y = 0; y < 3; y++)
				for (size_t x = 0; x < 8; x++)
					want[8 + x + (2 + y) * 32 + z * 256] =
						bytes[4 + x + (1 + y) * 16 + z * 128];
		CL(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
		memset(f->got, 0xee, sizeof(f->got));
		cl_read(f->b, BYTES, f->got);
		assert_memory_equal(f->got, want, BYTES);
	}
	CL(cb.release(buffer));
}

/* a, 16 x 16 pixels, goes to an image, with a hole that is filled to another, and to b. */
static void test_images(void **state)
{
	struct fixture *f = *state;
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16
	};
	const size_t zero[3] = { 0 }, all[3] = { 16, 16, 1 }, at[3] = { 4, 2, 0 },
		     hole[3] = { 3, 5, 1 };
	const cl_uint color[4] = { 4711, 0, 0, 0 };
	cl_mem images[2];
	cl_int rc;

	cb_load();
	skip_if(!cl_has_images());
	for (int i = 0; i < 2; i++) {
		images[i] = clCreateImage(cl.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &rc);
		CL(rc);
	}
	cl_command_buffer_khr buffer = cb_create(0);
	CL(cb.to_image(buffer, NULL, NULL, f->a, images[0], 0, zero, all, NONE));
	CL(cb.copy_image(buffer, NULL, NULL, images[0], images[1], zero, zero, all, NONE));
	CL(cb.fill_image(buffer, NULL, NULL, images[1], color, at, hole, NONE));
	CL(cb.from_image(buffer, NULL, NULL, images[1], f->b, zero, all, 0, NONE));
	CL_ROW(CL_INVALID_MEM_OBJECT,
		cb.fill_image(buffer, NULL, NULL, NULL, color, at, hole, NONE));
	CL_ROW(CL_INVALID_VALUE,
		cb.fill_image(buffer, NULL, NULL, images[0], color, at, all, NONE));
	cl_rows_end();
	CL(cb.finalize(buffer));
	for (cl_uint round = 0; round < 2; round++) {
		for (cl_uint i = 0; i < N; i++)
			f->got[i] = i * 3 + round;
		CL(clEnqueueWriteBuffer(cl.queue, f->a, CL_TRUE, 0, BYTES, f->got, 0, NULL, NULL));
		CL(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
		memset(f->got, 0xee, sizeof(f->got));
		cl_read(f->b, BYTES, f->got);
		for (cl_uint i = 0; i < N; i++) {
			bool filled = i % 16 - 4 < 3 && i / 16 - 2 < 5;

			assert_int_equal(f->got[i], filled ? 4711 : i * 3 + round);
		}
	}
	CL(cb.release(buffer));
	CL(clReleaseMemObject(images[0]));
	CL(clReleaseMemObject(images[1]));
}

/* An out-of-order queue, sync points and barriers; enqueued into queues of all kinds. */
static void test_sync_points(void **state)
{
	struct fixture *f = *state;
	const cl_queue_properties kinds[] = { 0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
		CL_QUEUE_PROFILING_ENABLE,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE };
	cl_queue_properties list[3] = { CL_QUEUE_PROPERTIES, kinds[1], 0 };
	cl_sync_point_khr points[3];
	cl_command_buffer_khr buffer;
	cl_int rc;
	const cl_uint two = 2, six = 6;

	cb_load();
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(cl.context, cl.device, list, &rc);
	CL(rc);
	buffer = cb.create(1, &queue, NULL, &rc);
	CL(rc);
	CL(cb.fill(buffer, NULL, NULL, f->a, &two, 4, 0, BYTES, 0, NULL, &points[0], NULL));
	CL(cb.fill(buffer, NULL, NULL, f->b, &six, 4, 0, BYTES, 0, NULL, &points[1], NULL));
	CL(cb.launch(buffer, NULL, NULL, f->add, 1, NULL, &(size_t){ N }, NULL, 1, points,
		&points[2], NULL));
	CL(cb.barrier(buffer, NULL, NULL, 1, &points[2], NULL, NULL));
	launch(buffer, f->mul);
	CL(cb.barrier(buffer, NULL, NULL, NONE));
	/* the first half of b becomes a's */
	CL(cb.copy(buffer, NULL, NULL, f->a, f->b, 0, 0, BYTES / 2, 1, &points[1], NULL, NULL));
	CL(cb.finalize(buffer));
	CL(clReleaseCommandQueue(queue)); /* the buffer has it still */
	for (int i = 0; i < 4; i++) {
		list[1] = kinds[i];
		cl_command_queue other =
			clCreateCommandQueueWithProperties(cl.context, cl.device, list, &rc);
		cl_event event;

		CL(rc);
		fill(f, f->b, 0);
		CL(clFinish(cl.queue));
		CL(cb.enqueue(1, &other, buffer, 0, NULL, &event));
		CL(clWaitForEvents(1, &event));
		memset(f->got, 0xee, sizeof(f->got));
		cl_read(f->b, BYTES, f->got);
		for (int k = 0; k < N; k++)
			assert_int_equal(f->got[k], k < N / 2 ? 21 : 6);
		CL(clReleaseEvent(event));
		CL(clReleaseCommandQueue(other));
	}
	CL(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
	CL(cb.release(buffer));
	CL(clFinish(cl.queue));
}

/* Waits for a user event, is released before it is done, is waited for and profiled. */
static void test_events(void **state)
{
	struct fixture *f = *state;
	cl_command_buffer_khr buffer;
	cl_command_type type = 0;
	cl_event user, events[3];
	cl_ulong begin, end, last = 0;
	cl_int rc, status;

	cb_load();
	buffer = cb_create(0);
	launch(buffer, f->add);
	launch(buffer, f->mul);
	CL(cb.finalize(buffer));
	fill(f, f->a, 1);
	user = clCreateUserEvent(cl.context, &rc);
	CL(rc);
	CL(cb.enqueue(0, NULL, buffer, 1, &user, &events[0]));
	CL(cb.enqueue(0, NULL, buffer, 0, NULL, &events[1]));
	CL(cb.enqueue(0, NULL, buffer, 1, &events[1], &events[2]));
	CL(cb.release(buffer));
	CL(clGetEventInfo(
		events[0], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
	assert_true(status > CL_COMPLETE);
	CL(clSetUserEventStatus(user, CL_COMPLETE));
	CL(clWaitForEvents(1, &events[2]));
	check(f, f->a, ((18 + 5) * 3 + 5) * 3);
	for (int i = 0; i < 3; i++) {
		CL(clGetEventInfo(events[i], CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL));
		assert_int_equal(type, CL_COMMAND_COMMAND_BUFFER_KHR);
		CL(clGetEventProfilingInfo(
			events[i], CL_PROFILING_COMMAND_START, sizeof(begin), &begin, NULL));
		CL(clGetEventProfilingInfo(
			events[i], CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL));
		assert_true(begin && begin <= end && begin >= last);
		last = end;
		CL(clReleaseEvent(events[i]));
	}
	/* a failure is handed on */
	CL(clReleaseEvent(user));
	buffer = cb_create(0);
	launch(buffer, f->add);
	CL(cb.finalize(buffer));
	fill(f, f->a, 1);
	user = clCreateUserEvent(cl.context, &rc);
	CL(rc);
	CL(cb.enqueue(0, NULL, buffer, 1, &user, &events[0]));
	CL(clSetUserEventStatus(user, -5));
	assert_int_equal(clWaitForEvents(1, events), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	check(f, f->a, 1);
	CL(clReleaseEvent(events[0]));
	CL(clReleaseEvent(user));
	CL(cb.release(buffer));
}

/* What is empty, or has nothing to run, is a place in the queue. */
static void test_nothing(void **state)
{
	struct fixture *f = *state;
	cl_command_buffer_khr buffer;
	cl_event event;

	cb_load();
	for (int i = 0; i < 2; i++) {
		buffer = cb_create(0);
		if (i)
			CL(cb.launch(
				buffer, NULL, NULL, f->add, 1, NULL, &(size_t){ 0 }, NULL, NONE));
		CL(cb.finalize(buffer));
		fill(f, f->a, 9);
		CL(cb.enqueue(0, NULL, buffer, 0, NULL, &event));
		CL(clWaitForEvents(1, &event));
		CL(clReleaseEvent(event));
		check(f, f->a, 9);
		CL(cb.release(buffer));
	}
}

/* More than a batch of the queue holds, so that replays go to the device in several. */
static void test_many(void **state)
{
	struct fixture *f = *state;
	cl_command_buffer_khr buffer;

	cb_load();
	buffer = cb_create(0);
	launch(buffer, f->add);
	CL(cb.finalize(buffer));
	fill(f, f->a, 0);
	for (int i = 0; i < 700; i++) {
		CL(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
		if (i % 50 == 0)
			CL(clEnqueueNDRangeKernel(
				cl.queue, f->add, 1, NULL, &(size_t){ N }, NULL, 0, NULL, NULL));
	}
	check(f, f->a, 5 * 714);
	CL(cb.release(buffer));
}

static size_t info(cl_command_buffer_khr buffer, cl_uint param, void *value, size_t room)
{
	size_t size = 4711;

	memset(value, 0xee, room);
	CL(cb.info(buffer, param, room, value, &size));
	return size;
}

static void test_infos(void **state)
{
	struct fixture *f = *state;
	const cl_command_buffer_properties_khr properties[] = { CL_COMMAND_BUFFER_FLAGS_KHR,
		CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0 };
	cl_command_buffer_properties_khr list[8];
	cl_command_buffer_khr buffer;
	cl_command_queue queue;
	cl_context context;
	cl_uint value;
	cl_int rc;

	cb_load();
	buffer = cb.create(1, &cl.queue, properties, &rc);
	CL(rc);
	assert_int_equal(info(buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, &value, 4), 4);
	assert_int_equal(value, 1);
	assert_int_equal(
		info(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, &queue, sizeof(queue)), sizeof(queue));
	assert_ptr_equal(queue, cl.queue);
	assert_int_equal(info(buffer, CB_CONTEXT, &context, sizeof(context)), sizeof(context));
	assert_ptr_equal(context, cl.context);
	assert_int_equal(info(buffer, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, list, sizeof(list)),
		sizeof(properties));
	assert_memory_equal(list, properties, sizeof(properties));
	info(buffer, CL_COMMAND_BUFFER_STATE_KHR, &value, 4);
	assert_int_equal(value, CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
	launch(buffer, f->add);
	CL(cb.finalize(buffer));
	info(buffer, CL_COMMAND_BUFFER_STATE_KHR, &value, 4);
	assert_int_equal(value, CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
	CL(cb.retain(buffer));
	info(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, &value, 4);
	assert_int_equal(value, 2);
	CL(cb.release(buffer));
	info(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, &value, 4);
	assert_int_equal(value, 1);
	CL_ROW(CL_INVALID_VALUE, cb.info(buffer, CL_COMMAND_BUFFER_STATE_KHR, 3, &value, NULL));
	CL_ROW(CL_INVALID_VALUE, cb.info(buffer, 0x4711, 4, &value, NULL));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR,
		cb.info(NULL, CL_COMMAND_BUFFER_STATE_KHR, 4, &value, NULL));
	cl_rows_end();
	CL(cb.release(buffer));
}

static void test_create_errors(void **state)
{
	cl_command_buffer_properties_khr list[5] = { CL_COMMAND_BUFFER_FLAGS_KHR, 8, 0 };
	cl_command_queue none[2] = { NULL, NULL };
	cl_int rc;

	(void)state;
	cb_load();
	CL_ROW_MADE(CL_INVALID_VALUE, cb.create(0, &cl.queue, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		cb.create(2, (cl_command_queue[]){ cl.queue, cl.queue }, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, cb.create(1, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_COMMAND_QUEUE, cb.create(1, none, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, cb.create(1, &cl.queue, list, &rc));
	list[0] = 0x4711;
	list[1] = 0;
	CL_ROW_MADE(CL_INVALID_VALUE, cb.create(1, &cl.queue, list, &rc));
	list[0] = list[2] = CL_COMMAND_BUFFER_FLAGS_KHR;
	CL_ROW_MADE(CL_INVALID_VALUE, cb.create(1, &cl.queue, list, &rc));
	list[0] = CB_ASSERTS;
	list[1] = 2;
	list[2] = 0;
	CL_ROW_MADE(CL_INVALID_VALUE, cb.create(1, &cl.queue, list, &rc));
	assert_null(cb.create(0, NULL, NULL, NULL));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR, cb.retain(NULL));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR, cb.release(NULL));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR, cb.release((cl_command_buffer_khr)cl.queue));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR, cb.finalize(NULL));
	cl_rows_end();
}

/* What all commands have in common, and the fill. */
#define FILL(b, q, p, n_, w, h) cb.fill((b), (q), (p), f->a, &v, 4, 0, BYTES, (n_), (w), NULL, (h))

static void test_record_errors(void **state)
{
	struct fixture *f = *state;
	const cl_properties property[] = { 0x4711, 1, 0 };
	const cl_sync_point_khr first = 1, second = 2, zero = 0;
	const size_t n = N;
	cl_mutable_command_khr handle;
	cl_uint v = 0;

	cb_load();
	cl_command_buffer_khr buffer = cb_create(0);
	CL(cb.fill(buffer, NULL, NULL, f->a, &v, 4, 0, BYTES, NONE));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR, FILL(NULL, NULL, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, FILL(buffer, cl.queue, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, FILL(buffer, NULL, property, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, FILL(buffer, NULL, NULL, 0, NULL, &handle));
	CL_ROW(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, FILL(buffer, NULL, NULL, 1, NULL, NULL));
	CL_ROW(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, FILL(buffer, NULL, NULL, 0, &first, NULL));
	CL_ROW(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, FILL(buffer, NULL, NULL, 1, &second, NULL));
	CL_ROW(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, FILL(buffer, NULL, NULL, 1, &zero, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT, cb.fill(buffer, NULL, NULL, NULL, &v, 4, 0, BYTES, NONE));
	CL_ROW(CL_INVALID_VALUE, cb.fill(buffer, NULL, NULL, f->a, &v, 3, 0, BYTES, NONE));
	CL_ROW(CL_INVALID_VALUE, cb.barrier(buffer, NULL, property, NONE));
	CL_ROW(CL_INVALID_VALUE, cb.barrier(buffer, NULL, NULL, 0, NULL, NULL, &handle));
	CL_ROW(CL_INVALID_OPERATION, cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
	CL(cb.finalize(buffer));
	CL_ROW(CL_INVALID_OPERATION, FILL(buffer, NULL, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_OPERATION, cb.barrier(buffer, NULL, NULL, NONE));
	CL_ROW(CL_INVALID_OPERATION,
		cb.launch(buffer, NULL, NULL, f->add, 1, NULL, &n, NULL, NONE));
	CL_ROW(CL_INVALID_OPERATION, cb.finalize(buffer));
	cl_rows_end();
	CL(cb.release(buffer));
}

/* Those of the commands' own arguments. */
static void test_argument_errors(void **state)
{
	struct fixture *f = *state;
	const cl_properties property[] = { 0x4711, 1, 0 };
	const size_t n = N, many[3] = { N, 1, 1 };
	cl_uint v = 0;
	cl_int rc;

	cb_load();
	cl_command_buffer_khr buffer = cb_create(0);
	cl_context other = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &rc);
	CL(rc);
	cl_mem foreign = clCreateBuffer(other, CL_MEM_READ_WRITE, BYTES, NULL, &rc);
	CL(rc);
	cl_kernel bare = clCreateKernel(f->program, "add", &rc);
	CL(rc);
	CL_ROW(CL_INVALID_CONTEXT, cb.fill(buffer, NULL, NULL, foreign, &v, 4, 0, BYTES, NONE));
	CL_ROW(CL_INVALID_VALUE, cb.copy(buffer, NULL, NULL, f->a, f->b, 4, 0, BYTES, NONE));
	CL_ROW(CL_MEM_COPY_OVERLAP, cb.copy(buffer, NULL, NULL, f->a, f->a, 0, 4, 8, NONE));
	CL_ROW(CL_INVALID_CONTEXT, cb.copy(buffer, NULL, NULL, f->a, foreign, 0, 0, 4, NONE));
	CL_ROW(CL_INVALID_VALUE,
		cb.copy_rect(buffer, NULL, NULL, f->a, f->b, NULL, many, many, 0, 0, 0, 0, NONE));
	CL_ROW(CL_INVALID_KERNEL, cb.launch(buffer, NULL, NULL, NULL, 1, NULL, &n, NULL, NONE));
	CL_ROW(CL_INVALID_KERNEL_ARGS,
		cb.launch(buffer, NULL, NULL, bare, 1, NULL, &n, NULL, NONE));
	CL_ROW(CL_INVALID_WORK_DIMENSION,
		cb.launch(buffer, NULL, NULL, f->add, 4, NULL, many, NULL, NONE));
	CL_ROW(CL_INVALID_VALUE,
		cb.launch(buffer, NULL, property, f->add, 1, NULL, &n, NULL, NONE));
	cl_rows_end();
	/* nothing of that was recorded */
	fill(f, f->a, 1);
	CL(cb.finalize(buffer));
	cb_run(buffer);
	check(f, f->a, 1);
	CL(clReleaseKernel(bare));
	CL(clReleaseMemObject(foreign));
	CL(clReleaseContext(other));
	CL(cb.release(buffer));
}

static void test_enqueue_errors(void **state)
{
	struct fixture *f = *state;
	cl_command_queue queues[2] = { cl.queue, NULL };
	cl_int rc;

	cb_load();
	cl_command_buffer_khr buffer = cb_create(0);
	cl_context context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &rc);
	CL(rc);
	cl_command_queue foreign =
		clCreateCommandQueueWithProperties(context, cl.device, NULL, &rc);
	CL(rc);
	cl_event event = clCreateUserEvent(context, &rc);
	CL(rc);
	launch(buffer, f->add);
	CL(cb.finalize(buffer));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR, cb.enqueue(0, NULL, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, cb.enqueue(1, NULL, buffer, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, cb.enqueue(0, queues, buffer, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, cb.enqueue(2, queues, buffer, 0, NULL, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, cb.enqueue(1, queues + 1, buffer, 0, NULL, NULL));
	CL_ROW(CL_INVALID_CONTEXT, cb.enqueue(1, &foreign, buffer, 0, NULL, NULL));
	CL_ROW(CL_INVALID_CONTEXT, cb.enqueue(0, NULL, buffer, 1, &event, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST, cb.enqueue(0, NULL, buffer, 1, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST, cb.enqueue(0, NULL, buffer, 0, &event, NULL));
	cl_rows_end();
	CL(clReleaseEvent(event));
	CL(clReleaseCommandQueue(foreign));
	CL(clReleaseContext(context));
	CL(cb.release(buffer));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_replays, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fill_and_rect, setup, teardown),
		cmocka_unit_test_setup_teardown(test_images, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sync_points, setup, teardown),
		cmocka_unit_test_setup_teardown(test_events, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many, setup, teardown),
		cmocka_unit_test_setup_teardown(test_infos, setup, teardown),
		cmocka_unit_test(test_create_errors),
		cmocka_unit_test_setup_teardown(test_record_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(test_argument_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(test_enqueue_errors, setup, teardown),
	};

	return CL_RUN(argc, argv, tests);
}
