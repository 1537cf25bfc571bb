// SPDX-License-Identifier: MIT
#ifndef I915_VM_H
#define I915_VM_H

#include "eu/state/eu_bus.h"
#include "i915/object/i915_bo.h"

#define I915_GTT_SIZE (UINT64_C(1) << 48)

/* An object at an address. */
struct i915_binding {
	uint64_t first, end;
	struct i915_bo *bo;
};

/*
 * What an address space holds at one moment, sorted by address. Never changes: the threads that
 * execute a batch read it without a lock. It keeps its objects alive.
 */
struct i915_space {
	unsigned refs; /* under the device's lock */
	size_t count;
	struct i915_binding bindings[];
};

/* A per-process graphics address space of 48 bits. Everything is under the device's lock. */
struct i915_vm {
	struct i915_device *device;
	unsigned refs; /* ids, contexts */
	size_t count, capacity;
	struct i915_binding *bindings; /* sorted by address */
	struct i915_space *space;      /* a snapshot of them, NULL when out of date */
};

struct i915_vm *i915_vm_create(struct i915_device *device);
struct i915_vm *i915_vm_get(struct i915_vm *vm);
void i915_vm_put(struct i915_vm *vm);

/*
 * Binds an object for the EXECBUFFER2 whose number is device->exec_serial. i915_vm_bind_at: at the
 * page `address` of 48 bits; what else is bound there is evicted, unless the same EXECBUFFER2 has
 * placed it (-EINVAL). i915_vm_bind_any: where it is, or at a free place below `limit` that is a
 * multiple of the power of two `alignment`, -ENOSPC when there is none. A user pointer is checked:
 * -EFAULT when it cannot be read and written.
 */
int i915_vm_bind_at(struct i915_vm *vm, struct i915_bo *bo, uint64_t address);
int i915_vm_bind_any(struct i915_vm *vm, struct i915_bo *bo, uint64_t limit, uint64_t alignment,
	uint64_t *address);
void i915_vm_unbind(struct i915_vm *vm, struct i915_bo *bo);

/* A reference to the snapshot of now; NULL when memory is short. */
struct i915_space *i915_vm_space(struct i915_vm *vm);
void i915_space_put(struct i915_space *space);
/* As eu_bus.find. */
bool i915_space_find(const struct i915_space *space, uint64_t address, struct eu_range *range);
/* Index of the first binding that ends behind the address; count when there is none. */
size_t i915_space_index(const struct i915_space *space, uint64_t address);

#endif
