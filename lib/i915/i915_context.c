// SPDX-License-Identifier: MIT
#include "i915/i915_context.h"

#include <errno.h>
#include <libdrm/i915_drm.h>

#include "drm/memory/drm_user.h"
#include "i915/i915_handler.h"
#include "util/util_bits.h"

/* CONTEXT_CREATE and CONTEXT_DESTROY, GET_RESET_STATS, VM_CREATE and VM_DESTROY. */

_Static_assert((int)DRM_CLASS_RENDER == I915_ENGINE_CLASS_RENDER &&
		       (int)DRM_CLASS_COPY == I915_ENGINE_CLASS_COPY &&
		       (int)DRM_CLASS_VIDEO == I915_ENGINE_CLASS_VIDEO &&
		       (int)DRM_CLASS_VIDEO_ENHANCE == I915_ENGINE_CLASS_VIDEO_ENHANCE,
	"classes have the same numbers");

/* A context whose engines are I915_EXEC_DEFAULT, RENDER, BSD, BLT, VEBOX. NULL: no memory. */
static struct drm_context *create_legacy(struct drm_file *file)
{
	static const uint8_t legacy[] = { GEN_ENGINE_RCS0, GEN_ENGINE_RCS0, GEN_ENGINE_VCS0,
		GEN_ENGINE_BCS0, GEN_ENGINE_VECS0 };
	struct drm_context *context = drm_context_create(file);

	if (!context)
		return NULL;
	context->legacy_engines = true;
	context->engine_count = UTIL_ARRAY_SIZE(legacy);
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(legacy); i++)
		context->engines[i] = legacy[i];
	return context;
}

int i915_context_find(struct drm_file *file, uint64_t id, struct drm_context **out)
{
	if (id == 0 && !file->context) {
		file->context = create_legacy(file);
		if (!file->context)
			return -ENOMEM;
	}
	*out = id ? drm_ids_find(&file->contexts, id) : file->context;
	return *out ? 0 : -ENOENT;
}

int i915_context_ring(struct drm_context *context, uint64_t exec_flags, struct drm_ring **out)
{
	unsigned index = exec_flags & I915_EXEC_RING_MASK;
	uint8_t engine;

	if (index >= context->engine_count)
		return -EINVAL;
	engine = context->engines[index];
	if (exec_flags & I915_EXEC_BSD_MASK) {
		if (!context->legacy_engines || index != I915_EXEC_BSD)
			return -EINVAL;
		if ((exec_flags & I915_EXEC_BSD_MASK) == I915_EXEC_BSD_RING2) {
			engine = GEN_ENGINE_VCS2;
			index = DRM_CONTEXT_ENGINES - 1;
		}
	}
	if (engine == DRM_NO_ENGINE || !context->file->device->engines[engine].exists)
		return -EINVAL;
	if (context->legacy_engines && index == I915_EXEC_DEFAULT)
		index = I915_EXEC_RENDER; /* one ring under two numbers */
	return drm_context_ring(context, index, engine, out);
}

static int create_setparam(void *context, uint64_t user)
{
	struct drm_i915_gem_context_create_ext_setparam extension;
	int rc = drm_user_read(&extension, user, sizeof(extension));

	if (rc)
		return rc;
	return extension.param.ctx_id ? -EINVAL : i915_context_set(context, &extension.param);
}

/* The only extension that is left in the kernel. */
static i915_extension_fn *const create_extensions[] = {
	[I915_CONTEXT_CREATE_EXT_SETPARAM] = create_setparam,
};

int i915_context_create(struct drm_file *file, void *data)
{
	struct drm_i915_gem_context_create_ext *create = data;
	struct drm_context *context;
	uint64_t next =
		create->flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS ? create->extensions : 0;
	int rc;

	if (create->flags & I915_CONTEXT_CREATE_FLAGS_UNKNOWN)
		return -EINVAL;
	context = create_legacy(file);
	if (!context)
		return -ENOMEM;
	rc = i915_extensions_read(
		next, create_extensions, UTIL_ARRAY_SIZE(create_extensions), context);
	if (rc == 0) {
		context->id = drm_ids_add(&file->contexts, context);
		rc = context->id ? 0 : -ENOMEM;
	}
	if (rc)
		drm_context_destroy(context);
	else
		create->ctx_id = context->id;
	return rc;
}

int i915_context_destroy(struct drm_file *file, void *data)
{
	struct drm_i915_gem_context_destroy *destroy = data;
	struct drm_context *context;

	if (destroy->pad)
		return -EINVAL;
	if (!destroy->ctx_id)
		return -ENOENT;
	context = drm_ids_remove(&file->contexts, destroy->ctx_id);
	if (!context)
		return -ENOENT;
	drm_context_destroy(context);
	return 0;
}

int i915_reset_stats(struct drm_file *file, void *data)
{
	struct drm_i915_reset_stats *stats = data;
	struct drm_context *context;
	int rc;

	if (stats->flags || stats->pad)
		return -EINVAL;
	rc = i915_context_find(file, stats->ctx_id, &context);
	if (rc)
		return rc;
	stats->reset_count = file->device->reset_count;
	stats->batch_active = drm_context_faults(context);
	stats->batch_pending = 0;
	return 0;
}

int i915_vm_create(struct drm_file *file, void *data)
{
	struct drm_i915_gem_vm_control *control = data;
	struct drm_vm *vm;

	if (control->flags || control->extensions)
		return -EINVAL;
	vm = drm_vm_create(file->device);
	if (!vm)
		return -ENOMEM;
	control->vm_id = drm_ids_add(&file->spaces, vm);
	if (!control->vm_id) {
		drm_vm_put(vm);
		return -ENOMEM;
	}
	return 0;
}

int i915_vm_destroy(struct drm_file *file, void *data)
{
	struct drm_i915_gem_vm_control *control = data;
	struct drm_vm *vm;

	if (control->flags || control->extensions)
		return -EINVAL;
	vm = drm_ids_remove(&file->spaces, control->vm_id);
	if (!vm)
		return -ENOENT;
	drm_vm_put(vm);
	return 0;
}
