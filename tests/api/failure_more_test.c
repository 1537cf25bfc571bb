// SPDX-License-Identifier: MIT
/*
 * As failure_test: programs over the fake Level Zero in which the next call or allocation fails
 * each time, of images, command buffers, semaphores, ranges with ragged edges, printf, and of
 * linked programs. What they get is an error or a right answer, and all is given back.
 */
#include "api/icd.h"
#include "core/device/command_buffer_khr.h"

#include "cl/cl_command_buffer.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure_program.h"
#include "failure_scene.h"
#include "l0_fake.h"

#define ITEMS 256
#define BYTES (ITEMS * sizeof(cl_uint))
#define SIDE  8

static struct failure_program built;
static cl_device_id device;
static const char source[] =
	"kernel void set(global uint *b, uint v) {\n"
	"  if (v == 4711) printf(\"%u %s\\n\", (uint)get_enqueued_local_size(0), \"x\");\n"
	"  b[get_global_id(0)] = v + get_global_id(0); }\n";

struct command_buffer_api cb;

static void find_command_buffers(void)
{
	*(void **)&cb.create = icd_find("clCreateCommandBufferKHR");
	*(void **)&cb.finalize = icd_find("clFinalizeCommandBufferKHR");
	*(void **)&cb.release = icd_find("clReleaseCommandBufferKHR");
	*(void **)&cb.enqueue = icd_find("clEnqueueCommandBufferKHR");
	*(void **)&cb.barrier = icd_find("clCommandBarrierWithWaitListKHR");
	*(void **)&cb.copy = icd_find("clCommandCopyBufferKHR");
	*(void **)&cb.fill = icd_find("clCommandFillBufferKHR");
	*(void **)&cb.launch = icd_find("clCommandNDRangeKernelKHR");
	*(void **)&cb.update = icd_find("clUpdateMutableCommandsKHR");
}

/* What a scenario has, and the first error that it got. */
struct run {
	cl_int rc;
	cl_context context;
	cl_command_queue queue, other;
	cl_mem a, b, image, image2, view;
	cl_sampler sampler;
	cl_program program, part[2];
	cl_kernel kernel;
	cl_command_buffer_khr buffer;
	cl_semaphore_khr semaphore;
	cl_event event;
	cl_uint data[ITEMS];
};

/* Keeps the first error; whether to go on. */
static bool go(struct run *r, cl_int rc)
{
	if (!r->rc)
		r->rc = rc;
	return !r->rc;
}

static bool begin(struct run *r)
{
	cl_int rc = 0;

	r->context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	if (!go(r, rc))
		return false;
	r->queue = clCreateCommandQueueWithProperties(r->context, device, NULL, &rc);
	if (!go(r, rc))
		return false;
	r->other = clCreateCommandQueueWithProperties(r->context, device, NULL, &rc);
	if (!go(r, rc))
		return false;
	r->a = clCreateBuffer(r->context, 0, BYTES, NULL, &rc);
	if (!go(r, rc))
		return false;
	r->b = clCreateBuffer(r->context, 0, BYTES, NULL, &rc);
	return go(r, rc);
}

static bool make_kernel(struct run *r)
{
	const unsigned char *bytes = built.binary;
	cl_uint value = 3;
	cl_int rc = 0;

	r->program =
		clCreateProgramWithBinary(r->context, 1, &device, &built.size, &bytes, NULL, &rc);
	if (!go(r, rc) || !go(r, clBuildProgram(r->program, 1, &device, "", NULL, NULL)))
		return false;
	r->kernel = clCreateKernel(r->program, "set", &rc);
	return go(r, rc) && go(r, clSetKernelArg(r->kernel, 0, sizeof r->a, &r->a)) &&
	       go(r, clSetKernelArg(r->kernel, 1, sizeof value, &value));
}

/* Reads a buffer that the kernel has set, and looks. */
static bool check(struct run *r, cl_mem buffer, cl_uint first)
{
	memset(r->data, 0xcd, BYTES);
	if (!go(r, clEnqueueReadBuffer(
			   r->queue, buffer, CL_TRUE, 0, BYTES, r->data, 0, NULL, NULL)))
		return false;
	for (cl_uint i = 0; i < ITEMS; i++)
		if (r->data[i] != first + i)
			return go(r, FAILURE_BAD_DATA);
	return true;
}

static bool make_images(struct run *r)
{
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE
	};
	cl_int rc = 0;

	r->image = clCreateImage(r->context, CL_MEM_COPY_HOST_PTR, &format, &desc, r->data, &rc);
	if (!go(r, rc))
		return false;
	r->image2 = clCreateImage(r->context, 0, &format, &desc, NULL, &rc);
	if (!go(r, rc))
		return false;
	desc.image_row_pitch = 64;
	desc.mem_object = r->a;
	r->view = clCreateImage(r->context, 0, &format, &desc, NULL, &rc);
	if (!go(r, rc))
		return false;
	r->sampler = clCreateSampler(r->context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &rc);
	return go(r, rc);
}

