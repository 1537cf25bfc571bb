// SPDX-License-Identifier: MIT
#include "core/memory/usm.h"

#include "core/device/context.h"
#include "core/device/device_ext.h"
#include "core/base/error.h"
#include "core/base/info.h"
#include "l0/l0_memory.h"

#include <stdlib.h>
#include <string.h>

/* The size of the largest data type: long16, double16. */
#define MAX_ALIGN 128

cl_bitfield usm_context_capabilities(const struct context *context, enum usm_type type)
{
	cl_bitfield all = ~(cl_bitfield)0;

	for (cl_uint i = 0; i < context->n_devices; i++)
		all &= usm_capabilities(context->devices[i], type);
	return all;
}

/* The allocations of a context, ascending by address. */
struct usm_table {
	struct context_service base;
	pthread_rwlock_t lock; /* what follows is under it */
	struct usm_block *blocks;
	size_t n, max;
	unsigned kept_types; /* bits 1 << enum usm_type: all that is or will be made */
};

/* Where the allocation is made: memory of one device is made for that one. */
static struct l0_context *l0_of(const struct context *context, const struct usm_block *block)
{
	return block->type == USM_DEVICE ? context->on[context_place(context, block->device)]
					 : context->l0;
}

static void bytes_free(struct context *context, const struct usm_block *block)
{
	if (block->type == USM_DEVICE)
		l0_memory_free_device(l0_of(context, block), block->address);
	else
		l0_memory_free(context->l0, block->address);
}

static void block_free(struct context *context, const struct usm_block *block)
{
	if (block->is_kept && block->type == USM_DEVICE)
		l0_memory_evict(l0_of(context, block), block->address, block->size);
	else if (block->is_kept)
		context_evict_memory(context, block->address, block->size);
	bytes_free(context, block);
}

/* The table is locked. */
static cl_int block_keep(struct context *context, struct usm_block *block)
{
	cl_int rc = CL_SUCCESS;

	if (!block->is_kept && block->type == USM_DEVICE)
		rc = l0_memory_keep(l0_of(context, block), block->address, block->size);
	else if (!block->is_kept)
		rc = context_keep_memory(context, block->address, block->size);
	block->is_kept |= !rc;
	return rc;
}

static void table_init(void *service)
{
	pthread_rwlock_init(&((struct usm_table *)service)->lock, NULL);
}

static void table_finish(void *service, struct context *context)
{
	struct usm_table *table = service;

	for (size_t i = 0; i < table->n; i++)
		block_free(context, &table->blocks[i]);
	free(table->blocks);
	pthread_rwlock_destroy(&table->lock);
}

static struct usm_table *table_of(struct context *context)
{
	static const struct context_service_type type = {
		.size = sizeof(struct usm_table),
		.init = table_init,
		.finish = table_finish,
	};

	return context_service(context, &type);
}

