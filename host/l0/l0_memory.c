// SPDX-License-Identifier: MIT
#include "l0/l0_memory.h"
#include "l0/l0_private.h"
#include "zerocl_vgpu.h"

#include <sys/mman.h>

/*
 * Host memory of contexts over more than two devices: pages of this process, which the driver is
 * asked to use. Drivers from 22.43 to 26.14 close the descriptor of host memory that they allocated
 * themselves once for each device but the first, though there is one in all: of three devices, the
 * last closes what another thread may have opened.
 */

#define PAGE ((size_t)4096)

/* Of Intel's driver (driver_experimental/zex_memory.h): the address is given, not asked for. */
#define USE_HOST_POINTER ((ze_host_mem_alloc_flags_t)1 << 30)

/* What stands before such memory, in a page of its own. */
struct mapping {
	size_t size; /* with this page */
};

static struct mapping *mapping_of(void *address)
{
	return (struct mapping *)(void *)((char *)address - PAGE);
}

static void unmap(struct mapping *mapping)
{
	(void)munmap(mapping, mapping->size);
}

/* `align` is that of a page at most. */
static cl_int map(struct l0_context *context, const void *next, size_t size, void **out)
{
	const ze_host_mem_alloc_desc_t host = { ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, next,
		USE_HOST_POINTER };

	if (size > SIZE_MAX - 2 * PAGE)
		return CL_OUT_OF_HOST_MEMORY;
	size = (size + PAGE - 1) & ~(PAGE - 1);
	struct mapping *mapping =
		mmap(NULL, PAGE + size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (mapping == MAP_FAILED)
		return CL_OUT_OF_HOST_MEMORY;
	mapping->size = PAGE + size;
	void *const address = (char *)mapping + PAGE;
	*out = address;
	cl_int rc = L0_CALL(zeMemAllocHost, context->ze, &host, size, PAGE, out);
	if (!rc && *out != address) { /* it does not know how, and has allocated elsewhere */
		(void)L0_CALL(zeMemFree, context->ze, *out);
		rc = CL_OUT_OF_RESOURCES;
	}
	if (rc)
		unmap(mapping);
	return rc;
}

/*
 * Not if the driver keeps what is freed for the next allocation (since 2024, on newer GPUs): it
 * does so with memory of others too, which may be unmapped then.
 */
bool l0_memory_maps(struct l0_context *context)
{
	const ze_host_mem_alloc_desc_t host = { .stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC };
	void *pages, *other = NULL;

	if (map(context, NULL, PAGE, &pages))
		return false;
	(void)L0_CALL(zeMemFree, context->ze, pages);
	if (L0_CALL(zeMemAllocHost, context->ze, &host, PAGE, PAGE, &other))
		other = NULL;
	if (other)
		(void)L0_CALL(zeMemFree, context->ze, other);
	if (other == pages) /* and stays mapped: the driver has it */
		return false;
	unmap(mapping_of(pages));
	return true;
}

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

	if (kind == L0_MEMORY_DEVICE)
		return L0_CALL(zeMemAllocDevice, context->ze, &device, size, align, ze, out);
	if (context->is_mapped)
		return map(context, next, size, out);
	/* A driver moves shared memory between both memories by a handler of SIGSEGV, which
	 * applications replace; and no other device reaches it. */
	if (kind == L0_MEMORY_SHARED && context->device->info.integrated && !context->is_shared)
		return L0_CALL(zeMemAllocShared, context->ze, &device, &host, size, align, ze, out);
	return L0_CALL(zeMemAllocHost, context->ze, &host, size, align, out);
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

void l0_memory_free_device(struct l0_context *context, void *address)
{
	if (!address)
		return;
	if (l0_memory_is_checked(context))
		context->device->vgpu.forget_memory((uintptr_t)address);
	(void)L0_CALL(zeMemFree, context->ze, address);
}

void l0_memory_free(struct l0_context *context, void *address)
{
	l0_memory_free_device(context, address);
	if (address && context->is_mapped)
		unmap(mapping_of(address));
}
