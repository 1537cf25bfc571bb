// SPDX-License-Identifier: MIT
/* Extensions that are queries and properties, and entry points that do little or refuse. */
#include "cl/cl_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 8192

static size_t ask(cl_device_info param, void *value, size_t room)
{
	size_t size = 4711;

	memset(value, 0xee, room);
	CL(clGetDeviceInfo(cl.device, param, room, value, &size));
	return size;
}

/* Both lists of extensions say the same, of the device and of the platform. */
static void test_versions(void **state)
{
	static cl_name_version list[128];
	static char text[ROOM], joined[ROOM];
	size_t size;

	(void)state;
	for (int of_device = 0; of_device < 2; of_device++) {
		if (of_device) {
			size = ask(CL_DEVICE_EXTENSIONS_WITH_VERSION, list, sizeof(list));
			ask(CL_DEVICE_EXTENSIONS, text, sizeof(text));
		} else {
			CL(clGetPlatformInfo(cl.platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION,
				sizeof(list), list, &size));
			CL(clGetPlatformInfo(
				cl.platform, CL_PLATFORM_EXTENSIONS, sizeof(text), text, NULL));
		}
		joined[0] = '\0';
		for (size_t i = 0; i < size / sizeof(*list); i++) {
			assert_true(list[i].version > 0);
			assert_true(cl_has(list[i].name));
			snprintf(joined + strlen(joined), ROOM - strlen(joined), "%s%s",
				i ? " " : "", list[i].name);
		}
		if (cl.ours)
			assert_string_equal(text, joined);
	}
	/* What all devices have is the platform's: of one, what it has. */
	CL(clGetPlatformInfo(cl.platform, CL_PLATFORM_EXTENSIONS, sizeof text, text, NULL));
	if (cl.ours)
		assert_string_equal(text, joined);
}

static void test_attributes(void **state)
{
	cl_device_pci_bus_info_khr pci;
	cl_uchar uuid[CL_UUID_SIZE_KHR], zero[CL_UUID_SIZE_KHR] = { 0 };
	cl_uint slices, subs, eus, threads, units;

	(void)state;
	if (cl_has("cl_khr_device_uuid")) {
		assert_int_equal(ask(CL_DEVICE_UUID_KHR, uuid, sizeof(uuid)), sizeof(uuid));
		assert_memory_not_equal(uuid, zero, sizeof(uuid));
		assert_int_equal(ask(CL_DRIVER_UUID_KHR, uuid, sizeof(uuid)), sizeof(uuid));
	}
	if (cl_has("cl_khr_pci_bus_info")) {
		assert_int_equal(ask(CL_DEVICE_PCI_BUS_INFO_KHR, &pci, sizeof(pci)), sizeof(pci));
		assert_true(pci.pci_device < 32 && pci.pci_function < 8);
	}
	skip_if(!cl_has("cl_intel_device_attribute_query"));
	ask(CL_DEVICE_NUM_SLICES_INTEL, &slices, 4);
	ask(CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL, &subs, 4);
	ask(CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL, &eus, 4);
	ask(CL_DEVICE_NUM_THREADS_PER_EU_INTEL, &threads, 4);
	ask(CL_DEVICE_MAX_COMPUTE_UNITS, &units, 4);
	assert_int_equal(slices * subs * eus, units);
	assert_in_range(threads, 6, 8);
}

static cl_int make(cl_queue_properties a, cl_queue_properties x, cl_queue_properties b,
	cl_queue_properties y, cl_command_queue *out)
{
	const cl_queue_properties list[] = { a, x, b, y, 0 };
	cl_int rc = 4711;

	*out = clCreateCommandQueueWithProperties(cl.context, cl.device, list, &rc);
	assert_true(!*out == (rc != CL_SUCCESS));
	return rc;
}

