// SPDX-License-Identifier: MIT
/* What the host sees of ragged ranges and of kernels that ask what a launch does not know. */
#include "cl/cl_case.h"
#include "test_files.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char cache_folder[TEST_FOLDER_MAX];

#define STD "-cl-std=CL3.0"

/* Every work-item adds to its own element, and tells its group. */
static const char add_source[] =
	"kernel void add(global uint *out, uint value) {\n"
	"	out[get_global_linear_id()] += value + get_num_groups(0) * 1000;\n"
	"}\n"
	"kernel void plain(global uint *out, uint value) { out[get_global_id(0)] += value; }\n"
	"kernel void linear(global uint *out) { out[get_global_linear_id()] = 7; }\n"
	"kernel void dims(global uint *out) { out[0] = get_work_dim(); }\n"
	"__attribute__((reqd_work_group_size(16, 1, 1)))\n"
	"kernel void sized(global uint *out) { out[get_global_id(0)] = get_local_size(0); }\n"
	"kernel void chosen(global uint *out) {\n"
	"	if (!get_global_linear_id())\n"
	"		for (int i = 0; i < 3; i++) out[i] = get_enqueued_local_size(i);\n"
	"}\n";

static cl_kernel make_kernel(cl_program program, const char *name)
{
	cl_kernel kernel = cl_kernel_of(program, name);

	return kernel;
}

static cl_int enqueue(cl_kernel kernel, size_t global, size_t local, cl_event *event)
{
	return clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, event);
}

static void expect_all(cl_mem buffer, size_t n, size_t room, cl_uint want)
{
	cl_uint *got = malloc(room * sizeof *got);

	assert_non_null(got);
	cl_read(buffer, room * sizeof *got, got);
	for (size_t i = 0; i < room; i++)
		if (got[i] != (i < n ? want : 0))
			fail_msg("element %zu is %u, not %u", i, got[i], i < n ? want : 0);
	free(got);
}

static cl_mem zeros(size_t n)
{
	cl_uint *bytes = calloc(n, sizeof *bytes);
	cl_mem buffer = cl_make_buffer(n * sizeof *bytes, bytes);

	free(bytes);
	return buffer;
}

/* Whole and ragged ranges in turn: arguments reach the launches of both. */
static void arguments_reach_ragged_ranges(void **state)
{
	cl_program program = cl_build(add_source, STD);
	cl_kernel add = make_kernel(program, "add"), plain = make_kernel(program, "plain");
	cl_mem a = zeros(128), b = zeros(128);
	cl_uint want_a = 0, want_b = 0;

	(void)state;
	cl_set_buffer(add, 0, a);
	for (cl_uint i = 0; i < 12; i++) {
		if (i % 3 == 0)
			cl_set_uint(add, 1, 10 + i);
		if (i == 6)
			cl_set_buffer(add, 0, b);
		CL(enqueue(add, 96, i % 2 ? 32 : 36, NULL));
		*(i < 6 ? &want_a : &want_b) += 10 + i / 3 * 3 + 3000;
	}
	expect_all(a, 96, 128, want_a);
	expect_all(b, 96, 128, want_b);
	cl_set_buffer(plain, 0, b);
	cl_set_uint(plain, 1, 5);
	CL(enqueue(plain, 96, 36, NULL));
	expect_all(b, 96, 128, want_b + 5);
	cl_kernel copy = NULL;
	if (cl.ours) {
		cl_int rc;
		copy = clCloneKernel(add, &rc);
		CL(rc);
		CL(clReleaseKernel(add));
		CL(enqueue(copy, 96, 36, NULL));
		expect_all(b, 96, 128, want_b + 5 + 3019);
		add = copy;
	}
	clReleaseMemObject(a);
	clReleaseMemObject(b);
	CL(clReleaseKernel(add));
	CL(clReleaseKernel(plain));
	CL(clReleaseProgram(program));
}

/* Nothing but get_global_linear_id: it is worked out from what the kernel does not mention. */
static void linear_id_alone(void **state)
{
	static const size_t global[] = { 5, 6, 7 }, local[] = { 3, 4, 2 }, offset[] = { 9, 8, 7 };
	cl_kernel kernel = cl_make_kernel(add_source, STD, "linear");
	cl_mem out = zeros(256);

	(void)state;
	cl_set_buffer(kernel, 0, out);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 3, offset, global, local, 0, NULL, NULL));
	expect_all(out, 5 * 6 * 7, 256, 7);
	clReleaseMemObject(out);
	cl_kernel_done(kernel);
}

