// SPDX-License-Identifier: MIT
/*
 * Races between commands, on ZeroCL with ZEROCL_VGPU_CHECK=races: what nothing orders by the rules
 * of OpenCL is reported, and nothing else, whenever the device happened to execute it.
 */
#include "check_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 256, BYTES = 4 * N };

static const char source[] =
	"kernel void writes(global int *a) { a[get_global_id(0)] = 1; }\n"
	"kernel void reads(global int *a, global int *b) {\n"
	"	b[get_global_id(0)] = a[get_global_id(0)];\n"
	"}\n"
	"kernel void adds(global int *a) { atomic_inc(&a[get_global_id(0) & 7]); }\n"
	"kernel void draws(write_only image2d_t i, int from) {\n"
	"	write_imageui(i, (int2)(from + get_global_id(0) % 16, get_global_id(0) / 16), 7);\n"
	"}\n"
	"kernel void looks(read_only image2d_t i, global int *b) {\n"
	"	b[get_global_id(0)] = read_imageui(i, (int2)(get_global_id(0) % 16, 1)).x;\n"
	"}\n"
	"const sampler_t near = CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP;\n"
	"kernel void samples(read_only image2d_t i, global int *b) {\n"
	"	b[get_global_id(0)] = read_imageui(i, near, (float2)(get_global_id(0) % 16, "
	"1)).x;\n"
	"}\n"
	"kernel void both(read_write image2d_t i) {\n"
	"	int2 at = (int2)(get_global_id(0) % 16, get_global_id(0) / 16);\n"
	"	write_imageui(i, at, read_imageui(i, at) + 1);\n"
	"}\n";

static cl_command_queue one, two, loose; /* two in order, one out of order */
static cl_kernel writes, reads, adds, draws, looks, samples, both;
static cl_mem a, b, c, image;

static cl_command_queue make_queue(cl_command_queue_properties flags)
{
	const cl_queue_properties properties[] = { CL_QUEUE_PROPERTIES, flags, 0 };
	cl_int error;
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(cl.context, cl.device, properties, &error);

	CL(error);
	return queue;
}

static void launch(cl_command_queue queue, cl_kernel kernel, cl_mem first, cl_mem second, cl_uint n,
	const cl_event *wait, cl_event *event)
{
	const size_t global = N, local = 32;

	CL(clSetKernelArg(kernel, 0, sizeof first, &first));
	if (second)
		CL(clSetKernelArg(kernel, 1, sizeof second, &second));
	CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, n, wait, event));
}

static void write_in(cl_command_queue queue)
{
	launch(queue, writes, a, NULL, 0, NULL, NULL);
}

static void read_in(cl_command_queue queue, cl_mem to)
{
	launch(queue, reads, a, to, 0, NULL, NULL);
}

/* ---- what races; the line of `source` that must be reported ---- */

static void two_queues_write_and_read(void)
{
	write_in(one);
	read_in(two, b);
}

static void two_queues_write(void)
{
	write_in(one);
	write_in(two);
}

static void read_then_write_elsewhere(void)
{
	read_in(one, b);
	write_in(two);
}

static void a_read_is_not_forgotten(void)
{
	read_in(one, b);
	read_in(two, c);
	write_in(two);
}

static void out_of_order_without_event(void)
{
	write_in(loose);
	read_in(loose, b);
}

static void out_of_order_with_another_event(void)
{
	cl_event event;

	write_in(loose);
	launch(loose, writes, c, NULL, 0, NULL, &event);
	launch(loose, reads, a, b, 1, &event, NULL);
	clReleaseEvent(event);
}

static void finish_of_another_queue(void)
{
	write_in(one);
	read_in(two, b);
	CL(clFinish(two));
	write_in(loose);
	CL(clFinish(loose));
}

static void event_of_before(void)
{
	cl_event event;

	launch(one, reads, b, c, 0, NULL, &event);
	write_in(one);
	launch(two, reads, a, b, 1, &event, NULL);
	clReleaseEvent(event);
}

static void kernel_and_fill(void)
{
	const int zero = 0;

	write_in(one);
	CL(clEnqueueFillBuffer(two, a, &zero, sizeof zero, 0, BYTES, 0, NULL, NULL));
}

