// SPDX-License-Identifier: MIT
#include <errno.h>
#include <libdrm/i915_drm.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "i915/i915_handler.h"
#include "drm/memory/drm_user.h"
#include "util/util_bits.h"
#include "util/util_log.h"

/* VERSION, GET_CAP, MODE_GETRESOURCES, GETPARAM and REG_READ. */

/* Copies as much of the string as fits, and says how long it is, as drm_copy_field does. */
static int copy_string(char *user, size_t *length, const char *text)
{
	size_t full = strlen(text);
	size_t room = *length < full ? *length : full;

	*length = full;
	return user ? drm_user_write((uint64_t)(uintptr_t)user, text, room) : 0;
}

int i915_version(struct drm_file *file, void *data)
{
	struct drm_version *version = data;
	int rc;

	(void)file;
	version->version_major = 1;
	version->version_minor = 6;
	version->version_patchlevel = 0;
	rc = copy_string(version->name, &version->name_len, "i915");
	if (rc == 0)
		rc = copy_string(version->date, &version->date_len, "20201103");
	if (rc == 0)
		rc = copy_string(version->desc, &version->desc_len, "Intel Graphics");
	return rc;
}

int i915_get_cap(struct drm_file *file, void *data)
{
	struct drm_get_cap *cap = data;

	(void)file;
	switch (cap->capability) {
	case DRM_CAP_PRIME:
		cap->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
		return 0;
	case DRM_CAP_TIMESTAMP_MONOTONIC:
	case DRM_CAP_SYNCOBJ:
	case DRM_CAP_SYNCOBJ_TIMELINE:
		cap->value = 1;
		return 0;
	default:
		return -EINVAL;
	}
}

/* The display has nothing to drive: Vulkan's instances ask, and fail if they are not told. */
int i915_mode_resources(struct drm_file *file, void *data)
{
	(void)file;
	memset(data, 0, sizeof(struct drm_mode_card_res));
	return 0;
}

struct param {
	int param, value;
};

enum { PARAM_PXP_STATUS = 58 }; /* of newer headers */

/* The same on every device. A negative value is an error. */
static const struct param constants[] = {
	{ I915_PARAM_HAS_GEM, 1 }, { I915_PARAM_NUM_FENCES_AVAIL, 32 },
	{ I915_PARAM_HAS_OVERLAY, 0 }, { I915_PARAM_HAS_PAGEFLIPPING, 1 },
	{ I915_PARAM_HAS_EXECBUF2, 1 }, { I915_PARAM_HAS_BSD, 1 }, { I915_PARAM_HAS_BLT, 1 },
	{ I915_PARAM_HAS_RELAXED_FENCING, 1 }, { I915_PARAM_HAS_COHERENT_RINGS, 1 },
	{ I915_PARAM_HAS_RELAXED_DELTA, 1 }, { I915_PARAM_HAS_GEN7_SOL_RESET, 1 },
	{ I915_PARAM_HAS_ALIASING_PPGTT, I915_GEM_PPGTT_FULL }, { I915_PARAM_HAS_WAIT_TIMEOUT, 1 },
	{ I915_PARAM_HAS_SEMAPHORES, 1 }, { I915_PARAM_HAS_PRIME_VMAP_FLUSH, 1 },
	{ I915_PARAM_HAS_VEBOX, 1 }, { I915_PARAM_HAS_SECURE_BATCHES, 0 },
	{ I915_PARAM_HAS_PINNED_BATCHES, 1 }, { I915_PARAM_HAS_EXEC_NO_RELOC, 1 },
	{ I915_PARAM_HAS_EXEC_HANDLE_LUT, 1 }, { I915_PARAM_HAS_WT, 0 },
	{ I915_PARAM_CMD_PARSER_VERSION, 0 }, { I915_PARAM_HAS_COHERENT_PHYS_GTT, 1 },
	{ I915_PARAM_MMAP_VERSION, 1 }, { I915_PARAM_HAS_GPU_RESET, 2 },
	{ I915_PARAM_HAS_RESOURCE_STREAMER, 0 }, { I915_PARAM_HAS_EXEC_SOFTPIN, 1 },
	{ I915_PARAM_HAS_POOLED_EU, 0 }, { I915_PARAM_MIN_EU_IN_POOL, 0 },
	{ I915_PARAM_MMAP_GTT_VERSION, 4 },
	/* Enabled, priorities, preemption, semaphores, engine busy statistics. */
	{ I915_PARAM_HAS_SCHEDULER, 0x1f },
	{ I915_PARAM_HUC_STATUS, 0 }, /* no firmware was loaded */
	{ I915_PARAM_HAS_EXEC_ASYNC, 1 }, { I915_PARAM_HAS_EXEC_FENCE, 1 },
	{ I915_PARAM_HAS_EXEC_CAPTURE, 1 }, { I915_PARAM_HAS_EXEC_BATCH_FIRST, 1 },
	{ I915_PARAM_HAS_EXEC_FENCE_ARRAY, 1 }, { I915_PARAM_HAS_CONTEXT_ISOLATION, 0x1f },
	{ I915_PARAM_MMAP_GTT_COHERENT, 1 }, { I915_PARAM_HAS_EXEC_SUBMIT_FENCE, 0 },
	{ I915_PARAM_HAS_EXEC_TIMELINE_FENCES, 1 }, { I915_PARAM_HAS_USERPTR_PROBE, 1 },
	{ I915_PARAM_PERF_REVISION, -ENODEV }, /* no streams of counters */
	{ PARAM_PXP_STATUS, -ENODEV },	       /* no protected memory */
};

