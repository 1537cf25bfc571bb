// SPDX-License-Identifier: MIT
/* The error lists of the specification: platform, device, context, memory objects, programs. */
#include "cl/cl_case.h"

#include <stdlib.h>
#include <string.h>

#define BAD(type) ((type)(void *)cl.queue) /* a live handle of another kind */

static void test_platform(void **state)
{
	cl_platform_id platform;
	cl_device_id device;
	char text[8];
	cl_uint n;

	(void)state;
	CL_ROW(CL_INVALID_VALUE, clGetPlatformIDs(0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetPlatformIDs(0, &platform, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetPlatformInfo(cl.platform, 0, sizeof text, text, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetPlatformInfo(cl.platform, CL_PLATFORM_NAME, 1, text, NULL));
	if (cl.ours)
		CL_ROW(CL_INVALID_PLATFORM,
			clGetPlatformInfo(BAD(cl_platform_id), CL_PLATFORM_NAME, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 0, &device, &n));
	CL_ROW(CL_INVALID_VALUE, clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 1, NULL, NULL));
	CL_ROW(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(cl.platform, 0, 1, &device, NULL));
	CL_ROW(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(cl.platform, 1 << 20, 1, &device, NULL));
	CL_ROW(CL_DEVICE_NOT_FOUND,
		clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ACCELERATOR, 1, &device, NULL));
	if (cl.ours) {
		CL_ROW(CL_INVALID_PLATFORM,
			clGetDeviceIDs(BAD(cl_platform_id), CL_DEVICE_TYPE_ALL, 1, &device, NULL));
		CL_ROW(CL_INVALID_PLATFORM, clUnloadPlatformCompiler(BAD(cl_platform_id)));
	}
	CL_ROW(CL_SUCCESS, clUnloadPlatformCompiler(cl.platform));
	cl_rows_end();
}

static void test_device(void **state)
{
	cl_device_partition_property equally[] = { CL_DEVICE_PARTITION_EQUALLY, 1, 0 };
	cl_device_id device;
	cl_ulong time;
	char text[4];

	(void)state;
	CL_ROW(CL_INVALID_VALUE, clGetDeviceInfo(cl.device, 0, sizeof text, text, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetDeviceInfo(cl.device, CL_DEVICE_NAME, 1, text, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetDeviceInfo(cl.device, CL_DEVICE_TYPE, 4, text, NULL));
	CL_ROW(CL_SUCCESS, clRetainDevice(cl.device));
	CL_ROW(CL_SUCCESS, clReleaseDevice(cl.device));
	if (!cl.ours) {
		cl_rows_end();
		return;
	}
	CL_ROW(CL_INVALID_DEVICE,
		clGetDeviceInfo(BAD(cl_device_id), CL_DEVICE_NAME, 0, NULL, NULL));
	CL_ROW(CL_INVALID_DEVICE, clRetainDevice(BAD(cl_device_id)));
	CL_ROW(CL_INVALID_DEVICE, clReleaseDevice(BAD(cl_device_id)));
	CL_ROW(CL_INVALID_DEVICE, clCreateSubDevices(BAD(cl_device_id), equally, 1, &device, NULL));
	CL_ROW(CL_INVALID_VALUE, clCreateSubDevices(cl.device, equally, 1, &device, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetDeviceAndHostTimer(cl.device, NULL, &time));
	CL_ROW(CL_INVALID_VALUE, clGetDeviceAndHostTimer(cl.device, &time, NULL));
	CL_ROW(CL_INVALID_DEVICE, clGetDeviceAndHostTimer(BAD(cl_device_id), &time, &time));
	CL_ROW(CL_INVALID_VALUE, clGetHostTimer(cl.device, NULL));
	CL_ROW(CL_INVALID_DEVICE, clGetHostTimer(BAD(cl_device_id), &time));
	CL_ROW(CL_SUCCESS, clGetHostTimer(cl.device, &time));
	cl_rows_end();
}

static void CL_CALLBACK nothing(const char *text, const void *data, size_t size, void *user)
{
	(void)text;
	(void)data;
	(void)size;
	(void)user;
}

static void CL_CALLBACK context_gone(cl_context context, void *data)
{
	(void)context;
	++*(int *)data;
}

static void test_context(void **state)
{
	cl_context_properties bad_platform[] = { CL_CONTEXT_PLATFORM, 0, 0 };
	cl_context_properties twice[] = { CL_CONTEXT_PLATFORM, (cl_context_properties)cl.platform,
		CL_CONTEXT_PLATFORM, (cl_context_properties)cl.platform, 0 };
	cl_context_properties unknown[] = { CL_CONTEXT_PLATFORM, (cl_context_properties)cl.platform,
		0x7777, 1, 0 };
	cl_context_properties good[] = { CL_CONTEXT_PLATFORM, (cl_context_properties)cl.platform,
		0 };
	cl_context_properties got[3];
	cl_device_id foreign = BAD(cl_device_id);
	int gone = 0;
	char text[4];
	cl_int rc;

	(void)state;
	CL_ROW_MADE(
		CL_INVALID_PLATFORM, clCreateContext(bad_platform, 1, &cl.device, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateContext(good, 0, &cl.device, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateContext(good, 1, NULL, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateContext(good, 1, &cl.device, NULL, text, &rc));
	CL_ROW_MADE(
		CL_INVALID_PROPERTY, clCreateContext(unknown, 1, &cl.device, nothing, text, &rc));
	if (cl.ours) {
		CL_ROW_MADE(CL_INVALID_PROPERTY,
			clCreateContext(twice, 1, &cl.device, nothing, text, &rc));
		CL_ROW_MADE(CL_INVALID_DEVICE, clCreateContext(good, 1, &foreign, NULL, NULL, &rc));
		CL_ROW_MADE(
			CL_INVALID_DEVICE_TYPE, clCreateContextFromType(good, 0, NULL, NULL, &rc));
		CL_ROW(CL_INVALID_CONTEXT, clRetainContext(BAD(cl_context)));
		CL_ROW(CL_INVALID_CONTEXT, clReleaseContext(BAD(cl_context)));
		CL_ROW(CL_INVALID_CONTEXT,
			clGetContextInfo(BAD(cl_context), CL_CONTEXT_NUM_DEVICES, 0, NULL, NULL));
	}
	CL_ROW_MADE(CL_DEVICE_NOT_FOUND,
		clCreateContextFromType(good, CL_DEVICE_TYPE_ACCELERATOR, NULL, NULL, &rc));
	CL_ROW(CL_INVALID_VALUE, clGetContextInfo(cl.context, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clGetContextInfo(cl.context, CL_CONTEXT_NUM_DEVICES, 1, text, NULL));
	cl_rows_end();

	cl_context context = clCreateContext(good, 1, &cl.device, nothing, NULL, &rc);
	CL(rc);
	CL(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof got, got, NULL));
	assert_memory_equal(got, good, sizeof got);
	if (cl.ours || cl.intel) {
		CL_ROW(CL_INVALID_VALUE, clSetContextDestructorCallback(context, NULL, NULL));
		CL(clSetContextDestructorCallback(context, context_gone, &gone));
	}
	CL(clReleaseContext(context));
	assert_int_equal(gone, cl.ours || cl.intel ? 1 : 0);
	cl_rows_end();
}

static void test_buffer(void **state)
{
	const cl_mem_flags rw = CL_MEM_READ_WRITE;
	cl_mem_properties bad_properties[] = { 0x7777, 1, 0 };
	cl_ulong max;
	char bytes[64] = { 0 };
	cl_context c = cl.context;
	cl_int rc;

	(void)state;
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof max, &max, NULL));
	CL_ROW_MADE(CL_INVALID_CONTEXT, clCreateBuffer(NULL, rw, 64, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_BUFFER_SIZE, clCreateBuffer(c, rw, 0, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_BUFFER_SIZE, clCreateBuffer(c, rw, max + 1, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_HOST_PTR, clCreateBuffer(c, CL_MEM_USE_HOST_PTR, 64, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_HOST_PTR, clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, 64, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_HOST_PTR, clCreateBuffer(c, rw, 64, bytes, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateBuffer(c, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateBuffer(c, rw | CL_MEM_WRITE_ONLY, 64, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateBuffer(c, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, bytes, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateBuffer(c, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 64, bytes, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateBuffer(c, CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY, 64, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateBuffer(c, (cl_mem_flags)1 << 40, 64, NULL, &rc));
	if (cl.ours) {
		CL_ROW_MADE(CL_INVALID_CONTEXT, clCreateBuffer(BAD(cl_context), rw, 64, NULL, &rc));
		CL_ROW_MADE(CL_INVALID_PROPERTY,
			clCreateBufferWithProperties(c, bad_properties, rw, 64, NULL, &rc));
		CL_ROW_MADE(CL_INVALID_CONTEXT,
			clCreateBufferWithProperties(BAD(cl_context), NULL, rw, 64, NULL, &rc));
		CL_ROW(CL_INVALID_MEM_OBJECT, clRetainMemObject(BAD(cl_mem)));
		CL_ROW(CL_INVALID_MEM_OBJECT, clReleaseMemObject(BAD(cl_mem)));
		CL_ROW(CL_INVALID_MEM_OBJECT,
			clGetMemObjectInfo(BAD(cl_mem), CL_MEM_SIZE, 0, NULL, NULL));
		CL_ROW(CL_INVALID_MEM_OBJECT,
			clSetMemObjectDestructorCallback(BAD(cl_mem), NULL, NULL));
	}
	CL_ROW(CL_INVALID_MEM_OBJECT, clReleaseMemObject(NULL));
	cl_mem buffer = cl_make_buffer(64, NULL);
	CL_ROW(CL_INVALID_VALUE, clGetMemObjectInfo(buffer, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetMemObjectInfo(buffer, CL_MEM_SIZE, 4, bytes, NULL));
	CL_ROW(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(buffer, NULL, NULL));
	CL(clReleaseMemObject(buffer));
	cl_rows_end();
}

static void test_sub_buffer(void **state)
{
	const cl_buffer_create_type region = CL_BUFFER_CREATE_TYPE_REGION;
	cl_buffer_region good = { 0, 256 }, empty = { 0, 0 }, far = { 4096, 256 };
	cl_buffer_region odd = { 1, 256 }, wide = { 0, 4097 }, over = { 4096 - 128, 256 };
	cl_int rc;
	cl_mem ro = clCreateBuffer(cl.context, CL_MEM_READ_ONLY, 4096, NULL, &rc);
	cl_mem rw = cl_make_buffer(4096, NULL);

	(void)state;
	CL_ROW_MADE(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(NULL, 0, region, &good, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateSubBuffer(rw, 0, 0, &good, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateSubBuffer(rw, 0, region, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_BUFFER_SIZE, clCreateSubBuffer(rw, 0, region, &empty, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateSubBuffer(rw, 0, region, &far, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateSubBuffer(rw, 0, region, &wide, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateSubBuffer(rw, 0, region, &over, &rc));
	CL_ROW_MADE(CL_MISALIGNED_SUB_BUFFER_OFFSET, clCreateSubBuffer(rw, 0, region, &odd, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateSubBuffer(ro, CL_MEM_READ_WRITE, region, &good, &rc));
	CL_ROW_MADE(
		CL_INVALID_VALUE, clCreateSubBuffer(rw, CL_MEM_USE_HOST_PTR, region, &good, &rc));
	if (cl.ours)
		CL_ROW_MADE(CL_INVALID_MEM_OBJECT,
			clCreateSubBuffer(BAD(cl_mem), 0, region, &good, &rc));
	cl_mem sub = clCreateSubBuffer(rw, 0, region, &good, &rc);
	CL(rc);
	CL_ROW_MADE(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(sub, 0, region, &good, &rc));
	cl_rows_end();
	CL(clReleaseMemObject(sub));
	CL(clReleaseMemObject(ro));
	CL(clReleaseMemObject(rw));
}

static void test_program(void **state)
{
	const char *text = "kernel void a(global int *p) { p[0] = 1; }", *null = NULL;
	cl_context c = cl.context;
	char room[4];
	cl_int rc;

	(void)state;
	CL_ROW_MADE(CL_INVALID_CONTEXT, clCreateProgramWithSource(NULL, 1, &text, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateProgramWithSource(c, 0, &text, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateProgramWithSource(c, 1, NULL, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateProgramWithSource(c, 1, &null, NULL, &rc));
	cl_program program = clCreateProgramWithSource(c, 1, &text, NULL, &rc);
	CL(rc);
	CL_ROW(CL_INVALID_VALUE, clBuildProgram(program, 1, NULL, "", NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clBuildProgram(program, 0, &cl.device, "", NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clBuildProgram(program, 1, &cl.device, "", NULL, room));
	CL_ROW(CL_INVALID_VALUE, clGetProgramInfo(program, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, 1, room, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetProgramBuildInfo(program, cl.device, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_STATUS, 1, room, NULL));
	CL_ROW_MADE(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(program, "a", &rc));
	CL_ROW(CL_INVALID_PROGRAM, clReleaseProgram(NULL));
	CL(clReleaseProgram(program));
	cl_rows_end();
}

static void test_program_handles(void **state)
{
	const char *text = "kernel void a(global int *p) { p[0] = 1; }";
	const unsigned char *garbage = (const unsigned char *)text;
	cl_device_id foreign = BAD(cl_device_id);
	cl_context c = cl.context;
	size_t length = strlen(text), zero = 0;
	cl_int rc, status;

	(void)state;
	skip_if(!cl.ours);
	cl_program program = clCreateProgramWithSource(c, 1, &text, NULL, &rc);
	CL(rc);
	CL_ROW_MADE(CL_INVALID_CONTEXT,
		clCreateProgramWithSource(BAD(cl_context), 1, &text, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateProgramWithBinary(c, 0, &cl.device, &length, &garbage, &status, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateProgramWithBinary(c, 1, NULL, &length, &garbage, &status, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateProgramWithBinary(c, 1, &cl.device, NULL, &garbage, &status, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateProgramWithBinary(c, 1, &cl.device, &zero, &garbage, &status, &rc));
	CL_ROW_MADE(CL_INVALID_DEVICE,
		clCreateProgramWithBinary(c, 1, &foreign, &length, &garbage, &status, &rc));
	CL_ROW_MADE(CL_INVALID_CONTEXT, clCreateProgramWithIL(BAD(cl_context), text, length, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateProgramWithIL(c, NULL, length, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateProgramWithIL(c, text, 0, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateProgramWithIL(c, text, length, &rc));
	CL_ROW_MADE(CL_INVALID_BINARY,
		clCreateProgramWithBinary(c, 1, &cl.device, &length, &garbage, &status, &rc));
	CL_ROW(CL_INVALID_PROGRAM, clBuildProgram(BAD(cl_program), 1, &cl.device, "", NULL, NULL));
	CL_ROW(CL_INVALID_DEVICE, clBuildProgram(program, 1, &foreign, "", NULL, NULL));
	CL_ROW(CL_INVALID_DEVICE,
		clGetProgramBuildInfo(program, foreign, CL_PROGRAM_BUILD_STATUS, 0, NULL, NULL));
	CL_ROW(CL_INVALID_PROGRAM, clRetainProgram(BAD(cl_program)));
	CL_ROW(CL_INVALID_PROGRAM, clReleaseProgram(BAD(cl_program)));
	CL_ROW(CL_INVALID_PROGRAM,
		clGetProgramInfo(BAD(cl_program), CL_PROGRAM_SOURCE, 0, NULL, NULL));
	CL_ROW(CL_INVALID_PROGRAM, clGetProgramBuildInfo(BAD(cl_program), cl.device,
					   CL_PROGRAM_BUILD_LOG, 0, NULL, NULL));
	CL_ROW_MADE(CL_INVALID_PROGRAM, clCreateKernel(BAD(cl_program), "a", &rc));
	CL_ROW(CL_INVALID_PROGRAM, clCreateKernelsInProgram(BAD(cl_program), 0, NULL, NULL));
	CL(clReleaseProgram(program));
	cl_rows_end();
}

/* What the device says that it does not have. */
static void test_no_pipes(void **state)
{
	cl_mem buffer = cl_make_buffer(64, NULL);
	cl_int rc;

	(void)state;
	if (!cl.ours) {
		CL(clReleaseMemObject(buffer));
		skip_because("!cl.ours");
	}
	CL_ROW_MADE(CL_INVALID_OPERATION, clCreatePipe(cl.context, 0, 4, 4, NULL, &rc));
	CL_ROW(CL_INVALID_MEM_OBJECT, clGetPipeInfo(buffer, CL_PIPE_MAX_PACKETS, 0, NULL, NULL));
	cl_rows_end();
	CL(clReleaseMemObject(buffer));
}

static void test_unsupported(void **state)
{
	cl_context c = cl.context;
	cl_command_queue q = cl.queue;
	cl_int rc;

	(void)state;
	skip_if(!cl.ours);
	CL_ROW(CL_INVALID_OPERATION,
		clEnqueueNativeKernel(q, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue(c, cl.device, q));
	CL_ROW(CL_INVALID_OPERATION, clSetCommandQueueProperty(q, 0, CL_TRUE, NULL));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateProgramWithBuiltInKernels(c, 1, &cl.device, "absent", &rc));
	CL_ROW_MADE(
		CL_INVALID_VALUE, clLinkProgram(c, 1, &cl.device, "", 0, NULL, NULL, NULL, &rc));
	cl_rows_end();
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_platform),
		cmocka_unit_test(test_device),
		cmocka_unit_test(test_context),
		cmocka_unit_test(test_buffer),
		cmocka_unit_test(test_sub_buffer),
		cmocka_unit_test(test_program),
		cmocka_unit_test(test_program_handles),
		cmocka_unit_test(test_no_pipes),
		cmocka_unit_test(test_unsupported),
	};

	return CL_RUN(argc, argv, tests);
}
