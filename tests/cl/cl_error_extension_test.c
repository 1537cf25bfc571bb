// SPDX-License-Identifier: MIT
/* The error lists of unified shared memory, semaphores and command buffers. */
#include "cl/cl_error.h"

#define BAD(type) ((type)(void *)cl.context) /* a live handle of another kind */
#define BAD_C	  ((cl_context)(void *)cl.queue)
#define BAD_Q	  ((cl_command_queue)(void *)cl.context)
#define BAD_CB	  ((cl_command_buffer_khr)(void *)cl.context)
#define NONE	  0, NULL, NULL /* events of a command */
#define NO_POINT  0, NULL, NULL, NULL

static char bytes[256];

static void test_memory(void **state)
{
	const cl_mem_properties_intel unknown[] = { 0x7777, 1, 0 };
	cl_context c = cl.context;
	cl_device_id d = cl.device;
	cl_ulong max;
	cl_int rc;

	(void)state;
	skip_if(!cl_has("cl_intel_unified_shared_memory"));
	CL(clGetDeviceInfo(d, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof max, &max, NULL));
	size_t much = (size_t)max + 1;
	CL_ROW_MADE(CL_INVALID_CONTEXT, EXT(clHostMemAllocINTEL)(BAD_C, NULL, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_BUFFER_SIZE, EXT(clHostMemAllocINTEL)(c, NULL, 0, 0, &rc));
	CL_ROW_MADE(CL_INVALID_BUFFER_SIZE, EXT(clHostMemAllocINTEL)(c, NULL, much, 0, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, EXT(clHostMemAllocINTEL)(c, NULL, 64, 3, &rc));
	CL_ROW_MADE(CL_INVALID_PROPERTY, EXT(clHostMemAllocINTEL)(c, unknown, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_CONTEXT, EXT(clDeviceMemAllocINTEL)(BAD_C, d, NULL, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_DEVICE,
		EXT(clDeviceMemAllocINTEL)(c, BAD(cl_device_id), NULL, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_DEVICE, EXT(clDeviceMemAllocINTEL)(c, NULL, NULL, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_BUFFER_SIZE, EXT(clDeviceMemAllocINTEL)(c, d, NULL, 0, 0, &rc));
	CL_ROW_MADE(CL_INVALID_BUFFER_SIZE, EXT(clDeviceMemAllocINTEL)(c, d, NULL, much, 0, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, EXT(clDeviceMemAllocINTEL)(c, d, NULL, 64, 5, &rc));
	CL_ROW_MADE(CL_INVALID_PROPERTY, EXT(clDeviceMemAllocINTEL)(c, d, unknown, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_CONTEXT, EXT(clSharedMemAllocINTEL)(BAD_C, d, NULL, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_DEVICE,
		EXT(clSharedMemAllocINTEL)(c, BAD(cl_device_id), NULL, 64, 0, &rc));
	CL_ROW_MADE(CL_INVALID_BUFFER_SIZE, EXT(clSharedMemAllocINTEL)(c, d, NULL, 0, 0, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, EXT(clSharedMemAllocINTEL)(c, d, NULL, 64, 12, &rc));
	CL_ROW(CL_INVALID_CONTEXT, EXT(clMemFreeINTEL)(BAD_C, bytes));
	CL_ROW(CL_INVALID_VALUE, EXT(clMemFreeINTEL)(c, bytes));
	CL_ROW(CL_SUCCESS, EXT(clMemFreeINTEL)(c, NULL));
	CL_ROW(CL_INVALID_CONTEXT, EXT(clMemBlockingFreeINTEL)(BAD_C, bytes));
	CL_ROW(CL_INVALID_VALUE, EXT(clMemBlockingFreeINTEL)(c, bytes));
	CL_ROW(CL_SUCCESS, EXT(clMemBlockingFreeINTEL)(c, NULL));
	CL_ROW(CL_INVALID_CONTEXT,
		EXT(clGetMemAllocInfoINTEL)(BAD_C, bytes, CL_MEM_ALLOC_TYPE_INTEL, 4, bytes, NULL));
	CL_ROW(CL_INVALID_VALUE, EXT(clGetMemAllocInfoINTEL)(c, bytes, 0, 4, bytes, NULL));
	CL_ROW(CL_INVALID_VALUE,
		EXT(clGetMemAllocInfoINTEL)(c, bytes, CL_MEM_ALLOC_TYPE_INTEL, 1, bytes, NULL));
	cl_rows_end();
}

static void test_memory_commands(void **state)
{
	cl_command_queue q = cl.queue;
	cl_kernel kernel =
		cl_make_kernel("kernel void k(global int *p, int v) { *p = v; }", "", "k");
	cl_event wrong = BAD(cl_event);
	cl_int rc;

	(void)state;
	char *p = EXT(clHostMemAllocINTEL)(cl.context, NULL, 256, 0, &rc);
	CL(rc);
	CL_ROW(CL_INVALID_KERNEL, EXT(clSetKernelArgMemPointerINTEL)(BAD(cl_kernel), 0, p));
	CL_ROW(CL_INVALID_ARG_INDEX, EXT(clSetKernelArgMemPointerINTEL)(kernel, 2, p));
	CL_ROW(CL_INVALID_ARG_VALUE, EXT(clSetKernelArgMemPointerINTEL)(kernel, 1, p));
	CL_ROW(CL_INVALID_KERNEL, EXT(clSetKernelArgDevicePointerEXT)(BAD(cl_kernel), 0, 0));
	CL_ROW(CL_INVALID_ARG_INDEX, EXT(clSetKernelArgDevicePointerEXT)(kernel, 2, 0));
	CL_ROW(CL_INVALID_ARG_INDEX, EXT(clSetKernelArgDevicePointerEXT)(kernel, 1, 64));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, EXT(clEnqueueMemsetINTEL)(BAD_Q, p, 1, 4, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMemsetINTEL)(q, NULL, 1, 4, NONE));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST, EXT(clEnqueueMemsetINTEL)(q, p, 1, 4, 1, &wrong, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, EXT(clEnqueueMemFillINTEL)(BAD_Q, p, p, 4, 4, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMemFillINTEL)(q, NULL, bytes, 4, 8, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMemFillINTEL)(q, p, NULL, 4, 8, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMemFillINTEL)(q, p, bytes, 0, 8, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMemFillINTEL)(q, p, bytes, 3, 9, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMemFillINTEL)(q, p, bytes, 256, 256, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMemFillINTEL)(q, p, bytes, 4, 6, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMemFillINTEL)(q, p + 2, bytes, 4, 8, NONE));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, EXT(clEnqueueMemcpyINTEL)(BAD_Q, 1, p, bytes, 4, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMemcpyINTEL)(q, 1, NULL, bytes, 4, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMemcpyINTEL)(q, 1, p, NULL, 4, NONE));
	CL_ROW(CL_MEM_COPY_OVERLAP, EXT(clEnqueueMemcpyINTEL)(q, 1, p, p + 3, 4, NONE));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
		EXT(clEnqueueMemcpyINTEL)(q, 1, p, bytes, 4, 1, NULL, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, EXT(clEnqueueMigrateMemINTEL)(BAD_Q, p, 4, 0, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMigrateMemINTEL)(q, NULL, 4, 0, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMigrateMemINTEL)(q, p, 0, 0, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMigrateMemINTEL)(q, p, 4, 1 << 20, NONE));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, EXT(clEnqueueMemAdviseINTEL)(BAD_Q, p, 4, 0, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMemAdviseINTEL)(q, NULL, 4, 0, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMemAdviseINTEL)(q, p, 0, 0, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMemAdviseINTEL)(q, p, 4, 0x7777, NONE));
	CL(EXT(clMemFreeINTEL)(cl.context, p));
	cl_kernel_done(kernel);
	cl_rows_end();
}

#define BINARY CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR

static void test_semaphores(void **state)
{
	const cl_semaphore_properties_khr good[] = { BINARY, 0 }, twice[] = { BINARY, BINARY, 0 };
	const cl_semaphore_properties_khr unknown[] = { BINARY, 0x7777, 1, 0 }, none[] = { 0 };
	const cl_semaphore_properties_khr type[] = { CL_SEMAPHORE_TYPE_KHR, 0x7777, 0 };
	cl_semaphore_khr wrong = BAD(cl_semaphore_khr);
	cl_event wrong_event = BAD(cl_event);
	cl_command_queue q = cl.queue;
	cl_int rc;

	(void)state;
	skip_if(!cl_has("cl_khr_semaphore"));
	CL_ROW_MADE(CL_INVALID_CONTEXT, EXT(clCreateSemaphoreWithPropertiesKHR)(BAD_C, good, &rc));
	CL_ROW_MADE(
		CL_INVALID_VALUE, EXT(clCreateSemaphoreWithPropertiesKHR)(cl.context, NULL, &rc));
	CL_ROW_MADE(
		CL_INVALID_VALUE, EXT(clCreateSemaphoreWithPropertiesKHR)(cl.context, none, &rc));
	CL_ROW_MADE(CL_INVALID_PROPERTY,
		EXT(clCreateSemaphoreWithPropertiesKHR)(cl.context, twice, &rc));
	CL_ROW_MADE(CL_INVALID_PROPERTY,
		EXT(clCreateSemaphoreWithPropertiesKHR)(cl.context, unknown, &rc));
	CL_ROW_MADE(CL_INVALID_PROPERTY,
		EXT(clCreateSemaphoreWithPropertiesKHR)(cl.context, type, &rc));
	cl_semaphore_khr s = EXT(clCreateSemaphoreWithPropertiesKHR)(cl.context, good, &rc);
	CL(rc);
	CL_ROW(CL_INVALID_COMMAND_QUEUE,
		EXT(clEnqueueSignalSemaphoresKHR)(BAD_Q, 1, &s, NULL, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueSignalSemaphoresKHR)(q, 0, &s, NULL, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueSignalSemaphoresKHR)(q, 1, NULL, NULL, NONE));
	CL_ROW(CL_INVALID_SEMAPHORE_KHR,
		EXT(clEnqueueSignalSemaphoresKHR)(q, 1, &wrong, NULL, NONE));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
		EXT(clEnqueueSignalSemaphoresKHR)(q, 1, &s, NULL, 1, &wrong_event, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, EXT(clEnqueueWaitSemaphoresKHR)(BAD_Q, 1, &s, NULL, NONE));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueWaitSemaphoresKHR)(q, 0, NULL, NULL, NONE));
	CL_ROW(CL_INVALID_SEMAPHORE_KHR, EXT(clEnqueueWaitSemaphoresKHR)(q, 1, &wrong, NULL, NONE));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
		EXT(clEnqueueWaitSemaphoresKHR)(q, 1, &s, NULL, 1, NULL, NULL));
	CL_ROW(CL_INVALID_SEMAPHORE_KHR,
		EXT(clGetSemaphoreInfoKHR)(wrong, CL_SEMAPHORE_TYPE_KHR, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, EXT(clGetSemaphoreInfoKHR)(s, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		EXT(clGetSemaphoreInfoKHR)(s, CL_SEMAPHORE_TYPE_KHR, 1, bytes, NULL));
	CL_ROW(CL_INVALID_SEMAPHORE_KHR, EXT(clRetainSemaphoreKHR)(wrong));
	CL_ROW(CL_INVALID_SEMAPHORE_KHR, EXT(clReleaseSemaphoreKHR)(wrong));
	CL_ROW(CL_INVALID_SEMAPHORE_KHR,
		EXT(clGetSemaphoreHandleForTypeKHR)(wrong, cl.device, 0, 8, bytes, NULL));
	CL_ROW(CL_INVALID_VALUE,
		EXT(clGetSemaphoreHandleForTypeKHR)(s, cl.device, 0x2055, 8, bytes, NULL));
	CL(EXT(clReleaseSemaphoreKHR)(s));
	cl_rows_end();
}

static void test_command_buffers(void **state)
{
	const cl_command_buffer_properties_khr unknown[] = { 0x7777, 1, 0 };
	const cl_command_buffer_properties_khr flags[] = { CL_COMMAND_BUFFER_FLAGS_KHR, 1 << 30,
		0 };
	cl_command_queue wrong = BAD_Q, queues[2] = { cl.queue, cl.queue };
	cl_event wrong_event = BAD(cl_event);
	cl_int rc;

	(void)state;
	cb_load();
	CL_ROW_MADE(CL_INVALID_VALUE, CB(clCreateCommandBufferKHR, create)(1, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, CB(clCreateCommandBufferKHR, create)(0, queues, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, CB(clCreateCommandBufferKHR, create)(2, queues, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_COMMAND_QUEUE,
		CB(clCreateCommandBufferKHR, create)(1, &wrong, NULL, &rc));
	CL_ROW_MADE(
		CL_INVALID_VALUE, CB(clCreateCommandBufferKHR, create)(1, queues, unknown, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, CB(clCreateCommandBufferKHR, create)(1, queues, flags, &rc));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR, CB(clFinalizeCommandBufferKHR, finalize)(BAD_CB));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR, CB(clRetainCommandBufferKHR, retain)(BAD_CB));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR, CB(clReleaseCommandBufferKHR, release)(BAD_CB));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR,
		CB(clEnqueueCommandBufferKHR, enqueue)(0, NULL, BAD_CB, NONE));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR,
		CB(clGetCommandBufferInfoKHR, info)(BAD_CB, CB_CONTEXT, 0, NULL, NULL));
	cl_command_buffer_khr b = cb_create(0);
	CL_ROW(CL_INVALID_OPERATION, CB(clEnqueueCommandBufferKHR, enqueue)(0, NULL, b, NONE));
	CL_ROW(CL_INVALID_VALUE, CB(clGetCommandBufferInfoKHR, info)(b, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		CB(clGetCommandBufferInfoKHR, info)(b, CB_CONTEXT, 1, bytes, NULL));
	CL(CB(clFinalizeCommandBufferKHR, finalize)(b));
	CL_ROW(CL_INVALID_OPERATION, CB(clFinalizeCommandBufferKHR, finalize)(b));
	CL_ROW(CL_INVALID_VALUE, CB(clEnqueueCommandBufferKHR, enqueue)(1, NULL, b, NONE));
	CL_ROW(CL_INVALID_VALUE, CB(clEnqueueCommandBufferKHR, enqueue)(0, queues, b, NONE));
	CL_ROW(CL_INVALID_VALUE, CB(clEnqueueCommandBufferKHR, enqueue)(2, queues, b, NONE));
	CL_ROW(CL_INVALID_COMMAND_QUEUE,
		CB(clEnqueueCommandBufferKHR, enqueue)(1, &wrong, b, NONE));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
		CB(clEnqueueCommandBufferKHR, enqueue)(0, NULL, b, 1, &wrong_event, NULL));
	CL(CB(clReleaseCommandBufferKHR, release)(b));
	cl_rows_end();
}

#define HEAD(b, q) (b), (q), NULL
#define O	   origin, origin, region

static void test_recorded_buffers(void **state)
{
	const size_t origin[3] = { 0 }, region[3] = { 4, 4, 1 }, nothing[3] = { 0, 1, 1 };
	const cl_sync_point_khr far = 9;
	cl_mem m = cl_make_buffer(256, bytes), n = cl_make_buffer(256, bytes), bad = BAD(cl_mem);

	(void)state;
	cb_load();
	cl_command_buffer_khr b = cb_create(0);
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR,
		CB(clCommandBarrierWithWaitListKHR, barrier)(HEAD(BAD_CB, NULL), NO_POINT));
	CL_ROW(CL_INVALID_COMMAND_QUEUE,
		CB(clCommandBarrierWithWaitListKHR, barrier)(HEAD(b, cl.queue), NO_POINT));
	CL_ROW(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
		CB(clCommandBarrierWithWaitListKHR, barrier)(HEAD(b, NULL), 1, &far, NULL, NULL));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR,
		CB(clCommandCopyBufferKHR, copy)(HEAD(BAD_CB, NULL), m, n, 0, 0, 4, NO_POINT));
	CL_ROW(CL_INVALID_MEM_OBJECT,
		CB(clCommandCopyBufferKHR, copy)(HEAD(b, NULL), bad, n, 0, 0, 4, NO_POINT));
	CL_ROW(CL_INVALID_MEM_OBJECT,
		CB(clCommandCopyBufferKHR, copy)(HEAD(b, NULL), m, bad, 0, 0, 4, NO_POINT));
	CL_ROW(CL_INVALID_VALUE,
		CB(clCommandCopyBufferKHR, copy)(HEAD(b, NULL), m, n, 254, 0, 4, NO_POINT));
	CL_ROW(CL_MEM_COPY_OVERLAP,
		CB(clCommandCopyBufferKHR, copy)(HEAD(b, NULL), m, m, 0, 2, 4, NO_POINT));
	CL_ROW(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, CB(clCommandCopyBufferKHR, copy)(HEAD(b, NULL),
							    m, n, 0, 0, 4, 1, NULL, NULL, NULL));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR,
		CB(clCommandCopyBufferRectKHR, copy_rect)(
			HEAD(BAD_CB, NULL), m, n, O, 0, 0, 0, 0, NO_POINT));
	CL_ROW(CL_INVALID_MEM_OBJECT, CB(clCommandCopyBufferRectKHR, copy_rect)(
					      HEAD(b, NULL), bad, n, O, 0, 0, 0, 0, NO_POINT));
	CL_ROW(CL_INVALID_VALUE, CB(clCommandCopyBufferRectKHR, copy_rect)(HEAD(b, NULL), m, n,
					 origin, origin, nothing, 0, 0, 0, 0, NO_POINT));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR,
		CB(clCommandFillBufferKHR, fill)(HEAD(BAD_CB, NULL), m, bytes, 4, 0, 4, NO_POINT));
	CL_ROW(CL_INVALID_MEM_OBJECT,
		CB(clCommandFillBufferKHR, fill)(HEAD(b, NULL), bad, bytes, 4, 0, 4, NO_POINT));
	CL_ROW(CL_INVALID_VALUE,
		CB(clCommandFillBufferKHR, fill)(HEAD(b, NULL), m, NULL, 4, 0, 4, NO_POINT));
	CL_ROW(CL_INVALID_VALUE,
		CB(clCommandFillBufferKHR, fill)(HEAD(b, NULL), m, bytes, 3, 0, 3, NO_POINT));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR,
		CB(clCommandSVMMemcpyKHR, svm_copy)(HEAD(BAD_CB, NULL), bytes, bytes, 4, NO_POINT));
	CL_ROW(CL_INVALID_VALUE,
		CB(clCommandSVMMemcpyKHR, svm_copy)(HEAD(b, NULL), NULL, bytes, 4, NO_POINT));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR,
		CB(clCommandSVMMemFillKHR, svm_fill)(
			HEAD(BAD_CB, NULL), bytes, bytes, 4, 4, NO_POINT));
	CL_ROW(CL_INVALID_VALUE,
		CB(clCommandSVMMemFillKHR, svm_fill)(HEAD(b, NULL), NULL, bytes, 4, 4, NO_POINT));
	cl_rows_end();
	CL(cb.release(b));
	CL(clReleaseMemObject(m));
	CL(clReleaseMemObject(n));
}

