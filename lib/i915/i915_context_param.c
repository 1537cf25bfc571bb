// SPDX-License-Identifier: MIT
#include <errno.h>
#include <libdrm/i915_drm.h>
#include <stdlib.h>
#include <string.h>

#include "i915/i915_context.h"
#include "i915/i915_handlers.h"
#include "drm/memory/drm_user.h"
#include "util/util_bits.h"
#include "util/util_log.h"

/* CONTEXT_GETPARAM and CONTEXT_SETPARAM. */

typedef int param_fn(struct drm_file *file, struct drm_context *context,
	struct drm_i915_gem_context_param *param);

static int get_gtt_size(struct drm_file *file, struct drm_context *context,
	struct drm_i915_gem_context_param *param)
{
	(void)file, (void)context;
	param->size = 0;
	param->value = DRM_VM_SIZE;
	return 0;
}

static int get_vm(struct drm_file *file, struct drm_context *context,
	struct drm_i915_gem_context_param *param)
{
	uint32_t id = drm_ids_add(&file->spaces, context->vm);

	if (!id)
		return -ENOMEM;
	drm_vm_get(context->vm);
	param->size = 0;
	param->value = id;
	return 0;
}

static int set_vm(struct drm_file *file, struct drm_context *context,
	struct drm_i915_gem_context_param *param)
{
	struct drm_vm *vm = drm_ids_find(&file->spaces, param->value);

	if (param->size || param->value >> 32 || context->used)
		return -EINVAL;
	if (!vm)
		return -ENOENT;
	drm_vm_get(vm);
	drm_vm_put(context->vm);
	context->vm = vm;
	return 0;
}

static int engine_find(const struct drm_device *device,
	const struct i915_engine_class_instance *wanted, uint8_t *out)
{
	if (wanted->engine_class == (uint16_t)I915_ENGINE_CLASS_INVALID &&
		wanted->engine_instance == (uint16_t)I915_ENGINE_CLASS_INVALID_NONE) {
		*out = DRM_NO_ENGINE;
		return 0;
	}
	for (uint8_t i = 0; i < DRM_ENGINES; i++) {
		if (device->engines[i].class == wanted->engine_class &&
			device->engines[i].instance == wanted->engine_instance) {
			*out = i;
			return 0;
		}
	}
	return -ENOENT;
}

static int set_engines(struct drm_file *file, struct drm_context *context,
	struct drm_i915_gem_context_param *param)
{
	I915_DEFINE_CONTEXT_PARAM_ENGINES(map, DRM_CONTEXT_ENGINES);
	uint8_t engines[DRM_CONTEXT_ENGINES];
	unsigned count =
		(unsigned)((param->size - sizeof(map.extensions)) / sizeof(map.engines[0]));
	int rc;

	if (context->used || param->size < sizeof(map.extensions) || param->size > sizeof(map) ||
		(param->size - sizeof(map.extensions)) % sizeof(map.engines[0]))
		return -EINVAL;
	rc = drm_user_read(&map, param->value, param->size);
	if (rc)
		return rc;
	if (map.extensions) {
		util_log(UTIL_LOG_DEBUG, "i915", "engine map extensions are not implemented");
		return -EINVAL;
	}
	for (unsigned i = 0; i < count; i++) {
		struct i915_engine_class_instance wanted = map.engines[i]; /* packed there */
		rc = engine_find(file->device, &wanted, &engines[i]);
		if (rc)
			return rc;
	}
	memcpy(context->engines, engines, count);
	context->engine_count = count;
	context->legacy_engines = false;
	return 0;
}

/* How many slices, subslices and EUs the context uses: all, always. */
static int get_sseu(struct drm_file *file, struct drm_context *context,
	struct drm_i915_gem_context_param *param)
{
	const struct gen_device *gen = file->device->gen;
	struct drm_i915_gem_context_param_sseu sseu;
	int rc;

	(void)context;
	if (param->size == 0) {
		param->size = sizeof(sseu);
		return 0;
	}
	if (param->size < sizeof(sseu))
		return -EINVAL;
	rc = drm_user_read(&sseu, param->value, sizeof(sseu));
	if (rc)
		return rc;
	if (sseu.rsvd || sseu.flags & ~I915_CONTEXT_SSEU_FLAG_ENGINE_INDEX)
		return -EINVAL;
	sseu.slice_mask = (UINT64_C(1) << gen->slices) - 1;
	sseu.subslice_mask = (UINT64_C(1) << gen->subslices) - 1;
	sseu.min_eus_per_subslice = gen->eus_per_subslice;
	sseu.max_eus_per_subslice = gen->eus_per_subslice;
	param->size = sizeof(sseu);
	return drm_user_write(param->value, &sseu, sizeof(sseu));
}

