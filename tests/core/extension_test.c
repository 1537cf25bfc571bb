// SPDX-License-Identifier: MIT
/* extension.def: that its rows fit each other and docs/EXTENSIONS.md, and what a user can hide. */
#include "core/device/extension.h"

#include "core/device/device_ext.h"
#include "core/device/device_family.h"
#include "core/device/command_buffer_khr.h"

#include "test.h"
#include "test_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIDDEN "cl_khr_fp16,cl_intel_subgroups,,  cl_khr_command_buffer,cl_nonsense"

static const struct {
	const char *name, *text;
} conditions[] = {
#define CONDITION(name, expression, text) { #name, text },
#include "compile/base/extension.def"
};

/* What the table says of a row that no code uses: of an extension, then of a feature. */
static const struct {
	const char *condition, *note;
} words[] = {
#define EXTENSION(name, version, families, condition, needs, note) { #condition, note },
#include "compile/base/extension.def"
#define FEATURE(name, families, condition, needs) { #condition, "" },
#include "compile/base/extension.def"
};

static const char *condition_text(const char *name)
{
	size_t i = 0;

	while (strcmp(conditions[i].name, name))
		i++;
	return conditions[i].text;
}

/* "all", or the names of those that are in the set. */
static void put_families(FILE *out, unsigned families)
{
	const char *separator = "";

	if (families == (1u << DEVICE_N_FAMILIES) - 1) {
		fputs("all", out);
		return;
	}
	for (unsigned i = 0; i < DEVICE_N_FAMILIES; i++) {
		if (!(families >> i & 1))
			continue;
		fprintf(out, "%s%s", separator, device_families[i].name);
		separator = ", ";
	}
}

static void put_rows(FILE *out, const struct extension *rows, size_t n, size_t first)
{
	for (size_t i = 0; i < n; i++) {
		const char *text = condition_text(words[first + i].condition);
		const char *note = words[first + i].note;
		cl_version version = rows[i].version;

		fprintf(out, "| `%s` | %u.%u.%u | ", rows[i].name,
			(unsigned)CL_VERSION_MAJOR(version), (unsigned)CL_VERSION_MINOR(version),
			(unsigned)CL_VERSION_PATCH(version));
		put_families(out, rows[i].families);
		fprintf(out, " | %s%s%s |\n", text, *text && *note ? ". " : "", note);
	}
}

/* The tables of the page are those of extension.def, row by row. */
static void page_is_current(void **state)
{
	static char page[1 << 16];
	FILE *file = fopen(PAGE, "r");
	const struct {
		const char *title;
		const struct extension *rows;
		size_t n, first;
	} tables[] = {
		{ "| extension |", extension_rows, extension_n_rows, 0 },
		{ "| feature |", extension_features, extension_n_features, extension_n_rows },
	};

	(void)state;
	assert_non_null(file);
	assert_true(fread(page, 1, sizeof(page) - 1, file) > 0);
	fclose(file);
	for (size_t i = 0; i < 2; i++) {
		char *want = NULL, *at = strstr(page, tables[i].title);
		size_t size;
		FILE *out = open_memstream(&want, &size);

		assert_non_null(out);
		put_rows(out, tables[i].rows, tables[i].n, tables[i].first);
		fclose(out);
		assert_non_null(at);
		at = strchr(strchr(at, '\n') + 1, '\n') + 1; /* behind the title and the line */
		if (strncmp(at, want, size) || at[size] == '|') {
			fprintf(stderr, "docs/EXTENSIONS.md should have below '%s':\n%s",
				tables[i].title, want);
			fail();
		}
		free(want);
	}
}

static bool is_extension(const char *name)
{
	const bool is_feature = *name == '_';
	const struct extension *rows = is_feature ? extension_features : extension_rows;
	const size_t n = is_feature ? extension_n_features : extension_n_rows;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(rows[i].name, name))
			return true;
	return false;
}

static void each_is_extension(const char *names)
{
	char name[80];

	for (int used; sscanf(names, "%79s%n", name, &used) == 1; names += used)
		if (!is_extension(name))
			fail_msg("there is no %s", name);
}