static void kernel_and_copy(void)
{
	write_in(one);
	CL(clEnqueueCopyBuffer(two, a, b, 0, 0, BYTES, 0, NULL, NULL));
}

static void kernel_and_blocking_read(void)
{
	static int data[N];

	write_in(one);
	CL(clEnqueueReadBuffer(two, a, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));
}

static void kernel_and_write_of_one_byte(void)
{
	write_in(one);
	CL(clEnqueueWriteBuffer(two, a, CL_TRUE, 77, 1, "x", 0, NULL, NULL));
}

static cl_mem part_of(cl_mem buffer, size_t origin, size_t size)
{
	const cl_buffer_region region = { origin, size };
	cl_int error;
	cl_mem part = clCreateSubBuffer(
		buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);

	CL(error);
	return part;
}

static void overlapping_parts(void)
{
	const cl_mem large = cl_make_buffer(4 * BYTES, NULL);
	const cl_mem x = part_of(large, 0, 2 * BYTES), y = part_of(large, BYTES / 2, BYTES);

	launch(one, writes, x, NULL, 0, NULL, NULL);
	launch(two, writes, y, NULL, 0, NULL, NULL);
	CL(clFinish(one));
	CL(clFinish(two));
	clReleaseMemObject(x);
	clReleaseMemObject(y);
	clReleaseMemObject(large);
}

static void *map_in(cl_command_queue queue, cl_map_flags flags)
{
	cl_int error;
	void *pointer =
		clEnqueueMapBuffer(queue, a, CL_TRUE, flags, 0, BYTES, 0, NULL, NULL, &error);

	CL(error);
	return pointer;
}

static void unmap_in(cl_command_queue queue, void *pointer)
{
	CL(clEnqueueUnmapMemObject(queue, a, pointer, 0, NULL, NULL));
}

static void kernel_while_mapped(void)
{
	void *pointer = map_in(one, CL_MAP_WRITE);

	read_in(one, b);
	unmap_in(one, pointer);
}

static void kernel_writes_while_mapped_to_read(void)
{
	void *pointer = map_in(one, CL_MAP_READ);

	write_in(two);
	CL(clFinish(two));
	unmap_in(one, pointer);
}

static void map_does_not_wait_for_others(void)
{
	write_in(one);
	unmap_in(two, map_in(two, CL_MAP_READ));
}

static void atomic_and_plain(void)
{
	launch(one, adds, a, NULL, 0, NULL, NULL);
	write_in(two);
}

static void svm_in_two_queues(void)
{
	int *shared = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, BYTES, 0);
	const size_t global = N;

	assert_non_null(shared);
	CL(clSetKernelArgSVMPointer(writes, 0, shared));
	CL(clEnqueueNDRangeKernel(one, writes, 1, NULL, &global, NULL, 0, NULL, NULL));
	CL(clEnqueueNDRangeKernel(two, writes, 1, NULL, &global, NULL, 0, NULL, NULL));
	CL(clFinish(one));
	CL(clFinish(two));
	clSVMFree(cl.context, shared);
}

/* A kernel writes SVM between a map for reading and its unmap, or after it. */
static void write_mapped_svm(cl_svm_mem_flags flags, bool is_unmapped_first)
{
	int *shared = clSVMAlloc(cl.context, CL_MEM_READ_WRITE | flags, BYTES, 0);
	const size_t global = N;

	assert_non_null(shared);
	CL(clSetKernelArgSVMPointer(writes, 0, shared));
	CL(clEnqueueSVMMap(one, CL_TRUE, CL_MAP_READ, shared, BYTES, 0, NULL, NULL));
	if (is_unmapped_first)
		CL(clEnqueueSVMUnmap(one, shared, 0, NULL, NULL));
	CL(clEnqueueNDRangeKernel(one, writes, 1, NULL, &global, NULL, 0, NULL, NULL));
	if (!is_unmapped_first)
		CL(clEnqueueSVMUnmap(one, shared, 0, NULL, NULL));
	CL(clFinish(one));
	clSVMFree(cl.context, shared);
}