static int get_priority(struct drm_file *file, struct drm_context *context,
	struct drm_i915_gem_context_param *param)
{
	(void)file;
	param->size = 0;
	param->value = (uint64_t)(int64_t)context->priority;
	return 0;
}

static int set_priority(struct drm_file *file, struct drm_context *context,
	struct drm_i915_gem_context_param *param)
{
	int64_t priority = (int64_t)param->value;

	(void)file;
	if (param->size || priority > I915_CONTEXT_MAX_USER_PRIORITY ||
		priority < I915_CONTEXT_MIN_USER_PRIORITY)
		return -EINVAL;
	if (priority > I915_CONTEXT_DEFAULT_PRIORITY)
		return -EPERM;
	context->priority = (int32_t)priority;
	return 0;
}

/* The parameters that are a bool of the context. */
static const struct flag {
	uint64_t param;
	size_t offset;
} flags[] = {
	{ I915_CONTEXT_PARAM_NO_ERROR_CAPTURE, offsetof(struct drm_context, no_error_capture) },
	{ I915_CONTEXT_PARAM_BANNABLE, offsetof(struct drm_context, bannable) },
	{ I915_CONTEXT_PARAM_RECOVERABLE, offsetof(struct drm_context, recoverable) },
	{ I915_CONTEXT_PARAM_PERSISTENCE, offsetof(struct drm_context, persistent) },
};

static bool *flag_of(struct drm_context *context, uint64_t param)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(flags); i++) {
		if (flags[i].param == param)
			return (bool *)((char *)context + flags[i].offset);
	}
	return NULL;
}

static int get_flag(struct drm_file *file, struct drm_context *context,
	struct drm_i915_gem_context_param *param)
{
	(void)file;
	param->size = 0;
	param->value = *flag_of(context, param->param);
	return 0;
}

static int set_flag(struct drm_file *file, struct drm_context *context,
	struct drm_i915_gem_context_param *param)
{
	(void)file;
	if (param->size)
		return -EINVAL;
	*flag_of(context, param->param) = param->value != 0;
	return 0;
}

static const struct {
	uint64_t param;
	param_fn *get, *set;
} rows[] = {
	{ I915_CONTEXT_PARAM_GTT_SIZE, get_gtt_size, NULL },
	{ I915_CONTEXT_PARAM_NO_ERROR_CAPTURE, get_flag, set_flag },
	{ I915_CONTEXT_PARAM_BANNABLE, get_flag, set_flag },
	{ I915_CONTEXT_PARAM_PRIORITY, get_priority, set_priority },
	{ I915_CONTEXT_PARAM_SSEU, get_sseu, NULL },
	{ I915_CONTEXT_PARAM_RECOVERABLE, get_flag, set_flag },
	{ I915_CONTEXT_PARAM_VM, get_vm, set_vm },
	{ I915_CONTEXT_PARAM_ENGINES, NULL, set_engines },
	{ I915_CONTEXT_PARAM_PERSISTENCE, get_flag, set_flag },
};

static param_fn *find(uint64_t param, bool set)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
		if (rows[i].param == param)
			return set ? rows[i].set : rows[i].get;
	}
	return NULL;
}

int i915_context_set(struct drm_file *file, struct drm_context *context,
	struct drm_i915_gem_context_param *param)
{
	param_fn *set = find(param->param, true);

	if (!set) {
		util_log(UTIL_LOG_DEBUG, "i915", "CONTEXT_SETPARAM 0x%llx: not known",
			(unsigned long long)param->param);
		return -EINVAL;
	}
	return set(file, context, param);
}

int i915_context_getparam_ioctl(struct drm_file *file, void *data)
{
	struct drm_i915_gem_context_param *param = data;
	struct drm_context *context;
	param_fn *get = find(param->param, false);
	int rc = i915_context_find(file, param->ctx_id, &context);

	if (rc)
		return rc;
	if (!get) {
		util_log(UTIL_LOG_DEBUG, "i915", "CONTEXT_GETPARAM 0x%llx: not known",
			(unsigned long long)param->param);
		return -EINVAL;
	}
	return get(file, context, param);
}

int i915_context_setparam_ioctl(struct drm_file *file, void *data)
{
	struct drm_i915_gem_context_param *param = data;
	struct drm_context *context;
	int rc = i915_context_find(file, param->ctx_id, &context);

	return rc ? rc : i915_context_set(file, context, param);
}
