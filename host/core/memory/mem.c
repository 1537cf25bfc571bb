// SPDX-License-Identifier: MIT
#include "core/memory/mem.h"

#include "core/memory/mem_properties.h"
#include "core/device/device_ext.h"
#include "core/base/error.h"
#include "core/memory/usm.h"
#include "core/base/info.h"
#include "core/device/mem_address.h"
#include "l0/l0_import.h"
#include "l0/l0_memory.h"
#include "l0/l0_slab.h"

#include <stdlib.h>
#include <string.h>

/* What the device can address as a buffer. */
#define SHARE_ALIGN 4
#define SLAB_ALIGN  128 /* of what comes from l0_slab_alloc */

#define WRITING_FLAGS (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY)

struct mem_destructor {
	struct mem_destructor *next;
	void(CL_CALLBACK *call)(cl_mem, void *);
	void *data;
};

static void free_bytes(struct mem *mem)
{
	struct context *context = mem->context;

	if (mem->slab)
		l0_slab_free(mem->slab, mem->address);
	else if (mem->only)
		l0_import_free(context->on[context_place(context, mem->only)], mem->address);
	else
		l0_memory_free(context->l0, mem->address);
}

static void mem_call_destructors(struct obj *obj)
{
	struct mem *mem = (struct mem *)(void *)obj;

	while (mem->destructors) {
		struct mem_destructor *destructor = mem->destructors;

		mem->destructors = destructor->next;
		destructor->call(mem_handle(mem), destructor->data);
		free(destructor);
	}
}

static void mem_free(struct obj *obj)
{
	struct mem *mem = (struct mem *)(void *)obj;

	while (mem->maps) {
		struct mem_map *map = mem->maps;

		mem->maps = map->next;
		mem_put(map->memory);
		free(map);
	}
	if (!mem->parent && mem->is_kept)
		context_evict_memory(mem->context, mem->address, mem->size);
	if (!mem->parent && !mem->borrowed && mem->address)
		free_bytes(mem);
	if (mem->finish)
		mem->finish(mem);
	mem_put(mem->parent);
	context_put(mem->context);
	pthread_mutex_destroy(&mem->lock);
	free(mem->properties);
	obj_free(mem);
}

static void mem_destroy(struct obj *obj)
{
	struct mem *mem = (struct mem *)(void *)obj;

	if (mem->destructors && obj_defer && obj_defer(obj, mem_call_destructors, mem_free))
		return;
	mem_call_destructors(obj);
	mem_free(obj);
}

static bool at_most_one(cl_mem_flags flags)
{
	return !(flags & (flags - 1));
}

cl_int mem_check_flags(cl_mem_flags flags, cl_mem_flags allowed)
{
	REQUIRE(!(flags & ~allowed), error_say(CL_INVALID_VALUE, "flags 0x%llx are not known here",
					     (unsigned long long)(flags & ~allowed)));
	REQUIRE(at_most_one(flags & MEM_ACCESS_FLAGS), CL_INVALID_VALUE);
	REQUIRE(at_most_one(flags & MEM_HOST_ACCESS_FLAGS), CL_INVALID_VALUE);
	REQUIRE(!(flags & CL_MEM_USE_HOST_PTR) ||
			!(flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)),
		CL_INVALID_VALUE);
	REQUIRE(!(flags & CL_MEM_IMMUTABLE_EXT) || !(flags & WRITING_FLAGS),
		error_say(CL_INVALID_VALUE, "flags 0x%llx want to write what is immutable",
			(unsigned long long)flags));
	return CL_SUCCESS;
}

cl_int mem_check_contents(cl_mem_flags flags, bool has_others)
{
	REQUIRE(!(flags & CL_MEM_IMMUTABLE_EXT) || has_others ||
			flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR),
		error_say(CL_INVALID_VALUE, "the object is immutable and has no contents"));
	return CL_SUCCESS;
}

cl_int mem_check_access(const struct mem *mem, cl_mem_flags forbidding)
{
	REQUIRE(!(mem->flags & forbidding),
		error_say(CL_INVALID_OPERATION, "the object was created with flags 0x%llx",
			(unsigned long long)mem->flags));
	return CL_SUCCESS;
}

cl_int mem_check_map(const struct mem *mem, cl_map_flags flags)
{
	cl_mem_flags forbidding = (flags & CL_MAP_READ ? MEM_NO_READ : 0) |
				  (flags & MEM_MAP_WRITES ? MEM_NO_WRITE : 0);

	REQUIRE(!(flags & ~(CL_MAP_READ | MEM_MAP_WRITES)), CL_INVALID_VALUE);
	REQUIRE(!(flags & CL_MAP_WRITE_INVALIDATE_REGION) ||
			!(flags & (CL_MAP_READ | CL_MAP_WRITE)),
		CL_INVALID_VALUE);
	return mem ? mem_check_access(mem, forbidding) : CL_SUCCESS;
}

