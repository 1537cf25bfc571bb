// SPDX-License-Identifier: MIT
/* ZEROCL_DISABLE_EXTENSIONS, set by main: what is hidden is so everywhere. */
#include "cl/cl_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HIDDEN                                                                                     \
	"cl_khr_subgroup_rotate,cl_khr_work_group_uniform_arithmetic,cl_khr_fp16,"                 \
	"cl_khr_integer_dot_product,cl_khr_command_buffer,cl_intel_unified_shared_memory,"         \
	"cl_khr_3d_image_writes,cl_khr_no_such_thing,cl_khr_icd,cl_khr_device_uuid"

static char log_path[] = "/tmp/zerocl-hidden-XXXXXX";

static const char *const gone[] = { "cl_khr_subgroup_rotate",
	"cl_khr_work_group_uniform_arithmetic", "cl_khr_fp16", "cl_khr_integer_dot_product",
	"cl_khr_command_buffer", "cl_khr_command_buffer_mutable_dispatch",
	"cl_intel_unified_shared_memory", "cl_khr_3d_image_writes", "cl_khr_device_uuid" };
static const char *const there[] = { "cl_khr_icd", "cl_khr_subgroup_shuffle", "cl_intel_subgroups",
	"cl_khr_semaphore" };

static bool is_in(const cl_name_version *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i].name, name))
			return true;
	return false;
}

static void test_lists(void **state)
{
	static cl_name_version list[128];
	static char text[8192], *at;
	size_t size;

	(void)state;
	for (int of_device = 0; of_device < 2; of_device++) {
		if (of_device) {
			CL(clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS_WITH_VERSION,
				sizeof list, list, &size));
			CL(clGetDeviceInfo(
				cl.device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
		} else {
			CL(clGetPlatformInfo(cl.platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION,
				sizeof list, list, &size));
			CL(clGetPlatformInfo(
				cl.platform, CL_PLATFORM_EXTENSIONS, sizeof text, text, NULL));
		}
		for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
			assert_false(is_in(list, size / sizeof *list, gone[i]));
			assert_true(
				!(at = strstr(text, gone[i])) || !strchr(" ", at[strlen(gone[i])]));
		}
		assert_true(is_in(list, size / sizeof *list, there[0]));
	}
	for (size_t i = 0; i < sizeof there / sizeof *there; i++)
		assert_true(cl_has(there[i]));
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_OPENCL_C_FEATURES, sizeof list, list, &size));
	assert_false(is_in(list, size / sizeof *list, "__opencl_c_3d_image_writes"));
	assert_false(
		is_in(list, size / sizeof *list, "__opencl_c_integer_dot_product_input_4x8bit"));
	assert_true(is_in(list, size / sizeof *list, "__opencl_c_images"));
}

static void test_queries(void **state)
{
	char room[256];
	cl_uint width = 4711;
	size_t size = 0;

	(void)state;
	CL(clGetDeviceInfo(
		cl.device, CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, sizeof width, &width, &size));
	assert_int_equal(width, 0);
	assert_int_equal(size, sizeof width);
	assert_int_equal(clGetDeviceInfo(cl.device, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF,
				 sizeof width - 1, &width, NULL),
		CL_INVALID_VALUE);
	assert_int_equal(clGetDeviceInfo(cl.device, CL_DEVICE_UUID_KHR, sizeof room, room, NULL),
		CL_INVALID_VALUE);
	assert_int_equal(clGetDeviceInfo(cl.device, CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR,
				 sizeof room, room, NULL),
		CL_INVALID_VALUE);
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_SEMAPHORE_TYPES_KHR, sizeof room, room, NULL));
}

static void test_functions(void **state)
{
	(void)state;
	assert_null(
		clGetExtensionFunctionAddressForPlatform(cl.platform, "clCreateCommandBufferKHR"));
	assert_null(clGetExtensionFunctionAddressForPlatform(
		cl.platform, "clUpdateMutableCommandsKHR"));
	assert_null(clGetExtensionFunctionAddressForPlatform(cl.platform, "clHostMemAllocINTEL"));
	assert_non_null(clGetExtensionFunctionAddressForPlatform(
		cl.platform, "clCreateSemaphoreWithPropertiesKHR"));
}

/* Kernels see no macro of it, and not the built-in functions that ZeroCL makes. */
static void test_kernels(void **state)
{
	static const char source[] =
		"#if defined(cl_khr_subgroup_rotate) || defined(cl_khr_fp16) ||\\\n"
		"	defined(cl_khr_work_group_uniform_arithmetic) ||\\\n"
		"	defined(cl_khr_integer_dot_product) || defined(cl_khr_3d_image_writes) "
		"||\\\n"
		"	defined(__opencl_c_3d_image_writes) ||\\\n"
		"	defined(__opencl_c_integer_dot_product_input_4x8bit)\n"
		"#error seen\n"
		"#endif\n"
		"#ifndef cl_khr_subgroup_shuffle\n"
		"#error hidden too\n"
		"#endif\n"
		"uint sub_group_rotate(uint x, uint by) { return x + by; }\n"
		"kernel void k(global uint *o)\n"
		"{ size_t i = get_global_id(0); o[i] = sub_group_rotate(o[i], 7); }\n";
	static const char *const options[] = { "", "-cl-std=CL3.0" };
	cl_uint data[16];

	(void)state;
	for (int n = 0; n < 2; n++) {
		cl_kernel kernel = cl_make_kernel(source, options[n], "k");

		for (cl_uint i = 0; i < 16; i++)
			data[i] = i * 3;
		cl_mem buffer = cl_make_buffer(sizeof data, data);
		cl_set_buffer(kernel, 0, buffer);
		cl_launch(kernel, 16, 0);
		memset(data, 0xee, sizeof data);
		cl_read(buffer, sizeof data, data);
		for (cl_uint i = 0; i < 16; i++)
			assert_int_equal(data[i], i * 3 + 7);
		CL(clReleaseMemObject(buffer));
		cl_kernel_done(kernel);
	}
}

/* One line for a name that is none, one for that which cannot be hidden, none for the others. */
static void test_log(void **state)
{
	char text[4096] = "";
	FILE *file = fopen(log_path, "r");
	int lines = 0;

	(void)state;
	assert_non_null(file);
	assert_true(fread(text, 1, sizeof text - 1, file) > 0);
	fclose(file);
	for (const char *at = text; (at = strstr(at, "ZEROCL_DISABLE_EXTENSIONS")); at++)
		lines++;
	assert_int_equal(lines, 2);
	assert_non_null(strstr(text, "there is no extension cl_khr_no_such_thing\n"));
	assert_non_null(strstr(text, "cl_khr_icd cannot be hidden\n"));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_queries),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_log),
	};
	int fd = mkstemp(log_path);

	if (fd < 0)
		return 1;
	setenv("ZEROCL_DISABLE_EXTENSIONS", HIDDEN, 1);
	setenv("ZEROCL_LOG", "warn", 1);
	setenv("ZEROCL_LOG_FILE", log_path, 1);
	int failed = CL_RUN(argc, argv, tests);
	remove(log_path);
	close(fd);
	return failed;
}
