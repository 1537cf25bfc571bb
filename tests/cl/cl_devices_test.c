// SPDX-License-Identifier: MIT
/*
 * Several devices at once, as ZEROCL_VGPU names them: each is a device of the platform with
 * contexts, queues and programs of its own, and what one does, the others do not notice.
 */
#include "cl/cl_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4
#define N    1024

static const char source[] =
	"kernel void astray(global uint *p, ulong far) { p[0] = *(global uint *)(p[1] + far); }\n"
	"kernel void work(global uint *p, uint k)\n"
	"{ size_t i = get_global_id(0); for (uint n = 0; n < 50; n++) p[i] = p[i] * k + n; }\n";

static cl_uint n_devices;
static cl_device_id devices[MOST];

/* What belongs to one device. */
struct world {
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel work, astray;
	cl_mem buffer;
	cl_uint factor, data[N];
};

static void open_world(struct world *w, cl_device_id device, cl_uint factor)
{
	const char *text = source;
	cl_ulong far = 0x7f0000000000ull;
	cl_int rc;

	*w = (struct world){ .factor = factor };
	for (cl_uint i = 0; i < N; i++)
		w->data[i] = i;
	w->context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	CL(rc);
	w->queue = clCreateCommandQueue(w->context, device, 0, &rc);
	CL(rc);
	w->program = clCreateProgramWithSource(w->context, 1, &text, NULL, &rc);
	CL(rc);
	CL(clBuildProgram(w->program, 1, &device, "", NULL, NULL));
	w->work = clCreateKernel(w->program, "work", &rc);
	CL(rc);
	w->astray = clCreateKernel(w->program, "astray", &rc);
	CL(rc);
	w->buffer = clCreateBuffer(w->context, CL_MEM_COPY_HOST_PTR, sizeof w->data, w->data, &rc);
	CL(rc);
	CL(clSetKernelArg(w->work, 0, sizeof w->buffer, &w->buffer));
	CL(clSetKernelArg(w->work, 1, sizeof w->factor, &w->factor));
	CL(clSetKernelArg(w->astray, 0, sizeof w->buffer, &w->buffer));
	CL(clSetKernelArg(w->astray, 1, sizeof far, &far));
}

static void close_world(struct world *w)
{
	CL(clReleaseMemObject(w->buffer));
	CL(clReleaseKernel(w->work));
	CL(clReleaseKernel(w->astray));
	CL(clReleaseProgram(w->program));
	CL(clReleaseCommandQueue(w->queue));
	CL(clReleaseContext(w->context));
}

static void launch(struct world *w)
{
	const size_t global = N;

	CL(clEnqueueNDRangeKernel(w->queue, w->work, 1, NULL, &global, NULL, 0, NULL, NULL));
	CL(clFlush(w->queue));
}

/* The buffer is what `times` launches make of 0, 1, 2 … */
static void check(struct world *w, unsigned times)
{
	memset(w->data, 0xee, sizeof w->data);
	CL(clEnqueueReadBuffer(
		w->queue, w->buffer, CL_TRUE, 0, sizeof w->data, w->data, 0, NULL, NULL));
	for (cl_uint i = 0; i < N; i++) {
		cl_uint want = i;

		for (unsigned t = 0; t < times; t++)
			for (cl_uint n = 0; n < 50; n++)
				want = want * w->factor + n;
		assert_int_equal(w->data[i], want);
	}
}

/* As many as are named, of these models, each once and told apart by its address and UUID. */
static void test_list(void **state)
{
	static const cl_uint ids[] = { 0x9a49, 0x56a0, 0x9a49 };
	cl_device_pci_bus_info_khr pci[MOST];
	cl_uchar uuids[MOST][CL_UUID_SIZE_KHR];

	(void)state;
	CL(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_GPU, MOST, devices, &n_devices));
	assert_int_equal(n_devices, 3);
	for (cl_uint i = 0; i < n_devices; i++) {
		cl_uint id = 0;

		/* The driver's order is its own; the address says which name it is. */
		CL(clGetDeviceInfo(
			devices[i], CL_DEVICE_PCI_BUS_INFO_KHR, sizeof *pci, &pci[i], NULL));
		assert_in_range(pci[i].pci_device, 2, 1 + n_devices);
		CL(clGetDeviceInfo(devices[i], CL_DEVICE_ID_INTEL, sizeof id, &id, NULL));
		assert_int_equal(id, ids[pci[i].pci_device - 2]);
		CL(clGetDeviceInfo(devices[i], CL_DEVICE_UUID_KHR, sizeof *uuids, uuids[i], NULL));
		for (cl_uint k = 0; k < i; k++) {
			assert_ptr_not_equal(devices[i], devices[k]);
			assert_int_not_equal(pci[i].pci_device, pci[k].pci_device);
			assert_true(memcmp(uuids[i], uuids[k], sizeof *uuids));
		}
	}
}

