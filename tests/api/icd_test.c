// SPDX-License-Identifier: MIT
#include "api/icd.h"
#include "core/device/extension.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

#define ICD_ENTRY(name) { #name, offsetof(struct _cl_icd_dispatch, name), 'e' },
#ifdef ICD_HEADER_HAS_3_1
#define ICD_NEWER(name) ICD_ENTRY(name)
#else
#define ICD_NEWER(name) { #name, offsetof(struct icd_table, name), 'e' },
#endif
#define ICD_TAGGED(name) { #name, offsetof(struct _cl_icd_dispatch, name), 't' },
#define ICD_ABSENT(name) { #name, offsetof(struct _cl_icd_dispatch, name), 'a' },
#define ICD_EXTENSION(name, extension)
static const struct {
	const char *name;
	size_t offset;
	char kind;
} slots[] = {
#include "api/icd.def"
};

#undef ICD_ENTRY
#undef ICD_NEWER
#undef ICD_TAGGED
#undef ICD_ABSENT
#undef ICD_OWNED
#undef ICD_EXTENSION
#undef ICD_NAMED
#undef ICD_COMMAND_BUFFER

#define ICD_ENTRY(name)
#define ICD_TAGGED(name)
#define ICD_ABSENT(name)
#define ICD_OWNED(name, extension)	     { #name, #extension },
#define ICD_EXTENSION(name, extension)	     { #name, #extension },
#define ICD_NAMED(name, function, extension) { #name, #extension },
#define ICD_COMMAND_BUFFER(name, extension)  { #name, #extension },
static const struct {
	const char *name, *extension;
} extension_functions[] = {
#include "api/icd.def"
};

/* One row per slot, in order: none is forgotten, none is there twice. */
static void test_table_is_complete(void **state)
{
	const size_t n = sizeof slots / sizeof *slots;
	void *const *table = (void *const *)(const void *)&icd_dispatch;

	(void)state;
	assert_int_equal(n * sizeof(void *), sizeof(struct icd_table));
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(slots[i].offset, i * sizeof(void *));
		if (slots[i].kind == 'a')
			assert_null(table[i]);
		else if (slots[i].kind == 't')
			assert_int_equal((intptr_t)table[i], ICD_TAG);
		else
			assert_ptr_equal(table[i], icd_find(slots[i].name));
		if (slots[i].kind != 'a')
			assert_non_null(icd_find(slots[i].name));
	}
}

static void test_names(void **state)
{
	(void)state;
	assert_null(icd_find(NULL));
	assert_null(icd_find(""));
	assert_null(icd_find("clNoSuchFunction"));
	assert_null(icd_find("clCreateFromD3D10BufferKHR"));
	assert_non_null(icd_find("clIcdSetPlatformDispatchDataKHR"));
	assert_non_null(icd_find("clGetKernelSubGroupInfoKHR"));
}

/* Each is found, and of an extension that there is. */
static void test_owners(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(extension_functions) / sizeof(*extension_functions); i++) {
		size_t row = 0;

		assert_non_null(icd_find(extension_functions[i].name));
		while (row < extension_n_rows &&
			strcmp(extension_rows[row].name, extension_functions[i].extension))
			row++;
		if (row == extension_n_rows)
			fail_msg("%s is of %s, which is no extension", extension_functions[i].name,
				extension_functions[i].extension);
	}
}

static void test_platform_words(void **state)
{
	cl_platform_id id = NULL;
	cl_uint n = 0;
	void *words[2];

	(void)state;
	assert_int_equal(clIcdGetPlatformIDsKHR(1, &id, &n), CL_SUCCESS);
	assert_int_equal(n, 1);
	memcpy(words, id, sizeof words);
	assert_ptr_equal(words[0], &icd_dispatch);
	assert_int_equal(clIcdSetPlatformDispatchDataKHR(id, &n), CL_SUCCESS);
	memcpy(words, id, sizeof words);
	assert_ptr_equal(words[1], &n);
	assert_int_equal(clIcdSetPlatformDispatchDataKHR(NULL, &n), CL_INVALID_PLATFORM);
	assert_int_equal(clIcdSetPlatformDispatchDataKHR(id, NULL), CL_SUCCESS);
	assert_ptr_equal(clIcdGetFunctionAddressForPlatformKHR(id, "clGetDeviceIDs"),
		icd_find("clGetDeviceIDs"));
	assert_null(clIcdGetFunctionAddressForPlatformKHR(NULL, "clGetDeviceIDs"));
	assert_null(clGetExtensionFunctionAddressForPlatform(NULL, "clGetDeviceIDs"));
}

static void test_platform_errors(void **state)
{
	cl_platform_id id;
	cl_uint n;

	(void)state;
	assert_int_equal(clIcdGetPlatformIDsKHR(0, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(clIcdGetPlatformIDsKHR(0, &id, &n), CL_INVALID_VALUE);
	assert_int_equal(clIcdGetPlatformIDsKHR(0, NULL, &n), CL_SUCCESS);
	assert_int_equal(n, 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_is_complete),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_platform_words),
		cmocka_unit_test(test_platform_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
