// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <libdrm/i915_drm.h>
#include <sys/mman.h>

#include "drm/memory/drm_bo.h"
#include "drm/schedule/drm_context.h"
#include "i915/i915_handler.h"
#include "i915/i915_ioctl.h"
#include "i915/i915_region.h"
#include "drm/memory/drm_user.h"
#include "util/util_bits.h"
#include "util/util_log.h"

/* The GEM ioctls: objects and their handles, mappings, waiting. */

enum { OFFSET_SHIFT = 40 }; /* a mapping's offset is its handle << this: objects are smaller */

/* Makes a handle, which takes the caller's reference; drops that when it fails. */
static int add_handle(struct drm_file *file, struct drm_bo *bo, uint32_t *handle)
{
	uint32_t id = drm_ids_add(&file->objects, bo);

	if (!id) {
		drm_bo_put(bo);
		return -ENOMEM;
	}
	bo->handles++;
	*handle = id;
	return 0;
}

static int create(struct drm_file *file, __u64 *size, __u32 *handle)
{
	uint64_t bytes = util_align_up(*size, DRM_PAGE);
	struct drm_bo *bo;
	int rc;

	if (bytes == 0)
		return -EINVAL;
	if (bytes >> OFFSET_SHIFT)
		return -E2BIG;
	rc = drm_bo_create(file->device, bytes, &bo);
	if (rc)
		return rc;
	*size = bytes;
	return add_handle(file, bo, handle);
}

int i915_gem_create(struct drm_file *file, void *data)
{
	struct drm_i915_gem_create *request = data;

	return create(file, &request->size, &request->handle);
}

int i915_gem_create_ext(struct drm_file *file, void *data)
{
	static i915_extension_fn *const extensions[] = {
		[I915_GEM_CREATE_EXT_MEMORY_REGIONS] = i915_regions_read,
	};
	struct drm_i915_gem_create_ext *request = data;
	struct i915_regions regions = { file->device, true };
	int rc;

	/* Only memory that can also be the host's may be asked to be within the host's reach. */
	if (request->flags & ~(uint32_t)I915_GEM_CREATE_EXT_FLAG_NEEDS_CPU_ACCESS)
		return -EINVAL;
	rc = i915_extensions_read(
		request->extensions, extensions, UTIL_ARRAY_SIZE(extensions), &regions);
	if (rc)
		return rc;
	if (request->flags && (!file->device->gen->local_memory_bytes || !regions.system))
		return -EINVAL;
	return create(file, &request->size, &request->handle);
}

int i915_gem_userptr(struct drm_file *file, void *data)
{
	struct drm_i915_gem_userptr *request = data;
	struct drm_bo *bo;
	int rc;

	if (request->flags & ~(uint32_t)(I915_USERPTR_READ_ONLY | I915_USERPTR_PROBE |
					 I915_USERPTR_UNSYNCHRONIZED))
		return -EINVAL;
	if (request->user_size == 0 || (request->user_ptr | request->user_size) % DRM_PAGE)
		return -EINVAL;
	if (request->user_size > DRM_VM_SIZE - 1)
		return -E2BIG;
	if (request->user_ptr == 0 || request->user_ptr + request->user_size < request->user_ptr)
		return -EFAULT;
	/* The device's page tables have no read-only pages. */
	if (request->flags & (I915_USERPTR_READ_ONLY | I915_USERPTR_UNSYNCHRONIZED))
		return -ENODEV;
	if (request->flags & I915_USERPTR_PROBE) {
		rc = drm_user_pin(request->user_ptr, request->user_size, false);
		if (rc)
			return rc;
	}
	rc = drm_bo_create_userptr(file->device, request->user_ptr, request->user_size, &bo);
	return rc ? rc : add_handle(file, bo, &request->handle);
}

/* Unbinds the object wherever this file's contexts can see it. */
static void unbind_all(struct drm_file *file, struct drm_bo *bo)
{
	for (uint32_t i = 0; i < file->spaces.count && bo->bindings; i++) {
		if (file->spaces.slots[i])
			drm_vm_unbind(file->spaces.slots[i], bo);
	}
	for (uint32_t i = 0; i < file->contexts.count && bo->bindings; i++) {
		const struct drm_context *context = file->contexts.slots[i];
		if (context)
			drm_vm_unbind(context->vm, bo);
	}
	if (file->context)
		drm_vm_unbind(file->context->vm, bo);
}