static bool run_images(struct run *r)
{
	const size_t o[3] = { 0 }, region[3] = { SIDE, SIDE, 1 };
	const cl_uint color[4] = { 1, 2, 3, 4 };
	size_t row, slice;
	cl_int rc = 0;

	if (!make_images(r) ||
		!go(r, clEnqueueWriteImage(r->queue, r->image, CL_FALSE, o, region, 0, 0, r->data,
			       0, NULL, NULL)) ||
		!go(r, clEnqueueCopyImage(
			       r->queue, r->image, r->image2, o, o, region, 0, NULL, NULL)) ||
		!go(r, clEnqueueFillImage(r->queue, r->image, color, o, region, 0, NULL, NULL)) ||
		!go(r, clEnqueueCopyImageToBuffer(
			       r->queue, r->image2, r->b, o, region, 0, 0, NULL, NULL)) ||
		!go(r, clEnqueueCopyBufferToImage(
			       r->queue, r->b, r->view, 0, o, region, 0, NULL, &r->event)) ||
		!go(r, clEnqueueReadImage(r->queue, r->image2, CL_TRUE, o, region, 0, 0, r->data, 0,
			       NULL, NULL)))
		return false;
	void *mapped = clEnqueueMapImage(r->queue, r->image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, o,
		region, &row, &slice, 0, NULL, NULL, &rc);
	return go(r, rc) &&
	       go(r, clEnqueueUnmapMemObject(r->queue, r->image, mapped, 0, NULL, NULL)) &&
	       go(r, clFinish(r->queue));
}

/* A launch that can be changed, among other commands; replayed, changed, replayed. */
static bool run_command_buffer(struct run *r)
{
	const cl_command_buffer_properties_khr flags[] = { CL_COMMAND_BUFFER_FLAGS_KHR,
		CL_COMMAND_BUFFER_MUTABLE_KHR, 0 };
	const command_buffer_update_type type = COMMAND_BUFFER_UPDATE_DISPATCH;
	const size_t global = ITEMS, local = 64;
	cl_uint value = 50;
	const cl_mutable_dispatch_arg_khr arg = { 1, sizeof value, &value };
	cl_mutable_command_khr command = NULL;
	cl_int rc = 0;

	r->buffer = cb.create(1, &r->queue, flags, &rc);
	if (!go(r, rc) ||
		!go(r, cb.fill(r->buffer, NULL, NULL, r->a, &value, 4, 0, BYTES, 0, NULL, NULL,
			       NULL)) ||
		!go(r, cb.launch(r->buffer, NULL, NULL, r->kernel, 1, NULL, &global, &local, 0,
			       NULL, NULL, &command)) ||
		!go(r, cb.barrier(r->buffer, NULL, NULL, 0, NULL, NULL, NULL)) ||
		!go(r, cb.copy(r->buffer, NULL, NULL, r->a, r->b, 0, 0, BYTES, 0, NULL, NULL,
			       NULL)) ||
		!go(r, cb.finalize(r->buffer)) ||
		!go(r, cb.enqueue(0, NULL, r->buffer, 0, NULL, NULL)) || !check(r, r->b, 3))
		return false;
	const struct command_buffer_dispatch_config config = {
		.command = command, .num_args = 1, .arg_list = &arg
	};
	const void *configs[] = { &config };
	return go(r, cb.update(r->buffer, 1, &type, configs)) &&
	       go(r, cb.enqueue(0, NULL, r->buffer, 0, NULL, &r->event)) &&
	       go(r, clWaitForEvents(1, &r->event)) && check(r, r->b, 50);
}

static bool make_semaphore(struct run *r)
{
	const cl_semaphore_properties_khr properties[] = { CL_SEMAPHORE_TYPE_KHR,
		CL_SEMAPHORE_TYPE_BINARY_KHR, 0 };
	cl_int rc = 0;

	r->semaphore = clCreateSemaphoreWithPropertiesKHR(r->context, properties, &rc);
	return go(r, rc);
}

static bool set_on_other(struct run *r)
{
	const size_t global = ITEMS, local = 64;

	return go(r, clEnqueueNDRangeKernel(
			     r->other, r->kernel, 1, NULL, &global, &local, 0, NULL, NULL));
}

static cl_int signal_on_other(struct run *r)
{
	return clEnqueueSignalSemaphoresKHR(r->other, 1, &r->semaphore, NULL, 0, NULL, NULL);
}

/* One queue waits for the other. */
static bool run_semaphore(struct run *r)
{
	return make_semaphore(r) && set_on_other(r) && go(r, signal_on_other(r)) &&
	       go(r, clFinish(r->other)) && /* tells of commands that were lost */
	       go(r, clEnqueueWaitSemaphoresKHR(r->queue, 1, &r->semaphore, NULL, 0, NULL, NULL)) &&
	       go(r, clEnqueueCopyBuffer(r->queue, r->a, r->b, 0, 0, BYTES, 0, NULL, NULL)) &&
	       check(r, r->b, 3);
}

