// SPDX-License-Identifier: MIT
#include <errno.h>
#include <libdrm/i915_drm.h>
#include <stdlib.h>
#include <string.h>

#include "i915/i915_context.h"
#include "i915/i915_handler.h"
#include "drm/memory/drm_user.h"
#include "util/util_bits.h"
#include "util/util_log.h"

/* CONTEXT_GETPARAM and CONTEXT_SETPARAM. */

typedef int param_fn(struct drm_context *context, struct drm_i915_gem_context_param *param);

static int get_gtt_size(struct drm_context *context, struct drm_i915_gem_context_param *param)
{
	(void)context;
	param->size = 0;
	param->value = DRM_VM_SIZE;
	return 0;
}

static int get_vm(struct drm_context *context, struct drm_i915_gem_context_param *param)
{
	uint32_t id = drm_ids_add(&context->file->spaces, context->vm);

	if (!id)
		return -ENOMEM;
	drm_vm_get(context->vm);
	param->size = 0;
	param->value = id;
	return 0;
}

static int set_vm(struct drm_context *context, struct drm_i915_gem_context_param *param)
{
	struct drm_vm *vm = drm_ids_find(&context->file->spaces, param->value);

	if (param->size || param->value >> 32 || context->used)
		return -EINVAL;
	if (!vm)
		return -ENOENT;
	drm_vm_get(vm);
	drm_vm_put(context->vm);
	context->vm = vm;
	return 0;
}

static int find_engine(const struct drm_device *device,
	const struct i915_engine_class_instance *wanted, uint8_t *out)
{
	if (wanted->engine_class == (uint16_t)I915_ENGINE_CLASS_INVALID &&
		wanted->engine_instance == (uint16_t)I915_ENGINE_CLASS_INVALID_NONE) {
		*out = DRM_NO_ENGINE;
		return 0;
	}
	for (uint8_t i = 0; i < GEN_ENGINES; i++) {
		const struct drm_engine *engine = &device->engines[i];
		if (engine->exists && engine->class == wanted->engine_class &&
			engine->instance == wanted->engine_instance) {
			*out = i;
			return 0;
		}
	}
	return -ENOENT;
}

/* An engine map on its way. */
struct engine_map {
	const struct drm_device *device;
	uint8_t *engines;
	unsigned count;
};

/*
 * LOAD_BALANCE: an index without an engine stands for whichever of some engines of one class is
 * free. Here it is the first of them, which a program cannot tell from one that always is.
 */
static int balance(void *self, uint64_t user)
{
	const struct engine_map *map = self;
	const struct drm_device *device = map->device;
	struct i915_context_engines_load_balance extension;
	struct i915_engine_class_instance wanted;
	uint8_t engine, *first;
	int rc = drm_user_read(&extension, user, sizeof(extension));

	if (rc)
		return rc;
	if (extension.engine_index >= map->count || extension.flags || extension.mbz64)
		return -EINVAL;
	first = &map->engines[extension.engine_index];
	if (*first != DRM_NO_ENGINE)
		return -EEXIST;
	for (unsigned i = 0; i < extension.num_siblings; i++) {
		rc = drm_user_read(
			&wanted, user + sizeof(extension) + i * sizeof(wanted), sizeof(wanted));
		if (rc)
			return rc;
		if (find_engine(device, &wanted, &engine) || engine == DRM_NO_ENGINE)
			return -EINVAL;
		if (*first == DRM_NO_ENGINE)
			*first = engine;
		if (device->engines[*first].class != device->engines[engine].class)
			return -EINVAL;
	}
	return 0;
}

/* BOND is for FENCE_SUBMIT, PARALLEL_SUBMIT for firmware that schedules; neither is there. */
static int refuse(void *self, uint64_t user)
{
	(void)self, (void)user;
	return -ENODEV;
}

static i915_extension_fn *const map_extensions[] = {
	[I915_CONTEXT_ENGINES_EXT_LOAD_BALANCE] = balance,
	[I915_CONTEXT_ENGINES_EXT_BOND] = refuse,
	[I915_CONTEXT_ENGINES_EXT_PARALLEL_SUBMIT] = refuse,
};

static int set_engines(struct drm_context *context, struct drm_i915_gem_context_param *param)
{
	I915_DEFINE_CONTEXT_PARAM_ENGINES(map, DRM_CONTEXT_ENGINES);
	uint8_t engines[DRM_CONTEXT_ENGINES];
	unsigned count =
		(unsigned)((param->size - sizeof(map.extensions)) / sizeof(map.engines[0]));
	struct engine_map result = { context->file->device, engines, count };
	int rc;

	if (context->used || param->size < sizeof(map.extensions) || param->size > sizeof(map) ||
		(param->size - sizeof(map.extensions)) % sizeof(map.engines[0]))
		return -EINVAL;
	rc = drm_user_read(&map, param->value, param->size);
	if (rc)
		return rc;
	for (unsigned i = 0; i < count; i++) {
		struct i915_engine_class_instance wanted = map.engines[i]; /* packed there */
		rc = find_engine(result.device, &wanted, &engines[i]);
		if (rc)
			return rc;
	}
	rc = i915_extensions_read(
		map.extensions, map_extensions, UTIL_ARRAY_SIZE(map_extensions), &result);
	if (rc)
		return rc;
	memcpy(context->engines, engines, count);
	context->engine_count = count;
	context->legacy_engines = false;
	return 0;
}