struct mem *mem_new(struct context *context, cl_mem_object_type type, size_t size)
{
	struct mem *mem = calloc(1, sizeof *mem);

	if (!mem)
		return NULL;
	obj_init(&mem->base, OBJ_MEM, &context->base, mem_destroy);
	pthread_mutex_init(&mem->lock, NULL);
	mem->context = context_get(context);
	mem->type = type;
	mem->size = size;
	return mem;
}

static cl_int check_host_ptr(
	struct context *context, cl_mem_flags flags, size_t size, const void *host_ptr)
{
	bool wants_host = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
	struct usm_block block;

	REQUIRE(!wants_host || host_ptr, CL_INVALID_HOST_PTR);
	REQUIRE(wants_host || !host_ptr, CL_INVALID_HOST_PTR);
	if (flags & CL_MEM_USE_HOST_PTR && flags & CL_MEM_FORCE_HOST_MEMORY_INTEL) {
		REQUIRE((uintptr_t)host_ptr % DEVICE_CACHE_LINE == 0,
			error_say(CL_INVALID_HOST_PTR, "%p is not aligned to %d", host_ptr,
				DEVICE_CACHE_LINE));
		REQUIRE(size % DEVICE_CACHE_LINE == 0,
			error_say(CL_INVALID_BUFFER_SIZE, "%zu bytes are no multiple of %d", size,
				DEVICE_CACHE_LINE));
	}
	if (!wants_host || !usm_find(context, host_ptr, &block))
		return CL_SUCCESS;
	size_t room = block.size - (size_t)((const char *)host_ptr - block.address);
	REQUIRE(size <= room,
		error_say(CL_INVALID_BUFFER_SIZE,
			"%zu bytes, but the allocation has %zu from there", size, room));
	REQUIRE(block.type != USM_DEVICE,
		error_say(CL_INVALID_HOST_PTR, "the host does not reach memory of the device's"));
	return CL_SUCCESS;
}

/* The bytes of a buffer: its own, or those of an allocation that both sides reach. */
static cl_int make_bytes(struct mem *mem, void *host_ptr)
{
	struct context *context = mem->context;
	struct usm_block block;

	if (mem->flags & CL_MEM_USE_HOST_PTR && usm_find(context, host_ptr, &block) &&
		(uintptr_t)host_ptr % SHARE_ALIGN == 0) {
		mem->address = mem->borrowed = host_ptr;
		mem->is_svm = block.is_svm;
		return mem->has_device_address ? usm_keep(context, host_ptr) : CL_SUCCESS;
	}
	size_t align = context->devices[0]->mem_base_addr_align / 8;
	bool is_host = mem->flags & CL_MEM_FORCE_HOST_MEMORY_INTEL;
	cl_int rc;
	if (mem->size <= L0_SLAB_MAX && align <= SLAB_ALIGN && !mem->has_device_address &&
		!is_host && !l0_memory_is_checked(context->l0))
		rc = l0_slab_alloc(context->l0, mem->size, &mem->slab, (void **)&mem->address);
	else
		rc = l0_memory_alloc(context->l0, is_host ? L0_MEMORY_HOST : L0_MEMORY_SHARED,
			mem->size, align, (void **)&mem->address);
	if (rc)
		return rc;
	l0_memory_own(context->l0, mem->address);
	if (mem->has_device_address) {
		if ((rc = context_keep_memory(context, mem->address, mem->size)))
			return rc;
		mem->is_kept = true;
	}
	if (mem->flags & CL_MEM_USE_HOST_PTR)
		mem->host_ptr = host_ptr;
	if (host_ptr)
		memcpy(mem->address, host_ptr, mem->size);
	else if (!mem->slab)
		l0_memory_is_new(context->l0, mem->address);
	return CL_SUCCESS;
}

