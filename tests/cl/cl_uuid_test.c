// SPDX-License-Identifier: MIT
/* By their UUIDs programs find the device of one API in another: Level Zero's are OpenCL's. */
#include "cl/cl_case.h"

#include <level_zero/ze_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4

static cl_device_id devices[MOST];
static cl_uint n_devices;

static void begin(void)
{
	CL(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, MOST, devices, &n_devices));
	assert_int_equal(n_devices, 2);
}

static void ask(cl_device_id device, cl_device_info param, size_t size, void *value)
{
	size_t told = 0;

	memset(value, 0xee, size);
	CL(clGetDeviceInfo(device, param, size, value, &told));
	assert_int_equal(told, size);
}

/* The devices of all drivers: newer versions have one for each model. */
static uint32_t list_ze(ze_device_handle_t *out)
{
	ze_driver_handle_t drivers[MOST];
	uint32_t n_drivers = 0, n = 0;

	assert_int_equal(zeInit(0), ZE_RESULT_SUCCESS);
	assert_int_equal(zeDriverGet(&n_drivers, NULL), ZE_RESULT_SUCCESS);
	assert_in_range(n_drivers, 1, MOST);
	assert_int_equal(zeDriverGet(&n_drivers, drivers), ZE_RESULT_SUCCESS);
	for (uint32_t i = 0; i < n_drivers; i++) {
		uint32_t more = 0;

		assert_int_equal(zeDeviceGet(drivers[i], &more, NULL), ZE_RESULT_SUCCESS);
		assert_in_range(n + more, 1, MOST);
		assert_int_equal(zeDeviceGet(drivers[i], &more, out + n), ZE_RESULT_SUCCESS);
		n += more;
	}
	return n;
}

/* Each of Level Zero's devices is the OpenCL device of the same UUID, and of the same PCI id. */
static void test_device(void **state)
{
	ze_device_handle_t ze[MOST];

	(void)state;
	begin();
	const uint32_t n = list_ze(ze);
	assert_int_equal(n, n_devices);
	for (uint32_t i = 0; i < n; i++) {
		ze_device_properties_t p = { .stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES };
		cl_uchar uuid[CL_UUID_SIZE_KHR];
		unsigned n_equal = 0;
		cl_uint id = 0;

		assert_int_equal(zeDeviceGetProperties(ze[i], &p), ZE_RESULT_SUCCESS);
		for (cl_uint k = 0; k < n_devices; k++) {
			ask(devices[k], CL_DEVICE_UUID_KHR, sizeof uuid, uuid);
			if (memcmp(uuid, p.uuid.id, sizeof uuid))
				continue;
			n_equal++;
			ask(devices[k], CL_DEVICE_ID_INTEL, sizeof id, &id);
		}
		assert_int_equal(n_equal, 1);
		assert_int_equal(id, p.deviceId);
	}
}

/* LUIDs are of Windows: none is valid, and its bytes are 0. */
static void test_luid(void **state)
{
	cl_uchar luid[CL_LUID_SIZE_KHR], none[CL_LUID_SIZE_KHR] = { 0 };
	cl_bool valid;
	cl_uint mask;

	(void)state;
	begin();
	ask(cl.device, CL_DEVICE_LUID_VALID_KHR, sizeof valid, &valid);
	assert_int_equal(valid, CL_FALSE);
	ask(cl.device, CL_DEVICE_LUID_KHR, sizeof luid, luid);
	assert_memory_equal(luid, none, sizeof luid);
	ask(cl.device, CL_DEVICE_NODE_MASK_KHR, sizeof mask, &mask);
	assert_int_equal(mask, 0);
}

/* The driver's UUID is the same in another process, and of all devices. */
static void test_driver(void **state)
{
	cl_uchar here[CL_UUID_SIZE_KHR], there[CL_UUID_SIZE_KHR] = { 0 };

	(void)state;
	begin();
	FILE *other = popen("exec /proc/$PPID/exe --driver-uuid", "r");
	assert_non_null(other);
	assert_int_equal(fread(there, 1, sizeof there, other), sizeof there);
	assert_int_equal(pclose(other), 0);
	for (cl_uint i = 0; i < n_devices; i++) {
		ask(devices[i], CL_DRIVER_UUID_KHR, sizeof here, here);
		assert_memory_equal(here, there, sizeof here);
	}
}

/* As the other process: writes the driver's UUID. */
static int put_driver_uuid(void)
{
	cl_uchar uuid[CL_UUID_SIZE_KHR];
	cl_platform_id platform;

	if (clGetPlatformIDs(1, &platform, NULL) ||
		clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, devices, NULL) ||
		clGetDeviceInfo(devices[0], CL_DRIVER_UUID_KHR, sizeof uuid, uuid, NULL))
		return 1;
	return fwrite(uuid, sizeof uuid, 1, stdout) != 1;
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_device),
		cmocka_unit_test(test_luid),
		cmocka_unit_test(test_driver),
	};

	if (argc > 1 && !strcmp(argv[1], "--driver-uuid"))
		return put_driver_uuid();
	setenv("ZEROCL_VGPU", "tgllp,dg2", 1);
	return CL_RUN(argc, argv, tests);
}
