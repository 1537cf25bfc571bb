// SPDX-License-Identifier: MIT
/*
 * The error lists of what the other tests of errors do not call: older entry points, boxes of
 * buffers, programs, pointers, sharing, and the functions that go by extensions' names. A test of
 * tests/api makes sure that every entry point has rows somewhere.
 */
#include "cl/cl_error.h"

#include <CL/cl_egl.h>
#include <CL/cl_gl.h>
#include <string.h>

#define BAD(type) ((type)(void *)cl.context) /* a live handle of another kind */
#define BAD_C	  ((cl_context)(void *)cl.queue)

static cl_mem buffer, readable;
static char bytes[256];

static void test_old_commands(void **state)
{
	cl_event event, wrong = BAD(cl_event);

	(void)state;
	CL_ROW(CL_INVALID_COMMAND_QUEUE, EXT(clEnqueueMarker)(BAD(cl_command_queue), &event));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueMarker)(cl.queue, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, EXT(clEnqueueBarrier)(NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, EXT(clEnqueueBarrier)(BAD(cl_command_queue)));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, EXT(clEnqueueWaitForEvents)(NULL, 1, &event));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueWaitForEvents)(cl.queue, 0, NULL));
	CL_ROW(CL_INVALID_VALUE, EXT(clEnqueueWaitForEvents)(cl.queue, 1, NULL));
	CL_ROW(CL_INVALID_EVENT, EXT(clEnqueueWaitForEvents)(cl.queue, 1, &wrong));
	CL_ROW(CL_SUCCESS, EXT(clUnloadCompiler)());
	cl_rows_end();
}

/* Each way to be wrong, of a box that is right. */
struct box_case {
	cl_int want;
	size_t origin[3], host_origin[3], region[3], row, slice, host_row, host_slice;
};
static const struct box_case boxes[] = {
	{ CL_INVALID_VALUE, { 0 }, { 0 }, { 0, 1, 1 }, 0, 0, 0, 0 },
	{ CL_INVALID_VALUE, { 0 }, { 0 }, { 4, 0, 1 }, 0, 0, 0, 0 },
	{ CL_INVALID_VALUE, { 0 }, { 0 }, { 4, 1, 0 }, 0, 0, 0, 0 },
	{ CL_INVALID_VALUE, { 0 }, { 0 }, { 4, 2, 2 }, 3, 0, 0, 0 },
	{ CL_INVALID_VALUE, { 0 }, { 0 }, { 4, 2, 2 }, 0, 0, 3, 0 },
	{ CL_INVALID_VALUE, { 0 }, { 0 }, { 4, 2, 2 }, 4, 7, 0, 0 },
	{ CL_INVALID_VALUE, { 0 }, { 0 }, { 4, 2, 2 }, 0, 0, 4, 7 },
	{ CL_INVALID_VALUE, { 0 }, { 0 }, { 4, 2, 2 }, 8, 20, 0, 0 },
	{ CL_INVALID_VALUE, { 0 }, { 0 }, { 257, 1, 1 }, 0, 0, 0, 0 },
	{ CL_INVALID_VALUE, { 250, 0, 0 }, { 0 }, { 8, 1, 1 }, 0, 0, 0, 0 },
	{ CL_INVALID_VALUE, { 0, 16, 0 }, { 0 }, { 8, 1, 1 }, 16, 0, 0, 0 },
	{ CL_INVALID_VALUE, { 0, 0, 4 }, { 0 }, { 8, 1, 1 }, 16, 64, 0, 0 },
};

static void test_box_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
		const struct box_case *b = &boxes[i];

		cl_row(__FILE__, (int)i, "clEnqueueReadBufferRect", b->want,
			clEnqueueReadBufferRect(cl.queue, buffer, CL_TRUE, b->origin,
				b->host_origin, b->region, b->row, b->slice, b->host_row,
				b->host_slice, bytes, 0, NULL, NULL));
		cl_row(__FILE__, (int)i, "clEnqueueWriteBufferRect", b->want,
			clEnqueueWriteBufferRect(cl.queue, buffer, CL_TRUE, b->origin,
				b->host_origin, b->region, b->row, b->slice, b->host_row,
				b->host_slice, bytes, 0, NULL, NULL));
		cl_row(__FILE__, (int)i, "clEnqueueCopyBufferRect", b->want,
			clEnqueueCopyBufferRect(cl.queue, buffer, readable, b->origin,
				b->host_origin, b->region, b->row, b->slice, b->host_row,
				b->host_slice, 0, NULL, NULL));
	}
	cl_rows_end();
}

