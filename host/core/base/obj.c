// SPDX-License-Identifier: MIT
#include "core/base/obj.h"

#include "core/base/error.h"
#include "l0/l0_process.h"

#include <CL/cl_ext.h>
#include <stdlib.h>

/* Destroyed objects whose memory is kept. */
#define MAX_DEAD 1024

static const void *dispatch_table;

static const struct {
	cl_int invalid;
	const char *noun;
} kinds[] = {
	[OBJ_PLATFORM - OBJ_PLATFORM] = { CL_INVALID_PLATFORM, "platform" },
	[OBJ_DEVICE - OBJ_PLATFORM] = { CL_INVALID_DEVICE, "device" },
	[OBJ_CONTEXT - OBJ_PLATFORM] = { CL_INVALID_CONTEXT, "context" },
	[OBJ_QUEUE - OBJ_PLATFORM] = { CL_INVALID_COMMAND_QUEUE, "command queue" },
	[OBJ_MEM - OBJ_PLATFORM] = { CL_INVALID_MEM_OBJECT, "memory object" },
	[OBJ_SAMPLER - OBJ_PLATFORM] = { CL_INVALID_SAMPLER, "sampler" },
	[OBJ_PROGRAM - OBJ_PLATFORM] = { CL_INVALID_PROGRAM, "program" },
	[OBJ_KERNEL - OBJ_PLATFORM] = { CL_INVALID_KERNEL, "kernel" },
	[OBJ_EVENT - OBJ_PLATFORM] = { CL_INVALID_EVENT, "event" },
	[OBJ_COMMAND_BUFFER - OBJ_PLATFORM] = { CL_INVALID_COMMAND_BUFFER_KHR, "command buffer" },
	[OBJ_RECORDED - OBJ_PLATFORM] = { CL_INVALID_MUTABLE_COMMAND_KHR, "recorded command" },
	[OBJ_SEMAPHORE - OBJ_PLATFORM] = { CL_INVALID_SEMAPHORE_KHR, "semaphore" },
};

_Thread_local bool (*obj_defer)(
	struct obj *obj, void (*call)(struct obj *obj), void (*finish)(struct obj *obj));

void obj_set_dispatch(const void *table)
{
	dispatch_table = table;
}

void obj_init(struct obj *obj, enum obj_kind kind, const struct obj *parent,
	void (*destroy)(struct obj *obj))
{
	obj->dispatch = parent ? parent->dispatch : dispatch_table;
	obj->loader_data = parent ? parent->loader_data : NULL;
	obj->context = parent ? parent->context : NULL;
	obj->kind = kind;
	obj->destroy = destroy;
	atomic_init(&obj->api_refs, 1);
	atomic_init(&obj->refs, 1);
}

void obj_get(struct obj *obj)
{
	atomic_fetch_add_explicit(&obj->refs, 1, memory_order_relaxed);
}

bool obj_try_get(struct obj *obj)
{
	unsigned refs = atomic_load_explicit(&obj->refs, memory_order_relaxed);

	do {
		if (!refs)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(
		&obj->refs, &refs, refs + 1, memory_order_acquire, memory_order_relaxed));
	return true;
}

void obj_put(struct obj *obj)
{
	if (!obj || atomic_fetch_sub_explicit(&obj->refs, 1, memory_order_acq_rel) != 1)
		return;
	obj->kind = OBJ_DEAD;
	if (obj->destroy)
		obj->destroy(obj);
}

void obj_free(void *memory)
{
#ifdef __SANITIZE_ADDRESS__
	free(memory); /* so that it is found when we use it ourselves */
#else
	static _Atomic(void *) dead[MAX_DEAD];
	static atomic_uint n_dead;
	unsigned at = atomic_fetch_add_explicit(&n_dead, 1, memory_order_relaxed) % MAX_DEAD;

	free(atomic_exchange_explicit(&dead[at], memory, memory_order_acq_rel));
#endif
}

struct obj *obj_any(const void *handle)
{
	struct obj *obj = (struct obj *)(uintptr_t)handle;

	if (!obj || (uintptr_t)obj % _Alignof(struct obj) || obj->dispatch != dispatch_table)
		return NULL;
	if (l0_process_is_over() && obj->kind != OBJ_PLATFORM)
		return NULL;
	return obj->kind >= OBJ_PLATFORM && obj->kind <= OBJ_SEMAPHORE ? obj : NULL;
}

struct obj *obj_from(const void *handle, enum obj_kind kind)
{
	struct obj *obj = obj_any(handle);

	return obj && obj->kind == kind ? obj : NULL;
}

static cl_int say_invalid(enum obj_kind kind)
{
	return error_say(kinds[kind - OBJ_PLATFORM].invalid,
		"the handle is not a live %s of this platform", kinds[kind - OBJ_PLATFORM].noun);
}

cl_int obj_retain(const void *handle, enum obj_kind kind)
{
	struct obj *obj = obj_from(handle, kind);

	if (!obj)
		return say_invalid(kind);
	if (!atomic_fetch_add_explicit(&obj->api_refs, 1, memory_order_relaxed))
		obj_get(obj);
	return CL_SUCCESS;
}

cl_int obj_release(const void *handle, enum obj_kind kind)
{
	struct obj *obj = obj_from(handle, kind);
	unsigned count = obj ? atomic_load_explicit(&obj->api_refs, memory_order_relaxed) : 0;

	do {
		if (!count)
			return say_invalid(kind);
	} while (!atomic_compare_exchange_weak_explicit(
		&obj->api_refs, &count, count - 1, memory_order_acq_rel, memory_order_relaxed));
	if (count == 1)
		obj_put(obj);
	return CL_SUCCESS;
}