static void svm_written_while_mapped(void)
{
	write_mapped_svm(0, false);
}

/* ---- what does not ---- */

static void svm_written_after_unmap(void)
{
	write_mapped_svm(0, true);
}

static void fine_svm_written_while_mapped(void)
{
	cl_device_svm_capabilities can = 0;

	CL(clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL));
	if (can & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)
		write_mapped_svm(CL_MEM_SVM_FINE_GRAIN_BUFFER, false);
}

static void one_queue(void)
{
	const int zero = 0;

	write_in(one);
	read_in(one, b);
	CL(clEnqueueFillBuffer(one, a, &zero, sizeof zero, 0, BYTES, 0, NULL, NULL));
	write_in(one);
	CL(clEnqueueCopyBuffer(one, a, b, 0, 0, BYTES, 0, NULL, NULL));
}

static void event_between(void)
{
	cl_event event, next;

	launch(one, writes, a, NULL, 0, NULL, &event);
	launch(two, reads, a, b, 1, &event, &next);
	launch(loose, writes, a, NULL, 1, &next, NULL);
	clReleaseEvent(event);
	clReleaseEvent(next);
}

static void events_of_later_commands(void)
{
	cl_event event;

	write_in(one);
	launch(one, reads, b, c, 0, NULL, &event);
	launch(two, reads, a, b, 1, &event, NULL);
	clReleaseEvent(event);
}

static void write_and_events_out_of_order(void)
{
	static int data[N];
	cl_event events[2];

	CL(clEnqueueWriteBuffer(loose, a, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));
	CL(clEnqueueWriteBuffer(loose, a, CL_FALSE, 0, BYTES, data, 0, NULL, &events[0]));
	for (int i = 0; i < 4; i++) {
		launch(loose, writes, a, NULL, 1, &events[i & 1], &events[~i & 1]);
		clReleaseEvent(events[i & 1]);
	}
	CL(clFinish(loose));
	clReleaseEvent(events[0]);
}

static void finish_between(void)
{
	write_in(one);
	CL(clFinish(one));
	read_in(two, b);
	CL(clFinish(two));
	write_in(loose);
}

static void wait_between(void)
{
	cl_event event;

	launch(one, writes, a, NULL, 0, NULL, &event);
	CL(clWaitForEvents(1, &event));
	read_in(two, b);
	clReleaseEvent(event);
}

