// SPDX-License-Identifier: MIT
#ifndef I915_DEVICE_H
#define I915_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "eu/state/eu_dispatch.h"
#include "gen/gen_device.h"

/*
 * The virtual i915 device. Kernel convention inside lib/i915: functions give 0 or a negative errno.
 * One lock covers all objects of a device; device threads drop it while they execute.
 */

/* Engines, in the order of DRM_I915_QUERY_ENGINE_INFO. */
enum i915_engine_id { I915_RCS0, I915_BCS0, I915_VCS0, I915_VCS2, I915_VECS0, I915_ENGINES };

struct i915_bo;
struct i915_context;
struct i915_ring;
struct i915_vm;
struct i915_report;

/* A thread that executes the batches of all contexts on one hardware engine. */
struct i915_engine {
	struct i915_device *device;
	uint16_t class, instance;
	/* Under the device's lock. */
	bool started, ended;
	pthread_t thread;
	pthread_cond_t work;
	struct i915_ring *rings; /* those that hold batches, in the order of their turns */
};

struct i915_device {
	const struct gen_device *gen;
	bool null_execution; /* walkers are skipped */
	pthread_mutex_t lock;
	/* Under lock. */
	pthread_cond_t progress; /* a batch ended, or a ring stopped or left its engine thread */
	unsigned waiters;	 /* on progress */
	struct eu_engine *eu;	 /* made with the first ring */
	struct i915_engine engines[I915_ENGINES];
	struct i915_bo *objects; /* all that have memory of their own, for PRIME */
	unsigned kept_fds;
	uint64_t exec_serial;
	unsigned files;
	bool closing;
	struct i915_report *reports; /* faults that were not taken, oldest first */
	atomic_uint n_reports;	     /* changes under the lock only */
	uint32_t reset_count;
	/* Of i915_device_leave alone. */
	struct timespec leave_at;
};

/* Ids handed out lowest first from 1, as an idr does. */
struct i915_ids {
	void **slots; /* slots[id - 1] */
	uint32_t count, lowest_free;
};

/* One open of the device node: a name space for handles, contexts and address spaces. */
struct i915_file {
	struct i915_device *device;
	/* For the shim: the descriptor that stands for it, and which node was opened. */
	dev_t inode_device;
	ino_t inode;
	unsigned minor;
	atomic_uint refs; /* descriptors that were duplicated, and calls under way */
	/* Under the device's lock. */
	bool dead; /* of a parent process: nothing works any more */
	struct i915_ids objects, contexts, spaces;
	struct i915_context *context;	   /* number 0, made when first used */
	struct i915_context *all_contexts; /* destroyed ones that still run included */
};

/* Makes a device without threads. NULL when memory is short. */
struct i915_device *i915_device_create(const struct gen_device *gen, bool null_execution);

/* Stops all batches, joins the threads and frees the device; all files must have been closed. */
void i915_device_destroy(struct i915_device *device);

/*
 * The process begins to exit. What it waits for while it does, it gets; but batches that are there
 * now and not over after `milliseconds` end as a fault, so that nobody waits for them for ever.
 * Returns at once.
 */
void i915_device_leave(struct i915_device *device, unsigned milliseconds);

/*
 * Ends all batches that are there as faults, which lets those go who wait for them; waits at most
 * `milliseconds` until none runs. Under no lock.
 */
void i915_device_quiesce(struct i915_device *device, unsigned milliseconds);

/* Device time in ticks of gen->timestamp_hz; self is the device. */
uint64_t i915_device_timestamp(void *self);

int i915_file_open(struct i915_device *device, struct i915_file **out);
void i915_file_get(struct i915_file *file);
/* Drops a reference; the last one stops the file's batches and frees its objects. */
void i915_file_put(struct i915_file *file);

/* 0 when memory is short. */
uint32_t i915_ids_add(struct i915_ids *ids, void *object);
void *i915_ids_find(const struct i915_ids *ids, uint64_t id);
/* Takes the object out and returns it, NULL when there is none. */
void *i915_ids_remove(struct i915_ids *ids, uint64_t id);
void i915_ids_finish(struct i915_ids *ids);

#endif
