// SPDX-License-Identifier: MIT
#include "hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* hostile CASE: runs one case. hostile: lists them. */

#define SECONDS 120 /* a hang ends by then */

static const struct {
	const char *name;
	int (*run)(void);
} cases[] = {
	{ "build", hostile_builds },
	{ "cached", hostile_cached },
	{ "no-thread-early", hostile_no_thread_early },
	{ "no-thread-late", hostile_no_thread_late },
	{ "closed", hostile_closed },
	{ "no-folder", hostile_no_folder },
	{ "no-stdio", hostile_no_stdio },
	{ "no-file-size", hostile_no_file_size },
	{ "small-stacks", hostile_small_stacks },
	{ "released", hostile_released },
	{ "many", hostile_many },
	{ "private", hostile_private },
	{ "handler", hostile_handler },
	{ "interrupted", hostile_interrupted },
	{ "exit-return", hostile_exit_return },
	{ "exit-call", hostile_exit_call },
	{ "exit-wait", hostile_exit_wait },
};

_Noreturn void hostile_fail(const char *what, long value)
{
	fprintf(stderr, "hostile: %s: %ld\n", what, value);
	_exit(1);
}

static const char source[] = "kernel void put(global int *b, int v)"
			     "{ b[get_global_id(0)] = (int)get_global_id(0) + v + EXTRA; }";

static cl_int build(const struct hostile *h, const char *options, cl_program *out)
{
	const char *text = source;
	cl_int rc;

	*out = clCreateProgramWithSource(h->context, 1, &text, NULL, &rc);
	return rc ? rc : clBuildProgram(*out, 1, &h->device, options, NULL, NULL);
}

cl_int hostile_open(struct hostile *h)
{
	cl_platform_id platform;
	cl_int rc;

	*h = (struct hostile){ 0 };
	if ((rc = clGetPlatformIDs(1, &platform, NULL)) ||
		(rc = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &h->device, NULL)))
		return rc;
	h->context = clCreateContext(NULL, 1, &h->device, NULL, NULL, &rc);
	if (!rc)
		h->queue = clCreateCommandQueueWithProperties(h->context, h->device, NULL, &rc);
	if (!rc)
		rc = build(h, "-DEXTRA=0", &h->program);
	if (!rc)
		h->kernel = clCreateKernel(h->program, "put", &rc);
	if (!rc)
		h->buffer =
			clCreateBuffer(h->context, 0, HOSTILE_ITEMS * sizeof(cl_int), NULL, &rc);
	return rc;
}

void hostile_close(struct hostile *h)
{
	(void)clReleaseMemObject(h->buffer);
	(void)clReleaseKernel(h->kernel);
	(void)clReleaseProgram(h->program);
	(void)clReleaseCommandQueue(h->queue);
	(void)clReleaseContext(h->context);
}

cl_int hostile_launch(const struct hostile *h, cl_command_queue queue, cl_int v)
{
	const size_t size = HOSTILE_ITEMS;
	cl_int items[HOSTILE_ITEMS], rc;

	memset(items, 0xee, sizeof items);
	if ((rc = clSetKernelArg(h->kernel, 0, sizeof h->buffer, &h->buffer)) ||
		(rc = clSetKernelArg(h->kernel, 1, sizeof v, &v)) ||
		(rc = clEnqueueNDRangeKernel(
			 queue, h->kernel, 1, NULL, &size, NULL, 0, NULL, NULL)) ||
		(rc = clEnqueueReadBuffer(
			 queue, h->buffer, CL_TRUE, 0, sizeof items, items, 0, NULL, NULL)))
		return rc;
	for (cl_int i = 0; i < HOSTILE_ITEMS; i++)
		if (items[i] != i + v)
			hostile_fail("a wrong result", items[i]);
	return CL_SUCCESS;
}

cl_int hostile_build(const struct hostile *h)
{
	static unsigned n;
	cl_program program;
	char options[64];

	snprintf(options, sizeof options, "-DEXTRA=%u%06u", (unsigned)getpid() % 1000, ++n);
	cl_int rc = build(h, options, &program);
	(void)clReleaseProgram(program);
	return rc;
}

/* Programs that are in no cache. */
int hostile_builds(void)
{
	struct hostile h;
	cl_int rc = hostile_open(&h);

	for (int i = 0; !rc && i < 4; i++)
		rc = hostile_build(&h);
	if (rc || (rc = hostile_launch(&h, h.queue, 1)))
		hostile_fail("a build or a launch", rc);
	hostile_close(&h);
	return 0;
}

/* A program that is in the cache, perhaps. */
int hostile_cached(void)
{
	struct hostile h;
	cl_int rc = hostile_open(&h);

	if (rc || (rc = hostile_launch(&h, h.queue, 2)))
		hostile_fail("a build or a launch", rc);
	hostile_close(&h);
	return 0;
}

int main(int argc, char **argv)
{
	const size_t n = sizeof cases / sizeof *cases;

	for (size_t i = 0; argc < 2 && i < n; i++)
		puts(cases[i].name);
	if (argc < 2)
		return 0;
	alarm(SECONDS);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(cases[i].name, argv[1]))
			return cases[i].run();
	fprintf(stderr, "hostile: no case %s\n", argv[1]);
	return 2;
}
