// SPDX-License-Identifier: MIT
/* cl_khr_spirv_queries: rows of compile/base/extension.def. */
#include "core/device/device_spirv.h"

#include "core/device/device.h"
#include "core/device/device_ext.h"
#include "core/base/info.h"

#include <spirv/unified1/spirv.h>

/* Of the registry of SPIR-V, where the headers are older. */
enum { GROUP_NON_UNIFORM_ROTATE = 6026, BFLOAT16_CONVERSION = 6115 };

#define CONDITION(name, expression, text)                                                          \
	static inline bool when_##name(const struct l0_device_info *hw)                            \
	{                                                                                          \
		return expression;                                                                 \
	}
#include "compile/base/extension.def"

/* An extension "" is OpenCL itself. */
static const struct {
	cl_uint capability;
	bool (*when)(const struct l0_device_info *hw);
	const char *extension;
} capabilities[] = {
#define CAPABILITY(capability, condition, extension) { capability, when_##condition, #extension },
#include "compile/base/extension.def"
};

struct name {
	const char *name, *extension;
};

static const struct name extensions[] = {
#define SPIRV_EXTENSION(name, extension) { #name, #extension },
#include "compile/base/extension.def"
};

static const struct name sets[] = {
#define SPIRV_SET(name, extension) { #name, #extension },
#include "compile/base/extension.def"
};

static bool is_reported(const struct device *device, const char *extension)
{
	return device->hw->spirv_major && (!*extension || device_has_extension(device, extension));
}

static cl_int answer_names(
	const struct device *device, const struct name *names, size_t n, const struct info *info)
{
	const char *list[UTIL_ARRAY_SIZE(extensions)];
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		if (is_reported(device, names[i].extension))
			list[count++] = names[i].name;
	return info_bytes(info, list, count * sizeof *list);
}

cl_int device_spirv_sets(const void *device, const struct info *info)
{
	return answer_names(device, sets, UTIL_ARRAY_SIZE(sets), info);
}

cl_int device_spirv_extensions(const void *device, const struct info *info)
{
	return answer_names(device, extensions, UTIL_ARRAY_SIZE(extensions), info);
}

cl_int device_spirv_capabilities(const void *object, const struct info *info)
{
	const struct device *device = object;
	cl_uint list[UTIL_ARRAY_SIZE(capabilities)];
	size_t count = 0;

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(capabilities); i++)
		if (is_reported(device, capabilities[i].extension) &&
			capabilities[i].when(device->hw))
			list[count++] = capabilities[i].capability;
	return info_bytes(info, list, count * sizeof *list);
}