int i915_gem_close(struct drm_file *file, void *data)
{
	const struct drm_gem_close *request = data;
	struct drm_bo *bo = drm_ids_remove(&file->objects, request->handle);

	if (!bo)
		return -EINVAL;
	unbind_all(file, bo);
	bo->handles--;
	drm_bo_put(bo);
	return 0;
}

int i915_prime_export(struct drm_bo *bo, void *data)
{
	struct drm_prime_handle *request = data;
	int fd;

	if (request->flags & ~(uint32_t)(DRM_CLOEXEC | DRM_RDWR))
		return -EINVAL;
	fd = drm_bo_export(bo, request->flags & DRM_CLOEXEC);
	if (fd < 0)
		return fd;
	request->fd = fd;
	return 0;
}

int i915_prime_import(struct drm_file *file, void *data)
{
	struct drm_prime_handle *request = data;
	struct drm_bo *bo;
	int rc = drm_bo_import(file->device, request->fd, &bo);

	if (rc)
		return rc;
	for (uint32_t i = 0; bo->handles && i < file->objects.count; i++) {
		if (file->objects.slots[i] == bo) {
			drm_bo_put(bo);
			request->handle = i + 1;
			return 0;
		}
	}
	return add_handle(file, bo, &request->handle);
}

int i915_gem_mmap_offset(struct drm_bo *bo, void *data)
{
	struct drm_i915_gem_mmap_offset *request = data;

	if (request->extensions)
		return -EINVAL;
	if (request->flags > I915_MMAP_OFFSET_FIXED)
		return -EINVAL;
	/* Devices with memory of their own choose the caching themselves. */
	if ((request->flags == I915_MMAP_OFFSET_FIXED) !=
		(bo->device->gen->local_memory_bytes != 0))
		return -ENODEV;
	/* A view through the aperture would be linear where the object is tiled; we have none. */
	if (bo->userptr || (request->flags == I915_MMAP_OFFSET_GTT && bo->tiling))
		return -ENODEV;
	request->offset = (uint64_t)request->handle << OFFSET_SHIFT;
	return 0;
}

intptr_t i915_mmap(struct drm_file *file, void *address, size_t length, int protection, int flags,
	uint64_t offset)
{
	intptr_t result = -EINVAL;
	struct drm_bo *bo;

	pthread_mutex_lock(&file->device->lock);
	bo = drm_ids_find(&file->objects, offset >> OFFSET_SHIFT);
	if (file->dead)
		result = -ENODEV;
	else if (bo && !bo->userptr && offset % (UINT64_C(1) << OFFSET_SHIFT) == 0)
		result = drm_bo_map(bo, 0, address, length, protection, flags);
	drm_device_unlock(file->device);
	return result;
}

int i915_gem_mmap(struct drm_bo *bo, void *data)
{
	struct drm_i915_gem_mmap *request = data;
	intptr_t mapped;

	if (request->flags & ~(uint64_t)I915_MMAP_WC)
		return -EINVAL;
	if (bo->userptr)
		return -ENXIO;
	mapped = drm_bo_map(
		bo, request->offset, NULL, request->size, PROT_READ | PROT_WRITE, MAP_SHARED);
	if (mapped < 0)
		return (int)mapped;
	request->addr_ptr = (uint64_t)mapped;
	return 0;
}

/* Waits with a reference, because another thread may close the handle meanwhile. */
static int wait_idle(struct drm_bo *bo, int64_t nanoseconds, int64_t *left)
{
	int64_t unused;
	int rc;

	drm_bo_get(bo);
	rc = drm_bo_wait(bo, nanoseconds, left ? left : &unused);
	drm_bo_put(bo);
	return rc;
}

int i915_gem_wait(struct drm_bo *bo, void *data)
{
	struct drm_i915_gem_wait *request = data;
	int64_t left = request->timeout_ns;
	int rc;

	if (request->flags)
		return -EINVAL;
	rc = wait_idle(bo, request->timeout_ns, &left);
	request->timeout_ns = left;
	return rc;
}

/* Bits 31:16: classes that read it; 15:0: the class that writes it, plus 1. */
int i915_gem_busy(struct drm_bo *bo, void *data)
{
	struct drm_i915_gem_busy *request = data;

	request->busy = 0;
	for (unsigned i = 0; i < bo->use_count; i++) {
		const struct drm_use *use = &bo->uses[i];
		if (drm_use_active(use, false))
			request->busy |= UINT32_C(0x10000) << use->timeline->engine_class;
		if (drm_use_active(use, true))
			request->busy |= use->timeline->engine_class + UINT32_C(1);
	}
	return 0;
}

