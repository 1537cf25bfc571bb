// SPDX-License-Identifier: MIT
#include "core/device/platform.h"

#include "core/device/device.h"
#include "core/device/device_family.h"
#include "core/device/extension.h"
#include "core/device/svm_type.h"
#include "core/base/error.h"
#include "core/base/info.h"
#include "l0/l0_device.h"
#include "l0/l0_process.h"
#include "util/util_log.h"
#include "util/util_settings.h"

#include <CL/cl_ext.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct platform own = {
	.name = "ZeroCL for Intel(R) GPUs", /* oneDNN looks for "Intel" in both */
	.vendor = "ZeroCL for Intel(R) GPUs",
};
static struct platform *platform = &own;
static pthread_once_t platform_once = PTHREAD_ONCE_INIT;
static pthread_once_t device_once = PTHREAD_ONCE_INIT;
static struct device *devices; /* a list, as Level Zero's but for ZEROCL_VISIBLE_DEVICES */
static char hidden[128];       /* why there is none of Level Zero's */
static struct device_names extensions;

static void platform_start(void)
{
	const struct util_settings *settings = util_settings();

	obj_init(&own.base, OBJ_PLATFORM, NULL, NULL);
	if (settings->platform_name)
		own.name = settings->platform_name;
	if (settings->platform_vendor)
		own.vendor = settings->platform_vendor;
	own.numeric_version = extension_platform_version();
	own.version = CL_VERSION_MINOR(own.numeric_version) ? "OpenCL 3.1 ZeroCL " ZEROCL_VERSION
							    : "OpenCL 3.0 ZeroCL " ZEROCL_VERSION;
}

struct platform *platform_default(void)
{
	pthread_once(&platform_once, platform_start);
	return platform;
}

void platform_inherit(struct platform *inherited)
{
	pthread_once(&platform_once, platform_start);
	inherited->base.dispatch = own.base.dispatch;
	platform = inherited;
}

/* Takes the next number of a list like ZEROCL_VISIBLE_DEVICES; false at its end. */
static bool next_visible(const char **text, size_t *index)
{
	char *end;

	*text += strspn(*text, ", ");
	*index = strtoul(*text, &end, 10);
	if (end == *text && **text)
		util_log(UTIL_LOG_WARN, "cl", "ZEROCL_VISIBLE_DEVICES: \"%s\" is no number", *text);
	bool is_found = end != *text;
	*text = end;
	return is_found;
}

/* Whether all devices from `first` on have it; without a device: whether each would have it. */
static bool all_have(const struct device *first, const struct extension *row)
{
	static const struct l0_device_info nothing;

	if (!first)
		return row->when(&nothing) && row->families == (1u << DEVICE_N_FAMILIES) - 1;
	for (; first; first = first->next)
		if (!device_has_extension(first, row->name))
			return false;
	return true;
}

static void open_devices(void)
{
	const char *visible = util_settings()->visible_devices;
	struct device **end = &devices;
	struct l0_device *l0;

	for (size_t i = 0, index = 0; !visible || next_visible(&visible, &index); i++) {
		l0 = l0_device_open(visible ? index : i);
		if (!l0 && !visible)
			return;
		/* One that is named twice is there once. */
		struct device *known = devices;
		while (known && known->l0 != l0)
			known = known->next;
		if (l0 && !known && (*end = device_create(platform_default(), NULL, l0)))
			end = &(*end)->next;
	}
	if (!devices && l0_device_open(0))
		snprintf(hidden, sizeof hidden, "ZEROCL_VISIBLE_DEVICES names no device");
}

static void devices_start(void)
{
	open_devices();
	device_names_fill(&extensions, extension_rows, extension_n_rows, all_have, devices);
}

/* The devices, also in a forked child, where they do nothing any more. */
static struct device *known_devices(void)
{
	if (!l0_process_is_orphan())
		pthread_once(&device_once, devices_start);
	return devices;
}

struct device *platform_device(struct platform *p, const char **why)
{
	(void)p;
	if (l0_process_is_orphan()) {
		if (why)
			*why = "the process was forked from one that had opened the device";
		return NULL;
	}
	if (!known_devices() && why)
		*why = *hidden ? hidden : l0_report()->failure;
	return devices;
}

