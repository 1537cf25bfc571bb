// SPDX-License-Identifier: MIT
#ifndef DRM_DEVICE_H
#define DRM_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "drm/memory/drm_ids.h"
#include "gen/gen_device.h"

/*
 * Room memory: the device and file structs, GEM objects, address spaces, timelines, and access to
 * the caller's memory. Nothing here executes a batch, and nothing knows a kernel interface.
 *
 * lib/drm follows the kernel's conventions: functions return 0 or a negative errno. One lock per
 * device protects all of its objects; device threads release it while they execute.
 */

enum { DRM_LANES = 32 }; /* of an engine, at most */

/* The classes of i915 and xe, which have the same numbers. */
enum drm_engine_class {
	DRM_CLASS_RENDER,
	DRM_CLASS_COPY,
	DRM_CLASS_VIDEO,
	DRM_CLASS_VIDEO_ENHANCE,
	DRM_CLASS_COMPUTE,
};

struct drm_bo;
struct drm_context;
struct drm_device;
struct drm_file;
struct drm_ring;
struct drm_sync_fd;
struct drm_timeline;
struct eu_engine;

/* A thread of an engine, and EUs for the turn of one ring. Under the device's lock. */
struct drm_lane {
	pthread_t thread;
	struct eu_engine *eu; /* made for the first turn; may be NULL */
	bool busy;
	int64_t began; /* the turn, in nanoseconds of CLOCK_MONOTONIC */
};

/* A hardware engine, which executes the batches of all contexts. */
struct drm_engine {
	struct drm_device *device;
	uint16_t class, instance;
	bool exists; /* on this device */
	/* Under the device's lock. */
	bool ended;
	unsigned lane_count;
	struct drm_lane lanes[DRM_LANES];
	pthread_cond_t work;
	struct drm_ring *rings; /* those that hold batches, in the order of their turns */
};

/* A kernel interface to the device, such as i915. */
struct drm_front {
	/*
	 * One ioctl. `argument` is the caller's pointer and may be anything. Returns 0 or a
	 * negative errno. Called without the lock.
	 */
	int (*ioctl)(struct drm_file *file, unsigned long request, uint64_t argument);
	/* mmap(2) at an offset that an ioctl gave. Returns an address or a negative errno. */
	intptr_t (*mmap)(struct drm_file *file, void *address, size_t length, int protection,
		int flags, uint64_t offset);
};

struct drm_device {
	const struct gen_device *gen;
	const struct drm_front *front;
	bool null_execution;  /* walkers are skipped */
	pthread_mutex_t lock; /* left with drm_device_unlock and drm_device_wait */
	/* Under lock. */
	unsigned wakes; /* who is to be woken by whoever leaves the lock: engines by their bits */
	pthread_cond_t progress; /* a batch ended, a ring stopped or left its engine thread, or a
				    sync object changed */
	unsigned waiters;	 /* on progress */
	uint64_t progresses;	 /* how often there was some, from 1 on */
	struct drm_engine engines[GEN_ENGINES];
	struct drm_bo *objects;	      /* all that have memory of their own, for PRIME */
	unsigned kept_fds;	      /* of objects */
	struct drm_sync_fd *sync_fds; /* descriptors of fences and sync objects */
	unsigned kept_sync_fds;
	uint64_t bind_serial; /* of the last submission that binds objects */
	unsigned files;
	bool closing; /* the process ends: no kernel is started any more */
	struct drm_timeline
		*reports;      /* with faults that were not taken, oldest first: references */
	atomic_uint n_reports; /* changes under the lock only */
	uint32_t reset_count;
	struct timespec expire_at; /* of drm_device_leave alone */
};

/* One open of the device node: a name space for handles, contexts and address spaces. */
struct drm_file {
	struct drm_device *device;
	/* Under the device's lock. */
	bool dead; /* opened by the parent process of a fork: nothing works any more */
	struct drm_ids objects, contexts, spaces, syncobjs;
	struct drm_context *context; /* number 0, made on its first use */
	struct drm_ring *rings;	     /* all, including those of destroyed contexts that still run */
};

/* Device time in ticks of gen->family->timestamp_hz. `self` is the device. */
uint64_t drm_device_timestamp(void *self);

/* Locks: device->lock is held. Whoever waits for progress is woken when the lock is left. */
void drm_device_announce(struct drm_device *device);
/* The same for a thread of the engine. */
void drm_device_call(struct drm_engine *engine);

/* Leaves the lock, and wakes then: a thread that was woken before would find it taken, and sleep.
 */
void drm_device_unlock(struct drm_device *device);
/*
 * Waits, without the lock, for one of its conditions, until a time of CLOCK_MONOTONIC or (NULL) for
 * ever. Returns 0, or an errno when the time is over.
 */
int drm_device_wait(
	struct drm_device *device, pthread_cond_t *condition, const struct timespec *until);

#endif
