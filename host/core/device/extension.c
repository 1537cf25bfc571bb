// SPDX-License-Identifier: MIT
#include "core/device/extension.h"

#include "compile/base/compile_options.h"
#include "core/device/command_buffer_khr.h"
#include "core/device/device_ext.h"
#include "core/device/device_family.h"
#include "util/util_bits.h"
#include "util/util_log.h"
#include "util/util_settings.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONDITION(name, expression, text)                                                          \
	static bool when_##name(const struct l0_device_info *hw)                                   \
	{                                                                                          \
		return expression;                                                                 \
	}
#include "compile/base/extension.def"

enum {
#define FAMILY(symbol, name, ip_version, progress) symbol = 1u << DEVICE_##symbol,
#include "core/device/device_family.def"
	ALL = (1u << DEVICE_N_FAMILIES) - 1,
	SINCE_GEN12LP = ALL & ~(GEN9 | GEN11 | OTHER),
	SINCE_XE2 = XE2 | XE3,
};
#define VERSION CL_MAKE_VERSION

const struct extension extension_rows[] = {
#define EXTENSION(name, version, families, condition, needs, note)                                 \
	{ #name, version, families, when_##condition, needs },
#include "compile/base/extension.def"
};
const size_t extension_n_rows = UTIL_ARRAY_SIZE(extension_rows);

const struct extension extension_features[] = {
#define FEATURE(name, families, condition, needs)                                                  \
	{ #name, VERSION(3, 0, 0), families, when_##condition, needs },
#include "compile/base/extension.def"
};
const size_t extension_n_features = UTIL_ARRAY_SIZE(extension_features);

static const struct {
	cl_uint param;
	uint16_t zeros;
	const char *extension;
} queries[] = {
#define QUERY(param, zeros, extension) { param, zeros, #extension },
#include "compile/base/extension.def"
};

#define SEPARATORS ", "

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *asked; /* NULL: nothing is hidden */

static const struct extension *find_row(const struct extension *rows, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

bool extension_hidden_by(const char *text, const char *name)
{
	const struct extension *row = find_row(extension_rows, extension_n_rows, name);
	char need[CL_NAME_VERSION_MAX_NAME_SIZE];

	/* Loaders know by it that a platform is one of theirs. */
	if (!strcmp(name, "cl_khr_icd"))
		return false;
	if (compile_list_has(text, name))
		return true;
	if (!row)
		row = find_row(extension_features, extension_n_features, name);
	const char *at = row ? row->needs : "";
	for (int used; sscanf(at, "%63s%n", need, &used) == 1; at += used)
		if (extension_hidden_by(text, need))
			return true;
	return false;
}

static void read_variable(void)
{
	const char *text = asked = util_settings()->disabled_extensions;
	char name[CL_NAME_VERSION_MAX_NAME_SIZE];

	for (int used;
		text && sscanf(text += strspn(text, SEPARATORS), "%63[^, ]%n", name, &used) == 1;
		text += used) {
		if (!find_row(extension_rows, extension_n_rows, name))
			util_log(UTIL_LOG_WARN, "cl",
				"ZEROCL_DISABLE_EXTENSIONS: there is no extension %s", name);
		else if (!strcmp(name, "cl_khr_icd"))
			util_log(UTIL_LOG_WARN, "cl",
				"ZEROCL_DISABLE_EXTENSIONS: cl_khr_icd cannot be hidden");
	}
}

bool extension_is_shown(const char *name)
{
	pthread_once(&once, read_variable);
	return !asked || !extension_hidden_by(asked, name);
}

/* Section 4.3 of the specification of 3.1: all of these were promoted to its core. */
static const char *const of_3_1[] = {
	"cl_khr_device_uuid",
	"cl_khr_extended_bit_ops",
	"cl_khr_integer_dot_product",
	"cl_khr_spirv_queries",
	"cl_khr_subgroup_extended_types",
	"cl_khr_subgroup_rotate",
	"cl_khr_subgroup_shuffle",
	"cl_khr_subgroup_shuffle_relative",
	"cl_khr_suggested_local_work_size",
};

const char *extension_of_3_1(size_t i)
{
	return i < UTIL_ARRAY_SIZE(of_3_1) ? of_3_1[i] : NULL;
}

cl_version extension_platform_version(void)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(of_3_1); i++)
		if (!extension_is_shown(of_3_1[i]))
			return VERSION(3, 0, 0);
	return VERSION(3, 1, 0);
}

bool extension_hides_query(cl_uint param, uint16_t *zeros)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(queries); i++)
		if (queries[i].param == param && !extension_is_shown(queries[i].extension)) {
			*zeros = queries[i].zeros;
			return true;
		}
	return false;
}
