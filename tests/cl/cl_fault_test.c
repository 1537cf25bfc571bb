// SPDX-License-Identifier: MIT
/*
 * A kernel that reaches for memory that is not there: its event ends with an error, the context is
 * told, the process lives, and the next command works, there and in other contexts.
 */
#include "cl/cl_case.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char source[] = "kernel void astray(global uint *p, ulong far)\n"
			     "{ p[0] = *(global uint *)(p[1] + far + get_global_id(0) * 4); }\n"
			     "kernel void late(global uint *p, ulong far)\n"
			     "{ size_t i = get_global_id(0);\n"
			     "  ulong off = get_group_id(0) == 329 ? far : 0;\n"
			     "  p[i] = *(global uint *)((ulong)(p + i) + off); }\n"
			     "kernel void good(global uint *p) { p[get_global_id(0)] += 5; }\n";

static char heard[8192];

static void CL_CALLBACK hear(const char *text, const void *data, size_t size, void *user)
{
	(void)data;
	(void)size;
	(void)user;
	if (strlen(heard) + strlen(text) + 2 < sizeof heard) {
		strcat(heard, text);
		strcat(heard, "\n");
	}
}

/* A context with what the tests need of it. */
struct world {
	cl_context context;
	cl_command_queue queue;
	cl_mem buffer;
	cl_program program;
	cl_kernel bad, good;
};

static const cl_uint values[4] = { 1, 0, 3, 4 };

static void open_world(struct world *w)
{
	const char *text = source;
	cl_ulong far = 0x7f0000000000ull;
	cl_int rc;

	w->context = clCreateContext(NULL, 1, &cl.device, hear, NULL, &rc);
	CL(rc);
	w->queue = clCreateCommandQueue(w->context, cl.device, 0, &rc);
	CL(rc);
	w->buffer = clCreateBuffer(
		w->context, CL_MEM_COPY_HOST_PTR, sizeof values, (void *)(uintptr_t)values, &rc);
	CL(rc);
	w->program = clCreateProgramWithSource(w->context, 1, &text, NULL, &rc);
	CL(rc);
	CL(clBuildProgram(w->program, 1, &cl.device, "", NULL, NULL));
	w->bad = clCreateKernel(w->program, "astray", &rc);
	CL(rc);
	w->good = clCreateKernel(w->program, "good", &rc);
	CL(rc);
	CL(clSetKernelArg(w->bad, 0, sizeof w->buffer, &w->buffer));
	CL(clSetKernelArg(w->bad, 1, sizeof far, &far));
	CL(clSetKernelArg(w->good, 0, sizeof w->buffer, &w->buffer));
}

static void close_world(struct world *w)
{
	CL(clReleaseKernel(w->bad));
	CL(clReleaseKernel(w->good));
	CL(clReleaseProgram(w->program));
	CL(clReleaseMemObject(w->buffer));
	CL(clReleaseCommandQueue(w->queue));
	CL(clReleaseContext(w->context));
}

static cl_int status_of(cl_event event)
{
	cl_int status = 4711;

	CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
	return status;
}

static void check_report(void)
{
	/* The report names the address and the instruction. */
	assert_non_null(strstr(heard, "7f0000000"));
	assert_non_null(strstr(heard, "send"));
}

static void fault(struct world *w)
{
	size_t one = 1;
	cl_event event;

	heard[0] = '\0';
	CL(clEnqueueNDRangeKernel(w->queue, w->bad, 1, NULL, &one, NULL, 0, NULL, &event));
	assert_int_equal(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_true(status_of(event) < 0);
	CL(clReleaseEvent(event));
	check_report();
}

/* The same for a program that never waits, and asks until the status is final. */
static void fault_by_asking(struct world *w)
{
	size_t one = 1;
	cl_event event;
	cl_int status;

	heard[0] = '\0';
	CL(clEnqueueNDRangeKernel(w->queue, w->bad, 1, NULL, &one, NULL, 0, NULL, &event));
	CL(clFlush(w->queue));
	while ((status = status_of(event)) > CL_COMPLETE)
		usleep(1000);
	assert_true(status < 0);
	CL(clReleaseEvent(event));
	check_report();
}

static void work(struct world *w)
{
	cl_uint got[4];
	size_t four = 4;
	cl_event event;

	CL(clEnqueueWriteBuffer(
		w->queue, w->buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
	CL(clEnqueueNDRangeKernel(w->queue, w->good, 1, NULL, &four, NULL, 0, NULL, &event));
	CL(clWaitForEvents(1, &event));
	CL(clReleaseEvent(event));
	memset(got, 0xee, sizeof got);
	CL(clEnqueueReadBuffer(w->queue, w->buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
	for (int i = 0; i < 4; i++)
		assert_int_equal(got[i], values[i] + 5);
}

static void test_same_context(void **state)
{
	struct world w;

	(void)state;
	open_world(&w);
	for (int round = 0; round < 3; round++) {
		fault(&w);
		work(&w);
		fault_by_asking(&w);
		work(&w);
	}
	close_world(&w);
}

/* Contexts that were there, ones made while the faulty one lives, and ones made after its end. */
static void test_other_contexts(void **state)
{
	struct world before, faulty, after;

	(void)state;
	open_world(&before);
	work(&before);
	open_world(&faulty);
	fault(&faulty);
	open_world(&after);
	work(&after);
	work(&before);
	close_world(&after);
	fault(&faulty);
	close_world(&faulty);
	open_world(&after);
	work(&after);
	close_world(&after);
	work(&before);
	close_world(&before);
}

/* Threads that follow those of other groups in one place: the report names their own. */
static void test_late_group(void **state)
{
	enum { GROUP = 32, GROUPS = 640 };
	size_t items = GROUP * GROUPS, group = GROUP;
	cl_ulong far = 0x7f0000000000ull;
	struct world w;
	cl_event event;
	cl_int rc;

	(void)state;
	open_world(&w);
	cl_mem buffer = clCreateBuffer(w.context, 0, items * sizeof(cl_uint), NULL, &rc);
	CL(rc);
	cl_kernel late = clCreateKernel(w.program, "late", &rc);
	CL(rc);
	CL(clSetKernelArg(late, 0, sizeof(buffer), &buffer));
	CL(clSetKernelArg(late, 1, sizeof(far), &far));
	heard[0] = '\0';
	CL(clEnqueueNDRangeKernel(w.queue, late, 1, NULL, &items, &group, 0, NULL, &event));
	assert_int_equal(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_non_null(strstr(heard, "thread 0 of group (329, 0, 0)"));
	CL(clReleaseEvent(event));
	CL(clReleaseKernel(late));
	CL(clReleaseMemObject(buffer));
	close_world(&w);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_context),
		cmocka_unit_test(test_other_contexts),
		cmocka_unit_test(test_late_group),
	};

	return CL_RUN(argc, argv, tests);
}