static bool has_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = text; (at = strstr(at, word)); at += length)
		if ((at == text || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	return false;
}

/* The platform lists what all of its devices have, in the order of the first, and nothing else. */
static void test_platform_extensions(void **state)
{
	static char of[MOST][8192], listed[8192], want[8192];
	char *rest = NULL;
	size_t n_left_out = 0;

	(void)state;
	CL(clGetPlatformInfo(cl.platform, CL_PLATFORM_EXTENSIONS, sizeof listed, listed, NULL));
	for (cl_uint i = 0; i < n_devices; i++)
		CL(clGetDeviceInfo(devices[i], CL_DEVICE_EXTENSIONS, sizeof *of, of[i], NULL));
	assert_true(has_word(listed, "cl_intel_unified_shared_memory"));
	for (char *word = strtok_r(of[0], " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		bool everywhere = true;

		for (cl_uint i = 1; i < n_devices; i++)
			everywhere &= has_word(of[i], word);
		n_left_out += !everywhere;
		if (everywhere)
			snprintf(want + strlen(want), sizeof want - strlen(want), "%s%s",
				*want ? " " : "", word);
	}
	assert_true(n_left_out > 0);
	assert_string_equal(listed, want);
}

static void test_side_by_side(void **state)
{
	static struct world worlds[MOST];

	(void)state;
	for (cl_uint i = 0; i < n_devices; i++)
		open_world(&worlds[i], devices[i], 3 + 2 * i);
	for (unsigned t = 0; t < 3; t++)
		for (cl_uint i = 0; i < n_devices; i++)
			launch(&worlds[i]);
	for (cl_uint i = 0; i < n_devices; i++)
		check(&worlds[i], 3);
	for (cl_uint i = 0; i < n_devices; i++)
		close_world(&worlds[i]);
}

/* The device that is lost is the one whose kernel went astray. */
static void test_fault(void **state)
{
	static struct world worlds[MOST];
	const size_t one = 1;

	(void)state;
	for (cl_uint i = 0; i < n_devices; i++)
		open_world(&worlds[i], devices[i], 5);
	for (cl_uint bad = 0; bad < n_devices; bad++) {
		cl_event event;
		cl_int status = 0;

		for (cl_uint i = 0; i < n_devices; i++)
			if (i != bad)
				launch(&worlds[i]);
		CL(clEnqueueNDRangeKernel(worlds[bad].queue, worlds[bad].astray, 1, NULL, &one,
			NULL, 0, NULL, &event));
		clFinish(worlds[bad].queue);
		CL(clGetEventInfo(
			event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
		assert_int_equal(status, CL_OUT_OF_RESOURCES);
		CL(clReleaseEvent(event));
	}
	for (cl_uint i = 0; i < n_devices; i++)
		check(&worlds[i], n_devices - 1);
	for (cl_uint i = 0; i < n_devices; i++)
		close_world(&worlds[i]);
}

/* A context knows nothing of a device that it does not have. */
static void test_foreign(void **state)
{
	const char *text = source;
	cl_int rc;

	(void)state;
	cl_context context = clCreateContext(NULL, 1, devices, NULL, NULL, &rc);
	CL(rc);
	assert_null(clCreateCommandQueue(context, devices[1], 0, &rc));
	assert_int_equal(rc, CL_INVALID_DEVICE);
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &rc);
	assert_int_equal(
		clBuildProgram(program, 1, &devices[1], "", NULL, NULL), CL_INVALID_DEVICE);
	CL(clReleaseProgram(program));
	CL(clReleaseContext(context));
}

/* An event of another device's context is none of this one's. */
static void test_events(void **state)
{
	static struct world worlds[2];
	cl_event event;

	(void)state;
	for (int i = 0; i < 2; i++)
		open_world(&worlds[i], devices[i], 7);
	CL(clEnqueueMarkerWithWaitList(worlds[0].queue, 0, NULL, &event));
	assert_int_equal(
		clEnqueueMarkerWithWaitList(worlds[1].queue, 1, &event, NULL), CL_INVALID_CONTEXT);
	CL(clReleaseEvent(event));
	for (int i = 0; i < 2; i++)
		close_world(&worlds[i]);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_platform_extensions),
		cmocka_unit_test(test_side_by_side),
		cmocka_unit_test(test_fault),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_events),
	};

	setenv("ZEROCL_VGPU", "tgllp,dg2,tgllp", 1);
	return CL_RUN(argc, argv, tests);
}