cl_int mem_create_buffer(struct context *context, const cl_mem_properties *properties,
	cl_mem_flags flags, size_t size, void *host_ptr, struct mem **out)
{
	struct mem_properties read;
	cl_int rc;

	REQUIRE(context, CL_INVALID_CONTEXT);
	if ((rc = mem_properties_read(context, properties, flags, CL_MEM_OBJECT_BUFFER, &read)))
		return rc;
	rc = mem_check_flags(flags, MEM_ACCESS_FLAGS | MEM_HOST_PTR_FLAGS | MEM_HOST_ACCESS_FLAGS |
					    CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL |
					    CL_MEM_FORCE_HOST_MEMORY_INTEL | CL_MEM_IMMUTABLE_EXT);
	if (rc || (rc = mem_check_contents(flags, read.importer)))
		return rc;
	if ((rc = context_check_alloc_size(context, flags, size)))
		return rc;
	if ((rc = check_host_ptr(context, flags, size, host_ptr)))
		return rc;

	struct mem *mem = mem_new(context, CL_MEM_OBJECT_BUFFER, size);
	REQUIRE(mem, CL_OUT_OF_HOST_MEMORY);
	mem->flags = flags & (MEM_ACCESS_FLAGS | CL_MEM_IMMUTABLE_EXT) ? flags
								       : flags | CL_MEM_READ_WRITE;
	mem->has_device_address = read.has_device_address;
	if (mem->has_device_address && size > context->max_alloc_size)
		atomic_store(&context->has_wide, true);
	TRY(mem_properties_keep(mem, &read));
	TRY(read.importer ? mem_properties_import(mem, &read, size) : make_bytes(mem, host_ptr));
	mem_properties_take(&read);
	*out = mem;
	return CL_SUCCESS;
fail:
	mem_put(mem);
	return rc;
}

cl_mem_flags mem_inherit_flags(cl_mem_flags flags, cl_mem_flags parent)
{
	if (!(flags & MEM_ACCESS_FLAGS))
		flags |= parent & MEM_ACCESS_FLAGS;
	if (!(flags & MEM_HOST_ACCESS_FLAGS))
		flags |= parent & MEM_HOST_ACCESS_FLAGS;
	return flags | (parent & (MEM_HOST_PTR_FLAGS | CL_MEM_IMMUTABLE_EXT));
}

bool mem_flags_widen(cl_mem_flags flags, cl_mem_flags parent)
{
	static const struct {
		cl_mem_flags parent;
		cl_mem_flags denied;
	} rules[] = {
		{ CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY },
		{ CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY },
		{ CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY },
		{ CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY },
		{ CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY },
		{ CL_MEM_IMMUTABLE_EXT, WRITING_FLAGS },
	};

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(rules); i++)
		if (parent & rules[i].parent && flags & rules[i].denied)
			return true;
	return false;
}

cl_int mem_create_sub_buffer(struct mem *parent, cl_mem_flags flags, cl_buffer_create_type type,
	const void *info, struct mem **out)
{
	const cl_buffer_region *region = info;
	cl_int rc;

	REQUIRE(parent && parent->type == CL_MEM_OBJECT_BUFFER, CL_INVALID_MEM_OBJECT);
	REQUIRE(!parent->parent, CL_INVALID_MEM_OBJECT);
	rc = mem_check_flags(
		flags, MEM_ACCESS_FLAGS | MEM_HOST_ACCESS_FLAGS | CL_MEM_IMMUTABLE_EXT);
	if (rc)
		return rc;
	REQUIRE(!mem_flags_widen(flags, parent->flags), CL_INVALID_VALUE);
	REQUIRE(type == CL_BUFFER_CREATE_TYPE_REGION, CL_INVALID_VALUE);
	REQUIRE(region, CL_INVALID_VALUE);
	REQUIRE(region->size > 0, CL_INVALID_BUFFER_SIZE);
	REQUIRE(region->origin <= parent->size && region->size <= parent->size - region->origin,
		CL_INVALID_VALUE);
	cl_uint align = parent->context->devices[0]->mem_base_addr_align / 8;
	REQUIRE(region->origin % align == 0,
		error_say(CL_MISALIGNED_SUB_BUFFER_OFFSET, "origin %zu is not a multiple of %u",
			region->origin, align));

	struct mem *mem = mem_new(parent->context, CL_MEM_OBJECT_BUFFER, region->size);
	REQUIRE(mem, CL_OUT_OF_HOST_MEMORY);
	mem->flags = mem_inherit_flags(flags, parent->flags);
	mem->parent = mem_get(parent);
	mem->origin = region->origin;
	mem->address = parent->address + region->origin;
	mem->host_ptr = parent->host_ptr ? parent->host_ptr + region->origin : NULL;
	mem->borrowed = parent->borrowed ? parent->borrowed + region->origin : NULL;
	mem->is_svm = parent->is_svm;
	mem->only = parent->only;
	mem->has_device_address = parent->has_device_address;
	*out = mem;
	return CL_SUCCESS;
}

INFO_ANSWER(answer_host_ptr, struct mem *mem, void *, mem->borrowed ? mem->borrowed : mem->host_ptr)
INFO_ANSWER(answer_svm, struct mem *mem, cl_bool, mem->is_svm)

static cl_int answer_map_count(const void *object, const struct info *info)
{
	struct mem *mem = (struct mem *)(uintptr_t)object;

	pthread_mutex_lock(&mem->lock);
	cl_uint count = mem->map_count;
	pthread_mutex_unlock(&mem->lock);
	return info_bytes(info, &count, sizeof count);
}