static void dimensions_are_those_of_the_call(void **state)
{
	static const size_t ones[] = { 1, 1, 1 }, wide[] = { 4, 1, 1 }, tall[] = { 1, 1, 4 };
	const size_t *const sizes[] = { ones, wide, tall };

	(void)state;
	/* of the oldest OpenCL C too */
	for (int std = 0; std < 2; std++) {
		cl_kernel kernel = cl_make_kernel(add_source, std ? STD : "-cl-std=CL2.0", "dims");
		cl_mem out = zeros(4);

		cl_set_buffer(kernel, 0, out);
		for (int i = 0; i < 3; i++)
			for (cl_uint n = 1; n <= 3; n++) {
				CL(clEnqueueNDRangeKernel(
					cl.queue, kernel, n, NULL, sizes[i], NULL, 0, NULL, NULL));
				expect_all(out, 1, 4, n);
			}
		clReleaseMemObject(out);
		cl_kernel_done(kernel);
	}
	cl_kernel kernel = cl_make_kernel(
		"kernel void old(global uint *out) { out[0] = get_work_dim(); }", "", "old");
	cl_mem out = zeros(1);
	cl_set_buffer(kernel, 0, out);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 3, NULL, ones, NULL, 0, NULL, NULL));
	expect_all(out, 1, 1, 3);
	clReleaseMemObject(out);
	cl_kernel_done(kernel);
}

/* Section 5.10: the errors of programs whose groups are of one size. */
static void groups_of_one_size_stay_so(void **state)
{
	static const char *const options[] = { "", "-cl-std=CL1.2", STD,
		STD " -cl-uniform-work-group-size", "-cl-uniform-work-group-size -cl-std=CL2.0" };
	static const char source[] = "kernel void f(global uint *o) { o[get_global_id(0)] = 1; }";
	cl_bool support = CL_FALSE;

	(void)state;
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof support,
		&support, NULL));
	assert_true(support);
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		cl_kernel kernel = cl_make_kernel(source, options[i], "f");
		cl_mem out = zeros(64);

		cl_set_buffer(kernel, 0, out);
		CL_ROW(i == 2 ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE,
			enqueue(kernel, 50, 16, NULL));
		CL_ROW(CL_SUCCESS, enqueue(kernel, 48, 16, NULL));
		expect_all(out, i == 2 ? 50 : 48, 64, 1);
		clReleaseMemObject(out);
		cl_kernel_done(kernel);
	}
	cl_rows_end();
}

static void required_sizes_have_edges(void **state)
{
	cl_kernel kernel = cl_make_kernel(add_source, STD, "sized");
	cl_mem out = zeros(64);
	cl_uint got[64];
	size_t n = 50;

	(void)state;
	cl_set_buffer(kernel, 0, out);
	CL_ROW(CL_INVALID_WORK_GROUP_SIZE, enqueue(kernel, 50, 25, NULL));
	CL_ROW(CL_SUCCESS, enqueue(kernel, 50, 16, NULL));
	cl_rows_end();
	cl_read(out, sizeof got, got);
	for (size_t i = 0; i < 64; i++)
		if (cl.ours && got[i] != (i < 48 ? 16 : i < 50 ? 2 : 0))
			fail_msg("element %zu is %u", i, got[i]);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL));
	CL(clFinish(cl.queue));
	size_t width = 0, most = 0, size = 16;
	CL(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
		sizeof size, &size, sizeof width, &width, NULL));
	CL(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL,
		sizeof most, &most, NULL));
	assert_int_equal(most, (16 + width - 1) / width);
	clReleaseMemObject(out);
	cl_kernel_done(kernel);
}