static void test_boxes(void **state)
{
	const size_t o[3] = { 0 }, at[3] = { 2, 0, 0 }, r[3] = { 8, 4, 1 };
	const size_t up[3] = { 0, 4, 0 };
	cl_command_queue q = cl.queue;
	cl_event wrong = BAD(cl_event);
	cl_int rc;
	cl_mem none = clCreateBuffer(cl.context, CL_MEM_HOST_NO_ACCESS, 256, NULL, &rc);

	(void)state;
	CL(rc);
	CL_ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBufferRect(BAD(cl_command_queue), buffer, 1,
						 o, o, r, 16, 0, 16, 0, bytes, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT, clEnqueueReadBufferRect(q, BAD(cl_mem), 1, o, o, r, 16, 0, 16,
					      0, bytes, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clEnqueueReadBufferRect(q, buffer, 1, o, o, r, 16, 0, 16, 0, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_OPERATION,
		clEnqueueReadBufferRect(q, none, 1, o, o, r, 16, 0, 16, 0, bytes, 0, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBufferRect(q, buffer, 1, o, o, r, 16, 0, 16,
						   0, bytes, 1, &wrong, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueWriteBufferRect(BAD(cl_command_queue), buffer, 1,
						 o, o, r, 16, 0, 16, 0, bytes, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT, clEnqueueWriteBufferRect(q, BAD(cl_mem), 1, o, o, r, 16, 0,
					      16, 0, bytes, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clEnqueueWriteBufferRect(q, buffer, 1, o, o, r, 16, 0, 16, 0, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_OPERATION,
		clEnqueueWriteBufferRect(q, none, 1, o, o, r, 16, 0, 16, 0, bytes, 0, NULL, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueCopyBufferRect(BAD(cl_command_queue), buffer,
						 none, o, o, r, 16, 0, 16, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT, clEnqueueCopyBufferRect(q, BAD(cl_mem), none, o, o, r, 16, 0,
					      16, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT, clEnqueueCopyBufferRect(q, none, BAD(cl_mem), o, o, r, 16, 0,
					      16, 0, 0, NULL, NULL));
	CL_ROW(CL_MEM_COPY_OVERLAP,
		clEnqueueCopyBufferRect(q, buffer, buffer, o, at, r, 16, 0, 16, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clEnqueueCopyBufferRect(q, buffer, buffer, o, up, r, 16, 0, 32, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
		clEnqueueCopyBufferRect(q, buffer, none, o, o, r, 16, 0, 16, 0, 1, NULL, NULL));
	CL_ROW(CL_SUCCESS,
		clEnqueueCopyBufferRect(q, buffer, buffer, o, up, r, 16, 0, 16, 0, 0, NULL, NULL));
	CL(clReleaseMemObject(none));
	cl_rows_end();
}

static void CL_CALLBACK hear(cl_program program, void *data)
{
	(void)program;
	(void)data;
}

static void test_programs(void **state)
{
	const char *text = "kernel void k(global int *p) { *p = 1; }", *name = "a.h", *none = NULL;
	cl_device_id wrong_device = BAD(cl_device_id), devices[] = { cl.device };
	cl_int rc, one = 1;
	cl_program program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &rc);
	cl_program header = clCreateProgramWithSource(cl.context, 1, &text, NULL, &rc);
	cl_program wrong = BAD(cl_program);

	(void)state;
	CL(rc);
	CL_ROW(CL_INVALID_PROGRAM, clCompileProgram(wrong, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clCompileProgram(program, 1, NULL, "", 0, NULL, NULL, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clCompileProgram(program, 0, devices, "", 0, NULL, NULL, NULL, NULL));
	CL_ROW(CL_INVALID_DEVICE,
		clCompileProgram(program, 1, &wrong_device, "", 0, NULL, NULL, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clCompileProgram(program, 0, NULL, "", 1, NULL, &name, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clCompileProgram(program, 0, NULL, "", 1, &header, NULL, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clCompileProgram(program, 0, NULL, "", 0, &header, &name, NULL, NULL));
	CL_ROW(CL_INVALID_PROGRAM,
		clCompileProgram(program, 0, NULL, "", 1, &wrong, &name, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clCompileProgram(program, 0, NULL, "", 1, &header, &none, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, NULL, &one));
	CL_ROW(CL_INVALID_COMPILER_OPTIONS,
		clCompileProgram(program, 0, NULL, "-nonsense", 0, NULL, NULL, NULL, NULL));
	CL_ROW_MADE(CL_INVALID_CONTEXT,
		clLinkProgram(BAD_C, 0, NULL, "", 1, &program, NULL, NULL, &rc));
	CL_ROW_MADE(
		CL_INVALID_VALUE, clLinkProgram(cl.context, 0, NULL, "", 0, NULL, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clLinkProgram(cl.context, 1, NULL, "", 1, &program, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_DEVICE,
		clLinkProgram(cl.context, 1, &wrong_device, "", 1, &program, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_PROGRAM,
		clLinkProgram(cl.context, 0, NULL, "", 1, &wrong, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_OPERATION,
		clLinkProgram(cl.context, 0, NULL, "", 1, &program, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_LINKER_OPTIONS,
		clLinkProgram(cl.context, 0, NULL, "-nonsense", 1, &program, NULL, NULL, &rc));
	CL_ROW(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(wrong, 0, 4, &one));
	CL_ROW(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(program, 0, 4, &one));
	CL_ROW(CL_INVALID_PROGRAM, clSetProgramReleaseCallback(wrong, hear, NULL));
	CL_ROW(CL_INVALID_OPERATION, clSetProgramReleaseCallback(program, hear, NULL));
	CL_ROW_MADE(
		CL_INVALID_CONTEXT, EXT(clCreateProgramWithILKHR)(BAD_C, bytes, sizeof bytes, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, EXT(clCreateProgramWithILKHR)(cl.context, NULL, 4, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, EXT(clCreateProgramWithILKHR)(cl.context, bytes, 0, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, EXT(clCreateProgramWithILKHR)(cl.context, bytes, 256, &rc));
	CL(clReleaseProgram(program));
	CL(clReleaseProgram(header));
	cl_rows_end();
}

static void test_kernels(void **state)
{
	cl_kernel wrong = BAD(cl_kernel);
	cl_kernel kernel = cl_make_kernel("kernel void k(global int *p) { *p = 1; }", "", "k");
	size_t size = 64, local = 0;
	cl_int rc;

	(void)state;
	CL_ROW_MADE(CL_INVALID_KERNEL, clCloneKernel(wrong, &rc));
	CL_ROW_MADE(CL_INVALID_KERNEL, clCloneKernel(NULL, &rc));
	CL_ROW(CL_INVALID_KERNEL,
		EXT(clGetKernelSubGroupInfoKHR)(wrong, cl.device,
			CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 8, &size, 8, &local, NULL));
	CL_ROW(CL_INVALID_DEVICE,
		EXT(clGetKernelSubGroupInfoKHR)(kernel, BAD(cl_device_id),
			CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 8, &size, 8, &local, NULL));
	CL_ROW(CL_INVALID_VALUE,
		EXT(clGetKernelSubGroupInfoKHR)(kernel, cl.device, 0, 8, &size, 8, &local, NULL));
	CL_ROW(CL_INVALID_VALUE,
		EXT(clGetKernelSubGroupInfoKHR)(kernel, cl.device,
			CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 8, NULL, 8, &local, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE,
		EXT(clGetKernelSuggestedLocalWorkSizeKHR)(
			BAD(cl_command_queue), kernel, 1, NULL, &size, &local));
	CL_ROW(CL_INVALID_KERNEL,
		EXT(clGetKernelSuggestedLocalWorkSizeKHR)(cl.queue, wrong, 1, NULL, &size, &local));
	CL_ROW(CL_INVALID_WORK_DIMENSION, EXT(clGetKernelSuggestedLocalWorkSizeKHR)(
						  cl.queue, kernel, 0, NULL, &size, &local));
	CL_ROW(CL_INVALID_GLOBAL_WORK_SIZE,
		EXT(clGetKernelSuggestedLocalWorkSizeKHR)(cl.queue, kernel, 1, NULL, NULL, &local));
	CL_ROW(CL_INVALID_VALUE,
		EXT(clGetKernelSuggestedLocalWorkSizeKHR)(cl.queue, kernel, 1, NULL, &size, NULL));
	cl_kernel_done(kernel);
	cl_rows_end();
}

/* Functions of extensions with the parameters of a core function, and without a device of that. */
static void test_other_names(void **state)
{
	const cl_device_partition_property_ext equally[] = { CL_DEVICE_PARTITION_EQUALLY_EXT, 1,
		CL_PROPERTIES_LIST_END_EXT };
	const cl_queue_properties_khr unknown[] = { 0x7777, 1, 0 };
	cl_device_id device;
	cl_platform_id platform;
	cl_int rc;

	(void)state;
	CL_ROW(CL_INVALID_VALUE, EXT(clIcdGetPlatformIDsKHR)(0, &platform, NULL));
	CL_ROW(CL_INVALID_VALUE, EXT(clIcdGetPlatformIDsKHR)(1, NULL, NULL));
	CL_ROW(CL_INVALID_PLATFORM,
		EXT(clIcdSetPlatformDispatchDataKHR)(BAD(cl_platform_id), NULL));
	CL_ROW(CL_INVALID_PLATFORM, EXT(clIcdSetPlatformDispatchDataKHR)(NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, EXT(clCreateSubDevicesEXT)(cl.device, equally, 1, &device, NULL));
	CL_ROW(CL_INVALID_DEVICE,
		EXT(clCreateSubDevicesEXT)(BAD(cl_device_id), equally, 1, &device, NULL));
	CL_ROW(CL_INVALID_DEVICE, EXT(clRetainDeviceEXT)(BAD(cl_device_id)));
	CL_ROW(CL_INVALID_DEVICE, EXT(clReleaseDeviceEXT)(BAD(cl_device_id)));
	CL_ROW_MADE(CL_INVALID_CONTEXT,
		EXT(clCreateCommandQueueWithPropertiesKHR)(BAD_C, cl.device, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_DEVICE, EXT(clCreateCommandQueueWithPropertiesKHR)(
					       cl.context, BAD(cl_device_id), NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		EXT(clCreateCommandQueueWithPropertiesKHR)(cl.context, cl.device, unknown, &rc));
	CL_ROW_MADE(CL_INVALID_CONTEXT,
		clCreateSampler(BAD_C, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateSampler(cl.context, CL_TRUE, 0x7777, CL_FILTER_LINEAR, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateSampler(cl.context, CL_TRUE, CL_ADDRESS_CLAMP, 0x7777, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateSampler(cl.context, 7, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &rc));
	cl_rows_end();
	assert_null(clGetExtensionFunctionAddressForPlatform(cl.platform, "clNobody"));
	assert_null(clGetExtensionFunctionAddressForPlatform(cl.platform, NULL));
	assert_null(EXT(clGetExtensionFunctionAddress)("clNobody"));
}

static void test_images(void **state)
{
	const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8
	};
	const size_t o[3] = { 0 }, r[3] = { 8, 8, 1 }, far[3] = { 4, 4, 0 }, flat[3] = { 8, 8, 2 };
	const size_t half[3] = { 4, 4, 1 }, near[3] = { 1, 1, 0 };
	size_t row, slice;
	cl_int rc;
	cl_mem image = clCreateImage(cl.context, 0, &format, &desc, NULL, &rc), wrong = BAD(cl_mem);

	(void)state;
	if (rc)
		skip_because("the device has no such image");
	CL_ROW(CL_INVALID_COMMAND_QUEUE,
		clEnqueueWriteImage(NULL, image, 1, o, r, 0, 0, bytes, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT,
		clEnqueueWriteImage(cl.queue, wrong, 1, o, r, 0, 0, bytes, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clEnqueueWriteImage(cl.queue, image, 1, o, r, 0, 0, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clEnqueueWriteImage(cl.queue, image, 1, far, r, 0, 0, bytes, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clEnqueueWriteImage(cl.queue, image, 1, o, flat, 0, 0, bytes, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clEnqueueWriteImage(cl.queue, image, 1, o, r, 31, 0, bytes, 0, NULL, NULL));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
		clEnqueueWriteImage(cl.queue, image, 1, o, r, 0, 0, bytes, 1, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT,
		clEnqueueCopyImage(cl.queue, wrong, image, o, o, r, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT,
		clEnqueueCopyImage(cl.queue, image, buffer, o, o, r, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clEnqueueCopyImage(cl.queue, image, image, far, o, r, 0, NULL, NULL));
	CL_ROW(CL_MEM_COPY_OVERLAP,
		clEnqueueCopyImage(cl.queue, image, image, o, near, half, 0, NULL, NULL));
	CL_ROW_MADE(CL_INVALID_COMMAND_QUEUE, clEnqueueMapImage(NULL, image, 1, CL_MAP_READ, o, r,
						      &row, &slice, 0, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_MEM_OBJECT, clEnqueueMapImage(cl.queue, wrong, 1, CL_MAP_READ, o, r,
						   &row, &slice, 0, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clEnqueueMapImage(cl.queue, image, 1, CL_MAP_READ, far, r,
					      &row, &slice, 0, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clEnqueueMapImage(cl.queue, image, 1, CL_MAP_READ, o, r, NULL,
					      &slice, 0, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clEnqueueMapImage(cl.queue, image, 1, 1 << 20, o, r, &row,
					      &slice, 0, NULL, NULL, &rc));
	CL(clReleaseMemObject(image));
	cl_rows_end();
}

/* Nothing is shared with OpenGL or EGL. */
static void test_sharing(void **state)
{
	/* loaders look at it */
	const cl_context_properties of_platform[] = { CL_CONTEXT_PLATFORM,
		(cl_context_properties)cl.platform, 0 };
	cl_context c = cl.context;
	cl_command_queue q = cl.queue;
	cl_mem wrong = BAD(cl_mem);
	cl_int rc;

	(void)state;
	CL_ROW_MADE(CL_INVALID_CONTEXT, EXT(clCreateFromGLBuffer)(c, 0, 1, &rc));
	CL_ROW_MADE(CL_INVALID_CONTEXT, EXT(clCreateFromGLBuffer)(BAD_C, 0, 1, &rc));
	CL_ROW_MADE(CL_INVALID_CONTEXT, EXT(clCreateFromGLTexture)(c, 0, 1, 0, 1, &rc));
	CL_ROW_MADE(CL_INVALID_CONTEXT, EXT(clCreateFromGLTexture2D)(c, 0, 1, 0, 1, &rc));
	CL_ROW_MADE(CL_INVALID_CONTEXT, EXT(clCreateFromGLTexture3D)(c, 0, 1, 0, 1, &rc));
	CL_ROW_MADE(CL_INVALID_CONTEXT, EXT(clCreateFromGLRenderbuffer)(c, 0, 1, &rc));
	CL_ROW_MADE(CL_INVALID_CONTEXT, EXT(clCreateEventFromGLsyncKHR)(c, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_CONTEXT, EXT(clCreateEventFromEGLSyncKHR)(c, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_CONTEXT, EXT(clCreateFromEGLImageKHR)(c, NULL, NULL, 0, NULL, &rc));
	CL_ROW(CL_INVALID_GL_OBJECT, EXT(clGetGLObjectInfo)(buffer, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT, EXT(clGetGLObjectInfo)(wrong, NULL, NULL));
	CL_ROW(CL_INVALID_GL_OBJECT, EXT(clGetGLTextureInfo)(buffer, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT, EXT(clGetGLTextureInfo)(wrong, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_OPERATION, EXT(clGetGLContextInfoKHR)(of_platform, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_OPERATION, EXT(clEnqueueAcquireGLObjects)(q, 1, &buffer, 0, NULL, NULL));
	CL_ROW(CL_INVALID_COMMAND_QUEUE,
		EXT(clEnqueueAcquireGLObjects)(NULL, 1, &buffer, 0, NULL, NULL));
	CL_ROW(CL_INVALID_OPERATION, EXT(clEnqueueReleaseGLObjects)(q, 1, &buffer, 0, NULL, NULL));
	CL_ROW(CL_INVALID_OPERATION,
		EXT(clEnqueueAcquireEGLObjectsKHR)(q, 1, &buffer, 0, NULL, NULL));
	CL_ROW(CL_INVALID_OPERATION,
		EXT(clEnqueueReleaseEGLObjectsKHR)(q, 1, &buffer, 0, NULL, NULL));
	cl_rows_end();
}

/* These give no code. */
static void test_svm(void **state)
{
	cl_ulong max;

	(void)state;
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof max, &max, NULL));
	assert_null(clSVMAlloc(BAD_C, 0, 64, 0));
	assert_null(clSVMAlloc(cl.context, 0, 0, 0));
	assert_null(clSVMAlloc(cl.context, 0, (size_t)max + 1, 0));
	assert_null(clSVMAlloc(cl.context, 0, 64, 3));
	assert_null(clSVMAlloc(cl.context, 1ull << 40, 64, 0));
	assert_null(clSVMAlloc(cl.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0));
	assert_null(clSVMAlloc(cl.context, CL_MEM_SVM_ATOMICS, 64, 0));
	clSVMFree(cl.context, NULL);
	clSVMFree(BAD_C, bytes);
	clSVMFree(cl.context, bytes);
}

static int setup(void **state)
{
	(void)state;
	if (!cl.ours)
		return 0;
	buffer = cl_make_buffer(sizeof bytes, bytes);
	readable = cl_make_buffer(sizeof bytes, bytes);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return buffer && (clReleaseMemObject(buffer) || clReleaseMemObject(readable));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_old_commands),
		cmocka_unit_test_setup_teardown(test_box_rows, setup, teardown),
		cmocka_unit_test_setup_teardown(test_boxes, setup, teardown),
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_other_names),
		cmocka_unit_test_setup_teardown(test_images, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sharing, setup, teardown),
		cmocka_unit_test(test_svm),
	};

	return CL_RUN(argc, argv, tests);
}