static cl_int answer_device_address(const void *object, const struct info *info)
{
	const struct mem *mem = object;
	cl_uint n = mem->context->n_devices;

	REQUIRE(mem->has_device_address,
		error_say(CL_INVALID_OPERATION,
			"the buffer was not made with CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT"));
	cl_mem_device_address_ext *addresses = calloc(n, sizeof *addresses);
	REQUIRE(addresses, CL_OUT_OF_HOST_MEMORY);
	/* all devices have the same */
	for (cl_uint i = 0; i < n; i++)
		addresses[i] = (uintptr_t)mem->address;
	cl_int rc = info_bytes(info, addresses, n * sizeof *addresses);
	free(addresses);
	return rc;
}

static const struct info_row rows[] = {
	INFO_FIELD(CL_MEM_TYPE, struct mem, type),
	INFO_FIELD(CL_MEM_FLAGS, struct mem, flags),
	INFO_FIELD(CL_MEM_SIZE, struct mem, size),
	INFO_FN(CL_MEM_HOST_PTR, answer_host_ptr),
	INFO_FN(CL_MEM_MAP_COUNT, answer_map_count),
	INFO_FN(CL_MEM_REFERENCE_COUNT, info_references),
	INFO_FIELD(CL_MEM_CONTEXT, struct mem, context),
	INFO_FIELD(CL_MEM_ASSOCIATED_MEMOBJECT, struct mem, parent),
	INFO_FIELD(CL_MEM_OFFSET, struct mem, origin),
	INFO_FN(CL_MEM_USES_SVM_POINTER, answer_svm),
	INFO_FN(CL_MEM_DEVICE_ADDRESS_EXT, answer_device_address),
	INFO_LIST(CL_MEM_PROPERTIES, struct mem, properties, n_properties),
};

INFO_DEFINE(mem, cl_mem_info, CL_INVALID_MEM_OBJECT)

cl_int mem_add_destructor(struct mem *mem, void(CL_CALLBACK *call)(cl_mem, void *), void *data)
{
	REQUIRE(mem, CL_INVALID_MEM_OBJECT);
	REQUIRE(call, CL_INVALID_VALUE);

	struct mem_destructor *destructor = malloc(sizeof *destructor);
	REQUIRE(destructor, CL_OUT_OF_HOST_MEMORY);
	destructor->call = call;
	destructor->data = data;
	pthread_mutex_lock(&mem->lock);
	destructor->next = mem->destructors;
	mem->destructors = destructor;
	pthread_mutex_unlock(&mem->lock);
	return CL_SUCCESS;
}

static bool map_writes(const struct mem_map *map)
{
	return map->flags & MEM_MAP_WRITES;
}

static bool maps_overlap(const struct mem_map *a, const struct mem_map *b)
{
	for (int i = 0; i < 3; i++)
		if (a->origin[i] >= b->origin[i] + b->region[i] ||
			b->origin[i] >= a->origin[i] + a->region[i])
			return false;
	return true;
}

/* Whether the object has a map for writing that overlaps this one for writing; it is locked. */
static bool map_conflicts(const struct mem *mem, const struct mem_map *map)
{
	const struct mem_map *other = map_writes(map) ? mem->maps : NULL;

	while (other && !(map_writes(other) && maps_overlap(map, other)))
		other = other->next;
	return other;
}

cl_int mem_map_record(struct mem *mem, const struct mem_map *given)
{
	struct mem_map *map = malloc(sizeof *map);

	REQUIRE(map, CL_OUT_OF_HOST_MEMORY);
	*map = *given;
	pthread_mutex_lock(&mem->lock);
	bool conflicts = map_conflicts(mem, map);
	if (!conflicts) {
		map->next = mem->maps;
		mem->maps = map;
		mem->map_count++;
	}
	pthread_mutex_unlock(&mem->lock);
	if (!conflicts && !mem->image && map->flags & ~(cl_map_flags)CL_MAP_READ)
		l0_memory_written(mem->context->l0, mem->address + map->offset, map->size);
	if (!conflicts)
		return CL_SUCCESS;
	free(map);
	return error_say(CL_INVALID_OPERATION, "part of the region is mapped for writing already");
}

cl_int mem_map_take(struct mem *mem, const void *pointer, struct mem_map *out)
{
	struct mem_map *map;

	pthread_mutex_lock(&mem->lock);
	struct mem_map **link = &mem->maps;
	while (*link && (*link)->pointer != pointer)
		link = &(*link)->next;
	map = *link;
	if (map) {
		*link = map->next;
		mem->map_count--;
	}
	pthread_mutex_unlock(&mem->lock);
	REQUIRE(map, error_say(CL_INVALID_VALUE, "no mapping of the object has this pointer"));

	*out = *map;
	out->next = NULL;
	free(map);
	return CL_SUCCESS;
}
