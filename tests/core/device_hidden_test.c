// SPDX-License-Identifier: MIT
#include "core/device/extension_filter.h"

#include "core/device/device_ext.h"
#include "core/device/device_family.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL "cl_khr_fp16,cl_intel_subgroups,,  cl_khr_command_buffer,cl_nonsense"

static bool is_row(const struct device_feature *rows, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(rows[i].name, name))
			return true;
	return false;
}

static void each_is_row(const struct device_feature *rows, size_t n, const char *names)
{
	char name[80];

	for (int used; names && sscanf(names, "%79s%n", name, &used) == 1; names += used)
		if (!is_row(rows, n, name))
			fail_msg("there is no %s", name);
}

/* The table names what there is, and no extension or query twice. */
static void table_is_sound(void **state)
{
	(void)state;
	for (size_t i = 0; i < device_n_belongings; i++) {
		const struct device_belonging *row = &device_belongings[i];

		each_is_row(device_extensions, device_n_extensions, row->extension);
		each_is_row(device_extensions, device_n_extensions, row->extensions);
		each_is_row(device_c_features, device_n_c_features, row->features);
		for (size_t k = 0; k < i; k++) {
			const struct device_belonging *other = &device_belongings[k];

			assert_string_not_equal(row->extension, other->extension);
			for (size_t q = 0; q < 10 && row->queries[q].param; q++)
				for (size_t p = 0; p < 10 && other->queries[p].param; p++)
					assert_int_not_equal(
						row->queries[q].param, other->queries[p].param);
		}
	}
}

static void lists_are_read(void **state)
{
	(void)state;
	assert_true(device_hidden_lists("a,cl_khr_fp16", "cl_khr_fp16"));
	assert_true(device_hidden_lists(" cl_khr_fp16 , b", "cl_khr_fp16"));
	assert_false(device_hidden_lists("cl_khr_fp16_more,xcl_khr_fp16", "cl_khr_fp16"));
	assert_false(
		device_hidden_lists("cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative"));
	assert_false(
		device_hidden_lists("cl_khr_subgroup_shuffle_relative", "cl_khr_subgroup_shuffle"));
	assert_false(device_hidden_lists("", "cl_khr_fp16"));
	/* what needs it goes too, and not the other way */
	assert_true(device_hidden_lists("cl_intel_subgroups", "cl_intel_spirv_subgroups"));
	assert_false(device_hidden_lists("cl_intel_spirv_subgroups", "cl_intel_subgroups"));
	assert_false(device_hidden_lists("cl_khr_icd", "cl_khr_icd"));
}

static void names_are_hidden(void **state)
{
	uint16_t zeros = 4711;

	(void)state;
	assert_false(device_shows("cl_khr_fp16"));
	assert_false(device_shows("cl_intel_subgroups_long"));
	assert_false(device_shows("clUpdateMutableCommandsKHR"));
	assert_false(device_shows("clCommandFillBufferKHR"));
	assert_true(device_shows("cl_khr_fp64"));
	assert_true(device_shows("clCreateBuffer"));
	assert_true(device_shows("clCreateSemaphoreWithPropertiesKHR"));
	assert_true(device_shows("__opencl_c_images"));
	assert_true(device_hides_query(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, &zeros));
	assert_int_equal(zeros, 4);
	assert_true(device_hides_query(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, &zeros));
	assert_int_equal(zeros, 0);
	assert_true(device_hides_query(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, &zeros));
	assert_false(device_hides_query(CL_DEVICE_VERSION, &zeros));
	assert_false(device_hides_query(CL_DEVICE_UUID_KHR, &zeros));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_is_sound),
		cmocka_unit_test(lists_are_read),
		cmocka_unit_test(names_are_hidden),
	};

	setenv("ZEROCL_DISABLE_EXTENSIONS", ALL, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
