// SPDX-License-Identifier: MIT
#include "stress_worker.h"

#include <CL/cl_ext.h>

#include <stdlib.h>
#include <string.h>

#define ROWS 2

/* *function is a pointer to a function; NULL if the platform has none of that name. */
static void find(struct worker *w, const char *name, void *function)
{
	cl_platform_id platform;

	STRESS(clGetDeviceInfo(
		w->context->devices[0], CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL));
	void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
	memcpy(function, &found, sizeof(found));
}

void stress_more_open(struct worker *w)
{
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = STRESS_ITEMS / ROWS,
		.image_height = ROWS };
	cl_bool can = CL_FALSE;
	cl_int rc;

	STRESS(clGetDeviceInfo(
		w->context->devices[0], CL_DEVICE_IMAGE_SUPPORT, sizeof(can), &can, NULL));
	if (!can)
		return;
	w->pixels = clCreateKernel(w->context->program, "pixels", &rc);
	STRESS(rc);
	w->image = clCreateImage(w->context->context, CL_MEM_READ_WRITE, &format, &desc, NULL, &rc);
	STRESS(rc);
}

void stress_more_close(struct worker *w)
{
	if (!w->image)
		return;
	if (w->image_last)
		STRESS(clReleaseEvent(w->image_last));
	STRESS(clReleaseMemObject(w->image));
	STRESS(clReleaseKernel(w->pixels));
}

static void image_used(struct worker *w, cl_event event)
{
	if (w->image_last)
		STRESS(clReleaseEvent(w->image_last));
	STRESS(clRetainEvent(event));
	w->image_last = event;
}

/* `from` goes into the image; what reads it is the last of both. */
static cl_event fill_image(struct worker *w, struct item *from, struct waits *waits)
{
	const size_t origin[3] = { 0 }, region[] = { STRESS_ITEMS / ROWS, ROWS, 1 };
	cl_event event;

	if (w->image_last) {
		STRESS(clRetainEvent(w->image_last));
		waits->events[waits->n++] = w->image_last;
	}
	STRESS(clEnqueueCopyBufferToImage(stress_any_queue(w), from->mem, w->image, 0, origin,
		region, waits->n, stress_list(waits), &event));
	return event;
}

static void check_image(struct worker *w, struct item *item, cl_event filled)
{
	const size_t origin[3] = { 0 }, region[] = { STRESS_ITEMS / ROWS, ROWS, 1 };

	stress_set_pending(w);
	memset(w->room, 0xee, STRESS_BYTES);
	STRESS(clEnqueueReadImage(stress_any_queue(w), w->image, CL_TRUE, origin, region, 0, 0,
		w->room, 1, &filled, NULL));
	stress_compare(item, 0, STRESS_ITEMS, w->room);
}

static cl_event launch_pixels(struct worker *w, struct item *item, cl_event filled, uint32_t value)
{
	static const size_t global[] = { STRESS_ITEMS / ROWS, ROWS };
	cl_event waits[] = { filled, item->last }, event;

	STRESS(clSetKernelArg(w->pixels, 0, sizeof(cl_mem), &w->image));
	STRESS(clSetKernelArg(w->pixels, 1, sizeof(cl_mem), &item->mem));
	STRESS(clSetKernelArg(w->pixels, 2, sizeof(value), &value));
	STRESS(clEnqueueNDRangeKernel(stress_any_queue(w), w->pixels, 2, NULL, global, NULL,
		item->last ? 2 : 1, waits, &event));
	return event;
}

/* An item goes through the image to the host or, by a kernel, into another item. */
void stress_image(struct worker *w, struct item *item)
{
	struct item *to = &w->items[stress_chance(w, STRESS_BUFFERS)];
	uint32_t value = stress_chance(w, 1000);

	if (!w->image)
		return;
	struct waits waits = stress_waits(w, item, true);
	cl_event filled = fill_image(w, item, &waits);
	stress_note(item, "to-image");
	if (to == item || stress_chance(w, 3) == 0) {
		image_used(w, filled);
		check_image(w, item, filled);
		stress_enqueued(w, item, &waits, filled);
		return;
	}
	cl_event event = launch_pixels(w, to, filled, value);
	for (size_t i = 0; i < STRESS_ITEMS; i++)
		to->model[i] = item->model[i] + value;
	STRESS(clReleaseEvent(filled));
	image_used(w, event);
	STRESS(clRetainEvent(event));
	stress_enqueued(w, item, &waits, event);
	struct waits none = { 0 };
	stress_note(to, "pixels");
	stress_enqueued(w, to, &none, event);
}

static void check_all(const uint32_t *got, uint32_t want, const char *what)
{
	for (size_t i = 0; i < STRESS_ITEMS; i++)
		if (got[i] != want)
			stress_fail(what, (long)got[i] - (long)want);
}

