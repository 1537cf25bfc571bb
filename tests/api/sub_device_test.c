// SPDX-License-Identifier: MIT
/* Sub-devices of a fake GPU of two tiles, by the entry points. */
#include "api/icd.h"
#include "core/device/device.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "failure_program.h"
#include "failure_scene.h"
#include "l0_fake.h"

enum { ITEMS = 64, TILES = 2 };

#define BYTES  (ITEMS * sizeof(cl_uint))
#define OK(rc) assert_int_equal((rc), CL_SUCCESS)

static const cl_device_partition_property by_numa[] = { CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
	CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0 };
static const cl_device_partition_property by_next[] = { CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
	CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0 };

static struct failure_program built;
static cl_device_id root;

#define ASK(device, param, type, wanted)                                                           \
	do {                                                                                       \
		type answer_;                                                                      \
		size_t size_ = 0;                                                                  \
		memset(&answer_, 0xa5, sizeof answer_);                                            \
		OK(clGetDeviceInfo((device), (param), sizeof answer_, &answer_, &size_));          \
		assert_int_equal(size_, sizeof answer_);                                           \
		assert_true(answer_ == (type)(wanted));                                            \
	} while (0)

static void partition(cl_device_id *tiles)
{
	cl_uint n = 4711;

	OK(clCreateSubDevices(root, by_numa, TILES, tiles, &n));
	assert_int_equal(n, TILES);
	assert_ptr_not_equal(tiles[0], tiles[1]);
}