/* Launches over whole and ragged ranges share the program's variables. */
static void variables_are_shared(void **state)
{
	static const char source[] =
		"global uint count = 100;\n"
		"kernel void plain(global uint *out) {\n"
		"	atomic_fetch_add((volatile global atomic_uint *)&count, 1u);\n"
		"}\n"
		"kernel void asks(global uint *out) {\n"
		"	atomic_fetch_add((volatile global atomic_uint *)&count,"
		" get_num_groups(0) ? 1000u : 0u);\n"
		"}\n"
		"kernel void read(global uint *out) { out[0] = count; }\n";
	static const struct {
		size_t plain, asks, local;
	} rounds[] = { { 8, 8, 4 }, { 8, 9, 4 }, { 7, 8, 4 }, { 9, 9, 2 } };
	cl_program program = cl_build(source, STD);
	cl_kernel plain = make_kernel(program, "plain"), asks = make_kernel(program, "asks");
	cl_kernel read = make_kernel(program, "read");
	cl_mem out = zeros(1);
	cl_uint want = 100;

	(void)state;
	cl_set_buffer(plain, 0, out);
	cl_set_buffer(asks, 0, out);
	cl_set_buffer(read, 0, out);
	for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
		CL(enqueue(plain, rounds[i].plain, rounds[i].local, NULL));
		CL(enqueue(asks, rounds[i].asks, rounds[i].local, NULL));
		CL(enqueue(read, 1, 1, NULL));
		want += (cl_uint)(rounds[i].plain + 1000 * rounds[i].asks);
		expect_all(out, 1, 1, want);
	}
	clReleaseMemObject(out);
	CL(clReleaseKernel(plain));
	CL(clReleaseKernel(asks));
	CL(clReleaseKernel(read));
	CL(clReleaseProgram(program));
}

/* The hidden argument is nobody's. */
static void arguments_are_those_of_the_source(void **state)
{
	cl_kernel kernel = cl_make_kernel(add_source, STD " -cl-kernel-arg-info", "add");
	cl_mem out = zeros(64);
	cl_uint n = 0, sixteen[32] = { 0 };
	size_t before[3], after[3], size;
	cl_ulong private_before, private_after;

	(void)state;
	cl_set_buffer(kernel, 0, out);
	cl_set_uint(kernel, 1, 1);
	CL(clGetKernelWorkGroupInfo(
		kernel, cl.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(size_t), before, NULL));
	CL(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_PRIVATE_MEM_SIZE,
		sizeof private_before, &private_before, NULL));
	CL(enqueue(kernel, 50, 16, NULL));
	CL(clFinish(cl.queue));
	CL(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL));
	assert_int_equal(n, 2);
	CL_ROW(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 2, sizeof sixteen, sixteen));
	CL_ROW(CL_INVALID_ARG_INDEX,
		clGetKernelArgInfo(kernel, 2, CL_KERNEL_ARG_NAME, 0, NULL, &size));
	CL_ROW(CL_SUCCESS, clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_NAME, 0, NULL, &size));
	cl_rows_end();
	CL(clGetKernelWorkGroupInfo(
		kernel, cl.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(size_t), after, NULL));
	CL(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_PRIVATE_MEM_SIZE,
		sizeof private_after, &private_after, NULL));
	assert_int_equal(before[0], after[0]);
	assert_int_equal(private_before, private_after);
	clReleaseMemObject(out);
	cl_kernel_done(kernel);
}

/* An event comes when all parts are done, and its times are those of the whole. */
static void one_event_for_all_parts(void **state)
{
	static const size_t global[] = { 61, 31, 5 }, local[] = { 8, 8, 2 };
	cl_kernel kernel = cl_make_kernel(add_source, STD, "add");
	const size_t n = 61 * 31 * 5;
	cl_mem out = zeros(n);
	cl_event event, gate;
	cl_ulong times[4];
	cl_int rc;

	(void)state;
	cl_set_buffer(kernel, 0, out);
	for (cl_uint held = 0; held < 2; held++) {
		cl_set_uint(kernel, 1, 5);
		gate = clCreateUserEvent(cl.context, &rc);
		CL(rc);
		CL(clEnqueueNDRangeKernel(cl.queue, kernel, 3, NULL, global, local, held,
			held ? &gate : NULL, &event));
		cl_set_uint(kernel, 1, 77); /* too late for it */
		CL(clSetUserEventStatus(gate, CL_COMPLETE));
		CL(clWaitForEvents(1, &event));
		expect_all(out, n, n, (8000 + 5) * (held + 1));
		for (cl_uint i = 0; i < 4; i++)
			CL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i,
				sizeof times[i], &times[i], NULL));
		for (cl_uint i = 0; i < 3; i++)
			assert_true(times[i] <= times[i + 1]);
		assert_true(times[2] < times[3]);
		CL(clReleaseEvent(event));
		CL(clReleaseEvent(gate));
	}
	clReleaseMemObject(out);
	cl_kernel_done(kernel);
}