/* The wait comes first. A signal that failed leaves it as it was: another one ends it. */
static bool run_promise(struct run *r)
{
	if (!make_semaphore(r) ||
		!go(r, clEnqueueWaitSemaphoresKHR(r->queue, 1, &r->semaphore, NULL, 0, NULL, NULL)))
		return false;
	(void)go(r, clEnqueueCopyBuffer(r->queue, r->a, r->b, 0, 0, BYTES, 0, NULL, NULL));
	(void)set_on_other(r);
	if (!go(r, signal_on_other(r)) && signal_on_other(r))
		return go(r, FAILURE_BAD_DATA);
	return go(r, clFinish(r->other)) && check(r, r->b, 3);
}

/* The kernel needs its implicit argument for this. */
static bool run_ragged(struct run *r)
{
	const size_t global = ITEMS - 3, local = 64;

	return go(r, clEnqueueNDRangeKernel(
			     r->queue, r->kernel, 1, NULL, &global, &local, 0, NULL, NULL)) &&
	       go(r, clFinish(r->queue));
}

static bool run_link(struct run *r)
{
	static const char *const texts[2] = { "int f(int); kernel void set(global int *p, uint v)\n"
					      "{ *p = f(v); }\n",
		"int f(int x) { return x + 1; }\n" };
	cl_int rc = 0;

	for (int i = 0; i < 2; i++) {
		const char *text = texts[i];

		r->part[i] = clCreateProgramWithSource(r->context, 1, &text, NULL, &rc);
		if (!go(r, rc) || !go(r, clCompileProgram(r->part[i], 1, &device, "", 0, NULL, NULL,
						 NULL, NULL)))
			return false;
	}
	r->program = clLinkProgram(r->context, 1, &device, "", 2, r->part, NULL, NULL, &rc);
	if (!go(r, rc))
		return false;
	r->kernel = clCreateKernel(r->program, "set", &rc);
	return go(r, rc);
}

static void end(struct run *r)
{
	cl_mem mems[] = { r->view, r->image2, r->image, r->b, r->a };
	cl_command_queue queues[] = { r->queue, r->other };
	cl_program programs[] = { r->program, r->part[0], r->part[1] };

	if (r->event)
		(void)clReleaseEvent(r->event);
	for (unsigned i = 0; i < 2; i++)
		if (queues[i])
			(void)clFinish(queues[i]);
	if (r->buffer)
		(void)cb.release(r->buffer);
	if (r->semaphore)
		(void)clReleaseSemaphoreKHR(r->semaphore);
	if (r->sampler)
		(void)clReleaseSampler(r->sampler);
	for (unsigned i = 0; i < 5; i++)
		if (mems[i])
			(void)clReleaseMemObject(mems[i]);
	if (r->kernel)
		(void)clReleaseKernel(r->kernel);
	for (unsigned i = 0; i < 3; i++)
		if (programs[i])
			(void)clReleaseProgram(programs[i]);
	for (unsigned i = 0; i < 2; i++)
		if (queues[i])
			(void)clReleaseCommandQueue(queues[i]);
	if (r->context)
		(void)clReleaseContext(r->context);
}

/* One scene: what is done with what begin made. */
struct scene {
	bool (*play)(struct run *r);
	bool has_kernel;
};

static cl_int run_scene(const void *data)
{
	const struct scene *scene = data;
	static struct run r;

	memset(&r, 0, sizeof r);
	if (begin(&r) && (!scene->has_kernel || make_kernel(&r)))
		(void)scene->play(&r);
	end(&r);
	return r.rc;
}

static void fail_all(bool (*play)(struct run *r), bool has_kernel, unsigned step)
{
	const struct scene scene = { play, has_kernel };

	failure_play(run_scene, &scene, step, 5, 10);
}

static void test_images(void **state)
{
	(void)state;
	fail_all(run_images, false, 1);
}

static void test_command_buffers(void **state)
{
	(void)state;
	fail_all(run_command_buffer, true, 1);
}

static void test_semaphores(void **state)
{
	(void)state;
	fail_all(run_semaphore, true, 1);
}

static void test_promises(void **state)
{
	(void)state;
	fail_all(run_promise, true, 1);
}

static void test_ragged(void **state)
{
	(void)state;
	l0_fake.n_more_args = 2; /* what printf writes to, and the implicit argument */
	fail_all(run_ragged, true, 1);
	l0_fake.n_more_args = 0;
}

static void test_link(void **state)
{
	(void)state;
	fail_all(run_link, false, 3);
}

static int setup(void **state)
{
	(void)state;
	built = failure_program_build(0, source, "-cl-std=CL3.0");
	device = built.device;
	find_command_buffers();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	free(built.binary);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_images),
		cmocka_unit_test(test_command_buffers),
		cmocka_unit_test(test_semaphores),
		cmocka_unit_test(test_promises),
		cmocka_unit_test(test_ragged),
		cmocka_unit_test(test_link),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, setup, teardown);
}