/* How many slices, subslices and EUs the context uses: all, always. */
static int get_sseu(struct drm_context *context, struct drm_i915_gem_context_param *param)
{
	const struct gen_device *gen = context->file->device->gen;
	struct drm_i915_gem_context_param_sseu sseu;
	int rc;

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
	sseu.subslice_mask = (UINT64_C(1) << gen->subslices / gen->slices) - 1;
	sseu.min_eus_per_subslice = gen->eus_per_subslice;
	sseu.max_eus_per_subslice = gen->eus_per_subslice;
	param->size = sizeof(sseu);
	return drm_user_write(param->value, &sseu, sizeof(sseu));
}

/* No memory is protected, and none can be. */
static int get_protected(struct drm_context *context, struct drm_i915_gem_context_param *param)
{
	(void)context;
	param->size = 0;
	param->value = 0;
	return 0;
}

static int set_protected(struct drm_context *context, struct drm_i915_gem_context_param *param)
{
	(void)context;
	if (param->size)
		return -EINVAL;
	return param->value ? -ENODEV : 0;
}

static int get_priority(struct drm_context *context, struct drm_i915_gem_context_param *param)
{
	param->size = 0;
	param->value = (uint64_t)(int64_t)context->priority;
	return 0;
}

static int set_priority(struct drm_context *context, struct drm_i915_gem_context_param *param)
{
	int64_t priority = (int64_t)param->value;

	if (param->size || priority > I915_CONTEXT_MAX_USER_PRIORITY ||
		priority < I915_CONTEXT_MIN_USER_PRIORITY)
		return -EINVAL;
	if (priority > I915_CONTEXT_DEFAULT_PRIORITY)
		return -EPERM;
	context->priority = (int32_t)priority;
	return 0;
}

/* A row has functions, or is a bool of the context. */
static const struct row {
	uint64_t param;
	param_fn *get, *set;
	size_t flag; /* its offset; 0: none */
} rows[] = {
#define FLAG(member) NULL, NULL, offsetof(struct drm_context, member)
	{ I915_CONTEXT_PARAM_GTT_SIZE, get_gtt_size, NULL, 0 },
	{ I915_CONTEXT_PARAM_NO_ERROR_CAPTURE, FLAG(no_error_capture) },
	{ I915_CONTEXT_PARAM_BANNABLE, FLAG(bannable) },
	{ I915_CONTEXT_PARAM_PRIORITY, get_priority, set_priority, 0 },
	{ I915_CONTEXT_PARAM_SSEU, get_sseu, NULL, 0 },
	{ I915_CONTEXT_PARAM_RECOVERABLE, FLAG(recoverable) },
	{ I915_CONTEXT_PARAM_VM, get_vm, set_vm, 0 },
	{ I915_CONTEXT_PARAM_ENGINES, NULL, set_engines, 0 },
	{ I915_CONTEXT_PARAM_PERSISTENCE, FLAG(persistent) },
	{ I915_CONTEXT_PARAM_PROTECTED_CONTENT, get_protected, set_protected, 0 },
};

static int access_param(
	struct drm_context *context, struct drm_i915_gem_context_param *param, bool set)
{
	const struct row *row = rows, *end = rows + UTIL_ARRAY_SIZE(rows);
	bool *flag;

	while (row < end && row->param != param->param)
		row++;
	if (row < end && (set ? row->set : row->get))
		return (set ? row->set : row->get)(context, param);
	if (row == end || !row->flag) {
		util_log(UTIL_LOG_DEBUG, "i915", "CONTEXT_%sETPARAM 0x%llx: not known",
			set ? "S" : "G", (unsigned long long)param->param);
		return -EINVAL;
	}
	if (set && param->size)
		return -EINVAL;
	flag = (bool *)((char *)context + row->flag);
	param->size = 0;
	if (set)
		*flag = param->value != 0;
	else
		param->value = *flag;
	return 0;
}

int i915_context_set(struct drm_context *context, struct drm_i915_gem_context_param *param)
{
	return access_param(context, param, true);
}

static int access_by_id(struct drm_file *file, void *data, bool set)
{
	struct drm_i915_gem_context_param *param = data;
	struct drm_context *context;
	int rc = i915_context_find(file, param->ctx_id, &context);

	return rc ? rc : access_param(context, param, set);
}

int i915_context_getparam(struct drm_file *file, void *data)
{
	return access_by_id(file, data, false);
}

int i915_context_setparam(struct drm_file *file, void *data)
{
	return access_by_id(file, data, true);
}