/* Offsets and sizes beyond 32 bits, which Level Zero does not have. */
static void ids_have_64_bits(void **state)
{
	static const char source[] =
		"kernel void far(global ulong *out) {\n"
		"	size_t k = get_global_id(0) - get_global_offset(0);\n"
		"	out[3 * k] = get_global_id(0); out[3 * k + 1] = get_global_offset(0);\n"
		"	out[3 * k + 2] = get_global_linear_id();\n"
		"}\n";
	static const size_t offsets[] = { UINT32_MAX - 16, UINT32_MAX, (size_t)1 << 33,
		((size_t)1 << 62) + 5, SIZE_MAX - 40 };
	cl_kernel kernel = cl_make_kernel(source, STD, "far");
	size_t n = 40, local = 16;
	cl_ulong got[120];

	(void)state;
	skip_if(!cl.ours);
	for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
		memset(got, 0xee, sizeof got);
		cl_mem out = cl_make_buffer(sizeof got, got);

		cl_set_buffer(kernel, 0, out);
		CL(clEnqueueNDRangeKernel(
			cl.queue, kernel, 1, &offsets[i], &n, &local, 0, NULL, NULL));
		cl_read(out, sizeof got, got);
		for (size_t k = 0; k < n; k++) {
			assert_int_equal(got[3 * k], offsets[i] + k);
			assert_int_equal(got[3 * k + 1], offsets[i]);
			assert_int_equal(got[3 * k + 2], k);
		}
		clReleaseMemObject(out);
	}
	cl_kernel_done(kernel);
}

/* What is suggested is what is used. */
static void suggestions_are_followed(void **state)
{
	static const size_t sizes[][3] = { { 1, 1, 1 }, { 64, 1, 1 }, { 1009, 1, 1 },
		{ 1024, 3, 1 }, { 997, 3, 1 }, { 7, 11, 13 }, { 100, 1, 1 }, { 1, 509, 1 } };
	cl_int (*suggest)(
		cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, size_t *);
	void *found = clGetExtensionFunctionAddressForPlatform(
		cl.platform, "clGetKernelSuggestedLocalWorkSizeKHR");

	(void)state;
	skip_if(!cl.ours);
	assert_non_null(found);
	memcpy(&suggest, &found, sizeof suggest);
	for (int std = 0; std < 2; std++) {
		cl_kernel kernel = cl_make_kernel(add_source, STD, std ? "plain" : "chosen");
		cl_mem out = zeros(1024 * 3);

		cl_set_buffer(kernel, 0, out);
		if (std)
			cl_set_uint(kernel, 1, 0);
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			size_t want[3] = { 0 }, most = 0;
			cl_uint got[3];

			CL(suggest(cl.queue, kernel, 3, NULL, sizes[i], want));
			CL(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_WORK_GROUP_SIZE,
				sizeof most, &most, NULL));
			assert_true(want[0] * want[1] * want[2] <= most);
			CL(clEnqueueNDRangeKernel(
				cl.queue, kernel, 3, NULL, sizes[i], NULL, 0, NULL, NULL));
			cl_read(out, sizeof got, got);
			for (int k = 0; k < 3; k++) {
				if (!std)
					assert_int_equal(got[k], want[k]);
				/* no group is much smaller than a sub-group without need */
				if (std && sizes[i][0] > 500)
					assert_true(want[0] >= 8);
			}
		}
		clReleaseMemObject(out);
		cl_kernel_done(kernel);
	}
}

struct racer {
	pthread_t thread;
	cl_program program;
	cl_mem out;
	cl_int rc;
};