static void test_recorded_images(void **state)
{
	const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8
	};
	const size_t origin[3] = { 0 }, region[3] = { 4, 4, 1 }, large[3] = { 9, 4, 1 };
	cl_int rc;
	cl_mem i = clCreateImage(cl.context, 0, &format, &desc, NULL, &rc), bad = BAD(cl_mem);

	(void)state;
	if (rc)
		skip_because("the device has no such image");
	cb_load();
	cl_mem m = cl_make_buffer(256, bytes);
	cl_command_buffer_khr b = cb_create(0);
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR,
		CB(clCommandCopyBufferToImageKHR, to_image)(
			HEAD(BAD_CB, NULL), m, i, 0, origin, region, NO_POINT));
	CL_ROW(CL_INVALID_MEM_OBJECT, CB(clCommandCopyBufferToImageKHR, to_image)(
					      HEAD(b, NULL), bad, i, 0, origin, region, NO_POINT));
	CL_ROW(CL_INVALID_VALUE, CB(clCommandCopyBufferToImageKHR, to_image)(
					 HEAD(b, NULL), m, i, 0, origin, large, NO_POINT));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR,
		CB(clCommandCopyImageKHR, copy_image)(HEAD(BAD_CB, NULL), i, i, O, NO_POINT));
	CL_ROW(CL_INVALID_MEM_OBJECT,
		CB(clCommandCopyImageKHR, copy_image)(HEAD(b, NULL), i, m, O, NO_POINT));
	CL_ROW(CL_MEM_COPY_OVERLAP,
		CB(clCommandCopyImageKHR, copy_image)(HEAD(b, NULL), i, i, O, NO_POINT));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR,
		CB(clCommandCopyImageToBufferKHR, from_image)(
			HEAD(BAD_CB, NULL), i, m, origin, region, 0, NO_POINT));
	CL_ROW(CL_INVALID_MEM_OBJECT, CB(clCommandCopyImageToBufferKHR, from_image)(
					      HEAD(b, NULL), i, bad, origin, region, 0, NO_POINT));
	CL_ROW(CL_INVALID_VALUE, CB(clCommandCopyImageToBufferKHR, from_image)(
					 HEAD(b, NULL), i, m, origin, region, 250, NO_POINT));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR,
		CB(clCommandFillImageKHR, fill_image)(
			HEAD(BAD_CB, NULL), i, bytes, origin, region, NO_POINT));
	CL_ROW(CL_INVALID_MEM_OBJECT, CB(clCommandFillImageKHR, fill_image)(
					      HEAD(b, NULL), bad, bytes, origin, region, NO_POINT));
	CL_ROW(CL_INVALID_VALUE, CB(clCommandFillImageKHR, fill_image)(
					 HEAD(b, NULL), i, NULL, origin, region, NO_POINT));
	cl_rows_end();
	CL(cb.release(b));
	CL(clReleaseMemObject(i));
	CL(clReleaseMemObject(m));
}