void platform_set_loader_data(struct platform *p, void *data)
{
	p->base.loader_data = data;
	for (struct device *device = devices; device; device = device->next)
		device->base.loader_data = data;
}

static cl_int answer_extensions(const void *object, const struct info *info)
{
	(void)object;
	known_devices();
	REQUIRE(extensions.text, CL_OUT_OF_HOST_MEMORY);
	return info_string(info, extensions.text);
}

static cl_int answer_extension_versions(const void *object, const struct info *info)
{
	(void)object;
	known_devices();
	REQUIRE(extensions.list, CL_OUT_OF_HOST_MEMORY);
	return info_bytes(info, extensions.list, extensions.n * sizeof *extensions.list);
}

/* What all devices import. */
static cl_int answer_imports(const void *object, const struct info *info)
{
	(void)object;
	return device_answer_imports(known_devices(), NULL, info);
}

static cl_int answer_svm_types(const void *object, const struct info *info)
{
	(void)object;
	return svm_type_answer(NULL, info);
}

static const struct info_row rows[] = {
	INFO_TEXT(CL_PLATFORM_PROFILE, "FULL_PROFILE"),
	INFO_STRING(CL_PLATFORM_VERSION, struct platform, version),
	INFO_FIELD(CL_PLATFORM_NUMERIC_VERSION, struct platform, numeric_version),
	INFO_STRING(CL_PLATFORM_NAME, struct platform, name),
	INFO_STRING(CL_PLATFORM_VENDOR, struct platform, vendor),
	INFO_FN(CL_PLATFORM_EXTENSIONS, answer_extensions),
	INFO_FN(CL_PLATFORM_EXTENSIONS_WITH_VERSION, answer_extension_versions),
	INFO_CONSTANT(CL_PLATFORM_HOST_TIMER_RESOLUTION, cl_ulong, 1), /* ns */
	INFO_CONSTANT(CL_PLATFORM_SEMAPHORE_TYPES_KHR, cl_semaphore_type_khr,
		CL_SEMAPHORE_TYPE_BINARY_KHR),
	INFO_FN(CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, answer_imports),
	INFO_FN(CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR, answer_svm_types),
	INFO_TEXT(CL_PLATFORM_ICD_SUFFIX_KHR, "ZCL"),
};

cl_int platform_info(struct platform *p, cl_platform_info param, const struct info *info)
{
	uint16_t zeros;

	REQUIRE(p, CL_INVALID_PLATFORM);
	REQUIRE(!extension_hides_query(param, &zeros), CL_INVALID_VALUE);

	return INFO_GET(rows, p, param, info);
}

static bool is_type(cl_device_type type)
{
	cl_device_type bits = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
			      CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;

	return type == CL_DEVICE_TYPE_ALL || (type && !(type & ~bits));
}

cl_int platform_devices(
	struct platform *p, cl_device_type type, cl_uint n, cl_device_id *list, cl_uint *n_ret)
{
	const char *why = "";
	cl_uint n_found = 0;

	REQUIRE(p, CL_INVALID_PLATFORM);
	REQUIRE(is_type(type), CL_INVALID_DEVICE_TYPE);
	REQUIRE(n > 0 || !list, CL_INVALID_VALUE);
	REQUIRE(n_ret || list, CL_INVALID_VALUE);

	struct device *first = platform_device(p, &why);
	for (struct device *device = first; device; device = device->next) {
		/* The first is the default. */
		cl_device_type is = device->type | (device == first ? CL_DEVICE_TYPE_DEFAULT : 0);

		if (!(type & is))
			continue;
		if (list && n_found < n)
			list[n_found] = device_handle(device);
		n_found++;
	}
	if (n_ret)
		*n_ret = n_found;
	REQUIRE(first, error_say(CL_DEVICE_NOT_FOUND, "%s", why));
	REQUIRE(n_found, error_say(CL_DEVICE_NOT_FOUND, "no device is of type 0x%llx",
				 (unsigned long long)type));
	return CL_SUCCESS;
}
