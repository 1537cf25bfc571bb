// SPDX-License-Identifier: MIT
/* What kernels print is there when they are known to be done: section 6.15.14 of OpenCL C. */
#include "cl/cl_command_buffer.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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

/* Each conversion, of values that only the device knows, as C's own printf has it. Not over Intel's
 * driver, which reads some escapes again. */
static void test_conversions(void **state)
{
	static const char *const formats[] = { "%d", "%+5i|", "%-8d|", "%08d", "%.5d", "% d", "%u",
		"%o", "%#o", "%x", "%#X", "%10.4x|", "%c", "%5c|", "%hhd", "%hd", "%hu", "%hhx" };
	static const char *const floats[] = { "%f", "%.0f", "%#.0f", "%10.3e|", "%E", "%g", "%G",
		"%-12.4g|", "%a", "%.2A", "%+f", "% .1f", "%010.2f" };
	static const int values[] = { 0, 1, -1, 65, 300, -70000, 2147483647, -2147483647 - 1 };
	static const float numbers[] = { 0.0f, -0.0f, 1.0f, -1.5f, 3.14159274f, 1e-30f, 6.02e23f };
	char program[4096] = "kernel void say(int v, float f, long l) {\n", want[8192] = "";
	char text[8192], line[128];

	(void)state;
	skip_if(!cl.ours);
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		sprintf(program + strlen(program), "printf(\"%s\\n\", v);\n", formats[i]);
	for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
		sprintf(program + strlen(program), "printf(\"%s\\n\", f);\n", floats[i]);
	strcat(program, "printf(\"%ld %lu %lx\\t%%\\n\", l, l, l);\n"
			"printf(\"%zu %zd %jd %lld %td %d\\n\", l, l, l, l, l, v); }\n");
	cl_kernel kernel = cl_make_kernel(program, "", "say");
	for (size_t v = 0; v < 8; v++) {
		cl_long l = (cl_long)((cl_ulong)values[v] * 4294967311ull);
		float f = numbers[v % 7];

		want[0] = '\0';
		for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
			snprintf(line, sizeof line, formats[i], values[v]);
			/* a text of ours ends at a zero that %c prints */
			sprintf(want + strlen(want), "%s\n", line);
		}
		for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
			snprintf(line, sizeof line, floats[i], (double)f);
			sprintf(want + strlen(want), "%s\n", line);
		}
		sprintf(want + strlen(want), "%lld %llu %llx\t%%\n", (long long)l,
			(unsigned long long)l, (unsigned long long)l);
		sprintf(want + strlen(want), "%zu %zd %jd %lld %td %d\n", (size_t)l, (ssize_t)l,
			(intmax_t)l, (long long)l, (ptrdiff_t)l, values[v]);
		CL(clSetKernelArg(kernel, 0, sizeof(int), &values[v]));
		CL(clSetKernelArg(kernel, 1, sizeof f, &f));
		CL(clSetKernelArg(kernel, 2, sizeof l, &l));
		capture();
		CL(clEnqueueNDRangeKernel(
			cl.queue, kernel, 1, NULL, &(size_t){ 1 }, NULL, 0, NULL, NULL));
		CL(clFinish(cl.queue));
		release(text, sizeof text);
		if (values[v] & 255)
			assert_string_equal(text, want);
	}
	cl_kernel_done(kernel);
}

static const char odd[] =
	"constant char named[] = \"named\";\n"
	"constant char *constant table[3] = { \"t0\", \"\", \"t2\" };\n"
	"kernel void say(uint v) {\n"
	"  printf(\"[%s][%s][%5.2s][%-4s]\\n\", \"\", v ? \"\" : \"x\", \"abc\", v ? \"yes\" : "
	"\"no\");\n"
	"  printf(\"tab\\t quote\\\" back\\\\ bell\\a %c%c\\n\", 'a', v + 64);\n"
	"  printf(\"%s %s %s%c\\n\", named, table[v], table[v - 1], named[v]);\n"
	"  printf(\"%v4d %v2hhu %v3f %v2ld %v8hx\\n\", (int4)(1, -2, 3, v), (uchar2)(255, v),\n"
	"    (float3)(1, 2, v), (long2)(-1, v), (ushort8)(1, 2, 3, 4, 5, 6, 7, v));\n"
	"  printf(\"%v4hld %v2hlf\\n\", (int4)(v), (float2)(v, 0.5f));\n"
	"  printf(\"\"); printf(\"a%%b\\n\", v); printf(\"\", \"x\");\n"
	"  printf(\"%u %%%s|\", v, \"y\", v, 2.0f);\n"
	"  printf(\"%v2d.\", (int2)(1, 2), v, (float4)(3)); printf(named); }\n";

/*
 * Empty texts, escapes, texts that are chosen, arrays that are also read, vectors; arguments that
 * the format does not ask for are ignored, and so are empty formats.
 */
static void test_odd_ones(void **state)
{
	cl_kernel kernel = cl_make_kernel(odd, "-w", "say");
	char text[512];

	(void)state;
	skip_if(!cl.ours);
	capture();
	cl_set_uint(kernel, 0, 1);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &(size_t){ 1 }, NULL, 0, NULL, NULL));
	CL(clFinish(cl.queue));
	release(text, sizeof text);
	assert_string_equal(text, "[][][   ab][yes ]\n"
				  "tab\t quote\" back\\ bell\a aA\n"
				  "named  t0a\n"
				  "1,-2,3,1 255,1 1.000000,2.000000,1.000000 -1,1 "
				  "1,2,3,4,5,6,7,1\n"
				  "1,1,1,1 1.000000,0.500000\n"
				  "a%b\n"
				  "1 %y|1,2.named");
	cl_kernel_done(kernel);
}

