// SPDX-License-Identifier: MIT
#include "l0/l0_memory.h"
#include "l0/l0_private.h"
#include "zerocl_vgpu.h"

static cl_int alloc(
	struct l0_context *context, enum l0_memory_kind kind, size_t size, size_t align, void **out)
{
	ze_relaxed_allocation_limits_exp_desc_t relaxed = {
		.stype = ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC,
		.flags = ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE,
	};
	const void *next = size > context->device->info.max_alloc_size ? &relaxed : NULL;
	ze_device_mem_alloc_desc_t device = { .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC,
		.pNext = next };
	ze_host_mem_alloc_desc_t host = { .stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC,
		.pNext = next };
	ze_device_handle_t ze = context->device->ze;

	/* A driver moves it between both memories by a handler of SIGSEGV, which applications
	 * replace; and no other device reaches it. */
	if (kind == L0_MEMORY_SHARED && (!context->device->info.integrated || context->is_shared))
		kind = L0_MEMORY_HOST;
	switch (kind) {
	case L0_MEMORY_SHARED:
		return L0_CALL(zeMemAllocShared, context->ze, &device, &host, size, align, ze, out);
	case L0_MEMORY_HOST:
		return L0_CALL(zeMemAllocHost, context->ze, &host, size, align, out);
	case L0_MEMORY_DEVICE:
		return L0_CALL(zeMemAllocDevice, context->ze, &device, size, align, ze, out);
	}
	return CL_INVALID_VALUE;
}

bool l0_memory_is_checked(const struct l0_context *context)
{
	const struct l0_vgpu *vgpu = &context->device->vgpu;

	return vgpu->wants_names && (vgpu->wants_names() & ZEROCL_VGPU_NAMES_MEMORY);
}

cl_int l0_memory_alloc(
	struct l0_context *context, enum l0_memory_kind kind, size_t size, size_t align, void **out)
{
	cl_int rc = alloc(context, kind, size, align, out);

	if (!rc && l0_memory_is_checked(context))
		(void)context->device->vgpu.name_memory((uintptr_t)*out, size);
	return rc;
}

void l0_memory_is_new(const struct l0_context *context, const void *address)
{
	if (l0_memory_is_checked(context))
		context->device->vgpu.clear_memory((uintptr_t)address);
}

void l0_memory_own(const struct l0_context *context, const void *address)
{
	if (l0_memory_is_checked(context))
		context->device->vgpu.own_memory((uintptr_t)address);
}

void l0_memory_written(const struct l0_context *context, const void *address, size_t size)
{
	if (l0_memory_is_checked(context))
		context->device->vgpu.write_memory((uintptr_t)address, size);
}

cl_int l0_memory_keep(struct l0_context *context, void *address, size_t size)
{
	return L0_CALL(
		zeContextMakeMemoryResident, context->ze, context->device->ze, address, size);
}

void l0_memory_evict(struct l0_context *context, void *address, size_t size)
{
	(void)L0_CALL(zeContextEvictMemory, context->ze, context->device->ze, address, size);
}

void l0_memory_free(struct l0_context *context, void *address)
{
	if (!address)
		return;
	if (l0_memory_is_checked(context))
		context->device->vgpu.forget_memory((uintptr_t)address);
	(void)L0_CALL(zeMemFree, context->ze, address);
}