static void check_names(const struct extension *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		assert_true(strlen(rows[i].name) < CL_NAME_VERSION_MAX_NAME_SIZE);
		assert_true(rows[i].version > 0);
		each_is_extension(rows[i].needs);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(rows[i].name, rows[k].name);
	}
}

/* Rows name extensions that there are, and no extension or query is there twice. */
static void table_is_sound(void **state)
{
	static const char *const owners[] = {
#define QUERY(param, zeros, extension)		     #extension,
#define CAPABILITY(capability, condition, extension) #extension,
#define SPIRV_EXTENSION(name, extension)	     #extension,
#define SPIRV_SET(name, extension)		     #extension,
#define MACRO_SINCE(version, extension)		     #extension,
#define BUILTIN(text, words, missing, extension)     #extension,
#include "compile/base/extension.def"
	};
	static const cl_uint queries[] = {
#define QUERY(param, zeros, extension) param,
#include "compile/base/extension.def"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(owners) / sizeof(*owners); i++)
		each_is_extension(owners[i]);
	check_names(extension_rows, extension_n_rows);
	check_names(extension_features, extension_n_features);
	for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++)
		for (size_t k = 0; k < i; k++)
			assert_int_not_equal(queries[i], queries[k]);
}

/* What OpenCL 3.1 demands is there on every family, and the platform says so. */
static void version_3_1_is_whole(void **state)
{
	const char *name;
	size_t n = 0;

	(void)state;
	while ((name = extension_of_3_1(n))) {
		size_t i = 0;

		while (i < extension_n_rows && strcmp(extension_rows[i].name, name))
			i++;
		assert_true(i < extension_n_rows);
		assert_int_equal(extension_rows[i].families, (1u << DEVICE_N_FAMILIES) - 1);
		n++;
	}
	assert_int_equal(n, 9);
	assert_int_equal(extension_platform_version(), CL_MAKE_VERSION(3, 1, 0));
}

static void lists_are_read(void **state)
{
	(void)state;
	assert_true(extension_hidden_by("a,cl_khr_fp16", "cl_khr_fp16"));
	assert_true(extension_hidden_by(" cl_khr_fp16 , b", "cl_khr_fp16"));
	assert_false(extension_hidden_by("cl_khr_fp16_more,xcl_khr_fp16", "cl_khr_fp16"));
	assert_false(
		extension_hidden_by("cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative"));
	assert_false(
		extension_hidden_by("cl_khr_subgroup_shuffle_relative", "cl_khr_subgroup_shuffle"));
	assert_false(extension_hidden_by("", "cl_khr_fp16"));
	/* what needs it goes too, and not the other way */
	assert_true(extension_hidden_by("cl_intel_subgroups", "cl_intel_spirv_subgroups"));
	assert_false(extension_hidden_by("cl_intel_spirv_subgroups", "cl_intel_subgroups"));
	assert_false(extension_hidden_by("cl_khr_icd", "cl_khr_icd"));
}

static void names_are_hidden(void **state)
{
	uint16_t zeros = 4711;

	(void)state;
	assert_false(extension_is_shown("cl_khr_fp16"));
	assert_false(extension_is_shown("cl_intel_subgroups_long"));
	assert_false(extension_is_shown("cl_khr_command_buffer_mutable_dispatch"));
	assert_false(extension_is_shown("__opencl_c_ext_fp16_global_atomic_load_store"));
	assert_true(extension_is_shown("cl_khr_fp64"));
	assert_true(extension_is_shown(""));
	assert_true(extension_is_shown("cl_khr_semaphore"));
	assert_true(extension_is_shown("__opencl_c_images"));
	assert_true(extension_hides_query(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, &zeros));
	assert_int_equal(zeros, 4);
	assert_true(extension_hides_query(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, &zeros));
	assert_int_equal(zeros, 0);
	assert_true(extension_hides_query(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, &zeros));
	assert_false(extension_hides_query(CL_DEVICE_VERSION, &zeros));
	assert_false(extension_hides_query(CL_DEVICE_UUID_KHR, &zeros));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(page_is_current),
		cmocka_unit_test(table_is_sound),
		cmocka_unit_test(version_3_1_is_whole),
		cmocka_unit_test(lists_are_read),
		cmocka_unit_test(names_are_hidden),
	};

	test_setting("ZEROCL_DISABLE_EXTENSIONS", HIDDEN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