/* Hints on queues: they are taken, told again, and the queue works. */
static void test_hints(void **state)
{
	const cl_uint one = 1;
	cl_mem mem = cl_make_buffer(4096, NULL);
	cl_command_queue queue;
	cl_uint value;

	(void)state;
	skip_if(!cl_has("cl_khr_priority_hints") || !cl_has("cl_khr_throttle_hints"));
	for (cl_uint priority = 1; priority <= 4; priority *= 2)
		for (cl_uint throttle = 1; throttle <= 4; throttle *= 2) {
			cl_uint got[1024];

			CL(make(CL_QUEUE_PRIORITY_KHR, priority, CL_QUEUE_THROTTLE_KHR, throttle,
				&queue));
			if (cl.ours) {
				CL(clGetCommandQueueInfo(
					queue, CL_QUEUE_PRIORITY_KHR, 4, &value, NULL));
				assert_int_equal(value, priority);
				CL(clGetCommandQueueInfo(
					queue, CL_QUEUE_THROTTLE_KHR, 4, &value, NULL));
				assert_int_equal(value, throttle);
			}
			CL(clEnqueueFillBuffer(queue, mem, &one, 4, 0, 4096, 0, NULL, NULL));
			CL(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4096, got, 0, NULL, NULL));
			assert_int_equal(got[1023], 1);
			CL(clReleaseCommandQueue(queue));
		}
	if (cl.ours) {
		CL_ROW(CL_INVALID_VALUE, make(CL_QUEUE_PRIORITY_KHR, 0, 0, 0, &queue));
		CL_ROW(CL_INVALID_VALUE, make(CL_QUEUE_PRIORITY_KHR, 8, 0, 0, &queue));
		CL_ROW(CL_INVALID_VALUE, make(CL_QUEUE_THROTTLE_KHR, 3, 0, 0, &queue));
	}
	cl_rows_end();
	CL(clReleaseMemObject(mem));
}

/* Commands of queues of all priorities, each of which waits for the one before. */
static void test_priorities(void **state)
{
	enum { N = 256, ROUNDS = 5 };
	cl_kernel kernel = cl_make_kernel(
		"kernel void add(global uint *p, uint v) { p[get_global_id(0)] += v; }", "", "add");
	cl_uint got[N] = { 0 };
	cl_mem mem = cl_make_buffer(sizeof got, got);
	cl_event last = NULL, event;
	cl_command_queue queues[3];
	const size_t global = N;

	(void)state;
	skip_if(!cl_has("cl_khr_priority_hints"));
	for (cl_uint i = 0; i < 3; i++)
		CL(make(CL_QUEUE_PRIORITY_KHR, 1u << i, 0, 0, &queues[i]));
	cl_set_buffer(kernel, 0, mem);
	for (cl_uint i = 0; i < 3 * ROUNDS; i++) {
		cl_set_uint(kernel, 1, i);
		CL(clEnqueueNDRangeKernel(queues[i % 3], kernel, 1, NULL, &global, NULL,
			last != NULL, last ? &last : NULL, &event));
		if (last)
			CL(clReleaseEvent(last));
		last = event;
	}
	CL(clEnqueueReadBuffer(queues[1], mem, CL_TRUE, 0, sizeof got, got, 1, &last, NULL));
	for (cl_uint i = 0; i < N; i++)
		assert_int_equal(got[i], 3 * ROUNDS * (3 * ROUNDS - 1) / 2);
	CL(clReleaseEvent(last));
	for (cl_uint i = 0; i < 3; i++)
		CL(clReleaseCommandQueue(queues[i]));
	CL(clReleaseMemObject(mem));
	cl_kernel_done(kernel);
}

static void test_families(void **state)
{
	cl_queue_family_properties_intel families[8];
	cl_command_queue queue;
	cl_uint value = 4711;

	(void)state;
	skip_if(!cl_has("cl_intel_command_queue_families"));
	size_t n = ask(CL_DEVICE_QUEUE_FAMILY_PROPERTIES_INTEL, families, sizeof(families)) /
		   sizeof(*families);
	assert_true(n > 0);
	for (cl_uint i = 0; i < n; i++) {
		assert_true(families[i].count > 0 && families[i].name[0]);
		CL(make(CL_QUEUE_FAMILY_INTEL, i, CL_QUEUE_INDEX_INTEL, 0, &queue));
		CL(clGetCommandQueueInfo(queue, CL_QUEUE_FAMILY_INTEL, 4, &value, NULL));
		assert_int_equal(value, i);
		CL(clGetCommandQueueInfo(queue, CL_QUEUE_INDEX_INTEL, 4, &value, NULL));
		assert_int_equal(value, 0);
		CL(clFinish(queue));
		CL(clReleaseCommandQueue(queue));
	}
	CL_ROW(CL_INVALID_QUEUE_PROPERTIES,
		make(CL_QUEUE_FAMILY_INTEL, n, CL_QUEUE_INDEX_INTEL, 0, &queue));
	CL_ROW(CL_INVALID_QUEUE_PROPERTIES,
		make(CL_QUEUE_FAMILY_INTEL, 0, CL_QUEUE_INDEX_INTEL, families[0].count, &queue));
	CL_ROW(CL_INVALID_QUEUE_PROPERTIES, make(CL_QUEUE_FAMILY_INTEL, 0, 0, 0, &queue));
	cl_rows_end();
}