static void test_queries(void **state)
{
	cl_device_partition_property type[8];
	cl_device_id tiles[TILES], listed[4];
	size_t size = 0;
	cl_uint n = 0;

	(void)state;
	ASK(root, CL_DEVICE_PARENT_DEVICE, cl_device_id, NULL);
	ASK(root, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, cl_uint, TILES);
	ASK(root, CL_DEVICE_PARTITION_PROPERTIES, cl_device_partition_property,
		CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
	ASK(root, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, cl_device_affinity_domain,
		CL_DEVICE_AFFINITY_DOMAIN_NUMA | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE);
	OK(clGetDeviceInfo(root, CL_DEVICE_PARTITION_TYPE, 0, NULL, &size));
	assert_int_equal(size, 0);
	partition(tiles);
	for (unsigned i = 0; i < TILES; i++) {
		ASK(tiles[i], CL_DEVICE_PARENT_DEVICE, cl_device_id, root);
		ASK(tiles[i], CL_DEVICE_TYPE, cl_device_type, CL_DEVICE_TYPE_GPU);
		ASK(tiles[i], CL_DEVICE_PARTITION_MAX_SUB_DEVICES, cl_uint, 0);
		ASK(tiles[i], CL_DEVICE_PARTITION_PROPERTIES, cl_device_partition_property, 0);
		ASK(tiles[i], CL_DEVICE_PARTITION_AFFINITY_DOMAIN, cl_device_affinity_domain, 0);
		ASK(tiles[i], CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong, (cl_ulong)65536 << 20);
		memset(type, 0xa5, sizeof type);
		OK(clGetDeviceInfo(tiles[i], CL_DEVICE_PARTITION_TYPE, sizeof type, type, &size));
		assert_int_equal(size, sizeof by_numa);
		assert_memory_equal(type, by_numa, size);
	}
	/* the platform lists none of them */
	OK(clGetDeviceIDs(platform_handle(icd_platform()), CL_DEVICE_TYPE_ALL, 4, listed, &n));
	assert_int_equal(n, 1);
	assert_ptr_equal(listed[0], root);
	for (unsigned i = 0; i < TILES; i++)
		OK(clReleaseDevice(tiles[i]));
}

/* A tile has one handle while anybody holds it, and none behind that. */
static void test_references(void **state)
{
	cl_device_id tiles[TILES], again[TILES];
	cl_int rc = 4711;
	cl_uint n = 0;

	(void)state;
	partition(tiles);
	OK(clCreateSubDevices(root, by_next, TILES, again, &n));
	assert_memory_equal(tiles, again, sizeof tiles);
	ASK(tiles[0], CL_DEVICE_REFERENCE_COUNT, cl_uint, 2);
	OK(clRetainDevice(tiles[0]));
	ASK(tiles[0], CL_DEVICE_REFERENCE_COUNT, cl_uint, 3);
	ASK(root, CL_DEVICE_REFERENCE_COUNT, cl_uint, 1);
	OK(clRetainDevice(root));
	OK(clReleaseDevice(root));
	OK(clReleaseDevice(root));
	ASK(root, CL_DEVICE_REFERENCE_COUNT, cl_uint, 1);
	for (unsigned i = 0; i < 3; i++)
		OK(clReleaseDevice(tiles[0]));
	for (unsigned i = 0; i < 2; i++)
		OK(clReleaseDevice(tiles[1]));
#ifndef __SANITIZE_ADDRESS__ /* which has no memory of released handles */
	assert_int_equal(clReleaseDevice(tiles[0]), CL_INVALID_DEVICE);
	assert_int_equal(clRetainDevice(tiles[1]), CL_INVALID_DEVICE);
#endif
	/* a context holds it */
	partition(tiles);
	cl_context context = clCreateContext(NULL, TILES, tiles, NULL, NULL, &rc);
	OK(rc);
	for (unsigned i = 0; i < TILES; i++)
		OK(clReleaseDevice(tiles[i]));
	partition(again);
	assert_memory_equal(tiles, again, sizeof tiles);
	for (unsigned i = 0; i < TILES; i++)
		OK(clReleaseDevice(again[i]));
	OK(clReleaseContext(context));
}

static void test_errors(void **state)
{
	static const cl_device_partition_property wrong[][5] = {
		{ 0 },
		{ CL_DEVICE_PARTITION_EQUALLY, 1, 0 },
		{ CL_DEVICE_PARTITION_BY_COUNTS, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0 },
		{ CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, 0 },
		{ CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 0, 0 },
		{ CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NUMA,
			CL_DEVICE_PARTITION_EQUALLY, 1, 0 },
	};
	cl_device_id tiles[TILES], none[TILES] = { NULL };
	cl_uint n = 4711;

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_int_equal(
			clCreateSubDevices(root, wrong[i], TILES, none, &n), CL_INVALID_VALUE);
	assert_int_equal(clCreateSubDevices(root, NULL, TILES, none, &n), CL_INVALID_VALUE);
	assert_int_equal(clCreateSubDevices(NULL, by_numa, TILES, none, &n), CL_INVALID_DEVICE);
	assert_int_equal(clCreateSubDevices(root, by_numa, TILES - 1, none, &n), CL_INVALID_VALUE);
	assert_int_equal(n, 4711);
	assert_null(none[0]);
	OK(clCreateSubDevices(root, by_numa, 0, NULL, &n));
	assert_int_equal(n, TILES);
	partition(tiles);
	assert_int_equal(clCreateSubDevices(tiles[0], by_numa, TILES, none, &n), CL_INVALID_VALUE);
	for (unsigned i = 0; i < TILES; i++)
		OK(clReleaseDevice(tiles[i]));
}

/* A list that ends at once is not read beyond its end: a page that nobody may read is behind it. */
static void test_list_end(void **state)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cl_device_id tiles[TILES];

	(void)state;
	assert_true(pages != MAP_FAILED);
	assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
	const cl_device_partition_property *list =
		(const void *)(pages + page - sizeof(cl_device_partition_property));
	assert_int_equal(clCreateSubDevices(root, list, 0, NULL, NULL), CL_INVALID_VALUE);
	partition(tiles);
	assert_int_equal(clCreateSubDevices(tiles[0], list, 0, NULL, NULL), CL_INVALID_VALUE);
	for (unsigned i = 0; i < TILES; i++)
		OK(clReleaseDevice(tiles[i]));
	assert_int_equal(munmap(pages, 2 * page), 0);
}

/* What a scene has, and the first error that it got. */
struct run {
	cl_int rc;
	cl_device_id tiles[TILES];
	cl_context context;
	cl_command_queue queues[1 + TILES];
	cl_mem buffer;
	cl_program program;
	cl_kernel kernel;
};

static bool go(struct run *r, cl_int rc)
{
	if (!r->rc)
		r->rc = rc;
	return !r->rc;
}

