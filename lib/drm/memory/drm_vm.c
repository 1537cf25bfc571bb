// SPDX-License-Identifier: MIT
#include "drm/memory/drm_vm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "drm/memory/drm_user.h"
#include "util/util_bits.h"

struct drm_vm *drm_vm_create(struct drm_device *device)
{
	struct drm_vm *vm = calloc(1, sizeof(*vm));

	if (vm) {
		vm->device = device;
		vm->refs = 1;
	}
	return vm;
}

struct drm_vm *drm_vm_get(struct drm_vm *vm)
{
	vm->refs++;
	return vm;
}

static void drop_snapshot(struct drm_vm *vm)
{
	if (vm->space)
		drm_vm_snapshot_put(vm->space);
	vm->space = NULL;
}

void drm_vm_put(struct drm_vm *vm)
{
	if (!vm || --vm->refs)
		return;
	drop_snapshot(vm);
	for (size_t i = 0; i < vm->count; i++) {
		vm->bindings[i].bo->bindings--;
		drm_bo_put(vm->bindings[i].bo);
	}
	free(vm->bindings);
	free(vm);
}

static size_t find_address(const struct drm_binding *bindings, size_t count, uint64_t address)
{
	size_t low = 0;

	while (count) {
		size_t half = count / 2;
		if (bindings[low + half].end <= address) {
			low += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return low;
}

static void remove_binding(struct drm_vm *vm, size_t i)
{
	struct drm_bo *bo = vm->bindings[i].bo;

	drop_snapshot(vm);
	vm->count--;
	memmove(vm->bindings + i, vm->bindings + i + 1, (vm->count - i) * sizeof(*vm->bindings));
	bo->bindings--;
	drm_bo_put(bo);
}

static size_t find_object(const struct drm_vm *vm, const struct drm_bo *bo)
{
	size_t i = 0;

	if (!bo->bindings)
		return vm->count;
	while (i < vm->count && vm->bindings[i].bo != bo)
		i++;
	return i;
}

void drm_vm_unbind(struct drm_vm *vm, struct drm_bo *bo)
{
	size_t i = find_object(vm, bo);

	if (i < vm->count)
		remove_binding(vm, i);
}

static int insert_binding(struct drm_vm *vm, struct drm_bo *bo, uint64_t address)
{
	size_t i = find_address(vm->bindings, vm->count, address);

	if (bo->userptr && drm_user_pin((uint64_t)(uintptr_t)bo->host, bo->size, true))
		return -EFAULT;
	if (vm->count == vm->capacity) {
		size_t capacity = vm->capacity ? vm->capacity * 2 : 64;
		struct drm_binding *bindings = realloc(vm->bindings, capacity * sizeof(*bindings));
		if (!bindings)
			return -ENOMEM;
		vm->bindings = bindings;
		vm->capacity = capacity;
	}
	drm_bo_fill(bo);
	drop_snapshot(vm);
	memmove(vm->bindings + i + 1, vm->bindings + i, (vm->count - i) * sizeof(*vm->bindings));
	vm->bindings[i] = (struct drm_binding){ address, address + bo->size, drm_bo_get(bo) };
	vm->count++;
	bo->bindings++;
	return 0;
}

/* The owner of a user pointer may have unmapped it since it was bound; then it is unbound. */
static int check_userptr(struct drm_vm *vm, size_t i)
{
	const struct drm_bo *bo = vm->bindings[i].bo;

	if (!bo->userptr || drm_user_mapped((uint64_t)(uintptr_t)bo->host, bo->size))
		return 0;
	remove_binding(vm, i);
	return -EFAULT;
}

int drm_vm_bind_at(struct drm_vm *vm, struct drm_bo *bo, uint64_t address)
{
	size_t i = find_address(vm->bindings, vm->count, address);

	if (address % DRM_PAGE || address >= DRM_VM_SIZE || bo->size > DRM_VM_SIZE - address)
		return -EINVAL;
	if (i < vm->count && vm->bindings[i].bo == bo && vm->bindings[i].first == address)
		return check_userptr(vm, i);
	for (size_t j = i; j < vm->count && vm->bindings[j].first < address + bo->size; j++) {
		const struct drm_bo *other = vm->bindings[j].bo;
		if (other != bo && other->bind_serial == vm->device->bind_serial)
			return -EINVAL;
	}
	drm_vm_unbind(vm, bo);
	i = find_address(vm->bindings, vm->count, address);
	while (i < vm->count && vm->bindings[i].first < address + bo->size)
		remove_binding(vm, i);
	return insert_binding(vm, bo, address);
}

int drm_vm_bind_any(
	struct drm_vm *vm, struct drm_bo *bo, uint64_t limit, uint64_t alignment, uint64_t *address)
{
	size_t i = find_object(vm, bo);
	uint64_t free_from = alignment; /* never 0, which programs take for nothing */

	if (i < vm->count && vm->bindings[i].end <= limit &&
		vm->bindings[i].first % alignment == 0) {
		*address = vm->bindings[i].first;
		return check_userptr(vm, i);
	}
	drm_vm_unbind(vm, bo);
	for (i = 0; i < vm->count; i++) {
		const struct drm_binding *binding = &vm->bindings[i];
		if (binding->first >= free_from && binding->first - free_from >= bo->size)
			break;
		if (binding->end > free_from)
			free_from = util_align_up(binding->end, alignment);
	}
	if (free_from > limit || limit - free_from < bo->size)
		return -ENOSPC;
	*address = free_from;
	return insert_binding(vm, bo, free_from);
}

struct drm_vm_snapshot *drm_vm_snapshot_get(struct drm_vm *vm)
{
	struct drm_vm_snapshot *space = vm->space;

	if (!space) {
		space = malloc(sizeof(*space) + vm->count * sizeof(*space->bindings));
		if (!space)
			return NULL;
		space->refs = 1;
		space->count = vm->count;
		for (size_t i = 0; i < vm->count; i++) {
			space->bindings[i] = vm->bindings[i];
			drm_bo_get(vm->bindings[i].bo);
		}
		vm->space = space;
	}
	space->refs++;
	return space;
}

void drm_vm_snapshot_put(struct drm_vm_snapshot *space)
{
	if (!space || --space->refs)
		return;
	for (size_t i = 0; i < space->count; i++)
		drm_bo_put(space->bindings[i].bo);
	free(space);
}

size_t drm_vm_snapshot_index(const struct drm_vm_snapshot *space, uint64_t address)
{
	return find_address(space->bindings, space->count, address);
}

bool drm_vm_snapshot_find(
	const struct drm_vm_snapshot *space, uint64_t address, struct eu_range *range)
{
	size_t i = drm_vm_snapshot_index(space, address);

	if (i == space->count || space->bindings[i].first > address)
		return false;
	range->first = space->bindings[i].first;
	range->end = space->bindings[i].end;
	range->host = space->bindings[i].bo->host;
	range->born = space->bindings[i].bo->born;
	range->cleared = &space->bindings[i].bo->cleared;
	return true;
}
