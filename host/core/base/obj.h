// SPDX-License-Identifier: MIT
#ifndef OBJ_H
#define OBJ_H

#include <CL/cl.h>
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct context;
struct info;

enum obj_kind {
	OBJ_DEAD = 0, /* destroyed; no handle of this kind is valid */
	OBJ_PLATFORM = 0x5a430001,
	OBJ_DEVICE,
	OBJ_CONTEXT,
	OBJ_QUEUE,
	OBJ_MEM,
	OBJ_SAMPLER,
	OBJ_PROGRAM,
	OBJ_KERNEL,
	OBJ_EVENT,
	OBJ_COMMAND_BUFFER,
	OBJ_RECORDED,  /* cl_mutable_command_khr: a command of a command buffer */
	OBJ_RECORDING, /* internal: what a command buffer replays */
	OBJ_SEMAPHORE
};

/*
 * The head of everything that a cl_* handle points to. The first two words are the ABI of
 * cl_khr_icd: the dispatch table, and a word that loaders of version 2.0 keep for themselves.
 *
 * Two counts: clRetain and clRelease change api_refs, which CL_*_REFERENCE_COUNT reports. refs
 * counts owners: all api_refs together are one owner, each internal holder (a queued command, a
 * child object) is another. The object is destroyed when refs reaches 0.
 */
struct obj {
	const void *dispatch;
	void *loader_data;
	uint32_t kind; /* enum obj_kind */
	atomic_uint api_refs;
	atomic_uint refs;
	struct context *context; /* whose pfn_notify hears of errors; NULL for platform and device;
				    not a reference: the subtype holds one */
	void (*destroy)(struct obj *obj); /* frees everything, accepts a half-built object; NULL
					     for an object that lives as long as the library */
};

/* The table that word 0 of every handle shows to the loader. Set once, before any object exists. */
void obj_set_dispatch(const void *table);

/*
 * Starts `obj` (zeroed memory) with one API reference. The ABI words and the context come from
 * `parent`; without a parent (the platform) they are the table of obj_set_dispatch and nothing.
 */
void obj_init(struct obj *obj, enum obj_kind kind, const struct obj *parent,
	void (*destroy)(struct obj *obj));

/*
 * Of threads that must not call the application, else NULL. The `destroy` of an object with
 * callbacks of the application calls it: if it returns true, `call`, which runs the callbacks, and
 * then `finish`, which frees the object, run on another thread.
 */
extern _Thread_local bool (*obj_defer)(
	struct obj *obj, void (*call)(struct obj *obj), void (*finish)(struct obj *obj));

/*
 * Frees the memory of an object, at the end of its `destroy`, but not before many others were
 * destroyed: until then the loader and obj_from can look at a handle that is used again, which is
 * an error and no crash. NULL is allowed.
 */
void obj_free(void *memory);

/* Internal references. obj_put(NULL) does nothing. */
void obj_get(struct obj *obj);
/* The same for an object whose count may already be 0: false then. Its memory is still there. */
bool obj_try_get(struct obj *obj);
void obj_put(struct obj *obj);

/*
 * clRetain*, clRelease*: change the API count; the last release drops the API's reference. An
 * object whose API count is 0 may be retained again while a command or a child still holds it.
 * Errors: the code of the kind (CL_INVALID_MEM_OBJECT …) if `handle` is no such object, or has no
 * API reference to release.
 */
cl_int obj_retain(const void *handle, enum obj_kind kind);
cl_int obj_release(const void *handle, enum obj_kind kind);

/*
 * Returns the object behind a handle if it is alive and of that kind; NULL for any other handle. In
 * an orphan (l0_process.h) nothing but the platform is alive.
 */
struct obj *obj_from(const void *handle, enum obj_kind kind);
/* The same for any kind. */
struct obj *obj_any(const void *handle);

/*
 * Defines for `struct name { struct obj base; … }`: name_from(handle), NULL for a NULL, foreign,
 * dead or wrong-kind handle; name_handle(object); name_get and name_put, internal references.
 */
#define OBJ_DEFINE(name, handle_type, obj_kind_)                                                   \
	static_assert(offsetof(struct name, base) == 0, "the ABI words come first");               \
	static inline struct name *name##_from(handle_type handle)                                 \
	{                                                                                          \
		return (struct name *)(void *)obj_from(handle, obj_kind_);                         \
	}                                                                                          \
	static inline handle_type name##_handle(struct name *object)                               \
	{                                                                                          \
		return (handle_type)(void *)object;                                                \
	}                                                                                          \
	static inline struct name *name##_get(struct name *object)                                 \
	{                                                                                          \
		obj_get(&object->base);                                                            \
		return object;                                                                     \
	}                                                                                          \
	static inline void name##_put(struct name *object)                                         \
	{                                                                                          \
		obj_put(object ? &object->base : NULL);                                            \
	}

#endif