/* Both clocks go on, together, and events lie between two looks at them. */
static void test_timers(void **state)
{
	cl_ulong device[2], host[2], alone, queued;
	cl_mem mem = cl_make_buffer(64, NULL);
	const cl_uint one = 1;
	cl_event event;

	(void)state;
	CL(clGetDeviceAndHostTimer(cl.device, &device[0], &host[0]));
	CL(clEnqueueFillBuffer(cl.queue, mem, &one, 4, 0, 64, 0, NULL, &event));
	CL(clWaitForEvents(1, &event));
	CL(clGetHostTimer(cl.device, &alone));
	CL(clGetDeviceAndHostTimer(cl.device, &device[1], &host[1]));
	assert_true(host[0] < alone && alone < host[1] && device[0] < device[1]);
	if (cl.ours) {
		CL(clGetEventProfilingInfo(
			event, CL_PROFILING_COMMAND_QUEUED, sizeof(queued), &queued, NULL));
		assert_true(device[0] <= queued && queued <= device[1]);
	}
	CL_ROW(CL_INVALID_DEVICE, clGetHostTimer(NULL, &alone));
	CL_ROW(CL_INVALID_VALUE, clGetHostTimer(cl.device, NULL));
	CL_ROW(CL_INVALID_DEVICE, clGetDeviceAndHostTimer(NULL, &alone, &alone));
	CL_ROW(CL_INVALID_VALUE, clGetDeviceAndHostTimer(cl.device, NULL, &alone));
	CL_ROW(CL_INVALID_VALUE, clGetDeviceAndHostTimer(cl.device, &alone, NULL));
	cl_rows_end();
	CL(clReleaseEvent(event));
	CL(clReleaseMemObject(mem));
}

static void CL_CALLBACK native(void *data)
{
	*(int *)data = 1;
}

static void test_little(void **state)
{
	cl_kernel kernel = cl_make_kernel("kernel void k(global uint *o) { o[0] = 7; }", "", "k");
	cl_mem mem = cl_make_buffer(4, &(cl_uint){ 0 });
	cl_uint got = 0;
	cl_device_exec_capabilities can;
	int called = 0, *data = &called;

	(void)state;
	cl_set_buffer(kernel, 0, mem);
	CL(clUnloadPlatformCompiler(cl.platform));
	CL(clEnqueueTask(cl.queue, kernel, 0, NULL, NULL));
	cl_read(mem, 4, &got);
	assert_int_equal(got, 7);
	cl_kernel_done(kernel);
	/* the compiler comes again by itself */
	kernel = cl_make_kernel("kernel void k(global uint *o) { o[0] = 8; }", "", "k");
	cl_kernel_done(kernel);
	ask(CL_DEVICE_EXECUTION_CAPABILITIES, &can, sizeof(can));
	if (!(can & CL_EXEC_NATIVE_KERNEL))
		CL_ROW(CL_INVALID_OPERATION, clEnqueueNativeKernel(cl.queue, native, &data,
						     sizeof(data), 0, NULL, NULL, 0, NULL, NULL));
	CL_ROW(CL_INVALID_PLATFORM, clUnloadPlatformCompiler((cl_platform_id)cl.queue));
	cl_rows_end();
	assert_int_equal(called, 0);
	CL(clReleaseMemObject(mem));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_attributes),
		cmocka_unit_test(test_hints),
		cmocka_unit_test(test_priorities),
		cmocka_unit_test(test_families),
		cmocka_unit_test(test_timers),
		cmocka_unit_test(test_little),
	};

	return CL_RUN(argc, argv, tests);
}
