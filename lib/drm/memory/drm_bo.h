// SPDX-License-Identifier: MIT
#ifndef DRM_BO_H
#define DRM_BO_H

#include "drm/memory/drm_kept.h"
#include "drm/memory/drm_timeline.h"

enum { DRM_PAGE = 4096 };

/* The last batch of one ring that uses an object. */
struct drm_use {
	struct drm_timeline *timeline;
	uint64_t read, written; /* numbers; written is 0 when none wrote */
};

/* A GEM object. Everything is under the device's lock; the memory itself is not. */
struct drm_bo {
	struct drm_device *device;
	unsigned refs;	   /* handles, bindings, snapshots of address spaces, batches */
	unsigned handles;  /* in all files */
	unsigned bindings; /* in all address spaces */
	uint64_t size;	   /* bytes, whole pages */
	uint8_t *host;
	uint64_t born;		   /* eu_allocation_moment when it was made */
	uint64_t *_Atomic cleared; /* eu_range.cleared */
	bool userptr;
	bool filled;	      /* drm_bo_fill was there */
	struct drm_kept file; /* of memory; none: a user pointer, or too many are open */
	uint32_t tiling, stride;
	uint64_t bind_serial;  /* of the last submission that named it */
	uint64_t bind_address; /* … and where it placed it */
	struct drm_use *uses;
	unsigned use_count, use_capacity;
	struct drm_bo *previous, *next; /* in device->objects */
};

/* Makes an object of zeroed memory; `size` is a multiple of DRM_PAGE. Returns 0, -E2BIG, -ENOMEM or
 * what the system call returns. */
int drm_bo_create(struct drm_device *device, uint64_t size, struct drm_bo **out);
/* Makes an object of the caller's memory, which is checked when the object is bound. Returns 0 or
 * -ENOMEM. */
int drm_bo_create_userptr(
	struct drm_device *device, uint64_t address, uint64_t size, struct drm_bo **out);
/* Sets *out to the object behind an exported descriptor of this process or of another one, with a
 * reference. Returns 0 or a negative errno. */
int drm_bo_import(struct drm_device *device, int fd, struct drm_bo **out);
/* Returns a new descriptor of the object's memory, -EINVAL for a user pointer, -EMFILE. */
int drm_bo_export(struct drm_bo *bo, bool close_on_exec);
struct drm_bo *drm_bo_get(struct drm_bo *bo);
void drm_bo_put(struct drm_bo *bo);

/*
 * Gets memory for the object, as hardware has for each object that is bound: once, before it is
 * first mapped or bound.
 */
void drm_bo_fill(struct drm_bo *bo);
/* Maps the object's memory from `offset` on, a multiple of DRM_PAGE, as mmap(2) does. Returns the
 * address or a negative errno. */
intptr_t drm_bo_map(struct drm_bo *bo, uint64_t offset, void *address, size_t length,
	int protection, int flags);

/* Makes room for a use by the timeline. Returns 0 or -ENOMEM. */
int drm_bo_prepare_use(struct drm_bo *bo, struct drm_timeline *timeline);
/* Records that batch `number` of the timeline, for which there is room, uses the object. */
void drm_bo_use(struct drm_bo *bo, struct drm_timeline *timeline, uint64_t number, bool write);
/* Whether the batch of `use` is not over; `write`: only a batch that writes counts. */
bool drm_use_active(const struct drm_use *use, bool write);
/* Waits until the batches that use the object now are over; -ETIME after `nanoseconds` (forever
 * when negative). May drop the lock; *left is what remains of the time. */
int drm_bo_wait(struct drm_bo *bo, int64_t nanoseconds, int64_t *left);

#endif
