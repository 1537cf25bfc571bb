// SPDX-License-Identifier: MIT
/* The tables of extensions and features, against docs/EXTENSIONS.md. */
#include "test.h"

#include "core/device/device_family.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *page;

static int read_page(void **state)
{
	FILE *file = fopen(PAGE, "r");

	(void)state;
	assert_non_null(file);
	page = calloc(1, 1 << 16);
	assert_true(fread(page, 1, (1 << 16) - 1, file) > 0);
	fclose(file);
	return 0;
}

static int free_page(void **state)
{
	(void)state;
	free(page);
	return 0;
}

static size_t check(const struct device_feature *rows, size_t n)
{
	size_t missing = 0;

	for (size_t i = 0; i < n; i++) {
		char want[256];
		const char *const words[] = { "no", "yes" };

		snprintf(want, sizeof(want), "\n| `%s` | %u.%u.%u | %s | %s | %s |", rows[i].name,
			(unsigned)CL_VERSION_MAJOR(rows[i].version),
			(unsigned)CL_VERSION_MINOR(rows[i].version),
			(unsigned)CL_VERSION_PATCH(rows[i].version),
			words[rows[i].has[DEVICE_GEN9]], words[rows[i].has[DEVICE_GEN11]],
			words[rows[i].has[DEVICE_GEN12LP]]);
		if (!strstr(page, want)) {
			fprintf(stderr, "docs/EXTENSIONS.md lacks:%s\n", want);
			missing++;
		}
	}
	return missing;
}

static void test_page_has_all(void **state)
{
	(void)state;
	assert_int_equal(check(device_extensions, device_n_extensions) +
				 check(device_c_features, device_n_c_features),
		0);
}

/* Rows of the page that no table has. */
static void test_page_has_no_more(void **state)
{
	size_t rows = 0;

	(void)state;
	for (const char *at = page; (at = strstr(at, "\n| `")); at++)
		rows++;
	assert_int_equal(rows, device_n_extensions + device_n_c_features);
}

static void test_no_name_twice(void **state)
{
	(void)state;
	for (size_t i = 0; i < device_n_extensions; i++) {
		assert_true(strlen(device_extensions[i].name) < CL_NAME_VERSION_MAX_NAME_SIZE);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(
				device_extensions[i].name, device_extensions[k].name);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page_has_all),
		cmocka_unit_test(test_page_has_no_more),
		cmocka_unit_test(test_no_name_twice),
	};

	return cmocka_run_group_tests(tests, read_page, free_page);
}
