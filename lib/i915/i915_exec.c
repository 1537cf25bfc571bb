// SPDX-License-Identifier: MIT
#include <errno.h>
#include <libdrm/i915_drm.h>
#include <stdlib.h>

#include "i915/i915_context.h"
#include "i915/i915_fence.h"
#include "i915/i915_handler.h"
#include "drm/memory/drm_user.h"
#include "drm/schedule/drm_engine.h"
#include "eu/watch/eu_command.h"
#include "util/util_bits.h"
#include "util/util_log.h"

/* EXECBUFFER2: validate, bind, queue. Nothing is executed here. */

enum { FEW_OBJECTS = 64, PAGE_MASK = DRM_PAGE - 1 };

/* One EXECBUFFER2 on its way. */
struct exec {
	struct drm_i915_gem_execbuffer2 *request;
	struct drm_file *file;
	struct drm_context *context;
	struct drm_ring *ring;
	struct drm_i915_gem_exec_object2 *objects;
	struct drm_bo **bos;
	uint64_t *addresses;
	struct drm_batch *batch;
	struct i915_fences fences;
};

static int log_refusal(const char *what)
{
	util_log(UTIL_LOG_DEBUG, "i915", "EXECBUFFER2: %s not implemented", what);
	return -EINVAL;
}

static int check_request(const struct drm_i915_gem_execbuffer2 *request)
{
	const uint64_t known = I915_EXEC_RING_MASK | I915_EXEC_BSD_MASK | I915_EXEC_NO_RELOC |
			       I915_EXEC_HANDLE_LUT | I915_EXEC_BATCH_FIRST | I915_EXEC_FENCE_IN |
			       I915_EXEC_FENCE_OUT;
	const uint64_t lists = request->flags & (I915_EXEC_FENCE_ARRAY | I915_EXEC_USE_EXTENSIONS);

	if (request->flags & I915_EXEC_SECURE)
		return -EPERM;
	if ((request->flags ^ lists) & ~known)
		return log_refusal("a flag (constants, FENCE_SUBMIT) is");
	if (request->buffer_count == 0 || request->buffer_count > UINT32_MAX / 64)
		return -EINVAL;
	if ((request->batch_start_offset | request->batch_len) % 8)
		return -EINVAL;
	if (request->DR1 || (request->DR4 && request->DR4 != UINT32_MAX))
		return -EINVAL;
	if (request->num_cliprects && lists != I915_EXEC_FENCE_ARRAY)
		return -EINVAL;
	if (request->cliprects_ptr && !lists)
		return -EINVAL;
	if (lists == (I915_EXEC_FENCE_ARRAY | I915_EXEC_USE_EXTENSIONS))
		return -EINVAL;
	return 0;
}

/* Canonical: bits 63:48 repeat bit 47. */
static uint64_t canonical(uint64_t address)
{
	return (uint64_t)((int64_t)(address << 16) >> 16);
}

static int check_object(const struct drm_i915_gem_exec_object2 *object, const struct drm_bo *bo)
{
	if (object->flags & __EXEC_OBJECT_UNKNOWN_FLAGS)
		return -EINVAL;
	if (object->alignment & (object->alignment - 1))
		return -EINVAL;
	if (object->relocation_count)
		return log_refusal("relocations are");
	if ((object->flags & EXEC_OBJECT_PAD_TO_SIZE) && object->pad_to_size > bo->size)
		return log_refusal("padding of objects is");
	if (!(object->flags & EXEC_OBJECT_PINNED))
		return 0;
	if (object->offset != canonical(object->offset & ~(uint64_t)PAGE_MASK))
		return -EINVAL;
	if (object->alignment && object->offset % object->alignment)
		return -EINVAL;
	return 0;
}

/* One that is in the list again stays where its first entry placed it. */
static int place_again(
	const struct drm_bo *bo, uint64_t limit, uint64_t alignment, uint64_t *address)
{
	*address = bo->bind_address;
	return *address % alignment || *address + bo->size > limit ? -ENOSPC : 0;
}

static int bind_object(struct exec *exec, uint32_t i, uint64_t serial)
{
	struct drm_i915_gem_exec_object2 *object = &exec->objects[i];
	struct drm_vm *vm = exec->context->vm;
	struct drm_bo *bo = exec->bos[i];
	uint64_t alignment = object->alignment > DRM_PAGE ? object->alignment : DRM_PAGE;
	uint64_t limit = object->flags & EXEC_OBJECT_SUPPORTS_48B_ADDRESS
				 ? DRM_VM_SIZE
				 : (UINT64_C(1) << 32) - DRM_PAGE;
	bool again = bo->bind_serial == serial;
	int rc;

	if (object->flags & EXEC_OBJECT_PINNED) {
		exec->addresses[i] = object->offset & EU_ADDRESS_MASK;
		if (exec->addresses[i] >= limit || bo->size > limit - exec->addresses[i])
			return -EINVAL;
		if (again)
			return exec->addresses[i] == bo->bind_address ? 0 : -EINVAL;
		return drm_vm_bind_at(vm, bo, exec->addresses[i]);
	}
	rc = again ? place_again(bo, limit, alignment, &exec->addresses[i])
		   : drm_vm_bind_any(vm, bo, limit, alignment, &exec->addresses[i]);
	if (rc || object->offset == canonical(exec->addresses[i]))
		return rc;
	object->offset = canonical(exec->addresses[i]);
	return drm_user_write(exec->request->buffers_ptr + i * sizeof(*object) +
				      offsetof(struct drm_i915_gem_exec_object2, offset),
		&object->offset, sizeof(object->offset));
}