static const int *find_value(const struct param *params, size_t count, int param)
{
	for (size_t i = 0; i < count; i++) {
		if (params[i].param == param)
			return &params[i].value;
	}
	return NULL;
}

int i915_getparam(struct drm_file *file, void *data)
{
	const struct drm_i915_getparam *getparam = data;
	const struct drm_device *device = file->device;
	const struct gen_device *gen = device->gen;
	const struct param params[] = {
		{ I915_PARAM_CHIPSET_ID, gen->pci_id },
		{ I915_PARAM_REVISION, gen->revision },
		{ I915_PARAM_SUBSLICE_TOTAL, gen->subslices },
		{ I915_PARAM_EU_TOTAL, gen->subslices * gen->eus_per_subslice },
		{ I915_PARAM_SLICE_MASK, (int)((UINT64_C(1) << gen->slices) - 1) },
		{ I915_PARAM_SUBSLICE_MASK,
			(int)((UINT64_C(1) << gen->subslices / gen->slices) - 1) },
		{ I915_PARAM_CS_TIMESTAMP_FREQUENCY, (int)gen->family->timestamp_hz },
		{ I915_PARAM_HAS_LLC, !gen->local_memory_bytes },
		{ I915_PARAM_HAS_BSD2, device->engines[GEN_ENGINE_VCS2].exists },
	};
	const int *value = find_value(constants, UTIL_ARRAY_SIZE(constants), getparam->param);

	if (value && *value < 0)
		return *value;
	if (!value)
		value = find_value(params, UTIL_ARRAY_SIZE(params), getparam->param);
	if (value)
		return drm_user_write((uintptr_t)getparam->value, value, sizeof(*value));
	util_log(UTIL_LOG_DEBUG, "i915", "GETPARAM %d: not known", getparam->param);
	return -EINVAL;
}

/* The one register that user space may read: the render engine's timestamp. */
int i915_reg_read(struct drm_file *file, void *data)
{
	enum { RENDER_TIMESTAMP = 0x2358, REGISTER_BYTES = 8, TIMESTAMP_BITS = 36 };
	struct drm_i915_reg_read *read = data;
	uint64_t flags = read->offset & (REGISTER_BYTES - 1);

	if (read->offset - flags != RENDER_TIMESTAMP ||
		(flags != 0 && flags != I915_REG_READ_8B_WA))
		return -EINVAL;
	read->val = drm_device_timestamp(file->device) & ((UINT64_C(1) << TIMESTAMP_BITS) - 1);
	return 0;
}

uint64_t i915_memory_size(void)
{
	struct sysinfo info;

	return sysinfo(&info) ? UINT64_C(1) << 30 : (uint64_t)info.totalram * info.mem_unit;
}
