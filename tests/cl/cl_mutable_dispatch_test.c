// SPDX-License-Identifier: MIT
/* Updates of command buffers: what they change, when, and what they refuse. */
#include "cl/cl_command_buffer.h"

#include <string.h>

#define N     256
#define BYTES (N * sizeof(cl_uint))

static const char source[] =
	"kernel void tell(global uint *o, uint v) { size_t i = get_global_id(0);\n"
	"  o[i] = v * 1000000 + get_global_offset(0) * 1000 + get_local_size(0); }\n";

struct fixture {
	cl_kernel tell;
	cl_mem a, b;
	cl_command_buffer_khr buffer;
	cl_mutable_command_khr command;
	cl_uint got[N];
};

/* A launch of `tell` over N / 2 in groups of 16 that stores 3000016. */
static void record(struct fixture *f, cl_command_buffer_flags_khr flags)
{
	const size_t n = N / 2, local = 16;

	cb_load();
	f->buffer = cb_create(flags);
	CL(cb.launch(
		f->buffer, NULL, NULL, f->tell, 1, NULL, &n, &local, 0, NULL, NULL, &f->command));
	CL(cb.finalize(f->buffer));
}

static int setup(void **state)
{
	static struct fixture f;

	*state = &f;
	f = (struct fixture){ 0 };
	f.tell = cl_make_kernel(source, "-cl-std=CL3.0", "tell");
	f.a = cl_make_buffer(BYTES, f.got);
	f.b = cl_make_buffer(BYTES, f.got);
	cl_set_buffer(f.tell, 0, f.a);
	cl_set_uint(f.tell, 1, 3);
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	if (f->buffer)
		CL(cb.release(f->buffer));
	cl_kernel_done(f->tell);
	CL(clReleaseMemObject(f->a));
	CL(clReleaseMemObject(f->b));
	return 0;
}

static cl_int update(struct fixture *f, struct dispatch_config *config)
{
	const cl_uint type = 0;
	const void *configs[] = { config };

	if (!config->command)
		config->command = f->command;
	return cb.update(f->buffer, 1, &type, configs);
}

static void clear(struct fixture *f, cl_mem mem)
{
	const cl_uint zero = 0;

	(void)f;
	CL(clEnqueueFillBuffer(cl.queue, mem, &zero, 4, 0, BYTES, 0, NULL, NULL));
}

/* [first, first + n) is `value`, the rest 0. */
static void check(struct fixture *f, cl_mem mem, cl_uint first, cl_uint n, cl_uint value)
{
	memset(f->got, 0xee, sizeof(f->got));
	cl_read(mem, BYTES, f->got);
	for (cl_uint i = 0; i < N; i++)
		assert_int_equal(f->got[i], i - first < n ? value : 0);
}

static void run(struct fixture *f)
{
	clear(f, f->a);
	clear(f, f->b);
	CL(cb.enqueue(0, NULL, f->buffer, 0, NULL, NULL));
}

static void test_everything_changes(void **state)
{
	struct fixture *f = *state;
	const cl_uint seven = 7;
	const cl_mutable_dispatch_arg_khr args[] = { { 0, sizeof(cl_mem), &f->b },
		{ 1, 4, &seven } };
	const size_t offset = 5, global = 64, local = 32;

	record(f, CL_COMMAND_BUFFER_MUTABLE_KHR);
	run(f);
	check(f, f->a, 0, N / 2, 3000016);
	CL(update(f, &(struct dispatch_config){ .num_args = 1, .arg_list = args + 1 }));
	run(f);
	check(f, f->a, 0, N / 2, 7000016);
	CL(update(f, &(struct dispatch_config){ .num_args = 1, .arg_list = args }));
	run(f);
	check(f, f->b, 0, N / 2, 7000016);
	check(f, f->a, 0, 0, 0);
	CL(update(f, &(struct dispatch_config){ .global_work_offset = &offset, .work_dim = 1 }));
	run(f);
	check(f, f->b, 5, N / 2, 7005016);
	CL(update(f, &(struct dispatch_config){
			     .global_work_size = &global, .local_work_size = &local }));
	run(f);
	check(f, f->b, 5, 64, 7005032);
	run(f);
	check(f, f->b, 5, 64, 7005032);
}