static void status_between(void)
{
	cl_int status = CL_QUEUED;
	cl_event event;

	launch(one, writes, a, NULL, 0, NULL, &event);
	while (status != CL_COMPLETE)
		CL(clGetEventInfo(
			event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
	read_in(two, b);
	clReleaseEvent(event);
}

static void CL_CALLBACK read_now(cl_event event, cl_int status, void *data)
{
	(void)event;
	(void)status;
	read_in(two, b);
	CL(clFlush(two));
	CL(clSetUserEventStatus(data, CL_COMPLETE));
}

static void callback_between(void)
{
	cl_int error;
	cl_event event, called = clCreateUserEvent(cl.context, &error);

	CL(error);
	launch(one, writes, a, NULL, 0, NULL, &event);
	CL(clSetEventCallback(event, CL_COMPLETE, read_now, called));
	CL(clFlush(one));
	CL(clWaitForEvents(1, &called));
	clReleaseEvent(event);
	clReleaseEvent(called);
}

static void user_event_between(void)
{
	cl_int error;
	cl_event event = clCreateUserEvent(cl.context, &error);

	CL(error);
	launch(two, reads, a, b, 1, &event, NULL);
	read_in(two, c);
	write_in(one);
	CL(clFinish(one));
	CL(clSetUserEventStatus(event, CL_COMPLETE));
	CL(clFinish(two));
	clReleaseEvent(event);
}

static void blocking_between(void)
{
	static int data[N];

	write_in(one);
	CL(clEnqueueReadBuffer(one, b, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));
	read_in(two, c);
}

static void marker_between(void)
{
	cl_event event;

	write_in(loose);
	CL(clEnqueueMarkerWithWaitList(loose, 0, NULL, &event));
	launch(two, reads, a, b, 1, &event, NULL);
	clReleaseEvent(event);
}

static void barrier_between(void)
{
	write_in(loose);
	CL(clEnqueueBarrierWithWaitList(loose, 0, NULL, NULL));
	read_in(loose, b);
	CL(clEnqueueBarrierWithWaitList(loose, 0, NULL, NULL));
	write_in(loose);
}

static void all_read(void)
{
	read_in(one, b);
	read_in(two, c);
}

static void all_update(void)
{
	launch(one, adds, a, NULL, 0, NULL, NULL);
	launch(two, adds, a, NULL, 0, NULL, NULL);
}

static void parts_apart(void)
{
	const cl_mem large = cl_make_buffer(4 * BYTES, NULL);
	const cl_mem x = part_of(large, 0, BYTES), y = part_of(large, BYTES, BYTES);

	launch(one, writes, x, NULL, 0, NULL, NULL);
	launch(two, writes, y, NULL, 0, NULL, NULL);
	CL(clFinish(one));
	CL(clFinish(two));
	clReleaseMemObject(x);
	clReleaseMemObject(y);
	clReleaseMemObject(large);
}

static void memory_made_anew(void)
{
	for (int i = 0; i < 8; i++) {
		cl_mem buffer = cl_make_buffer(BYTES, NULL);
		launch(i & 1 ? one : two, writes, buffer, NULL, 0, NULL, NULL);
		clReleaseMemObject(buffer);
	}
}

static void map_waited_for(void)
{
	write_in(one);
	unmap_in(one, map_in(one, CL_MAP_WRITE));
	read_in(one, b);
}

static void kernel_reads_while_mapped_to_read(void)
{
	void *pointer = map_in(one, CL_MAP_READ);

	read_in(two, b);
	unmap_in(one, pointer);
}

/* Whose bytes are copied to the host by the map, and back by the unmap. */
static void maps_of_host_memory(void)
{
	static int data[N];
	cl_int error;
	cl_mem buffer = clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, sizeof data, data, &error);

	CL(error);
	for (int i = 0; i < 4; i++) {
		launch(one, writes, buffer, NULL, 0, NULL, NULL);
		int *pointer = clEnqueueMapBuffer(
			one, buffer, i & 1, CL_MAP_WRITE, 4, BYTES / 2, 0, NULL, NULL, &error);
		CL(error);
		CL(clEnqueueUnmapMemObject(one, buffer, pointer, 0, NULL, NULL));
	}
	CL(clFinish(one));
	clReleaseMemObject(buffer);
}

static void many_launches(void)
{
	for (int i = 0; i < 700; i++) {
		launch(one, writes, b, NULL, 0, NULL, NULL);
		launch(two, writes, c, NULL, 0, NULL, NULL);
	}
}

static void many_out_of_order(void)
{
	cl_event events[2];

	launch(loose, writes, a, NULL, 0, NULL, &events[0]);
	for (int i = 0; i < 600; i++) {
		launch(loose, reads, a, b, 1, &events[i & 1], &events[~i & 1]);
		clReleaseEvent(events[i & 1]);
	}
	clReleaseEvent(events[0]);
}

/* ---- images ---- */

static void launch_image(cl_command_queue queue, cl_kernel kernel, cl_mem to, cl_int from,
	const cl_event *wait, cl_event *event)
{
	const size_t global = N, local = 32;
	cl_uint n_args;

	CL(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof n_args, &n_args, NULL));
	CL(clSetKernelArg(kernel, 0, sizeof image, &image));
	if (to)
		CL(clSetKernelArg(kernel, 1, sizeof to, &to));
	else if (n_args > 1)
		CL(clSetKernelArg(kernel, 1, sizeof from, &from));
	CL(clEnqueueNDRangeKernel(
		queue, kernel, 1, NULL, &global, &local, wait ? 1 : 0, wait, event));
}

static void two_queues_draw(void)
{
	launch_image(one, draws, NULL, 0, NULL, NULL);
	launch_image(two, draws, NULL, 0, NULL, NULL);
}

static void drawn_and_looked_at(void)
{
	launch_image(one, draws, NULL, 0, NULL, NULL);
	launch_image(two, looks, b, 0, NULL, NULL);
}