static void test_recorded_kernels(void **state)
{
	cl_kernel kernel = cl_make_kernel("kernel void k(global int *p) { *p = 1; }", "", "k");
	cl_mem m = cl_make_buffer(256, bytes);
	const size_t global = 8, local = 3;
	const cl_uint type = 0x7777;
	const void *config = bytes;

	(void)state;
	cb_load();
	cl_set_buffer(kernel, 0, m);
	cl_command_buffer_khr b = cb_create(0);
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR,
		CB(clCommandNDRangeKernelKHR, launch)(
			HEAD(BAD_CB, NULL), kernel, 1, NULL, &global, NULL, NO_POINT));
	CL_ROW(CL_INVALID_KERNEL, CB(clCommandNDRangeKernelKHR, launch)(HEAD(b, NULL),
					  BAD(cl_kernel), 1, NULL, &global, NULL, NO_POINT));
	CL_ROW(CL_INVALID_WORK_DIMENSION, CB(clCommandNDRangeKernelKHR, launch)(HEAD(b, NULL),
						  kernel, 4, NULL, &global, NULL, NO_POINT));
	CL_ROW(CL_INVALID_WORK_GROUP_SIZE, CB(clCommandNDRangeKernelKHR, launch)(HEAD(b, NULL),
						   kernel, 1, NULL, &global, &local, NO_POINT));
	CL_ROW(CL_INVALID_COMMAND_BUFFER_KHR,
		CB(clUpdateMutableCommandsKHR, update)(BAD_CB, 0, NULL, NULL));
	CL_ROW(CL_INVALID_OPERATION, CB(clUpdateMutableCommandsKHR, update)(b, 0, NULL, NULL));
	CL(cb.finalize(b));
	CL_ROW(CL_INVALID_OPERATION, CB(clCommandNDRangeKernelKHR, launch)(HEAD(b, NULL), kernel, 1,
					     NULL, &global, NULL, NO_POINT));
	CL_ROW(CL_INVALID_OPERATION, CB(clUpdateMutableCommandsKHR, update)(b, 0, NULL, NULL));
	CL(cb.release(b));
	b = cb_create(CL_COMMAND_BUFFER_MUTABLE_KHR);
	CL(cb.finalize(b));
	CL_ROW(CL_INVALID_VALUE, CB(clUpdateMutableCommandsKHR, update)(b, 1, NULL, &config));
	CL_ROW(CL_INVALID_VALUE, CB(clUpdateMutableCommandsKHR, update)(b, 1, &type, NULL));
	CL_ROW(CL_INVALID_VALUE, CB(clUpdateMutableCommandsKHR, update)(b, 1, &type, &config));
	CL_ROW(CL_INVALID_MUTABLE_COMMAND_KHR,
		CB(clGetMutableCommandInfoKHR, command_info)(NULL, 0, 0, NULL, NULL));
	cl_rows_end();
	CL(cb.release(b));
	CL(clReleaseMemObject(m));
	cl_kernel_done(kernel);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_memory_commands),
		cmocka_unit_test(test_semaphores),
		cmocka_unit_test(test_command_buffers),
		cmocka_unit_test(test_recorded_buffers),
		cmocka_unit_test(test_recorded_images),
		cmocka_unit_test(test_recorded_kernels),
	};

	return CL_RUN(argc, argv, tests);
}
