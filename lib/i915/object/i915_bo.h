// SPDX-License-Identifier: MIT
#ifndef I915_BO_H
#define I915_BO_H

#include <sys/types.h>

#include "i915/node/i915_device.h"

enum { I915_PAGE = 4096 };

/*
 * The order of one ring's batches: number n is over when completed >= n. When the ring has stopped
 * on a fault, what it still holds counts as over too, so that nobody waits for it.
 */
struct i915_timeline {
	unsigned refs;
	uint16_t engine_class;
	bool stopped;
	uint64_t submitted, completed;
};

/* The last batch of one ring that uses an object. */
struct i915_use {
	struct i915_timeline *timeline;
	uint64_t read, written; /* numbers; written is 0 when none wrote */
};

/* A GEM object. Everything is under the device's lock; the memory itself is not. */
struct i915_bo {
	struct i915_device *device;
	unsigned refs;	   /* handles, bindings, snapshots of address spaces, batches */
	unsigned handles;  /* in all files */
	unsigned bindings; /* in all address spaces */
	uint64_t size;	   /* bytes, whole pages */
	uint8_t *host;
	bool userptr;
	int fd; /* memory file, or -1: a user pointer, or too many are open */
	dev_t inode_device;
	ino_t inode;
	uint32_t tiling, stride;
	uint64_t exec_serial; /* of the last EXECBUFFER2 that named it */
	struct i915_use *uses;
	unsigned use_count, use_capacity;
	struct i915_bo *previous, *next; /* in device->objects */
};

/* New zeroed memory. size is rounded up to whole pages by the caller. */
int i915_bo_create(struct i915_device *device, uint64_t size, struct i915_bo **out);
int i915_bo_create_userptr(
	struct i915_device *device, uint64_t address, uint64_t size, struct i915_bo **out);
/* The object behind an exported descriptor: one of ours, or memory of another process. */
int i915_bo_import(struct i915_device *device, int fd, struct i915_bo **out);
/* A new descriptor for the object's memory. */
int i915_bo_export(struct i915_bo *bo, bool close_on_exec);
struct i915_bo *i915_bo_get(struct i915_bo *bo);
void i915_bo_put(struct i915_bo *bo);

/* Maps the object's memory from a page `offset` on into the process, as mmap(2) does. Gives the
 * address or -errno. */
intptr_t i915_bo_map(struct i915_bo *bo, uint64_t offset, void *address, size_t length,
	int protection, int flags);

/* Notes that batch `number` of the timeline uses the object. */
int i915_bo_use(struct i915_bo *bo, struct i915_timeline *timeline, uint64_t number, bool write);
/* Whether `use` is under way still; write: only what it writes counts. */
bool i915_use_active(const struct i915_use *use, bool write);
bool i915_bo_active(const struct i915_bo *bo);
/* Waits until the batches that use the object now are over; -ETIME after `nanoseconds` (forever
 * when negative). May drop the lock; *left is what remains of the time. */
int i915_bo_wait(struct i915_bo *bo, int64_t nanoseconds, int64_t *left);

struct i915_timeline *i915_timeline_get(struct i915_timeline *timeline);
void i915_timeline_put(struct i915_timeline *timeline);

#endif