static bool make_kernel(struct run *r, const cl_device_id *devices)
{
	const unsigned char *binaries[1 + TILES] = { built.binary, built.binary, built.binary };
	const size_t sizes[1 + TILES] = { built.size, built.size, built.size };
	cl_int rc = 0;

	r->program = clCreateProgramWithBinary(
		r->context, 1 + TILES, devices, sizes, binaries, NULL, &rc);
	if (!go(r, rc) || !go(r, clBuildProgram(r->program, 0, NULL, "", NULL, NULL)))
		return false;
	r->kernel = clCreateKernel(r->program, "add", &rc);
	return go(r, rc) && go(r, clSetKernelArg(r->kernel, 0, sizeof r->buffer, &r->buffer));
}

/* Each of the devices adds to the same buffer, one behind the other. */
static bool play(struct run *r)
{
	const size_t global = ITEMS, local = 64;
	const cl_uint zero = 0;
	cl_uint words[ITEMS];
	cl_int rc = 0;

	rc = clCreateSubDevices(root, by_numa, TILES, r->tiles, NULL);
	if (rc && (r->tiles[0] || r->tiles[1])) /* handles of what is gone */
		rc = FAILURE_BAD_DATA;
	if (!go(r, rc))
		return false;
	const cl_device_id devices[1 + TILES] = { root, r->tiles[0], r->tiles[1] };
	r->context = clCreateContext(NULL, 1 + TILES, devices, NULL, NULL, &rc);
	if (!go(r, rc))
		return false;
	for (unsigned i = 0; i < 1 + TILES; i++) {
		r->queues[i] =
			clCreateCommandQueueWithProperties(r->context, devices[i], NULL, &rc);
		if (!go(r, rc))
			return false;
	}
	r->buffer = clCreateBuffer(r->context, 0, BYTES, NULL, &rc);
	if (!go(r, rc) || !make_kernel(r, devices) ||
		!go(r, clEnqueueFillBuffer(r->queues[0], r->buffer, &zero, sizeof zero, 0, BYTES, 0,
			       NULL, NULL)) ||
		!go(r, clFinish(r->queues[0])))
		return false;
	for (cl_uint i = 0; i < 1 + TILES; i++) {
		const cl_uint value = 1u << 8 * i;

		if (!go(r, clSetKernelArg(r->kernel, 1, sizeof value, &value)) ||
			!go(r, clEnqueueNDRangeKernel(r->queues[i], r->kernel, 1, NULL, &global,
				       &local, 0, NULL, NULL)) ||
			!go(r, clFinish(r->queues[i])))
			return false;
	}
	memset(words, 0xcd, sizeof words);
	if (!go(r, clEnqueueReadBuffer(
			   r->queues[TILES], r->buffer, CL_TRUE, 0, BYTES, words, 0, NULL, NULL)))
		return false;
	for (cl_uint i = 0; i < ITEMS; i++)
		if (words[i] != 0x010101)
			return go(r, FAILURE_BAD_DATA);
	return true;
}

static cl_int run_scene(const void *data)
{
	static struct run r;

	(void)data;
	memset(&r, 0, sizeof r);
	(void)play(&r);
	for (unsigned i = 0; i < 1 + TILES; i++)
		if (r.queues[i]) {
			(void)clFinish(r.queues[i]);
			(void)clReleaseCommandQueue(r.queues[i]);
		}
	if (r.kernel)
		(void)clReleaseKernel(r.kernel);
	if (r.program)
		(void)clReleaseProgram(r.program);
	if (r.buffer)
		(void)clReleaseMemObject(r.buffer);
	if (r.context)
		(void)clReleaseContext(r.context);
	for (unsigned i = 0; i < TILES; i++)
		if (r.tiles[i])
			(void)clReleaseDevice(r.tiles[i]);
	return r.rc;
}

static void test_failures(void **state)
{
	(void)state;
	failure_play(run_scene, NULL, 1, 5, 10);
}

static int setup(void **state)
{
	(void)state;
	built = failure_program_build(
		0, "kernel void add(global uint *b, uint v) { b[get_global_id(0)] += v; }", "");
	root = built.device;
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
	static const enum l0_fake_model_number models[] = { L0_FAKE_PVC };
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_queries),
		cmocka_unit_test(test_references),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_list_end),
		cmocka_unit_test(test_failures),
	};

	l0_fake_install();
	l0_fake_list(models, 1);
	return cmocka_run_group_tests(tests, setup, teardown);
}
