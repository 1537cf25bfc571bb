// SPDX-License-Identifier: MIT
#include "queue_fixture.h"

#include "core/base/info.h"
#include <CL/cl_ext.h>
#include <string.h>

static struct device *device_of(void **state)
{
	return ((struct queue_fixture *)*state)->context->devices[0];
}

/* Every parameter of OpenCL 3.1 and of the extensions that are reported has an answer. */
static void test_all_params(void **state)
{
	static const cl_device_info ranges[][2] = {
		{ 0x1000, 0x100d }, /* type … address bits, image limits */
		{ 0x100e, 0x102e }, /* … version, extensions */
		{ 0x102f, 0x1032 },
		{ 0x1033, 0x103e }, /* … OpenCL C version, linker, built-in kernels */
		{ 0x103f, 0x1046 }, /* … partitions, reference count */
		{ 0x1048, 0x104b }, /* … image alignment */
		{ 0x104c, 0x105f }, /* … SVM, pipes, IL, sub-groups, extended versioning */
		{ 0x1060, 0x106f }, /* … OpenCL 3.0 */
		{ 0x1070, 0x1075 }, /* … device enqueue, pipes, conformance, dot products */
		{ 0x12b9, 0x12bb }, /* … SPIR-V */
		{ CL_DEVICE_UUID_KHR, CL_DEVICE_NODE_MASK_KHR },
		{ CL_DEVICE_IP_VERSION_INTEL, CL_DEVICE_FEATURE_CAPABILITIES_INTEL },
		{ CL_DEVICE_SUB_GROUP_SIZES_INTEL, CL_DEVICE_SUB_GROUP_SIZES_INTEL },
	};
	/* Numbers in those ranges that name nothing. */
	static const cl_device_info unused[] = { 0x1047, 0x105a, 0x1067, 0x1068, 0x1069, 0x106a,
		0x106b, 0x106c, 0x106d, 0x106e };
	struct device *device = device_of(state);
	unsigned answered = 0;

	for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
		for (cl_device_info p = ranges[r][0]; p <= ranges[r][1]; p++) {
			size_t size = 4711;
			char room[8192];
			bool hole = false;

			for (size_t i = 0; i < sizeof unused / sizeof *unused; i++)
				hole |= unused[i] == p;
			cl_int rc = device_info(device, p, INFO(sizeof room, room, &size));
			if (rc && !hole)
				fail_msg("no answer for 0x%x", p);
			assert_true(rc || size <= sizeof room);
			answered += !rc;
		}
	}
	assert_true(answered > 110);
}

static cl_bool is_true(struct device *device, cl_device_info param)
{
	cl_bool answer = 4711;

	assert_int_equal(
		device_info(device, param, INFO(sizeof answer, &answer, NULL)), CL_SUCCESS);
	return answer;
}

/* What one query says, the others must not deny. */
static void test_consistent(void **state)
{
	struct device *device = device_of(state);
	cl_name_version list[128];
	char text[4096], c_version[64], conformance[32], version[64];
	size_t size, at = 0;

	assert_int_equal(device_info(device, CL_DEVICE_EXTENSIONS, INFO(sizeof text, text, NULL)),
		CL_SUCCESS);
	assert_int_equal(device_info(device, CL_DEVICE_EXTENSIONS_WITH_VERSION,
				 INFO(sizeof list, list, &size)),
		CL_SUCCESS);
	for (size_t i = 0; i < size / sizeof *list; i++) {
		size_t n = strlen(list[i].name);

		assert_memory_equal(text + at, list[i].name, n);
		assert_true(text[at + n] == ' ' || text[at + n] == '\0');
		at += n + 1;
		assert_true(device_has_extension(device, list[i].name));
	}
	assert_int_equal(at, strlen(text) + 1);
	assert_false(device_has_extension(device, "cl_khr_fp64_not"));

	assert_int_equal(
		device_info(device, CL_DEVICE_VERSION, INFO(sizeof version, version, NULL)),
		CL_SUCCESS);
	assert_memory_equal(version, "OpenCL 3.1 ", 11);
	assert_int_equal(device_info(device, CL_DEVICE_OPENCL_C_VERSION,
				 INFO(sizeof c_version, c_version, NULL)),
		CL_SUCCESS);
	assert_memory_equal(c_version, "OpenCL C 1.2", 12);
	assert_int_equal(device_info(device, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED,
				 INFO(sizeof conformance, conformance, NULL)),
		CL_SUCCESS);
	assert_string_equal(conformance, "v0000-01-01-00");
	assert_true(is_true(device, CL_DEVICE_IMAGE_SUPPORT));
	assert_false(is_true(device, CL_DEVICE_PIPE_SUPPORT));
	assert_true(is_true(device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT));
	assert_true(is_true(device, CL_DEVICE_AVAILABLE));
	assert_true(is_true(device, CL_DEVICE_COMPILER_AVAILABLE));
	/* A feature macro and the query that goes with it. */
	for (size_t i = 0; i < device->features.n; i++) {
		assert_null(strstr(device->features.list[i].name, "pipes"));
		assert_null(strstr(device->features.list[i].name, "device_enqueue"));
	}
}

static void test_types(void **state)
{
	struct platform *platform = platform_default();
	cl_device_id device = NULL;
	cl_device_type type = device_of(state)->type;
	cl_uint n = 4711;

	assert_int_equal(platform_devices(platform, type, 1, &device, &n), CL_SUCCESS);
	assert_int_equal(n, 1);
	assert_ptr_equal(device, device_of(state));
	assert_int_equal(
		platform_devices(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, &n), CL_SUCCESS);
	assert_int_equal(platform_devices(platform, CL_DEVICE_TYPE_CUSTOM, 1, &device, &n),
		CL_DEVICE_NOT_FOUND);
	assert_int_equal(n, 0);
	assert_int_equal(platform_devices(platform, 0, 1, &device, &n), CL_INVALID_DEVICE_TYPE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_all_params),
		TEST(test_consistent),
		TEST(test_types),
	};

	l0_fake_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
