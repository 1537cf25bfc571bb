// SPDX-License-Identifier: MIT
#include "i915/schedule/i915_context.h"

#include <errno.h>
#include <libdrm/i915_drm.h>
#include <stdlib.h>
#include <time.h>

#include "i915/node/i915_handlers.h"
#include "i915/object/i915_user.h"
#include "util/util_bits.h"

static int context_create(struct i915_file *file, struct i915_context **out)
{
	/* In the order of I915_EXEC_DEFAULT, RENDER, BSD, BLT, VEBOX. */
	static const uint8_t legacy[] = { I915_RCS0, I915_RCS0, I915_VCS0, I915_BCS0, I915_VECS0 };
	struct i915_context *context = calloc(1, sizeof *context);

	if (!context)
		return -ENOMEM;
	*context = (struct i915_context){
		.device = file->device,
		.file = file,
		.refs = 1,
		.vm = i915_vm_create(file->device),
		.persistent = true,
		.recoverable = true,
		.bannable = true,
		.legacy_engines = true,
		.engine_count = UTIL_ARRAY_SIZE(legacy),
		.next = file->all_contexts,
	};
	if (!context->vm) {
		free(context);
		return -ENOMEM;
	}
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(legacy); i++)
		context->engines[i] = legacy[i];
	file->all_contexts = context;
	*out = context;
	return 0;
}

struct i915_context *i915_context_get(struct i915_context *context)
{
	context->refs++;
	return context;
}

void i915_context_put(struct i915_context *context)
{
	struct i915_context **link;

	if (!context || --context->refs)
		return;
	if (context->file) {
		link = &context->file->all_contexts;
		while (*link != context)
			link = &(*link)->next;
		*link = context->next;
	}
	for (unsigned i = 0; i < I915_CONTEXT_ENGINES; i++)
		i915_ring_destroy(context->rings[i]);
	i915_vm_put(context->vm);
	free(context);
}

int i915_context_find(struct i915_file *file, uint64_t id, struct i915_context **out)
{
	if (id == 0 && !file->context) {
		int rc = context_create(file, &file->context);
		if (rc)
			return rc;
	}
	*out = id ? i915_ids_find(&file->contexts, id) : file->context;
	return *out ? 0 : -ENOENT;
}

int i915_context_ring(struct i915_context *context, uint64_t exec_flags, struct i915_ring **out)
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
			engine = I915_VCS2;
			index = I915_CONTEXT_ENGINES - 1;
		}
	}
	if (engine == I915_NO_ENGINE)
		return -EINVAL;
	if (context->legacy_engines && index == I915_EXEC_DEFAULT)
		index = I915_EXEC_RENDER; /* one ring under two numbers */
	if (!context->rings[index]) {
		int rc = i915_ring_create(context->device, engine, &context->rings[index]);
		if (rc)
			return rc;
		context->used = true;
	}
	*out = context->rings[index];
	return 0;
}

static void kill_rings(struct i915_context *context)
{
	i915_context_get(context);
	for (unsigned i = 0; i < I915_CONTEXT_ENGINES; i++) {
		if (context->rings[i])
			i915_ring_kill(context->rings[i]);
	}
	i915_context_put(context);
}

/* Whether a fault keeps it from ever going on by itself. */
static bool is_stopped(const struct i915_context *context)
{
	for (unsigned i = 0; i < I915_CONTEXT_ENGINES; i++) {
		if (context->rings[i] && context->rings[i]->timeline->stopped)
			return true;
	}
	return false;
}

static bool any_running(const struct i915_context *first)
{
	for (const struct i915_context *context = first; context; context = context->next) {
		for (unsigned i = 0; i < I915_CONTEXT_ENGINES; i++) {
			if (context->rings[i] && context->rings[i]->killed &&
				context->rings[i]->running)
				return true;
		}
	}
	return false;
}

/*
 * The memory that a killed batch uses may belong to the caller, who may free it next: give the
 * EU threads the time to notice.
 */
static void wait_killed(struct i915_file *file)
{
	enum { SECONDS = 2 };
	struct i915_device *device = file->device;
	struct timespec until;
	int rc = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += SECONDS;
	device->waiters++;
	while (rc == 0 && any_running(file->all_contexts))
		rc = pthread_cond_timedwait(&device->progress, &device->lock, &until);
	device->waiters--;
}

