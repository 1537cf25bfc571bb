// SPDX-License-Identifier: MIT
#include "tool/demo/demo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/base/error_name.h"
#include "tool/base/tool_cl.h"

/* A run under way. All of it is released by finish. */
struct run {
	const struct demo_device *device;
	const struct demo_case *row;
	const struct demo_range *range;
	cl_kernel kernel;
	struct demo_buffers host;
	cl_mem in;
	cl_mem out;
	cl_mem place;
	cl_mem scratch;
	const char *step; /* what is being done, for the sentence that says what failed */
};

#define CALL(run, call)                                                                            \
	do {                                                                                       \
		(run)->step = #call;                                                               \
		code = call;                                                                       \
		if (code != CL_SUCCESS)                                                            \
			return code;                                                               \
	} while (0)

/* splitmix64 */
static uint32_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return (uint32_t)((z ^ (z >> 31)) >> 32);
}

/* Whether word i of the voters' data is zero: by stretches never, always, mostly, or rarely. */
static bool abstains(size_t i, uint32_t random)
{
	unsigned mode = i / 64 % 4;

	return mode == 1 || (mode == 2 && random % 16) || (mode == 3 && !(random % 16));
}

static void fill_input(const struct run *run, uint64_t seed)
{
	for (size_t i = 0; i < run->host.in_words; i++) {
		uint32_t word = next_random(&seed);
		if (run->row->data == DATA_VOTE)
			word = abstains(i, word) ? 0 : word | 1u << word % 32;
		run->host.in[i] = word;
	}
}

static cl_int prepare(struct run *run, uint64_t seed)
{
	struct demo_buffers *host = &run->host;

	run->step = "allocating memory on the host";
	demo_check_sizes(host, run->row, run->range);
	host->in = calloc(host->in_words, sizeof(uint32_t));
	host->out = calloc(host->out_words, sizeof(uint32_t));
	host->place = calloc(host->place_words, sizeof(uint32_t));
	if (!host->in || !host->out || !host->place)
		return CL_OUT_OF_HOST_MEMORY;
	fill_input(run, seed);
	for (size_t i = 0; i < host->out_words; i++)
		host->out[i] = demo_poison(i);
	for (size_t i = 0; i < host->place_words; i++)
		host->place[i] = demo_poison(i);
	return CL_SUCCESS;
}

static size_t scratch_bytes(const struct run *run)
{
	return demo_range_groups(run->range) * demo_range_capacity(run->range) * sizeof(uint32_t);
}

/* The buffers of the device, with data and poison; scratch is filled by a command. */
static cl_int create_buffers(struct run *run)
{
	const struct demo_buffers *host = &run->host;
	cl_context context = run->device->cl.context;
	cl_mem_flags copy = CL_MEM_COPY_HOST_PTR;
	cl_int code;

	run->step = "clCreateBuffer";
	run->in = clCreateBuffer(context, copy | CL_MEM_READ_ONLY,
		host->in_words * sizeof(uint32_t), host->in, &code);
	if (code != CL_SUCCESS)
		return code;
	run->out =
		clCreateBuffer(context, copy, host->out_words * sizeof(uint32_t), host->out, &code);
	if (code != CL_SUCCESS)
		return code;
	run->place = clCreateBuffer(context, 0, host->place_words * sizeof(uint32_t), NULL, &code);
	if (code != CL_SUCCESS)
		return code;
	run->scratch = clCreateBuffer(context, 0, scratch_bytes(run), NULL, &code);
	return code;
}

static cl_int set_arguments(struct run *run)
{
	cl_uint capacity = (cl_uint)demo_range_capacity(run->range);
	cl_int code;

	CALL(run, clSetKernelArg(run->kernel, 0, sizeof(cl_mem), &run->in));
	CALL(run, clSetKernelArg(run->kernel, 1, sizeof(cl_mem), &run->out));
	CALL(run, clSetKernelArg(run->kernel, 2, sizeof(cl_mem), &run->place));
	CALL(run, clSetKernelArg(run->kernel, 3, sizeof(cl_mem), &run->scratch));
	CALL(run, clSetKernelArg(run->kernel, 4, capacity * sizeof(cl_uint), NULL));
	CALL(run, clSetKernelArg(run->kernel, 5, sizeof(capacity), &capacity));
	return CL_SUCCESS;
}

/* Poisons what is left, runs the kernel, and brings the results to the host. */
static cl_int execute(struct run *run)
{
	cl_command_queue queue = run->device->cl.queue;
	const struct demo_range *range = run->range;
	struct demo_buffers *host = &run->host;
	size_t place_bytes = host->place_words * sizeof(uint32_t);
	cl_uint poison = demo_poison(0);
	cl_int code;

	CALL(run, clEnqueueWriteBuffer(
			  queue, run->place, CL_FALSE, 0, place_bytes, host->place, 0, NULL, NULL));
	CALL(run, clEnqueueFillBuffer(queue, run->scratch, &poison, sizeof(poison), 0,
			  scratch_bytes(run), 0, NULL, NULL));
	CALL(run, clEnqueueNDRangeKernel(queue, run->kernel, range->dims, range->offset,
			  range->global, range->local, 0, NULL, NULL));
	CALL(run, clEnqueueReadBuffer(queue, run->out, CL_TRUE, 0,
			  host->out_words * sizeof(uint32_t), host->out, 0, NULL, NULL));
	run->step = "clEnqueueMapBuffer";
	void *places = clEnqueueMapBuffer(
		queue, run->place, CL_TRUE, CL_MAP_READ, 0, place_bytes, 0, NULL, NULL, &code);
	if (!places)
		return code;
	memcpy(host->place, places, place_bytes);
	CALL(run, clEnqueueUnmapMemObject(queue, run->place, places, 0, NULL, NULL));
	CALL(run, clFinish(queue));
	return CL_SUCCESS;
}

#undef CALL

static void finish(struct run *run)
{
	cl_mem buffers[] = { run->in, run->out, run->place, run->scratch };

	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
		if (buffers[i])
			clReleaseMemObject(buffers[i]);
	free(run->host.in);
	free(run->host.out);
	free(run->host.place);
}

/* The part of a call's text before its arguments. */
static int name_length(const char *step)
{
	return (int)strcspn(step, "(");
}

void demo_run(const struct demo_device *device, const struct demo_case *row, cl_kernel kernel,
	const struct demo_range *range, unsigned width, uint64_t seed, struct demo_outcome *outcome)
{
	struct run run = { .device = device, .row = row, .range = range, .kernel = kernel };
	cl_int code = prepare(&run, seed);
	char name[96];

	if (code == CL_SUCCESS)
		code = create_buffers(&run);
	if (code == CL_SUCCESS)
		code = set_arguments(&run);
	if (code == CL_SUCCESS)
		code = execute(&run);
	if (code == CL_SUCCESS) {
		demo_check(row, range, width, &run.host, outcome);
	} else {
		memset(outcome, 0, sizeof(*outcome));
		snprintf(outcome->wrong, sizeof(outcome->wrong), "range %s: %.*s: %s",
			demo_range_name(range, name, sizeof(name)), name_length(run.step), run.step,
			error_name(code));
	}
	finish(&run);
}