/* Its own kernel and queue; the program is everyone's. */
static void *race(void *argument)
{
	struct racer *racer = argument;
	size_t global = 50, local = 16;
	cl_uint one = 1;
	cl_int rc = 0;
	cl_command_queue queue = clCreateCommandQueue(cl.context, cl.device, 0, &racer->rc);
	cl_kernel kernel = clCreateKernel(racer->program, "add", &rc);

	racer->rc |= rc;
	racer->rc |= clSetKernelArg(kernel, 0, sizeof racer->out, &racer->out);
	racer->rc |= clSetKernelArg(kernel, 1, sizeof one, &one);
	for (int i = 0; i < 20; i++)
		racer->rc |= clEnqueueNDRangeKernel(
			queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
	racer->rc |= clFinish(queue);
	clReleaseKernel(kernel);
	clReleaseCommandQueue(queue);
	return NULL;
}

static void threads_share_a_kernel(void **state)
{
	struct racer racers[4];

	(void)state;
	cl_program program = cl_build(add_source, STD);
	for (size_t i = 0; i < 4; i++) {
		racers[i] = (struct racer){ .program = program, .out = zeros(64) };
		assert_int_equal(pthread_create(&racers[i].thread, NULL, race, &racers[i]), 0);
	}
	for (size_t i = 0; i < 4; i++)
		pthread_join(racers[i].thread, NULL);
	for (size_t i = 0; i < 4; i++) {
		CL(racers[i].rc);
		expect_all(racers[i].out, 50, 64, 20 * 4001);
		clReleaseMemObject(racers[i].out);
	}
	CL(clReleaseProgram(program));
}

/* A range of nothing is a marker with an event. */
static void nothing_to_do(void **state)
{
	cl_kernel kernel = cl_make_kernel(add_source, STD, "add");
	cl_mem out = zeros(64);
	size_t none[3] = { 4, 0, 4 }, local[3] = { 3, 3, 3 };
	cl_event event;
	cl_int status = 1;

	(void)state;
	cl_set_buffer(kernel, 0, out);
	cl_set_uint(kernel, 1, 1);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 3, NULL, none, local, 0, NULL, &event));
	CL(clWaitForEvents(1, &event));
	CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
	assert_int_equal(status, CL_COMPLETE);
	CL(clReleaseEvent(event));
	expect_all(out, 0, 64, 0);
	clReleaseMemObject(out);
	cl_kernel_done(kernel);
}

static unsigned count_files(const char *path)
{
	DIR *folder = opendir(path);
	unsigned n = 0;

	assert_non_null(folder);
	while (readdir(folder))
		n++;
	closedir(folder);
	return n;
}

/* All code is there once the program is built: an enqueue compiles nothing. */
static void an_enqueue_compiles_nothing(void **state)
{
	char path[TEST_FOLDER_MAX + 8], source[sizeof add_source + 64];

	(void)state;
	skip_if(!cl.ours);
	snprintf(path, sizeof path, "%s/v1", cache_folder);
	snprintf(source, sizeof source, "// %ld\n%s", (long)getpid(), add_source);
	cl_program program = cl_build(source, STD);
	const unsigned built = count_files(path);
	cl_kernel dims = make_kernel(program, "dims"), sized = make_kernel(program, "sized");
	cl_mem out = zeros(64);

	cl_set_buffer(dims, 0, out);
	cl_set_buffer(sized, 0, out);
	CL(enqueue(dims, 3, 2, NULL));
	CL(enqueue(sized, 40, 16, NULL));
	CL(clFinish(cl.queue));
	assert_true(built > 2);
	assert_int_equal(count_files(path), built);
	clReleaseMemObject(out);
	CL(clReleaseKernel(dims));
	CL(clReleaseKernel(sized));
	CL(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_reach_ragged_ranges),
		cmocka_unit_test(linear_id_alone),
		cmocka_unit_test(dimensions_are_those_of_the_call),
		cmocka_unit_test(groups_of_one_size_stay_so),
		cmocka_unit_test(required_sizes_have_edges),
		cmocka_unit_test(variables_are_shared),
		cmocka_unit_test(arguments_are_those_of_the_source),
		cmocka_unit_test(one_event_for_all_parts),
		cmocka_unit_test(ids_have_64_bits),
		cmocka_unit_test(suggestions_are_followed),
		cmocka_unit_test(threads_share_a_kernel),
		cmocka_unit_test(an_enqueue_compiles_nothing),
		cmocka_unit_test(nothing_to_do),
	};

	test_folder_make(cache_folder, "ragged");
	setenv("ZEROCL_CACHE_DIR", cache_folder, 1);
	int failed = CL_RUN(argc, argv, tests);
	test_folder_remove(cache_folder);
	return failed;
}
