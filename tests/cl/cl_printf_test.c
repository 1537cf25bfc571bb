// SPDX-License-Identifier: MIT
/* What kernels print is there when they are known to be done: section 6.15.14 of OpenCL C. */
#include "cl/cl_command_buffer.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 20

static const char source[] =
	"kernel void say(uint v) { if (!get_global_id(0)) printf(\"<%u %s>\", v, \"x\"); }\n";

/* Standard output, while it goes to a file. */
static int saved = -1, file = -1;

static void capture(void)
{
	char name[] = "/tmp/zerocl-printf-XXXXXX";

	fflush(stdout);
	saved = dup(1);
	file = mkstemp(name);
	assert_true(saved >= 0 && file >= 0);
	unlink(name);
	assert_int_equal(dup2(file, 1), 1);
}

static void release(char *text, size_t size)
{
	fflush(stdout);
	ssize_t n = pread(file, text, size - 1, 0);
	dup2(saved, 1);
	close(saved);
	close(file);
	assert_true(n >= 0);
	text[n] = '\0';
}

static void say(cl_kernel kernel, cl_uint value, cl_event *event)
{
	cl_set_uint(kernel, 0, value);
	CL(clEnqueueNDRangeKernel(
		cl.queue, kernel, 1, NULL, &(size_t){ 64 }, NULL, 0, NULL, event));
}

static void wait_for(cl_event event)
{
	cl_int status = CL_QUEUED;

	while (status > CL_COMPLETE)
		CL(clGetEventInfo(
			event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
	assert_int_equal(status, CL_COMPLETE);
}

/* After a finish, a wait, a look at the status, and a blocking read. */
static void test_is_there_when_done(void **state)
{
	cl_kernel kernel = cl_make_kernel(source, "", "say");
	cl_mem buffer = cl_make_buffer(64, (cl_uint[16]){ 0 });
	char text[64], want[64];

	(void)state;
	for (cl_uint i = 0; i < ROUNDS * 4; i++) {
		cl_event event;
		cl_uint got[16];

		capture();
		say(kernel, i, &event);
		if (i % 4 == 0)
			CL(clFinish(cl.queue));
		else if (i % 4 == 1)
			CL(clWaitForEvents(1, &event));
		else if (i % 4 == 2)
			wait_for(event);
		else
			CL(clEnqueueReadBuffer(
				cl.queue, buffer, CL_TRUE, 0, 64, got, 0, NULL, NULL));
		release(text, sizeof(text));
		snprintf(want, sizeof(want), "<%u x>", i);
		assert_string_equal(text, want);
		CL(clReleaseEvent(event));
	}
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernel);
}

/* Arguments that the format does not ask for are ignored, and so are empty formats. */
static void test_more_than_is_asked_for(void **state)
{
	static const char odd[] = "kernel void say(uint v) { if (get_global_id(0)) return;\n"
				  "  printf(\"\"); printf(\"a%%b\\n\", v); printf(\"\", \"x\");\n"
				  "  printf(\"%u %%%s|\", v, \"y\", v, 2.0f); printf(\"%v2d.\", "
				  "(int2)(1, 2), v); }\n";
	cl_kernel kernel = cl_make_kernel(odd, "", "say");
	char text[64];

	(void)state;
	if (!cl.ours)
		skip();
	capture();
	say(kernel, 7, NULL);
	CL(clFinish(cl.queue));
	release(text, sizeof(text));
	assert_string_equal(text, "a%b\n7 %y|1,2.");
	cl_kernel_done(kernel);
}

/* A command buffer prints each time that it is replayed. */
static void test_of_a_command_buffer(void **state)
{
	cl_kernel kernel = cl_make_kernel(source, "", "say");
	char text[64];

	(void)state;
	cb_load();
	cl_command_buffer_khr buffer = cb_create(0);
	cl_set_uint(kernel, 0, 4711);
	CL(cb.launch(
		buffer, NULL, NULL, kernel, 1, NULL, &(size_t){ 64 }, NULL, 0, NULL, NULL, NULL));
	CL(cb.finalize(buffer));
	for (int i = 0; i < ROUNDS; i++) {
		capture();
		cb_run(buffer);
		release(text, sizeof(text));
		assert_string_equal(text, "<4711 x>");
	}
	capture();
	CL(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
	CL(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
	CL(clFinish(cl.queue));
	release(text, sizeof(text));
	assert_string_equal(text, "<4711 x><4711 x>");
	CL(cb.release(buffer));
	cl_kernel_done(kernel);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_is_there_when_done),
		cmocka_unit_test(test_more_than_is_asked_for),
		cmocka_unit_test(test_of_a_command_buffer),
	};

	return CL_RUN(argc, argv, tests);
}