/* What was enqueued before an update keeps what it had, although it runs later. */
static void test_earlier_replays_keep_theirs(void **state)
{
	struct fixture *f = *state;
	cl_int rc;

	record(f, CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
	cl_event user = clCreateUserEvent(cl.context, &rc);
	CL(rc);
	clear(f, f->a);
	clear(f, f->b);
	CL(clEnqueueMarkerWithWaitList(cl.queue, 1, &user, NULL));
	CL(cb.enqueue(0, NULL, f->buffer, 0, NULL, NULL));
	for (cl_uint v = 10; v < 20; v++) {
		const cl_mutable_dispatch_arg_khr args[] = { { 1, 4, &v },
			{ 0, sizeof(cl_mem), &f->b } };

		CL(update(f, &(struct dispatch_config){ .num_args = 2, .arg_list = args }));
		CL(cb.enqueue(0, NULL, f->buffer, 0, NULL, NULL));
	}
	CL(clSetUserEventStatus(user, CL_COMPLETE));
	check(f, f->a, 0, N / 2, 3000016);
	check(f, f->b, 0, N / 2, 19000016);
	CL(clReleaseEvent(user));
}

/* A launch whose arguments come later. */
static void test_arguments_may_come_later(void **state)
{
	struct fixture *f = *state;
	const cl_properties fields[] = { CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
		CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0 };
	const size_t n = N, local = 16;
	const cl_uint one = 1;
	cl_mutable_dispatch_arg_khr arg = { 0, sizeof(cl_mem), &f->a };
	cl_uint value = 4711;
	cl_program program;

	cb_load();
	CL(clGetKernelInfo(f->tell, CL_KERNEL_PROGRAM, sizeof(program), &program, NULL));
	cl_kernel bare = cl_kernel_of(program, "tell");
	f->buffer = cb_create(CL_COMMAND_BUFFER_MUTABLE_KHR);
	CL(cb.launch(
		f->buffer, NULL, fields, bare, 1, NULL, &n, &local, 0, NULL, NULL, &f->command));
	CL(cb.finalize(f->buffer));
	CL(clReleaseKernel(bare));
	CL(cb.info(f->buffer, CL_COMMAND_BUFFER_STATE_KHR, 4, &value, NULL));
	assert_int_equal(value, CB_STATE_FINALIZED);
	assert_int_equal(cb.enqueue(0, NULL, f->buffer, 0, NULL, NULL), CL_INVALID_OPERATION);
	CL(update(f, &(struct dispatch_config){ .num_args = 1, .arg_list = &arg }));
	assert_int_equal(cb.enqueue(0, NULL, f->buffer, 0, NULL, NULL), CL_INVALID_OPERATION);
	arg = (cl_mutable_dispatch_arg_khr){ 1, 4, &one };
	CL(update(f, &(struct dispatch_config){ .num_args = 1, .arg_list = &arg }));
	CL(cb.info(f->buffer, CL_COMMAND_BUFFER_STATE_KHR, 4, &value, NULL));
	assert_int_equal(value, CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
	run(f);
	check(f, f->a, 0, N, 1000016);
}

/* An update that is refused changes nothing, not even what was right in it. */
static void test_refused(void **state)
{
	struct fixture *f = *state;
	const cl_uint eight = 8;
	const cl_mutable_dispatch_arg_khr good = { 1, 4, &eight }, no_index = { 2, 4, &eight },
					  no_size = { 1, 0, &eight };
	const size_t odd = 100, zero = 0, big = 1 << 20;
	struct dispatch_config right = { .num_args = 1, .arg_list = &good }, wrong = { 0 };
	const cl_uint types[2] = { 0, 0 }, bad_type = 1;
	const void *configs[2] = { &right, &wrong }, *none = NULL;

	record(f, CL_COMMAND_BUFFER_MUTABLE_KHR);
#define REFUSED(code, ...)                                                                         \
	wrong = (struct dispatch_config){ .command = f->command, __VA_ARGS__ };                    \
	CL_ROW((code), cb.update(f->buffer, 2, types, configs))
	right.command = f->command;
	REFUSED(CL_INVALID_ARG_INDEX, .num_args = 1, .arg_list = &no_index);
	REFUSED(CL_INVALID_ARG_SIZE, .num_args = 1, .arg_list = &no_size);
	REFUSED(CL_INVALID_VALUE, .num_args = 1);
	REFUSED(CL_INVALID_VALUE, .arg_list = &good);
	REFUSED(CL_INVALID_VALUE, .num_svm_args = 1);
	REFUSED(CL_INVALID_VALUE, .num_exec_infos = 1);
	REFUSED(CL_INVALID_OPERATION, .work_dim = 2);
	REFUSED(CL_INVALID_OPERATION, .global_work_size = &odd);
	REFUSED(CL_INVALID_WORK_GROUP_SIZE, .local_work_size = &zero);
	REFUSED(CL_INVALID_WORK_GROUP_SIZE, .local_work_size = &big);
	wrong.command = (cl_mutable_command_khr)cl.queue;
	CL_ROW(CL_INVALID_MUTABLE_COMMAND_KHR, cb.update(f->buffer, 2, types, configs));
	CL_ROW(CL_INVALID_VALUE, cb.update(f->buffer, 1, NULL, configs));
	CL_ROW(CL_INVALID_VALUE, cb.update(f->buffer, 1, types, NULL));
	CL_ROW(CL_INVALID_VALUE, cb.update(f->buffer, 0, types, configs));
	CL_ROW(CL_INVALID_VALUE, cb.update(f->buffer, 1, &bad_type, configs));
	CL_ROW(CL_INVALID_VALUE, cb.update(f->buffer, 1, types, &none));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR, cb.update(NULL, 1, types, configs));
	cl_rows_end();
	run(f);
	check(f, f->a, 0, N / 2, 3000016);
}

/* Buffers and launches that must not be updated, or not in all. */
static void test_what_may_be_updated(void **state)
{
	struct fixture *f = *state;
	const cl_properties fields[] = { CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
		CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR, 0 },
			    unknown[] = { CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1 << 20, 0 },
			    promise[] = { CB_LAUNCH_ASSERTS, 1, 0 };
	const size_t n = N, local = 16, offset = 1;
	const cl_uint eight = 8;
	const cl_mutable_dispatch_arg_khr arg = { 1, 4, &eight };

	record(f, 0);
	CL_ROW(CL_INVALID_OPERATION,
		update(f, &(struct dispatch_config){ .num_args = 1, .arg_list = &arg }));
	CL(cb.release(f->buffer));
	f->buffer = cb_create(CL_COMMAND_BUFFER_MUTABLE_KHR);
	CL_ROW(CL_INVALID_VALUE, cb.launch(f->buffer, NULL, unknown, f->tell, 1, NULL, &n, &local,
					 0, NULL, NULL, &f->command));
	CL_ROW(CL_INVALID_VALUE, cb.launch(f->buffer, NULL, promise, f->tell, 1, NULL, &n, NULL, 0,
					 NULL, NULL, &f->command));
	CL(cb.launch(
		f->buffer, NULL, fields, f->tell, 1, NULL, &n, &local, 0, NULL, NULL, &f->command));
	CL_ROW(CL_INVALID_OPERATION,
		update(f, &(struct dispatch_config){ .global_work_offset = &offset }));
	CL(cb.finalize(f->buffer));
	CL_ROW(CL_INVALID_OPERATION,
		update(f, &(struct dispatch_config){ .num_args = 1, .arg_list = &arg }));
	CL_ROW(CL_INVALID_OPERATION,
		update(f, &(struct dispatch_config){ .global_work_size = &n }));
	CL_ROW(CL_INVALID_OPERATION,
		update(f, &(struct dispatch_config){ .local_work_size = &local }));
	cl_rows_end();
}

static size_t info(struct fixture *f, cl_uint param, void *value, size_t room)
{
	size_t size = 4711;

	memset(value, 0xee, room);
	CL(cb.command_info(f->command, param, room, value, &size));
	return size;
}

static void test_infos(void **state)
{
	struct fixture *f = *state;
	const size_t offset = 9, global = 48;
	size_t sizes[3];
	void *pointer;
	cl_uint value;

	record(f, CL_COMMAND_BUFFER_MUTABLE_KHR);
	assert_int_equal(info(f, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, &pointer, 8), 8);
	assert_ptr_equal(pointer, cl.queue);
	assert_int_equal(info(f, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, &pointer, 8), 8);
	assert_ptr_equal(pointer, f->buffer);
	assert_int_equal(info(f, CL_MUTABLE_DISPATCH_KERNEL_KHR, &pointer, 8), 8);
	assert_ptr_equal(pointer, f->tell);
	assert_int_equal(info(f, CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, &value, 4), 4);
	assert_int_equal(value, CL_COMMAND_NDRANGE_KERNEL);
	assert_int_equal(info(f, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, &value, 4), 4);
	assert_int_equal(value, 1);
	assert_int_equal(info(f, 0x12A2, sizes, 24), 0);
	CL(update(f, &(struct dispatch_config){
			     .global_work_offset = &offset, .global_work_size = &global }));
	assert_int_equal(info(f, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, sizes, 24), 8);
	assert_int_equal(sizes[0], 9);
	assert_int_equal(info(f, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, sizes, 24), 8);
	assert_int_equal(sizes[0], 48);
	assert_int_equal(info(f, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, sizes, 24), 8);
	assert_int_equal(sizes[0], 16);
	CL_ROW(CL_INVALID_MUTABLE_COMMAND_KHR,
		cb.command_info(NULL, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, 4, &value, NULL));
	CL_ROW(CL_INVALID_VALUE, cb.command_info(f->command, 0x4711, 4, &value, NULL));
	CL_ROW(CL_INVALID_VALUE,
		cb.command_info(f->command, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, 3, &value, NULL));
	cl_rows_end();
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_everything_changes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_earlier_replays_keep_theirs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_arguments_may_come_later, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_what_may_be_updated, setup, teardown),
		cmocka_unit_test_setup_teardown(test_infos, setup, teardown),
	};

	return CL_RUN(argc, argv, tests);
}