/* From each work-item once, ragged groups included; and nothing beyond the buffer's size. */
static void test_from_many(void **state)
{
	static const char many[] =
		"kernel void say(uint v) {\n"
		"  printf(\"%u %u\\n\", (uint)get_global_id(0), (uint)get_enqueued_local_size(0)); "
		"}\n"
		"kernel void flood(uint v) { for (int i = 0; i < 64; i++)\n"
		"  printf(\"%v4d\\n\", (int4)(i)); }\n";
	enum { N = 1003, SIZE = 1 << 16 };
	char *text = test_malloc(SIZE), *line;
	unsigned char seen[N] = { 0 };
	size_t global = N, local = 16;
	cl_program program = cl_build(many, "-cl-std=CL3.0");
	cl_int rc;
	cl_kernel kernel = clCreateKernel(program, "say", &rc);

	(void)state;
	CL(rc);
	cl_set_uint(kernel, 0, 1);
	if (!cl.ours)
		global = N / local * local;
	capture();
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
	CL(clFinish(cl.queue));
	release(text, SIZE);
	size_t n = 0;
	for (char *rest = text; (line = strsep(&rest, "\n")) && *line; n++) {
		unsigned id, size;

		assert_int_equal(sscanf(line, "%u %u", &id, &size), 2);
		assert_true(id < global && !seen[id]);
		assert_int_equal(size, local);
		seen[id] = 1;
	}
	assert_int_equal(n, global);
	CL(clReleaseKernel(kernel));

	kernel = cl_kernel_of(program, "flood");
	cl_set_uint(kernel, 0, 1);
	capture();
	CL(clEnqueueNDRangeKernel(
		cl.queue, kernel, 1, NULL, &(size_t){ 8192 }, NULL, 0, NULL, NULL));
	CL(clFinish(cl.queue));
	release(text, SIZE);
	assert_int_equal(strspn(text, "0123456789,\n"), strlen(text));
	assert_true(strlen(text) > 1000);
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(program));
	test_free(text);
}

/* More launches than there is memory to print into, in their order. */
static void test_in_order(void **state)
{
	cl_kernel kernel = cl_make_kernel(source, "", "say");
	char text[1024], want[1024] = "";

	(void)state;
	skip_if(!cl.ours);
	capture();
	for (cl_uint i = 0; i < 100; i++) {
		say(kernel, i, NULL);
		sprintf(want + strlen(want), "<%u x>", i);
	}
	CL(clFinish(cl.queue));
	release(text, sizeof text);
	assert_string_equal(text, want);
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

static void *finish(void *unused)
{
	CL(clFinish(cl.queue));
	return unused;
}

static void *read_all(void *pipe_end)
{
	static char text[1 << 16];
	size_t n = 0;
	ssize_t some;

	while ((some = read(*(int *)pipe_end, text + n, sizeof(text) - 1 - n)) > 0)
		n += (size_t)some;
	text[n] = '\0';
	return text;
}

/* Whoever reads the output may do so later: until then, others use the queue. */
static void test_output_that_nobody_reads(void **state)
{
	enum { LINES = 256 };
	static const char shouts[] = "kernel void shout() { printf(\"%063u\\n\", 7); }\n";
	cl_kernel kernel = cl_make_kernel(shouts, "", "shout");
	cl_mem buffer = cl_make_buffer(64, (cl_uint[16]){ 0 });
	int ends[2], full, size = 0, was;
	pthread_t finisher, reader;
	cl_event event;
	void *text;

	(void)state;
	skip_if(!cl.ours);
	assert_int_equal(pipe(ends), 0);
	assert_true((full = fcntl(ends[1], F_SETPIPE_SZ, 4096)) > 0);
	fflush(stdout);
	assert_true((was = dup(1)) >= 0);
	assert_int_equal(dup2(ends[1], 1), 1);
	close(ends[1]);
	CL(clEnqueueNDRangeKernel(
		cl.queue, kernel, 1, NULL, &(size_t){ LINES }, NULL, 0, NULL, NULL));
	assert_int_equal(pthread_create(&finisher, NULL, finish, NULL), 0);
	while (size < full)
		assert_int_equal(ioctl(ends[0], FIONREAD, &size), 0);
	CL(clEnqueueFillBuffer(cl.queue, buffer, &(cl_uint){ 5 }, 4, 0, 64, 0, NULL, &event));
	CL(clFlush(cl.queue));
	CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, 4, &size, NULL));
	assert_int_equal(pthread_create(&reader, NULL, read_all, &ends[0]), 0);
	assert_int_equal(pthread_join(finisher, NULL), 0);
	assert_int_equal(dup2(was, 1), 1);
	close(was);
	assert_int_equal(pthread_join(reader, &text), 0);
	close(ends[0]);
	assert_int_equal(strlen(text), 64 * LINES);
	for (size_t i = 0; i < LINES; i++)
		assert_int_equal(atoi((char *)text + 64 * i), 7);
	CL(clWaitForEvents(1, &event));
	CL(clReleaseEvent(event));
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernel);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_is_there_when_done),
		cmocka_unit_test(test_conversions),
		cmocka_unit_test(test_odd_ones),
		cmocka_unit_test(test_from_many),
		cmocka_unit_test(test_in_order),
		cmocka_unit_test(test_of_a_command_buffer),
		cmocka_unit_test(test_output_that_nobody_reads),
	};

	return CL_RUN(argc, argv, tests);
}
