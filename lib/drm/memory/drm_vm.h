// SPDX-License-Identifier: MIT
#ifndef DRM_VM_H
#define DRM_VM_H

#include "eu/state/eu_bus.h"
#include "drm/memory/drm_bo.h"

#define DRM_VM_SIZE (UINT64_C(1) << 48)

/* An object at an address. */
struct drm_binding {
	uint64_t first, end;
	struct drm_bo *bo;
};

/*
 * What an address space holds at one moment, sorted by address. Never changes: the threads that
 * execute a batch read it without a lock. It keeps its objects alive.
 */
struct drm_vm_snapshot {
	unsigned refs; /* under the device's lock */
	size_t count;
	struct drm_binding bindings[];
};

/* A per-process graphics address space of 48 bits. Everything is under the device's lock. */
struct drm_vm {
	struct drm_device *device;
	unsigned refs; /* ids, contexts */
	size_t count, capacity;
	struct drm_binding *bindings;  /* sorted by address */
	struct drm_vm_snapshot *space; /* a snapshot of them, NULL when out of date */
};

struct drm_vm *drm_vm_create(struct drm_device *device);
struct drm_vm *drm_vm_get(struct drm_vm *vm);
void drm_vm_put(struct drm_vm *vm);

/*
 * Binds an object for the submission whose number is device->bind_serial. drm_vm_bind_at: at the
 * page `address` of 48 bits; what else is bound there is evicted, unless the same submission has
 * placed it (-EINVAL). drm_vm_bind_any: where it is, or at a free place below `limit` that is a
 * multiple of the power of two `alignment`, -ENOSPC when there is none. A user pointer is checked:
 * -EFAULT when it cannot be read and written.
 */
int drm_vm_bind_at(struct drm_vm *vm, struct drm_bo *bo, uint64_t address);
int drm_vm_bind_any(struct drm_vm *vm, struct drm_bo *bo, uint64_t limit, uint64_t alignment,
	uint64_t *address);
void drm_vm_unbind(struct drm_vm *vm, struct drm_bo *bo);

/* Returns a reference to the snapshot of the present bindings; NULL when memory is short. */
struct drm_vm_snapshot *drm_vm_snapshot_get(struct drm_vm *vm);
void drm_vm_snapshot_put(struct drm_vm_snapshot *space);
/* As eu_bus.find. */
bool drm_vm_snapshot_find(
	const struct drm_vm_snapshot *space, uint64_t address, struct eu_range *range);
/* Returns the index of the first binding that ends behind the address; count when there is none. */
size_t drm_vm_snapshot_index(const struct drm_vm_snapshot *space, uint64_t address);

#endif