static void sampled_and_drawn(void)
{
	launch_image(one, samples, b, 0, NULL, NULL);
	launch_image(two, draws, NULL, 0, NULL, NULL);
}

static void drawn_and_updated(void)
{
	launch_image(one, draws, NULL, 0, NULL, NULL);
	launch_image(loose, both, NULL, 0, NULL, NULL);
}

static void transfer(cl_command_queue queue, bool writes_it)
{
	static cl_uint texels[N];
	const size_t zero[3] = { 0, 0, 0 }, region[3] = { 16, 16, 1 };

	if (writes_it)
		CL(clEnqueueWriteImage(
			queue, image, CL_TRUE, zero, region, 0, 0, texels, 0, NULL, NULL));
	else
		CL(clEnqueueReadImage(
			queue, image, CL_TRUE, zero, region, 0, 0, texels, 0, NULL, NULL));
}

static void drawn_and_read_back(void)
{
	launch_image(one, draws, NULL, 0, NULL, NULL);
	transfer(two, false);
}

static void looked_at_and_filled(void)
{
	const size_t zero[3] = { 0, 0, 0 }, region[3] = { 16, 16, 1 };
	const cl_uint color[4] = { 1, 2, 3, 4 };

	launch_image(one, looks, b, 0, NULL, NULL);
	CL(clEnqueueFillImage(two, image, color, zero, region, 0, NULL, NULL));
}

static void drawn_apart(void)
{
	launch_image(one, draws, NULL, 0, NULL, NULL);
	launch_image(two, draws, NULL, 16, NULL, NULL);
}

static void looked_at_by_two(void)
{
	launch_image(one, looks, b, 0, NULL, NULL);
	launch_image(two, samples, c, 0, NULL, NULL);
	transfer(loose, false);
}

static void drawn_in_one_queue(void)
{
	launch_image(one, draws, NULL, 0, NULL, NULL);
	launch_image(one, looks, b, 0, NULL, NULL);
	launch_image(one, both, NULL, 0, NULL, NULL);
	transfer(one, false);
	transfer(two, true);
	launch_image(two, draws, NULL, 0, NULL, NULL);
}

static void event_between_images(void)
{
	cl_event event;

	launch_image(one, draws, NULL, 0, NULL, &event);
	launch_image(two, both, NULL, 0, &event, NULL);
	clReleaseEvent(event);
}

static cl_mem make_image(void)
{
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 32, .image_height = 16
	};
	cl_int error;
	cl_mem made = clCreateImage(cl.context, 0, &format, &desc, NULL, &error);

	CL(error);
	return made;
}

/* Its memory may be that of the one before. */
static void image_made_anew(void)
{
	for (unsigned i = 0; i < 8; i++) {
		launch_image(i % 2 ? two : one, draws, NULL, 0, NULL, NULL);
		clReleaseMemObject(image);
		image = make_image();
	}
}

/* Which the runtime copies for each kernel. */
static void image_of_a_buffer_looked_at(void)
{
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = 16,
		.image_height = 16,
		.image_row_pitch = 64,
		.mem_object = a };
	cl_int error;

	clReleaseMemObject(image);
	image = clCreateImage(cl.context, 0, &format, &desc, NULL, &error);
	CL(error);
	launch_image(one, looks, b, 0, NULL, NULL);
	launch_image(two, looks, c, 0, NULL, NULL);
}