/* Shared memory of its own: filled, added to, mapped or copied, freed behind its commands. */
void stress_svm(struct worker *w, struct item *item)
{
	static const size_t global = STRESS_ITEMS;
	uint32_t value = stress_chance(w, 1u << 30), more = stress_chance(w, 1000);
	cl_event filled, added, done;

	(void)item;
	stress_set_pending(w);
	uint32_t *memory = clSVMAlloc(w->context->context, CL_MEM_READ_WRITE, STRESS_BYTES, 0);
	if (!memory)
		stress_fail("clSVMAlloc", 0);
	STRESS(clEnqueueSVMMemFill(stress_any_queue(w), memory, &value, sizeof(value), STRESS_BYTES,
		0, NULL, &filled));
	STRESS(clSetKernelArgSVMPointer(w->add, 0, memory));
	STRESS(clSetKernelArg(w->add, 1, sizeof(more), &more));
	STRESS(clEnqueueNDRangeKernel(
		stress_any_queue(w), w->add, 1, NULL, &global, NULL, 1, &filled, &added));
	if (stress_chance(w, 2)) {
		cl_command_queue queue = stress_any_queue(w);

		STRESS(clEnqueueSVMMap(
			queue, CL_TRUE, CL_MAP_READ, memory, STRESS_BYTES, 1, &added, NULL));
		check_all(memory, value + more, "shared memory");
		STRESS(clEnqueueSVMUnmap(queue, memory, 0, NULL, &done));
	} else {
		STRESS(clEnqueueSVMMemcpy(stress_any_queue(w), CL_TRUE, w->room, memory,
			STRESS_BYTES, 1, &added, &done));
		check_all(w->room, value + more, "a copy of shared memory");
	}
	STRESS(clEnqueueSVMFree(
		stress_any_queue(w), 1, (void *[]){ memory }, NULL, NULL, 1, &done, NULL));
	STRESS(clReleaseEvent(filled));
	STRESS(clReleaseEvent(added));
	STRESS(clReleaseEvent(done));
}

/* Of the host, or shared: for any queue. Or of a device: for the queues of that one. */
static uint32_t *allocate(struct worker *w, unsigned kind, cl_device_id device)
{
	clHostMemAllocINTEL_fn of_host;
	clSharedMemAllocINTEL_fn shared;
	clDeviceMemAllocINTEL_fn of_device;
	cl_context context = w->context->context;
	cl_int rc = CL_SUCCESS;
	uint32_t *memory = NULL;

	find(w, "clHostMemAllocINTEL", &of_host);
	find(w, "clSharedMemAllocINTEL", &shared);
	find(w, "clDeviceMemAllocINTEL", &of_device);
	if (of_host && shared && of_device)
		memory = kind == 0   ? of_host(context, NULL, STRESS_BYTES, 0, &rc)
			 : kind == 1 ? shared(context, device, NULL, STRESS_BYTES, 0, &rc)
				     : of_device(context, device, NULL, STRESS_BYTES, 0, &rc);
	STRESS(rc);
	return memory;
}

void stress_usm(struct worker *w, struct item *item)
{
	static const size_t global = STRESS_ITEMS;
	uint32_t value = stress_chance(w, 1000);
	unsigned kind = stress_chance(w, 3), number = stress_chance(w, STRESS_QUEUES);
	cl_command_queue queue = w->context->queues[number];
	cl_event event;

	(void)item;
	clMemBlockingFreeINTEL_fn release;
	clSetKernelArgMemPointerINTEL_fn set;
	clEnqueueMemcpyINTEL_fn copy;
	find(w, "clMemBlockingFreeINTEL", &release);
	find(w, "clSetKernelArgMemPointerINTEL", &set);
	find(w, "clEnqueueMemcpyINTEL", &copy);
	stress_set_pending(w);
	uint32_t *memory =
		allocate(w, kind, w->context->devices[(cl_uint)number % w->context->n_devices]);
	if (!memory)
		return;
	for (size_t i = 0; i < STRESS_ITEMS; i++)
		w->room[i] = 3;
	STRESS(copy(queue, CL_TRUE, memory, w->room, STRESS_BYTES, 0, NULL, NULL));
	memset(w->room, 0xee, STRESS_BYTES);
	STRESS(set(w->add, 0, memory));
	STRESS(clSetKernelArg(w->add, 1, sizeof(value), &value));
	STRESS(clEnqueueNDRangeKernel(kind < 2 ? stress_any_queue(w) : queue, w->add, 1, NULL,
		&global, NULL, 0, NULL, &event));
	STRESS(copy(queue, CL_TRUE, w->room, memory, STRESS_BYTES, 1, &event, NULL));
	STRESS(clReleaseEvent(event));
	check_all(w->room, 3 + value, "unified shared memory");
	STRESS(release(w->context->context, memory));
}

