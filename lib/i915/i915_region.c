// SPDX-License-Identifier: MIT
#include <errno.h>
#include <libdrm/i915_drm.h>

#include "drm/memory/drm_user.h"
#include "i915/i915_handler.h"
#include "i915/i915_region.h"

/* Region 0 is the host's memory, region 1 the device's own. Both are memory of the host here. */
static const uint16_t classes[] = { I915_MEMORY_CLASS_SYSTEM, I915_MEMORY_CLASS_DEVICE };

static unsigned region_count(const struct gen_device *gen)
{
	return gen->local_memory_bytes ? 2 : 1;
}

int i915_regions_query(const struct drm_device *device, uint32_t flags, void *answer)
{
	struct drm_i915_query_memory_regions *info = answer;
	const uint64_t sizes[] = { i915_memory_size(), device->gen->local_memory_bytes };

	if (flags)
		return -EINVAL;
	info->num_regions = region_count(device->gen);
	for (unsigned i = 0; i < info->num_regions; i++) {
		struct drm_i915_memory_region_info *region = &info->regions[i];

		region->region.memory_class = classes[i];
		region->probed_size = region->unallocated_size = sizes[i];
		region->probed_cpu_visible_size = region->unallocated_cpu_visible_size = sizes[i];
	}
	return (int)(sizeof(*info) + info->num_regions * sizeof(*info->regions));
}

int i915_regions_read(void *self, uint64_t user)
{
	struct i915_regions *regions = self;
	const struct gen_device *gen = regions->device->gen;
	struct drm_i915_gem_create_ext_memory_regions list;
	unsigned seen = 0;
	int rc = drm_user_read(&list, user, sizeof(list));

	if (rc)
		return rc;
	if (list.pad || list.num_regions == 0)
		return -EINVAL;
	for (uint32_t i = 0; i < list.num_regions; i++) {
		struct drm_i915_gem_memory_class_instance region;
		unsigned index = 0;

		rc = drm_user_read(&region, list.regions + i * sizeof(region), sizeof(region));
		if (rc)
			return rc;
		while (index < region_count(gen) && classes[index] != region.memory_class)
			index++;
		if (index == region_count(gen) || region.memory_instance ||
			(seen >> index & 1) != 0)
			return -EINVAL;
		seen |= 1u << index;
	}
	regions->system = (seen & 1) != 0;
	return 0;
}

/* Keys of the firmware's table, which Intel's drivers read topology and caches from. */
enum {
	HWCONFIG_SLICES = 1,
	HWCONFIG_SUBSLICES = 2,
	HWCONFIG_EUS = 3,
	HWCONFIG_MEMORY_TYPE = 11,
	HWCONFIG_THREADS = 15,
	HWCONFIG_RENDER_ENGINES = 23,
	HWCONFIG_COMPUTE_ENGINES = 24,
	HWCONFIG_L3_BANK_KIB = 64,
	HWCONFIG_SLM_KIB = 65,
};

enum { MEMORY_GDDR6 = 4, L3_BANK_KIB = 512, SLM_KIB = 128 };

int i915_hwconfig_query(const struct drm_device *device, uint32_t flags, void *answer)
{
	const struct gen_device *gen = device->gen;
	const uint32_t rows[][2] = {
		{ HWCONFIG_SLICES, gen->slices },
		{ HWCONFIG_SUBSLICES, gen->subslices },
		{ HWCONFIG_EUS, gen->eus_per_subslice },
		{ HWCONFIG_MEMORY_TYPE, MEMORY_GDDR6 },
		{ HWCONFIG_THREADS, gen->family->threads_per_eu },
		{ HWCONFIG_RENDER_ENGINES, 1 },
		{ HWCONFIG_COMPUTE_ENGINES, 1 },
		{ HWCONFIG_L3_BANK_KIB, L3_BANK_KIB },
		{ HWCONFIG_SLM_KIB, SLM_KIB },
	};
	uint32_t *out = answer;

	if (!gen->local_memory_bytes)
		return -ENODEV;
	if (flags)
		return -EINVAL;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		*out++ = rows[i][0];
		*out++ = 1; /* dwords of the value */
		*out++ = rows[i][1];
	}
	return (int)((uint8_t *)out - (uint8_t *)answer);
}
