// SPDX-License-Identifier: MIT
#include "intel_bench.h"
#include "test_random.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 8 };

uint64_t intel_nanoseconds;
bool intel_compares = true;
unsigned intel_float_bytes;

#define CHECK(call) check(call, #call)

static void check(cl_int error, const char *what)
{
	if (error)
		fail_msg("%s: %d", what, error);
}

uint32_t intel_random(void)
{
	static uint64_t state;

	return (uint32_t)test_random(&state);
}

void intel_open(struct intel *intel)
{
	const char *other = getenv("ZEROCL_CORPUS_PLATFORM");

	intel_open_platform(intel, other ? other : "Intel(R) OpenCL");
}

void intel_open_platform(struct intel *intel, const char *platform)
{
	cl_platform_id platforms[8];
	cl_uint count = 0;
	cl_int error;
	char name[128];

	memset(intel, 0, sizeof *intel);
	CHECK(clGetPlatformIDs(8, platforms, &count));
	for (cl_uint i = 0; i < count && !intel->platform; i++) {
		CHECK(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL));
		if (strstr(name, platform))
			intel->platform = platforms[i];
	}
	assert_non_null(intel->platform);
	CHECK(clGetDeviceIDs(intel->platform, CL_DEVICE_TYPE_ALL, 1, &intel->device, NULL));
	intel->context = clCreateContext(NULL, 1, &intel->device, NULL, NULL, &error);
	CHECK(error);
	const cl_queue_properties profiling[] = { CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE,
		0 };
	intel->queue = clCreateCommandQueueWithProperties(
		intel->context, intel->device, profiling, &error);
	CHECK(error);
}

void intel_close(struct intel *intel)
{
	if (intel->program)
		clReleaseProgram(intel->program);
	clReleaseCommandQueue(intel->queue);
	clReleaseContext(intel->context);
}

char *intel_read(const char *name)
{
	char path[1024];

	snprintf(path, sizeof path, "%s/%s", INTEL_SOURCES, name);
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	char *text = calloc(1, 1 << 16);
	assert_non_null(text);
	size_t size = fread(text, 1, (1 << 16) - 1, file);
	assert_true(size > 100 && size < (1 << 16) - 1);
	fclose(file);
	return text;
}

void intel_build(struct intel *intel, const char *options)
{
	char *texts[2] = { intel_read("intel_items.h"), intel_read("intel_kernels.cl") };

	intel_build_texts(intel, 2, (const char **)texts, options);
	free(texts[0]);
	free(texts[1]);
}

void intel_build_file(struct intel *intel, const char *name, const char *options)
{
	char *text = intel_read(name);

	intel_build_texts(intel, 1, (const char **)&text, options);
	free(text);
}

void intel_build_texts(struct intel *intel, unsigned count, const char **texts, const char *options)
{
	static char log[1 << 16];
	cl_int error;

	if (intel->program)
		clReleaseProgram(intel->program);
	intel->program = clCreateProgramWithSource(intel->context, count, texts, NULL, &error);
	CHECK(error);
	error = clBuildProgram(intel->program, 1, &intel->device, options, NULL, NULL);
	if (error) {
		clGetProgramBuildInfo(intel->program, intel->device, CL_PROGRAM_BUILD_LOG,
			sizeof log - 1, log, NULL);
		fail_msg("%s: %s", options, log);
	}
}

