// SPDX-License-Identifier: MIT
/*
 * A kernel that reaches for memory that is not there: its event ends with an error, the context is
 * told, the process lives, and the next command works.
 */
#include "cl/cl_case.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char source[] = "kernel void astray(global uint *p, ulong far)\n"
			     "{ p[0] = *(global uint *)(p[1] + far + get_global_id(0) * 4); }\n"
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

static void test_fault(void **state)
{
	cl_uint values[4] = { 1, 0, 3, 4 }, got[4];
	cl_ulong far = 0x7f0000000000ull;
	size_t one = 1, four = 4;
	cl_int rc, status = 4711;
	cl_event event, later;

	(void)state;
	cl_context context = clCreateContext(NULL, 1, &cl.device, hear, NULL, &rc);
	CL(rc);
	cl_command_queue queue = clCreateCommandQueue(context, cl.device, 0, &rc);
	CL(rc);
	cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &rc);
	CL(rc);
	const char *text = source;
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &rc);
	CL(rc);
	CL(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	cl_kernel bad = clCreateKernel(program, "astray", &rc);
	CL(rc);
	cl_kernel good = clCreateKernel(program, "good", &rc);
	CL(rc);
	CL(clSetKernelArg(bad, 0, sizeof buffer, &buffer));
	CL(clSetKernelArg(bad, 1, sizeof far, &far));
	CL(clSetKernelArg(good, 0, sizeof buffer, &buffer));

	for (int round = 0; round < 3; round++) {
		heard[0] = '\0';
		CL(clEnqueueNDRangeKernel(queue, bad, 1, NULL, &one, NULL, 0, NULL, &event));
		assert_int_equal(
			clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
		CL(clGetEventInfo(
			event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
		assert_true(status < 0);
		CL(clReleaseEvent(event));
		/* The report names the address and the instruction. */
		assert_non_null(strstr(heard, "7f0000000"));
		assert_non_null(strstr(heard, "send"));

		CL(clEnqueueWriteBuffer(
			queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
		CL(clEnqueueNDRangeKernel(queue, good, 1, NULL, &four, NULL, 0, NULL, &later));
		CL(clWaitForEvents(1, &later));
		CL(clReleaseEvent(later));
		memset(got, 0xee, sizeof got);
		CL(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
		for (int i = 0; i < 4; i++)
			assert_int_equal(got[i], values[i] + 5);
	}
	CL(clReleaseKernel(bad));
	CL(clReleaseKernel(good));
	CL(clReleaseProgram(program));
	CL(clReleaseMemObject(buffer));
	CL(clReleaseCommandQueue(queue));
	CL(clReleaseContext(context));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fault),
	};

	return CL_RUN(argc, argv, tests);
}