int i915_gem_set_domain(struct drm_bo *bo, void *data)
{
	const uint32_t known = I915_GEM_DOMAIN_CPU | I915_GEM_DOMAIN_GTT | I915_GEM_DOMAIN_WC;
	const struct drm_i915_gem_set_domain *request = data;

	if ((request->read_domains | request->write_domain) & ~known)
		return -EINVAL;
	if (request->write_domain && request->read_domains != request->write_domain)
		return -EINVAL;
	if (!request->read_domains)
		return 0;
	return wait_idle(bo, -1, NULL);
}

int i915_gem_sw_finish(struct drm_bo *bo, void *data)
{
	(void)bo, (void)data;
	return 0;
}

/* Nothing is ever thrown away. */
int i915_gem_madvise(struct drm_bo *bo, void *data)
{
	struct drm_i915_gem_madvise *request = data;

	(void)bo;
	if (request->madv > I915_MADV_DONTNEED)
		return -EINVAL;
	request->retained = 1;
	return 0;
}

int i915_gem_set_caching(struct drm_bo *bo, void *data)
{
	const struct drm_i915_gem_caching *request = data;

	(void)bo;
	return request->caching > I915_CACHING_DISPLAY ? -EINVAL : 0;
}

int i915_gem_get_caching(struct drm_bo *bo, void *data)
{
	struct drm_i915_gem_caching *request = data;

	(void)bo;
	request->caching = I915_CACHING_CACHED;
	return 0;
}

int i915_gem_set_tiling(struct drm_bo *bo, void *data)
{
	enum { MOST_STRIDE = 2048 * 128, X_BYTES = 512, Y_BYTES = 128 };
	struct drm_i915_gem_set_tiling *request = data;
	uint32_t row = request->tiling_mode == I915_TILING_Y ? Y_BYTES : X_BYTES;

	if (request->tiling_mode > I915_TILING_LAST)
		return -EINVAL;
	request->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
	if (request->tiling_mode == I915_TILING_NONE)
		request->stride = 0;
	else if (!request->stride || request->stride % row || request->stride > MOST_STRIDE)
		return -EINVAL;
	bo->tiling = request->tiling_mode;
	bo->stride = request->stride;
	return 0;
}

int i915_gem_get_tiling(struct drm_bo *bo, void *data)
{
	struct drm_i915_gem_get_tiling *request = data;

	request->tiling_mode = bo->tiling;
	request->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
	request->phys_swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
	return 0;
}

int i915_gem_get_aperture(struct drm_file *file, void *data)
{
	struct drm_i915_gem_get_aperture *request = data;

	(void)file;
	request->aper_size = UINT64_C(1) << 32;
	request->aper_available_size = UINT64_C(1) << 32;
	return 0;
}

int i915_gem_throttle(struct drm_file *file, void *data)
{
	(void)file, (void)data;
	return 0;
}

/* pread and pwrite; `write` is into the object. */
static int copy_object(struct drm_bo *bo, const struct drm_i915_gem_pwrite *request, bool write)
{
	uint8_t *host;
	int rc;

	if (request->size == 0)
		return 0;
	if (request->offset > bo->size || request->size > bo->size - request->offset)
		return -EINVAL;
	if (bo->userptr)
		return -ENODEV;
	host = bo->host + request->offset;
	drm_bo_get(bo);
	rc = wait_idle(bo, -1, NULL);
	if (rc == 0)
		rc = write ? drm_user_read(host, request->data_ptr, request->size)
			   : drm_user_write(request->data_ptr, host, request->size);
	drm_bo_put(bo);
	return rc;
}

int i915_gem_pread(struct drm_bo *bo, void *data)
{
	_Static_assert(sizeof(struct drm_i915_gem_pread) == sizeof(struct drm_i915_gem_pwrite) &&
			       offsetof(struct drm_i915_gem_pread, data_ptr) ==
				       offsetof(struct drm_i915_gem_pwrite, data_ptr),
		"both have the same members");
	return copy_object(bo, data, false);
}

int i915_gem_pwrite(struct drm_bo *bo, void *data)
{
	return copy_object(bo, data, true);
}