void i915_context_close_file(struct i915_file *file)
{
	struct i915_context *context;

	for (uint32_t id = 1; id <= file->contexts.count; id++)
		i915_context_put(i915_ids_remove(&file->contexts, id));
	i915_context_put(file->context);
	file->context = NULL;
	for (context = file->all_contexts; context;) {
		struct i915_context *next = context->next;
		kill_rings(context);
		context = next;
	}
	wait_killed(file);
	while ((context = file->all_contexts)) {
		file->all_contexts = context->next;
		context->file = NULL;
		context->next = NULL;
	}
}

/* I915_CONTEXT_CREATE_EXT_SETPARAM; the only extension that is left in the kernel. */
static int create_extension(
	struct i915_file *file, struct i915_context *context, uint64_t user, uint64_t *next)
{
	struct drm_i915_gem_context_create_ext_setparam extension;
	struct i915_user_extension *base = &extension.base;
	int rc = i915_user_read(base, user, sizeof *base);

	if (rc)
		return rc;
	if (base->flags || base->rsvd[0] || base->rsvd[1] || base->rsvd[2] || base->rsvd[3] ||
		base->name != I915_CONTEXT_CREATE_EXT_SETPARAM)
		return -EINVAL;
	rc = i915_user_read(&extension, user, sizeof extension);
	if (rc)
		return rc;
	*next = extension.base.next_extension;
	if (extension.param.ctx_id)
		return -EINVAL;
	return i915_context_set(file, context, &extension.param);
}

int i915_context_create_ioctl(struct i915_file *file, void *data)
{
	enum { MOST_EXTENSIONS = 512 };
	struct drm_i915_gem_context_create_ext *create = data;
	struct i915_context *context;
	uint64_t next =
		create->flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS ? create->extensions : 0;
	int rc;

	if (create->flags & I915_CONTEXT_CREATE_FLAGS_UNKNOWN)
		return -EINVAL;
	rc = context_create(file, &context);
	if (rc)
		return rc;
	for (unsigned i = 0; next && rc == 0; i++)
		rc = i < MOST_EXTENSIONS ? create_extension(file, context, next, &next) : -E2BIG;
	if (rc == 0) {
		context->id = i915_ids_add(&file->contexts, context);
		rc = context->id ? 0 : -ENOMEM;
	}
	if (rc)
		i915_context_put(context);
	else
		create->ctx_id = context->id;
	return rc;
}

int i915_context_destroy_ioctl(struct i915_file *file, void *data)
{
	struct drm_i915_gem_context_destroy *destroy = data;
	struct i915_context *context;

	if (destroy->pad)
		return -EINVAL;
	if (!destroy->ctx_id)
		return -ENOENT;
	context = i915_ids_remove(&file->contexts, destroy->ctx_id);
	if (!context)
		return -ENOENT;
	if (!context->persistent || is_stopped(context)) {
		kill_rings(context);
		wait_killed(file);
	}
	i915_context_put(context);
	return 0;
}

int i915_reset_stats_ioctl(struct i915_file *file, void *data)
{
	struct drm_i915_reset_stats *stats = data;
	struct i915_context *context;
	int rc;

	if (stats->flags || stats->pad)
		return -EINVAL;
	rc = i915_context_find(file, stats->ctx_id, &context);
	if (rc)
		return rc;
	stats->reset_count = file->device->reset_count;
	stats->batch_active = 0;
	stats->batch_pending = 0;
	for (unsigned i = 0; i < I915_CONTEXT_ENGINES; i++) {
		if (context->rings[i])
			stats->batch_active += context->rings[i]->faults;
	}
	return 0;
}

int i915_vm_create_ioctl(struct i915_file *file, void *data)
{
	struct drm_i915_gem_vm_control *control = data;
	struct i915_vm *vm;

	if (control->flags || control->extensions)
		return -EINVAL;
	vm = i915_vm_create(file->device);
	if (!vm)
		return -ENOMEM;
	control->vm_id = i915_ids_add(&file->spaces, vm);
	if (!control->vm_id) {
		i915_vm_put(vm);
		return -ENOMEM;
	}
	return 0;
}

int i915_vm_destroy_ioctl(struct i915_file *file, void *data)
{
	struct drm_i915_gem_vm_control *control = data;
	struct i915_vm *vm;

	if (control->flags || control->extensions)
		return -EINVAL;
	vm = i915_ids_remove(&file->spaces, control->vm_id);
	if (!vm)
		return -ENOENT;
	i915_vm_put(vm);
	return 0;
}
