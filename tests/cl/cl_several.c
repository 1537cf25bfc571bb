// SPDX-License-Identifier: MIT
#include "cl/cl_several.h"
#include "test_drivers.h"

#include <string.h>

struct several several;

static const char source[] =
	"kernel void step(global uint *p, uint k) { size_t i = get_global_id(0);\n"
	"  p[i] = p[i] * k + (uint)i; }\n"
	"kernel void turn(read_only image2d_t from, write_only image2d_t to, sampler_t s, uint k)\n"
	"{ int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
	"  write_imageui(to, at, read_imageui(from, s, at) * k + (uint4)(at.x, at.y, 1, 2)); }\n"
	"kernel void deep(read_only image3d_t from, global uint *to, uint k)\n"
	"{ int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);\n"
	"  to[(at.z * get_global_size(1) + at.y) * get_global_size(0) + at.x] =\n"
	"    read_imageui(from, at).x * k; }\n"
	"kernel void layers(write_only image1d_array_t to, uint k)\n"
	"{ int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
	"  write_imageui(to, at, (uint4)(k + at.x + 100 * at.y, 0, 0, 0)); }\n"
	"kernel void line(read_write image1d_buffer_t i, uint k)\n"
	"{ int at = get_global_id(0); write_imageui(i, at, read_imageui(i, at) * k + 1); }\n"
	"kernel void astray(global uint *p, ulong far) { p[0] = *(global uint *)(p[1] + far); }\n"
	"kernel void say(uint k) { printf(\"says %u\\n\", k); }\n";

int several_open(void **state)
{
	const char *text = source;
	cl_int rc;

	(void)state;
	CL(clGetDeviceIDs(
		cl.platform, CL_DEVICE_TYPE_ALL, SEVERAL_MOST, several.devices, &several.n));
	assert_in_range(several.n, 2, SEVERAL_MOST);
	several.context = clCreateContext(NULL, several.n, several.devices, NULL, NULL, &rc);
	test_models_share_driver(rc);
	CL(rc);
	for (cl_uint d = 0; d < several.n; d++) {
		several.queues[d] = clCreateCommandQueue(
			several.context, several.devices[d], CL_QUEUE_PROFILING_ENABLE, &rc);
		CL(rc);
	}
	several.program = clCreateProgramWithSource(several.context, 1, &text, NULL, &rc);
	CL(rc);
	CL(clBuildProgram(several.program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
	return 0;
}

int several_close(void **state)
{
	(void)state;
	CL(clReleaseProgram(several.program));
	for (cl_uint d = 0; d < several.n; d++)
		CL(clReleaseCommandQueue(several.queues[d]));
	CL(clReleaseContext(several.context));
	return 0;
}

void several_check(cl_kernel kernel, cl_mem buffer, cl_uint device, cl_uint add, cl_uint times)
{
	static const size_t global = N;
	static const uint32_t poison = 0xeeeeeeee;
	static uint32_t got[N];
	cl_command_queue queue = several.queues[device];

	CL(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
	CL(clEnqueueFillBuffer(
		queue, buffer, &poison, sizeof poison, 0, sizeof got, 0, NULL, NULL));
	CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
	memset(got, 0xdd, sizeof got);
	CL(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
	for (cl_uint i = 0; i < N; i++)
		assert_int_equal(got[i], add + i * times);
}