static cl_int run_once(struct intel *intel, const char *name, unsigned dimensions,
	const size_t *offset, const size_t *global, const size_t *local, unsigned count,
	const struct intel_argument *arguments)
{
	cl_mem buffers[MAX_ARGUMENTS] = { NULL };
	cl_ulong begin = 0, end = 0;
	cl_event event;
	cl_int error;
	cl_kernel kernel = clCreateKernel(intel->program, name, &error);

	check(error, name);
	for (unsigned i = 0; i < count; i++) {
		const struct intel_argument *a = &arguments[i];
		if (a->kind == INTEL_BUFFER) {
			buffers[i] = clCreateBuffer(
				intel->context, CL_MEM_COPY_HOST_PTR, a->size, a->data, &error);
			CHECK(error);
			CHECK(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]));
		} else {
			CHECK(clSetKernelArg(kernel, i, a->size, a->data));
		}
	}
	CHECK(clEnqueueNDRangeKernel(
		intel->queue, kernel, dimensions, offset, global, local, 0, NULL, &event));
	cl_int result = clFinish(intel->queue);
	if (!result) {
		CHECK(clGetEventProfilingInfo(
			event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL));
		CHECK(clGetEventProfilingInfo(
			event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
	}
	intel_nanoseconds = end - begin;
	for (unsigned i = 0; i < count; i++) {
		if (!buffers[i])
			continue;
		if (!result)
			CHECK(clEnqueueReadBuffer(intel->queue, buffers[i], CL_TRUE, 0,
				arguments[i].size, arguments[i].data, 0, NULL, NULL));
		clReleaseMemObject(buffers[i]);
	}
	clReleaseEvent(event);
	clReleaseKernel(kernel);
	return result;
}

void intel_setenv(const char *name, const char *value)
{
	void (*read_environment)(void);

	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
	*(void **)&read_environment = dlsym(RTLD_DEFAULT, "zerocl_vgpu_read_environment");
	if (read_environment)
		read_environment();
}

void intel_choose(const char *engine)
{
	intel_setenv("ZEROCL_VGPU_ENGINE", engine);
}

/* Copies all buffers' memory out of or into the arguments', one behind the other. */
static void copy_buffers(
	const struct intel_argument *arguments, unsigned count, uint8_t *memory, bool back)
{
	for (unsigned i = 0; i < count; i++) {
		if (arguments[i].kind != INTEL_BUFFER)
			continue;
		memcpy(back ? arguments[i].data : memory, back ? memory : arguments[i].data,
			arguments[i].size);
		memory += arguments[i].size;
	}
}

/* Whether byte i is of a number that is none. All buffers are of whole numbers. */
static bool is_nan(const uint8_t *memory, size_t i)
{
	static const uint64_t infinity[] = {
		[2] = 0x7c00, [4] = 0x7f800000, [8] = UINT64_C(0x7ff0000000000000)
	};
	uint64_t bits = 0;

	if (!intel_float_bytes)
		return false;
	memcpy(&bits, memory + i / intel_float_bytes * intel_float_bytes, intel_float_bytes);
	bits &= UINT64_MAX >> (65 - 8 * intel_float_bytes); /* without the sign */
	return bits > infinity[intel_float_bytes];
}

cl_int intel_run(struct intel *intel, const char *name, unsigned dimensions, const size_t *offset,
	const size_t *global, const size_t *local, unsigned count,
	const struct intel_argument *arguments)
{
	static const char *const engines[] = { "stencil", "stencil,avx2", "stencil,base" };
	static unsigned turn;
	const char *engine = engines[turn++ % (sizeof engines / sizeof *engines)];
	bool compares =
		intel_compares && getenv("ZEROCL_VGPU_FORMS") && !getenv("ZEROCL_VGPU_ENGINE");
	size_t size = 0;

	for (unsigned i = 0; i < count; i++)
		size += arguments[i].kind == INTEL_BUFFER ? arguments[i].size : 0;
	uint8_t *before = malloc(3 * size + 1), *after = before + size, *now = after + size;
	assert_non_null(before);
	copy_buffers(arguments, count, before, false);
	cl_int result = run_once(intel, name, dimensions, offset, global, local, count, arguments);
	copy_buffers(arguments, count, after, false);
	uint64_t nanoseconds = intel_nanoseconds;
	if (compares && !result) {
		intel_choose(engine);
		copy_buffers(arguments, count, before, true);
		assert_int_equal(
			run_once(intel, name, dimensions, offset, global, local, count, arguments),
			0);
		intel_choose(NULL);
		copy_buffers(arguments, count, now, false);
		for (size_t i = 0; i < size; i++)
			if (now[i] != after[i] && !(is_nan(now, i) && is_nan(after, i)))
				fail_msg("%s: byte %zu of %zu is %02x by \"%s\", %02x by the "
					 "interpreter",
					name, i, size, now[i], engine, after[i]);
	}
	copy_buffers(arguments, count, after, true);
	intel_nanoseconds = nanoseconds;
	free(before);
	return result;
}
