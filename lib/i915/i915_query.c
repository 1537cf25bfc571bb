// SPDX-License-Identifier: MIT
#include <errno.h>
#include <libdrm/i915_drm.h>
#include <string.h>

#include "i915/i915_handler.h"
#include "i915/i915_region.h"
#include "drm/memory/drm_user.h"
#include "util/util_bits.h"
#include "util/util_log.h"

enum { MOST_BYTES = 1024 };

/* Writes the answer (zeroed MOST_BYTES before); returns its length or a negative errno. */
typedef int query_fn(const struct drm_device *device, uint32_t flags, void *answer);

/* One bit for each of `count` things in the EU masks of all subslices. */
static int fill_topology(const struct gen_device *gen, void *answer)
{
	struct drm_i915_query_topology_info *info = answer;
	uint16_t subslice_bytes = (uint16_t)((gen->subslices + 7) / 8);
	uint16_t eu_bytes = (uint16_t)((gen->eus_per_subslice + 7) / 8);
	unsigned per_slice = gen->subslices / gen->slices;

	info->max_slices = gen->slices;
	info->max_subslices = (uint16_t)per_slice;
	info->max_eus_per_subslice = gen->eus_per_subslice;
	info->subslice_offset = (uint16_t)((gen->slices + 7) / 8);
	info->subslice_stride = subslice_bytes;
	info->eu_offset = (uint16_t)(info->subslice_offset + gen->slices * subslice_bytes);
	info->eu_stride = eu_bytes;
	for (unsigned slice = 0; slice < gen->slices; slice++) {
		info->data[slice / 8] |= (uint8_t)(1u << slice % 8);
		for (unsigned sub = 0; sub < per_slice; sub++) {
			unsigned eus = info->eu_offset + (slice * per_slice + sub) * eu_bytes;
			info->data[info->subslice_offset + slice * subslice_bytes + sub / 8] |=
				(uint8_t)(1u << sub % 8);
			for (unsigned eu = 0; eu < gen->eus_per_subslice; eu++)
				info->data[eus + eu / 8] |= (uint8_t)(1u << eu % 8);
		}
	}
	return (int)(sizeof(*info) + info->eu_offset + (unsigned)gen->subslices * eu_bytes);
}

static int topology(const struct drm_device *device, uint32_t flags, void *answer)
{
	return flags ? -EINVAL : fill_topology(device->gen, answer);
}

/* The same, for one engine that the flags name. */
static int geometry_subslices(const struct drm_device *device, uint32_t flags, void *answer)
{
	if ((flags & 0xff) != I915_ENGINE_CLASS_RENDER || flags >> 8)
		return -EINVAL;
	return fill_topology(device->gen, answer);
}

/* What the fixed functions of a class can do, from Gen9 on: its engines here are those of even
   places, which have the scaler (SFC). */
static const uint64_t capabilities[] = {
	[I915_ENGINE_CLASS_VIDEO] =
		I915_VIDEO_CLASS_CAPABILITY_HEVC | I915_VIDEO_AND_ENHANCE_CLASS_CAPABILITY_SFC,
	[I915_ENGINE_CLASS_VIDEO_ENHANCE] = I915_VIDEO_AND_ENHANCE_CLASS_CAPABILITY_SFC,
	[DRM_CLASS_COMPUTE] = 0,
};

static int engine_info(const struct drm_device *device, uint32_t flags, void *answer)
{
	struct drm_i915_query_engine_info *info = answer;

	if (flags)
		return -EINVAL;
	for (unsigned i = 0; i < GEN_ENGINES; i++) {
		struct drm_i915_engine_info *engine = &info->engines[info->num_engines];
		if (!device->engines[i].exists)
			continue;
		engine->engine.engine_class = device->engines[i].class;
		engine->engine.engine_instance = device->engines[i].instance;
		engine->logical_instance = (uint16_t)(i == GEN_ENGINE_VCS2);
		engine->capabilities = capabilities[device->engines[i].class];
		engine->flags = I915_ENGINE_INFO_HAS_LOGICAL_INSTANCE;
		info->num_engines++;
	}
	return (int)(sizeof(*info) + info->num_engines * sizeof(*info->engines));
}

/* No firmware schedules, no counters are recorded. */
static int not_there(const struct drm_device *device, uint32_t flags, void *answer)
{
	(void)device, (void)flags, (void)answer;
	return -ENODEV;
}

enum { QUERY_GUC_SUBMISSION_VERSION = 7 }; /* of newer headers */

static query_fn *const queries[] = {
	[DRM_I915_QUERY_TOPOLOGY_INFO] = topology,
	[DRM_I915_QUERY_ENGINE_INFO] = engine_info,
	[DRM_I915_QUERY_PERF_CONFIG] = not_there,
	[DRM_I915_QUERY_MEMORY_REGIONS] = i915_regions_query,
	[DRM_I915_QUERY_HWCONFIG_BLOB] = i915_hwconfig_query,
	[DRM_I915_QUERY_GEOMETRY_SUBSLICES] = geometry_subslices,
	[QUERY_GUC_SUBMISSION_VERSION] = not_there,
};

static int answer_item(const struct drm_device *device, const struct drm_i915_query_item *item)
{
	uint64_t answer[MOST_BYTES / 8] = { 0 };
	query_fn *query =
		item->query_id < UTIL_ARRAY_SIZE(queries) ? queries[item->query_id] : NULL;
	int length;

	if (!query) {
		util_log(UTIL_LOG_DEBUG, "i915", "QUERY %llu: not known",
			(unsigned long long)item->query_id);
		return -EINVAL;
	}
	length = query(device, item->flags, answer);
	if (length <= 0 || item->length == 0)
		return length;
	if (item->length < length)
		return -EINVAL;
	return drm_user_write(item->data_ptr, answer, (size_t)length) ? -EFAULT : length;
}

/* Errors of an item are its length; only the list itself can fail the ioctl. */
int i915_query(struct drm_file *file, void *data)
{
	const struct drm_i915_query *query = data;

	if (query->flags)
		return -EINVAL;
	for (uint32_t i = 0; i < query->num_items; i++) {
		struct drm_i915_query_item item;
		uint64_t user = query->items_ptr + i * sizeof(item);
		int rc = drm_user_read(&item, user, sizeof(item));
		if (rc)
			return rc;
		item.length = item.query_id ? answer_item(file->device, &item) : -EINVAL;
		rc = drm_user_write(
			user + offsetof(struct drm_i915_query_item, length), &item.length, 4);
		if (rc)
			return rc;
	}
	return 0;
}