#ifdef CL_KHR_COMMAND_BUFFER_EXTENSION_NAME
/* x * m + v + i after x + v. */
static void record(struct worker *w, struct item *item, cl_command_buffer_khr buffer,
	clCommandNDRangeKernelKHR_fn launch, const uint32_t *values)
{
	static const size_t global = STRESS_ITEMS;
	cl_sync_point_khr point;

	STRESS(clSetKernelArg(w->add, 0, sizeof(cl_mem), &item->mem));
	STRESS(clSetKernelArg(w->add, 1, sizeof(uint32_t), &values[0]));
	STRESS(launch(buffer, NULL, NULL, w->add, 1, NULL, &global, NULL, 0, NULL, &point, NULL));
	STRESS(clSetKernelArg(w->affine, 0, sizeof(cl_mem), &item->mem));
	STRESS(clSetKernelArg(w->affine, 1, sizeof(uint32_t), &values[1]));
	STRESS(clSetKernelArg(w->affine, 2, sizeof(uint32_t), &values[2]));
	STRESS(launch(
		buffer, NULL, NULL, w->affine, 1, NULL, &global, NULL, 1, &point, NULL, NULL));
}
#endif

/* Two commands are recorded, and replayed once or several times; the recording goes at once. */
void stress_record(struct worker *w, struct item *item)
{
#ifdef CL_KHR_COMMAND_BUFFER_EXTENSION_NAME
	clCreateCommandBufferKHR_fn create;
	clCommandNDRangeKernelKHR_fn launch;
	clFinalizeCommandBufferKHR_fn finalize;
	clEnqueueCommandBufferKHR_fn replay;
	clReleaseCommandBufferKHR_fn release;
	const uint32_t values[] = { stress_chance(w, 1000), 1 + 2 * stress_chance(w, 5),
		stress_chance(w, 1000) };
	cl_command_queue queue = stress_any_queue(w);
	cl_event event, before;
	cl_int rc;

	find(w, "clCreateCommandBufferKHR", &create);
	find(w, "clCommandNDRangeKernelKHR", &launch);
	find(w, "clFinalizeCommandBufferKHR", &finalize);
	find(w, "clEnqueueCommandBufferKHR", &replay);
	find(w, "clReleaseCommandBufferKHR", &release);
	if (!create || !launch || !finalize || !replay || !release)
		return;
	cl_command_buffer_khr buffer = create(1, &queue, NULL, &rc);
	STRESS(rc);
	record(w, item, buffer, launch, values);
	STRESS(finalize(buffer));
	struct waits waits = stress_waits(w, item, false);
	STRESS(replay(0, NULL, buffer, waits.n, stress_list(&waits), &event));
	for (unsigned n = stress_chance(w, 3) + 1; n; n--) {
		for (uint32_t i = 0; i < STRESS_ITEMS; i++)
			item->model[i] = (item->model[i] + values[0]) * values[1] + values[2] + i;
		if (n == 1)
			break;
		before = event;
		/* not while it is pending: it was not made for simultaneous use */
		stress_set_pending(w);
		STRESS(clWaitForEvents(1, &before));
		STRESS(replay(0, NULL, buffer, 1, &before, &event));
		STRESS(clReleaseEvent(before));
	}
	STRESS(release(buffer));
	stress_note(item, "replay");
	stress_enqueued(w, item, &waits, event);
#else
	(void)w;
	(void)item;
#endif
}

void stress_repeat(struct worker *w, struct item *item)
{
	const size_t global = STRESS_ITEMS, local = 64;
	unsigned n = 1 + stress_chance(w, 12);
	uint32_t value = stress_chance(w, 1000);
	struct waits waits = stress_waits(w, item, true);
	cl_command_queue queue = stress_any_queue(w);
	cl_event event;

	STRESS(clSetKernelArg(w->add, 0, sizeof(cl_mem), &item->mem));
	STRESS(clSetKernelArg(w->add, 1, sizeof(value), &value));
	for (unsigned i = 0; i < n; i++) {
		STRESS(clEnqueueNDRangeKernel(queue, w->add, 1, NULL, &global, &local,
			i ? 0 : waits.n, i ? NULL : stress_list(&waits),
			i == n - 1 ? &event : NULL));
		if (i < n - 1)
			STRESS(clFinish(queue));
	}
	for (uint32_t i = 0; i < STRESS_ITEMS; i++)
		item->model[i] += n * value;
	stress_note(item, "repeat");
	stress_enqueued(w, item, &waits, event);
}