static const struct {
	void (*run)(void);
	const char *name;
	unsigned line; /* 0: nothing is reported */
} rows[] = {
#define ROW(name, line)                                                                            \
	{                                                                                          \
		name, #name, line                                                                  \
	}
	ROW(two_queues_write_and_read, 3),
	ROW(two_queues_write, 1),
	ROW(read_then_write_elsewhere, 1),
	ROW(a_read_is_not_forgotten, 1),
	ROW(out_of_order_without_event, 3),
	ROW(out_of_order_with_another_event, 3),
	ROW(finish_of_another_queue, 3),
	ROW(event_of_before, 3),
	ROW(kernel_and_fill, 1),
	ROW(kernel_and_copy, 1),
	ROW(kernel_and_blocking_read, 1),
	ROW(kernel_and_write_of_one_byte, 1),
	ROW(overlapping_parts, 1),
	ROW(kernel_while_mapped, 3),
	ROW(kernel_writes_while_mapped_to_read, 1),
	ROW(map_does_not_wait_for_others, 1),
	ROW(atomic_and_plain, 1),
	ROW(svm_in_two_queues, 1),
	ROW(svm_written_while_mapped, 1),
	ROW(svm_written_after_unmap, 0),
	ROW(fine_svm_written_while_mapped, 0),
	ROW(two_queues_draw, 7),
	ROW(drawn_and_looked_at, 7),
	ROW(sampled_and_drawn, 7),
	ROW(drawn_and_updated, 7),
	ROW(drawn_and_read_back, 7),
	ROW(looked_at_and_filled, 10),
	ROW(drawn_apart, 0),
	ROW(looked_at_by_two, 0),
	ROW(drawn_in_one_queue, 0),
	ROW(event_between_images, 0),
	ROW(image_made_anew, 0),
	ROW(image_of_a_buffer_looked_at, 0),
	ROW(one_queue, 0),
	ROW(event_between, 0),
	ROW(events_of_later_commands, 0),
	ROW(write_and_events_out_of_order, 0),
	ROW(finish_between, 0),
	ROW(wait_between, 0),
	ROW(status_between, 0),
	ROW(callback_between, 0),
	ROW(user_event_between, 0),
	ROW(blocking_between, 0),
	ROW(marker_between, 0),
	ROW(barrier_between, 0),
	ROW(all_read, 0),
	ROW(all_update, 0),
	ROW(parts_apart, 0),
	ROW(memory_made_anew, 0),
	ROW(map_waited_for, 0),
	ROW(kernel_reads_while_mapped_to_read, 0),
	ROW(maps_of_host_memory, 0),
	ROW(many_launches, 0),
	ROW(many_out_of_order, 0),
#undef ROW
};

/* Each with a program of its own, whose instructions have not been reported. */
static const char *findings_of(void (*run)(void))
{
	cl_program program = cl_build(source, "-cl-std=CL3.0");
	static const int zeros[N];

	writes = cl_kernel_of(program, "writes");
	reads = cl_kernel_of(program, "reads");
	adds = cl_kernel_of(program, "adds");
	draws = cl_kernel_of(program, "draws");
	looks = cl_kernel_of(program, "looks");
	samples = cl_kernel_of(program, "samples");
	both = cl_kernel_of(program, "both");
	image = make_image();
	a = cl_make_buffer(BYTES, zeros);
	b = cl_make_buffer(BYTES, zeros);
	c = cl_make_buffer(BYTES, zeros);
	run();
	CL(clFinish(one));
	CL(clFinish(two));
	CL(clFinish(loose));
	clReleaseMemObject(a);
	clReleaseMemObject(b);
	clReleaseMemObject(c);
	clReleaseMemObject(image);
	clReleaseKernel(draws);
	clReleaseKernel(looks);
	clReleaseKernel(samples);
	clReleaseKernel(both);
	clReleaseKernel(writes);
	clReleaseKernel(reads);
	clReleaseKernel(adds);
	clReleaseProgram(program);
	return new_findings();
}

static void commands_race_that_nothing_orders(void **state)
{
	unsigned failures = 0;

	(void)state;
	one = make_queue(0);
	two = make_queue(0);
	loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	findings_of(one_queue); /* and the line of the process */
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char line[32];
		const char *found = findings_of(rows[i].run);
		snprintf(line, sizeof line, "\"line\":%u,", rows[i].line);
		if (rows[i].line ? strstr(found, "data-race") && strstr(found, line) : !*found)
			continue;
		print_error("%s:\n%s\n", rows[i].name, *found ? found : "nothing");
		failures++;
	}
	clReleaseCommandQueue(one);
	clReleaseCommandQueue(two);
	clReleaseCommandQueue(loose);
	assert_int_equal(failures, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_race_that_nothing_orders),
	};

	if (!check_begin())
		return 1;
	return CL_RUN(argc, argv, tests);
}