/* The first block that begins behind `pointer`. */
static size_t upper_bound(const struct usm_table *table, const void *pointer)
{
	size_t low = 0, high = table->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if ((uintptr_t)table->blocks[middle].address <= (uintptr_t)pointer)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The block that the pointer is into; NULL if there is none. */
static struct usm_block *find_block(const struct usm_table *table, const void *pointer)
{
	size_t at = upper_bound(table, pointer);
	struct usm_block *block = at ? &table->blocks[at - 1] : NULL;

	return block && (uintptr_t)pointer - (uintptr_t)block->address < block->size ? block : NULL;
}

static cl_int table_add(struct context *context, struct usm_block *block)
{
	struct usm_table *table = table_of(context);
	cl_int rc = CL_SUCCESS;

	REQUIRE(table, CL_OUT_OF_HOST_MEMORY);
	pthread_rwlock_wrlock(&table->lock);
	if (table->n == table->max) {
		size_t max = table->max * 2 + 16;
		struct usm_block *blocks = reallocarray(table->blocks, max, sizeof *blocks);

		if (blocks) {
			table->blocks = blocks;
			table->max = max;
		} else {
			rc = CL_OUT_OF_HOST_MEMORY;
		}
	}
	if (!rc && table->kept_types & 1u << block->type)
		rc = block_keep(context, block);
	if (!rc) {
		size_t at = upper_bound(table, block->address);

		memmove(table->blocks + at + 1, table->blocks + at,
			(table->n++ - at) * sizeof *table->blocks);
		table->blocks[at] = *block;
	}
	pthread_rwlock_unlock(&table->lock);
	return rc;
}

cl_int usm_add(struct context *context, struct usm_block *block, size_t align)
{
	static const enum l0_memory_kind kinds[USM_N_TYPES] = {
		[USM_HOST] = L0_MEMORY_HOST,
		[USM_DEVICE] = L0_MEMORY_DEVICE,
		[USM_SHARED] = L0_MEMORY_SHARED,
		[USM_SVM] = L0_MEMORY_SHARED,
	};
	void *address;
	cl_int rc = l0_memory_alloc(l0_of(context, block), kinds[block->type], block->size,
		align > MAX_ALIGN ? align : MAX_ALIGN, &address);

	if (rc)
		return rc == CL_OUT_OF_HOST_MEMORY ? rc : CL_OUT_OF_RESOURCES;
	block->address = address;
	if (block->size > context->max_alloc_size)
		atomic_store(&context->has_wide, true);
	l0_memory_own(context->l0, address);
	rc = table_add(context, block);
	if (rc)
		bytes_free(context, block);
	return rc;
}

bool usm_find(struct context *context, const void *pointer, struct usm_block *out)
{
	struct usm_table *table = table_of(context);

	if (!table)
		return false;
	pthread_rwlock_rdlock(&table->lock);
	const struct usm_block *block = find_block(table, pointer);
	if (block)
		*out = *block;
	pthread_rwlock_unlock(&table->lock);
	return block;
}

bool usm_is_reached(struct context *context, const struct device *device, const void *pointer)
{
	struct usm_block block;

	return usm_find(context, pointer, &block) &&
	       (block.type != USM_DEVICE || block.device == device);
}

bool usm_remove(struct context *context, const void *pointer, bool is_svm)
{
	struct usm_table *table = table_of(context);
	struct usm_block block = { 0 };

	if (!table)
		return false;
	pthread_rwlock_wrlock(&table->lock);
	struct usm_block *found = find_block(table, pointer);
	if (found && found->address == pointer && found->is_svm == is_svm) {
		block = *found;
		memmove(found, found + 1,
			(size_t)(table->blocks + --table->n - found) * sizeof *found);
	}
	pthread_rwlock_unlock(&table->lock);
	block_free(context, &block);
	return block.address;
}

cl_int usm_keep(struct context *context, const void *pointer)
{
	struct usm_table *table = table_of(context);
	cl_int rc = CL_INVALID_VALUE;

	REQUIRE(table, CL_OUT_OF_HOST_MEMORY);
	pthread_rwlock_wrlock(&table->lock);
	struct usm_block *block = find_block(table, pointer);
	if (block)
		rc = block_keep(context, block);
	pthread_rwlock_unlock(&table->lock);
	return rc;
}

cl_int usm_keep_type(struct context *context, enum usm_type type)
{
	struct usm_table *table = table_of(context);
	cl_int rc = CL_SUCCESS;

	REQUIRE(table, CL_OUT_OF_HOST_MEMORY);
	pthread_rwlock_wrlock(&table->lock);
	for (size_t i = 0; !rc && i < table->n; i++)
		if (table->blocks[i].type == type)
			rc = block_keep(context, &table->blocks[i]);
	if (!rc)
		table->kept_types |= 1u << type;
	pthread_rwlock_unlock(&table->lock);
	return rc;
}

cl_int usm_read_properties(const uint64_t *list, const struct usm_property *rows, size_t n)
{
	unsigned seen = 0;

	for (; list && list[0]; list += 2) {
		size_t i = 0;

		while (i < n && rows[i].name != list[0])
			i++;
		REQUIRE(i < n && !(seen & 1u << i),
			error_say(CL_INVALID_PROPERTY,
				"0x%llx is no property of an allocation, or is there twice",
				(unsigned long long)list[0]));
		REQUIRE(!(list[1] & ~rows[i].known),
			error_say(CL_INVALID_PROPERTY,
				"flags 0x%llx are not for memory of this kind",
				(unsigned long long)(list[1] & ~rows[i].known)));
		seen |= 1u << i;
		*rows[i].value |= list[1];
	}
	return CL_SUCCESS;
}

/*
 * Which properties may be given for which memory, each once: into the block those that queries
 * report, `memory_flags` are those of memory objects that apply here.
 */
static cl_int read_properties(
	const cl_mem_properties_intel *properties, struct usm_block *block, uint64_t *memory_flags)
{
	const uint64_t placement = CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
				   CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
	const struct usm_property rows[] = {
		{ CL_MEM_ALLOC_FLAGS_INTEL, &block->flags,
			CL_MEM_ALLOC_WRITE_COMBINED_INTEL |
				(block->type == USM_SHARED ? placement : 0) },
		{ CL_MEM_ALLOC_BUFFER_LOCATION_INTEL, &block->location, UINT64_MAX },
		{ CL_MEM_FLAGS, memory_flags, CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL },
		{ CL_MEM_FLAGS_INTEL, memory_flags, CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL },
	};

	*memory_flags = 0;
	cl_int rc = usm_read_properties(properties, rows, UTIL_ARRAY_SIZE(rows));
	if (rc)
		return rc;
	REQUIRE((block->flags & placement) != placement, CL_INVALID_PROPERTY);
	return CL_SUCCESS;
}

cl_int usm_alloc(struct context *context, enum usm_type type, cl_device_id handle,
	const cl_mem_properties_intel *properties, size_t size, cl_uint align, void **out)
{
	struct device *device = device_from(handle);
	struct usm_block block = { .type = type, .size = size, .device = device };
	uint64_t memory_flags;
	cl_int rc;

	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(type == USM_HOST || (type == USM_SHARED && !handle) ||
			context_has_device(context, device),
		CL_INVALID_DEVICE);
	REQUIRE(device ? usm_capabilities(device, type) : usm_context_capabilities(context, type),
		CL_INVALID_OPERATION);
	REQUIRE(!(align & (align - 1)), CL_INVALID_VALUE);
	REQUIRE(align <= MAX_ALIGN, CL_INVALID_VALUE);
	if ((rc = read_properties(properties, &block, &memory_flags)))
		return rc;
	if ((rc = context_check_alloc_size(context, memory_flags, size)))
		return rc;

	rc = usm_add(context, &block, align);
	if (!rc)
		*out = block.address;
	return rc;
}

cl_int usm_check_free(struct context *context, const void *pointer)
{
	struct usm_block block;

	REQUIRE(context, CL_INVALID_CONTEXT);
	REQUIRE(!pointer || (usm_find(context, pointer, &block) && block.address == pointer &&
				    !block.is_svm),
		error_say(CL_INVALID_VALUE, "no allocation of the context begins there"));
	return CL_SUCCESS;
}

cl_int usm_free(struct context *context, void *pointer)
{
	cl_int rc = usm_check_free(context, pointer);

	if (!rc && pointer)
		(void)usm_remove(context, pointer, false);
	return rc;
}

static cl_int answer_type(const void *object, const struct info *info)
{
	static const cl_unified_shared_memory_type_intel types[USM_N_TYPES] = {
		[USM_HOST] = CL_MEM_TYPE_HOST_INTEL,
		[USM_DEVICE] = CL_MEM_TYPE_DEVICE_INTEL,
		[USM_SHARED] = CL_MEM_TYPE_SHARED_INTEL,
		[USM_SVM] = CL_MEM_TYPE_UNKNOWN_INTEL,
	};
	const struct usm_block *block = object;

	return info_bytes(info, &types[block->type], sizeof types[0]);
}

static const struct info_row rows[] = {
	INFO_FN(CL_MEM_ALLOC_TYPE_INTEL, answer_type),
	INFO_FIELD(CL_MEM_ALLOC_BASE_PTR_INTEL, struct usm_block, address),
	INFO_FIELD(CL_MEM_ALLOC_SIZE_INTEL, struct usm_block, size),
	INFO_FIELD(CL_MEM_ALLOC_DEVICE_INTEL, struct usm_block, device),
	INFO_FIELD(CL_MEM_ALLOC_FLAGS_INTEL, struct usm_block, flags),
	INFO_FIELD(CL_MEM_ALLOC_BUFFER_LOCATION_INTEL, struct usm_block, location),
};

cl_int usm_info(struct context *context, const void *pointer, cl_mem_info_intel param,
	const struct info *info)
{
	const struct usm_block unknown = { .type = USM_SVM };
	struct usm_block block;

	REQUIRE(context, CL_INVALID_CONTEXT);

	if (!usm_find(context, pointer, &block) || block.type == USM_SVM)
		block = unknown;
	return INFO_GET(rows, &block, param, info);
}