/* Looks all objects up, and binds them in the order of the list. */
static int bind_objects(struct exec *exec)
{
	uint64_t serial = ++exec->file->device->bind_serial;
	int rc = 0;

	for (uint32_t i = 0; i < exec->request->buffer_count; i++) {
		exec->bos[i] = drm_ids_find(&exec->file->objects, exec->objects[i].handle);
		if (!exec->bos[i])
			return -ENOENT;
		rc = check_object(&exec->objects[i], exec->bos[i]);
		if (rc)
			return rc;
	}
	for (uint32_t i = 0; i < exec->request->buffer_count && rc == 0; i++) {
		rc = bind_object(exec, i, serial);
		exec->bos[i]->bind_serial = serial;
		exec->bos[i]->bind_address = exec->addresses[i];
	}
	return rc;
}

/* Adds the batches of other rings that use the object and must end first. */
static int add_dependencies(struct exec *exec, const struct drm_bo *bo, uint64_t flags)
{
	struct drm_batch *batch = exec->batch;
	bool write = flags & EXEC_OBJECT_WRITE;
	int rc = 0;

	if (flags & EXEC_OBJECT_ASYNC)
		return 0;
	for (unsigned i = 0; i < bo->use_count && rc == 0; i++) {
		const struct drm_use *use = &bo->uses[i];
		if (use->timeline == exec->ring->timeline || !drm_use_active(use, !write))
			continue;
		rc = drm_points_add(
			&batch->dependencies, use->timeline, write ? use->read : use->written);
	}
	return rc;
}

static int make_batch(struct exec *exec)
{
	const struct drm_i915_gem_execbuffer2 *request = exec->request;
	uint32_t last = request->flags & I915_EXEC_BATCH_FIRST ? 0 : request->buffer_count - 1;
	uint64_t size = exec->bos[last]->size;
	uint64_t number = exec->ring->timeline->submitted + 1;
	int rc = 0;

	if (request->batch_start_offset >= size ||
		request->batch_len > size - request->batch_start_offset)
		return -EINVAL;
	exec->batch = calloc(1, sizeof(*exec->batch));
	if (!exec->batch)
		return -ENOMEM;
	exec->batch->command = eu_command_entered();
	exec->batch->address = exec->addresses[last] + request->batch_start_offset;
	exec->batch->length =
		request->batch_len ? request->batch_len : size - request->batch_start_offset;
	exec->batch->space = drm_vm_snapshot_get(exec->context->vm);
	if (!exec->batch->space)
		return -ENOMEM;
	rc = i915_fences_read(&exec->fences, exec->file, request, &exec->batch->dependencies);
	for (uint32_t i = 0; i < request->buffer_count && rc == 0; i++)
		rc = add_dependencies(exec, exec->bos[i], exec->objects[i].flags);
	if (rc == 0)
		rc = i915_fences_prepare(&exec->fences, exec->file->device, request->flags,
			exec->ring->timeline, number);
	for (uint32_t i = 0; i < request->buffer_count && rc == 0; i++)
		rc = drm_bo_prepare_use(exec->bos[i], exec->ring->timeline);
	/* nothing may fail any more: the object would be used by a batch that never comes */
	for (uint32_t i = 0; i < request->buffer_count && rc == 0; i++)
		drm_bo_use(exec->bos[i], exec->ring->timeline, number,
			exec->objects[i].flags & EXEC_OBJECT_WRITE);
	return rc;
}

static int submit(struct exec *exec)
{
	struct drm_i915_gem_execbuffer2 *request = exec->request;
	uint64_t id = request->rsvd1 & I915_EXEC_CONTEXT_ID_MASK;
	int rc = i915_context_find(exec->file, id, &exec->context);

	if (rc == 0)
		rc = i915_context_ring(exec->context, request->flags, &exec->ring);
	if (rc == 0)
		rc = drm_user_read(exec->objects, request->buffers_ptr,
			request->buffer_count * sizeof(*exec->objects));
	if (rc == 0)
		rc = bind_objects(exec);
	if (rc == 0)
		rc = make_batch(exec);
	if (rc) {
		drm_batch_free(exec->batch);
	} else {
		drm_engine_submit(exec->ring, exec->batch);
		i915_fences_commit(&exec->fences, exec->file->device, request);
	}
	i915_fences_finish(&exec->fences);
	return rc;
}

int i915_execbuffer2(struct drm_file *file, void *data)
{
	struct drm_i915_gem_exec_object2 objects[FEW_OBJECTS];
	struct drm_bo *bos[FEW_OBJECTS];
	uint64_t addresses[FEW_OBJECTS];
	struct exec exec = { .request = data, .file = file, .fences.out_fd = -1 };
	uint32_t count = exec.request->buffer_count;
	int rc = check_request(exec.request);

	if (rc)
		return rc;
	/* the most that the kernel allocates for it */
	if (count > INT32_MAX / sizeof(*objects))
		return -ENOMEM;
	if (count <= FEW_OBJECTS) {
		exec.objects = objects;
		exec.bos = bos;
		exec.addresses = addresses;
		return submit(&exec);
	}
	exec.objects = calloc(count, sizeof(*objects));
	exec.bos = calloc(count, sizeof(*bos));
	exec.addresses = calloc(count, sizeof(*addresses));
	rc = exec.objects && exec.bos && exec.addresses ? submit(&exec) : -ENOMEM;
	free(exec.objects);
	free(exec.bos);
	free(exec.addresses);
	return rc;
}
